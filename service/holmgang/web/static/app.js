/** The page: its head, its routes by the address's fragment, and what is said when the service is away. */

import * as api from "./api.js";
import { fetchScreen, patiently, undress, unfetched } from "./brought.js";
import { button, dialog, h, labelled, show, toast } from "./dom.js";
import { choose, language, LANGUAGES, t } from "./i18n.js";
import { games } from "./games.js";
import { addressOf } from "./lessons.js";
import { Lobby } from "./lobby.js";
import { NewGame } from "./newgame.js";
import { gamePath, invitationOf, isolated, keepInvitation } from "./people.js";
import { at, file, root } from "./place.js";

const main = document.getElementById("main");
let page = null;

const AHEAD_MS = 1000;
/** So long after a page is there the pages of games are fetched, and who challenges one is looked for: it is not to wait for them on a slow line. */

/** The script of games' pages could not be had; some browsers try again for a new page only. */
class Unfetched extends api.Unreachable {}

/** The pages of games, fetched once; also ahead of time, when the lobby is there. */
async function pagesOfGames() {
  try {
    return (await patiently(() => import("./play.js"))).default;
  } catch (fault) {
    throw unfetched(fault) ? new Unfetched() : fault;
  }
}

/** The pages about people, fetched when one of them is opened. */
async function pagesOfPeople() {
  try {
    return (await patiently(() => import("./meet.js"))).default;
  } catch (fault) {
    throw unfetched(fault) ? new Unfetched() : fault;
  }
}

