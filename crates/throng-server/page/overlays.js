/**
 * Overlays: plans and routes of the selected units as lines, and one layer of cells (reservations, true distances,
 * heat of waiting, components, clusters, jams) that the server computes on request.
 */
import { make } from "./dom.js";
import { bytesOf } from "./protocol.js";
import { heat, hues } from "./layer_colours.js";
import { teamColour } from "./palette.js";

const EVERY_MS = 800;
/** How many ticks ahead reservations can be seen. */
const AHEAD_MAX = 32;
/** Milliseconds after which a layer that hardly changes is asked for again, though no cell was edited. */
const SLOW = { distance: 5_000, components: 60_000, hierarchy: 60_000, clusters: 60_000, zones: 60_000 };
export const LAYERS = [
  ["none", "None", ""],
  ["reservations", "Reservations", "cells claimed at a tick"],
  ["distance", "True distances", "from every cell to the selected unit's goal"],
  ["heat", "Waiting", "where units have waited"],
  ["components", "Components", "cells connected with each other"],
  ["hierarchy", "Hierarchy", "clusters of HPA* and their transitions"],
  ["clusters", "Regions", "rooms of the map and the doors between them"],
  ["zones", "Zones and gates", "convex parts of the ground and the openings between them"],
  ["jams", "Jams", "units that come no nearer to their goals"],
];

export class Overlays {
  constructor(app, inspector) {
    Object.assign(this, { app, inspector, layer: "none", ahead: 0, asked: 0, askedVersion: -1, lines: { plans: true, routes: false }, vectors: new Map() });
    this.element = make("div", { class: "overlays" }, make("h3", {}, "Selected units"), ...this.toggles(), make("h3", {}, "Map"), ...this.radios(), this.ticksAhead());
    app.painters.push((context, pane) => this.paint(context, pane));
    app.on("text", ({ pane, message }) => { if (message.type === "overlay") this.take(pane, message); });
    app.on("selection", () => this.ask());
    app.on("hello", () => this.choose(this.layer));
    setInterval(() => this.ask(false), EVERY_MS);
    inspector.many = true;
  }

  toggles() {
    const toggle = (name, title) => make("label", { class: "check" }, make("input", {
      type: "checkbox", id: `lines-${name}`, checked: this.lines[name], onchange: (event) => { this.lines[name] = event.target.checked; },
    }), title);
    return [toggle("plans", "Plans, by tick"), toggle("routes", "Routes")];
  }

  radios() {
    return LAYERS.map(([name, title, hint]) => make("label", { class: "check" }, make("input", {
      type: "radio", name: "layer", id: `layer-${name}`, checked: name === this.layer, onchange: () => this.choose(name),
    }), make("span", {}, title, hint ? make("small", {}, hint) : null)));
  }

  /** At which tick reservations are shown: now, or up to the end of the windows. */
  ticksAhead() {
    const shown = make("output", {}, "now");
    const slider = make("input", { id: "ahead", type: "range", min: 0, max: AHEAD_MAX, value: 0, oninput: () => {
      this.ahead = Number(slider.value);
      shown.textContent = this.ahead ? `in ${this.ahead} ticks` : "now";
      this.ask();
    } });
    this.aheadRow = make("label", { class: "ahead", hidden: true }, make("span", {}, "Reservations"), slider, shown);
    return this.aheadRow;
  }

  choose(layer) {
    this.layer = layer;
    this.aheadRow.hidden = layer !== "reservations";
    this.vectors.clear();
    for (const pane of this.app.panes) if (pane.map.terrains.length) pane.setLayer(null);
    this.ask();
  }

  ask(isForced = true) {
    if (this.layer === "none" || this.app.recording) return;
    if (!isForced && !this.isStale()) return;
    const [unit] = this.app.selection;
    if (this.layer === "distance" && unit === undefined) return;
    for (const pane of this.app.panes) pane.send("overlay", { kind: this.layer, unit, tick: this.layer === "reservations" ? pane.history.last + this.ahead : undefined });
  }

  /** Whether the layer may have changed: what depends on the map alone is asked for again after edits only. */
  isStale() {
    const slow = SLOW[this.layer];
    if (slow === undefined) return true;
    const version = this.app.panes.reduce((sum, pane) => sum + pane.map.version, 0);
    this.asked++;
    if (version === this.askedVersion && this.asked * EVERY_MS < slow) return false;
    [this.askedVersion, this.asked] = [version, 0];
    return true;
  }

  take(pane, message) {
    if (message.kind !== this.layer) return;
    const cells = pane.map.width * pane.map.height;
    if (message.kind === "heat") pane.setLayer(heat(bytesOf(message.cells ?? message.values), cells, 255));
    else if (message.kind === "components") pane.setLayer(hues(new Uint16Array(bytesOf(message.cells ?? message.values).buffer), cells));
    else if (message.kind === "distance") this.takeDistances(pane, message, cells);
    else this.vectors.set(pane, message);
  }

