//! Algorithm 2: one group a unit, plan, merge who conflicts, plan again.
//!
//! Conflicts are resolved in rounds: the earliest first, and with it all others between
//! groups that have no part in an earlier one. The resolutions of a round know nothing of
//! each other, so that they can be worked on by any number of threads.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::thread;

use throng_model::{Budget, Limit, Observer, Progress};

use crate::clash::{Move, Place};
use crate::effort::Statistics;
use crate::group::{Group, Planned, Wish};
use crate::options::{Independence, JointAStar};
use crate::others::Others;
use crate::resolve::{Job, Resolution, Round};
use crate::search::{Allowance, Limits, Settings};
use crate::track::Track;
use throng_model::Weight;

/// How it went.
pub(crate) enum Ended {
    Solved,
    /// These units have no plan, whatever the others do.
    Impossible(Vec<usize>),
    Spent(Limit),
}

/// Two groups in each other's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Conflict {
    tick: u32,
    groups: [usize; 2],
    /// The unit of each that is in the way.
    units: [usize; 2],
}

/// All groups of a problem.
pub(crate) struct Team<'a, 'b> {
    options: &'b JointAStar,
    settings: Settings,
    budget: Budget<'b>,
    pub(crate) groups: Vec<Group<'a>>,
    /// How often groups were kept apart, by their units.
    tried: BTreeMap<[Vec<usize>; 2], u32>,
    pub(crate) statistics: Statistics,
}

impl<'a, 'b> Team<'a, 'b> {
    pub(crate) fn new(
        options: &'b JointAStar,
        settings: Settings,
        budget: Budget<'b>,
        tracks: Vec<Track<'a>>,
    ) -> Self {
        let groups = match options.independence {
            Independence::Off => {
                vec![Group::new((0..tracks.len()).collect(), tracks, options)]
            }
            Independence::Merge | Independence::Avoid => {
                let single = |(unit, track)| Group::new(vec![unit], vec![track], options);
                tracks.into_iter().enumerate().map(single).collect()
            }
        };
        let (tried, statistics) = (BTreeMap::new(), Statistics::default());
        Self { options, settings, budget, groups, tried, statistics }
    }

    /// Plans until no two groups conflict.
    pub(crate) fn run(&mut self, observer: &mut dyn Observer) -> Ended {
        let observer = &RefCell::new(observer);
        for index in 0..self.groups.len() {
            if let Some(ended) = self.plan_alone(index, self.options.weight, observer) {
                return ended;
            }
        }
        loop {
            let others = self.everybody();
            let conflicts = self.conflicts(&others);
            self.report(&conflicts, observer);
            if conflicts.is_empty() {
                return Ended::Solved;
            }
            if let Some(ended) = self.resolve(&conflicts, &others, observer) {
                return ended;
            }
            if let Some(ended) = self.keep_to_the_weight(observer) {
                return ended;
            }
        }
    }

    /// The best bound that is proven.
    pub(crate) fn bound(&self) -> u64 {
        self.groups.iter().map(|group| group.bound).sum()
    }

    fn cost(&self) -> u64 {
        self.groups.iter().map(|group| group.cost).sum()
    }

