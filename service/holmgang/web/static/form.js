/**
 * A form for any value, made of its JSON Schema: enumerations are selects, lists have items that come and go, objects
 * hold their fields, and of several forms one is chosen. What a schema says in another way is written as JSON.
 *
 * An editor is `{element, read(), write(value)}`; `element` is null where there is nothing to choose, and `read` gives
 * undefined while the value is not whole.
 */

import { button, h, labelled, show } from "./dom.js";
import { t } from "./i18n.js";
import { capital, words } from "./told.js";

let forms = 0;

/** An action's form. It is the same element for as long as the question is the same, and keeps what was entered. */
export class Form {
  constructor(schema, question, sample) {
    this.question = question;
    this.hands = null;
    const name = `form${forms += 1}`;
    this.texts = [];
    const made = editor(schema, { root: schema, name, label: "", texts: this.texts, changed: () => { if (this.hands) this.hands.weigh(); } });
    this.made = made;
    const example = sample === undefined ? null : h("div", { class: "options" },
      button(t("Fill in what would be allowed"), () => { made.write(sample); this.hands.weigh(); }, { "data-step": "sample" }));
    this.element = h("div", { class: "ownscreen fields", "data-key": name }, h("fieldset", { class: "plain" }, example, made.element));
  }

  /** Its composer. The first text that is lacking can be chosen on the board, where that has places of such names. */
  composer(places) {
    const { made } = this;
    const lacking = () => this.texts.find(({ field }) => this.element.contains(field) && field.value === "");
    return {
      options: () => { const text = lacking(); return text ? places.filter(text.fits).map((place) => ({ key: place, label: place, place })) : []; },
      pick(chosen, { place }) { lacking().field.value = place; return chosen; },
      action: () => { const found = made.read(); return found === undefined ? null : found; },
      from: (action) => { made.write(action); return []; },
      panel: (chosen, hands) => {
        this.hands = hands;
        this.element.firstElementChild.disabled = hands.busy;
        return this.element;
      },
    };
  }
}

/** An editor of what a schema describes. `of` is `{root, name, label, texts, changed}`: the whole schema, what elements are called, all fields for texts. */
function editor(schema, of) {
  if (schema.$ref) return editor(resolved(schema.$ref, of.root), of);
  const forms = schema.anyOf || schema.oneOf || (Array.isArray(schema.type) && schema.type.map((type) => ({ ...schema, type })));
  if (forms) return either(forms, of);
  if ("const" in schema) return fixed(schema.const);
  if (schema.enum) return schema.enum.length === 1 ? fixed(schema.enum[0]) : among(schema.enum, of);
  switch (schema.type) {
    case "null": return fixed(null);
    case "boolean": return yesOrNo(of);
    case "integer": case "number": return number(schema, of);
    case "string": return text(schema, of);
    case "array": return schema.prefixItems ? row(schema, of) : list(schema, of);
    case "object": return schema.properties ? object(schema, of) : typeof schema.additionalProperties === "object" ? table(schema, of) : json(of, {});
    default: return json(of);
  }
}

/** What a reference within the whole schema leads to. */
function resolved(reference, root) {
  return reference.split("/").slice(1).reduce((found, name) => found[name.replaceAll("~1", "/").replaceAll("~0", "~")], root);
}

const fixed = (only) => ({ element: null, read: () => only, write() {} });

function among(values, { name, label, changed }) {
  const field = h("select", { name, onchange: changed }, values.map((one, n) => h("option", { value: String(n) }, words(one))));
  return { element: labelled(label, field), read: () => values[Number(field.value)], write: (found) => { field.value = String(Math.max(0, values.indexOf(found))); } };
}

function yesOrNo({ name, label, changed }) {
  const field = h("input", { type: "checkbox", name, onchange: changed });
  return { element: h("label", { class: "check" }, field, h("span", {}, label)), read: () => field.checked, write: (found) => { field.checked = Boolean(found); } };
}

function number(schema, { name, label, changed }) {
  const whole = schema.type === "integer";
  const least = schema.minimum ?? (schema.exclusiveMinimum !== undefined && whole ? schema.exclusiveMinimum + 1 : undefined);
  const most = schema.maximum ?? (schema.exclusiveMaximum !== undefined && whole ? schema.exclusiveMaximum - 1 : undefined);
  const field = h("input", { type: "number", name, min: least, max: most, step: whole ? "1" : "any", inputmode: whole && least >= 0 ? "numeric" : null, oninput: changed });
  const range = least !== undefined && most !== undefined ? t("{label} ({least} to {most})", { label, least, most }) : label;
  return { element: labelled(range, field), read: () => (field.value !== "" && field.checkValidity() ? Number(field.value) : undefined), write: (found) => { field.value = String(found); } };
}

