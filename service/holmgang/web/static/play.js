/** The pages of games, which the lobby does not need: they are fetched when it is there. */

import { learn } from "./learn.js";
import { Replay } from "./replay.js";
import { Table } from "./table.js";

export default { Replay, Table, learn };
