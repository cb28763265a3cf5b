//! A plan: where every unit is at every tick.

use crate::{Cell, Tick};

/// Where every unit is at every tick.
///
/// `paths[u][t]` is unit `u`'s cell at tick `t`; after its last entry a unit stays where
/// it is. A unit of pace p that is on another cell at tick t than at t-1 has been on its
/// way for the p ticks before t, and holds both cells in between.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// One path per unit, in the order of the problem's units.
    pub paths: Vec<Vec<Cell>>,
}

impl Plan {
    /// Where the unit is at a tick; `None` for a unit without any path.
    #[must_use]
    pub fn at(&self, unit: usize, tick: Tick) -> Option<Cell> {
        let path = self.paths.get(unit)?;
        path.get(tick.0 as usize).or(path.last()).copied()
    }

    /// The last tick at which any path has an entry.
    #[must_use]
    pub fn last_tick(&self) -> Tick {
        let longest = self.paths.iter().map(Vec::len).max().unwrap_or(0);
        Tick(u32::try_from(longest.saturating_sub(1)).unwrap_or(u32::MAX))
    }
}
