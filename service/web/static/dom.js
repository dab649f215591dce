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

export function show(parent, ...children) {
  parent.replaceChildren(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
}

export function button(words, onclick, more = {}) {
  return h("button", { type: "button", onclick, ...more }, words);
}

let soon = 0;
/** Have screen readers say something, after what they are saying. */
export function announce(words) {
  const live = document.getElementById("live");
  live.textContent = "";
  window.clearTimeout(soon);
  soon = window.setTimeout(() => { live.textContent = words; }, 60);
}

/** Say for some seconds what went wrong, or until it is dismissed. */
export function toast(words, kind = "bad") {
  const note = h("div", { class: `toast ${kind}` }, h("p", {}, words), button("×", () => note.remove(), { "aria-label": "×", class: "quiet" }));
  const all = document.getElementById("toasts");
  while (all.children.length > 2) all.firstChild.remove();
  all.append(note);
  window.setTimeout(() => note.remove(), 12000);
}

/** A dialog with its own buttons; gives the element, which is open. `make(close)` gives its contents. */
export function dialog(title, make) {
  const found = h("dialog", { class: "dialog", "aria-label": title });
  const close = () => { found.close(); };
  found.addEventListener("close", () => found.remove());
  show(found, h("h2", {}, title), make(close));
  document.body.append(found);
  found.showModal();
  return found;
}
