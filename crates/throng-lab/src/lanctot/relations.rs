//! Relations: how many times faster one row is than another, ours beside the paper's.

use super::benchmark::Benchmark;
use super::journey::Journey;
use super::paper;
use super::rows::Row;
use super::times::Times;
use crate::harness::row;
use crate::{Table, Value};

/// What is compared, the slower row, the faster row.
pub(super) struct Relation {
    pub(super) what: &'static str,
    pub(super) slow: &'static str,
    pub(super) fast: &'static str,
}

const fn relation(what: &'static str, slow: &'static str, fast: &'static str) -> Relation {
    Relation { what, slow, fast }
}

pub(super) const ZONES: &str = "zones";
pub(super) const COLLISION_CACHE: &str = "CC";
pub(super) const PATH_CACHE: &str = "PC";
pub(super) const SATURATED: &str = "sPC";
pub(super) const CONSTRAINED: &str = "constrained";

/// All relations of the paper, and those of the constrained Voronoi zones.
pub(super) const ALL: [Relation; 22] = [
    relation(ZONES, "GR", "SZ"),
    relation(ZONES, "GR+CC", "SZ+CC"),
    relation(ZONES, "GR+CC+PC", "SZ+CC+PC"),
    relation(ZONES, "GR+CC+sPC", "SZ+CC+sPC"),
    relation(COLLISION_CACHE, "SZ", "SZ+CC"),
    relation(COLLISION_CACHE, "GR", "GR+CC"),
    relation(COLLISION_CACHE, "RD", "RD+CC"),
    relation(COLLISION_CACHE, "VZ", "VZ+CC"),
    relation(COLLISION_CACHE, "VZ+", "VZ++CC"),
    relation(PATH_CACHE, "SZ+CC", "SZ+CC+PC"),
    relation(PATH_CACHE, "GR+CC", "GR+CC+PC"),
    relation(PATH_CACHE, "VZ+CC", "VZ+CC+PC"),
    relation(PATH_CACHE, "VZ++CC", "VZ++CC+PC"),
    relation(SATURATED, "SZ+CC", "SZ+CC+sPC"),
    relation(SATURATED, "GR+CC", "GR+CC+sPC"),
    relation(SATURATED, "VZ++CC", "VZ++CC+sPC"),
    relation(CONSTRAINED, "VZ", "VZ+"),
    relation(CONSTRAINED, "VZ+CC", "VZ++CC"),
    relation(CONSTRAINED, "SZ", "VZ+"),
    relation(CONSTRAINED, "SZ+CC", "VZ++CC"),
    relation(CONSTRAINED, "RD", "VZ+"),
    relation(CONSTRAINED, "RD+CC", "VZ++CC"),
];

impl Relation {
    /// The slower row's value divided by the faster row's.
    pub(super) fn of(&self, journeys: &[Journey], value: impl Fn(&Journey) -> f64) -> f64 {
        let [slow, fast] = [self.slow, self.fast]
            .map(|row| Row::number(row).and_then(|row| journeys.get(row)).map_or(0.0, &value));
        slow / fast.max(f64::MIN_POSITIVE)
    }

    fn of_paper(&self, workload: usize) -> Value {
        let seconds = |name| {
            let row = Row::ALL.iter().find(|row| row.name == name)?;
            paper::measured(workload, row).map(|measured| measured.seconds)
        };
        match (seconds(self.slow), seconds(self.fast)) {
            (Some(slow), Some(fast)) => Value::Number(slow / fast, 2),
            _ => Value::Missing,
        }
    }
}

/// The relations of the paper's times and of our work.
pub(super) fn table(benchmark: &Benchmark) -> Table {
    let title = "How many times faster (the paper's times, our work)";
    let journeys = |(name, journeys): &(&'static str, Vec<Journey>)| (*name, [journeys.clone()]);
    let by_workload: Vec<_> = benchmark.by_workload.iter().map(journeys).collect();
    table_of("relations", title, ["ours"], &by_workload, Journey::work)
}

/// The relations of the paper's times and of ours, with plain and with expensive tests.
pub(super) fn times_table(times: &Times) -> Table {
    let title = "How many times faster by the clock (expensive: collision tests cost what the \
                 paper's did, relative to a node; not reproducible)";
    let kinds = ["ours", "expensive"];
    table_of("relations-time", title, kinds, &times.by_workload, |journey| journey.total_ms)
}

/// The paper's factors beside ours, of `N` kinds, by workload.
fn table_of<const N: usize>(
    name: &str,
    title: &str,
    kinds: [&str; N],
    by_workload: &[(&'static str, [Vec<Journey>; N])],
    value: impl Fn(&Journey) -> f64,
) -> Table {
    let words = ["what", "slower", "faster"].map(str::to_owned);
    let of_workload = |(name, _): &(&'static str, _)| {
        let kinds = ["paper"].into_iter().chain(kinds);
        kinds.map(|kind| format!("{name} {kind}")).collect::<Vec<_>>()
    };
    let columns: Vec<String> =
        words.into_iter().chain(by_workload.iter().flat_map(of_workload)).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new(name, title, &columns);
    for relation in &ALL {
        let mut row = row![relation.what, relation.slow, relation.fast];
        for (workload, (_, kinds)) in by_workload.iter().enumerate() {
            row.push(relation.of_paper(workload));
            row.extend(kinds.iter().map(|journeys| (relation.of(journeys, &value), 2).into()));
        }
        table.push(row);
    }
    table
}
