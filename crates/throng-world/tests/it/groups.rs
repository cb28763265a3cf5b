//! Many units told at once, and units that stand in each other's way.

use throng_model::{Building, Cell, MovementProfile, UnitId};
use throng_world::{Order, Spawn, UnitStatus, WorldError, WorldOptions};

use crate::refereed::RefereedWorld;

/// Footprints and paces.
const QUICK: &[(u8, u8)] = &[(1, 1), (2, 1), (3, 1)];
const SLOW: &[(u8, u8)] = &[(1, 1), (1, 2), (1, 3)];
const ALL: &[(u8, u8)] = &[(1, 1), (1, 2), (2, 1), (3, 3)];

/// Units of mixed kinds on an open field, in rows from the left.
fn field(count: u16, kinds: &[(u8, u8)]) -> (RefereedWorld, Vec<UnitId>) {
    let map = throng_model::Map::empty(60, 48).unwrap();
    let mut refereed = RefereedWorld::new(map, WorldOptions::default());
    let units = spawn_rows(&mut refereed, count, kinds);
    (refereed, units)
}

fn spawn_rows(refereed: &mut RefereedWorld, count: u16, kinds: &[(u8, u8)]) -> Vec<UnitId> {
    let spawn = |number: u16| {
        let (footprint, pace) = kinds[usize::from(number) % kinds.len()];
        let movement = MovementProfile { footprint, pace, ..MovementProfile::eight_connected() };
        let at = Cell::new(1 + 4 * (number % 5), 1 + 4 * (number / 5));
        refereed.spawn(at, &Spawn::new(movement)).unwrap()
    };
    (0..count).map(spawn).collect()
}

fn body(refereed: &RefereedWorld, unit: UnitId, at: Cell) -> impl Iterator<Item = Cell> + use<> {
    let side = u16::from(refereed.world.movement(unit).unwrap().footprint);
    throng_model::Rect::new(at, side, side).cells()
}

fn all_arrived(refereed: &RefereedWorld, units: &[UnitId]) -> bool {
    units.iter().all(|&unit| refereed.world.status(unit) == Some(UnitStatus::Arrived))
}

/// Every unit reaches its own cell and stays there; no two bodies overlap.
fn check_group(refereed: &mut RefereedWorld, units: &[UnitId], spot: Cell, most: u32) {
    let cells = refereed.world.order_group(units, spot).unwrap();
    let mut covered: Vec<Cell> =
        units.iter().zip(&cells).flat_map(|(&unit, &at)| body(refereed, unit, at)).collect();
    let count = covered.len();
    covered.sort();
    covered.dedup();
    assert_eq!(covered.len(), count, "two units were given the same cell");
    let there = |refereed: &RefereedWorld| {
        all_arrived(refereed, units)
            && units.iter().zip(&cells).all(|(&u, &cell)| refereed.at(u) == cell)
    };
    refereed.until(most, there);
    for _ in 0..100 {
        assert_eq!(refereed.tick(), []);
        assert!(there(refereed), "{}", refereed.show());
    }
}

/// To the right, back, and up.
fn check_journey(count: u16, kinds: &[(u8, u8)]) {
    let (mut refereed, units) = field(count, kinds);
    for spot in [Cell::new(45, 20), Cell::new(12, 30), Cell::new(50, 8)] {
        check_group(&mut refereed, &units, spot, 1000);
    }
    let half: Vec<UnitId> = units.iter().copied().step_by(2).collect();
    check_group(&mut refereed, &half, Cell::new(20, 35), 1000);
}

#[test]
fn fifty_units_come_to_one_spot_and_rest() {
    check_journey(50, &[(1, 1)]);
}

#[test]
fn fifty_units_of_all_sizes_come_to_one_spot_and_rest() {
    check_journey(50, QUICK);
}

#[test]
fn twenty_units_of_all_paces_come_to_one_spot_and_rest() {
    check_journey(20, SLOW);
}

#[test]
fn sixteen_units_of_all_kinds_come_to_one_spot_and_rest() {
    check_journey(16, ALL);
}

