/** The public API: who one is, calls, problems as errors, and what is done when the connection is lost. */

import { language, t } from "./i18n.js";
import { keep, kept, keyOf } from "./kept.js";
import { at } from "./place.js";

const KEPT = "holmgang.me", KEPT_OTHERS = "holmgang.players";

/** A problem document (RFC 9457) as an error; `message` is its `detail`. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || t("The service answered {status}.", { status }));
    this.status = status;
    this.body = body;
    this.code = body.code;
    this.rule = body.rule;
  }

  /** What is wrong with each field, since the detail names the first by its pointer; else the detail. */
  get plain() {
    const fields = new Set((this.body.errors || []).map((one) => one.detail));
    return [...(fields.size ? fields : [this.message])].join(" ");
  }

  /** What is shown: with the rule. */
  get told() {
    return this.rule ? `${this.plain} ${t("(rule {rule})", { rule: this.rule })}` : this.plain;
  }
}

/** No answer came at all. */
export class Unreachable extends Error {
  get told() {
    return t("The service cannot be reached.");
  }
}

function known(key = KEPT) {
  try {
    return JSON.parse(kept(key)) || null;
  } catch {
    return null;
  }
}

/** Who else has played in this browser, and can again. */
export const others = () => known(KEPT_OTHERS) || [];

/** Who plays in this browser: `{id, name, token}`, or null for nobody yet. */
export let me = known();

/** Whose token was refused since the page was opened, and who is still kept; null for nobody. */
export let gone = null;

const listeners = { connection: [], identity: [], dead: [] };

/** Hear of `connection` (true or false), `identity` (somebody else plays now) or `dead` (the token was refused). */
export function on(what, listener) {
  listeners[what].push(listener);
}

function tell(what, value) {
  listeners[what].forEach((listener) => listener(value));
}

function play(person, refused = null) {
  me = person;
  gone = refused;
  tell("identity", person);
}

/** Play as somebody, and keep who played before for another time. */
function become(person) {
  const before = me && me.id !== person.id ? [me] : [];
  keep(KEPT_OTHERS, JSON.stringify([...before, ...others().filter((one) => one.id !== person.id && (!me || one.id !== me.id))]));
  keep(KEPT, JSON.stringify(person));
  play(person);
}

/** Play on as one of the others. */
export function switchTo(id) {
  become(others().find((one) => one.id === id));
}

/** Whose token this is. */
export async function holder(token) {
  const { player } = await call("GET", "/v1/me", { as: token });
  return { id: player.id, name: player.name, token };
}

/** Play here as somebody whose token that is. */
export function enter(person) {
  become(person);
}

/** The token was refused. It stays with the browser until somebody chooses a name: it may be good again tomorrow. */
function refuse(told) {
  play(null, me);
  tell("dead", told);
}

/** Take another name, and stay who one is. */
export async function rename(name) {
  const player = await call("PATCH", "/v1/me", { body: { name } });
  become({ ...me, name: player.name });
}

/** Nobody plays here any more. */
export function forget() {
  keep(KEPT, null);
  play(null);
}

/** Try again with the token that was refused. */
export function tryAgain() {
  play(gone);
}

window.addEventListener("storage", (event) => {
  if (event.key === keyOf(KEPT)) play(known());
});

const NAMES = ["Astrid", "Bjorn", "Dagny", "Eirik", "Freydis", "Gunnar", "Hilda", "Ivar", "Jorunn", "Ketil", "Liv", "Njal",
  "Oddny", "Ragna", "Sigrun", "Thora", "Ulf", "Vigdis", "Yrsa", "Asa"];

/** With a number: a name alone soon belongs to somebody wherever many play, and who comes first is told of no fault. */
export function someName() {
  return `${NAMES[Math.floor(Math.random() * NAMES.length)]} ${1000 + Math.floor(9000 * Math.random())}`;
}

const enrolled = (name) => call("POST", "/v1/players", { body: { name }, anonymous: true });

/** A player with a name that is made up: with another, where somebody has one that looks the same. */
async function anybody() {
  try {
    return await enrolled(someName());
  } catch (fault) {
    if (fault.code !== "invalid_field") throw fault;
    return enrolled(someName());
  }
}

/** The games that go on without whoever plays here, if they take another name: a seat belongs to a name for good. */
export async function held() {
  const lists = await Promise.all(["open", "active"].map((status) => pages(`/v1/me/games?status=${status}&limit=100`)));
  return lists.flat().filter((game) => game.seats.some((one) => one.player === me.id && !one.resigned_at));
}

/** Nobody takes another name while they hold seats; another page of this browser may have sat down just now. */
class Seated extends Error {
  get told() {
    return t("You hold a seat in a game that is not over.");
  }
}

/** Register, with a name that is made up unless given. Refused where it would give a seat away. */
export async function register(name) {
  if (me && (await held()).length) throw new Seated();
  const made = await (name ? enrolled(name) : anybody());
  become({ id: made.player.id, name: made.player.name, token: made.token });
  return me;
}

