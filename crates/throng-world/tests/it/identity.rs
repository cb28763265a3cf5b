//! Ids that are never given to another unit, steps that begin where a unit was spawned, and
//! movement profiles that are freed.

use throng_model::{Map, MovementProfile};
use throng_world::{Spawn, World, WorldError, WorldOptions};

fn world() -> World {
    World::new(Map::empty(12, 12).unwrap(), WorldOptions::default()).unwrap()
}

fn scout() -> Spawn {
    Spawn::new(MovementProfile::four_connected())
}

#[test]
fn a_stale_id_is_an_error_and_never_another_unit() {
    let mut world = world();
    let first = world.spawn((1, 1), &scout()).unwrap();
    world.remove(first).unwrap();
    let second = world.spawn((5, 5), &scout()).unwrap();
    assert_eq!(first.index(), second.index(), "the slot is reused");
    assert_ne!(first, second);
    let gone = Err(WorldError::NoSuchUnit(first));
    assert_eq!(world.order(first, (3, 3)), gone);
    assert_eq!(world.queue_order(first, (3, 3)), gone);
    assert_eq!(world.remove(first), gone);
    assert_eq!(world.teleport(first, (3, 3)), gone);
    assert_eq!(world.status(first), None);
    assert_eq!(world.location(first), None);
    let restored = World::restore(&world.snapshot(), 1).unwrap();
    assert_eq!((restored.status(first), restored.status(second)), (None, world.status(second)));
}

#[test]
fn the_first_step_begins_where_the_unit_was_spawned() {
    let mut world = world();
    let first = world.spawn((1, 1), &scout()).unwrap();
    world.tick();
    world.remove(first).unwrap();
    let second = world.spawn((8, 8), &scout()).unwrap();
    world.order(second, (8, 3)).unwrap();
    world.tick();
    let step = world.steps()[0];
    assert_eq!((step.unit, step.from), (second, (8, 8).into()));
    assert_eq!(step.at, (8, 7).into(), "it has moved in its first tick");
}

#[test]
fn profiles_of_removed_units_are_freed() {
    let mut world = world();
    let spawn = |kind: u32| {
        let movement = MovementProfile {
            footprint: 1 + (kind % 4) as u8,
            pace: 1 + (kind / 4) as u8,
            ..MovementProfile::eight_connected()
        };
        Spawn::new(movement)
    };
    for kind in 0..100 {
        let unit = world.spawn((2, 2), &spawn(kind)).unwrap();
        world.order(unit, (7, 7)).unwrap();
        world.tick();
        world.remove(unit).unwrap();
    }
    let building = throng_model::Building::with_doors("barracks", vec![(0, 0).into()]);
    let building = world.add_building(building).unwrap();
    for kind in 0..64 {
        world.spawn_inside(building, &spawn(kind)).unwrap();
    }
    let refused = world.spawn_inside(building, &spawn(64)).unwrap_err();
    assert_eq!(refused, WorldError::TooManyProfiles(64));
}

#[test]
fn orders_can_be_given_while_events_are_read() {
    let mut world = world();
    let unit = world.spawn((1, 1), &scout()).unwrap();
    world.order(unit, (1, 3)).unwrap();
    let mut arrivals = 0;
    for _ in 0..12 {
        for event in world.tick().events {
            if let throng_world::Event::Arrived { unit, .. } = event {
                arrivals += 1;
                world.order(unit, [(1, 1), (4, 3)][arrivals % 2]).unwrap();
            }
        }
    }
    assert!(arrivals >= 2, "{arrivals}");
}
