//! Why a map or scenario could not be made.

use throng_model::limits::UNITS_MAX;
use throng_model::{FactorError, MapError, MovementError};

/// Why a map or scenario could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// The map's size is out of bounds.
    #[error(transparent)]
    Map(#[from] MapError),
    /// The movement profile is invalid.
    #[error(transparent)]
    MovementProfile(#[from] MovementError),
    /// A terrain factor is out of bounds.
    #[error(transparent)]
    Factor(#[from] FactorError),
    /// A percentage above 100.
    #[error("{what} of {given} percent: give 0 to 100")]
    Percent {
        /// What the percentage is of.
        what: &'static str,
        /// The percentage given.
        given: u32,
    },
    /// A measure that is zero, or larger than the map allows.
    #[error("{what} is {given}: give 1 to {max}")]
    PartSize {
        /// The measure.
        what: &'static str,
        /// The value given.
        given: u32,
        /// The largest allowed value.
        max: u32,
    },
    /// The map is too small.
    #[error("{what} does not fit on {width} x {height} cells: give at least {least} per side")]
    TooSmall {
        /// What it is too small for.
        what: &'static str,
        /// Columns asked for.
        width: u32,
        /// Rows asked for.
        height: u32,
        /// Shortest side.
        least: u32,
    },
    /// No cell would be free.
    #[error("no cell is left free: ask for fewer walls, a larger map, or another seed")]
    NothingFree,
    /// More units than any problem may have.
    #[error("{0} units: a problem has at most {UNITS_MAX}")]
    UnitLimit(usize),
    /// The map has no room for all units.
    #[error(
        "only {placed} of {asked} units found a start and a reachable goal of their own: ask for \
         fewer units, a smaller minimum distance, or give a larger map"
    )]
    TooManyUnits {
        /// Units asked for.
        asked: usize,
        /// Units that found room.
        placed: usize,
    },
}

impl GenerateError {
    pub(super) fn check_percent(what: &'static str, given: u32) -> Result<(), Self> {
        if given > 100 { Err(Self::Percent { what, given }) } else { Ok(()) }
    }

    pub(super) fn check_part(what: &'static str, given: u32, max: u32) -> Result<(), Self> {
        if (1..=max).contains(&given) { Ok(()) } else { Err(Self::PartSize { what, given, max }) }
    }
}
