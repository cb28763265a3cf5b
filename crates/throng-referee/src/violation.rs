//! The rules that a plan or a live world can break.

use std::fmt;

use throng_model::{Cell, Tick, UnitId};

/// The broken rule. The order is the report order of one unit's violations at one tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ViolationKind {
    /// The plan has a path without a unit, or the problem a unit without a path.
    UnitCount,
    /// The path has no cells.
    EmptyPath,
    /// The unit's movement profile does not exist or is outside its limits. The unit is not
    /// checked any further.
    MovementProfile,
    /// In a live world: the unit is shown twice at one tick, or out of order. This sighting is
    /// not checked.
    Sighting,
    /// The path does not begin on the unit's start.
    Start,
    /// Part of the footprint is off the map.
    Bounds,
    /// Part of the footprint covers cells that are impassable for the unit.
    Terrain,
    /// The unit moves to a cell that is no neighbour.
    Contiguity,
    /// A diagonal step past an obstacle, which the corner rule forbids.
    Corner,
    /// A step sooner than the unit's pace allows.
    Pace,
    /// In a live world: a slow step in progress that is impossible, or does not continue as it
    /// began.
    Heading,
    /// The path does not end on the unit's goal.
    Goal,
    /// The path is longer than the limit on ticks, or there are more units than the limit.
    /// What is past the limit is not checked.
    Horizon,
    /// Two units hold the same cell at one tick (vertex conflict).
    Vertex,
    /// Two units of one cell exchange places (edge conflict).
    Swap,
    /// Two units of one cell cross on the diagonals of one 2 x 2 square.
    Crossing,
    /// Two bodies, at least one of them larger than a cell, pass through each other between ticks.
    Swept,
    /// In a live world: a unit enters a cell on which an enemy stood at the tick before.
    EnemyCell,
    /// In a live world: a unit goes into a link that is full or of another layer, or comes out before
    /// its time is over.
    Link,
}

impl ViolationKind {
    /// Every kind, in order.
    pub const ALL: [Self; 19] = [
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
        Self::EnemyCell,
        Self::Link,
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
            Self::EnemyCell => "enemy_cell",
            Self::Link => "link",
        }
    }

    /// What the units did, as part of a sentence.
    const fn description(self) -> &'static str {
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
            Self::EnemyCell => "enters a cell on which an enemy stood at the tick before",
            Self::Link => "breaks the time, the room or the layer of a link (from, to)",
        }
    }
}

/// One broken rule: which, when, by which units, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The rule.
    pub kind: ViolationKind,
    /// When. A step has the tick of its arrival.
    pub tick: Tick,
    /// One unit, or two in ascending order.
    pub units: Vec<UnitId>,
    /// Where. For start and goal: the cell found and the cell wanted. For a step: its two ends,
    /// of both units unless they swap. Otherwise the shared, missing or impassable cells.
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

    /// The sort key of reports: tick, first unit, kind, second unit.
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
        write!(f, "tick {}: {} {}", self.tick, units.join(" and "), self.kind.description())?;
        let cells: Vec<_> = self.cells.iter().map(ToString::to_string).collect();
        if cells.is_empty() { Ok(()) } else { write!(f, ": {}", cells.join(" ")) }
    }
}
