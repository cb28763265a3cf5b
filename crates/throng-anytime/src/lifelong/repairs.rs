//! Windowed improvement: the plan of the next ticks is repaired, a few units at a time.
//!
//! The paths of some units that are in each other's way are removed and planned again around all
//! others; the new ones are kept if together they lose no more time (large neighbourhood search
//! within a window, as in WPPL: H. Jiang, Y. Zhang, R. Veerapaneni, J. Li, "Scaling lifelong
//! multi-agent path finding to more realistic settings", 2024).

use super::window::{NOBODY, Window};
use super::window_search::{WindowSearch, loss};
use crate::lns::random::Random;
use crate::{TrueDistances, Vertex};

/// Units per repair: from 2 to this many.
const SIZE_MAX: usize = 6;
/// Walks for the units in the way.
const WALKS: usize = 4;
/// What a repair costs beyond its expansions, in expansions.
const REPAIR_WORK: u64 = 20;
/// Repairs without a gain, per unit that loses something, after which a tick's repairs end.
const REPAIRS_IN_VAIN: usize = 16;

/// Repairs the plan of a window.
#[derive(Clone, Debug, Default)]
pub(super) struct Repairs {
    search: WindowSearch,
    /// What each unit loses in the window.
    losses: Vec<u32>,
    /// Units that lose something.
    delayed: Vec<u32>,
    group: Vec<usize>,
    old: Vec<Vertex>,
    new_losses: Vec<u32>,
    /// Whether the path of each unit is from a repair.
    pub(super) is_repaired: Vec<bool>,
}

impl Repairs {
    pub(super) fn new(units: usize) -> Self {
        Self { is_repaired: vec![false; units], ..Self::default() }
    }

    /// Repairs until the expansions are spent or nothing is gained any more; the work done, in
    /// expansions. Units in `fixed` keep their paths.
    pub(super) fn improve<D: TrueDistances>(
        &mut self,
        window: &mut Window,
        costs: &mut D,
        fixed: &[bool],
        random: &mut Random,
        expansions_max: u64,
    ) -> u64 {
        self.losses.clear();
        self.losses.extend((0..fixed.len()).map(|unit| lost(window, unit, costs)));
        let is_delayed = |&unit: &u32| self.losses[unit as usize] > 0 && !fixed[unit as usize];
        self.delayed.clear();
        self.delayed.extend((0..fixed.len() as u32).filter(is_delayed));
        let (mut left, mut in_vain) = (expansions_max, 0);
        while left > 0 && in_vain < REPAIRS_IN_VAIN * self.delayed.len() {
            left = left.saturating_sub(REPAIR_WORK);
            in_vain += 1;
            let first = self.delayed[random.index(self.delayed.len())] as usize;
            if self.losses[first] > 0 {
                self.choose(window, costs, fixed, first, random);
                if self.repair(window, costs, &mut left) > 0 {
                    in_vain = 0;
                }
            }
        }
        expansions_max - left
    }

    /// Fills the group with a unit and units in its way, in a random order.
    fn choose<D: TrueDistances>(
        &mut self,
        window: &Window,
        costs: &mut D,
        fixed: &[bool],
        first: usize,
        random: &mut Random,
    ) {
        let size = 2 + random.index(SIZE_MAX - 1);
        self.group.clear();
        self.group.push(first);
        for _ in 0..WALKS {
            let walker = self.group[random.index(self.group.len())];
            let mut tick = random.index(window.ticks());
            let mut at = window.path(walker)[tick];
            while tick < window.ticks() && self.group.len() < size {
                let Some((to, passage)) = nearer(window, costs, walker, at, random) else { break };
                for met in window.units_in_the_way(to, passage, tick + 1) {
                    let is_free = met != NOBODY && !fixed[met as usize];
                    if is_free && !self.group.contains(&(met as usize)) {
                        self.group.push(met as usize);
                    }
                }
                (at, tick) = (to, tick + 1);
            }
        }
        random.shuffle(&mut self.group);
    }

