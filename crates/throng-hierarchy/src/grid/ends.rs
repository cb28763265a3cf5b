//! Where a query can begin and end.

use throng_grid::{Ground, Query};
use throng_model::Cell;

/// Keeps the starts and goals between which there is a way; false if there is none.
pub(crate) fn take_ends(
    ground: &Ground,
    query: &Query<'_>,
    starts: &mut Vec<Cell>,
    goals: &mut Vec<Cell>,
) -> bool {
    let meets = |cell: &Cell, others: &[Cell]| {
        others.iter().any(|&other| ground.is_connected(*cell, other))
    };
    starts.clear();
    starts.extend(query.starts.iter().filter(|start| meets(start, query.goals)));
    goals.clear();
    goals.extend(query.goals.iter().filter(|goal| meets(goal, query.starts)));
    !starts.is_empty()
}
