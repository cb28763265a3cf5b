//! What units are told, they do.

use throng_model::{Cell, MovementProfile, UnitId};
use throng_world::{BuildingId, Event, Order, Spawn, UnitStatus, WorldError, WorldOptions};

use crate::refereed::RefereedWorld;

fn arrivals(events: &[Event], unit: UnitId) -> Vec<Cell> {
    let arrived = events.iter().filter_map(|event| match event {
        Event::Arrived { unit: who, at } if *who == unit => Some(*at),
        _ => None,
    });
    arrived.collect()
}

fn is_idle(refereed: &RefereedWorld, unit: UnitId) -> bool {
    matches!(refereed.world.status(unit), Some(UnitStatus::Arrived | UnitStatus::Idle))
}

#[test]
fn a_unit_goes_where_it_is_told_by_the_shortest_way() {
    let mut refereed = RefereedWorld::drawn(
        "..........
         ########..
         ..........",
    );
    let unit = refereed.scout((0, 0));
    refereed.go(unit, (0, 2));
    let ticks =
        refereed.until(100, |refereed| refereed.world.status(unit) == Some(UnitStatus::Arrived));
    assert_eq!((refereed.at(unit), ticks), (Cell::new(0, 2), 18));
}

#[test]
fn a_queue_is_carried_out_in_its_order() {
    let mut refereed = RefereedWorld::drawn(&"..........\n".repeat(6));
    let unit = refereed.scout((0, 0));
    refereed.go(unit, (9, 0));
    let corners = [(9, 5), (0, 5), (4, 2)].map(|(x, y)| Cell::new(x, y));
    for corner in corners {
        refereed.world.queue_order(unit, Order::go(corner)).unwrap();
    }
    let events = refereed.ticks(60);
    let [a, b, c] = corners;
    assert_eq!(arrivals(&events, unit), [Cell::new(9, 0), a, b, c]);
    assert!(!events.iter().any(|event| matches!(event, Event::Rerouted { .. })), "{events:?}");
}

#[test]
fn a_new_order_ends_the_queue() {
    let mut refereed = RefereedWorld::drawn(&"..........\n".repeat(3));
    let unit = refereed.scout((0, 0));
    refereed.go(unit, (9, 0));
    refereed.world.queue_order(unit, Order::go((9, 2))).unwrap();
    refereed.ticks(3);
    refereed.go(unit, (0, 2));
    let events = refereed.ticks(40);
    assert_eq!(arrivals(&events, unit), [Cell::new(0, 2)]);
    assert_eq!(events.len(), 1, "a new order is no detour: {events:?}");
}

#[test]
fn to_stop_in_the_middle_of_a_queue_holds_nobody_up() {
    for pause in [Order::Stop, Order::Hold] {
        let mut refereed = RefereedWorld::drawn("..........");
        let unit = refereed.scout((0, 0));
        refereed.go(unit, (4, 0));
        refereed.world.queue_order(unit, pause.clone()).unwrap();
        refereed.world.queue_order(unit, Order::go((9, 0))).unwrap();
        refereed.world.queue_order(unit, pause.clone()).unwrap();
        let events = refereed.ticks(30);
        assert_eq!(arrivals(&events, unit), [Cell::new(4, 0), Cell::new(9, 0)]);
        let status = if pause == Order::Stop { UnitStatus::Idle } else { UnitStatus::Holding };
        assert_eq!(refereed.world.status(unit), Some(status));
    }
}

#[test]
fn a_unit_told_to_stop_stops_even_before_it_has_a_route() {
    for (order, status) in [(Order::Stop, UnitStatus::Idle), (Order::Hold, UnitStatus::Holding)] {
        let mut refereed = RefereedWorld::drawn("..........");
        let unit = refereed.scout((0, 0));
        refereed.go(unit, (9, 0));
        refereed.world.order(unit, order.clone()).unwrap();
        assert_eq!(refereed.ticks(20), []);
        assert_eq!(
            (refereed.at(unit), refereed.world.status(unit)),
            (Cell::new(0, 0), Some(status))
        );
        refereed.go(unit, (9, 0));
        refereed.ticks(3);
        refereed.world.order(unit, order).unwrap();
        refereed.tick();
        let at = refereed.at(unit);
        refereed.ticks(20);
        assert_eq!((refereed.at(unit), refereed.world.status(unit)), (at, Some(status)));
    }
}