    /// Plans the units of the group again, and keeps the new paths if they lose no more; what is
    /// gained.
    fn repair<D: TrueDistances>(
        &mut self,
        window: &mut Window,
        costs: &mut D,
        expansions: &mut u64,
    ) -> u32 {
        self.old.clear();
        let mut slack = 0;
        for &unit in &self.group {
            self.old.extend_from_slice(window.path(unit));
            window.remove(unit);
            slack += self.losses[unit];
        }
        self.new_losses.clear();
        for &unit in &self.group {
            let Some(lost) = self.search.run(window, unit, costs, slack, expansions) else { break };
            slack -= lost;
            window.replace(unit, &self.search.path);
            window.add(unit);
            self.new_losses.push(lost);
        }
        if self.new_losses.len() < self.group.len() {
            self.take_back(window);
            return 0;
        }
        for (&unit, &lost) in self.group.iter().zip(&self.new_losses) {
            self.losses[unit] = lost;
            self.is_repaired[unit] = true;
        }
        slack
    }

    /// Gives the units of the group their old paths.
    fn take_back(&self, window: &mut Window) {
        for &unit in &self.group[..self.new_losses.len()] {
            window.remove(unit);
        }
        let old = self.old.chunks(window.ticks() + 1);
        for (&unit, path) in self.group.iter().zip(old) {
            window.replace(unit, path);
            window.add(unit);
        }
    }
}

/// What the path of a unit loses until it reaches the goal.
fn lost<D: TrueDistances>(window: &Window, unit: usize, costs: &mut D) -> u32 {
    let mut sum = 0_u32;
    let mut from = costs.get(unit, window.path(unit)[0]);
    for &at in &window.path(unit)[1..] {
        if from == 0 {
            break;
        }
        let to = costs.get(unit, at);
        sum = sum.saturating_add(loss(from, to));
        from = to;
    }
    sum
}

/// A random neighbour that is nearer to the goal of a unit, and the passage to it.
fn nearer<D: TrueDistances>(
    window: &Window,
    costs: &mut D,
    unit: usize,
    at: Vertex,
    random: &mut Random,
) -> Option<(Vertex, u32)> {
    let here = costs.get(unit, at);
    let steps = window.steps.from(at.0);
    let (later, sooner) = steps.split_at(random.index(steps.len()));
    let mut steps = sooner.iter().chain(later);
    let step = steps.find(|step| costs.get(unit, Vertex(step.to)) < here)?;
    Some((Vertex(step.to), step.passage))
}

#[cfg(test)]
mod tests {
    use throng_model::{Conflicts, MovementProfile};
    use throng_testkit::random_map;

    use super::*;
    use crate::{Distances, Graph, Guidance, Pibt};

    const TICKS: usize = 6;

    /// Distances in the costs of traffic.
    struct Scaled(Distances);

    impl TrueDistances for Scaled {
        fn get(&mut self, unit: usize, vertex: Vertex) -> u32 {
            let distance = self.0.get(unit, vertex);
            distance.saturating_mul(super::super::traffic::STEP_COST)
        }
    }

    /// A window that PIBT has filled, on a small random map.
    fn filled(seed: u64) -> (Graph, Window, Scaled, usize) {
        let movement = match seed % 2 {
            0 => MovementProfile::four_connected(),
            _ => MovementProfile::eight_connected(),
        };
        let graph = Graph::new(&random_map(seed, 6, 5, 20), &movement).unwrap();
        let mut random = Random::new(seed, 0, 0);
        let mut cells: Vec<Vertex> = (0..graph.len() as u32).map(Vertex).collect();
        random.shuffle(&mut cells);
        let units = graph.len() / 2;
        let starts = cells[..units].to_vec();
        random.shuffle(&mut cells);
        let mut costs = Scaled(Distances::new(&graph, &cells[..units]));
        let order: Vec<u32> = (0..units as u32).collect();
        let mut window = Window::new(&graph, Conflicts::default(), units, TICKS);
        let mut pibt = Pibt::new(&graph, Conflicts::default(), units);
        pibt.place(&starts);
        window.set(0, &starts);
        for tick in 1..=TICKS {
            pibt.step(&order, &[], &mut costs, &Guidance::default());
            pibt.advance();
            window.set(tick, pibt.now());
        }
        window.occupy();
        (graph, window, costs, units)
    }

