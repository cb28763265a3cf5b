//! The judge of a live world, tick by tick.

use throng_model::limits::UNITS_MAX;
use throng_model::{Conflicts, Map, UnitId};

use crate::check::VIOLATIONS_MAX;
use crate::ground::Ground;
use crate::occupancy::Occupancy;
use crate::passage::Passage;
use crate::presence::Presence;
use crate::sighting::{Seen, Sighting};
use crate::{Violation, ViolationKind};

/// Judges a world tick by tick: the map changes between ticks, units come and go, and
/// nobody knows what they will do next. It compares what is seen at a tick with what was
/// seen at the one before; see the [crate] for the rules.
///
/// ```
/// use throng_model::{Cell, Conflicts, Map, MovementProfile, UnitId};
/// use throng_referee::{Heading, LiveReferee, Sighting};
///
/// let mut map = Map::empty(4, 1)?;
/// let quick = MovementProfile::four_connected();
/// let slow = MovementProfile { pace: 3, ..MovementProfile::four_connected() };
/// let stands = |unit, movement, x| {
///     Sighting { unit: UnitId(unit), movement, at: Cell::new(x, 0), heading: None }
/// };
/// let scout = |x| stands(7, &quick, x);
/// let tank = stands(900, &slow, 0);
/// let mut referee = LiveReferee::new(Conflicts::default());
/// assert!(referee.tick(&map, &[scout(1), tank], &[]).is_empty());
///
/// // The tank sets out for (1,0), which the scout leaves just in time.
/// let heading = Some(Heading { to: Cell::new(1, 0), ticks_left: 2 });
/// assert!(referee.tick(&map, &[scout(2), Sighting { heading, ..tank }], &[]).is_empty());
///
/// // Walls are built where the two want to go. The tank turns back, the scout does not.
/// map.paint(&[Cell::new(1, 0), Cell::new(3, 0)], Map::WALL)?;
/// let found = referee.tick(&map, &[scout(3), tank], &[]);
/// assert_eq!(found[0].to_string(), "tick 2: unit 7 is on impassable ground: (3,0)");
/// assert_eq!((found.len(), referee.unit_ticks()), (1, 6));
///
/// // The game itself puts the scout back: that is no step, and so no jump.
/// map.set(Cell::new(1, 0), Map::GROUND)?;
/// assert!(referee.tick(&map, &[scout(1), tank], &[UnitId(7)]).is_empty());
/// # Ok::<(), throng_model::MapError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LiveReferee {
    conflicts: Conflicts,
    /// The next tick to judge.
    tick: usize,
    unit_ticks: u64,
    /// The last tick's units, by number.
    seen: Vec<Seen>,
    occupancy: Occupancy,
}

impl LiveReferee {
    /// A referee who has seen nothing yet; the first tick is 0.
    #[must_use]
    pub fn new(conflicts: Conflicts) -> Self {
        let occupancy = Occupancy::default();
        Self { conflicts, tick: 0, unit_ticks: 0, seen: Vec::new(), occupancy }
    }

    /// How many (unit, tick) pairs were judged so far.
    #[must_use]
    pub fn unit_ticks(&self) -> u64 {
        self.unit_ticks
    }

    /// Judges the next tick: everything that is wrong, by unit, then kind. At most the first
    /// [`VIOLATIONS_MAX`] are listed.
    ///
    /// `map` is the map as it is at this tick, with the edits made since the last one.
    /// `sightings` come in ascending order of their units; a unit that is seen twice or out
    /// of order is reported, and that sighting not judged. `placed` are the units, in any
    /// order, that the game itself put where they are (spawned, teleported, pushed): where
    /// they were is forgotten, but where they are is judged.
    ///
    /// Time grows with the cells that the units hold, and not with the map unless its size
    /// differs from the last tick's.
    #[must_use]
    pub fn tick(
        &mut self,
        map: &Map,
        sightings: &[Sighting<'_>],
        placed: &[UnitId],
    ) -> Vec<Violation> {
        let mut violations = Vec::new();
        self.occupancy.begin_tick(map);
        self.look_at_all(map, sightings, placed, &mut violations);
        // With so many more found, the first ones in the order of the report are among them.
        let enough = violations.len() + VIOLATIONS_MAX;
        for number in 0..self.occupancy.len() {
            let (tick, conflicts) = (self.tick, self.conflicts);
            self.occupancy.judge_meetings(number, tick, conflicts, &mut violations);
            if violations.len() > enough {
                break;
            }
        }
        violations.sort_by_key(Violation::rank);
        violations.truncate(VIOLATIONS_MAX);
        self.tick = self.tick.saturating_add(1);
        violations
    }

    /// Goes through the sightings and the memories of the last tick side by side.
    fn look_at_all(
        &mut self,
        map: &Map,
        sightings: &[Sighting<'_>],
        placed: &[UnitId],
        violations: &mut Vec<Violation>,
    ) {
        let mut placed = placed.to_vec();
        placed.sort_unstable();
        let mut memories = std::mem::take(&mut self.seen).into_iter().peekable();
        for sighting in sightings {
            if let Some(kind) = self.fault_of_roll(sighting.unit) {
                violations.push(Violation::of_one(kind, self.tick, sighting.unit, Vec::new()));
                continue;
            }
            while memories.next_if(|seen| seen.unit < sighting.unit).is_some() {}
            let seen = memories.next_if(|seen| seen.unit == sighting.unit);
            let is_placed = placed.binary_search(&sighting.unit).is_ok();
            let before = seen.filter(|seen| !is_placed && seen.movement == *sighting.movement);
            self.look_at(map, before, sighting, violations);
        }
    }

    /// Why the unit cannot be taken after those already seen at this tick.
    fn fault_of_roll(&self, unit: UnitId) -> Option<ViolationKind> {
        if self.seen.len() >= UNITS_MAX {
            return Some(ViolationKind::Horizon);
        }
        let in_order = self.seen.last().is_none_or(|seen| seen.unit < unit);
        (!in_order).then_some(ViolationKind::Sighting)
    }

    fn look_at(
        &mut self,
        map: &Map,
        before: Option<Seen>,
        sighting: &Sighting<'_>,
        violations: &mut Vec<Violation>,
    ) {
        let Sighting { unit, movement, at, .. } = *sighting;
        let mut heading = None;
        if let Some(ground) = Ground::new(map, movement) {
            let passage = Passage::new(ground, self.tick, before.as_ref(), sighting, violations);
            passage.judge(violations);
            heading = passage.heading;
            let ahead = heading.map(|heading| heading.to);
            self.occupancy.enter(Presence::new(map, movement, unit, passage.ends(), ahead));
            self.unit_ticks = self.unit_ticks.saturating_add(1);
        } else if before.is_none() {
            let kind = ViolationKind::MovementProfile;
            violations.push(Violation::of_one(kind, self.tick, unit, Vec::new()));
        }
        let movement = before.map_or_else(|| movement.clone(), |seen| seen.movement);
        self.seen.push(Seen { unit, movement, at, heading });
    }
}
