//! The excess of two units: how many ticks more they need together than each needs alone.
//!
//! Standley's heuristic is the sum of true distances; what keeps a joint search busy is that
//! units in each other's way cost more than that. The excess is found on demand by a
//! depth-first search over the joint positions of the pair. A move's excess is never
//! negative, and a move without excess brings a unit nearer to its goal. So the search for
//! a plan of excess b terminates without regard to time, and its findings hold for every
//! later question.

use throng_model::Budget;

use crate::position_table::{PositionId, PositionTable};
use crate::rules::Rules;

/// Greater excesses are not searched for.
pub(crate) const EXCESS_MAX: u8 = 8;
/// Joint positions that one question may visit.
const VISITS_MAX: u32 = 100_000;
/// Joint positions that all questions about a pair may visit.
const VISITS_IN_ALL_MAX: u32 = 4_000_000;
/// Visits between two questions to the interrupt.
const ASK_EVERY: u32 = 4096;

/// Bounds on a pair's excess at two positions: at least `low`, at most `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    low: u8,
    high: u8,
}

const NOTHING: Known = Known { low: 0, high: u8::MAX };

/// Two positions as one number.
fn key(at: [PositionId; 2]) -> u32 {
    u32::from(at[0]) << 16 | u32::from(at[1])
}

/// The key of an empty slot. No two positions have it: the last id is never given.
const EMPTY: u32 = u32::MAX;

/// Two positions, the excess that may still be spent, and the next moves to try.
struct Frame {
    at: [PositionId; 2],
    remaining: u8,
    next: [u16; 2],
}

/// The known excesses of one pair.
pub(crate) struct PairTable {
    slots: Vec<(u32, Known)>,
    count: usize,
    visits: u32,
    stack: Vec<Frame>,
}

impl Default for PairTable {
    fn default() -> Self {
        Self { slots: vec![(EMPTY, NOTHING); 64], count: 0, visits: 0, stack: Vec::new() }
    }
}

