/** The map of one world: a terrain id per cell, rows from the top, and which cells changed since it was drawn. */
export class TerrainMap {
  constructor(width = 1, height = 1, cells = new Uint8Array(1)) {
    this.width = width;
    this.height = height;
    this.cells = cells;
    this.terrains = [];
    /** Rises with every change, so that drawers know when to take the cells again. */
    this.version = 0;
    this.takeEdited();
  }

  /** The rows, first and end, that edits have changed since this was asked before. */
  takeEdited() {
    const rows = [this.editedTop, this.editedEnd];
    [this.editedTop, this.editedEnd] = [this.height, 0];
    return rows;
  }

  /** Names and properties of the terrain ids. */
  describe(terrains) {
    this.terrains = terrains;
    this.passableIds = new Set(terrains.filter((each) => each.passable).map((each) => each.id));
    this.version++;
  }

  contains(x, y) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  at(x, y) {
    return this.cells[y * this.width + x];
  }

  passable(x, y) {
    return this.contains(x, y) && (this.passableIds ? this.passableIds.has(this.at(x, y)) : true);
  }

  /** Whether a k x k body at this top left cell stands on passable cells. */
  fits(x, y, size) {
    for (let dy = 0; dy < size; dy++) {
      for (let dx = 0; dx < size; dx++) if (!this.passable(x + dx, y + dy)) return false;
    }
    return true;
  }

  /** Gives cells the terrain that `terrainOf` says for their place in the list. */
  edit(cells, terrainOf) {
    for (let index = 0; index < cells.length; index++) {
      this.cells[cells[index]] = terrainOf(index);
      const row = Math.floor(cells[index] / this.width);
      if (row < this.editedTop) this.editedTop = row;
      if (row >= this.editedEnd) this.editedEnd = row + 1;
    }
    this.version++;
  }
}
