//! One unit that plans with others: what it does, where it is, what it has planned.

use throng_model::{SearchStatus, Tick, UnitId};
use throng_spacetime::{Leg, Position, TimedPath};

use crate::{PlanningOptions, Priority};

/// What a unit is doing, as far as others have to know: it decides which unit yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Role {
    /// On its way: resting units yield to it.
    #[default]
    Going,
    /// At rest, and ready to yield.
    Resting,
    /// Stays where it is and yields to no unit.
    Holding,
    /// Clears the way of another unit: every other unit yields to it.
    Yielding,
}

/// What a unit is doing. The store derives the unit's [`Role`] from it, so that the two can
/// never disagree.
pub trait Activity {
    /// The role in planning.
    fn role(&self) -> Role;

    /// Whether the unit plans for itself. If not, the owner of the store decides its steps; see
    /// [`UnitStore::take_steps`](super::UnitStore::take_steps).
    fn plans(&self) -> bool {
        true
    }
}

impl Activity for Role {
    fn role(&self) -> Role {
        *self
    }
}

/// Where a unit is at a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// It stands here.
    Standing(Position),
    /// It is between two positions, holds what the move needs, and cannot be stopped.
    Moving {
        /// Where it comes from.
        from: Position,
        /// Where it will be.
        to: Position,
        /// When.
        arrival: Tick,
    },
}

impl Default for Location {
    fn default() -> Self {
        Self::Standing(Position(0))
    }
}

impl Location {
    /// The position that counts as the unit's: where it comes from, until it arrives.
    #[must_use]
    pub fn position(self) -> Position {
        match self {
            Self::Standing(at) | Self::Moving { from: at, .. } => at,
        }
    }
}

/// The destination of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Destination {
    /// The position.
    pub at: Position,
    /// Whether it belongs to this unit only: no other unit gets it, and crossing it costs other
    /// units a penalty.
    pub is_exclusive: bool,
}

/// From this many disturbances on, a unit's distances get noise.
const DISTURBANCES_NOISY: u8 = 3;
/// Disturbances are not counted beyond this.
pub(crate) const DISTURBANCES_MAX: u8 = 16;
/// After this many windows without a disturbance the count starts from 0 again.
const UNDISTURBED_WINDOWS: u32 = 8;

/// One unit: everything that the planners and the owner of the store know about it.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UnitRecord<A> {
    /// Which of the spaces is the unit's own: one per movement profile.
    pub space: usize,
    /// How far ahead it plans, in ticks.
    pub depth: u32,
    /// Its priority level: it overrides claims of lower levels.
    pub level: u8,
    /// What it is doing.
    pub activity: A,
    /// Its destination.
    pub(crate) destination: Option<Destination>,
    /// Its body on the map; a unit inside a building has none.
    pub(crate) body: Option<Body>,
}

impl<A> UnitRecord<A> {
    /// The position of the destination.
    #[must_use]
    pub fn destination(&self) -> Option<Position> {
        self.destination.map(|destination| destination.at)
    }

    /// The destination, if it is this unit's alone.
    pub(crate) fn own_goal(&self) -> Option<Position> {
        self.destination.filter(|goal| goal.is_exclusive).map(|goal| goal.at)
    }

    /// Every position of its plan, in order: none for a unit that is not on the map.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        let legs = self.body.iter().flat_map(|body| &body.path.legs).map(|leg| leg.from);
        let end = self.body.as_ref().and_then(|body| body.path.end);
        legs.chain(end.map(|(at, _)| at))
    }

    /// Where and when its plan ends.
    #[must_use]
    pub fn plan_end(&self) -> Option<(Position, Tick)> {
        self.body.as_ref()?.path.end
    }

    /// The number of actions of its plan, and the tick at which the plan ends.
    #[must_use]
    pub fn plan_size(&self) -> (usize, Tick) {
        let path = self.body.as_ref().map(|body| &body.path);
        path.map_or((0, Tick(0)), |path| {
            (path.legs.len(), path.end.map_or(Tick(0), |(_, tick)| tick))
        })
    }

    /// When the unit plans again after a plan between two ticks that a search ended like this.
    pub(crate) fn due_after(
        &self,
        unit: UnitId,
        (from, last): (Tick, Tick),
        ended: SearchStatus,
        options: &PlanningOptions,
    ) -> Tick {
        let half = (self.depth / 2).max(1);
        // The stagger is by slot: each tick has its share of the units, and a unit that
        // planned out of turn returns to its own.
        let late = (from.0 + half - unit.index() as u32 % half) % half;
        let late = if options.interleaved { late } else { 0 };
        let next = Tick(from.0 + half - late);
        match ended {
            SearchStatus::Found if options.complete => last.max(next),
            SearchStatus::Found => next,
            _ => next.min(last),
        }
    }

    /// Whether the unit has a body on the map.
    #[must_use]
    pub fn is_on_map(&self) -> bool {
        self.body.is_some()
    }
}