const ROUTES = [
  [/^#\/games\/([0-9a-f-]{36})\/replay(?:\/(\d+))?$/, async (ident, at) => new (await pagesOfGames()).Replay(ident, at === undefined ? null : Number(at))],
  [/^#\/games\/([0-9a-f-]{36})\/replay\/after\/(\d+)$/, async (ident, seq) => new (await pagesOfGames()).Replay(ident, null, Number(seq))],
  [/^#\/games\/([0-9a-f-]{36})\/analysis$/, async (ident) => new (await pagesOfGames()).Replay(ident, null, null, true)],
  [/^#\/games\/([0-9a-f-]{36})$/, table],
  [/^#\/learn\/([a-z0-9_]+)$/, async (ruleset) => (await pagesOfGames()).learn(ruleset)],
  [/^#\/players\/([0-9a-f-]{36})$/, async (ident) => new (await pagesOfPeople()).Profile(ident)],
  [/^#\/leaderboards(?:\/([a-z0-9_]+))?$/, async (ruleset) => new (await pagesOfPeople()).Leaderboard(ruleset)],
  [/^#\/tournaments$/, async () => new (await pagesOfPeople()).Tournaments()],
  [/^#\/tournaments\/new$/, async () => new (await pagesOfPeople()).NewTournament()],
  [/^#\/tournaments\/([0-9a-f-]{36})$/, async (ident) => new (await pagesOfPeople()).Tournament(ident)],
  [/^#\/account$/, async () => new (await pagesOfPeople()).Account()],
  [/^#\/new(?:\/([a-z0-9_]+))?$/, (ruleset) => new NewGame(ruleset)],
];

/** A game's facts, and the screen that they name, are fetched beside the script of its page. */
async function table(ident) {
  const summary = api.get(gamePath(ident), { invitation: invitationOf(ident), signal: leaving.signal });
  summary.then(({ ruleset }) => games[ruleset] && fetchScreen(games[ruleset]), () => {}); // the page tells what is wrong
  return new (await pagesOfGames()).Table(ident, summary);
}

async function pageOf(hash) {
  const [path] = hash.split("?");
  for (const [form, make] of ROUTES) {
    const found = form.exec(path);
    if (found) return make(...found.slice(1));
  }
  return new Lobby();
}

let leaving = new AbortController(); // ends what is fetched for a page that is not there yet
let opened = 0; // how many pages were: while one is fetched, another may be asked for

async function open() {
  if (page) page.stop();
  page = null;
  leaving.abort();
  leaving = new AbortController();
  const which = opened += 1, current = () => opened === which;
  if (main.contains(document.activeElement)) main.focus({ preventScroll: true }); // another page is read from its beginning
  document.title = "Holmgang";
  show(main, h("p", { class: "soft loading" }, t("One moment…")));
  try {
    const now = await pageOf(location.hash);
    if (!current()) return;
    page = now;
    const ready = now.start(), here = now instanceof Lobby || now instanceof NewGame;
    if (!location.hash.startsWith("#/games/")) undress();
    if (here) show(main, now.element);
    await ready;
    if (current() && !here) {
      show(main, now.element); // what is taken out and put back loses a press that is on it
      if (now.appear) now.appear();
    }
    window.setTimeout(() => pagesOfGames().then(({ attend }) => attend()).catch(() => {}), AHEAD_MS); // what failed is tried again when a game is opened
  } catch (fault) {
    if (!current()) return;
    if (!fault.told) throw fault;
    const again = () => (fault instanceof Unfetched ? location.reload() : open());
    show(main, h("div", { class: "narrow panel" }, h("h1", {}, fault.status === 404 ? t("There is nothing here") : t("That did not work")),
      h("p", {}, fault.told), h("div", { class: "bar" }, h("a", { class: "button go", href: "#/" }, t("To the lobby")), button(t("Try again"), again))));
  }
}

function languages() {
  const box = h("select", { class: "language", "aria-label": t("Language"), onchange: () => choose(box.value) },
    LANGUAGES.map(([code, name]) => h("option", { value: code, lang: code, selected: code === language, title: name }, code.toUpperCase())));
  return box;
}

/** The site's pages: in a row, or on a telephone behind a button, with one's own. */
function menu() {
  const link = (href, words, more = {}) => h("a", { href, onclick: () => open(false), ...more }, words);
  const links = h("span", { class: "links", id: "links" }, link("#/", t("To the lobby"), { class: "folded" }), link("#/new", t("New game")), link("#/tournaments", t("Tournaments")), link("#/leaderboards", t("Leaderboards")),
    api.me ? link(`#/players/${api.me.id}`, t("Your profile"), { class: "folded" }) : null, api.me ? link("#/account", t("Your account"), { class: "folded" }) : null);
  const opener = button("☰", () => open(opener.getAttribute("aria-expanded") !== "true"), { class: "quiet menu", "aria-label": t("Menu"), "aria-expanded": "false", "aria-controls": "links" });
  function open(whether) {
    opener.setAttribute("aria-expanded", String(whether));
    links.toggleAttribute("data-open", whether);
  }
  closeMenu = () => open(false);
  return h("span", { class: "site", onkeydown: ({ key }) => { if (key === "Escape" && links.hasAttribute("data-open")) { open(false); opener.focus(); } } }, opener, links);
}

let closeMenu = () => {};
document.addEventListener("pointerdown", ({ target }) => { if (!target.closest(".site")) closeMenu(); });

function drawTop() {
  const who = api.me ? [h("span", { class: "soft" }, t("You play as")), button(h("bdi", {}, api.me.name), identity, { class: "quiet name", "data-key": "name" })]
    : [button(t("Choose a name"), identity, { class: "quiet name", "data-key": "name" })];
  show(document.getElementById("top"), h("a", { class: "brand", href: "#/" }, h("img", { src: file("icon.svg"), alt: "", width: "32", height: "32" }), "Holmgang"),
    h("nav", { class: "bar" }, menu(), h("span", { class: "me" }, who), languages()));
}

/** Ask for a name and register with it; what is wrong with it stands in the dialog's place `said`. */
function nameForm(close, said, words) {
  const field = h("input", { name: "name", type: "text", maxlength: "40", required: true, autocomplete: "nickname", placeholder: api.someName(), "aria-describedby": said });
  return h("form", { class: "form", onsubmit: async (event) => {
    event.preventDefault();
    try {
      await api.register(field.value.trim());
      close();
    } catch (fault) {
      if (!fault.told) throw fault;
      toast(fault.told);
      field.setAttribute("aria-invalid", "true");
      field.focus();
    }
  } }, labelled(t("Name"), field), h("div", { class: "bar" }, h("button", { type: "submit", class: "go" }, words), button(t("Close"), close)));
}

/** Where one finds oneself. */
const own = (close) => h("p", {}, h("a", { href: `#/players/${api.me.id}`, onclick: close }, t("Your profile")), " · ", h("a", { href: "#/account", onclick: close }, t("Change the name, take your games with you, or delete the account")));

/** Where one's seats are, which a name is not changed for. */
function seated(held, close) {
  return [own(close), h("p", {}, t("Your seats belong to this name. Before you take another one, play these games to their end, or leave them:")),
    h("ul", {}, held.map((one) => h("li", {}, h("a", { href: addressOf(one, api.me.id), onclick: close }, games[one.ruleset]?.title ?? one.ruleset)))),
    h("div", { class: "bar" }, button(t("Close"), close, { class: "go" }))];
}

async function identity() {
  try {
    const held = api.me ? await api.held() : [];
    dialog(api.me ? t("You play as {name}", { name: isolated(api.me.name) }) : t("Choose a name"), (close, said) => (held.length ? seated(held, close) : [
      api.me ? h("p", { class: "soft" }, t("With a new name you are somebody new: your games stay with the old one.")) : null, api.me ? own(close) : null, nameForm(close, said, t("Play under this name"))]), { stays: true });
  } catch (fault) {
    if (!fault.told) throw fault;
    if (api.me) toast(fault.told); // else the dialog about the token says it
  }
}

api.on("dead", (told) => {
  const { name } = api.gone;
  dialog(t("You are not known here any more"), (close, said) => [
    h("p", {}, told.detail || ""), h("p", {}, t("The token of {name}, which this browser keeps, is no longer good, so you can only look on. With a new name you begin anew, and the old token is forgotten.", { name: isolated(name) })),
    nameForm(close, said, t("Begin anew"))], { stays: true });
});

api.on("identity", () => {
  document.querySelectorAll("dialog[data-stays]").forEach((one) => one.close()); // who plays is settled otherwise
  drawTop();
  open();
});
api.on("connection", (there) => {
  const note = document.getElementById("connection");
  note.hidden = there;
  note.textContent = there ? "" : t("The connection is lost. Trying again…");
});

document.getElementById("skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });

/** A part of an address in plain, or null where it is damaged; what is no visible ASCII cannot be a secret either. */
function secretOf(part) {
  try {
    const found = decodeURIComponent(part);
    return /^[!-~]+$/.test(found) ? found : null;
  } catch {
    return null;
  }
}

/** An invitation's link: its secret is taken out of the address, and kept for this visit. */
function followInvitation() {
  const game = /^\/games\/([0-9a-f-]{36})$/.exec(location.href.startsWith(root.href) ? location.pathname.slice(root.pathname.length - 1) : "");
  if (!game) return;
  const part = /^#invitation=(.+)$/.exec(location.hash);
  history.replaceState(null, "", at(`/#/games/${game[1]}`));
  if (!part) return;
  const secret = secretOf(part[1]);
  if (secret) keepInvitation(game[1], secret);
  else toast(t("The link is damaged: ask for the invitation again."));
}

/** The link to a private tournament, likewise. */
function followTournament() {
  const part = /^#\/tournaments\/([0-9a-f-]{36})\?invitation=(.+)$/.exec(location.hash);
  if (!part) return;
  history.replaceState(null, "", at(`/#/tournaments/${part[1]}`));
  const secret = secretOf(part[2]);
  if (secret) keepInvitation(part[1], secret);
  else toast(t("The link is damaged: ask for the invitation again."));
}

/** The link for another device: its token is taken out of the address, and used if whoever opened it wants that. */
async function followPlayer() {
  const part = /^#player=(.+)$/.exec(location.hash);
  if (!part) return;
  history.replaceState(null, "", at("/#/"));
  const secret = secretOf(part[1]);
  try {
    const person = secret && (await api.holder(secret));
    if (!person) toast(t("The link is damaged: make another one."));
    else if (!api.me || api.me.id !== person.id) {
      dialog(t("Play here as {name}?", { name: isolated(person.name) }), (close) => [h("p", {}, t("You followed a link for another device. Who played here before is kept, too.")),
        h("div", { class: "bar" }, button(t("Play as {name}", { name: isolated(person.name) }), () => { close(); api.enter(person); }, { class: "go" }), button(t("Close"), close))]);
    }
  } catch (fault) {
    if (!fault.told) throw fault;
    toast(fault.told);
  }
}

const style = document.querySelector("link[rel=stylesheet]");
if (!getComputedStyle(style).getPropertyValue("--paper")) style.replaceWith(style.cloneNode()); // it did not come
followInvitation();
followTournament();
followPlayer();
window.addEventListener("hashchange", () => { closeMenu(); followTournament(); followPlayer(); open(); });
document.getElementById("skip").textContent = t("Skip to the content");
drawTop();
open();
