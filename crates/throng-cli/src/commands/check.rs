//! `throng check`: has the referee judge a plan.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use throng::formats::{Context, PlanDocument, detect, read_plan, scen};
use throng::referee::{self, Verdict, Violation, ViolationKind};

use crate::files;
use crate::inputs::{MapArguments, MovementArguments, Moves};
use crate::report::{Exit, Report};

/// Judge a plan: is it legal, does every unit arrive, and what does it cost?
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    map: MapArguments,
    /// The MovingAI scenario with starts and goals
    #[arg(short = 'i', long = "scen", value_name = "SCEN")]
    scenario: PathBuf,
    /// How many of the scenario's units the plan is for [default: as many as it has]
    #[arg(short = 'N', long, value_name = "UNITS")]
    units: Option<usize>,
    /// The plan, of any format that throng reads
    #[arg(short, long, value_name = "PLAN")]
    plan: PathBuf,
    /// Straight steps only, or diagonal ones too
    #[arg(long, value_name = "4|8", default_value = "4")]
    moves: Moves,
    #[command(flatten)]
    movement: MovementArguments,
}

const AFTER_HELP: &str = "\
Examples:
  throng check -m den312d.map -i den312d-random-1.scen -p plan.txt
  throng check -m den312d.map -i den312d-random-1.scen -N 50 -p plan.json --moves 8 --json

Plan formats are told by content: kei18, li-paths, multi-robot-schedule, tracker-json, \
tracker-yaml, tracker-csv, planviz.

Exit code 0: the plan is a solution. 3: it is not: against the rules, or legal but not every \
unit arrives.";

/// How many violations people are shown.
const SHOWN_MAX: usize = 10;

/// The verdict. The names are the contract's.
#[derive(Serialize)]
struct CheckJson {
    valid: bool,
    /// Whether it can be carried out, even if not every unit arrives.
    legal: bool,
    violations: Vec<ViolationJson>,
    /// Whether there were too many violations to list.
    truncated: bool,
    sum_of_costs: u64,
    time_away: u64,
    makespan: u32,
    units: usize,
    /// How many units the scenario has; the plan may be for the first of them only.
    scenario_units: usize,
    arrived: usize,
    format: Option<&'static str>,
    moves: u8,
}

#[derive(Serialize)]
struct ViolationJson {
    kind: &'static str,
    tick: u32,
    units: Vec<u32>,
    cells: Vec<[u16; 2]>,
}

pub(crate) fn run(arguments: &CheckArguments) -> Result<Report> {
    let map = arguments.map.read()?;
    let scenario_input = files::read(&arguments.scenario)?;
    let scenario = scenario_input.parse(scen::read)?;
    let plan_input = files::read(&arguments.plan)?;
    let scenario_name = files::base_name(&arguments.scenario);
    let document: PlanDocument = plan_input.parse(|bytes| {
        let context = Context {
            map: Some(&map),
            scenario: Some(&scenario),
            scenario_name: Some(&scenario_name),
            units: arguments.units,
        };
        read_plan(bytes, &context)
    })?;
    let (planned, rows) = (document.plan.paths.len(), scenario.rows.len());
    if arguments.units.is_none() && planned > rows {
        bail!(
            "{}: the plan has {planned} units, the scenario {rows}; give the scenario that the \
             plan was made for",
            plan_input.name
        );
    }
    let units = arguments.units.unwrap_or(planned);
    let movement = arguments.movement.movement(arguments.moves);
    let problem = scenario_input.parse(|_| scenario.problem(&map, Some(units), movement))?;
    let verdict = referee::check(&problem, &document.plan);
    let json = CheckJson {
        valid: verdict.is_valid(),
        legal: verdict.is_legal(),
        violations: verdict.violations.iter().map(violation).collect(),
        truncated: verdict.truncated,
        sum_of_costs: verdict.sum_of_costs,
        time_away: verdict.time_away,
        makespan: verdict.makespan.0,
        units,
        scenario_units: scenario.rows.len(),
        arrived: verdict.arrived,
        format: detect(&plan_input.bytes).map(|kind| kind.name()),
        moves: arguments.moves.count(),
    };
    let exit = if verdict.is_valid() { Exit::Success } else { Exit::Refuted };
    let text = text(&verdict, units, scenario.rows.len()) + hint(arguments.moves, &verdict);
    Report::new(exit, text, &json)
}

/// What may have been meant.
fn hint(moves: Moves, verdict: &Verdict) -> &'static str {
    let is_diagonal = |violation: &Violation| match violation.cells[..] {
        [from, to] => {
            violation.kind == ViolationKind::Contiguity
                && (from.x.abs_diff(to.x), from.y.abs_diff(to.y)) == (1, 1)
        }
        _ => false,
    };
    if moves == Moves::Four && verdict.violations.iter().any(is_diagonal) {
        "some steps are diagonal: if they are meant to be, check with --moves 8\n"
    } else {
        ""
    }
}

fn violation(violation: &Violation) -> ViolationJson {
    ViolationJson {
        kind: violation.kind.name(),
        tick: violation.tick.0,
        units: violation.units.iter().map(|unit| unit.index() as u32).collect(),
        cells: violation.cells.iter().map(|cell| [cell.x, cell.y]).collect(),
    }
}

fn text(verdict: &Verdict, units: usize, scenario_units: usize) -> String {
    let mut text = String::new();
    let Verdict { violations, sum_of_costs, time_away, makespan, arrived, .. } = verdict;
    let headline = match (verdict.is_valid(), verdict.is_legal()) {
        (true, _) => "valid",
        (false, true) => "legal but INCOMPLETE",
        (false, false) => "INVALID",
    };
    let _ = writeln!(
        text,
        "{headline}: {arrived} of {units} units arrive; sum of costs {sum_of_costs}, time away \
         {time_away}, makespan {makespan}"
    );
    if units < scenario_units {
        let _ =
            writeln!(text, "the plan is for the first {units} of the scenario's {scenario_units}");
    }
    for violation in violations.iter().take(SHOWN_MAX) {
        let _ = writeln!(text, "  {violation}");
    }
    let more = violations.len().saturating_sub(SHOWN_MAX);
    if more > 0 {
        let at_least = if verdict.truncated { "at least " } else { "" };
        let _ = writeln!(text, "  and {at_least}{more} more");
    }
    if !violations.is_empty() {
        let _ = writeln!(text, "by kind: {}", count_by_kind(violations));
    }
    text
}

fn count_by_kind(violations: &[Violation]) -> String {
    let mut counts = BTreeMap::new();
    for violation in violations {
        *counts.entry(violation.kind).or_insert(0_usize) += 1;
    }
    let counted = counts.iter().map(|(kind, count)| format!("{count} {}", kind.name()));
    counted.collect::<Vec<_>>().join(", ")
}
