//! Publishes the state of a world for its viewers.

use std::sync::Arc;

use serde_json::{Value, json};
use throng::model::UnitId;
use throng::world::{Event, UnitStatus};

use super::Room;
use crate::clock::Moment;
use crate::frame::{Frame, MapBytes, Status};
use crate::frames;
use crate::record::{Doing, Record, UnitView};

/// Most events per frame.
const EVENTS_MAX: usize = 200;

impl Room {
    /// Publishes the state as it is.
    pub(super) fn publish(&mut self) {
        let before = self.outbox.borrow().clone();
        let number = before.number.wrapping_add(1);
        let mut status = self.status();
        let units = Arc::new(self.records(&mut status));
        let delta = frames::delta(status.tick, number, &before.units, &units);
        let events = Arc::new(std::mem::take(&mut self.events));
        let (info, map) = (self.info.clone(), self.map.clone());
        let buildings = self.buildings.clone();
        let frame = Frame { number, info, map, units, delta, status, events, buildings };
        self.outbox.send_replace(Arc::new(frame));
        self.timing.published = Moment::now();
        self.is_changed = false;
    }

    fn status(&self) -> Status {
        let (tick_ms, tick_ms_p99) = self.timing.milliseconds();
        Status {
            tick: self.engine.now(),
            speed: self.timing.speed,
            paused: self.timing.is_paused,
            tick_ms,
            tick_ms_p99,
            replans: self.progress.replans,
            expanded: self.expanded,
            planner: self.engine.planner(),
            war: self.fights.is_war,
            ..Status::default()
        }
    }

    /// The units on the map by id. Counts all units into the status.
    fn records(&self, status: &mut Status) -> Vec<Record> {
        let mut records = Vec::new();
        for unit in self.engine.units() {
            status.units += 1;
            let Some(view) = self.view_of(unit) else {
                let is_inside = matches!(self.engine.status(unit), Some(UnitStatus::Inside(_)));
                status.arrived += usize::from(is_inside);
                continue;
            };
            match view.doing {
                Doing::Arrived => status.arrived += 1,
                Doing::Waiting => status.waiting += 1,
                Doing::Stuck => status.stuck += 1,
                _ => {}
            }
            records.push(Record::new(&view));
        }
        records.sort_unstable_by_key(Record::id);
        records
    }

    /// A unit on the map, as it is sent.
    pub(super) fn view_of(&self, unit: UnitId) -> Option<UnitView> {
        let seen = self.engine.see(unit)?;
        let movement = self.engine.movement(unit)?;
        let known = || self.setup.profiles.iter().position(|known| known.movement == *movement);
        let tag = self.tag(unit);
        let team = tag.map_or_else(|| self.engine.team(unit).unwrap_or(0), |tag| tag.team);
        let doing = self.progress.doing(unit, &seen, self.engine.now());
        let profile = tag.map_or_else(|| known().unwrap_or(255) as u8, |tag| tag.profile);
        Some(UnitView::new(unit, &seen, movement, team, doing, profile))
    }

    /// Renews the bytes of the map after an edit.
    pub(super) fn renew_map(&mut self) {
        self.map = Arc::new(MapBytes::new(self.engine.map(), self.map.edition + 1));
        self.is_changed = true;
    }

    /// Keeps the events that viewers are told.
    pub(super) fn keep_events(&mut self, events: &[Event]) {
        let room = EVENTS_MAX.saturating_sub(self.events.len());
        self.events.extend(events.iter().filter_map(event_json).take(room));
    }
}

fn event_json(event: &Event) -> Option<Value> {
    Some(match *event {
        Event::Arrived { unit, at } => {
            json!({ "kind": "arrived", "unit": unit.to_bits(), "at": [at.x, at.y] })
        }
        Event::Unreachable { unit } => json!({ "kind": "unreachable", "unit": unit.to_bits() }),
        Event::Promoted { unit } => json!({ "kind": "promoted", "unit": unit.to_bits() }),
        Event::Rerouted { unit } => json!({ "kind": "rerouted", "unit": unit.to_bits() }),
        Event::Yielding { unit, for_unit } => {
            json!({ "kind": "yielding", "unit": unit.to_bits(), "for": for_unit.to_bits() })
        }
        Event::Entered { unit, building } => {
            json!({ "kind": "entered", "unit": unit.to_bits(), "building": building.index() })
        }
        Event::Left { unit, building, at } => json!({
            "kind": "left", "unit": unit.to_bits(), "building": building.index(), "at": [at.x, at.y]
        }),
        // They happen several times per tick in crowds, and say little.
        _ => return None,
    })
}
