/** Painters for what lies above the units: the selection box, the brush, order flags, the formation preview. */
import { formationCells } from "./formation.js";
import { teamColour } from "./palette.js";

const FLAG_MS = 900;

/** Shared state of the pointer that the painters draw. */
export const pointer = { box: null, brush: null, preview: null, flags: [] };

/** Shows for a moment where an order leads. */
export function flag(x, y, kind) {
  pointer.flags.push({ x, y, kind, since: performance.now() });
}

export function startMarks(app) {
  app.painters.push((context, pane) => paintBox(app, context, pane));
  app.painters.push((context, pane) => paintBrush(context, pane));
  app.painters.push((context, pane) => paintPreview(app, context, pane));
  app.painters.push(paintFlags);
  app.painters.push(paintBuildings);
}

function paintBox(app, context, pane) {
  if (!pointer.box) return false;
  const [x0, y0] = pane.camera.toScreen(pointer.box.x0, pointer.box.y0);
  const [x1, y1] = pane.camera.toScreen(pointer.box.x1, pointer.box.y1);
  context.strokeStyle = pane.scheme.marks.ok;
  context.fillStyle = pane.scheme.marks.ok;
  context.lineWidth = 1.5;
  context.strokeRect(x0, y0, x1 - x0, y1 - y0);
  context.globalAlpha = 0.1;
  context.fillRect(x0, y0, x1 - x0, y1 - y0);
  return true;
}

function paintBrush(context, pane) {
  const { brush } = pointer;
  if (!brush) return false;
  const { scale } = pane.camera;
  context.strokeStyle = brush.colour ?? pane.scheme.marks.select;
  context.lineWidth = 1.5;
  for (const [x, y, w, h] of brush.rects) {
    const [px, py] = pane.camera.toScreen(x, y);
    context.strokeRect(px, py, w * scale, h * scale);
  }
  return true;
}

/** The cells that a group would take at the pointer. */
function paintPreview(app, context, pane) {
  if (!pointer.preview || app.selection.size < 2) return false;
  const { x, y } = pointer.preview;
  context.strokeStyle = pane.scheme.marks.select;
  context.globalAlpha = 0.55;
  context.lineWidth = 1;
  for (const cell of formationCells(pane, app.selection, x, y, app.formation)) {
    const half = (cell.size * pane.camera.scale) / 2;
    const [px, py] = pane.camera.toScreen(cell.x + cell.size / 2, cell.y + cell.size / 2);
    context.beginPath();
    context.arc(px, py, Math.max(1.5, half * 0.7), 0, 2 * Math.PI);
    context.stroke();
  }
  return true;
}

function paintFlags(context, pane, now) {
  pointer.flags = pointer.flags.filter((each) => now - each.since < FLAG_MS);
  for (const { x, y, since } of pointer.flags) {
    const age = (now - since) / FLAG_MS;
    const [px, py] = pane.camera.toScreen(x + 0.5, y + 0.5);
    context.globalAlpha = 1 - age;
    context.strokeStyle = pane.scheme.marks.ok;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(px, py, 5 + 16 * age, 0, 2 * Math.PI);
    context.stroke();
  }
  return pointer.flags.length > 0;
}

/** Buildings: outline, doors, and the name where there is room. */
function paintBuildings(context, pane) {
  const { scale } = pane.camera;
  for (const building of pane.hello?.buildings ?? []) {
    const bounds = boundsOf(building.cells?.length ? building.cells : [...(building.entrances ?? []), ...(building.exits ?? [])]);
    if (!bounds) continue;
    const [px, py] = pane.camera.toScreen(bounds.x, bounds.y);
    context.strokeStyle = teamColour(pane.scheme, building.id ?? 0);
    context.lineWidth = 2;
    context.strokeRect(px, py, bounds.w * scale, bounds.h * scale);
    context.fillStyle = pane.scheme.marks.ok;
    for (const [x, y] of [...(building.entrances ?? []), ...(building.exits ?? [])]) {
      const [dx, dy] = pane.camera.toScreen(x + 0.3, y + 0.3);
      context.fillRect(dx, dy, 0.4 * scale, 0.4 * scale);
    }
    if (bounds.w * scale > 44) label(context, pane, building.name, px + (bounds.w * scale) / 2, py + (bounds.h * scale) / 2);
  }
  return Boolean(pane.hello?.buildings?.length);
}

function boundsOf(cells) {
  if (!cells.length) return null;
  const xs = cells.map((cell) => cell[0]);
  const ys = cells.map((cell) => cell[1]);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, w: Math.max(...xs) - x + 1, h: Math.max(...ys) - y + 1 };
}

/** A small centred text with a halo of the ground's colour. */
export function label(context, pane, text, px, py) {
  context.font = "600 12px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineWidth = 3;
  context.strokeStyle = pane.scheme.ground.floor;
  context.strokeText(text, px, py);
  context.fillStyle = pane.scheme.marks.plan;
  context.fillText(text, px, py);
}
