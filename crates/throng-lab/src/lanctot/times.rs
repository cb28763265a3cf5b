//! Tables 2, 3 and 4 by the clock. Nothing here comes out the same twice.

use throng_scene::CollisionMeter;

use super::Setting;
use super::journey::{Journey, TEST_WORK};
use super::paper;
use super::rows::Row;
use crate::clock::timed;
use crate::{LabError, Options, Progress, Table, Value};

const STAGE: &str = "times";
const NS_A_MS: f64 = 1e6;
/// What a node without its tests costs in the paper, in nanoseconds.
const PAPER_NODE_NS: f64 = 2.3e6;
/// Every journey is timed so often, and the least time counts: the one that nothing else on
/// the machine had a part in.
const REPEATS: usize = 3;
/// Units of idle work that are timed to know what one takes.
const UNITS_TIMED: u32 = 1 << 20;

/// Every row's journey, timed: by workload, with collision tests at the price that they have
/// here and at the paper's.
pub(super) struct Times {
    pub(super) by_workload: Vec<(&'static str, [Vec<Journey>; 2])>,
    /// Idle work that makes our test as dear, relative to a node, as the paper's.
    work_units: u32,
}

/// Times all journeys, one after the other: threads would be in each other's way. Quick
/// journeys are a tenth as long.
pub(super) fn run(
    setting: &Setting,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Times, LabError> {
    let names = setting.workloads.iter().map(|(name, _)| *name);
    let by_workload = names.map(|name| (name, Default::default())).collect();
    let mut times = Times { by_workload, work_units: 0 };
    times.add(0, setting, options, progress)?;
    times.work_units =
        times.by_workload.first().map_or(0, |(_, [plain, _])| dear_work_units(plain));
    times.add(1, setting, options, progress)?;
    progress(Progress { stage: STAGE, done: 2 * Row::ALL.len(), of: 2 * Row::ALL.len() });
    Ok(times)
}

/// How much idle work brings a test to the paper's share of a node: none if it has that share
/// already.
fn dear_work_units(random: &[Journey]) -> u32 {
    let (node_ns, test_ns) = costs(random);
    let ((), idle_ms) = timed(|| CollisionMeter::with_work(UNITS_TIMED).record());
    let unit_ns = idle_ms * NS_A_MS / f64::from(UNITS_TIMED);
    ((node_ns * TEST_WORK - test_ns) / unit_ns.max(f64::MIN_POSITIVE)).max(0.0) as u32
}

fn all_workloads(
    row: &Row,
    setting: &Setting,
    work_units: u32,
    options: &Options,
) -> Result<Vec<Journey>, LabError> {
    let (finder, prepared_ms) = timed(|| row.pathfinder(setting, work_units, options.seed));
    let finder = finder?;
    let repeats = if options.quick { 1 } else { REPEATS };
    let journeys = setting.workloads.iter().map(|(_, ways)| {
        let ways = &ways[..options.cases(ways.len())];
        let once = || Journey::of(row, finder.clone(), &setting.scene, ways);
        let least = (1..repeats).try_fold(once()?, |least, _| Ok(least.least(&once()?)));
        least.map(|journey| Journey { prepared_ms, ..journey })
    });
    journeys.collect()
}

impl Times {
    /// Times all rows at a price: the first or the second.
    fn add(
        &mut self,
        price: usize,
        setting: &Setting,
        options: &Options,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), LabError> {
        let rows = Row::ALL.len();
        for (done, row) in Row::ALL.iter().enumerate() {
            progress(Progress { stage: STAGE, done: price * rows + done, of: 2 * rows });
            let timed = all_workloads(row, setting, self.work_units, options)?;
            for ((_, journeys), journey) in self.by_workload.iter_mut().zip(timed) {
                journeys[price].push(journey);
            }
        }
        Ok(())
    }

    /// What a node and a collision test cost: the paper's, ours, and ours made dear.
    pub(super) fn costs_table(&self) -> Table {
        let title = format!(
            "What a node without its collision tests costs, and one of them (not reproducible; the \
             paper's are derived from its tables; dear: with {} units of idle work for each test)",
            self.work_units
        );
        let columns = ["whose", "node ns", "test ns", "test / node"];
        let mut table = Table::new("costs-time", &title, &columns);
        let paper = ("paper", (PAPER_NODE_NS, PAPER_NODE_NS * TEST_WORK));
        let names = ["ours", "ours, dear"];
        let first = self.by_workload.first().map(|(_, journeys)| journeys);
        let ours = names.into_iter().zip(first.into_iter().flatten().map(|j| costs(j)));
        for (whose, (node_ns, test_ns)) in [paper].into_iter().chain(ours) {
            table.push(vec![
                whose.into(),
                Value::Number(node_ns, 0),
                Value::Number(test_ns, 0),
                Value::Number(test_ns / node_ns.max(f64::MIN_POSITIVE), 2),
            ]);
        }
        table
    }

    /// Tables 2, 3 and 4 as far as the clock has a say in them.
    pub(super) fn tables(&self) -> impl Iterator<Item = Table> {
        self.by_workload.iter().enumerate().map(|(workload, (name, journeys))| {
            let number = workload + 2;
            let title = format!(
                "Table {number}, {name}, by the clock (dear: collision tests cost what the \
                 paper's did, relative to a node; not reproducible)"
            );
            let mut table = Table::new(&format!("table-{number}-time"), &title, &COLUMNS);
            let [plain, dear] = journeys;
            for (row, journeys) in Row::ALL.iter().zip(plain.iter().zip(dear)) {
                table.push(line(workload, row, journeys));
            }
            table
        })
    }
}

/// Nanoseconds of a node without its collision tests, and of a test: by GR on RANDOM, which
/// expands the same nodes with the collision cache and without.
fn costs(journeys: &[Journey]) -> (f64, f64) {
    let journey = |name| Row::ALL.iter().position(|row| row.name == name).map(|at| journeys[at]);
    let (Some(plain), Some(cached)) = (journey("GR"), journey("GR+CC")) else { return (0.0, 0.0) };
    let tests = |journey: &Journey| journey.counts.collision_tests as f64;
    let test_ms = (plain.total_ms - cached.total_ms) / (tests(&plain) - tests(&cached)).max(1.0);
    let node_ms = (cached.total_ms - tests(&cached) * test_ms) / cached.counts.nodes.max(1) as f64;
    (node_ms * NS_A_MS, test_ms * NS_A_MS)
}

const COLUMNS: [&str; 10] = [
    "test",
    "paper total s",
    "total ms",
    "speed units/ms",
    "delay ms",
    "search ms",
    "dear total ms",
    "dear speed",
    "dear delay ms",
    "prepared ms",
];

fn line(workload: usize, row: &Row, (plain, dear): (&Journey, &Journey)) -> Vec<Value> {
    let paper = paper::measured(workload, row);
    let speed = |journey: &Journey| journey.distance() / journey.total_ms.max(f64::MIN_POSITIVE);
    let delay = |journey: &Journey| journey.first_ms / journey.queries.max(1) as f64;
    vec![
        row.name.into(),
        paper.map_or(Value::Missing, |paper| Value::Number(paper.seconds, 1)),
        Value::Number(plain.total_ms, 1),
        Value::Number(speed(plain), 1),
        Value::Number(delay(plain), 3),
        Value::Number(plain.total_ms / plain.counts.searches.max(1) as f64, 4),
        Value::Number(dear.total_ms, 1),
        Value::Number(speed(dear), 1),
        Value::Number(delay(dear), 3),
        Value::Number(plain.prepared_ms, 1),
    ]
}
