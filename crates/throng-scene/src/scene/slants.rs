//! Walls that are neither horizontal nor vertical: near them the ghost's steps are shorter
//! (figure 3 of the paper).

use crate::geometry::box_index::{BoxIndex, IndexedBox};
use crate::geometry::segment::point_distance_squared;
use crate::scene::obstacles::Obstacle;
use crate::{Bounds, Level, Point};

/// The slanted edges of a scene's obstacles, with one index per level.
#[derive(Clone, Debug)]
pub(crate) struct Slants {
    edges: Vec<(Point, Point)>,
    index: Vec<BoxIndex>,
}

impl Slants {
    pub(crate) fn new(obstacles: &[Obstacle], levels: u8) -> Self {
        let mut edges = Vec::new();
        let mut boxes = vec![Vec::new(); usize::from(levels)];
        for obstacle in obstacles {
            for (a, b) in obstacle.polygon.edges().filter(|edge| is_slanted(*edge)) {
                // At most as many as there are corners, whose number is limited.
                let slot = edges.len() as u32;
                edges.push((a, b));
                boxes[obstacle.level.index()].push(IndexedBox { bounds: Bounds::of(a, b), slot });
            }
        }
        Self { edges, index: boxes.into_iter().map(BoxIndex::new).collect() }
    }

    /// Whether a point of a level is closer than `distance` to a slanted edge.
    pub(crate) fn are_near(&self, point: Point, level: Level, distance: f64) -> bool {
        let Some(index) = self.index.get(level.index()) else { return false };
        index.any(Bounds::of(point, point).grown(distance), |slot| {
            let (a, b) = self.edges[slot as usize];
            point_distance_squared(point, a, b) < distance * distance
        })
    }
}

fn is_slanted((a, b): (Point, Point)) -> bool {
    (a.x - b.x).abs() > 0.0 && (a.y - b.y).abs() > 0.0
}
