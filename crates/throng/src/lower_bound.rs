//! The lower bound of a problem: every unit on its shortest path, other units ignored.
//!
//! This is the only place that computes it from a map. Planners also report bounds, from their
//! own searches.

use throng_grid::{FieldSearch, Ground};
use throng_model::{Interrupt, STRAIGHT, ValidProblem};

/// The lower bound of a problem, in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LowerBound {
    /// The sum of the shortest paths: a bound on the sum of costs and on the time away.
    pub sum_of_costs: u64,
    /// The longest of the shortest paths: a bound on the makespan.
    pub makespan: u64,
}

/// The ticks that the units would need if each were alone; `None` if one of them cannot reach
/// its goal.
///
/// A step takes the unit's pace on any terrain and in any direction. The map is swept once per
/// unit (breadth-first).
///
/// ```
/// use throng::model::{Map, MovementProfile, Problem, Unit};
/// let units = vec![Unit::new((0, 2), (4, 2)), Unit::new((2, 0), (2, 3))];
/// let problem = Problem::new(Map::empty(5, 5)?, MovementProfile::four_connected(), units).validate()?;
/// let bound = throng::lower_bound(&problem).ok_or("unreachable")?;
/// assert_eq!((bound.sum_of_costs, bound.makespan), (7, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn lower_bound(problem: &ValidProblem) -> Option<LowerBound> {
    lower_bound_within(problem, &|| false)
}

/// As [`lower_bound`], but `None` also if the interrupt says stop. It is called before each
/// unit's sweep.
#[must_use]
pub fn lower_bound_within(problem: &ValidProblem, interrupt: Interrupt<'_>) -> Option<LowerBound> {
    if interrupt() {
        return None;
    }
    let grounds = problem
        .movements
        .iter()
        .map(|movement| Ground::new(&problem.map, movement.by_time(&problem.map)));
    let grounds = grounds.collect::<Result<Vec<_>, _>>().ok()?;
    let mut search = FieldSearch::default();
    let mut bound = LowerBound::default();
    for unit in &problem.units {
        if interrupt() {
            return None;
        }
        if unit.start == unit.goal {
            continue;
        }
        let ground = &grounds[unit.movement];
        let field = search.compute(ground, &[unit.goal]).ok()?;
        let steps = field.distance(unit.start)?.0 / STRAIGHT;
        let ticks = steps * u64::from(ground.movement().pace);
        bound.sum_of_costs += ticks;
        bound.makespan = bound.makespan.max(ticks);
        search.recycle(field);
    }
    Some(bound)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use throng_model::{Cell, Factor, Map, MovementProfile, Problem, TerrainClass, Unit};

    /// A row of ten cells with something in the middle, and a unit that goes along it.
    fn bound(middle: Option<Factor>, movement: MovementProfile) -> Option<LowerBound> {
        let mut map = Map::empty(10, 1).unwrap();
        let class =
            TerrainClass { factor: middle, ..TerrainClass::passable("mud", 'm', Factor::ONE) };
        let class = map.add_class(class).unwrap();
        map.set(Cell::new(5, 0), class).unwrap();
        let units = vec![Unit::new((0, 0), (9, 0)), Unit::new((1, 0), (1, 0))];
        lower_bound(&Problem::new(map, movement, units).validate().unwrap())
    }

    #[test]
    fn terrain_costs_no_time_and_pace_does() {
        let slow = MovementProfile { pace: 3, ..MovementProfile::eight_connected() };
        let ticks = |sum| Some(LowerBound { sum_of_costs: sum, makespan: sum });
        let mud = Some(Factor::new(200).unwrap());
        assert_eq!(bound(mud, MovementProfile::four_connected()), ticks(9));
        assert_eq!(bound(mud, slow), ticks(27));
        assert_eq!(bound(None, MovementProfile::four_connected()), None);
    }

    #[test]
    fn it_is_given_up_when_it_is_told_to_stop() {
        let units = (0..9).map(|row| Unit::new((0, row), (8, row))).collect();
        let problem =
            Problem::new(Map::empty(9, 9).unwrap(), MovementProfile::four_connected(), units);
        let problem = problem.validate().unwrap();
        let after = |questions: u32| {
            let asked = AtomicU32::new(0);
            let stop = || asked.fetch_add(1, Ordering::Relaxed) >= questions;
            (lower_bound_within(&problem, &stop), asked.load(Ordering::Relaxed))
        };
        assert_eq!(after(0), (None, 1));
        assert_eq!(after(4), (None, 5));
        assert_eq!(after(10), (lower_bound(&problem), 10));
    }

    #[test]
    fn a_diagonal_step_is_one_step() {
        let units = vec![Unit::new((0, 0), (6, 4))];
        let problem =
            Problem::new(Map::empty(9, 9).unwrap(), MovementProfile::eight_connected(), units);
        let found = lower_bound(&problem.validate().unwrap());
        assert_eq!(found, Some(LowerBound { sum_of_costs: 6, makespan: 6 }));
    }
}
