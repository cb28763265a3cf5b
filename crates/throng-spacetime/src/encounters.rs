//! Positions, numbered as a search first meets them.

use crate::space::Position;

/// Which positions a search has met, and the distance of each. What is kept for them grows
/// with what is visited, not with the map.
#[derive(Clone, Debug, Default)]
pub(crate) struct Encounters {
    /// By position: which search met it, and its number there.
    numbers: Vec<(u32, u32)>,
    stamp: u32,
    /// By number: the position and its true distance.
    met: Vec<(Position, u64)>,
}

/// A position from which there is no way.
const NOWHERE: u32 = u32::MAX;

impl Encounters {
    /// Forgets all for a new search; true if stamps begin anew.
    pub(crate) fn begin(&mut self, positions: usize) -> bool {
        let anew = self.numbers.len() != positions || self.stamp == u32::MAX;
        if anew {
            self.numbers.clear();
            self.numbers.resize(positions, (0, 0));
            self.stamp = 0;
        }
        self.stamp += 1;
        self.met.clear();
        anew
    }

    /// The number of the search.
    #[inline]
    pub(crate) fn stamp(&self) -> u32 {
        self.stamp
    }

    /// The position of a number, and its distance.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> (Position, u64) {
        self.met[number as usize]
    }

    /// Whether the position was met before.
    #[inline]
    pub(crate) fn is_met(&self, at: Position) -> bool {
        self.numbers[at.get()].0 == self.stamp
    }

    /// The number of a position, and whether it is met for the first time; `None`: no way
    /// from there. The distance is asked once for each position.
    #[inline]
    pub(crate) fn number(
        &mut self,
        at: Position,
        distance: &mut impl FnMut(Position) -> Option<u64>,
    ) -> Option<(u32, bool)> {
        let (stamp, number) = self.numbers[at.get()];
        if stamp == self.stamp {
            return (number != NOWHERE).then_some((number, false));
        }
        let known = distance(at);
        let number = known.map_or(NOWHERE, |_| self.met.len() as u32);
        self.numbers[at.get()] = (self.stamp, number);
        self.met.push((at, known?));
        Some((number, true))
    }
}
