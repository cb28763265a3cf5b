//! X. Xu and K. Zou, "An improved pathfinding algorithm in RTS games", its claims tested.
//!
//! The paper claims and does not measure. Here each of its ideas is measured over two hundred
//! random cases per seed, and compared with the usual method:
//!
//! | section | question | table |
//! |---|---|---|
//! | 3 | one search from all exits to all entrances, or one for each pair? | `many-to-many` |
//! | 5 | repair a broken path by a splice, or search from scratch? | `breaks` |
//! | 2 | how much of a grid path is zig-zag? | `zig-zag` |
//! | 2 | a heap or a list for open nodes? | `open-lists-time` |
//!
//! The paper's own search and splice run exactly as printed beside ours (table `as-printed`).
//! Figures 2 to 6 are computed again and drawn. The referee checks every path.

mod barracks;
mod breaks;
mod claims;
mod figures;
mod many_to_many;
mod open_lists;
mod worlds;
mod zig_zag;

use crate::Paper;
use crate::harness::Study;

/// The paper's ideas as experiments.
pub const PAPER: Paper = Paper {
    name: "xu-zou",
    citation: "X. Xu and K. Zou, An improved pathfinding algorithm in RTS games",
    parts: &[many_to_many::run, breaks::run, zig_zag::run, open_lists::run, figures::draw],
};

/// Random cases of each stage and seed.
const CASES: usize = 200;
const CASES_QUICK: usize = 20;

fn per_seed(study: &Study<'_>) -> usize {
    if study.options().quick { CASES_QUICK } else { CASES }
}
