//! Random live worlds that break no rule. Units move at random, but only by steps that the
//! naive checker allows, while the game builds walls and spawns, removes, teleports and
//! changes units.

use std::collections::{BTreeMap, BTreeSet};

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_model::{Cell, Conflicts, Map, MovementProfile, UnitId};
use throng_referee::{Heading, LiveReferee, Sighting, Violation};

use crate::cases::{random_cell, random_movement, random_terrain};
use crate::naive_checker::{self, Point, point};

/// A sighting that owns its movement profile.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OwnedSighting {
    pub(crate) unit: u32,
    pub(crate) movement: MovementProfile,
    pub(crate) at: Cell,
    pub(crate) heading: Option<Heading>,
}

impl OwnedSighting {
    pub(crate) fn borrow(&self) -> Sighting<'_> {
        let Self { unit, ref movement, at, heading } = *self;
        Sighting { unit: UnitId::new(unit), movement, at, heading, team: 0, layer: 0 }
    }

    /// The cells that the unit holds.
    pub(crate) fn held(&self, map: &Map) -> BTreeSet<Point> {
        let ahead = self.heading.map(|heading| point(heading.to));
        naive_checker::held(map, self.movement.footprint, point(self.at), ahead)
    }
}

/// What the referee is shown at one tick.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) map: Map,
    /// By unit.
    pub(crate) sightings: Vec<OwnedSighting>,
    pub(crate) placed: Vec<UnitId>,
}

impl Frame {
    pub(crate) fn find(&self, unit: u32) -> Option<&OwnedSighting> {
        self.sightings.iter().find(|sighting| sighting.unit == unit)
    }

