//! The cost of a hundred pursuers of targets that wander in a town: the time of a world in which they
//! chase, less that of the same world in which they hold their positions. Beside it the cost of
//! units that walk through the same town without a target.

use throng_model::{Cell, Map, MovementProfile, Rect};
use throng_world::{Event, Order, Spawn, Team, World, WorldOptions};

const PAIRS: u32 = 100;

/// What was measured.
pub(crate) struct Pursuit {
    /// Microseconds per pursuer and tick, and per unit that patrols instead.
    pub(crate) each_us: f64,
    pub(crate) walking_us: f64,
    pub(crate) reached: usize,
    pub(crate) hash: u64,
}

/// What the hundred units do.
#[derive(Clone, Copy, PartialEq)]
enum Hunters {
    Hold,
    Patrol,
    Chase,
}

/// Blocks of houses with streets of four cells.
fn town() -> Result<Map, String> {
    let mut map = Map::empty(128, 128).map_err(|error| error.to_string())?;
    for (x, y) in (0..12).flat_map(|y| (0..12).map(move |x| (x, y))) {
        let house = Rect::new(Cell::new(4 + 10 * x, 4 + 10 * y), 6, 6);
        map.fill(house, Map::WALL).map_err(|error| error.to_string())?;
    }
    Ok(map)
}

/// A cell on a street, drawn by a number.
fn street(number: u32) -> Cell {
    let drawn = number.wrapping_mul(2_654_435_761) >> 8;
    Cell::new((drawn % 12 * 10 + 1) as u16, (drawn / 12 % 120) as u16)
}

/// Measures so many ticks.
pub(crate) fn run(ticks: usize) -> Result<Pursuit, String> {
    let (holding, _, _) = run_one(Hunters::Hold, ticks)?;
    let (walking, _, _) = run_one(Hunters::Patrol, ticks)?;
    let (chasing, reached, hash) = run_one(Hunters::Chase, ticks)?;
    let [each_us, walking_us] = [chasing, walking]
        .map(|seconds| (seconds - holding) * 1e6 / (ticks as f64 * f64::from(PAIRS)));
    Ok(Pursuit { each_us, walking_us, reached, hash })
}

/// The seconds that the ticks take, how many targets are reached, and the hash at the end.
#[expect(clippy::disallowed_types, reason = "a measurement")]
fn run_one(hunters: Hunters, ticks: usize) -> Result<(f64, usize, u64), String> {
    let (mut world, targets) = world(hunters).map_err(|error| error.to_string())?;
    let (mut reached, mut seconds) = (0, 0.0);
    for _ in 0..ticks {
        let begin = std::time::Instant::now();
        let events = world.tick().events;
        for event in events {
            // The one that has reached its target goes after the next one.
            if let Event::Reached { unit, .. } = event {
                reached += 1;
                let next = targets[(unit.index() / 2 + 7 * reached) % targets.len()];
                world.order(unit, Order::chase(next, 1)).map_err(|error| error.to_string())?;
            }
        }
        seconds += begin.elapsed().as_secs_f64();
    }
    Ok((seconds, reached, world.hash()))
}

/// The world, and the targets.
fn world(
    hunters: Hunters,
) -> Result<(World, Vec<throng_model::UnitId>), Box<dyn std::error::Error>> {
    let mut world = World::new(town()?, WorldOptions::default())?;
    let quick = Spawn::new(MovementProfile::eight_connected());
    let slow = MovementProfile { pace: 2, ..MovementProfile::eight_connected() };
    let slow = Spawn::new(slow).with_team(Team(1));
    let mut targets = Vec::new();
    for number in 0..PAIRS {
        let at = world.free_cell_near(street(number), &slow).ok_or("no room")?;
        let target = world.spawn(at, &slow)?;
        let beat = |from: u32| (0..8).map(|leg| street(from + number * 8 + leg)).collect();
        world.order(target, Order::Patrol(beat(1000)))?;
        let at = world.free_cell_near(street(500 + number), &quick).ok_or("no room")?;
        let hunter = world.spawn(at, &quick)?;
        let order = match hunters {
            Hunters::Hold => Order::Hold,
            Hunters::Patrol => Order::Patrol(beat(3000)),
            Hunters::Chase => Order::chase(target, 1),
        };
        world.order(hunter, order)?;
        targets.push(target);
    }
    Ok((world, targets))
}
