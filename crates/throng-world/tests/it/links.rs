//! Links between cells that are no neighbours: ladders, portals, ferries.

use throng_model::{Cell, Map, MovementProfile, UnitId};
use throng_world::{
    Command, Event, Garrison, Layer, Link, LinkId, Order, Spawn, UnitStatus, Why, World,
    WorldError, WorldOptions,
};

use crate::refereed::RefereedWorld;

/// Two rooms without a door between them, 9 columns each.
const ROOMS: &str = "
    .........#.........
    .........#.........
    .........#.........
    .........#.........
    .........#.........";

fn link(refereed: &mut RefereedWorld, from: (u16, u16), to: (u16, u16), ticks: u32) -> LinkId {
    refereed.world.add_link(Link::new(from, to, ticks)).unwrap()
}

fn has_arrived(refereed: &RefereedWorld, units: &[UnitId]) -> bool {
    units.iter().all(|&unit| refereed.world.status(unit) == Some(UnitStatus::Arrived))
}

#[test]
fn a_route_leads_through_a_link_by_itself() {
    let mut refereed = RefereedWorld::drawn(ROOMS.trim());
    let unit = refereed.scout((1, 2));
    let ladder = link(&mut refereed, (8, 2), (10, 2), 6);
    refereed.go(unit, (15, 2));
    let events = refereed.ticks(7);
    assert_eq!(events, [Event::LinkEntered { unit, link: ladder }]);
    assert_eq!(refereed.world.location(unit), None);
    assert_eq!(refereed.world.status(unit), Some(UnitStatus::Crossing(ladder)));
    assert_eq!(refereed.world.why(unit), Some(Why::Crossing { link: ladder, ticks_left: 6 }));
    let inside: Vec<_> = refereed.world.units_in_link(ladder).collect();
    assert_eq!(inside, [(unit, throng_model::Tick(13))]);
    let ticks = refereed.until(30, |r| has_arrived(r, &[unit]));
    assert_eq!(ticks, 6 + 5, "six ticks inside, and five steps");
    // There is no way back.
    refereed.go(unit, (1, 2));
    refereed.until(9, |r| r.world.status(unit) == Some(UnitStatus::Unreachable));
    refereed.world.add_link(Link::new((8, 2), (10, 2), 6).back()).unwrap();
    refereed.until(40, |r| has_arrived(r, &[unit]));
    assert_eq!(refereed.at(unit), Cell::new(1, 2));
}

#[test]
fn the_quicker_of_two_ways_is_taken() {
    let run = |ticks: u32| {
        let map = Map::empty(40, 5).unwrap();
        let mut refereed = RefereedWorld::new(map, WorldOptions::default());
        let unit = refereed.scout((1, 2));
        link(&mut refereed, (3, 2), (36, 2), ticks);
        refereed.go(unit, (38, 2));
        refereed.until(60, |r| has_arrived(r, &[unit]))
    };
    assert_eq!(run(20), 2 + 20 + 2);
    assert_eq!(run(33), 37);
    assert_eq!(run(90), 37);
}

#[test]
fn a_way_leads_through_several_links_and_over_other_ground() {
    let mut refereed = RefereedWorld::drawn("....#....#....#....");
    let unit = refereed.scout((0, 0));
    let links = [((3, 0), (5, 0)), ((8, 0), (10, 0)), ((13, 0), (15, 0)), ((1, 0), (12, 0))]
        .map(|(from, to)| link(&mut refereed, from, to, 4));
    refereed.go(unit, (18, 0));
    let mut taken = Vec::new();
    for _ in 0..40 {
        taken.extend(refereed.tick().iter().filter_map(|event| match event {
            Event::LinkEntered { link, .. } => Some(*link),
            _ => None,
        }));
    }
    assert_eq!(taken, [links[3], links[2]]);
    assert!(has_arrived(&refereed, &[unit]));
}

/// Units of several sizes go through a pair of links in both directions, at once.
#[test]
fn crowds_pass_through_in_both_directions() {
    let mut refereed = RefereedWorld::drawn(ROOMS.trim());
    link(&mut refereed, (7, 1), (10, 1), 5);
    link(&mut refereed, (11, 3), (6, 3), 5);
    let kind = |n: u16| MovementProfile {
        footprint: 1 + u8::from(n.is_multiple_of(5)),
        pace: 1 + (n % 2) as u8,
        ..MovementProfile::eight_connected()
    };
    let mut units = Vec::new();
    for n in 0..20_u16 {
        let side = if n % 2 == 0 { 0 } else { 10 };
        let spawn = Spawn::new(kind(n / 2));
        let near = Cell::new(side + 4, 2);
        let at = refereed.world.free_cell_near(near, &spawn).unwrap();
        if at.x / 10 == side / 10 {
            units.push((refereed.spawn(at, &spawn).unwrap(), side == 0));
        }
    }
    assert!(units.len() >= 16, "{}", units.len());
    let all: Vec<UnitId> = units.iter().map(|&(unit, _)| unit).collect();
    for (right, to) in [(true, (14, 2)), (false, (4, 2))] {
        let group: Vec<UnitId> =
            units.iter().filter(|&&(_, r)| r == right).map(|&(unit, _)| unit).collect();
        refereed.world.order_group(&group, to).unwrap();
    }
    refereed.until(600, |r| has_arrived(r, &all));
}

