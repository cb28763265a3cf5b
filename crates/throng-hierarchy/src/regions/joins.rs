//! Joins the pieces of rooms that an edge between two blocks cuts.
//!
//! Vertical edges come first, then horizontal ones, so that a room on the corner of four blocks
//! becomes whole, too. Two pieces are joined if they have the same width or one of them is a
//! door, and if each has its longest border with the other. So a region lies in at most four
//! blocks, and depends on nearby blocks alone.

use super::block::{Block, Piece};

/// Cells of the largest region made by joining: an edit rebuilds the regions around it.
const REGION_CELLS_MAX: u32 = 2048;

/// Which pieces belong together.
#[derive(Clone, Debug, Default)]
pub(super) struct Joins {
    /// The number of each block's first piece.
    first_pieces: Vec<u32>,
    /// For each piece, an earlier piece that it is joined with, or itself.
    roots: Vec<u32>,
    /// Cells of all joined pieces, by root.
    cells: Vec<u32>,
    classes: Vec<u8>,
    are_doors: Vec<bool>,
    /// Pairs of roots that touch, and along how many cells.
    touching: Vec<(u32, u32, u32)>,
    /// For each root, its longest border, and with which root.
    best: Vec<(u32, std::cmp::Reverse<u32>)>,
}

impl Joins {
    /// Joins the pieces of all blocks.
    pub(super) fn find(&mut self, blocks: &[Block], blocks_wide: usize) {
        self.reset(blocks);
        for (edge, beside) in [(0, 1), (1, blocks_wide)] {
            self.find_touching(blocks, edge, beside);
            self.join_best();
        }
    }

    /// The first of the pieces that a piece was joined with: the one in the lowest block.
    pub(super) fn root(&self, block: usize, piece: usize) -> u32 {
        let mut piece = self.number(block, piece);
        while self.roots[piece as usize] != piece {
            piece = self.roots[piece as usize];
        }
        piece
    }

    /// A piece's number among those of all blocks.
    fn number(&self, block: usize, piece: usize) -> u32 {
        self.first_pieces[block] + piece as u32
    }

    fn reset(&mut self, blocks: &[Block]) {
        self.first_pieces.clear();
        self.cells.clear();
        self.classes.clear();
        self.are_doors.clear();
        for block in blocks {
            self.first_pieces.push(self.cells.len() as u32);
            self.cells.extend(block.pieces.iter().map(|piece| piece.cells));
            self.classes.extend(block.pieces.iter().map(|piece| piece.class));
            self.are_doors.extend(block.pieces.iter().map(Piece::is_door));
        }
        self.roots.clear();
        self.roots.extend(0..self.cells.len() as u32);
    }

    /// Finds all pairs that may be joined across vertical or horizontal edges.
    fn find_touching(&mut self, blocks: &[Block], edge: usize, beside: usize) {
        self.touching.clear();
        for (index, block) in blocks.iter().enumerate() {
            for seam in &block.seams[edge] {
                let own = self.root(index, usize::from(seam.own));
                let other = self.root(index + beside, usize::from(seam.other));
                if own != other && self.may_join(own as usize, other as usize) {
                    self.touching.push((own, other, seam.width));
                }
            }
        }
        self.touching.sort_unstable();
        self.touching.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            kept.2 += if same { next.2 } else { 0 };
            same
        });
    }

    fn may_join(&self, one: usize, other: usize) -> bool {
        let alike = self.classes[one] == self.classes[other];
        let alike = alike || self.are_doors[one] || self.are_doors[other];
        alike && self.cells[one] + self.cells[other] <= REGION_CELLS_MAX
    }

    fn join_best(&mut self) {
        self.best.clear();
        self.best.resize(self.roots.len(), (0, std::cmp::Reverse(u32::MAX)));
        for &(one, other, width) in &self.touching {
            for (own, beyond) in [(one, other), (other, one)] {
                let best = &mut self.best[own as usize];
                *best = (*best).max((width, std::cmp::Reverse(beyond)));
            }
        }
        for &(one, other, _) in &self.touching {
            let (first, second) = (one.min(other) as usize, one.max(other) as usize);
            let mutual = self.best[first].1.0 == second as u32
                && self.best[second].1.0 == first as u32
                && self.roots[second] == second as u32;
            if mutual {
                self.roots[second] = first as u32;
                self.cells[first] += self.cells[second];
                self.classes[first] = self.classes[first].max(self.classes[second]);
                self.are_doors[first] &= self.are_doors[second];
            }
        }
    }
}
