//! A brute-force oracle for optimal plans: Dijkstra's algorithm over the positions of all units.
//! It works on the raw map and shares no code with the planners.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use throng_model::{Cell, Objective, Problem};

use crate::oracle::steps;

/// A unit's cell, and whether it rests there for good.
type UnitState = (Cell, bool);

/// The cost of an optimal plan; `None` if there is no plan. Only for a few units of one cell and
/// one tick per step, on a small map.
#[must_use]
pub fn optimum(problem: &Problem, objective: Objective) -> Option<u64> {
    let starts: Vec<UnitState> = problem.units.iter().map(|unit| (unit.start, false)).collect();
    let mut done = BTreeMap::new();
    let mut open = BinaryHeap::from([Reverse((0, starts))]);
    while let Some(Reverse((cost, states))) = open.pop() {
        let at_goal = |(state, unit): (&UnitState, &throng_model::Unit)| state.0 == unit.goal;
        if states.iter().zip(&problem.units).all(at_goal) {
            return Some(cost);
        }
        if done.insert(states.clone(), cost).is_some() {
            continue;
        }
        let mut moves = vec![(cost, Vec::new())];
        for unit in 0..states.len() {
            moves = extend(problem, objective, &states, unit, &moves);
        }
        open.extend(
            moves.into_iter().filter(|joint_move| !done.contains_key(&joint_move.1)).map(Reverse),
        );
    }
    None
}

/// Extends each partial joint move by every move of one more unit.
fn extend(
    problem: &Problem,
    objective: Objective,
    states: &[UnitState],
    unit: usize,
    moves: &[(u64, Vec<UnitState>)],
) -> Vec<(u64, Vec<UnitState>)> {
    let options = options(problem, objective, states[unit], unit);
    let mut found = Vec::new();
    for (cost, moved) in moves {
        for &(step_cost, to) in &options {
            let meets = |other: usize| {
                conflict(problem, [states[other].0, moved[other].0], [states[unit].0, to.0])
            };
            if !(0..unit).any(meets) {
                let mut moved = moved.clone();
                moved.push(to);
                found.push((cost + step_cost, moved));
            }
        }
    }
    found
}

/// The moves of a unit within a tick, and their costs.
fn options(
    problem: &Problem,
    objective: Objective,
    (at, rests): UnitState,
    unit: usize,
) -> Vec<(u64, UnitState)> {
    if rests {
        return vec![(0, (at, true))];
    }
    let unit = &problem.units[unit];
    let mut options: Vec<_> = steps(&problem.map, &problem.movements[unit.movement], at)
        .into_iter()
        .map(|(to, _)| (1, (to, false)))
        .collect();
    match objective {
        Objective::TimeAway => options.push((u64::from(at != unit.goal), (at, false))),
        Objective::SumOfCosts => {
            options.push((1, (at, false)));
            if at == unit.goal {
                options.push((0, (at, true)));
            }
        }
    }
    options
}

fn conflict(problem: &Problem, a: [Cell; 2], b: [Cell; 2]) -> bool {
    let middle = |[from, to]: [Cell; 2]| (from.x + to.x, from.y + to.y);
    if a[1] == b[1] {
        return true;
    }
    let is_swap = a[0] == b[1] && a[1] == b[0];
    let is_crossing = !is_swap && middle(a) == middle(b);
    (is_swap && problem.conflicts.swap) || (is_crossing && problem.conflicts.crossing)
}
