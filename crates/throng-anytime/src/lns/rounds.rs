//! Rounds: some groups are repaired at the same time, then the better ones are kept.
//!
//! All groups of a round are repaired against the plan at its beginning, each with an allowance
//! of its own. The results are kept in the order of the groups, those dropped that conflict with
//! one kept before. So the plan depends on the number of groups, and not on the number of
//! threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Scope};

use throng_model::{Budget, Effort, Interrupt};

use super::repair::{Group, Repair, Repairer};
use super::state::{Change, State};
use super::task::Task;

/// The work of one round.
#[derive(Debug, Default)]
pub(crate) struct Round {
    /// Paths that the last round has kept.
    changes: Vec<Change>,
    pub(crate) groups: Vec<Group>,
    /// Most expansions per group.
    allowance: u64,
    /// The first group that no thread has taken.
    next: AtomicUsize,
}

/// The threads that repair groups. Each has a copy of the state.
pub(crate) struct RepairThreads<'a> {
    pub(crate) repairer: Repairer,
    task: &'a Task,
    interrupt: Option<Interrupt<'a>>,
    orders: Vec<Sender<Arc<Round>>>,
    results: Option<Receiver<(usize, Repair)>>,
    /// Paths that the other threads do not know yet.
    changes: Vec<Change>,
}

impl<'a> RepairThreads<'a> {
    pub(crate) fn new<'s>(
        scope: &'s Scope<'s, 'a>,
        task: &'a Task,
        state: State,
        threads: usize,
        interrupt: Option<Interrupt<'a>>,
    ) -> Self {
        let repairer = Repairer::new(state);
        let (sender, results) = channel();
        let orders = (1..threads).map(|_| {
            let (order, rounds) = channel();
            let (sender, mut repairer) = (sender.clone(), repairer.clone());
            scope.spawn(move || help(task, &mut repairer, &rounds, &sender, interrupt));
            order
        });
        let orders: Vec<_> = orders.collect();
        let results = (!orders.is_empty()).then_some(results);
        Self { repairer, task, interrupt, orders, results, changes: Vec::new() }
    }

    /// Repairs all groups against the current state; the results in the order of the groups.
    pub(crate) fn repair(
        &mut self,
        groups: Vec<Group>,
        allowance: u64,
    ) -> (Arc<Round>, Vec<Repair>) {
        let mut repairs = vec![Repair::default(); groups.len()];
        let changes = std::mem::take(&mut self.changes);
        let round = Arc::new(Round { changes, groups, allowance, next: AtomicUsize::new(0) });
        let mut expected = round.groups.len();
        for order in &self.orders {
            let _ = order.send(Arc::clone(&round));
        }
        while let Some((index, repair)) =
            next(self.task, &mut self.repairer, &round, self.interrupt)
        {
            repairs[index] = repair;
            expected -= 1;
        }
        let results = self.results.iter().flat_map(Receiver::iter);
        for (index, repair) in results.take(expected) {
            repairs[index] = repair;
        }
        (round, repairs)
    }

    /// Keeps new paths unless they conflict with those kept before; whether it does. The
    /// changes hold the old paths afterwards.
    pub(crate) fn keep(&mut self, changes: &mut [Change]) -> bool {
        let new: Vec<Change> = if self.orders.is_empty() { Vec::new() } else { changes.to_vec() };
        let is_kept = self.repairer.state.replace(self.task, changes);
        if is_kept {
            self.changes.extend(new);
        }
        is_kept
    }
}

/// Takes the next group of a round and repairs it.
fn next(
    task: &Task,
    repairer: &mut Repairer,
    round: &Round,
    interrupt: Option<Interrupt<'_>>,
) -> Option<(usize, Repair)> {
    let index = round.next.fetch_add(1, Ordering::Relaxed);
    let group = round.groups.get(index)?;
    let expansions = round.allowance.min(group.tactic.expansions_max());
    let budget = Budget { expansions: Some(expansions), interrupt };
    Some((index, repairer.repair(task, group, &mut Effort::new(budget))))
}

/// What every thread but the first does.
fn help(
    task: &Task,
    repairer: &mut Repairer,
    rounds: &Receiver<Arc<Round>>,
    results: &Sender<(usize, Repair)>,
    interrupt: Option<Interrupt<'_>>,
) {
    for round in rounds {
        repairer.state.follow(task, &round.changes);
        while let Some(result) = next(task, repairer, &round, interrupt) {
            if results.send(result).is_err() {
                return;
            }
        }
    }
}

/// Runs `work` with this many threads.
pub(crate) fn with_threads<T>(
    task: &Task,
    state: State,
    threads: usize,
    interrupt: Option<Interrupt<'_>>,
    work: impl FnOnce(&mut RepairThreads<'_>) -> T,
) -> T {
    thread::scope(|scope| work(&mut RepairThreads::new(scope, task, state, threads, interrupt)))
}
