//! Improves a plan by large neighbourhood search and prints the curve of its cost.
//!
//! ```text
//! cargo run --release -p throng-anytime --example improve -- MAP SCEN UNITS PLAN \
//!     [seconds=10] [threads=1] [seed=0] [expansions=N] [objective=soc|time-away] [bound=1050]
//! ```
//!
//! PLAN is a kei18 result text of a plan for the first UNITS units, or `lacam`. Seconds are CPU time of all
//! threads together. `bound` is in thousandths.
#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a command that reads files, measures time and prints a table"
)]

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use throng_anytime::{Lacam, Lns};
use throng_formats::{kei18, map, scen};
use throng_model::{
    Budget, Improvement, MovementProfile, Objective, Observer, Outcome, Plan, Planner as _,
    Progress, Silent, ValidProblem, Weight,
};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| {
        let value = arguments.iter().find_map(|argument| argument.strip_prefix(name));
        value.and_then(|value| value.strip_prefix('=')).map(str::to_owned)
    };
    let number = |name: &str| option(name).map(|value| value.parse::<f64>().unwrap());
    let (problem, plan) = read(&arguments[0], &arguments[1], &arguments[2], &arguments[3]);
    let lns = Lns {
        objective: match option("objective").as_deref() {
            Some("time-away") => Objective::TimeAway,
            _ => Objective::SumOfCosts,
        },
        threads: number("threads").unwrap_or(1.0) as usize,
        bound: Weight::from_permille(number("bound").unwrap_or(1000.0) as u32).unwrap(),
        target: None,
        ..Lns::default()
    };
    let seconds = number("seconds").unwrap_or(10.0);
    let clock = Clock { begin: Instant::now(), used: cpu_seconds() };
    // Reading the CPU time takes microseconds: at most once per millisecond.
    let last_look = AtomicU64::new(0);
    let out_of_time = || {
        let now = clock.begin.elapsed().as_millis() as u64;
        last_look.swap(now, Ordering::Relaxed) != now && clock.elapsed() >= seconds
    };
    let mut budget = Budget::unlimited().with_interrupt(&out_of_time);
    budget.expansions = number("expansions").map(|most| most as u64);
    let seed = number("seed").unwrap_or(0.0) as u64;
    let mut curve = Curve { clock: &clock, next: 0.0 };
    let improved = lns.improve(&problem, &plan, seed, budget, &mut curve).unwrap();
    println!(
        "{} {} {:?} cpu {:.2} wall {:.2} cost {} = {:.4} bound {} repairs {} expanded {}",
        arguments[1].rsplit('/').next().unwrap_or_default(),
        arguments[2],
        improved.stop,
        clock.elapsed(),
        clock.begin.elapsed().as_secs_f64(),
        improved.cost,
        improved.cost as f64 / improved.lower_bound as f64,
        improved.lower_bound,
        improved.repairs,
        improved.expanded,
    );
    let verdict = throng_referee::check(&problem, &improved.plan);
    let cost = match lns.objective {
        Objective::SumOfCosts => verdict.sum_of_costs,
        Objective::TimeAway => verdict.time_away,
    };
    println!(
        "refereed: {} violations, sum of costs {}, time away {}{}",
        verdict.violations.len(),
        verdict.sum_of_costs,
        verdict.time_away,
        if cost == improved.cost { "" } else { ", BUT ANOTHER COST WAS CLAIMED" }
    );
}

fn read(map: &str, scenario: &str, units: &str, plan: &str) -> (ValidProblem, Plan) {
    let bytes = |path: &str| std::fs::read(path).unwrap();
    let map = map::read(&bytes(map), map::MapOptions::default()).unwrap();
    let scenario = scen::read(&bytes(scenario)).unwrap();
    let units = units.parse().unwrap();
    let problem = scenario.problem(&map, Some(units), MovementProfile::four_connected()).unwrap();
    let problem = problem.validate().unwrap();
    if plan != "lacam" {
        return (problem, kei18::read(&bytes(plan)).unwrap().plan);
    }
    let report = Lacam::default().plan(&problem, 0, Budget::unlimited(), &mut Silent).unwrap();
    match report.outcome {
        Outcome::Solved(solution) => (problem, solution.plan),
        other => panic!("no first plan: {other:?}"),
    }
}

/// CPU time since a moment.
struct Clock {
    begin: Instant,
    used: f64,
}

impl Clock {
    fn elapsed(&self) -> f64 {
        cpu_seconds() - self.used
    }
}

/// CPU time of all threads of this process.
fn cpu_seconds() -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let nanoseconds = tasks.map(|task| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
        text.split(' ').next().and_then(|first| first.parse::<u64>().ok()).unwrap_or(0)
    });
    Duration::from_nanos(nanoseconds.sum()).as_secs_f64()
}

/// Prints the cost at growing intervals.
struct Curve<'a> {
    clock: &'a Clock,
    next: f64,
}

impl Observer for Curve<'_> {
    fn progress(&mut self, _: Progress) {}

    fn improved(&mut self, improvement: Improvement<'_>) {
        let elapsed = self.clock.elapsed();
        if elapsed >= self.next {
            let ratio = improvement.cost as f64 / improvement.lower_bound as f64;
            println!("{elapsed:8.3} s {ratio:.4} {}", improvement.expanded);
            self.next = if elapsed < 0.1 { elapsed + 0.05 } else { elapsed * 1.5 };
        }
    }
}