/// Orders one by one are not a group's, and should end like one: a unit that comes late takes the
/// place of one that rests in front of it.
#[test]
fn units_that_are_sent_to_one_cell_one_by_one_find_room_around_it_and_rest() {
    for kinds in [&[(1, 1)][..], &[(1, 2)]] {
        let (mut refereed, units) = field(60, kinds);
        check_one_by_one(&mut refereed, &units);
    }
}

#[test]
fn two_hundred_and_forty_units_are_sent_to_one_cell_one_by_one() {
    let (mut refereed, _) = field(0, QUICK);
    let spawn = Spawn::new(MovementProfile::eight_connected());
    let cells = (0..240).map(|number| Cell::new(3 * (number % 20), 4 * (number / 20)));
    let units: Vec<UnitId> = cells.map(|at| refereed.spawn(at, &spawn).unwrap()).collect();
    check_one_by_one(&mut refereed, &units);
}

fn check_one_by_one(refereed: &mut RefereedWorld, units: &[UnitId]) {
    units.iter().for_each(|&unit| refereed.go(unit, Cell::new(30, 30)));
    refereed.until(600, |refereed| all_arrived(refereed, units));
    refereed.ticks(20);
    for _ in 0..50 {
        let events = refereed.tick().to_vec();
        assert!(events.is_empty(), "{events:?}");
        assert!(refereed.world.steps().iter().all(|step| step.from == step.at));
    }
    assert!(all_arrived(refereed, units));
}

#[test]
fn a_group_goes_through_a_gap() {
    let mut map = throng_model::Map::empty(60, 48).unwrap();
    let wall = (0..48).filter(|y| !(20..26).contains(y)).map(|y| Cell::new(28, y));
    map.paint(&wall.collect::<Vec<_>>(), throng_model::Map::WALL).unwrap();
    let mut refereed = RefereedWorld::new(map, WorldOptions::default());
    let units = spawn_rows(&mut refereed, 50, QUICK);
    check_group(&mut refereed, &units, Cell::new(45, 20), 1000);
}

/// Where there is no room for lanes units stand shoulder to shoulder.
#[test]
fn a_group_fills_a_yard_to_the_last_cell() {
    let mut refereed = RefereedWorld::drawn("......\n......\n......");
    let tank = MovementProfile { footprint: 2, pace: 2, ..MovementProfile::eight_connected() };
    let tanks: Vec<UnitId> = (0..3)
        .map(|n| refereed.spawn(Cell::new(2 * n, 0), &Spawn::new(tank.clone())).unwrap())
        .collect();
    check_group(&mut refereed, &tanks, Cell::new(2, 1), 200);
}

#[test]
fn a_group_without_room_is_told_how_much_there_is() {
    let mut refereed = RefereedWorld::drawn("...#..");
    let units = [(0, 0), (1, 0), (2, 0)].map(|at| refereed.scout(at));
    let spot = Cell::new(1, 0);
    check_group(&mut refereed, &units, spot, 20);
    let [a, b, c] = units;
    let house = Building::with_doors("house", vec![Cell::new(0, 0)]);
    let house = refereed.world.add_building(house).unwrap();
    let scout = Spawn::new(MovementProfile::four_connected());
    let fourth = refereed.world.spawn_inside(house, &scout).unwrap();
    let no_room = WorldError::NoRoom { spot, asked: 4, room: 3 };
    assert_eq!(refereed.world.order_group(&[a, b, c, fourth], spot), Err(no_room));
    assert_eq!(refereed.ticks(20), [], "nobody was told anything");
    // Beyond the wall there is room, for those who are there.
    let stray = refereed.scout((5, 0));
    assert_eq!(refereed.world.order_group(&[stray], spot), Ok(vec![Cell::new(4, 0)]));
}

