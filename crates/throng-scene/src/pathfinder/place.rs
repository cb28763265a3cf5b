//! Where a body is, and where players were seen.

use crate::{Level, Point, ValidScene};

/// A point on a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Where on the level.
    pub at: Point,
    /// Which level.
    pub level: Level,
}

/// A place where players were seen, and how often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Where.
    pub place: Place,
    /// How often: more is commoner.
    pub weight: u64,
}

/// Why a place cannot be the end of a way.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PlaceError {
    /// A coordinate is no number, or off the map.
    #[error("{at} is off the map of {width} x {height} units: give a point on it")]
    OffMap {
        /// The point.
        at: Point,
        /// Units from left to right.
        width: f64,
        /// Units from bottom to top.
        height: f64,
    },
    /// There is no such level.
    #[error("level {level}: the scene has levels 0 to {highest}")]
    NoSuchLevel {
        /// The level asked for.
        level: Level,
        /// The highest there is.
        highest: u8,
    },
}

impl Place {
    /// A place from a point and a level.
    #[must_use]
    pub const fn new(at: Point, level: Level) -> Self {
        Self { at, level }
    }

    /// A place on the ground.
    #[must_use]
    pub const fn ground(x: f64, y: f64) -> Self {
        Self::new(Point::new(x, y), Level::GROUND)
    }

    pub(crate) fn check(self, scene: &ValidScene) -> Result<(), PlaceError> {
        if !scene.bounds().contains(self.at) {
            let (width, height) = (scene.width(), scene.height());
            return Err(PlaceError::OffMap { at: self.at, width, height });
        }
        let highest = scene.levels().last().unwrap_or(Level::GROUND).0;
        match self.level.0 <= highest {
            true => Ok(()),
            false => Err(PlaceError::NoSuchLevel { level: self.level, highest }),
        }
    }
}
