//! The same commands give the same world, tick by tick, for any number of threads.

use rand::RngExt;
use throng_model::{Cell, Map, MovementProfile, UnitId};
use throng_world::{Event, Order, Spawn, World, WorldOptions};

/// A large map, so that units have routes and threads have something to do: orders, edits,
/// units that come and go.
fn run(options: WorldOptions, ticks: u32) -> Vec<(u64, Vec<Event>, u64)> {
    let mut rng = throng_testkit::rng(2005);
    let map = throng_testkit::random_map(77, 180, 120, 20);
    let mut world = World::new(map, options).unwrap();
    let cell = |rng: &mut rand_pcg::Pcg64Mcg| {
        Cell::new(rng.random_range(0..180), rng.random_range(0..120))
    };
    let kinds = [(1, 1), (1, 2), (2, 1), (1, 1)].map(|(footprint, pace)| {
        Spawn::new(MovementProfile { footprint, pace, ..MovementProfile::eight_connected() })
    });
    let mut told = Vec::new();
    for tick in 0..ticks {
        for kind in &kinds {
            let at = cell(&mut rng);
            let _ = world.spawn(at, kind);
        }
        let units: Vec<UnitId> = world.units().collect();
        for &unit in &units {
            if rng.random_range(0..12) == 0 {
                world.order(unit, Order::go(cell(&mut rng))).unwrap();
            }
        }
        if tick % 5 == 4 {
            let at = cell(&mut rng);
            let terrain = if rng.random_range(0..2) == 0 { Map::WALL } else { Map::GROUND };
            world.paint(&[at], terrain).unwrap();
            let unit = units[rng.random_range(0..units.len() as u32) as usize];
            world.remove(unit).unwrap();
        }
        let report = world.tick();
        told.push((report.hash, report.events.to_vec(), report.expanded));
    }
    told
}

fn with(threads: usize, expansions: Option<u64>) -> WorldOptions {
    WorldOptions { threads, expansions_per_tick: expansions, ..WorldOptions::default() }
}

fn check_threads(expansions: Option<u64>) -> Vec<u64> {
    let alone = run(with(1, expansions), 60);
    for threads in [0, 2, 8] {
        let many = run(with(threads, expansions), 60);
        for (tick, (a, b)) in alone.iter().zip(&many).enumerate() {
            assert_eq!(a, b, "tick {tick} with {threads} threads");
        }
    }
    alone.into_iter().map(|(hash, _, _)| hash).collect()
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let hashes = check_threads(None);
    let mut distinct = hashes.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), hashes.len(), "every tick has its own hash");
}

#[test]
fn with_a_budget_the_number_of_threads_changes_nothing() {
    let free = check_threads(None);
    for expansions in [100, 3000] {
        assert_ne!(check_threads(Some(expansions)), free);
    }
}

/// If this changes, worlds that were recorded with an older version play out differently:
/// change it knowingly.
#[test]
fn the_hash_of_a_fixed_scenario_is_pinned() {
    let told = run(with(2, None), 60);
    let text = format!("{told:?}");
    assert_eq!(format!("{:016x}", throng_testkit::hash(&without_generations(&text))), GOLDEN);
}

const GOLDEN: &str = "dc3d31504d24d10e";

#[test]
fn twins_stay_twins_and_a_clone_goes_its_own_way() {
    let (a, b) = (run(with(1, None), 40), run(with(1, None), 40));
    assert_eq!(a, b);
    let mut world = World::new(Map::empty(30, 30).unwrap(), WorldOptions::default()).unwrap();
    let spawn = Spawn::new(MovementProfile::eight_connected());
    let units: Vec<UnitId> =
        (0..20).map(|x| world.spawn(Cell::new(x, x), &spawn).unwrap()).collect();
    units.iter().for_each(|&unit| world.order(unit, Order::go((29, 0))).unwrap());
    (0..7).for_each(|_| drop(world.tick().events.to_vec()));
    let mut twin = world.clone();
    for _ in 0..30 {
        let (a, b) = (world.tick().hash, twin.tick().hash);
        assert_eq!(a, b);
    }
    twin.order(units[3], Order::go((0, 29))).unwrap();
    assert_ne!(world.tick().hash, twin.tick().hash);
}

/// So many units that hundreds plan in a tick, in batches, on several threads; and so many in one
/// corner that hundreds are in a crowd.
fn many_units(threads: usize) -> World {
    let mut rng = throng_testkit::rng(1968);
    let map = throng_testkit::random_map(7, 256, 200, 8);
    let mut world = World::new(map, with(threads, None)).unwrap();
    let slow = MovementProfile { pace: 2, ..MovementProfile::eight_connected() };
    let kinds = [MovementProfile::eight_connected(), slow].map(Spawn::new);
    let mut cell = || Cell::new(rng.random_range(0..256), rng.random_range(0..200));
    for number in 0..5_500_u16 {
        let (at, corner) = (cell(), Cell::new(number % 32, number / 32 % 32));
        let start = if number < 1_000 { corner } else { at };
        let spawned = world.spawn(start, &kinds[usize::from(number % 9 == 0)]);
        if let Ok(unit) = spawned {
            world.order(unit, Order::go(cell())).unwrap();
        }
    }
    world
}

/// Also after a snapshot that is restored for another number of threads.
#[test]
fn units_that_plan_at_the_same_time_plan_the_same_on_any_number_of_threads() {
    let mut alone = many_units(1);
    let mut others = [2, 8].map(many_units);
    for tick in 0..24 {
        let report = alone.tick();
        for world in &mut others {
            assert_eq!(world.tick(), report, "tick {tick}, {} threads", world.options().threads);
        }
        if tick == 12 {
            let saved = others.each_ref().map(World::snapshot);
            let [two, eight] = saved.map(|saved| move |threads| World::restore(&saved, threads));
            others = [two(8).unwrap(), eight(1).unwrap()];
        }
    }
    assert_eq!(format!("{:016x}", alone.hash()), GOLDEN_MANY);
}

const GOLDEN_MANY: &str = "7de3769a2612f591";

/// The text with every id as its slot: the hash was pinned before ids had generations.
fn without_generations(text: &str) -> String {
    let mut parts = text.split("UnitId(");
    let mut slots = parts.next().unwrap().to_owned();
    for part in parts {
        let (bits, rest) = part.split_once(')').unwrap();
        let slot = UnitId::from_bits(bits.parse().unwrap()).index();
        slots += &format!("UnitId({slot}){rest}");
    }
    slots
}
