//! Independence detection (Standley, algorithm 2): one group per unit at first; groups whose
//! plans conflict avoid each other or are merged and planned again.
//!
//! Conflicts are resolved in rounds: the earliest first, and with it all others between
//! groups that have no part in an earlier one. The resolutions of a round are independent of
//! each other, so that any number of threads may work on them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::thread;

use throng_model::{Budget, Limit, Observer, Progress, Weight};

use crate::group::{Group, GroupOutcome, PlanRequest};
use crate::move_table::MoveTable;
use crate::options::{Independence, JointAStar};
use crate::position_table::PositionTable;
use crate::resolve::{GroupConflict, Resolution, RoundContext};
use crate::rules::{Rules, Step};
use crate::search::SearchOptions;
use crate::statistics::Statistics;

/// Why independence detection stopped without a solution.
pub(crate) enum Failure {
    /// These units have no plan, even without the other groups.
    Impossible(Vec<usize>),
    /// A limit was reached first.
    Spent(Limit),
}

/// Two groups whose plans conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Conflict {
    tick: u32,
    groups: [usize; 2],
    /// The unit of each group that is part of the conflict.
    units: [usize; 2],
}

/// All groups of a problem.
pub(crate) struct IndependenceDetection<'a, 'b, R: Rules> {
    planner: &'b JointAStar,
    options: SearchOptions<R>,
    budget: Budget<'b>,
    pub(crate) groups: Vec<Group<'a, R>>,
    /// For two groups, given by their units: how often their conflict was resolved.
    attempts: BTreeMap<[Vec<usize>; 2], u32>,
    pub(crate) statistics: Statistics,
}

/// The observer, lent to the search that is running.
type SharedObserver<'o> = RefCell<&'o mut dyn Observer>;

