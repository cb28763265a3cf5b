/** Which cells the units of a group take around a point: nearest free cells first, large units first. */

/** Every unit of the selection with its cell: `{ id, x, y, size }`, for at most 400 units. */
export function formationCells(pane, ids, x, y) {
  const { table, map } = pane;
  const units = [...ids].slice(0, 400).map((id) => ({ id, slot: table.slotOf(id) })).filter((unit) => unit.slot !== undefined);
  units.sort((a, b) => table.size[b.slot] - table.size[a.slot] || a.id - b.id);
  const taken = new Set();
  const placed = [];
  let ring = 0;
  let sizeBefore = 0;
  for (const { id, slot } of units) {
    const size = table.size[slot];
    if (size !== sizeBefore) ring = 0;
    sizeBefore = size;
    const found = firstFree(map, taken, x, y, size, ring);
    if (!found) continue;
    ring = Math.max(0, found.ring - 1);
    occupy(taken, map, found, size);
    placed.push({ id, x: found.x, y: found.y, size });
  }
  return placed;
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
