//! A unit that does not move has a reason, and it is the right one.

use rand::RngExt;
use throng_model::{Cell, Map, MovementProfile, Rect, Tick, UnitId};
use throng_spacetime::Entry;
use throng_testkit::oracle;
use throng_world::{
    Facing, Formation, Order, Relation, Spawn, Team, UnitStatus, Why, WorldOptions,
};

use crate::refereed::RefereedWorld;

#[test]
fn a_unit_says_what_it_does_and_what_it_waits_for() {
    let mut refereed = RefereedWorld::drawn(
        ".....#..
         .....#..",
    );
    let unit = refereed.scout((0, 0));
    let why = |refereed: &RefereedWorld| refereed.world.why(unit).unwrap();
    assert_eq!(why(&refereed), Why::Idle);
    refereed.go(unit, (4, 0));
    assert_eq!(why(&refereed), Why::Budget);
    refereed.tick();
    assert_eq!(why(&refereed), Why::Moving { to: Cell::new(2, 0) });
    refereed.ticks(10);
    assert_eq!(why(&refereed), Why::Arrived);
    refereed.go(unit, (7, 0));
    refereed.tick();
    assert_eq!(why(&refereed), Why::Unreachable);
    refereed.world.order(unit, Order::Hold).unwrap();
    refereed.tick();
    assert_eq!(why(&refereed), Why::Holding);
    assert_eq!(refereed.world.why(UnitId::new(9)), None);
}

#[test]
fn a_unit_behind_another_waits_for_that_one() {
    let mut refereed = RefereedWorld::drawn("........");
    let (unit, rock) = (refereed.scout((0, 0)), refereed.scout((4, 0)));
    refereed.world.order(rock, Order::Hold).unwrap();
    refereed.go(unit, (7, 0));
    refereed.ticks(10);
    let expected = Why::WaitingFor { unit: rock, at: Cell::new(4, 0) };
    assert_eq!(refereed.world.why(unit), Some(expected));
    assert_eq!(expected.to_string(), "waiting for unit 1 at (4,0)");
}

/// Enemies and neutral units are not asked to move; friends are.
#[test]
fn a_unit_names_the_one_of_another_side_that_holds_it_up() {
    for relation in [Relation::Enemy, Relation::Neutral, Relation::Friend] {
        let mut refereed = RefereedWorld::drawn("#####\n.....\n##.##");
        refereed.world.set_relation(Team(1), Team(2), relation).unwrap();
        let of = |team| Spawn::new(MovementProfile::four_connected()).with_team(team);
        let unit = refereed.spawn(Cell::new(0, 1), &of(Team(1))).unwrap();
        let other = refereed.spawn(Cell::new(2, 1), &of(Team(2))).unwrap();
        refereed.go(unit, (4, 1));
        refereed.ticks(40);
        let held = Why::HeldBy { unit: other, at: Cell::new(2, 1) };
        let expected = if relation == Relation::Friend { Why::Arrived } else { held };
        assert_eq!(refereed.world.why(unit), Some(expected), "{relation:?}");
    }
}

#[test]
fn a_unit_in_formation_says_that_it_waits_for_its_group() {
    let mut refereed = RefereedWorld::new(Map::empty(60, 9).unwrap(), WorldOptions::default());
    let near = refereed.scout((38, 4));
    let far = refereed.scout((2, 4));
    let (facing, line) = (Facing::East, Formation::Line);
    refereed.world.order_formation(&[near, far], (44, 4), facing, line).unwrap();
    refereed.until(20, |r| r.world.why(near) == Some(Why::WaitingForGroup));
    refereed.until(90, |r| r.world.why(near) == Some(Why::Arrived));
}

/// Buried in the middle of a wall, or shut into a single cell: that is what it says, with an
/// order or without, until there is a way out.
#[test]
fn a_unit_that_cannot_get_away_is_walled_in() {
    for ring_only in [false, true] {
        let mut refereed = RefereedWorld::drawn(&".......\n".repeat(7));
        let unit = refereed.scout((3, 3));
        let why = |refereed: &RefereedWorld| refereed.world.why(unit).unwrap();
        refereed.world.fill(Rect::new(Cell::new(2, 2), 3, 3), Map::WALL).unwrap();
        if ring_only {
            refereed.world.paint(&[Cell::new(3, 3)], Map::GROUND).unwrap();
        }
        refereed.tick();
        let expected = if ring_only { Why::Idle } else { Why::WalledIn };
        assert_eq!(why(&refereed), expected);
        refereed.go(unit, (6, 6));
        refereed.ticks(3);
        assert_eq!(why(&refereed), Why::WalledIn);
        assert_eq!(Why::WalledIn.to_string(), "walled in");
        refereed.world.paint(&[Cell::new(3, 2)], Map::GROUND).unwrap();
        refereed.until(40, |refereed| refereed.world.status(unit) == Some(UnitStatus::Arrived));
        assert_eq!(why(&refereed), Why::Arrived);
    }
}

