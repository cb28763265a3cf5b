//! Integer costs and time. Floats appear only when a length is written out.

use std::fmt;
use std::num::NonZeroU8;
use std::ops::{Add, AddAssign, Sub};

/// Cost of a straight step onto terrain of factor 1.
pub const STRAIGHT: u64 = 13_860;
/// Cost of a diagonal step of true length onto terrain of factor 1.
///
/// 19601/13860 is a continued-fraction convergent of the square root of two: an integer
/// path cost is off by less than 2e-9 of a cell for each diagonal step.
pub const DIAGONAL: u64 = 19_601;

/// The cost of a path. A straight step onto plain ground costs [`STRAIGHT`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cost(pub u64);

impl Cost {
    /// The cost of a path without steps.
    pub const ZERO: Self = Self(0);
    /// More than any path can cost.
    pub const MAX: Self = Self(u64::MAX);

    /// The cost as a number of straight steps on plain ground. For output only.
    #[must_use]
    pub fn in_cells(self) -> f64 {
        self.0 as f64 / STRAIGHT as f64
    }
}

impl Add for Cost {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Cost {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl std::iter::Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2}", self.in_cells())
    }
}

/// A point in discrete time. Not a cost: terrain makes a step more expensive, but not slower.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tick(pub u32);

impl fmt::Display for Tick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The cost factor of terrain, 1 to 255.
///
/// The cost of a step is multiplied by the factor of the terrain that it enters (the terrain
/// influence factor of Xu & Zou, section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Factor(NonZeroU8);

/// A cost factor outside 1 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "cost factor {0} is not in 1..=255: give 1 for plain ground, or make the terrain \
     impassable to keep units out"
)]
pub struct FactorError(pub i64);

impl Factor {
    /// Plain ground.
    pub const ONE: Self = Self(NonZeroU8::MIN);

    /// The factor `value`.
    ///
    /// # Errors
    /// When it is zero, negative or above 255.
    pub fn new(value: i64) -> Result<Self, FactorError> {
        let byte = u8::try_from(value).ok().and_then(NonZeroU8::new);
        byte.map(Self).ok_or(FactorError(value))
    }

    /// The factor as a number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0.get()
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
