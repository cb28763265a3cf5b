//! Shortens a path section by section from its start, while the rest is still being refined.

use throng_model::Cell;

use crate::corridor::{Corridor, PATH_CELLS_MAX};
use crate::layout::ClusteredGround;

/// Cells that are shortened together.
const SECTION_CELLS: usize = 216;
/// Cells of a section that become final. The others are shortened again with what follows.
const FINAL_CELLS: usize = 196;

const _: () = assert!(SECTION_CELLS <= PATH_CELLS_MAX && FINAL_CELLS < SECTION_CELLS);

/// The steps that follow the final part of a path, and the buffers to shorten them.
#[derive(Clone, Debug, Default)]
pub(crate) struct SectionRefiner {
    /// Steps that are not final yet, from the last final cell on.
    pub(crate) ahead: Vec<Cell>,
    section: Vec<Cell>,
    corridor: Corridor,
}

impl SectionRefiner {
    /// Gets ready for another path.
    pub(crate) fn reset(&mut self) {
        self.ahead.clear();
        self.corridor.expanded = 0;
    }

    /// Whether there are too few steps ahead for a section.
    pub(crate) fn needs_steps(&self) -> bool {
        self.ahead.len() < SECTION_CELLS
    }

    /// Shortens the next section and appends its final part to the path. Whether it was the
    /// last one. `is_complete`: the steps ahead lead to the goal.
    pub(crate) fn advance(
        &mut self,
        ground: &ClusteredGround<'_>,
        is_complete: bool,
        path: &mut Vec<Cell>,
    ) -> bool {
        let is_last = is_complete && self.ahead.len() <= SECTION_CELLS;
        let length = self.ahead.len().min(SECTION_CELLS);
        self.section.clear();
        self.section.extend_from_slice(&self.ahead[..length]);
        self.corridor.shorten(ground, &mut self.section);
        let count = self.section.len();
        let count = if is_last { count } else { FINAL_CELLS.min(count) };
        // The last final cell is the first one ahead.
        path.extend_from_slice(&self.section[1..count]);
        self.ahead.splice(..length, self.section[count - 1..].iter().copied());
        is_last
    }

    /// Cells relaxed for this path.
    pub(crate) fn expanded(&self) -> u64 {
        self.corridor.expanded
    }
}
