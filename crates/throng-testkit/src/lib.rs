//! Shared by throng's tests: maps drawn in ASCII, seeded random maps and scenes, and brute-force
//! oracles.
//!
//! Test code may panic: a malformed drawing is a mistake in the test.
#![expect(clippy::panic, clippy::expect_used, reason = "a broken test should stop at once")]

pub mod bench_data;
mod bodies;
mod cases;
pub mod joint;
mod mixed_scenes;
mod one_by_one;
pub mod oracle;
pub mod timed_moves;

pub use cases::{Case, case};
pub use mixed_scenes::{mixed_scene, pair_scene, shuffled_scene};
pub use one_by_one::one_by_one;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng_model::{Cell, Factor, Map, TerrainClass, TerrainId};

/// A map drawn in ASCII, one line per row. Indentation and blank lines are ignored.
///
/// `.` and letters are ground, `#` and `@` walls, `2` to `9` ground with that cost factor.
/// Letters mark cells for [`find`].
#[must_use]
pub fn map(drawing: &str) -> Map {
    let rows = rows(drawing);
    let mut classes = vec![
        TerrainClass::passable("ground", '.', Factor::ONE),
        TerrainClass::blocked("wall", '@'),
    ];
    for factor in 2..=9_u8 {
        let name = format!("factor {factor}");
        let factor_value = Factor::new(i64::from(factor)).expect("in range");
        classes.push(TerrainClass::passable(&name, char::from(b'0' + factor), factor_value));
    }
    let cells = rows.concat().chars().map(terrain).collect();
    Map::new(rows[0].len() as u16, rows.len() as u16, classes, cells).expect("a valid drawing")
}

fn rows(drawing: &str) -> Vec<String> {
    let rows: Vec<String> =
        drawing.lines().map(|l| l.trim().to_owned()).filter(|l| !l.is_empty()).collect();
    assert!(!rows.is_empty(), "the drawing is empty");
    assert!(rows.iter().all(|r| r.len() == rows[0].len()), "rows differ in length:\n{drawing}");
    rows
}

fn terrain(symbol: char) -> TerrainId {
    match symbol {
        '#' | '@' => Map::WALL,
        '2'..='9' => TerrainId(symbol as u8 - b'0'),
        '.' | 'a'..='z' | 'A'..='Z' => Map::GROUND,
        other => panic!("'{other}' has no meaning in a drawing"),
    }
}

/// The cells of a letter in a drawing, row by row.
#[must_use]
pub fn find(drawing: &str, letter: char) -> Vec<Cell> {
    let mut found = Vec::new();
    for (y, row) in rows(drawing).iter().enumerate() {
        found.extend(
            row.chars()
                .enumerate()
                .filter(|&(_, symbol)| symbol == letter)
                .map(|(x, _)| Cell::new(x as u16, y as u16)),
        );
    }
    found
}

/// The cell of a letter that appears exactly once.
#[must_use]
pub fn place(drawing: &str, letter: char) -> Cell {
    let found = find(drawing, letter);
    assert_eq!(found.len(), 1, "'{letter}' must appear once in\n{drawing}");
    found[0]
}

/// The random generator of all tests: the same numbers on every machine.
#[must_use]
pub fn rng(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(seed)
}

/// A map with walls on about `percent` of its cells, at random.
#[must_use]
pub fn random_map(seed: u64, width: u32, height: u32, percent: u32) -> Map {
    let mut map = Map::empty(width, height).expect("a valid size");
    let mut rng = rng(seed);
    let walls: Vec<Cell> = map.cells().filter(|_| rng.random_range(0..100) < percent).collect();
    map.paint(&walls, Map::WALL).expect("cells of the map");
    map
}

/// A map with random terrain: about `percent` walls, the rest with cost factors up to
/// `factor_max` (at most 9).
#[must_use]
pub fn random_terrain(seed: u64, width: u32, height: u32, percent: u32, factor_max: u8) -> Map {
    let mut rng = rng(seed);
    let mut drawing = String::new();
    for _ in 0..height {
        for _ in 0..width {
            let factor = b'0' + rng.random_range(1..=factor_max.clamp(1, 9));
            let wall = rng.random_range(0..100) < percent;
            drawing.push(match factor {
                _ if wall => '#',
                b'1' => '.',
                other => char::from(other),
            });
        }
        drawing.push('\n');
    }
    map(&drawing)
}

/// The 64-bit FNV-1a hash of a text, for golden values.
#[must_use]
pub fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
