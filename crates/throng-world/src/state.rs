//! The state of the world and the operations that keep its parts in step.
//!
//! Every write to a unit's activity, destination or source of distances goes through here, so
//! that record, goal index, reservation table and shared distances never disagree. An edit of the
//! map reaches the views of all movement profiles through [`Terrain`].

use std::collections::VecDeque;
use std::sync::Arc;

use throng_cooperative::{Claim, Destination, Location, Priority, UnitRecord, UnitStore};
use throng_hierarchy::LazyHierarchy;
use throng_model::{
    Budget, Building, BuildingId, Cell, Change, Conflicts, Effort, Map, MovementProfile, Rect,
    TerrainClass, TerrainId, Tick, UnitId,
};
use throng_spacetime::{Entry, FootprintRules, GridSpace, PassingRule, Position, Space};

use crate::capacity::Capacity;
use crate::distances::WorldDistances;
use crate::gate_map::GateMap;
use crate::link::Link;
use crate::phases::density::Room;
use crate::phases::detours;
use crate::phases::gates::GateTurn;
use crate::phases::jam_planning::JamAttempt;
use crate::phases::jams::Jam;
use crate::phases::marches::March;
use crate::phases::passages::Batch;
use crate::planes::{Plane, Planes};
use crate::step::Heading;
use crate::teams::Teams;
use crate::unit::{Assignment, Doing, Stand, UnitStatus, Wall};
use crate::{Event, Order, WorldError};

/// Everything that a tick reads and writes.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) terrain: Terrain,
    pub(crate) teams: Teams,
    /// One record per unit, with reservation table and goal index.
    pub(crate) units: UnitStore<Assignment>,
    /// Distances that units share.
    pub(crate) distances: WorldDistances,
    /// `None` where one was removed.
    pub(crate) buildings: Vec<Option<Building>>,
    /// How many units find room in a building, by number; `None` and beyond the last: any number.
    pub(crate) capacities: Vec<Option<Capacity>>,
    /// `None` where one was removed.
    pub(crate) links: Vec<Option<Link>>,
    /// Units whose orders are looked at in every tick, by slot; some may need it no more. Not
    /// stored: it follows from their records.
    pub(crate) attended: Vec<UnitId>,
    /// Groups that are on their way in formation.
    pub(crate) marches: Vec<March>,
    /// Groups of units that block each other, with the moves that they do.
    pub(crate) jams: Vec<Jam>,
    /// The passages that are used in batches of one direction, ordered by their mouths.
    pub(crate) batches: Vec<Batch>,
    /// Passages that are open from one side, by row and column.
    pub(crate) gates: Vec<GateTurn>,
    /// Expansions that may be spent on the plans of jams.
    pub(crate) jam_credit: u64,
    /// The jam whose plan is searched for, if that takes more than a tick.
    pub(crate) jam_attempt: Option<JamAttempt>,
    /// Units that wait for a route, the longest waiting first.
    pub(crate) routing: VecDeque<UnitId>,
    /// What happened in this tick.
    pub(crate) events: Vec<Event>,
}

impl State {
    pub(crate) fn now(&self) -> Tick {
        self.units.now()
    }

    pub(crate) fn record(&self, unit: UnitId) -> Result<&UnitRecord<Assignment>, WorldError> {
        self.units.get(unit).ok_or(WorldError::NoSuchUnit(unit))
    }

    pub(crate) fn assignment(&self, unit: UnitId) -> Option<&Assignment> {
        self.units.get(unit).map(|record| &record.activity)
    }

    pub(crate) fn assignment_mut(&mut self, unit: UnitId) -> Option<&mut Assignment> {
        self.units.activity_mut(unit)
    }

    pub(crate) fn status(&self, unit: UnitId) -> Option<UnitStatus> {
        self.assignment(unit).map(Assignment::status)
    }

