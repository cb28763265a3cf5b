//! Solvers that make a first plan and improve it: `lns`, and `auto`, which chooses by itself.
//!
//! Where it is not crowded, HCA* has the better first plan: its units wait little. In a crowd it
//! finds none, and LaCAM does. Then large neighbourhood search takes over. The density of units decides
//! which planner is tried first and for how long (docs/decisions/first-plans.md).
//!
//! The units that a failed HCA* has placed are not handed to LaCAM. At best such a start would be as good
//! as a whole plan of HCA*, and where HCA* fails not even that pays: on den312d with 400 units HCA*'s plan
//! costs 1.47 times the lower bound after 1 s, and LaCAM's, improved, the same after 0.2 s.

use throng_anytime::{ImproveError, Improved, Lacam, Lns, Stop};
use throng_cooperative::{CooperativeAStar, Windowed};
use throng_model::{
    Budget, Improvement, Limit, Objective, Observer, Outcome, Plan, PlanError, Planner, Progress,
    Report, Solution, TerrainId, ValidProblem, Weight,
};

#[cfg(feature = "optimal")]
use throng_optimal::JointAStar;

use super::knob::{Choice, Decimal, Knob, OneOf, Tunable, Whole};

/// Up to this many units per thousand cells HCA* makes the first plan; its plans are nearly
/// optimal there, and it takes less time than LaCAM.
const SPARSE_PERMILLE: usize = 50;
/// Up to this many units per thousand cells HCA* is tried before LaCAM for a short time. Its plan is
/// cheaper than LaCAM's by a tenth, and comes no later than LaCAM's plan improved as far. Above, it
/// mostly fails, or improvement of LaCAM's plan gets as far in a third of its time.
const MODERATE_PERMILLE: usize = 125;
/// HCA* is not tried after LaCAM if LaCAM's plan is no more than this many ticks above the lower
/// bound: improvement gets as far as HCA* sooner than HCA* itself (docs/decisions/first-plans.md).
const EXCESS_SMALL: u64 = 5_000;
/// Nor if LaCAM's plan costs more than this many tenths of the lower bound: it is a crowd then.
const CROWDED_TENTHS: u64 = 16;
/// Expansions that HCA* may spend on the first plan, per unit. Where its plan is better than what
/// LaCAM and improvement reach in the same time, it needs 300 to 10,000 on the MovingAI maps.
const HCA_EXPANSIONS_PER_UNIT: u64 = 10_000;
/// The same for HCA* before LaCAM.
const HCA_EXPANSIONS_PER_UNIT_MODERATE: u64 = 1_500;
/// And for all units together: some seconds.
const HCA_EXPANSIONS_MAX: u64 = 20_000_000;
/// `auto` ends when twice the work has lowered the cost by less than this part, in thousandths.
const AUTO_GAIN_PERMILLE: u32 = 5;
/// `auto` tries to prove an optimum for at most this many units, with this many expansions.
#[cfg(feature = "optimal")]
const JOINT_UNITS_MAX: usize = 16;
#[cfg(feature = "optimal")]
const JOINT_EXPANSIONS: u64 = 20_000;

/// The planner of the first plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstPlan {
    /// By the density of units: HCA*, the cheaper of both, or LaCAM.
    Auto,
    /// HCA*, or LaCAM where HCA* finds no plan.
    Hca,
    Lacam,
}

impl Choice for FirstPlan {
    const NAMES: &'static [(&'static str, Self)] =
        &[("auto", Self::Auto), ("hca", Self::Hca), ("lacam", Self::Lacam)];
}

/// What to plan, and what may be spent on it.
#[derive(Clone, Copy)]
struct Task<'a> {
    problem: &'a ValidProblem,
    seed: u64,
    budget: Budget<'a>,
}

