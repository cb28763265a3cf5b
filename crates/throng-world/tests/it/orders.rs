//! What units are told, they do.

use throng_model::{Cell, MovementProfile, UnitId};
use throng_world::{BuildingId, Event, Order, Spawn, UnitStatus, WorldError, WorldOptions};

use crate::court::Court;

fn arrivals(events: &[Event], unit: UnitId) -> Vec<Cell> {
    let arrived = events.iter().filter_map(|event| match event {
        Event::Arrived { unit: who, at } if *who == unit => Some(*at),
        _ => None,
    });
    arrived.collect()
}

fn is_idle(court: &Court, unit: UnitId) -> bool {
    matches!(court.world.status(unit), Some(UnitStatus::Arrived | UnitStatus::Idle))
}

#[test]
fn a_unit_goes_where_it_is_told_by_the_shortest_way() {
    let mut court = Court::drawn(
        "..........
         ########..
         ..........",
    );
    let unit = court.scout((0, 0));
    court.go(unit, (0, 2));
    let ticks = court.until(100, |court| court.world.status(unit) == Some(UnitStatus::Arrived));
    assert_eq!((court.at(unit), ticks), (Cell::new(0, 2), 18));
}

#[test]
fn a_queue_is_carried_out_in_its_order() {
    let mut court = Court::drawn(&"..........\n".repeat(6));
    let unit = court.scout((0, 0));
    court.go(unit, (9, 0));
    let corners = [(9, 5), (0, 5), (4, 2)].map(|(x, y)| Cell::new(x, y));
    for corner in corners {
        court.world.then(unit, Order::go(corner)).unwrap();
    }
    let events = court.ticks(60);
    let [a, b, c] = corners;
    assert_eq!(arrivals(&events, unit), [Cell::new(9, 0), a, b, c]);
    assert!(!events.iter().any(|event| matches!(event, Event::Rerouted { .. })), "{events:?}");
}

#[test]
fn a_new_order_ends_the_queue() {
    let mut court = Court::drawn(&"..........\n".repeat(3));
    let unit = court.scout((0, 0));
    court.go(unit, (9, 0));
    court.world.then(unit, Order::go((9, 2))).unwrap();
    court.ticks(3);
    court.go(unit, (0, 2));
    let events = court.ticks(40);
    assert_eq!(arrivals(&events, unit), [Cell::new(0, 2)]);
    assert_eq!(events.len(), 1, "a new order is no detour: {events:?}");
}

#[test]
fn to_stop_in_the_middle_of_a_queue_holds_nobody_up() {
    for pause in [Order::Stop, Order::Hold] {
        let mut court = Court::drawn("..........");
        let unit = court.scout((0, 0));
        court.go(unit, (4, 0));
        court.world.then(unit, pause.clone()).unwrap();
        court.world.then(unit, Order::go((9, 0))).unwrap();
        court.world.then(unit, pause.clone()).unwrap();
        let events = court.ticks(30);
        assert_eq!(arrivals(&events, unit), [Cell::new(4, 0), Cell::new(9, 0)]);
        let status = if pause == Order::Stop { UnitStatus::Idle } else { UnitStatus::Holding };
        assert_eq!(court.world.status(unit), Some(status));
    }
}

#[test]
fn a_unit_told_to_stop_stops_even_before_it_has_a_route() {
    for (order, status) in [(Order::Stop, UnitStatus::Idle), (Order::Hold, UnitStatus::Holding)] {
        let mut court = Court::drawn("..........");
        let unit = court.scout((0, 0));
        court.go(unit, (9, 0));
        court.world.order(unit, order.clone()).unwrap();
        assert_eq!(court.ticks(20), []);
        assert_eq!((court.at(unit), court.world.status(unit)), (Cell::new(0, 0), Some(status)));
        court.go(unit, (9, 0));
        court.ticks(3);
        court.world.order(unit, order).unwrap();
        court.tick();
        let at = court.at(unit);
        court.ticks(20);
        assert_eq!((court.at(unit), court.world.status(unit)), (at, Some(status)));
    }
}

