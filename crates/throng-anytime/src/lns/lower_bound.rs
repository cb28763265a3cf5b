//! A lower bound above the sum of the shortest paths: pairs of units that get in each other's
//! way.
//!
//! The excess of a pair is what its best two paths cost beyond its two shortest paths. Every
//! plan pays the excess of each pair. `pair_cover` makes a lower bound of the sum from that. For
//! the sum of costs only.

use throng_model::{Budget, Effort};

use super::pair_cover::cover;
use super::steps::{OPEN, Steps};
use super::task::Task;

/// Ways of choosing among shortest steps that are tried before a pair is searched.
const VARIANTS: usize = 4;
/// Excess beyond which a pair is not searched further.
const EXCESS_MAX: u32 = 40;
/// Most expansions per pair and excess.
const PAIR_EXPANSIONS_MAX: usize = 50_000;

/// Most steps for the covers of all pairs.
const COVER_STEPS_MAX: u64 = 20_000_000;

/// Two units and the proven excess of their cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) units: [usize; 2],
    pub(crate) excess: u32,
}

/// How much the sum of costs must be above the sum of the shortest paths, as far as the effort
/// allows to prove it.
pub(crate) fn excess(task: &Task, effort: &mut Effort<'_>) -> u64 {
    let pairs = pairs(task, effort);
    cover(task.units(), pairs, &mut Effort::new(Budget::expansions(COVER_STEPS_MAX)))
}

/// The pairs with an excess.
fn pairs(task: &Task, effort: &mut Effort<'_>) -> Vec<Pair> {
    let paths: Vec<_> = (0..task.units()).map(|unit| variants(task, unit)).collect();
    let mut search = PairSearch::default();
    let mut pairs = Vec::new();
    for second in 0..task.units() {
        if !spend(effort, second) {
            return pairs;
        }
        for first in 0..second {
            if is_compatible(&task.steps, &paths[first], &paths[second]) {
                continue;
            }
            let units = [first, second];
            let excess = search.excess(task, units, effort);
            if excess > 0 {
                pairs.push(Pair { units, excess });
            }
        }
    }
    pairs
}

/// Some shortest paths of a unit.
fn variants(task: &Task, unit: usize) -> Vec<Vec<u32>> {
    let mut paths: Vec<_> = (0..VARIANTS).map(|rotation| shortest(task, unit, rotation)).collect();
    paths.dedup();
    paths
}

/// The shortest path that takes the first shorter step, counted from the step `rotation`.
fn shortest(task: &Task, unit: usize, rotation: usize) -> Vec<u32> {
    let mut path = vec![task.starts[unit]];
    while let Some(&at) = path.last().filter(|&&at| at != task.goals[unit]) {
        let steps = task.steps.from(at);
        let (later, sooner) = steps.split_at(rotation % steps.len().max(1));
        let closer = task.distance(unit, at) - 1;
        let next = sooner.iter().chain(later).find(|step| task.distance(unit, step.to) == closer);
        match next {
            Some(step) => path.push(step.to),
            None => return path,
        }
    }
    path
}

/// Whether two of the paths do not conflict.
fn is_compatible(steps: &Steps, first: &[Vec<u32>], second: &[Vec<u32>]) -> bool {
    first.iter().any(|a| second.iter().any(|b| !conflict(steps, a, b)))
}

fn conflict(steps: &Steps, a: &[u32], b: &[u32]) -> bool {
    let at = |path: &[u32], tick: usize| path.get(tick).or(path.last()).copied();
    (0..a.len().max(b.len())).any(|tick| {
        let (now, next) = ([at(a, tick), at(b, tick)], [at(a, tick + 1), at(b, tick + 1)]);
        if now[0] == now[1] {
            return true;
        }
        let passage = |unit: usize| steps.passage(now[unit]?, next[unit]?);
        passage(0).is_some_and(|passage| passage != OPEN) && passage(0) == passage(1)
    })
}

/// Where one unit of a pair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    at: u32,
    /// Ticks lost so far.
    lost: u32,
    /// Whether it stays on its goal forever.
    is_parked: bool,
}

/// Looks for two paths that lose few ticks: both units step by step through all places.
#[derive(Clone, Debug, Default)]
struct PairSearch {
    layer: Vec<[Place; 2]>,
    next: Vec<[Place; 2]>,
    moves: [Vec<(Place, u32)>; 2],
}

impl PairSearch {
    /// A proven lower bound of the pair's excess.
    fn excess(&mut self, task: &Task, units: [usize; 2], effort: &mut Effort<'_>) -> u32 {
        (0..=EXCESS_MAX)
            .find(|&excess| self.is_possible(task, units, excess, effort))
            .unwrap_or(EXCESS_MAX + 1)
    }

