//! Lots without a house: parks behind hedges, and yards with things that stand askew.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::builder::{Builder, OUTSIDE, Rect, point};
use super::trees;
use crate::scene::{GateKind, ObstacleKind};
use crate::{Level, Point};

/// Least distance of a hedge from the edge of the lot, in eighths.
const MARGIN: i32 = 7;
/// Half the width of a gap in a hedge.
const GAP_HALF: i32 = 3;

/// An octagonal park: its own zone, a hedge around with two gaps, a statue in the middle.
pub(super) fn add_park(town: &mut Builder, rng: &mut Pcg64Mcg, number: u32, lot: Rect) {
    let name = format!("park {number}");
    let reach = lot.width() / 2 - MARGIN;
    let cut = rng.random_range(reach / 2..=reach - GAP_HALF - 2);
    let centre = lot.centre();
    town.taken.push(lot.grown(-MARGIN));
    let outer = octagon(centre, reach, cut);
    town.zone(&name, Level::GROUND, outer.to_vec());
    let inner = octagon_inside(&outer, point(centre), reach);
    for edge in 0..8 {
        let next = (edge + 1) % 8;
        // The edges at the top and at the bottom have gaps.
        if edge == 1 || edge == 5 {
            add_hedge_with_gap(town, &name, [outer[edge], outer[next]], [inner[edge], inner[next]]);
        } else {
            let corners = vec![outer[edge], outer[next], inner[next], inner[edge]];
            town.obstacle(&name, ObstacleKind::Fence, Level::GROUND, corners);
        }
    }
    for up in [1, -1] {
        let at = |away: i32| (centre.0, centre.1 + up * (reach + away));
        town.gate(GateKind::Door, [(OUTSIDE, at(3)), (&name, at(-4))]);
    }
    add_statue(town, &name, centre);
    for (right, up) in [(1, 1), (-1, 1), (-1, -1), (1, -1)] {
        let (x, y) = (centre.0 + right * (reach / 2), centre.1 + up * (reach / 2 - 1));
        trees::add_tree(town, x, y, 1);
    }
}

/// The corners of an octagon from the right end of the upper half on, counter-clockwise.
fn octagon((x, y): (i32, i32), reach: i32, cut: i32) -> [Point; 8] {
    let short = reach - cut;
    let quarter = [(reach, short), (short, reach)];
    let [a, b] = quarter;
    let offsets =
        [a, b, (-b.0, b.1), (-a.0, a.1), (-a.0, -a.1), (-b.0, -b.1), (b.0, -b.1), (a.0, -a.1)];
    offsets.map(|(dx, dy)| point((x + dx, y + dy)))
}

/// The octagon an eighth of a unit smaller.
fn octagon_inside(outer: &[Point; 8], centre: Point, reach: i32) -> [Point; 8] {
    let share = f64::from(reach - 1) / f64::from(reach);
    let shrink = |from: f64, to: f64| from + (to - from) * share;
    outer.map(|corner| Point::new(shrink(centre.x, corner.x), shrink(centre.y, corner.y)))
}

/// A hedge between two points on the same height, open in the middle.
fn add_hedge_with_gap(town: &mut Builder, name: &str, outer: [Point; 2], inner: [Point; 2]) {
    let half = point((GAP_HALF, 0)).x;
    let middle = outer[0].midpoint(outer[1]).x;
    for (end, edge) in [(0, half), (1, -half)] {
        let edge = if outer[end].x > middle { middle + edge.abs() } else { middle - edge.abs() };
        let corners = vec![
            outer[end],
            Point::new(edge, outer[end].y),
            Point::new(edge, inner[end].y),
            inner[end],
        ];
        town.obstacle(name, ObstacleKind::Fence, Level::GROUND, corners);
    }
}

/// A star of four points: not convex.
fn add_statue(town: &mut Builder, name: &str, (x, y): (i32, i32)) {
    let star = [(4, 0), (1, 1), (0, 4), (-1, 1), (-4, 0), (-1, -1), (0, -4), (1, -1)];
    let corners = star.map(|(dx, dy)| point((x + dx, y + dy)));
    town.obstacle(name, ObstacleKind::Block, Level::GROUND, corners.to_vec());
}

/// A yard: a fence that runs askew, and a block in the shape of an L or a U.
pub(super) fn add_yard(town: &mut Builder, rng: &mut Pcg64Mcg, number: u32, lot: Rect) {
    let name = format!("yard {number}");
    let (x, y) = lot.centre();
    town.taken.push(lot.grown(-MARGIN));
    let mirror = if rng.random() { 1 } else { -1 };
    let mut add = |kind, offsets: &[(i32, i32)]| {
        let corners = offsets.iter().map(|(dx, dy)| point((x + mirror * dx, y + dy))).collect();
        town.obstacle(&name, kind, Level::GROUND, corners);
    };
    add(ObstacleKind::Fence, &[(-11, -6), (-10, -7), (-2, 5), (-3, 6)]);
    if rng.random() {
        add(ObstacleKind::Block, &[(3, -7), (11, -7), (11, -4), (6, -4), (6, 6), (3, 6)]);
    } else {
        let u = [(2, -6), (11, -6), (11, 6), (9, 6), (9, -4), (4, -4), (4, 6), (2, 6)];
        add(ObstacleKind::Block, &u);
    }
}
