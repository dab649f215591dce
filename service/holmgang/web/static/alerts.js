/**
 * What calls somebody back to a game: the title of the page, a dot on its icon, and, for those who asked for them, soft tones and
 * notifications. What was asked for is kept in the browser.
 */

import { button, dialog, h, labelled, renew } from "./dom.js";
import { t } from "./i18n.js";
import { keep, kept } from "./kept.js";
import { file } from "./place.js";

const KEPT = "holmgang.alerts";
const BLINK_MS = 1000;
const YOUNG_MS = 15000;
/** A game that began so short a while ago begins for whoever opens it: a seek may have led here. */

const TONES = { turn: [660, 880], begin: [440, 554, 659], over: [659, 554, 440], challenge: [587, 784] };
/** Frequencies in hertz, one after the other. */
const STEP_S = 0.16, FADE_S = 0.45, LOUDEST = 0.25;

const still = window.matchMedia("(prefers-reduced-motion: reduce)");

const UNASKED = { sound: false, volume: 0.5, notices: false };

function chosen() {
  try {
    return { ...UNASKED, ...JSON.parse(kept(KEPT)) };
  } catch {
    return UNASKED;
  }
}

function choose(changes) {
  keep(KEPT, JSON.stringify({ ...chosen(), ...changes }));
}

let entitled = null; // `{title, yours}` of the table that is open
let blinking = 0;

/** The page is that of a game, in which somebody may be asked; null for a page that calls nobody. */
export function entitle(now) {
  if (JSON.stringify(now) === JSON.stringify(entitled)) return;
  entitled = now;
  drawTitle();
}

function drawTitle() {
  window.clearInterval(blinking);
  const { title, yours } = entitled || {};
  document.querySelector("link[rel=icon]").href = file(yours ? "icon-called.svg" : "icon.svg");
  if (!entitled) return;
  const plain = `${title} · Holmgang`, calling = `● ${t("Your turn")} · ${title}`;
  const away = yours && document.hidden;
  document.title = away ? calling : yours ? `● ${plain}` : plain;
  if (away && !still.matches) blinking = window.setInterval(() => { document.title = document.title === calling ? plain : calling; }, BLINK_MS);
}

let sounds = null;

/** Play the tones of an occasion, where they were asked for. Nothing sounds in a page that nobody has touched yet: browsers forbid it. */
function play(kind) {
  const { sound, volume } = chosen();
  if (!sound || !window.AudioContext || navigator.userActivation?.hasBeenActive === false) return;
  sounds ||= new AudioContext();
  sounds.resume().then(() => TONES[kind].forEach((hertz, n) => {
    const from = sounds.currentTime + n * STEP_S, tone = sounds.createOscillator(), loud = sounds.createGain();
    tone.frequency.value = hertz;
    loud.gain.setValueAtTime(0, from);
    loud.gain.linearRampToValueAtTime(volume * LOUDEST, from + 0.03);
    loud.gain.linearRampToValueAtTime(0, from + FADE_S);
    tone.connect(loud).connect(sounds.destination);
    tone.start(from);
    tone.stop(from + FADE_S);
  }), () => {}); // no device to play on
}

const permitted = () => window.Notification?.permission === "granted";

/** Whether somebody is told by notifications what happens while they look at something else. */
export const notifies = () => permitted() && chosen().notices;

const notices = new Set(); // those that are shown

function notify(title, body, href) {
  if (!document.hidden || !notifies()) return;
  try {
    const notice = new Notification(title, { body, tag: href, icon: file("icon-192.png") });
    notice.onclick = () => {
      window.focus();
      location.hash = href;
      notice.close();
    };
    notices.add(notice);
  } catch {
    choose({ notices: false }); // telephones show those of installed workers only
  }
}

document.addEventListener("visibilitychange", () => {
  drawTitle();
  if (document.hidden) return;
  notices.forEach((one) => one.close());
  notices.clear();
});

/** Tell of an occasion (`turn`, `begin`, `over` or `challenge`); the notification leads to `href`. */
export function tell(kind, title, body, href) {
  play(kind);
  notify(title, body, href);
}

const begun = new Set(); // games of which it is told already

/** Tell a player what has become of a game with a turn. `before` is the turn that was shown, or nothing yet. */
export function hear(before, turn, { started_at }, title) {
  if (turn.seat === null) return;
  const href = `#/games/${turn.game}`;
  const young = !begun.has(turn.game) && Date.parse(turn.server_time) - Date.parse(started_at) < YOUNG_MS;
  const begins = turn.status === "active" && (before ? before.status === "open" : young);
  if (turn.status !== "open") begun.add(turn.game);
  if (begins) tell("begin", title, turn.yours ? `${t("The game begins.")} ${t("It is your turn.")}` : t("The game begins."), href);
  else if (!before) return; // it was so when the page was opened
  else if (turn.status === "over" && before.status === "active") tell("over", title, t("The game is over."), href);
  else if (turn.yours && !(before.yours && before.turn === turn.turn)) tell("turn", title, t("It is your turn."), href);
}

/** The dialog in which tones and notifications are asked for. */
export function alerts() {
  const place = h("div", { class: "form" });
  const permit = async () => {
    const answer = await Notification.requestPermission();
    choose({ notices: answer === "granted" });
    draw();
  };
  const stop = () => { choose({ notices: false }); draw(); };
  function told() {
    if (!window.Notification || Notification.permission === "denied") return h("p", { class: "soft" }, t("This browser shows no notifications of this page. It can be allowed in the browser's settings."));
    if (notifies()) return [h("p", {}, t("While any page of this site is open and you look at something else, a notification tells you of your turn in each of your games, and of challenges.")), h("div", { class: "bar" }, button(t("Tell me no longer"), stop))];
    return h("div", { class: "bar" }, button(t("Tell me when it is my turn"), permit));
  }
  const { sound, volume } = chosen();
  const loud = h("input", { type: "range", min: "0.1", max: "1", step: "0.1", value: String(volume), disabled: !sound, onchange: () => { choose({ volume: Number(loud.value) }); play("turn"); } });
  const tones = h("input", { type: "checkbox", checked: sound, onchange: () => { choose({ sound: tones.checked }); loud.disabled = !tones.checked; play("turn"); } });
  const notified = h("div", {});
  const draw = () => renew(notified, told());
  place.append(h("label", { class: "check" }, tones, h("span", {}, t("Soft tones when it is your turn, when a game begins or is over, and for challenges"))),
    labelled(t("Volume"), loud), notified);
  draw();
  dialog(t("Alerts"), (close) => [place, h("div", { class: "bar" }, button(t("Close"), close, { class: "go" }))]);
}
