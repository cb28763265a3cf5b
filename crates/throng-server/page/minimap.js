/** The whole map in a corner, with units as dots and the part in view as a frame; dragging moves the view. */
import { INSTANCE_BYTES } from "./instances.js";
import { byId } from "./dom.js";
import { rgb, teamColour } from "./palette.js";

const LONGEST = 176;
const EVERY_MS = 200;
/** With more units than this, the minimap is drawn less often. */
const MANY = 4000;
const MANY_EVERY = 4;

export function startMinimap(app) {
  const canvas = byId("minimap");
  const minimap = new Minimap(app, canvas);
  let turn = 0;
  setInterval(() => {
    turn++;
    if (!app.comparing && (turn % MANY_EVERY === 0 || (app.pane?.instances.count ?? 0) < MANY)) minimap.draw();
  }, EVERY_MS);
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
    this.ground = document.createElement("canvas");
  }

  draw() {
    const { pane } = this.app;
    if (!pane?.scheme || !pane.map.terrains.length) return;
    const { map } = pane;
    const scale = LONGEST / Math.max(map.width, map.height);
    const [width, height] = [Math.max(24, Math.round(map.width * scale)), Math.max(24, Math.round(map.height * scale))];
    const ratio = Math.min(2, devicePixelRatio || 1);
    if (this.canvas.width !== width * ratio || this.canvas.height !== height * ratio) {
      [this.canvas.width, this.canvas.height] = [width * ratio, height * ratio];
      [this.canvas.style.width, this.canvas.style.height] = [`${width}px`, `${height}px`];
    }
    this.paintGround(pane);
    const { context } = this;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.imageSmoothingEnabled = true;
    context.drawImage(this.ground, 0, 0, width, height);
    this.paintUnits(pane, width / map.width, height / map.height);
    this.paintFrame(pane, width / map.width, height / map.height);
  }

  paintGround({ map, scheme }) {
    if (this.drawn === map && this.version === map.version && this.scheme === scheme) return;
    Object.assign(this, { drawn: map, version: map.version, scheme });
    [this.ground.width, this.ground.height] = [map.width, map.height];
    const image = new ImageData(map.width, map.height);
    const words = new Uint32Array(image.data.buffer);
    const colour = new Uint32Array(256).fill(0xffffffff);
    for (const { id } of map.terrains) {
      const [r, g, b] = rgb(scheme.terrain.get(id));
      colour[id] = (255 << 24) | (b << 16) | (g << 8) | r;
    }
    for (let cell = 0; cell < map.cells.length; cell++) words[cell] = colour[map.cells[cell]];
    this.ground.getContext("2d").putImageData(image, 0, 0);
  }

  paintUnits({ instances, scheme }, sx, sy) {
    const { context } = this;
    let before = -1;
    for (let index = 0; index < instances.count; index++) {
      const team = instances.bytes[index * INSTANCE_BYTES + 16];
      if (team !== before) context.fillStyle = teamColour(scheme, team);
      before = team;
      const side = Math.max(1.5, instances.floats[index * 5 + 2] * sx);
      context.fillRect(instances.floats[index * 5] * sx, instances.floats[index * 5 + 1] * sy, side, side);
    }
  }

  paintFrame({ camera, scheme }, sx, sy) {
    const { context } = this;
    const [x0, y0] = camera.toWorld(0, 0);
    const [x1, y1] = camera.toWorld(camera.width, camera.height);
    context.strokeStyle = scheme.marks.select;
    context.lineWidth = 1;
    context.strokeRect(x0 * sx + 0.5, y0 * sy + 0.5, (x1 - x0) * sx - 1, (y1 - y0) * sy - 1);
  }
}
