//! One region: its cells and its doorways.

use throng_model::Cell;

use super::Doorway;

/// What is known of a region.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Region {
    /// Its cells, block by block and piece by piece.
    pub(super) cells: Vec<Cell>,
    pub(super) doorways: Vec<Doorway>,
}

impl Region {
    pub(super) fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<Cell>()
            + self.doorways.capacity() * size_of::<Doorway>()
            + size_of::<Self>()
    }
}
