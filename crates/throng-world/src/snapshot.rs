//! A world in bytes, to be saved, sent, and restored.
//!
//! Everything that affects the future is stored: a restored world continues exactly as the saved
//! one, tick by tick and hash by hash. The records of the units are stored as they are. Derived
//! data is not stored: the view of each movement profile, distances, the reservation table.

use std::fmt::Display;

use serde::{Deserialize, Serialize};
use throng_cooperative::{
    Claim, Location, Priority, SlotSnapshot, StoreSnapshot, UnitRecord, UnitStore,
};
use throng_model::{
    Building, BuildingId, Map, MovementProfile, TerrainClass, Tick, UnitId, limits,
};
use throng_spacetime::{GridSpace, Position, Space};

use crate::capacity::Capacity;
use crate::distances::{DistanceSource, WorldDistances};
use crate::envelope::{Envelope, FileError, Reader, encode};
use crate::link::Link;
use crate::memory::{MEMORY_MAX, MemoryCount, MemoryError};
use crate::options::WINDOW;
use crate::packed_cells::PackedCells;
use crate::phases::detours;
use crate::phases::gates::GateTurn;
use crate::phases::jam_planning::JamAttempt;
use crate::phases::jams::{Jam, UNITS_MAX};
use crate::phases::marches::March;
use crate::phases::passages::Batch;
use crate::phases::yielding::YIELD_TICKS_MAX;
use crate::planes::Plane;
use crate::teams::{Relation, Team, Teams, check_layer, check_team};
use crate::unit::{Assignment, Doing, Stand, Wall};
use crate::{World, WorldError, WorldOptions, packed_terrain};

const ENVELOPE: Envelope = Envelope { what: "snapshot", letters: *b"throngWS", version: 9 };

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
    /// It needs more memory than the caller allows.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// Something is wrong with a part.
fn wrong(place: impl Into<String>, problem: &(impl Display + ?Sized)) -> SnapshotError {
    SnapshotError::Impossible { place: place.into(), problem: problem.to_string() }
}

