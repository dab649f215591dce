/** The pages of games, and what calls somebody to them; the lobby does not need them, and has them fetched when it is there. */

import { alerts } from "./alerts.js";
import { attend } from "./company.js";
import { learn } from "./learn.js";
import { Replay } from "./replay.js";
import { Table } from "./table.js";

export default { Replay, Table, alerts, attend, learn };
