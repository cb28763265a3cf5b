//! What a unit can be told.

use throng_model::{BuildingId, Cell};

/// What a unit is told to do. A queue of them is carried out one after the other.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Order {
    /// Rest where it is, and give way.
    Stop,
    /// Stay where it is, whoever comes.
    Hold,
    /// Go to whichever of these cells is nearest and not another's destination, and stay
    /// there; if all are taken, as near to the first as there is room.
    GoTo(Vec<Cell>),
    /// Go in by whichever entrance is nearest.
    Enter(BuildingId),
}

impl Order {
    /// To go to one cell.
    #[must_use]
    pub fn go(cell: impl Into<Cell>) -> Self {
        Self::GoTo(vec![cell.into()])
    }
}
