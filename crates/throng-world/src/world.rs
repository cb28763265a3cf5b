//! The world as the game sees it: its constructor and queries.

use std::collections::VecDeque;

use throng_cooperative::{Reservations, UnitStore};
use throng_model::{Building, BuildingId, Cell, Map, MovementProfile, Tick, UnitId};
use throng_spacetime::TimedPath;

use crate::distances::WorldDistances;
use crate::options::WINDOW;
use crate::phases::crowd::Crowd;
use crate::phases::routes::Searchers;
use crate::state::{State, Terrain};
use crate::step::{Heading, Step};
use crate::teams::Teams;
use crate::unit::UnitStatus;
use crate::{Order, WorldError, WorldOptions};

/// The most windows of patience or promotion, and the highest goal penalty in ticks.
const PLANNING_MAX: u32 = 1 << 14;

/// A world of units that plan and move together, tick by tick.
///
/// The game gives commands ([`spawn`](Self::spawn), [`order`](Self::order),
/// [`paint`](Self::paint), ...) and calls [`tick`](Self::tick), which returns events and a hash
/// of the state. [`steps`](Self::steps) lists where every unit is.
///
/// # What is guaranteed
/// At every tick no two bodies share a cell, and no two units exchange places or cross between
/// two ticks. This holds after every order and edit, and also when planning fails or the budget
/// is spent. A unit in the middle of a slow step holds every cell that the step sweeps until it
/// ends. Between two ticks bodies can still overlap: two units of one tick per step that pass each
/// other diagonally overlap by up to two thirds of a cell. With
/// `PassingRule::DoubleClaims` in
/// [`WorldOptions::passing`] bodies never overlap at any instant, and crowds move more slowly.
///
/// ```
/// use throng_model::{Cell, Map, MovementProfile};
/// use throng_world::{Event, Spawn, World, WorldOptions};
///
/// let mut world = World::new(Map::empty(20, 10)?, WorldOptions::default())?;
/// let scout = world.spawn((1, 1), &Spawn::new(MovementProfile::eight_connected()))?;
/// let tank = MovementProfile { footprint: 2, pace: 2, ..MovementProfile::eight_connected() };
/// let tank = world.spawn((10, 1), &Spawn::new(tank))?;
///
/// world.order(scout, (18, 1))?;
/// world.order(tank, (1, 1))?;
/// let mut arrived = 0;
/// while arrived < 2 {
///     let report = world.tick();
///     for event in report.events {
///         if let Event::Arrived { unit, .. } = event {
///             arrived += 1;
///             world.order(unit, throng_world::Order::Hold)?;
///         }
///     }
///     assert!(report.tick.0 < 100);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) options: WorldOptions,
    pub(crate) state: State,
    pub(crate) searchers: Searchers,
    /// Memory for units that plan at the same time, one per other thread.
    pub(crate) planners: Vec<WorldDistances>,
    /// Memory for the units in crowds.
    pub(crate) crowd: Crowd,
    /// Where units were after the last tick.
    pub(crate) steps: Vec<Step>,
    /// The state hash after the last tick.
    pub(crate) hash: u64,
    /// Nodes expanded in the last tick.
    pub(crate) expanded: u64,
}

impl World {
    /// A world without units.
    ///
    /// # Errors
    /// When an option is out of bounds.
    pub fn new(map: Map, options: WorldOptions) -> Result<Self, WorldError> {
        if !WINDOW.contains(&options.window) {
            return Err(WorldError::Window(options.window));
        }
        let planning = options.planning;
        let largest = planning.patience_windows.max(planning.promotion_windows);
        let largest = largest.max(planning.goal_penalty_max);
        if largest > PLANNING_MAX {
            return Err(WorldError::PlanningOptions(largest));
        }
        let entries = map.terrain().len();
        let state = State {
            terrain: Terrain::new(map, options.passing, options.conflicts),
            teams: Teams::default(),
            units: UnitStore::new(entries, planning),
            distances: WorldDistances::new(options.hold_patience),
            buildings: Vec::new(),
            capacities: Vec::new(),
            links: Vec::new(),
            attended: Vec::new(),
            marches: Vec::new(),
            jams: Vec::new(),
            batches: Vec::new(),
            gates: Vec::new(),
            jam_credit: 0,
            jam_attempt: None,
            routing: VecDeque::new(),
            events: Vec::new(),
        };
        let hash = crate::tick::state_hash(&state, 1);
        let searchers = Searchers::new(options.threads);
        let planners = vec![WorldDistances::default(); searchers.threads() - 1];
        let crowd = Crowd::new(entries);
        Ok(Self {
            options,
            state,
            searchers,
            planners,
            crowd,
            steps: Vec::new(),
            hash,
            expanded: 0,
        })
    }

