//! T. Standley, "Finding Optimal Solutions to the Multi-Agent Pathfinding Problem Using
//! Heuristic Search" (draft of AAAI 2010), its experiment repeated.
//!
//! Two hundred grids of 32 x 32 cells, a fifth of them blocked, eight-connected (a diagonal
//! takes one tick), with 2 to 30 units each: 40 grids for each of five seeds. The standard algorithm
//! (S), operator decomposition (OD), partial expansion (PE) and independent subproblems (ID, the
//! paper's IS) in the paper's combinations, also with weight 1.1: groups in conflict are merged at
//! once. Beside them our own: ID that first looks for plans that avoid each other, with a heuristic
//! of the extra cost of pairs of units.
//!
//! | shows | file |
//! |---|---|
//! | figures 1 to 5: a state, illegal and legal moves, groups | `figure-1` to `figure-5` |
//! | figure 6: instances solved, by time, sorted | `figure-6-time` |
//! | share solved in 1 s and in all, open:closed, largest group | `summary-time` |
//! | instances without a solution | `unsolvable-time` |
//! | time and memory against the largest group | `growth-time`, `growth-memory` |
//! | what the paper says, ours, and the verdict | `claims` |
//!
//! A run has 5 seconds of processor time (a quick run 1), and 4 GiB per search. Where the planner
//! with one technique more has failed, a planner gets one second (quick: 0.1). Everything but the times
//! is reproducible; which runs end in time depends on the machine.

mod claims;
mod drawings;
mod figures;
mod instances;
mod methods;
mod runs;
mod unsolvable;

use crate::harness::{Comparison, Rows, Study, row};
use crate::{LabError, Paper, Table};
use methods::Method;
use runs::Limits;

/// The paper's experiment.
pub const PAPER: Paper = Paper {
    name: "standley",
    citation: "T. Standley, Finding Optimal Solutions to the Multi-Agent Pathfinding Problem Using \
               Heuristic Search, 2010",
    parts: &[drawings::draw, run, unsolvable::run],
};

fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let rows = runs::measure(study)?;
    let limits = Limits::of(study.options());
    study.section("Set-up and figure 6", &set_up(&rows, limits));
    study.table(summary(&rows, limits));
    study.compare(compared(&rows));
    figures::draw(&rows, study)?;
    claims::judge(&rows, study)
}

fn set_up(rows: &Rows, limits: Limits) -> String {
    let instances = rows.of(Method::Ours.name()).len();
    format!(
        "{instances} grids of 32 x 32 cells over all seeds (the paper has 200), eight-connected, 2 to 30 \
         units. In the paper each cell is blocked with a probability of 20%; here exactly 20% are, and \
         then the cells that those cut off.\n\n\
         A run has {} s of processor time (the paper has 20 s on a Core 2 of 2.4 GHz), and {} s where \
         the planner with one technique more has failed. S, OD, OD+PE, S+ID, OD+ID, OD+PE+ID and w = 1.1 \
         are the paper's: groups in conflict merge at once. Lines that begin with \"ours\" add avoidance \
         between groups and a heuristic of the extra cost of pairs.",
        limits.most / 1000.0,
        limits.least / 1000.0
    )
}

fn compared(rows: &Rows) -> Vec<Comparison> {
    let both =
        [[Method::PartialIndependent, Method::Ours], [Method::Weighted, Method::OursWeighted]];
    let compare = |methods: [Method; 2]| {
        let instances = format!("{} grids of 2 to 30 units", rows.of(methods[0].name()).len());
        let solved = |milliseconds| methods.map(|m| Some(claims::share(rows, m, milliseconds)));
        let of = |metric| methods.map(|method| rows.of(method.name()).median(metric));
        [
            (("solved in 1 s of processor time (%)", 1), solved(1000.0)),
            (("solved in the whole limit (%)", 1), solved(f64::MAX)),
            (("median of nodes expanded", 0), of("work")),
            (("median of milliseconds", 2), of("ms")),
        ]
        .into_iter()
        .filter_map(|(measure, values)| {
            Comparison::new(methods.map(Method::name), &instances, measure, values)
        })
        .collect::<Vec<_>>()
    };
    both.into_iter().flat_map(compare).collect()
}

fn summary(rows: &Rows, limits: Limits) -> Table {
    let seconds = limits.most / 1000.0;
    let title = format!("What each combination of techniques solves in {seconds} s");
    let columns = [
        "planner",
        "instances",
        "solved in 1 s %",
        "solved in the limit %",
        "short runs",
        "open:closed",
        "median ms",
        "largest group",
    ];
    let mut table = Table::new("summary-time", &title, &columns);
    for method in Method::ALL {
        let all = rows.of(method.name());
        let solved = all.filter(|row| row.get("cost").is_some());
        let ratios =
            solved.iter().filter_map(|row| Some(row.get("open")? / row.get("closed")?.max(1.0)));
        table.push(row![
            method.name(),
            all.len(),
            (claims::share(rows, method, 1000.0), 1),
            (claims::share(rows, method, limits.most), 1),
            all.filter(|row| row.get("limit").is_some_and(|limit| limit < limits.most)).len(),
            (crate::harness::statistics::mean(ratios), 2),
            all.median("ms").map(|median| (median, 2)),
            solved.values("largest").fold(0.0, f64::max) as usize,
        ]);
    }
    table
}