#[test]
fn a_unit_waits_for_its_route_when_the_budget_is_spent() {
    let options = WorldOptions { expansions_per_tick: Some(200), ..WorldOptions::default() };
    let mut refereed = RefereedWorld::new(Map::empty(40, 40).unwrap(), options);
    let units: Vec<UnitId> = (0..20).map(|x| refereed.scout((x, 0))).collect();
    units.iter().for_each(|&unit| refereed.go(unit, (39, 39)));
    refereed.tick();
    let waits = |&&unit: &&UnitId| refereed.world.why(unit) == Some(Why::Budget);
    assert!(units.iter().filter(waits).count() > 0);
    refereed.until(3000, |refereed| {
        units.iter().all(|&unit| refereed.world.status(unit) == Some(UnitStatus::Arrived))
    });
}

/// What a unit says agrees with what it is, and with the claims of all.
fn check_reason(refereed: &RefereedWorld, unit: UnitId) {
    let world = &refereed.world;
    let (at, heading) = world.location(unit).unwrap();
    let (why, status) = (world.why(unit).unwrap(), world.status(unit).unwrap());
    let right = match why {
        Why::Moving { to } => match heading {
            Some(heading) => heading.to == to,
            None => world.plan(unit).is_some_and(|plan| plan.contains(&to)) && to != at,
        },
        Why::Arrived => status == UnitStatus::Arrived && world.destination(unit) == Some(at),
        Why::ArrivedNear { goal } => status == UnitStatus::Arrived && at != goal,
        Why::Idle => status == UnitStatus::Idle,
        Why::Holding => status == UnitStatus::Holding,
        Why::Unreachable => status == UnitStatus::Unreachable,
        Why::WalledIn => {
            oracle::steps(world.map(), world.movement(unit).unwrap(), at).is_empty()
                && status != UnitStatus::Routing
        }
        Why::Budget => status == UnitStatus::Routing,
        Why::Yielding { unit: other } => {
            other != unit
                && matches!(
                    status,
                    UnitStatus::Idle
                        | UnitStatus::Arrived
                        | UnitStatus::Unreachable
                        | UnitStatus::Routing
                )
        }
        Why::Waiting => matches!(status, UnitStatus::Going | UnitStatus::Arrived),
        Why::Inside(_) => false,
        Why::WaitingFor { unit: other, at: cell } => {
            let entry = Entry(world.map().index(cell).unwrap().0);
            let holds = |later| {
                let holder = world.reservations().holder(entry, Tick(world.now().0 + later));
                holder.is_some_and(|claim| claim.unit == other)
            };
            let pace = u32::from(world.movement(unit).unwrap().pace);
            other != unit && (0..=pace).any(holds) && world.destination(unit) != Some(at)
        }
        unknown => panic!("{unknown:?} has no check"),
    };
    assert!(right, "{unit} at {at} says {why:?}\n{}", refereed.show());
}

#[test]
fn in_a_crowd_every_reason_is_right() {
    for seed in 0..20 {
        let mut rng = throng_testkit::rng(seed);
        let map = throng_testkit::random_map(seed, 24, 24, 15);
        let mut refereed = RefereedWorld::new(map, WorldOptions::default());
        for _ in 0..40 {
            let footprint = if rng.random_range(0..4) == 0 { 2 } else { 1 };
            let pace = rng.random_range(1..4);
            let movement =
                MovementProfile { footprint, pace, ..MovementProfile::eight_connected() };
            let at = Cell::new(rng.random_range(0..24), rng.random_range(0..24));
            let _ = refereed.spawn(at, &Spawn::new(movement));
        }
        for _ in 0..60 {
            let units: Vec<UnitId> = refereed.world.units().collect();
            for &unit in &units {
                if rng.random_range(0..20) == 0 {
                    refereed.go(unit, (rng.random_range(0..24), rng.random_range(0..24)));
                }
            }
            refereed.tick();
            units.iter().for_each(|&unit| check_reason(&refereed, unit));
        }
    }
}

/// To ask why changes nothing.
#[test]
fn to_ask_is_without_consequences() {
    let tell = |asks: bool| {
        let mut refereed = RefereedWorld::new(
            throng_testkit::random_map(5, 150, 120, 15),
            WorldOptions::default(),
        );
        let mut rng = throng_testkit::rng(8);
        let units: Vec<UnitId> = (0..60)
            .filter_map(|_| {
                let at = Cell::new(rng.random_range(0..40), rng.random_range(0..40));
                refereed.spawn(at, &Spawn::new(MovementProfile::eight_connected())).ok()
            })
            .collect();
        units.iter().for_each(|&unit| {
            refereed.go(unit, (rng.random_range(0..40), rng.random_range(0..40)));
        });
        for _ in 0..60 {
            refereed.tick();
            if asks {
                units.iter().for_each(|&unit| assert!(refereed.world.why(unit).is_some()));
            }
        }
        refereed.world.hash()
    };
    assert_eq!(tell(true), tell(false));
}
