//! Generated scenarios: distinct, reachable, valid.

use super::*;

fn movement(footprint: u8) -> MovementProfile {
    MovementProfile { footprint, ..MovementProfile::eight_connected() }
}

fn index(map: &Map, cell: Cell) -> usize {
    usize::from(cell.y) * usize::from(map.width()) + usize::from(cell.x)
}

/// Each cell's connected part for bodies of this size, by repeated relaxation.
fn parts(map: &Map, side: u8) -> Vec<Option<u32>> {
    let side = i32::from(side);
    let fits = |cell: Cell| {
        let covered = (0..side).flat_map(|dy| (0..side).map(move |dx| cell.offset(dx, dy)));
        covered.into_iter().all(|c| c.is_some_and(|c| map.is_passable(c)))
    };
    let mut parts: Vec<Option<u32>> =
        map.cells().zip(0..).map(|(cell, index)| fits(cell).then_some(index)).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for cell in map.cells() {
            let here = index(map, cell);
            for next in [cell.offset(1, 0), cell.offset(0, 1)].into_iter().flatten() {
                if !map.contains(next) {
                    continue;
                }
                let next = index(map, next);
                if let (Some(a), Some(b)) = (parts[here], parts[next])
                    && a != b
                {
                    parts[here] = Some(a.min(b));
                    parts[next] = Some(a.min(b));
                    changed = true;
                }
            }
        }
    }
    parts
}

proptest! {
    #[test]
    fn starts_and_goals_are_apart_and_reachable(
        width in 1..24_u32, height in 1..24_u32, percent in 0..60_u32, side in 1..4_u8,
        units in 0..40_usize, distance_min in 0..12_u32, seed: u64,
    ) {
        let Ok(mut map) = generate::random(width, height, percent, seed) else { return Ok(()) };
        // A wall through the middle, so that not everything is reachable.
        let middle: Vec<Cell> = (0..height).map(|y| Cell::new(width as u16 / 2, y as u16)).collect();
        map.paint(&middle, Map::WALL).unwrap();
        let movement = movement(side);
        match generate::scenario(&map, &movement, units, distance_min, seed) {
            Ok(made) => {
                prop_assert_eq!(made.len(), units);
                let parts = parts(&map, side);
                for unit in &made {
                    let part = |cell| parts[index(&map, cell)];
                    prop_assert!(part(unit.start).is_some());
                    prop_assert_eq!(part(unit.start), part(unit.goal));
                    let columns = unit.start.x.abs_diff(unit.goal.x);
                    let apart = columns.max(unit.start.y.abs_diff(unit.goal.y));
                    prop_assert!(u32::from(apart) >= distance_min);
                }
                prop_assert!(Problem::new(map, movement, made).validate().is_ok());
            }
            Err(error) => prop_assert!(error.to_string().contains("ask for fewer units")),
        }
    }
}

#[test]
fn every_cell_can_be_taken() {
    let map = generate::random(20, 20, 30, 1).unwrap();
    let free = map.cells().filter(|&cell| map.is_passable(cell)).count();
    let made = |units| generate::scenario(&map, &movement(1), units, 0, 9);
    assert_eq!(made(free).unwrap().len(), free);
    let expected = GenerateError::TooManyUnits { asked: free + 1, placed: free };
    assert_eq!(made(free + 1), Err(expected));
    assert_eq!(made(1_000_000), Err(GenerateError::UnitLimit(1_000_000)));
}

#[test]
fn the_only_two_far_corners_are_found() {
    let map = Map::empty(12, 12).unwrap();
    let units = generate::scenario(&map, &MovementProfile::four_connected(), 4, 22, 3).unwrap();
    let mut corners: Vec<(u16, u16)> = units.iter().map(|u| (u.start.x, u.start.y)).collect();
    corners.sort_unstable();
    assert_eq!(corners, [(0, 0), (0, 11), (11, 0), (11, 11)]);
    let error = generate::scenario(&map, &MovementProfile::four_connected(), 5, 22, 3);
    assert_eq!(error, Err(GenerateError::TooManyUnits { asked: 5, placed: 4 }));
}

#[test]
fn a_distance_that_no_map_has_ends_soon() {
    let map = Map::empty(1024, 1024).unwrap();
    let error = generate::scenario(&map, &movement(1), 10, u32::MAX, 3);
    assert_eq!(error, Err(GenerateError::TooManyUnits { asked: 10, placed: 0 }));
}

#[test]
fn the_same_seed_gives_the_same_units_everywhere() {
    let map = generate::random(32, 32, 20, 1).unwrap();
    let units = generate::scenario(&map, &movement(2), 8, 5, 1).unwrap();
    let places: Vec<[u16; 4]> =
        units.iter().map(|u| [u.start.x, u.start.y, u.goal.x, u.goal.y]).collect();
    let expected = [
        [15, 26, 12, 7],
        [30, 13, 15, 22],
        [3, 11, 13, 17],
        [23, 11, 21, 22],
        [9, 5, 13, 13],
        [21, 2, 16, 0],
        [7, 18, 10, 24],
        [9, 11, 26, 27],
    ];
    assert_eq!(places, expected);
}

#[test]
fn movements_without_sense_are_refused() {
    let map = Map::empty(4, 4).unwrap();
    let error = generate::scenario(&map, &movement(0), 1, 0, 0).unwrap_err();
    assert!(error.to_string().contains("footprint of 0"), "{error}");
}
