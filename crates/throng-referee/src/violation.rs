//! What can be wrong with a plan, or in a live world.

use std::fmt;

use throng_model::{Cell, Tick, UnitId};

/// The rule that was broken. Ordered as violations of one unit at one tick are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ViolationKind {
    /// The plan has a path for no unit of the problem, or a unit has no path in the plan.
    UnitCount,
    /// The path has no entry.
    EmptyPath,
    /// The unit's movement does not exist, or is past its limits: nothing else of it can
    /// be judged.
    MovementProfile,
    /// Seen twice at one tick of a live world, or out of order: not judged.
    Sighting,
    /// The path begins elsewhere than on the unit's start.
    Start,
    /// Part of the footprint is off the map.
    Bounds,
    /// Part of the footprint is on ground that is impassable for the unit.
    Terrain,
    /// A jump: not a step to a neighbour.
    Contiguity,
    /// A diagonal step past a corner that the corner rule forbids.
    Corner,
    /// A step sooner than the unit's pace allows.
    Pace,
    /// A slow step that is seen under way in a live world, and makes no sense or is not
    /// carried on as it began.
    Heading,
    /// The path ends elsewhere than on the unit's goal.
    Goal,
    /// The path goes on past the last tick that a plan may reach, or the plan has more
    /// units than it may, or the live world has: what is past the limit is not judged.
    Horizon,
    /// Two units hold a cell at one tick.
    Vertex,
    /// Two units of one cell exchange places.
    Swap,
    /// Two units of one cell cross on the diagonals of one 2 x 2 square.
    Crossing,
    /// Two bodies, at least one of them larger than a cell, pass through each other.
    Swept,
}

impl ViolationKind {
    /// Every kind, in order.
    pub const ALL: [Self; 17] = [
        Self::UnitCount,
        Self::EmptyPath,
        Self::MovementProfile,
        Self::Sighting,
        Self::Start,
        Self::Bounds,
        Self::Terrain,
        Self::Contiguity,
        Self::Corner,
        Self::Pace,
        Self::Heading,
        Self::Goal,
        Self::Horizon,
        Self::Vertex,
        Self::Swap,
        Self::Crossing,
        Self::Swept,
    ];

    /// The kind's name in machine-readable output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UnitCount => "unit_count",
            Self::EmptyPath => "empty_path",
            Self::MovementProfile => "movement",
            Self::Sighting => "sighting",
            Self::Start => "start",
            Self::Bounds => "bounds",
            Self::Terrain => "terrain",
            Self::Contiguity => "contiguity",
            Self::Corner => "corner",
            Self::Pace => "pace",
            Self::Heading => "heading",
            Self::Goal => "goal",
            Self::Horizon => "horizon",
            Self::Vertex => "vertex",
            Self::Swap => "swap",
            Self::Crossing => "crossing",
            Self::Swept => "swept",
        }
    }

    /// What the units did, for people.
    const fn deed(self) -> &'static str {
        match self {
            Self::UnitCount => "is only in one of problem and plan",
            Self::EmptyPath => "has an empty path",
            Self::MovementProfile => "has a movement that does not exist or is past its limits",
            Self::Sighting => "is seen twice at one tick, or out of order",
            Self::Start => "begins elsewhere than on its start (found, wanted)",
            Self::Bounds => "is partly or wholly off the map",
            Self::Terrain => "is on impassable ground",
            Self::Contiguity => "jumps to a cell that is no neighbour",
            Self::Corner => "cuts a corner",
            Self::Pace => "steps sooner than its pace allows",
            Self::Heading => "is in the middle of a step that it cannot be in",
            Self::Goal => "ends elsewhere than on its goal (found, wanted)",
            Self::Horizon => "is past the limits on plans",
            Self::Vertex => "hold the same cells",
            Self::Swap => "exchange places",
            Self::Crossing => "cross on two diagonals",
            Self::Swept => "pass through each other",
        }
    }
}

/// One broken rule: which, when, by whom, where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The rule.
    pub kind: ViolationKind,
    /// When. A step is dated by the tick of its arrival.
    pub tick: Tick,
    /// By whom: one unit, or two in ascending order.
    pub units: Vec<UnitId>,
    /// Where: the cell and the one wanted for start and goal; from and to for a step (of
    /// both units, unless they swap); the cells shared, off limits or impassable.
    pub cells: Vec<Cell>,
}

impl Violation {
    pub(crate) fn of_one(kind: ViolationKind, tick: usize, unit: UnitId, cells: Vec<Cell>) -> Self {
        Self { kind, tick: to_tick(tick), units: vec![unit], cells }
    }

    pub(crate) fn of_two(
        kind: ViolationKind,
        tick: usize,
        units: [UnitId; 2],
        cells: Vec<Cell>,
    ) -> Self {
        Self { kind, tick: to_tick(tick), units: units.to_vec(), cells }
    }

    /// Reports are sorted by this: tick, first unit, kind, second unit.
    pub(crate) fn rank(&self) -> (Tick, Option<UnitId>, ViolationKind, Option<UnitId>) {
        (self.tick, self.units.first().copied(), self.kind, self.units.get(1).copied())
    }

    /// The kind's name in machine-readable output.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.kind.name()
    }
}

fn to_tick(tick: usize) -> Tick {
    Tick(u32::try_from(tick).unwrap_or(u32::MAX))
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units: Vec<_> = self.units.iter().map(ToString::to_string).collect();
        write!(f, "tick {}: {} {}", self.tick, units.join(" and "), self.kind.deed())?;
        let cells: Vec<_> = self.cells.iter().map(ToString::to_string).collect();
        if cells.is_empty() { Ok(()) } else { write!(f, ": {}", cells.join(" ")) }
    }
}
