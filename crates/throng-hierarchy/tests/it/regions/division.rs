//! What the regions are.

use throng_grid::Ground;
use throng_hierarchy::{Doorway, RegionId, Regions};
use throng_model::{Cell, CornerRule, Map, MovementProfile};

use super::Divided;
use crate::support::movements;

/// Each cell lies in one region, regions are connected, doorways are the same from both sides.
fn check_invariants(divided: &Divided) {
    let Divided { map, ground, regions, .. } = divided;
    let mut seen = vec![None; map.cells().count()];
    let index = |cell: Cell| ground.index(cell).unwrap().get();
    for region in regions.iter() {
        for cell in regions.cells(region) {
            assert_eq!(seen[index(cell)].replace(region), None, "{cell} twice");
        }
        assert!(regions.cells(region).len() > 0, "{region:?} is empty");
        check_whole(ground, regions, region);
        regions
            .doorways(region)
            .iter()
            .for_each(|doorway| check_doorway(ground, regions, region, doorway));
    }
    for cell in map.cells() {
        assert_eq!(seen[index(cell)].is_some(), ground.can_stand(cell), "{cell}");
        assert_eq!(seen[index(cell)], regions.region_of(cell), "{cell}");
    }
    assert_eq!(regions.iter().count(), regions.count());
    check_steps(divided);
}

/// All its cells are reached from the first without leaving it.
fn check_whole(ground: &Ground, regions: &Regions, region: RegionId) {
    let mut reached: Vec<Cell> = regions.cells(region).take(1).collect();
    let mut at = 0;
    let mut known = vec![false; (ground.width() * ground.height()) as usize];
    known[ground.index(reached[0]).unwrap().get()] = true;
    while let Some(&cell) = reached.get(at) {
        at += 1;
        for next in around(cell) {
            let inside = regions.region_of(next) == Some(region);
            if inside && ground.step_cost(cell, next).is_some() {
                let known = &mut known[ground.index(next).unwrap().get()];
                if !std::mem::replace(known, true) {
                    reached.push(next);
                }
            }
        }
    }
    assert_eq!(reached.len(), regions.cells(region).len(), "{region:?} is torn");
}

fn around(cell: Cell) -> impl Iterator<Item = Cell> {
    (-1..=1).flat_map(move |dy| (-1..=1).filter_map(move |dx| cell.offset(dx, dy)))
}

fn check_doorway(ground: &Ground, regions: &Regions, own: RegionId, doorway: &Doorway) {
    let [from, to] = doorway.middle;
    assert_eq!(doorway.regions[0], own);
    assert_ne!(doorway.regions[1], own);
    assert_eq!(doorway.regions.map(Some), doorway.middle.map(|cell| regions.region_of(cell)));
    assert!(ground.step_cost(from, to).is_some(), "{from} to {to}");
    assert!(doorway.width > 0);
    let mirrored =
        Doorway { regions: [doorway.regions[1], own], middle: [to, from], width: doorway.width };
    assert!(regions.doorways(doorway.regions[1]).contains(&mirrored), "{doorway:?}");
    assert!(regions.neighbours(own).contains(&doorway.regions[1]));
}

/// Wherever a straight step leads from a region into another, they have a doorway.
fn check_steps(Divided { map, ground, regions, .. }: &Divided) {
    for cell in map.cells() {
        for (dx, dy) in [(1, 0), (0, 1)] {
            let Some(next) = cell.offset(dx, dy) else { continue };
            if ground.step_cost(cell, next).is_some() {
                let [own, other] = [cell, next].map(|cell| regions.region_of(cell).unwrap());
                assert!(own == other || regions.neighbours(own).contains(&other), "{cell}");
            }
        }
    }
}

#[test]
fn regions_cover_the_ground_and_are_connected() {
    for (seed, movement) in movements().into_iter().enumerate() {
        for percent in [2, 10, 30] {
            let map = throng_testkit::random_map(seed as u64, 75, 70, percent);
            check_invariants(&Divided::new(map, movement.clone()));
        }
    }
    for (width, height) in [(1, 1), (1, 90), (33, 32), (64, 64), (65, 1)] {
        let map = throng_testkit::random_map(3, width, height, 0);
        check_invariants(&Divided::new(map, MovementProfile::four_connected()));
    }
}

/// Each letter of the drawing stands for one region, with any id.
fn check_drawing(drawing: &str, movement: MovementProfile, expected_count: usize) {
    let divided = Divided::new(throng_testkit::map(drawing), movement);
    let mut regions: Vec<Option<RegionId>> = Vec::new();
    for letter in 'a'..='z' {
        let named = throng_testkit::find(drawing, letter);
        let of: Vec<_> = named.iter().map(|&cell| divided.regions.region_of(cell)).collect();
        assert!(of.windows(2).all(|pair| pair[0] == pair[1]), "'{letter}' was divided");
        regions.extend(of.first().copied());
    }
    let named = regions.len();
    regions.sort_unstable();
    regions.dedup();
    assert_eq!(regions.len(), named, "two letters in one region");
    assert_eq!(divided.regions.count(), expected_count);
    check_invariants(&divided);
}

