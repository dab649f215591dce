/**
 * Every text that a person reads goes through `t`: English is the key, `{name}` stands for a value.
 *
 *     t("{name} chose", { name: "Astrid" })
 */

let messages = {};

/** Take the messages of a language; what it lacks stays English. */
export function speak(language, found) {
  messages = found;
  document.documentElement.lang = language;
}

export function t(text, values = {}) {
  const found = messages[text] || text;
  return found.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** `a`, `a and b`, `a, b and c`. */
export function together(parts) {
  if (parts.length < 2) return parts.join("");
  return t("{some} and {last}", { some: parts.slice(0, -1).join(", "), last: parts[parts.length - 1] });
}
