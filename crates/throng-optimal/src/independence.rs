//! Algorithm 2: one group a unit, plan, merge who conflicts, plan again.
//!
//! Conflicts are resolved in rounds: the earliest first, and with it all others between
//! groups that have no part in an earlier one. The resolutions of a round know nothing of
//! each other, so that they can be worked on by any number of threads.

use std::collections::BTreeSet;
use std::thread;

use throng_model::{Budget, Observer, Progress};

use crate::clash::{Move, Place};
use crate::effort::Statistics;
use crate::group::{Group, Planned, Wish};
use crate::options::{Independence, JointAStar, Weight};
use crate::others::Others;
use crate::resolve::{Job, Resolution, Round};
use crate::search::{Allowance, Settings};
use crate::track::Track;

/// How it went.
pub(crate) enum Ended {
    Solved,
    /// These units have no plan, whatever the others do.
    Impossible(Vec<usize>),
    Spent {
        interrupted: bool,
    },
}

/// All groups of a problem.
pub(crate) struct Team<'a, 'b> {
    options: &'b JointAStar,
    settings: Settings,
    budget: Budget<'b>,
    pub(crate) groups: Vec<Group<'a>>,
    /// Groups, by their first and last unit and size, that failed to keep apart or did once.
    tried: BTreeSet<[Vec<usize>; 2]>,
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
        let (tried, statistics) = (BTreeSet::new(), Statistics::default());
        Self { options, settings, budget, groups, tried, statistics }
    }

    /// Plans until no two groups conflict.
    pub(crate) fn run(&mut self, observer: &mut dyn Observer) -> Ended {
        for index in 0..self.groups.len() {
            if let Some(ended) = self.plan_alone(index, self.options.weight) {
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
            if let Some(ended) = self.resolve(&conflicts, &others) {
                return ended;
            }
            if let Some(ended) = self.keep_to_the_weight() {
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

    fn allowance(&self) -> Allowance<'b> {
        let expansions = self.budget.expansions.unwrap_or(u64::MAX);
        let expansions = expansions.saturating_sub(self.statistics.expanded);
        Allowance { expansions, interrupt: self.budget.interrupt }
    }

    fn plan_alone(&mut self, index: usize, weight: Weight) -> Option<Ended> {
        let allowance = self.allowance();
        let group = &mut self.groups[index];
        let wish = Wish { avoid: None, shun: None, cost_max: u64::MAX, weight };
        let (planned, effort) = group.plan(&wish, self.options.objective, self.settings, allowance);
        self.statistics.add(&effort);
        match planned {
            Planned::Done => None,
            Planned::Impossible => Some(Ended::Impossible(group.units.clone())),
            Planned::Spent { interrupted } => Some(Ended::Spent { interrupted }),
        }
    }

    /// All ways, each known by its group.
    fn everybody(&self) -> Others {
        let groups = self.groups.iter().enumerate();
        Others::new(groups.flat_map(|(index, group)| {
            group.paths.iter().map(move |path| (index as u32, path.as_slice()))
        }))
    }

    /// The conflicts between groups: tick and groups, the earliest first.
    fn conflicts(&self, others: &Others) -> Vec<(u32, [usize; 2])> {
        let length = |group: &Group<'_>| group.paths.iter().map(Vec::len).max().unwrap_or(0);
        let ticks = self.groups.iter().map(length).max().unwrap_or(0);
        let mut found = BTreeSet::new();
        for (index, group) in self.groups.iter().enumerate() {
            for path in &group.paths {
                for tick in 1..ticks {
                    let step = step_at(path, tick);
                    let tick = tick as u32;
                    others.clashes(step, tick, self.settings.counted, |owner| {
                        let other = owner as usize;
                        if other != index {
                            found.insert((tick, [index.min(other), index.max(other)]));
                        }
                        true
                    });
                }
            }
        }
        found.into_iter().collect()
    }

    fn report(&self, conflicts: &[(u32, [usize; 2])], observer: &mut dyn Observer) {
        let in_conflict: BTreeSet<_> = conflicts.iter().flat_map(|(_, groups)| groups).collect();
        let done = (0..self.groups.len()).filter(|index| !in_conflict.contains(index));
        observer.progress(Progress {
            expanded: self.statistics.expanded,
            units_done: done.map(|index| self.groups[index].units.len()).sum(),
            lower_bound: Some(self.bound()),
        });
    }

    /// One round.
    fn resolve(&mut self, conflicts: &[(u32, [usize; 2])], others: &Others) -> Option<Ended> {
        let pairs = disjoint(conflicts, self.groups.len());
        let slack = self.options.weight.times(self.bound()).saturating_sub(self.cost());
        let round = Round {
            others,
            counted: self.settings.counted,
            objective: self.options.objective,
            settings: self.settings,
            weight: self.options.weight,
            allowance: self.allowance(),
            slack: slack / pairs.len().max(1) as u64,
        };
        let jobs = self.jobs(&pairs);
        let resolutions = work(jobs, round, self.options.threads);
        self.accept(resolutions)
    }

    fn jobs(&mut self, pairs: &[[usize; 2]]) -> Vec<Job<'a>> {
        let mut groups: Vec<_> = std::mem::take(&mut self.groups).into_iter().map(Some).collect();
        let mut jobs = Vec::new();
        for &[a, b] in pairs {
            let (Some(first), Some(second)) = (groups[a].take(), groups[b].take()) else {
                continue;
            };
            let is_new = self.tried.insert([first.units.clone(), second.units.clone()]);
            let avoid = is_new && self.options.independence == Independence::Avoid;
            jobs.push(Job { groups: [first, second], owners: [a as u32, b as u32], avoid });
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
                Planned::Spent { interrupted } => Some(Ended::Spent { interrupted }),
            };
            ended = ended.or(now);
            self.groups.extend(groups);
        }
        self.groups.sort_unstable_by(|a, b| a.units.cmp(&b.units));
        ended
    }

    /// A merged group may have used up what others had counted on: the group that is
    /// furthest from its bound is planned for anew, until the whole is within the weight.
    fn keep_to_the_weight(&mut self) -> Option<Ended> {
        while self.cost() > self.options.weight.times(self.bound()) {
            let groups = self.groups.iter().enumerate();
            let dearest = groups.max_by_key(|(_, group)| group.cost - group.bound)?.0;
            if let Some(ended) = self.plan_alone(dearest, Weight::ONE) {
                return Some(ended);
            }
        }
        None
    }
}

