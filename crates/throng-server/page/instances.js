/**
 * What is drawn of the units at one moment: 16 bytes per unit, as the unit shader reads them.
 *
 * Two floats (x, y of the top left corner), then bytes: size, team, status, flags, heading, profile, 0, 0.
 */
import { ABSENT } from "./units.js";
import { LEAP } from "./history.js";

export const INSTANCE_WORDS = 4;
/** Where a byte of a unit is among its 16. */
export const BYTE = { size: 8, team: 9, status: 10, flags: 11, heading: 12, profile: 13 };
export const SELECTED = 1;
const UNITS_STEP = 1024;

export class Instances {
  constructor() {
    this.count = 0;
    this.reserve(UNITS_STEP);
  }

  /** Room for so many units, in whole rows of the texture that takes them. */
  reserve(wanted) {
    this.capacity = Math.ceil(wanted / UNITS_STEP) * UNITS_STEP;
    this.words = new Uint32Array(this.capacity * INSTANCE_WORDS);
    this.bytes = new Uint8Array(this.words.buffer);
    this.floats = new Float32Array(this.words.buffer);
    /** The slot of each instance. */
    this.slots = new Uint32Array(this.capacity);
  }

  x(index) { return this.floats[index * INSTANCE_WORDS]; }
  y(index) { return this.floats[index * INSTANCE_WORDS + 1]; }
  byte(index, which) { return this.bytes[index * 16 + which]; }
  size(index) { return this.bytes[index * 16 + BYTE.size]; }

  /** Takes the units of a table as they are at `time`; `selected` holds unit ids. */
  fill(history, time, table, selected) {
    this.count = 0;
    const { from, to, part, span } = history.around(time);
    if (!from) return;
    const slots = Math.max(from.count, to.count);
    if (slots > this.capacity) this.reserve(slots * 2);
    const leap = LEAP * Math.max(1, span);
    const shown = part < 0.5 ? from : to;
    const isSelecting = selected.size > 0;
    for (let slot = 0; slot < slots; slot++) {
      const status = slot < shown.count ? shown.status[slot] : ABSENT;
      if (status === ABSENT) continue;
      let x = shown.xy[2 * slot];
      let y = shown.xy[2 * slot + 1];
      const other = shown === from ? to : from;
      if (slot < other.count && other.status[slot] !== ABSENT) {
        const dx = other.xy[2 * slot] - x;
        const dy = other.xy[2 * slot + 1] - y;
        const away = shown === from ? part : 1 - part;
        // A longer step was no step: the unit was placed there.
        if (dx <= leap && dx >= -leap && dy <= leap && dy >= -leap) {
          x += dx * away;
          y += dy * away;
        }
      }
      const heading = slot < to.count ? to.heading[slot] : shown.heading[slot];
      this.put(slot, x, y, status, heading, table, isSelecting && selected.has(table.id[slot]));
    }
  }

  put(slot, x, y, status, heading, table, isSelected) {
    const index = this.count++;
    this.slots[index] = slot;
    this.floats[index * INSTANCE_WORDS] = x;
    this.floats[index * INSTANCE_WORDS + 1] = y;
    const flags = isSelected ? SELECTED : 0;
    this.words[index * INSTANCE_WORDS + 2] = table.size[slot] | (table.team[slot] << 8) | (status << 16) | (flags << 24);
    this.words[index * INSTANCE_WORDS + 3] = heading | (table.profile[slot] << 8);
  }

  /** Counts of units by status. */
  statusCounts() {
    const counts = new Array(8).fill(0);
    for (let index = 0; index < this.count; index++) counts[this.byte(index, BYTE.status) & 7]++;
    return counts;
  }

  /** The index of the unit whose body covers a world point, the smallest if several do; -1 if none. */
  hit(wx, wy, reach = 0) {
    let best = -1;
    for (let index = 0; index < this.count; index++) {
      const [x, y, size] = [this.x(index), this.y(index), this.size(index)];
      if (wx < x - reach || wy < y - reach || wx > x + size + reach || wy > y + size + reach) continue;
      if (best < 0 || size < this.size(best)) best = index;
    }
    return best;
  }
}
