/** Which cells the units of a group take at a point, as the server gives them out. */

/** The formations: name in messages, and on the button. */
export const FORMATIONS = [
  ["none", "Loose"], ["line", "Line"], ["column", "Column"], ["box", "Box"], ["wedge", "Wedge"], ["as_they_stand", "Keep"],
];
const LINE_MAX = 20;

/** Every unit of the selection with its cell: `{ id, x, y, size }`, for at most 400 units. */
export function formationCells(pane, ids, x, y, formation) {
  const { table, map } = pane;
  const units = [...ids].slice(0, 400).map((id) => ({ id, slot: table.slotOf(id) })).filter((unit) => unit.slot !== undefined);
  const wanted = formation === "none" ? null : wantedCells(table, units, x, y, formation);
  if (!wanted) units.sort((a, b) => table.size[b.slot] - table.size[a.slot] || a.id - b.id);
  const taken = new Set();
  const placed = [];
  let ring = 0;
  let sizeBefore = 0;
  units.forEach(({ id, slot }, index) => {
    const size = table.size[slot];
    if (wanted || size !== sizeBefore) ring = 0;
    sizeBefore = size;
    const [cx, cy] = wanted?.[index] ?? [x, y];
    const found = firstFree(map, taken, cx, cy, size, ring);
    if (!found) return;
    ring = Math.max(0, found.ring - 1);
    occupy(taken, map, found, size);
    placed.push({ id, x: found.x, y: found.y, size });
  });
  return placed;
}

/** Where the units of a formation stand on open ground, facing the way that they go. */
function wantedCells(table, units, x, y, formation) {
  const mean = (column) => units.reduce((sum, { slot }) => sum + column[slot], 0) / Math.max(1, units.length);
  const [mx, my] = [mean(table.x), mean(table.y)];
  if (formation === "as_they_stand") return units.map(({ slot }) => [x + table.x[slot] - Math.floor(mx), y + table.y[slot] - Math.floor(my)]);
  const pitch = Math.max(1, ...units.map(({ slot }) => table.size[slot])) + 1;
  const [dx, dy] = [x - mx, y - my];
  const turn = Math.abs(dx) >= Math.abs(dy)
    ? (dx >= 0 ? (right, behind) => [-behind, right] : (right, behind) => [behind, -right])
    : (dy >= 0 ? (right, behind) => [-right, -behind] : (right, behind) => [right, behind]);
  return places(formation, units.length).map(([right, behind]) => {
    const [cx, cy] = turn(right * pitch, behind * pitch);
    return [x + cx, y + cy];
  });
}

/** The places of so many units: files to the right, ranks behind. */
function places(formation, count) {
  const files = { line: Math.min(count, LINE_MAX), column: 2 }[formation] ?? Math.ceil(Math.sqrt(count));
  const list = [];
  for (let rank = 0; list.length < count; rank++) {
    const wide = Math.min(formation === "wedge" ? 2 * rank + 1 : files, count - list.length);
    for (let file = 0; file < wide; file++) list.push([file - Math.floor(wide / 2), rank]);
  }
  return list;
}

function occupy(taken, map, { x, y }, size) {
  for (let dy = 0; dy < size; dy++) for (let dx = 0; dx < size; dx++) taken.add((y + dy) * map.width + x + dx);
}

function isFree(map, taken, x, y, size) {
  if (!map.fits(x, y, size)) return false;
  for (let dy = 0; dy < size; dy++) {
    for (let dx = 0; dx < size; dx++) if (taken.has((y + dy) * map.width + x + dx)) return false;
  }
  return true;
}

/** The first free place on square rings around the point, from ring `from` outwards. */
function firstFree(map, taken, x, y, size, from) {
  for (let ring = from; ring < 48; ring++) {
    let best = null;
    for (let dy = -ring; dy <= ring; dy++) {
      const step = Math.abs(dy) === ring ? 1 : Math.max(1, 2 * ring);
      for (let dx = -ring; dx <= ring; dx += step) {
        if (!isFree(map, taken, x + dx, y + dy, size)) continue;
        const distance = dx * dx + dy * dy;
        if (!best || distance < best.distance) best = { x: x + dx, y: y + dy, ring, distance };
      }
    }
    if (best) return best;
  }
  return null;
}