    pub(crate) fn building(&self, id: BuildingId) -> Result<&Building, WorldError> {
        let building = self.buildings.get(id.index()).filter(|_| id.generation() == 0);
        building.and_then(Option::as_ref).ok_or(WorldError::NoSuchBuilding(id))
    }

    /// The plane of a unit.
    pub(crate) fn plane_of(&self, unit: UnitId) -> u8 {
        self.units.get(unit).map_or(0, |record| self.terrain.plane_of(record.space))
    }

    /// The space of a unit's movement profile.
    pub(crate) fn space(&self, record: &UnitRecord<Assignment>) -> &GridSpace {
        &self.terrain.spaces[record.space]
    }

    /// Where a unit is, and the step it is in; `None` for one in a building or a link.
    pub(crate) fn location(&self, unit: UnitId) -> Option<(Cell, Option<Heading>)> {
        let space = self.space(self.units.get(unit)?);
        Some(match self.units.location(unit)? {
            Location::Standing(at) => (space.cell(at), None),
            Location::Moving { from, to, arrival } => {
                let ticks_left = arrival.0 - self.now().0;
                // The map may have changed since the step began.
                let begun = self.units.last_move(unit).map_or(self.now(), |leg| leg.tick);
                let ticks = arrival.0 - begun.0;
                (space.cell(from), Some(Heading { to: space.cell(to), ticks_left, ticks }))
            }
        })
    }

    /// The ticks of the step that the unit is in, or has just ended.
    #[inline]
    pub(crate) fn step_ticks(&self, unit: UnitId, record: &UnitRecord<Assignment>) -> u32 {
        let space = self.space(record);
        if space.has_even_steps() {
            return space.move_ticks_max();
        }
        let step = self.units.last_move(unit);
        step.and_then(|leg| space.move_by(leg.from, leg.action)).map_or(1, |step| step.ticks)
    }

    /// Whether the unit stands on its destination.
    pub(crate) fn is_home(&self, unit: UnitId) -> bool {
        let destination = self.units.get(unit).and_then(UnitRecord::destination);
        self.units.location(unit) == destination.map(Location::Standing)
    }

    /// Changes what a unit is doing and lets it plan from scratch.
    pub(crate) fn set_doing(&mut self, unit: UnitId, doing: Doing) {
        if let Some(assignment) = self.assignment_mut(unit) {
            assignment.doing = doing;
        }
        self.units.restart_planning(unit);
    }

    /// Sets where a unit wants to stay. It no longer yields to another.
    pub(crate) fn set_destination(&mut self, unit: UnitId, at: Option<Position>) {
        let Some(assignment) = self.assignment_mut(unit) else { return };
        let is_exclusive = assignment.owns_destination();
        if assignment.doing.yielding().is_some() {
            let doing = assignment.doing.without_yielding();
            self.set_doing(unit, doing);
        }
        let destination = at.map(|at| Destination { at, is_exclusive });
        self.units.set_destination(&self.terrain.spaces, unit, destination);
    }

    /// The unit goes along a route from now on.
    pub(crate) fn set_route(&mut self, unit: UnitId, route: Vec<Position>) {
        let Some(record) = self.units.get(unit) else { return };
        let profile = record.space;
        let space = &self.terrain.spaces[profile];
        if let Some(assignment) = self.units.activity_mut(unit) {
            self.distances.set(unit, &mut assignment.source, (space, profile), route);
        }
    }

    /// The unit has nowhere to go any more.
    pub(crate) fn clear_route(&mut self, unit: UnitId) {
        if let Some(assignment) = self.units.activity_mut(unit) {
            self.distances.clear(unit, &mut assignment.source);
        }
    }

    /// Makes the view of a profile with the walls of standing units.
    pub(crate) fn make_view(&mut self, profile: usize) {
        let (map, space) = (self.terrain.map(), &self.terrain.spaces[profile]);
        let plane = self.terrain.plane_of(profile);
        self.distances.standing_mut().make_view(map, (profile, plane), space);
        self.distances.follow_walls();
    }

