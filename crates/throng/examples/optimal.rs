//! An optimal plan with proof: joint A* beside HCA* on the same problem.
//!
//! Two units must exchange places in a corridor with one bay. HCA* plans one unit after the
//! other; joint A* plans both together and proves that no plan costs less.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

mod ascii;

use throng::model::Solution;
use throng::prelude::*;
use throng::referee;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut map = Map::empty(11, 3)?;
    map.fill(Rect::new(Cell::new(0, 0), 11, 1), Map::WALL)?;
    map.fill(Rect::new(Cell::new(0, 2), 11, 1), Map::WALL)?;
    map.paint(&[Cell::new(5, 0)], Map::GROUND)?;
    let units = vec![Unit::new((1, 1), (9, 1)), Unit::new((9, 1), (1, 1))];
    let problem = Problem::new(map, MovementProfile::four_connected(), units).validate()?;

    for solver in ["hca", "joint,od,pe,id", "joint,od,pe,id,weight=1.5"] {
        let report = plan(&problem, solver)?;
        match report.outcome {
            Outcome::Solved(Solution { plan, cost, proven_bound, .. }) => {
                let is_valid = referee::check(&problem, &plan).is_valid();
                let proof = if cost == proven_bound { "optimal" } else { "not proven optimal" };
                println!("{solver}: cost {cost}, at least {proven_bound}: {proof}");
                println!("{} nodes expanded, valid: {is_valid}", report.expanded);
                println!("{}", film(&problem.map, &plan));
            }
            Outcome::Partial { arrived, .. } => println!("{solver}: {arrived} of 2 arrive\n"),
            other => println!("{solver}: {other:?}\n"),
        }
    }
    Ok(())
}

/// Some ticks of the plan.
fn film(map: &Map, plan: &Plan) -> String {
    let last = plan.last_tick().0;
    let frame = |tick| {
        let letters = [(0, 'A'), (1, 'B')];
        let letters = letters.into_iter().filter_map(|(unit, c)| Some((plan.at(unit, tick)?, c)));
        format!("tick {}\n{}", tick.0, ascii::draw(map, letters))
    };
    (0..=last).step_by(4).map(|tick| frame(Tick(tick))).collect()
}
