//! The hash mixer: spreads every bit of a number over all bits of the result.

/// The finalizer of SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom
/// number generators", 2014).
///
/// A bijection, the same on every machine: state hashes and random choices that must be
/// reproducible use it. To fold several values into one, `mix(state ^ value)`.
///
/// ```
/// use throng_grid::kit::mix;
/// assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
/// assert_ne!(mix(1) >> 32, mix(2) >> 32);
/// ```
#[inline]
#[must_use]
pub fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(GOLDEN_RATIO);
    let value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}

/// A hash for tables whose size is a power of two: one multiplication (D. Knuth's
/// multiplicative hashing), and the bits that depend on most of the key brought down.
#[inline]
pub(crate) fn table_hash(key: u64) -> usize {
    (key.wrapping_mul(GOLDEN_RATIO) >> 32) as usize
}

/// 2^64 divided by the golden ratio.
const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;
