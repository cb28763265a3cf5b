/** Draws every pane once per animation frame and measures how many frames are drawn. */
import { byId, format } from "./dom.js";

const MEASURED_FRAMES = 120;
const SECONDS_MAX = 0.25;

export function startLoop(app) {
  const meter = new Meter(app);
  let before = performance.now();
  const frame = (now) => {
    const seconds = Math.min(SECONDS_MAX, (now - before) / 1000);
    const begun = performance.now();
    for (const pane of app.panes) {
      pane.resize();
      pane.draw(seconds, now);
      drawMarks(app, pane, now);
    }
    meter.frame(now - before, performance.now() - begun);
    before = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  return meter;
}

function drawMarks(app, pane, now) {
  const context = pane.marks.getContext("2d");
  context.setTransform(pane.ratio, 0, 0, pane.ratio, 0, 0);
  if (pane.marked) context.clearRect(0, 0, pane.camera.width, pane.camera.height);
  pane.marked = false;
  if (!pane.scheme) return;
  for (const paint of app.painters) {
    context.save();
    if (paint(context, pane, now)) pane.marked = true;
    context.restore();
  }
}

/** The frame rate of the page, shown on demand. Tests read `throngMeter` of the window. */
class Meter {
  constructor(app) {
    this.app = app;
    this.element = byId("meter");
    this.intervals = [];
    this.works = [];
    this.started = performance.now();
    this.firstPicture = null;
    window.throngMeter = this;
  }

  frame(interval, work) {
    this.intervals.push(interval);
    this.works.push(work);
    if (this.intervals.length > MEASURED_FRAMES) {
      this.intervals.shift();
      this.works.shift();
    }
    if (this.firstPicture === null && this.app.pane?.instances.count) this.firstPicture = performance.now();
    if (!this.element.hidden && this.intervals.length % 10 === 0) this.show();
  }

  /** Frames per second, milliseconds of work per frame, units and bytes. */
  measure() {
    const mean = (list) => list.reduce((sum, each) => sum + each, 0) / Math.max(1, list.length);
    const { app } = this;
    const bytes = app.panes.reduce((sum, pane) => sum + (pane.link?.bytes ?? 0), 0);
    return {
      fps: 1000 / mean(this.intervals), work: mean(this.works), bytes,
      units: app.panes.reduce((sum, pane) => sum + pane.instances.count, 0),
      drawer: app.pane?.drawer.name, firstPicture: this.firstPicture,
      seconds: (performance.now() - this.started) / 1000,
    };
  }

  toggle() {
    this.element.hidden = !this.element.hidden;
    if (!this.element.hidden) this.show();
  }

  show() {
    const { fps, work, units, drawer, bytes, seconds } = this.measure();
    this.element.textContent = `${format(fps)} fps · ${format(work, 1)} ms per frame · ${format(units)} units · ${drawer} · ${format(bytes / seconds / 1024)} KiB/s`;
  }
}
