//! The world: its state, and one tick of it.

use std::collections::VecDeque;

use throng_cooperative::{Crew, CrewEvent, Stance, Whereabouts};
use throng_model::{Building, Cell, Map, MovementProfile, Tick, UnitId};
use throng_spacetime::{FootprintRules, GridSpace, Position, Space};

use crate::guide::Guides;
use crate::hierarchies::Hierarchies;
use crate::options::WINDOW;
use crate::resident::{Heading, Resident, Step, UnitStatus};
use crate::routing::Searchers;
use crate::{BuildingId, Event, Order, WorldError, WorldOptions};

/// A world of units that plan and move together, tick by tick.
///
/// The game tells it what to do ([`spawn`](Self::spawn), [`order`](Self::order),
/// [`paint`](Self::paint), ...) and calls [`tick`](Self::tick); it answers with where every
/// unit is, what happened, and a hash of its state. No two bodies ever overlap or pass
/// through each other, whatever is ordered, edited, or left unplanned for want of budget.
///
/// ```
/// use throng_model::{Cell, Map, MovementProfile};
/// use throng_world::{Event, Order, Spawn, World, WorldOptions};
///
/// let mut world = World::new(Map::empty(20, 10)?, WorldOptions::default())?;
/// let scout = world.spawn(Cell::new(1, 1), &Spawn::new(MovementProfile::eight_connected()))?;
/// let tank = MovementProfile { footprint: 2, pace: 2, ..MovementProfile::eight_connected() };
/// let tank = world.spawn(Cell::new(10, 1), &Spawn::new(tank))?;
///
/// world.order(scout, Order::go((18, 1)))?;
/// world.order(tank, Order::go((1, 1)))?;
/// let mut arrived = 0;
/// while arrived < 2 {
///     let report = world.tick();
///     arrived += report.events.iter().filter(|e| matches!(e, Event::Arrived { .. })).count();
///     assert!(report.tick.0 < 100);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) options: WorldOptions,
    pub(crate) map: Map,
    /// One for each kind of movement, all over the same entries.
    pub(crate) spaces: Vec<GridSpace>,
    pub(crate) crew: Crew,
    pub(crate) guides: Guides,
    pub(crate) units: Vec<Option<Resident>>,
    pub(crate) buildings: Vec<Building>,
    /// Units that wait for a route, the longest waiting first.
    pub(crate) routing: VecDeque<u32>,
    /// By cell, whose destination it is.
    pub(crate) destinations: Vec<u32>,
    pub(crate) searchers: Searchers,
    pub(crate) hierarchies: Hierarchies,
    pub(crate) events: Vec<Event>,
    pub(crate) steps: Vec<Step>,
    pub(crate) hash: u64,
    /// Nodes expanded in the last tick.
    pub(crate) expanded: u64,
}

/// What came of a tick.
#[derive(Clone, Copy, Debug)]
pub struct TickReport<'a> {
    /// The tick that it is now.
    pub tick: Tick,
    /// Where every unit is that is not in a building, by number.
    pub steps: &'a [Step],
    /// What happened, in the order in which it did.
    pub events: &'a [Event],
    /// A hash of the state: equal worlds have equal hashes.
    pub hash: u64,
    /// Nodes expanded, routes included.
    pub expanded: u64,
}

pub(crate) const NOBODY: u32 = u32::MAX;
/// Most windows of patience or promotion, and highest toll.
const CREW_MAX: u32 = 1 << 14;
/// Most kinds of movement: each has its own view of the whole map.
pub(crate) const KINDS_MAX: usize = 64;

