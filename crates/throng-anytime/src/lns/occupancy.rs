//! When positions and passages are taken: one bit per tick.
//!
//! A search asks for the next free or the next taken tick of a position. With bits the answer
//! is one or two words away, and changing a path changes only its own bits. The gaps between
//! taken ticks are the safe intervals (M. Phillips, M. Likhachev, "SIPP: Safe interval path
//! planning for dynamic environments", 2011).

use super::steps::{OPEN, Steps};

/// A tick that never comes.
pub(crate) const NEVER: u32 = u32::MAX;

const BITS: u32 = u64::BITS;

/// Which positions and passages are taken at which ticks, up to a horizon.
#[derive(Clone, Debug)]
pub(crate) struct Occupancy {
    /// Words per position and per passage.
    words: usize,
    positions: Vec<u64>,
    /// The bit of tick t: the step that ends at t.
    passages: Vec<u64>,
}

impl Occupancy {
    /// Nothing is taken. All ticks up to `last_tick` can be.
    pub(crate) fn new(steps: &Steps, last_tick: u32) -> Self {
        let words = Self::words_for(last_tick);
        let positions = vec![0; words * steps.positions()];
        Self { words, positions, passages: vec![0; words * steps.passages()] }
    }

    fn words_for(last_tick: u32) -> usize {
        (last_tick / BITS) as usize + 1
    }

    /// Whether half the memory would do for this last tick.
    pub(crate) fn is_too_long_for(&self, last_tick: u32) -> bool {
        2 * Self::words_for(last_tick) <= self.words
    }

    /// The last tick that can be taken.
    pub(crate) fn last_tick(&self) -> u32 {
        self.words as u32 * BITS - 1
    }

    /// Takes the positions and passages of a path, and its last position forever. Frees them if
    /// they are taken.
    pub(crate) fn toggle(&mut self, steps: &Steps, path: &[u32]) {
        let Some((&last, moving)) = path.split_last() else { return };
        for (tick, &at) in moving.iter().enumerate() {
            self.positions[at as usize * self.words + tick / 64] ^= 1 << (tick % 64);
        }
        for (tick, pair) in path.windows(2).enumerate().filter(|(_, pair)| pair[0] != pair[1]) {
            let passage = steps.passage(pair[0], pair[1]).unwrap_or(OPEN);
            if passage != OPEN {
                let tick = tick + 1;
                self.passages[passage as usize * self.words + tick / 64] ^= 1 << (tick % 64);
            }
        }
        self.toggle_from(last, moving.len());
    }

    /// Changes all bits of a position from a tick on.
    fn toggle_from(&mut self, position: u32, tick: usize) {
        let words = &mut self.positions[position as usize * self.words..][..self.words];
        if let Some((first, later)) = words.get_mut(tick / 64..).and_then(<[_]>::split_first_mut) {
            *first ^= u64::MAX << (tick % 64);
            later.iter_mut().for_each(|word| *word ^= u64::MAX);
        }
    }

    /// Whether a path conflicts with nothing that is taken.
    pub(crate) fn is_free(&self, steps: &Steps, path: &[u32]) -> bool {
        let Some(&last) = path.last() else { return true };
        let is_vacant = |(tick, &at): (usize, &u32)| !self.is_taken(at, tick as u32);
        let is_passable = |(tick, pair): (usize, &[u32])| {
            let passage = steps.passage(pair[0], pair[1]).unwrap_or(OPEN);
            passage == OPEN || !self.is_passage_taken(passage, tick as u32 + 1)
        };
        path.iter().enumerate().all(is_vacant)
            && path.windows(2).enumerate().all(is_passable)
            && self.next_taken(last, path.len() as u32 - 1) == NEVER
    }

    #[inline]
    pub(crate) fn is_taken(&self, position: u32, tick: u32) -> bool {
        let word = self.positions[position as usize * self.words + (tick / BITS) as usize];
        word >> (tick % BITS) & 1 == 1
    }

    #[inline]
    pub(crate) fn is_passage_taken(&self, passage: u32, tick: u32) -> bool {
        let word = self.passages[passage as usize * self.words + (tick / BITS) as usize];
        word >> (tick % BITS) & 1 == 1
    }

    /// The first tick from `tick` on at which a position is free. `tick` must not be past the
    /// horizon.
    #[inline]
    pub(crate) fn next_free(&self, position: u32, tick: u32) -> u32 {
        self.next(position, tick, u64::MAX)
    }

    /// The first tick from `tick` on at which a position is taken. `tick` must not be past the
    /// horizon.
    #[inline]
    pub(crate) fn next_taken(&self, position: u32, tick: u32) -> u32 {
        self.next(position, tick, 0)
    }

    /// The first tick whose bit differs from those of `like`.
    #[inline]
    fn next(&self, position: u32, tick: u32, like: u64) -> u32 {
        let words = &self.positions[position as usize * self.words..][..self.words];
        let mut at = (tick / BITS) as usize;
        let mut found = (words[at] ^ like) & (u64::MAX << (tick % BITS));
        while found == 0 {
            at += 1;
            if at == words.len() {
                return NEVER;
            }
            found = words[at] ^ like;
        }
        at as u32 * BITS + found.trailing_zeros()
    }

    /// The first tick from which on a position stays free; [`NEVER`] if a unit ends there.
    pub(crate) fn free_from(&self, position: u32) -> u32 {
        let words = &self.positions[position as usize * self.words..][..self.words];
        match words.iter().rposition(|&word| word != 0) {
            None => 0,
            Some(at) => match at as u32 * BITS + BITS - words[at].leading_zeros() {
                tick if tick > self.last_tick() => NEVER,
                tick => tick,
            },
        }
    }
}
