//! A world in bytes, to be saved, sent, and restored.
//!
//! Everything that affects the future is stored: a restored world continues exactly as the saved
//! one, tick by tick and hash by hash. The records of the units are stored as they are. Derived
//! data is not stored: the view of each movement profile, distances, the reservation table.

use std::fmt::Display;

use serde::{Deserialize, Serialize};
use throng_cooperative::{StoreSnapshot, UnitRecord, UnitStore};
use throng_model::{Building, BuildingId, Map, MovementProfile, TerrainClass, UnitId, limits};
use throng_spacetime::{Position, Space};

use crate::distances::{DistanceSource, WorldDistances};
use crate::envelope::{Envelope, FileError};
use crate::options::WINDOW;
use crate::phases::gates::GateTurn;
use crate::phases::jams::{Jam, UNITS_MAX};
use crate::phases::passages::Batch;
use crate::phases::yielding::YIELD_TICKS_MAX;
use crate::unit::{Assignment, Doing};
use crate::{World, WorldError, WorldOptions, packed_terrain};

const ENVELOPE: Envelope = Envelope { what: "snapshot", letters: *b"throngWS", version: 4 };
/// Most positions of all movement profiles together that are made for a snapshot.
const POSITIONS_MAX: usize = 1 << 28;

/// Why a snapshot cannot be restored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// It is damaged, incomplete, or something else.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is whole, but no world can be like that.
    #[error("no world can be like this snapshot: {place}: {problem}")]
    Impossible {
        /// Which part of it.
        place: String,
        /// What is wrong.
        problem: String,
    },
}

/// Something is wrong with a part.
fn wrong(place: impl Into<String>, problem: &(impl Display + ?Sized)) -> SnapshotError {
    SnapshotError::Impossible { place: place.into(), problem: problem.to_string() }
}

/// Everything that is stored.
#[derive(Serialize, Deserialize)]
struct Stored {
    options: WorldOptions,
    map: StoredMap,
    profiles: Vec<MovementProfile>,
    buildings: Vec<Building>,
    units: StoreSnapshot<Assignment>,
    jams: Vec<Jam>,
    batches: Vec<Batch>,
    gates: Vec<GateTurn>,
    jam_credit: u64,
    routing: Vec<UnitId>,
    hash: [u8; 8],
    expanded: u64,
}

#[derive(Serialize, Deserialize)]
struct StoredMap {
    width: u16,
    height: u16,
    classes: Vec<TerrainClass>,
    terrain: Vec<u8>,
}