/** Whoever plays here; registered at the first thing that needs it. */
export async function somebody() {
  return me || register();
}

let connected = true;
let trying = 0; // how many rest before they try again

function connection(there) {
  if (there === connected) return;
  connected = there;
  tell("connection", there);
}

let hope = new AbortController();
/** Its signal ends when there is reason to try again at once: the browser is online again, or somebody is back at the page. */

function hopeful() {
  hope.abort();
  hope = new AbortController();
}

window.addEventListener("offline", () => connection(false));
window.addEventListener("online", () => { connection(true); hopeful(); });
document.addEventListener("visibilitychange", () => { if (!document.hidden) hopeful(); });

const JSON_TYPE = "application/json";
const PATIENCE_MS = 30000;
/** No answer within this, besides what was asked to be waited for, is none. */

/** Read an answer: `{status, body, etag}`. What is no answer of the service, or was cut off, is none. */
async function read(answer, accept) {
  const text = await answer.text();
  const told = { status: answer.status, etag: answer.headers.get("ETag"), body: null };
  if ([204, 304].includes(answer.status)) return told;
  if (answer.ok && accept !== JSON_TYPE) return { ...told, body: text };
  try {
    return { ...told, body: JSON.parse(text) };
  } catch (fault) {
    if (answer.ok) throw fault;
    return { ...told, body: {} };
  }
}

/** One try. It ends with `signal`, whose reason is thrown then. */
async function send(method, path, { body, etag, signal, invitation, anonymous = false, key, accept = JSON_TYPE, patience = PATIENCE_MS, as = me && me.token } = {}) {
  const headers = { Accept: accept, "Accept-Language": language };
  const token = as;
  if (token && !anonymous) headers.Authorization = `Bearer ${token}`;
  if (etag) headers["If-None-Match"] = etag;
  if (invitation) headers["Holmgang-Invitation"] = invitation;
  if (key) headers["Idempotency-Key"] = key;
  if (body !== undefined) headers["Content-Type"] = JSON_TYPE;
  const over = new AbortController(), end = () => over.abort();
  const timer = window.setTimeout(end, patience);
  if (signal) signal.addEventListener("abort", end);
  let answer, got;
  try {
    if (signal) signal.throwIfAborted();
    answer = await fetch(at(path), {
      method, headers, signal: over.signal, cache: "no-store", credentials: "omit", body: body === undefined ? undefined : JSON.stringify(body),
    });
    got = await read(answer, accept);
  } catch {
    if (signal) signal.throwIfAborted();
    throw new Unreachable();
  } finally {
    window.clearTimeout(timer);
    if (signal) signal.removeEventListener("abort", end);
  }
  if (answer.status < 502) connection(true);
  if (answer.ok || answer.status === 304) return got;
  if (got.body.code === "invalid_token" && me && me.token === token) refuse(got.body); // what stands between may ask for a password of its own
  const problem = new Problem(answer.status, got.body);
  problem.after = asked(answer.headers.get("Retry-After"));
  throw problem;
}

const MOST_S = 600;
/** So much of a longer Retry-After: somebody sits there. */

/** Seconds that Retry-After asks to wait for, as a number or as a date; 0 for what cannot be read. */
export function asked(written) {
  const seconds = /^\s*\d+\s*$/.test(written || "") ? Number(written) : (Date.parse(written) - Date.now()) / 1000;
  return Math.min(Math.max(seconds || 0, 0), MOST_S);
}

function passing(fault) {
  return fault instanceof Unreachable || (fault instanceof Problem && [408, 425, 429, 502, 503, 504].includes(fault.status));
}

/** Wait for so long, or until `early` ends; the reason of `signal` is thrown where that ends before. */
export function pause(ms, signal = null, early = null) {
  return new Promise((go, stop) => {
    const done = (how) => {
      window.clearTimeout(timer);
      for (const one of [signal, early]) if (one) one.removeEventListener("abort", ended);
      how();
    };
    const ended = () => done(signal && signal.aborted ? () => stop(signal.reason) : go);
    const timer = window.setTimeout(done, ms, go);
    for (const one of [signal, early]) if (one) one.addEventListener("abort", ended);
    if ([signal, early].some((one) => one && one.aborted)) ended();
  });
}

/** Wait before the next try after so many: as long as the service asks for, else a while, or until there is hope. The page says so meanwhile. */
async function rest(fault, times, signal) {
  if (fault instanceof Unreachable) connection(false);
  trying += 1;
  try {
    if (fault.after) await pause(fault.after * 1000, signal);
    else await pause(Math.min(500 * 2 ** times, 10000) * (0.6 + Math.random() * 0.8), signal, hope.signal);
  } finally {
    trying -= 1;
  }
}

const TIMES = 4, UNSURE = 2;
/** So often a call is tried that may be; and one to which the service says that it failed, which may be so each time. */