  takeDistances(pane, message, cells) {
    if (!message.cells && !message.values) return;
    const values = new Uint32Array(bytesOf(message.cells ?? message.values).buffer);
    let most = 1;
    for (const value of values) if (value !== 0xffffffff && value > most) most = value;
    pane.setLayer(heat(values, cells, most, 0xffffffff));
  }

  paint(context, pane) {
    if (pane === this.app.pane || this.app.comparing) this.paintLines(context, pane);
    const message = this.vectors.get(pane);
    if (!message) return this.inspector.answers.size > 0;
    if (message.kind === "reservations") this.paintCells(context, pane, message.cells ?? []);
    if (message.kind === "clusters" || message.kind === "hierarchy") this.paintClusters(context, pane, message);
    if (message.kind === "zones") this.paintZones(context, pane, message);
    if (message.kind === "jams") this.paintJams(context, pane, message);
    return true;
  }

  paintLines(context, pane) {
    const { table, camera, scheme } = pane;
    for (const [id, answer] of this.inspector.answers) {
      const slot = table.slotOf(id);
      if (slot === undefined || !this.app.selection.has(id)) continue;
      const half = table.size[slot] / 2;
      context.strokeStyle = teamColour(scheme, table.team[slot]);
      context.lineCap = context.lineJoin = "round";
      const trace = (cells, width, dash, alpha) => {
        context.globalAlpha = alpha;
        context.lineWidth = width;
        context.setLineDash(dash);
        context.beginPath();
        cells.forEach(([x, y], index) => context[index ? "lineTo" : "moveTo"](...camera.toScreen(x + half, y + half)));
        context.stroke();
      };
      if (this.lines.routes && answer.route?.length > 1) trace(answer.route, 2, [2, 6], 0.75);
      if (this.lines.plans && answer.plan?.length > 1) trace(answer.plan, 3, [], 0.9);
      if (answer.destination) this.paintGoal(context, pane, answer.destination, half);
    }
  }

  paintGoal(context, pane, [x, y], half) {
    context.setLineDash([]);
    context.globalAlpha = 1;
    context.lineWidth = 2;
    const [px, py] = pane.camera.toScreen(x + half, y + half);
    context.strokeRect(px - 4, py - 4, 8, 8);
  }

  paintCells(context, pane, cells) {
    const { camera, table, scheme } = pane;
    context.globalAlpha = 0.35;
    for (const [x, y, unit] of cells) {
      const slot = table.slotOf(unit);
      context.fillStyle = slot === undefined ? scheme.marks.plan : teamColour(scheme, table.team[slot]);
      const [px, py] = camera.toScreen(x, y);
      context.fillRect(px, py, camera.scale, camera.scale);
    }
  }

  paintClusters(context, pane, { rects = [], transitions = [] }) {
    const { camera, scheme } = pane;
    context.strokeStyle = scheme.marks.ok;
    context.lineWidth = 1;
    context.globalAlpha = 0.7;
    for (const [x, y, w, h] of rects) {
      const [px, py] = camera.toScreen(x, y);
      context.strokeRect(px, py, w * camera.scale, h * camera.scale);
    }
    context.globalAlpha = 1;
    context.fillStyle = scheme.marks.ok;
    context.lineWidth = 2;
    context.beginPath();
    for (const [x0, y0, x1, y1] of transitions) {
      const [px, py] = camera.toScreen(x0 + 0.5, y0 + 0.5);
      context.fillRect(px - 1.5, py - 1.5, 3, 3);
      context.moveTo(px, py);
      context.lineTo(...camera.toScreen(x1 + 0.5, y1 + 0.5));
    }
    context.stroke();
  }

  /** Zones in changing tints, so that neighbours differ; gates as bars on the borders that they open. */
  paintZones(context, pane, { rects = [], gates = [] }) {
    const { camera, scheme } = pane;
    const gap = Math.min(1, camera.scale * 0.08);
    rects.forEach(([x, y, w, h], index) => {
      const [px, py] = camera.toScreen(x, y);
      const [width, height] = [w * camera.scale, h * camera.scale];
      if (px > camera.width || py > camera.height || px + width < 0 || py + height < 0) return;
      context.globalAlpha = 0.22;
      context.fillStyle = teamColour(scheme, index);
      context.fillRect(px + gap, py + gap, width - 2 * gap, height - 2 * gap);
    });
    context.globalAlpha = 1;
    context.strokeStyle = scheme.marks.ok;
    context.lineWidth = Math.min(4, Math.max(1.5, camera.scale * 0.2));
    context.beginPath();
    for (const [x0, y0, x1, y1] of gates) {
      context.moveTo(...camera.toScreen(x0, y0));
      context.lineTo(...camera.toScreen(x1, y1));
    }
    context.stroke();
  }

  paintJams(context, pane, { cells = [] }) {
    const { camera, table, scheme } = pane;
    context.strokeStyle = scheme.marks.warn;
    context.lineWidth = 2;
    for (const [x, y, unit] of cells) {
      const size = table.size[table.slotOf(unit)] ?? 1;
      const [px, py] = camera.toScreen(x + size / 2, y + size / 2);
      context.beginPath();
      context.arc(px, py, size * camera.scale * 0.7, 0, 2 * Math.PI);
      context.stroke();
    }
  }
}
