/** Lists that come page by page, and doing what may be refused. */

import * as api from "./api.js";
import { button, toast } from "./dom.js";
import { t } from "./i18n.js";

/** Do something and tell what was wrong with it. Gives whether it was done. */
export async function attempt(what) {
  try {
    await what();
    return true;
  } catch (fault) {
    if (!fault.told) throw fault;
    toast(fault.told);
    return false;
  }
}

/**
 * Put the items of a paged list into an element, `line(item)` for each, with a button for more after it, or after another element that is
 * around it. Gives how many came first; their problems are thrown.
 */
export async function fill(list, path, line, options, around = list) {
  const more = button(t("Show more"), () => attempt(next), { hidden: true });
  around.after(more);
  let from = path;
  async function next() {
    const page = await api.get(from, options);
    const before = list.childElementCount;
    list.append(...page.items.map(line));
    from = page.next ? path.split("?")[0] + new URL(page.next, location.href).search : null;
    more.hidden = !from;
    if (before) list.children[before]?.querySelector("a, button")?.focus();
    return page.items.length;
  }
  return next();
}
