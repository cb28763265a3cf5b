//! The summary of a result, for people and for scripts.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use throng::LowerBound;
use throng::formats::FormatKind;
use throng::model::{Limit, Objective};
use throng::referee::Verdict;
use throng_draw::{FRAMES_MAX, FilmOptions};

use super::SolveOptions;
use super::judgement::{Judged, Status, disagreement};
use super::plan_file::PlanFile;
use crate::curve::CurvePoint;
use crate::progress::PlanningLog;
use crate::report::Report;
use crate::signals;

/// The effort of planning.
pub(super) struct Effort {
    pub(super) runtime: Duration,
    pub(super) expanded: u64,
    pub(super) generated: u64,
    pub(super) peak_open: u64,
    pub(super) reproducible: bool,
}

/// The result. Scripts rely on the names; a field that does not apply is null.
#[derive(Serialize)]
struct SolveJson {
    status: &'static str,
    solver: String,
    units: usize,
    arrived: Option<usize>,
    sum_of_costs: Option<u64>,
    time_away: Option<u64>,
    makespan: Option<u32>,
    lower_bound: Option<u64>,
    proven_bound: Option<u64>,
    optimal: bool,
    first_solution_ms: Option<f64>,
    runtime_ms: f64,
    expanded: u64,
    generated: u64,
    peak_open: u64,
    seed: u64,
    reproducible: bool,
    /// The planners that were used, by solvers that use others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    used: Vec<&'static str>,
    /// How the cost fell, by solvers that improve plans.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    curve: Vec<CurvePoint>,
    /// Why there is no plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// The parts of the summary.
pub(super) struct Summary<'a> {
    pub(super) options: &'a SolveOptions<'a>,
    pub(super) units: usize,
    pub(super) effort: Effort,
    pub(super) log: &'a PlanningLog,
    pub(super) judged: &'a Judged,
    pub(super) bound: Option<LowerBound>,
}

