//! Steps that differ in their ticks: diagonals of their own duration, and terrain that slows.

use rand::RngExt;
use throng_model::{
    Cell, DiagonalCost, Factor, Map, MovementError, MovementProfile, SlowTerrain, TerrainClass,
    TerrainId, UnitId,
};
use throng_world::{
    Command, Event, Order, Spawn, Team, UnitStatus, World, WorldError, WorldOptions,
};

use crate::refereed::RefereedWorld;

const SWAMP: TerrainId = TerrainId(2);

/// 5 ticks straight on, 7 diagonally, twice as long onto swamp.
fn marcher() -> MovementProfile {
    MovementProfile {
        pace: 5,
        diagonal: DiagonalCost::Ticks(7),
        slow: vec![SlowTerrain { terrain: SWAMP, times: 2 }],
        ..MovementProfile::eight_connected()
    }
}

/// One tick per step, three onto swamp, two diagonally.
fn runner() -> MovementProfile {
    MovementProfile {
        diagonal: DiagonalCost::Ticks(2),
        slow: vec![SlowTerrain { terrain: SWAMP, times: 3 }],
        ..MovementProfile::eight_connected()
    }
}

fn map(width: u16, height: u16) -> Map {
    let classes = vec![
        TerrainClass::passable("ground", '.', Factor::ONE),
        TerrainClass::blocked("wall", '@'),
        TerrainClass::passable("swamp", 'S', Factor::ONE),
    ];
    let cells = vec![Map::GROUND; usize::from(width) * usize::from(height)];
    Map::new(width, height, classes, cells).unwrap()
}

/// The ticks that a lone unit needs.
fn ticks(map: Map, movement: &MovementProfile, from: (u16, u16), to: (u16, u16)) -> u32 {
    let mut refereed = RefereedWorld::new(map, WorldOptions::default());
    let unit = refereed.spawn(from.into(), &Spawn::new(movement.clone())).unwrap();
    refereed.go(unit, to);
    refereed.until(400, |r| r.world.status(unit) == Some(UnitStatus::Arrived))
}

#[test]
fn a_diagonal_step_takes_its_own_ticks() {
    // A straight way of 10 steps, a diagonal one, and one of both kinds.
    assert_eq!(ticks(map(20, 20), &marcher(), (1, 1), (11, 1)), 50);
    assert_eq!(ticks(map(20, 20), &marcher(), (1, 1), (11, 11)), 70);
    assert_eq!(ticks(map(20, 20), &marcher(), (1, 1), (11, 5)), 4 * 7 + 6 * 5);
    let even = MovementProfile { diagonal: DiagonalCost::TrueLength, ..marcher() };
    assert_eq!(ticks(map(20, 20), &even, (1, 1), (11, 11)), 50);
}

#[test]
fn terrain_slows() {
    let mut swampy = map(20, 3);
    swampy.fill(throng_model::Rect::new(Cell::new(5, 0), 4, 3), SWAMP).unwrap();
    assert_eq!(ticks(swampy.clone(), &marcher(), (1, 1), (11, 1)), 6 * 5 + 4 * 10);
    assert_eq!(ticks(swampy.clone(), &runner(), (1, 1), (11, 1)), 6 + 4 * 3);
    // A body of two cells is slow as long as one of them is in the swamp.
    let tank = MovementProfile { footprint: 2, ..marcher() };
    assert_eq!(ticks(swampy, &tank, (1, 1), (11, 1)), 5 * 5 + 5 * 10);
}

/// A way around of 18 steps takes 90 ticks, the way through the swamp 6 * 5 + 8 * 10 = 110.
#[test]
fn units_take_the_quickest_way() {
    let mut swampy = map(17, 7);
    let swamp: Vec<Cell> = (4..12).flat_map(|x| (2..7).map(move |y| Cell::new(x, y))).collect();
    swampy.paint(&swamp, SWAMP).unwrap();
    let four = MovementProfile { neighbours: throng_model::Neighbours::Four, ..marcher() };
    assert_eq!(ticks(swampy.clone(), &four, (1, 3), (15, 3)), 90);
    swampy
        .paint(&(0..8).map(|y| Cell::new(8, y)).filter(|c| c.y < 2).collect::<Vec<_>>(), Map::WALL)
        .unwrap();
    assert_eq!(ticks(swampy, &four, (1, 3), (15, 3)), 110);
}

