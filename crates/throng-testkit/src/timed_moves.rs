//! A brute-force oracle for units whose moves take several ticks and hold several things: Dijkstra's
//! algorithm over the states of all units. The world is written down as the referee's lists.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use throng_model::Objective;
use throng_referee::Traveller;

/// Where a unit is: at a node, or on a move since some ticks; and whether it rests for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    node: usize,
    on: Option<(usize, usize)>,
    rests: bool,
}

impl State {
    fn at(node: usize) -> Self {
        Self { node, on: None, rests: false }
    }
}

/// A choice of a unit for a tick: the cost, the next state, and what it then holds.
type Choice = (u64, State, Vec<u32>);

/// What a unit can do within a tick.
fn options(unit: &Traveller<'_>, state: State, objective: Objective) -> Vec<Choice> {
    if let Some((number, ticks)) = state.on {
        return vec![drive(unit, number, ticks + 1)];
    }
    let standing = &unit.kind.standing[state.node];
    if state.rests {
        return vec![(0, state, standing.clone())];
    }
    let numbered = unit.kind.moves.iter().enumerate();
    let departures = numbered.filter(|(_, step)| step.from == state.node);
    let mut options: Vec<_> = departures.map(|(number, _)| drive(unit, number, 1)).collect();
    let is_home = state.node == unit.goal;
    let is_free = is_home && objective == Objective::TimeAway;
    options.push((u64::from(!is_free), state, standing.clone()));
    if is_home && objective == Objective::SumOfCosts {
        options.push((0, State { rests: true, ..state }, standing.clone()));
    }
    options
}

/// A unit on a move for so many ticks.
fn drive(unit: &Traveller<'_>, number: usize, ticks: usize) -> Choice {
    let step = &unit.kind.moves[number];
    let mut held = step.held[ticks - 1].clone();
    if ticks < step.held.len() {
        let on = Some((number, ticks));
        return (1, State { node: step.from, on, rests: false }, held);
    }
    held.extend(&unit.kind.standing[step.to]);
    (1, State::at(step.to), held)
}

/// The cost of an optimal plan; `None` if there is none. Only for a few units in a small world.
#[must_use]
pub fn optimum(units: &[Traveller<'_>], objective: Objective) -> Option<u64> {
    let starts: Vec<State> = units.iter().map(|unit| State::at(unit.start)).collect();
    let mut done = BTreeSet::new();
    let mut open = BinaryHeap::from([Reverse((0, starts))]);
    while let Some(Reverse((cost, states))) = open.pop() {
        let is_home =
            |(state, unit): (&State, &Traveller<'_>)| state.on.is_none() && state.node == unit.goal;
        if states.iter().zip(units).all(is_home) {
            return Some(cost);
        }
        if !done.insert(states.clone()) {
            continue;
        }
        let mut joint = vec![(cost, Vec::new(), BTreeSet::new())];
        for (unit, &state) in units.iter().zip(&states) {
            joint = extend(&joint, &options(unit, state, objective));
        }
        open.extend(joint.into_iter().map(|(cost, states, _)| Reverse((cost, states))));
    }
    None
}

type JointMove = (u64, Vec<State>, BTreeSet<u32>);

/// Extends each joint move by every option of one more unit that holds nothing held already.
fn extend(joint: &[JointMove], options: &[Choice]) -> Vec<JointMove> {
    let mut found = Vec::new();
    for (cost, states, taken) in joint {
        for (price, state, held) in options {
            if held.iter().all(|number| !taken.contains(number)) {
                let states = states.iter().chain([state]).copied().collect();
                let taken = taken.iter().chain(held).copied().collect();
                found.push((cost + price, states, taken));
            }
        }
    }
    found
}
