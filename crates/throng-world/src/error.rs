//! Why the world refuses a command. Nothing is changed then.

use throng_model::{BuildingId, Cell, MapError, MovementError, UnitId, limits};

use crate::LinkId;
use crate::link::LINK_TICKS_MAX;
use crate::options::WINDOW;

/// Why a command was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// The unit does not exist, or was removed.
    #[error("{0} does not exist (any more)")]
    NoSuchUnit(UnitId),
    /// The building does not exist.
    #[error("{0} does not exist (any more)")]
    NoSuchBuilding(BuildingId),
    /// A cell beyond the edge, for the whole body.
    #[error("{cell} is off the map, or too near its edge for the unit; move it inside")]
    OffMap {
        /// The cell.
        cell: Cell,
    },
    /// A cell on which the unit cannot stand.
    #[error("the unit cannot stand on {cell}; choose a cell that is free for its whole body")]
    Impassable {
        /// The cell.
        cell: Cell,
    },
    /// Another unit is in the way.
    #[error("{by} is in the way at {cell}; wait until it has gone, or choose another cell")]
    Occupied {
        /// The cell.
        cell: Cell,
        /// The unit that is there.
        by: UnitId,
    },
    /// A movement profile outside its limits.
    #[error(transparent)]
    Movement(#[from] MovementError),
    /// More movement profiles in use than the world has room for.
    #[error("more than {0} different movement profiles in use; let units share some")]
    TooManyProfiles(usize),
    /// More pairs of layer and side in use than the world has room for.
    #[error("more than {0} pairs of layer and side in use; use fewer layers or teams")]
    TooManyPlanes(usize),
    /// A team beyond the last.
    #[error("there is no team {0}: give 0 to 15")]
    NoSuchTeam(u8),
    /// A layer beyond the last.
    #[error("there is no layer {0}: give 0 to 7")]
    NoSuchLayer(u8),
    /// Two teams with a common friend cannot be enemies, and a team has no relation to itself.
    #[error(
        "teams {0} and {1} are one team or have a common friend, and friends of friends are \
         friends; end that friendship first"
    )]
    CommonFriend(u8, u8),
    /// More units than the limit.
    #[error("the world is full: {} units", limits::UNITS_MAX)]
    TooManyUnits,
    /// An order without a cell to go to.
    #[error("too few cells to go to were given; give at least one, and two for a patrol")]
    NoGoal,
    /// A unit cannot follow, guard or chase itself.
    #[error("{0} cannot follow itself; name another unit")]
    OwnTarget(UnitId),
    /// A building without a door.
    #[error("the building has no {0}; give it at least one")]
    NoDoor(&'static str),
    /// The link does not exist.
    #[error("{0} does not exist (any more)")]
    NoSuchLink(LinkId),
    /// A link that leads nowhere.
    #[error("the link begins and ends at {0}; give two cells")]
    LinkToItself(Cell),
    /// The time in a link, or its capacity, is out of bounds.
    #[error("a link takes 1 to {LINK_TICKS_MAX} ticks and has room for at least one unit")]
    LinkOutOfBounds,
    /// More links than the world has room for.
    #[error("more than {0} links; remove some")]
    TooManyLinks(usize),
    /// The unit is in a link.
    #[error("{0} is in a link; wait until it comes out, or remove the link")]
    InLink(UnitId),
    /// There is no room in the building.
    #[error("{0} is full; order a unit out, or raise its capacity")]
    Full(BuildingId),
    /// The unit is in a building.
    #[error("{0} is in a building; order it out first")]
    Inside(UnitId),
    /// A group has the unit more than once.
    #[error("{0} is in the group more than once; name it once")]
    Twice(UnitId),
    /// There is not room for all units near the spot.
    #[error("there is room for {room} of {asked} units around {spot}")]
    NoRoom {
        /// Where they were to go.
        spot: Cell,
        /// How many units were ordered.
        asked: usize,
        /// For how many there is room.
        room: usize,
    },
    /// The map refused an edit.
    #[error(transparent)]
    Map(#[from] MapError),
    /// Patience, promotion or goal penalty above the limit.
    #[error("{0} windows of patience or promotion, or ticks of goal penalty: give at most 16384")]
    PlanningOptions(u32),
    /// A window out of bounds.
    #[error("a window of {0} ticks: give {least} to {most}", least = WINDOW.start(), most = WINDOW.end())]
    Window(u32),
}
