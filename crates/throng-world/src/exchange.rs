//! Units with the same order exchange places instead of pushing past each other.
//!
//! Many units that were told one by one to go to the same cell get places around it in the
//! order of their orders, not of their arrival. Those that come late then find others at
//! rest in front of theirs. One place is as good as the other: the late one takes the place
//! of the one that rests in its way, and that one goes on to the place behind, which is on the
//! way from there. All together they walk no farther, and a hole in the crowd moves outwards
//! step by step until it is filled.

use throng_cooperative::{Stance, Whereabouts};
use throng_model::UnitId;
use throng_spacetime::{Position, Space};

use crate::resident::UnitStatus;
use crate::world::NOBODY;
use crate::{Event, Order, World};

/// Exchanges in one tick; the others have to wait.
const EXCHANGES_A_TICK: usize = 32;

impl World {
    /// Lets units exchange places that are not where they belong, or do not get on, with others
    /// of the same order; nodes expanded.
    pub(crate) fn exchange_places(&mut self) -> u64 {
        let asks = |&unit: &UnitId| {
            (self.is_displaced(unit) || self.crew.is_pausing(unit.to_bits()))
                && self.seeks_place(unit)
        };
        let going: Vec<UnitId> = self.units().filter(asks).collect();
        let mut expanded = 0;
        let mut left = EXCHANGES_A_TICK;
        for unit in going {
            if left == 0 {
                break;
            }
            if let Some(other) = self.who_rests_ahead(unit) {
                expanded += self.exchange_with(unit, other);
                left -= 1;
            }
        }
        expanded
    }

    /// Whether the unit's place is not where it was told to go, because others were told so too.
    fn is_displaced(&self, unit: UnitId) -> bool {
        let Ok(resident) = self.resident(unit) else { return false };
        match (&resident.order, self.destination(unit)) {
            (Order::GoTo(cells), Some(place)) => !cells.contains(&place),
            _ => false,
        }
    }

    /// Whether the unit is on its way to a place of its own, or back to it.
    fn seeks_place(&self, unit: UnitId) -> bool {
        let Ok(resident) = self.resident(unit) else { return false };
        let comes = match resident.status {
            UnitStatus::Going => !resident.cut_short,
            UnitStatus::Arrived => !self.is_home(unit) && resident.errand.is_none(),
            _ => false,
        };
        comes && matches!(resident.order, Order::GoTo(_))
    }

    /// Whether the unit stands on its destination.
    fn is_home(&self, unit: UnitId) -> bool {
        let destination = self.resident(unit).ok().and_then(|resident| resident.destination);
        self.crew.whereabouts(unit.to_bits()) == destination.map(Whereabouts::Standing)
    }

    /// A unit with the same order that is or belongs a step nearer to this one's place, and
    /// with which to exchange places is no loss.
    fn who_rests_ahead(&mut self, unit: UnitId) -> Option<UnitId> {
        let kind = self.resident(unit).ok()?.kind;
        let Whereabouts::Standing(at) = self.crew.whereabouts(unit.to_bits())? else { return None };
        let mut beside: Vec<(Position, UnitId)> = Vec::new();
        self.spaces[kind].for_each_move(at, |step| {
            let others = self.who_is_or_belongs(kind, step.to);
            beside.extend(others.into_iter().map(|other| (step.to, UnitId::new(other))));
        });
        // Distances may have to be searched for, so all else is asked before.
        beside.retain(|&(_, other)| other != unit && self.may_exchange(unit, other));
        if beside.is_empty() {
            return None;
        }
        let here = self.way_left(unit, at)?;
        beside.retain(|&(to, _)| self.way_left(unit, to).is_some_and(|there| there < here));
        let mut others = beside.into_iter().map(|(_, other)| other);
        others.find(|&other| self.is_no_loss((unit, at), other))
    }

    /// The units that hold part of a place now, or are to stay there.
    fn who_is_or_belongs(&self, kind: usize, at: Position) -> Vec<u32> {
        let (mut others, now) = (Vec::new(), self.now());
        self.spaces[kind].standing(at, |entry| {
            others.extend(self.crew.table().holder(entry, now).map(|claim| claim.unit));
            others.push(self.destinations[entry.get()]);
            true
        });
        others.retain(|&other| other != NOBODY);
        others
    }

    fn way_left(&mut self, unit: UnitId, at: Position) -> Option<u64> {
        let space = &self.spaces[self.units[unit.index()].as_ref()?.kind];
        throng_cooperative::Guide::distance(&mut self.guides, space, unit.to_bits(), at)
    }

    /// Whether the two have less to go when they have exchanged their places; as much will do
    /// if the other is at rest.
    fn is_no_loss(&mut self, (unit, at): (UnitId, Position), other: UnitId) -> bool {
        let Some(there) = self.crew.whereabouts(other.to_bits()).map(Whereabouts::position) else {
            return false;
        };
        let rests = self.is_home(other);
        let mut both = |one: Position, two: Position| {
            Some(self.way_left(unit, one)?.saturating_add(self.way_left(other, two)?))
        };
        let (before, after) = (both(at, there), both(there, at));
        before.zip(after).is_some_and(|(before, after)| after < before + u64::from(rests))
    }

    /// Whether the other one was told to go where the unit was, and nothing else is to be done.
    fn may_exchange(&self, unit: UnitId, other: UnitId) -> bool {
        let (Ok(one), Ok(two)) = (self.resident(unit), self.resident(other)) else { return false };
        (two.status == UnitStatus::Arrived || self.seeks_place(other))
            && two.errand.is_none()
            && one.queue.is_empty()
            && two.queue.is_empty()
            && (one.kind, &one.order) == (two.kind, &two.order)
    }

    /// The unit goes to the other's place, and the other to where the unit was headed.
    fn exchange_with(&mut self, unit: UnitId, other: UnitId) -> u64 {
        let destination =
            |world: &Self, unit| world.resident(unit).ok().and_then(|r| r.destination);
        let (here, there) = (destination(self, other), destination(self, unit));
        self.set_destination(unit.to_bits(), None);
        self.set_destination(other.to_bits(), None);
        let expanded = self.send_on(unit, here) + self.send_on(other, there);
        self.events.push(Event::Rerouted { unit: other });
        expanded
    }

    fn send_on(&mut self, unit: UnitId, to: Option<Position>) -> u64 {
        self.set_destination(unit.to_bits(), to);
        if let Ok(resident) = self.resident_mut(unit) {
            resident.status = UnitStatus::Going;
        }
        self.crew.set_stance(unit.to_bits(), Stance::Going);
        let (found, expanded) = to.map_or((false, 0), |to| self.guide_to(unit.to_bits(), to));
        if !found {
            self.ask_for_route(unit.to_bits());
        }
        expanded
    }
}
