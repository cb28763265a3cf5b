//! Which prices there are, and what units pay.
//!
//! A unit pays for its position and its passage at each tick, also while it is parked. Beyond
//! that, each crossing unit of a separator has a toll per tick. Those parked at tick p pay the
//! tolls from p on. The crossing unit that leaves the separator at tick q pays those up to q. As
//! q is before the last p, a legal plan pays each toll at most as often as units are parked.

use std::ops::Range;

use super::separators::{Gate, Separator};
use super::task::Task;

/// A tick in prices.
pub(crate) const TICK: i64 = 1 << 10;
/// Ticks beyond the longest of the shortest paths; a path that arrives later pays no price.
const SLACK: u32 = 60;
/// Most prices.
const PRICES_MAX: usize = 8_000_000;

/// A unit that has to pass a separator.
#[derive(Clone, Debug)]
pub(crate) struct Crossing {
    /// The row of its tolls.
    row: usize,
    pub(crate) gates: Vec<Gate>,
}

/// All prices, in one array.
#[derive(Clone, Debug)]
pub(crate) struct PriceTable<'a> {
    pub(crate) task: &'a Task,
    /// The ticks with prices, from 0 on.
    pub(crate) ticks: usize,
    /// Prices of positions, then of passages, by tick; then tolls by tick, one row after another.
    pub(crate) prices: Vec<u32>,
    /// Positions and passages.
    places: usize,
    /// How often a plan pays a toll at most, by row.
    most: Vec<u8>,
    /// Which separators each unit crosses.
    crossings: Vec<Vec<Crossing>>,
    /// The rows of tolls that each unit pays when it is parked.
    closed: Vec<Vec<Range<usize>>>,
}

impl<'a> PriceTable<'a> {
    /// All prices 0; `None` if there are too many.
    pub(crate) fn new(task: &'a Task, separators: &[Separator]) -> Option<Self> {
        let last = task.least.iter().max().copied()?.checked_add(SLACK)?;
        let ticks = last as usize + 1;
        let places = task.steps.positions() + task.steps.passages();
        let tolls: usize = separators.iter().map(|separator| separator.crossing.len()).sum();
        let entries = (places + tolls).checked_mul(ticks).filter(|&all| all <= PRICES_MAX)?;
        let mut table = Self {
            task,
            ticks,
            prices: vec![0; entries],
            places,
            most: Vec::new(),
            crossings: vec![Vec::new(); task.units()],
            closed: vec![Vec::new(); task.units()],
        };
        separators.iter().for_each(|separator| table.add(separator));
        Some(table)
    }

    fn add(&mut self, separator: &Separator) {
        let first = self.most.len();
        for (row, &unit) in (first..).zip(&separator.crossing) {
            let gates = separator.gates(self.task, unit);
            self.crossings[unit].push(Crossing { row, gates });
            self.most.push(separator.parked.len() as u8);
        }
        for &unit in &separator.parked {
            self.closed[unit].push(first..self.most.len());
        }
    }

    /// The number of the price of a position.
    #[inline]
    pub(crate) fn place(&self, tick: usize, at: u32) -> usize {
        tick * self.places + at as usize
    }

    /// The number of the price of a passage.
    #[inline]
    pub(crate) fn passage(&self, tick: usize, passage: u32) -> usize {
        tick * self.places + self.task.steps.positions() + passage as usize
    }

    /// The numbers of all tolls.
    pub(crate) fn tolls(&self) -> Range<usize> {
        self.ticks * self.places..self.prices.len()
    }

    /// The numbers of the tolls of a row.
    fn row(&self, row: usize) -> Range<usize> {
        let first = self.ticks * self.places + row * self.ticks;
        first..first + self.ticks
    }

    /// How often a legal plan pays a price at most.
    pub(crate) fn most(&self, entry: usize) -> i32 {
        match entry.checked_sub(self.ticks * self.places) {
            Some(toll) => i32::from(self.most[toll / self.ticks]),
            None => 1,
        }
    }

    pub(crate) fn crossings(&self, unit: usize) -> &[Crossing] {
        &self.crossings[unit]
    }

    /// What a unit pays for the exit of a crossing at each tick: all tolls up to it.
    pub(crate) fn exits(&self, crossing: &Crossing, found: &mut Vec<i64>) {
        let mut sum = 0;
        found.extend(self.prices[self.row(crossing.row)].iter().map(|&price| {
            sum += i64::from(price);
            sum
        }));
    }

    /// What a unit that parks pays from each tick on, beyond the position at that tick.
    pub(crate) fn parking(&self, unit: usize, found: &mut Vec<i64>) {
        found.clear();
        found.resize(self.ticks, 0);
        for row in self.closed[unit].iter().cloned().flatten() {
            for (sum, &price) in found.iter_mut().zip(&self.prices[self.row(row)]) {
                *sum += i64::from(price);
            }
        }
        let (mut places, mut tolls) = (0, 0);
        for (tick, found) in found.iter_mut().enumerate().rev() {
            tolls += *found;
            *found = places + tolls;
            places += i64::from(self.prices[self.place(tick, self.task.goals[unit])]);
        }
    }

    /// Tells how often a path, which ends where the unit parks, pays each price.
    pub(crate) fn uses(&self, unit: usize, path: &[u32], mut pay: impl FnMut(usize, i32)) {
        let Some((&goal, parked)) = path.last().zip(path.len().checked_sub(1)) else { return };
        for (tick, &at) in path.iter().enumerate() {
            pay(self.place(tick, at), 1);
        }
        (parked + 1..self.ticks).for_each(|tick| pay(self.place(tick, goal), 1));
        for row in self.closed[unit].iter().cloned().flatten() {
            self.row(row).skip(parked).for_each(|toll| pay(toll, 1));
        }
        for (tick, step) in path.windows(2).enumerate() {
            let passage = self.task.steps.passage(step[0], step[1]);
            if let Some(passage) = passage.filter(|&passage| passage != super::steps::OPEN) {
                pay(self.passage(tick, passage), 1);
            }
            for Crossing { row, gates } in &self.crossings[unit] {
                let gates = gates.iter().filter(|gate| [gate.from, gate.to] == step);
                for gate in gates {
                    let times = if gate.is_exit { 1 } else { -1 };
                    self.row(*row).take(tick + 1).for_each(|toll| pay(toll, times));
                }
            }
        }
    }
}