    /// Takes a unit off the map: its claims, its destination and its route are gone.
    pub(crate) fn leave_map(&mut self, unit: UnitId) {
        detours::remove_wall(self, unit);
        self.set_destination(unit, None);
        self.clear_route(unit);
        self.units.lift(&self.terrain.spaces, unit);
    }

    /// Removes a unit from the world.
    pub(crate) fn remove(&mut self, unit: UnitId) {
        self.leave_map(unit);
        self.routing.retain(|&waiting| waiting != unit);
        self.marches.iter_mut().for_each(|march| march.remove(unit));
        self.units.remove(&self.terrain.spaces, unit);
    }

    /// Begins an order: what the unit did before is over.
    pub(crate) fn begin_order(&mut self, unit: UnitId, order: &Order) {
        self.end_march(unit);
        self.take_up_order(unit, order);
    }

    /// The unit goes on with its order after something has come between: it looks for a route from
    /// where it is now. It stays in its formation.
    pub(crate) fn resume_order(&mut self, unit: UnitId) {
        if let Some(order) = self.assignment(unit).map(|assignment| assignment.order.clone()) {
            self.take_up_order(unit, &order);
        }
    }

    fn take_up_order(&mut self, unit: UnitId, order: &Order) {
        if *order != Order::Hold {
            detours::remove_wall(self, unit);
        }
        let Some(assignment) = self.assignment_mut(unit) else { return };
        assignment.order.clone_from(order);
        assignment.is_halted = false;
        assignment.is_rerouting = false;
        assignment.is_route_partial = false;
        assignment.via = None;
        assignment.route_attempts = 0;
        (assignment.detour, assignment.bypass) = Default::default();
        (assignment.crowding.displaced, assignment.crowding.attempts) = Default::default();
        let is_inside = assignment.is_off_map();
        self.attend(unit);
        if is_inside {
            return;
        }
        match order {
            Order::Stop => self.rest(unit, Doing::Idle),
            Order::Hold => self.rest(unit, Doing::Holding),
            _ => {
                self.set_destination(unit, None);
                if let Some(assignment) = self.assignment_mut(unit) {
                    assignment.doing = assignment.doing.waiting_for_route();
                }
                self.queue_for_route(unit);
            }
        }
    }

    /// The order of the unit is looked at in every tick, if it needs that.
    pub(crate) fn attend(&mut self, unit: UnitId) {
        if !self.assignment(unit).is_some_and(Assignment::needs_attention) {
            return;
        }
        if let Err(at) = self.attended.binary_search_by_key(&unit.index(), |unit| unit.index()) {
            self.attended.insert(at, unit);
        } else if let Some(known) =
            self.attended.iter_mut().find(|known| known.index() == unit.index())
        {
            *known = unit;
        }
    }

    /// The unit stands and keeps its orders, until it is told to resume.
    pub(crate) fn halt(&mut self, unit: UnitId) {
        let is_inside = self.assignment(unit).is_none_or(Assignment::is_off_map);
        if is_inside {
            return;
        }
        self.rest(unit, Doing::Holding);
        self.assignment_mut(unit).into_iter().for_each(|a| a.is_halted = true);
    }

    /// The unit stays where it is.
    pub(crate) fn rest(&mut self, unit: UnitId, doing: Doing) {
        self.set_destination(unit, None);
        self.clear_route(unit);
        self.set_doing(unit, doing);
    }

    /// Begins the next order of the queue, if there is one.
    pub(crate) fn begin_next_order(&mut self, unit: UnitId) {
        if let Some(order) = self.assignment_mut(unit).and_then(Assignment::next_order) {
            self.begin_order(unit, &order);
        }
    }

