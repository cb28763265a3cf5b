/** Draws ground and units with Canvas2D, for browsers without WebGL2. Same interface as GlDrawer. */
import { STATUS, rgb, teamColour } from "./palette.js";
import { INSTANCE_BYTES, SELECTED } from "./instances.js";

export class CanvasDrawer {
  constructor(canvas) {
    this.name = "Canvas2D";
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.ground = document.createElement("canvas");
    this.over = document.createElement("canvas");
    this.layer = null;
  }

  setColours(scheme) {
    this.scheme = scheme;
    this.mapVersion = -1;
  }

  setMap(map) {
    this.map = map;
    this.mapVersion = -1;
  }

  setLayer(rgba) {
    this.layer = rgba;
    if (!rgba) return;
    this.over.width = this.map.width;
    this.over.height = this.map.height;
    this.over.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(rgba), this.map.width), 0, 0);
  }

  upload() {
    const { map, scheme } = this;
    this.mapVersion = map.version;
    this.ground.width = map.width;
    this.ground.height = map.height;
    const image = new ImageData(map.width, map.height);
    const colours = new Map(map.terrains.map((each) => [each.id, [...rgb(scheme.terrain.get(each.id)), 255]]));
    map.cells.forEach((terrain, cell) => image.data.set(colours.get(terrain) ?? [255, 255, 255, 255], cell * 4));
    this.ground.getContext("2d").putImageData(image, 0, 0);
  }

  draw(camera, instances, ratio) {
    const { context, canvas, map, scheme } = this;
    if (!map || !scheme) return;
    if (this.mapVersion !== map.version) this.upload();
    const scale = camera.scale * ratio;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = scheme.ground.outside;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.setTransform(scale, 0, 0, scale, canvas.width / 2 - camera.x * scale, canvas.height / 2 - camera.y * scale);
    context.imageSmoothingEnabled = scale < 1;
    context.drawImage(this.ground, 0, 0);
    if (this.layer) context.drawImage(this.over, 0, 0);
    for (let index = 0; index < instances.count; index++) this.drawUnit(instances, index, scale);
  }

  drawUnit(instances, index, scale) {
    const { context, scheme } = this;
    const [x, y, size, angle] = instances.floats.subarray(index * 5, index * 5 + 4);
    const [team, status, flags] = instances.bytes.subarray(index * INSTANCE_BYTES + 16, index * INSTANCE_BYTES + 19);
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
    if (scale * size > 6) this.drawGlyph(status, cx, cy, radius, angle);
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
