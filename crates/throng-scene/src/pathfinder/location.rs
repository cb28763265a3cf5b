//! Locations in a scene, and samples of where players walk.

use crate::{Level, Point, ValidScene};

/// A point on a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Location {
    /// The point on the level.
    pub at: Point,
    /// The level.
    pub level: Level,
}

/// A location where players were seen, and how often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The location.
    pub location: Location,
    /// How often players were seen there.
    pub weight: u64,
}

/// Why a location cannot be the end of a path.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum LocationError {
    /// A coordinate is not a number, or off the map.
    #[error("{at} is off the map of {width} x {height} units: give a point on it")]
    OffMap {
        /// The point.
        at: Point,
        /// Units from left to right.
        width: f64,
        /// Units from bottom to top.
        height: f64,
    },
    /// The scene has no such level.
    #[error("level {level}: the scene has levels 0 to {highest}")]
    NoSuchLevel {
        /// The level asked for.
        level: Level,
        /// The highest level of the scene.
        highest: u8,
    },
}

impl Location {
    /// A location from a point and a level.
    #[must_use]
    pub const fn new(at: Point, level: Level) -> Self {
        Self { at, level }
    }

    /// A location on the ground.
    #[must_use]
    pub const fn ground(x: f64, y: f64) -> Self {
        Self::new(Point::new(x, y), Level::GROUND)
    }

    pub(crate) fn check(self, scene: &ValidScene) -> Result<(), LocationError> {
        if !scene.bounds().contains(self.at) {
            let (width, height) = (scene.width(), scene.height());
            return Err(LocationError::OffMap { at: self.at, width, height });
        }
        let highest = scene.levels().last().unwrap_or(Level::GROUND).0;
        match self.level.0 <= highest {
            true => Ok(()),
            false => Err(LocationError::NoSuchLevel { level: self.level, highest }),
        }
    }
}