    /// Plans windows for the units that are due, on this thread and on one per planner.
    pub(crate) fn plan_due(&mut self, planners: &mut [WorldDistances], budget: Budget<'_>) {
        let (spaces, distances) = (&self.terrain.spaces, &mut self.distances);
        let unlimited = &mut Effort::unlimited();
        for planner in &mut *planners {
            planner.standing = Arc::clone(&distances.standing);
        }
        self.units.plan_due_in_batches(spaces, distances, planners, budget, unlimited);
        // With one owner again it can be changed without a copy.
        planners.iter_mut().for_each(|planner| planner.standing = Arc::default());
        let lost = planners.iter_mut().map(|planner| std::mem::take(&mut planner.lost));
        let mut lost = lost.collect::<Vec<_>>().concat();
        lost.sort_unstable();
        self.distances.lost.append(&mut lost);
    }

    /// The unit gets a route when it is its turn. One that is inside asks when it has come out.
    pub(crate) fn request_route(&mut self, unit: UnitId) {
        if !self.units.get(unit).is_some_and(UnitRecord::is_on_map) {
            return;
        }
        let Some(assignment) = self.assignment_mut(unit) else { return };
        let status = assignment.status();
        assignment.is_rerouting = status == UnitStatus::Going;
        assignment.detour.iter_mut().for_each(|detour| detour.is_wanted = false);
        if !matches!(status, UnitStatus::Going | UnitStatus::Unreachable | UnitStatus::NoRoom) {
            assignment.doing = assignment.doing.waiting_for_route();
        }
        self.queue_for_route(unit);
    }

    fn queue_for_route(&mut self, unit: UnitId) {
        let Some(assignment) = self.assignment_mut(unit) else { return };
        if !std::mem::replace(&mut assignment.is_queued_for_route, true) {
            self.routing.push_back(unit);
        }
    }

    /// The position at a cell, if a unit of the profile can stand there and no unit does.
    pub(crate) fn free_position(&self, profile: usize, cell: Cell) -> Result<Position, WorldError> {
        self.standing_position(profile, cell, |_| true)
    }

    /// The same for a unit whose own body counts as free.
    pub(crate) fn free_position_for(
        &self,
        unit: UnitId,
        profile: usize,
        cell: Cell,
    ) -> Result<Position, WorldError> {
        self.standing_position(profile, cell, |holder| holder != unit)
    }

    fn standing_position(
        &self,
        profile: usize,
        cell: Cell,
        counts: impl Fn(UnitId) -> bool,
    ) -> Result<Position, WorldError> {
        let position = self.terrain.position_on_map(profile, cell);
        let position = position.ok_or(WorldError::OffMap { cell })?;
        let space = &self.terrain.spaces[profile];
        if !space.ground().can_stand(cell) {
            return Err(WorldError::Impassable { cell });
        }
        let (mut holder, now) = (None, self.now());
        space.standing(position, |entry| {
            holder = self.holder(entry, now).map(|claim| claim.unit).filter(|&unit| counts(unit));
            holder.is_none()
        });
        holder.map_or(Ok(position), |by| Err(WorldError::Occupied { cell, by }))
    }

    /// The unit that holds a cell at a tick: of the entry's side, or the body of one of another
    /// side, whose plans are not known.
    pub(crate) fn holder(&self, entry: Entry, tick: Tick) -> Option<Claim> {
        let (planes, table) = (&self.terrain.planes, self.units.table());
        let own = table.holder(entry, tick);
        if own.is_some() || !planes.sides_meet() {
            return own;
        }
        let is_body = |claim: &Claim| claim.priority == Priority::FIXED;
        let mut others = planes.beside(entry).filter_map(|entry| table.holder(entry, tick));
        others.find(is_body)
    }

    /// The number of a movement profile in a plane, made if it is new.
    pub(crate) fn profile(
        &mut self,
        movement: &MovementProfile,
        plane: Plane,
    ) -> Result<usize, WorldError> {
        let planes = self.terrain.planes.list().len();
        let number = self.terrain.planes.add(plane)?;
        let units = &self.units;
        let is_used = |profile| units.iter().any(|(_, record)| record.space == profile);
        let made = self.terrain.profile(movement, number, is_used);
        if made.is_err() {
            self.terrain.planes.truncate(planes);
        } else if self.terrain.planes.list().len() > planes {
            self.units.add_entries(self.terrain.planes.entries());
            detours::cover_new_plane(self, number);
        }
        made
    }

