//! Many units that plan in one tick, on several threads.
//!
//! Units are taken in batches of a fixed size. All units of a batch search against the table as
//! it was before the batch; then their plans are claimed in order. A plan that meets one that was
//! claimed before it in the batch is searched for again. So the result depends on the size of a
//! batch, and not on the number of threads.

use std::sync::{Mutex, PoisonError};

use throng_grid::kit::pick_mut;
use throng_model::{Budget, Effort, UnitId};
use throng_spacetime::{Space, SpaceTimeSearch, is_legal};

use super::propose::{Proposal, Sight};
use super::record::{Activity, Role, UnitRecord};
use super::{Slot, TrueDistances, UnitStore};

/// Most units of a batch. With more, more plans meet.
const BATCH_MAX: usize = 1024;
/// Where fewer units than this are due, they plan one after the other: plans that meet are made
/// twice, which makes the first tick of 500 units that cross half as long again.
const DUE_MIN: usize = 2048;
/// Fewer units than this are no batch. A thread costs about as much as ten plans.
const BATCH_MIN: usize = 256;
/// Expansions that a plan may need, for the size of a batch under a budget.
const EXPANSIONS_PER_PLAN: u64 = 32;
/// Units that a thread takes at once.
const SHARE: usize = 32;

/// Proposals whose entries of the table are read before any of them is claimed.
const PROPOSALS_PER_LOOK: usize = 16;

/// A unit that plans, and what it found.
struct Job<'a, A> {
    /// Its place in the batch.
    turn: usize,
    unit: UnitId,
    record: &'a mut UnitRecord<A>,
    proposal: Option<Proposal>,
}

impl<A: Activity + Send> UnitStore<A> {
    /// The same as [`plan_due`](Self::plan_due) for worlds of many units. Beside this thread as
    /// many others plan as there are `workers`, each with distances of its own. The result does
    /// not depend on their number.
    pub fn plan_due_in_batches<S: Space + Sync, D: TrueDistances<S, A> + Send>(
        &mut self,
        spaces: &[S],
        distances: &mut D,
        workers: &mut [D],
        budget: Budget<'_>,
        effort: &mut Effort<'_>,
    ) {
        let mut queue = self.begin_planning();
        let before = self.expanded();
        let most = budget.expansions.unwrap_or(u64::MAX);
        let mut lost_plans = Vec::new();
        let mut done = 0;
        while queue.len() >= DUE_MIN {
            let left = most.saturating_sub(self.expanded() - before);
            let affordable = usize::try_from(left / EXPANSIONS_PER_PLAN).unwrap_or(usize::MAX);
            let count = (queue.len() - done).min(BATCH_MAX).min(affordable);
            if count < BATCH_MIN || budget.is_interrupted() {
                break;
            }
            self.plan_batch(spaces, distances, workers, &queue[done..done + count], effort);
            lost_plans.append(&mut self.overridden);
            done += count;
        }
        queue.drain(..done);
        queue.append(&mut lost_plans);
        let left = most.saturating_sub(self.expanded() - before);
        let rest = Budget { expansions: budget.expansions.map(|_| left), ..budget };
        self.plan_one_by_one(spaces, distances, queue, rest, effort);
    }

    fn plan_batch<S: Space + Sync, D: TrueDistances<S, A> + Send>(
        &mut self,
        spaces: &[S],
        distances: &mut D,
        workers: &mut [D],
        units: &[UnitId],
        effort: &mut Effort<'_>,
    ) {
        let mut searches = std::mem::take(&mut self.searches);
        let mut search = std::mem::take(&mut self.search);
        searches.resize_with(workers.len().max(searches.len()), Default::default);
        let (sight, slots) = self.sight(spaces);
        let mut jobs = jobs_of(slots, units);
        let others = workers.iter_mut().zip(&mut searches);
        run_jobs(&sight, &mut jobs, (distances, &mut search), others);
        let mut proposals = vec![None; units.len()];
        for job in jobs {
            proposals[job.turn] = job.proposal;
        }
        (self.search, self.searches) = (search, searches);
        for (at, (&unit, proposal)) in units.iter().zip(&proposals).enumerate() {
            if at % PROPOSALS_PER_LOOK == 0 {
                self.load_entries_of(spaces, units, &proposals, at);
            }
            distances.planned_elsewhere(unit);
            let Some(proposal) = proposal else { continue };
            self.note(unit, proposal);
            if self.still_fits(spaces, unit, proposal) {
                self.accept(spaces, unit, proposal);
            } else {
                self.plan_unit(spaces, distances, unit, effort);
            }
        }
    }

