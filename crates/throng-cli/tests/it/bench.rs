//! MovingAI's own scenarios, where they are at hand.

use std::path::{Path, PathBuf};

use crate::Folder;

/// The folder of benchmark data: `THRONG_BENCH`, or `shared/bench` beside the repository.
fn bench() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench");
    let folder = std::env::var_os("THRONG_BENCH").map_or_else(beside, PathBuf::from);
    folder.is_dir().then_some(folder)
}

#[test]
fn recorded_lengths_are_found_again() {
    let Some(bench) = bench() else {
        println!("skipped: no benchmark data; set THRONG_BENCH to its folder");
        return;
    };
    let folder = Folder::new("bench");
    for map in ["dao/arena.map", "dao/lak100d.map", "bg512/AR0602SR.map"] {
        let file = bench.join("single-agent").join(map);
        let file = file.display();
        for search in ["astar", "jps"] {
            let words = format!("path -m {file} --scen {file}.scen --search {search} --json");
            let json = folder.throng(&words).exits(0).json();
            assert_eq!(
                (json["wrong_length"].as_u64(), json["unreachable"].as_u64()),
                (Some(0), Some(0))
            );
            assert!(json["queries"].as_u64().unwrap() > 100, "{map}");
        }
    }
}

/// How many of the first ten random scenarios are solved with 100 units, at a cost of at
/// most so much of the bound; and what each cost.
fn solve_ten(bench: &Path, solver: &str, most: f64) -> (usize, Vec<Option<f64>>) {
    let folder = Folder::new(&format!("bench-{solver}"));
    let map = bench.join("maps/random-32-32-20.map");
    let ratio = |number: usize| {
        let scen = bench.join(format!("scen/random/random-32-32-20-random-{number}.scen"));
        let (map, scen) = (map.display(), scen.display());
        let words = format!("solve -m {map} -i {scen} -N 100 --solver {solver} --json");
        let json = folder.throng(&words).json();
        let ticks = |name: &str| json[name].as_f64().unwrap();
        (json["status"] == "solved").then(|| ticks("sum_of_costs") / ticks("lower_bound"))
    };
    let ratios: Vec<_> = (1..=10).map(ratio).collect();
    (ratios.iter().flatten().filter(|&&ratio| ratio <= most).count(), ratios)
}

#[test]
fn a_hundred_units_among_random_obstacles() {
    let Some(bench) = bench() else {
        println!("skipped: no benchmark data; set THRONG_BENCH to its folder");
        return;
    };
    let (solved, ratios) = solve_ten(&bench, "hca", 1.2);
    assert_eq!(solved, 10, "hca: {ratios:.3?}");
    let (solved, ratios) = solve_ten(&bench, "whca,window=16", 1.25);
    assert!(solved >= 9, "whca: {solved} of {ratios:.3?}");
}
