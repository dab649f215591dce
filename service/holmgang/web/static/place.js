/** Where the service is found, which may be below a path of its host: one folder above this file's. */

export const root = new URL("..", import.meta.url);

/** The address of what the service has at a path, such as `/v1/games`. */
export const at = (path) => root.href + path.slice(1);
