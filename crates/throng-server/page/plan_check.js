/** Violations of a plan for units of one cell: cells shared, places swapped, walls entered, steps too long. */

const VIOLATIONS_MAX = 1000;

/** Violations in the order of ticks: `{ tick, kind, units, cell }`, at most 1,000. */
export function violations(ticks, map) {
  const found = [];
  for (let tick = 0; tick < ticks.length && found.length < VIOLATIONS_MAX; tick++) {
    found.push(...occupied(ticks[tick], tick, map));
    if (tick) found.push(...moves(ticks[tick - 1], ticks[tick], tick));
  }
  return found.slice(0, VIOLATIONS_MAX);
}

const keyOf = ([x, y]) => y * 65536 + x;

function occupied(cells, tick, map) {
  const at = new Map();
  const found = [];
  cells.forEach((cell, unit) => {
    const other = at.get(keyOf(cell));
    if (other !== undefined) found.push({ tick, kind: "two units in one cell", units: [other, unit], cell });
    at.set(keyOf(cell), unit);
    if (!map.passable(...cell)) found.push({ tick, kind: "unit on an impassable cell", units: [unit], cell });
  });
  return found;
}

function moves(before, after, tick) {
  const from = new Map(before.map((cell, unit) => [keyOf(cell), unit]));
  const found = [];
  after.forEach((cell, unit) => {
    const [dx, dy] = [Math.abs(cell[0] - before[unit][0]), Math.abs(cell[1] - before[unit][1])];
    if (dx > 1 || dy > 1) found.push({ tick, kind: "step longer than one cell", units: [unit], cell });
    const other = from.get(keyOf(cell));
    if (other === undefined || other <= unit) return;
    if (keyOf(after[other]) === keyOf(before[unit])) found.push({ tick, kind: "two units swap places", units: [unit, other], cell });
  });
  return found;
}
