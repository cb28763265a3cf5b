//! A lower bound of the sum of costs from prices: a Lagrangian relaxation.
//!
//! Each position and each passage has a price per tick, and so has each separator that a unit
//! crosses (`price_table`). Each unit takes its cheapest path, ticks and prices together, and
//! ignores the other units. The sum of these costs less what a legal plan pays at most is a lower
//! bound for any prices. They rise where a legal plan cannot pay so often, and fall where it
//! could pay more often (M. Held, P. Wolfe, H. Crowder, "Validation of subgradient optimization",
//! 1974). Earlier changes go on to count (P. Camerini, L. Fratta, F. Maffioli, "On improving
//! relaxation methods by modified gradient techniques", 1975). This finds what pairs of units do
//! not: many units that queue for one gate, and two units that park beside each other.
//!
//! Measured on maze-32-32-2 with 50 units, scenarios 4, 6 and 9, in a prototype with the same step
//! rule: ticks proven above the sum of the shortest paths when the prices are left as they are.
//! Without separators 100, 81 and 96; with those of one goal 164, 81 and 96; with those of two
//! goals too 315, 210 and 210. Two goals block a corridor that is two cells wide.

use throng_model::Effort;

use super::lower_bound::spend;
use super::price_table::{PriceTable, TICK};
use super::priced_search::PricedSearch;
use super::separators::separators;
use super::task::Task;

/// Prices are no larger.
const PRICE_MAX: i64 = 1 << 20;
/// The factor of the step at the start; at 0 the prices are left as they are.
const FACTOR: i64 = 1 << 10;
/// Rounds without a better bound before the factor is halved, and by how much it must be better.
const PATIENCE: u32 = 12;
const GAIN_MIN: i64 = TICK / 16;
/// A change in `Prices::changes`, and how much of the last one counts again, in tenths.
const CHANGE: i64 = 1 << 8;
const AGAIN: i64 = 7;

/// Prices of positions, passages and separators by tick.
#[derive(Clone, Debug)]
pub(crate) struct Prices<'a> {
    table: PriceTable<'a>,
    search: PricedSearch,
    /// How often each price is paid.
    uses: Vec<i32>,
    /// The direction in which each price is changed.
    changes: Vec<i32>,
    /// The prices that are not 0 or that are paid, and all tolls.
    active: Vec<u32>,
    is_active: Vec<bool>,
    best: i64,
    /// The prices of the best bound that are not 0.
    best_prices: Vec<(u32, u32)>,
    factor: i64,
    rounds_in_vain: u32,
}

impl<'a> Prices<'a> {
    /// No prices yet; `None` if the problem is too large.
    pub(crate) fn new(task: &'a Task, effort: &mut Effort<'_>) -> Option<Self> {
        let table = PriceTable::new(task, &separators(task, effort))?;
        let entries = table.prices.len();
        let mut is_active = vec![false; entries];
        is_active[table.tolls()].fill(true);
        Some(Self {
            search: PricedSearch::new(&table),
            uses: vec![0; entries],
            changes: vec![0; entries],
            active: table.tolls().map(|toll| toll as u32).collect(),
            is_active,
            table,
            best: 0,
            best_prices: Vec::new(),
            factor: FACTOR,
            rounds_in_vain: 0,
        })
    }

    /// The best lower bound so far.
    pub(crate) fn lower_bound(&self) -> u64 {
        (self.best as u64).div_ceil(TICK as u64)
    }

    /// Changes the prices once, given the cost of a plan. Whether to do so again: the effort is
    /// not spent and there is something to gain.
    pub(crate) fn improve(&mut self, cost: u64, effort: &mut Effort<'_>) -> bool {
        let mut bound = 0;
        for unit in 0..self.table.task.units() {
            bound += self.search.cheapest(&self.table, unit);
            if !spend(effort, self.search.expanded) {
                return false;
            }
            self.count(unit);
        }
        let active = self.active.iter().map(|&entry| entry as usize);
        let paid = |entry| i64::from(self.table.prices[entry]) * i64::from(self.table.most(entry));
        bound -= active.map(paid).sum::<i64>();
        let is_better = bound >= self.best + GAIN_MIN;
        self.rounds_in_vain = if is_better { 0 } else { self.rounds_in_vain + 1 };
        if bound > self.best {
            self.remember(bound);
        }
        self.turn();
        if self.rounds_in_vain < PATIENCE {
            self.change(cost as i64 * TICK - bound.max(0));
        } else {
            self.go_back();
        }
        self.factor > 0
    }

