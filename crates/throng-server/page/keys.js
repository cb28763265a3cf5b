/** Keyboard: what each key does, as one table that the help shows too. */
import { ORDERS, begin, nextFormation, toggleWar } from "./orders.js";
import { TOOLS, zoom } from "./tools.js";
import { recallGroup, selectAll, storeGroup } from "./selection.js";

const PAN_PIXELS = 90;

/** Rows of the help: key, what it does. */
export const KEY_HELP = [
  ["Space", "pause or go on"], [".", "one tick"], [",", "one tick back in the timeline"], ["[ ]", "slower, faster"],
  ["arrows", "move the view"], ["+ −", "zoom"], ["Home", "whole map"],
  ["Ctrl+A", "select all"], ["Ctrl+1…9", "store a group"], ["1…9", "recall it; twice: show it"],
  ...ORDERS.map(({ key, name }) => [key, name.toLowerCase()]),
  ["V", "next formation"], ["Y", "teams are friends or enemies"],
  ...TOOLS.map(({ key, label }) => [key, `${label.toLowerCase()} tool`]),
  ["Delete", "remove the selected units"],
  ["O", "scenarios"], ["C", "compare two planners"], ["I", "side panel"], ["L", "light or dark"], ["`", "frame rate"], ["?", "help"],
];

/** `actions`: functions by name for what other parts of the page do. */
export function startKeys(app, actions) {
  const pan = (dx, dy) => app.moveCamera(app.pane, (camera) => camera.panBy(dx, dy));
  const table = {
    " ": actions.toggle, ".": () => actions.step(1), ",": () => actions.step(-1), "[": () => actions.faster(-1), "]": () => actions.faster(1),
    ArrowLeft: () => pan(PAN_PIXELS, 0), ArrowRight: () => pan(-PAN_PIXELS, 0), ArrowUp: () => pan(0, PAN_PIXELS), ArrowDown: () => pan(0, -PAN_PIXELS),
    "+": () => zoom(app, 1.25), "=": () => zoom(app, 1.25), "-": () => zoom(app, 0.8), Home: () => app.fit(),
    Escape: () => escape(app), Delete: () => actions.removeSelected(), "?": actions.help, "`": actions.meter,
    o: actions.scenarios, c: actions.compare, i: actions.panel, l: actions.theme,
    v: () => nextFormation(app), y: () => toggleWar(app),
  };
  for (const { key, kind } of ORDERS) table[key.toLowerCase()] = () => begin(app, kind);
  for (const { key, name } of TOOLS) if (key !== "Esc") table[key.toLowerCase()] = () => app.setTool(name);
  addEventListener("keydown", (event) => press(app, table, event));
}

function press(app, table, event) {
  if (event.target.closest?.("input:not([type=range]), select, textarea, dialog")) return;
  if (event.ctrlKey || event.metaKey) return withControl(app, event);
  if (event.altKey || !app.pane) return;
  if (/^[1-9]$/.test(event.key)) return void recallGroup(app, event.key);
  const action = table[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

function withControl(app, event) {
  if (/^[1-9]$/.test(event.key)) storeGroup(app, event.key);
  else if (event.key.toLowerCase() === "a") selectAll(app);
  else return;
  event.preventDefault();
}

/** Escape leaves the aimed order, then the tool, then the selection. */
function escape(app) {
  if (app.aim) app.setAim(null);
  else if (app.tool !== "select") app.setTool("select");
  else app.select([]);
}
