//! The steps that two units need to their goals with the others taken away, by their places.
//!
//! These are pattern databases (J. Culberson and J. Schaeffer, "Pattern Databases", Computational
//! Intelligence 14, 1998). Two units that have to exchange places in a corridor need more steps
//! together than each would alone: the excess tells the search that one has to walk away from its
//! goal first. A pair that cannot reach its goals at all proves that there is no plan.

use super::region::{Kind, Region, Step};

/// All tables together have at most so many configurations.
const TOTAL_MAX: usize = 1 << 22;

/// From this pair of places the goals are out of reach.
const NEVER: u16 = u16::MAX;

/// The tables of a cluster.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    tables: Vec<Table>,
    /// The pairs whose tables are not made yet, the largest first, each with its size.
    missing: Vec<(usize, [usize; 2])>,
    /// The table that is being made.
    unfinished: Option<Table>,
    /// Its configurations in the order in which they were found, and how many were expanded.
    queue: Vec<u32>,
    expanded: usize,
}

/// The table of one pair.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) units: [usize; 2],
    /// The positions of the second unit.
    columns: u32,
    steps: Vec<u16>,
}

impl Table {
    #[inline]
    fn index(&self, places: [u32; 2]) -> usize {
        (places[0] * self.columns + places[1]) as usize
    }

    /// The steps from these places; `None` if the goals are out of reach.
    #[inline]
    pub(super) fn steps(&self, places: [u32; 2]) -> Option<u32> {
        let steps = self.steps[self.index(places)];
        (steps != NEVER).then_some(steps.into())
    }
}

impl Pairs {
    /// Lists the pairs of units, of these kinds, that both have goals.
    pub(super) fn begin(&mut self, region: &Region, kinds: &[usize], goals: &[Option<u32>]) {
        self.tables.clear();
        self.missing.clear();
        self.unfinished = None;
        let size = |unit: usize| region.kinds()[kinds[unit]].len();
        let with_goal: Vec<_> = (0..goals.len()).filter(|&unit| goals[unit].is_some()).collect();
        for (number, &second) in with_goal.iter().enumerate() {
            let pair = |&first: &usize| (size(first) * size(second), [first, second]);
            self.missing.extend(with_goal[..number].iter().map(pair));
        }
        self.missing.sort_unstable();
        let mut total = 0;
        self.missing.retain(|&(size, _)| {
            total += size;
            total <= TOTAL_MAX
        });
        self.missing.reverse();
    }

    /// Begins the next table if it has at most so many configurations. Returns whether it did.
    pub(super) fn next(
        &mut self,
        region: &Region,
        kinds: &[usize],
        goals: &[Option<u32>],
        size_max: u64,
    ) -> bool {
        let Some((size, units)) = self.missing.pop_if(|(size, _)| *size as u64 <= size_max) else {
            return false;
        };
        let columns = region.kinds()[kinds[units[1]]].len() as u32;
        let mut table = Table { units, columns, steps: vec![NEVER; size] };
        let end = table.index(units.map(|unit| goals[unit].unwrap_or(0)));
        table.steps[end] = 0;
        self.queue.clear();
        self.queue.push(end as u32);
        self.expanded = 0;
        self.unfinished = Some(table);
        true
    }

    /// Goes on with the table for so many configurations: breadth-first search backward from the
    /// goals. Returns how many were expanded; the table is done if they are fewer.
    pub(super) fn go_on(&mut self, region: &Region, kinds: &[usize], limit: u64) -> u64 {
        let Some(mut table) = self.unfinished.take() else { return 0 };
        let pair = table.units.map(|unit| &region.kinds()[kinds[unit]]);
        let mut count = 0;
        while count < limit {
            let Some(&at) = self.queue.get(self.expanded) else {
                self.tables.push(table);
                return count;
            };
            self.expanded += 1;
            count += 1;
            expand(&mut table, pair, at, &mut self.queue);
        }
        self.unfinished = Some(table);
        count
    }

    /// The tables made so far.
    pub(super) fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// How many steps more than each alone the pairs need from these places; `None` if a pair
    /// never gets to its goals. `alone` has the steps of each unit.
    pub(super) fn excess(&self, places: &[u32], alone: impl Fn(usize) -> u32) -> Option<u32> {
        self.tables.iter().try_fold(0, |excess, table| {
            let [first, second] = table.units;
            let steps = table.steps([places[first], places[second]])?;
            Some(excess + steps.saturating_sub(alone(first) + alone(second)))
        })
    }
}

/// Finds the configurations from which one step leads to this one.
fn expand(table: &mut Table, pair: [&Kind; 2], at: u32, queue: &mut Vec<u32>) {
    let cost = table.steps[at as usize].saturating_add(1).min(NEVER - 1);
    let places = [at / table.columns, at % table.columns];
    for (mover, weight) in [(0, table.columns), (1, 1)] {
        let (kind, body) = (pair[mover], pair[1 - mover].standing(places[1 - mover]));
        for &from in kind.back(places[mover]) {
            let before = at - places[mover] * weight + from * weight;
            let steps = &mut table.steps[before as usize];
            if *steps == NEVER && may_step(kind, from, places[mover], body) {
                *steps = cost;
                queue.push(before);
            }
        }
    }
}

/// Whether a step keeps off the entries of another body.
fn may_step(kind: &Kind, from: u32, to: u32, body: &[u32]) -> bool {
    let is_free = |entries: &[u32]| entries.iter().all(|entry| !body.contains(entry));
    let leads_there = |step: &&Step| step.to == to;
    is_free(kind.standing(from))
        && is_free(kind.standing(to))
        && kind.steps(from).iter().filter(leads_there).any(|step| is_free(kind.extras(step)))
}
