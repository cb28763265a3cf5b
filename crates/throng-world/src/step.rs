//! Where a unit is drawn: its movement in one tick.

use serde::{Deserialize, Serialize};
use throng_model::{Cell, UnitId};

/// A step of several ticks that is in progress. The unit holds both ends and the cells between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// The cell where the step ends.
    pub to: Cell,
    /// The ticks until it ends.
    pub ticks_left: u32,
    /// How many ticks the step takes: more than the unit's pace on terrain that slows, and on
    /// diagonals in worlds where they take longer.
    pub ticks: u32,
}

/// The movement of a unit in one tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Step {
    /// The unit.
    pub unit: UnitId,
    /// Its cell before the tick. A new unit's first step begins where it was spawned.
    pub from: Cell,
    /// Its cell after the tick.
    pub at: Cell,
    /// The step in progress, if the unit needs several ticks per step.
    pub heading: Option<Heading>,
    /// How far it came between two cells in this tick.
    pub progress: Progress,
    /// Whether the game itself put it there since the last tick: it did not walk from `from`, and
    /// is drawn at `at`.
    pub is_teleport: bool,
}

/// The part of a step that a unit does in one tick: it moves evenly from one cell to another. A
/// unit that stands has the same cell twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// The cell where the step began.
    pub from: Cell,
    /// The cell where it ends.
    pub to: Cell,
    /// How many ticks of the step are over after this tick: 1 to `ticks`.
    pub done: u32,
    /// How many ticks the step takes.
    pub ticks: u32,
}

impl Progress {
    /// A unit that stands.
    pub(crate) fn standing(at: Cell) -> Self {
        Self { from: at, to: at, done: 1, ticks: 1 }
    }
}

impl Step {
    /// Where to draw the unit's cell at a fraction of the tick, from 0 (before it) to 1 (after
    /// it), in cells from the left and from the top of the map.
    ///
    /// ```
    /// use throng_model::{Map, MovementProfile};
    /// use throng_world::{Spawn, World, WorldOptions};
    ///
    /// let mut world = World::new(Map::empty(9, 3)?, WorldOptions::default())?;
    /// let slow = MovementProfile { pace: 4, ..MovementProfile::eight_connected() };
    /// let unit = world.spawn((1, 1), &Spawn::new(slow))?;
    /// world.order(unit, (5, 1))?;
    /// world.tick();
    /// let step = world.steps()[0];
    /// assert_eq!([step.position_at(0.0), step.position_at(1.0)], [(1.0, 1.0), (1.25, 1.0)]);
    /// assert_eq!(step.position_at(0.5), (1.125, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn position_at(&self, fraction: f32) -> (f32, f32) {
        let Progress { from, to, done, ticks } = self.progress;
        let share = (done as f32 - 1.0 + fraction) / ticks as f32;
        let between =
            |from: u16, to: u16| f32::from(from) + (f32::from(to) - f32::from(from)) * share;
        (between(from.x, to.x), between(from.y, to.y))
    }
}