    fn limits(&self) -> Limits<'b> {
        let expansions = self.budget.expansions.unwrap_or(u64::MAX);
        let expansions = expansions.saturating_sub(self.statistics.expanded);
        Limits { expansions, interrupt: self.budget.interrupt }
    }

    /// How things stand, a search that is under way left out.
    fn progress(&self) -> Progress {
        let (expanded, lower_bound) = (self.statistics.expanded, Some(self.bound()));
        Progress { expanded, units_done: 0, lower_bound, groups: Some(self.groups.len()) }
    }

    fn plan_alone(&mut self, index: usize, weight: Weight, eyes: &Eyes<'_>) -> Option<Ended> {
        let progress = self.progress();
        let watch = |expanded, raised| tell(eyes, progress, expanded, raised);
        let allowance = Allowance { limits: self.limits(), watch: Some(&watch) };
        let group = &mut self.groups[index];
        let wish = Wish { avoid: None, shun: None, cost_max: u64::MAX, weight };
        let (planned, effort) = group.plan(&wish, self.options.objective, self.settings, allowance);
        self.statistics.add(&effort);
        match planned {
            Planned::Done => None,
            Planned::Impossible => Some(Ended::Impossible(group.units.clone())),
            Planned::Spent(limit) => Some(Ended::Spent(limit)),
        }
    }

    /// The ways of all units.
    fn everybody(&self) -> Others {
        Others::new(self.groups.iter().flat_map(|group| {
            let paths = group.units.iter().zip(&group.paths);
            paths.map(|(&unit, path)| (unit as u32, path.as_slice()))
        }))
    }

    /// The conflicts between groups, the earliest first.
    fn conflicts(&self, others: &Others) -> Vec<Conflict> {
        let owners = self.owners();
        let length = |group: &Group<'_>| group.paths.iter().map(Vec::len).max().unwrap_or(0);
        let ticks = self.groups.iter().map(length).max().unwrap_or(0);
        let mut found = BTreeSet::new();
        for (index, group) in self.groups.iter().enumerate() {
            for (&unit, path) in group.units.iter().zip(&group.paths) {
                for tick in 1..ticks {
                    let step = step_at(path, tick);
                    let tick = tick as u32;
                    others.clashes(step, tick, self.settings.counted, |owner| {
                        let other = owners[owner as usize];
                        if index < other {
                            let (groups, units) = ([index, other], [unit, owner as usize]);
                            found.insert(Conflict { tick, groups, units });
                        }
                        true
                    });
                }
            }
        }
        found.into_iter().collect()
    }

    /// The group of each unit.
    fn owners(&self) -> Vec<usize> {
        let mut owners = vec![0; self.groups.iter().map(|group| group.units.len()).sum()];
        for (index, group) in self.groups.iter().enumerate() {
            group.units.iter().for_each(|&unit| owners[unit] = index);
        }
        owners
    }

    fn report(&self, conflicts: &[Conflict], eyes: &Eyes<'_>) {
        let in_conflict: BTreeSet<_> =
            conflicts.iter().flat_map(|conflict| conflict.groups).collect();
        let done = (0..self.groups.len()).filter(|index| !in_conflict.contains(index));
        let units_done = done.map(|index| self.groups[index].units.len()).sum();
        eyes.borrow_mut().progress(Progress { units_done, ..self.progress() });
    }

    /// One round.
    fn resolve(
        &mut self,
        conflicts: &[Conflict],
        others: &Others,
        eyes: &Eyes<'_>,
    ) -> Option<Ended> {
        let progress = self.progress();
        let pairs = disjoint(conflicts, self.groups.len());
        let (count, limits) = (pairs.len().max(1) as u64, self.limits());
        let slack = self.options.weight.times(self.bound()).saturating_sub(self.cost());
        let round = Round {
            others,
            units: self.groups.iter().map(|group| group.units.len()).sum(),
            counted: self.settings.counted,
            objective: self.options.objective,
            settings: self.settings,
            weight: self.options.weight,
            limits: Limits { expansions: limits.expansions / count, ..limits },
            slack: slack / count,
        };
        let jobs = self.jobs(&pairs);
        let watch = |expanded, raised| tell(eyes, progress, expanded, raised);
        let resolutions = work(jobs, round, self.options.threads, &watch);
        self.accept(resolutions)
    }

    fn jobs(&mut self, conflicts: &[Conflict]) -> Vec<Job<'a>> {
        let mut groups: Vec<_> = std::mem::take(&mut self.groups).into_iter().map(Some).collect();
        let mut jobs = Vec::new();
        for &Conflict { groups: [a, b], units: meeting, .. } in conflicts {
            let (Some(first), Some(second)) = (groups[a].take(), groups[b].take()) else {
                continue;
            };
            let tries = self.tried.entry([first.units.clone(), second.units.clone()]).or_default();
            *tries += 1;
            let tries = match self.options.independence {
                Independence::Avoid => *tries,
                Independence::Merge | Independence::Off => u32::MAX,
            };
            jobs.push(Job { groups: [first, second], meeting, tries });
        }
        self.groups = groups.into_iter().flatten().collect();
        jobs
    }

    fn accept(&mut self, resolutions: Vec<Resolution<'a>>) -> Option<Ended> {
        let mut ended = None;
        for Resolution { groups, planned, statistics } in resolutions {
            self.statistics.add(&statistics);
            let now = match planned {
                Planned::Done => None,
                Planned::Impossible => {
                    let units = groups.iter().flat_map(|group| group.units.clone());
                    Some(Ended::Impossible(units.collect()))
                }
                Planned::Spent(limit) => Some(Ended::Spent(limit)),
            };
            ended = ended.or(now);
            self.groups.extend(groups);
        }
        self.groups.sort_unstable_by(|a, b| a.units.cmp(&b.units));
        ended
    }

    /// A merged group may have used up what others had counted on: the group that is
    /// furthest from its bound is planned for anew, until the whole is within the weight.
    fn keep_to_the_weight(&mut self, eyes: &Eyes<'_>) -> Option<Ended> {
        while self.cost() > self.options.weight.times(self.bound()) {
            let groups = self.groups.iter().enumerate();
            let dearest = groups.max_by_key(|(_, group)| group.cost - group.bound)?.0;
            if let Some(ended) = self.plan_alone(dearest, Weight::ONE, eyes) {
                return Some(ended);
            }
        }
        None
    }
}

