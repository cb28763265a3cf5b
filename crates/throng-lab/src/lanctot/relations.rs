//! How many times faster one row is than another: ours beside the paper's.

use super::benchmark::Benchmark;
use super::journey::Journey;
use super::paper;
use super::rows::Row;
use super::times::Times;
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

/// All that the paper says, and what can be said of the constrained Voronoi zones.
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
    /// How many times the slower row has of a value.
    pub(super) fn of(&self, journeys: &[Journey], value: impl Fn(&Journey) -> f64) -> f64 {
        let [slow, fast] = [self.slow, self.fast].map(|row| {
            let at = Row::ALL.iter().position(|known| known.name == row);
            at.and_then(|at| journeys.get(at)).map_or(0.0, &value)
        });
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

    fn line(&self, factors: impl Iterator<Item = Value>) -> Vec<Value> {
        let words = [self.what, self.slow, self.fast].map(Value::from);
        words.into_iter().chain(factors).collect()
    }
}

/// The relations of the paper's times and of our work.
pub(super) fn table(benchmark: &Benchmark) -> Table {
    let title = "How many times faster (the paper's times, our work)";
    let names = benchmark.by_workload.iter().map(|(name, _)| *name);
    let columns = columns(names, &["paper", "ours"]);
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new("relations", title, &columns);
    for relation in &ALL {
        let by_workload = benchmark.by_workload.iter().enumerate();
        let factors = by_workload.flat_map(|(workload, (_, journeys))| {
            let ours = Value::Number(relation.of(journeys, Journey::work), 2);
            [relation.of_paper(workload), ours]
        });
        table.push(relation.line(factors));
    }
    table
}

/// The relations of the paper's times and of ours, with tests as they are and dear ones.
pub(super) fn times_table(times: &Times) -> Table {
    let title = "How many times faster by the clock (dear: collision tests cost what the paper's \
                 did, relative to a node; not reproducible)";
    let names = times.by_workload.iter().map(|(name, _)| *name);
    let columns = columns(names, &["paper", "ours", "dear"]);
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new("relations-time", title, &columns);
    for relation in &ALL {
        let by_workload = times.by_workload.iter().enumerate();
        let factors = by_workload.flat_map(|(workload, (_, journeys))| {
            let [plain, dear] = journeys.each_ref().map(|journeys| {
                Value::Number(relation.of(journeys, |journey| journey.total_ms), 2)
            });
            [relation.of_paper(workload), plain, dear]
        });
        table.push(relation.line(factors));
    }
    table
}

fn columns<'a>(workloads: impl Iterator<Item = &'a str>, kinds: &[&str]) -> Vec<String> {
    let factors = workloads.flat_map(|name| kinds.iter().map(move |kind| format!("{name} {kind}")));
    let words = ["what", "slower", "faster"].map(str::to_owned);
    words.into_iter().chain(factors).collect()
}
