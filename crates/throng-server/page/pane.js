/**
 * One world in one part of the stage: its connection, units, past, camera and canvases.
 *
 * A pane without a connection shows a recording. Events for the rest of the page: "hello", "text", "frame",
 * "state", "map".
 */
import { byId, make } from "./dom.js";
import { Camera } from "./camera.js";
import { CanvasDrawer } from "./draw_2d.js";
import { GlDrawer } from "./draw_gl.js";
import { History } from "./history.js";
import { Instances } from "./instances.js";
import { KIND, decode } from "./protocol.js";
import { Link } from "./link.js";
import { PastEdits } from "./past_edits.js";
import { PlaybackClock } from "./clock.js";
import { TerrainMap } from "./terrain_map.js";
import { UnitTable } from "./units.js";
import { colours } from "./palette.js";

/** Units that have moved by less than this, in real pixels, look the same: far views of large worlds need few pictures. */
const MOVED_PIXELS = 0.4;

export class Pane extends EventTarget {
  constructor() {
    super();
    this.element = make("section", { class: "pane" });
    this.ground = make("canvas");
    this.canvas = make("canvas");
    this.marks = make("canvas", { class: "marks" });
    this.pen = this.marks.getContext("2d");
    this.marked = false;
    this.hud = make("div", { class: "hud" });
    this.element.append(this.ground, this.canvas, this.marks, this.hud);
    byId("panes").append(this.element);
    this.drawer = GlDrawer.create(this.ground, this.canvas) ?? new CanvasDrawer(this.ground, this.canvas);
    this.camera = new Camera();
    this.table = new UnitTable();
    this.history = new History();
    this.clock = new PlaybackClock();
    this.instances = new Instances();
    this.map = new TerrainMap();
    this.edits = new PastEdits();
    /** The part of the map whose units the server sends; null for all. */
    this.view = null;
    this.hello = null;
    this.status = null;
    this.selected = new Set();
    this.frames = 0;
    /** Rises with every change of selection, layer or colours. */
    this.changes = 0;
    this.seen = { time: -1, camera: -1, map: -1, changes: -1, pushed: -1 };
  }

  emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** Follows a world of the server. */
  connect(world) {
    this.link?.close();
    this.link = new Link(`/v1/worlds/${encodeURIComponent(world)}/ws`, {
      decode,
      text: (message) => this.receive(message),
      frame: (message) => this.receiveBinary(message),
      state: (state) => this.emit("state", state),
    });
  }

  send(type, fields) {
    return this.link ? this.link.send(type, fields) : 0;
  }

  receive(message) {
    if (message.type === "hello") this.greet(message);
    if (message.type === "status") this.takeStatus(message);
    if (message.type === "buildings" && this.hello) this.hello.buildings = message.buildings;
    this.emit(message.type === "hello" ? "hello" : "text", message);
  }

  greet(message) {
    this.hello = message;
    this.table.clear();
    this.history.clear();
    this.clock = new PlaybackClock();
    this.setPace(message.world);
    this.map.describe(message.terrains);
    this.recolour(document.documentElement.dataset.theme);
  }

  setPace({ tick_hz: hz, speed, paused }) {
    if (hz) this.hz = hz;
    this.speed = speed ?? this.speed;
    this.clock.rate = Math.max(0.1, (this.hz ?? 10) * (this.speed || 1));
    this.clock.paused = Boolean(paused);
  }

  takeStatus(message) {
    this.status = message;
    this.setPace(message);
  }

  receiveBinary(message) {
    if (message.kind === KIND.map) this.takeMap(message);
    else if (message.kind === KIND.edit) this.takeEdit(message);
    else {
      this.frames++;
      this.table.apply(message);
      this.history.push(message.tick, this.table);
      this.clock.frame(message.tick, performance.now());
      this.emit("frame", message);
    }
  }

  /** An edit comes before the frame of its tick. */
  takeEdit({ terrain, cells }) {
    const tick = this.history.frames.length ? this.history.last + 0.5 : 0;
    this.edits.add(this.map, tick, terrain, cells);
    if (this.clock.live) this.edits.show(this.map, Infinity);
  }

  takeMap({ width, height, cells }) {
    const { terrains } = this.map;
    const resized = this.map.width !== width || this.map.height !== height;
    this.map = new TerrainMap(width, height, cells);
    this.edits = new PastEdits();
    this.map.describe(terrains);
    this.setLayer(null);
    this.drawer.setMap(this.map);
    this.camera.world = { width, height };
    this.emit("map", { resized });
  }

  recolour(theme) {
    if (!this.hello) return;
    this.scheme = colours(theme, this.hello.terrains);
    this.drawer.setColours(this.scheme);
    this.changes++;
  }

  /** Lays an RGBA byte per cell and channel over the ground, or nothing. */
  setLayer(rgba) {
    if (!rgba && !this.drawer.layer) return;
    this.drawer.setLayer(rgba);
    this.changes++;
  }

  resize() {
    const ratio = Math.min(2, devicePixelRatio || 1);
    const { clientWidth: width, clientHeight: height } = this.element;
    for (const canvas of [this.ground, this.canvas, this.marks]) {
      if (canvas.width === Math.round(width * ratio) && canvas.height === Math.round(height * ratio)) continue;
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      this.changes++;
    }
    this.camera.resize(width, height);
    this.ratio = ratio;
  }

  /** Draws the moment that the clock shows, unless nothing has changed since. Returns whether it drew. */
  draw(seconds, now) {
    this.clock.advance(seconds, now, this.history.last);
    this.edits.show(this.map, this.clock.live ? Infinity : this.clock.time);
    if (!this.isChanged()) return false;
    this.instances.fill(this.history, this.clock.time, this.table, this.selected);
    this.drawer.draw(this.camera, this.instances, this.ratio);
    return true;
  }

  isChanged() {
    const { seen, clock, camera, map, history } = this;
    // Units move by about a cell per tick, and have another status in another one.
    const moved = Math.abs(seen.time - clock.time) * camera.scale * (this.ratio ?? 1);
    const same = moved < MOVED_PIXELS && Math.floor(seen.time) === Math.floor(clock.time) && seen.camera === camera.version && seen.map === map.version
      && seen.changes === this.changes && seen.pushed === history.pushed;
    if (same) return false;
    seen.time = clock.time;
    seen.camera = camera.version;
    seen.map = map.version;
    seen.changes = this.changes;
    seen.pushed = history.pushed;
    return true;
  }

  /** Makes the next frame draw, whatever has changed. */
  redraw() {
    this.changes++;
    this.drawer.redraw();
  }

  /** The id of the unit at a pixel of the pane, or null. */
  unitAt(px, py) {
    const [x, y] = this.camera.toWorld(px, py);
    const index = this.instances.hit(x, y, 4 / this.camera.scale);
    return index < 0 ? null : this.table.id[this.instances.slots[index]];
  }

  close() {
    this.link?.close();
    this.element.remove();
  }
}
