/** Time: pause, step, speed, restart with a seed, and the timeline of the recent past. */
import { byId, format, icon, make } from "./dom.js";

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
const EVERY_MS = 100;

export class TimeBar {
  constructor(app) {
    this.app = app;
    const button = (name, title, action) => make("button", { class: "icon", id: `time-${name}`, title, "aria-label": title, onclick: action }, icon(name));
    this.play = button("pause", "Pause or go on (Space)", () => this.toggle());
    this.stepper = button("step", "One tick (.)", () => this.step(1));
    this.restart = button("restart", "Restart with the seed", () => this.restartAll());
    this.seed = make("input", { id: "seed", type: "number", min: 0, step: 1, title: "Seed of the random generator", "aria-label": "Seed" });
    this.speed = make("select", { id: "speed", title: "Speed ([ and ])", "aria-label": "Speed", onchange: () => this.setSpeed(Number(this.speed.value)) },
      ...SPEEDS.map((value) => make("option", { value }, `${value}×`)));
    this.slider = make("input", { id: "timeline", type: "range", min: 0, max: 0, step: 0.05, "aria-label": "Timeline of the recent past", oninput: () => this.seek(Number(this.slider.value)) });
    this.ticks = make("ol", { class: "ticks", "aria-hidden": "true" });
    this.tick = make("output", { id: "tick" });
    this.live = make("button", { id: "live", class: "live", title: "Back to the newest tick", onclick: () => this.goLive() }, icon("live"), "Live");
    byId("time").append(make("div", { class: "group" }, this.restart, this.play, this.stepper, this.speed),
      make("div", { class: "line" }, this.slider, this.ticks), this.tick, this.live,
      make("label", { class: "seed" }, make("span", {}, "Seed"), this.seed));
    this.seed.addEventListener("keydown", (event) => { if (event.key === "Enter") this.restartAll(); });
    app.on("hello", ({ message }) => this.greet(message));
    setInterval(() => this.refresh(), EVERY_MS);
  }

  get clocks() { return this.app.panes.map((pane) => pane.clock); }

  greet({ world }) {
    this.seed.value = world.seed ?? 0;
    if (world.speed) this.showSpeed(world.speed);
  }

  /** Others may have set a speed that is not in the list. */
  showSpeed(value) {
    const known = [...this.speed.options].some((option) => Number(option.value) === value);
    if (!known) this.speed.append(make("option", { value }, `${format(value, 2)}×`));
    this.speed.value = String(value);
  }

  /** Pauses or resumes the worlds; in the past, plays from there. */
  toggle() {
    const { clock } = this.app.pane;
    if (clock.live && !this.app.recording) return this.setPaused(!clock.paused);
    const atEnd = clock.time >= this.app.pane.history.last;
    for (const each of this.clocks) {
      each.live = false;
      each.playing = !clock.playing || atEnd;
      if (atEnd) each.time = this.app.pane.history.first;
    }
    return undefined;
  }

  setPaused(paused) {
    this.app.broadcast(paused ? "pause" : "resume");
    for (const pane of this.app.panes) {
      pane.clock.paused = paused;
      if (pane.status) pane.status.paused = paused;
    }
  }

  step(by) {
    const { clock } = this.app.pane;
    if (by < 0 || !clock.live || this.app.recording) return this.seek(Math.round(clock.time) + by);
    if (!clock.paused) this.setPaused(true);
    return this.app.broadcast("step");
  }

  seek(time) {
    for (const pane of this.app.panes) {
      pane.clock.seek(Math.min(pane.history.last, Math.max(pane.history.first, time)));
      pane.clock.playing = false;
    }
  }

  goLive() {
    if (this.app.recording) return this.seek(this.app.pane.history.last);
    return this.clocks.forEach((clock) => clock.goLive());
  }

  setSpeed(value) {
    this.showSpeed(value);
    this.speed.blur();
    this.app.broadcast("speed", { value });
    for (const pane of this.app.panes) {
      pane.setPace({ speed: value, paused: pane.clock.paused });
    }
  }

  faster(by) {
    const index = SPEEDS.indexOf(Number(this.speed.value));
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, index + by))]);
  }

  restartAll() {
    if (this.app.recording) return this.seek(this.app.pane.history.first);
    this.goLive();
    return this.app.broadcast("restart", { seed: Number(this.seed.value) });
  }

  refresh() {
    const { pane } = this.app;
    if (!pane) return;
    const { clock, history } = pane;
    const running = clock.live ? !clock.paused : clock.playing;
    if (this.running !== running) {
      this.running = running;
      this.play.replaceChildren(icon(running ? "pause" : "play"));
    }
    this.slider.min = history.first;
    this.slider.max = Math.max(history.last, history.first + 1);
    const shown = clock.live ? history.last : clock.time;
    this.slider.value = shown;
    const part = (shown - history.first) / Math.max(1, history.last - history.first);
    this.slider.style.setProperty("--done", `${Math.min(100, Math.max(0, part * 100))}%`);
    this.live.setAttribute("aria-pressed", clock.live);
    const behind = Math.round(history.last - clock.time);
    this.tick.textContent = clock.live || this.app.recording ? `tick ${format(Math.max(0, Math.round(clock.time)))}` : `${format(behind)} ticks ago`;
  }

  /** Marks on the timeline, such as violations: `{ tick, title }`. */
  mark(marks) {
    const { first, last } = this.app.pane.history;
    this.ticks.replaceChildren(...marks.slice(0, 200).map(({ tick, title }) =>
      make("li", { style: `left:${((tick - first) / Math.max(1, last - first)) * 100}%`, title })));
  }
}