/// A slow unit ends the step that it has begun, and stays there.
#[test]
fn a_slow_unit_holds_where_its_step_ends() {
    let mut refereed = RefereedWorld::drawn("..........");
    let slow = MovementProfile { pace: 4, ..MovementProfile::four_connected() };
    let unit = refereed.spawn(Cell::new(0, 0), &Spawn::new(slow)).unwrap();
    refereed.go(unit, (9, 0));
    refereed.ticks(2);
    refereed.world.order(unit, Order::Hold).unwrap();
    refereed.ticks(30);
    assert_eq!(refereed.at(unit), Cell::new(1, 0));
}

#[test]
fn nobody_moves_a_unit_that_holds() {
    let mut refereed = RefereedWorld::drawn(
        "#####.....
         .........#
         #####....#",
    );
    let rock = refereed.scout((6, 1));
    refereed.world.order(rock, Order::Hold).unwrap();
    let walls = [(5, 0), (5, 2)].map(|at| refereed.scout(at));
    walls.iter().for_each(|&unit| refereed.world.order(unit, Order::Hold).unwrap());
    let strong = Spawn::new(MovementProfile::four_connected()).with_level(9);
    let unit = refereed.spawn(Cell::new(0, 1), &strong).unwrap();
    refereed.go(unit, (6, 1));
    for _ in 0..200 {
        refereed.tick();
        assert_eq!(refereed.at(rock), Cell::new(6, 1));
        assert_eq!(walls.map(|wall| refereed.at(wall)), [Cell::new(5, 0), Cell::new(5, 2)]);
    }
    assert_eq!(refereed.world.status(unit), Some(UnitStatus::Going));
    refereed.world.order(rock, Order::Stop).unwrap();
    refereed.until(100, |refereed| refereed.world.status(unit) == Some(UnitStatus::Arrived));
}

#[test]
fn of_many_cells_the_nearest_is_taken_that_is_nobody_elses() {
    let mut refereed = RefereedWorld::drawn("....................");
    let first = refereed.scout((10, 0));
    let second = refereed.scout((9, 0));
    let cells = vec![Cell::new(0, 0), Cell::new(14, 0), Cell::new(19, 0)];
    refereed.world.order(first, Order::GoTo(cells.clone())).unwrap();
    refereed.tick();
    refereed.world.order(second, Order::GoTo(cells)).unwrap();
    refereed.until(60, |refereed| is_idle(refereed, first) && is_idle(refereed, second));
    assert_eq!((refereed.at(first), refereed.at(second)), (Cell::new(14, 0), Cell::new(0, 0)));
}

#[test]
fn a_cell_that_cannot_be_reached_is_passed_over() {
    let mut refereed = RefereedWorld::drawn("......#..");
    let (unit, other) = (refereed.scout((0, 0)), refereed.scout((3, 0)));
    refereed.go(other, (4, 0));
    refereed.tick();
    // (4,0) is another's, (7,0) is free and out of reach, (6,0) is wall.
    let cells = [(7, 0), (6, 0), (4, 0)].map(|(x, y)| Cell::new(x, y)).to_vec();
    refereed.world.order(unit, Order::GoTo(cells)).unwrap();
    refereed.until(60, |refereed| is_idle(refereed, unit));
    assert_eq!(refereed.at(unit), Cell::new(3, 0));
}

/// Two units for one cell: both come to rest, beside each other, for good.
fn check_one_cell_for_two(drawing: &str, movement: &MovementProfile, starts: [(u16, u16); 2]) {
    let mut refereed = RefereedWorld::drawn(drawing);
    let spawn = Spawn::new(movement.clone());
    let units = starts.map(|(x, y)| refereed.spawn(Cell::new(x, y), &spawn).unwrap());
    units.iter().for_each(|&unit| refereed.go(unit, (5, 2)));
    refereed.until(200, |refereed| units.iter().all(|&unit| is_idle(refereed, unit)));
    refereed.ticks(40);
    let places = units.map(|unit| refereed.at(unit));
    assert_ne!(places[0], places[1]);
    assert!(places.contains(&Cell::new(5, 2)));
    for _ in 0..100 {
        assert_eq!(refereed.tick(), []);
        assert_eq!(units.map(|unit| refereed.at(unit)), places);
    }
}

#[test]
fn two_units_for_one_cell_rest_side_by_side() {
    let open = "..........\n".repeat(6);
    let tank = MovementProfile { footprint: 2, pace: 3, ..MovementProfile::eight_connected() };
    for movement in [MovementProfile::four_connected(), MovementProfile::eight_connected(), tank] {
        check_one_cell_for_two(&open, &movement, [(0, 0), (8, 4)]);
        check_one_cell_for_two(&open, &movement, [(8, 4), (0, 0)]);
    }
    let corridor = "##########\n##########\n..........\n##########";
    check_one_cell_for_two(corridor, &MovementProfile::four_connected(), [(0, 2), (9, 2)]);
    check_one_cell_for_two(corridor, &MovementProfile::four_connected(), [(1, 2), (0, 2)]);
}

