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
