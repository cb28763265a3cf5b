//! What throng's tests share: maps drawn in ASCII, seeded random ones, and the slow and
//! simple truth about paths.
//!
//! Test code may panic: a malformed drawing is a mistake in the test.
#![expect(clippy::panic, clippy::expect_used, reason = "a broken test should stop at once")]

pub mod bench_data;
mod cases;
pub mod joint;
pub mod oracle;

pub use cases::{Case, case};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng_model::{Cell, Factor, Map, TerrainClass, TerrainId};

/// A map drawn in ASCII, one line a row; indentation and blank lines are dropped.
///
/// `.` and any letter is ground, `#` or `@` wall, `2`..`9` ground of that factor. Letters
/// mark places for [`find`].
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
    Map::new(rows[0].len() as u16, rows.len() as u16, classes, cells).expect("a sound drawing")
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
        other => panic!("'{other}' means nothing in a drawing"),
    }
}

/// Where a letter stands in a drawing, row by row.
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

/// Where the letter stands that appears just once.
#[must_use]
pub fn place(drawing: &str, letter: char) -> Cell {
    let found = find(drawing, letter);
    assert_eq!(found.len(), 1, "'{letter}' must appear once in\n{drawing}");
    found[0]
}

/// The generator all tests use: the same numbers on every machine.
#[must_use]
pub fn rng(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(seed)
}

/// A map with `percent` of its cells walled at random.
#[must_use]
pub fn random_map(seed: u64, width: u32, height: u32, percent: u32) -> Map {
    let mut map = Map::empty(width, height).expect("a sound size");
    let mut rng = rng(seed);
    let walls: Vec<Cell> = map.cells().filter(|_| rng.random_range(0..100) < percent).collect();
    map.paint(&walls, Map::WALL).expect("cells of the map");
    map
}

/// A map whose cells have random terrain: `percent` walls, the rest factors up to
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

/// A 64-bit hash of text (FNV-1a), for golden values.
#[must_use]
pub fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
