/** The pages about people, which neither the lobby nor games need. */

import { Account } from "./account.js";
import { Leaderboard } from "./leaderboard.js";
import { Profile } from "./profile.js";

export default { Account, Leaderboard, Profile };
