//! `throng solve --list`: the solvers and their options.

use std::fmt::Write as _;

use anyhow::Result;
use serde::Serialize;
use throng::solver::{Allowed, SolverInfo, SolverOption, catalogue};

use crate::report::{Exit, Report};

#[derive(Serialize)]
struct ListJson {
    solvers: Vec<SolverJson>,
}

#[derive(Serialize)]
struct SolverJson {
    name: &'static str,
    summary: &'static str,
    options: Vec<OptionJson>,
}

#[derive(Serialize)]
struct OptionJson {
    name: &'static str,
    meaning: &'static str,
    default: String,
    /// The words that it can be.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<&'static str>>,
    /// The least and the greatest number that it can be.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Range {
    Whole([u32; 2]),
    Decimal([f64; 2]),
}

pub(super) fn run() -> Result<Report> {
    let solvers = catalogue();
    let text = solvers.iter().map(describe).collect::<Vec<_>>().join("\n");
    let json = ListJson { solvers: solvers.into_iter().map(solver).collect() };
    Report::new(Exit::Success, text, &json)
}

fn describe(solver: &SolverInfo) -> String {
    let mut text = format!("{:<6} {}\n", solver.name, solver.summary);
    for SolverOption { name, meaning, default, allowed } in &solver.options {
        let _ = writeln!(text, "  {:<17} {meaning}: {allowed}", format!("{name}={default}"));
    }
    text
}

fn solver(solver: SolverInfo) -> SolverJson {
    let options = solver.options.into_iter().map(option).collect();
    SolverJson { name: solver.name, summary: solver.summary, options }
}

fn option(option: SolverOption) -> OptionJson {
    let SolverOption { name, meaning, default, allowed } = option;
    let mut json = OptionJson { name, meaning, default, values: None, range: None };
    match allowed {
        Allowed::Whole(range) => json.range = Some(Range::Whole([*range.start(), *range.end()])),
        Allowed::Thousandths(range) => {
            let ends = [*range.start(), *range.end()];
            json.range = Some(Range::Decimal(ends.map(|end| f64::from(end) / 1000.0)));
        }
        Allowed::OneOf(words) | Allowed::Switch(words) => json.values = Some(words),
    }
    json
}