/** Again and again until there is an answer, for what may be asked twice; other problems are thrown at once. For a page, which `signal` ends, no answer at all is no reason to give up. */
async function insist(ask, signal, times) {
  for (let n = 0; ; n += 1) {
    try {
      return await ask();
    } catch (fault) {
      const failed = fault instanceof Problem && fault.status === 500;
      const last = n + 1 >= (failed ? Math.min(times, UNSURE) : times) && !(signal && fault instanceof Unreachable);
      if (!(failed || passing(fault)) || last || (signal && signal.aborted)) {
        if (!trying) connection(navigator.onLine); // nobody tries again
        throw fault;
      }
      await rest(fault, n, signal);
    }
  }
}

/** One call; problems are thrown. What may safely be repeated is, when the service cannot be reached. */
export async function call(method, path, options = {}) {
  const safe = method === "GET" || options.key !== undefined || options.repeat === true;
  return (await insist(() => send(method, path, options), options.signal, safe ? TIMES : 1)).body;
}

export const get = (path, options = {}) => call("GET", path, options);
export const post = (path, body, options = {}) => call("POST", path, { body, ...options });

/** A picture's or another text. */
export const text = (path, options = {}) => get(path, { accept: "image/svg+xml, application/problem+json", ...options });

/** What an answer tells besides the time. */
const facts = (body) => JSON.stringify({ ...body, server_time: null, next_poll_ms: null });

/**
 * Ask once for news, and wait up to so many seconds for them, or until `early` ends: null where there are none, else `{body, etag}`.
 * `have` is such an answer, or null for nothing yet. Where something is `tagged` for more than its answer tells, another tag is news too. Where the same comes at once all the same (nobody else may wait, or
 * a proxy has changed the tag), it pauses for as long as the service says.
 */
export async function poll(path, { have = null, wait, signal, early, tagged = false, ...options }) {
  const began = performance.now();
  const waits = wait && have && have.etag ? `${path}${path.includes("?") ? "&" : "?"}wait=${wait}` : path;
  const either = new AbortController(), end = () => either.abort();
  for (const one of [signal, early]) one.addEventListener("abort", end);
  let news;
  try {
    const { status, body, etag } = await send("GET", waits, { ...options, signal: either.signal, etag: have && have.etag, patience: wait * 1000 + PATIENCE_MS });
    news = status === 304 ? null : { body, etag };
  } catch (fault) {
    signal.throwIfAborted();
    if (early.aborted) return null;
    throw fault;
  } finally {
    for (const one of [signal, early]) one.removeEventListener("abort", end);
  }
  if (!have || (news && ((tagged && news.etag !== have.etag) || facts(news.body) !== facts(have.body)))) return news;
  if (news) have.etag = news.etag; // that of a choice which was replaced by the same one
  const left = wait * 1000 - (performance.now() - began);
  if (left > 0) await pause(Math.min(left, have.body.next_poll_ms || 1000), signal, early);
  return null;
}

/** Whether no other try would end in another way: the service itself refuses, and not what stands between. */
const final = (fault) => fault instanceof Problem && fault.code !== undefined && fault.status < 500 && !passing(fault);

/**
 * Do something again and again until the signal ends it, whatever befalls it on the way. `step(hasty, early)` is to wait for nothing
 * while it is `hasty`, which it is after a fault and when there is new hope, and to wait no longer when `early` ends. What no other try
 * would mend is thrown.
 */
export async function persist(step, signal) {
  for (let faults = 0, hasty = false; !signal.aborted;) {
    const early = hope.signal;
    try {
      await step(hasty, early);
      faults = 0;
      hasty = early.aborted;
    } catch (fault) {
      if (signal.aborted || final(fault)) throw fault;
      if (!fault.told) reportError(fault); // a fault of ours, which the next news may not have
      await rest(fault, faults, signal);
      faults += 1;
      hasty = true;
    }
  }
}

/** A key under which a call that is repeated counts once. */
export function once() {
  return crypto.randomUUID ? crypto.randomUUID() : `${Date.now()}-${Math.random()}`;
}

/**
 * Take a seek back, also while the page is being left. Gives the game that it has led to, where that was first.
 * `token` is of who made it, who may be somebody else by now.
 */
export async function withdraw(path, token) {
  const answer = await fetch(at(path), { method: "DELETE", headers: { Authorization: `Bearer ${token}`, Accept: JSON_TYPE }, keepalive: true, cache: "no-store", credentials: "omit" });
  return answer.status === 409 ? (await answer.json()).game : null;
}

/** All items of a paged list, up to so many pages: the list's own address with the query of `next`, whatever the service is reached by. */
export async function pages(path, options = {}, { most = 40, whole = () => false } = {}) {
  const items = [];
  for (let next = path, n = 0; next && n < most; n += 1) {
    const page = await get(next, options);
    items.push(...page.items);
    next = page.items.length && page.next && !whole(items) ? path.split("?")[0] + new URL(page.next, location.href).search : null;
  }
  return items;
}
