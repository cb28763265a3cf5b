//! A brute-force oracle and a checker for units whose moves take several ticks and hold several
//! things: Dijkstra's algorithm over the states of all units.
//!
//! A world is written down as lists. What cannot be shared is a number: a cell, a slot of a road,
//! or the gap between two cells, which makes an exchange of places a conflict. So the oracle knows
//! one rule only: no two units hold the same number at the same tick.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use throng_model::Objective;

/// The world of one kind of unit.
#[derive(Clone, Debug, Default)]
pub struct Kind {
    /// What a unit holds that stands at each node.
    pub standing: Vec<Vec<u32>>,
    /// Its moves.
    pub moves: Vec<TimedMove>,
}

/// A move between two nodes.
#[derive(Clone, Debug)]
pub struct TimedMove {
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What it holds at each of its ticks, from the first after its beginning to its end. Its
    /// length is the number of ticks. What the end holds by standing is not listed.
    pub held: Vec<Vec<u32>>,
}

/// A unit: its kind, start and goal.
#[derive(Clone, Copy, Debug)]
pub struct Traveller<'k> {
    /// The world as it sees it.
    pub kind: &'k Kind,
    /// Where it starts.
    pub start: usize,
    /// Where it goes.
    pub goal: usize,
}

/// Where a unit is: at a node, or on a move since some ticks; and whether it rests for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    node: usize,
    on: Option<(usize, usize)>,
    rests: bool,
}

impl Traveller<'_> {
    fn at(node: usize) -> State {
        State { node, on: None, rests: false }
    }

    /// What a unit can do within a tick: the cost, the next state, and what it then holds.
    fn options(&self, state: State, objective: Objective) -> Vec<(u64, State, Vec<u32>)> {
        if let Some((number, ticks)) = state.on {
            return vec![self.drive(number, ticks + 1)];
        }
        let standing = &self.kind.standing[state.node];
        if state.rests {
            return vec![(0, state, standing.clone())];
        }
        let numbered = self.kind.moves.iter().enumerate();
        let departures = numbered.filter(|(_, step)| step.from == state.node);
        let mut options: Vec<_> = departures.map(|(number, _)| self.drive(number, 1)).collect();
        let is_home = state.node == self.goal;
        let is_free = is_home && objective == Objective::TimeAway;
        options.push((u64::from(!is_free), state, standing.clone()));
        if is_home && objective == Objective::SumOfCosts {
            options.push((0, State { rests: true, ..state }, standing.clone()));
        }
        options
    }

    fn drive(&self, number: usize, ticks: usize) -> (u64, State, Vec<u32>) {
        let step = &self.kind.moves[number];
        let mut held = step.held[ticks - 1].clone();
        if ticks < step.held.len() {
            let on = Some((number, ticks));
            return (1, State { node: step.from, on, rests: false }, held);
        }
        held.extend(&self.kind.standing[step.to]);
        (1, Self::at(step.to), held)
    }
}

/// The cost of an optimal plan; `None` if there is none. Only for a few units in a small world.
#[must_use]
pub fn optimum(units: &[Traveller<'_>], objective: Objective) -> Option<u64> {
    let starts: Vec<State> = units.iter().map(|unit| Traveller::at(unit.start)).collect();
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
            joint = extend(&joint, &unit.options(state, objective));
        }
        open.extend(joint.into_iter().map(|(cost, states, _)| Reverse((cost, states))));
    }
    None
}

type JointMove = (u64, Vec<State>, BTreeSet<u32>);

/// Extends each joint move by every option of one more unit that holds nothing held already.
fn extend(joint: &[JointMove], options: &[(u64, State, Vec<u32>)]) -> Vec<JointMove> {
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

/// The cost of a plan. A path lists a unit's node at every tick; while the unit moves, that is
/// the node from which it departed.
///
/// # Errors
/// When a path does not lead from its start to its goal by the unit's moves, or two units hold
/// the same thing at the same tick.
pub fn check(
    units: &[Traveller<'_>],
    paths: &[Vec<usize>],
    objective: Objective,
) -> Result<u64, String> {
    if units.len() != paths.len() {
        return Err(format!("{} paths for {} units", paths.len(), units.len()));
    }
    let ticks = paths.iter().map(Vec::len).max().unwrap_or(0);
    let mut holders: BTreeMap<(usize, u32), usize> = BTreeMap::new();
    let mut cost = 0;
    for (number, (unit, path)) in units.iter().zip(paths).enumerate() {
        let name = |why: String| format!("unit {number}: {why}");
        let held = holdings(unit, path).map_err(name)?;
        for tick in 0..ticks {
            let held = held.get(tick).unwrap_or(&unit.kind.standing[unit.goal]);
            for &thing in held {
                if let Some(other) = holders.insert((tick, thing), number).filter(|&o| o != number)
                {
                    return Err(format!("units {other} and {number} meet at tick {tick}"));
                }
            }
        }
        cost += price(unit, path, objective);
    }
    Ok(cost)
}

/// What a unit holds at every tick of its path.
fn holdings(unit: &Traveller<'_>, path: &[usize]) -> Result<Vec<Vec<u32>>, String> {
    if path.first() != Some(&unit.start) || path.last() != Some(&unit.goal) {
        return Err(String::from("the path does not lead from its start to its goal"));
    }
    let mut held: Vec<_> = path.iter().map(|&node| unit.kind.standing[node].clone()).collect();
    let mut stands_since = 0;
    for arrival in 1..path.len() {
        let (from, to) = (path[arrival - 1], path[arrival]);
        if from == to {
            continue;
        }
        let is_this = |step: &&TimedMove| (step.from, step.to) == (from, to);
        let step = unit.kind.moves.iter().find(is_this);
        let step = step.ok_or_else(|| format!("no move from {from} to {to}"))?;
        let departure = arrival.checked_sub(step.held.len()).filter(|&tick| tick >= stands_since);
        let departure = departure.ok_or_else(|| format!("from {from} to {to} in no time"))?;
        for (ticks, on_the_way) in (1..).zip(&step.held) {
            let at = departure + ticks;
            let standing = if at == arrival { unit.kind.standing[to].clone() } else { Vec::new() };
            held[at] = [on_the_way.clone(), standing].concat();
        }
        stands_since = arrival;
    }
    Ok(held)
}

fn price(unit: &Traveller<'_>, path: &[usize], objective: Objective) -> u64 {
    let arrival = path.iter().rposition(|&node| node != unit.goal).map_or(0, |last| last + 1);
    let rests = match objective {
        Objective::SumOfCosts => 0,
        Objective::TimeAway => resting_ticks(unit, &path[..=arrival]),
    };
    (arrival - rests) as u64
}

/// The ticks during which a unit rests on its goal before its last arrival.
fn resting_ticks(unit: &Traveller<'_>, path: &[usize]) -> usize {
    let mut rests = 0;
    let mut since = None;
    for (tick, &node) in path.iter().enumerate() {
        if node == unit.goal {
            since = since.or(Some(tick));
        } else if let Some(begin) = since.take() {
            let is_this = |step: &&TimedMove| (step.from, step.to) == (unit.goal, node);
            let ticks = unit.kind.moves.iter().find(is_this).map_or(1, |step| step.held.len());
            rests += (tick - begin).saturating_sub(ticks);
        }
    }
    rests
}
