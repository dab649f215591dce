/**
 * A composer of actions to which several rows of steps lead, so that one may begin with a ship or with a card, whichever
 * comes to mind first. What was chosen on the board can be chosen anew with one click: such a step tells with `instead`
 * which of the chosen ones, and all after it, it stands for.
 */

/** `rowsOf(action)` gives rows of steps; `spot(step)` what two steps have in common that lie over each other on the board. */
export function ways(actions, rowsOf, spot = (step) => step.place) {
  const rows = actions.flatMap((action) => rowsOf(action).map((steps) => ({ action, steps })));
  const fitting = (chosen) => rows.filter(({ steps }) => chosen.every((one, n) => steps[n] && steps[n].key === one.key));
  const next = (chosen) => {
    const found = new Map();
    for (const { steps } of fitting(chosen)) {
      const step = steps[chosen.length];
      if (step && !found.has(step.key)) found.set(step.key, step);
    }
    return [...found.values()];
  };
  const action = (chosen) => {
    if (!chosen.length) return null;
    const left = fitting(chosen);
    const whole = left.find(({ steps }) => steps.length === chosen.length);
    if (whole) return whole.action;
    return new Set(left.map((one) => one.action)).size === 1 ? left[0].action : null;
  };
  const onwards = (chosen) => (action(chosen) === null ? next(chosen) : []);
  return {
    action,
    onwards,
    implied: (chosen) => (action(chosen) === null ? [] : fitting(chosen)[0].steps.slice(chosen.length)),
    options(chosen) {
      const found = onwards(chosen);
      const spots = new Set([...chosen, ...found].filter((step) => step.place).map(spot));
      for (let n = chosen.length - 1; n >= 0; n -= 1) {
        if (!chosen[n].place) continue;
        for (const step of next(chosen.slice(0, n))) {
          if (!step.place || spots.has(spot(step))) continue;
          spots.add(spot(step));
          found.push({ ...step, instead: n });
        }
      }
      return found;
    },
    pick: (chosen, step) => (step.instead === undefined ? [...chosen, step] : [...chosen.slice(0, step.instead), step]),
  };
}
