/** The scene as shapes to be drawn, one set per level. The y axis points down on the page. */

const KINDS = ["wall", "tree", "fence", "furniture", "block"];

export class PlayScene {
  constructor(record) {
    this.width = record.width;
    this.height = record.height;
    this.levels = Array.from({ length: record.levels }, () => ({ shapes: new Map(KINDS.map((kind) => [kind, new Path2D()])), zones: [], stairs: [], doors: [] }));
    const zoneOf = new Map(record.zones.map((zone) => [zone.name, zone]));
    for (const { level, kind, corners } of record.obstacles ?? []) this.outline(this.levels[level].shapes.get(kind ?? "wall"), corners);
    // Small zones lie on large ones.
    for (const { name, level, corners } of [...record.zones].sort((a, b) => area(b.corners) - area(a.corners))) {
      const path = new Path2D();
      this.outline(path, corners);
      this.levels[level].zones.push({ name, path, centre: this.flip(middle(corners)) });
    }
    for (const gate of record.gates ?? []) {
      const sides = gate.sides.map((side) => ({ at: this.flip(side.at), level: zoneOf.get(side.zone).level }));
      if (gate.kind === "door") this.levels[sides[0].level].doors.push(sides.map((side) => side.at));
      else sides.forEach((side, index) => this.levels[side.level].stairs.push({ at: side.at, up: sides[1 - index].level > side.level, to: sides[1 - index].level }));
    }
  }

  flip([x, y]) {
    return [x, this.height - y];
  }

  outline(path, corners) {
    corners.forEach((corner, index) => (index ? path.lineTo(...this.flip(corner)) : path.moveTo(...this.flip(corner))));
    path.closePath();
  }
}

/** Twice the area of a polygon. */
function area(corners) {
  const sum = corners.reduce((total, [x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % corners.length];
    return total + x * nextY - nextX * y;
  }, 0);
  return Math.abs(sum);
}

/** The middle of a polygon's box. */
function middle(corners) {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
}