const HOUSE: &str = "
    #####################################
    #a.........#b...........#c.........c#
    #..........#............#...........#
    #..........#............#...........#
    #.........a#...........b............#
    #####.###########.#############.#####
    #d.................................d#
    #d.................................d#
    ######.#######################.######
    #e..........e#f...........f###.....g#
    #............#..................g...#
    #.........................f###.....g#
    #e..........e#f...........f##########
    #####################################";

#[test]
fn the_rooms_of_a_house() {
    // The wall between `f` and `g` is thick, but their passage is too short for a corridor.
    check_drawing(HOUSE, MovementProfile::four_connected(), 7);
    check_drawing(HOUSE, MovementProfile::eight_connected(), 7);
}

#[test]
fn a_hall_is_whole_wherever_it_lies() {
    for (x, y) in [(0, 0), (20, 25), (31, 1), (33, 40), (25, 25)] {
        let mut map = Map::empty(96, 96).unwrap();
        map.fill(throng_model::Rect::new(Cell::new(0, 0), 96, 96), Map::WALL).unwrap();
        let hall = throng_model::Rect::new(Cell::new(x, y), 30, 22);
        map.fill(hall, Map::GROUND).unwrap();
        let divided = Divided::new(map, MovementProfile::eight_connected());
        assert_eq!(divided.regions.count(), 1, "{x} {y}");
        let region = divided.regions.iter().next().unwrap();
        assert_eq!(divided.regions.bounds(region), Some(hall));
    }
}

#[test]
fn a_field_is_cut() {
    let divided = Divided::new(Map::empty(200, 200).unwrap(), MovementProfile::eight_connected());
    let largest = divided.regions.iter().map(|region| divided.regions.cells(region).len()).max();
    assert!(largest.unwrap() <= 2048, "{largest:?}");
    assert!(divided.regions.count() >= 20);
    check_invariants(&divided);
}

#[test]
fn a_corridor_is_a_region_and_a_door_is_not() {
    let corridor = "
        ####################
        #a....########b....#
        #..................#
        #....a########....b#
        ####################";
    check_drawing(corridor, MovementProfile::eight_connected(), 3);
    let door = "
        ##############
        #a....##b....#
        #............#
        #....a##....b#
        ##############";
    check_drawing(door, MovementProfile::eight_connected(), 2);
}

#[test]
fn corners_join_where_they_may_be_cut() {
    let drawing = "
        ...#....
        ...#....
        ...#....
        ###.....";
    let cut =
        MovementProfile { corners: CornerRule::AlwaysCut, ..MovementProfile::eight_connected() };
    let count = |movement: MovementProfile| {
        let divided = Divided::new(throng_testkit::map(drawing), movement);
        check_invariants(&divided);
        let doorways = divided.regions.iter().map(|region| divided.regions.doorways(region).len());
        (divided.regions.count(), doorways.sum::<usize>())
    };
    assert_eq!(count(MovementProfile::eight_connected()), (2, 0));
    assert_eq!(count(cut), (2, 2));
}

#[test]
fn large_bodies_see_other_rooms() {
    // A door of one cell is none for a body of two.
    let movement = MovementProfile { footprint: 2, ..MovementProfile::eight_connected() };
    let divided = Divided::new(throng_testkit::map(HOUSE), movement);
    check_invariants(&divided);
    let room = divided.regions.region_of(throng_testkit::find(HOUSE, 'a')[0]).unwrap();
    assert!(divided.regions.doorways(room).is_empty());
}

#[test]
fn what_is_not_there_has_no_cells() {
    let divided = Divided::new(throng_testkit::map(HOUSE), MovementProfile::four_connected());
    let larger = Divided::new(Map::empty(200, 200).unwrap(), MovementProfile::four_connected());
    let foreign = larger.regions.iter().last().unwrap();
    assert_eq!(divided.regions.cells(foreign).len(), 0);
    assert_eq!(divided.regions.bounds(foreign), None);
    assert!(divided.regions.doorways(foreign).is_empty());
    assert_eq!(divided.regions.region_of(Cell::new(999, 0)), None);
}

/// The same doorways on every machine.
#[test]
fn doorways_are_pinned() {
    let map = throng_testkit::random_terrain(1, 200, 200, 10, 8);
    let Divided { regions, .. } = Divided::new(map, MovementProfile::eight_connected());
    let doorways: Vec<_> = regions.iter().map(|region| regions.doorways(region)).collect();
    assert_eq!(throng_testkit::hash(&format!("{doorways:?}")), 6_626_370_050_176_508_095);
}
