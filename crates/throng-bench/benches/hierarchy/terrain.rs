//! Adds several classes of terrain to maps that have only ground and walls.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng_model::{Cell, Factor, Map, TerrainClass};

const FACTORS: [i64; 4] = [2, 3, 5, 8];
/// Cells per disc of terrain.
const CELLS_PER_DISC: i32 = 400;

/// The map with discs of other terrain on it: about half of the ground keeps factor 1.
pub(crate) fn with_terrain(map: &Map, seed: u64) -> Result<Map, String> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut made = map.clone();
    let mut classes = Vec::new();
    for factor in FACTORS {
        let factor = Factor::new(factor).map_err(|error| error.to_string())?;
        let class = TerrainClass::passable("disc", char::from(b'0' + factor.get()), factor);
        classes.push(made.add_class(class).map_err(|error| error.to_string())?);
    }
    let (width, height) = (i32::from(map.width()), i32::from(map.height()));
    for _ in 0..width * height / CELLS_PER_DISC {
        let (x, y) = (rng.random_range(0..width), rng.random_range(0..height));
        let radius = rng.random_range(2..14_i32);
        let class = classes[rng.random_range(0..FACTORS.len() as u32) as usize];
        let cells: Vec<Cell> = disc(x, y, radius).filter(|&cell| map.is_passable(cell)).collect();
        made.paint(&cells, class).map_err(|error| error.to_string())?;
    }
    Ok(made)
}

fn disc(x: i32, y: i32, radius: i32) -> impl Iterator<Item = Cell> {
    let square = (-radius..=radius).flat_map(move |dy| (-radius..=radius).map(move |dx| (dx, dy)));
    let inside = square.filter(move |(dx, dy)| dx * dx + dy * dy < radius * radius);
    inside.filter_map(move |(dx, dy)| {
        let (x, y) = (u16::try_from(x + dx).ok()?, u16::try_from(y + dy).ok()?);
        Some(Cell::new(x, y))
    })
}