fn step_at(path: &[Place], tick: usize) -> Move {
    let last = path.len() - 1;
    Move { from: path[(tick - 1).min(last)], to: path[tick.min(last)] }
}

/// The conflicts whose groups have no part in an earlier one.
fn disjoint(conflicts: &[(u32, [usize; 2])], groups: usize) -> Vec<[usize; 2]> {
    let mut taken = vec![false; groups];
    let mut pairs = Vec::new();
    for &(_, [a, b]) in conflicts {
        if !taken[a] && !taken[b] {
            (taken[a], taken[b]) = (true, true);
            pairs.push([a, b]);
        }
    }
    pairs
}

/// Does all jobs, on so many threads; the results are in the order of the jobs.
fn work<'a>(jobs: Vec<Job<'a>>, round: Round<'_>, threads: usize) -> Vec<Resolution<'a>> {
    let share = jobs.len().div_ceil(threads.max(1)).max(1);
    if share == jobs.len() {
        return jobs.into_iter().map(|job| job.resolve(round)).collect();
    }
    let mut batches: Vec<Vec<Job<'a>>> = Vec::new();
    for (index, job) in jobs.into_iter().enumerate() {
        if index % share == 0 {
            batches.push(Vec::new());
        }
        if let Some(batch) = batches.last_mut() {
            batch.push(job);
        }
    }
    thread::scope(|scope| {
        let spawn = |batch: Vec<Job<'a>>| {
            scope.spawn(move || batch.into_iter().map(|job| job.resolve(round)).collect::<Vec<_>>())
        };
        let workers: Vec<_> = batches.into_iter().map(spawn).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect()
    })
}
