//! A phase of the tick: groups in formation stay together, so that one that was drawn out by a door
//! stands in formation again soon after its first unit has come.
//!
//! A unit that is near its place waits while another of the group is much farther away. Waiting, it
//! keeps its place and yields to the others. The group is given up when it comes no nearer for long.

use serde::{Deserialize, Serialize};
use throng_cooperative::Role;
use throng_model::{STRAIGHT, Tick, UnitId};

use crate::FormedGroup;
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

/// A group that was ordered into a formation. It lasts until its units have other orders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct March {
    pub(crate) group: FormedGroup,
    /// Those that wait, each with what it has to go.
    pub(crate) waiting: Vec<(UnitId, u64)>,
    /// How many units had somewhere to go and did not wait, the least that these had to go together,
    /// and since when.
    walking: u32,
    nearest: u64,
    pub(crate) since: Tick,
    /// Whether its units wait for each other no more.
    is_given_up: bool,
}

impl March {
    pub(crate) fn new(group: FormedGroup, now: Tick) -> Self {
        let (waiting, walking, nearest) = (Vec::new(), 0, u64::MAX);
        Self { group, waiting, walking, nearest, since: now, is_given_up: false }
    }

    /// Whether a unit waits for the others.
    pub(crate) fn has_waiting(&self, unit: UnitId) -> bool {
        self.waiting.iter().any(|&(waiting, _)| waiting == unit)
    }

    /// The unit is no longer in the group.
    pub(crate) fn remove(&mut self, unit: UnitId) {
        self.group.units.retain(|&member| member != unit);
        self.waiting.retain(|&(member, _)| member != unit);
    }

    /// What follows from it, for the state hash.
    pub(crate) fn values(&self) -> impl Iterator<Item = u64> {
        let waiting = self.waiting.iter().map(|&(unit, left)| left << 20 ^ unit.index() as u64);
        let group = self.group.units.len() as u64;
        let flags = u64::from(self.walking) << 1 | u64::from(self.is_given_up);
        [u64::from(self.since.0), self.nearest, group, flags].into_iter().chain(waiting)
    }
}

pub(crate) fn run(state: &mut State) {
    if state.marches.is_empty() {
        return;
    }
    let mut marches = std::mem::take(&mut state.marches);
    marches.retain_mut(|march| {
        march.group.units.retain(|&unit| is_in_formation(state, unit));
        if !march.is_given_up && !keep_together(state, march) {
            std::mem::take(&mut march.waiting).iter().for_each(|&(unit, _)| go_on(state, unit));
        }
        !march.group.units.is_empty()
    });
    state.marches = marches;
}

/// Whether several units of the group are on their way and wait for each other.
fn keep_together(state: &mut State, march: &mut March) -> bool {
    let units = march.group.units.iter().copied();
    let units: Vec<UnitId> = units.filter(|&unit| is_on_its_way(state, unit)).collect();
    let March { waiting, walking, nearest, since, is_given_up, .. } = march;
    waiting.retain(|&(unit, _)| units.contains(&unit) && waits(state, unit));
    let left: Vec<(UnitId, u64)> =
        units.iter().filter_map(|&unit| Some((unit, left_to_go(state, unit)?))).collect();
    let walked = std::mem::replace(walking, left.len() as u32);
    let Some(last) = left.iter().map(|&(_, left)| left).max() else { return units.len() > 1 };
    let (now, all) = (state.now(), left.iter().map(|&(_, left)| left).sum());
    if all < *nearest || walked < *walking {
        (*nearest, *since) = (all, now);
    } else if now.0.saturating_sub(since.0) > PATIENCE {
        *is_given_up = true;
    }
    if units.len() <= 1 || *is_given_up {
        return false;
    }
    waiting.retain(|&(unit, left)| {
        let is_over = last <= left + SLACK;
        if is_over {
            go_on(state, unit);
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

/// Whether the unit still follows the order of its group: it goes at the group's pace until then.
pub(crate) fn is_in_formation(state: &State, unit: UnitId) -> bool {
    state.assignment(unit).is_some_and(|assignment| assignment.own_pace.is_some())
}

fn is_on_its_way(state: &State, unit: UnitId) -> bool {
    let status = state.status(unit);
    matches!(status, Some(UnitStatus::Going | UnitStatus::Routing))
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
