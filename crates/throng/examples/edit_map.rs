//! The map changes while units move: a bridge falls, and is built again.
//!
//! Only the units whose routes are affected plan again. A unit whose goal cannot be reached says
//! so with an event, rests, and goes on as soon as an edit opens a path.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

mod ascii;

use throng::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(Map::empty(32, 11)?, WorldOptions::default())?;
    let water = world.add_class(TerrainClass::blocked("water", '~'))?;
    let (north, south) = (Rect::new(Cell::new(14, 2), 3, 1), Rect::new(Cell::new(14, 8), 3, 1));
    world.fill(Rect::new(Cell::new(14, 0), 3, 11), water)?;
    world.fill(north, Map::GROUND)?;
    world.fill(south, Map::GROUND)?;
    let scout = world.spawn((2, 2), &Spawn::new(MovementProfile::eight_connected()))?;
    world.order(scout, (29, 2))?;

    let mut trail = Vec::new();
    while world.status(scout) != Some(UnitStatus::Arrived) {
        let report = world.tick();
        trail.extend(world.location(scout).map(|(at, _)| (at, '*')));
        for event in &report.events {
            println!("tick {:2}: {}", report.tick.0, told(*event));
        }
        match report.tick.0 {
            8 => {
                println!("tick  8: the northern bridge falls");
                world.fill(north, water)?;
            }
            12 => {
                println!("tick 12: the southern bridge falls");
                world.fill(south, water)?;
            }
            30 => {
                println!("tick 30: the northern bridge stands again");
                println!("{}", ascii::draw(world.map(), trail.iter().copied()));
                world.fill(north, Map::GROUND)?;
            }
            200.. => return Err("the scout is stuck".into()),
            _ => {}
        }
    }
    println!("{}", ascii::draw(world.map(), trail));
    println!("the scout arrived at tick {}", world.now().0);
    Ok(())
}

fn told(event: Event) -> String {
    match event {
        Event::Rerouted { unit } => format!("{unit} takes another route"),
        Event::Unreachable { unit } => format!("{unit} finds no path and rests"),
        Event::Arrived { unit, at } => format!("{unit} arrived at {at}"),
        other => format!("{other:?}"),
    }
}