/// A slow unit ends the step that it has begun, and stays there.
#[test]
fn a_slow_unit_holds_where_its_step_ends() {
    let mut court = Court::drawn("..........");
    let slow = MovementProfile { pace: 4, ..MovementProfile::four_connected() };
    let unit = court.spawn(Cell::new(0, 0), &Spawn::new(slow)).unwrap();
    court.go(unit, (9, 0));
    court.ticks(2);
    court.world.order(unit, Order::Hold).unwrap();
    court.ticks(30);
    assert_eq!(court.at(unit), Cell::new(1, 0));
}

#[test]
fn nobody_moves_a_unit_that_holds() {
    let mut court = Court::drawn(
        "#####.....
         .........#
         #####....#",
    );
    let rock = court.scout((6, 1));
    court.world.order(rock, Order::Hold).unwrap();
    let walls = [(5, 0), (5, 2)].map(|at| court.scout(at));
    walls.iter().for_each(|&unit| court.world.order(unit, Order::Hold).unwrap());
    let strong = Spawn::new(MovementProfile::four_connected()).with_level(9);
    let unit = court.spawn(Cell::new(0, 1), &strong).unwrap();
    court.go(unit, (6, 1));
    for _ in 0..200 {
        court.tick();
        assert_eq!(court.at(rock), Cell::new(6, 1));
        assert_eq!(walls.map(|wall| court.at(wall)), [Cell::new(5, 0), Cell::new(5, 2)]);
    }
    assert_eq!(court.world.status(unit), Some(UnitStatus::Going));
    court.world.order(rock, Order::Stop).unwrap();
    court.until(100, |court| court.world.status(unit) == Some(UnitStatus::Arrived));
}

#[test]
fn of_many_cells_the_nearest_is_taken_that_is_nobody_elses() {
    let mut court = Court::drawn("....................");
    let first = court.scout((10, 0));
    let second = court.scout((9, 0));
    let cells = vec![Cell::new(0, 0), Cell::new(14, 0), Cell::new(19, 0)];
    court.world.order(first, Order::GoTo(cells.clone())).unwrap();
    court.tick();
    court.world.order(second, Order::GoTo(cells)).unwrap();
    court.until(60, |court| is_idle(court, first) && is_idle(court, second));
    assert_eq!((court.at(first), court.at(second)), (Cell::new(14, 0), Cell::new(0, 0)));
}

#[test]
fn a_cell_that_cannot_be_reached_is_passed_over() {
    let mut court = Court::drawn("......#..");
    let (unit, other) = (court.scout((0, 0)), court.scout((3, 0)));
    court.go(other, (4, 0));
    court.tick();
    // (4,0) is another's, (7,0) is free and out of reach, (6,0) is wall.
    let cells = [(7, 0), (6, 0), (4, 0)].map(|(x, y)| Cell::new(x, y)).to_vec();
    court.world.order(unit, Order::GoTo(cells)).unwrap();
    court.until(60, |court| is_idle(court, unit));
    assert_eq!(court.at(unit), Cell::new(3, 0));
}

