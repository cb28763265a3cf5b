//! The least excess of a small group of units: A* with partial expansion over joint positions.
//!
//! The estimate of a joint position is the sum of the true distances, so its value above the
//! start's is what the units have lost. The search goes through the values in order. For each
//! value it makes exactly the moves that lead to it (M. Goldenberg, A. Felner, R. Stern, G.
//! Sharon, N. Sturtevant, R. Holte, J. Schaeffer, "Enhanced partial expansion A*", 2014). Distances
//! are consistent, so a joint position is first met with its least value. A value that is
//! searched in vain raises the lower bound, also when the effort ends later.

use throng_model::Effort;

use super::lower_bound::spend;
use super::steps::OPEN;
use super::task::Task;

/// Most units per group.
pub(crate) const SIZE_MAX: usize = 4;
/// Marks a unit that stays on its goal forever.
const PARKED: u32 = 1 << 31;
/// An empty slot of the table.
const EMPTY: u32 = u32::MAX;

/// A position per unit, with [`PARKED`].
type Joint = [u32; SIZE_MAX];

/// A move of one unit.
#[derive(Clone, Copy, Debug)]
struct Move {
    to: u32,
    passage: u32,
    lost: u32,
}

/// Searches groups of units, one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroupSearch {
    nodes: Vec<Joint>,
    /// Where the nodes of each value begin.
    levels: Vec<usize>,
    /// Node numbers by hash, open addressing.
    table: Vec<u32>,
    moves: [Vec<Move>; SIZE_MAX],
    /// The most that the units from each one on can lose in a tick.
    most: [u32; SIZE_MAX + 1],
    is_found: bool,
}

impl GroupSearch {
    /// A proven lower bound of the group's excess: exact if it is found within `allowance`
    /// expansions and is at most `excess_max`.
    pub(crate) fn excess(
        &mut self,
        task: &Task,
        units: &[usize],
        excess_max: u32,
        allowance: usize,
        effort: &mut Effort<'_>,
    ) -> u32 {
        self.begin(task, units);
        let mut left = allowance;
        for value in 0..=excess_max {
            if !self.search_level(task, units, value, &mut left, effort) {
                return value;
            }
        }
        excess_max + 1
    }

    fn begin(&mut self, task: &Task, units: &[usize]) {
        self.nodes.clear();
        self.levels.clear();
        self.table.clear();
        self.table.resize(1 << 10, EMPTY);
        self.is_found = false;
        debug_assert!(units.len() <= SIZE_MAX, "a group is small");
        debug_assert!(task.steps.positions() < PARKED as usize, "positions leave a bit");
    }

    /// Finds all joint positions of a value. Whether all are found and none is the goal.
    fn search_level(
        &mut self,
        task: &Task,
        units: &[usize],
        value: u32,
        left: &mut usize,
        effort: &mut Effort<'_>,
    ) -> bool {
        let first = self.nodes.len();
        self.levels.push(first);
        self.add_starts(task, units, value);
        let lost_most = 2 * units.len() as u32;
        for lost in (1..=lost_most.min(value)).rev() {
            let level = (value - lost) as usize;
            for node in self.levels[level]..self.levels[level + 1] {
                if !self.expand(task, units, node, lost, left, effort) {
                    return false;
                }
            }
        }
        let mut node = first;
        while node < self.nodes.len() {
            if !self.expand(task, units, node, 0, left, effort) {
                return false;
            }
            node += 1;
        }
        true
    }

    /// The joint positions at the start: units on their goals may stay or may have to leave.
    fn add_starts(&mut self, task: &Task, units: &[usize], value: u32) {
        let is_home = |&unit: &usize| task.starts[unit] == task.goals[unit];
        let home = units.iter().filter(|unit| is_home(unit)).count() as u32;
        if !value.is_multiple_of(2) || value / 2 > home {
            return;
        }
        for leaves in (0..1u32 << home).filter(|leaves| leaves.count_ones() == value / 2) {
            let (mut joint, mut number) = ([0; SIZE_MAX], 0);
            for (at, unit) in joint.iter_mut().zip(units) {
                *at = task.starts[*unit];
                if is_home(unit) {
                    *at |= if leaves >> number & 1 == 0 { PARKED } else { 0 };
                    number += 1;
                }
            }
            self.add(units.len(), joint);
        }
    }

