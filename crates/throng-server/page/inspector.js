/** What one selected unit does: order, queue, status, why it does not move, plan, and what it has cost. */
import { format, make } from "./dom.js";
import { STATUSES, teamColour } from "./palette.js";

const EVERY_MS = 500;
/** Most units that are asked about at once, so that the server's limit of messages is kept. */
const ASKED_MAX = 16;

export class Inspector {
  constructor(app) {
    this.app = app;
    this.element = make("div", { id: "inspector" });
    /** The newest answers by unit id, for the overlay of plans. */
    this.answers = new Map();
    app.on("selection", () => { this.answers.clear(); this.ask(); this.show(); });
    app.on("text", ({ pane, message }) => { if (message.type === "unit" && pane === app.pane) this.take(message); });
    setInterval(() => this.ask(), EVERY_MS);
    this.show();
  }

  /** Asks for the first selected units; `count` rises when plans of several are drawn. */
  ask() {
    if (!this.app.pane || this.app.recording) return;
    const count = this.many ? ASKED_MAX : 1;
    for (const unit of [...this.app.selection].slice(0, count)) this.app.pane.send("inspect", { unit });
  }

  take(message) {
    if (!this.app.selection.has(message.unit)) return;
    this.answers.set(message.unit, message);
    if (message.unit === this.app.selection.values().next().value) this.show(message);
  }

  show(answer = null) {
    if (!this.app.selection.size) return this.element.replaceChildren(...this.legend());
    const unit = answer?.unit ?? this.app.selection.values().next().value;
    const { table, hello, scheme } = this.app.pane;
    const slot = table.slotOf(unit);
    if (slot === undefined) return undefined;
    const profile = hello.profiles.find((each) => each.id === table.profile[slot]);
    const head = make("div", { class: "who" }, make("i", { class: "swatch big", style: `--dot:${teamColour(scheme, table.team[slot])}` }),
      make("div", {}, make("strong", {}, `Unit ${unit}`), make("small", {}, `${profile?.name ?? "unit"} · ${STATUSES[table.status[slot]]?.name ?? "absent"}`)));
    const rows = answer ? this.rows(answer) : [make("p", { class: "faint" }, this.app.recording ? "Recordings have positions only." : "Asking the server …")];
    const rest = this.app.selection.size > 1 ? [make("p", { class: "faint" }, `First of ${format(this.app.selection.size)} selected units.`)] : [];
    return this.element.replaceChildren(head, ...rows, ...rest);
  }

  rows(answer) {
    const row = (name, value) => (value === undefined || value === null || value === "" ? null : make("div", { class: "fact" }, make("dt", {}, name), make("dd", {}, value)));
    const cell = (at) => (at ? `${at[0]}, ${at[1]}` : null);
    const { cost = {} } = answer;
    return [
      answer.why ? make("p", { class: "why", id: "why" }, answer.why) : null,
      make("dl", {},
        ...[row("Order", describeOrder(answer.order)), row("Then", (answer.queue ?? []).map(describeOrder).join(" → ")),
          row("Destination", cell(answer.destination)),
          row("Planned", answer.plan?.length ? `${answer.plan.length} steps, to tick ${answer.plan[answer.plan.length - 1][2]}` : null),
          row("Route", answer.route?.length ? `${format(answer.route.length)} cells` : null),
          row("Size, pace", answer.size ? `${answer.size} × ${answer.size}, ${answer.pace} ${answer.pace === 1 ? "tick" : "ticks"} per step` : null),
          row("Expansions", cost.expanded === undefined ? null : format(cost.expanded)),
          row("Replans", cost.replans === undefined ? null : format(cost.replans)),
          row("Waited", cost.waited === undefined ? null : `${format(cost.waited)} ticks`)].filter(Boolean)),
    ].filter(Boolean);
  }

  /** Without a selection: how to read the marks. */
  legend() {
    const shapes = ["going", "waiting", "stuck", "arrived", "idle", "holding", "unreachable", "planning"];
    return [make("p", { class: "faint" }, "Click a unit to see its order, its plan, and why it waits."),
      make("ul", { class: "legend" }, ...shapes.map((name) => make("li", {}, make("i", { class: `shape ${name}` }), name)))];
  }
}

/** An order in words; the server sends text or an object. */
function describeOrder(order) {
  if (!order) return null;
  if (typeof order === "string") return order.replaceAll("_", " ");
  const kind = (order.kind ?? "").replaceAll("_", " ");
  const cells = (order.cells ?? []).slice(0, 3).map((at) => `${at[0]}, ${at[1]}`).join("; ");
  const target = order.target === undefined || order.target === null ? "" : ` unit ${order.target}`;
  return `${kind}${cells ? ` to ${cells}` : ""}${target}`;
}
