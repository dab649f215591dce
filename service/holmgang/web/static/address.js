/** What stands after the `?` of the page's address: how a list is narrowed down, so that it can be linked to. */

export const asked = () => Object.fromEntries(new URLSearchParams(location.hash.split("?")[1] || ""));

/** Have the address say these values, without those that are empty. It is the same page still. */
export function say(values) {
  const [place, path] = [location.href.split("#")[0], (location.hash || "#/").split("?")[0]];
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value)).toString();
  history.replaceState(history.state, "", `${place}${path}${query ? `?${query}` : ""}`);
}
