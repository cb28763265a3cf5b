/** Selecting units: click, box, double-click for all of a kind, control groups 1 to 9. */
import { ABSENT } from "./units.js";
import { toast } from "./toast.js";

const groups = new Map();

/** Selects the unit at a pixel, or nothing; with `add`, changes the selection by it. */
export function selectAt(app, pane, px, py, add) {
  const id = pane.unitAt(px, py);
  if (!add) return app.select(id === null ? [] : [id]);
  if (id === null) return undefined;
  const ids = new Set(app.selection);
  if (!ids.delete(id)) ids.add(id);
  return app.select(ids);
}

/** Selects every unit in view of the kind (team and profile) of the unit at a pixel. */
export function selectKind(app, pane, px, py) {
  const id = pane.unitAt(px, py);
  if (id === null) return;
  const { table, instances, camera } = pane;
  const slot = table.slotOf(id);
  const ids = [];
  for (let index = 0; index < instances.count; index++) {
    const other = instances.slots[index];
    if (table.team[other] !== table.team[slot] || table.profile[other] !== table.profile[slot]) continue;
    const [x, y] = camera.toScreen(instances.x(index), instances.y(index));
    if (x >= 0 && y >= 0 && x <= camera.width && y <= camera.height) ids.push(table.id[other]);
  }
  app.select(ids);
}

/** Selects the units whose middle lies in a box of world coordinates. */
export function selectBox(app, pane, box, add) {
  const [left, right] = [Math.min(box.x0, box.x1), Math.max(box.x0, box.x1)];
  const [top, bottom] = [Math.min(box.y0, box.y1), Math.max(box.y0, box.y1)];
  const ids = add ? new Set(app.selection) : new Set();
  const { instances, table } = pane;
  for (let index = 0; index < instances.count; index++) {
    const [x, y, size] = [instances.x(index), instances.y(index), instances.size(index)];
    const [cx, cy] = [x + size / 2, y + size / 2];
    if (cx >= left && cx <= right && cy >= top && cy <= bottom) ids.add(table.id[instances.slots[index]]);
  }
  app.select(ids);
}

export function selectAll(app) {
  const { table } = app.pane;
  const ids = [];
  for (let slot = 0; slot < table.count; slot++) if (table.status[slot] !== ABSENT) ids.push(table.id[slot]);
  app.select(ids);
}

/** Units that left the world leave the selection too. */
export function dropAbsent(app) {
  const { table } = app.pane;
  const gone = [...app.selection].filter((id) => table.slotOf(id) === undefined);
  if (!gone.length) return;
  app.select([...app.selection].filter((id) => !gone.includes(id)));
}

export function storeGroup(app, number) {
  groups.set(number, [...app.selection]);
  toast(`Group ${number}: ${app.selection.size} units.`);
}

/** Selects a group; if it is selected already, shows where it is. */
export function recallGroup(app, number) {
  const ids = (groups.get(number) ?? []).filter((id) => app.pane.table.slotOf(id) !== undefined);
  if (!ids.length) return toast(`Group ${number} is empty. Ctrl+${number} stores the selection in it.`);
  const same = ids.length === app.selection.size && ids.every((id) => app.selection.has(id));
  if (same) centreOn(app, ids);
  return app.select(ids);
}

export function centreOn(app, ids) {
  const { table } = app.pane;
  let [x, y, count] = [0, 0, 0];
  for (const id of ids) {
    const slot = table.slotOf(id);
    if (slot === undefined) continue;
    x += table.x[slot];
    y += table.y[slot];
    count++;
  }
  if (count) app.moveCamera(app.pane, (camera) => camera.moveTo(x / count, y / count));
}
