//! Every planner on every scenario.

use super::arena::{self, Method, TURNS, UNITS_MAX};
use super::{claims, figures};
use crate::crowd::CrowdRun;
use crate::harness::{CaseId, Comparison, Row, Rows, Study, row};
use crate::{LabError, Options, Table};

/// The numbers of units, fewest first.
pub(super) fn counts(options: &Options) -> &'static [usize] {
    if options.quick { &[20, 60, 100] } else { &[10, 20, 40, 60, 80, 100] }
}

/// Scenarios per seed; each has an environment of its own.
fn scenarios(options: &Options) -> usize {
    if options.quick { 1 } else { arena::MAPS }
}

/// Every planner on every scenario with every number of units.
pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let (counts, scenarios) = (counts(study.options()), scenarios(study.options()));
    let rows = study.trials("trials", "crowds", scenarios * counts.len(), |id| {
        // Numbers of units alternate, so that all threads get large crowds.
        one(id, id.case / counts.len(), counts[id.case % counts.len()])
    })?;
    study.section("Set-up and figures 2 to 7", &set_up(study.options(), scenarios));
    figures::draw(&rows, counts, study)?;
    study.section("As printed beside ours", BESIDE);
    study.table(table(&rows));
    study.compare(compared(&rows));
    claims::judge(&rows, counts, study)
}

const BESIDE: &str = "The same scenarios with 100 units. \"Ours\" says what was added: CA* and HCA* \
                      whose units try again when they find no path, instead of failing; WHCA* with \
                      promotion, units at rest that yield, and a penalty for crossing other units' goals.";

fn set_up(options: &Options, scenarios: usize) -> String {
    format!(
        "{scenarios} environments of 32 x 32 cells for each of {} seeds (the paper has ten in all), \
         four-connected, 20% obstacles and the cells that those cut off; 100 turns. LRA*, CA*, HCA* and \
         WHCA*(w) are as printed (solvers lra, silver-ca, silver-hca, silver-whca).\n\n\
         A unit that would collide waits; the paper counts it as a failure. Bands are 95% confidence \
         intervals of means over environments; around the medians of figures 6 and 7 they are quartiles. Times are processor times of one run; the paper has a Pentium 4 of \
         1.2 GHz.",
        options.seeds
    )
}

/// Each planner's run of one scenario.
fn one(id: &CaseId, scenario: usize, units: usize) -> Result<Vec<Row>, LabError> {
    let problem = arena::problem(id.seed, scenario, units)?;
    let instance = arena::instance(&problem);
    let others = if units == UNITS_MAX { &Method::OTHERS[..] } else { &[] };
    let methods = Method::PRINTED.iter().chain(others);
    let run = |method: &Method| {
        let mut simulation = method.simulate(&instance, id.seed);
        let run = CrowdRun::of(id, &problem, &instance, &mut *simulation, TURNS)?;
        Ok(run.row(method.name(), format!("units={units}"), TURNS))
    };
    methods.map(run).collect()
}

/// As printed, and ours.
const BOTH: [[Method; 2]; 5] = [
    [Method::Cooperative, Method::OursCooperative],
    [Method::Hierarchical, Method::OursHierarchical],
    [Method::Windowed(8), Method::OursWindowed(8)],
    [Method::Windowed(16), Method::OursWindowed(16)],
    [Method::Windowed(32), Method::OursWindowed(32)],
];

fn compared(rows: &Rows) -> Vec<Comparison> {
    let measures = [
        ("arrived", ("units that arrive in 100 turns (%)", 2)),
        ("ratio-all", ("turns by shortest path (failed units: 100 turns)", 3)),
        ("cycles", ("cycles per unit", 2)),
        ("work", ("nodes expanded", 0)),
    ];
    let compare = |methods: [Method; 2]| {
        measures.into_iter().filter_map(move |(metric, measure)| {
            let names = methods.map(Method::name);
            let of = names.each_ref().map(|name| rows.of(name).with("units", "100"));
            let instances = format!("{} crowds of 100 units", of[0].len());
            let values = of.each_ref().map(|rows| rows.mean(metric));
            Comparison::new(names.each_ref().map(String::as_str), &instances, measure, values)
        })
    };
    BOTH.into_iter().flat_map(compare).collect()
}

const COLUMNS: [&str; 9] = [
    "planner",
    "arrived %",
    "of shortest",
    "of shortest, failed = 100 turns",
    "cycles",
    "nodes before the first move",
    "nodes of the most expensive turn",
    "ms before the first move",
    "ms of the most expensive turn",
];

fn table(rows: &Rows) -> Table {
    let title = "100 units: means over all environments, times as medians";
    let mut table = Table::new("beside-time", title, &COLUMNS);
    for method in Method::PRINTED.iter().chain(&Method::OTHERS) {
        let of = rows.of(&method.name()).with("units", "100");
        let number = |metric: &str, decimals: usize| of.mean(metric).map(|mean| (mean, decimals));
        table.push(row![
            method.name(),
            number("arrived", 2),
            number("ratio", 3),
            number("ratio-all", 3),
            number("cycles", 2),
            number("first-nodes", 0),
            number("turn-nodes", 0),
            of.median("first-ms").map(|median| (median, 2)),
            of.median("turn-ms").map(|median| (median, 2)),
        ]);
    }
    table
}
