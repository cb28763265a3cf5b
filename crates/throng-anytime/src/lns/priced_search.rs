//! The cheapest path of one unit, ticks and prices together, that ignores the other units.
//!
//! A sweep over the ticks, forwards. It keeps only positions from which the unit can arrive
//! within a limit, by its true distance and by what it pays when parked. The limit is what the
//! unit's last path cost and a little more, and is raised if there is no path.

use super::price_table::{PriceTable, TICK};
use super::steps::OPEN;

/// Costs are smaller.
const FAR: i64 = 1 << 60;
/// What the limit is above the last cost, and by how much it is raised first.
const MARGIN: i64 = TICK / 2;
const RAISE: i64 = 4 * TICK;

/// Scratch for searches, and the limit of each unit.
#[derive(Clone, Debug)]
pub(crate) struct PricedSearch {
    limits: Vec<i64>,
    /// The costs of the positions of a tick and of the next one.
    now: Vec<i64>,
    next: Vec<i64>,
    layer: Vec<u32>,
    next_layer: Vec<u32>,
    /// The position before, by tick and position.
    from: Vec<u32>,
    parking: Vec<i64>,
    /// The least cost of a unit that parks at each tick or later, other prices ignored.
    arrival: Vec<i64>,
    /// What the exits of each crossing cost, by tick.
    exits: Vec<i64>,
    /// Whether a gate begins at a position.
    has_gate: Vec<bool>,
    pub(crate) expanded: usize,
    /// The path of the last search; empty if there was none.
    pub(crate) path: Vec<u32>,
}

impl PricedSearch {
    pub(crate) fn new(table: &PriceTable<'_>) -> Self {
        let positions = table.task.steps.positions();
        Self {
            limits: table.task.least.iter().map(|&least| i64::from(least) * TICK).collect(),
            now: vec![FAR; positions],
            next: vec![FAR; positions],
            layer: Vec::new(),
            next_layer: Vec::new(),
            from: vec![0; positions * table.ticks],
            parking: Vec::new(),
            arrival: Vec::new(),
            exits: Vec::new(),
            has_gate: vec![false; positions],
            expanded: 0,
            path: Vec::new(),
        }
    }

    /// The cost of a unit's cheapest path, or the least cost of a path that arrives after all
    /// prices. Ties: the first arrival.
    pub(crate) fn cheapest(&mut self, table: &PriceTable<'_>, unit: usize) -> i64 {
        self.begin(table, unit);
        let late = table.ticks as i64 * TICK;
        let (start, least) = (table.task.starts[unit], table.task.least[unit]);
        let first = i64::from(table.prices[table.place(0, start)]) + self.arrival(0, least);
        let mut limit = first.max(self.limits[unit]) + MARGIN;
        let mut raise = RAISE;
        let cost = loop {
            limit = limit.min(late);
            match self.sweep(table, unit, limit) {
                Some((cost, parked)) => {
                    self.trace(table, unit, parked);
                    break cost;
                }
                None if limit == late => break late,
                None => (limit, raise) = (limit + raise, 2 * raise),
            }
        };
        for gate in table.crossings(unit).iter().flat_map(|crossing| &crossing.gates) {
            self.has_gate[gate.from as usize] = false;
        }
        self.limits[unit] = cost;
        cost
    }

    fn begin(&mut self, table: &PriceTable<'_>, unit: usize) {
        self.expanded = 0;
        self.path.clear();
        table.parking(unit, &mut self.parking);
        self.arrival.clear();
        self.arrival.resize(table.ticks + 1, FAR);
        for tick in (0..table.ticks).rev() {
            let parks = tick as i64 * TICK + self.parking[tick];
            self.arrival[tick] = parks.min(self.arrival[tick + 1]);
        }
        self.exits.clear();
        for crossing in table.crossings(unit) {
            table.exits(crossing, &mut self.exits);
            for gate in &crossing.gates {
                self.has_gate[gate.from as usize] = true;
            }
        }
    }

