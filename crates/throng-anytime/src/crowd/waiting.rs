//! Priorities that grow with the time since a unit last reached a goal.

use throng_grid::kit::mix;
use throng_model::{Tick, UnitId};

/// A unit that came no nearer to its goal for so many ticks is stalled.
///
/// With less, units that queue at a door lose their order: 500 units at a door of two cells take
/// 400 ticks with 32, 379 with 128 and 367 if none is ever drawn. But then 14 of 100 scenes of
/// 24 units with mixed sizes and paces and 4% walls have one that never arrives; with 128, 6.
const PATIENCE: u32 = 128;
/// For so many ticks stalled units keep the order that was drawn.
const EPOCH: u32 = 64;
/// Bits of the time in a priority; the level is above.
const TIME_BITS: u32 = 40;

/// How long a unit has been on its way: the priority of PIBT.
///
/// The unit that has waited longest is first until it arrives, then it is last. This is why
/// every unit of one cell arrives at some time where every edge of the graph lies on a cycle
/// (Okumura et al.); that all stand on their goals at one time is not promised.
///
/// Large units and dead ends need more: the unit that is first can block the only way out of one
/// that it asks to leave. So a *stalled* unit, which came no nearer to its goal for 128 ticks,
/// has a priority drawn between zero and twice its time. It is drawn again every 64 ticks.
///
/// ```
/// use throng_anytime::Waiting;
/// use throng_model::{Tick, UnitId};
/// let (unit, now) = (UnitId::new(1), Tick(9));
/// let (mut waiting, fresh) = (Waiting::default(), Waiting::default());
/// waiting.tick(Some(7));
/// assert!(waiting.priority(0, unit, now) > fresh.priority(0, unit, now));
/// assert!(waiting.priority(0, unit, now) < fresh.priority(1, unit, now), "the level is first");
/// waiting.tick(Some(0));
/// assert_eq!(waiting, fresh, "it has arrived");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Waiting {
    ticks: u32,
    stalled: u32,
    /// The least distance since the last arrival.
    nearest: Option<u64>,
}

impl Waiting {
    /// A tick has passed, and the unit is at this distance from its goal; `None`: there is no
    /// path. On the goal all begins from scratch.
    pub fn tick(&mut self, distance: Option<u64>) {
        if distance == Some(0) {
            *self = Self::default();
            return;
        }
        self.ticks = self.ticks.saturating_add(1);
        self.stalled = self.stalled.saturating_add(1);
        let is_nearer = |&distance: &u64| self.nearest.is_none_or(|nearest| distance < nearest);
        if let Some(nearer) = distance.filter(is_nearer) {
            (self.nearest, self.stalled) = (Some(nearer), 0);
        }
    }

    /// A tick has passed in which the unit had to wait for its turn: it does not count as stalled.
    pub fn queue(&mut self) {
        self.ticks = self.ticks.saturating_add(1);
    }

    /// The unit goes another way, which may lead away from its goal at first: it is not stalled.
    pub fn reroute(&mut self) {
        (self.stalled, self.nearest) = (0, None);
    }

    /// For how many ticks it came no nearer to its goal.
    #[must_use]
    pub fn stalled(self) -> u32 {
        self.stalled
    }

    /// How many ticks it has been since the last arrival.
    #[must_use]
    pub fn ticks(self) -> u32 {
        self.ticks
    }

    /// The priority for [`CrowdUnit`](crate::CrowdUnit): first by level, then by time.
    #[must_use]
    pub fn priority(self, level: u8, unit: UnitId, now: Tick) -> u64 {
        let time = u64::from(self.ticks);
        let is_stalled = self.stalled >= PATIENCE;
        let draw = || mix(mix(u64::from(now.0 / EPOCH)) ^ u64::from(unit.to_bits()));
        let time = if is_stalled { draw() % (2 * time + 1) } else { time };
        u64::from(level) << TIME_BITS | time
    }
}