/// The observer, lent to the search that is under way.
type Eyes<'o> = RefCell<&'o mut dyn Observer>;

/// Tells how a search goes, beside how things stood before it.
fn tell(eyes: &Eyes<'_>, before: Progress, expanded: u64, raised: u32) {
    let lower_bound = before.lower_bound.map(|bound| bound + u64::from(raised));
    let expanded = before.expanded + expanded;
    eyes.borrow_mut().progress(Progress { expanded, lower_bound, ..before });
}

fn step_at(path: &[Place], tick: usize) -> Move {
    let last = path.len() - 1;
    Move { from: path[(tick - 1).min(last)], to: path[tick.min(last)] }
}

/// The conflicts whose groups have no part in an earlier one.
fn disjoint(conflicts: &[Conflict], groups: usize) -> Vec<Conflict> {
    let mut taken = vec![false; groups];
    let mut pairs = Vec::new();
    for &conflict in conflicts {
        let [a, b] = conflict.groups;
        if !taken[a] && !taken[b] {
            (taken[a], taken[b]) = (true, true);
            pairs.push(conflict);
        }
    }
    pairs
}

/// Does all jobs, on so many threads; the results are in the order of the jobs. The caller's
/// thread works too, and alone tells how it goes.
fn work<'a>(
    mut jobs: Vec<Job<'a>>,
    round: Round<'_>,
    threads: usize,
    watch: &dyn Fn(u64, u32),
) -> Vec<Resolution<'a>> {
    let share = jobs.len().div_ceil(threads.max(1)).max(1);
    let mut batches = Vec::new();
    while jobs.len() > share {
        batches.push(jobs.split_off(jobs.len() - share));
    }
    thread::scope(|scope| {
        let spawn = |batch: Vec<Job<'a>>| {
            scope.spawn(move || {
                batch.into_iter().map(|job| job.resolve(round, None)).collect::<Vec<_>>()
            })
        };
        let workers: Vec<_> = batches.into_iter().rev().map(spawn).collect();
        let mut results: Vec<_> =
            jobs.into_iter().map(|job| job.resolve(round, Some(watch))).collect();
        for worker in workers {
            match worker.join() {
                Ok(found) => results.extend(found),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}
