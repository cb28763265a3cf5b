//! A world in bytes, to be saved, sent, and made again.
//!
//! What is stored is all that has a bearing on the future: a world that is restored does for
//! ever what the one that was saved does, tick by tick and hash by hash. What follows from
//! the rest is not stored: the ground of each kind of unit, distances, most of the
//! reservation table.

mod report;
mod steps;
mod terrain;
mod units;

use std::fmt::Display;

use serde::{Deserialize, Serialize};
use throng_cooperative::{Claim, Crew, CrewOptions, CrewRecord, Priority};
use throng_model::{Building, Conflicts, Map, MovementProfile, TerrainClass, Tick, UnitId, limits};
use throng_spacetime::{Entry, PassingRule};

use crate::envelope::{FileError, Seal};
use crate::world::NOBODY;
use crate::{Order, World, WorldError, WorldOptions};
use report::ReportImage;
use units::UnitImage;

const SEAL: Seal = Seal { what: "snapshot", letters: *b"throngWS", version: 3 };
/// Most positions of all kinds of movement together that are made for a snapshot.
const POSITIONS_MAX: usize = 1 << 28;
/// More windows of patience or promotion than anybody has use for.
const WINDOWS_MAX: u32 = 1 << 14;

/// Why a snapshot cannot be restored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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

/// All that is stored.
#[derive(Serialize, Deserialize)]
struct Image {
    options: OptionsImage,
    map: MapImage,
    kinds: Vec<MovementProfile>,
    buildings: Vec<Building>,
    crew: CrewImage,
    /// How many numbers of units there are, those of removed units included.
    numbers: u32,
    units: Vec<UnitImage>,
    routing: Vec<u32>,
    /// Where a cell is not the destination of the first unit that has its destination there:
    /// the cell, and whose it is plus 1, or 0.
    destinations: Vec<(u32, u32)>,
    report: ReportImage,
}

#[derive(Serialize, Deserialize)]
struct OptionsImage {
    window: u32,
    expansions_per_tick: Option<u64>,
    crew: CrewOptions,
    meeting: PassingRule,
    conflicts: Conflicts,
}

#[derive(Serialize, Deserialize)]
struct MapImage {
    width: u16,
    height: u16,
    classes: Vec<TerrainClass>,
    terrain: Vec<u8>,
}

/// The crew without its members.
#[derive(Serialize, Deserialize)]
struct CrewImage {
    now: u32,
    /// Ticks from now to the last that was ever claimed.
    ahead: u32,
    numbers: u32,
    waiting: Vec<u32>,
    overridden: Vec<u32>,
    claims: Vec<ClaimImage>,
    posts: Vec<(u32, Option<u32>)>,
}

/// Entry, ticks from now, and unit and weight of the claim if there is one.
type ClaimImage = (u32, u32, Option<(u32, u16)>);

