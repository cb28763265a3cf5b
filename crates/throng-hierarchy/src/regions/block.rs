//! One block of the map, divided into pieces where it is narrow.

use throng_grid::{Ground, OFFSETS};
use throng_model::{Cell, CornerRule, MovementProfile, Neighbours};

use super::RegionId;
use super::region::Region;
use super::widths::{SIDE, Widths, narrowest, widest};

/// The label of a wall: no piece.
const NONE: u16 = u16::MAX;
/// Cells of a block.
const CELLS: usize = (SIDE * SIDE) as usize;
/// Cells of the longest passage of width 1 that is a door and not a corridor.
const DOOR_CELLS_MAX: u32 = 4;

/// Cells of one block that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) class: u8,
    pub(super) cells: u32,
    /// First and last column and row, counted from the block's first.
    pub(super) columns: (u8, u8),
    pub(super) rows: (u8, u8),
    /// The region of the piece.
    pub(super) region: RegionId,
}

impl Piece {
    fn new(class: u8) -> Self {
        let (columns, rows) = ((u8::MAX, 0), (u8::MAX, 0));
        Self { class, cells: 0, columns, rows, region: RegionId::NONE }
    }

    fn add(&mut self, local: usize) {
        let (x, y) = ((local % SIDE as usize) as u8, (local / SIDE as usize) as u8);
        self.cells += 1;
        self.columns = (self.columns.0.min(x), self.columns.1.max(x));
        self.rows = (self.rows.0.min(y), self.rows.1.max(y));
    }

    /// Whether it is so small that it can only be part of a door.
    pub(super) fn is_door(&self) -> bool {
        self.cells <= DOOR_CELLS_MAX
    }
}

/// Two pieces that touch across the edge between two blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seam {
    pub(super) own: u16,
    pub(super) other: u16,
    /// How many pairs of cells touch.
    pub(super) width: u32,
}

/// A block: the piece of each cell, and the regions whose first piece is here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    /// The piece of each cell, row by row.
    pub(super) labels: Vec<u16>,
    /// The class of width of each cell.
    classes: Vec<u8>,
    pub(super) pieces: Vec<Piece>,
    /// Across the edge to the block on the right, and to the block below.
    pub(super) seams: [Vec<Seam>; 2],
    /// The regions whose first piece is here.
    pub(super) regions: Vec<Region>,
}

impl Block {
    /// Divides the block into pieces. Whether they have changed.
    pub(super) fn divide(&mut self, ground: &Ground, left: u32, top: u32) -> bool {
        let mut draft = Draft::new(ground, left, top);
        draft.flood();
        draft.absorb();
        let (labels, pieces) = draft.finish();
        // Pieces with the same cells may have other widths, by a change outside the block.
        if labels == self.labels && draft.classes == self.classes {
            return false;
        }
        (self.labels, self.pieces, self.classes) = (labels, pieces, draft.classes);
        true
    }

    /// Finds the pieces that touch those of a block beside it, from the pairs of cells on
    /// both sides of the edge.
    pub(super) fn find_seams(
        &self,
        beside: &Self,
        pairs: impl Iterator<Item = (usize, usize)>,
    ) -> Vec<Seam> {
        let mut seams: Vec<Seam> = Vec::new();
        for (here, there) in pairs {
            let (own, other) = (self.labels[here], beside.labels[there]);
            let pieces =
                self.pieces.get(usize::from(own)).zip(beside.pieces.get(usize::from(other)));
            let Some((one, another)) = pieces else { continue };
            // Cells of equal width belong together. A door that lies on the edge is narrower.
            let same = self.classes[here] == beside.classes[there];
            if same || one.is_door() || another.is_door() {
                seams.push(Seam { own, other, width: 1 });
            }
        }
        seams.sort_unstable();
        seams.dedup_by(|next, kept| {
            let same = (next.own, next.other) == (kept.own, kept.other);
            kept.width += if same { next.width } else { 0 };
            same
        });
        seams
    }
}

/// A piece while the block is being divided.
#[derive(Clone, Copy, Debug)]
struct Part {
    class: u8,
    cells: u32,
    /// Whether it continues beyond the block: its size here says nothing of its whole size.
    goes_on: bool,
    /// The part that absorbed it; itself if none.
    parent: u16,
}

/// A division in the making.
struct Draft<'a> {
    ground: &'a Ground,
    left: u32,
    top: u32,
    /// How many directions join cells: four, or eight where diagonal steps pass between walls.
    directions: u8,
    widths: Widths,
    classes: Vec<u8>,
    labels: Vec<u16>,
    parts: Vec<Part>,
    /// Pairs of parts that touch, the smaller label first, and how many pairs of cells touch.
    borders: Vec<(u16, u16, u32)>,
}

impl<'a> Draft<'a> {
    fn new(ground: &'a Ground, left: u32, top: u32) -> Self {
        let widths = Widths::new(ground, left, top);
        let directions = if diagonals_pass_walls(ground.movement()) { 8 } else { 4 };
        let places = (0..CELLS as i32).map(|local| (local % SIDE as i32, local / SIDE as i32));
        let classes = places.map(|(x, y)| widths.class(x, y)).collect();
        let labels = vec![NONE; CELLS];
        let (parts, borders) = (Vec::new(), Vec::new());
        Self { ground, left, top, directions, widths, classes, labels, parts, borders }
    }

