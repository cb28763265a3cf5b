//! X. Xu and K. Zou, "An improved pathfinding algorithm in RTS games", its claims tested.
//!
//! The paper claims and does not measure. Here each of its ideas is measured over a thousand random
//! cases, and compared with the usual method:
//!
//! | section | question | table |
//! |---|---|---|
//! | 3 | one search from all exits to all entrances, or one for each pair? | `many-to-many` |
//! | 5 | repair a broken path by a splice, or search from scratch? | `breaks` |
//! | 2 | how much of a grid path is zig-zag? | `zig-zag` |
//!
//! Figures 2 to 6 are computed again and drawn. The referee checks every path.

mod breaks;
mod figures;
mod many_to_many;
mod worlds;
mod zig_zag;

use crate::Paper;

/// The paper's ideas as experiments.
pub const PAPER: Paper = Paper {
    name: "xu-zou",
    citation: "X. Xu and K. Zou, An improved pathfinding algorithm in RTS games",
    parts: &[many_to_many::run, breaks::run, zig_zag::run, figures::draw],
};

/// Random cases of each stage.
const CASES: usize = 1000;
