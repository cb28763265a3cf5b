//! The stops of straight jumps, as bits along rows and columns.
//!
//! D. Harabor and A. Grastien, "Improving jump point search" (ICAPS 2014), scan the rows
//! beside a jump for forced neighbours during the search. Here these stops are stored as bits:
//! a jump reads one word per 64 cells, and an edit of the map updates a few words.

use throng_model::CornerRule;

use crate::kit::BitGrid;

/// The rows, or the columns, of a map: which cells are free, and where a jump ahead or
/// backwards must stop because of a wall or a forced neighbour.
#[derive(Clone, Debug)]
pub(crate) struct Lanes {
    free: BitGrid,
    /// Word by word, which cells are free and where a jump ahead stops.
    ahead: Vec<[u64; 2]>,
    /// The same for jumps backwards.
    behind: Vec<[u64; 2]>,
    corners: CornerRule,
}

impl Lanes {
    /// The lanes of a map whose free cells are these.
    pub(crate) fn new(free: BitGrid, corners: CornerRule) -> Self {
        let words = vec![[0, !0]; free.words().len()];
        let mut lanes = Self { free, ahead: words.clone(), behind: words, corners };
        (0..lanes.free.words().len()).for_each(|word| lanes.find_stops(word));
        lanes
    }

    /// Makes a cell free or a wall.
    pub(crate) fn set(&mut self, at: u32, lane: u32, free: bool) {
        self.free.set(at, lane, free);
        for beside in -1..=1 {
            let [first, last] =
                [-1, 1].map(|d| self.free.position(at as i32 + d, lane as i32 + beside).0);
            (first..=last).for_each(|word| self.find_stops(word));
        }
    }

    /// Finds the stops of 64 cells.
    ///
    /// If corners are not cut, a jump must stop beside the first free cell after a wall. If they
    /// may be cut, it must stop beside the last wall before a free cell.
    fn find_stops(&mut self, word: usize) {
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
        let free = self.free.word(word);
        self.ahead[word] = [free, !free | ahead];
        self.behind[word] = [free, !free | behind];
    }

    /// The length of a jump ahead that stops at a forced neighbour or a goal; `None` if it ends
    /// at a wall. Most jumps stop within the first word.
    #[inline(always)]
    pub(crate) fn ahead(&self, at: i32, lane: i32, goals: Option<&BitGrid>) -> Option<u32> {
        let (word, bit) = self.free.position(at + 1, lane);
        let [free, stops] = stops(&self.ahead, goals, word).map(|bits| bits >> bit);
        if stops == 0 {
            return self.far_ahead(word, 65 - bit, goals);
        }
        let zeros = stops.trailing_zeros();
        (free >> zeros & 1 != 0).then_some(1 + zeros)
    }

    #[inline(never)]
    fn far_ahead(&self, from: usize, near: u32, goals: Option<&BitGrid>) -> Option<u32> {
        let mut distance = near;
        for word in from + 1..self.ahead.len() {
            let [free, stops] = stops(&self.ahead, goals, word);
            if stops != 0 {
                let zeros = stops.trailing_zeros();
                return (free >> zeros & 1 != 0).then_some(distance + zeros);
            }
            distance += 64;
        }
        None
    }

    /// The length of a jump backwards, as for [`ahead`](Self::ahead).
    #[inline(always)]
    pub(crate) fn behind(&self, at: i32, lane: i32, goals: Option<&BitGrid>) -> Option<u32> {
        let (word, bit) = self.free.position(at - 1, lane);
        let [free, stops] = stops(&self.behind, goals, word).map(|bits| bits << (63 - bit));
        if stops == 0 {
            return self.far_behind(word, bit + 2, goals);
        }
        let zeros = stops.leading_zeros();
        (free << zeros >> 63 != 0).then_some(1 + zeros)
    }

    #[inline(never)]
    fn far_behind(&self, from: usize, near: u32, goals: Option<&BitGrid>) -> Option<u32> {
        let mut distance = near;
        for word in (0..from).rev() {
            let [free, stops] = stops(&self.behind, goals, word);
            if stops != 0 {
                let zeros = stops.leading_zeros();
                return (free << zeros >> 63 != 0).then_some(distance + zeros);
            }
            distance += 64;
        }
        None
    }
}

/// Which cells of a word are free, and at which a jump stops, goals included.
#[inline(always)]
fn stops(lanes: &[[u64; 2]], goals: Option<&BitGrid>, word: usize) -> [u64; 2] {
    let [free, stops] = lanes[word];
    [free, stops | goals.map_or(0, |goals| goals.word(word))]
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
