//! Figures 6 and 7 in milliseconds. The times differ from run to run.

use throng::model::Effort;
use throng_draw::plot::{Axis, Chart};

use super::arena::{self, MAPS, Method, TURNS};
use super::counts;
use crate::harness::clock::timed;
use crate::harness::statistics::mean;
use crate::harness::{Study, row};
use crate::{LabError, Table};

const STAGE: &str = "times";
/// Repetitions of every run. Each does the same work, so the least time of each turn is the one
/// least disturbed by other processes.
const REPEATS: usize = 3;

/// The milliseconds of one run.
#[derive(Clone, Debug, Default)]
struct RunTimes {
    first: f64,
    turns: Vec<f64>,
}

impl RunTimes {
    /// Includes the planner's construction: it is part of the initial routes.
    fn by(method: Method, problem: &throng::model::ValidProblem, seed: u64) -> Self {
        let instance = arena::instance(problem);
        let (mut simulation, begun) = timed(|| method.simulate(&instance, seed));
        let ((), prepared) = timed(|| simulation.prepare(&mut Effort::unlimited()));
        let turns = (0..TURNS).map(|_| timed(|| simulation.turn(&mut Effort::unlimited())).1);
        Self { first: begun + prepared, turns: turns.collect() }
    }

    fn least(self, other: &Self) -> Self {
        let turns = self.turns.iter().zip(&other.turns).map(|(a, b)| a.min(*b));
        Self { first: self.first.min(other.first), turns: turns.collect() }
    }

    fn turn_max(&self) -> f64 {
        self.turns.iter().copied().fold(0.0, f64::max)
    }
}

/// Mean milliseconds of one planner with one number of units.
#[derive(Clone, Copy, Debug, Default)]
struct Time {
    first: f64,
    turn_max: f64,
    turn: f64,
}

struct Times {
    counts: &'static [usize],
    maps: usize,
    by_count: Vec<Vec<Time>>,
}

/// Times one scenario per environment, one after the other: threads would disturb each other.
pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let options = study.options();
    let maps = if options.quick { 1 } else { MAPS };
    let counts = counts(options);
    study.report(STAGE, 0, counts.len());
    let mut by_count = Vec::new();
    for &units in counts {
        let problems = (0..maps).map(|scenario| arena::problem(options.seed, scenario, units));
        let problems = problems.collect::<Result<Vec<_>, _>>()?;
        let time = |method| time(method, &problems, options.seed);
        by_count.push(Method::ALL.into_iter().map(time).collect());
        study.report(STAGE, by_count.len(), counts.len());
    }
    let times = Times { counts, maps, by_count };
    study.table(times.table());
    for (name, title, value) in FIGURES {
        study.figure(name, times.chart(title, value)?);
    }
    Ok(())
}

/// Name, title and value of a figure.
type Figure = (&'static str, &'static str, fn(&Time) -> f64);

const FIGURES: [Figure; 2] = [
    ("figure-6-time", "Figure 6: initial calculation, all units", |time| time.first),
    ("figure-7-time", "Figure 7: the most expensive turn, all units", |time| time.turn_max),
];

fn time(method: Method, problems: &[throng::model::ValidProblem], seed: u64) -> Time {
    let run: Vec<RunTimes> = problems
        .iter()
        .map(|problem| {
            let once = || RunTimes::by(method, problem, seed);
            (1..REPEATS).fold(once(), |least, _| least.least(&once()))
        })
        .collect();
    Time {
        first: mean(run.iter().map(|run| run.first)),
        turn_max: mean(run.iter().map(RunTimes::turn_max)),
        turn: mean(run.iter().flat_map(|run| run.turns.iter().copied())),
    }
}

impl Times {
    fn table(&self) -> Table {
        let title = format!(
            "Milliseconds for all units together ({} scenarios, least of {REPEATS} runs, on one \
             thread; not reproducible)",
            self.maps
        );
        let columns = ["units", "planner", "first ms", "turn max ms", "turn mean ms"];
        let mut table = Table::new("times", &title, &columns);
        for (&units, times) in self.counts.iter().zip(&self.by_count) {
            for (method, time) in Method::ALL.iter().zip(times) {
                let Time { first, turn_max, turn } = *time;
                table.push(row![units, method.name(), (first, 3), (turn_max, 3), (turn, 3)]);
            }
        }
        table
    }

    fn chart(&self, title: &str, value: fn(&Time) -> f64) -> Result<String, LabError> {
        let mut chart = Chart::new(title, Axis::linear("units"), Axis::log("time (ms)"));
        for (at, method) in Method::ALL.iter().enumerate() {
            let points = self.counts.iter().zip(&self.by_count);
            // The clock may not have advanced, and the axis is logarithmic.
            let point =
                |(&units, times): (&usize, &Vec<Time>)| (units as f64, value(&times[at]).max(1e-4));
            chart = chart.line(&method.name(), &points.map(point).collect::<Vec<_>>());
        }
        Ok(chart.svg()?)
    }
}