function text(schema, { name, label, texts, changed }) {
  const example = (schema.examples || [])[0];
  const field = h("input", { type: "text", name, minlength: schema.minLength, maxlength: schema.maxLength, placeholder: example, autocapitalize: "none", autocomplete: "off", spellcheck: "false", oninput: changed });
  const pattern = expression(schema.pattern);
  let blank = schema.minLength === 0; // whether an empty text is one, and not one that is lacking
  const fits = (found) => (found !== "" || blank) && (!pattern || pattern.test(found));
  texts.push({ field, fits });
  return { element: labelled(label, field), read: () => (fits(field.value) ? field.value : undefined), write: (found) => { field.value = found; blank ||= found === ""; } };
}

/** A pattern; null for none, and for what only Python reads. */
function expression(pattern) {
  try {
    return pattern ? new RegExp(pattern, "u") : null;
  } catch {
    return null;
  }
}

function json({ name, label, changed }, start) {
  const field = h("textarea", { name, rows: "3", spellcheck: "false", oninput: changed });
  const write = (found) => { field.value = JSON.stringify(found); };
  if (start !== undefined) write(start);
  const read = () => {
    try {
      return JSON.parse(field.value);
    } catch {
      return undefined;
    }
  };
  return { element: labelled(label ? t("{label}, as JSON", { label }) : "JSON", field), read, write };
}

/** Several under one label, which a screen reader tells with each. */
const group = (label, ...inside) => h("fieldset", { class: label ? null : "plain" }, label ? h("legend", {}, label) : null, inside);

const whole = (values) => (values.some((one) => one === undefined) ? undefined : values);

/** An object: its fields one below the other. What may be left out is given where one says so. */
function object(schema, of) {
  const must = new Set(schema.required || []);
  const fields = Object.entries(schema.properties).map(([key, one]) => {
    const { label } = of, made = editor(one, { ...of, name: `${of.name}.${key}`, label: capital(words(key)) });
    return [key, must.has(key) || made.element === null ? made : perhaps(made, one, { ...of, name: `${of.name}.${key}?`, label: label ? `${label}: ${words(key)}` : capital(words(key)) })];
  });
  return {
    element: fields.some(([, one]) => one.element) ? group(of.label, schema.description ? h("p", { class: "hint", lang: "en" }, schema.description) : null, fields.map(([, one]) => one.element)) : null,
    read() {
      const found = fields.map(([key, one]) => [key, one.read()]);
      return found.some(([, one]) => one === undefined) ? undefined : Object.fromEntries(found.filter(([, one]) => one !== LEFT_OUT));
    },
    write: (found) => fields.forEach(([key, one]) => { if (key in found) one.write(found[key]); else if (one.leave) one.leave(); }),
  };
}

const LEFT_OUT = Symbol("left out");

/** What may be left out: a box says whether it is given. */
function perhaps(made, schema, of) {
  const place = h("div", {});
  const draw = () => show(place, box.checked ? made.element : null);
  if (schema.default !== undefined) made.write(schema.default);
  const box = h("input", { type: "checkbox", name: of.name, onchange: () => { draw(); of.changed(); } });
  return {
    element: h("div", { class: "perhaps" }, h("label", { class: "check" }, box, h("span", {}, t("Give: {what}", { what: of.label }))), place),
    read: () => (box.checked ? made.read() : LEFT_OUT),
    write(found) { box.checked = true; made.write(found); draw(); },
    leave() { box.checked = false; draw(); },
  };
}

/** An array of a fixed length, each place with its own schema. */
function row(schema, of, labels = []) {
  const places = schema.prefixItems.map((one, n) => editor(one, { ...of, name: `${of.name}.${n}`, label: labels[n] || t("{label} {n}", { label: of.label, n: n + 1 }) }));
  return { element: group(of.label, places.map((one) => one.element)), read: () => whole(places.map((one) => one.read())), write: (found) => places.forEach((one, n) => one.write(found[n])) };
}

