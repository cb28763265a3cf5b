/** The tool rail: select, paint walls and terrain, erase, buildings, spawn, remove. */
import { byId, icon, make } from "./dom.js";
import { teamColour } from "./palette.js";
import { pointer } from "./marks.js";
import { toggleWar } from "./orders.js";

export const TOOLS = [
  { name: "select", label: "Select", key: "Esc", hint: "Click or drag a box. Right-click sends the selection." },
  { name: "wall", label: "Wall", key: "W", hint: "Drag to build walls." },
  { name: "terrain", label: "Terrain", key: "T", hint: "Drag to paint terrain." },
  { name: "erase", label: "Erase", key: "E", hint: "Drag to clear walls and terrain." },
  { name: "building", label: "Building", key: "B", hint: "Drag a rectangle: walls with a door." },
  { name: "spawn", label: "Spawn", key: "U", hint: "Click or drag to place units." },
  { name: "remove", label: "Remove", key: "X", hint: "Click or drag over units, click a building, or press Delete." },
];

/** Options of the tools, chosen beside the rail. */
export const options = { brush: 1, terrain: null, profile: 0, team: 0 };
const CELLS_PER_MESSAGE = 3000;

export function startTools(app) {
  const rail = byId("tools");
  const buttons = TOOLS.map((tool) => make("button", {
    class: "icon", "data-tool": tool.name, title: `${tool.label} (${tool.key})`, "aria-label": tool.label, onclick: () => app.setTool(tool.name),
  }, icon(tool.name)));
  const war = make("button", { class: "icon", id: "war", title: "Teams: friends or enemies (Y)", "aria-label": "War", onclick: () => toggleWar(app) }, icon("war"));
  app.on("text", ({ pane, message }) => { if (message.type === "status" && pane === app.pane) war.setAttribute("aria-pressed", String(Boolean(message.war))); });
  rail.append(...buttons, war, make("hr"),
    make("button", { class: "icon", title: "Zoom in (+)", onclick: () => zoom(app, 1.4) }, icon("plus")),
    make("button", { class: "icon", title: "Zoom out (−)", onclick: () => zoom(app, 1 / 1.4) }, icon("minus")),
    make("button", { class: "icon", title: "Whole map (Home)", onclick: () => app.fit() }, icon("fit")));
  const refresh = () => {
    for (const button of buttons) button.setAttribute("aria-pressed", button.dataset.tool === app.tool);
    document.body.dataset.tool = app.tool;
    pointer.brush = null;
    showOptions(app);
  };
  app.on("tool", refresh);
  app.on("hello", refresh);
  app.on("theme", refresh);
  refresh();
}

export function zoom(app, factor) {
  const { pane } = app;
  app.moveCamera(pane, (camera) => camera.zoomAt(camera.width / 2, camera.height / 2, factor));
}

/** A row of choices: `entries` are [value, label, colour]. */
function choices(app, title, name, entries) {
  const buttons = entries.map(([value, text, colour]) => make("button", {
    class: "choice", "aria-pressed": String(options[name] === value),
    onclick: () => { options[name] = value; showOptions(app); },
  }, colour ? make("i", { class: "swatch", style: `--dot:${colour}` }) : null, text));
  return make("div", { class: "row" }, make("label", {}, title), make("div", { class: "choices" }, ...buttons));
}

function showOptions(app) {
  const card = byId("tool-options");
  const tool = TOOLS.find((each) => each.name === app.tool);
  const { hello, scheme } = app.pane ?? {};
  card.hidden = app.tool === "select" || !hello;
  if (card.hidden) return;
  const rows = [make("h3", {}, tool.label), make("p", {}, tool.hint)];
  if (["wall", "terrain", "erase"].includes(app.tool)) rows.push(choices(app, "Brush", "brush", [1, 2, 3, 5].map((size) => [size, `${size}`])));
  if (app.tool === "terrain") {
    options.terrain ??= hello.terrains.find((each) => each.passable)?.id;
    rows.push(choices(app, "Terrain", "terrain", hello.terrains.map((each) => [each.id, each.name, scheme.terrain.get(each.id)])));
  }
  if (app.tool === "spawn") {
    rows.push(choices(app, "Kind", "profile", hello.profiles.map((each) => [each.id, each.name])));
    rows.push(choices(app, "Team", "team", hello.teams.map((each) => [each.id, each.name, teamColour(scheme, each.id)])));
  }
  card.replaceChildren(...rows);
}

/** The terrain id of walls. */
export function wallOf(app) {
  return app.pane.hello.terrains.find((each) => !each.passable)?.id;
}

/** The terrain id that the paint tool lays. */
export function paintedTerrain(app) {
  const { terrains } = app.pane.hello;
  if (app.tool === "wall") return wallOf(app);
  if (app.tool === "erase") return (terrains.find((each) => each.passable && (each.factor ?? 1) <= 1) ?? terrains.find((each) => each.passable))?.id;
  return options.terrain;
}

/** Sends painted cells in messages of bounded size. */
export function paint(app, terrain, cells) {
  for (let from = 0; from < cells.length; from += CELLS_PER_MESSAGE) {
    app.broadcast("paint", { terrain, cells: cells.slice(from, from + CELLS_PER_MESSAGE) });
  }
}
