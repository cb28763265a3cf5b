//! Border cells of clusters, numbered so that a search can hold them in 32 bits.

use throng_model::Cell;

use crate::layout::{AREA, Layout, SIDE};

/// Slots of a cluster's border; some are unused.
pub(crate) const SLOTS: u32 = 64;

/// A cell on the border of a cluster.
///
/// The lower six bits are its slot along the border, the others its cluster. HPA* makes those
/// border cells at which a transition begins the nodes of the abstract graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BorderCell(u32);

/// For each cell of a cluster, row by row, its slot, if it lies on the border.
const SLOT_OF: [u8; AREA] = {
    let mut slots = [0; AREA];
    let mut at = 0;
    while at < SIDE * SIDE {
        let slot = match (at % SIDE, at / SIDE) {
            (x, 0) => x,
            (x, y) if y == SIDE - 1 => SIDE + x,
            (0, y) => 2 * SIDE + y,
            (_, y) => 3 * SIDE + y,
        };
        slots[at as usize] = slot as u8;
        at += 1;
    }
    slots
};

impl BorderCell {
    /// The border cell at this cell of the map.
    #[inline]
    pub(crate) fn at(layout: &Layout, cell: Cell) -> Self {
        let local = u32::from(cell.y) % SIDE * SIDE + u32::from(cell.x) % SIDE;
        Self::new(layout.cluster_of(cell), SLOT_OF[local as usize])
    }

    pub(crate) fn new(cluster: u32, slot: u8) -> Self {
        Self(cluster * SLOTS + u32::from(slot))
    }

    #[inline]
    pub(crate) fn cluster(self) -> u32 {
        self.0 / SLOTS
    }

    #[inline]
    pub(crate) fn slot(self) -> usize {
        (self.0 % SLOTS) as usize
    }

    /// Column and row inside its cluster.
    #[inline]
    pub(crate) fn local(self) -> (u32, u32) {
        let along = self.0 % SIDE;
        match self.0 % SLOTS / SIDE {
            0 => (along, 0),
            1 => (along, SIDE - 1),
            2 => (0, along),
            _ => (SIDE - 1, along),
        }
    }

    /// The cell of the map.
    #[inline]
    pub(crate) fn cell(self, layout: &Layout) -> Cell {
        let (left, top) = layout.origin(self.cluster());
        let (x, y) = self.local();
        Cell::new((left + x) as u16, (top + y) as u16)
    }
}

#[cfg(test)]
mod tests {
    use throng_grid::Ground;
    use throng_model::{Map, MovementProfile};

    use super::*;

    #[test]
    fn a_border_cell_knows_its_place() {
        let map = Map::empty(3 * SIDE, 2 * SIDE).unwrap();
        let ground = Ground::new(&map, MovementProfile::eight_connected()).unwrap();
        let layout = Layout::new(&ground);
        for cell in map.cells() {
            let (x, y) = (u32::from(cell.x) % SIDE, u32::from(cell.y) % SIDE);
            if x % (SIDE - 1) == 0 || y % (SIDE - 1) == 0 {
                let border = BorderCell::at(&layout, cell);
                assert_eq!((border.cluster(), border.local()), (layout.cluster_of(cell), (x, y)));
                assert_eq!(border.cell(&layout), cell);
            }
        }
    }
}
