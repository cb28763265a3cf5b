//! One unit of the world: its orders, its activity, and its status for the game.
//!
//! The record is a [`UnitRecord<Assignment>`](throng_cooperative::UnitRecord). It holds the
//! planner's data of the unit; [`Assignment`] is the world's part of it.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use throng_anytime::Waiting;
use throng_cooperative::{Activity, Role};
use throng_model::{BuildingId, Cell, DiagonalCost, MovementProfile, Tick, UnitId};
use throng_spacetime::Position;

use crate::Order;
use crate::distances::DistanceSource;
use crate::link::LinkId;
use crate::phases::jam_planning::Attempts;
use crate::teams::{Layer, Team};

/// The status of a unit with respect to its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum UnitStatus {
    /// It has no order: it rests and yields.
    Idle,
    /// It holds its position and does not yield.
    Holding,
    /// It has an order and waits for a route.
    Routing,
    /// It is on its way.
    Going,
    /// It is at its destination. If it is pushed off, it returns.
    Arrived,
    /// No path leads to any cell of its order. It rests until the map changes.
    Unreachable,
    /// All places where it was told to go are taken. It rests, and goes when there is room.
    NoRoom,
    /// It is near the unit that it follows or guards.
    Near,
    /// It was told to halt, and keeps its orders.
    Halted,
    /// It is in a building.
    Inside(BuildingId),
    /// It is in a link.
    Crossing(LinkId),
}

/// The properties of a new unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spawn {
    /// How it moves: size, pace, terrain.
    pub movement: MovementProfile,
    /// Its priority level: it overrides the plans of units of lower levels.
    pub level: u8,
    /// How far ahead it plans, in ticks; 0 is the world's own window.
    pub window: u32,
    /// The team that it belongs to.
    pub team: Team,
    /// The layer that it is on. Units of different layers do not meet.
    pub layer: Layer,
}

impl Spawn {
    /// A unit of team 0 and priority level 0 on the ground, with this movement profile and the
    /// world's window.
    #[must_use]
    pub fn new(movement: MovementProfile) -> Self {
        Self { movement, level: 0, window: 0, team: Team::default(), layer: Layer::GROUND }
    }

    /// The same with another priority level.
    #[must_use]
    pub fn with_level(self, level: u8) -> Self {
        Self { level, ..self }
    }

    /// The same in another team.
    #[must_use]
    pub fn with_team(self, team: Team) -> Self {
        Self { team, ..self }
    }

    /// The same on another layer.
    #[must_use]
    pub fn with_layer(self, layer: Layer) -> Self {
        Self { layer, ..self }
    }
}

impl From<MovementProfile> for Spawn {
    fn from(movement: MovementProfile) -> Self {
        Self::new(movement)
    }
}

/// What a unit is doing. Its status for the game and its role in planning both derive from this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Doing {
    Idle,
    Holding,
    /// It waits for a route and keeps its former role.
    Routing(Role),
    Going,
    Arrived,
    Unreachable,
    NoRoom,
    /// It clears the path of another unit, and then does what `Afterwards` says.
    Yielding(Yield, Afterwards),
    Inside(BuildingId),
    Crossing(Crossing),
}

/// Being in a link: which one, and until when at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Crossing {
    pub(crate) link: LinkId,
    pub(crate) until: Tick,
}

/// Clearing the path of another unit: leave it, wait, and return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Yield {
    pub(crate) for_unit: UnitId,
    /// Where it waits.
    pub(crate) to: Position,
    /// The unit's destination, or where it rested: the other unit must pass it first.
    pub(crate) home: Position,
    pub(crate) until: Tick,
    /// Whether it has reached the place where it waits.
    pub(crate) is_there: bool,
}

/// What a unit does when it no longer yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Afterwards {
    Idle,
    Routing,
    Arrived,
    Unreachable,
    NoRoom,
}

impl Doing {
    pub(crate) fn status(self) -> UnitStatus {
        match self {
            Self::Idle | Self::Yielding(_, Afterwards::Idle) => UnitStatus::Idle,
            Self::Holding => UnitStatus::Holding,
            Self::Routing(_) | Self::Yielding(_, Afterwards::Routing) => UnitStatus::Routing,
            Self::Going => UnitStatus::Going,
            Self::Arrived | Self::Yielding(_, Afterwards::Arrived) => UnitStatus::Arrived,
            Self::Unreachable | Self::Yielding(_, Afterwards::Unreachable) => {
                UnitStatus::Unreachable
            }
            Self::NoRoom | Self::Yielding(_, Afterwards::NoRoom) => UnitStatus::NoRoom,
            Self::Inside(building) => UnitStatus::Inside(building),
            Self::Crossing(crossing) => UnitStatus::Crossing(crossing.link),
        }
    }

