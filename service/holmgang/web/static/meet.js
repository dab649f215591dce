/** The pages about people, which neither the lobby nor games need. */

import { Account } from "./account.js";
import { Leaderboard } from "./leaderboard.js";
import { Profile } from "./profile.js";
import { Tournament } from "./tournament.js";
import { NewTournament, Tournaments } from "./tournaments.js";

export default { Account, Leaderboard, NewTournament, Profile, Tournament, Tournaments };
