//! Figures 6 and 7: what it takes in milliseconds. Nothing here comes out the same twice.

use throng_draw::plot::{Axis, Chart};

use super::arena::{self, MAPS, Method, TURNS};
use super::counts;
use crate::clock::timed;
use crate::statistics::mean;
use crate::{Experiment, LabError, Options, Progress, Table, Value};

const STAGE: &str = "times";
/// Every run is timed so often. It does the same each time, so the least time of each turn
/// is the one that nothing else on the machine had a part in.
const REPEATS: usize = 3;

/// Milliseconds of one run.
#[derive(Clone, Debug, Default)]
struct Spent {
    first: f64,
    turns: Vec<f64>,
}

impl Spent {
    /// Begins with the planner's own preparations: they are part of the initial routes.
    fn by(method: Method, problem: &throng::ValidProblem, seed: u64) -> Self {
        let fleet = arena::fleet(problem);
        let (mut simulation, begun) = timed(|| method.simulate(&fleet, seed));
        let ((), prepared) = timed(|| simulation.prepare());
        let turns = (0..TURNS).map(|_| timed(|| simulation.turn()).1);
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

/// Times by number of units and planner.
pub(super) struct Times {
    counts: &'static [usize],
    maps: usize,
    by_count: Vec<Vec<Time>>,
}

/// Times one scenario of each environment, one after the other: threads would be in each
/// other's way.
pub(super) fn run(
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Times, LabError> {
    let maps = if options.quick { 1 } else { MAPS };
    let counts = counts(options);
    progress(Progress { stage: STAGE, done: 0, of: counts.len() });
    let mut by_count = Vec::new();
    for &units in counts {
        let problems = (0..maps).map(|scenario| arena::problem(options.seed, scenario, units));
        let problems = problems.collect::<Result<Vec<_>, _>>()?;
        let time = |method| time(method, &problems, options.seed);
        by_count.push(Method::ALL.into_iter().map(time).collect());
        progress(Progress { stage: STAGE, done: by_count.len(), of: counts.len() });
    }
    Ok(Times { counts, maps, by_count })
}

fn time(method: Method, problems: &[throng::ValidProblem], seed: u64) -> Time {
    let spent: Vec<Spent> = problems
        .iter()
        .map(|problem| {
            let once = || Spent::by(method, problem, seed);
            (1..REPEATS).fold(once(), |least, _| least.least(&once()))
        })
        .collect();
    Time {
        first: mean(spent.iter().map(|spent| spent.first)),
        turn_max: mean(spent.iter().map(Spent::turn_max)),
        turn: mean(spent.iter().flat_map(|spent| spent.turns.iter().copied())),
    }
}

impl Times {
    pub(super) fn table(&self) -> Table {
        let title = format!(
            "Milliseconds for all units together ({} scenarios, least of {REPEATS} runs, on one \
             thread; not reproducible)",
            self.maps
        );
        let columns = ["units", "planner", "first ms", "turn max ms", "turn mean ms"];
        let mut table = Table::new("times", &title, &columns);
        for (&units, times) in self.counts.iter().zip(&self.by_count) {
            for (method, time) in Method::ALL.iter().zip(times) {
                let numbers = [time.first, time.turn_max, time.turn].map(|ms| Value::Number(ms, 3));
                let name = method.name();
                let words = [units.into(), name.as_str().into()];
                table.push(words.into_iter().chain(numbers).collect());
            }
        }
        table
    }

    pub(super) fn draw(&self, experiment: &mut Experiment) -> Result<(), LabError> {
        let first = self.chart("Figure 6: initial calculation, all units", |time| time.first)?;
        experiment.add_picture("figure-6-time", first);
        let turn = self.chart("Figure 7: the dearest turn, all units", |time| time.turn_max)?;
        experiment.add_picture("figure-7-time", turn);
        Ok(())
    }

    fn chart(&self, title: &str, value: fn(&Time) -> f64) -> Result<String, LabError> {
        let mut chart = Chart::new(title, Axis::linear("units"), Axis::log("time (ms)"));
        for (at, method) in Method::ALL.iter().enumerate() {
            let points = self.counts.iter().zip(&self.by_count);
            // A clock may not have moved on.
            let point =
                |(&units, times): (&usize, &Vec<Time>)| (units as f64, value(&times[at]).max(1e-4));
            chart = chart.line(&method.name(), &points.map(point).collect::<Vec<_>>());
        }
        Ok(chart.svg()?)
    }
}