    /// Forgets profiles and planes that were made last, down to these numbers.
    pub(crate) fn truncate_profiles(&mut self, (profiles, planes): (usize, usize)) {
        self.terrain.truncate_profiles(profiles, planes);
        self.distances.standing_mut().truncate_planes(planes, self.terrain.map());
    }

    /// Puts a unit's body on the map.
    pub(crate) fn place(&mut self, unit: UnitId, at: Position) -> Result<(), WorldError> {
        let cell = self.space(self.record(unit)?).cell(at);
        let placed = self.units.place(&self.terrain.spaces, unit, at);
        placed.map_err(|occupied| WorldError::Occupied { cell, by: occupied.0 })?;
        let since = self.now();
        if let Some(assignment) = self.assignment_mut(unit) {
            assignment.reported_at.get_or_insert(cell);
            assignment.stand = Stand { at, since, wall: Wall::None, times: 0 };
        }
        Ok(())
    }

    /// Whether part of the place is the destination of another unit.
    pub(crate) fn is_taken(&self, unit: UnitId, cell: Cell) -> bool {
        let Some(record) = self.units.get(unit) else { return true };
        let space = self.space(record);
        let Some(position) = space.position(cell) else { return true };
        !self.is_unowned(unit, space, position)
    }

    /// Whether no other unit's destination overlaps the place.
    pub(crate) fn is_unowned(&self, unit: UnitId, space: &GridSpace, at: Position) -> bool {
        let goals = self.units.goals();
        space.standing(at, |entry| goals.owner(entry).is_none_or(|owner| owner == unit))
    }
}

/// Most movement profiles at once: each has its own view of the whole map.
pub(crate) const PROFILES_MAX: usize = 64;

/// The map as each movement profile sees it. An edit reaches all views by one call.
#[derive(Clone, Debug)]
pub(crate) struct Terrain {
    pub(crate) map: Map,
    /// By profile, all over the same entries.
    pub(crate) spaces: Vec<GridSpace>,
    /// By profile; built when a route first needs it. It depends on the map alone, so that it
    /// need not be saved.
    pub(crate) hierarchies: Vec<LazyHierarchy>,
    /// How much room each block of the map has, one list per movement profile.
    pub(crate) rooms: Vec<Room>,
    pub(crate) gate_map: GateMap,
    pub(crate) planes: Planes,
    /// By profile.
    plane_of: Vec<u8>,
    rules: FootprintRules,
}

impl Terrain {
    pub(crate) fn new(map: Map, passing: PassingRule, conflicts: Conflicts) -> Self {
        let rules = FootprintRules { passing, conflicts, ..FootprintRules::default() };
        Self {
            planes: Planes::new(&map),
            plane_of: Vec::new(),
            map,
            spaces: Vec::new(),
            hierarchies: Vec::new(),
            rooms: Vec::new(),
            gate_map: GateMap::default(),
            rules,
        }
    }

    pub(crate) fn map(&self) -> &Map {
        &self.map
    }

    pub(crate) fn add_class(&mut self, class: TerrainClass) -> Result<TerrainId, WorldError> {
        Ok(self.map.add_class(class)?)
    }

    /// The plane of a profile, by number.
    pub(crate) fn plane_of(&self, profile: usize) -> u8 {
        self.plane_of.get(profile).copied().unwrap_or_default()
    }

    /// The plane of a profile.
    pub(crate) fn plane(&self, profile: usize) -> Plane {
        self.planes.get(self.plane_of(profile))
    }