#[test]
fn a_ferry_has_room_for_two() {
    let mut refereed = RefereedWorld::drawn("......#......");
    let ferry = Link::new((5, 0), (7, 0), 10).with_capacity(2);
    let ferry = refereed.world.add_link(ferry).unwrap();
    let units: Vec<UnitId> = (2..6).rev().map(|x| refereed.scout((x, 0))).collect();
    for (&unit, x) in units.iter().zip((8..13).rev()) {
        refereed.go(unit, (x, 0));
    }
    refereed.ticks(4);
    assert_eq!(refereed.world.units_in_link(ferry).count(), 2);
    assert_eq!(refereed.world.why(units[2]), Some(Why::LinkFull(ferry)));
    assert_eq!(refereed.at(units[2]), Cell::new(5, 0));
    assert!(matches!(refereed.world.why(units[3]), Some(Why::WaitingFor { .. })));
    refereed.until(60, |r| has_arrived(r, &units));
}

#[test]
fn a_unit_at_the_end_is_waited_for_or_steps_aside() {
    let mut refereed = RefereedWorld::drawn(ROOMS.trim());
    let portal = link(&mut refereed, (4, 2), (14, 2), 3);
    let (unit, other) = (refereed.scout((3, 2)), refereed.scout((14, 2)));
    refereed.world.order(other, Order::Hold).unwrap();
    refereed.go(unit, (18, 2));
    refereed.ticks(12);
    let blocked = Why::LinkBlocked { link: portal, by: Some(other) };
    assert_eq!(refereed.world.why(unit), Some(blocked));
    refereed.world.order(other, Order::Stop).unwrap();
    refereed.tick();
    assert_eq!(refereed.world.why(other), Some(Why::Yielding { unit }));
    refereed.until(20, |r| has_arrived(r, &[unit]));
    refereed.ticks(5);
    assert_ne!(refereed.at(other), refereed.at(unit));
}

#[test]
fn a_link_is_removed_with_units_inside() {
    let run = |ticks: u32, garrison: Garrison| {
        let mut refereed = RefereedWorld::drawn(ROOMS.trim());
        let bridge = link(&mut refereed, (8, 2), (10, 2), 20);
        let (first, second) = (refereed.scout((7, 2)), refereed.scout((1, 2)));
        refereed.go(first, (18, 2));
        refereed.go(second, (18, 3));
        refereed.ticks(ticks);
        refereed.apply(&Command::RemoveLink { link: bridge, inside: garrison }).unwrap();
        assert_eq!(
            refereed.world.remove_link(bridge, garrison),
            Err(WorldError::NoSuchLink(bridge))
        );
        assert_eq!(refereed.world.links().count(), 0);
        refereed.ticks(12);
        [first, second].map(|unit| (refereed.world.location(unit), refereed.world.status(unit)))
    };
    let unreachable = Some(UnitStatus::Unreachable);
    let [first, second] = run(4, Garrison::PutOut);
    // It was nearer to the beginning.
    assert!(first.0.is_some_and(|(at, _)| at.x <= 8) && first.1 == unreachable, "{first:?}");
    assert_eq!(second.1, unreachable);
    let [first, _] = run(16, Garrison::PutOut);
    assert_eq!(first, (Some((Cell::new(18, 2), None)), Some(UnitStatus::Arrived)));
    assert_eq!(run(4, Garrison::Remove)[0], (None, None));
}

#[test]
fn units_come_out_beside_an_end_that_was_built_over() {
    let mut refereed = RefereedWorld::drawn(ROOMS.trim());
    let tunnel = link(&mut refereed, (8, 2), (10, 2), 8);
    let (unit, late) = (refereed.scout((7, 2)), refereed.scout((1, 2)));
    refereed.go(unit, (18, 2));
    refereed.go(late, (17, 2));
    refereed.ticks(3);
    refereed.world.paint(&[Cell::new(10, 2)], Map::WALL).unwrap();
    refereed.until(40, |r| has_arrived(r, &[unit]));
    assert_eq!(refereed.world.status(late), Some(UnitStatus::Unreachable));
    assert_eq!(refereed.world.units_in_link(tunnel).count(), 0);
}

