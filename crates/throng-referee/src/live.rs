//! Checks a live world, tick by tick.

use throng_model::limits::UNITS_MAX;
use throng_model::{Conflicts, Map, UnitId};

use crate::check::VIOLATIONS_MAX;
use crate::hostile_cells::HostileCells;
use crate::links::{LinkSighting, Links};
use crate::live_unit::LiveUnit;
use crate::occupancy::Occupancy;
use crate::occupant::Occupant;
use crate::passable_map::PassableMap;
use crate::sighting::{PreviousSighting, Sighting};
use crate::{Violation, ViolationKind};

/// Checks a live world tick by tick, while the map changes and units come and go.
///
/// It compares each unit at a tick with the same unit at the tick before. It knows nothing of
/// later ticks. The rules are in the documentation of the [crate].
///
/// ```
/// use throng_model::{Cell, Conflicts, Map, MovementProfile, UnitId};
/// use throng_referee::{Heading, LiveReferee, Sighting};
///
/// let mut map = Map::empty(4, 1)?;
/// let quick = MovementProfile::four_connected();
/// let slow = MovementProfile { pace: 3, ..MovementProfile::four_connected() };
/// let stands = |unit, movement, x| {
///     let (unit, at) = (UnitId::new(unit), Cell::new(x, 0));
///     Sighting { unit, movement, at, heading: None, team: 0, layer: 0 }
/// };
/// let scout = |x| stands(7, &quick, x);
/// let tank = stands(900, &slow, 0);
/// let mut referee = LiveReferee::new(Conflicts::default());
/// assert!(referee.tick(&map, &[scout(1), tank], &[]).is_empty());
///
/// // The tank begins a step to (1,0), which the scout leaves in the same tick.
/// let heading = Some(Heading { to: Cell::new(1, 0), ticks_left: 2 });
/// assert!(referee.tick(&map, &[scout(2), Sighting { heading, ..tank }], &[]).is_empty());
///
/// // Walls are built on both targets. The tank abandons its step, the scout does not.
/// map.paint(&[Cell::new(1, 0), Cell::new(3, 0)], Map::WALL)?;
/// let found = referee.tick(&map, &[scout(3), tank], &[]);
/// assert_eq!(found[0].to_string(), "tick 2: unit 7 is on impassable ground: (3,0)");
/// assert_eq!((found.len(), referee.unit_ticks()), (1, 6));
///
/// // The game itself moves the scout back: it is listed as placed, so this is no jump.
/// map.set(Cell::new(1, 0), Map::GROUND)?;
/// assert!(referee.tick(&map, &[scout(1), tank], &[UnitId::new(7)]).is_empty());
/// # Ok::<(), throng_model::MapError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LiveReferee {
    conflicts: Conflicts,
    /// The next tick to check.
    tick: usize,
    unit_ticks: u64,
    /// The units of the last tick, sorted by number.
    previous: Vec<PreviousSighting>,
    occupancy: Occupancy,
    hostile_cells: HostileCells,
    links: Links,
}

impl LiveReferee {
    /// A referee before its first tick, which has number 0.
    #[must_use]
    pub fn new(conflicts: Conflicts) -> Self {
        Self {
            conflicts,
            tick: 0,
            unit_ticks: 0,
            previous: Vec::new(),
            occupancy: Occupancy::default(),
            hostile_cells: HostileCells::default(),
            links: Links::default(),
        }
    }

    /// Sets which pairs of teams are enemies from the next tick on. A unit may not enter a cell on
    /// which an enemy stood at the tick before: it would have pushed that one aside, or known its
    /// plan.
    pub fn set_enemies(&mut self, pairs: &[(u8, u8)]) {
        self.hostile_cells.set_enemies(pairs);
    }

