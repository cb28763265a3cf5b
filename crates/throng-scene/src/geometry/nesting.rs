//! The relation of two zones: apart, nested, or overlapping.

use crate::Point;
use crate::geometry::polygon::{Polygon, Side};
use crate::geometry::segment;

/// Whether the polygons are apart (they may touch) or one is inside the other (boundaries
/// may be shared in part). Equal polygons are neither.
pub(crate) fn apart_or_nested(a: &Polygon, b: &Polygon) -> bool {
    if crosses(a, b) {
        return false;
    }
    let (of_a, of_b) = (sides(a, b), sides(b, a));
    let straddles = |seen: Seen| seen.inside && seen.outside;
    let is_same = !of_a.inside && !of_a.outside && !of_b.inside && !of_b.outside;
    !straddles(of_a) && !straddles(of_b) && !is_same
}

fn crosses(a: &Polygon, b: &Polygon) -> bool {
    a.edges().any(|(p, q)| b.edges().any(|(r, s)| segment::cross(p, q, r, s)))
}

/// On which sides of a polygon the boundary of another runs.
#[derive(Clone, Copy, Default)]
struct Seen {
    inside: bool,
    outside: bool,
}

/// On which sides of `of` the boundary of `polygon` runs; they do not cross.
fn sides(polygon: &Polygon, of: &Polygon) -> Seen {
    let mut seen = Seen::default();
    for (from, to) in polygon.edges() {
        // Between the corners of `of` that lie on the edge, the edge keeps to one side.
        let on_edge = of.corners().iter().copied().filter(|&c| segment::is_on(c, from, to));
        let mut stops: Vec<Point> = on_edge.chain([from, to]).collect();
        stops.sort_by(|p, q| from.distance_squared(*p).total_cmp(&from.distance_squared(*q)));
        for piece in stops.windows(2).filter(|piece| piece[0] != piece[1]) {
            match side_of_piece(piece[0], piece[1], of) {
                Side::Inside => seen.inside = true,
                Side::Outside => seen.outside = true,
                Side::Boundary => {}
            }
        }
    }
    seen
}

/// The side of a piece whose inner points are either all on the boundary or none.
fn side_of_piece(from: Point, to: Point, of: &Polygon) -> Side {
    let is_shared = |(a, b)| segment::is_on(from, a, b) && segment::is_on(to, a, b);
    if of.edges().any(is_shared) {
        return Side::Boundary;
    }
    of.side(from.midpoint(to))
}
