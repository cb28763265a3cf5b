//! A lower bound of the sum of costs from prices: a Lagrangian relaxation.
//!
//! Each position and each passage has a price per tick. Each unit takes its cheapest path, ticks
//! and prices together, and ignores the other units. The sum of these costs less all prices is a
//! lower bound for any prices. They rise where more than one unit comes, and fall where none
//! does (M. Held, P. Wolfe, H. Crowder, "Validation of subgradient optimization", 1974). This
//! finds what pairs of units do not: many units that queue for one gate. Pairs of a large excess
//! are left out, and their excess is added.

use throng_model::Effort;

use super::lower_bound::{Pair, spend};
use super::steps::OPEN;
use super::task::Task;

/// A tick in prices.
const TICK: u32 = 1 << 10;
/// Most ticks that a path may lose; a path that loses more counts without prices.
const SLACK: u32 = 28;
/// Costs are no larger.
const FAR: u32 = 1 << 30;
/// Prices are no larger.
const PRICE_MAX: i64 = 1 << 20;
/// The factor of the step at the start, and the one at which the prices are left as they are.
const FACTOR: i64 = 1 << 10;
const FACTOR_MIN: i64 = 1 << 3;
/// Rounds without a better bound before the factor is halved.
const PATIENCE: u32 = 12;
/// Most prices, and most places of all units in their bands.
const PRICES_MAX: usize = 8_000_000;
const PLACES_MAX: usize = 8_000_000;
/// The excess from which on a pair is left out. Prices rarely find as much for two units.
const LARGE_EXCESS: u32 = 8;

/// Prices of positions and passages by tick.
#[derive(Clone, Debug)]
pub(crate) struct Prices<'a> {
    task: &'a Task,
    /// The units that pay prices.
    units: Vec<usize>,
    /// Ticks and positions through which each of them may come, in order of the ticks.
    bands: Vec<Vec<(u32, u32)>>,
    /// A lower bound for the other units.
    others: u64,
    /// Prices per tick: of the positions, then of the passages.
    row: usize,
    ticks: usize,
    prices: Vec<u32>,
    uses: Vec<u32>,
    /// The prices that are not 0 or whose position or passage is used.
    active: Vec<u32>,
    is_active: Vec<bool>,
    /// Scratch: what a unit pays from each place on.
    left: Vec<u32>,
    /// Scratch: what a unit pays for its goal from each tick on.
    rest: Vec<u32>,
    best: u64,
    factor: i64,
    rounds_in_vain: u32,
}

impl<'a> Prices<'a> {
    /// No prices yet; `None` if the problem is too large.
    pub(crate) fn new(task: &'a Task, pairs: &[Pair]) -> Option<Self> {
        let last = task.least.iter().max().copied()?.checked_add(SLACK)?;
        let (positions, ticks) = (task.steps.positions(), last as usize + 1);
        let row = positions + task.steps.passages();
        let entries = row.checked_mul(ticks + 1)?;
        if entries > PRICES_MAX || u64::from(last) * u64::from(TICK) > u64::from(FAR) / 2 {
            return None;
        }
        let (units, others) = without_large(task, pairs);
        Some(Self {
            task,
            bands: bands(task, &units)?,
            units,
            others,
            row,
            ticks,
            prices: vec![0; entries],
            uses: vec![0; entries],
            active: Vec::new(),
            is_active: vec![false; entries],
            left: vec![FAR; positions * (ticks + 1)],
            rest: vec![0; ticks + 1],
            best: 0,
            factor: FACTOR,
            rounds_in_vain: 0,
        })
    }

    /// The best lower bound so far.
    pub(crate) fn lower_bound(&self) -> u64 {
        self.others + self.best.div_ceil(u64::from(TICK))
    }

    /// Expansions per change of the prices.
    pub(crate) fn work(&self) -> u64 {
        self.bands.iter().map(|band| band.len() as u64).sum()
    }