impl World {
    /// The world in bytes. It stays as it is; equal worlds have equal bytes.
    ///
    /// ```
    /// use throng_model::{Cell, Map, MovementProfile};
    /// use throng_world::{Order, Spawn, World, WorldOptions};
    ///
    /// let mut world = World::new(Map::empty(20, 10)?, WorldOptions::default())?;
    /// let scout = world.spawn(Cell::new(1, 1), &Spawn::new(MovementProfile::eight_connected()))?;
    /// world.order(scout, Order::go((18, 1)))?;
    /// world.tick();
    /// let mut restored = World::restore(&world.snapshot(), 1)?;
    /// assert_eq!(world.tick().hash, restored.tick().hash);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        // All of it is named: whoever adds a field has to think of it here. Units and guides
        // are in the images of units, steps and events in that of the report.
        let Self {
            options,
            map,
            spaces,
            crew,
            guides: _,
            units,
            buildings,
            routing,
            destinations: _,
            searchers: _,
            hierarchies: _,
            events: _,
            steps: _,
            hash: _,
            expanded: _,
        } = self;
        let record = crew.record(spaces);
        SEAL.write(&Image {
            options: OptionsImage::of(options),
            map: MapImage::of(map),
            kinds: spaces.iter().map(|space| space.ground().movement().clone()).collect(),
            buildings: buildings.clone(),
            crew: CrewImage::of(&record),
            numbers: units.len() as u32,
            units: self.unit_images(&record),
            routing: routing.iter().copied().collect(),
            destinations: self.unusual_destinations(),
            report: self.report_image(),
        })
    }

    /// The world of a snapshot, whose routes so many threads find.
    ///
    /// Bytes from strangers are safe: they are checked before they are believed. What is
    /// allocated is in proportion to them, to the size of the map within its limits, and to
    /// that times the kinds of movement.
    ///
    /// # Errors
    /// When it is damaged, or no world can be like that.
    pub fn restore(snapshot: &[u8], threads: usize) -> Result<Self, SnapshotError> {
        let image: Image = SEAL.read(snapshot)?;
        let map = image.map.map()?;
        let mut world = Self::new(map, image.options.options(threads)?)
            .map_err(|error| wrong("the options", &error))?;
        world.restore_kinds(&image.kinds)?;
        for (index, building) in image.buildings.into_iter().enumerate() {
            let added = world.add_building(building);
            added.map_err(|error| wrong(format!("building {index}"), &error))?;
        }
        let mut record = image.crew.record()?;
        world.restore_units(image.numbers, &image.units, &mut record)?;
        let entries = world.destinations.len();
        world.crew = Crew::from_record(&world.spaces, entries, world.options.crew, &record)
            .map_err(|error| wrong("the crew", &error))?;
        world.restore_guides(&image.units)?;
        world.restore_routing(image.routing)?;
        world.restore_destinations(&image.destinations)?;
        world.restore_report(image.report)?;
        Ok(world)
    }

    fn restore_kinds(&mut self, kinds: &[MovementProfile]) -> Result<(), SnapshotError> {
        if kinds.len().saturating_mul(self.destinations.len()) > POSITIONS_MAX {
            let problem = format!("{} of them are too many for a map of this size", kinds.len());
            return Err(wrong("the movements", &problem));
        }
        for (index, movement) in kinds.iter().enumerate() {
            let kind = self.kind(movement).map_err(|error| wrong(movement_name(index), &error))?;
            if kind != index {
                let problem = format!("the same as {}", movement_name(kind));
                return Err(wrong(movement_name(index), &problem));
            }
        }
        Ok(())
    }

    fn restore_routing(&mut self, routing: Vec<u32>) -> Result<(), SnapshotError> {
        for &unit in &routing {
            let resident = self.resident_mut(UnitId::new(unit));
            let resident = resident.map_err(|error| wrong("the queue for routes", &error))?;
            if std::mem::replace(&mut resident.queued_for_route, true) {
                return Err(wrong("the queue for routes", &format!("unit {unit} is in it twice")));
            }
        }
        self.routing = routing.into();
        Ok(())
    }

    /// Whose destination each cell is, as a rule.
    fn usual_destinations(&self) -> Vec<u32> {
        let mut usual = vec![NOBODY; self.destinations.len()];
        for unit in self.units() {
            let Ok(resident) = self.resident(unit) else { continue };
            let Some(at) = resident.destination else { continue };
            if !matches!(resident.order, Order::GoTo(_)) {
                continue;
            }
            throng_spacetime::Space::standing(&self.spaces[resident.kind], at, |entry| {
                let owner = &mut usual[entry.get()];
                *owner = if *owner == NOBODY { unit.to_bits() } else { *owner };
                true
            });
        }
        usual
    }

    fn unusual_destinations(&self) -> Vec<(u32, u32)> {
        let usual = self.usual_destinations();
        let pairs = (0..).zip(usual.into_iter().zip(&self.destinations));
        let unusual = pairs.filter(|(_, (usual, owner))| usual != *owner);
        unusual.map(|(cell, (_, owner))| (cell, owner.wrapping_add(1))).collect()
    }

    fn restore_destinations(&mut self, unusual: &[(u32, u32)]) -> Result<(), SnapshotError> {
        self.destinations = self.usual_destinations();
        for &(cell, owner) in unusual {
            let owner = owner.wrapping_sub(1);
            let known = self.units.get(owner as usize).is_some_and(Option::is_some);
            let place =
                self.destinations.get_mut(cell as usize).filter(|_| known || owner == NOBODY);
            let problem = || format!("cell {cell} is that of unit {owner}, and one is missing");
            *place.ok_or_else(|| wrong("the destinations", &problem()))? = owner;
        }
        Ok(())
    }
}

