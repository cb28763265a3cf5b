//! A lower bound above the sum of the shortest paths: pairs of units that get in each other's
//! way.
//!
//! The excess of a pair is what its best two paths cost beyond its two shortest paths. Every
//! plan pays the excess of each pair. `pair_cover` makes a lower bound of the sum from that. For
//! the sum of costs only.

use throng_model::{Budget, Effort};

use super::group_search::GroupSearch;
use super::pair_cover::cover;
use super::steps::{OPEN, Steps};
use super::task::Task;

/// Ways of choosing among shortest steps that are tried before a pair is searched.
const VARIANTS: usize = 4;
/// Excess beyond which a pair is not searched further.
const EXCESS_MAX: u32 = 200;
/// Most expansions per pair.
const PAIR_EXPANSIONS_MAX: usize = 200_000;

/// Most steps for the covers of all pairs.
const COVER_STEPS_MAX: u64 = 20_000_000;

/// Two units and the proven excess of their cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) units: [usize; 2],
    pub(crate) excess: u32,
}

/// How much the sum of costs must be above the sum of the shortest paths, by the pairs.
pub(crate) fn excess(task: &Task, pairs: Vec<Pair>) -> u64 {
    cover(task.units(), pairs, &mut Effort::new(Budget::expansions(COVER_STEPS_MAX)))
}

/// The pairs with an excess, as far as the effort allows to find them.
pub(crate) fn pairs(task: &Task, effort: &mut Effort<'_>) -> Vec<Pair> {
    let paths: Vec<_> = (0..task.units()).map(|unit| variants(task, unit)).collect();
    let mut search = GroupSearch::default();
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
            let excess = search.excess(task, &units, EXCESS_MAX, PAIR_EXPANSIONS_MAX, effort);
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
pub(crate) mod tests {
    use throng_model::{Map, MovementProfile, Objective, Problem, Unit};
    use throng_testkit::{joint, random_map};

    use super::*;
    use crate::Lns;
    use crate::lns::random::Random;
    use crate::lns::start;

    /// A random problem, and what its optimum is above the sum of the shortest paths.
    pub(crate) fn random_task(seed: u64, units: usize, eight: bool) -> Option<(Task, u64)> {
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
        with_excess(map, &movement, units.collect())
    }

    /// A problem, and what its optimum is above the sum of the shortest paths.
    pub(crate) fn with_excess(
        map: Map,
        movement: &MovementProfile,
        units: Vec<Unit>,
    ) -> Option<(Task, u64)> {
        let movement = movement.by_time(&map);
        let problem = Problem::new(map, movement, units).validate().ok()?;
        let task = start::task(&Lns::default(), &problem, Budget::unlimited()).ok()?;
        let optimum = joint::optimum(&problem, Objective::SumOfCosts)?;
        let excess = optimum - task.lower_bound();
        Some((task, excess))
    }

    /// A problem in ASCII: each unit goes from its lower-case letter to its upper-case one.
    pub(crate) fn drawn_task(drawing: &str) -> (Task, u64) {
        let units = ('a'..='z').zip('A'..='Z').filter(|&(start, _)| drawing.contains(start));
        let cell = |letter| throng_testkit::find(drawing, letter)[0];
        let units = units.map(|(start, goal)| Unit::new(cell(start), cell(goal))).collect();
        let movement = MovementProfile::four_connected();
        with_excess(throng_testkit::map(drawing), &movement, units).unwrap()
    }

    /// Excess of a random problem as proven by pairs, and as it is.
    fn excesses(seed: u64, units: usize, eight: bool) -> Option<(u64, u64)> {
        let (task, truth) = random_task(seed, units, eight)?;
        Some((excess(&task, pairs(&task, &mut Effort::unlimited())), truth))
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
