/** What a drag with a tool does: painting along a line, rectangles for buildings, spawning, removing. */
import { options, paint, paintedTerrain, wallOf } from "./tools.js";
import { pointer } from "./marks.js";
import { toast } from "./toast.js";

/** Cells on a line from one cell to another. */
function line(x0, y0, x1, y1) {
  const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1);
  const cells = [];
  for (let step = 0; step <= steps; step++) {
    cells.push([Math.round(x0 + ((x1 - x0) * step) / steps), Math.round(y0 + ((y1 - y0) * step) / steps)]);
  }
  return cells;
}

/** The cells that a square brush covers along a line, inside the map, each once. */
export function brushed(map, from, to, size) {
  const back = (size - 1) >> 1;
  const seen = new Set();
  for (const [x, y] of line(...from, ...to)) {
    for (let dy = 0; dy < size; dy++) {
      for (let dx = 0; dx < size; dx++) {
        const [cx, cy] = [x - back + dx, y - back + dy];
        if (map.contains(cx, cy)) seen.add(cy * map.width + cx);
      }
    }
  }
  return [...seen].map((cell) => [cell % map.width, Math.floor(cell / map.width)]);
}

/** Shows the outline of what the tool would touch. */
export function hover(app, pane, cell) {
  const size = app.tool === "spawn" ? profileSize(app) : ["wall", "terrain", "erase"].includes(app.tool) ? options.brush : 1;
  const back = app.tool === "spawn" ? 0 : (size - 1) >> 1;
  pointer.brush = { rects: [[cell[0] - back, cell[1] - back, size, size]] };
}

const profileSize = (app) => app.pane.hello.profiles.find((each) => each.id === options.profile)?.size ?? 1;

/** Begins a stroke; returns handlers for `move(cell)` and `end(cell)`. */
export function beginStroke(app, pane, cell) {
  if (app.tool === "building") return buildingStroke(app, pane, cell);
  if (app.tool === "spawn") return spawnStroke(app, pane, cell);
  if (app.tool === "remove") return removeStroke(app, pane, cell);
  return paintStroke(app, pane, cell);
}

function paintStroke(app, pane, start) {
  const terrain = paintedTerrain(app);
  let last = start;
  const lay = (cell) => {
    const cells = brushed(pane.map, last, cell, options.brush).filter(([x, y]) => pane.map.at(x, y) !== terrain);
    last = cell;
    if (cells.length) paint(app, terrain, cells);
  };
  lay(start);
  return { move: (cell) => { hover(app, pane, cell); if (cell[0] !== last[0] || cell[1] !== last[1]) lay(cell); }, end: () => {} };
}

function spawnStroke(app, pane, start) {
  const size = profileSize(app);
  const placed = new Set();
  const place = ([x, y]) => {
    const key = `${Math.floor((x - start[0]) / size)},${Math.floor((y - start[1]) / size)}`;
    if (placed.has(key)) return;
    placed.add(key);
    if (!pane.map.fits(x, y, size)) return;
    app.broadcast("spawn", { profile: options.profile, team: options.team, cells: [[x, y]] });
  };
  place(start);
  return { move: (cell) => { hover(app, pane, cell); place(cell); }, end: () => {} };
}

/** The building that covers a cell. */
function buildingAt(pane, [x, y]) {
  return (pane.hello.buildings ?? []).find((each) => (each.cells ?? []).some(([bx, by]) => bx === x && by === y));
}

function removeStroke(app, pane, start) {
  const building = buildingAt(pane, start);
  if (building) app.broadcast("remove_building", { id: building.id });
  const sweep = ([x, y]) => {
    const index = pane.instances.hit(x + 0.5, y + 0.5);
    if (index >= 0) app.broadcast("remove", { units: [pane.table.id[pane.instances.slots[index]]] });
  };
  sweep(start);
  return { move: (cell) => { hover(app, pane, cell); sweep(cell); }, end: () => {} };
}

const rectangle = (a, b) => [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.abs(a[0] - b[0]) + 1, Math.abs(a[1] - b[1]) + 1];

/** A building is walls in a rectangle with one door below its middle. */
function buildingStroke(app, pane, start) {
  return {
    move: (cell) => { pointer.brush = { rects: [rectangle(start, cell)] }; },
    end: (cell) => {
      const [x, y, w, h] = rectangle(start, cell);
      if (w < 2 || h < 2) return toast("A building needs at least 2 x 2 cells: drag a rectangle.");
      const cells = [];
      for (let dy = 0; dy < h; dy++) for (let dx = 0; dx < w; dx++) cells.push([x + dx, y + dy]);
      const door = [x + (w >> 1), y + h];
      paint(app, wallOf(app), cells);
      return app.broadcast("building", { name: "house", cells, entrances: [door], exits: [door] });
    },
  };
}
