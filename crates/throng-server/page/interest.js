/**
 * Area of interest: in large worlds with many units, the server is asked only for the units near the view.
 *
 * Orders and groups keep units that are out of view; the minimap shows those that are sent.
 */
const EVERY_MS = 250;
/** Smaller worlds are sent as a whole. */
const CELLS_MIN = 256 * 256;
const UNITS_MIN = 3_000;
/** Cells beyond the edge of the view, as a part of its size: room to move before the next request. */
const MARGIN = 0.5;
/** With more of the map in view than this part, everything is sent. */
const PART_MAX = 0.6;

export function startInterest(app) {
  setInterval(() => app.panes.forEach(ask), EVERY_MS);
  app.on("state", ({ pane, state }) => { if (state === "open") pane.view = null; });
}

function ask(pane) {
  if (!pane.link?.isOpen || !pane.hello) return;
  const wanted = wantedView(pane);
  if (same(wanted, pane.view)) return;
  if (pane.send("view", wanted ?? {})) pane.view = wanted;
}

function wantedView({ map, camera, status, view }) {
  if (map.width * map.height < CELLS_MIN || (status?.units ?? 0) < UNITS_MIN) return null;
  const [x0, y0] = camera.toWorld(0, 0);
  const [x1, y1] = camera.toWorld(camera.width, camera.height);
  const inside = (view) => view.x <= Math.max(0, x0) && view.y <= Math.max(0, y0)
    && view.x + view.w >= Math.min(map.width, x1) && view.y + view.h >= Math.min(map.height, y1);
  const wide = (x1 - x0) * (1 + 2 * MARGIN);
  // What was asked for is enough while it covers the view and is not much larger.
  if (view && inside(view) && view.w <= 2 * wide) return view;
  const [w, h] = [wide, (y1 - y0) * (1 + 2 * MARGIN)];
  const left = Math.max(0, Math.floor(x0 - (x1 - x0) * MARGIN));
  const top = Math.max(0, Math.floor(y0 - (y1 - y0) * MARGIN));
  const [width, height] = [Math.min(map.width - left, Math.ceil(w)), Math.min(map.height - top, Math.ceil(h))];
  if (width * height > PART_MAX * map.width * map.height) return null;
  return { x: left, y: top, w: Math.max(1, width), h: Math.max(1, height) };
}

function same(a, b) {
  if (!a || !b) return !a && !b;
  return a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h;
}
