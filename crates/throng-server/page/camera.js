/** The view onto a map: which world point is in the middle and how many pixels a cell has. */

const SCALE_MAX = 96;

export class Camera {
  constructor() {
    this.x = 0;
    this.y = 0;
    this.scale = 8;
    this.width = 1;
    this.height = 1;
    this.world = { width: 1, height: 1 };
    /** Rises with every change. */
    this.version = 0;
  }

  resize(width, height) {
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.version++;
  }

  toWorld(px, py) {
    return [this.x + (px - this.width / 2) / this.scale, this.y + (py - this.height / 2) / this.scale];
  }

  toScreen(x, y) {
    return [(x - this.x) * this.scale + this.width / 2, (y - this.y) * this.scale + this.height / 2];
  }

  /** The scale at which the whole map fits between the insets. */
  fitScale(insets) {
    const wide = (this.width - insets.left - insets.right) / this.world.width;
    const high = (this.height - insets.top - insets.bottom) / this.world.height;
    return Math.max(0.02, Math.min(wide, high, 48));
  }

  /** Shows the whole map between the insets (pixels covered by panels at each side). */
  fit(insets) {
    this.scale = this.fitScale(insets);
    this.x = this.world.width / 2 + (insets.right - insets.left) / 2 / this.scale;
    this.y = this.world.height / 2 + (insets.bottom - insets.top) / 2 / this.scale;
    this.version++;
  }

  /** Multiplies the scale by `factor` and keeps the world point under the pixel in place. */
  zoomAt(px, py, factor) {
    const [wx, wy] = this.toWorld(px, py);
    const smallest = 0.4 * Math.min(this.width / this.world.width, this.height / this.world.height);
    this.scale = Math.min(SCALE_MAX, Math.max(smallest, this.scale * factor));
    const [nx, ny] = this.toWorld(px, py);
    this.moveTo(this.x + wx - nx, this.y + wy - ny);
  }

  panBy(dx, dy) {
    this.moveTo(this.x - dx / this.scale, this.y - dy / this.scale);
  }

  /** Centres a world point; at least a corner of the map stays in view. */
  moveTo(x, y) {
    this.x = Math.min(this.world.width, Math.max(0, x));
    this.y = Math.min(this.world.height, Math.max(0, y));
    this.version++;
  }

  copy(other) {
    this.x = other.x;
    this.y = other.y;
    this.scale = other.scale;
    this.version++;
  }
}