    /// Shows the units that are in links at the next tick, in any order. Units that come out of a
    /// link in which they were not shown have no past.
    pub fn show_links(&mut self, units: &[LinkSighting<'_>]) {
        self.links.show(units, self.tick);
    }

    /// The number of (unit, tick) pairs checked so far.
    #[must_use]
    pub fn unit_ticks(&self) -> u64 {
        self.unit_ticks
    }

    /// Checks the next tick and returns its violations, sorted by unit, then kind. At most the
    /// first [`VIOLATIONS_MAX`] are listed.
    ///
    /// - `map` is the map at this tick, including the edits made since the last one.
    /// - `sightings` are in ascending order of their units. A unit that is shown twice or out
    ///   of order is reported, and that sighting is not checked.
    /// - `placed` lists, in any order, the units that the game itself put where they are
    ///   (spawned, teleported, pushed). Their position is checked, but not how they got there.
    ///
    /// Time is proportional to the cells that the units hold. It depends on the map only when
    /// its size differs from the last tick's.
    #[must_use]
    pub fn tick(
        &mut self,
        map: &Map,
        sightings: &[Sighting<'_>],
        placed: &[UnitId],
    ) -> Vec<Violation> {
        let mut violations = Vec::new();
        self.occupancy.begin_tick(map);
        self.judge_units(map, sightings, placed, &mut violations);
        // Conflicts are found in report order. Any after the next VIOLATIONS_MAX are cut off.
        let enough = violations.len() + VIOLATIONS_MAX;
        for number in 0..self.occupancy.len() {
            let (tick, conflicts) = (self.tick, self.conflicts);
            self.occupancy.report_conflicts(number, tick, conflicts, &mut violations);
            if violations.len() > enough {
                break;
            }
        }
        self.hostile_cells.judge(self.tick, sightings, placed, &mut violations);
        violations.sort_by_key(Violation::rank);
        violations.truncate(VIOLATIONS_MAX);
        self.links.end_tick();
        self.tick = self.tick.saturating_add(1);
        violations
    }

    /// Merges the sightings with those of the last tick; both are sorted by unit.
    fn judge_units(
        &mut self,
        map: &Map,
        sightings: &[Sighting<'_>],
        placed: &[UnitId],
        violations: &mut Vec<Violation>,
    ) {
        let mut placed = placed.to_vec();
        placed.sort_unstable();
        let is_placed = |unit: UnitId| placed.binary_search(&unit).is_ok();
        let previous = std::mem::take(&mut self.previous);
        self.links.judge((map, self.tick), &previous, is_placed, violations);
        let mut previous = previous.into_iter().peekable();
        for sighting in sightings {
            if let Some(kind) = self.listing_fault(sighting.unit) {
                violations.push(Violation::of_one(kind, self.tick, sighting.unit, Vec::new()));
                continue;
            }
            while previous.next_if(|old| old.unit < sighting.unit).is_some() {}
            let before = match previous.next_if(|old| old.unit == sighting.unit) {
                _ if is_placed(sighting.unit) => None,
                None => self.links.come_out((map, self.tick), sighting.unit, violations),
                known => known,
            };
            let before = before
                .filter(|old| old.movement == *sighting.movement && old.layer == sighting.layer);
            self.judge_unit(map, before, sighting, violations);
        }
    }

    /// Why the sighting cannot be checked: too many units, or out of order.
    fn listing_fault(&self, unit: UnitId) -> Option<ViolationKind> {
        if self.previous.len() >= UNITS_MAX {
            return Some(ViolationKind::Horizon);
        }
        let in_order = self.previous.last().is_none_or(|last| last.unit < unit);
        let in_order = in_order && !self.links.has(unit);
        (!in_order).then_some(ViolationKind::Sighting)
    }

    fn judge_unit(
        &mut self,
        map: &Map,
        before: Option<PreviousSighting>,
        sighting: &Sighting<'_>,
        violations: &mut Vec<Violation>,
    ) {
        let Sighting { unit, movement, at, layer, .. } = *sighting;
        let mut heading = None;
        if let Some(passable) = PassableMap::new(map, movement) {
            let live_unit =
                LiveUnit::new(passable, self.tick, before.as_ref(), sighting, violations);
            live_unit.judge(violations);
            heading = live_unit.heading;
            let ahead = heading.map(|heading| heading.to);
            let occupant = Occupant::new(map, movement, unit, live_unit.ends(), ahead);
            self.occupancy.enter(occupant.on_layer(layer));
            self.unit_ticks = self.unit_ticks.saturating_add(1);
        } else if before.is_none() {
            let kind = ViolationKind::MovementProfile;
            violations.push(Violation::of_one(kind, self.tick, unit, Vec::new()));
        }
        let movement = before.map_or_else(|| movement.clone(), |old| old.movement);
        self.previous.push(PreviousSighting { unit, movement, at, layer, heading });
    }
}
