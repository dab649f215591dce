/** Anything of any game in words, by the names that its schema has: `{type: "play", card: 3}` is `Play (card 3)`. */

import { t, together } from "./i18n.js";

const SEAT = /(^|_)seats?$/;
const ROLE = /^(owner|winner|loser|attacker|defender|victim)s?$/;
/** Of what happened. Further within, such a name may as well be whose number of things is told. */

/** A name of code in words. */
export const words = (name) => String(name).replaceAll("_", " ");

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A value in words; `named` is what it is called, by which seats are known, and more of them at the `top` of what happened. */
export function value(found, named, ctx, top = false) {
  if (found === null || found === undefined) return t("nothing");
  if (typeof found === "boolean") return found ? t("yes") : t("no");
  if (Array.isArray(found)) return found.length ? found.map((one) => (Array.isArray(one) && one.length > 1 ? `(${value(one, named, ctx, top)})` : value(one, named, ctx, top))).join(", ") : t("none");
  if (typeof found === "object") {
    const told = payload(found, ctx, { top: false });
    return told === "" ? t("none") : found.type === undefined ? `(${told})` : told;
  }
  if (typeof found === "number" && (SEAT.test(named) || (top && ROLE.test(named)))) return ctx.name(found);
  return typeof found === "string" ? words(found) : String(found);
}

/** The members of an object in words, but for what is not there. */
export function members(found, ctx, { without = [], top = true } = {}) {
  return Object.entries(found).filter(([name, one]) => one !== null && !without.includes(name)).map(([name, one]) => `${words(name)} ${value(one, name, ctx, top)}`);
}

/** A tagged object: its type, and what it holds. */
export function payload(found, ctx, { without = [], top = true } = {}) {
  const told = members(found, ctx, { without: ["type", ...without], top }).join(", ");
  if (found.type === undefined) return told;
  return told ? t("{what} ({how})", { what: words(found.type), how: told }) : words(found.type);
}

/** What has happened, led by who did it. */
export function event(found, ctx) {
  if (found.type === "seat_resigned") return t("{name} gives up.", { name: together((found.seats || [found.seat]).map(ctx.name)) });
  const told = payload(found, ctx, { without: ["seat"] });
  return typeof found.seat === "number" ? t("{name}: {what}", { name: ctx.name(found.seat), what: told }) : capital(told);
}