    /// The current map. Its revision counts the edits of this `World`; after a restore it starts
    /// from 0 again.
    #[must_use]
    pub fn map(&self) -> &Map {
        self.state.terrain.map()
    }

    /// The options of the world.
    #[must_use]
    pub fn options(&self) -> &WorldOptions {
        &self.options
    }

    /// The current tick.
    #[must_use]
    pub fn now(&self) -> Tick {
        self.state.now()
    }

    /// A hash of the state after the last tick.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Nodes expanded in the last tick, routes included.
    #[must_use]
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Where every unit on the map was after the last tick, by slot.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// All units, those in buildings and links included, by slot.
    pub fn units(&self) -> impl Iterator<Item = UnitId> {
        self.state.units.units()
    }

    /// All buildings with their doors.
    pub fn buildings(&self) -> impl Iterator<Item = (BuildingId, &Building)> {
        let buildings = (0..).map(BuildingId::new).zip(&self.state.buildings);
        buildings.filter_map(|(id, building)| Some((id, building.as_ref()?)))
    }

    /// The units in a building; none if there is no such building.
    pub fn units_in(&self, building: BuildingId) -> impl Iterator<Item = UnitId> {
        let status = Some(UnitStatus::Inside(building));
        self.units().filter(move |&unit| self.status(unit) == status)
    }

    /// The movement profile of a unit.
    #[must_use]
    pub fn movement(&self, unit: UnitId) -> Option<&MovementProfile> {
        let record = self.state.units.get(unit)?;
        Some(self.state.space(record).ground().movement())
    }

    /// The status of a unit with respect to its order.
    #[must_use]
    pub fn status(&self, unit: UnitId) -> Option<UnitStatus> {
        self.state.status(unit)
    }

    /// The current order of a unit.
    #[must_use]
    pub fn current_order(&self, unit: UnitId) -> Option<&Order> {
        self.state.assignment(unit).map(|assignment| &assignment.order)
    }

    /// The destination of a unit: the cell chosen among those of its order.
    #[must_use]
    pub fn destination(&self, unit: UnitId) -> Option<Cell> {
        let record = self.state.units.get(unit)?;
        record.destination().map(|at| self.state.space(record).cell(at))
    }

    /// The cell of a unit and its step in progress; `None` for a unit in a building or a link.
    #[must_use]
    pub fn location(&self, unit: UnitId) -> Option<(Cell, Option<Heading>)> {
        self.state.location(unit)
    }

    /// The cells of a unit's plan, tick by tick from now on.
    #[must_use]
    pub fn plan(&self, unit: UnitId) -> Option<Vec<Cell>> {
        let space = self.state.space(self.state.units.get(unit)?);
        let path = self.timed_plan(unit)?;
        let first = path.legs.first().map_or(self.now(), |leg| leg.tick);
        let past = self.now().0.saturating_sub(first.0) as usize;
        Some(path.positions().into_iter().skip(past).map(|at| space.cell(at)).collect())
    }

    /// The cells of a unit's route, from where it is to the end; `None` without one. A unit beside its
    /// route gets all cells from where it was seen on it last. For pictures and debugging.
    #[must_use]
    pub fn route(&self, unit: UnitId) -> Option<Vec<Cell>> {
        let space = self.state.space(self.state.units.get(unit)?);
        let route = self.state.assignment(unit)?.source.route()?;
        let cells: Vec<Cell> = route.all_ahead().map(|at| space.cell(at)).collect();
        let at = self.location(unit).map(|(at, _)| at);
        let passed = cells.iter().position(|&cell| Some(cell) == at).unwrap_or(0);
        Some(cells[passed..].to_vec())
    }

    /// The plan of a unit as actions, including the current one. For pictures and debugging.
    #[must_use]
    pub fn timed_plan(&self, unit: UnitId) -> Option<&TimedPath> {
        self.state.units.path(unit)
    }

    /// The claims of all plans. For pictures and debugging.
    #[must_use]
    pub fn reservations(&self) -> &Reservations {
        self.state.units.table()
    }
}
