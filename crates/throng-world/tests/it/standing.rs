//! Units that stand for long count: others walk around them, or wait and say for whom.

use throng_model::{Cell, Map, MovementProfile, Rect, UnitId};
use throng_world::{Order, Spawn, UnitStatus, Why, World, WorldOptions};

use crate::refereed::RefereedWorld;

fn spawn(footprint: u8, pace: u8) -> Spawn {
    Spawn::new(MovementProfile { footprint, pace, ..MovementProfile::eight_connected() })
}

/// Puts units on hold.
fn hold(refereed: &mut RefereedWorld, cells: impl Iterator<Item = Cell>) -> Vec<UnitId> {
    let units: Vec<UnitId> = cells.map(|at| refereed.spawn(at, &spawn(1, 1)).unwrap()).collect();
    units.iter().for_each(|&unit| refereed.world.order(unit, Order::Hold).unwrap());
    units
}

fn has_arrived(refereed: &RefereedWorld, unit: UnitId) -> bool {
    refereed.world.status(unit) == Some(UnitStatus::Arrived)
}

/// A line on hold across open ground, and units that are told to go to the other side.
fn line(size: (u16, u16), rows: std::ops::Range<u16>) -> (RefereedWorld, Vec<UnitId>) {
    let map = Map::empty(size.0.into(), size.1.into()).unwrap();
    let mut refereed = RefereedWorld::new(map, WorldOptions::default());
    hold(&mut refereed, rows.map(|y| Cell::new(size.0 / 2, y)));
    let places = (0..30).map(|n| Cell::new(size.0 / 4 + n % 3, size.1 / 2 - 5 + n / 3));
    let units: Vec<UnitId> =
        places.map(|at| refereed.spawn(at, &spawn(1, 1)).unwrap()).collect();
    for (n, &unit) in units.iter().enumerate() {
        refereed.go(unit, (3 * size.0 / 4 + n as u16 % 3, size.1 / 2 - 5 + n as u16 / 3));
    }
    (refereed, units)
}

fn all_arrive(refereed: &mut RefereedWorld, units: &[UnitId], ticks: u32) -> u32 {
    refereed.until(ticks, |refereed| units.iter().all(|&unit| has_arrived(refereed, unit)))
}

#[test]
fn a_line_on_hold_is_walked_around() {
    // 50 columns to go, and up to 15 rows around the end of the line.
    let (mut refereed, units) = line((100, 90), 15..75);
    let ticks = all_arrive(&mut refereed, &units, 130);
    assert!(ticks > 60, "{ticks}");
    let (mut refereed, units) = line((100, 40), 0..39);
    all_arrive(&mut refereed, &units, 140);
}

#[test]
fn a_long_line_on_hold_is_walked_around() {
    let (mut refereed, units) = line((300, 260), 30..230);
    all_arrive(&mut refereed, &units, 330);
}
