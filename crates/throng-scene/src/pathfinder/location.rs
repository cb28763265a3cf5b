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

/// The assumed length of one level, when distances are estimated, in units.
const LEVEL_LENGTH: f64 = 4.0;

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

impl ValidScene {
    /// Where a body could begin to explore the scene: where players start, the corner of the ground,
    /// the sides of the gates, the middles of the zones. It may not fit at all of them.
    pub fn start_candidates(&self) -> impl Iterator<Item = Location> {
        let players = self.players().iter().map(|player| Location::new(player.at, player.level));
        let sides = self.gates().iter().flat_map(|gate| gate.sides);
        let gates = sides.map(|side| Location::new(side.at, side.level));
        let zones = self.zones().iter().map(|zone| {
            let bounds = zone.polygon.bounds();
            Location::new(bounds.min.midpoint(bounds.max), zone.level)
        });
        players.chain([Location::ground(0.5, 0.5)]).chain(gates).chain(zones)
    }
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

    /// The estimated distance of two locations: straight, and a length for each level between them.
    #[must_use]
    pub fn estimated_distance(self, other: Self) -> f64 {
        let levels = f64::from(self.level.0.abs_diff(other.level.0));
        self.at.distance(other.at) + LEVEL_LENGTH * levels
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