impl Summary<'_> {
    pub(super) fn report(&self) -> Result<Report> {
        Report::new(self.judged.status.exit(), self.text(), &self.json()?)
    }

    fn verdict(&self) -> Option<&Verdict> {
        self.judged.plan().map(|(_, verdict)| verdict)
    }

    fn is_complete(&self) -> bool {
        self.verdict().is_some_and(Verdict::is_valid)
    }

    /// The cost of the plan under the chosen objective.
    fn cost(&self) -> Option<u64> {
        self.verdict().map(|verdict| match self.options.objective {
            Objective::SumOfCosts => verdict.sum_of_costs,
            Objective::TimeAway => verdict.time_away,
        })
    }

    /// A proven lower bound: the planner's, or the sum of the units' shortest paths.
    fn proven_bound(&self) -> Option<u64> {
        // The planner's bound counts only for its own objective: the time away can be less than
        // the sum of costs.
        let is_same_objective = self.options.objective == self.options.solver.objective();
        let by_planner = self.judged.proven_bound.filter(|_| is_same_objective);
        by_planner.max(self.bound.map(|bound| bound.sum_of_costs))
    }

    /// Whether the solution is proven optimal. An error if it costs less than the proven bound.
    fn is_optimal(&self) -> Result<bool> {
        match self.cost().filter(|_| self.is_complete()).zip(self.proven_bound()) {
            Some((cost, bound)) if cost < bound => {
                Err(disagreement(&format!("it costs {cost}, less than the bound of {bound}")))
            }
            Some((cost, bound)) => Ok(cost == bound),
            None => Ok(false),
        }
    }

    fn json(&self) -> Result<SolveJson> {
        let Effort { runtime, expanded, generated, peak_open, reproducible } = self.effort;
        let verdict = self.verdict();
        let runtime_ms = milliseconds(runtime);
        Ok(SolveJson {
            status: self.judged.status.name(),
            solver: self.options.solver.to_string(),
            units: self.units,
            arrived: verdict.map(|verdict| verdict.arrived),
            sum_of_costs: verdict.map(|verdict| verdict.sum_of_costs),
            time_away: verdict.map(|verdict| verdict.time_away),
            makespan: verdict.map(|verdict| verdict.makespan.0),
            lower_bound: self.bound.map(|bound| bound.sum_of_costs),
            proven_bound: self.proven_bound(),
            optimal: self.is_optimal()?,
            first_solution_ms: self.first_solution_ms(),
            runtime_ms,
            expanded,
            generated,
            peak_open,
            seed: self.options.seed,
            reproducible,
            used: self.log.stages.clone(),
            curve: self.log.curve.points(),
            reason: self.judged.reason.clone(),
        })
    }

    /// When there was a plan that brings all units to their goals.
    fn first_solution_ms(&self) -> Option<f64> {
        let first = self.log.first_plan.unwrap_or(self.effort.runtime);
        self.is_complete().then_some(milliseconds(first))
    }

    fn text(&self) -> String {
        let mut text = self.headline();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "  {name:<14} {value}");
        };
        line("solver", self.options.solver.to_string());
        if !self.log.stages.is_empty() {
            line("used", self.log.stages.join(", then "));
        }
        if let Some(verdict) = self.verdict() {
            let objective = self.options.objective;
            let beside =
                |which| if objective == which { self.beside_bound() } else { String::new() };
            let (sum, away) = (beside(Objective::SumOfCosts), beside(Objective::TimeAway));
            line("sum of costs", format!("{}{sum}", verdict.sum_of_costs));
            line("time away", format!("{}{away}", verdict.time_away));
            line("makespan", verdict.makespan.to_string());
        }
        if let Some(proven) = self.raised_bound() {
            line("proven bound", proven);
        }
        if let Some(curve) = self.log.curve.text() {
            line("improved", format!("{curve} times the lower bound"));
        }
        if self.bound.is_none() && self.judged.status != Status::Unsolvable {
            line("lower bound", "not computed".to_owned());
        }
        let Effort { runtime, expanded, reproducible, .. } = self.effort;
        let time = milliseconds(runtime);
        line("planned in", format!("{time:.1} ms, {expanded} nodes expanded"));
        if !reproducible {
            let by = if signals::is_stopped() { "a signal" } else { "the clock" };
            line("note", format!("stopped by {by}: another run may give another result"));
        }
        text + &self.remedy() + &self.next_step()
    }

    fn headline(&self) -> String {
        let status = self.judged.status.name();
        match (self.verdict(), &self.judged.reason) {
            (Some(verdict), _) => {
                format!("{status}: {} of {} units arrive\n", verdict.arrived, self.units)
            }
            (None, Some(reason)) => format!("{status}: {reason}\n"),
            (None, None) => format!("{status}: no plan for the {} units yet\n", self.units),
        }
    }

    /// How the cost compares with the lower bound.
    fn beside_bound(&self) -> String {
        let bound = self.bound.filter(|bound| bound.sum_of_costs > 0);
        let Some((cost, bound)) = self.cost().zip(bound) else { return String::new() };
        let bound = bound.sum_of_costs;
        if !self.is_complete() {
            return format!(", for all to arrive at least {bound}");
        }
        let ratio = cost as f64 / bound as f64;
        let best = if self.is_optimal().unwrap_or(false) { ": optimal" } else { "" };
        format!(", {ratio:.3} times the lower bound of {bound}{best}")
    }

    /// The bound that the planner has proven, if it is higher than the sum of shortest paths.
    fn raised_bound(&self) -> Option<String> {
        let (proven, bound) = self.proven_bound().zip(self.bound)?;
        let cost = self.cost().filter(|_| self.is_complete())?;
        if proven <= bound.sum_of_costs || proven == cost {
            return None;
        }
        let ratio = cost as f64 / proven as f64;
        Some(format!("{proven}, as units delay each other; the cost is {ratio:.3} times that"))
    }

    fn remedy(&self) -> String {
        let remedy = match (self.judged.status, self.judged.limit) {
            (Status::Solved | Status::Unsolvable, _) => return String::new(),
            (_, Some(Limit::Expansions)) => "give more --expansions, or use another solver",
            (_, Some(Limit::Interrupt)) if signals::is_stopped() => "stopped by a signal",
            (_, Some(Limit::Interrupt)) => "give more time (-t), or use another solver",
            (_, Some(Limit::Memory)) => {
                "the solver's memory limit is reached; raise its option megabytes or nodes, or \
                 use another solver"
            }
            (_, Some(_)) => {
                "too many units or cells depend on each other for this solver; use hca or whca"
            }
            (_, None) => "try another solver, or another order or seed of this one",
        };
        if self.is_complete() {
            return format!(
                "every unit arrives, but the bound asked for is not proven: {remedy}\n"
            );
        }
        format!("not solved, and not proven unsolvable: {remedy}\n")
    }

    /// The file that was written, and how to draw it.
    fn next_step(&self) -> String {
        match (&self.options.file, self.verdict()) {
            (Some(PlanFile { output, format }), Some(verdict)) => {
                let path = output.path();
                let but = if verdict.is_valid() { "" } else { "; not every unit arrives" };
                let look = self.render_command(path, *format);
                let look = look.map_or(String::new(), |look| format!("look at it: {look}\n"));
                format!("{}: {format} plan{but}\n{look}", path.display())
            }
            (Some(PlanFile { output, .. }), None) => {
                format!("{}: not written, there is no plan\n", output.path().display())
            }
            (None, Some(_)) => "keep the plan with -o plan.txt\n".to_owned(),
            (None, None) => String::new(),
        }
    }

    /// How to make a film of the plan; `None` if it is too long for one.
    fn render_command(&self, plan: &Path, format: FormatKind) -> Option<String> {
        let ticks = self.judged.plan().map_or(0, |(plan, _)| plan.last_tick().0);
        let frames = u64::from(ticks) * u64::from(FilmOptions::default().frames_per_tick);
        if frames >= FRAMES_MAX as u64 {
            return None;
        }
        let mut command = format!("throng render -m {}", quoted(self.options.map));
        if let Some(terrain) = &self.options.reading.terrain {
            let _ = write!(command, " --terrain {}", quoted(terrain));
        }
        // Other formats leave out where units start.
        if format != FormatKind::Kei18 {
            let _ = write!(command, " -i {}", quoted(self.options.scenario));
        }
        let film = plan.with_extension("gif");
        Some(command + &format!(" -p {} -o {}", quoted(plan), quoted(&film)))
    }
}

fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

/// A path, quoted for a shell if necessary.
fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,=@:~".contains(c);
    if path.chars().all(is_plain) { path } else { format!("'{}'", path.replace('\'', r"'\''")) }
}