    /// Makes a part of each set of connected cells of one class.
    fn flood(&mut self) {
        let mut stack = Vec::new();
        for local in 0..CELLS {
            let (x, y) = (local as u32 % SIDE, local as u32 / SIDE);
            if self.labels[local] == NONE && self.ground.can_stand(self.cell(x, y)) {
                let class = self.classes[local];
                self.labels[local] = self.parts.len() as u16;
                let parent = self.parts.len() as u16;
                self.parts.push(Part { class, cells: 0, goes_on: false, parent });
                stack.push(local);
                while let Some(local) = stack.pop() {
                    self.visit(local, &mut stack);
                }
            }
        }
        self.borders.sort_unstable();
        merge_counts(&mut self.borders);
    }

    /// The cell of the map at a column and row of the block.
    fn cell(&self, x: u32, y: u32) -> Cell {
        Cell::new((self.left + x) as u16, (self.top + y) as u16)
    }

    fn visit(&mut self, local: usize, stack: &mut Vec<usize>) {
        let side = SIDE as i32;
        let (x, y) = (local as i32 % side, local as i32 / side);
        let label = self.labels[local];
        let class = self.classes[local];
        self.parts[usize::from(label)].cells += 1;
        let Some(index) = self.ground.index(self.cell(x as u32, y as u32)) else { return };
        let legal = self.ground.legal_steps(index);
        for (direction, (dx, dy)) in OFFSETS.into_iter().enumerate().take(self.directions.into()) {
            if legal >> direction & 1 == 0 {
                continue;
            }
            let (x, y) = (x + dx, y + dy);
            if !(0..side).contains(&x) || !(0..side).contains(&y) {
                self.parts[usize::from(label)].goes_on |= self.widths.class(x, y) == class;
                continue;
            }
            let next = (y * side + x) as usize;
            if self.labels[next] == NONE && self.classes[next] == class {
                self.labels[next] = label;
                stack.push(next);
            } else if self.labels[next] != NONE && self.labels[next] != label {
                // Each border is counted once, by the part made later: the other has no
                // labels next to it yet.
                self.borders.push((self.labels[next], label, 1));
            }
        }
    }

    fn root(&self, mut part: u16) -> u16 {
        while self.parts[usize::from(part)].parent != part {
            part = self.parts[usize::from(part)].parent;
        }
        part
    }

    /// Makes doors and niches part of the wider parts next to them, the narrowest first.
    fn absorb(&mut self) {
        let widest_class = self.parts.iter().map(|part| part.class).max().unwrap_or(0);
        for class in 0..widest_class {
            let mut absorbed = self.wider_neighbours(class);
            // The longest border of each part comes first.
            absorbed.dedup_by_key(|&mut (narrow, ..)| narrow);
            for (narrow, std::cmp::Reverse(border), _, wide) in absorbed {
                if self.is_part_of_wider(narrow, border) {
                    let cells = self.parts[usize::from(narrow)].cells;
                    self.parts[usize::from(narrow)].parent = wide;
                    self.parts[usize::from(wide)].cells += cells;
                }
            }
        }
    }

    /// For each part of a class, its wider neighbours: the one with the longest border first,
    /// then the widest.
    fn wider_neighbours(
        &self,
        class: u8,
    ) -> Vec<(u16, std::cmp::Reverse<u32>, std::cmp::Reverse<u8>, u16)> {
        let mut found = Vec::new();
        for &(one, other, border) in &self.borders {
            let (one, other) = (self.root(one), self.root(other));
            let class_of = |part: u16| self.parts[usize::from(part)].class;
            let (narrow, wide) =
                if class_of(one) < class_of(other) { (one, other) } else { (other, one) };
            if class_of(narrow) == class && class_of(wide) > class {
                found.push((narrow, wide, border));
            }
        }
        found.sort_unstable();
        merge_counts(&mut found);
        let order = |(narrow, wide, border): (u16, u16, u32)| {
            let class = self.parts[usize::from(wide)].class;
            (narrow, std::cmp::Reverse(border), std::cmp::Reverse(class), wide)
        };
        let mut ordered: Vec<_> = found.into_iter().map(order).collect();
        ordered.sort_unstable();
        ordered
    }

    /// Whether a wider neighbour absorbs a part, given the length of their border.
    ///
    /// It does if the part is tiny, or if the part lies along it like the rim of a hall. A
    /// corridor touches it with an end only, and stays.
    fn is_part_of_wider(&self, narrow: u16, border: u32) -> bool {
        let Part { class, cells, goes_on, .. } = self.parts[usize::from(narrow)];
        let tiny = cells <= DOOR_CELLS_MAX.max(2 * narrowest(class).pow(2));
        tiny && !goes_on || border > 2 * widest(class)
    }

    /// The final labels, in the order of the pieces' first cells, and the pieces.
    fn finish(&self) -> (Vec<u16>, Vec<Piece>) {
        let mut renamed = vec![NONE; self.parts.len()];
        let mut pieces: Vec<Piece> = Vec::new();
        let mut labels = vec![NONE; CELLS];
        for (local, &label) in self.labels.iter().enumerate() {
            if label == NONE {
                continue;
            }
            let root = usize::from(self.root(label));
            if renamed[root] == NONE {
                renamed[root] = pieces.len() as u16;
                pieces.push(Piece::new(self.parts[root].class));
            }
            labels[local] = renamed[root];
            pieces[usize::from(renamed[root])].add(local);
        }
        (labels, pieces)
    }
}

/// Whether a diagonal step between two walls is legal.
pub(super) fn diagonals_pass_walls(movement: &MovementProfile) -> bool {
    movement.neighbours == Neighbours::Eight && movement.corners == CornerRule::AlwaysCut
}

/// Adds up the counts of equal pairs, which lie side by side.
fn merge_counts(pairs: &mut Vec<(u16, u16, u32)>) {
    pairs.dedup_by(|next, kept| {
        let same = (next.0, next.1) == (kept.0, kept.1);
        kept.2 += if same { next.2 } else { 0 };
        same
    });
}
