//! Jumps along a row or column, 64 cells at a time.
//!
//! D. Harabor and A. Grastien, "Improving jump point search" (ICAPS 2014): with the map as
//! bits, the next cell where a straight jump may stop falls out of a few shifts over the
//! three rows concerned.

use throng_model::CornerRule;

use crate::bits::BitGrid;

/// A window tells nothing of the neighbours of its outermost cells; so it moves on by less
/// than its width.
const WINDOW_STEP: i32 = 62;
const INNER_BITS: u64 = !(1 | 1 << 63);

/// One orientation of the map: its rows, or its columns.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<'a> {
    pub(crate) free: &'a BitGrid,
    pub(crate) goals: &'a BitGrid,
    pub(crate) corners: CornerRule,
}

impl Lanes<'_> {
    /// How many cells ahead a jump from `at` along `lane` stops, at a place where a turn
    /// may be forced or at a goal; `None` if it ends at a wall.
    #[inline]
    pub(crate) fn ahead<const HAS_GOALS: bool>(&self, at: i32, lane: i32) -> Option<u32> {
        let mut from = at;
        loop {
            let free = self.free.window(from, lane);
            let [left, right] = [-1, 1].map(|side| self.free.window(from, lane + side));
            let turns = match self.corners {
                CornerRule::NeverCut => (left & !(left << 1)) | (right & !(right << 1)),
                _ => (!left & left >> 1) | (!right & right >> 1),
            };
            let goals = if HAS_GOALS { self.goals.window(from, lane) } else { 0 };
            let stops = (!free | turns | goals) & INNER_BITS;
            if stops != 0 {
                let bit = stops.trailing_zeros();
                return (free >> bit & 1 != 0).then_some((from - at) as u32 + bit);
            }
            from += WINDOW_STEP;
        }
    }

    /// The same backwards.
    #[inline]
    pub(crate) fn behind<const HAS_GOALS: bool>(&self, at: i32, lane: i32) -> Option<u32> {
        let mut to = at;
        loop {
            let free = self.free.window(to - 63, lane);
            let [left, right] = [-1, 1].map(|side| self.free.window(to - 63, lane + side));
            let turns = match self.corners {
                CornerRule::NeverCut => (left & !(left >> 1)) | (right & !(right >> 1)),
                _ => (!left & left << 1) | (!right & right << 1),
            };
            let goals = if HAS_GOALS { self.goals.window(to - 63, lane) } else { 0 };
            let stops = (!free | turns | goals) & INNER_BITS;
            if stops != 0 {
                let bit = stops.leading_zeros();
                return (free << bit >> 63 != 0).then_some((at - to) as u32 + bit);
            }
            to -= WINDOW_STEP;
        }
    }
}