/// The one behind was given the cell, and cannot get past. They may push for a while, but
/// they come to rest.
#[test]
fn two_units_that_cannot_pass_do_not_fight_for_ever() {
    let mut refereed = RefereedWorld::drawn("..........");
    let units = [(0, 0), (1, 0)].map(|at| refereed.scout(at));
    units.iter().for_each(|&unit| refereed.go(unit, (5, 0)));
    refereed.ticks(2000);
    let places = units.map(|unit| refereed.at(unit));
    assert!(places.iter().all(|at| at.x.abs_diff(5) <= 2), "{}", refereed.show());
    for _ in 0..100 {
        assert_eq!(refereed.tick(), []);
        assert_eq!(units.map(|unit| refereed.at(unit)), places);
    }
}

#[test]
fn what_cannot_be_reached_is_said_once_and_not_looked_for_again() {
    let mut refereed = RefereedWorld::drawn(&"....#....\n".repeat(5));
    let unit = refereed.scout((0, 0));
    refereed.go(unit, (8, 0));
    assert_eq!(refereed.tick(), [Event::Unreachable { unit }]);
    for _ in 0..200 {
        assert_eq!(refereed.tick(), []);
        assert!(refereed.world.expanded() <= 200, "{}", refereed.world.expanded());
    }
    // An edit elsewhere does not help, and there is nothing new to say.
    refereed.world.paint(&[Cell::new(7, 4)], throng_model::Map::WALL).unwrap();
    assert_eq!(refereed.ticks(50), []);
    refereed.world.paint(&[Cell::new(4, 4)], throng_model::Map::GROUND).unwrap();
    let events = refereed.ticks(40);
    assert_eq!(events, [Event::Arrived { unit, at: Cell::new(8, 0) }]);
}

/// Most ticks of a unit that rests cost no search of its way, on a large map either.
#[test]
fn on_a_large_map_the_unreachable_costs_no_search() {
    let mut map = throng_model::Map::empty(200, 100).unwrap();
    let wall: Vec<Cell> = (0..100).map(|y| Cell::new(100, y)).collect();
    map.paint(&wall, throng_model::Map::WALL).unwrap();
    let mut refereed = RefereedWorld::new(map, WorldOptions::default());
    let units: Vec<UnitId> = (0..20).map(|y| refereed.scout((0, 4 * y))).collect();
    units.iter().for_each(|&unit| refereed.go(unit, (199, 0)));
    let events = refereed.tick().to_vec();
    assert_eq!(events.len(), 20);
    assert!(events.iter().all(|event| matches!(event, Event::Unreachable { .. })));
    assert_eq!(refereed.ticks(50), []);
    assert!(refereed.world.expanded() < 4000, "{}", refereed.world.expanded());
}

#[test]
fn an_order_into_a_wall_cannot_be_reached_and_the_next_one_is_carried_out() {
    let mut refereed = RefereedWorld::drawn(".....#...");
    let unit = refereed.scout((0, 0));
    refereed.go(unit, (5, 0));
    refereed.world.queue_order(unit, Order::go((8, 0))).unwrap();
    refereed.world.queue_order(unit, Order::go((3, 0))).unwrap();
    let events = refereed.ticks(10);
    let cannot = Event::Unreachable { unit };
    assert_eq!(events, [cannot, cannot, Event::Arrived { unit, at: Cell::new(3, 0) }]);
}

#[test]
fn orders_that_make_no_sense_are_refused() {
    let mut refereed = RefereedWorld::drawn("....");
    let unit = refereed.scout((0, 0));
    let cell = Cell::new(4, 0);
    let world = &mut refereed.world;
    assert_eq!(world.order(unit, Order::go(cell)), Err(WorldError::OffMap { cell }));
    assert_eq!(world.queue_order(unit, Order::go(cell)), Err(WorldError::OffMap { cell }));
    assert_eq!(world.order(unit, Order::GoTo(Vec::new())), Err(WorldError::NoGoal));
    let house = BuildingId::new(3);
    assert_eq!(world.order(unit, Order::Enter(house)), Err(WorldError::NoSuchBuilding(house)));
    assert_eq!(world.order_group(&[unit], cell), Err(WorldError::OffMap { cell }));
    world.remove(unit).unwrap();
    let gone = Err(WorldError::NoSuchUnit(unit));
    let goal = Cell::new(1, 0);
    assert_eq!(world.order(unit, Order::go(goal)), gone);
    assert_eq!(world.queue_order(unit, Order::go(goal)), gone);
    assert_eq!(world.order_group(&[unit], goal).map(|_| ()), gone);
    assert_eq!(world.teleport(unit, goal), gone);
    assert_eq!(world.set_level(unit, 1), gone);
    assert_eq!(world.remove(unit), gone);
    assert_eq!(
        world.order(UnitId::from_bits(u32::MAX), Order::Stop),
        Err(WorldError::NoSuchUnit(UnitId::from_bits(u32::MAX)))
    );
    assert_eq!((world.status(unit), world.why(unit), world.location(unit)), (None, None, None));
}

