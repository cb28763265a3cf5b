//! How units get on: for how long each has not moved, how often it planned again, and where
//! units wait.

use throng::model::{Cell, Map, UnitId};
use throng::world::{Event, UnitStatus};

use crate::engine::Seen;
use crate::record::Doing;

/// Ticks without a move, beyond the unit's pace, after which it counts as waiting, and as stuck.
const WAITING: u32 = 2;
const STUCK: u32 = 100;
/// The heat of all cells is halved after so many ticks.
const HALF_LIFE: u32 = 256;

/// What is counted per unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Ticks in which it was going and did not move.
    pub(crate) waited: u32,
    pub(crate) replans: u32,
}

#[derive(Clone, Copy, Debug)]
struct Track {
    unit: UnitId,
    at: (Cell, Cell),
    /// The last tick in which it moved, or had no need to.
    since: u32,
    counts: Counts,
}

/// How units get on.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// By slot.
    tracks: Vec<Option<Track>>,
    /// Unit-ticks of waiting, by cell.
    heat: Vec<u32>,
    pub(crate) replans: u64,
}

impl Progress {
    pub(crate) fn new(map: &Map) -> Self {
        Self { tracks: Vec::new(), heat: vec![0; map.terrain().len()], replans: 0 }
    }

    fn track(&mut self, unit: UnitId, seen: &Seen, tick: u32) -> &mut Track {
        let slot = unit.index();
        if slot >= self.tracks.len() {
            self.tracks.resize(slot + 1, None);
        }
        let at = (seen.at, seen.step.map_or(seen.at, |step| step.0));
        let fresh = Track { unit, at, since: tick, counts: Counts::default() };
        let track = self.tracks[slot].get_or_insert(fresh);
        if track.unit != unit {
            *track = fresh;
        }
        track
    }

    /// Takes note of where a unit is after a tick.
    pub(crate) fn note(&mut self, unit: UnitId, seen: &Seen, tick: u32, map: &Map) {
        let track = self.track(unit, seen, tick);
        let at = (seen.at, seen.step.map_or(seen.at, |step| step.0));
        let moved = at != track.at || seen.step.is_some();
        if moved || !matches!(seen.status, UnitStatus::Going | UnitStatus::Routing) {
            (track.at, track.since) = (at, tick);
        } else if tick > track.since {
            track.counts.waited += 1;
            if let Some(index) = map.index(seen.at) {
                self.heat[index.get()] += 1;
            }
        }
    }

    /// Counts what happened.
    pub(crate) fn count(&mut self, events: &[Event]) {
        for event in events {
            let (Event::Rerouted { unit } | Event::Overridden { unit, .. }) = event else {
                continue;
            };
            self.replans += 1;
            if let Some(Some(track)) = self.tracks.get_mut(unit.index()) {
                track.counts.replans += 1;
            }
        }
    }

    /// Lets the heat fade.
    pub(crate) fn fade(&mut self, tick: u32) {
        if tick.is_multiple_of(HALF_LIFE) {
            self.heat.iter_mut().for_each(|heat| *heat /= 2);
        }
    }

    /// What the unit is doing.
    pub(crate) fn doing(&self, unit: UnitId, seen: &Seen, tick: u32) -> Doing {
        let known = self.tracks.get(unit.index()).copied().flatten();
        let since = known.filter(|track| track.unit == unit).map_or(tick, |track| track.since);
        match seen.status {
            UnitStatus::Holding | UnitStatus::Halted => Doing::Holding,
            UnitStatus::NoRoom => Doing::Waiting,
            UnitStatus::Arrived => Doing::Arrived,
            UnitStatus::Unreachable => Doing::Unreachable,
            UnitStatus::Going | UnitStatus::Routing if tick - since.min(tick) >= STUCK => {
                Doing::Stuck
            }
            UnitStatus::Routing => Doing::Planning,
            UnitStatus::Going if tick - since.min(tick) >= WAITING => Doing::Waiting,
            UnitStatus::Going => Doing::Going,
            _ => Doing::Idle,
        }
    }

    pub(crate) fn counts(&self, unit: UnitId) -> Counts {
        let known = self.tracks.get(unit.index()).copied().flatten();
        known.filter(|track| track.unit == unit).map_or_else(Counts::default, |track| track.counts)
    }

    /// The heat of every cell, the most waited on cell being 255.
    pub(crate) fn heat(&self) -> Vec<u8> {
        let most = self.heat.iter().copied().max().unwrap_or(0).max(16);
        self.heat.iter().map(|&heat| (u64::from(heat) * 255 / u64::from(most)) as u8).collect()
    }
}