impl<A: Activity> UnitRecord<A> {
    /// The priority of its claims. Going ranks above resting, a level above that, promotion
    /// above any level, yielding above promotion.
    pub(crate) fn priority(&self, unit: UnitId, now: Tick) -> Priority {
        let role = self.activity.role();
        if role == Role::Holding {
            return Priority::HOLDING;
        }
        let promotion = match &self.body {
            Some(body) if role == Role::Yielding => 1 << 15 | body.promotion_rank(unit),
            Some(body) if body.is_promoted(now) => body.promotion_rank(unit),
            _ => 0,
        };
        Priority(promotion | u16::from(self.level) << 1 | u16::from(role != Role::Resting))
    }

    /// The priority of its claims under the options of the store.
    pub(crate) fn claim_priority(
        &self,
        unit: UnitId,
        now: Tick,
        options: &PlanningOptions,
    ) -> Priority {
        let priority = self.priority(unit, now);
        if options.resting_yield { priority } else { Priority(priority.0 | 1) }
    }
}

/// A unit's body on the map, its plan, and the state of its planning.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Body {
    /// The plan. It begins at or before now and never ends before now.
    #[cfg_attr(feature = "serde", serde(with = "super::packed"))]
    pub(crate) path: TimedPath,
    /// The leg that it is in, or about to begin.
    pub(crate) leg: usize,
    /// Where it is now: derived from the plan, whose legs are seldom in the processor's cache.
    #[cfg_attr(feature = "serde", serde(skip))]
    here: Location,
    /// The priority of its claims for actions that have not begun.
    pub(crate) claimed: Priority,
    /// When to plan again.
    pub(crate) due: Tick,
    /// Whether it plans in this tick because it lost its plan or got a new order.
    pub(crate) needs_plan: bool,
    /// Before this tick the unit is promoted.
    pub(crate) promoted_until: Tick,
    /// The shortest distance to its destination so far, if known, and since when.
    pub(crate) best_distance: Option<u64>,
    pub(crate) best_since: Tick,
    /// How often it was promoted, or pushed off its destination, since it last rested for long.
    pub(crate) disturbances: u8,
    /// How often it was promoted to return to a destination where it had arrived.
    pub(crate) return_promotions: u8,
    /// For how many ticks in a row it had to wait because another unit's plan failed.
    pub(crate) blocked_ticks: u32,
    /// When an edit of the map undid its step: it stands for the rest of that tick.
    pub(crate) undone: Option<Tick>,
}

impl Body {
    pub(crate) fn standing(at: Position, now: Tick) -> Self {
        Self {
            path: TimedPath { legs: Vec::new(), end: Some((at, now)) },
            leg: 0,
            here: Location::Standing(at),
            claimed: Priority::FIXED,
            due: now,
            needs_plan: true,
            promoted_until: Tick(0),
            best_distance: None,
            best_since: now,
            disturbances: 0,
            return_promotions: 0,
            blocked_ticks: 0,
            undone: None,
        }
    }

    /// Where and when a leg ends.
    pub(crate) fn leg_end(&self, leg: usize) -> (Position, Tick) {
        let next = self.path.legs.get(leg + 1).map(|next| (next.from, next.tick));
        next.or(self.path.end).unwrap_or((Position(0), Tick(0)))
    }

    #[inline]
    pub(crate) fn location(&self, now: Tick) -> Location {
        debug_assert_eq!(self.here, self.location_by_plan(now), "the plan says where it is");
        self.here
    }