    /// The same without yielding.
    pub(crate) fn without_yielding(self) -> Self {
        match self {
            Self::Yielding(_, Afterwards::Idle) => Self::Idle,
            Self::Yielding(_, Afterwards::Routing) => Self::Routing(Role::Resting),
            Self::Yielding(_, Afterwards::Arrived) => Self::Arrived,
            Self::Yielding(_, Afterwards::Unreachable) => Self::Unreachable,
            Self::Yielding(_, Afterwards::NoRoom) => Self::NoRoom,
            other => other,
        }
    }

    /// The same, but waiting for a route.
    pub(crate) fn waiting_for_route(self) -> Self {
        match self {
            Self::Yielding(yielding, _) => Self::Yielding(yielding, Afterwards::Routing),
            other => Self::Routing(other.role()),
        }
    }

    /// What a unit at rest does after it has yielded; `None` for a unit that is not at rest or
    /// yields already.
    pub(crate) fn afterwards(self) -> Option<Afterwards> {
        match self {
            Self::Idle => Some(Afterwards::Idle),
            Self::Arrived => Some(Afterwards::Arrived),
            Self::Unreachable => Some(Afterwards::Unreachable),
            Self::NoRoom => Some(Afterwards::NoRoom),
            _ => None,
        }
    }

    pub(crate) fn yielding(self) -> Option<Yield> {
        match self {
            Self::Yielding(yielding, _) => Some(yielding),
            _ => None,
        }
    }

    fn role(self) -> Role {
        match self {
            Self::Going => Role::Going,
            Self::Holding => Role::Holding,
            Self::Routing(role) => role,
            Self::Yielding(yielding, _) if !yielding.is_there => Role::Yielding,
            _ => Role::Resting,
        }
    }
}

/// What a unit knows of the crowd that it is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Crowding {
    /// Whether its steps are decided together with those of the units around it, and it does not
    /// plan for itself.
    pub(crate) is_crowded: bool,
    /// It is in the crowd until then at least.
    pub(crate) until: Tick,
    /// Whether it belongs to a jam, whose moves are planned together.
    #[serde(skip)]
    pub(crate) is_jammed: bool,
    /// Whether it waits for its turn at a gate; decided in every tick.
    #[serde(skip)]
    pub(crate) waits_for_turn: bool,
    pub(crate) attempts: Attempts,
    /// For how many ticks it was away from a destination where it had arrived, under its order.
    pub(crate) displaced: u32,
    /// How long it has been on its way in crowds since it last arrived: its priority there.
    pub(crate) waiting: Waiting,
}

impl Crowding {
    /// The unit is at a contested gate, where its steps are decided one by one.
    pub(crate) fn join(&mut self, waits: bool) {
        (self.is_crowded, self.waits_for_turn) = (true, waits);
    }
}

/// For how long a unit has stood where it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stand {
    /// Where it is between ticks; not stored.
    #[serde(skip)]
    pub(crate) at: Position,
    /// The time since then grows while the unit stands, and falls to half with each step.
    pub(crate) since: Tick,
    /// Whether it is a wall to the routes of others.
    pub(crate) wall: Wall,
    /// How many times a step onto its body counts for routes of its own side; 0 as by the map.
    pub(crate) times: u8,
}

/// To whose routes a unit that stands for long is a wall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Wall {
    #[default]
    None,
    /// To those of other sides: it does not step aside for them.
    Strangers,
    /// To all: it is on hold.
    All,
}

/// What a unit does about units that stand on its route.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Detour {
    /// Whether its route leads around walls of standing units.
    pub(crate) is_around: bool,
    /// Whether it waits for the search of a route around them.
    pub(crate) is_wanted: bool,
    /// When a route around was last searched.
    pub(crate) tried: Tick,
    /// How many times in a row there was none, and when it is searched again.
    pub(crate) failures: u32,
    pub(crate) next: Tick,
}

/// When a unit searches for a way past others that stand for long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Bypass {
    /// How many times it has searched under its order, and when it may again.
    pub(crate) searches: u32,
    pub(crate) next: Tick,
}

