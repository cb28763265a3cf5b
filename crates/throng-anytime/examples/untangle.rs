//! Measures the cluster planner on random scenes: `untangle FIRST COUNT BUDGET [shuffled]`.
//!
//! It prints how many scenes are solved, beside the oracle that walks units one by one, the time
//! per call, and the scenes without an answer.
#![expect(clippy::disallowed_types, reason = "time is what is measured here")]
#![expect(clippy::print_stdout, reason = "it is a command")]
#![expect(clippy::unwrap_used, reason = "a wrong argument should stop it at once")]

use std::time::Instant;

use throng_anytime::{ClusterOutcome, ClusterPlanner, ClusterUnit};
use throng_model::Problem;
use throng_spacetime::{FootprintRules, GridSpace};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default| arguments.get(at).map_or(default, |n| n.parse().unwrap());
    let (first, count, budget) = (number(0, 0), number(1, 1000), number(2, 200_000));
    let is_shuffled = arguments.get(3).is_some_and(|word| word == "shuffled");
    let mut totals = Totals::default();
    let mut planner = ClusterPlanner::default();
    for seed in first..first + count {
        let (problem, has_plan) = if is_shuffled {
            (throng_testkit::shuffled_scene(seed), true)
        } else {
            let problem = throng_testkit::mixed_scene(seed);
            let has_order = throng_testkit::one_by_one(&problem, false).is_some();
            (problem, has_order)
        };
        totals.add(seed, has_plan, &mut planner, &problem, budget);
    }
    totals.print();
}

#[derive(Default)]
struct Totals {
    /// By whether a plan is known to exist: solved, proven unsolvable, budget spent.
    outcomes: [[u64; 3]; 2],
    missed: Vec<u64>,
    open: Vec<u64>,
    micros: Vec<u64>,
    expansions: Vec<u64>,
    steps: u64,
}

impl Totals {
    fn add(
        &mut self,
        seed: u64,
        has_plan: bool,
        planner: &mut ClusterPlanner,
        problem: &Problem,
        budget: u64,
    ) {
        let space = |kind: &throng_model::MovementProfile| {
            GridSpace::new(&problem.map, kind.clone(), &FootprintRules::default()).unwrap()
        };
        let spaces: Vec<_> = problem.movements.iter().map(space).collect();
        let unit = |unit: &throng_model::Unit| ClusterUnit {
            space: unit.movement,
            at: spaces[unit.movement].position(unit.start).unwrap(),
            goal: spaces[unit.movement].position(unit.goal),
            holds: false,
        };
        let units: Vec<_> = problem.units.iter().map(unit).collect();
        let begin = Instant::now();
        let outcome = planner.plan(&spaces, &units, |_| true, budget, seed);
        self.micros.push(begin.elapsed().as_micros() as u64);
        self.expansions.push(planner.expansions());
        let column = match outcome {
            ClusterOutcome::Solved(steps) => {
                self.steps += steps.len() as u64;
                0
            }
            ClusterOutcome::ProvenUnsolvable => 1,
            ClusterOutcome::BudgetSpent => 2,
        };
        self.outcomes[usize::from(has_plan)][column] += 1;
        if column > 0 {
            if has_plan { &mut self.missed } else { &mut self.open }.push(seed);
        }
    }

    fn print(&mut self) {
        println!("a plan is known:  [solved, proven unsolvable, spent] {:?}", self.outcomes[1]);
        println!("no plan is known: [solved, proven unsolvable, spent] {:?}", self.outcomes[0]);
        println!(
            "steps per plan: {}",
            self.steps / self.outcomes.map(|o| o[0]).iter().sum::<u64>()
        );
        for (name, values) in [("us", &mut self.micros), ("expansions", &mut self.expansions)] {
            values.sort_unstable();
            let at = |part: usize| values[(values.len() - 1) * part / 1000];
            let mean = values.iter().sum::<u64>() / values.len() as u64;
            println!(
                "{name}: mean {mean}, median {}, 90% {}, 99% {}, 99.9% {}, max {}",
                at(500),
                at(900),
                at(990),
                at(999),
                at(1000)
            );
        }
        println!("missed: {:?}", self.missed);
        println!(
            "open: {} scenes, first {:?}",
            self.open.len(),
            &self.open[..self.open.len().min(40)]
        );
    }
}