    /// Makes the moves that lose exactly `lost`; whether the effort allows that and the goal is
    /// not found.
    fn expand(
        &mut self,
        task: &Task,
        units: &[usize],
        node: usize,
        lost: u32,
        left: &mut usize,
        effort: &mut Effort<'_>,
    ) -> bool {
        if *left == 0 || self.is_found || !spend(effort, 1) {
            return false;
        }
        *left -= 1;
        let joint = self.nodes[node];
        self.most[units.len()] = 0;
        for (index, &unit) in units.iter().enumerate().rev() {
            let moves = &mut self.moves[index];
            moves.clear();
            add_moves(task, unit, joint[index], lost, moves);
            let most = moves.iter().map(|option| option.lost).max().unwrap_or(0);
            self.most[index] = self.most[index + 1] + most;
        }
        self.combine(units.len(), 0, lost, &mut [0; SIZE_MAX], &mut [OPEN; SIZE_MAX]);
        !self.is_found
    }

    /// Adds a move of the unit `index` to those of the units before it in all ways.
    fn combine(
        &mut self,
        size: usize,
        index: usize,
        lost: u32,
        joint: &mut Joint,
        passages: &mut Joint,
    ) {
        if index == size {
            self.add(size, *joint);
            return;
        }
        if self.most[index] < lost {
            return;
        }
        for number in 0..self.moves[index].len() {
            let Move { to, passage, lost: loses } = self.moves[index][number];
            let meets = (0..index).any(|other| {
                (joint[other] ^ to) & !PARKED == 0
                    || (passage == passages[other] && passage != OPEN)
            });
            if loses <= lost && !meets {
                (joint[index], passages[index]) = (to, passage);
                self.combine(size, index + 1, lost - loses, joint, passages);
            }
        }
    }

    /// Adds a joint position that is new.
    fn add(&mut self, size: usize, joint: Joint) {
        if self.table.len() < 2 * self.nodes.len() {
            self.grow(size);
        }
        let slot = self.slot(size, &joint);
        if self.table[slot] == EMPTY {
            self.table[slot] = self.nodes.len() as u32;
            self.nodes.push(joint);
            self.is_found |= joint[..size].iter().all(|at| at & PARKED != 0);
        }
    }

    /// Where a joint position is in the table, or would be.
    fn slot(&self, size: usize, joint: &Joint) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = hash(&joint[..size]) as usize & mask;
        loop {
            match self.table[slot] {
                EMPTY => return slot,
                node if self.nodes[node as usize][..size] == joint[..size] => return slot,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn grow(&mut self, size: usize) {
        let slots = 4 * self.table.len();
        self.table.clear();
        self.table.resize(slots, EMPTY);
        for node in 0..self.nodes.len() {
            let slot = self.slot(size, &self.nodes[node]);
            self.table[slot] = node as u32;
        }
    }
}

/// The moves of a unit that lose at most `lost`.
fn add_moves(task: &Task, unit: usize, at: u32, lost: u32, found: &mut Vec<Move>) {
    if at & PARKED != 0 {
        found.push(Move { to: at, passage: OPEN, lost: 0 });
        return;
    }
    let left = remaining(task, unit, at);
    let steps = task.steps.from(at).iter().map(|step| (step.to, step.passage));
    for (to, passage) in steps.chain([(at, OPEN)]) {
        let loses = 1 + remaining(task, unit, to) - left;
        if loses <= lost {
            found.push(Move { to, passage, lost: loses });
        }
        // To wait on the goal is no better than to have parked there.
        if to == task.goals[unit] && to != at {
            found.push(Move { to: to | PARKED, passage, lost: 1 - left });
        }
    }
}

/// The least ticks until a unit that is not parked is.
fn remaining(task: &Task, unit: usize, at: u32) -> u32 {
    match task.distance(unit, at) {
        // It has to leave and to come back.
        0 => 2,
        distance => distance,
    }
}

fn hash(joint: &[u32]) -> u64 {
    joint.iter().fold(0, |hash: u64, &at| {
        (hash ^ u64::from(at)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lns::lower_bound::tests::random_task;

    const EXCESS_MAX: u32 = 60;

    #[test]
    fn the_excess_of_a_group_is_exact() {
        let mut found = 0;
        for (seed, units) in (0..40).flat_map(|seed| [(seed, 2), (seed, 3), (seed, 4)]) {
            let Some((task, truth)) = random_task(seed, units, seed % 2 == 0) else { continue };
            let units: Vec<_> = (0..units).collect();
            let excess = |allowance| {
                let effort = &mut Effort::unlimited();
                u64::from(
                    GroupSearch::default().excess(&task, &units, EXCESS_MAX, allowance, effort),
                )
            };
            assert_eq!(excess(usize::MAX), truth.min(u64::from(EXCESS_MAX) + 1), "seed {seed}");
            assert!(excess(20) <= truth, "seed {seed}");
            found += u32::from(truth > 0);
        }
        assert!(found > 20, "{found}");
    }
}
