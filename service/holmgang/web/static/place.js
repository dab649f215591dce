/** Where the service is found, which may be below a path of its host, and where these files are. */

const [before] = import.meta.url.split(/\/web\/(?!.*\/web\/)/);

export const root = new URL(`${before}/`);

/** The address of what the service has at a path, such as `/v1/games`. */
export const at = (path) => root.href + path.slice(1);

/** The address of a file of the table, of the release that is open here. */
export const file = (name) => new URL(name, import.meta.url).href;