    /// Where it was when that was last noted.
    #[inline]
    pub(crate) fn here(&self) -> Location {
        self.here
    }

    /// Notes where the unit is: time has passed, or a step was undone.
    pub(crate) fn locate(&mut self, now: Tick) {
        self.here = self.location_by_plan(now);
    }

    pub(crate) fn location_by_plan(&self, now: Tick) -> Location {
        let Some(leg) = self.path.legs.get(self.leg) else {
            return Location::Standing(self.path.end.map_or(Position(0), |(at, _)| at));
        };
        if leg.tick >= now {
            return Location::Standing(leg.from);
        }
        let (to, arrival) = self.leg_end(self.leg);
        Location::Moving { from: leg.from, to, arrival }
    }

    /// The leg that begins now.
    pub(crate) fn next_leg(&self, now: Tick) -> Option<Leg> {
        self.path.legs.get(self.leg).copied().filter(|leg| leg.tick == now)
    }

    /// Whether nothing is planned from now on.
    pub(crate) fn is_out_of_plan(&self) -> bool {
        self.leg >= self.path.legs.len()
    }

    /// Advances to the next tick.
    pub(crate) fn advance(&mut self, now: Tick) {
        if self.leg < self.path.legs.len() && self.leg_end(self.leg).1 <= now {
            self.leg += 1;
        }
        self.locate(now);
    }

    /// Where and when the unit can begin a new plan, and the leg that it must end first.
    pub(crate) fn free_at(&self, now: Tick) -> (Position, Tick, Option<Leg>) {
        match self.location(now) {
            Location::Standing(at) if self.undone == Some(now) => {
                (at, Tick(now.0.saturating_add(1)), self.path.legs.first().copied())
            }
            Location::Standing(at) => (at, now, None),
            Location::Moving { to, arrival, .. } => {
                (to, arrival, self.path.legs.get(self.leg).copied())
            }
        }
    }

    /// Drops everything that has not begun.
    pub(crate) fn drop_plan(&mut self, now: Tick) {
        let (at, tick, begun) = self.free_at(now);
        self.path.legs.clear();
        self.path.legs.extend(begun);
        self.path.end = Some((at, tick));
        self.leg = 0;
    }

    /// Forgets the progress of the order before: the next plan starts from scratch.
    pub(crate) fn restart_planning(&mut self, role: Role) {
        self.needs_plan = true;
        self.best_distance = None;
        self.promoted_until = Tick(0);
        if role == Role::Going {
            self.return_promotions = 0;
        }
    }

    pub(crate) fn is_undisturbed(&self) -> bool {
        self.disturbances < DISTURBANCES_NOISY
    }

    pub(crate) fn disturb(&mut self) {
        self.disturbances = (self.disturbances + 1).min(DISTURBANCES_MAX);
    }

    /// A unit that has rested for some windows counts its disturbances from 0 again.
    pub(crate) fn forget_disturbances(&mut self, now: Tick, depth: u32) {
        if now.0.saturating_sub(self.best_since.0) > UNDISTURBED_WINDOWS * depth {
            self.disturbances = 0;
        }
    }

    /// The distance that a unit plans with. A unit that was disturbed often gets noise, as
    /// agitation does in LRA*: two units that block each other then choose different paths.
    pub(crate) fn noisy_distance(
        &self,
        unit: UnitId,
        at: Position,
        distance: u64,
        pause_cost: u64,
    ) -> u64 {
        if self.is_undisturbed() || distance == 0 {
            return distance;
        }
        let key =
            (unit.index() as u64) << 40 | u64::from(self.disturbances) << 32 | u64::from(at.0);
        let noise = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let noise = (noise ^ (noise >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40;
        distance + noise % (u64::from(self.disturbances) * pause_cost)
    }

    pub(crate) fn is_promoted(&self, now: Tick) -> bool {
        now < self.promoted_until
    }

    /// Two promoted units that face each other would override each other forever, so one of them
    /// ranks above the other. Which one is drawn again with every promotion.
    fn promotion_rank(&self, unit: UnitId) -> u16 {
        let key = (unit.index() as u64) << 32 | u64::from(self.promoted_until.0);
        let drawn = (key ^ key >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 59;
        1 << 14 | (drawn as u16) << 9
    }
}