/// A unit of four ticks per step is told to halt after any number of ticks: it stands on a cell
/// within four, and goes on as if it had not stood.
#[test]
fn a_unit_stops_and_goes_at_any_tick_of_a_step() {
    for halted_at in 0..13 {
        let mut refereed = RefereedWorld::new(Map::empty(12, 3).unwrap(), WorldOptions::default());
        let movement = MovementProfile { pace: 4, ..MovementProfile::eight_connected() };
        let unit = refereed.spawn(Cell::new(1, 1), &Spawn::new(movement)).unwrap();
        refereed.go(unit, (9, 1));
        refereed.ticks(halted_at);
        refereed.world.halt(unit).unwrap();
        let ended = refereed.until(4, |r| r.world.location(unit).unwrap().1.is_none());
        let at = refereed.at(unit);
        assert_eq!(at.x, 1 + (halted_at.div_ceil(4)) as u16, "halted at {halted_at}");
        refereed.ticks(7);
        assert_eq!(refereed.at(unit), at);
        refereed.world.resume(unit).unwrap();
        let left = refereed.until(60, |r| r.world.status(unit) == Some(UnitStatus::Arrived));
        assert_eq!(halted_at + ended + left, 32, "halted at {halted_at}");
    }
}

#[test]
fn a_step_in_progress_ends_as_it_began() {
    let mut refereed = RefereedWorld::new(map(12, 1), WorldOptions::default());
    let unit = refereed.spawn(Cell::new(1, 0), &Spawn::new(marcher())).unwrap();
    refereed.go(unit, (10, 0));
    refereed.ticks(2);
    let all: Vec<Cell> = (0..12).map(|x| Cell::new(x, 0)).collect();
    refereed.world.paint(&all, SWAMP).unwrap();
    let step = |r: &RefereedWorld| {
        let heading = r.world.location(unit).unwrap().1.unwrap();
        (heading.ticks_left, heading.ticks)
    };
    assert_eq!(step(&refereed), (3, 5));
    refereed.ticks(3);
    assert_eq!(refereed.at(unit), Cell::new(2, 0));
    refereed.ticks(4);
    refereed.world.paint(&all, Map::GROUND).unwrap();
    assert_eq!(step(&refereed), (6, 10));
    refereed.ticks(5);
    assert_eq!(refereed.at(unit), Cell::new(2, 0), "ten ticks from swamp to swamp");
    refereed.tick();
    assert_eq!(refereed.at(unit), Cell::new(3, 0));
    assert_eq!(refereed.until(40, |r| r.at(unit) == Cell::new(10, 0)), 35);
}

#[test]
fn interpolation_knows_how_long_each_step_takes() {
    let mut refereed = RefereedWorld::new(map(12, 12), WorldOptions::default());
    let unit = refereed.spawn(Cell::new(1, 1), &Spawn::new(marcher())).unwrap();
    refereed.go(unit, (9, 5));
    let mut at = (1.0, 1.0);
    for _ in 0..4 * 7 + 4 * 5 {
        refereed.tick();
        let step = refereed.world.steps()[0];
        assert_eq!(step.position_at(0.0), at);
        let next = step.position_at(1.0);
        let (dx, dy) = (next.0 - at.0, next.1 - at.1);
        let speed = f32::hypot(dx, dy) * 5.0;
        assert!((0.98..=1.02).contains(&speed), "{speed} at {at:?}");
        at = next;
    }
    assert_eq!(at, (9.0, 5.0));
}

#[test]
fn a_group_keeps_the_relation_of_its_steps() {
    assert_eq!(marcher().at_pace(10).diagonal, DiagonalCost::Ticks(14));
    assert_eq!(runner().at_pace(3).diagonal, DiagonalCost::Ticks(6));
    let mut refereed = RefereedWorld::new(map(30, 20), WorldOptions::default());
    let slow = MovementProfile { pace: 8, ..MovementProfile::eight_connected() };
    let units = [(2, 2, marcher()), (2, 6, runner()), (2, 10, slow)]
        .map(|(x, y, kind)| refereed.spawn(Cell::new(x, y), &Spawn::new(kind)).unwrap());
    let facing = throng_world::Facing::East;
    let line = throng_world::Formation::Line;
    refereed.world.order_formation(&units, (20, 8), facing, line).unwrap();
    assert_eq!(refereed.world.movement(units[0]).unwrap().diagonal, DiagonalCost::Ticks(11));
    refereed.ticks(10);
    refereed.go(units[0], (25, 2));
    assert_eq!(refereed.world.movement(units[0]), Some(&marcher()));
    refereed.until(400, |r| {
        units.iter().all(|&unit| r.world.status(unit) == Some(UnitStatus::Arrived))
    });
}

