//! Kinds of terrain.

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

/// One kind of terrain: what it is called, the letter that stands for it in text maps, and
/// what a step onto it costs. Movements can override the cost for their kind of unit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TerrainClass {
    /// Name for people: `ground`, `swamp`, `water`.
    pub name: String,
    /// The letter in text maps.
    pub symbol: char,
    /// What a step onto it costs, or `None` if no unit may enter.
    pub factor: Option<Factor>,
}

impl TerrainClass {
    /// A class that units may enter.
    #[must_use]
    pub fn passable(name: &str, symbol: char, factor: Factor) -> Self {
        Self { name: name.to_owned(), symbol, factor: Some(factor) }
    }

    /// A class that keeps units out.
    #[must_use]
    pub fn blocked(name: &str, symbol: char) -> Self {
        Self { name: name.to_owned(), symbol, factor: None }
    }
}
