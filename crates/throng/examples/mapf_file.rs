//! Solve a MAPF benchmark file: read a MovingAI map and scenario, plan with HCA*, check the plan.
//!
//! The files stand here as text. A tool reads them from disk and passes the bytes on.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

mod ascii;

use throng::formats::{MapOptions, map, scen};
use throng::prelude::*;
use throng::{lower_bound, referee};

const MAP: &str = "\
type octile
height 7
width 11
map
...........
.@@@.@.@@@.
.@.......@.
.....@.....
.@.......@.
.@@@.@.@@@.
...........
";

const SCEN: &str = "\
version 1
1	cross.map	11	7	0	3	10	3	12
1	cross.map	11	7	10	3	0	3	12
1	cross.map	11	7	5	0	6	6	7
1	cross.map	11	7	6	6	5	0	7
1	cross.map	11	7	2	2	8	4	8
1	cross.map	11	7	8	4	2	2	8
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = map::read(MAP.as_bytes(), MapOptions::default())?;
    let scenario = scen::read(SCEN.as_bytes())?;
    let problem = scenario.problem(&map, None, MovementProfile::four_connected())?.validate()?;
    let report = plan(&problem, "hca")?;
    let Outcome::Solved(solution) = report.outcome else {
        return Err(format!("not solved: {:?}", report.outcome).into());
    };

    let plan = &solution.plan;
    for tick in [0, 4, 8] {
        let tick = Tick(tick);
        let units = ('A'..).enumerate().take(plan.paths.len());
        let letters = units.filter_map(|(unit, letter)| Some((plan.at(unit, tick)?, letter)));
        println!("tick {}\n{}", tick.0, ascii::draw(&map, letters));
    }

    let verdict = referee::check(&problem, plan);
    println!("violations: {}, valid: {}", verdict.violations.len(), verdict.is_valid());
    let bound = lower_bound(&problem).ok_or("a goal cannot be reached")?;
    let (sum, least) = (verdict.sum_of_costs, bound.sum_of_costs);
    println!("sum of costs {sum} (at least {least}), makespan {}", verdict.makespan.0);
    Ok(())
}