#[test]
fn profiles_out_of_bounds_are_refused() {
    let mut world = World::new(map(5, 5), WorldOptions::default()).unwrap();
    let mut refused = |movement: MovementProfile| match world.spawn((1, 1), &movement.into()) {
        Err(WorldError::Movement(error)) => error,
        other => panic!("{other:?}"),
    };
    let diagonal = |ticks| MovementProfile { diagonal: DiagonalCost::Ticks(ticks), ..marcher() };
    assert_eq!(refused(diagonal(4)), MovementError::DiagonalTicks { ticks: 4, pace: 5 });
    assert_eq!(refused(diagonal(11)), MovementError::DiagonalTicks { ticks: 11, pace: 5 });
    let slow = |times| vec![SlowTerrain { terrain: SWAMP, times }];
    assert_eq!(refused(MovementProfile { slow: slow(0), ..marcher() }), MovementError::Slow(SWAMP));
    let longest = MovementProfile { slow: slow(19), ..marcher() };
    assert_eq!(refused(longest), MovementError::StepTicks(133));
}

/// A crowd of all kinds in a town with swamps; terrain changes under their feet.
fn crowd(seed: u64) -> (RefereedWorld, Vec<UnitId>) {
    let mut rng = throng_testkit::rng(seed);
    let mut town = map(28, 28);
    for cell in town.map_cells() {
        match rng.random_range(0..100) {
            0..8 => town.set(cell, Map::WALL).unwrap(),
            8..30 => town.set(cell, SWAMP).unwrap(),
            _ => continue,
        };
    }
    let mut refereed = RefereedWorld::new(town, WorldOptions::default());
    let large = MovementProfile { footprint: 2, ..runner() };
    let kinds = [marcher(), runner(), runner(), large, MovementProfile::eight_connected()];
    let mut units = Vec::new();
    while units.len() < 60 {
        let at = Cell::new(rng.random_range(0..28), rng.random_range(0..28));
        let movement = kinds[units.len() % kinds.len()].clone();
        let team = Team(u8::from(seed.is_multiple_of(2) && units.len().is_multiple_of(3)));
        units.extend(refereed.spawn(at, &Spawn::new(movement).with_team(team)));
    }
    (refereed, units)
}

trait Cells {
    fn map_cells(&self) -> Vec<Cell>;
}

impl Cells for Map {
    fn map_cells(&self) -> Vec<Cell> {
        self.cells().collect()
    }
}

#[test]
fn crowds_of_uneven_steps_are_safe() {
    let mut arrived = 0;
    for seed in 0..8 {
        let (mut refereed, units) = crowd(seed);
        let mut rng = throng_testkit::rng(seed + 100);
        let mut twin = World::restore(&refereed.world.snapshot(), 2).unwrap();
        for tick in 0..300 {
            for &unit in &units {
                if tick % 60 == 0 || rng.random_range(0..90) == 0 {
                    let to = Cell::new(rng.random_range(0..28), rng.random_range(0..28));
                    let command = Command::Order { unit, order: Order::Approach(to) };
                    assert_eq!(refereed.apply(&command).is_ok(), twin.apply(&command).is_ok());
                }
            }
            if tick % 3 == 0 {
                let unit = units[rng.random_range(0..60_u32) as usize];
                let (at, heading) = refereed.world.location(unit).unwrap();
                let terrain = TerrainId([0, 2, 2][rng.random_range(0..3_u32) as usize]);
                let cells = vec![heading.map_or(at, |heading| heading.to)];
                let command = Command::Paint { cells, terrain };
                refereed.apply(&command).unwrap();
                twin.apply(&command).unwrap();
            }
            if tick % 40 == 17 {
                twin = World::restore(&refereed.world.snapshot(), 2).unwrap();
            }
            let events = refereed.tick();
            arrived += events.iter().filter(|e| matches!(e, Event::Arrived { .. })).count();
            assert_eq!(twin.tick().hash, refereed.world.hash(), "seed {seed}, tick {tick}");
        }
    }
    assert!(arrived > 700, "{arrived}");
}
