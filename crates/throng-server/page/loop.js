/** Draws every pane once per animation frame and measures how many frames are drawn. */
import { byId, format } from "./dom.js";

const MEASURED_FRAMES = 120;
const SECONDS_MAX = 0.25;
const SHOW_EVERY = 15;

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

/** What lies above the units. The canvas is hidden while it is empty: browsers that draw in software pay for it. */
function drawMarks(app, pane, now) {
  const { pen } = pane;
  pen.setTransform(pane.ratio, 0, 0, pane.ratio, 0, 0);
  if (pane.marked) pen.clearRect(0, 0, pane.camera.width, pane.camera.height);
  let marked = false;
  if (pane.scheme) {
    for (const paint of app.painters) {
      pen.save();
      if (paint(pen, pane, now)) marked = true;
      pen.restore();
    }
  }
  if (marked !== pane.marked) pane.marks.style.visibility = marked ? "visible" : "hidden";
  pane.marked = marked;
}

/** The frame rate of the page, shown on demand. Tests read `throngMeter` of the window. */
class Meter {
  constructor(app) {
    this.app = app;
    this.element = byId("meter");
    /** Milliseconds from frame to frame, and of the page's own script in each, in a ring. */
    this.intervals = new Float32Array(MEASURED_FRAMES);
    this.works = new Float32Array(MEASURED_FRAMES);
    this.frames = 0;
    this.started = performance.now();
    this.firstPicture = null;
    window.throngMeter = this;
  }

  frame(interval, work) {
    const place = this.frames % MEASURED_FRAMES;
    this.intervals[place] = interval;
    this.works[place] = work;
    this.frames++;
    if (this.firstPicture === null && this.app.pane?.instances.count) this.firstPicture = performance.now();
    if (!this.element.hidden && this.frames % SHOW_EVERY === 0) this.show();
  }

  /** Begins the measurement anew. */
  reset() {
    this.frames = 0;
  }

  /** Frames per second, milliseconds of script per frame (mean and 99th percentile), units and bytes. */
  measure() {
    const { app } = this;
    const count = Math.min(this.frames, MEASURED_FRAMES);
    const mean = (list) => list.subarray(0, count).reduce((sum, each) => sum + each, 0) / Math.max(1, count);
    const sorted = this.works.slice(0, count).sort();
    return {
      fps: 1000 / mean(this.intervals), work: mean(this.works), workP99: sorted[Math.floor((count - 1) * 0.99)] ?? 0,
      bytes: app.panes.reduce((sum, pane) => sum + (pane.link?.bytes ?? 0), 0),
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
    const { fps, work, workP99, units, drawer, bytes, seconds } = this.measure();
    this.element.textContent = `${format(fps)} fps · script ${format(work, 1)} ms per frame (p99 ${format(workP99, 1)}) · ${format(units)} units · ${drawer} · ${format(bytes / seconds / 1024)} KiB/s`;
  }
}
