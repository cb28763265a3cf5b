//! What can be wrong with a scene, where, and what to do about it.

use std::fmt;

use crate::scene::VERSION;
use crate::scene::limits::{ERRORS_MAX, FILE_BYTES_MAX, NAME_BYTES_MAX, RADIUS_MAX, SIDE_MAX};
use crate::{Level, ObstacleId, Point, PolygonError};

/// Why a file could not be read as a scene, or a scene not be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The file is longer than any scene.
    #[error("a scene of {bytes} bytes: at most {FILE_BYTES_MAX} are read")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// It is not JSON, or not a scene.
    #[error("line {line}, column {column}: {problem}; compare with the description of the format")]
    Malformed {
        /// Line, counted from 1; 0 when the scene did not come from a file.
        line: usize,
        /// Column, counted from 1.
        column: usize,
        /// What is wrong.
        problem: String,
    },
    /// Another version of the format.
    #[error("version {version} of the scene format: this program reads version {VERSION}")]
    Version {
        /// The version that the file says it is.
        version: u32,
    },
}

impl ReadError {
    pub(crate) fn from_json(error: &serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let told = error.to_string();
        let place = format!(" at line {line} column {column}");
        let problem = told.strip_suffix(&place).unwrap_or(&told).chars().take(300).collect();
        Self::Malformed { line, column, problem }
    }
}

/// What a mistake is about: a kind and a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// `obstacle`, `zone`, `gate`, `item` or `player`.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} \"{}\"", self.kind, self.name)
    }
}

/// A mistake in a scene or in an edit of one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SceneError {
    /// A side is not a sensible length.
    #[error("a scene of {width} x {height} units: each side must be above 0, at most {SIDE_MAX}")]
    Size {
        /// Units from left to right.
        width: f64,
        /// Units from bottom to top.
        height: f64,
    },
    /// No level, or too many.
    #[error("{given} levels: a scene has 1 to {max}", max = crate::scene::limits::LEVELS_MAX)]
    Levels {
        /// Levels asked for.
        given: u8,
    },
    /// More of something than is allowed.
    #[error("{given} {what}: at most {max} are allowed; split the scene")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many there are.
        given: usize,
        /// How many are allowed.
        max: usize,
    },
    /// A name that is empty or too long.
    #[error("{subject} has a name of {bytes} bytes: give it one of 1 to {NAME_BYTES_MAX}")]
    Name {
        /// What has the name, of which only the beginning is given.
        subject: Subject,
        /// How long it is.
        bytes: usize,
    },
    /// The same name twice.
    #[error("{0} exists twice: names must differ")]
    DuplicateName(Subject),
    /// A level that the scene does not have.
    #[error("{subject} is on level {level}: the scene has levels 0 to {last}")]
    NoSuchLevel {
        /// What is there.
        subject: Subject,
        /// The level named.
        level: Level,
        /// The highest level.
        last: Level,
    },
    /// Corners that make no polygon.
    #[error("{subject}: {error}")]
    Polygon {
        /// Whose polygon.
        subject: Subject,
        /// What is wrong with it.
        error: PolygonError,
    },
    /// A corner or a point beyond the map's edge.
    #[error("{subject} reaches {at}: the map is {width} x {height} units from (0, 0)")]
    OutsideMap {
        /// What reaches beyond.
        subject: Subject,
        /// Where.
        at: Point,
        /// Units from left to right.
        width: f64,
        /// Units from bottom to top.
        height: f64,
    },
    /// Zones that overlap without one being inside the other.
    #[error(
        "zone \"{first}\" and zone \"{second}\" overlap: zones are apart, or one is inside the other"
    )]
    ZonesOverlap {
        /// One zone.
        first: String,
        /// The other.
        second: String,
    },
    /// Too much work to find out how the zones lie to each other.
    #[error(
        "zone \"{zone}\" and those before it have too many corners near each other: use simpler zones"
    )]
    ZonesTooComplex {
        /// The zone at which the limit was reached.
        zone: String,
    },
    /// A gate names a zone that does not exist.
    #[error("gate \"{gate}\" leads to zone \"{zone}\", which does not exist")]
    UnknownZone {
        /// The gate.
        gate: String,
        /// The zone named.
        zone: String,
    },
    /// A gate's point is not in the zone of its side.
    #[error(
        "gate \"{gate}\": its point {at} is not in zone \"{zone}\" but {found}; move the point"
    )]
    GateOutsideZone {
        /// The gate.
        gate: String,
        /// Where its side is.
        at: Point,
        /// The zone of that side.
        zone: String,
        /// Where the point is instead.
        found: String,
    },
    /// A gate joins a zone to itself.
    #[error("gate \"{gate}\" leads from zone \"{zone}\" to itself: name two zones")]
    GateToItself {
        /// The gate.
        gate: String,
        /// The zone.
        zone: String,
    },
    /// A door between levels, or stairs on one level.
    #[error(
        "gate \"{gate}\" leads from level {from} to level {to}: doors stay on a level, stairs leave it"
    )]
    GateLevels {
        /// The gate.
        gate: String,
        /// The level of its first side.
        from: Level,
        /// The level of its second side.
        to: Level,
    },
    /// A point inside an obstacle.
    #[error("{subject} at {at} is inside obstacle \"{obstacle}\": move one of them")]
    InsideObstacle {
        /// What is inside.
        subject: Subject,
        /// Where.
        at: Point,
        /// The obstacle.
        obstacle: String,
    },
    /// An item or a player in no zone.
    #[error("{subject} at {at} is in no zone: move it, or draw a zone there")]
    InNoZone {
        /// What is there.
        subject: Subject,
        /// Where.
        at: Point,
    },
    /// A radius that is not sensible.
    #[error("{subject} has radius {radius}: give a number above 0 and at most {RADIUS_MAX}")]
    Radius {
        /// Whose radius.
        subject: Subject,
        /// The radius.
        radius: f64,
    },
    /// An obstacle that was removed already, or never was.
    #[error("obstacle {0:?} does not exist (any more): keep the id that adding it gave")]
    NoSuchObstacle(ObstacleId),
}

/// Everything that is wrong with a scene, at most [`ERRORS_MAX`] mistakes.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneErrors(pub Vec<SceneError>);

impl SceneErrors {
    /// Adds a mistake while there is room for it.
    pub(crate) fn push(&mut self, error: SceneError) {
        if self.0.len() < ERRORS_MAX {
            self.0.push(error);
        }
    }
}

impl fmt::Display for SceneErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            let newline = if index == 0 { "" } else { "\n" };
            write!(f, "{newline}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SceneErrors {}