#[test]
fn units_are_not_put_where_they_cannot_be() {
    let mut refereed = RefereedWorld::drawn(
        "....
         ..#.",
    );
    let first = refereed.scout((0, 0));
    let big = Spawn::new(MovementProfile { footprint: 2, ..MovementProfile::four_connected() });
    let small = Spawn::new(MovementProfile::four_connected());
    let cell = Cell::new(0, 0);
    for spawn in [&big, &small] {
        assert_eq!(refereed.spawn(cell, spawn), Err(WorldError::Occupied { cell, by: first }));
    }
    let cell = Cell::new(3, 0);
    assert_eq!(refereed.spawn(cell, &big), Err(WorldError::OffMap { cell }));
    let cell = Cell::new(1, 0);
    assert_eq!(refereed.spawn(cell, &big), Err(WorldError::Impassable { cell }));
    assert_eq!(
        refereed.teleport(first, Cell::new(2, 1)),
        Err(WorldError::Impassable { cell: Cell::new(2, 1) })
    );
    assert_eq!(refereed.at(first), Cell::new(0, 0));
}

#[test]
fn a_unit_that_is_thrown_goes_on_with_its_order() {
    let mut refereed = RefereedWorld::drawn("....................");
    let unit = refereed.scout((0, 0));
    refereed.go(unit, (19, 0));
    refereed.ticks(3);
    refereed.teleport(unit, Cell::new(16, 0)).unwrap();
    let events = refereed.ticks(5);
    assert_eq!(arrivals(&events, unit), [Cell::new(19, 0)]);
    // From where it rests, it comes back.
    refereed.teleport(unit, Cell::new(10, 0)).unwrap();
    refereed.until(30, |refereed| refereed.at(unit) == Cell::new(19, 0));
}

/// With any budget, all units arrive.
#[test]
fn with_next_to_no_budget_units_still_arrive() {
    let walled = "....................
                  .##################.
                  .#................#.
                  .#..............#.#.
                  .#.##############.#.
                  .#................#.
                  .##################.
                  ....................";
    for expansions in [0, 1, 2, 7, 60, 1000] {
        let options =
            WorldOptions { expansions_per_tick: Some(expansions), ..WorldOptions::default() };
        let mut refereed =
            RefereedWorld::new(throng_testkit::map(&walled.replace(".#...", ".....")), options);
        let units = [(2, 2), (5, 2), (3, 3), (8, 5)].map(|at| refereed.scout(at));
        units.iter().for_each(|&unit| refereed.go(unit, (19, 7)));
        let arrived = |refereed: &RefereedWorld| units.iter().all(|&unit| is_idle(refereed, unit));
        let ticks = refereed.until(4000, arrived);
        assert!(expansions < 1000 || ticks < 100, "{ticks} ticks");
    }
}

/// However many new orders there are, those on their way go on planning.
#[test]
fn routes_leave_half_of_the_budget_to_plans() {
    let options = WorldOptions { expansions_per_tick: Some(800), ..WorldOptions::default() };
    let mut refereed = RefereedWorld::new(throng_model::Map::empty(100, 100).unwrap(), options);
    let walkers: Vec<_> = (0..60).map(|n| refereed.scout((0, 1 + n))).collect();
    walkers.iter().zip(1..).for_each(|(&unit, y)| refereed.go(unit, (99, y)));
    let messengers: Vec<_> = (0..16).map(|n| refereed.scout((4 * n, 80))).collect();
    for tick in 0..40_u16 {
        messengers
            .iter()
            .zip(0..)
            .for_each(|(&unit, n)| refereed.go(unit, (90 - n, 70 + tick % 2)));
        refereed.tick();
    }
    let ahead = walkers.iter().map(|&unit| refereed.world.plan(unit).unwrap().len());
    let mean = ahead.sum::<usize>() / walkers.len();
    assert!(mean >= 8, "plans of {mean} ticks");
}