impl World {
    /// A world without units.
    ///
    /// # Errors
    /// When the options make no sense.
    pub fn new(map: Map, options: WorldOptions) -> Result<Self, WorldError> {
        if !WINDOW.contains(&options.window) {
            return Err(WorldError::Window(options.window));
        }
        let crew = options.crew;
        let largest = crew.patience_windows.max(crew.promotion_windows).max(crew.toll_max);
        if largest > CREW_MAX {
            return Err(WorldError::TooPatient(largest));
        }
        let cells = map.terrain().len();
        let mut world = Self {
            options,
            map,
            spaces: Vec::new(),
            crew: Crew::new(cells, options.crew),
            guides: Guides::default(),
            units: Vec::new(),
            buildings: Vec::new(),
            routing: VecDeque::new(),
            destinations: vec![NOBODY; cells],
            searchers: Searchers::new(options.threads),
            hierarchies: Hierarchies::default(),
            events: Vec::new(),
            steps: Vec::new(),
            hash: 0,
            expanded: 0,
        };
        world.hash = world.state_hash();
        Ok(world)
    }

    /// The map as it is now. Its revision counts the edits of this `World`: in one that was
    /// restored from a snapshot it begins at 0 again.
    #[must_use]
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// How the world is run.
    #[must_use]
    pub fn options(&self) -> &WorldOptions {
        &self.options
    }

    /// The tick that it is.
    #[must_use]
    pub fn now(&self) -> Tick {
        self.crew.now()
    }

    /// A hash of the state after the last tick.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// All units, those in buildings included, by number.
    pub fn units(&self) -> impl Iterator<Item = UnitId> {
        let units = self.units.iter().enumerate();
        units.filter(|(_, unit)| unit.is_some()).map(|(unit, _)| UnitId::new(unit as u32))
    }

    /// All buildings with their doors, by number. They are there to stay: none can be
    /// removed.
    pub fn buildings(&self) -> impl Iterator<Item = (BuildingId, &Building)> {
        (0..).map(BuildingId::new).zip(&self.buildings)
    }

    /// The units in a building, by number; nobody if there is no such building.
    pub fn inside(&self, building: BuildingId) -> impl Iterator<Item = UnitId> {
        let status = Some(UnitStatus::Inside(building));
        self.units().filter(move |&unit| self.status(unit) == status)
    }

    /// How a unit moves.
    #[must_use]
    pub fn movement(&self, unit: UnitId) -> Option<&MovementProfile> {
        self.resident(unit).ok().map(|unit| self.spaces[unit.kind].ground().movement())
    }

    /// How a unit stands with its order.
    #[must_use]
    pub fn status(&self, unit: UnitId) -> Option<UnitStatus> {
        self.resident(unit).ok().map(|unit| unit.status)
    }

    /// What a unit was told, and is doing.
    #[must_use]
    pub fn current_order(&self, unit: UnitId) -> Option<&Order> {
        self.resident(unit).ok().map(|unit| &unit.order)
    }

    /// Where a unit is headed: the cell chosen among those it was told.
    #[must_use]
    pub fn destination(&self, unit: UnitId) -> Option<Cell> {
        let resident = self.resident(unit).ok()?;
        resident.destination.map(|at| self.spaces[resident.kind].cell(at))
    }

    /// Where a unit is, and the step it is in; `None` for one in a building.
    #[must_use]
    pub fn place(&self, unit: UnitId) -> Option<(Cell, Option<Heading>)> {
        let resident = self.resident(unit).ok()?;
        let space = &self.spaces[resident.kind];
        Some(match self.crew.whereabouts(unit.to_bits())? {
            Whereabouts::Standing(at) => (space.cell(at), None),
            Whereabouts::UnderWay { from, to, arrival } => {
                let ticks_left = arrival.0 - self.now().0;
                (space.cell(from), Some(Heading { to: space.cell(to), ticks_left }))
            }
        })
    }

    /// The cells that a unit plans to be on, tick by tick from now on.
    #[must_use]
    pub fn plan(&self, unit: UnitId) -> Option<Vec<Cell>> {
        let space = &self.spaces[self.resident(unit).ok()?.kind];
        let path = self.crew.path(unit.to_bits())?;
        let first = path.legs.first().map_or(self.now(), |leg| leg.tick);
        let past = self.now().0.saturating_sub(first.0) as usize;
        Some(path.positions().into_iter().skip(past).map(|at| space.cell(at)).collect())
    }

