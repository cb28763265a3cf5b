//! The file format: round trips, and errors that say where.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng_scene::{Point, ReadError, Scene, town};

use crate::{field, obstacle, rectangle, valid};

#[test]
fn towns_read_back_as_they_were_written() {
    for seed in 0..20 {
        let scene = town(seed);
        let text = scene.write().unwrap();
        let again = Scene::read(text.as_bytes()).unwrap();
        assert_eq!(again, scene);
        assert_eq!(again.write().unwrap(), text);
    }
}

#[test]
fn a_valid_scene_keeps_everything_but_the_order_of_corners() {
    for seed in 0..5 {
        let scene = valid(town(seed)).to_scene();
        assert_eq!(valid(scene.clone()).to_scene(), scene);
        let original = town(seed);
        assert_eq!((&scene.gates, &scene.items), (&original.gates, &original.items));
        assert_eq!(scene.obstacles.len(), original.obstacles.len());
    }
}

#[test]
fn coordinates_read_back_to_the_last_bit() {
    let mut rng = Pcg64Mcg::seed_from_u64(8);
    let mut scene = field(10.0);
    for number in 0..500 {
        let mut coordinate = || f64::from(rng.random::<u32>()) / 7e8 + 1.0 / 3.0;
        let (x, y) = (coordinate(), coordinate());
        let corners = rectangle(x, y, x + 1.0 / 3.0, y + 0.1);
        scene.obstacles.push(obstacle(&format!("rock {number}"), corners));
    }
    assert_eq!(Scene::read(scene.write().unwrap().as_bytes()).unwrap(), scene);
}

#[test]
fn fields_that_may_be_empty_may_be_left_out() {
    let file = r#"{"version": 1, "name": "field", "width": 3, "height": 3, "levels": 1,
        "zones": [{"name": "field", "level": 0, "corners": [[0,0],[3,0],[3,3],[0,3]]}]}"#;
    assert_eq!(Scene::read(file.as_bytes()).unwrap(), field(3.0));
}

/// The scene that the documentation shows is one.
#[test]
fn the_example_of_the_documentation_is_a_scene() {
    let page = include_str!("../../../../docs/scenes.md");
    let example = page.split("```").find_map(|block| block.strip_prefix("json")).unwrap();
    let scene = valid(Scene::read(example.as_bytes()).unwrap());
    assert_eq!((scene.zones().len(), scene.gates().len()), (3, 2));
}

fn check_malformed(file: &str, line: usize, column: usize, part: &str) {
    match Scene::read(file.as_bytes()) {
        Err(ReadError::Malformed { line: l, column: c, problem }) => {
            assert_eq!((l, c), (line, column), "{problem}");
            assert!(problem.contains(part), "{problem}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn malformed_files_are_refused_with_line_and_column() {
    check_malformed("", 1, 0, "EOF");
    check_malformed(
        "{\"version\": 1,\n \"name\": \"a\",\n nonsense}",
        3,
        2,
        "key must be a string",
    );
    check_malformed("{\"version\": 1}", 1, 14, "missing field `name`");
    check_malformed("{\"version\": 1,\n\"size\": 3}", 2, 6, "unknown field `size`");
    check_malformed("{\"version\": 1,\n\"name\": 7}", 2, 9, "expected a string");
    check_malformed("{\"version\": 1, \"width\": 1e999}", 1, 29, "number out of range");
    check_malformed("\u{0}\u{1}", 1, 1, "expected value");
    let twice = "{\"version\": 1, \"name\": \"a\",\n\"name\": \"b\"}";
    check_malformed(twice, 2, 6, "duplicate field");
    let deep = format!("{{\"version\": 1, \"zones\": {}", "[".repeat(100_000));
    assert!(matches!(Scene::read(deep.as_bytes()), Err(ReadError::Malformed { .. })));
}

#[test]
fn a_file_of_another_version_is_told_from_a_broken_one() {
    let file = r#"{"version": 2, "areas": []}"#;
    assert_eq!(Scene::read(file.as_bytes()), Err(ReadError::Version { version: 2 }));
}

#[test]
fn a_file_longer_than_any_scene_is_not_even_parsed() {
    let bytes = vec![b' '; throng_scene::limits::FILE_BYTES_MAX + 1];
    assert_eq!(Scene::read(&bytes), Err(ReadError::TooLong { bytes: bytes.len() }));
}

#[test]
fn what_is_no_number_is_not_written() {
    let mut scene = field(3.0);
    scene.zones[0].corners[1] = Point::new(f64::NAN, 0.0);
    assert!(matches!(scene.write(), Err(ReadError::Malformed { .. })));
}

/// A file with bytes changed, cut or doubled is read or refused, and never brings down the
/// reader; what passes validation is written and reads back.
#[test]
fn damaged_files_never_panic() {
    let mut rng = Pcg64Mcg::seed_from_u64(9);
    let mut scene = town(1);
    scene.obstacles.truncate(6);
    scene.zones.truncate(6);
    scene.gates.clear();
    scene.items.clear();
    scene.players.truncate(2);
    let file = scene.write().unwrap().into_bytes();
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..3000 {
        let mut bytes = file.clone();
        for _ in 0..rng.random_range(1..4_u32) {
            let at = rng.random_range(0..bytes.len() as u64) as usize;
            match rng.random_range(0..4_u32) {
                0 => bytes[at] = rng.random_range(b'0'..=b'9'),
                1 => bytes[at] = rng.random(),
                2 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at, b"-.,[]{}\"e9"[rng.random_range(0..10_u32) as usize]),
            }
        }
        match Scene::read(&bytes).ok().and_then(|scene| scene.validate().ok()) {
            Some(valid) => {
                let data = valid.to_scene();
                assert_eq!(Scene::read(data.write().unwrap().as_bytes()).unwrap(), data);
                accepted += 1;
            }
            None => refused += 1,
        }
    }
    assert!(accepted > 50 && refused > 50, "{accepted} accepted, {refused} refused");
}