    /// Changes the prices once, given the cost of a plan. Whether to do so again: the effort is
    /// not spent and there is something to gain.
    pub(crate) fn improve(&mut self, cost: u64, effort: &mut Effort<'_>) -> bool {
        let mut sum = 0;
        for index in 0..self.units.len() {
            if !spend(effort, self.bands[index].len()) {
                return false;
            }
            sum += u64::from(self.cheapest(index));
        }
        let prices = self.active.iter().map(|&entry| u64::from(self.prices[entry as usize]));
        let bound = sum.saturating_sub(prices.sum());
        self.rounds_in_vain += 1;
        if bound > self.best {
            (self.best, self.rounds_in_vain) = (bound, 0);
        } else if self.rounds_in_vain >= PATIENCE {
            (self.factor, self.rounds_in_vain) = (self.factor / 2, 0);
        }
        let gap = cost.saturating_sub(self.others) * u64::from(TICK);
        self.change(gap.saturating_sub(bound) as i64);
        self.factor >= FACTOR_MIN
    }

    /// Changes the prices by what is used; `gap` is what the bound is below the plan's cost.
    fn change(&mut self, gap: i64) {
        let surplus = |uses: u32| i64::from(uses) - 1;
        let active = self.active.iter().map(|&entry| entry as usize);
        let norm: i64 = active
            .filter(|&entry| self.prices[entry] > 0 || self.uses[entry] > 1)
            .map(|entry| surplus(self.uses[entry]).pow(2))
            .sum();
        let step = gap * self.factor / FACTOR / norm.max(1);
        let Self { active, prices, uses, is_active, .. } = self;
        active.retain(|&entry| {
            let entry = entry as usize;
            let price = i64::from(prices[entry]) + step * surplus(uses[entry]);
            prices[entry] = price.clamp(0, PRICE_MAX) as u32;
            uses[entry] = 0;
            is_active[entry] = price > 0;
            price > 0
        });
    }

    /// The cost of a unit's cheapest path, which is marked as used.
    fn cheapest(&mut self, index: usize) -> u32 {
        let (unit, positions) = (self.units[index], self.task.steps.positions());
        let goal = self.task.goals[unit];
        for tick in (0..self.ticks).rev() {
            let price = self.prices[tick * self.row + goal as usize];
            self.rest[tick] = (self.rest[tick + 1] + price).min(FAR);
        }
        let band = std::mem::take(&mut self.bands[index]);
        for &(tick, at) in band.iter().rev() {
            let (left, ..) = self.next(goal, tick as usize, at);
            self.left[tick as usize * positions + at as usize] = left;
        }
        let most = (self.task.least[unit] + SLACK + 1) * TICK;
        let cost = self.left[self.task.starts[unit] as usize];
        if cost < most {
            self.mark(unit);
        }
        for &(tick, at) in &band {
            self.left[tick as usize * positions + at as usize] = FAR;
        }
        self.bands[index] = band;
        cost.min(most)
    }

    /// The cost from a place on, and the next position and passage; no position if the unit stays
    /// on its goal forever. Ties: staying forever, then waiting, then the first step.
    fn next(&self, goal: u32, tick: usize, at: u32) -> (u32, Option<u32>, u32) {
        let positions = self.task.steps.positions();
        let prices = &self.prices[tick * self.row..][..self.row];
        let later = &self.left[(tick + 1) * positions..][..positions];
        let mut best = (later[at as usize], Some(at), OPEN);
        for step in self.task.steps.from(at) {
            let price = match step.passage {
                OPEN => 0,
                passage => prices[positions + passage as usize],
            };
            let cost = later[step.to as usize] + price;
            if cost < best.0 {
                best = (cost, Some(step.to), step.passage);
            }
        }
        best.0 = (best.0 + TICK + prices[at as usize]).min(FAR);
        if at == goal && self.rest[tick] <= best.0 {
            best = (self.rest[tick], None, OPEN);
        }
        best
    }

