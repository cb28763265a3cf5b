//! The main loop: choose groups, repair them, keep what is better.

use throng_model::{Budget, Effort, Improvement, Objective, Observer, Plan, ValidProblem, Weight};

use super::gain::Gain;
use super::neighbourhood::Chooser;
use super::prices::Prices;
use super::random::Random;
use super::repair::{Group, Repair};
use super::rounds::{RepairThreads, with_threads};
use super::state::State;
use super::tactics::Tactics;
use super::task::Task;
use super::{ImproveError, Improved, Lns, Stop, lower_bound, start};
use crate::Vertex;

/// Groups per round.
const GROUPS: usize = 8;
/// Expansions before pairs of units are looked at for the lower bound, and most expansions and
/// units for which they are.
const PAIRS_AFTER: u64 = 1_000_000;
const PAIRS_EXPANSIONS_MAX: u64 = 3_000_000;
const PAIRS_UNITS_MAX: usize = 2_000;
/// What a repair costs beyond its expansions, in expansions.
const REPAIR_WORK: u64 = 200;

/// See [`Lns::improve`].
pub(crate) fn improve(
    lns: &Lns,
    problem: &ValidProblem,
    plan: &Plan,
    seed: u64,
    budget: Budget<'_>,
    observer: &mut dyn Observer,
) -> Result<Improved, ImproveError> {
    let task = start::task(lns, problem, budget)?;
    let state = State::new(&task, start::paths(&task, plan)?);
    let task = &task;
    Ok(with_threads(task, state, lns.threads.max(1), budget.interrupt, |threads| {
        let chooser = Chooser::new(task, &threads.repairer.state);
        let cost = threads.repairer.state.cost();
        let gain = Gain::new(lns.gain_permille, problem.units.len(), cost);
        let left = budget.expansions.unwrap_or(u64::MAX);
        let tactics = Tactics::default();
        let mut run = Run {
            lns,
            task,
            threads,
            chooser,
            tactics,
            seed,
            cost,
            gain,
            lower_bound: task.lower_bound(),
            has_pairs: false,
            prices: None,
            priced: 0,
            left,
            rounds: 0,
            expanded: 0,
            repairs: 0,
        };
        run.improve(budget, observer)
    }))
}

/// An improvement under way.
struct Run<'r, 'a> {
    lns: &'r Lns,
    task: &'r Task,
    threads: &'r mut RepairThreads<'a>,
    chooser: Chooser,
    tactics: Tactics,
    seed: u64,
    cost: u64,
    gain: Gain,
    lower_bound: u64,
    has_pairs: bool,
    /// Prices that raise the lower bound, while they do.
    prices: Option<Prices<'r>>,
    /// Expansions spent on prices.
    priced: u64,
    /// Expansions left.
    left: u64,
    rounds: u64,
    expanded: u64,
    repairs: u64,
}