    /// Reads the entries that the next proposals claim, so that they are fetched at the same time.
    fn load_entries_of<S: Space>(
        &self,
        spaces: &[S],
        units: &[UnitId],
        proposals: &[Option<Proposal>],
        from: usize,
    ) {
        let mut claims = 0;
        let next = units.iter().zip(proposals).skip(from).take(PROPOSALS_PER_LOOK);
        for (&unit, proposal) in next {
            let (Some(record), Some(proposal)) = (self.get(unit), proposal) else { continue };
            for leg in &proposal.path.legs {
                spaces[record.space].standing(leg.from, |entry| {
                    claims ^= self.table.peek(entry);
                    true
                });
            }
        }
        std::hint::black_box(claims);
    }

    /// Whether a proposal is legal after those that were accepted before it.
    fn still_fits<S: Space>(&self, spaces: &[S], unit: UnitId, proposal: &Proposal) -> bool {
        let Some(record) = self.get(unit) else { return false };
        let (Some(body), space) = (&record.body, &spaces[record.space]) else { return false };
        if record.activity.role() == Role::Holding {
            return true;
        }
        let view = self.table.view(unit, self.priority(unit)).with_obstacles(&self.obstacles);
        let mut legs = proposal.path.legs.iter();
        !(proposal.is_extension && body.needs_plan)
            && legs.all(|leg| is_legal(space, &view, leg.from, leg.action, leg.tick))
    }
}

/// The jobs of units, by slot.
fn jobs_of<'a, A: Activity>(slots: &'a mut [Slot<A>], units: &[UnitId]) -> Vec<Job<'a, A>> {
    let mut by_slot: Vec<(usize, UnitId)> = units.iter().copied().enumerate().collect();
    by_slot.sort_unstable_by_key(|&(_, unit)| unit.index());
    by_slot.dedup_by_key(|&mut (_, unit)| unit.index());
    let slots = pick_mut(slots, by_slot.iter().map(|(_, unit)| unit.index()));
    let jobs = by_slot.iter().zip(slots).filter_map(|(&(turn, unit), slot)| {
        let record = slot.record.as_mut().filter(|record| record.activity.plans())?;
        (slot.id == unit).then_some(Job { turn, unit, record, proposal: None })
    });
    jobs.collect()
}

/// Lets threads take shares of the jobs until none is left.
fn run_jobs<'a, S: Space + Sync, A: Activity + Send, D: TrueDistances<S, A> + Send + 'a>(
    sight: &Sight<'_, S>,
    jobs: &mut [Job<'_, A>],
    (own, own_search): (&mut D, &mut SpaceTimeSearch),
    others: impl Iterator<Item = (&'a mut D, &'a mut SpaceTimeSearch)>,
) {
    let shares = Mutex::new(jobs.chunks_mut(SHARE));
    let work = |distances: &mut D, search: &mut SpaceTimeSearch| {
        let next = || shares.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some(share) = next() {
            for job in share {
                let effort = &mut Effort::unlimited();
                job.proposal = sight.propose(job.record, job.unit, search, distances, effort);
            }
        }
    };
    std::thread::scope(|scope| {
        for (distances, search) in others {
            scope.spawn(|| work(distances, search));
        }
        work(own, own_search);
    });
}