/// Two units for one cell: both come to rest, beside each other, for good.
fn check_one_cell_for_two(drawing: &str, movement: &MovementProfile, starts: [(u16, u16); 2]) {
    let mut court = Court::drawn(drawing);
    let spawn = Spawn::new(movement.clone());
    let units = starts.map(|(x, y)| court.spawn(Cell::new(x, y), &spawn).unwrap());
    units.iter().for_each(|&unit| court.go(unit, (5, 2)));
    court.until(200, |court| units.iter().all(|&unit| is_idle(court, unit)));
    court.ticks(40);
    let places = units.map(|unit| court.at(unit));
    assert_ne!(places[0], places[1]);
    assert!(places.contains(&Cell::new(5, 2)));
    for _ in 0..100 {
        assert_eq!(court.tick(), []);
        assert_eq!(units.map(|unit| court.at(unit)), places);
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
    let mut court = Court::drawn("..........");
    let units = [(0, 0), (1, 0)].map(|at| court.scout(at));
    units.iter().for_each(|&unit| court.go(unit, (5, 0)));
    court.ticks(2000);
    let places = units.map(|unit| court.at(unit));
    assert!(places.iter().all(|at| at.x.abs_diff(5) <= 2), "{}", court.show());
    for _ in 0..100 {
        assert_eq!(court.tick(), []);
        assert_eq!(units.map(|unit| court.at(unit)), places);
    }
}

#[test]
fn what_cannot_be_reached_is_said_once_and_not_looked_for_again() {
    let mut court = Court::drawn(&"....#....\n".repeat(5));
    let unit = court.scout((0, 0));
    court.go(unit, (8, 0));
    assert_eq!(court.tick(), [Event::Unreachable { unit }]);
    for _ in 0..200 {
        assert_eq!(court.tick(), []);
        assert!(court.world.report().expanded <= 200, "{}", court.world.report().expanded);
    }
    // An edit elsewhere does not help, and there is nothing new to say.
    court.world.paint(&[Cell::new(7, 4)], throng_model::Map::WALL).unwrap();
    assert_eq!(court.ticks(50), []);
    court.world.paint(&[Cell::new(4, 4)], throng_model::Map::GROUND).unwrap();
    let events = court.ticks(40);
    assert_eq!(events, [Event::Arrived { unit, at: Cell::new(8, 0) }]);
}

/// Most ticks of a unit that rests cost no search of its way, on a large map either.
#[test]
fn on_a_large_map_the_unreachable_costs_no_search() {
    let mut map = throng_model::Map::empty(200, 100).unwrap();
    let wall: Vec<Cell> = (0..100).map(|y| Cell::new(100, y)).collect();
    map.paint(&wall, throng_model::Map::WALL).unwrap();
    let mut court = Court::new(map, WorldOptions::default());
    let units: Vec<UnitId> = (0..20).map(|y| court.scout((0, 4 * y))).collect();
    units.iter().for_each(|&unit| court.go(unit, (199, 0)));
    let events = court.tick().to_vec();
    assert_eq!(events.len(), 20);
    assert!(events.iter().all(|event| matches!(event, Event::Unreachable { .. })));
    assert_eq!(court.ticks(50), []);
    assert!(court.world.report().expanded < 4000, "{}", court.world.report().expanded);
}

#[test]
fn an_order_into_a_wall_cannot_be_reached_and_the_next_one_is_carried_out() {
    let mut court = Court::drawn(".....#...");
    let unit = court.scout((0, 0));
    court.go(unit, (5, 0));
    court.world.then(unit, Order::go((8, 0))).unwrap();
    court.world.then(unit, Order::go((3, 0))).unwrap();
    let events = court.ticks(10);
    let cannot = Event::Unreachable { unit };
    assert_eq!(events, [cannot, cannot, Event::Arrived { unit, at: Cell::new(3, 0) }]);
}

#[test]
fn orders_that_make_no_sense_are_refused() {
    let mut court = Court::drawn("....");
    let unit = court.scout((0, 0));
    let cell = Cell::new(4, 0);
    let world = &mut court.world;
    assert_eq!(world.order(unit, Order::go(cell)), Err(WorldError::OffMap { cell }));
    assert_eq!(world.then(unit, Order::go(cell)), Err(WorldError::OffMap { cell }));
    assert_eq!(world.order(unit, Order::GoTo(Vec::new())), Err(WorldError::NoGoal));
    let house = BuildingId::new(3);
    assert_eq!(world.order(unit, Order::Enter(house)), Err(WorldError::NoSuchContainer(house)));
    assert_eq!(world.order_group(&[unit], cell), Err(WorldError::OffMap { cell }));
    world.remove(unit).unwrap();
    let gone = Err(WorldError::NoSuchUnit(unit));
    let goal = Cell::new(1, 0);
    assert_eq!(world.order(unit, Order::go(goal)), gone);
    assert_eq!(world.then(unit, Order::go(goal)), gone);
    assert_eq!(world.order_group(&[unit], goal).map(|_| ()), gone);
    assert_eq!(world.move_to(unit, goal), gone);
    assert_eq!(world.set_level(unit, 1), gone);
    assert_eq!(world.remove(unit), gone);
    assert_eq!(
        world.order(UnitId::from_bits(u32::MAX), Order::Stop),
        Err(WorldError::NoSuchUnit(UnitId::from_bits(u32::MAX)))
    );
    assert_eq!((world.status(unit), world.why(unit), world.place(unit)), (None, None, None));
}

#[test]
fn units_are_not_put_where_they_cannot_be() {
    let mut court = Court::drawn(
        "....
         ..#.",
    );
    let first = court.scout((0, 0));
    let big = Spawn::new(MovementProfile { footprint: 2, ..MovementProfile::four_connected() });
    let small = Spawn::new(MovementProfile::four_connected());
    let cell = Cell::new(0, 0);
    for spawn in [&big, &small] {
        assert_eq!(court.spawn(cell, spawn), Err(WorldError::Occupied { cell, by: first }));
    }
    let cell = Cell::new(3, 0);
    assert_eq!(court.spawn(cell, &big), Err(WorldError::OffMap { cell }));
    let cell = Cell::new(1, 0);
    assert_eq!(court.spawn(cell, &big), Err(WorldError::Impassable { cell }));
    assert_eq!(
        court.move_to(first, Cell::new(2, 1)),
        Err(WorldError::Impassable { cell: Cell::new(2, 1) })
    );
    assert_eq!(court.at(first), Cell::new(0, 0));
}

#[test]
fn a_unit_that_is_thrown_goes_on_with_its_order() {
    let mut court = Court::drawn("....................");
    let unit = court.scout((0, 0));
    court.go(unit, (19, 0));
    court.ticks(3);
    court.move_to(unit, Cell::new(16, 0)).unwrap();
    let events = court.ticks(5);
    assert_eq!(arrivals(&events, unit), [Cell::new(19, 0)]);
    // From where it rests, it comes back.
    court.move_to(unit, Cell::new(10, 0)).unwrap();
    court.until(30, |court| court.at(unit) == Cell::new(19, 0));
}

/// However small the budget, everybody gets there.
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
        let mut court = Court::new(throng_testkit::map(&walled.replace(".#...", ".....")), options);
        let units = [(2, 2), (5, 2), (3, 3), (8, 5)].map(|at| court.scout(at));
        units.iter().for_each(|&unit| court.go(unit, (19, 7)));
        let arrived = |court: &Court| units.iter().all(|&unit| is_idle(court, unit));
        let ticks = court.until(4000, arrived);
        assert!(expansions < 1000 || ticks < 80, "{ticks} ticks");
    }
}

/// However many new orders there are, those on their way go on planning.
#[test]
fn routes_leave_half_of_the_budget_to_plans() {
    let options = WorldOptions { expansions_per_tick: Some(800), ..WorldOptions::default() };
    let mut court = Court::new(throng_model::Map::empty(100, 100).unwrap(), options);
    let walkers: Vec<_> = (0..60).map(|n| court.scout((0, 1 + n))).collect();
    walkers.iter().zip(1..).for_each(|(&unit, y)| court.go(unit, (99, y)));
    let messengers: Vec<_> = (0..16).map(|n| court.scout((4 * n, 80))).collect();
    for tick in 0..40_u16 {
        messengers.iter().zip(0..).for_each(|(&unit, n)| court.go(unit, (90 - n, 70 + tick % 2)));
        court.tick();
    }
    let ahead = walkers.iter().map(|&unit| court.world.plan(unit).unwrap().len());
    let mean = ahead.sum::<usize>() / walkers.len();
    assert!(mean >= 8, "plans of {mean} ticks");
}
