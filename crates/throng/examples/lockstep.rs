//! Lockstep of two worlds: peers exchange commands, never positions.
//!
//! Both peers apply the same commands before the same tick. The state hash of every tick shows
//! that they agree; when a command is lost, the hashes differ in the same tick.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

mod ascii;

use throng::prelude::*;
use throng::world::{Applied, Command};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = WorldOptions::default();
    let mut host = World::new(Map::empty(24, 8)?, options)?;
    let mut guest = World::new(Map::empty(24, 8)?, WorldOptions { threads: 2, ..options })?;

    // Every unit is spawned by a command, so that both worlds give it the same id.
    let spawn = Spawn::new(MovementProfile::eight_connected());
    let mut units = Vec::new();
    for y in 0..8 {
        let command = Command::Spawn { at: Cell::new(1, y), spawn: spawn.clone() };
        guest.apply(&command)?;
        if let Applied::Spawned(unit) = host.apply(&command)? {
            units.push(unit);
        }
    }
    for tick in 0..30 {
        for command in commands(tick, &units) {
            host.apply(&command)?;
            guest.apply(&command)?;
        }
        let (ours, theirs) = (host.tick().hash, guest.tick().hash);
        if ours != theirs {
            return Err(format!("desync at tick {tick}").into());
        }
        if tick % 10 == 9 {
            println!("tick {:2}: both worlds have the hash {ours:016x}", host.now().0);
        }
    }
    println!("{}", ascii::draw(host.map(), host.steps().iter().map(|step| (step.at, 'u'))));

    // The guest loses a command.
    host.apply(&Command::Order { unit: units[0], order: Order::go((1, 1)) })?;
    let is_equal = host.tick().hash == guest.tick().hash;
    println!(
        "after a lost command the hashes are {}",
        if is_equal { "equal" } else { "different" }
    );
    Ok(())
}

/// What the players did before this tick.
fn commands(tick: u64, units: &[UnitId]) -> Vec<Command> {
    match tick {
        0 => vec![Command::OrderGroup { units: units.to_vec(), spot: Cell::new(20, 4) }],
        5 => vec![Command::Fill { rect: Rect::new(Cell::new(12, 0), 1, 7), terrain: Map::WALL }],
        8 => vec![Command::Order { unit: units[7], order: Order::go((2, 6)) }],
        _ => Vec::new(),
    }
}