    pub(crate) fn show_to(&self, referee: &mut LiveReferee) -> Vec<Violation> {
        let sightings: Vec<_> = self.sightings.iter().map(OwnedSighting::borrow).collect();
        referee.tick(&self.map, &sightings, &self.placed)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Recording {
    pub(crate) conflicts: Conflicts,
    pub(crate) frames: Vec<Frame>,
}

impl Recording {
    /// A run without violations.
    pub(crate) fn new(seed: u64, ticks: usize) -> Self {
        let mut safe_world = SafeWorld::new(seed);
        let frames = (0..ticks).map(|_| safe_world.tick()).collect();
        Self { conflicts: safe_world.conflicts, frames }
    }

    pub(crate) fn judge(&self) -> Vec<Violation> {
        let mut referee = LiveReferee::new(self.conflicts);
        self.frames.iter().flat_map(|frame| frame.show_to(&mut referee)).collect()
    }
}

struct SafeWorld {
    rng: Pcg64Mcg,
    map: Map,
    conflicts: Conflicts,
    units: BTreeMap<u32, OwnedSighting>,
    placed: Vec<UnitId>,
}

impl SafeWorld {
    fn new(seed: u64) -> Self {
        let mut rng = throng_testkit::rng(seed);
        let conflicts = Conflicts { swap: rng.random(), crossing: rng.random() };
        let map = random_terrain(&mut rng);
        Self { rng, map, conflicts, units: BTreeMap::new(), placed: Vec::new() }
    }

    fn one_in(&mut self, chances: u32) -> bool {
        self.rng.random_range(0..chances) == 0
    }

    fn tick(&mut self) -> Frame {
        self.placed.clear();
        self.build();
        self.move_all();
        self.interfere();
        let sightings = self.units.values().cloned().collect();
        Frame { map: self.map.clone(), sightings, placed: self.placed.clone() }
    }

    /// Walls come and go, also on cells that units hold.
    fn build(&mut self) {
        while self.one_in(2) {
            let cell = random_cell(&mut self.rng, &self.map);
            let class = if self.one_in(3) { Map::WALL } else { Map::GROUND };
            self.map.set(cell, class).unwrap();
        }
    }

    /// Moves the units in random order. A unit that has not moved yet holds its old cells.
    fn move_all(&mut self) {
        let old = self.units.clone();
        let mut order: Vec<_> = old.keys().map(|&unit| (self.rng.random::<u32>(), unit)).collect();
        order.sort_unstable();
        for (_, unit) in order {
            let now = self.decide(&old[&unit]);
            if self.is_free(&now) && self.is_without_conflict(&old, &now) {
                self.units.insert(unit, now);
            }
        }
    }

    fn decide(&mut self, unit: &OwnedSighting) -> OwnedSighting {
        let (at, pace) = (unit.at, unit.movement.pace);
        let stand = |at| OwnedSighting { at, heading: None, ..unit.clone() };
        let head = |to, ticks_left| OwnedSighting {
            heading: Some(Heading { to, ticks_left }),
            ..unit.clone()
        };
        let may_step = |map: &Map, to| naive_checker::may_step(map, &unit.movement, at, to);
        match unit.heading {
            Some(_) if self.one_in(12) => stand(at),
            Some(heading) if heading.ticks_left > 1 => head(heading.to, heading.ticks_left - 1),
            Some(heading) if may_step(&self.map, heading.to) => stand(heading.to),
            Some(_) => stand(at),
            None => match self.random_neighbour(at).filter(|&to| may_step(&self.map, to)) {
                Some(to) if to != at && pace == 1 => stand(to),
                Some(to) if to != at => head(to, pace - 1),
                _ => stand(at),
            },
        }
    }

    fn random_neighbour(&mut self, at: Cell) -> Option<Cell> {
        at.offset(self.rng.random_range(-1..=1), self.rng.random_range(-1..=1))
    }

    fn is_free(&self, now: &OwnedSighting) -> bool {
        let held = now.held(&self.map);
        let mut others = self.units.values().filter(|other| other.unit != now.unit);
        others.all(|other| other.held(&self.map).is_disjoint(&held))
    }

    fn is_without_conflict(&self, old: &BTreeMap<u32, OwnedSighting>, now: &OwnedSighting) -> bool {
        let step = |now: &OwnedSighting| (point(old[&now.unit].at), point(now.at));
        let mut others = self.units.values().filter(|other| other.unit != now.unit);
        others.all(|other| {
            let (steps, kinds) = ([step(now), step(other)], [&now.movement, &other.movement]);
            naive_checker::between(&self.map, self.conflicts, steps, kinds).is_none()
        })
    }

    /// The game spawns, removes, teleports and changes units after all have moved.
    fn interfere(&mut self) {
        let newcomers = if self.units.is_empty() { 20 } else { u32::from(self.one_in(4)) };
        (0..newcomers).for_each(|_| self.spawn());
        let numbers: Vec<_> = self.units.keys().copied().collect();
        for unit in numbers {
            match self.rng.random_range(0..100_u32) {
                0..2 => drop(self.units.remove(&unit)),
                2..4 => self.teleport(unit),
                4..6 => self.refit(unit),
                _ => {}
            }
        }
    }

    /// Puts the unit into the world if it fits there.
    fn put(&mut self, unit: OwnedSighting) -> bool {
        let OwnedSighting { ref movement, at, heading, .. } = unit;
        let target = heading.map_or(at, |heading| heading.to);
        let stands = naive_checker::stands(&self.map, movement, point(at));
        let fits = stands && naive_checker::may_step(&self.map, movement, at, target);
        let fits = fits && self.is_free(&unit);
        if fits {
            self.units.insert(unit.unit, unit);
        }
        fits
    }

    /// Adds a unit with a random number, sometimes in the middle of a step.
    fn spawn(&mut self) {
        // Sparse slots, in no order.
        let unit = self.rng.random_range(0..1 << 20);
        let movement = random_movement(&mut self.rng);
        let at = random_cell(&mut self.rng, &self.map);
        let mut heading = None;
        if movement.pace > 1 && self.one_in(4) {
            let ticks_left = self.rng.random_range(1..movement.pace);
            let to = self.random_neighbour(at).filter(|&to| to != at);
            heading = to.map(|to| Heading { to, ticks_left });
        }
        let is_new = !self.units.contains_key(&unit);
        if is_new && self.put(OwnedSighting { unit, movement, at, heading }) && self.one_in(2) {
            self.placed.push(UnitId::new(unit));
        }
    }

    fn teleport(&mut self, unit: u32) {
        let at = random_cell(&mut self.rng, &self.map);
        if self.put(OwnedSighting { at, heading: None, ..self.units[&unit].clone() }) {
            self.placed.insert(0, UnitId::new(unit));
        }
    }

    /// Changes the movement profile without listing the unit as placed: the referee must treat
    /// it as a unit without a past.
    fn refit(&mut self, unit: u32) {
        let movement = random_movement(&mut self.rng);
        let sighting = self.units[&unit].clone();
        if movement != sighting.movement {
            self.put(OwnedSighting { movement, heading: None, ..sighting });
        }
    }
}