impl PairTable {
    /// A lower bound on the excess of the pair at these positions.
    pub(crate) fn excess<R: Rules>(
        &mut self,
        positions: [&mut PositionTable<'_, R>; 2],
        at: [PositionId; 2],
        rules: R,
        mut stop: impl FnMut() -> bool,
    ) -> u8 {
        let mut known = self.get(at);
        let [a, b] = positions;
        let limit = (self.visits + VISITS_MAX).min(VISITS_IN_ALL_MAX);
        while known.low < known.high && known.low < EXCESS_MAX {
            let may_visit =
                |visits: u32| visits < limit && !(visits.is_multiple_of(ASK_EVERY) && stop());
            match self.is_enough(a, b, at, known.low, rules, may_visit) {
                Some(true) => known.high = known.low,
                Some(false) => known.low += 1,
                None => break,
            }
        }
        known.low
    }

    /// Whether there is a plan within this excess; `None` if the search was cut short.
    fn is_enough<R: Rules>(
        &mut self,
        a: &mut PositionTable<'_, R>,
        b: &mut PositionTable<'_, R>,
        at: [PositionId; 2],
        excess: u8,
        rules: R,
        mut may_visit: impl FnMut(u32) -> bool,
    ) -> Option<bool> {
        self.stack.clear();
        self.stack.push(Frame { at, remaining: excess, next: [0, 0] });
        while let Some(frame) = self.stack.last_mut() {
            match frame.step(a, b, rules)? {
                None => {
                    let (at, remaining) = (frame.at, frame.remaining);
                    self.update(at, |known| known.low = known.low.max(remaining + 1));
                    self.stack.pop();
                }
                Some((at, remaining)) => {
                    let known = self.get(at);
                    let is_goal = a.distance(at[0]) + b.distance(at[1]) == 0;
                    if is_goal || known.high <= remaining {
                        self.succeed();
                        return Some(true);
                    }
                    if known.low <= remaining {
                        self.visits += 1;
                        self.stack.push(Frame { at, remaining, next: [0, 0] });
                    }
                    if !may_visit(self.visits) {
                        return None;
                    }
                }
            }
        }
        Some(false)
    }

    /// From every position on the stack there is a plan.
    fn succeed(&mut self) {
        while let Some(Frame { at, remaining, .. }) = self.stack.pop() {
            self.update(at, |known| known.high = known.high.min(remaining));
        }
    }

    fn slot(&self, key: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (u64::from(key).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.slots[slot].0 != key && self.slots[slot].0 != EMPTY {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn get(&self, at: [PositionId; 2]) -> Known {
        self.slots[self.slot(key(at))].1
    }

    fn update(&mut self, at: [PositionId; 2], change: impl FnOnce(&mut Known)) {
        let slot = self.slot(key(at));
        if self.slots[slot].0 == EMPTY {
            self.slots[slot].0 = key(at);
            self.count += 1;
        }
        change(&mut self.slots[slot].1);
        if self.count * 2 > self.slots.len() {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let doubled = vec![(EMPTY, NOTHING); self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, doubled);
        for entry in old.into_iter().filter(|entry| entry.0 != EMPTY) {
            let slot = self.slot(entry.0);
            self.slots[slot] = entry;
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.slots.len() * size_of::<(u32, Known)>()
    }
}

impl Frame {
    /// The next legal joint move within the remaining excess: where it leads, and the excess
    /// that then remains. The outer `None`: a unit has more positions than ids.
    fn step<R: Rules>(
        &mut self,
        a: &mut PositionTable<'_, R>,
        b: &mut PositionTable<'_, R>,
        rules: R,
    ) -> Option<Option<([PositionId; 2], u8)>> {
        let [moves_a, moves_b] = [a.moves(self.at[0]).ok()?, b.moves(self.at[1]).ok()?];
        let [moves_a, moves_b] = [a.listed(moves_a), b.listed(moves_b)];
        while let Some(move_a) = moves_a.get(usize::from(self.next[0])) {
            if move_a.excess > self.remaining {
                return Some(None);
            }
            let remaining = self.remaining - move_a.excess;
            while let Some(move_b) = moves_b.get(usize::from(self.next[1])) {
                if move_b.excess > remaining {
                    break;
                }
                self.next[1] += 1;
                let (step_a, step_b) =
                    (a.step(self.at[0], move_a.to), b.step(self.at[1], move_b.to));
                if !rules.conflict(step_a, step_b) {
                    return Some(Some(([move_a.to, move_b.to], remaining - move_b.excess)));
                }
            }
            self.next = [self.next[0] + 1, 0];
        }
        Some(None)
    }
}

/// The pairs of a group and their known excesses.
pub(crate) struct Pairs<'b> {
    budget: Budget<'b>,
    is_interrupted: bool,
    units: usize,
    tables: Vec<PairTable>,
}

impl<'b> Pairs<'b> {
    pub(crate) fn new(units: usize, budget: Budget<'b>) -> Self {
        let count = units * units.saturating_sub(1) / 2;
        let tables = (0..count).map(|_| PairTable::default()).collect();
        Self { budget, is_interrupted: false, units, tables }
    }

    pub(crate) fn budget(&self) -> Budget<'b> {
        self.budget
    }

    /// Whether the interrupt said stop during a question. From then on the bounds are weak.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.is_interrupted
    }

    fn index(&self, a: usize, b: usize) -> usize {
        a * (2 * self.units - a - 1) / 2 + (b - a - 1)
    }

    /// A lower bound on the excess of units `a` < `b` at these positions.
    pub(crate) fn excess<R: Rules>(
        &mut self,
        positions: &mut [PositionTable<'_, R>],
        [a, b]: [usize; 2],
        at: [PositionId; 2],
        rules: R,
    ) -> u8 {
        let pair = self.index(a, b);
        let Ok(tables) = positions.get_disjoint_mut([a, b]) else { return 0 };
        let (budget, is_interrupted) = (self.budget, &mut self.is_interrupted);
        let stop = || {
            *is_interrupted = *is_interrupted || budget.is_interrupted();
            *is_interrupted
        };
        self.tables[pair].excess(tables, at, rules, stop)
    }

    /// The pairs of two groups together, the first group's units first.
    pub(crate) fn merged(first: Self, second: Self) -> Self {
        let (m, n) = (first.units, second.units);
        let is_interrupted = first.is_interrupted || second.is_interrupted;
        let (budget, tables) = (first.budget, Vec::new());
        let mut merged = Self { budget, is_interrupted, units: m + n, tables };
        let (mut ours, mut theirs) = (first.tables.into_iter(), second.tables.into_iter());
        for a in 0..m + n {
            for b in a + 1..m + n {
                let known = match (a < m, b < m) {
                    (true, true) => ours.next(),
                    (false, false) => theirs.next(),
                    _ => None,
                };
                merged.tables.push(known.unwrap_or_default());
            }
        }
        merged
    }

    pub(crate) fn bytes(&self) -> usize {
        self.tables.iter().map(PairTable::bytes).sum()
    }
}
