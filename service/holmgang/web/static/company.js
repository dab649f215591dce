/** Challenges, what became of one's own, and turns in one's games for who asked to be told: followed wherever one is, by one wait at a time. */

import * as api from "./api.js";
import { notifies, tell } from "./alerts.js";
import { answers, reasonTold } from "./challenges.js";
import { button, h, toast } from "./dom.js";
import { t } from "./i18n.js";
import { keep, kept } from "./kept.js";
import { addressOf } from "./lessons.js";
import { isolated, personLink } from "./people.js";
import { termsTold, titleOf } from "./terms.js";

const WAIT_S = 25, SHARED_S = 8;
/** Who is told of turns, too, waits for one and the other by turns. */

const AWAY_MS = 60000;
/** A page that nobody looks at, and that is to tell nothing, does not wait for news: it is looked at again before. */

const LATEST = "/v1/me/challenges?limit=20", TURNS = "/v1/me/turns";
const KEPT = "holmgang.dismissed";

let who = null; // whose challenges are followed
let stopper = null;
let now = new Map(); // the latest of them, by their ids

const dismissed = () => (kept(KEPT, { visit: true }) || "").split(" ");

/** Follow the challenges of whoever plays here, from now on; called for each page that is opened. */
export function attend() {
  const id = api.me && api.me.id;
  if (id !== who) {
    if (stopper) stopper.abort();
    who = id;
    now = new Map();
    if (id) follow((stopper = new AbortController()).signal);
  }
  draw();
}

function follow(signal) {
  let have = null, turns = null, turnsNext = false;
  api.persist(async (hasty, early) => {
    const calls = notifies();
    if (document.hidden && !calls) return api.pause(AWAY_MS, signal, early);
    const wait = hasty ? 0 : calls ? SHARED_S : WAIT_S;
    turnsNext = calls && !turnsNext;
    if (!calls) turns = null; // what came meanwhile is news no more
    else if (turnsNext) {
      const asked = await api.poll(TURNS, { have: turns, wait, signal, early });
      if (asked && turns) tellTurns(asked.body.items, turns.body.items);
      turns = asked || turns;
      return null;
    }
    const news = await api.poll(LATEST, { have, wait, signal, early });
    if (!news) return null;
    const before = now;
    now = new Map(news.body.items.map((one) => [one.id, one]));
    if (have) now.forEach((one, id) => tellOf(one, before.get(id)));
    have = news;
    return draw();
  }, signal).catch((fault) => {
    if (!signal.aborted && !fault.told) throw fault; // else it is told where one plays
  });
}

/** Tell of turns that one was not asked before, but at the table that is open, which does so itself. */
function tellTurns(turns, before) {
  for (const { game, ruleset, turn } of turns) {
    const href = addressOf({ id: game, ruleset }, who), title = titleOf(ruleset);
    if (before.some((one) => one.game === game && one.turn === turn) || [href, `#/games/${game}`].includes(location.hash)) continue;
    tell("turn", title, t("It is your turn."), href);
    if (!document.hidden && !document.querySelector(".lobby")) toast(`${title} · ${t("It is your turn.")}`, "good", h("a", { href }, t("To the game")));
  }
}

/** Whether it is for whoever plays here to answer. */
const asked = ({ status, players }) => status === "pending" && players.some((one) => one.player === who && !one.answer);

function tellOf(challenge, before) {
  const { challenger, name, players, terms, status, game } = challenge, title = titleOf(terms.ruleset);
  if (asked(challenge) && !before) tell("challenge", title, t("{name} challenges you.", { name: isolated(name) }), "#/");
  if (challenger !== who || (before && before.status !== "pending")) return;
  if (status === "declined") {
    const one = players.find(({ answer }) => answer === "declined");
    const words = t("{name} declines your challenge.", { name: isolated(one ? one.name : "") });
    toast(one && one.reason ? `${words} ${reasonTold(one.reason)}` : words);
  } else if (game && location.hash !== `#/games/${game}`) {
    toast(t("Your challenge is accepted."), "good", h("a", { href: `#/games/${game}` }, t("To the game")));
    tell("begin", title, t("The game begins."), `#/games/${game}`);
  }
}

/** Show what is to be answered, but at the lobby, which lists it. */
function draw() {
  const corner = document.getElementById("toasts"), gone = dismissed();
  const here = document.querySelector(".lobby") ? [] : [...now.values()].filter((one) => asked(one) && !gone.includes(one.id));
  corner.querySelectorAll("[data-challenge]").forEach((one) => { if (!here.some(({ id }) => id === one.dataset.challenge)) one.remove(); });
  here.filter(({ id }) => !corner.querySelector(`[data-challenge="${id}"]`)).forEach((one) => corner.append(note(one)));
}

function note(challenge) {
  const { id, challenger, name, terms } = challenge;
  const dismiss = () => {
    keep(KEPT, [...dismissed(), id].join(" "), { visit: true });
    draw();
  };
  const done = () => { now.delete(id); draw(); };
  return h("div", { class: "toast good stays", "data-challenge": id },
    h("div", {}, h("p", {}, h("b", {}, titleOf(terms.ruleset)), " ", personLink(challenger, isolated(name)), " ", t("challenges you")), h("p", { class: "facts" }, termsTold(terms)), h("div", { class: "bar" }, answers(challenge, done))),
    button("×", dismiss, { "aria-label": "×", class: "quiet" }));
}
