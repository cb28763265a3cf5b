//! Tables 2, 3 and 4: every row on every workload.

use super::Setting;
use super::journey::{Journey, STAGE, TEST_WORK};
use super::paper;
use super::rows::Row;
use crate::harness::{Study, row};
use crate::{LabError, Table, Value};

/// Every row's journey on each workload, in the order of [`Row::ALL`].
pub(super) struct Benchmark {
    pub(super) by_workload: Vec<(&'static str, Vec<Journey>)>,
}

/// Runs every journey; the counts do not depend on the number of threads.
pub(super) fn run(setting: &Setting, study: &mut Study<'_>) -> Result<Benchmark, LabError> {
    let by_row: Vec<Vec<Journey>> = study.cases(STAGE, Row::ALL.len(), |(): &mut (), id| {
        let row = &Row::ALL[id.case];
        let finder = row.pathfinder(setting, 0, id.seed)?;
        let workloads = setting.workloads.iter();
        workloads
            .map(|(_, queries)| Journey::of(row, finder.clone(), &setting.scene, queries))
            .collect()
    })?;
    let by_workload = setting.workloads.iter().enumerate().map(|(workload, (name, _))| {
        let journeys = by_row.iter().filter_map(|row| row.get(workload));
        (*name, journeys.copied().collect())
    });
    Ok(Benchmark { by_workload: by_workload.collect() })
}

impl Benchmark {
    /// Tables 2, 3 and 4 without times.
    pub(super) fn tables(&self) -> impl Iterator<Item = Table> {
        self.by_workload.iter().enumerate().map(|(workload, (name, journeys))| {
            let queries = journeys.first().map_or(0, |journey| journey.queries);
            let title = format!(
                "Table {}, {name}: {queries} queries (work: nodes of both levels + {TEST_WORK} per \
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
    let counts = &journey.counts;
    row![
        row.name,
        paper.map(|paper| (paper.nodes, 0)),
        (journey.nodes_per_search(), 0),
        paper.map(|paper| (paper.distance, 0)),
        (journey.distance(), 0),
        counts.searches,
        (counts.collision_tests as f64 / counts.searches.max(1) as f64, 0),
        journey.collision_hits().map(|percent| (percent, 1)),
        journey.path_hits().map(|percent| (percent, 1)),
        counts.fallbacks,
        (journey.work(), 0),
        (journey.first_work(), 0),
    ]
}
