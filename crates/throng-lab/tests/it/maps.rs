//! Generated maps: connected, as dense as asked, the same for a seed everywhere.

use super::*;

/// How many cells are passable.
fn free(map: &Map) -> usize {
    map.cells().filter(|&cell| map.is_passable(cell)).count()
}

/// How many cells are connected to the first passable one, by straight steps.
fn connected(map: &Map) -> usize {
    let Some(start) = map.cells().find(|&cell| map.is_passable(cell)) else { return 0 };
    let mut seen = vec![false; map.terrain().len()];
    let mut visit = |cell| {
        map.index(cell).is_some_and(|index| !std::mem::replace(&mut seen[index.get()], true))
    };
    visit(start);
    let mut open = vec![start];
    let mut count = 0;
    while let Some(cell) = open.pop() {
        count += 1;
        for next in [(0, -1), (-1, 0), (1, 0), (0, 1)].map(|(dx, dy)| cell.offset(dx, dy)) {
            let Some(next) = next.filter(|&next| map.is_passable(next)) else { continue };
            if visit(next) {
                open.push(next);
            }
        }
    }
    count
}

fn every_kind(width: u32, height: u32, part: u32, percent: u32, seed: u64) -> [Made; 6] {
    let measures = Warehouse {
        shelf_columns: width % 7,
        shelf_rows: height % 7,
        shelf_length: part,
        aisle: part % 3,
        ..Warehouse::default()
    };
    [
        generate::random(width, height, percent, seed),
        generate::maze(width, height, part, percent, seed),
        generate::rooms(width, height, part, seed),
        generate::caves(width, height, seed),
        generate::warehouse(&measures),
        generate::town(width, height, seed),
    ]
}

type Made = Result<Map, GenerateError>;

proptest! {
    #[test]
    fn a_connected_map_or_an_error_with_a_remedy(
        width in 0..50_u32, height in 0..50_u32, part in 0..12_u32, percent in 0..110_u32,
        seed: u64,
    ) {
        for (kind, made) in every_kind(width, height, part, percent, seed).iter().enumerate() {
            match made {
                Ok(map) => {
                    prop_assert!(free(map) > 0, "kind {kind}");
                    prop_assert_eq!(connected(map), free(map), "kind {}", kind);
                }
                Err(error) => prop_assert!(
                    ["give", "ask", "must"].iter().any(|word| error.to_string().contains(word)),
                    "{error}"
                ),
            }
        }
    }
}

#[test]
fn sizes_are_those_asked_for() {
    for made in every_kind(40, 30, 3, 20, 7).into_iter().take(4) {
        let map = made.unwrap();
        assert_eq!((map.width(), map.height()), (40, 30));
    }
}

#[test]
fn the_same_seed_gives_the_same_map_everywhere() {
    let prints = every_kind(60, 47, 4, 25, 42).map(|made| fingerprint(&made.unwrap()));
    let expected = [
        0x5734_b68c_d25f_79fe, // random
        0xcc12_7900_e4b2_cff2, // maze
        0xd4fd_d56b_860a_27a2, // rooms
        0xa673_244d_4edc_2228, // caves
        0xb377_af0e_fca2_32ca, // warehouse
        0xfab9_3844_6cef_ff0e, // town
    ];
    assert_eq!(prints, expected);
    let others = every_kind(60, 47, 4, 25, 43).map(|made| fingerprint(&made.unwrap()));
    let same = prints.iter().zip(others).filter(|&(a, b)| *a == b).count();
    assert_eq!(same, 1, "only the warehouse knows no chance");
}

#[test]
fn arguments_out_of_range_are_named() {
    let check = |made: Made, expected: &str| {
        let message = made.unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    };
    check(generate::random(9, 9, 101, 0), "obstacles of 101 percent: give 0 to 100");
    check(generate::random(9, 9, 100, 0), "no cell is left free");
    check(generate::random(5000, 9, 10, 0), "5000 x 9 cells: each side must be 1 to 4096");
    check(generate::maze(9, 9, 0, 0, 0), "the width of a corridor is 0: give 1 to 9");
    check(generate::maze(9, 9, 8, 0, 0), "a maze does not fit on 9 x 9 cells: give at least 10");
    check(generate::maze(9, 9, u32::MAX, 0, 0), "the width of a corridor is");
    check(generate::rooms(9, 9, 0, 0), "the side of a room is 0");
    check(generate::town(15, 99, 0), "a town does not fit on 15 x 99 cells: give at least 16");
    let aisle = Warehouse { aisle: 0, ..Warehouse::default() };
    check(generate::warehouse(&aisle), "the width of an aisle is 0: give 1 to 4096");
    let large = Warehouse { shelf_columns: 4096, ..Warehouse::default() };
    check(generate::warehouse(&large), "each side must be 1 to 4096");
}

#[test]
fn obstacles_have_the_density_asked_for() {
    for percent in [0, 10, 20, 30] {
        let map = generate::random(200, 150, percent, 5).unwrap();
        let walls = 30_000 - free(&map);
        let asked = 300 * percent as usize;
        assert!((asked..=asked + asked / 10).contains(&walls), "{percent}: {walls}");
    }
}

#[test]
fn a_maze_without_loops_is_a_tree() {
    let map = generate::maze(81, 61, 1, 0, 3).unwrap();
    let edges = map
        .cells()
        .filter(|&cell| map.is_passable(cell))
        .flat_map(|cell| [cell.offset(1, 0), cell.offset(0, 1)].into_iter().flatten());
    let edges = edges.filter(|&next| map.is_passable(next)).count();
    assert_eq!(edges + 1, free(&map));
    let looped = generate::maze(81, 61, 1, 100, 3).unwrap();
    assert_eq!(free(&looped), 40 * 30 + 39 * 30 + 40 * 29);
}

#[test]
fn the_default_warehouse_has_the_benchmark_s_measures() {
    let map = generate::warehouse(&Warehouse::default()).unwrap();
    assert_eq!((map.width(), map.height()), (161, 63));
    assert_eq!(free(&map), 159 * 61 - 10 * 20 * 10 * 2);
    let wide = Warehouse { aisle: 2, ..Warehouse::default() };
    let map = generate::warehouse(&wide).unwrap();
    assert_eq!((map.width(), map.height()), (170, 84));
}

#[test]
fn a_town_has_everything() {
    for seed in 0..20 {
        let map = generate::town(96, 72, seed).unwrap();
        for (index, class) in map.classes().iter().enumerate() {
            let count = map.terrain().iter().filter(|terrain| terrain.get() == index).count();
            assert!(count > 0, "seed {seed} has no {}", class.name);
        }
    }
}

#[test]
fn the_largest_maps_can_be_made() {
    assert!(generate::random(4096, 4096, 35, 1).is_ok());
    assert!(generate::maze(4096, 4096, 1, 0, 1).is_ok());
    assert!(generate::town(4096, 4096, 1).is_ok());
    for made in every_kind(1024, 703, 1, 35, 1) {
        let map = made.unwrap();
        assert_eq!(connected(&map), free(&map));
    }
}
