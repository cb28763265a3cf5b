//! The readers over the public MovingAI benchmark, where it is at hand.

use std::path::{Path, PathBuf};

use throng_formats::{MapOptions, Scenario, map, scen};
use throng_model::{Map, MovementProfile};

/// The benchmark's folder: `THRONG_BENCH`, or beside the workspace.
#[expect(clippy::disallowed_methods, reason = "a test may be told where its data is")]
fn folder() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench");
    let folder = std::env::var("THRONG_BENCH").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: no benchmark data in {} (set THRONG_BENCH)", folder.display());
    None
}

fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a test reads its data")]
fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

fn read_map(path: &Path) -> Map {
    let name = path.display().to_string();
    let map = map::read(&bytes(path), MapOptions::default());
    map.unwrap_or_else(|error| panic!("{}", error.in_file(name)))
}

fn read_scenario(path: &Path) -> Scenario {
    let name = path.display().to_string();
    scen::read(&bytes(path)).unwrap_or_else(|error| panic!("{}", error.in_file(name)))
}

/// The map beside a single-unit scenario, or the one a MAPF scenario is named after.
fn map_of(folder: &Path, scenario: &Path) -> PathBuf {
    let name = scenario.file_name().unwrap().to_string_lossy().into_owned();
    if let Some(map) = name.strip_suffix(".scen").filter(|map| map.ends_with(".map")) {
        return scenario.with_file_name(map);
    }
    let kind = ["-random-", "-even-"].into_iter().find_map(|kind| name.rfind(kind)).unwrap();
    folder.join("maps").join(format!("{}.map", &name[..kind]))
}

#[test]
fn every_map_reads_and_writes_back_byte_for_byte() {
    let Some(folder) = folder() else { return };
    let mut maps = Vec::new();
    files(&folder, ".map", &mut maps);
    assert!(!maps.is_empty());
    for path in maps {
        let written = map::write(&read_map(&path)).unwrap();
        let original = String::from_utf8(bytes(&path)).unwrap().replace('\r', "");
        assert_eq!(written.trim_end(), original.trim_end(), "{}", path.display());
    }
}

#[test]
fn every_scenario_is_a_valid_problem_on_its_map() {
    let Some(folder) = folder() else { return };
    let mut scenarios = Vec::new();
    files(&folder, ".scen", &mut scenarios);
    scenarios.sort();
    assert!(!scenarios.is_empty());
    let mut last: Option<(PathBuf, Map)> = None;
    for path in scenarios {
        let map_path = map_of(&folder, &path);
        let (_, map) = match last.take() {
            Some(kept) if kept.0 == map_path => last.insert(kept),
            _ => last.insert((map_path.clone(), read_map(&map_path))),
        };
        let scenario = read_scenario(&path);
        let lines = bytes(&path).split(|&b| b == b'\n').filter(|l| l.len() > 1).count();
        assert_eq!(scenario.rows.len(), lines - 1, "{}: a line was skipped", path.display());
        for row in &scenario.rows {
            assert!(map.is_passable(row.start), "{}:{}", path.display(), row.line);
            assert!(map.is_passable(row.goal), "{}:{}", path.display(), row.line);
        }
        let problem = scenario.problem(map, Some(1), MovementProfile::four_connected()).unwrap();
        assert_eq!(problem.map, *map, "no scaling in {}", path.display());
        let again = scen::read(scen::write(&scenario).unwrap().as_bytes()).unwrap();
        assert_eq!(again.rows.len(), scenario.rows.len());
        assert!(again.rows.iter().zip(&scenario.rows).all(|(a, b)| {
            (a.start, a.goal, a.bucket, &a.map) == (b.start, b.goal, b.bucket, &b.map)
                && a.optimal_length.to_bits() == b.optimal_length.to_bits()
        }));
    }
}
