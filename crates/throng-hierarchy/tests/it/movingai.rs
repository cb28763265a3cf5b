//! Maps of games and cities with several classes of terrain: at most one percent longer
//! than the best on average, ten at most.

use rand::RngExt;
use throng_formats::{MapOptions, map, scen};
use throng_model::{Cell, Factor, Map, MovementProfile, TerrainClass};
use throng_testkit::bench_data;

use crate::support::{Lengths, World};

/// Discs of terrain of factors 2 to 8 on a map of ground and walls.
fn with_terrain(map: &Map, seed: u64) -> Map {
    let mut rng = throng_testkit::rng(seed);
    let mut made = map.clone();
    let classes = [2, 3, 5, 8].map(|factor| {
        let class = TerrainClass::passable("disc", '2', Factor::new(factor).unwrap());
        made.add_class(class).unwrap()
    });
    let (width, height) = (i32::from(map.width()), i32::from(map.height()));
    for _ in 0..width * height / 400 {
        let (x, y) = (rng.random_range(0..width), rng.random_range(0..height));
        let radius = rng.random_range(2..14_i32);
        let square = (-radius..radius).flat_map(|dy| (-radius..radius).map(move |dx| (dx, dy)));
        let disc = square.filter(|(dx, dy)| dx * dx + dy * dy < radius * radius);
        let cells = disc.map(|(dx, dy)| (x + dx, y + dy)).filter(|&(x, y)| x >= 0 && y >= 0);
        let cells: Vec<Cell> = cells
            .map(|(x, y)| Cell::new(x as u16, y as u16))
            .filter(|&cell| map.is_passable(cell))
            .collect();
        made.paint(&cells, classes[rng.random_range(0..4_u32) as usize]).unwrap();
    }
    made
}

fn check(set: &str, name: &str) {
    let Some(folder) = bench_data::folder(&format!("single-agent/{set}")) else { return };
    let path = folder.join(format!("{name}.map"));
    let plain = map::read(&bench_data::read(&path), MapOptions::default()).unwrap();
    let rows = scen::read(&bench_data::read(&path.with_extension("map.scen"))).unwrap().rows;
    let weighted = with_terrain(&plain, 1);
    for (map, footprint) in [(&plain, 2), (&weighted, 1), (&weighted, 3)] {
        for movement in [MovementProfile::four_connected(), MovementProfile::eight_connected()] {
            let movement = MovementProfile { footprint, ..movement };
            let mut world = World::new(map.clone(), movement.clone());
            let mut lengths = Lengths::default();
            for row in rows.iter().step_by(rows.len() / 40 + 1) {
                let stands = |cell| world.ground.can_stand(cell);
                if stands(row.start) && stands(row.goal) {
                    world.check(row.start, row.goal, &mut lengths);
                }
            }
            let good = lengths.mean() <= 1.01 && lengths.longest <= 1.10;
            assert!(good, "{name} {movement:?}: {lengths:?}");
        }
    }
}

#[test]
fn maps_of_games() {
    check("bg512", "AR0602SR");
    check("dao", "brc202d");
    check("da2", "w_woundedcoast");
}

#[test]
fn a_map_of_a_city() {
    check("cities", "Berlin_0_512");
}
