//! Tables 2, 3 and 4 by the clock. The times differ from run to run.

use throng_scene::CollisionMeter;

use super::Setting;
use super::journey::{Journey, TEST_WORK};
use super::paper;
use super::rows::Row;
use crate::harness::clock::timed;
use crate::harness::{Study, row};
use crate::{LabError, Table, Value};

const STAGE: &str = "times";
const NS_PER_MS: f64 = 1e6;
/// Time of a node without its tests in the paper, in nanoseconds.
const PAPER_NODE_NS: f64 = 2.3e6;
/// Repetitions of every journey. The least time counts: it is least disturbed by other processes.
const REPEATS: usize = 3;
/// Units of idle work that are timed to find the time of one.
const UNITS_TIMED: u32 = 1 << 20;

/// Every row's journey, timed: by workload, with collision tests at our price and at the paper's.
pub(super) struct Times {
    pub(super) by_workload: Vec<(&'static str, [Vec<Journey>; 2])>,
    /// Idle work that makes our test as expensive, relative to a node, as the paper's.
    work_units: u32,
}

/// Times all journeys, one after the other: threads would disturb each other. Quick journeys are a
/// tenth as long.
pub(super) fn run(setting: &Setting, study: &mut Study<'_>) -> Result<Times, LabError> {
    let names = setting.workloads.iter().map(|(name, _)| *name);
    let by_workload = names.map(|name| (name, Default::default())).collect();
    let mut times = Times { by_workload, work_units: 0 };
    times.add(0, setting, study)?;
    times.work_units =
        times.by_workload.first().map_or(0, |(_, [plain, _])| expensive_work_units(plain));
    times.add(1, setting, study)?;
    study.report(STAGE, 2 * Row::ALL.len(), 2 * Row::ALL.len());
    Ok(times)
}

/// The idle work that raises a test to the paper's share of a node; 0 if it has that share already.
fn expensive_work_units(random: &[Journey]) -> u32 {
    let (node_ns, test_ns) = costs(random);
    let ((), idle_ms) = timed(|| CollisionMeter::with_work(UNITS_TIMED).record());
    let unit_ns = idle_ms * NS_PER_MS / f64::from(UNITS_TIMED);
    ((node_ns * TEST_WORK - test_ns) / unit_ns.max(f64::MIN_POSITIVE)).max(0.0) as u32
}

fn all_workloads(
    row: &Row,
    setting: &Setting,
    work_units: u32,
    study: &Study<'_>,
) -> Result<Vec<Journey>, LabError> {
    let (finder, prepared_ms) = timed(|| row.pathfinder(setting, work_units, study.options().seed));
    let finder = finder?;
    let repeats = if study.options().quick { 1 } else { REPEATS };
    let journeys = setting.workloads.iter().map(|(_, queries)| {
        let queries = &queries[..study.scaled(queries.len())];
        let once = || Journey::of(row, finder.clone(), &setting.scene, queries);
        let least = (1..repeats).try_fold(once()?, |least, _| Ok(least.least(&once()?)));
        least.map(|journey| Journey { prepared_ms, ..journey })
    });
    journeys.collect()
}

impl Times {
    /// Times all rows at one of the two prices.
    fn add(
        &mut self,
        price: usize,
        setting: &Setting,
        study: &mut Study<'_>,
    ) -> Result<(), LabError> {
        let rows = Row::ALL.len();
        for (done, row) in Row::ALL.iter().enumerate() {
            study.report(STAGE, price * rows + done, 2 * rows);
            let timed = all_workloads(row, setting, self.work_units, study)?;
            for ((_, journeys), journey) in self.by_workload.iter_mut().zip(timed) {
                journeys[price].push(journey);
            }
        }
        Ok(())
    }

    /// The time of a node and of a collision test: the paper's, ours, and ours with idle work.
    pub(super) fn costs_table(&self) -> Table {
        let title = format!(
            "The time of a node without its collision tests, and of one test (not reproducible; the \
             paper's are derived from its tables; expensive: with {} units of idle work per test)",
            self.work_units
        );
        let columns = ["whose", "node ns", "test ns", "test / node"];
        let mut table = Table::new("costs-time", &title, &columns);
        let paper = ("paper", (PAPER_NODE_NS, PAPER_NODE_NS * TEST_WORK));
        let names = ["ours", "ours, expensive"];
        let first = self.by_workload.first().map(|(_, journeys)| journeys);
        let ours = names.into_iter().zip(first.into_iter().flatten().map(|j| costs(j)));
        for (whose, (node_ns, test_ns)) in [paper].into_iter().chain(ours) {
            let ratio = test_ns / node_ns.max(f64::MIN_POSITIVE);
            table.push(row![whose, (node_ns, 0), (test_ns, 0), (ratio, 2)]);
        }
        table
    }

    /// The times of tables 2, 3 and 4.
    pub(super) fn tables(&self) -> impl Iterator<Item = Table> {
        self.by_workload.iter().enumerate().map(|(workload, (name, journeys))| {
            let number = workload + 2;
            let title = format!(
                "Table {number}, {name}, by the clock (expensive: collision tests cost what the \
                 paper's did, relative to a node; not reproducible)"
            );
            let mut table = Table::new(&format!("table-{number}-time"), &title, &COLUMNS);
            let [plain, expensive] = journeys;
            for (row, journeys) in Row::ALL.iter().zip(plain.iter().zip(expensive)) {
                table.push(line(workload, row, journeys));
            }
            table
        })
    }
}

/// Nanoseconds of a node without its collision tests, and of a test: by GR on RANDOM, which
/// expands the same nodes with the collision cache and without.
fn costs(journeys: &[Journey]) -> (f64, f64) {
    let journey = |name| Row::number(name).map(|row| journeys[row]);
    let (Some(plain), Some(cached)) = (journey("GR"), journey("GR+CC")) else { return (0.0, 0.0) };
    let tests = |journey: &Journey| journey.counts.collision_tests as f64;
    let test_ms = (plain.total_ms - cached.total_ms) / (tests(&plain) - tests(&cached)).max(1.0);
    let node_ms = (cached.total_ms - tests(&cached) * test_ms) / cached.counts.nodes.max(1) as f64;
    (node_ms * NS_PER_MS, test_ms * NS_PER_MS)
}

const COLUMNS: [&str; 10] = [
    "test",
    "paper total s",
    "total ms",
    "speed units/ms",
    "delay ms",
    "search ms",
    "expensive total ms",
    "expensive speed",
    "expensive delay ms",
    "prepared ms",
];

fn line(workload: usize, row: &Row, (plain, expensive): (&Journey, &Journey)) -> Vec<Value> {
    let paper = paper::measured(workload, row);
    let speed = |journey: &Journey| journey.distance() / journey.total_ms.max(f64::MIN_POSITIVE);
    let delay = |journey: &Journey| journey.first_ms / journey.queries.max(1) as f64;
    row![
        row.name,
        paper.map(|paper| (paper.seconds, 1)),
        (plain.total_ms, 1),
        (speed(plain), 1),
        (delay(plain), 3),
        (plain.total_ms / plain.counts.searches.max(1) as f64, 4),
        (expensive.total_ms, 1),
        (speed(expensive), 1),
        (delay(expensive), 3),
        (plain.prepared_ms, 1),
    ]
}