    /// The least loss of a unit around all others, by all positions of each tick.
    fn oracle(window: &Window, costs: &mut Scaled, unit: usize) -> u32 {
        let mut losses = vec![(window.path(unit)[0], false, 0)];
        for tick in 1..=TICKS {
            let mut next = Vec::new();
            for &(at, is_done, lost) in &losses {
                let is_done = is_done || costs.get(unit, at) == 0;
                let steps = window.steps.from(at.0).iter().map(|step| (step.to, step.passage));
                for (to, passage) in steps.chain([(at.0, crate::lns::steps::OPEN)]) {
                    if window.is_free(to, passage, tick) {
                        let to = Vertex(to);
                        let more = loss(costs.get(unit, at), costs.get(unit, to));
                        next.push((to, is_done, lost + if is_done { 0 } else { more }));
                    }
                }
            }
            next.sort();
            next.dedup_by_key(|&mut (to, is_done, _)| (to, is_done));
            losses = next;
        }
        losses.into_iter().map(|(.., lost)| lost).min().unwrap()
    }

    #[test]
    fn searches_lose_the_least() {
        let mut search = WindowSearch::default();
        let mut delayed = 0;
        for seed in 0..60 {
            let (_, mut window, mut costs, units) = filled(seed);
            for unit in 0..units {
                window.remove(unit);
                let expected = oracle(&window, &mut costs, unit);
                let mut left = u64::MAX;
                let found = search.run(&window, unit, &mut costs, expected, &mut left);
                assert_eq!(found, Some(expected), "seed {seed}, unit {unit}");
                if let Some(less) = expected.checked_sub(1) {
                    assert_eq!(search.run(&window, unit, &mut costs, less, &mut left), None);
                    delayed += 1;
                }
                window.add(unit);
            }
        }
        assert!(delayed > 100, "{delayed}");
    }

    #[test]
    fn repairs_lose_less_and_stay_legal() {
        let mut gained = 0;
        for seed in 0..60 {
            let (_, mut window, mut costs, units) = filled(seed);
            let mut sum = |window: &Window| -> u32 {
                (0..units).map(|unit| lost(window, unit, &mut costs)).sum()
            };
            let before = sum(&window);
            let kept: Vec<Vertex> = window.path(0).to_vec();
            let mut fixed = vec![false; units];
            fixed[0] = true;
            let mut random = Random::new(seed, 2, 0);
            let mut repairs = Repairs::new(units);
            let work = repairs.improve(&mut window, &mut costs, &fixed, &mut random, 3000);
            assert!(work <= 3000, "{work}");
            assert_eq!(window.path(0), kept);
            let mut sum = |window: &Window| -> u32 {
                (0..units).map(|unit| lost(window, unit, &mut costs)).sum()
            };
            let after = sum(&window);
            assert!(after <= before, "seed {seed}: {after} after {before}");
            gained += before - after;
            // Every path is free when it alone is taken out.
            for unit in 0..units {
                window.remove(unit);
                for (tick, step) in window.path(unit).windows(2).enumerate() {
                    let passage = window.steps.passage(step[0].0, step[1].0).unwrap();
                    assert!(window.is_free(step[1].0, passage, tick + 1), "seed {seed}");
                }
                window.add(unit);
            }
        }
        assert!(gained > 0);
    }
}
