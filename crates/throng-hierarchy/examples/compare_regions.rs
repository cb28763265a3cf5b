//! Regions, clusters and A* on maps of MovingAI's benchmark: `compare_regions FILE.map...`, each with
//! its scenarios beside it.
#![expect(clippy::print_stdout, reason = "an example shows what it found")]
#![expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "it measures files")]

use std::time::Instant;

use throng_formats::{MapOptions, map, scen};
use throng_grid::{AStar, Ground, PathSearch, Query};
use throng_hierarchy::{
    GridHierarchy, HierarchyMemory, HierarchySearch, RegionMemory, RegionSearch, Regions,
};
use throng_model::{Budget, Cell, Factor, Map, MovementProfile, TerrainClass};

type Ends = [Cell; 2];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let plain = map::read(&std::fs::read(&path)?, MapOptions::default())?;
        let rows = scen::read(&std::fs::read(format!("{path}.scen"))?)?.rows;
        let step = rows.len() / 400 + 1;
        let ends: Vec<Ends> = rows.iter().step_by(step).map(|row| [row.start, row.goal]).collect();
        println!("{path}");
        compare("plain", &plain, &ends, 1)?;
        compare("terrain", &with_terrain(&plain)?, &ends, 1)?;
        compare("terrain, 2 x 2", &with_terrain(&plain)?, &ends, 2)?;
    }
    Ok(())
}

fn compare(
    name: &str,
    map: &Map,
    ends: &[Ends],
    footprint: u8,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut map = map.clone();
    let mut ground =
        Ground::new(&map, MovementProfile { footprint, ..MovementProfile::eight_connected() })?;
    let begun = Instant::now();
    let clusters = GridHierarchy::new(&ground);
    let clusters_ms = begun.elapsed().as_secs_f64() * 1e3;
    let begun = Instant::now();
    let mut regions = Regions::new(&ground);
    let regions_ms = begun.elapsed().as_secs_f64() * 1e3;
    let ends: Vec<Ends> =
        ends.iter().copied().filter(|&[a, b]| ground.is_connected(a, b)).collect();
    println!(
        " {name}: {} regions, {} MiB, built in {regions_ms:.1} ms (clusters {clusters_ms:.1} ms)",
        regions.count(),
        regions.bytes() >> 20,
    );
    if ends.is_empty() {
        println!("  no two ends are connected");
        return Ok(());
    }
    let exact = measure("A*", &ground, &ends, &mut AStar::default(), None);
    let (mut memory, mut region_memory) = (HierarchyMemory::default(), RegionMemory::default());
    measure(
        "clusters",
        &ground,
        &ends,
        &mut HierarchySearch::new(&clusters, &mut memory),
        Some(&exact),
    );
    let mut search = RegionSearch::new(&regions, &mut region_memory);
    measure("regions", &ground, &ends, &mut search, Some(&exact));
    let mut times: Vec<f64> = Vec::new();
    for [cell, _] in ends {
        for terrain in [Map::WALL, Map::GROUND] {
            let change = map.set(cell, terrain)?;
            ground.apply(&map, &change);
            let begun = Instant::now();
            regions.apply(&ground, &change);
            times.push(begun.elapsed().as_secs_f64() * 1e6);
        }
    }
    times.sort_by(f64::total_cmp);
    println!(
        "  an edit: median {:.0} us, worst {:.0} us",
        times[times.len() / 2],
        times[times.len() - 1]
    );
    Ok(())
}

fn measure(
    name: &str,
    ground: &Ground,
    ends: &[Ends],
    search: &mut impl PathSearch,
    exact: Option<&[u64]>,
) -> Vec<u64> {
    let mut costs = Vec::new();
    let mut best = f64::MAX;
    for _ in 0..3 {
        costs.clear();
        let begun = Instant::now();
        for [start, goal] in ends {
            let answer = search.find(ground, &Query::new(&[*start], &[*goal]), Budget::unlimited());
            costs.push(answer.ok().and_then(|answer| answer.found()).map_or(0, |path| path.cost.0));
        }
        best = best.min(begun.elapsed().as_secs_f64() * 1e6 / ends.len() as f64);
    }
    print!("  {name:9} {best:8.1} us a query");
    if let Some(exact) = exact {
        let ratios =
            costs.iter().zip(exact).map(|(&cost, &best)| (cost.max(1) as f64) / best.max(1) as f64);
        let (sum, worst) =
            ratios.fold((0.0, 0.0_f64), |(sum, worst), ratio| (sum + ratio, worst.max(ratio)));
        print!(", length {:.4} of the best, {worst:.3} at worst", sum / costs.len() as f64);
    }
    println!();
    costs
}

/// Discs of terrain of factors 2 to 8.
fn with_terrain(map: &Map) -> Result<Map, Box<dyn std::error::Error>> {
    let mut made = map.clone();
    let mut random = throng_testkit::rng(1);
    let mut number = |below: u32| rand::RngExt::random_range(&mut random, 0..below) as i32;
    let mut classes = Vec::new();
    for factor in [2, 3, 5, 8] {
        classes.push(made.add_class(TerrainClass::passable("disc", '2', Factor::new(factor)?))?);
    }
    let (width, height) = (u32::from(map.width()), u32::from(map.height()));
    for _ in 0..width * height / 400 {
        let (x, y, radius) = (number(width), number(height), 2 + number(10));
        let class = classes[number(4) as usize];
        let inside = map.cells().filter(|cell| {
            let (dx, dy) = (i32::from(cell.x) - x, i32::from(cell.y) - y);
            dy.abs() <= radius && dx * dx + dy * dy <= radius * radius && map.is_passable(*cell)
        });
        made.paint(&inside.collect::<Vec<_>>(), class)?;
    }
    Ok(made)
}
