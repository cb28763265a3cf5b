//! What a unit can be told.

use throng_model::{BuildingId, Cell, UnitId};

/// What a unit is told to do. A queue of them is carried out one after the other.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Order {
    /// Rest where it is, and yield.
    Stop,
    /// Stay where it is, and yield to no unit.
    Hold,
    /// Go to the nearest of these cells that is not another's destination, and stay there; if all
    /// are taken, as near to the first as there is room. If no path leads to any of them, it rests
    /// where it is and is [`Unreachable`](crate::UnitStatus::Unreachable); for a click on the map,
    /// [`Approach`](Self::Approach) is mostly better.
    GoTo(Vec<Cell>),
    /// Go in by the nearest entrance.
    Enter(BuildingId),
    /// Go to the cell, or as near to it as the unit can get: to the foot of a wall, to the shore
    /// before an island, beside the units that are there. [`Event::ArrivedNear`](crate::Event)
    /// says that it is not the cell itself.
    Approach(Cell),
    /// Go to each of these cells in turn, as [`Approach`](Self::Approach) does, and begin again
    /// after the last. At least two cells.
    Patrol(Vec<Cell>),
    /// Stay near a unit: go whenever it is further away than the distance, and stop within it.
    /// The order is done when that unit is gone.
    Follow(Track),
    /// The same, but once it has to go, it comes as near as half of the distance: a guard rests
    /// while its charge moves about a little.
    Guard(Track),
    /// Go after a unit until it is within the distance. Then the order is done.
    Chase(Track),
}

/// Another unit, and how near to stay or to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Track {
    /// The other unit, of any team and layer.
    pub unit: UnitId,
    /// In cells, from body to body: 1 is side by side.
    pub distance: u16,
}

impl Order {
    /// To go to one cell, if a path leads there: [`GoTo`](Self::GoTo). To go as near as possible to
    /// a wall, an island or a place that is too narrow, use [`Approach`](Self::Approach).
    #[must_use]
    pub fn go(cell: impl Into<Cell>) -> Self {
        Self::GoTo(vec![cell.into()])
    }

    /// To stay within a distance of a unit.
    #[must_use]
    pub fn follow(unit: UnitId, distance: u16) -> Self {
        Self::Follow(Track { unit, distance })
    }

    /// To guard a unit within a distance.
    #[must_use]
    pub fn guard(unit: UnitId, distance: u16) -> Self {
        Self::Guard(Track { unit, distance })
    }

    /// To go after a unit until it is within a distance.
    #[must_use]
    pub fn chase(unit: UnitId, distance: u16) -> Self {
        Self::Chase(Track { unit, distance })
    }

    /// The unit that the order depends on.
    pub(crate) fn track(&self) -> Option<Track> {
        match self {
            Self::Follow(track) | Self::Guard(track) | Self::Chase(track) => Some(*track),
            _ => None,
        }
    }

    /// Whether the place where the unit goes is its own.
    pub(crate) fn owns_destination(&self) -> bool {
        matches!(self, Self::GoTo(_) | Self::Approach(_) | Self::Patrol(_))
    }

    /// The cells that the unit was told to go to.
    pub(crate) fn cells(&self) -> &[Cell] {
        match self {
            Self::GoTo(cells) => cells,
            Self::Patrol(cells) => cells.get(..1).unwrap_or_default(),
            Self::Approach(cell) => std::slice::from_ref(cell),
            _ => &[],
        }
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