fn movement_name(index: usize) -> String {
    format!("movement {index}")
}

impl OptionsImage {
    fn of(options: &WorldOptions) -> Self {
        let WorldOptions { window, expansions_per_tick, threads: _, crew, meeting, conflicts } =
            *options;
        Self { window, expansions_per_tick, crew, meeting, conflicts }
    }

    fn options(&self, threads: usize) -> Result<WorldOptions, SnapshotError> {
        let Self { window, expansions_per_tick, crew, meeting, conflicts } = *self;
        let most = crew.patience_windows.max(crew.promotion_windows).max(crew.toll_max);
        if most > WINDOWS_MAX {
            return Err(wrong("the options", &format!("{most} windows or ticks: too many")));
        }
        Ok(WorldOptions { window, expansions_per_tick, threads, crew, meeting, conflicts })
    }
}

impl MapImage {
    fn of(map: &Map) -> Self {
        Self {
            width: map.width(),
            height: map.height(),
            classes: map.classes().to_vec(),
            terrain: terrain::pack(map.terrain(), usize::from(map.width())),
        }
    }

    fn map(self) -> Result<Map, SnapshotError> {
        let size = Map::checked_size(u64::from(self.width), u64::from(self.height));
        let (width, height) = size.map_err(|error| wrong("the map", &error))?;
        let (columns, rows) = (usize::from(width), usize::from(height));
        let cells = terrain::unpack(&self.terrain, columns, columns * rows)
            .map_err(|at| wrong("the map", &format!("its terrain is wrong from byte {at} on")))?;
        Map::new(width, height, self.classes, cells).map_err(|error| wrong("the map", &error))
    }
}

impl CrewImage {
    fn of(record: &CrewRecord) -> Self {
        let now = record.now.0;
        let claim = |claim: Claim| (claim.unit, claim.priority.0);
        let claims = record.claims.iter();
        Self {
            now,
            ahead: record.last.0 - now,
            numbers: record.numbers,
            waiting: record.waiting.clone(),
            overridden: record.overridden.clone(),
            claims: claims.map(|&(entry, tick, c)| (entry.0, tick.0 - now, c.map(claim))).collect(),
            posts: record.posts.iter().map(|&(entry, unit)| (entry.0, unit)).collect(),
        }
    }

    fn record(self) -> Result<CrewRecord, SnapshotError> {
        let later = |ticks: u32| {
            let tick = self.now.checked_add(ticks).map(Tick);
            tick.ok_or_else(|| wrong("the crew", &format!("{ticks} ticks from now are too many")))
        };
        if self.numbers as usize > limits::UNITS_MAX {
            return Err(wrong("the crew", &WorldError::TooManyUnits));
        }
        let claim = |(unit, priority)| Claim { unit, priority: Priority(priority) };
        let claims = self
            .claims
            .iter()
            .map(|&(entry, ticks, holder)| Ok((Entry(entry), later(ticks)?, holder.map(claim))));
        Ok(CrewRecord {
            now: Tick(self.now),
            last: later(self.ahead)?,
            numbers: self.numbers,
            members: Vec::new(),
            claims: claims.collect::<Result<_, SnapshotError>>()?,
            posts: self.posts.into_iter().map(|(entry, unit)| (Entry(entry), unit)).collect(),
            waiting: self.waiting,
            overridden: self.overridden,
        })
    }
}
