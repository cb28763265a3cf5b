/**
 * The recent past of one world: positions and status of every unit by tick, within a limit of memory.
 *
 * Everything that is drawn is read from here, now and in the past alike.
 */
const BYTES_MAX = 96 * 1024 * 1024;
const FRAMES_MAX = 6000;
/** A unit that moves further than this in one tick was placed there; it is not drawn between. */
export const LEAP = 2.9;

const EMPTY = { from: null, to: null, part: 0, span: 0 };

export class History {
  constructor() {
    this.moment = { ...EMPTY };
    /** Rises with every frame that is recorded. */
    this.pushed = 0;
    this.clear();
  }

  clear() {
    this.frames = [];
    this.bytes = 0;
  }

  get first() { return this.frames.length ? this.frames[0].tick : 0; }
  get last() { return this.frames.length ? this.frames[this.frames.length - 1].tick : 0; }

  /** Records the table at a tick. A second frame of a tick replaces the first; an earlier tick starts again. */
  push(tick, table) {
    if (this.frames.length && tick < this.last) this.clear();
    const { count } = table;
    const xy = new Float32Array(2 * count);
    for (let slot = 0; slot < count; slot++) {
      xy[2 * slot] = table.x[slot];
      xy[2 * slot + 1] = table.y[slot];
    }
    const frame = { tick, count, xy, status: table.status.slice(0, count), heading: table.heading.slice(0, count) };
    if (this.frames.length && tick === this.last) this.frames.pop();
    this.frames.push(frame);
    this.pushed++;
    this.bytes += 10 * count;
    while (this.frames.length > 2 && (this.bytes > BYTES_MAX || this.frames.length > FRAMES_MAX)) {
      this.bytes -= 10 * this.frames.shift().count;
    }
  }

  /** The last frame at or before a tick, or -1. */
  indexAt(tick) {
    let low = 0;
    let high = this.frames.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.frames[middle].tick <= tick) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /**
   * The two frames around a time in ticks and how far it lies between them; without frames `from` is null.
   * The answer is the same object each time: it is asked for in every frame that is drawn.
   */
  around(time) {
    const { moment } = this;
    if (!this.frames.length) return EMPTY;
    const index = Math.max(0, this.indexAt(time));
    moment.from = this.frames[index];
    moment.to = this.frames[Math.min(index + 1, this.frames.length - 1)];
    moment.span = moment.to.tick - moment.from.tick;
    moment.part = moment.span > 0 ? Math.min(1, Math.max(0, (time - moment.from.tick) / moment.span)) : 0;
    return moment;
  }
}
