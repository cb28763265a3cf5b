//! Tables 2, 3 and 4: every row on every workload.

use super::Setting;
use super::journey::{Journey, STAGE, TEST_WORK};
use super::paper;
use super::rows::Row;
use crate::{LabError, Options, Progress, Table, Value, parallel};

/// Every row's journey on each workload, in the order of [`Row::ALL`].
pub(super) struct Benchmark {
    pub(super) by_workload: Vec<(&'static str, Vec<Journey>)>,
}

/// Walks every journey; what it counts is the same for any number of threads.
pub(super) fn run(
    setting: &Setting,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Benchmark, LabError> {
    let all_of = |(): &mut (), at: usize| {
        let row = &Row::ALL[at];
        let finder = row.pathfinder(setting, 0, options.seed)?;
        let workloads = setting.workloads.iter();
        workloads.map(|(_, ways)| Journey::of(row, finder.clone(), &setting.scene, ways)).collect()
    };
    let rows = Row::ALL.len();
    let by_row: Vec<Vec<Journey>> =
        parallel::cases(STAGE, rows, options.threads, progress, all_of)?;
    let by_workload = setting.workloads.iter().enumerate().map(|(workload, (name, _))| {
        let journeys = by_row.iter().filter_map(|row| row.get(workload));
        (*name, journeys.copied().collect())
    });
    Ok(Benchmark { by_workload: by_workload.collect() })
}

impl Benchmark {
    /// Tables 2, 3 and 4 without what the clock says.
    pub(super) fn tables(&self) -> impl Iterator<Item = Table> {
        self.by_workload.iter().enumerate().map(|(workload, (name, journeys))| {
            let queries = journeys.first().map_or(0, |journey| journey.queries);
            let title = format!(
                "Table {}, {name}: {queries} ways (work: nodes of both levels + {TEST_WORK} for each \
                 collision test, as in the paper)",
                workload + 2
            );
            let mut table = Table::new(&format!("table-{}", workload + 2), &title, &COLUMNS);
            for (row, journey) in Row::ALL.iter().zip(journeys) {
                table.push(line(workload, row, journey));
            }
            table
        })
    }
}

const COLUMNS: [&str; 12] = [
    "test",
    "paper nodes/search",
    "nodes/search",
    "paper distance",
    "distance",
    "searches",
    "tests/search",
    "CC hits %",
    "PC hits %",
    "fallbacks",
    "work",
    "work to first step",
];

fn line(workload: usize, row: &Row, journey: &Journey) -> Vec<Value> {
    let paper = paper::measured(workload, row);
    let number = |value: Option<f64>, decimals| {
        value.map_or(Value::Missing, |value| Value::Number(value, decimals))
    };
    let counts = &journey.counts;
    vec![
        row.name.into(),
        number(paper.map(|paper| paper.nodes), 0),
        Value::Number(journey.nodes_per_search(), 0),
        number(paper.map(|paper| paper.distance), 0),
        Value::Number(journey.distance(), 0),
        counts.searches.into(),
        Value::Number(counts.collision_tests as f64 / counts.searches.max(1) as f64, 0),
        number(journey.collision_hits(), 1),
        number(journey.path_hits(), 1),
        counts.fallbacks.into(),
        Value::Number(journey.work(), 0),
        Value::Number(journey.first_work(), 0),
    ]
}
