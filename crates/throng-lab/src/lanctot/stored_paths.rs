//! "We only store the next point on the way to the destination point ... abstracting every position at
//! the grid-level to a larger grid": less memory and more hits than "a more brute-force approach of
//! storing complete paths at each point".
//!
//! Both kinds of store are filled with the same paths of a journey at grid level. The pathfinder's
//! own cache is not used: it would change the paths.

use std::collections::BTreeSet;

use throng_scene::{Location, ScenePathfinder, ValidScene};

use super::Query;
use crate::{LabError, Row};

/// Side of a square of the larger grid, in units: the pathfinder's cache has squares of two steps.
const SQUARE: f64 = 0.5;

/// A point, or a square of the larger grid.
type Place = (u8, i64, i64);

/// A store of paths: which ways from a place to a destination it knows, and how many points it holds.
#[derive(Default)]
struct Store {
    known: BTreeSet<(Place, Place)>,
    points: u64,
    hits: u64,
}

impl Store {
    /// Looks up all points of a path, and then stores it. `size` is the points that are stored at
    /// a point with so many points after it.
    fn add(&mut self, path: &[Location], place: fn(Location) -> Place, size: fn(u64) -> u64) {
        let Some(&end) = path.last() else { return };
        let keys: Vec<_> = path.iter().map(|&at| (place(at), place(end))).collect();
        self.hits += keys.iter().filter(|key| self.known.contains(*key)).count() as u64;
        for (key, after) in keys.into_iter().zip((0..path.len() as u64).rev()) {
            self.points += if self.known.insert(key) { size(after) } else { 0 };
        }
    }
}

/// The row of a workload whose paths are stored both ways.
pub(super) fn measure(
    finder: &mut ScenePathfinder,
    scene: &ValidScene,
    (workload, queries): (&str, &[Query]),
) -> Result<Row, LabError> {
    let [mut next, mut whole] = [Store::default(), Store::default()];
    let mut points = 0;
    for (case, query) in queries.iter().enumerate() {
        let illegal = |why: String| LabError::Illegal { stage: "stored paths", case, why };
        let walk = finder.find(scene, query.from, query.to);
        let mut walk = walk.map_err(|error| illegal(error.to_string()))?;
        let path: Vec<Location> = walk.finish(finder, scene);
        points += path.len();
        next.add(&path, square, |after| after.min(1));
        whole.add(&path, exact, |after| after);
    }
    let percent = |hits: u64| 100.0 * hits as f64 / points.max(1) as f64;
    Ok(Row::of("stored paths", format!("workload={workload}"))
        .outcome(format!("{points} points"))
        .metric("next-points", next.points as f64)
        .metric("whole-points", whole.points as f64)
        .metric("next-hits", percent(next.hits))
        .metric("whole-hits", percent(whole.hits)))
}

fn square(location: Location) -> Place {
    let of = |coordinate: f64| (coordinate / SQUARE).floor() as i64;
    (location.level.0, of(location.at.x), of(location.at.y))
}

fn exact(location: Location) -> Place {
    let of = |coordinate: f64| (coordinate * 1e6).round() as i64;
    (location.level.0, of(location.at.x), of(location.at.y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_path_again_is_known_at_every_point() {
        let path: Vec<Location> = (0..9).map(|at| Location::ground(f64::from(at), 0.0)).collect();
        let mut store = Store::default();
        store.add(&path, exact, |after| after);
        assert_eq!((store.points, store.hits), (8 * 9 / 2, 0));
        store.add(&path, exact, |after| after);
        assert_eq!((store.points, store.hits), (8 * 9 / 2, 9));
    }
}
