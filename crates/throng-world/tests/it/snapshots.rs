//! A world that is restored goes on as the one that was saved; what is not a snapshot is
//! refused.

use rand::RngExt;
use throng_cooperative::PlanningOptions;
use throng_model::{Cell, Map, MovementProfile};
use throng_spacetime::PassingRule;
use throng_testkit::{random_map, random_terrain, rng};
use throng_world::{Event, FileError, Order, SnapshotError, Spawn, World, WorldOptions};

use crate::random_commands::command;

/// All queries give the same answers for both worlds.
fn assert_same(world: &World, other: &World) {
    let now = world.now();
    assert_eq!(now, other.now());
    assert_eq!((world.hash(), world.expanded()), (other.hash(), other.expanded()));
    let claims = |world: &World| world.reservations().sorted_claims();
    assert_eq!(claims(world), claims(other), "at tick {now}");
    for unit in world.units() {
        assert_eq!(world.plan(unit), other.plan(unit));
        assert_eq!(world.why(unit), other.why(unit));
        assert_eq!(world.status(unit), other.status(unit));
        assert_eq!(world.current_order(unit), other.current_order(unit));
    }
    assert_eq!(world.map().terrain(), other.map().terrain());
    assert_eq!(world.map().classes(), other.map().classes());
}

/// Plays a random game, and beside it the same one whose world is saved and restored before
/// every tick: what is lost once is lost for good. Gives how many arrived somewhere.
fn check_in_step(map: Map, options: WorldOptions, seed: u64, ticks: u32) -> usize {
    let mut rng = rng(seed);
    let mut world = World::new(map, options).unwrap();
    let mut other = world.clone();
    let mut arrived = 0;
    for tick in 0..ticks {
        let busy = if tick == 0 { 60 } else { rng.random_range(0..3_u32) };
        for _ in 0..busy {
            let command = command(&mut rng, &world);
            assert_eq!(world.apply(&command).is_ok(), other.apply(&command).is_ok());
        }
        let bytes = world.snapshot();
        assert_eq!(bytes, other.snapshot(), "before tick {tick}");
        other = World::restore(&bytes, 1 + seed as usize % 3).unwrap();
        assert_eq!(bytes, other.snapshot(), "restored before tick {tick}");
        assert_same(&world, &other);
        let report = world.tick();
        assert_eq!(report, other.tick());
        assert_eq!(world.steps(), other.steps(), "at tick {}", report.tick);
        assert_same(&world, &other);
        let events = report.events.iter();
        arrived += events.filter(|event| matches!(event, Event::Arrived { .. })).count();
    }
    arrived
}

fn budget(expansions: u64) -> WorldOptions {
    WorldOptions { expansions_per_tick: Some(expansions), ..WorldOptions::default() }
}

#[test]
fn restored_before_every_tick_it_stays_in_step() {
    let planning =
        PlanningOptions { interleaved: false, resting_yield: false, ..PlanningOptions::default() };
    let options = [
        WorldOptions::default(),
        budget(1),
        budget(40),
        budget(700),
        WorldOptions { passing: PassingRule::DoubleClaims, ..budget(300) },
        WorldOptions { planning, window: 6, ..budget(2000) },
        WorldOptions { planning: PlanningOptions { complete: true, ..planning }, ..budget(2000) },
    ];
    let games = (0..).zip(options).map(|(seed, options)| {
        check_in_step(random_terrain(seed, 24, 20, 12, 3), options, seed, 250)
    });
    let arrived: Vec<usize> = games.collect();
    assert!(arrived.iter().filter(|&&count| count > 20).count() >= 5, "dull games: {arrived:?}");
}

/// Maps with more than 16384 cells have routes instead of exact distances.
#[test]
fn restored_before_every_tick_it_stays_in_step_on_a_large_map_too() {
    for (seed, options, least) in [(1, budget(40), 0), (2, budget(3000), 3)] {
        let map = random_terrain(seed, 150, 120, 10, 2);
        let arrived = check_in_step(map, options, seed, 150);
        assert!(arrived >= least, "a dull game: {arrived} arrived");
    }
}

/// A world in which all kinds of things happen, some ticks on.
fn busy_world(seed: u64, ticks: u32) -> World {
    let mut rng = rng(seed);
    let mut world = World::new(random_terrain(seed, 24, 20, 12, 3), budget(400)).unwrap();
    for tick in 0..ticks {
        for _ in 0..if tick == 0 { 80 } else { 2 } {
            let _ = world.apply(&command(&mut rng, &world));
        }
        world.tick();
    }
    world
}

#[test]
fn no_part_and_no_prefix_of_a_snapshot_is_one() {
    let bytes = busy_world(3, 20).snapshot();
    for cut in 0..bytes.len() {
        let refused = World::restore(&bytes[..cut], 1).unwrap_err();
        let truncated = matches!(refused, SnapshotError::File(FileError::Truncated { .. }));
        assert!(truncated, "cut at {cut}: {refused}");
    }
    let longer = [&bytes[..], b"!"].concat();
    assert_eq!(World::restore(&longer, 1).unwrap_err(), FileError::TooLong(1).into());
}