    /// Counts what the path of the last search pays.
    fn count(&mut self, unit: usize) {
        let Self { table, search, uses, active, is_active, .. } = self;
        table.uses(unit, &search.path, |entry, times| {
            uses[entry] += times;
            if !is_active[entry] {
                is_active[entry] = true;
                active.push(entry as u32);
            }
        });
    }

    fn remember(&mut self, bound: i64) {
        self.best = bound;
        self.best_prices.clear();
        let prices = self.active.iter().map(|&entry| (entry, self.table.prices[entry as usize]));
        self.best_prices.extend(prices.filter(|&(_, price)| price > 0));
    }

    /// Turns the direction of each change to where the price is paid too often or too rarely.
    fn turn(&mut self) {
        for &entry in &self.active {
            let entry = entry as usize;
            let surplus = std::mem::take(&mut self.uses[entry]) - self.table.most(entry);
            let change = i64::from(self.changes[entry]) * AGAIN / 10 + i64::from(surplus) * CHANGE;
            let is_free = self.table.prices[entry] == 0 && change <= 0;
            self.changes[entry] = if is_free { 0 } else { change as i32 };
        }
    }

    /// Changes the prices; `gap` is what the bound is below the plan's cost.
    fn change(&mut self, gap: i64) {
        let changes = self.active.iter().map(|&entry| i64::from(self.changes[entry as usize]));
        let norm = changes.map(|change| change * change).sum::<i64>().max(1);
        let step = gap.max(0) * CHANGE * self.factor / FACTOR;
        let Self { table, changes, active, is_active, .. } = self;
        let first_toll = table.tolls().start;
        active.retain(|&entry| {
            let entry = entry as usize;
            let change = (step * i64::from(changes[entry]) + norm / 2).div_euclid(norm);
            let price = (i64::from(table.prices[entry]) + change).clamp(0, PRICE_MAX);
            table.prices[entry] = price as u32;
            is_active[entry] = price > 0 || changes[entry] > 0 || entry >= first_toll;
            is_active[entry]
        });
    }

    /// Sets the best prices again, with a smaller step.
    fn go_back(&mut self) {
        for &entry in &self.active {
            self.table.prices[entry as usize] = 0;
            self.changes[entry as usize] = 0;
        }
        for &(entry, price) in &self.best_prices {
            self.table.prices[entry as usize] = price;
            if !self.is_active[entry as usize] {
                self.is_active[entry as usize] = true;
                self.active.push(entry);
            }
        }
        (self.factor, self.rounds_in_vain) = (self.factor / 2, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lns::lower_bound::tests::{drawn_task, random_task};

    /// Changes the prices of a task some times; what they prove is no more than the optimum.
    #[track_caller]
    fn proven(task: &Task, excess: u64, rounds: u32) -> (Prices<'_>, u64) {
        let optimum = task.lower_bound() + excess;
        let mut prices = Prices::new(task, &mut Effort::unlimited()).unwrap();
        for _ in 0..rounds {
            prices.improve(optimum + 1, &mut Effort::unlimited());
            assert!(prices.lower_bound() <= optimum, "{} > {optimum}", prices.lower_bound());
        }
        let proven = prices.lower_bound().saturating_sub(task.lower_bound());
        (prices, proven)
    }

    #[test]
    fn prices_never_exceed_the_optimum() {
        let (mut found, mut tolls) = (0, 0);
        for (seed, units) in (0..40).flat_map(|seed| [(seed, 2), (seed, 3), (seed, 4)]) {
            let Some((task, excess)) = random_task(seed, units, seed % 2 == 0) else { continue };
            let (prices, proven) = proven(&task, excess, 100);
            found += u32::from(proven > 0);
            let first_toll = prices.table.tolls().start as u32;
            tolls += u32::from(prices.best_prices.iter().any(|&(entry, _)| entry >= first_toll));
        }
        assert!(found > 20, "{found}");
        assert!(tolls > 10, "{tolls}");
    }

    /// The whole excess is proven.
    #[track_caller]
    fn check(drawing: &str, expected: u64) {
        let (task, excess) = drawn_task(drawing);
        let (_, proven) = proven(&task, excess, 100);
        assert_eq!((excess, proven), (expected, expected));
    }

    #[test]
    fn a_unit_parks_after_those_behind_its_goal() {
        check(
            "
            #####a..
            B..A....
            #####..b
            ",
            3,
        );
    }

    #[test]
    fn one_of_two_units_parks_after_those_behind_both_goals() {
        check(
            "
            .C.A......c
            ...B...ab..
            ",
            3,
        );
    }
}