    /// The claims of all plans: for pictures and debugging.
    #[must_use]
    pub fn crew(&self) -> &Crew {
        &self.crew
    }

    pub(crate) fn resident(&self, unit: UnitId) -> Result<&Resident, WorldError> {
        let resident = self.units.get(unit.index()).and_then(Option::as_ref);
        resident.ok_or(WorldError::NoSuchUnit(unit))
    }

    pub(crate) fn resident_mut(&mut self, unit: UnitId) -> Result<&mut Resident, WorldError> {
        let resident = self.units.get_mut(unit.index()).and_then(Option::as_mut);
        resident.ok_or(WorldError::NoSuchUnit(unit))
    }

    pub(crate) fn building(&self, id: BuildingId) -> Result<&Building, WorldError> {
        self.buildings.get(id.index()).ok_or(WorldError::NoSuchContainer(id))
    }

    /// The kind of units that move like this, made if it is new.
    pub(crate) fn kind(&mut self, movement: &MovementProfile) -> Result<usize, WorldError> {
        let known = self.spaces.iter().position(|space| space.ground().movement() == movement);
        if let Some(kind) = known {
            return Ok(kind);
        }
        if self.spaces.len() >= KINDS_MAX {
            return Err(WorldError::TooManyKinds(KINDS_MAX));
        }
        let rules = FootprintRules {
            meeting: self.options.meeting,
            conflicts: self.options.conflicts,
            ..FootprintRules::default()
        };
        self.spaces.push(GridSpace::new(&self.map, movement.clone(), &rules)?);
        Ok(self.spaces.len() - 1)
    }

