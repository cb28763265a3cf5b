/** Shows a plan from a file as a recording in a pane of its own: scrub it, and jump from violation to violation. */
import { MAP_TERRAINS, readMap, readPlan } from "./plan_text.js";
import { KIND } from "./protocol.js";
import { STATUS } from "./palette.js";
import { byId, format, icon, make } from "./dom.js";
import { toast } from "./toast.js";
import { violations } from "./plan_check.js";

const TICKS_PER_SECOND = 6;

/** Shows the plan among the files' texts; a map may be among them, else the shown world's map is taken. */
export function showRecording(app, timebar, files) {
  const mapFile = files.find(({ text }) => /^type\s/m.test(text.slice(0, 200)) && /^map\s*$/m.test(text));
  const planFile = files.find((file) => file !== mapFile);
  if (!planFile) throw new Error("Choose a plan; a map alone shows nothing. Both files can be chosen together.");
  const plan = readPlan(planFile.text);
  const shown = app.pane;
  const map = mapFile ? { ...readMap(mapFile.text), terrains: MAP_TERRAINS } : mapFor(plan, shown);
  const [pane] = app.show([null]);
  fillPane(pane, plan, map, planFile.name);
  app.emit("hello", { pane, message: pane.hello });
  app.emit("state", { pane, state: "recording" });
  showViolations(app, timebar, pane, plan);
}

/** The shown world's map if every cell of the plan lies on it, else an empty map around the plan. */
function mapFor(plan, pane) {
  let [width, height] = [1, 1];
  for (const cells of plan.ticks) {
    for (const [x, y] of cells) {
      width = Math.max(width, x + 1);
      height = Math.max(height, y + 1);
    }
  }
  const fits = pane?.map.terrains.length && width <= pane.map.width && height <= pane.map.height && plan.ticks[0].every(([x, y]) => pane.map.passable(x, y));
  if (fits) return { width: pane.map.width, height: pane.map.height, cells: pane.map.cells.slice(), terrains: pane.map.terrains };
  return { width, height, cells: new Uint8Array(width * height), terrains: MAP_TERRAINS };
}

function fillPane(pane, plan, map, name) {
  pane.receive({
    type: "hello", protocol: 1, recording: true,
    world: { id: name, name, scenario: "", planner: plan.solver, width: map.width, height: map.height, tick_hz: TICKS_PER_SECOND, speed: 1, paused: false },
    profiles: [{ id: 0, name: "unit", size: 1, pace: 1 }], teams: [{ id: 0, name: "units" }], terrains: map.terrains, buildings: [],
  });
  pane.receiveBinary({ kind: KIND.map, ...map });
  const goals = plan.goals ?? plan.ticks[plan.ticks.length - 1];
  plan.ticks.forEach((cells, tick) => {
    const next = plan.ticks[tick + 1] ?? cells;
    cells.forEach(([x, y], unit) => {
      const home = goals[unit] && goals[unit][0] === x && goals[unit][1] === y;
      const moves = next[unit][0] !== x || next[unit][1] !== y;
      const status = home ? STATUS.arrived : moves ? STATUS.going : STATUS.waiting;
      pane.table.put(unit, x, y, x, y, 0, 0, 1, unit % 6, status, 0);
    });
    pane.table.alive = cells.length;
    pane.history.push(tick, pane.table);
  });
  pane.clock.seek(0);
  pane.clock.playing = true;
}

function showViolations(app, timebar, pane, plan) {
  const found = violations(plan.ticks, pane.map);
  timebar.mark(found.map(({ tick, kind }) => ({ tick, title: `tick ${tick}: ${kind}` })));
  const note = `${format(plan.ticks[0].length)} units, ${format(plan.ticks.length - 1)} ticks: ${found.length ? `${format(found.length)} violations` : "no violation"}.`;
  toast(note, found.length ? "error" : "note");
  byId("violations")?.remove();
  if (!found.length) return;
  byId("time").insertBefore(jumper(app, timebar, pane, found), byId("tick"));
}

/** Buttons that go to the violation before and after. */
function jumper(app, timebar, pane, found) {
  let index = -1;
  const text = make("span", {}, `${format(found.length)} violations`);
  const go = (by) => {
    index = Math.min(found.length - 1, Math.max(0, index + by));
    const { tick, kind, units, cell } = found[index];
    timebar.seek(tick);
    app.select(units);
    app.moveCamera(pane, (camera) => camera.moveTo(cell[0], cell[1]));
    text.textContent = `${index + 1} of ${format(found.length)}: ${kind}`;
  };
  app.addEventListener("panes", () => { byId("violations")?.remove(); timebar.mark([]); }, { once: true });
  return make("div", { id: "violations", class: "group violations" },
    make("button", { class: "icon", title: "Violation before", onclick: () => go(-1) }, icon("previous")), text,
    make("button", { class: "icon", title: "Next violation", onclick: () => go(1) }, icon("next")));
}
