//! Layers: flyers over ground units, take-off and landing; and profiles that change in life.

use throng_model::{Cell, Factor, Map, MovementProfile, TerrainOverride};
use throng_world::{Layer, Spawn, UnitStatus, World, WorldError, WorldOptions};

use crate::refereed::RefereedWorld;

fn walker() -> MovementProfile {
    MovementProfile::eight_connected()
}

/// Walls are no obstacle in the air.
fn flyer() -> Spawn {
    let terrain = vec![TerrainOverride { terrain: Map::WALL, factor: Some(Factor::ONE) }];
    let movement = MovementProfile { terrain, ..MovementProfile::eight_connected() };
    Spawn::new(movement).with_layer(Layer::AIR)
}

#[test]
fn flyers_pass_over_units_and_walls_as_if_nobody_was_there() {
    let mut refereed = RefereedWorld::drawn("....#....\n....#....");
    let ground: Vec<_> = (0..4).map(|x| refereed.scout((x, 0))).collect();
    ground.iter().for_each(|&unit| refereed.world.order(unit, throng_world::Order::Hold).unwrap());
    let flyer = refereed.spawn(Cell::new(0, 0), &flyer()).unwrap();
    assert_eq!(refereed.world.unit_at((0, 0)), Some(ground[0]));
    assert_eq!(refereed.world.unit_on(Layer::AIR, (0, 0)), Some(flyer));
    refereed.go(flyer, (8, 0));
    let ticks = refereed.until(20, |r| r.world.status(flyer) == Some(UnitStatus::Arrived));
    assert!(ticks <= 9, "{ticks}");
    assert_eq!(ground.iter().map(|&unit| refereed.at(unit).x).collect::<Vec<_>>(), [0, 1, 2, 3]);
}

#[test]
fn a_unit_lands_where_there_is_room_and_is_told_who_is_in_the_way() {
    let mut refereed = RefereedWorld::drawn("......");
    let (below, above) = (refereed.scout((2, 0)), Spawn::new(walker()).with_layer(Layer::AIR));
    let above = refereed.spawn(Cell::new(2, 0), &above).unwrap();
    let refused = refereed.world.set_layer(above, Layer::GROUND);
    assert_eq!(refused, Err(WorldError::Occupied { cell: Cell::new(2, 0), by: below }));
    assert_eq!(refereed.world.layer(above), Some(Layer::AIR));
    refereed.go(below, (5, 0));
    refereed.go(above, (0, 0));
    refereed.ticks(2);
    refereed.world.set_layer(above, Layer::GROUND).unwrap();
    refereed.until(10, |r| r.world.status(above) == Some(UnitStatus::Arrived));
    assert_eq!(refereed.world.layer(above), Some(Layer::GROUND));
    assert_eq!(refereed.world.set_layer(above, Layer(8)), Err(WorldError::NoSuchLayer(8)));
}

/// Two groups cross on one cell each; on one layer they would block each other.
#[test]
fn layers_do_not_share_their_plans() {
    let run = |layer: Layer| {
        let mut refereed = RefereedWorld::new(Map::empty(9, 1).unwrap(), WorldOptions::default());
        let right = refereed.scout((0, 0));
        let spawn = Spawn::new(MovementProfile::four_connected()).with_layer(layer);
        let left = refereed.spawn(Cell::new(8, 0), &spawn).unwrap();
        refereed.go(right, (8, 0));
        refereed.go(left, (0, 0));
        refereed.ticks(12);
        [right, left].map(|unit| refereed.world.status(unit) == Some(UnitStatus::Arrived))
    };
    assert_eq!(run(Layer::UNDERGROUND), [true, true]);
    assert_ne!(run(Layer::GROUND), [true, true]);
}

#[test]
fn an_upgrade_changes_the_speed_of_a_unit_on_its_way() {
    let ticks = |change: Option<u32>| {
        let mut refereed = RefereedWorld::new(Map::empty(42, 3).unwrap(), WorldOptions::default());
        let slow = MovementProfile { pace: 4, ..walker() };
        let unit = refereed.spawn(Cell::new(0, 1), &Spawn::new(slow)).unwrap();
        refereed.go(unit, (40, 1));
        let mut before = 0;
        if let Some(after) = change {
            before = after;
            refereed.ticks(after);
            refereed.world.set_movement(unit, &walker()).unwrap();
        }
        before + refereed.until(200, |r| r.world.status(unit) == Some(UnitStatus::Arrived))
    };
    let (slow, upgraded, quick) = (ticks(None), ticks(Some(82)), ticks(Some(0)));
    assert!((160..=162).contains(&slow), "{slow}");
    assert!((100..=106).contains(&upgraded), "{upgraded}");
    assert!((40..=42).contains(&quick), "{quick}");
}

#[test]
fn a_unit_that_grows_needs_room() {
    let mut refereed = RefereedWorld::drawn("....\n....");
    let (unit, other) = (refereed.scout((0, 0)), refereed.scout((1, 1)));
    let large = MovementProfile { footprint: 2, ..walker() };
    let refused = refereed.world.set_movement(unit, &large);
    assert_eq!(refused, Err(WorldError::Occupied { cell: Cell::new(0, 0), by: other }));
    let snapshot = refereed.world.snapshot();
    assert!(refereed.world.set_movement(unit, &large).is_err());
    assert!(refereed.world.snapshot() == snapshot, "a refused change changed the world");
    refereed.world.remove(other).unwrap();
    refereed.world.set_movement(unit, &large).unwrap();
    assert_eq!(refereed.world.unit_at((1, 1)), Some(unit));
    refereed.tick();
}

#[test]
fn layers_and_teams_are_saved() {
    let mut world = World::new(Map::empty(8, 8).unwrap(), WorldOptions::default()).unwrap();
    let unit = world.spawn((1, 1), &flyer().with_team(throng_world::Team(3))).unwrap();
    world.order(unit, (7, 7)).unwrap();
    world.tick();
    let mut restored = World::restore(&world.snapshot(), 2).unwrap();
    assert_eq!((restored.layer(unit), restored.team(unit)), (world.layer(unit), world.team(unit)));
    (0..9).for_each(|_| assert_eq!(restored.tick(), world.tick()));
}