    /// Marks the cheapest path of a unit as used.
    fn mark(&mut self, unit: usize) {
        let positions = self.task.steps.positions();
        let (goal, mut at) = (self.task.goals[unit], self.task.starts[unit]);
        let mut is_parked = false;
        for tick in 0..self.ticks {
            self.use_once(tick * self.row + at as usize);
            if is_parked {
                continue;
            }
            let (_, next, passage) = self.next(goal, tick, at);
            if passage != OPEN {
                self.use_once(tick * self.row + positions + passage as usize);
            }
            is_parked = next.is_none();
            at = next.unwrap_or(at);
        }
    }

    fn use_once(&mut self, entry: usize) {
        self.uses[entry] += 1;
        if !self.is_active[entry] {
            self.is_active[entry] = true;
            self.active.push(entry as u32);
        }
    }
}

/// The units that are in no pair of a large excess, and a lower bound for the others. Pairs are
/// taken in order of their excess, then of their units, if none of their units is in one already.
fn without_large(task: &Task, pairs: &[Pair]) -> (Vec<usize>, u64) {
    let mut large: Vec<_> = pairs.iter().filter(|pair| pair.excess >= LARGE_EXCESS).collect();
    large.sort_unstable_by_key(|pair| (std::cmp::Reverse(pair.excess), pair.units));
    let mut is_other = vec![false; task.units()];
    let mut others = 0;
    for Pair { units, excess } in large {
        if !units.iter().any(|&unit| is_other[unit]) {
            let least: u32 = units.iter().map(|&unit| task.least[unit]).sum();
            others += u64::from(least + excess);
            units.iter().for_each(|&unit| is_other[unit] = true);
        }
    }
    ((0..task.units()).filter(|&unit| !is_other[unit]).collect(), others)
}

/// The places of each unit; `None` if there are too many.
fn bands(task: &Task, units: &[usize]) -> Option<Vec<Vec<(u32, u32)>>> {
    let mut places = 0;
    let bands = units.iter().map(|&unit| {
        let band = band(task, unit);
        places += band.len();
        (places <= PLACES_MAX).then_some(band)
    });
    bands.collect()
}

/// The ticks and positions from which a unit can arrive and lose at most [`SLACK`] in all.
fn band(task: &Task, unit: usize) -> Vec<(u32, u32)> {
    let last = task.least[unit] + SLACK;
    let mut places = Vec::new();
    let (mut layer, mut next) = (vec![task.starts[unit]], Vec::new());
    for tick in 0..=last {
        places.extend(layer.iter().map(|&at| (tick, at)));
        next.clear();
        for &at in &layer {
            let to = task.steps.from(at).iter().map(|step| step.to).chain([at]);
            next.extend(to.filter(|&to| tick + 1 + task.distance(unit, to) <= last));
        }
        next.sort_unstable();
        next.dedup();
        std::mem::swap(&mut layer, &mut next);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lns::lower_bound::tests::random_task;

    #[test]
    fn prices_never_exceed_the_optimum() {
        let mut found = 0;
        for (seed, units) in (0..40).flat_map(|seed| [(seed, 2), (seed, 3), (seed, 4)]) {
            let Some((task, excess)) = random_task(seed, units, seed % 2 == 0) else { continue };
            let optimum = task.lower_bound() + excess;
            let mut prices = Prices::new(&task, &[]).unwrap();
            for _ in 0..100 {
                prices.improve(optimum + 1, &mut Effort::unlimited());
                let proven = prices.lower_bound();
                assert!(proven <= optimum, "seed {seed}, {units}: {proven} > {optimum}");
            }
            found += u32::from(prices.lower_bound() > task.lower_bound());
        }
        assert!(found > 20, "{found}");
    }

    #[test]
    fn pairs_of_a_large_excess_are_left_out() {
        let (task, _) = (0..).find_map(|seed| random_task(seed, 3, false)).unwrap();
        let pair = |units, excess| Pair { units, excess };
        let pairs = [pair([0, 1], LARGE_EXCESS), pair([1, 2], LARGE_EXCESS + 1)];
        let (units, others) = without_large(&task, &pairs);
        assert_eq!(units, [0]);
        assert_eq!(others, u64::from(task.least[1] + task.least[2] + LARGE_EXCESS + 1));
    }
}