    /// How many profiles and planes there are.
    pub(crate) fn profile_count(&self) -> (usize, usize) {
        (self.spaces.len(), self.planes.list().len())
    }

    /// The profile of units that move like this in a plane, if there is one.
    pub(crate) fn find_profile(&self, movement: &MovementProfile, plane: u8) -> Option<usize> {
        let mut profiles = self.spaces.iter().zip(&self.plane_of);
        profiles.position(|(space, &of)| of == plane && space.ground().movement() == movement)
    }

    /// The profile of units that move like this, made if it is new. When all are taken, the
    /// first one that no unit uses is replaced.
    pub(crate) fn profile(
        &mut self,
        movement: &MovementProfile,
        plane: u8,
        is_used: impl Fn(usize) -> bool,
    ) -> Result<usize, WorldError> {
        if let Some(known) = self.find_profile(movement, plane) {
            return Ok(known);
        }
        let rules = FootprintRules { plane, ..self.rules.clone() };
        let space = GridSpace::new(&self.map, movement.clone(), &rules)?;
        let profile = self.add_space(space, plane, is_used)?;
        let planes = self.planes.list().len() as u8;
        self.spaces.iter_mut().for_each(|space| space.set_planes(planes));
        Ok(profile)
    }

    fn add_space(
        &mut self,
        space: GridSpace,
        plane: u8,
        is_used: impl Fn(usize) -> bool,
    ) -> Result<usize, WorldError> {
        if self.spaces.len() < PROFILES_MAX {
            self.rooms.push(Room::new(&space));
            self.spaces.push(space);
            self.hierarchies.push(LazyHierarchy::default());
            self.plane_of.push(plane);
            return Ok(self.spaces.len() - 1);
        }
        let unused = (0..self.spaces.len()).find(|&profile| !is_used(profile));
        let profile = unused.ok_or(WorldError::TooManyProfiles(PROFILES_MAX))?;
        self.rooms[profile] = Room::new(&space);
        self.spaces[profile] = space;
        self.hierarchies[profile] = LazyHierarchy::default();
        self.plane_of[profile] = plane;
        Ok(profile)
    }

    /// Forgets profiles and planes that were made last, down to these numbers.
    fn truncate_profiles(&mut self, count: usize, planes: usize) {
        self.spaces.truncate(count);
        self.rooms.truncate(count);
        self.hierarchies.truncate(count);
        self.plane_of.truncate(count);
        self.planes.truncate(planes);
        self.spaces.iter_mut().for_each(|space| space.set_planes(planes as u8));
    }

    /// Changes the terrain of cells.
    pub(crate) fn paint(&mut self, cells: &[Cell], to: TerrainId) -> Result<Change, WorldError> {
        let change = self.map.paint(cells, to)?;
        self.follow(&change);
        Ok(change)
    }

    /// Changes the terrain of a rectangle.
    pub(crate) fn fill(&mut self, rect: Rect, to: TerrainId) -> Result<Change, WorldError> {
        let change = self.map.fill(rect, to)?;
        self.follow(&change);
        Ok(change)
    }

    fn follow(&mut self, change: &Change) {
        self.gate_map.clear();
        let views = self.spaces.iter_mut().zip(&mut self.hierarchies).zip(&mut self.rooms);
        for ((space, hierarchy), room) in views {
            space.apply(&self.map, change);
            hierarchy.apply(space.ground(), change);
            change.cells.iter().for_each(|changed| room.update(space, changed.cell));
        }
    }

    /// The position at a cell, if the whole body of a unit is on the map there.
    pub(crate) fn position_on_map(&self, profile: usize, cell: Cell) -> Option<Position> {
        let space = &self.spaces[profile];
        let side = u16::from(space.ground().movement().footprint);
        let inside = |at: u16, size: u16| at.checked_add(side).is_some_and(|end| end <= size);
        let fits = inside(cell.x, self.map.width()) && inside(cell.y, self.map.height());
        space.position(cell).filter(|_| fits)
    }
}
