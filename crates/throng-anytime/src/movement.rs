//! Which units the planners of crowds support: the one rule of LaCAM and large neighbourhood search.
//!
//! Units cover one cell, take one tick per step and go the same ways. Terrain decides where units can
//! go, and not how long a step takes: units that differ in the costs of terrain alone move alike.

use throng_model::{MovementProfile, PlanError, Problem, UnitId};

use crate::Graph;

/// Steps that differ in their ticks.
const UNEVEN: &str = "steps of several durations (diagonals or terrain with ticks of their own)";

/// The movement of all units, with steps that cost one tick; refuses units that move otherwise.
pub(crate) fn common_movement(
    problem: &Problem,
    planner: &'static str,
) -> Result<MovementProfile, PlanError> {
    let first = problem.units.first().map_or(0, |unit| unit.movement);
    let timed = |movement: usize| problem.movements[movement].by_time(&problem.map);
    let profiles: Vec<MovementProfile> = (0..problem.movements.len()).map(timed).collect();
    for (index, unit) in problem.units.iter().enumerate() {
        let MovementProfile { footprint, pace, .. } = problem.movements[unit.movement];
        let movement = match (footprint, pace) {
            (1, 1) if !problem.movements[unit.movement].has_even_steps() => UNEVEN.to_owned(),
            (1, 1) if profiles[unit.movement] == profiles[first] => continue,
            (1, 1) => "several movement profiles in one problem".to_owned(),
            (1, _) => format!("a pace of {pace} ticks per step"),
            _ => format!("a footprint of {footprint} x {footprint} cells"),
        };
        return Err(unsupported(planner, index, movement));
    }
    Ok(profiles.into_iter().nth(first).unwrap_or_else(MovementProfile::four_connected))
}

/// The graph on which all units move.
pub(crate) fn common_graph(problem: &Problem, planner: &'static str) -> Result<Graph, PlanError> {
    let movement = common_movement(problem, planner)?;
    // A valid problem has valid profiles.
    let graph = Graph::new(&problem.map, &movement);
    graph.map_err(|error| unsupported(planner, 0, error.to_string()))
}

/// The error about a unit that moves in a way that is not supported.
pub(crate) fn unsupported(planner: &'static str, unit: usize, movement: String) -> PlanError {
    let (unit, instead) = (UnitId::new(unit as u32), "HCA* or WHCA*");
    PlanError::Unsupported { planner, unit, movement, instead }
}
