//! A building with two doors: units enter by the nearest entrance and leave by an exit.
//!
//! Doors are cells beside the walls. Units in a building are not on the map; an order to go
//! somewhere brings them out, one after the other.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

mod ascii;

use throng::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(Map::empty(32, 9)?, WorldOptions::default())?;
    world.fill(Rect::new(Cell::new(12, 3), 6, 3), Map::WALL)?;
    let barracks = world.add_building(Building {
        name: "barracks".to_owned(),
        entrances: vec![Cell::new(11, 4), Cell::new(14, 2)],
        exits: vec![Cell::new(18, 4)],
    })?;
    let recruit = Spawn::new(MovementProfile::eight_connected());
    let mut recruits = Vec::new();
    for y in 2..7 {
        let unit = world.spawn((2, y), &recruit)?;
        world.order(unit, Order::Enter(barracks))?;
        // When it is inside, it goes to the parade ground.
        world.queue_order(unit, (28, y))?;
        recruits.push(unit);
    }
    println!("{}", draw(&world));

    let mut entered = 0;
    while !recruits.iter().all(|&unit| world.status(unit) == Some(UnitStatus::Arrived)) {
        let report = world.tick();
        for event in report.events {
            match event {
                Event::Entered { unit, .. } => {
                    entered += 1;
                    println!("tick {:3}: {unit} went in", report.tick.0);
                }
                Event::Left { unit, at, .. } => {
                    println!("tick {:3}: {unit} came out at {at}", report.tick.0);
                }
                _ => {}
            }
        }
        if report.tick.0 == 12 {
            println!("{} inside\n{}", world.units_in(barracks).count(), draw(&world));
        }
        if report.tick.0 > 200 {
            return Err("the recruits are stuck".into());
        }
    }
    println!("{}", draw(&world));
    println!("{entered} entered, {} inside", world.units_in(barracks).count());
    Ok(())
}

/// Units are `u`, entrances `E`, exits `X`.
fn draw(world: &World) -> String {
    let doors = world.buildings().flat_map(|(_, building)| {
        let entrances = building.entrances.iter().map(|&door| (door, 'E'));
        entrances.chain(building.exits.iter().map(|&door| (door, 'X')))
    });
    let units = world.units().filter_map(|unit| Some((world.location(unit)?.0, 'u')));
    ascii::draw(world.map(), doors.chain(units))
}
