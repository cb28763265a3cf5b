//! One block of the map, divided into pieces at its narrow places.

use super::RegionId;
use super::region::Region;
use super::widths::{SIDE, Widths, narrowest, widest};
use crate::grid::plane::{DIRECTIONS, Plane};

/// No piece, no number: a wall.
pub(super) const NONE: u16 = u16::MAX;
/// Cells of a block.
pub(super) const CELLS: usize = (SIDE * SIDE) as usize;
/// Cells of the longest passage that is one wide and still a door, no corridor.
const DOOR_CELLS_MAX: u32 = 4;

/// Cells of one block that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) class: u8,
    pub(super) cells: u32,
    /// First and last column, first and last row, counted from the block's.
    pub(super) columns: (u8, u8),
    pub(super) rows: (u8, u8),
    /// Which region the piece is part of.
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

    /// Whether it is so small that it can only be a door.
    pub(super) fn is_door(&self) -> bool {
        self.cells <= DOOR_CELLS_MAX
    }
}

/// Two pieces on both sides of a line between blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seam {
    pub(super) own: u16,
    pub(super) other: u16,
    /// Pairs of cells that touch.
    pub(super) width: u32,
}

/// A block: which piece each cell belongs to, and the regions that begin here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    /// The piece of each cell, row by row.
    pub(super) labels: Vec<u16>,
    /// How wide it is around each cell.
    classes: Vec<u8>,
    /// The number of each cell within its region.
    pub(super) numbers: Vec<u16>,
    pub(super) pieces: Vec<Piece>,
    /// To the block on the right, and to the one below.
    pub(super) seams: [Vec<Seam>; 2],
    /// Those whose first piece is here.
    pub(super) regions: Vec<Region>,
}

impl Block {
    /// Divides the block anew. Whether its pieces are others now.
    pub(super) fn divide(&mut self, plane: &Plane, left: u32, top: u32) -> bool {
        let mut draft = Draft::new(plane, left, top);
        draft.flood(plane);
        draft.absorb();
        let (labels, pieces) = draft.finish();
        // The same pieces may be wider or narrower than before, by what lies around.
        if labels == self.labels && draft.classes == self.classes {
            return false;
        }
        (self.labels, self.pieces, self.classes) = (labels, pieces, draft.classes);
        self.numbers.clear();
        self.numbers.resize(CELLS, NONE);
        true
    }

    /// Finds what goes on in the block beside it, at pairs of cells on both sides of the
    /// line between them.
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
            // What is as wide there as here is one and the same. A door on the line is not.
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
    /// Whether it goes on beyond a line of the block: what is to be seen of it here tells
    /// nothing of its size.
    goes_on: bool,
    /// The part that it was made part of; itself if none.
    parent: u16,
}

/// A division in the making.
struct Draft {
    left: u32,
    top: u32,
    widths: Widths,
    classes: Vec<u8>,
    labels: Vec<u16>,
    parts: Vec<Part>,
    /// Pairs of parts that touch and how many pairs of cells do, the first label smaller.
    borders: Vec<(u16, u16, u32)>,
}

impl Draft {
    fn new(plane: &Plane, left: u32, top: u32) -> Self {
        let widths = Widths::new(plane, left, top);
        let places = (0..CELLS as i32).map(|local| (local % SIDE as i32, local / SIDE as i32));
        let classes = places.map(|(x, y)| widths.class(x, y)).collect();
        let labels = vec![NONE; CELLS];
        Self { left, top, widths, classes, labels, parts: Vec::new(), borders: Vec::new() }
    }

    /// Makes a part of all cells of one class that hang together, part by part.
    fn flood(&mut self, plane: &Plane) {
        let mut stack = Vec::new();
        for local in 0..CELLS {
            let (x, y) = (local as i32 % SIDE as i32, local as i32 / SIDE as i32);
            let stands = plane.factor(self.left as i32 + x, self.top as i32 + y) != 0;
            if stands && self.labels[local] == NONE {
                let class = self.classes[local];
                self.labels[local] = self.parts.len() as u16;
                let parent = self.parts.len() as u16;
                self.parts.push(Part { class, cells: 0, goes_on: false, parent });
                stack.push(local);
                while let Some(local) = stack.pop() {
                    self.visit(plane, local, &mut stack);
                }
            }
        }
        self.borders.sort_unstable();
        merge_counts(&mut self.borders);
    }

    fn visit(&mut self, plane: &Plane, local: usize, stack: &mut Vec<usize>) {
        let side = SIDE as i32;
        let (x, y) = (local as i32 % side, local as i32 / side);
        let label = self.labels[local];
        let class = self.classes[local];
        self.parts[usize::from(label)].cells += 1;
        let legal = plane.steps(self.left + x as u32, self.top + y as u32).legal;
        let directions = if plane.rules.corners_join() { 8 } else { 4 };
        for (direction, (dx, dy)) in DIRECTIONS.into_iter().enumerate().take(directions) {
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
                // The part that was made first has no labels to look at yet: each border is
                // counted once, by the later one.
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

    /// Makes doors and niches part of what is wider beside them, the narrowest first.
    fn absorb(&mut self) {
        let widest_class = self.parts.iter().map(|part| part.class).max().unwrap_or(0);
        for class in 0..widest_class {
            let mut absorbed = self.wider_neighbours(class);
            // Of each part the longest border comes first.
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

    /// For each part of a class its wider neighbours: the longest border first, then the
    /// widest.
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

    /// Whether a part belongs to a wider one with which it has such a border: because there
    /// is so little of it, or because it lies along it like the rim of a hall. A corridor
    /// does neither: it touches with its ends.
    fn is_part_of_wider(&self, narrow: u16, border: u32) -> bool {
        let Part { class, cells, goes_on, .. } = self.parts[usize::from(narrow)];
        let tiny = cells <= DOOR_CELLS_MAX.max(2 * narrowest(class).pow(2));
        tiny && !goes_on || border > 2 * widest(class)
    }

    /// Labels in the order of the pieces' first cells, and the pieces.
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

/// Adds up the counts of equal pairs, which lie side by side.
fn merge_counts(pairs: &mut Vec<(u16, u16, u32)>) {
    pairs.dedup_by(|next, kept| {
        let same = (next.0, next.1) == (kept.0, kept.1);
        kept.2 += if same { next.2 } else { 0 };
        same
    });
}
