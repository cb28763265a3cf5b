//! Where straight jumps stop, as bits along rows and columns.
//!
//! D. Harabor and A. Grastien, "Improving jump point search" (ICAPS 2014), scan the rows
//! beside a jump for turns while they jump. Here the turns are kept as bits of their own:
//! a jump then reads one word for 64 cells, and an edit of the map costs a few words.

use throng_model::CornerRule;

use crate::bits::BitGrid;

/// The rows, or the columns, of a map: which cells are free, and where a jump ahead or
/// backwards must stop because a turn may be forced there.
#[derive(Clone, Debug)]
pub(crate) struct Lanes {
    free: BitGrid,
    turns_ahead: BitGrid,
    turns_behind: BitGrid,
    corners: CornerRule,
}

impl Lanes {
    /// The lanes of a map whose free cells are these.
    pub(crate) fn new(free: BitGrid, corners: CornerRule) -> Self {
        let (turns_ahead, turns_behind) = (free.clone(), free.clone());
        let mut lanes = Self { free, turns_ahead, turns_behind, corners };
        (0..lanes.free.words().len()).for_each(|word| lanes.find_turns(word));
        lanes
    }

    /// Frees a cell or walls it up.
    pub(crate) fn set(&mut self, at: u32, lane: u32, free: bool) {
        self.free.set(at, lane, free);
        for beside in -1..=1 {
            let [first, last] =
                [-1, 1].map(|d| self.free.position(at as i32 + d, lane as i32 + beside).0);
            (first..=last).for_each(|word| self.find_turns(word));
        }
    }

    /// Finds the turns of 64 cells.
    ///
    /// Where corners are not cut, a turn is forced at a cell whose side is free just from
    /// there on; otherwise at the last cell whose side is walled.
    fn find_turns(&mut self, word: usize) {
        let lane = self.free.words_per_lane();
        let beside = [word.checked_sub(lane), Some(word + lane)];
        let (mut ahead, mut behind) = (0, 0);
        for side in beside.into_iter().flatten().filter(|&w| w < self.free.words().len()) {
            let free = self.free.word(side);
            let (before, after) = (self.free.shifted_ahead(side), self.free.shifted_behind(side));
            match self.corners {
                CornerRule::NeverCut => {
                    ahead |= free & !before;
                    behind |= free & !after;
                }
                CornerRule::OneSideFree | CornerRule::AlwaysCut => {
                    ahead |= !free & after;
                    behind |= !free & before;
                }
            }
        }
        self.turns_ahead.set_word(word, ahead);
        self.turns_behind.set_word(word, behind);
    }

    /// How many cells ahead a jump stops, at a turn or at a goal; `None`: at a wall.
    #[inline]
    pub(crate) fn ahead(&self, at: i32, lane: i32, goals: Option<&BitGrid>) -> Option<u32> {
        let (mut word, bit) = self.free.position(at + 1, lane);
        let (free, stops) = self.stops(&self.turns_ahead, goals, word);
        let (mut free, mut stops, mut distance) = (free >> bit, stops >> bit, 1);
        if stops == 0 {
            distance += 64 - bit;
            loop {
                word += 1;
                (free, stops) = self.stops(&self.turns_ahead, goals, word);
                if stops != 0 {
                    break;
                }
                distance += 64;
            }
        }
        let zeros = stops.trailing_zeros();
        (free >> zeros & 1 != 0).then_some(distance + zeros)
    }

    /// The same backwards.
    #[inline]
    pub(crate) fn behind(&self, at: i32, lane: i32, goals: Option<&BitGrid>) -> Option<u32> {
        let (mut word, bit) = self.free.position(at - 1, lane);
        let (free, stops) = self.stops(&self.turns_behind, goals, word);
        let (mut free, mut stops, mut distance) = (free << (63 - bit), stops << (63 - bit), 1);
        if stops == 0 {
            distance += bit + 1;
            loop {
                word -= 1;
                (free, stops) = self.stops(&self.turns_behind, goals, word);
                if stops != 0 {
                    break;
                }
                distance += 64;
            }
        }
        let zeros = stops.leading_zeros();
        (free << zeros >> 63 != 0).then_some(distance + zeros)
    }

    /// Which cells of a word are free, and at which a jump stops. Every lane ends in walls.
    #[inline]
    fn stops(&self, turns: &BitGrid, goals: Option<&BitGrid>, word: usize) -> (u64, u64) {
        let free = self.free.word(word);
        (free, !free | turns.word(word) | goals.map_or(0, |goals| goals.word(word)))
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;

    const RULES: [CornerRule; 3] =
        [CornerRule::NeverCut, CornerRule::OneSideFree, CornerRule::AlwaysCut];

    fn naive_ahead(lanes: &Lanes, at: i32, lane: i32, step: i32) -> Option<u32> {
        let free = |a: i32, l: i32| lanes.free.get(a, l);
        let mut distance = 1;
        loop {
            let here = at + step * distance;
            if !free(here, lane) {
                return None;
            }
            let turn = [-1, 1].iter().any(|side| match lanes.corners {
                CornerRule::NeverCut => free(here, lane + side) && !free(here - step, lane + side),
                _ => !free(here, lane + side) && free(here + step, lane + side),
            });
            if turn {
                return Some(distance as u32);
            }
            distance += 1;
        }
    }

    #[test]
    fn jumps_stop_where_a_cell_by_cell_walk_does_also_after_edits() {
        let mut rng = throng_testkit::rng(5);
        for round in 0..30_u32 {
            let (length, count) = (rng.random_range(1..200), rng.random_range(1..6));
            let walls = rng.random_range(0..30);
            let free: Vec<u8> =
                (0..length * count).map(|_| u8::from(rng.random_range(0..100) >= walls)).collect();
            let corners = RULES[round as usize % 3];
            let mut lanes = Lanes::new(BitGrid::along_rows(&free, length), corners);
            for _ in 0..20 {
                let (at, lane) = (rng.random_range(0..length), rng.random_range(0..count));
                lanes.set(at, lane, rng.random_range(0..2) == 0);
            }
            for (lane, at) in
                (0..count as i32).flat_map(|l| (0..length as i32).map(move |a| (l, a)))
            {
                assert_eq!(lanes.ahead(at, lane, None), naive_ahead(&lanes, at, lane, 1));
                assert_eq!(lanes.behind(at, lane, None), naive_ahead(&lanes, at, lane, -1));
            }
        }
    }
}
