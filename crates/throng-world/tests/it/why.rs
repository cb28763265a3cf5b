//! Whoever does not move has a reason, and it is the right one.

use rand::RngExt;
use throng_model::{Cell, Map, MovementProfile, Rect, Tick, UnitId};
use throng_spacetime::Entry;
use throng_testkit::oracle;
use throng_world::{Order, Spawn, UnitStatus, Why, WorldOptions};

use crate::court::Court;

#[test]
fn a_unit_says_what_it_does_and_what_it_waits_for() {
    let mut court = Court::drawn(
        ".....#..
         .....#..",
    );
    let unit = court.scout((0, 0));
    let why = |court: &Court| court.world.why(unit).unwrap();
    assert_eq!(why(&court), Why::Idle);
    court.go(unit, (4, 0));
    assert_eq!(why(&court), Why::Budget);
    court.tick();
    assert_eq!(why(&court), Why::Moving { to: Cell::new(2, 0) });
    court.ticks(10);
    assert_eq!(why(&court), Why::Arrived);
    court.go(unit, (7, 0));
    court.tick();
    assert_eq!(why(&court), Why::Unreachable);
    court.world.order(unit, Order::Hold).unwrap();
    court.tick();
    assert_eq!(why(&court), Why::Holding);
    assert_eq!(court.world.why(UnitId::new(9)), None);
}

#[test]
fn a_unit_behind_another_waits_for_that_one() {
    let mut court = Court::drawn("........");
    let (unit, rock) = (court.scout((0, 0)), court.scout((4, 0)));
    court.world.order(rock, Order::Hold).unwrap();
    court.go(unit, (7, 0));
    court.ticks(10);
    let expected = Why::WaitingFor { unit: rock, at: Cell::new(4, 0) };
    assert_eq!(court.world.why(unit), Some(expected));
    assert_eq!(expected.to_string(), "waiting for unit 1 at (4,0)");
}

/// Buried in the middle of a wall, or shut into a single cell: that is what it says, with an
/// order or without, until there is a way out.
#[test]
fn a_unit_that_cannot_get_away_is_walled_in() {
    for ring_only in [false, true] {
        let mut court = Court::drawn(&".......\n".repeat(7));
        let unit = court.scout((3, 3));
        let why = |court: &Court| court.world.why(unit).unwrap();
        court.world.fill(Rect::new(Cell::new(2, 2), 3, 3), Map::WALL).unwrap();
        if ring_only {
            court.world.paint(&[Cell::new(3, 3)], Map::GROUND).unwrap();
        }
        court.tick();
        let expected = if ring_only { Why::Idle } else { Why::WalledIn };
        assert_eq!(why(&court), expected);
        court.go(unit, (6, 6));
        court.ticks(3);
        assert_eq!(why(&court), Why::WalledIn);
        assert_eq!(Why::WalledIn.to_string(), "walled in");
        court.world.paint(&[Cell::new(3, 2)], Map::GROUND).unwrap();
        court.until(40, |court| court.world.status(unit) == Some(UnitStatus::Arrived));
        assert_eq!(why(&court), Why::Arrived);
    }
}

#[test]
fn without_budget_a_unit_waits_for_its_route() {
    let options = WorldOptions { expansions_per_tick: Some(200), ..WorldOptions::default() };
    let mut court = Court::new(Map::empty(40, 40).unwrap(), options);
    let units: Vec<UnitId> = (0..20).map(|x| court.scout((x, 0))).collect();
    units.iter().for_each(|&unit| court.go(unit, (39, 39)));
    court.tick();
    let waits = |&&unit: &&UnitId| court.world.why(unit) == Some(Why::Budget);
    assert!(units.iter().filter(waits).count() > 0);
    court.until(3000, |court| {
        units.iter().all(|&unit| court.world.status(unit) == Some(UnitStatus::Arrived))
    });
}

/// What a unit says agrees with what it is, and with the claims of all.
fn check_reason(court: &Court, unit: UnitId) {
    let world = &court.world;
    let (at, heading) = world.place(unit).unwrap();
    let (why, status) = (world.why(unit).unwrap(), world.status(unit).unwrap());
    let right = match why {
        Why::Moving { to } => match heading {
            Some(heading) => heading.to == to,
            None => world.plan(unit).is_some_and(|plan| plan.contains(&to)) && to != at,
        },
        Why::Arrived => status == UnitStatus::Arrived && world.destination(unit) == Some(at),
        Why::Idle => status == UnitStatus::Idle,
        Why::Holding => status == UnitStatus::Holding,
        Why::Unreachable => status == UnitStatus::Unreachable,
        Why::WalledIn => {
            oracle::steps(world.map(), world.movement(unit).unwrap(), at).is_empty()
                && status != UnitStatus::Routing
        }
        Why::Budget => status == UnitStatus::Routing,
        Why::MakingWay { unit: other } => {
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
                let holder = world.crew().table().holder(entry, Tick(world.now().0 + later));
                holder.is_some_and(|claim| claim.unit == other.to_bits())
            };
            let pace = u32::from(world.movement(unit).unwrap().pace);
            other != unit && (0..=pace).any(holds) && world.destination(unit) != Some(at)
        }
    };
    assert!(right, "{unit} at {at} says {why:?}\n{}", court.show());
}

#[test]
fn in_a_crowd_every_reason_is_right() {
    for seed in 0..20 {
        let mut rng = throng_testkit::rng(seed);
        let map = throng_testkit::random_map(seed, 24, 24, 15);
        let mut court = Court::new(map, WorldOptions::default());
        for _ in 0..40 {
            let footprint = if rng.random_range(0..4) == 0 { 2 } else { 1 };
            let pace = rng.random_range(1..4);
            let movement =
                MovementProfile { footprint, pace, ..MovementProfile::eight_connected() };
            let at = Cell::new(rng.random_range(0..24), rng.random_range(0..24));
            let _ = court.spawn(at, &Spawn::new(movement));
        }
        for _ in 0..60 {
            let units: Vec<UnitId> = court.world.units().collect();
            for &unit in &units {
                if rng.random_range(0..20) == 0 {
                    court.go(unit, (rng.random_range(0..24), rng.random_range(0..24)));
                }
            }
            court.tick();
            units.iter().for_each(|&unit| check_reason(&court, unit));
        }
    }
}

/// To ask why changes nothing.
#[test]
fn to_ask_is_without_consequences() {
    let tell = |asks: bool| {
        let mut court =
            Court::new(throng_testkit::random_map(5, 150, 120, 15), WorldOptions::default());
        let mut rng = throng_testkit::rng(8);
        let units: Vec<UnitId> = (0..60)
            .filter_map(|_| {
                let at = Cell::new(rng.random_range(0..40), rng.random_range(0..40));
                court.spawn(at, &Spawn::new(MovementProfile::eight_connected())).ok()
            })
            .collect();
        units
            .iter()
            .for_each(|&unit| court.go(unit, (rng.random_range(0..40), rng.random_range(0..40))));
        for _ in 0..60 {
            court.tick();
            if asks {
                units.iter().for_each(|&unit| assert!(court.world.why(unit).is_some()));
            }
        }
        court.world.hash()
    };
    assert_eq!(tell(true), tell(false));
}
