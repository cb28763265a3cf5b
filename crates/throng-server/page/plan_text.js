/** Reads plans and maps as text: kei18 result text, lines of paths, MovingAI maps. */

const CELLS = /\((\d+),(\d+)(?:,[A-Z_]+)?\)/g;
const CELLS_MAX = 50_000_000;

const cellsOf = (text) => [...text.matchAll(CELLS)].map((match) => [Number(match[1]), Number(match[2])]);

/** A plan: `{ ticks: [[x, y] per unit] per tick, solver, mapFile }`. Throws with the line that is wrong. */
export function readPlan(text) {
  if (/^\s*solution\s*=/m.test(text) || /^\s*0:\(/m.test(text)) return readKei18(text);
  if (/^Agent \d+:/m.test(text)) return readPaths(text);
  throw new Error("This is no plan that the page reads: expected a kei18 result text (lines such as \"0:(1,2),(3,4),\") or lines \"Agent 0: (1,2)->(1,3)->\".");
}

function readKei18(text) {
  const values = {};
  const ticks = [];
  let total = 0;
  text.split(/\r?\n/).forEach((line, index) => {
    const value = /^(\w+)=(.*)$/.exec(line);
    if (value) values[value[1]] = value[2];
    const step = /^(\d+):/.exec(line);
    if (!step) return;
    if (Number(step[1]) !== ticks.length) throw new Error(`Line ${index + 1}: tick ${ticks.length} expected, found ${step[1]}.`);
    const cells = cellsOf(line);
    if (ticks.length && cells.length !== ticks[0].length) throw new Error(`Line ${index + 1}: ${cells.length} units, but ${ticks[0].length} at tick 0.`);
    total += cells.length;
    if (total > CELLS_MAX) throw new Error(`Line ${index + 1}: the plan has more than ${CELLS_MAX} cells; show a part of it.`);
    ticks.push(cells);
  });
  if (!ticks.length || !ticks[0].length) throw new Error("The plan has no ticks: lines such as \"0:(1,2),(3,4),\" are missing.");
  return { ticks, solver: values.solver ?? "plan", mapFile: values.map_file, goals: values.goals ? cellsOf(values.goals) : null };
}

/** One line per unit (Li et al.): rows before columns. Units stay at the end of their paths. */
function readPaths(text) {
  const paths = text.split(/\r?\n/).filter((line) => /^Agent \d+:/.test(line)).map((line) => cellsOf(line).map(([row, column]) => [column, row]));
  if (paths.some((path) => !path.length)) throw new Error("A unit has an empty path.");
  const length = Math.max(...paths.map((path) => path.length));
  const ticks = Array.from({ length }, (_, tick) => paths.map((path) => path[Math.min(tick, path.length - 1)]));
  return { ticks, solver: "plan", goals: paths.map((path) => path[path.length - 1]) };
}

/** A MovingAI map: `{ width, height, cells }` with terrain 0 floor, 1 wall, 2 trees, 3 swamp, 4 water. */
export function readMap(text) {
  const lines = text.split(/\r?\n/);
  const number = (name) => Number(lines.find((line) => line.startsWith(`${name} `))?.split(" ")[1]);
  const [width, height] = [number("width"), number("height")];
  const start = lines.indexOf("map") + 1;
  if (!start || !(width > 0) || !(height > 0)) throw new Error("This is no MovingAI map: lines \"height\", \"width\" and \"map\" are missing.");
  const codes = { ".": 0, G: 0, "@": 1, O: 1, T: 2, S: 3, W: 4 };
  const cells = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) cells[y * width + x] = codes[lines[start + y]?.[x]] ?? 1;
  }
  return { width, height, cells };
}

export const MAP_TERRAINS = [
  { id: 0, name: "floor", passable: true, factor: 1 }, { id: 1, name: "wall", passable: false, factor: 0 },
  { id: 2, name: "trees", passable: false, factor: 0 }, { id: 3, name: "swamp", passable: true, factor: 2 }, { id: 4, name: "water", passable: false, factor: 0 },
];