/// The world's part of a unit's record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Assignment {
    pub(crate) doing: Doing,
    pub(crate) team: Team,
    /// Whether it stands until it is told to resume its order.
    pub(crate) is_halted: bool,
    /// Its own ticks of straight and diagonal steps, if it goes at the pace of a group.
    pub(crate) own_pace: Option<(u8, DiagonalCost)>,
    /// The current order.
    pub(crate) order: Order,
    /// The orders after it.
    pub(crate) queue: VecDeque<Order>,
    /// The source of its true distances.
    pub(crate) source: DistanceSource,
    /// Whether it had a route before the one it waits for.
    pub(crate) is_rerouting: bool,
    /// Whether its route ends before the destination because the budget was spent.
    pub(crate) is_route_partial: bool,
    /// The link to whose beginning its route leads.
    pub(crate) via: Option<LinkId>,
    pub(crate) is_queued_for_route: bool,
    /// How many times in a row the budget was spent before its route was found.
    pub(crate) route_attempts: u32,
    pub(crate) crowding: Crowding,
    pub(crate) stand: Stand,
    /// `None` while no unit stands on its route.
    pub(crate) detour: Option<Detour>,
    /// `None` while it has not searched for a way past others.
    pub(crate) bypass: Option<Bypass>,
    /// The end of the last step that was reported to the game.
    pub(crate) reported_at: Option<Cell>,
    /// Whether the game has put it elsewhere since then.
    pub(crate) is_teleported: bool,
}

impl Activity for Assignment {
    #[inline]
    fn role(&self) -> Role {
        self.doing.role()
    }

    #[inline]
    fn plans(&self) -> bool {
        !self.crowding.is_crowded && !self.crowding.is_jammed
    }
}

impl Assignment {
    pub(crate) fn new(doing: Doing, team: Team) -> Self {
        Self {
            doing,
            team,
            is_halted: false,
            own_pace: None,
            order: Order::Stop,
            queue: VecDeque::new(),
            source: DistanceSource::None,
            is_rerouting: false,
            is_route_partial: false,
            via: None,
            is_queued_for_route: false,
            route_attempts: 0,
            crowding: Crowding::default(),
            stand: Stand::default(),
            detour: None,
            bypass: None,
            reported_at: None,
            is_teleported: false,
        }
    }

    pub(crate) fn status(&self) -> UnitStatus {
        match self.doing.status() {
            UnitStatus::Idle if self.order.track().is_some() => UnitStatus::Near,
            UnitStatus::Holding if self.is_halted => UnitStatus::Halted,
            status => status,
        }
    }

    /// Whether its order has to be looked at in every tick.
    pub(crate) fn needs_attention(&self) -> bool {
        self.order.track().is_some() || self.doing.status() == UnitStatus::NoRoom
    }

    /// Whether the unit has somewhere to go and knows how.
    pub(crate) fn follows_route(&self) -> bool {
        let moves = !matches!(self.doing, Doing::Holding | Doing::Inside(_) | Doing::Crossing(_));
        moves && !matches!(self.source, DistanceSource::None)
    }

    pub(crate) fn building(&self) -> Option<BuildingId> {
        match self.doing {
            Doing::Inside(building) => Some(building),
            _ => None,
        }
    }

    /// The link that the unit is in.
    pub(crate) fn crossing(&self) -> Option<Crossing> {
        match self.doing {
            Doing::Crossing(crossing) => Some(crossing),
            _ => None,
        }
    }

    /// Whether the unit is in a building or a link.
    pub(crate) fn is_off_map(&self) -> bool {
        matches!(self.doing, Doing::Inside(_) | Doing::Crossing(_))
    }

    /// Whether the destination belongs to this unit only. It does not if several units enter by
    /// one door, on the way to a link, or while the route is partial.
    pub(crate) fn owns_destination(&self) -> bool {
        self.order.owns_destination() && !self.is_route_partial && self.via.is_none()
    }

    /// Removes the next order from the queue. Stop and hold are done at once, so they are skipped
    /// unless they are last.
    pub(crate) fn next_order(&mut self) -> Option<Order> {
        let at_once = |order: &Order| matches!(order, Order::Stop | Order::Hold);
        while self.queue.len() > 1 && self.queue.front().is_some_and(at_once) {
            self.queue.pop_front();
        }
        self.queue.pop_front()
    }
}
