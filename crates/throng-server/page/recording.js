/**
 * Shows a plan or a replay from a file as a recording in a pane of its own: scrub it, and jump from violation to
 * violation.
 *
 * The server reads a plan in any format that throng knows, or runs a replay again, and its referee checks it.
 */
import * as api from "./api.js";
import { KIND, bytesOf, decode } from "./protocol.js";
import { STATUS } from "./palette.js";
import { byId, format, icon, make } from "./dom.js";
import { toast } from "./toast.js";

const TICKS_PER_SECOND = 6;
/** Whether a file begins as maps in the formats of MovingAI do. */
export const isMap = ({ text }) => /^(type|height|width)\s|^\d+,\d+\s/.test(text);

/** The scale at which a violation is looked at, at least, in pixels per cell. */
const NEAR_SCALE = 18;
const counted = (count, what) => (count === 1 ? `1 ${what}` : `${format(count)} ${what}s`);

/** Shows the plan among the files; a map may be among them, else the shown world's map is taken if the plan fits. */
export async function showRecording(app, timebar, files) {
  const map = files.find(isMap);
  const plan = files.find((file) => file !== map);
  if (!plan) throw new Error("Choose a plan; a map alone shows nothing. Both files can be chosen together.");
  const world = map || app.recording ? undefined : app.pane.hello?.world.id;
  const answer = await api.recording({ plan: plan.text, map: map?.text, world });
  const [pane] = app.show([null]);
  fillPane(pane, answer, plan.name);
  app.emit("hello", { pane, message: pane.hello });
  app.emit("state", { pane, state: "recording" });
  showViolations(app, timebar, pane, answer.violations, `${counted(answer.paths.length, "unit")}, ${format(answer.makespan)} ticks`);
}

/** Shows a replay of throng: the messages that viewers of that world were sent. */
export async function showReplay(app, timebar, { name, bytes }) {
  const messages = await api.replayMessages(bytes);
  const [pane] = app.show([null]);
  const verdict = playMessages(pane, messages, name);
  pane.clock.seek(pane.history.first);
  pane.clock.playing = true;
  app.emit("hello", { pane, message: pane.hello });
  app.emit("state", { pane, state: "recording" });
  const count = pane.table.alive;
  const cut = verdict.truncated ? `, the first ${format(verdict.ticks)} of ${format(verdict.recorded)} ticks` : `, ${format(verdict.ticks)} ticks`;
  showViolations(app, timebar, pane, verdict.violations, `${counted(count, "unit")}${cut}`);
}

/** Gives a pane every message of a replay; returns the referee's verdict, which comes last. */
function playMessages(pane, buffer, name) {
  const view = new DataView(buffer);
  let text = null;
  for (let at = 0; at < buffer.byteLength;) {
    const [kind, length] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    const bytes = buffer.slice(at + 8, at + 8 + length);
    at += 8 + length;
    if (kind === 1) pane.receiveBinary(decode(bytes));
    else {
      text = JSON.parse(new TextDecoder().decode(bytes));
      if (text.type === "hello") pane.receive({ ...text, world: { ...text.world, id: name, name } });
    }
  }
  return text;
}

function fillPane(pane, { map, paths, goals, solver }, name) {
  pane.receive({
    type: "hello", protocol: 1, recording: true,
    world: { id: name, name, planner: solver ?? "plan", width: map.width, height: map.height, tick_hz: TICKS_PER_SECOND, speed: 1, paused: false },
    profiles: [{ id: 0, name: "unit", size: 1, pace: 1 }], teams: [{ id: 0, name: "units" }], terrains: map.terrains, buildings: [],
  });
  pane.receiveBinary({ kind: KIND.map, width: map.width, height: map.height, cells: bytesOf(map.cells) });
  const length = Math.max(...paths.map((path) => path.length));
  for (let tick = 0; tick < length; tick++) {
    paths.forEach((path, unit) => putUnit(pane.table, path, goals[unit], unit, tick));
    pane.table.alive = paths.length;
    pane.history.push(tick, pane.table);
  }
  pane.clock.seek(0);
  pane.clock.playing = true;
}

function putUnit(table, path, goal, unit, tick) {
  const [x, y] = path[Math.min(tick, path.length - 1)];
  const [nextX, nextY] = path[Math.min(tick + 1, path.length - 1)];
  const moves = nextX !== x || nextY !== y;
  const home = goal && goal[0] === x && goal[1] === y && !moves;
  const status = home ? STATUS.arrived : moves ? STATUS.going : STATUS.waiting;
  table.put(unit, x, y, x, y, 0, 0, 1, unit % 6, status, 0);
}

function showViolations(app, timebar, pane, violations, what) {
  timebar.mark(violations.map(({ tick, message }) => ({ tick, title: message })));
  const verdict = violations.length ? counted(violations.length, "violation") : "the referee finds no violation";
  toast(`${what}: ${verdict}.`, violations.length ? "error" : "note");
  byId("violations")?.remove();
  if (!violations.length) return;
  byId("time").insertBefore(jumper(app, timebar, pane, violations), byId("tick"));
}

/** Buttons that go to the violation before and after. */
function jumper(app, timebar, pane, violations) {
  let index = -1;
  const text = make("span", {}, counted(violations.length, "violation"));
  const go = (by) => {
    index = Math.min(violations.length - 1, Math.max(0, index + by));
    const { tick, message, units, cells } = violations[index];
    timebar.seek(tick);
    app.select(units);
    if (cells.length) app.moveCamera(pane, (camera) => { camera.scale = Math.max(camera.scale, NEAR_SCALE); camera.moveTo(...cells[0]); });
    text.textContent = `${index + 1} of ${format(violations.length)}: ${message}`;
  };
  app.addEventListener("panes", () => { byId("violations")?.remove(); timebar.mark([]); }, { once: true });
  return make("div", { id: "violations", class: "group violations" },
    make("button", { class: "icon", title: "Violation before", onclick: () => go(-1) }, icon("previous")), text,
    make("button", { class: "icon", title: "Next violation", onclick: () => go(1) }, icon("next")));
}
