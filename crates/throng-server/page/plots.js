/** Plots over the last minutes: milliseconds per tick, arrived, waiting, replans and expansions per second. */
import { format, make } from "./dom.js";
import { plannerTitle } from "./planners.js";
import { rgb } from "./palette.js";

const POINTS_MAX = 240;
const PLOTS = [
  ["tick_ms", "Time per tick", "ms", 2],
  ["arrived", "Arrived", "units", 0],
  ["waiting", "Waiting", "units", 0],
  ["replans", "Replans", "per second", 0],
  ["expanded", "Expansions", "per second", 0],
];
const WIDTH = 252;
const HEIGHT = 44;

export class Plots {
  constructor(app) {
    this.app = app;
    /** Status messages by pane, oldest first. */
    this.series = new Map();
    this.plots = PLOTS.map(([name, title, unit, digits]) => {
      const canvas = make("canvas", { width: WIDTH * 2, height: HEIGHT * 2 });
      const value = make("output");
      return { name, unit, digits, canvas, value, element: make("figure", { class: "plot" }, make("figcaption", {}, make("span", {}, title), value), canvas) };
    });
    this.element = make("div", { class: "plots" }, ...this.plots.map((plot) => plot.element));
    app.on("text", ({ pane, message }) => { if (message.type === "status") this.take(pane, message); });
    app.on("hello", ({ pane }) => this.series.set(pane, []));
    app.on("panes", () => this.series.clear());
    app.on("theme", () => this.draw());
  }

  take(pane, message) {
    const series = this.series.get(pane) ?? [];
    const before = series[series.length - 1]?.totals;
    const rate = (name) => (before && message[name] >= before[name] ? message[name] - before[name] : 0);
    series.push({ ...message, replans: rate("replans"), expanded: rate("expanded"), totals: message });
    if (series.length > POINTS_MAX) series.shift();
    this.series.set(pane, series);
    this.draw();
  }

  draw() {
    if (!this.element.offsetParent) return;
    const lines = this.app.panes.map((pane) => ({ pane, points: this.series.get(pane) ?? [] }));
    for (const plot of this.plots) this.drawPlot(plot, lines);
  }

  drawPlot({ name, unit, digits, canvas, value }, lines) {
    const context = canvas.getContext("2d");
    context.setTransform(2, 0, 0, 2, 0, 0);
    context.clearRect(0, 0, WIDTH, HEIGHT);
    const most = Math.max(1e-9, ...lines.flatMap(({ points }) => points.map((point) => point[name] ?? 0)));
    value.textContent = lines.map(({ pane, points }) => {
      const last = format(points.at(-1)?.[name], digits);
      return lines.length > 1 ? `${plannerTitle(pane.hello?.world.planner ?? "")} ${last}` : `${last} ${unit}`;
    }).join(" · ");
    lines.forEach(({ pane, points }, index) => {
      if (pane.scheme && points.length > 1) drawLine(context, points.map((point) => (point[name] ?? 0) / most), pane.scheme.teams[lines.length > 1 ? 1 - index : 0]);
    });
  }
}

function drawLine(context, values, colour) {
  const x = (index) => WIDTH - 1 - ((values.length - 1 - index) * (WIDTH - 2)) / Math.max(60, values.length - 1);
  const y = (value) => HEIGHT - 2 - value * (HEIGHT - 6);
  context.beginPath();
  values.forEach((value, index) => context[index ? "lineTo" : "moveTo"](x(index), y(value)));
  context.strokeStyle = colour;
  context.lineWidth = 1.75;
  context.lineJoin = "round";
  context.stroke();
  context.lineTo(x(values.length - 1), HEIGHT);
  context.lineTo(x(0), HEIGHT);
  context.fillStyle = `rgba(${rgb(colour).join(",")},0.12)`;
  context.fill();
}