impl Task<'_> {
    /// HCA*, given up where it takes more expansions than this per unit.
    fn short_hca(self, per_unit: u64, observer: &mut dyn Observer) -> Result<Report, PlanError> {
        observer.stage("hca");
        let most = per_unit * self.problem.units.len() as u64;
        let Task { problem, seed, budget } = self.within(most.min(HCA_EXPANSIONS_MAX));
        CooperativeAStar::hca().plan(problem, seed, budget, observer)
    }

    /// The same with at most this many expansions.
    fn within(self, most: u64) -> Self {
        let expansions = self.budget.expansions.map_or(most, |left| left.min(most));
        Self { budget: Budget { expansions: Some(expansions), ..self.budget }, ..self }
    }

    /// The same after this many expansions.
    fn after(self, spent: u64) -> Self {
        let left = self.budget.expansions.map(|all| all.saturating_sub(spent));
        Self { budget: Budget { expansions: left, ..self.budget }, ..self }
    }
}

/// Whether nothing is left to be planned: a plan for all units, or a proof that there is none.
fn is_final(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Solved(_) | Outcome::ProvenUnsolvable(_))
}

/// A first plan, then large neighbourhood search until it is stopped.
#[derive(Clone, Debug)]
pub(super) struct Improving {
    first: FirstPlan,
    lacam: Lacam,
    lns: Lns,
    /// Stop at this cost; 0 for none.
    target: u32,
}

impl Improving {
    /// The solver `lns`.
    pub(super) fn lns() -> Self {
        let (lacam, lns) = (Lacam::default(), Lns::default());
        Self { first: FirstPlan::Auto, lacam, lns, target: 0 }
    }

    fn first_plan(&self, task: Task<'_>, observer: &mut dyn Observer) -> Result<Report, PlanError> {
        match (self.first, density_permille(task.problem)) {
            (FirstPlan::Lacam, _) => self.lacam(task, observer),
            (FirstPlan::Hca, _) | (FirstPlan::Auto, ..=SPARSE_PERMILLE) => {
                self.hca_or_lacam(task, observer)
            }
            (FirstPlan::Auto, ..=MODERATE_PERMILLE) => self.hca_or_cheaper(task, observer),
            (FirstPlan::Auto, _) => self.lacam(task, observer),
        }
    }

    fn lacam(&self, task: Task<'_>, observer: &mut dyn Observer) -> Result<Report, PlanError> {
        observer.stage("lacam");
        self.lacam.plan(task.problem, task.seed, task.budget, observer)
    }

