//! The shortest path between two cells, for experiments that need one.

use throng::grid::{Ground, Path};
use throng::grid::{PathSearch, Query};
use throng::model::{Budget, Cell};

use super::LabError;

/// The shortest path from one cell to another; `None` when a cell is blocked or there is none.
pub(crate) fn best_path(
    ground: &Ground,
    search: &mut impl PathSearch,
    start: Cell,
    goal: Cell,
) -> Result<Option<Path>, LabError> {
    if !ground.can_stand(start) || !ground.can_stand(goal) {
        return Ok(None);
    }
    let (starts, goals) = ([start], [goal]);
    let answer = search.find(ground, &Query::new(&starts, &goals), Budget::unlimited())?;
    Ok(answer.found())
}
