/** Views of moments that are shown as pictures: fetched when somebody asks what is on the board, and kept. */

const KEEP = 60;

export class Sight {
  /** `fetch(which)` gives the view, in its time. */
  constructor(fetch) {
    this.fetch = fetch;
    this.known = new Map();
  }

  /** The view, or null while it is fetched, after which `then` is called. What cannot be had is asked for again the next time. */
  of(which, then) {
    const found = this.known.get(which);
    if (found !== undefined) return found;
    if (this.known.size > KEEP) this.known.delete(this.known.keys().next().value);
    this.known.set(which, null);
    this.fetch(which).then((view) => { this.known.set(which, view); then(); }, (fault) => {
      this.known.delete(which);
      if (!fault.told && fault.name !== "AbortError") throw fault;
    });
    return null;
  }
}
