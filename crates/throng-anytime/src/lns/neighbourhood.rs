//! Which units to plan again together.
//!
//! The first unit is one that has a delay, often one that follows right behind a path which another unit
//! has given up for a better one: in a queue, what one unit gains the next can gain too. A random walk along
//! shorter paths for it finds the units that are in its way, those at rest on their goals too
//! (J. Li, Z. Chen, D. Harabor, P. Stuckey, S. Koenig, "Anytime multi-agent path finding via
//! large neighborhood search", 2021).

use std::collections::VecDeque;

use super::random::Random;
use super::state::State;
use super::tactics::{First, Tactic};
use super::task::Task;
use super::visits::Visits;

/// Walks per group before it is left smaller than wanted.
const WALKS: usize = 10;

/// Chooses disjoint groups of units, round after round.
#[derive(Clone, Debug)]
pub(crate) struct Chooser {
    pub(crate) visits: Visits,
    /// Units that follow paths that were given up lately, and whether a unit is one of them.
    queue: VecDeque<usize>,
    is_queued: Vec<bool>,
    /// Sums of the delays of the units up to each one.
    delays: Vec<u64>,
    /// The units that have a delay.
    delayed: Vec<usize>,
    /// The round in which each unit was last put into a group.
    chosen: Vec<u64>,
    round: u64,
}

impl Chooser {
    pub(crate) fn new(task: &Task, state: &State) -> Self {
        let visits = Visits::new(task.steps.positions(), &state.paths);
        Self {
            visits,
            queue: VecDeque::new(),
            is_queued: vec![false; task.units()],
            delays: Vec::new(),
            delayed: Vec::new(),
            chosen: vec![0; task.units()],
            round: 0,
        }
    }

    /// Begins a round: no unit is in a group.
    pub(crate) fn begin(&mut self, task: &Task, state: &State) {
        self.round += 1;
        self.delays.clear();
        let mut sum = 0;
        self.delays.extend(state.costs.iter().zip(&task.least).map(|(&cost, &least)| {
            sum += u64::from(cost - least);
            sum
        }));
        let delayed = |&unit: &usize| state.costs[unit] > task.least[unit];
        self.delayed.clear();
        self.delayed.extend((0..task.units()).filter(delayed));
    }

    /// A group of up to `tactic.size()` units that are in no other group of this round. Empty if the
    /// unit drawn is in one.
    pub(crate) fn choose(
        &mut self,
        task: &Task,
        state: &State,
        tactic: Tactic,
        random: &mut Random,
    ) -> Vec<usize> {
        let size = tactic.size();
        let mut units = Vec::with_capacity(size);
        if let Some(first) = self.first(tactic, random) {
            self.join(first, &mut units);
        }
        for _ in 0..WALKS {
            if units.is_empty() || units.len() >= size {
                break;
            }
            let walker = units[random.index(units.len())];
            self.walk(task, state, walker, size, random, &mut units);
        }
        units
    }

    /// A unit that has a delay.
    fn first(&mut self, tactic: Tactic, random: &mut Random) -> Option<usize> {
        match tactic.first() {
            First::Delayed => self.delayed.get(random.index(self.delayed.len())).copied(),
            First::ByDelay => self.by_delay(random),
            First::Follower => self.follower().or_else(|| self.by_delay(random)),
        }
    }

    fn by_delay(&self, random: &mut Random) -> Option<usize> {
        let delay = random.below(self.delays.last().copied()?);
        Some(self.delays.partition_point(|&sum| sum <= delay))
    }

    /// The unit that is in the queue for longest and can be chosen.
    fn follower(&mut self) -> Option<usize> {
        while let Some(unit) = self.queue.pop_front() {
            self.is_queued[unit] = false;
            let before = unit.checked_sub(1).map_or(0, |before| self.delays[before]);
            if self.delays[unit] > before && self.chosen[unit] != self.round {
                return Some(unit);
            }
        }
        None
    }

    /// Queues the units that follow a path that was given up: those that enter a position as soon as
    /// it was left.
    pub(crate) fn queue_followers(&mut self, path: &[u32]) {
        for (tick, step) in path.windows(2).enumerate().filter(|(_, step)| step[0] != step[1]) {
            let follower = self.visits.unit_at(step[0], tick as u32 + 1);
            if let Some(unit) = follower.filter(|&unit| !self.is_queued[unit]) {
                self.is_queued[unit] = true;
                self.queue.push_back(unit);
            }
        }
    }

    fn join(&mut self, unit: usize, units: &mut Vec<usize>) {
        if self.chosen.get(unit).is_some_and(|&round| round < self.round) {
            self.chosen[unit] = self.round;
            units.push(unit);
        }
    }

    /// Walks from a place on the unit's path along positions from which the unit would arrive
    /// sooner, and adds the units met.
    fn walk(
        &mut self,
        task: &Task,
        state: &State,
        unit: usize,
        size: usize,
        random: &mut Random,
        units: &mut Vec<usize>,
    ) {
        let path = &state.paths[unit];
        let mut tick = random.index(path.len());
        let mut at = path[tick];
        while units.len() < size {
            let Some(to) = sooner(task, unit, at, tick as u32 + 1, path.len() as u32 - 1, random)
            else {
                return;
            };
            let next = self.visits.unit_at(to, tick as u32 + 1);
            let opposite = self.visits.unit_at(to, tick as u32);
            let swaps = opposite
                .filter(|_| to != at && self.visits.unit_at(at, tick as u32 + 1) == opposite);
            for met in [next, swaps].into_iter().flatten() {
                self.join(met, units);
            }
            (at, tick) = (to, tick + 1);
        }
    }
}

/// A random position for the tick `tick` from which the unit can arrive before `arrival`.
fn sooner(
    task: &Task,
    unit: usize,
    at: u32,
    tick: u32,
    arrival: u32,
    random: &mut Random,
) -> Option<u32> {
    let is_sooner = |to: u32| tick + task.distance(unit, to) < arrival;
    let candidates = || task.steps.from(at).iter().map(|step| step.to).chain([at]);
    let count = candidates().filter(|&to| is_sooner(to)).count();
    candidates().filter(|&to| is_sooner(to)).nth(random.index(count))
}