impl<'r> Run<'r, '_> {
    fn improve(&mut self, budget: Budget<'_>, observer: &mut dyn Observer) -> Improved {
        self.tell(observer);
        loop {
            if let Some(stop) = self.stop(budget) {
                return self.result(stop);
            }
            self.raise_lower_bound(budget);
            self.improve_prices(budget);
            let before = self.cost;
            self.round();
            if self.cost < before {
                self.tell(observer);
            }
        }
    }

    /// Tells the observer about the best plan.
    fn tell(&self, observer: &mut dyn Observer) {
        let paths = &self.threads.repairer.state.paths;
        let plan = || plan(self.task, paths);
        let (expanded, cost, lower_bound) = (self.expanded, self.cost, self.lower_bound);
        observer.improved(Improvement { expanded, cost, lower_bound, plan: &plan });
    }

    fn stop(&mut self, budget: Budget<'_>) -> Option<Stop> {
        if self.cost <= self.lns.bound.times(self.lower_bound) {
            Some(Stop::Bound)
        } else if self.lns.target.is_some_and(|target| self.cost <= target) {
            Some(Stop::Target)
        } else if self.gain.is_small(self.expanded, self.cost) {
            Some(Stop::Gain)
        } else if self.left == 0 {
            Some(Stop::Expansions)
        } else {
            budget.is_interrupted().then_some(Stop::Interrupt)
        }
    }

    fn result(&self, stop: Stop) -> Improved {
        let plan = plan(self.task, &self.threads.repairer.state.paths);
        let (cost, expanded, repairs) = (self.cost, self.expanded, self.repairs);
        let lower_bound = self.lower_bound;
        Improved { plan, cost, lower_bound, stop, expanded, repairs }
    }

    /// Looks for pairs of units that raise the lower bound, once the plan is not improved easily
    /// any more.
    fn raise_lower_bound(&mut self, budget: Budget<'_>) {
        let is_due = !self.has_pairs && self.expanded >= PAIRS_AFTER;
        if !is_due || self.lns.objective != Objective::SumOfCosts {
            return;
        }
        self.has_pairs = true;
        if self.task.units() > PAIRS_UNITS_MAX {
            return;
        }
        let most = self.left.min(PAIRS_EXPANSIONS_MAX);
        let mut effort = Effort::new(Budget { expansions: Some(most), ..budget });
        let pairs = lower_bound::pairs(self.task, &mut effort);
        self.spend(most - effort.left());
        if self.lns.bound > Weight::ONE {
            self.prices = self.no_prices(budget);
        }
        self.lower_bound += lower_bound::excess(self.task, pairs);
    }

    fn no_prices(&mut self, budget: Budget<'_>) -> Option<Prices<'r>> {
        let mut effort = Effort::new(Budget { expansions: Some(self.left), ..budget });
        let prices = Prices::new(self.task, &mut effort);
        self.spend(self.left - effort.left());
        prices
    }

    /// Changes the prices, if a bound is asked for: as much work as for the plan.
    fn improve_prices(&mut self, budget: Budget<'_>) {
        if 2 * self.priced > self.expanded {
            return;
        }
        let Some(prices) = &mut self.prices else { return };
        let mut effort = Effort::new(Budget { expansions: Some(self.left), ..budget });
        let goes_on = prices.improve(self.cost, &mut effort);
        self.lower_bound = self.lower_bound.max(prices.lower_bound());
        if !goes_on {
            self.prices = None;
        }
        let spent = self.left - effort.left();
        self.priced += spent;
        self.spend(spent);
    }

    /// Counts expansions.
    fn spend(&mut self, expansions: u64) {
        self.expanded += expansions;
        self.left = self.left.saturating_sub(expansions);
    }

    fn round(&mut self) {
        let groups = self.groups();
        let allowance = (self.left / groups.len().max(1) as u64).max(1);
        let (round, repairs) = self.threads.repair(groups, allowance);
        for (group, repair) in round.groups.iter().zip(repairs) {
            let work = repair.expanded + REPAIR_WORK;
            let before = self.cost;
            self.keep_if_better(repair);
            self.tactics.learn(group.tactic, before - self.cost, work);
        }
        self.threads.repairer.state.shrink(self.task);
        self.rounds += 1;
    }

    fn groups(&mut self) -> Vec<Group> {
        let state = &self.threads.repairer.state;
        self.chooser.begin(self.task, state);
        let most = GROUPS.min(self.left.try_into().unwrap_or(usize::MAX));
        let groups = (0..most).map(|number| {
            let mut random = Random::new(self.seed, self.rounds, number as u64);
            let tactic = self.tactics.draw(&mut random);
            let mut units = self.chooser.choose(self.task, state, tactic, &mut random);
            random.shuffle(&mut units);
            Group { units, tactic, rotation: random.index(8) }
        });
        groups.filter(|group| !group.units.is_empty()).collect()
    }

    /// Keeps the result of a repair if it can be kept.
    fn keep_if_better(&mut self, repair: Repair) {
        self.repairs += 1;
        self.spend(repair.expanded);
        let Some(mut changes) = repair.changes else { return };
        let new: u64 = changes.iter().map(|change| u64::from(change.cost)).sum();
        if !self.threads.keep(&mut changes) {
            return;
        }
        let old: u64 = changes.iter().map(|change| u64::from(change.cost)).sum();
        self.cost = self.cost + new - old;
        for change in &changes {
            self.chooser.visits.remove(change.unit, &change.path);
        }
        for change in &changes {
            let path = &self.threads.repairer.state.paths[change.unit];
            self.chooser.visits.add(change.unit, path);
        }
        if new < old {
            changes.iter().for_each(|change| self.chooser.queue_followers(&change.path));
        }
    }
}

/// The plan of some paths.
fn plan(task: &Task, paths: &[Vec<u32>]) -> Plan {
    let cells = |path: &Vec<u32>| path.iter().map(|&at| task.graph.cell(Vertex(at))).collect();
    Plan { paths: paths.iter().map(cells).collect() }
}