impl<'a, 'b: 'a, R: Rules> IndependenceDetection<'a, 'b, R> {
    pub(crate) fn new(
        planner: &'b JointAStar,
        options: SearchOptions<R>,
        budget: Budget<'b>,
        tables: Vec<PositionTable<'a, R>>,
    ) -> Self {
        let groups = match planner.independence {
            Independence::Off => {
                vec![Group::new((0..tables.len()).collect(), tables, planner, budget)]
            }
            Independence::Merge | Independence::Avoid => {
                let single = |(unit, table)| Group::new(vec![unit], vec![table], planner, budget);
                tables.into_iter().enumerate().map(single).collect()
            }
        };
        let (attempts, statistics) = (BTreeMap::new(), Statistics::default());
        Self { planner, options, budget, groups, attempts, statistics }
    }

    /// Plans until no two groups conflict.
    pub(crate) fn run(&mut self, observer: &mut dyn Observer) -> Result<(), Failure> {
        let observer = &RefCell::new(observer);
        for index in 0..self.groups.len() {
            self.plan_alone(index, self.planner.weight, observer)?;
        }
        loop {
            let interrupted = || Failure::Spent(Limit::Interrupt);
            let moves = self.moves().ok_or_else(interrupted)?;
            let conflicts = self.conflicts(&moves).ok_or_else(interrupted)?;
            self.report_progress(&conflicts, observer);
            if conflicts.is_empty() {
                return Ok(());
            }
            self.resolve(&conflicts, &moves, observer)?;
            self.enforce_weight(observer)?;
        }
    }

    /// The proven lower bound.
    pub(crate) fn bound(&self) -> u64 {
        self.groups.iter().map(|group| group.bound).sum()
    }

    pub(crate) fn cost(&self) -> u64 {
        self.groups.iter().map(|group| group.cost).sum()
    }

    fn remaining_budget(&self) -> Budget<'b> {
        let left = |most: u64| most.saturating_sub(self.statistics.expanded);
        Budget { expansions: self.budget.expansions.map(left), ..self.budget }
    }

    /// The progress so far, without the search that is running.
    fn progress(&self) -> Progress {
        let (expanded, lower_bound) = (self.statistics.expanded, Some(self.bound()));
        Progress { expanded, units_done: 0, lower_bound, groups: Some(self.groups.len()) }
    }

    fn plan_alone(
        &mut self,
        index: usize,
        weight: Weight,
        observer: &SharedObserver<'_>,
    ) -> Result<(), Failure> {
        let (before, budget) = (self.progress(), self.remaining_budget());
        let on_progress = |expanded, raised| report_search(observer, before, expanded, raised);
        let group = &mut self.groups[index];
        let (request, objective) = (PlanRequest::alone(weight), self.planner.objective);
        let (outcome, effort) =
            group.plan(&request, objective, self.options, budget, Some(&on_progress));
        self.statistics.add(&effort);
        match outcome {
            GroupOutcome::Planned => Ok(()),
            GroupOutcome::Impossible => Err(Failure::Impossible(group.units.clone())),
            GroupOutcome::Spent(limit) => Err(Failure::Spent(limit)),
        }
    }

    /// The moves of all units; `None` if interrupted.
    fn moves(&self) -> Option<MoveTable<R>> {
        let paths = self.groups.iter().flat_map(|group| {
            let paths = group.units.iter().zip(&group.paths);
            paths.map(|(&unit, path)| (unit as u32, path.as_slice()))
        });
        MoveTable::new(self.options.rules, paths, self.budget)
    }

    /// The conflicts between groups, the earliest first; `None` if interrupted.
    fn conflicts(&self, moves: &MoveTable<R>) -> Option<Vec<Conflict>> {
        let group_of = self.group_of_unit();
        let length = |group: &Group<'_, R>| group.paths.iter().map(Vec::len).max().unwrap_or(0);
        let ticks = self.groups.iter().map(length).max().unwrap_or(0);
        let mut found = BTreeSet::new();
        for (index, group) in self.groups.iter().enumerate() {
            for (&unit, path) in group.units.iter().zip(&group.paths) {
                if unit.is_multiple_of(POLL_EVERY) && self.budget.is_interrupted() {
                    return None;
                }
                for tick in 1..ticks {
                    let step = step_at(path, tick);
                    let tick = tick as u32;
                    moves.conflicts_with(step, tick, |other_unit| {
                        let other = group_of[other_unit as usize];
                        if index < other {
                            let (groups, units) = ([index, other], [unit, other_unit as usize]);
                            found.insert(Conflict { tick, groups, units });
                        }
                        true
                    });
                }
            }
        }
        Some(found.into_iter().collect())
    }

    fn group_of_unit(&self) -> Vec<usize> {
        let mut group_of = vec![0; self.groups.iter().map(|group| group.units.len()).sum()];
        for (index, group) in self.groups.iter().enumerate() {
            group.units.iter().for_each(|&unit| group_of[unit] = index);
        }
        group_of
    }

    fn report_progress(&self, conflicts: &[Conflict], observer: &SharedObserver<'_>) {
        let in_conflict: BTreeSet<_> =
            conflicts.iter().flat_map(|conflict| conflict.groups).collect();
        let done = (0..self.groups.len()).filter(|index| !in_conflict.contains(index));
        let units_done = done.map(|index| self.groups[index].units.len()).sum();
        observer.borrow_mut().progress(Progress { units_done, ..self.progress() });
    }

    /// One round: resolves conflicts between groups that have no part in an earlier one.
    fn resolve(
        &mut self,
        conflicts: &[Conflict],
        moves: &MoveTable<R>,
        observer: &SharedObserver<'_>,
    ) -> Result<(), Failure> {
        let before = self.progress();
        let chosen = disjoint(conflicts, self.groups.len());
        let (count, budget) = (chosen.len().max(1) as u64, self.remaining_budget());
        let slack = self.planner.weight.times(self.bound()).saturating_sub(self.cost());
        let expansions = budget.expansions.map(|most| most / count);
        let round = RoundContext {
            moves,
            units: self.groups.iter().map(|group| group.units.len()).sum(),
            objective: self.planner.objective,
            options: self.options,
            weight: self.planner.weight,
            budget: Budget { expansions, ..budget },
            slack: slack / count,
        };
        let group_conflicts = self.take_groups(&chosen);
        let on_progress = |expanded, raised| report_search(observer, before, expanded, raised);
        let resolutions = resolve_all(group_conflicts, round, self.planner.threads, &on_progress);
        self.accept(resolutions)
    }

    /// Takes the groups of these conflicts out of the list.
    fn take_groups(&mut self, conflicts: &[Conflict]) -> Vec<GroupConflict<'a, R>> {
        let mut groups: Vec<_> = std::mem::take(&mut self.groups).into_iter().map(Some).collect();
        let mut taken = Vec::new();
        for &Conflict { groups: [a, b], units, .. } in conflicts {
            let (Some(first), Some(second)) = (groups[a].take(), groups[b].take()) else {
                continue;
            };
            let attempts = self.attempts.entry([first.units.clone(), second.units.clone()]);
            let attempts = attempts.or_default();
            *attempts += 1;
            let attempt = match self.planner.independence {
                Independence::Avoid => *attempts,
                Independence::Merge | Independence::Off => u32::MAX,
            };
            taken.push(GroupConflict { groups: [first, second], units, attempt });
        }
        self.groups = groups.into_iter().flatten().collect();
        taken
    }

    /// Puts the groups back; an error if one of them has no plan.
    fn accept(&mut self, resolutions: Vec<Resolution<'a, R>>) -> Result<(), Failure> {
        let mut result = Ok(());
        for Resolution { groups, outcome, statistics } in resolutions {
            self.statistics.add(&statistics);
            let resolved = match outcome {
                GroupOutcome::Planned => Ok(()),
                GroupOutcome::Impossible => {
                    let units = groups.iter().flat_map(|group| group.units.clone());
                    Err(Failure::Impossible(units.collect()))
                }
                GroupOutcome::Spent(limit) => Err(Failure::Spent(limit)),
            };
            result = result.and(resolved);
            self.groups.extend(groups);
        }
        self.groups.sort_unstable_by(|a, b| a.units.cmp(&b.units));
        result
    }

    /// Brings the whole plan back within the weight of its bound: merged groups may have used
    /// up slack that others counted on. The group furthest above its bound is planned again
    /// optimally, until the sum is within the weight.
    fn enforce_weight(&mut self, observer: &SharedObserver<'_>) -> Result<(), Failure> {
        while self.cost() > self.planner.weight.times(self.bound()) {
            let groups = self.groups.iter().enumerate();
            let furthest = groups.max_by_key(|(_, group)| group.cost - group.bound);
            let Some((furthest, _)) = furthest else { break };
            self.plan_alone(furthest, Weight::ONE, observer)?;
        }
        Ok(())
    }
}

