/** Elements made of values. Texts are text nodes always: nothing that anybody wrote is read as HTML. */

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
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
  replace(parent, children, false);
}

/** The same for another question: a focus that cannot stay with what is the same goes to the first that can be answered. */
export function showAnew(parent, ...children) {
  replace(parent, children, true);
}

const ABLE = "a[href], button:enabled, input:enabled, select:enabled, summary, [tabindex='0']";

/** What an element is called that is made anew and shall be found again. */
function called(one) {
  const { step, key } = one.dataset;
  return [one.tagName, step || key || one.getAttribute("name") || one.getAttribute("href") || one.getAttribute("aria-label") || one.textContent].join(" ");
}

/** Give the focus to the first that takes it. */
function focus(candidates) {
  for (const one of candidates) {
    one.focus({ preventScroll: true });
    if (document.activeElement === one) return one;
  }
  return null;
}

const lost = new WeakMap();
/** Elements that have the focus themselves until what had it within them is there again, and how that is called. */

/** Where nothing in the parent takes the focus, the next element around it does that can. */
function replace(parent, children, first) {
  const found = children.flat(3).filter((child) => child !== null && child !== undefined && child !== false);
  const had = document.activeElement;
  if (!parent.contains(had) || (had === parent && !lost.has(parent))) {
    parent.replaceChildren(...found);
    return;
  }
  const name = had === parent ? lost.get(parent) : called(had);
  const at = first ? 0 : Math.max(0, [...parent.querySelectorAll(ABLE)].indexOf(had));
  parent.replaceChildren(...found);
  lost.delete(parent);
  const able = [...parent.querySelectorAll(ABLE)];
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

let soon = 0;
/** Have screen readers say something, after what they are saying. */
export function announce(words) {
  const live = document.getElementById("live");
  live.textContent = "";
  window.clearTimeout(soon);
  soon = window.setTimeout(() => { live.textContent = words; }, 60);
}

/** Say for some seconds what went wrong, or until it is dismissed; in the dialog, where one is open, since all else is out of reach then. */
export function toast(words, kind = "bad") {
  const open = [...document.querySelectorAll("dialog[open]")].pop();
  if (open) {
    const said = open.querySelector(".said");
    said.className = `said ${kind}`;
    said.textContent = words;
    return;
  }
  const note = h("div", { class: `toast ${kind}` }, h("p", {}, words), button("×", () => note.remove(), { "aria-label": "×", class: "quiet" }));
  const all = document.getElementById("toasts");
  while (all.children.length > 2) all.firstChild.remove();
  all.append(note);
  window.setTimeout(() => note.remove(), 12000);
}

let dialogs = 0;
/**
 * A dialog with its own buttons; gives the element, which is open. `make(close, said)` gives its contents; `said` is the id of the
 * place where toasts are shown.
 */
export function dialog(title, make) {
  const found = h("dialog", { class: "dialog", "aria-label": title });
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
