//! Why a unit is not moving.

use std::collections::BTreeSet;
use std::fmt;

use throng_cooperative::{Location, Priority};
use throng_model::{BuildingId, Cell, Tick, UnitId};
use throng_spacetime::{Action, Position, Space, TimedObstacles};

use crate::distances::WorldDistances;
use crate::state::State;
use crate::teams::{Relation, Team};
use crate::unit::{Assignment, Crossing, UnitStatus};
use crate::{LinkId, Order, World, WorldError};

/// How many units of a queue are asked for whom they wait.
const QUEUE_MAX: usize = 1 << 10;

/// What a unit is doing, or why it does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// It is moving.
    Moving {
        /// To this cell next.
        to: Cell,
    },
    /// It has arrived.
    Arrived,
    /// It has arrived as near as it could get to where it was told to go: that place is taken, or
    /// there is no path to it.
    ArrivedNear {
        /// Where it was told to go.
        goal: Cell,
    },
    /// All places around where it was told to go are taken. It goes when there is room.
    GoalTaken {
        /// Where it was told to go.
        goal: Cell,
    },
    /// It is near the unit that it follows or guards.
    Near {
        /// The other unit.
        unit: UnitId,
    },
    /// It was told to halt, and keeps its orders.
    Halted,
    /// An enemy or a unit of a neutral team is in the way, and will not be asked to move.
    HeldBy {
        /// The other unit.
        unit: UnitId,
        /// Where it is in the way.
        at: Cell,
    },
    /// It was told to leave a building, and all its exits are blocked.
    DoorBlocked {
        /// The building.
        building: BuildingId,
        /// A unit at an exit; `None` if the exits are on ground where it cannot stand.
        by: Option<UnitId>,
    },
    /// It has no order.
    Idle,
    /// It was told to hold its position.
    Holding,
    /// It waits for another unit to get out of the way.
    WaitingFor {
        /// The other unit. If that one waits too, in a queue behind a unit on hold, the unit on
        /// hold.
        unit: UnitId,
        /// Where that one is in the way.
        at: Cell,
    },
    /// It waits, and no single unit is in the way: its plan has it wait.
    Waiting,
    /// It rested where it could not step aside, and clears another's way until that one is past.
    Yielding {
        /// The other unit.
        unit: UnitId,
    },
    /// There is no path to where it was told to go.
    Unreachable,
    /// There are walls all around it: it cannot get away from where it is.
    WalledIn,
    /// It waits for its turn to get a route: in the next tick, or later if budgets are small.
    Budget,
    /// It is in a building.
    Inside(BuildingId),
    /// It is near its place in a formation, and waits for units that are much farther from theirs.
    WaitingForGroup,
    /// It waits at the door of a building that is full.
    Full(BuildingId),
    /// It is in a link.
    Crossing {
        /// The link.
        link: LinkId,
        /// The ticks until its time in there is over.
        ticks_left: u32,
    },
    /// Its time in a link is over, and a unit is where it should come out.
    LinkBlocked {
        /// The link.
        link: LinkId,
        /// The unit in the way; `None` if it comes out in the next tick, or there is no ground for
        /// it anywhere near.
        by: Option<UnitId>,
    },
    /// It waits at the beginning of a link that is full.
    LinkFull(LinkId),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moving { to } => write!(f, "moving to {to}"),
            Self::Arrived => f.write_str("arrived"),
            Self::ArrivedNear { goal } => write!(f, "arrived as near to {goal} as it can"),
            Self::GoalTaken { goal } => write!(f, "all places around {goal} are taken"),
            Self::Near { unit } => write!(f, "near {unit}"),
            Self::Halted => f.write_str("told to halt"),
            Self::HeldBy { unit, at } => write!(f, "held up by {unit} of another side at {at}"),
            Self::DoorBlocked { building, by: Some(unit) } => {
                write!(f, "in {building}, {unit} is in the exit")
            }
            Self::DoorBlocked { building, by: None } => {
                write!(f, "in {building}, its exits are walled up")
            }
            Self::Idle => f.write_str("no order"),
            Self::Holding => f.write_str("told to hold"),
            Self::WaitingFor { unit, at } => write!(f, "waiting for {unit} at {at}"),
            Self::Waiting => f.write_str("waiting for its turn"),
            Self::Yielding { unit } => write!(f, "yielding to {unit}"),
            Self::Unreachable => f.write_str("no path to the goal"),
            Self::WalledIn => f.write_str("walled in"),
            Self::Budget => f.write_str("waiting for a route"),
            Self::Inside(building) => write!(f, "in {building}"),
            Self::WaitingForGroup => f.write_str("waiting for the others of its group"),
            Self::Full(building) => write!(f, "{building} is full"),
            Self::Crossing { link, ticks_left } => write!(f, "in {link} for {ticks_left} ticks"),
            Self::LinkBlocked { link, by: Some(unit) } => {
                write!(f, "in {link}, {unit} is at its end")
            }
            Self::LinkBlocked { link, by: None } => write!(f, "in {link}, coming out"),
            Self::LinkFull(link) => write!(f, "{link} is full"),
        }
    }
}

