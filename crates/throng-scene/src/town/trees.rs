//! Trees along the streets, where they leave room to pass.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::builder::{Builder, Rect, point};
use crate::Level;
use crate::scene::ObstacleKind;

/// Least distance of a tree from anything else, in eighths: bodies pass on both sides.
const DISTANCE: i32 = 4;

/// Tries to plant trees; those that would stand too close to something are left out.
pub(super) fn add(town: &mut Builder, rng: &mut Pcg64Mcg, trees: u32) {
    let inside = Rect::sized(0, 0, town.side, town.side).grown(-DISTANCE);
    for _ in 0..trees {
        let radius = rng.random_range(1..=2_i32);
        let x = rng.random_range(inside.x0 + radius..=inside.x1 - radius);
        let y = rng.random_range(inside.y0 + radius..=inside.y1 - radius);
        let tree = Rect { x0: x, y0: y, x1: x, y1: y }.grown(radius);
        if town.taken.iter().any(|taken| taken.touches(tree.grown(DISTANCE))) {
            continue;
        }
        town.taken.push(tree);
        add_tree(town, x, y, radius);
    }
}

/// An octagon.
pub(super) fn add_tree(town: &mut Builder, x: i32, y: i32, radius: i32) {
    let (long, short) = (2 * radius, radius);
    let offsets = [
        (long, short),
        (short, long),
        (-short, long),
        (-long, short),
        (-long, -short),
        (-short, -long),
        (short, -long),
        (long, -short),
    ];
    // The offsets are sixteenths, halfway to which are eighths.
    let corner = |(dx, dy)| point((x, y)).midpoint(point((x + dx, y + dy)));
    let corners = offsets.map(corner).to_vec();
    town.obstacle("tree", ObstacleKind::Tree, Level::GROUND, corners);
}
