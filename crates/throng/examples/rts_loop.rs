//! The loop of a real-time strategy game: spawn, order, tick, react to events, draw.
//!
//! Three workers carry ore from a mine to a base. The game reads the events of a tick, and gives
//! the next order to each unit that has arrived, in the same loop.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

mod ascii;

use throng::prelude::*;

const TICKS: u64 = 120;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(Map::empty(36, 9)?, WorldOptions::default())?;
    // A cliff with one pass.
    world.fill(Rect::new(Cell::new(17, 0), 2, 4), Map::WALL)?;
    world.fill(Rect::new(Cell::new(17, 6), 2, 3), Map::WALL)?;
    let worker = Spawn::new(MovementProfile::eight_connected());
    let mut workers = Vec::new();
    for y in [2, 4, 6] {
        workers.push(Worker { unit: world.spawn((2, y), &worker)?, y, loads: 0, has_ore: false });
    }
    for worker in &workers {
        world.order(worker.unit, worker.destination())?;
    }

    for frame in 0..TICKS {
        let report = world.tick();
        for event in report.events {
            if let Event::Arrived { unit, .. } = event
                && let Some(worker) = workers.iter_mut().find(|worker| worker.unit == unit)
            {
                worker.loads += u32::from(worker.has_ore);
                worker.has_ore = !worker.has_ore;
                world.order(unit, worker.destination())?;
            }
        }
        if frame % 30 == 14 {
            println!("tick {}", report.tick.0);
            println!("{}", ascii::draw(world.map(), letters(&world, &workers)));
        }
    }
    for worker in &workers {
        let why = world.why(worker.unit).map_or(String::new(), |why| why.to_string());
        println!("{}: {} loads, {why}", worker.unit, worker.loads);
    }
    println!("{} loads in {TICKS} ticks", workers.iter().map(|worker| worker.loads).sum::<u32>());
    Ok(())
}

/// What the game knows of a unit. The world knows the rest.
struct Worker {
    unit: UnitId,
    y: u16,
    loads: u32,
    has_ore: bool,
}

impl Worker {
    /// The mine is in the east, the base in the west.
    fn destination(&self) -> (u16, u16) {
        (if self.has_ore { 2 } else { 33 }, self.y)
    }
}

/// A worker is drawn as `o` when it carries ore and as `u` when it does not.
fn letters(world: &World, workers: &[Worker]) -> Vec<(Cell, char)> {
    let places = workers.iter().filter_map(|worker| Some((world.location(worker.unit)?, worker)));
    places.map(|((at, _), worker)| (at, if worker.has_ore { 'o' } else { 'u' })).collect()
}
