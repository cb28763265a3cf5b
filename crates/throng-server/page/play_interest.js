/** The interest map: where players have been. It grows while the game goes on. */
import { bytesOf } from "./protocol.js";

const RENEW_MS = 2500;

export class InterestOverlay {
  constructor(app) {
    this.app = app;
    this.shown = false;
    /** By level: `{ canvas, cell, columns, rows }`. */
    this.levels = new Map();
    setInterval(() => this.renew(), RENEW_MS);
  }

  toggle() {
    this.shown = !this.shown;
    this.renew();
    return this.shown;
  }

  renew() {
    if (this.shown && !document.hidden) this.app.link.send("interest", { level: this.app.level });
  }

  /** Takes the server's answer: a byte per cell, from the bottom left. */
  take({ level, columns, rows, cell, cells }) {
    this.levels.set(level, { columns, rows, cell, bytes: bytesOf(cells), canvas: null });
  }

  draw(context, scene, level, colour) {
    const map = this.shown && this.levels.get(level);
    if (!map) return;
    if (!map.canvas || map.colour !== colour) paint(map, colour);
    context.imageSmoothingEnabled = true;
    const [width, height] = [map.columns * map.cell, map.rows * map.cell];
    context.drawImage(map.canvas, 0, scene.height - height, width, height);
  }
}

function paint(map, colour) {
  const { columns, rows, bytes } = map;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [columns, rows];
  const image = new ImageData(columns, rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = 4 * ((rows - 1 - row) * columns + column);
      image.data.set(colour, at);
      image.data[at + 3] = bytes[row * columns + column] * 0.7;
    }
  }
  canvas.getContext("2d").putImageData(image, 0, 0);
  Object.assign(map, { canvas, colour });
}
