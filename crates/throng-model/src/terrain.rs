//! Terrain classes: the kinds of ground that the cells of a map can have.

use crate::Factor;

/// Which terrain class a cell has: an index into [`Map::classes`](crate::Map::classes).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TerrainId(pub u8);

impl TerrainId {
    /// The index as array subscript.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

/// One kind of terrain: its name, its symbol in text maps and its cost factor.
///
/// A [`MovementProfile`](crate::MovementProfile) can override the cost factor.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TerrainClass {
    /// The name shown to users: `ground`, `swamp`, `water`.
    pub name: String,
    /// The letter in text maps.
    pub symbol: char,
    /// The cost factor of a step onto it; `None` if it is impassable.
    pub factor: Option<Factor>,
}

impl TerrainClass {
    /// A class that units may enter.
    #[must_use]
    pub fn passable(name: &str, symbol: char, factor: Factor) -> Self {
        Self { name: name.to_owned(), symbol, factor: Some(factor) }
    }

    /// An impassable class.
    #[must_use]
    pub fn blocked(name: &str, symbol: char) -> Self {
        Self { name: name.to_owned(), symbol, factor: None }
    }
}
