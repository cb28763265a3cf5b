/**
 * Draws ground and units with Canvas2D, for browsers without WebGL2. Same interface as GlDrawer.
 *
 * Many small units are written as pixels of one image; large ones are few, and drawn as shapes.
 */
import { BYTE, SELECTED } from "./instances.js";
import { STATUS, teamColour, wordOf } from "./palette.js";

const RADIANS = (2 * Math.PI) / 256;
/** Below so many pixels per cell, units are dots. */
const FAR_SCALE = 3;

export class CanvasDrawer {
  constructor(below, above) {
    this.name = "Canvas2D";
    this.below = below.getContext("2d", { alpha: false });
    this.context = above.getContext("2d");
    this.picture = document.createElement("canvas");
    this.over = document.createElement("canvas");
    this.layer = this.map = this.scheme = null;
    this.drawn = "";
    this.changes = 0;
  }

  setColours(scheme) {
    this.scheme = scheme;
    this.words = scheme.teams.map(wordOf);
    this.paintMap();
  }

  setMap(map) {
    this.map = map;
    this.paintMap();
  }

  setLayer(rgba) {
    this.layer = rgba;
    this.redraw();
    if (!rgba) return;
    this.over.width = this.map.width;
    this.over.height = this.map.height;
    this.over.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(rgba), this.map.width), 0, 0);
  }

  /** Makes the next frame draw the ground, whatever has changed. */
  redraw() {
    this.changes++;
  }

  /** The whole map as a picture of one pixel per cell. */
  paintMap() {
    const { map, scheme } = this;
    if (!map || !scheme) return;
    this.mapVersion = map.version;
    this.picture.width = map.width;
    this.picture.height = map.height;
    const image = new ImageData(map.width, map.height);
    const words = new Uint32Array(image.data.buffer);
    const colour = new Uint32Array(256).fill(0xffffffff);
    for (const { id } of map.terrains) colour[id] = wordOf(scheme.terrain.get(id));
    for (let cell = 0; cell < words.length; cell++) words[cell] = colour[map.cells[cell]];
    this.picture.getContext("2d").putImageData(image, 0, 0);
    this.redraw();
  }

  draw(camera, instances, ratio) {
    const { context, map, scheme } = this;
    if (!map || !scheme) return;
    if (this.mapVersion !== map.version) this.paintMap();
    this.drawGround(camera, ratio);
    const scale = camera.scale * ratio;
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (scale < FAR_SCALE) return this.drawDots(camera, instances, scale);
    context.clearRect(0, 0, context.canvas.width, context.canvas.height);
    context.setTransform(scale, 0, 0, scale, context.canvas.width / 2 - camera.x * scale, context.canvas.height / 2 - camera.y * scale);
    const [reachX, reachY] = [camera.width / camera.scale / 2, camera.height / camera.scale / 2];
    for (let index = 0; index < instances.count; index++) {
      const [dx, dy, size] = [instances.x(index) - camera.x, instances.y(index) - camera.y, instances.size(index)];
      if (dx < reachX && dy < reachY && dx > -reachX - size && dy > -reachY - size) this.drawUnit(instances, index, scale);
    }
    return undefined;
  }

  drawGround(camera, ratio) {
    const { below, scheme } = this;
    const { width, height } = below.canvas;
    const seen = [camera.version, this.changes, width, height].join();
    if (seen === this.drawn) return;
    this.drawn = seen;
    const scale = camera.scale * ratio;
    below.setTransform(1, 0, 0, 1, 0, 0);
    below.fillStyle = scheme.ground.outside;
    below.fillRect(0, 0, width, height);
    below.setTransform(scale, 0, 0, scale, width / 2 - camera.x * scale, height / 2 - camera.y * scale);
    below.imageSmoothingEnabled = scale < 1;
    below.drawImage(this.picture, 0, 0);
    if (this.layer) below.drawImage(this.over, 0, 0);
  }

  /** Every unit as a few pixels of one image. */
  drawDots(camera, instances, scale) {
    const { width, height } = this.context.canvas;
    if (this.dots?.width !== width || this.dots.height !== height) this.dots = new ImageData(width, height);
    const pixels = new Uint32Array(this.dots.data.buffer).fill(0);
    const selected = wordOf(this.scheme.marks.select);
    const [left, top] = [camera.x - width / 2 / scale, camera.y - height / 2 / scale];
    for (let index = 0; index < instances.count; index++) {
      const isSelected = instances.byte(index, BYTE.flags) & SELECTED;
      const word = isSelected ? selected : this.words[instances.byte(index, BYTE.team) % this.words.length];
      const side = Math.max(2, Math.round(instances.size(index) * scale));
      const x0 = Math.max(0, Math.round((instances.x(index) - left) * scale));
      const y0 = Math.max(0, Math.round((instances.y(index) - top) * scale));
      for (let y = y0; y < Math.min(height, y0 + side); y++) pixels.fill(word, y * width + x0, y * width + Math.min(width, x0 + side));
    }
    this.context.putImageData(this.dots, 0, 0);
  }

  drawUnit(instances, index, scale) {
    const { context, scheme } = this;
    const [x, y, size] = [instances.x(index), instances.y(index), instances.size(index)];
    const [team, status, flags] = [instances.byte(index, BYTE.team), instances.byte(index, BYTE.status), instances.byte(index, BYTE.flags)];
    const radius = Math.max(size * 0.4, 1.6 / scale);
    const [cx, cy] = [x + size / 2, y + size / 2];
    context.globalAlpha = status === STATUS.arrived ? 0.45 : 1;
    context.fillStyle = teamColour(scheme, team);
    context.beginPath();
    if (status === STATUS.holding) context.rect(cx - radius, cy - radius, 2 * radius, 2 * radius);
    else context.arc(cx, cy, radius, 0, 2 * Math.PI);
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 0.1 * size;
    if (scale * size > 6) this.drawGlyph(status, cx, cy, radius, instances.byte(index, BYTE.heading) * RADIANS);
    if (flags & SELECTED) this.ring(cx, cy, radius * 1.25, scheme.marks.select);
  }

  ring(x, y, radius, colour) {
    const { context } = this;
    context.strokeStyle = colour;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.stroke();
  }

  drawGlyph(status, x, y, radius, angle) {
    const { context, scheme } = this;
    const half = radius * 0.4;
    const lines = {
      [STATUS.going]: [[0, 0, Math.cos(angle) * radius, Math.sin(angle) * radius]],
      [STATUS.waiting]: [[-half / 2, -half, -half / 2, half], [half / 2, -half, half / 2, half]],
      [STATUS.stuck]: [[-half, -half, half, half], [-half, half, half, -half]],
      [STATUS.unreachable]: [[-half, half, half, -half]],
    }[status] ?? [];
    context.strokeStyle = scheme.theme === "dark" ? "#0c1012" : "#ffffff";
    for (const [x0, y0, x1, y1] of lines) {
      context.beginPath();
      context.moveTo(x + x0, y + y0);
      context.lineTo(x + x1, y + y1);
      context.stroke();
    }
    if (status === STATUS.stuck) this.ring(x, y, radius * 1.1, scheme.marks.warn);
  }
}