/// Units checked for conflicts between two calls of the interrupt.
const POLL_EVERY: usize = 64;

/// Reports the progress of a search, added to the progress before it.
fn report_search(observer: &SharedObserver<'_>, before: Progress, expanded: u64, raised: u32) {
    let lower_bound = before.lower_bound.map(|bound| bound + u64::from(raised));
    let expanded = before.expanded + expanded;
    observer.borrow_mut().progress(Progress { expanded, lower_bound, ..before });
}

fn step_at<P: Copy>(path: &[P], tick: usize) -> Step<P> {
    let last = path.len() - 1;
    Step { from: path[(tick - 1).min(last)], to: path[tick.min(last)] }
}

/// The conflicts whose groups have no part in an earlier one.
fn disjoint(conflicts: &[Conflict], groups: usize) -> Vec<Conflict> {
    let mut taken = vec![false; groups];
    let mut chosen = Vec::new();
    for &conflict in conflicts {
        let [a, b] = conflict.groups;
        if !taken[a] && !taken[b] {
            (taken[a], taken[b]) = (true, true);
            chosen.push(conflict);
        }
    }
    chosen
}

/// Resolves all conflicts of a round on several threads. The results are in the order of the
/// conflicts. The caller's thread works too, and it alone reports progress.
fn resolve_all<'a, R: Rules>(
    mut conflicts: Vec<GroupConflict<'a, R>>,
    round: RoundContext<'_, R>,
    threads: usize,
    on_progress: &dyn Fn(u64, u32),
) -> Vec<Resolution<'a, R>> {
    let share = conflicts.len().div_ceil(threads.max(1)).max(1);
    let mut batches = Vec::new();
    while conflicts.len() > share {
        batches.push(conflicts.split_off(conflicts.len() - share));
    }
    thread::scope(|scope| {
        let spawn = |batch: Vec<GroupConflict<'a, R>>| {
            scope.spawn(move || {
                batch.into_iter().map(|conflict| conflict.resolve(round, None)).collect::<Vec<_>>()
            })
        };
        let workers: Vec<_> = batches.into_iter().rev().map(spawn).collect();
        let resolve = |conflict: GroupConflict<'a, R>| conflict.resolve(round, Some(on_progress));
        let mut results: Vec<_> = conflicts.into_iter().map(resolve).collect();
        for worker in workers {
            match worker.join() {
                Ok(found) => results.extend(found),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}
