//! Where players walked, by the logs of their games: interest maps and samples of any scene.
//!
//! Lanctot et al. (2006), "Orbius-based data": grades of the cells, averaged over the games,
//! blurred and localised.

use throng_scene::{Level, Sample, ValidScene};

use super::{GameLog, InterestMap};

/// Side of an interest map's cell: the ghost's step outside, in units.
const INTEREST_CELL: f64 = 0.25;
/// Most cells along a side of the map of a large scene.
const CELLS_MAX: f64 = 1024.0;
/// Radius of a cell's influence when a map is localised, in cells.
const INFLUENCE: u32 = 4;

/// An interest map of a scene, with grade 0 everywhere.
pub(super) fn empty_map(scene: &ValidScene) -> InterestMap {
    let (width, height) = (scene.width(), scene.height());
    InterestMap::new(width, height, INTEREST_CELL.max(width.max(height) / CELLS_MAX))
}

/// A map that was blurred and localised.
pub(super) fn processed(map: &InterestMap) -> InterestMap {
    map.blurred().localised(INFLUENCE)
}

/// Where players walk on a level of a scene: the average of the games, blurred and localised.
///
/// ```
/// use throng_lab::lanctot::{GameLog, interest_map};
/// use throng_scene::{Level, town};
/// let scene = town(1).validate()?;
/// let log = GameLog::read("time_ms,action,player,x,y,level,to_x,to_y\n100,MV,0,2,3,0,,\n")?;
/// let map = interest_map(&[log], &scene, Level::GROUND);
/// assert_eq!(map.grade(8, 12), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn interest_map(logs: &[GameLog], scene: &ValidScene, level: Level) -> InterestMap {
    let empty = empty_map(scene);
    let graded = |log: &GameLog| empty.clone().graded(log, level);
    let games: Vec<InterestMap> = logs.iter().map(graded).collect();
    processed(&InterestMap::average(&games).unwrap_or(empty))
}

/// Where players walk on all levels of a scene, as the samples that a roadmap and Voronoi zones
/// are built from.
#[must_use]
pub fn samples(logs: &[GameLog], scene: &ValidScene) -> Vec<Sample> {
    scene.levels().flat_map(|level| interest_map(logs, scene, level).samples(level)).collect()
}
