//! A phase of the tick: groups in formation stay together, so that one that was drawn out by a door
//! stands in formation again soon after its first unit has come.
//!
//! A unit that is near its place waits while another of the group is much farther away. Waiting, it
//! keeps its place and yields to the others. The group is given up when it comes no nearer for long.

use serde::{Deserialize, Serialize};
use throng_cooperative::Role;
use throng_model::{STRAIGHT, Tick, UnitId};

use crate::distances::DistanceSource;
use crate::state::State;
use crate::unit::{Doing, UnitStatus};

/// A unit waits where it has at most so far to go, as a cost: behind a door that is farther away it
/// leaves room for the others.
const NEAR: u64 = 8 * STRAIGHT;
/// It does not wait with less to go: it would be in the way of the others' places.
const THERE: u64 = 3 * STRAIGHT;
/// It waits for units that have so much farther to go, and goes on when none has.
const SLACK: u64 = 6 * STRAIGHT;
/// A group that comes no nearer for so many ticks is given up.
const PATIENCE: u32 = 64;

/// A group on its way in formation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct March {
    /// Those that have not arrived.
    pub(crate) units: Vec<UnitId>,
    /// Those that wait, each with what it has to go.
    pub(crate) waiting: Vec<(UnitId, u64)>,
    /// The least that those who do not wait had to go together, and since when.
    nearest: u64,
    pub(crate) since: Tick,
}

impl March {
    pub(crate) fn new(units: &[UnitId], now: Tick) -> Self {
        let units = units.to_vec();
        Self { units, waiting: Vec::new(), nearest: u64::MAX, since: now }
    }

    /// Whether a unit waits for the others.
    pub(crate) fn has_waiting(&self, unit: UnitId) -> bool {
        self.waiting.iter().any(|&(waiting, _)| waiting == unit)
    }

    /// What follows from it, for the state hash.
    pub(crate) fn values(&self) -> impl Iterator<Item = u64> {
        let waiting = self.waiting.iter().map(|&(unit, left)| left << 20 ^ unit.index() as u64);
        [u64::from(self.since.0), self.nearest, self.units.len() as u64].into_iter().chain(waiting)
    }
}

pub(crate) fn run(state: &mut State) {
    if state.marches.is_empty() {
        return;
    }
    let mut marches = std::mem::take(&mut state.marches);
    marches.retain_mut(|march| {
        let goes_on = march.units.len() > 1 && keep_together(state, march);
        if !goes_on {
            march.waiting.iter().for_each(|&(unit, _)| go_on(state, unit));
        }
        goes_on
    });
    state.marches = marches;
}

/// Whether the group is still on its way.
fn keep_together(state: &mut State, march: &mut March) -> bool {
    march.units.retain(|&unit| is_on_its_way(state, unit));
    let March { units, waiting, nearest, since } = march;
    waiting.retain(|&(unit, _)| units.contains(&unit) && waits(state, unit));
    let left: Vec<(UnitId, u64)> =
        units.iter().filter_map(|&unit| Some((unit, left_to_go(state, unit)?))).collect();
    let Some(last) = left.iter().map(|&(_, left)| left).max() else { return !units.is_empty() };
    let (now, all) = (state.now(), left.iter().map(|&(_, left)| left).sum());
    if all < *nearest {
        (*nearest, *since) = (all, now);
    } else if now.0.saturating_sub(since.0) > PATIENCE {
        return false;
    }
    waiting.retain(|&(unit, left)| {
        let is_over = last <= left + SLACK;
        if is_over {
            go_on(state, unit);
            *nearest = u64::MAX;
        }
        !is_over
    });
    for (unit, left) in left {
        if (THERE..=NEAR).contains(&left) && last > left + SLACK {
            state.clear_route(unit);
            state.set_doing(unit, Doing::Routing(Role::Resting));
            waiting.push((unit, left));
        }
    }
    true
}

/// Whether the unit still follows the order of the group.
fn is_on_its_way(state: &State, unit: UnitId) -> bool {
    state.assignment(unit).is_some_and(|assignment| {
        let goes = matches!(assignment.status(), UnitStatus::Going | UnitStatus::Routing);
        goes && assignment.own_pace.is_some()
    })
}

fn waits(state: &State, unit: UnitId) -> bool {
    state.assignment(unit).is_some_and(|assignment| {
        assignment.status() == UnitStatus::Routing && !assignment.is_queued_for_route
    })
}

fn go_on(state: &mut State, unit: UnitId) {
    if waits(state, unit) {
        state.request_route(unit);
    }
}

/// What a unit has to go along its route, in the model's unit of cost.
fn left_to_go(state: &State, unit: UnitId) -> Option<u64> {
    let record = state.units.get(unit)?;
    let DistanceSource::Route(route) = &record.activity.source else { return None };
    let at = state.units.location(unit)?.position();
    let is_going = record.activity.status() == UnitStatus::Going && record.activity.via.is_none();
    is_going.then(|| route.rest_from(at) * state.space(record).cost_unit())
}
