/** Elements made of values. Texts are text nodes always: nothing that anybody wrote is read as HTML. */

const SVG = "http://www.w3.org/2000/svg";

const listeners = new WeakMap();
/** What elements do, by the type of event: an element that stays may come to do something else. */

function listen(element, type, does) {
  if (!listeners.has(element)) listeners.set(element, new Map());
  const own = listeners.get(element);
  if (!own.has(type)) element.addEventListener(type, (event) => { if (own.get(type)) own.get(type)(event); });
  own.set(type, does);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) listen(element, name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "hidden") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** `h("button", { class: "quiet", onclick: f }, "Words", otherElement)` */
export function h(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same for elements of pictures. */
export function s(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** Put these into an element in place of what it holds. Where the focus was in there, it stays with what is the same, or near it. */
export function show(parent, ...children) {
  replace(parent, children, (found) => parent.replaceChildren(...found));
}

/**
 * The same for what is drawn again when there is news: what is the same stays, with a press or a finger that is on it.
 * What is put there must be known to nobody else, unless it is always the same element, or has a `data-key` of its own.
 */
export function renew(parent, ...children) {
  replace(parent, children, (found) => patch(parent, found));
}

/** The same for another question: a focus that cannot stay with what is the same goes to the first that can be answered. */
export function renewQuestion(parent, ...children) {
  replace(parent, children, (found) => patch(parent, found), true);
}

const FIELDS = "input, select, textarea";
/** What people enter stays with those who made the fields: neither they nor what is around them is made into anything else. */

const own = (one) => one.matches(FIELDS) || one.querySelector(FIELDS) !== null;

/** What a node is found again by among others: what it is called, or else what kind it is. */
function kind(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return node.nodeName;
  const data = Object.entries(node.dataset);
  if (data.length) return `${node.localName} ${JSON.stringify(data)}`;
  return node.matches("a, button") ? called(node) : `${node.localName} ${(node.getAttribute("class") || "").split(" ")[0]}`;
}

/** Have a parent hold what these are. What it holds already that is of the same kind stays, and becomes what it is to be. Gives what it holds then. */
export function patch(parent, made) {
  const found = made.map((one) => (one instanceof Node ? one : document.createTextNode(one)));
  const kept = new Set(found), free = new Map();
  for (const one of [...parent.childNodes]) {
    if (kept.has(one)) continue;
    if (!free.has(kind(one))) free.set(kind(one), []);
    free.get(kind(one)).push(one);
  }
  const now = found.map((one) => {
    const before = one.parentNode === parent ? null : (free.get(kind(one)) || [])[0];
    if (!before || (one.nodeType === Node.ELEMENT_NODE && (own(one) || own(before)))) return one;
    free.get(kind(one)).shift();
    return become(before, one);
  });
  [...free.values()].flat().forEach((one) => one.remove());
  let at = parent.firstChild;
  for (const one of now) {
    if (one === at) at = at.nextSibling;
    else parent.insertBefore(one, at);
  }
  return now;
}

/** Make a node what another of its kind is, with more children after its own, and give it. Whether details are open is for their reader to say, and what has the focus keeps its explanation. */
export function become(node, made, more = []) {
  if (node.nodeType !== Node.ELEMENT_NODE) {
    if (node.data !== made.data) node.data = made.data;
    return node;
  }
  for (const { name } of [...node.attributes]) {
    if (!made.hasAttribute(name) && name !== "aria-describedby" && !(name === "open" && node.localName === "details")) node.removeAttribute(name);
  }
  for (const { name, value } of made.attributes) if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  const does = listeners.get(made) || new Map();
  for (const type of (listeners.get(node) || new Map()).keys()) if (!does.has(type)) listen(node, type, null);
  does.forEach((one, type) => listen(node, type, one));
  patch(node, [...made.childNodes, ...more]);
  return node;
}

const ABLE = "a[href], button:enabled, input:enabled, select:enabled, summary, [tabindex='0']";

/** What an element is called that is made anew and shall be found again. */
function called(one) {
  const { step, key } = one.dataset;
  return [one.tagName, step || key || one.getAttribute("name") || one.getAttribute("href") || one.getAttribute("aria-label") || one.textContent].join(" ");
}

/** Give the focus to the first that takes it. What has it and is disabled or hidden now would lose it at the next frame. */
function focus(candidates) {
  for (const one of candidates) {
    if (one.matches(":disabled") || !one.getClientRects().length) continue;
    one.focus({ preventScroll: true });
    if (document.activeElement === one) return one;
  }
  return null;
}

/** What tells more of what has happened, and answers nothing. */
export const TELLS = ".moment, .rule";

const lost = new WeakMap();
/** Elements that have the focus themselves until what had it within them is there again, and how that is called. */

/** Where nothing in the parent takes the focus, the next element around it does that can. */
function replace(parent, children, put, first = false) {
  const found = children.flat(3).filter((child) => child !== null && child !== undefined && child !== false);
  const had = document.activeElement;
  if (!parent.contains(had) || (had === parent && !lost.has(parent))) {
    put(found);
    return;
  }
  const name = had === parent ? lost.get(parent) : called(had);
  const at = first ? 0 : Math.max(0, [...parent.querySelectorAll(ABLE)].indexOf(had));
  put(found);
  lost.delete(parent);
  const able = [...parent.querySelectorAll(ABLE)].filter((one) => !first || !one.matches(TELLS));
  const same = [had, ...able].filter((one) => one !== parent && one.isConnected && (one === had || called(one) === name));
  if (focus([...same, ...able.slice(at), ...able.slice(0, at).reverse()])) return;
  const around = parent.closest("[tabindex]");
  if (around) focus([around]);
  if (around === parent) lost.set(parent, name);
}

/** A button; where what it does takes its time, it does nothing more until that is done. */
export function button(words, onclick, more = {}) {
  let busy = false;
  return h("button", { type: "button", ...more, onclick: async (event) => {
    if (busy) return;
    busy = true;
    try {
      await onclick(event);
    } finally {
      busy = false;
    }
  } }, words);
}

/** Options of a select: rows of a value, words, and whether it is chosen; or `chosen` is the value that is. */
export const choices = (options, chosen) => options.map(([value, words, selected]) => h("option", { value: String(value), selected: Boolean(selected) || String(value) === chosen }, words));

/** A field below what it is called. */
export const labelled = (words, field) => h("label", {}, h("span", {}, words), field);

/** A select below what it is called; its options as `choices` takes them. */
export const select = (name, words, options, { chosen, ...more } = {}) => labelled(words, h("select", { name, ...more }, choices(options, chosen)));

let soon = 0;
/** Have screen readers say something, after what they are saying. */
export function announce(words) {
  const live = document.getElementById("live");
  live.textContent = "";
  window.clearTimeout(soon);
  soon = window.setTimeout(() => { live.textContent = words; }, 60);
}

/** Say for some seconds what went wrong, or until it is dismissed; in the dialog, where one is open, since all else is out of reach then. */
export function toast(words, kind = "bad", more = null) {
  const open = [...document.querySelectorAll("dialog[open]")].pop();
  if (open) {
    const said = open.querySelector(".said");
    said.className = `said ${kind}`;
    said.textContent = words;
    return;
  }
  const note = h("div", { class: `toast ${kind}` }, h("p", {}, words, more ? [" ", more] : null), button("×", () => note.remove(), { "aria-label": "×", class: "quiet" }));
  const all = document.getElementById("toasts");
  for (const old of [...all.querySelectorAll(":scope>:not(.stays)")].slice(0, -2)) old.remove();
  all.append(note);
  window.setTimeout(() => note.remove(), 12000);
}

let dialogs = 0;
/**
 * A dialog with its own buttons; gives the element, which is open. `make(close, said)` gives its contents; `said` is the id of the
 * place where toasts are shown. One that `stays` is no part of the page below it, which may become another.
 */
export function dialog(title, make, { stays = false } = {}) {
  const found = h("dialog", { class: "dialog", "aria-label": title, "data-stays": stays });
  const said = `said${dialogs += 1}`, opener = called(document.activeElement);
  const close = () => { found.close(); };
  found.addEventListener("close", () => {
    found.remove();
    if (document.activeElement === document.body) focus([...document.querySelectorAll(ABLE)].filter((one) => called(one) === opener));
  });
  show(found, h("h2", {}, title), make(close, said), h("p", { class: "said", id: said, role: "alert" }));
  document.body.append(found);
  found.showModal();
  return found;
}
