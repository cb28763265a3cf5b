//! A hundred pursuers of targets that wander in a town. For measurements of processor time:
//!
//! `time pursuers chase 4000` minus `time pursuers hold 4000` is what 400,000 pursuits of a tick cost.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use throng_model::{Cell, Map, MovementProfile, Rect, Tick};
use throng_world::{Event, Order, Spawn, Team, World, WorldOptions};

const PAIRS: u16 = 100;

/// Blocks of houses with streets of four cells.
fn town() -> Result<Map, Box<dyn std::error::Error>> {
    let mut map = Map::empty(128, 128)?;
    for (x, y) in (0..12).flat_map(|y| (0..12).map(move |x| (x, y))) {
        map.fill(Rect::new(Cell::new(4 + 10 * x, 4 + 10 * y), 6, 6), Map::WALL)?;
    }
    Ok(map)
}

/// A cell on a street, drawn by a number.
fn street(number: u32) -> Cell {
    let drawn = number.wrapping_mul(2_654_435_761) >> 8;
    Cell::new((drawn % 12 * 10 + 1) as u16, (drawn / 12 % 120) as u16)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let chases = arguments.next().is_some_and(|how| how == "chase");
    let ticks = arguments.next().map_or(Ok(4000), |ticks| ticks.parse())?;
    let mut world = World::new(town()?, WorldOptions::default())?;
    let quick = Spawn::new(MovementProfile::eight_connected());
    let slow = MovementProfile { pace: 2, ..MovementProfile::eight_connected() };
    let slow = Spawn::new(slow).with_team(Team(1));
    let mut targets = Vec::new();
    for number in 0..u32::from(PAIRS) {
        let at = world.free_cell_near(street(number), &slow).ok_or("no room")?;
        let target = world.spawn(at, &slow)?;
        let beat = (0..8).map(|leg| street(1000 + number * 8 + leg)).collect();
        world.order(target, Order::Patrol(beat))?;
        let at = world.free_cell_near(street(500 + number), &quick).ok_or("no room")?;
        let hunter = world.spawn(at, &quick)?;
        let order = if chases { Order::chase(target, 1) } else { Order::Hold };
        world.order(hunter, order)?;
        targets.push((hunter, target));
    }
    let mut reached = 0;
    while world.now() < Tick(ticks) {
        for event in world.tick().events {
            // The one that has reached its target goes after the next one.
            if let Event::Reached { unit, .. } = event {
                reached += 1;
                let next = targets[(unit.index() / 2 + 7 * reached) % targets.len()].1;
                world.order(unit, Order::chase(next, 1))?;
            }
        }
    }
    println!("{reached} targets reached by {PAIRS} pursuers in {ticks} ticks");
    Ok(())
}