    /// The plan of HCA*, or of LaCAM if HCA* has none.
    fn hca_or_lacam(
        &self,
        task: Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Report, PlanError> {
        let hca = task.short_hca(HCA_EXPANSIONS_PER_UNIT, observer)?;
        if is_final(&hca.outcome) || task.budget.is_interrupted() {
            return Ok(hca);
        }
        let lacam = self.lacam(task.after(hca.expanded), observer)?;
        Ok(Report { expanded: hca.expanded + lacam.expanded, ..lacam })
    }

    /// The plan that HCA* finds soon, or else the cheaper one of both planners.
    fn hca_or_cheaper(
        &self,
        task: Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Report, PlanError> {
        let hca = task.short_hca(HCA_EXPANSIONS_PER_UNIT_MODERATE, observer)?;
        if is_final(&hca.outcome) || task.budget.is_interrupted() {
            return Ok(hca);
        }
        let later = self.cheaper(task.after(hca.expanded), observer)?;
        Ok(Report { expanded: hca.expanded + later.expanded, ..later })
    }

    /// The plan of LaCAM, or of HCA* if that is cheaper.
    fn cheaper(&self, task: Task<'_>, observer: &mut dyn Observer) -> Result<Report, PlanError> {
        let lacam = self.lacam(task, observer)?;
        let Outcome::Solved(first) = &lacam.outcome else { return Ok(lacam) };
        let is_comparable = self.lns.objective == Objective::SumOfCosts;
        // A proof takes longer than HCA*, and its plan is another chance.
        let is_bound_asked = self.lns.bound > Weight::ONE;
        let is_good = first.cost <= first.proven_bound + EXCESS_SMALL;
        let is_crowded = first.cost * 10 > first.proven_bound * CROWDED_TENTHS;
        let is_sooner_improved = !is_bound_asked && (is_good || is_crowded);
        if !is_comparable
            || is_sooner_improved
            || self.is_enough(first)
            || task.budget.is_interrupted()
        {
            return Ok(lacam);
        }
        observer.improved(Improvement {
            expanded: lacam.expanded,
            cost: first.cost,
            lower_bound: first.proven_bound,
            plan: &|| first.plan.clone(),
        });
        let hca = task.after(lacam.expanded).short_hca(HCA_EXPANSIONS_PER_UNIT, observer)?;
        let expanded = lacam.expanded + hca.expanded;
        let is_cheaper = matches!(&hca.outcome, Outcome::Solved(plan) if plan.cost < first.cost);
        Ok(Report { expanded, ..if is_cheaper { hca } else { lacam } })
    }

    /// Whether a first plan need not be improved. Its cost is known as the sum of costs.
    fn is_enough(&self, first: &Solution) -> bool {
        let bound = self.lns.bound.times(first.proven_bound);
        let is_comparable = self.lns.objective == Objective::SumOfCosts;
        is_comparable && first.cost <= bound.max(u64::from(self.target))
    }

    fn improve(
        &self,
        task: Task<'_>,
        (first, plan): (Report, &Plan),
        observer: &mut dyn Observer,
    ) -> Result<Report, PlanError> {
        observer.stage("lns");
        let target = Some(u64::from(self.target)).filter(|&target| target > 0);
        let lns = Lns { target, ..self.lns };
        let Task { problem, seed, budget } = task.after(first.expanded);
        let mut observer = Shifted { observer, expanded: first.expanded };
        match lns.improve(problem, plan, seed, budget, &mut observer) {
            Ok(improved) => Ok(self.report(&first, improved)),
            Err(ImproveError::Unsupported(error)) => Err(error),
            Err(ImproveError::Interrupted) => Ok(Report { reproducible: false, ..first }),
            // Too large to improve, or a plan that the referee will object to.
            Err(_) => Ok(first),
        }
    }

    fn report(&self, first: &Report, improved: Improved) -> Report {
        let Improved { plan, cost, lower_bound: proven_bound, stop, expanded, .. } = improved;
        let limit = match stop {
            Stop::Expansions => Some(Limit::Expansions),
            Stop::Interrupt => Some(Limit::Interrupt),
            _ => None,
        };
        let is_bound_asked = self.lns.bound > Weight::ONE;
        let outcome = match limit {
            // A bound was asked for and is not proven.
            Some(limit) if is_bound_asked => {
                Outcome::BudgetSpent { best: Some(plan), proven_bound, limit }
            }
            _ => Outcome::Solved(Solution { plan, cost, proven_bound }),
        };
        let expanded = first.expanded + expanded;
        let reproducible = stop != Stop::Interrupt;
        let (generated, peak_open) = (first.generated, first.peak_open);
        Report { outcome, expanded, generated, peak_open, reproducible }
    }
}

impl Planner for Improving {
    fn plan(
        &self,
        problem: &ValidProblem,
        seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Report, PlanError> {
        self.lns.supports(problem)?;
        let task = Task { problem, seed, budget };
        let first = self.first_plan(task, observer)?;
        let Outcome::Solved(solution) = &first.outcome else { return Ok(first) };
        if self.is_enough(solution) {
            return Ok(first);
        }
        let plan = solution.plan.clone();
        self.improve(task, (first, &plan), observer)
    }
}

impl Tunable for Improving {
    fn knobs(&mut self) -> Vec<Knob<'_>> {
        let first =
            "the planner of the first plan; hca: lacam where hca finds none; auto: by the density";
        let bound = "stop when the cost is proven to be within this factor of the optimum";
        let target = "stop at this cost; 0 for none";
        let gain =
            "stop when twice the work lowers the cost by less than this, in thousandths; 0: never";
        vec![
            Knob::new("first", first, OneOf(&mut self.first)),
            Knob::new("bound", bound, Decimal(&mut self.lns.bound)),
            Knob::new("target", target, Whole(&mut self.target, 0..=u32::MAX)),
            Knob::new("gain", gain, Whole(&mut self.lns.gain_permille, 0..=1000)),
        ]
    }

    fn set_objective(&mut self, objective: Objective) -> Objective {
        (self.lacam.objective, self.lns.objective) = (objective, objective);
        objective
    }

    fn set_threads(&mut self, threads: usize) {
        (self.lacam.threads, self.lns.threads) = (threads, threads);
    }
}

/// Chooses the planner by the problem.
#[derive(Clone, Debug)]
pub(super) struct Auto {
    improving: Improving,
}

impl Auto {
    pub(super) fn new() -> Self {
        let improving = Improving::lns();
        let lns = Lns { gain_permille: AUTO_GAIN_PERMILLE, ..improving.lns };
        Self { improving: Improving { lns, ..improving } }
    }

    /// A proven optimum, if that takes little work.
    #[cfg(feature = "optimal")]
    fn optimum(&self, task: Task<'_>, observer: &mut dyn Observer) -> Option<Report> {
        if task.problem.units.len() > JOINT_UNITS_MAX {
            return None;
        }
        observer.stage("joint");
        let lns = &self.improving.lns;
        let (objective, threads) = (lns.objective, lns.threads);
        let joint = JointAStar { objective, threads, ..JointAStar::default() };
        let Task { problem, seed, budget } = task.within(JOINT_EXPANSIONS);
        let report = joint.plan(problem, seed, budget, observer).ok()?;
        is_final(&report.outcome).then_some(report)
    }

    #[cfg(not(feature = "optimal"))]
    fn optimum(&self, _: Task<'_>, _: &mut dyn Observer) -> Option<Report> {
        None
    }
}

impl Planner for Auto {
    fn plan(
        &self,
        problem: &ValidProblem,
        seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Report, PlanError> {
        let task = Task { problem, seed, budget };
        if let Some(report) = self.optimum(task, observer) {
            return Ok(report);
        }
        if self.improving.lns.supports(problem).is_ok() {
            return self.improving.plan(problem, seed, budget, observer);
        }
        // Large and slow units.
        let hca = task.short_hca(HCA_EXPANSIONS_PER_UNIT, observer)?;
        if is_final(&hca.outcome) || budget.is_interrupted() {
            return Ok(hca);
        }
        observer.stage("whca");
        let Task { budget, .. } = task.after(hca.expanded);
        let whca = Windowed::default().plan(problem, seed, budget, observer)?;
        Ok(Report { expanded: hca.expanded + whca.expanded, ..whca })
    }
}

impl Tunable for Auto {
    fn knobs(&mut self) -> Vec<Knob<'_>> {
        self.improving.knobs()
    }

    fn set_objective(&mut self, objective: Objective) -> Objective {
        self.improving.set_objective(objective)
    }

    fn set_threads(&mut self, threads: usize) {
        self.improving.set_threads(threads);
    }
}

/// Units per thousand cells that the first of them can stand on.
fn density_permille(problem: &ValidProblem) -> usize {
    let Some(unit) = problem.units.first() else { return 0 };
    let factors = problem.movements[unit.movement].factors(&problem.map);
    let is_free = |terrain: &&TerrainId| factors[terrain.get()].is_some();
    let free = problem.map.terrain().iter().filter(is_free).count();
    problem.units.len() * 1000 / free.max(1)
}

/// Adds the expansions of the first plan to those that improvement reports.
struct Shifted<'a> {
    observer: &'a mut dyn Observer,
    expanded: u64,
}

impl Observer for Shifted<'_> {
    fn progress(&mut self, progress: Progress) {
        let expanded = self.expanded + progress.expanded;
        self.observer.progress(Progress { expanded, ..progress });
    }

    fn stage(&mut self, planner: &'static str) {
        self.observer.stage(planner);
    }

    fn improved(&mut self, improvement: Improvement<'_>) {
        let expanded = self.expanded + improvement.expanded;
        self.observer.improved(Improvement { expanded, ..improvement });
    }
}