#[test]
fn orders_are_given_and_queued_inside() {
    let mut refereed = RefereedWorld::drawn(ROOMS.trim());
    let ladder = link(&mut refereed, (4, 2), (14, 2), 10);
    let unit = refereed.scout((4, 1));
    refereed.go(unit, (18, 2));
    refereed.ticks(4);
    assert_eq!(refereed.world.status(unit), Some(UnitStatus::Crossing(ladder)));
    assert_eq!(refereed.world.halt(unit), Err(WorldError::InLink(unit)));
    assert_eq!(refereed.world.teleport(unit, (1, 1)), Err(WorldError::InLink(unit)));
    refereed.go(unit, (11, 0));
    refereed.world.queue_order(unit, (11, 4)).unwrap();
    refereed.until(40, |r| r.at_or_nowhere(unit) == Some(Cell::new(11, 0)));
    refereed.until(40, |r| r.at_or_nowhere(unit) == Some(Cell::new(11, 4)));
    let other = refereed.scout((4, 3));
    refereed.go(other, (18, 2));
    refereed.ticks(4);
    refereed.world.order(other, Order::Stop).unwrap();
    refereed.ticks(20);
    assert_eq!(refereed.at(other), Cell::new(14, 2));
    assert_eq!(refereed.world.status(other), Some(UnitStatus::Idle));
}

#[test]
fn pursuers_and_flyers() {
    let mut refereed = RefereedWorld::drawn(ROOMS.trim());
    link(&mut refereed, (8, 2), (10, 2), 4);
    let (hunter, prey) = (refereed.scout((1, 2)), refereed.scout((16, 2)));
    refereed.world.order(hunter, Order::chase(prey, 1)).unwrap();
    let reached = |r: &RefereedWorld| r.world.status(hunter) == Some(UnitStatus::Idle);
    refereed.until(60, |r| reached(r) && r.at_or_nowhere(hunter).is_some_and(|at| at.x > 10));
    // A link on the ground is none in the air.
    let flyer = Spawn::new(MovementProfile::four_connected()).with_layer(Layer::AIR);
    let flyer = refereed.spawn(Cell::new(2, 2), &flyer).unwrap();
    refereed.go(flyer, (16, 4));
    refereed.until(9, |r| r.world.status(flyer) == Some(UnitStatus::Unreachable));
    let up = Link::new((2, 1), (16, 1), 4).with_layer(Layer::AIR);
    refereed.world.add_link(up).unwrap();
    refereed.until(40, |r| has_arrived(r, &[flyer]));
}

#[test]
fn links_are_saved_and_broken_ones_refused() {
    let mut world = World::new(Map::empty(30, 3).unwrap(), WorldOptions::default()).unwrap();
    let ladder = world.add_link(Link::new((3, 1), (20, 1), 9)).unwrap();
    let spawn = Spawn::new(MovementProfile::eight_connected());
    for y in 0..3 {
        let unit = world.spawn((1, y), &spawn).unwrap();
        world.order(unit, (28, y)).unwrap();
    }
    let mut restored = World::restore(&world.snapshot(), 2).unwrap();
    for _ in 0..40 {
        assert_eq!(restored.tick(), world.tick());
        restored = World::restore(&world.snapshot(), 2).unwrap();
    }
    assert!(world.units().all(|unit| world.status(unit) == Some(UnitStatus::Arrived)));
    world.remove_link(ladder, Garrison::PutOut).unwrap();
    let refused = |link: Link| world.clone().add_link(link);
    let at = Cell::new(4, 1);
    assert_eq!(refused(Link::new(at, at, 3)), Err(WorldError::LinkToItself(at)));
    assert_eq!(refused(Link::new(at, (9, 2), 0)), Err(WorldError::LinkOutOfBounds));
    assert_eq!(refused(Link::new(at, (9, 2), 1 << 17)), Err(WorldError::LinkOutOfBounds));
    assert_eq!(
        refused(Link::new(at, (9, 2), 5).with_capacity(0)),
        Err(WorldError::LinkOutOfBounds)
    );
    let off = Cell::new(9, 7);
    assert_eq!(refused(Link::new(at, off, 5)), Err(WorldError::OffMap { cell: off }));
    let low = Link::new(at, (9, 2), 5).with_layer(Layer(9));
    assert_eq!(refused(low), Err(WorldError::NoSuchLayer(9)));
    let mut full = world.clone();
    for _ in 0..256 {
        full.add_link(Link::new(at, (9, 2), 5)).unwrap();
    }
    assert_eq!(full.add_link(Link::new(at, (9, 2), 5)), Err(WorldError::TooManyLinks(256)));
}
