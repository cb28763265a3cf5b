/** Edits of a map with their ticks, so that the past is shown on the ground of its time. */

/** The oldest edits are forgotten when all have more cells than this. */
const CELLS_MAX = 2_000_000;

export class PastEdits {
  constructor() {
    this.edits = [];
    this.cells = 0;
    /** How many of the edits the map shows. */
    this.shown = 0;
  }

  /** Keeps an edit; `show` carries it out. */
  add(map, tick, terrain, cells) {
    this.edits.push({ tick, terrain, cells, before: null });
    this.cells += cells.length;
    if (this.cells <= CELLS_MAX) return;
    this.show(map, Infinity);
    while (this.cells > CELLS_MAX) {
      this.cells -= this.edits.shift().cells.length;
      this.shown--;
    }
  }

  /** Brings the map to a time in ticks. */
  show(map, time) {
    while (this.shown < this.edits.length && this.edits[this.shown].tick <= time) {
      const edit = this.edits[this.shown++];
      edit.before = Uint8Array.from(edit.cells, (cell) => map.cells[cell]);
      map.edit(edit.cells, () => edit.terrain);
    }
    while (this.shown > 0 && this.edits[this.shown - 1].tick > time) {
      const { cells, before } = this.edits[--this.shown];
      map.edit(cells, (index) => before[index]);
    }
  }
}