/// Everything that is stored but the units. The slots of the units follow one by one, each with
/// the route of its unit, so that they can be counted while they are read.
#[derive(Serialize, Deserialize)]
struct Stored {
    options: WorldOptions,
    map: StoredMap,
    planes: Vec<Plane>,
    /// Pairs of teams that are no enemies.
    teams: Vec<(u8, u8, Relation)>,
    /// Each with the number of its plane.
    profiles: Vec<(MovementProfile, u8)>,
    /// `None` where one was removed.
    buildings: Vec<Option<Building>>,
    capacities: Vec<Option<Capacity>>,
    /// `None` where one was removed.
    links: Vec<Option<Link>>,
    /// Without its slots.
    units: StoreSnapshot<Assignment>,
    slots: u32,
    marches: Vec<March>,
    jams: Vec<Jam>,
    batches: Vec<Batch>,
    gates: Vec<GateTurn>,
    jam_credit: u64,
    jam_attempt: Option<JamAttempt>,
    routing: Vec<UnitId>,
    /// When a unit that stood for long last left, and the profiles that have a view of such units.
    opened: Tick,
    viewed_profiles: u64,
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
        let profile = |(at, space): (usize, &GridSpace)| {
            (space.ground().movement().clone(), state.terrain.plane_of(at))
        };
        let mut units = state.units.snapshot(spaces);
        let slots = units.take_slots();
        let mut content = encode(&Stored {
            options: *options,
            map: StoredMap::of(state.terrain.map()),
            planes: state.terrain.planes.list().to_vec(),
            teams: state.teams.stored(),
            profiles: (0..).zip(spaces).map(profile).collect(),
            buildings: state.buildings.clone(),
            capacities: state.capacities.clone(),
            links: state.links.clone(),
            units,
            slots: slots.len() as u32,
            marches: state.marches.clone(),
            jams: state.jams.clone(),
            batches: state.batches.clone(),
            gates: state.gates.clone(),
            jam_credit: state.jam_credit,
            jam_attempt: state.jam_attempt.as_ref().map(JamAttempt::to_store),
            routing: state.routing.iter().copied().collect(),
            opened: state.distances.standing.opened,
            viewed_profiles: state.distances.standing.viewed_profiles(),
            hash: hash.to_le_bytes(),
            expanded: *expanded,
        });
        for slot in &slots {
            content.extend(encode(slot));
            if let Some(route) = slot.1.as_ref().and_then(|record| record.activity.source.route()) {
                let cells: Vec<Position> = route.all_cells().collect();
                content.extend(encode(&PackedCells::pack(&cells)));
            }
        }
        ENVELOPE.seal(&content)
    }

    /// The world of a snapshot, whose routes this many threads find, if it needs at most 1 GiB of
    /// memory.
    ///
    /// Untrusted bytes are safe: everything is checked before it is used.
    /// [`restore_within`](Self::restore_within) takes another limit.
    ///
    /// # Errors
    /// When it is damaged, needs too much memory, or no world can be like that.
    pub fn restore(snapshot: &[u8], threads: usize) -> Result<Self, SnapshotError> {
        Self::restore_within(snapshot, threads, MEMORY_MAX)
    }

    /// The same as [`restore`](Self::restore), if it needs at most this many bytes of memory.
    ///
    /// A few hundred bytes can describe the largest map with many movement profiles, which needs
    /// gigabytes. What is needed is counted before it is allocated.
    ///
    /// # Errors
    /// As [`restore`](Self::restore).
    ///
    /// ```
    /// use throng_model::{Map, MovementProfile};
    /// use throng_world::{SnapshotError, Spawn, World, WorldOptions};
    ///
    /// let mut world = World::new(Map::empty(1024, 1024)?, WorldOptions::default())?;
    /// world.spawn((1, 1), &Spawn::new(MovementProfile::eight_connected()))?;
    /// let snapshot = world.snapshot();
    /// assert!(snapshot.len() < 400);
    /// let refused = World::restore_within(&snapshot, 1, 1 << 20);
    /// assert!(matches!(refused, Err(SnapshotError::Memory(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restore_within(
        snapshot: &[u8],
        threads: usize,
        memory_max: u64,
    ) -> Result<Self, SnapshotError> {
        let mut memory = MemoryCount::new(memory_max);
        let mut reader = ENVELOPE.open(snapshot)?;
        let bytes = reader.left();
        memory.add_read(bytes)?;
        let stored: Stored = reader.next()?;
        memory.add_head(bytes - reader.left())?;
        stored.count(&mut memory)?;
        let units = read_units(&stored, &mut reader, &mut memory)?;
        reader.end()?;
        stored.restore(units, threads)
    }

    fn restore_planes(
        &mut self,
        planes: &[Plane],
        teams: &[(u8, u8, Relation)],
    ) -> Result<(), SnapshotError> {
        let teams = Teams::restore(teams);
        self.state.teams = teams.ok_or_else(|| wrong("the teams", "there are no such pairs"))?;
        for (index, &plane) in (0..).zip(planes) {
            let place = || format!("plane {index}");
            check_layer(plane.layer).map_err(|error| wrong(place(), &error))?;
            check_team(Team(plane.side)).map_err(|error| wrong(place(), &error))?;
            let added = self.state.terrain.planes.add(plane);
            if added.map_err(|error| wrong(place(), &error))? != index {
                return Err(wrong(place(), "it is there twice"));
            }
        }
        Ok(())
    }

    fn restore_profiles(
        &mut self,
        profiles: &[(MovementProfile, u8)],
    ) -> Result<(), SnapshotError> {
        let planes = self.state.terrain.planes.list().len();
        for (index, &(ref movement, plane)) in profiles.iter().enumerate() {
            let name = |index: usize| format!("movement profile {index}");
            let is_used = |_| true;
            if usize::from(plane) >= planes {
                return Err(wrong(name(index), "its plane does not exist"));
            }
            let made = self.state.terrain.profile(movement, plane, is_used);
            let made = made.map_err(|error| wrong(name(index), &error))?;
            if made != index {
                return Err(wrong(name(index), &format!("the same as {}", name(made))));
            }
        }
        Ok(())
    }

    fn restore_units(&mut self, units: StoreSnapshot<Assignment>) -> Result<(), SnapshotError> {
        for (unit, record) in units.records() {
            let checked = self.check_record(record, &units);
            checked.map_err(|problem| wrong(unit.to_string(), &problem))?;
        }
        let entries = self.state.terrain.planes.entries();
        // The tables of the old store would need as much memory as those of the new one.
        self.state.units = UnitStore::new(0, self.options.planning);
        let spaces = &self.state.terrain.spaces;
        let restored = UnitStore::restore(spaces, entries, self.options.planning, units);
        self.state.units = restored.map_err(|error| wrong("the units", &error))?;
        let state = &mut self.state;
        for unit in state.units.units().collect::<Vec<_>>() {
            let Some(profile) = state.units.get(unit).map(|record| record.space) else { continue };
            let at = state.units.location(unit).map(Location::position);
            if let Some(assignment) = state.units.activity_mut(unit) {
                let space = &state.terrain.spaces[profile];
                WorldDistances::restore(&mut assignment.source, space, profile);
                assignment.stand.at = at.unwrap_or_default();
            }
        }
        let attended =
            self.state.units.iter().filter(|(_, record)| record.activity.needs_attention());
        self.state.attended = attended.map(|(unit, _)| unit).collect();
        self.check_sides()
    }

    /// Bodies of different sides must not overlap either.
    fn check_sides(&self) -> Result<(), SnapshotError> {
        let (state, now) = (&self.state, self.now());
        if !state.terrain.planes.sides_meet() {
            return Ok(());
        }
        let (planes, table) = (&state.terrain.planes, state.units.table());
        let is_body = |claim: &Claim| claim.priority == Priority::FIXED;
        let held = table.sorted_claims().into_iter().filter(|claim| claim.1 == now);
        for (entry, _, claim) in held.filter(|(_, _, claim)| is_body(claim)) {
            let mut others = planes.beside(entry).filter_map(|entry| table.holder(entry, now));
            let other = others.find(|other| is_body(other) && other.unit != claim.unit);
            if let Some(other) = other {
                return Err(wrong(claim.unit.to_string(), &format!("it is on {}", other.unit)));
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
            match self.check_order(order) {
                // The building was removed since.
                Err(WorldError::NoSuchBuilding(id)) if id.index() < self.state.buildings.len() => {}
                checked => checked.map_err(|error| error.to_string())?,
            }
        }
        let building = assignment.building();
        if let Some(building) = building {
            self.state.building(building).map_err(|error| error.to_string())?;
        }
        check_team(assignment.team).map_err(|error| error.to_string())?;
        let side = self.state.terrain.plane(record.space).side;
        if side != self.state.teams.side(assignment.team) {
            return Err("its team is of another side".to_owned());
        }
        let crossing = assignment.crossing();
        if let Some(crossing) = crossing {
            let ticks = crossing.until.0.saturating_sub(units.now().0);
            let link = self.state.link(crossing.link);
            link.filter(|link| ticks <= link.ticks).ok_or("it is in no link for so long")?;
        }
        // It may have been removed since.
        if assignment.via.is_some_and(|link| link.index() >= self.state.links.len()) {
            return Err("its route leads to a link that does not exist".to_owned());
        }
        if assignment.is_off_map() == record.is_on_map() {
            return Err("it must be either in a building or a link, or on the map".to_owned());
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
        for (index, Batch { plane: _, mouths, side, since, both_at }) in batches.iter().enumerate()
        {
            let is_on_map = mouths.iter().all(|mouth| mouth.get() < positions);
            if !is_on_map || *side > 1 || *since.max(both_at) > self.now() {
                return Err(wrong(format!("batch {index}"), "no passage has such a batch"));
            }
        }
        if !batches.is_sorted_by(|a, b| a.place() < b.place()) {
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
        if !gates.is_sorted_by(|a, b| a.place() < b.place()) {
            return Err(wrong("the gates", "they are not in order"));
        }
        self.state.gates = gates;
        Ok(())
    }

    fn restore_marches(&mut self, marches: Vec<March>) -> Result<(), SnapshotError> {
        let exists = |unit: &UnitId| self.state.units.get(*unit).is_some();
        let is_known = |march: &March| {
            let waiting = march.waiting.iter().map(|(unit, _)| unit);
            march.group.units.iter().chain(waiting).all(exists) && march.since <= self.now()
        };
        if !marches.iter().all(is_known) {
            return Err(wrong("the groups in formation", "a unit of them does not exist"));
        }
        self.state.marches = marches;
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

    fn restore_jam_attempt(&mut self, attempt: Option<JamAttempt>) -> Result<(), SnapshotError> {
        if let Some(attempt) = &attempt {
            let checked = attempt.check(self.map()).and_then(|()| self.jam(&attempt.units));
            checked.map_err(|problem| wrong("the attempt to plan a jam", &problem))?;
        }
        self.state.jam_attempt = attempt;
        Ok(())
    }

    /// Marks the units of a jam, each in one jam only.
    fn jam(&mut self, units: &[(UnitId, Option<Position>)]) -> Result<(), String> {
        for &(unit, _) in units {
            let assignment = self.state.assignment_mut(unit);
            let assignment = assignment.ok_or_else(|| format!("{unit} does not exist"))?;
            if std::mem::replace(&mut assignment.crowding.is_jammed, true) {
                return Err(format!("{unit} is in two jams"));
            }
        }
        Ok(())
    }

    /// The units of a jam must exist, belong to one jam only, and stay on the map.
    fn restore_jam(&mut self, jam: &Jam) -> Result<(), String> {
        if jam.units.len() > UNITS_MAX || jam.since > self.now() {
            return Err("it has too many units, or begins in the future".to_owned());
        }
        self.jam(&jam.units)?;
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

impl World {
    /// Walls of standing units, and the views that have them.
    fn restore_standing(&mut self, opened: Tick, viewed: u64) -> Result<(), SnapshotError> {
        let state = &mut self.state;
        let is_wall = |stand: Stand| stand.wall != Wall::None || stand.times > 0;
        let walls = state.units.iter().filter(|(_, record)| is_wall(record.activity.stand));
        let walls: Vec<_> = walls.map(|(unit, record)| (unit, record.activity.stand)).collect();
        for (unit, stand) in walls {
            if state.units.location(unit) != Some(Location::Standing(stand.at)) {
                return Err(wrong(unit.to_string(), "a unit that moves cannot be a wall"));
            }
            detours::add_wall(state, unit, stand);
            detours::add_cost(state, unit, stand);
        }
        let profiles = state.terrain.spaces.len();
        if viewed.checked_shr(profiles as u32).unwrap_or(0) != 0 {
            return Err(wrong("the views of standing units", "there are more than profiles"));
        }
        for profile in (0..profiles).filter(|profile| viewed >> profile & 1 != 0) {
            state.make_view(profile);
        }
        state.distances.standing_mut().opened = opened;
        Ok(())
    }
}

impl Stored {
    /// Counts the memory for map and profiles.
    fn count(&self, memory: &mut MemoryCount) -> Result<(), SnapshotError> {
        let size = Map::checked_size(u64::from(self.map.width), u64::from(self.map.height));
        let (width, height) = size.map_err(|error| wrong("the map", &error))?;
        let cells = u64::from(width) * u64::from(height);
        memory.add_map(cells.saturating_mul(self.planes.len().max(1) as u64))?;
        let views = self.profiles.len() as u64 + u64::from(self.viewed_profiles.count_ones());
        Ok(memory.add_views(cells, views)?)
    }

    fn restore(
        self,
        units: StoreSnapshot<Assignment>,
        threads: usize,
    ) -> Result<World, SnapshotError> {
        let options = WorldOptions { threads, ..self.options };
        let world = World::new(self.map.map()?, options);
        let mut world = world.map_err(|error| wrong("the options", &error))?;
        world.restore_planes(&self.planes, &self.teams)?;
        world.restore_profiles(&self.profiles)?;
        for (index, building) in (0..).map(BuildingId::new).zip(self.buildings) {
            let Some(building) = building else {
                world.state.buildings.push(None);
                continue;
            };
            let added = world.add_building(building);
            added.map_err(|error| wrong(index.to_string(), &error))?;
        }
        let restored = world.restore_links(self.links);
        restored.map_err(|error| wrong("the links", &error))?;
        if self.capacities.len() > world.state.buildings.len() {
            return Err(wrong("the capacities", "they are more than the buildings"));
        }
        world.state.capacities = self.capacities;
        world.restore_units(units)?;
        world.restore_marches(self.marches)?;
        world.restore_jams(self.jams)?;
        world.restore_batches(self.batches)?;
        world.restore_gates(self.gates)?;
        world.state.jam_credit = self.jam_credit;
        world.restore_jam_attempt(self.jam_attempt)?;
        world.restore_routing(self.routing)?;
        world.restore_standing(self.opened, self.viewed_profiles)?;
        crate::tick::report_steps(&world.state, 1, &mut world.steps);
        world.hash = u64::from_le_bytes(self.hash);
        world.expanded = self.expanded;
        Ok(world)
    }
}

/// Reads the slots of the units, with their routes.
fn read_units(
    stored: &Stored,
    reader: &mut Reader<'_>,
    memory: &mut MemoryCount,
) -> Result<StoreSnapshot<Assignment>, SnapshotError> {
    let mut units = stored.units.clone();
    if units.slots() > 0 || stored.slots as usize > limits::UNITS_MAX {
        return Err(wrong("the units", &WorldError::TooManyUnits));
    }
    let mut last = units.now();
    for slot in 0..stored.slots {
        let mut slot_read: SlotSnapshot<Assignment> = reader.next()?;
        let record = slot_read.1.as_mut();
        let profile = record.as_ref().and_then(|record| stored.profiles.get(record.space));
        let movement = profile.map(|(movement, _)| movement);
        let (legs, end) = record.as_ref().map_or((0, last), |record| record.plan_size());
        memory.add_slot(movement, (legs, end), units.now())?;
        last = last.max(end);
        if let Some(route) = record.and_then(|record| record.activity.source.route_mut()) {
            let packed: PackedCells = reader.next()?;
            memory.add_route(packed.len())?;
            let cells = packed.unpack().filter(|cells| !cells.is_empty());
            let name = UnitId::new(slot).to_string();
            route.cells = cells.ok_or_else(|| wrong(name, "its route is empty or off the map"))?;
        }
        units.push_slot(slot_read);
    }
    let cells = u64::from(stored.map.width) * u64::from(stored.map.height);
    let cells = cells.saturating_mul(stored.planes.len().max(1) as u64);
    memory.add_table(cells, last.0 - units.now().0)?;
    Ok(units)
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
