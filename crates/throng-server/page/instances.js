/**
 * What is drawn of the units at one moment: 20 bytes per unit, as the unit shader reads them.
 *
 * Four floats (x, y of the top left corner, size, heading in radians), then team, status, flags, profile.
 */
import { ABSENT } from "./units.js";
import { History } from "./history.js";

export const INSTANCE_BYTES = 20;
export const SELECTED = 1;
const RADIANS = (2 * Math.PI) / 256;

export class Instances {
  constructor() {
    this.count = 0;
    this.reserve(256);
  }

  reserve(capacity) {
    this.capacity = capacity;
    this.bytes = new Uint8Array(capacity * INSTANCE_BYTES);
    this.floats = new Float32Array(this.bytes.buffer);
    /** The slot of each instance. */
    this.slots = new Uint32Array(capacity);
  }

  /** Takes the units of a table as they are at `time`; `selected` holds unit ids. */
  fill(history, time, table, selected) {
    this.count = 0;
    const moment = history.around(time);
    if (!moment) return;
    const slots = Math.max(moment.from.count, moment.to.count);
    if (slots > this.capacity) this.reserve(slots * 2);
    const shown = moment.part < 0.5 ? moment.from : moment.to;
    const at = new Float32Array(2);
    for (let slot = 0; slot < slots; slot++) {
      if (History.between(moment, slot, at)) this.put(slot, at, shown.status[slot] ?? ABSENT, moment.to.heading[slot] ?? 0, table, selected);
    }
  }

  put(slot, at, status, heading, table, selected) {
    const index = this.count++;
    this.slots[index] = slot;
    const float = index * 5;
    this.floats[float] = at[0];
    this.floats[float + 1] = at[1];
    this.floats[float + 2] = table.size[slot];
    this.floats[float + 3] = heading * RADIANS;
    const byte = index * INSTANCE_BYTES + 16;
    this.bytes[byte] = table.team[slot];
    this.bytes[byte + 1] = status;
    this.bytes[byte + 2] = selected.has(table.id[slot]) ? SELECTED : 0;
    this.bytes[byte + 3] = table.profile[slot];
  }

  /** The index of the unit whose body covers a world point, the smallest if several do; -1 if none. */
  hit(wx, wy, reach = 0) {
    let best = -1;
    for (let index = 0; index < this.count; index++) {
      const [x, y, size] = [this.floats[index * 5], this.floats[index * 5 + 1], this.floats[index * 5 + 2]];
      if (wx < x - reach || wy < y - reach || wx > x + size + reach || wy > y + size + reach) continue;
      if (best < 0 || size < this.floats[best * 5 + 2]) best = index;
    }
    return best;
  }
}
