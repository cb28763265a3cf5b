//! The weight of an inflated heuristic, which is the suboptimality bound of the answer.

use std::fmt;

/// A suboptimality bound, in thousandths: an answer may cost this many times the optimum.
///
/// Weighted A* (I. Pohl, 1970) multiplies its heuristic by the weight. It then expands fewer
/// nodes, and its answer costs at most the weight times the best.
///
/// ```
/// use throng_model::Weight;
/// let weight = Weight::from_permille(1_500)?;
/// assert_eq!((weight.times(200), weight.to_string().as_str()), (300, "1.5"));
/// assert!(Weight::from_permille(999).is_err());
/// # Ok::<(), throng_model::WeightError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Weight(u32);

/// A weight below 1 or above [`Weight::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a weight of {permille} thousandths; give 1000 to {}", Weight::MAX.permille())]
pub struct WeightError {
    /// What was given.
    pub permille: u32,
}

impl Weight {
    /// Optimal answers only.
    pub const ONE: Self = Self(1_000);
    /// The largest weight: a hundred times the optimum.
    pub const MAX: Self = Self(100_000);

    /// A weight in thousandths.
    ///
    /// # Errors
    /// When it is below 1000 or above [`Weight::MAX`].
    pub fn from_permille(permille: u32) -> Result<Self, WeightError> {
        let fits = (Self::ONE.0..=Self::MAX.0).contains(&permille);
        fits.then_some(Self(permille)).ok_or(WeightError { permille })
    }

    /// The weight in thousandths.
    #[must_use]
    pub const fn permille(self) -> u32 {
        self.0
    }

    /// The weight times a cost, rounded down: the most that an answer may cost if none costs
    /// less than `bound`. [`u64::MAX`] where the product is larger.
    #[must_use]
    pub fn times(self, bound: u64) -> u64 {
        let product = u128::from(bound) * u128::from(self.0) / 1_000;
        u64::try_from(product).unwrap_or(u64::MAX)
    }
}

impl Default for Weight {
    fn default() -> Self {
        Self::ONE
    }
}

/// As a decimal number without needless zeros: `1`, `1.5`, `1.125`.
impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:03}", self.0 / 1_000, self.0 % 1_000);
        f.pad(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_shown_as_decimals() {
        let show = |permille| Weight::from_permille(permille).map(|weight| weight.to_string());
        let cases = [(1_000, "1"), (1_125, "1.125"), (1_500, "1.5"), (2_010, "2.01")];
        for (permille, expected) in cases {
            assert_eq!(show(permille).as_deref(), Ok(expected));
        }
        assert_eq!(show(100_000).as_deref(), Ok("100"));
    }

    #[test]
    fn weights_out_of_range_are_refused() {
        let refused = Weight::from_permille(100_001).map_err(|error| error.to_string());
        let expected = "a weight of 100001 thousandths; give 1000 to 100000".to_owned();
        assert_eq!(refused, Err(expected));
        assert_eq!(Weight::MAX.times(u64::MAX), u64::MAX);
        assert_eq!(Weight::ONE.times(u64::MAX), u64::MAX);
    }
}