    /// What a unit pays at least from a tick on. Tolls that it gets back are paid again later,
    /// when they are no smaller.
    #[inline]
    fn arrival(&self, tick: usize, distance: u32) -> i64 {
        let arrives = (tick + distance as usize).min(self.arrival.len() - 1);
        self.arrival[arrives] - tick as i64 * TICK
    }

    /// The cost of the cheapest path within the limit and the tick at which it ends.
    fn sweep(
        &mut self,
        table: &PriceTable<'_>,
        unit: usize,
        mut limit: i64,
    ) -> Option<(i64, usize)> {
        let (start, goal) = (table.task.starts[unit], table.task.goals[unit]);
        let mut best = None;
        self.layer.clear();
        self.layer.push(start);
        self.now[start as usize] = i64::from(table.prices[table.place(0, start)]);
        for tick in 0..table.ticks {
            let layer = std::mem::take(&mut self.layer);
            for &at in &layer {
                let cost = std::mem::replace(&mut self.now[at as usize], FAR);
                if cost + self.arrival(tick, table.task.distance(unit, at)) > limit {
                    continue;
                }
                self.expanded += 1;
                let parked = cost + self.parking[tick];
                if at == goal && parked <= limit {
                    best = Some((parked, tick));
                    limit = parked - 1;
                }
                if tick + 1 < table.ticks {
                    self.expand(table, unit, tick, at, cost + TICK, limit);
                }
            }
            self.layer = layer;
            self.layer.clear();
            std::mem::swap(&mut self.now, &mut self.next);
            std::mem::swap(&mut self.layer, &mut self.next_layer);
            if self.layer.is_empty() {
                break;
            }
        }
        best
    }

    /// Waits, and takes all steps.
    fn expand(
        &mut self,
        table: &PriceTable<'_>,
        unit: usize,
        tick: usize,
        at: u32,
        cost: i64,
        limit: i64,
    ) {
        self.reach(table, unit, tick + 1, at, at, cost, limit);
        for step in table.task.steps.from(at) {
            let mut cost = cost;
            if step.passage != OPEN {
                cost += i64::from(table.prices[table.passage(tick, step.passage)]);
            }
            if self.has_gate[at as usize] {
                cost += self.tolls(table, unit, tick, [at, step.to]);
            }
            self.reach(table, unit, tick + 1, at, step.to, cost, limit);
        }
    }

    /// The tolls of a step. Who comes back through a gate gets back the tolls of an exit.
    fn tolls(&self, table: &PriceTable<'_>, unit: usize, tick: usize, step: [u32; 2]) -> i64 {
        let crossings = table.crossings(unit).iter().zip(self.exits.chunks(table.ticks));
        let tolls = crossings.flat_map(|(crossing, exits)| {
            let gates = crossing.gates.iter().filter(|gate| [gate.from, gate.to] == step);
            gates.map(|gate| if gate.is_exit { exits[tick] } else { -exits[tick] })
        });
        tolls.sum()
    }

    #[expect(clippy::too_many_arguments, reason = "the inner loop of the sweep")]
    #[inline]
    fn reach(
        &mut self,
        table: &PriceTable<'_>,
        unit: usize,
        tick: usize,
        from: u32,
        to: u32,
        cost: i64,
        limit: i64,
    ) {
        let cost = cost + i64::from(table.prices[table.place(tick, to)]);
        let known = &mut self.next[to as usize];
        if cost >= *known {
            return;
        }
        let is_new = *known == FAR;
        if cost + self.arrival(tick, table.task.distance(unit, to)) > limit {
            return;
        }
        self.next[to as usize] = cost;
        self.from[tick * self.now.len() + to as usize] = from;
        if is_new {
            self.next_layer.push(to);
        }
    }

    /// Follows the path back from the goal.
    fn trace(&mut self, table: &PriceTable<'_>, unit: usize, parked: usize) {
        let mut at = table.task.goals[unit];
        self.path.push(at);
        for tick in (1..=parked).rev() {
            at = self.from[tick * self.now.len() + at as usize];
            self.path.push(at);
        }
        self.path.reverse();
    }
}
