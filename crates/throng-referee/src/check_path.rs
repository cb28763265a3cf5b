//! Checks a single path without ticks: the answer to a path query.

use throng_model::{Cell, Cost, Map, MovementProfile, UnitId};

use crate::passable_map::{PassableMap, is_diagonal};
use crate::{Violation, ViolationKind};

/// Checks the path of one unit and returns its cost.
///
/// A step costs the profile's cost of a straight or diagonal step, times the largest cost
/// factor under the footprint at the cell entered. The path may start on any cell. Repeating
/// a cell is not a step, and is reported. In the violations, `tick` is the index in the path
/// and the unit is 0.
///
/// ```
/// use throng_model::{Cell, Cost, Map, MovementProfile, STRAIGHT};
/// let path = [Cell::new(0, 0), Cell::new(1, 0), Cell::new(1, 1)];
/// let cost = throng_referee::check_path(&Map::empty(4, 4)?, &MovementProfile::four_connected(), &path);
/// assert_eq!(cost, Ok(Cost(2 * STRAIGHT)));
/// # Ok::<(), throng_model::MapError>(())
/// ```
///
/// # Errors
/// Every violation, in the order of the path.
pub fn check_path(
    map: &Map,
    movement: &MovementProfile,
    cells: &[Cell],
) -> Result<Cost, Vec<Violation>> {
    let found = |kind, tick, cells: &[Cell]| Violation::of_one(kind, tick, UNIT, cells.to_vec());
    let Some(passable) = PassableMap::new(map, movement) else {
        return Err(vec![found(ViolationKind::MovementProfile, 0, &[])]);
    };
    if cells.is_empty() {
        return Err(vec![found(ViolationKind::EmptyPath, 0, &[])]);
    }
    let mut violations = Vec::new();
    let mut cost = Cost::ZERO;
    for (tick, &at) in cells.iter().enumerate() {
        report_position(&passable, UNIT, tick, at, &mut violations);
        let Some(&from) = tick.checked_sub(1).and_then(|before| cells.get(before)) else {
            continue;
        };
        let fault = passable.fault_of_step(from, at);
        let fault = if from == at { Some(ViolationKind::Contiguity) } else { fault };
        violations.extend(fault.map(|kind| found(kind, tick, &[from, at])));
        cost = Cost(cost.0.saturating_add(step_cost(&passable, from, at)));
    }
    if violations.is_empty() { Ok(cost) } else { Err(violations) }
}

const UNIT: UnitId = UnitId::new(0);

/// Reports a footprint that is off the map or covers impassable cells.
pub(crate) fn report_position(
    passable: &PassableMap<'_>,
    unit: UnitId,
    tick: usize,
    at: Cell,
    violations: &mut Vec<Violation>,
) {
    if !passable.is_inside(at) {
        violations.push(Violation::of_one(ViolationKind::Bounds, tick, unit, vec![at]));
    }
    let obstacles = passable.obstacles(at);
    if !obstacles.is_empty() {
        violations.push(Violation::of_one(ViolationKind::Terrain, tick, unit, obstacles));
    }
}

fn step_cost(passable: &PassableMap<'_>, from: Cell, to: Cell) -> u64 {
    let (straight, diagonal) = passable.movement.step_costs();
    let base = if is_diagonal(from, to) { diagonal } else { straight };
    base.0 * passable.factor(to)
}
