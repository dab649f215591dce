/** The public API: who one is, calls, problems as errors, and what is done when the connection is lost. */

import { language, t } from "./i18n.js";
import { keep, kept, keyOf } from "./kept.js";
import { at } from "./place.js";

const KEPT = "holmgang.me";

/** A problem document (RFC 9457) as an error; `message` is its `detail`. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || t("The service answered {status}.", { status }));
    this.status = status;
    this.body = body;
    this.code = body.code;
    this.rule = body.rule;
  }

  /** What is shown: what is wrong with each field, since the detail names the first by its pointer; else the detail, and the rule. */
  get told() {
    const fields = new Set((this.body.errors || []).map((one) => one.detail));
    const rule = this.rule ? [t("(rule {rule})", { rule: this.rule })] : [];
    return [...(fields.size ? fields : [this.message]), ...rule].join(" ");
  }
}

/** No answer came at all. */
export class Unreachable extends Error {
  get told() {
    return t("The service cannot be reached.");
  }
}

function known() {
  try {
    return JSON.parse(kept(KEPT)) || null;
  } catch {
    return null;
  }
}

/** Who plays in this browser: `{id, name, token}`, or null for nobody yet. */
export let me = known();

const listeners = { connection: [], identity: [], dead: [] };

/** Hear of `connection` (true or false), `identity` (somebody else plays now) or `dead` (the token is no good). */
export function on(what, listener) {
  listeners[what].push(listener);
}

function tell(what, value) {
  listeners[what].forEach((listener) => listener(value));
}

export function become(person) {
  me = person;
  keep(KEPT, person && JSON.stringify(person));
  tell("identity", person);
}

window.addEventListener("storage", (event) => {
  if (event.key !== keyOf(KEPT)) return;
  me = known();
  tell("identity", me);
});

const NAMES = ["Astrid", "Bjorn", "Dagny", "Eirik", "Freydis", "Gunnar", "Hilda", "Ivar", "Jorunn", "Ketil", "Liv", "Njal",
  "Oddny", "Ragna", "Sigrun", "Thora", "Ulf", "Vigdis", "Yrsa", "Asa"];

export function someName() {
  return NAMES[Math.floor(Math.random() * NAMES.length)];
}

const enrolled = (name) => call("POST", "/v1/players", { body: { name }, anonymous: true });

/** A player with a name that is made up: with a number, where somebody has a name that looks the same. */
async function anybody() {
  try {
    return await enrolled(someName());
  } catch (fault) {
    if (fault.code !== "invalid_field") throw fault;
    return enrolled(`${someName()} ${1000 + Math.floor(9000 * Math.random())}`);
  }
}

/** Register, with a name that is made up unless given. */
export async function register(name) {
  const made = await (name ? enrolled(name) : anybody());
  become({ id: made.player.id, name: made.player.name, token: made.token });
  return me;
}

/** Whoever plays here; registered at the first thing that needs it. */
export async function somebody() {
  return me || register();
}

let connected = true;

function connection(there) {
  if (there === connected) return;
  connected = there;
  tell("connection", there);
}

async function send(method, path, { body, etag, signal, invitation, anonymous = false, key, accept = "application/json" } = {}) {
  const headers = { Accept: accept, "Accept-Language": language };
  const token = me && me.token;
  if (token && !anonymous) headers.Authorization = `Bearer ${token}`;
  if (etag) headers["If-None-Match"] = etag;
  if (invitation) headers["Holmgang-Invitation"] = invitation;
  if (key) headers["Idempotency-Key"] = key;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(at(path), {
      method, headers, signal, cache: "no-store", credentials: "omit", body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (fault) {
    if (signal && signal.aborted) throw fault;
    connection(false);
    throw new Unreachable();
  }
  if (answer.status < 502) connection(true);
  if (answer.ok || answer.status === 304) return answer;
  let told = {};
  try {
    told = await answer.json();
  } catch { /* not from the service itself */ }
  if (answer.status === 401 && headers.Authorization && me && me.token === token) tell("dead", told);
  const problem = new Problem(answer.status, told);
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
  return fault instanceof Unreachable || (fault instanceof Problem && [429, 502, 503, 504].includes(fault.status));
}

export function pause(ms, signal) {
  return new Promise((go, stop) => {
    const timer = window.setTimeout(go, ms);
    if (signal) signal.addEventListener("abort", () => { window.clearTimeout(timer); stop(signal.reason); }, { once: true });
  });
}

/** Again and again until there is an answer, for what may be asked twice; other problems are thrown at once. */
async function insist(ask, signal, times = Infinity) {
  for (let n = 0; ; n += 1) {
    try {
      return await ask();
    } catch (fault) {
      if (!passing(fault) || n + 1 >= times || (signal && signal.aborted)) throw fault;
      const wait = Math.max((fault.after || 0) * 1000, Math.min(500 * 2 ** n, 10000) * (0.6 + Math.random() * 0.8));
      await pause(wait, signal);
    }
  }
}

async function json(answer) {
  return answer.status === 204 ? null : answer.json();
}

/** One call; problems are thrown. What may safely be repeated is, a few times, when the service cannot be reached. */
export async function call(method, path, options = {}) {
  const safe = method === "GET" || options.key !== undefined || options.repeat === true;
  return insist(async () => json(await send(method, path, options)), options.signal, safe ? (options.times || 4) : 1);
}

export const get = (path, options = {}) => call("GET", path, options);
export const post = (path, body, options = {}) => call("POST", path, { body, ...options });

/** A picture's or another text. */
export async function text(path, options = {}) {
  return insist(async () => (await send("GET", path, { accept: "image/svg+xml, application/problem+json", ...options })).text(), options.signal, 4);
}

/** What an answer tells besides the time. */
const facts = (body) => JSON.stringify({ ...body, server_time: null, next_poll_ms: null });

/**
 * Wait up to so many seconds for news: null where there is none, else `{body, etag}`. Goes on until the signal ends it.
 * `have` is such an answer, or null for nothing yet. Where the same comes at once all the same (nobody else may wait, or
 * a proxy has changed the tag), it pauses for as long as the service says.
 */
export async function poll(path, { have = null, wait, ...options }) {
  const began = performance.now();
  const asked = have && have.etag ? `${path}${path.includes("?") ? "&" : "?"}wait=${wait}` : path;
  const news = await insist(async () => {
    const answer = await send("GET", asked, { ...options, etag: have && have.etag });
    return answer.status === 304 ? null : { body: await answer.json(), etag: answer.headers.get("ETag") };
  }, options.signal);
  if (!have || (news && facts(news.body) !== facts(have.body))) return news;
  if (news) have.etag = news.etag; // that of a choice which was replaced by the same one
  const left = wait * 1000 - (performance.now() - began);
  if (left > 0) await pause(Math.min(left, have.body.next_poll_ms || 1000), options.signal);
  return null;
}

/** A key under which a call that is repeated counts once. */
export function once() {
  return crypto.randomUUID ? crypto.randomUUID() : `${Date.now()}-${Math.random()}`;
}

/** All items of a paged list, up to so many pages: the list's own address with the query of `next`, whatever the service is reached by. */
export async function pages(path, options = {}, most = 40) {
  const items = [];
  for (let next = path, n = 0; next && n < most; n += 1) {
    const page = await get(next, options);
    items.push(...page.items);
    next = page.items.length && page.next ? path.split("?")[0] + new URL(page.next, location.href).search : null;
  }
  return items;
}
