/** Orders to the selected units: the buttons with their keys, and the click on the map that completes an order. */
import { byId, format, icon, make } from "./dom.js";
import { STATUSES, teamColour } from "./palette.js";
import { flag } from "./marks.js";
import { FORMATIONS, formationCells } from "./formation.js";
import { toast } from "./toast.js";

/** `needs`: "cell" and "unit" wait for a click on the map; "nothing" is sent at once. */
export const ORDERS = [
  { kind: "go", name: "Go", key: "M", needs: "cell" },
  { kind: "attack_move", name: "Attack", key: "A", needs: "cell", icon: "attack" },
  { kind: "patrol", name: "Patrol", key: "P", needs: "cell" },
  { kind: "follow", name: "Follow", key: "F", needs: "unit" },
  { kind: "guard", name: "Guard", key: "G", needs: "unit" },
  { kind: "chase", name: "Chase", key: "K", needs: "unit" },
  { kind: "hold", name: "Hold", key: "H", needs: "nothing" },
  { kind: "stop", name: "Stop", key: "S", needs: "nothing" },
];

const UNITS_PER_MESSAGE = 4000;

/** Sends an order for the selection, in messages of bounded size. */
export function give(app, order, queue = false) {
  const units = [...app.selection].filter((unit) => unit !== order.target || order.kind === "enter");
  const isFormed = app.formation !== "none" && !queue && ["go", "attack_move"].includes(order.kind) && units.length > 1;
  const formation = isFormed ? app.formation : undefined;
  for (let from = 0; from < units.length; from += UNITS_PER_MESSAGE) {
    app.broadcast("order", { units: units.slice(from, from + UNITS_PER_MESSAGE), order, queue, formation });
  }
}

/** Chooses the next formation. */
export function nextFormation(app) {
  const names = FORMATIONS.map(([name]) => name);
  app.formation = names[(names.indexOf(app.formation) + 1) % names.length];
  app.emit("selection");
}

/** Makes the teams friends or enemies. */
export function toggleWar(app) {
  const on = !app.pane?.status?.war;
  app.broadcast("war", { on });
  toast(on ? "The teams are enemies now: they do not give way, and units on an attack-move halt and strike." : "The teams are friends now: they plan together.");
}

/** Starts an order by button or key. */
export function begin(app, kind) {
  if (!app.selection.size) return toast("Select units first: click one, or drag a box.");
  if (app.recording) return toast("A recording takes no orders.");
  const order = ORDERS.find((each) => each.kind === kind);
  if (order.needs === "nothing") return give(app, { kind });
  return app.setAim(order);
}

/** Completes the aimed order, or what a click means without one, at a pixel of a pane. */
export function complete(app, pane, px, py, queue) {
  if (!app.selection.size || app.recording) return;
  const [x, y] = pane.camera.toWorld(px, py).map(Math.floor);
  const target = pane.unitAt(px, py);
  const aim = app.aim ?? meant(app, pane, target);
  if (aim.needs === "unit") {
    if (target === null) return void toast(`${aim.name}: click on a unit.`);
    give(app, { kind: aim.kind, target }, queue);
  } else if (pane.map.contains(x, y)) {
    give(app, orderAt(app, pane, aim.kind, x, y, queue), queue);
  }
  flag(x, y, aim.kind);
  if (!queue) app.setAim(null);
}

/** Without an aim a click on the ground means go, on a unit of another team in war chase, on another unit follow. */
function meant(app, pane, target) {
  const { table } = pane;
  const first = table.slotOf(app.selection.values().next().value);
  if (target === null || app.selection.has(target) || first === undefined) return ORDERS[0];
  const isEnemy = pane.status?.war && table.team[table.slotOf(target)] !== table.team[first];
  return ORDERS.find(({ kind }) => kind === (isEnemy ? "chase" : "follow"));
}

/** The order that a click on a cell means: a building is entered, a wall approached, a queued group spreads. */
function orderAt(app, pane, kind, x, y, queue) {
  const building = (pane.hello.buildings ?? []).find((each) => (each.cells ?? []).some(([bx, by]) => bx === x && by === y));
  if (kind === "go" && building) return { kind: "enter", target: building.id };
  if (kind === "go" && !pane.map.fits(x, y, 1) && pane.hello.world.planner === "throng") return { kind: "approach", cells: [[x, y]] };
  if (kind !== "go" || !queue || app.selection.size < 2) return { kind, cells: [[x, y]] };
  const cells = formationCells(pane, app.selection, x, y, "none").map((cell) => [cell.x, cell.y]);
  return { kind, cells: cells.length ? cells : [[x, y]] };
}

/** The bar with the selection's summary and the order buttons. */
export function startOrders(app) {
  const bar = byId("orders");
  const summary = make("div", { class: "summary" });
  const buttons = ORDERS.map((order) => make("button",
    { class: "order", "data-kind": order.kind, title: `${order.name} (${order.key})`, onclick: () => begin(app, order.kind) },
    icon(order.icon ?? order.kind), make("span", {}, order.name), make("kbd", {}, order.key)));
  const shape = make("button", { class: "order", id: "formation", title: "Formation (V)", onclick: () => nextFormation(app) });
  bar.append(summary, make("div", { class: "buttons" }, ...buttons, shape));
  const refresh = () => {
    bar.hidden = !app.selection.size || app.tool !== "select";
    buttons.forEach((button) => button.setAttribute("aria-pressed", app.aim?.kind === button.dataset.kind));
    shape.setAttribute("aria-pressed", app.formation !== "none");
    shape.replaceChildren(icon(`formation_${app.formation}`), make("span", {}, FORMATIONS.find(([name]) => name === app.formation)[1]), make("kbd", {}, "V"));
    document.body.dataset.aim = app.aim ? "on" : "";
    if (!bar.hidden) summary.replaceChildren(...describe(app));
  };
  app.on("selection", refresh);
  app.on("tool", refresh);
  setInterval(() => { if (!bar.hidden) refresh(); }, 500);
}

/** How many units are selected, by team and by status. */
function describe(app) {
  const { table, scheme } = app.pane;
  const teams = new Map();
  const statuses = new Map();
  for (const id of app.selection) {
    const slot = table.slotOf(id);
    if (slot === undefined) continue;
    teams.set(table.team[slot], (teams.get(table.team[slot]) ?? 0) + 1);
    statuses.set(table.status[slot], (statuses.get(table.status[slot]) ?? 0) + 1);
  }
  const dots = [...teams].sort((a, b) => a[0] - b[0]).map(([team, count]) => make("span", { class: "dot", style: `--dot:${teamColour(scheme, team)}` }, format(count)));
  const words = [...statuses].sort((a, b) => b[1] - a[1]).slice(0, 3).map(([status, count]) => `${format(count)} ${STATUSES[status].name}`);
  return [make("strong", {}, `${format(app.selection.size)} selected`), make("span", { class: "dots" }, ...dots), make("small", {}, words.join(" · "))];
}