    /// Everybody plans what is due and moves one tick.
    pub fn tick(&mut self) -> TickReport<'_> {
        self.events.clear();
        let budget = self.options.expansions_per_tick.unwrap_or(u64::MAX);
        let for_exits = self.let_out((budget / 4).max(1));
        let for_routes = for_exits + self.find_routes((budget / 2).max(1));
        let searched = self.crew.search().expanded();
        // However much was spent on routes: who is on its way has to go on planning.
        let for_plans = budget.saturating_sub(for_routes).max((budget / 2).max(1));
        self.crew.plan_due(&self.spaces, &mut self.guides, for_plans);
        self.crew.advance(&self.spaces, &mut self.guides);
        self.expanded = for_routes + self.crew.search().expanded() - searched;
        self.note_crew_events();
        self.note_arrivals();
        self.expanded += self.make_way();
        self.expanded += self.exchange_places();
        self.look_for_lost();
        self.note_steps();
        self.hash = self.state_hash();
        self.report()
    }

    /// What came of the last tick.
    #[must_use]
    pub fn report(&self) -> TickReport<'_> {
        TickReport {
            tick: self.now(),
            steps: &self.steps,
            events: &self.events,
            hash: self.hash,
            expanded: self.expanded,
        }
    }

    fn note_crew_events(&mut self) {
        for &event in self.crew.events() {
            self.events.extend(match event {
                CrewEvent::Promoted { unit } => Some(Event::Promoted { unit: UnitId::new(unit) }),
                CrewEvent::Overridden { unit, by } => {
                    Some(Event::Overridden { unit: UnitId::new(unit), by: UnitId::new(by) })
                }
                CrewEvent::Forced { unit } if self.crew.forced_ticks(unit) == 1 => {
                    Some(Event::Blocked { unit: UnitId::new(unit) })
                }
                CrewEvent::Forced { .. } | CrewEvent::NoPath { .. } => None,
            });
        }
    }

    /// Units on their destination have arrived, and go on to their next order.
    fn note_arrivals(&mut self) {
        for unit in 0..self.units.len() as u32 {
            let Some(resident) = &self.units[unit as usize] else { continue };
            let there = resident.destination.map(Whereabouts::Standing);
            if resident.status != UnitStatus::Going || self.crew.whereabouts(unit) != there {
                continue;
            }
            self.arrive(UnitId::new(unit));
        }
    }

    fn arrive(&mut self, unit: UnitId) {
        let Ok(resident) = self.resident_mut(unit) else { return };
        if resident.cut_short {
            return self.ask_for_rest_of_route(unit.to_bits());
        }
        if let Order::Enter(building) = resident.order {
            return self.go_in(unit, building);
        }
        resident.status = UnitStatus::Arrived;
        let (kind, at) = (resident.kind, resident.destination.unwrap_or(Position(0)));
        let next = resident.next_order();
        self.crew.set_resting(unit.to_bits(), true);
        self.events.push(Event::Arrived { unit, at: self.spaces[kind].cell(at) });
        if let Some(order) = next {
            self.carry_out(unit, &order);
        }
    }

    fn look_for_lost(&mut self) {
        for unit in std::mem::take(&mut self.guides.lost) {
            let on_its_way = |status| matches!(status, UnitStatus::Going | UnitStatus::Arrived);
            if self.status(UnitId::new(unit)).is_some_and(on_its_way) {
                self.ask_for_route(unit);
            }
        }
    }

    fn note_steps(&mut self) {
        let mut before = std::mem::take(&mut self.steps).into_iter().peekable();
        let mut steps = Vec::with_capacity(self.units.len());
        for unit in self.units() {
            let Some((at, heading)) = self.place(unit) else { continue };
            while before.next_if(|step| step.unit < unit).is_some() {}
            let from = before.next_if(|step| step.unit == unit).map_or(at, |step| step.at);
            steps.push(Step { unit, from, at, heading });
        }
        self.steps = steps;
    }

    /// Begins an order: what the unit did before is over.
    pub(crate) fn carry_out(&mut self, unit: UnitId, order: &Order) {
        let Ok(resident) = self.resident_mut(unit) else { return };
        resident.order.clone_from(order);
        resident.rerouting = false;
        resident.cut_short = false;
        resident.route_effort = 0;
        if resident.is_inside() {
            return;
        }
        match order {
            Order::GoTo(_) | Order::Enter(_) => {
                resident.status = UnitStatus::Routing;
                self.set_destination(unit.to_bits(), None);
                self.ask_for_route(unit.to_bits());
            }
            Order::Stop => self.rest(unit, UnitStatus::Idle, Stance::Resting),
            Order::Hold => self.rest(unit, UnitStatus::Holding, Stance::Holding),
        }
    }

    pub(crate) fn rest(&mut self, unit: UnitId, status: UnitStatus, stance: Stance) {
        self.set_destination(unit.to_bits(), None);
        self.guides.clear(unit.to_bits());
        if let Ok(resident) = self.resident_mut(unit) {
            resident.status = status;
        }
        self.crew.set_stance(unit.to_bits(), stance);
    }

    /// Tells everybody where the unit wants to stay; its old destination is free again, and
    /// its errand over.
    pub(crate) fn set_destination(&mut self, unit: u32, at: Option<Position>) {
        let Some(resident) = self.units[unit as usize].as_mut() else { return };
        let space = &self.spaces[resident.kind];
        let old = std::mem::replace(&mut resident.destination, at);
        if resident.errand.take().is_some() {
            self.crew.set_stance(unit, Stance::Resting);
        }
        let keeps = matches!(resident.order, Order::GoTo(_)) && !resident.cut_short;
        let destinations = &mut self.destinations;
        for (place, owner) in [(old, NOBODY), (at.filter(|_| keeps), unit)] {
            let Some(place) = place else { continue };
            space.standing(place, |entry| {
                if owner == unit || destinations[entry.get()] == unit {
                    destinations[entry.get()] = owner;
                }
                true
            });
        }
        self.crew.set_post(&self.spaces, unit, at.filter(|_| keeps));
    }
}
