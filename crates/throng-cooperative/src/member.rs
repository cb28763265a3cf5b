//! One unit of a crew: what it plans, where it is, how patient it still is.

use throng_model::Tick;
use throng_spacetime::{Leg, Position, TimedPath};

use crate::Priority;

/// What a unit is up to; it decides who gives way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Stance {
    /// On its way: others that rest give way to it.
    #[default]
    Going,
    /// At rest, and ready to give way.
    Resting,
    /// Stays where it is, whoever comes.
    Holding,
    /// Gets out of another's way: everybody gives way to it.
    MakingWay,
}

/// Where a unit is at a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whereabouts {
    /// It stands here.
    Standing(Position),
    /// It is on its way from one position to the other, holds what the move needs, and
    /// cannot be stopped.
    UnderWay {
        /// Where it comes from.
        from: Position,
        /// Where it will be.
        to: Position,
        /// When.
        arrival: Tick,
    },
}

impl Whereabouts {
    /// The position that counts as the unit's: where it comes from, until it arrives.
    #[must_use]
    pub fn position(self) -> Position {
        match self {
            Self::Standing(at) | Self::UnderWay { from: at, .. } => at,
        }
    }
}

/// Up to here a unit keeps its nerve.
const CALM: u8 = 3;
/// More agitated than this it does not get.
pub(crate) const AGITATION_MAX: u8 = 16;
/// After so many windows at rest a unit is calm again.
const PEACE_WINDOWS: u32 = 8;

#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) space: usize,
    pub(crate) depth: u32,
    pub(crate) level: u8,
    pub(crate) stance: Stance,
    /// Before this tick the unit is promoted.
    pub(crate) promoted_until: Tick,
    /// What it does; begins at or before now, and never ends before now.
    pub(crate) path: TimedPath,
    /// The leg that it is in, or about to begin.
    pub(crate) leg: usize,
    /// When to plan again.
    pub(crate) due: Tick,
    /// Whether its plan was taken from it.
    pub(crate) flagged: bool,
    /// The least distance to its destination so far, and since when.
    pub(crate) best: u64,
    pub(crate) best_since: Tick,
    /// How often it was promoted, or driven from its destination, without peace since.
    pub(crate) agitation: u8,
    /// Where it wants to stay, as others know.
    pub(crate) post: Option<Position>,
    /// In how many ticks running it was forced to wait.
    pub(crate) forced: u32,
    /// How often it was promoted to get back to where it had arrived.
    pub(crate) returns: u8,
    /// When it took a step back: whoever stops in the middle of a step stands for a tick.
    pub(crate) stopped: Option<Tick>,
}

impl Member {
    pub(crate) fn standing(space: usize, at: Position, now: Tick) -> Self {
        Self {
            space,
            depth: 16,
            level: 0,
            stance: Stance::Resting,
            promoted_until: Tick(0),
            path: TimedPath { legs: Vec::new(), end: Some((at, now)) },
            leg: 0,
            due: now,
            flagged: true,
            best: u64::MAX,
            best_since: now,
            agitation: 0,
            post: None,
            forced: 0,
            returns: 0,
            stopped: None,
        }
    }

    /// Where and when a leg ends.
    fn leg_end(&self, leg: usize) -> (Position, Tick) {
        let next = self.path.legs.get(leg + 1).map(|next| (next.from, next.tick));
        next.or(self.path.end).unwrap_or((Position(0), Tick(0)))
    }

    pub(crate) fn whereabouts(&self, now: Tick) -> Whereabouts {
        let Some(leg) = self.path.legs.get(self.leg) else {
            return Whereabouts::Standing(self.path.end.map_or(Position(0), |(at, _)| at));
        };
        if leg.tick >= now {
            return Whereabouts::Standing(leg.from);
        }
        let (to, arrival) = self.leg_end(self.leg);
        Whereabouts::UnderWay { from: leg.from, to, arrival }
    }