#[test]
fn every_flipped_bit_is_noticed() {
    let bytes = busy_world(4, 20).snapshot();
    let mut flipped = bytes.clone();
    for at in 0..bytes.len() {
        flipped[at] ^= 1 << (at % 8);
        assert!(World::restore(&flipped, 1).is_err(), "byte {at}");
        flipped[at] = bytes[at];
    }
    let refused = |at: usize, byte: u8| {
        let mut changed = bytes.clone();
        changed[at] = byte;
        World::restore(&changed, 1).unwrap_err()
    };
    assert_eq!(refused(0, b'?'), FileError::Foreign("snapshot").into());
    assert_eq!(refused(8, 10), FileError::Version { found: 10, known: 9 }.into());
    assert_eq!(refused(40, bytes[40] ^ 1), FileError::Damaged.into());
}

/// Puts the right checksum on what was changed: FNV-1a over all but itself.
pub(crate) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = (bytes.len() as u64 - 28).to_le_bytes();
    bytes[12..20].copy_from_slice(&length);
    let all = bytes[..20].iter().chain(&bytes[28..]);
    let sum = all.fold(0xcbf2_9ce4_8422_2325_u64, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    bytes[20..28].copy_from_slice(&sum.to_le_bytes());
    bytes
}

fn run(world: &mut World, ticks: u32) {
    for _ in 0..ticks {
        world.tick();
    }
}

/// No two bodies cover one cell.
fn assert_no_overlap(world: &World) {
    let mut covered = std::collections::BTreeMap::new();
    for step in world.steps() {
        let side = u16::from(world.movement(step.unit).unwrap().footprint);
        for cell in throng_model::Rect::new(step.at, side, side).cells() {
            let other = covered.insert((cell.x, cell.y), step.unit);
            assert_eq!(other, None, "{} is on {cell}, too", step.unit);
        }
    }
}

#[test]
fn forged_snapshots_are_refused_or_make_a_world_that_runs() {
    let (mut accepted, mut impossible, mut malformed) = (0, 0, 0);
    for seed in 5..9 {
        let mut rng = rng(seed);
        let bytes = busy_world(seed, 15).snapshot();
        for _ in 0..1500 {
            let mut forged = bytes.clone();
            for _ in 0..rng.random_range(1..4_u32) {
                let at = rng.random_range(28..bytes.len() as u32) as usize;
                forged[at] = rng.random_range(0..=255);
            }
            match World::restore(&sealed(forged), 1) {
                Ok(mut world) => {
                    for _ in 0..4 {
                        world.tick();
                        assert_no_overlap(&world);
                    }
                    accepted += 1;
                }
                Err(SnapshotError::Impossible { .. } | SnapshotError::Memory(_)) => impossible += 1,
                Err(SnapshotError::File(FileError::Malformed { at })) => {
                    assert!((28..=bytes.len()).contains(&at));
                    malformed += 1;
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
    let all = [accepted, impossible, malformed];
    assert!(all.iter().all(|&count| count > 100), "{all:?}");
}

#[test]
fn bodies_in_one_place_are_refused() {
    let spawn = Spawn::new(MovementProfile::four_connected());
    let world = |x: u16| {
        let mut world = World::new(Map::empty(9, 1).unwrap(), WorldOptions::default()).unwrap();
        world.spawn(Cell::new(2, 0), &spawn).unwrap();
        world.spawn(Cell::new(x, 0), &spawn).unwrap();
        world.snapshot()
    };
    let (near, far) = (world(3), world(8));
    assert_eq!(near.len(), far.len());
    // The position of the second unit is the last byte of content in which the two differ.
    let at = (28..near.len()).rev().find(|&at| near[at] != far[at]).unwrap();
    assert_eq!((near[at], far[at]), (3, 8));
    let with = |position: u8| {
        let mut forged = near.clone();
        forged[at] = position;
        World::restore(&sealed(forged), 1).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(with(5), Ok(()));
    assert!(with(2).unwrap_err().contains("unit 1 and unit 0 collide at tick 0"));
    assert!(with(9).unwrap_err().contains("position 9 is off the map"));
}

/// Bounds on the bytes of a unit and of a map, so that growth is noticed.
#[test]
fn snapshots_are_small() {
    let mut town = Map::empty(1024, 1024).unwrap();
    for block in 0..32 * 32_u16 {
        let origin = Cell::new(block % 32 * 32 + 4, block / 32 * 32 + 4);
        let (width, height) = (12 + block % 7, 10 + block % 11);
        town.fill(throng_model::Rect::new(origin, width, height), Map::WALL).unwrap();
    }
    let mut world = World::new(town, WorldOptions::default()).unwrap();
    let empty = world.snapshot().len();
    let mut rng = rng(1);
    let spawn = Spawn::new(MovementProfile::eight_connected());
    let mut units = 0;
    while units < 500 {
        let at = Cell::new(rng.random_range(0..1024), rng.random_range(0..1024));
        let to = Cell::new(rng.random_range(0..1024), rng.random_range(0..1024));
        if let Ok(unit) = world.spawn(at, &spawn) {
            world.order(unit, Order::go(to)).unwrap();
            units += 1;
        }
    }
    let idle = (world.snapshot().len() - empty) / 500;
    run(&mut world, 10);
    let going = (world.snapshot().len() - empty) / 500;
    // 7,070 for the town; 61 for a unit with an order, 117 when it has its route and plan.
    assert!(empty < 8_000, "{empty} bytes for the town");
    assert!(idle < 65 && going < 121, "{idle} and {going} bytes per unit");
    let noise = World::new(random_map(1, 1024, 1024, 20), WorldOptions::default()).unwrap();
    assert!(noise.snapshot().len() < 560_000, "half a byte a cell where nothing repeats");
}