/// A unit beyond a wall does not send those of this side away from the spot.
#[test]
fn units_on_both_sides_of_a_wall_get_the_cells_nearest_to_the_spot_on_their_side() {
    let mut refereed = RefereedWorld::drawn(&"...........#...\n".repeat(5));
    let near = [(0, 0), (1, 0), (2, 0), (3, 0)].map(|at| refereed.scout(at));
    let far = [(13, 4), (14, 4)].map(|at| refereed.scout(at));
    let units = [near[0], far[0], near[1], near[2], far[1], near[3]];
    let spot = Cell::new(5, 2);
    let cells = refereed.world.order_group(&units, spot).unwrap();
    let (mut here, mut beyond) = (Vec::new(), Vec::new());
    for (unit, &cell) in units.iter().zip(&cells) {
        if far.contains(unit) { &mut beyond } else { &mut here }.push(cell);
    }
    let steps = |cell: &Cell| cell.x.abs_diff(spot.x).max(cell.y.abs_diff(spot.y));
    assert!(here.iter().all(|cell| steps(cell) <= 1), "{here:?}");
    assert!(beyond.iter().all(|cell| cell.x == 12), "{beyond:?}");
    check_group(&mut refereed, &units, spot, 40);
}

const CORRIDOR: &str = "#######.#######
                        ...............
                        #######.#######";

#[test]
fn idle_units_in_a_corridor_give_way_and_holding_ones_do_not() {
    for (order, passes) in [(Order::Stop, true), (Order::Hold, false)] {
        let mut refereed = RefereedWorld::drawn(CORRIDOR);
        let idle = [(6, 1), (8, 1)].map(|at| refereed.scout(at));
        idle.iter().for_each(|&unit| refereed.world.order(unit, order.clone()).unwrap());
        let places = idle.map(|unit| refereed.at(unit));
        let unit = refereed.scout((0, 1));
        refereed.go(unit, (14, 1));
        for _ in 0..300 {
            refereed.tick();
            assert!(passes || idle.map(|unit| refereed.at(unit)) == places);
        }
        let arrived = refereed.world.status(unit) == Some(UnitStatus::Arrived);
        assert_eq!(arrived, passes, "{}", refereed.show());
    }
}

/// Units that have arrived yield too, and come back.
#[test]
fn a_unit_that_gave_way_comes_back_to_its_place() {
    let mut refereed = RefereedWorld::drawn(CORRIDOR);
    let host = refereed.scout((5, 1));
    refereed.go(host, (7, 1));
    refereed.until(20, |refereed| refereed.world.status(host) == Some(UnitStatus::Arrived));
    let guest = refereed.scout((0, 1));
    refereed.go(guest, (14, 1));
    refereed.until(100, |refereed| refereed.world.status(guest) == Some(UnitStatus::Arrived));
    refereed.until(100, |refereed| refereed.at(host) == Cell::new(7, 1));
    for _ in 0..100 {
        refereed.tick();
        assert_eq!((refereed.at(host), refereed.at(guest)), (Cell::new(7, 1), Cell::new(14, 1)));
    }
}

/// A crowd at rest, and one unit that has to get to the other side of it.
#[test]
fn a_resting_crowd_lets_a_unit_through() {
    let mut refereed = RefereedWorld::drawn(&"..............\n".repeat(8));
    let mut crowd = Vec::new();
    for (x, y) in (0..8).flat_map(|y| (4..10).map(move |x| (x, y))) {
        crowd.push(refereed.scout((x, y)));
    }
    let unit = refereed.scout((0, 3));
    refereed.go(unit, (13, 3));
    refereed.until(200, |refereed| refereed.world.status(unit) == Some(UnitStatus::Arrived));
}

#[test]
fn a_unit_that_is_named_twice_is_refused_by_name() {
    let mut refereed = RefereedWorld::drawn(&"..........\n".repeat(5));
    let (first, second) = (refereed.scout((0, 0)), refereed.scout((9, 4)));
    let error = refereed.world.order_group(&[first, second, first], Cell::new(5, 2)).unwrap_err();
    assert_eq!(error, WorldError::Twice(first));
    assert_eq!(error.to_string(), "unit 0 is in the group more than once; name it once");
    assert_eq!(refereed.world.current_order(second), Some(&Order::Stop), "nobody is told anything");
}
