//! What a unit can be told.

use throng_model::{BuildingId, Cell};

/// What a unit is told to do. A queue of them is carried out one after the other.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Order {
    /// Rest where it is, and yield.
    Stop,
    /// Stay where it is, and yield to no unit.
    Hold,
    /// Go to the nearest of these cells that is not another's destination, and stay there; if all
    /// are taken, as near to the first as there is room.
    GoTo(Vec<Cell>),
    /// Go in by the nearest entrance.
    Enter(BuildingId),
}

impl Order {
    /// To go to one cell.
    #[must_use]
    pub fn go(cell: impl Into<Cell>) -> Self {
        Self::GoTo(vec![cell.into()])
    }
}

impl From<Cell> for Order {
    fn from(cell: Cell) -> Self {
        Self::go(cell)
    }
}

impl From<(u16, u16)> for Order {
    fn from(cell: (u16, u16)) -> Self {
        Self::go(cell)
    }
}

impl From<&[Cell]> for Order {
    fn from(cells: &[Cell]) -> Self {
        Self::GoTo(cells.to_vec())
    }
}

impl From<Vec<Cell>> for Order {
    fn from(cells: Vec<Cell>) -> Self {
        Self::GoTo(cells)
    }
}

impl From<BuildingId> for Order {
    fn from(building: BuildingId) -> Self {
        Self::Enter(building)
    }
}
