/** The line of counters at the top of each pane: planner, tick, arrived, waiting, stuck, milliseconds per tick. */
import { format, make } from "./dom.js";
import { STATUS } from "./palette.js";
import { plannerTitle } from "./planners.js";

const EVERY_MS = 200;

export function startHud(app) {
  setInterval(() => app.panes.forEach((pane) => refresh(app, pane)), EVERY_MS);
}

/** A value with its name; `mark` is the class that gives it a shape of its own. */
const counter = (name, value, mark) => make("span", { class: `counter ${mark ?? ""}` }, make("b", {}, value), ` ${name}`);

function refresh(app, pane) {
  if (!pane.hello) return;
  const { counts, total } = countsOf(pane);
  const parts = [];
  if (app.comparing || !pane.link) parts.push(make("strong", { class: "planner" }, plannerTitle(pane.hello.world.planner)));
  parts.push(counter(`of ${format(total)} arrived`, format(counts[STATUS.arrived]), "arrived"));
  parts.push(counter("waiting", format(counts[STATUS.waiting]), "waiting"));
  if (counts[STATUS.stuck]) parts.push(counter("stuck", format(counts[STATUS.stuck]), "stuck"));
  if (counts[STATUS.unreachable]) parts.push(counter("unreachable", format(counts[STATUS.unreachable]), "unreachable"));
  if (pane.status) parts.push(counter("ms per tick", format(pane.status.tick_ms, pane.status.tick_ms < 10 ? 1 : 0), "cost"));
  parts.splice(app.comparing ? 1 : parts.length, 0, counter("", `tick ${format(Math.max(0, Math.round(pane.clock.time)))}`, "tick"));
  pane.hud.replaceChildren(...parts, bar(counts, total));
}

/** Units by status at the moment that is drawn, or as the server counts all if it sends a part of them. */
function countsOf({ instances, status, view }) {
  const counts = instances.statusCounts();
  if (!view || !status) return { counts, total: instances.count };
  [counts[STATUS.arrived], counts[STATUS.waiting], counts[STATUS.stuck]] = [status.arrived, status.waiting, status.stuck];
  return { counts, total: status.units };
}

/** Arrived, moving and blocked units as parts of one bar. */
function bar(counts, total) {
  const part = (className, count) => make("i", { class: className, style: `flex:${count}` });
  const blocked = counts[STATUS.stuck] + counts[STATUS.unreachable];
  const rest = Math.max(0, total - counts[STATUS.arrived] - counts[STATUS.waiting] - blocked);
  return make("span", { class: "shares", "aria-hidden": "true" },
    part("arrived", counts[STATUS.arrived]), part("going", rest), part("waiting", counts[STATUS.waiting]), part("stuck", blocked));
}
