//! Makes a path exact window by window, from its start on, while the rest of it is still to
//! be found.

use throng_model::Cell;

use super::band::{Band, PATH_MAX};
use super::plane::Plane;

/// Steps that are made exact together.
const WINDOW: usize = 216;
/// How many of them count; the others are done again with what follows.
const COMMIT: usize = 196;

const _: () = assert!(WINDOW <= PATH_MAX && COMMIT < WINDOW);

/// The steps that follow those of a path and are not exact yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Windows {
    /// From the last cell of the path on.
    pub(crate) ahead: Vec<Cell>,
    window: Vec<Cell>,
    band: Band,
}

impl Windows {
    /// Forgets the path before; nothing was looked at yet.
    pub(crate) fn reset(&mut self) {
        self.ahead.clear();
        self.band.expanded = 0;
    }

    /// Whether a window wants more steps than are known.
    pub(crate) fn wants_more(&self) -> bool {
        self.ahead.len() < WINDOW
    }

    /// Makes the next steps exact and adds them to the path. Whether these were the last.
    /// `is_complete`: nothing follows what is ahead.
    pub(crate) fn advance(
        &mut self,
        plane: &Plane,
        is_complete: bool,
        path: &mut Vec<Cell>,
    ) -> bool {
        let is_last = is_complete && self.ahead.len() <= WINDOW;
        let length = self.ahead.len().min(WINDOW);
        self.window.clear();
        self.window.extend_from_slice(&self.ahead[..length]);
        self.band.improve(plane, &mut self.window);
        let commit = if is_last { self.window.len() } else { COMMIT.min(self.window.len()) };
        // The last cell committed is the first of what is ahead.
        path.extend_from_slice(&self.window[1..commit]);
        let rest = &self.window[commit - 1..];
        self.ahead.splice(..length, rest.iter().copied());
        is_last
    }

    /// Cells that were looked at.
    pub(crate) fn expanded(&self) -> u64 {
        self.band.expanded
    }
}