/** Items that come and go; `make(of)` makes the editor of one. */
function several(of, { least, most, make }) {
  let items = [];
  let count = 0;
  const place = h("div", { class: "items" });
  const more = button(t("One more: {what}", { what: of.label || t("item") }), () => { add(); draw(); of.changed(); }, { "data-key": `${of.name} more` });
  const add = () => items.push(make({ ...of, name: `${of.name}.${count += 1}`, label: t("{label} {n}", { label: of.label || capital(t("item")), n: items.length + 1 }) }));
  const draw = () => {
    show(place, items.map((one, n) => h("div", { class: "item" }, one.element,
      items.length > least ? button("×", () => { items.splice(n, 1); draw(); of.changed(); }, { class: "quiet", "aria-label": t("Take away: {what} {n}", { what: of.label || t("item"), n: n + 1 }) }) : null)));
    more.hidden = items.length >= most;
  };
  for (let n = 0; n < least; n += 1) add();
  draw();
  const write = (found) => {
    items = [];
    found.forEach((one) => { add(); items[items.length - 1].write(one); });
    draw();
  };
  return { element: group(of.label, place, more), read: () => whole(items.map((one) => one.read())), write };
}

const list = (schema, of) => several(of, { least: schema.minItems || 0, most: schema.maxItems ?? Infinity, make: (one) => editor(schema.items || {}, one) });

/** An object whose keys are free: rows of a key and what it stands for. */
function table(schema, of) {
  const make = (one) => row({ prefixItems: [{ ...schema.propertyNames, type: "string" }, schema.additionalProperties] }, one, [t("Which"), t("Value")]);
  const rows = several(of, { least: schema.minProperties || 0, most: schema.maxProperties ?? Infinity, make });
  return { element: rows.element, read: () => { const found = rows.read(); return found && Object.fromEntries(found); }, write: (found) => rows.write(Object.entries(found)) };
}

const valuesOf = (schema) => ("const" in schema ? [schema.const] : schema.enum);

/** What the type of an object may be, where its schema says so. */
const tagOf = (schema) => schema.properties && schema.properties.type && valuesOf(schema.properties.type);

/** What a form of several is called: its tag, or what it is made of. */
function titleOf(schema, root) {
  const found = schema.$ref ? resolved(schema.$ref, root) : schema;
  const tag = tagOf(found);
  if (tag && tag.length === 1) return capital(words(tag[0]));
  if (found.type === "null") return t("nothing");
  return found.title || KINDS[found.type]?.() || t("something else");
}

const KINDS = { integer: () => t("a number"), number: () => t("a number"), string: () => t("a text"), array: () => t("a list"), boolean: () => t("yes or no") };

const DEEP = 3;
/** Forms that are so many within each other are chosen by hand: schemas may hold themselves. */

/** One of several forms; which one, a select says. It begins with nothing, where that is one. */
function either(forms, { depth = 0, ...of }) {
  const made = [];
  const within = { ...of, depth: depth + 1 };
  const form = () => (field.value === "" ? null : made[field.value] ||= editor(forms[field.value], { ...within, name: `${of.name}|${field.value}` }));
  const place = h("div", { class: "items" });
  const draw = () => show(place, form() && form().element);
  const field = h("select", { name: `${of.name}|`, onchange: () => { draw(); of.changed(); } }, forms.map((one, n) => h("option", { value: String(n) }, titleOf(one, of.root))));
  field.value = depth < DEEP ? String(Math.max(0, forms.findIndex((one) => one.type === "null"))) : "";
  draw();
  const write = (found) => {
    const fitting = forms.findIndex((one) => fits(found, one, of.root));
    field.value = String(Math.max(0, fitting));
    form().write(found);
    draw();
  };
  return { element: h("div", { class: "items" }, labelled(of.label || t("What"), field), place), read: () => (form() ? form().read() : undefined), write };
}

/** Whether a value has the kind that a schema asks for, and its tag. */
function fits(found, schema, root) {
  const asked = schema.$ref ? resolved(schema.$ref, root) : schema;
  if (valuesOf(asked)) return valuesOf(asked).includes(found);
  const tag = tagOf(asked);
  if (tag) return typeof found === "object" && found !== null && tag.includes(found.type);
  const kind = found === null ? "null" : Array.isArray(found) ? "array" : typeof found;
  return kind === asked.type || (kind === "number" && asked.type === "integer" && Number.isInteger(found));
}
