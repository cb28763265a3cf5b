/**
 * The units of one world as flat arrays, as of the newest frame.
 *
 * A unit keeps its slot for as long as the table lives, so that frames of the past can be drawn with the
 * same team, size and profile.
 */
import { KIND, forEachRecord } from "./protocol.js";

/** Status of a slot whose unit is not in the world. */
export const ABSENT = 255;
const TURN = 256 / (2 * Math.PI);

export class UnitTable {
  constructor() {
    this.clear();
  }

  /** Forgets every unit. */
  clear() {
    this.slots = new Map();
    this.count = 0;
    this.alive = 0;
    this.allocate(256);
  }

  allocate(capacity) {
    const grown = (Type, old) => {
      const array = new Type(capacity);
      if (old) array.set(old);
      return array;
    };
    this.capacity = capacity;
    this.id = grown(Uint32Array, this.count ? this.id : null);
    this.x = grown(Float32Array, this.count ? this.x : null);
    this.y = grown(Float32Array, this.count ? this.y : null);
    this.heading = grown(Uint8Array, this.count ? this.heading : null);
    this.size = grown(Uint8Array, this.count ? this.size : null);
    this.team = grown(Uint8Array, this.count ? this.team : null);
    this.status = grown(Uint8Array, this.count ? this.status : null);
    this.profile = grown(Uint8Array, this.count ? this.profile : null);
  }

  /** The slot of a unit, or undefined. */
  slotOf(id) {
    const slot = this.slots.get(id);
    return slot !== undefined && this.status[slot] !== ABSENT ? slot : undefined;
  }

  /** Takes over a full frame or a delta. */
  apply(frame) {
    if (frame.kind === KIND.full) this.status.fill(ABSENT, 0, this.count);
    forEachRecord(frame, (...record) => this.put(...record));
    for (const id of frame.gone) {
      const slot = this.slots.get(id);
      if (slot !== undefined) this.status[slot] = ABSENT;
    }
    this.alive = 0;
    for (let slot = 0; slot < this.count; slot++) if (this.status[slot] !== ABSENT) this.alive++;
  }

  put(id, x, y, toX, toY, done, total, size, team, status, profile) {
    let slot = this.slots.get(id);
    const isNew = slot === undefined;
    if (isNew) slot = this.newSlot(id);
    const part = total > 0 ? done / total : 0;
    const nextX = x + (toX - x) * part;
    const nextY = y + (toY - y) * part;
    const dx = toX !== x || toY !== y ? toX - x : isNew ? 0 : nextX - this.x[slot];
    const dy = toX !== x || toY !== y ? toY - y : isNew ? 0 : nextY - this.y[slot];
    if (dx || dy) this.heading[slot] = Math.round(Math.atan2(dy, dx) * TURN);
    this.x[slot] = nextX;
    this.y[slot] = nextY;
    this.size[slot] = size;
    this.team[slot] = team;
    this.status[slot] = status;
    this.profile[slot] = profile;
  }

  newSlot(id) {
    if (this.count === this.capacity) this.allocate(this.capacity * 2);
    const slot = this.count++;
    this.slots.set(id, slot);
    this.id[slot] = id;
    return slot;
  }
}
