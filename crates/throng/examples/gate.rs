//! A group goes through a gate that is one cell wide, while another group comes the other way.
//!
//! `World::order_group` gives each unit a cell of its own around the spot. Units plan around each
//! other's plans: they queue before the gate, and two never share a cell.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

mod ascii;

use throng::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(Map::empty(30, 11)?, WorldOptions::default())?;
    world.fill(Rect::new(Cell::new(15, 0), 1, 11), Map::WALL)?;
    world.paint(&[Cell::new(15, 5)], Map::GROUND)?;
    let east = spawn_block(&mut world, Cell::new(2, 3))?;
    let west = spawn_block(&mut world, Cell::new(25, 3))?;
    world.order_group(&east, Cell::new(24, 5))?;
    world.order_group(&west, Cell::new(5, 5))?;

    let all: Vec<UnitId> = east.iter().chain(&west).copied().collect();
    let (mut waits, mut promotions) = (0, 0);
    while !all.iter().all(|&unit| world.status(unit) == Some(UnitStatus::Arrived)) {
        let report = world.tick();
        let at_gate = |&&unit: &&UnitId| matches!(world.why(unit), Some(Why::WaitingFor { .. }));
        waits += all.iter().filter(at_gate).count();
        let is_promotion = |event: &&Event| matches!(event, Event::Promoted { .. });
        promotions += report.events.iter().filter(is_promotion).count();
        if [1, 15, 35].contains(&report.tick.0) {
            println!("tick {}", report.tick.0);
            println!("{}", draw(&world, &east));
        }
        if report.tick.0 > 500 {
            return Err("the groups are stuck".into());
        }
    }
    println!("tick {}", world.now().0);
    println!("{}", draw(&world, &east));
    println!("{} units through one gate in {} ticks", all.len(), world.now().0);
    println!("{waits} times a unit waited for another; {promotions} promotions");
    Ok(())
}

/// Fifteen units, three by five.
fn spawn_block(world: &mut World, corner: Cell) -> Result<Vec<UnitId>, Box<dyn std::error::Error>> {
    let soldier = Spawn::new(MovementProfile::eight_connected());
    let cells = Rect::new(corner, 3, 5).cells();
    Ok(cells.map(|cell| world.spawn(cell, &soldier)).collect::<Result<_, _>>()?)
}

/// Those that go east are `>`, the others `<`.
fn draw(world: &World, east: &[UnitId]) -> String {
    let letter = |unit| if east.contains(&unit) { '>' } else { '<' };
    ascii::draw(world.map(), world.steps().iter().map(|step| (step.at, letter(step.unit))))
}
