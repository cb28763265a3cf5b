/** The whole map in a corner, with units as dots and the part in view as a frame; dragging moves the view. */
import { BYTE } from "./instances.js";
import { byId } from "./dom.js";
import { wordOf } from "./palette.js";

const LONGEST = 176;
const EVERY_MS = 200;

export function startMinimap(app) {
  const canvas = byId("minimap");
  const minimap = new Minimap(app, canvas);
  setInterval(() => { if (!app.comparing) minimap.draw(); }, EVERY_MS);
  const aim = (event) => {
    if (event.buttons !== 1) return;
    const bounds = canvas.getBoundingClientRect();
    const { map } = app.pane;
    const x = ((event.clientX - bounds.left) / bounds.width) * map.width;
    const y = ((event.clientY - bounds.top) / bounds.height) * map.height;
    app.moveCamera(app.pane, (camera) => camera.moveTo(x, y));
    minimap.draw();
  };
  canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); aim(event); });
  canvas.addEventListener("pointermove", aim);
}

class Minimap {
  constructor(app, canvas) {
    this.app = app;
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
  }

  draw() {
    const { pane } = this.app;
    if (!pane?.scheme || !pane.map.terrains.length) return;
    const { map } = pane;
    const ratio = Math.min(2, devicePixelRatio || 1);
    const scale = LONGEST / Math.max(map.width, map.height);
    const [width, height] = [map.width, map.height].map((side) => Math.max(24, Math.round(side * scale)) * ratio);
    if (this.canvas.width !== width || this.canvas.height !== height) {
      [this.canvas.width, this.canvas.height] = [width, height];
      [this.canvas.style.width, this.canvas.style.height] = [`${width / ratio}px`, `${height / ratio}px`];
      this.drawn = null;
    }
    this.shrinkGround(pane, width, height);
    this.words.set(this.ground);
    this.paintUnits(pane, width, height, ratio);
    this.context.putImageData(this.image, 0, 0);
    this.paintFrame(pane, width / map.width, height / map.height, ratio);
  }

  /** The ground in the minimap's own pixels, kept until it changes. */
  shrinkGround({ map, scheme }, width, height) {
    if (this.drawn === map && this.version === map.version && this.scheme === scheme) return;
    Object.assign(this, { drawn: map, version: map.version, scheme });
    const colour = new Uint32Array(256).fill(0xffffffff);
    for (const { id } of map.terrains) colour[id] = wordOf(scheme.terrain.get(id));
    this.teams = scheme.teams.map(wordOf);
    this.image = new ImageData(width, height);
    this.words = new Uint32Array(this.image.data.buffer);
    this.ground = new Uint32Array(width * height);
    for (let y = 0; y < height; y++) {
      const row = Math.floor(((y + 0.5) * map.height) / height) * map.width;
      for (let x = 0; x < width; x++) this.ground[y * width + x] = colour[map.cells[row + Math.floor(((x + 0.5) * map.width) / width)]];
    }
  }

  paintUnits({ instances, map }, width, height, ratio) {
    const { words, teams } = this;
    for (let index = 0; index < instances.count; index++) {
      const colour = teams[instances.byte(index, BYTE.team) % teams.length];
      const size = instances.size(index);
      const left = Math.floor((instances.x(index) / map.width) * width);
      const top = Math.floor((instances.y(index) / map.height) * height);
      const right = Math.min(width, Math.max(left + 2 * ratio, Math.round(((instances.x(index) + size) / map.width) * width)));
      const bottom = Math.min(height, Math.max(top + 2 * ratio, Math.round(((instances.y(index) + size) / map.height) * height)));
      for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) words[y * width + x] = colour;
    }
  }

  paintFrame({ camera, scheme }, sx, sy, ratio) {
    const { context } = this;
    const [x0, y0] = camera.toWorld(0, 0);
    const [x1, y1] = camera.toWorld(camera.width, camera.height);
    context.strokeStyle = scheme.marks.select;
    context.lineWidth = ratio;
    context.strokeRect(x0 * sx + 0.5, y0 * sy + 0.5, (x1 - x0) * sx - 1, (y1 - y0) * sy - 1);
  }
}
