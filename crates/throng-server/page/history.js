/**
 * The recent past of one world: positions and status of every unit by tick, within a limit of memory.
 *
 * Everything that is drawn is read from here, now and in the past alike.
 */
import { ABSENT } from "./units.js";

const BYTES_MAX = 96 * 1024 * 1024;
const FRAMES_MAX = 6000;
/** A unit that moves further than this in one tick was placed there; it is not drawn between. */
const LEAP = 2.9;

export class History {
  constructor() {
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

  /** The two frames around a time in ticks and how far it lies between them; null if there is none. */
  around(time) {
    if (!this.frames.length) return null;
    const index = Math.max(0, this.indexAt(time));
    const from = this.frames[index];
    const to = this.frames[Math.min(index + 1, this.frames.length - 1)];
    const span = to.tick - from.tick;
    return { from, to, part: span > 0 ? Math.min(1, Math.max(0, (time - from.tick) / span)) : 0, span };
  }

  /** Writes where a slot is between two frames to `out`; false if its unit is absent then. */
  static between({ from, to, part, span }, slot, out) {
    const before = slot < from.count && from.status[slot] !== ABSENT;
    const later = slot < to.count && to.status[slot] !== ABSENT;
    if (!before || !later) return place(part < 0.5 ? before && from : later && to, slot, out);
    const x = from.xy[2 * slot];
    const y = from.xy[2 * slot + 1];
    const dx = to.xy[2 * slot] - x;
    const dy = to.xy[2 * slot + 1] - y;
    const leap = LEAP * Math.max(1, span);
    if (Math.abs(dx) > leap || Math.abs(dy) > leap) return place(part < 0.5 ? from : to, slot, out);
    out[0] = x + dx * part;
    out[1] = y + dy * part;
    return true;
  }
}

function place(frame, slot, out) {
  if (!frame) return false;
  out[0] = frame.xy[2 * slot];
  out[1] = frame.xy[2 * slot + 1];
  return true;
}