    /// The leg that begins now.
    pub(crate) fn next_leg(&self, now: Tick) -> Option<Leg> {
        self.path.legs.get(self.leg).copied().filter(|leg| leg.tick == now)
    }

    /// Whether nothing is planned from now on.
    pub(crate) fn is_out_of_plan(&self) -> bool {
        self.leg >= self.path.legs.len()
    }

    /// Where its plan has it at a tick, if it stands then.
    pub(crate) fn position_at(&self, tick: Tick) -> Option<Position> {
        let legs = self.path.legs.iter().map(|leg| (leg.from, leg.tick)).chain(self.path.end);
        legs.into_iter().find(|&(_, at)| at == tick).map(|(at, _)| at)
    }

    /// Goes on to the next tick.
    pub(crate) fn step(&mut self, now: Tick) {
        if self.leg < self.path.legs.len() && self.leg_end(self.leg).1 <= now {
            self.leg += 1;
        }
    }

    /// Where and when the unit can begin something new, and the leg that it must end first.
    pub(crate) fn free_at(&self, now: Tick) -> (Position, Tick, Option<Leg>) {
        match self.whereabouts(now) {
            Whereabouts::Standing(at) if self.stopped == Some(now) => {
                (at, Tick(now.0 + 1), self.path.legs.first().copied())
            }
            Whereabouts::Standing(at) => (at, now, None),
            Whereabouts::UnderWay { to, arrival, .. } => {
                (to, arrival, self.path.legs.get(self.leg).copied())
            }
        }
    }

    /// Forgets all that is not begun.
    pub(crate) fn strip(&mut self, now: Tick) {
        let (at, tick, begun) = self.free_at(now);
        self.path.legs.clear();
        self.path.legs.extend(begun);
        self.path.end = Some((at, tick));
        self.leg = 0;
    }

    pub(crate) fn is_calm(&self) -> bool {
        self.agitation < CALM
    }

    pub(crate) fn agitate(&mut self) {
        self.agitation = (self.agitation + 1).min(AGITATION_MAX);
    }

    /// Whoever has rested for some windows has found its peace.
    pub(crate) fn calm_down(&mut self, now: Tick) {
        if now.0.saturating_sub(self.best_since.0) > PEACE_WINDOWS * self.depth {
            self.agitation = 0;
        }
    }

    /// Losing its nerve, a unit does not see quite clearly any more (as in LRA*): what it
    /// takes for the distance from a position, where that is not its destination.
    pub(crate) fn agitated(&self, unit: u32, at: Position, distance: u64, pause_cost: u64) -> u64 {
        if self.is_calm() || distance == 0 {
            return distance;
        }
        let mixed = (u64::from(unit) << 40 | u64::from(self.agitation) << 32 | u64::from(at.0))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40;
        distance + mixed % (u64::from(self.agitation) * pause_cost)
    }

    pub(crate) fn is_promoted(&self, now: Tick) -> bool {
        now < self.promoted_until
    }

    /// With how much weight it claims. Those on their way weigh more than those at rest,
    /// a level more than that, promotion more than any level, making way more than promotion.
    pub(crate) fn priority(&self, unit: u32, now: Tick) -> Priority {
        if self.stance == Stance::Holding {
            return Priority::HOLDING;
        }
        let going = u16::from(self.stance != Stance::Resting);
        let promoted = match self.stance {
            Stance::MakingWay => 1 << 15 | self.rank_of_promotion(unit),
            _ if self.is_promoted(now) => self.rank_of_promotion(unit),
            _ => 0,
        };
        Priority(promoted | u16::from(self.level) << 1 | going)
    }

    /// Two promoted units that face each other would take each other's way for ever, so one
    /// of them goes before the other: which one is drawn anew with every promotion.
    fn rank_of_promotion(&self, unit: u32) -> u16 {
        let drawn = u64::from(unit) << 32 | u64::from(self.promoted_until.0);
        let drawn = (drawn ^ drawn >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 59;
        1 << 14 | (drawn as u16) << 9
    }
}
