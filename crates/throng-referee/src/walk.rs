//! The judge of a single path without ticks: the answer to a path query.

use throng_model::{Cell, Cost, Map, MovementProfile, UnitId};

use crate::ground::{Ground, is_diagonal};
use crate::{Violation, ViolationKind};

/// Judges a path of one unit, cell by cell, and adds up its cost.
///
/// A step costs the movement's price of a straight or diagonal step, times the largest
/// terrain factor under the footprint at the cell entered. The path may begin anywhere;
/// staying on a cell is no step. In the violations, the tick is the index in the path, and
/// the unit is 0.
///
/// ```
/// use throng_model::{Cell, Cost, Map, MovementProfile, STRAIGHT};
/// let path = [Cell::new(0, 0), Cell::new(1, 0), Cell::new(1, 1)];
/// let cost = throng_referee::walk(&Map::empty(4, 4)?, &MovementProfile::four_connected(), &path);
/// assert_eq!(cost, Ok(Cost(2 * STRAIGHT)));
/// # Ok::<(), throng_model::MapError>(())
/// ```
///
/// # Errors
/// With everything that is wrong with the path, in its order.
pub fn walk(map: &Map, movement: &MovementProfile, cells: &[Cell]) -> Result<Cost, Vec<Violation>> {
    let found = |kind, tick, cells: &[Cell]| Violation::of_one(kind, tick, UNIT, cells.to_vec());
    let Some(ground) = Ground::new(map, movement) else {
        return Err(vec![found(ViolationKind::MovementProfile, 0, &[])]);
    };
    if cells.is_empty() {
        return Err(vec![found(ViolationKind::EmptyPath, 0, &[])]);
    }
    let mut violations = Vec::new();
    let mut cost = Cost::ZERO;
    for (tick, &at) in cells.iter().enumerate() {
        judge_place(&ground, UNIT, tick, at, &mut violations);
        let Some(&from) = tick.checked_sub(1).and_then(|before| cells.get(before)) else {
            continue;
        };
        let fault = ground.fault_of_step(from, at);
        let fault = if from == at { Some(ViolationKind::Contiguity) } else { fault };
        violations.extend(fault.map(|kind| found(kind, tick, &[from, at])));
        cost = Cost(cost.0.saturating_add(step_cost(&ground, from, at)));
    }
    if violations.is_empty() { Ok(cost) } else { Err(violations) }
}

const UNIT: UnitId = UnitId(0);

/// Reports a footprint that is off the map or on impassable ground.
pub(crate) fn judge_place(
    ground: &Ground<'_>,
    unit: UnitId,
    tick: usize,
    at: Cell,
    violations: &mut Vec<Violation>,
) {
    if !ground.is_inside(at) {
        violations.push(Violation::of_one(ViolationKind::Bounds, tick, unit, vec![at]));
    }
    let obstacles = ground.obstacles(at);
    if !obstacles.is_empty() {
        violations.push(Violation::of_one(ViolationKind::Terrain, tick, unit, obstacles));
    }
}

fn step_cost(ground: &Ground<'_>, from: Cell, to: Cell) -> u64 {
    let (straight, diagonal) = ground.movement.step_costs();
    let base = if is_diagonal(from, to) { diagonal } else { straight };
    base.0 * ground.factor(to)
}