impl World {
    /// Why the unit is not moving, or where to; `None` if there is no such unit.
    #[must_use]
    pub fn why(&self, unit: UnitId) -> Option<Why> {
        let state = &self.state;
        let record = state.units.get(unit)?;
        let space = state.space(record);
        if let Some(building) = record.activity.building() {
            return Some(why_inside(state, unit, building));
        }
        if let Some(crossing) = record.activity.crossing() {
            return Some(why_crossing(state, unit, crossing));
        }
        if let Some(yielding) = record.activity.doing.yielding() {
            return Some(Why::Yielding { unit: yielding.for_unit });
        }
        let at = match state.units.location(unit)? {
            Location::Moving { to, .. } => return Some(Why::Moving { to: space.cell(to) }),
            Location::Standing(at) => at,
        };
        if let Some(to) = next_position(state, unit, at) {
            return Some(Why::Moving { to: space.cell(to) });
        }
        if is_walled_in(state, unit, at) {
            return Some(Why::WalledIn);
        }
        Some(match record.activity.status() {
            UnitStatus::Holding => Why::Holding,
            UnitStatus::Halted => Why::Halted,
            UnitStatus::NoRoom => {
                let goal = record.activity.order.cells().first();
                goal.map_or(Why::Waiting, |&goal| Why::GoalTaken { goal })
            }
            UnitStatus::Near => {
                let track = record.activity.order.track();
                track.map_or(Why::Idle, |track| Why::Near { unit: track.unit })
            }
            UnitStatus::Unreachable => Why::Unreachable,
            UnitStatus::Routing if state.marches.iter().any(|march| march.has_waiting(unit)) => {
                Why::WaitingForGroup
            }
            UnitStatus::Routing => Why::Budget,
            UnitStatus::Going | UnitStatus::Arrived if record.destination() != Some(at) => {
                blocking_unit(state, unit, at).map_or(Why::Waiting, |first| {
                    let (unit, at) = holder_behind(state, first).unwrap_or(first);
                    let is_friend = are_friends(state, record.activity.team, unit);
                    if is_friend { Why::WaitingFor { unit, at } } else { Why::HeldBy { unit, at } }
                })
            }
            UnitStatus::Going => why_at_door(state, &record.activity),
            UnitStatus::Arrived => {
                let (cell, cells) = (space.cell(at), record.activity.order.cells());
                match cells.first() {
                    Some(&goal) if !cells.contains(&cell) => Why::ArrivedNear { goal },
                    _ => Why::Arrived,
                }
            }
            _ => Why::Idle,
        })
    }
}

/// Whether no step leads away from there, and that is what is wrong with the unit: it is buried,
/// or wants to be elsewhere.
fn is_walled_in(state: &State, unit: UnitId, at: Position) -> bool {
    let Some(record) = state.units.get(unit) else { return false };
    let space = state.space(record);
    let is_buried = !space.ground().can_stand(space.cell(at));
    let is_away = record.destination() != Some(at);
    let is_concerned = match record.activity.status() {
        UnitStatus::Unreachable => true,
        UnitStatus::Going => is_away,
        UnitStatus::Arrived => is_buried || is_away,
        UnitStatus::Idle => is_buried,
        UnitStatus::NoRoom | UnitStatus::Near | UnitStatus::Halted => is_buried,
        UnitStatus::Holding | UnitStatus::Routing => false,
        UnitStatus::Inside(_) | UnitStatus::Crossing(_) => false,
    };
    let mut moves = 0;
    space.for_each_move(at, |_| moves += 1);
    is_concerned && moves == 0
}