impl World {
    /// The world in bytes. It stays as it is; equal worlds have equal bytes.
    ///
    /// ```
    /// use throng_model::{Cell, Map, MovementProfile};
    /// use throng_world::{Order, Spawn, World, WorldOptions};
    ///
    /// let mut world = World::new(Map::empty(20, 10)?, WorldOptions::default())?;
    /// let scout = world.spawn((1, 1), &Spawn::new(MovementProfile::eight_connected()))?;
    /// world.order(scout, (18, 1))?;
    /// world.tick();
    /// let mut restored = World::restore(&world.snapshot(), 1)?;
    /// assert_eq!(world.tick().hash, restored.tick().hash);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let Self { options, state, searchers: _, planners: _, crowd: _, steps: _, hash, expanded } =
            self;
        let spaces = &state.terrain.spaces;
        ENVELOPE.write(&Stored {
            options: *options,
            map: StoredMap::of(state.terrain.map()),
            profiles: spaces.iter().map(|space| space.ground().movement().clone()).collect(),
            buildings: state.buildings.clone(),
            units: state.units.snapshot(spaces),
            jams: state.jams.clone(),
            batches: state.batches.clone(),
            gates: state.gates.clone(),
            jam_credit: state.jam_credit,
            routing: state.routing.iter().copied().collect(),
            hash: hash.to_le_bytes(),
            expanded: *expanded,
        })
    }

    /// The world of a snapshot, whose routes this many threads find.
    ///
    /// Untrusted bytes are safe: everything is checked before it is used. The memory allocated is
    /// in proportion to the number of bytes, and to the size of the map (within its limits) times
    /// the number of movement profiles.
    ///
    /// # Errors
    /// When it is damaged, or no world can be like that.
    pub fn restore(snapshot: &[u8], threads: usize) -> Result<Self, SnapshotError> {
        let stored: Stored = ENVELOPE.read(snapshot)?;
        let options = WorldOptions { threads, ..stored.options };
        let mut world =
            Self::new(stored.map.map()?, options).map_err(|error| wrong("the options", &error))?;
        world.restore_profiles(&stored.profiles)?;
        for (index, building) in (0..).map(BuildingId::new).zip(stored.buildings) {
            let added = world.add_building(building);
            added.map_err(|error| wrong(index.to_string(), &error))?;
        }
        world.restore_units(stored.units)?;
        world.restore_jams(stored.jams)?;
        world.restore_batches(stored.batches)?;
        world.restore_gates(stored.gates)?;
        world.state.jam_credit = stored.jam_credit;
        world.restore_routing(stored.routing)?;
        world.steps = crate::tick::steps(&mut world.state.clone());
        world.hash = u64::from_le_bytes(stored.hash);
        world.expanded = stored.expanded;
        Ok(world)
    }

    fn restore_profiles(&mut self, profiles: &[MovementProfile]) -> Result<(), SnapshotError> {
        if profiles.len().saturating_mul(self.map().terrain().len()) > POSITIONS_MAX {
            let problem = format!("{} are too many for a map of this size", profiles.len());
            return Err(wrong("the movement profiles", &problem));
        }
        for (index, movement) in profiles.iter().enumerate() {
            let name = |index: usize| format!("movement profile {index}");
            let is_used = |_| true;
            let made = self.state.terrain.profile(movement, is_used);
            let made = made.map_err(|error| wrong(name(index), &error))?;
            if made != index {
                return Err(wrong(name(index), &format!("the same as {}", name(made))));
            }
        }
        Ok(())
    }

    fn restore_units(&mut self, units: StoreSnapshot<Assignment>) -> Result<(), SnapshotError> {
        if units.slots() > limits::UNITS_MAX {
            return Err(wrong("the units", &WorldError::TooManyUnits));
        }
        for (unit, record) in units.records() {
            let checked = self.check_record(record, &units);
            checked.map_err(|problem| wrong(unit.to_string(), &problem))?;
        }
        let entries = self.map().terrain().len();
        let spaces = &self.state.terrain.spaces;
        let restored = UnitStore::restore(spaces, entries, self.options.planning, units);
        self.state.units = restored.map_err(|error| wrong("the units", &error))?;
        let state = &mut self.state;
        for unit in state.units.units().collect::<Vec<_>>() {
            let Some(profile) = state.units.get(unit).map(|record| record.space) else { continue };
            if let Some(assignment) = state.units.activity_mut(unit) {
                WorldDistances::restore(&mut assignment.source, &state.terrain.spaces[profile]);
            }
        }
        Ok(())
    }

    /// Checks what only the world knows of a unit.
    fn check_record(
        &self,
        record: &UnitRecord<Assignment>,
        units: &StoreSnapshot<Assignment>,
    ) -> Result<(), String> {
        let space = self.state.terrain.spaces.get(record.space);
        space.ok_or_else(|| format!("movement profile {} does not exist", record.space))?;
        if !WINDOW.contains(&record.depth) {
            return Err(WorldError::Window(record.depth).to_string());
        }
        let assignment = &record.activity;
        for order in assignment.queue.iter().chain([&assignment.order]) {
            self.check_order(order).map_err(|error| error.to_string())?;
        }
        let building = assignment.building();
        if let Some(building) = building {
            self.state.building(building).map_err(|error| error.to_string())?;
        }
        if building.is_some() == record.is_on_map() {
            return Err("it must be either in a building or on the map".to_owned());
        }
        if assignment.reported_at.is_some_and(|cell| !self.map().contains(cell)) {
            return Err("its last step is off the map".to_owned());
        }
        record
            .positions()
            .chain(record.destination())
            .try_for_each(|at| self.check_position(record.space, at))?;
        self.check_yield(record, units)?;
        self.check_source(record)
    }

    fn check_position(&self, profile: usize, at: Position) -> Result<(), String> {
        let space = &self.state.terrain.spaces[profile];
        let cell = (at.get() < space.positions()).then(|| space.cell(at));
        let fits = cell.and_then(|cell| self.state.terrain.position_on_map(profile, cell));
        fits.map(|_| ()).ok_or_else(|| format!("position {} is off the map", at.0))
    }

    fn check_yield(
        &self,
        record: &UnitRecord<Assignment>,
        units: &StoreSnapshot<Assignment>,
    ) -> Result<(), String> {
        let Doing::Yielding(yielding, _) = record.activity.doing else { return Ok(()) };
        let ticks = yielding.until.0.saturating_sub(units.now().0);
        if yielding.for_unit.index() >= units.slots() || ticks > YIELD_TICKS_MAX {
            return Err(format!("it cannot yield to {}", yielding.for_unit));
        }
        self.check_position(record.space, yielding.to)?;
        self.check_position(record.space, yielding.home)
    }

    /// Every position from which distances start must be on the map, and a route must begin and
    /// end somewhere.
    fn check_source(&self, record: &UnitRecord<Assignment>) -> Result<(), String> {
        match &record.activity.source {
            DistanceSource::None => Ok(()),
            DistanceSource::Route(route) => {
                route.check(|at| self.check_position(record.space, at))?;
                let anchor = route.anchor().filter(|&anchor| !self.map().contains(anchor));
                anchor.map_or(Ok(()), |cell| Err(format!("{cell} is off the map")))
            }
        }
    }

    fn restore_batches(&mut self, batches: Vec<Batch>) -> Result<(), SnapshotError> {
        let positions = self.map().terrain().len();
        for (index, Batch { mouths, side, since, both_at }) in batches.iter().enumerate() {
            let is_on_map = mouths.iter().all(|mouth| mouth.get() < positions);
            if !is_on_map || *side > 1 || *since.max(both_at) > self.now() {
                return Err(wrong(format!("batch {index}"), "no passage has such a batch"));
            }
        }
        if !batches.is_sorted_by(|a, b| a.mouths < b.mouths) {
            return Err(wrong("the batches", "they are not in order"));
        }
        self.state.batches = batches;
        Ok(())
    }

    fn restore_gates(&mut self, gates: Vec<GateTurn>) -> Result<(), SnapshotError> {
        let known = |gate: &GateTurn| self.map().contains(gate.cell) && gate.since <= self.now();
        if let Some(gate) = gates.iter().find(|gate| !known(gate)) {
            return Err(wrong("the gates", &format!("none is open like that at {}", gate.cell)));
        }
        let place = |gate: &GateTurn| (gate.cell.y, gate.cell.x);
        if !gates.is_sorted_by(|a, b| place(a) < place(b)) {
            return Err(wrong("the gates", "they are not in order"));
        }
        self.state.gates = gates;
        Ok(())
    }

    fn restore_jams(&mut self, jams: Vec<Jam>) -> Result<(), SnapshotError> {
        for (index, jam) in jams.iter().enumerate() {
            let checked = self.restore_jam(jam);
            checked.map_err(|problem| wrong(format!("jam {index}"), &problem))?;
        }
        self.state.jams = jams;
        Ok(())
    }

    /// The units of a jam must exist, belong to one jam only, and stay on the map.
    fn restore_jam(&mut self, jam: &Jam) -> Result<(), String> {
        if jam.units.len() > UNITS_MAX || jam.since > self.now() {
            return Err("it has too many units, or begins in the future".to_owned());
        }
        for &(unit, _) in &jam.units {
            let assignment = self.state.assignment_mut(unit);
            let assignment = assignment.ok_or_else(|| format!("{unit} does not exist"))?;
            if std::mem::replace(&mut assignment.crowding.is_jammed, true) {
                return Err(format!("{unit} is in two jams"));
            }
        }
        for step in &jam.steps {
            let known = jam.units.iter().any(|&(unit, _)| unit == step.unit);
            let record = self.state.units.get(step.unit).filter(|_| known);
            let record = record.ok_or_else(|| format!("{} is not in it", step.unit))?;
            self.check_position(record.space, step.from)?;
        }
        Ok(())
    }

    fn restore_routing(&mut self, routing: Vec<UnitId>) -> Result<(), SnapshotError> {
        let place = "the queue for routes";
        let queued = |unit: &UnitId| {
            self.state.assignment(*unit).is_some_and(|assignment| assignment.is_queued_for_route)
        };
        if let Some(unit) = routing.iter().find(|unit| !queued(unit)) {
            return Err(wrong(place, &format!("{unit} does not wait for a route")));
        }
        let mut sorted = routing.clone();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(wrong(place, &format!("{} is in it twice", pair[0])));
        }
        let waiting = self.state.units.iter();
        let waiting = waiting.filter(|(_, record)| record.activity.is_queued_for_route).count();
        if waiting != routing.len() {
            return Err(wrong(place, "a unit that waits for a route is not in it"));
        }
        self.state.routing = routing.into();
        Ok(())
    }
}

impl StoredMap {
    fn of(map: &Map) -> Self {
        Self {
            width: map.width(),
            height: map.height(),
            classes: map.classes().to_vec(),
            terrain: packed_terrain::pack(map.terrain(), usize::from(map.width())),
        }
    }

    fn map(self) -> Result<Map, SnapshotError> {
        let size = Map::checked_size(u64::from(self.width), u64::from(self.height));
        let (width, height) = size.map_err(|error| wrong("the map", &error))?;
        let (columns, rows) = (usize::from(width), usize::from(height));
        let cells = packed_terrain::unpack(&self.terrain, columns, columns * rows)
            .map_err(|at| wrong("the map", &format!("its terrain is wrong from byte {at} on")))?;
        Map::new(width, height, self.classes, cells).map_err(|error| wrong("the map", &error))
    }
}
