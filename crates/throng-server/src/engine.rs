//! What moves the units of a world: throng's live world or a planner of the papers, behind one interface.

use throng::World;
use throng::model::{Cell, Map, MovementProfile, UnitId};
use throng::world::{Applied, Command, Event, Order, Recorder, UnitStatus, WorldOptions};

use crate::error::Refusal;
use crate::paper_world::PaperWorld;
use crate::planner::PlannerName;

/// Ticks from one recorded hash to the next.
const HASH_EVERY: u32 = 64;
/// After so many commands, units and cells the recording begins again: its memory is bounded.
const RECORDED_MAX: usize = 4 << 20;

/// What moves the units.
pub(crate) enum Engine {
    Throng { recorder: Box<Recorder>, recorded: usize },
    Paper(Box<PaperWorld>),
}

/// A unit as the engine knows it.
pub(crate) struct Seen {
    pub(crate) at: Cell,
    /// End, ticks left and ticks in all of the step in progress.
    pub(crate) step: Option<(Cell, u32, u32)>,
    pub(crate) status: UnitStatus,
}

/// What a tick cost, and what happened.
pub(crate) struct Ticked {
    pub(crate) expanded: u64,
    pub(crate) events: Vec<Event>,
}

impl Engine {
    pub(crate) fn new(map: Map, planner: PlannerName, seed: u64) -> Result<Self, Refusal> {
        if let Some(planner) = planner.of_paper() {
            return Ok(Self::Paper(Box::new(PaperWorld::new(map, planner, seed)?)));
        }
        let world = World::new(map, WorldOptions::default());
        world.map(Self::of).map_err(|error| Refusal::bad(error.to_string()))
    }

    /// A world that exists, recorded from now on.
    pub(crate) fn of(world: World) -> Self {
        let recorder = Box::new(Recorder::with_hash_every(world, HASH_EVERY));
        Self::Throng { recorder, recorded: 0 }
    }

    pub(crate) fn planner(&self) -> PlannerName {
        match self {
            Self::Throng { .. } => PlannerName::Throng,
            Self::Paper(world) => world.planner().name(),
        }
    }

    pub(crate) fn map(&self) -> &Map {
        match self {
            Self::Throng { recorder, .. } => recorder.world().map(),
            Self::Paper(world) => world.map(),
        }
    }

    pub(crate) fn now(&self) -> u32 {
        match self {
            Self::Throng { recorder, .. } => recorder.world().now().0,
            Self::Paper(world) => world.now(),
        }
    }

    /// The world, for what only throng knows.
    pub(crate) fn world(&self) -> Option<&World> {
        match self {
            Self::Throng { recorder, .. } => Some(recorder.world()),
            Self::Paper(_) => None,
        }
    }

    pub(crate) fn recorder(&self) -> Option<&Recorder> {
        match self {
            Self::Throng { recorder, .. } => Some(recorder),
            Self::Paper(_) => None,
        }
    }

    pub(crate) fn paper(&self) -> Option<&PaperWorld> {
        match self {
            Self::Throng { .. } => None,
            Self::Paper(world) => Some(world),
        }
    }

    pub(crate) fn apply(&mut self, command: Command) -> Result<Applied, Refusal> {
        match self {
            Self::Throng { recorder, recorded } => {
                *recorded += length(&command);
                if *recorded > RECORDED_MAX {
                    **recorder = Recorder::with_hash_every(recorder.world().clone(), HASH_EVERY);
                    *recorded = 0;
                }
                let applied = recorder.apply(command);
                applied.map_err(|error| Refusal::conflict(error.to_string()))
            }
            Self::Paper(world) => world.apply(command),
        }
    }

    pub(crate) fn tick(&mut self) -> Ticked {
        match self {
            Self::Throng { recorder, .. } => {
                let report = recorder.tick();
                Ticked { expanded: report.expanded, events: report.events }
            }
            Self::Paper(world) => Ticked { expanded: world.tick(), events: Vec::new() },
        }
    }

    /// All units, those in buildings included.
    pub(crate) fn units(&self) -> Vec<UnitId> {
        match self {
            Self::Throng { recorder, .. } => recorder.world().units().collect(),
            Self::Paper(world) => world.units().collect(),
        }
    }

    pub(crate) fn movement(&self, unit: UnitId) -> Option<&MovementProfile> {
        match self {
            Self::Throng { recorder, .. } => recorder.world().movement(unit),
            Self::Paper(world) => world.movement(unit),
        }
    }

    pub(crate) fn status(&self, unit: UnitId) -> Option<UnitStatus> {
        match self {
            Self::Throng { recorder, .. } => recorder.world().status(unit),
            Self::Paper(world) => world.see(unit).map(|seen| seen.status),
        }
    }

    /// How many orders wait for a unit.
    pub(crate) fn queued(&self, unit: UnitId) -> usize {
        match self {
            Self::Throng { recorder, .. } => recorder.world().queue(unit).count(),
            Self::Paper(world) => world.queued(unit),
        }
    }

    /// The team of a unit, as far as the engine knows it.
    pub(crate) fn team(&self, unit: UnitId) -> Option<u8> {
        self.world()?.team(unit).map(|team| team.0)
    }

    /// A unit on the map; `None` for one in a building.
    pub(crate) fn see(&self, unit: UnitId) -> Option<Seen> {
        match self {
            Self::Throng { recorder, .. } => see(recorder.world(), unit),
            Self::Paper(world) => {
                let seen = world.see(unit)?;
                Some(Seen { at: seen.at, step: seen.step, status: seen.status })
            }
        }
    }
}

/// A unit on the map of a live world; `None` for one in a building.
pub(crate) fn see(world: &World, unit: UnitId) -> Option<Seen> {
    let (at, heading) = world.location(unit)?;
    let status = world.status(unit)?;
    let step = heading.map(|heading| (heading.to, heading.ticks_left, heading.ticks));
    Some(Seen { at, step, status })
}

/// How much memory a recorded command takes, about, in units and cells.
fn length(command: &Command) -> usize {
    let of_order = |order: &Order| match order {
        Order::GoTo(cells) | Order::Patrol(cells) => cells.len(),
        _ => 0,
    };
    // Commands without lists count as much as some cells.
    32 + match command {
        Command::Order { order, .. } | Command::QueueOrder { order, .. } => of_order(order),
        Command::OrderGroup { units, .. } | Command::OrderFormation { units, .. } => units.len(),
        Command::Paint { cells, .. } => cells.len(),
        Command::AddBuilding { building } => building.entrances.len() + building.exits.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::model::DiagonalCost;
    use throng::world::Spawn;

    /// Replays of other programs have profiles whose steps take longer than their pace.
    #[test]
    fn a_step_longer_than_the_pace_is_seen_from_its_begin() {
        let movement = MovementProfile {
            pace: 5,
            diagonal: DiagonalCost::Ticks(7),
            ..MovementProfile::eight_connected()
        };
        let mut world = World::new(Map::empty(9, 9).unwrap(), WorldOptions::default()).unwrap();
        let unit = world.spawn(Cell::new(1, 1), &Spawn::new(movement)).unwrap();
        world.order(unit, Order::go((7, 7))).unwrap();
        let mut done = Vec::new();
        for _ in 0..7 {
            world.tick();
            done.extend(
                see(&world, unit).unwrap().step.map(|(_, left, ticks)| (ticks - left, ticks)),
            );
        }
        assert_eq!(done, [(1, 7), (2, 7), (3, 7), (4, 7), (5, 7), (6, 7)]);
    }
}