fn are_friends(state: &State, team: Team, other: UnitId) -> bool {
    let other = state.assignment(other).map(|assignment| assignment.team);
    other.is_none_or(|other| state.teams.relation(team, other) == Relation::Friend)
}

/// Why a unit is in a building: it has no order to leave, or cannot.
fn why_inside(state: &State, unit: UnitId, building: BuildingId) -> Why {
    let inside = Why::Inside(building);
    let (Some(record), Ok(place)) = (state.units.get(unit), state.building(building)) else {
        return inside;
    };
    if matches!(record.activity.order, Order::Stop | Order::Hold) {
        return inside;
    }
    let mut by = None;
    for &exit in &place.exits {
        match state.free_position(record.space, exit) {
            Ok(_) => return Why::Budget,
            Err(WorldError::Occupied { by: holder, .. }) => by = by.or(Some(holder)),
            Err(_) => {}
        }
    }
    Why::DoorBlocked { building, by }
}

/// Why a unit is in a link: its time is not over, or a unit is at the end.
fn why_crossing(state: &State, unit: UnitId, crossing: Crossing) -> Why {
    let (link, now) = (crossing.link, state.now());
    if crossing.until > now {
        return Why::Crossing { link, ticks_left: crossing.until.0 - now.0 };
    }
    let place = state.units.get(unit).zip(state.link(link));
    let free = place.map(|(record, link)| state.free_position(record.space, link.to));
    match free {
        Some(Err(WorldError::Occupied { by, .. })) => Why::LinkBlocked { link, by: Some(by) },
        _ => Why::LinkBlocked { link, by: None },
    }
}

/// Why a unit that has come to a door or to the beginning of a link does not go in.
fn why_at_door(state: &State, assignment: &Assignment) -> Why {
    match (assignment.via, &assignment.order) {
        (Some(link), _) if state.is_link_full(link) => Why::LinkFull(link),
        (None, Order::Enter(building)) if state.is_full(*building) => Why::Full(*building),
        _ => Why::Budget,
    }
}

/// Where the unit will step in this tick, if it does.
fn next_position(state: &State, unit: UnitId, at: Position) -> Option<Position> {
    let path = state.units.path(unit)?;
    let leg = path.legs.iter().find(|leg| leg.tick == state.now())?;
    let space = state.space(state.units.get(unit)?);
    let step = (leg.action != Action::PAUSE).then(|| space.move_by(at, leg.action));
    step.flatten().map(|step| step.to)
}

/// The unit on hold for which a queue waits, and where it is in the way, if the queue begins with
/// this unit.
fn holder_behind(state: &State, first: (UnitId, Cell)) -> Option<(UnitId, Cell)> {
    let mut seen = BTreeSet::new();
    let (mut unit, mut cell) = first;
    while seen.insert(unit) && seen.len() < QUEUE_MAX {
        match state.status(unit)? {
            UnitStatus::Holding | UnitStatus::Halted => return Some((unit, cell)),
            UnitStatus::Going | UnitStatus::Arrived => {}
            _ => return None,
        }
        let Location::Standing(at) = state.units.location(unit)? else { return None };
        (unit, cell) = blocking_unit(state, unit, at)?;
    }
    None
}

/// The unit that holds what the step nearest to the destination needs, and where.
fn blocking_unit(state: &State, unit: UnitId, at: Position) -> Option<(UnitId, Cell)> {
    let record = state.units.get(unit)?;
    let space = state.space(record);
    let (mut distances, source) = (WorldDistances::default(), &record.activity.source);
    let mut steps = Vec::new();
    space.for_each_move(at, |step| {
        if let Some(distance) = distances.get(space, unit, source, step.to) {
            steps.push((distance, step));
        }
    });
    steps.sort_by_key(|&(distance, step)| (distance, step.action));
    let (table, now) = (state.units.table(), state.now());
    steps.into_iter().find_map(|(_, step)| {
        let mut blocked = None;
        space.footprint(at, step.action, |entry, later| {
            let tick = Tick(now.0 + later);
            let is_free = table.view(unit, Priority(0)).is_free(entry, tick);
            // In a crowd units claim nothing but the cells where they are.
            let claim = state.holder(entry, if is_free { now } else { tick });
            blocked = claim.filter(|claim| claim.unit != unit).map(|claim| (claim.unit, entry));
            blocked.is_none()
        });
        let (unit, entry) = blocked?;
        Some((unit, state.terrain.planes.cell(state.terrain.map(), entry)))
    })
}
