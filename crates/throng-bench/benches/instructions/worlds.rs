//! Ticks of live worlds, with room and in a crowd: what a unit costs per tick.

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;
use throng_lab::generate;
use throng_model::{Cell, Map, MovementProfile, Rect, UnitId};
use throng_world::{Event, Order, Spawn, World, WorldOptions};

use crate::loops::{counted_part, text};

/// Ticks before anything counts, and ticks that count.
const WARM_UP: u32 = 10;
const TICKS: u32 = 40;

/// 1,000 units with much room. One that arrives gets another goal.
pub(crate) fn sparse() -> Result<(), String> {
    const SIDE: u16 = 316;
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let map = generate::random(SIDE.into(), SIDE.into(), 5, 1).map_err(text)?;
    let mut world = World::new(map, WorldOptions::default()).map_err(text)?;
    let spawn = Spawn::new(MovementProfile::eight_connected());
    let mut any = move || Cell::new(rng.random_range(0..SIDE), rng.random_range(0..SIDE));
    while world.units().count() < 1_000 {
        // Some cells are walls or taken.
        let _ = world.spawn(any(), &spawn);
    }
    for unit in world.units().collect::<Vec<_>>() {
        world.order(unit, Order::go(any())).map_err(text)?;
    }
    run(&mut world, |world, unit| {
        // Some goals are walls.
        let _ = world.order(unit, Order::go(any()));
    });
    Ok(())
}

/// 500 units change sides through a door of two cells.
pub(crate) fn crowd() -> Result<(), String> {
    const SIDE: u16 = 64;
    let mut map = Map::empty(SIDE.into(), SIDE.into()).map_err(text)?;
    let wall = |y, height| Rect::new(Cell::new(SIDE / 2, y), 1, height);
    map.fill(wall(0, 31), Map::WALL).map_err(text)?;
    map.fill(wall(33, 31), Map::WALL).map_err(text)?;
    let mut world = World::new(map, WorldOptions::default()).map_err(text)?;
    let spawn = Spawn::new(MovementProfile::eight_connected());
    for number in 0..250_u16 {
        let (x, y) = (number % 10, 2 * (number / 10) + 7);
        for (from, to) in [(20 + x, 53 - x), (43 - x, 10 + x)] {
            let unit = world.spawn(Cell::new(from, y), &spawn).map_err(text)?;
            world.order(unit, Order::go((to, y))).map_err(text)?;
        }
    }
    run(&mut world, |_, _| ());
    Ok(())
}

fn run(world: &mut World, mut arrived: impl FnMut(&mut World, UnitId)) {
    let mut ticks = |count: u32| {
        for _ in 0..count {
            for event in world.tick().events {
                if let Event::Arrived { unit, .. } | Event::Unreachable { unit } = event {
                    arrived(world, unit);
                }
            }
        }
    };
    ticks(WARM_UP);
    counted_part(|| ticks(TICKS));
}