    /// Whether two paths can lose as little as `excess` together; also true when the effort
    /// ends before it is known.
    fn is_possible(
        &mut self,
        task: &Task,
        units: [usize; 2],
        excess: u32,
        effort: &mut Effort<'_>,
    ) -> bool {
        self.begin(task, units);
        let (mut tick, mut expanded) = (0, 0);
        while !self.layer.is_empty() {
            let layer = std::mem::take(&mut self.layer);
            expanded += layer.len();
            let is_known = expanded <= PAIR_EXPANSIONS_MAX && spend(effort, layer.len());
            if !is_known || layer.iter().any(|pair| pair.iter().all(|place| place.is_parked)) {
                return true;
            }
            for &pair in &layer {
                self.expand(task, units, pair, tick, excess);
            }
            self.next.sort_unstable();
            self.next.dedup();
            self.layer = std::mem::replace(&mut self.next, layer);
            self.next.clear();
            tick += 1;
        }
        false
    }

    fn begin(&mut self, task: &Task, units: [usize; 2]) {
        self.layer.clear();
        let places = units.map(|unit| {
            let at = task.starts[unit];
            let moving = Place { at, lost: 0, is_parked: false };
            let parked = Place { is_parked: true, ..moving };
            let can_park = at == task.goals[unit];
            [Some(moving), can_park.then_some(parked)]
        });
        for first in places[0].into_iter().flatten() {
            self.layer.extend(places[1].into_iter().flatten().map(|second| [first, second]));
        }
    }

    fn expand(&mut self, task: &Task, units: [usize; 2], pair: [Place; 2], tick: u32, excess: u32) {
        for side in 0..2 {
            let most = excess - pair[1 - side].lost;
            self.moves[side].clear();
            moves(task, units[side], pair[side], tick, most, &mut self.moves[side]);
        }
        for &(first, passage) in &self.moves[0] {
            for &(second, other) in &self.moves[1] {
                let meets = first.at == second.at || (passage == other && passage != OPEN);
                if !meets && first.lost + second.lost <= excess {
                    self.next.push([first, second]);
                }
            }
        }
    }
}

/// The places of a unit a tick later, with the passages, if it may lose `most` ticks in all.
fn moves(
    task: &Task,
    unit: usize,
    place: Place,
    tick: u32,
    most: u32,
    found: &mut Vec<(Place, u32)>,
) {
    if place.is_parked {
        found.push((place, OPEN));
        return;
    }
    let steps = task.steps.from(place.at).iter().map(|step| (step.to, step.passage));
    for (to, passage) in steps.chain([(place.at, OPEN)]) {
        let arrival = tick + 1 + task.distance(unit, to);
        let lost = arrival - task.least[unit];
        if lost <= most {
            let moving = Place { at: to, lost, is_parked: false };
            found.push((moving, passage));
            if to == task.goals[unit] {
                found.push((Place { is_parked: true, ..moving }, passage));
            }
        }
    }
}

/// Counts some expansions; whether they may all be made.
pub(crate) fn spend(effort: &mut Effort<'_>, expansions: usize) -> bool {
    let mut left = expansions as u64;
    while left > 0 {
        match effort.expand_many(left) {
            0 => return false,
            granted => left -= granted,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use throng_model::{MovementProfile, Objective, Problem, Unit};
    use throng_testkit::{joint, random_map};

    use super::*;
    use crate::Lns;
    use crate::lns::random::Random;
    use crate::lns::start;

    /// Excess of a random problem as proven, and as it is.
    fn excesses(seed: u64, units: usize, eight: bool) -> Option<(u64, u64)> {
        let map = random_map(seed, 4, 3, 20);
        let mut cells: Vec<_> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
        let mut random = Random::new(seed, 1, 1);
        random.shuffle(&mut cells);
        let starts: Vec<_> = cells.iter().copied().take(units).collect();
        random.shuffle(&mut cells);
        let units = starts.iter().zip(&cells).map(|(&start, &goal)| Unit::new(start, goal));
        let movement = match eight {
            true => MovementProfile::eight_connected(),
            false => MovementProfile::four_connected(),
        };
        let movement = movement.by_time(&map);
        let problem = Problem::new(map, movement, units.collect()).validate().ok()?;
        let task = start::task(&Lns::default(), &problem, Budget::unlimited()).ok()?;
        let optimum = joint::optimum(&problem, Objective::SumOfCosts)?;
        let proven = excess(&task, &mut Effort::unlimited());
        Some((proven, optimum - task.lower_bound()))
    }

    #[test]
    fn the_excess_of_two_units_is_exact() {
        let mut found = 0;
        for (seed, eight) in (0..300).flat_map(|seed| [(seed, false), (seed, true)]) {
            let Some((proven, truth)) = excesses(seed, 2, eight) else { continue };
            assert_eq!(proven, truth.min(u64::from(EXCESS_MAX) + 1), "seed {seed}, {eight}");
            found += u64::from(truth > 0);
        }
        assert!(found > 30, "{found}");
    }

    #[test]
    fn the_excess_of_more_units_is_a_lower_bound() {
        let mut found = 0;
        for (seed, eight) in (0..60).flat_map(|seed| [(seed, false), (seed, true)]) {
            let Some((proven, truth)) = excesses(seed, 3, eight) else { continue };
            assert!(proven <= truth, "seed {seed}, {eight}: {proven} > {truth}");
            found += u64::from(proven > 0);
        }
        assert!(found > 10, "{found}");
    }
}
