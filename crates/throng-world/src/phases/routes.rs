//! A phase of the tick: routes for units that were told to go somewhere.
//!
//! A route is found once, from where the unit is to any of its goals; then
//! [`WorldDistances`](crate::distances::WorldDistances) takes over. Several threads can work at
//! a batch. A batch has the same size for any number of them, so the result is the same too.
//!
//! A route that leads through a unit that stands for long is found again, around all walls of
//! [`Standing`]. If there is no such route, the unit takes the first one and waits at the wall.

use throng_grid::{Answer, Ground, Jps, Path, Query, QueryError};
use throng_hierarchy::{Algorithm, LazyHierarchy, PathSearcher};
use throng_model::{Budget, Cell, Interrupt, UnitId, Weight};
use throng_spacetime::{GridSpace, Position, Space};

use super::density::Density;
use super::link_routes::{Hop, WaySearch};
use crate::link::LinkId;
use crate::queries::reach;
use crate::standing::Standing;
use crate::state::{State, Terrain};
use crate::unit::{Detour, Doing, UnitStatus};
use crate::{Event, Order};

/// Routes that are found before the budget is looked at again.
const BATCH: usize = 16;
/// What an order costs besides its search: distances along the route, and the first window. With
/// the default budget about 500 units set out per tick.
const CHARGE: u64 = 64;
/// The same for a unit in a crowd, which plans no window.
const CHARGE_IN_CROWD: u64 = 20;
/// What an expansion of jump point search costs on a large map, where jumps are long.
const CHARGE_PER_JUMP: u64 = 2;
/// How far around a taken destination another is looked for, in cells.
const LOOK_AROUND: u16 = 64;
/// Nodes expanded at most for a route to a place nearby.
const NEARBY: u64 = 1 << 16;
/// Maps of so many positions are large. There jump point search has a weight: with 1.05 ten
/// thousand routes on 1024 x 1024 cells take a third of the time among scattered obstacles, and
/// three quarters in caves. A route is at most 5% longer than the shortest.
const LARGE_MAP_POSITIONS: usize = 1 << 16;
const LARGE_MAP_PERMILLE: u32 = 1050;

/// Memory for searches, one set per thread.
#[derive(Clone, Debug)]
pub(crate) struct Searchers(Vec<PathSearcher>);

/// A route that a unit needs.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) unit: UnitId,
    pub(crate) profile: usize,
    pub(crate) starts: Vec<Cell>,
    pub(crate) goals: Vec<Cell>,
    /// Nodes that may be expanded for it.
    pub(crate) budget: u64,
    /// Whether units that stand for long are walls.
    pub(crate) is_around: bool,
    /// The links that it may use.
    pub(super) hops: Vec<Hop>,
}

/// What a search answered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reply {
    /// The whole path, or as much of it as the budget allowed.
    pub(crate) path: Option<Path>,
    pub(crate) expanded: u64,
    pub(crate) end: SearchEnd,
    /// Whether the path leads around units that stand for long.
    pub(crate) is_around: bool,
    /// The link to whose beginning it leads.
    pub(crate) via: Option<LinkId>,
}

/// How a search ended. A query that was refused is not a proof that there is no path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SearchEnd {
    Found,
    Unreachable,
    #[default]
    BudgetSpent,
    Refused,
}

impl Searchers {
    pub(crate) fn new(threads: usize) -> Self {
        Self(vec![PathSearcher::default(); threads.clamp(1, 64)])
    }

    /// How many threads there are.
    pub(crate) fn threads(&self) -> usize {
        self.0.len()
    }

    fn answer(
        &mut self,
        state: &mut State,
        requests: &[Request],
        interrupt: Option<Interrupt<'_>>,
    ) -> Vec<Reply> {
        requests.iter().for_each(|request| request.prepare(state));
        let mut replies = vec![Reply::default(); requests.len()];
        let share = requests.len().div_ceil(self.0.len()).max(1);
        let (terrain, standing) = (&state.terrain, &state.distances.standing);
        let work = |searcher: &mut PathSearcher, requests: &[Request], replies: &mut [Reply]| {
            for (request, reply) in requests.iter().zip(replies) {
                *reply = request.answer(searcher, (terrain, standing), interrupt);
            }
        };
        let parts = self.0.iter_mut().zip(requests.chunks(share).zip(replies.chunks_mut(share)));
        if requests.len() <= share {
            parts.for_each(|(searcher, (requests, replies))| work(searcher, requests, replies));
        } else {
            std::thread::scope(|scope| {
                for (searcher, (requests, replies)) in parts {
                    scope.spawn(move || work(searcher, requests, replies));
                }
            });
        }
        replies
    }

    /// Answers a query by A* on a ground of its own; the path, and the nodes expanded.
    pub(super) fn find_by_astar(
        &mut self,
        ground: &Ground,
        query: &Query<'_>,
        budget: Budget<'_>,
    ) -> (Option<Path>, u64) {
        let hierarchy = LazyHierarchy::default();
        let found = self.0[0].find(ground, &hierarchy, Algorithm::AStar, query, budget).ok();
        found.map_or((None, 0), |found| (found.answer.found(), found.expanded))
    }

    pub(crate) fn answer_one(&mut self, state: &mut State, request: Request) -> Reply {
        self.answer(state, &[request], None).pop().unwrap_or_default()
    }

    /// Finds the routes that lead through walls again, around them.
    fn lead_around(
        &mut self,
        state: &mut State,
        requests: &[Request],
        replies: &mut [Reply],
        interrupt: Option<Interrupt<'_>>,
    ) {
        let is_through_wall = |&index: &usize| {
            let (request, path) = (&requests[index], &replies[index].path);
            !request.is_around && path.as_ref().is_some_and(|path| request.meets_wall(state, path))
        };
        let through: Vec<usize> = (0..requests.len()).filter(is_through_wall).collect();
        let around = |&index: &usize| Request { is_around: true, ..requests[index].clone() };
        let requests: Vec<Request> = through.iter().map(around).collect();
        requests.iter().for_each(|request| state.make_view(request.profile));
        let found = self.answer(state, &requests, interrupt);
        for (index, mut around) in through.into_iter().zip(found) {
            around.expanded += replies[index].expanded;
            if around.end == SearchEnd::Found {
                replies[index] = around;
            } else {
                replies[index].expanded = around.expanded;
            }
        }
    }
}

impl Request {
    fn algorithm(&self, ground: &Ground) -> Algorithm {
        if is_large_and_plain(ground) { Algorithm::Jps } else { Algorithm::Auto }
    }

    fn query(&self, ground: &Ground) -> Query<'_> {
        let query = Query::new(&self.starts, &self.goals);
        match Weight::from_permille(LARGE_MAP_PERMILLE).ok().filter(|_| is_large_and_plain(ground))
        {
            Some(weight) => query.with_weight(weight),
            None => query,
        }
    }

    /// Makes the hierarchy ready that the search needs.
    fn prepare(&self, state: &mut State) {
        let view = state.distances.standing_mut().view_mut(self.profile).filter(|_| self.is_around);
        let (space, hierarchy) = match view {
            Some(view) => (&view.space, &mut view.hierarchy),
            None => {
                (&state.terrain.spaces[self.profile], &mut state.terrain.hierarchies[self.profile])
            }
        };
        let ground = space.ground();
        hierarchy.prepare(ground, self.algorithm(ground), &self.query(ground));
    }

    fn answer(
        &self,
        searcher: &mut PathSearcher,
        (terrain, standing): (&Terrain, &Standing),
        interrupt: Option<Interrupt<'_>>,
    ) -> Reply {
        let view = standing.view(self.profile).filter(|_| self.is_around);
        let (space, hierarchy) = match view {
            Some(view) => (&view.space, &view.hierarchy),
            None => (&terrain.spaces[self.profile], &terrain.hierarchies[self.profile]),
        };
        let ground = space.ground();
        let budget = Budget { expansions: Some(self.budget), interrupt };
        if !self.hops.is_empty() {
            let find = |ground: &Ground, query: &Query<'_>, budget: Budget<'_>| {
                let algorithm = self.algorithm(ground);
                let found = searcher.find(ground, hierarchy, algorithm, query, budget).ok();
                found.map_or((None, 0), |found| (Some(found.answer), found.expanded))
            };
            let search = WaySearch::new(space, &self.hops, find, self.budget, interrupt);
            let reply = search.run(&self.starts, &self.goals);
            return Reply { is_around: view.is_some(), ..reply };
        }
        let (algorithm, query) = (self.algorithm(ground), self.query(ground));
        let found = searcher.find(ground, hierarchy, algorithm, &query, budget);
        let reply = match found {
            Ok(found) => Reply::of(found.answer, found.expanded),
            Err(error) => Reply { end: end_of_refusal(&error), ..Reply::default() },
        };
        Reply { is_around: view.is_some(), ..reply }
    }

    /// Whether a path leads through a unit that stands for long.
    fn meets_wall(&self, state: &State, path: &Path) -> bool {
        let space = &state.terrain.spaces[self.profile];
        let standing = &state.distances.standing;
        let mut positions = path.cells.iter().filter_map(|&cell| space.position(cell));
        !standing.is_empty() && positions.any(|at| standing.is_on_wall(space, at))
    }
}

/// Whether routes over this ground may be a little longer than the shortest.
fn is_large_and_plain(ground: &Ground) -> bool {
    Jps::supports(ground) && ground.factors().len() >= LARGE_MAP_POSITIONS
}

/// A start or goal on which the unit cannot stand cannot be reached; any other refusal is a
/// failure of ours.
fn end_of_refusal(error: &QueryError) -> SearchEnd {
    match error {
        QueryError::GroundChanged => SearchEnd::Refused,
        _ => SearchEnd::Unreachable,
    }
}

impl Reply {
    fn of(answer: Answer, expanded: u64) -> Self {
        match answer {
            Answer::Found(path) => {
                Self { path: Some(path), expanded, end: SearchEnd::Found, ..Self::default() }
            }
            Answer::BudgetSpent { nearest, .. } => {
                let path = Some(nearest).filter(|path| path.cells.len() > 1);
                Self { path, expanded, end: SearchEnd::BudgetSpent, ..Self::default() }
            }
            _ => Self { expanded, end: SearchEnd::Unreachable, ..Self::default() },
        }
    }
}

/// Finds routes within about this budget, for the longest waiting first; the nodes expanded.
pub(crate) fn run(
    state: &mut State,
    searchers: &mut Searchers,
    density: &Density,
    budget: Budget<'_>,
) -> u64 {
    let most = budget.expansions.unwrap_or(u64::MAX);
    let mut spent = 0;
    while !state.routing.is_empty() && spent < most && !budget.is_interrupted() {
        let count = state.routing.len().min(BATCH);
        let units: Vec<UnitId> = state.routing.drain(..count).collect();
        let requests = units.into_iter().filter_map(|unit| request(state, unit, most));
        let requests: Vec<_> = requests.collect();
        let mut replies = searchers.answer(state, &requests, budget.interrupt);
        if !state.distances.standing.is_empty() {
            searchers.lead_around(state, &requests, &mut replies, budget.interrupt);
        }
        for (request, reply) in requests.into_iter().zip(replies) {
            spent += charge(state, density, &request, &reply);
            take_route(state, &request, reply);
        }
    }
    spent
}

/// What a route counts for in the budget.
fn charge(state: &State, density: &Density, request: &Request, reply: &Reply) -> u64 {
    let ground = state.terrain.spaces[request.profile].ground();
    let per_node = if is_large_and_plain(ground) { CHARGE_PER_JUMP } else { 1 };
    let is_in_crowd = density.surrounds(state, request.unit);
    per_node * reply.expanded + if is_in_crowd { CHARGE_IN_CROWD } else { CHARGE }
}

/// Units too far off their route get another.
pub(crate) fn reroute_lost(state: &mut State) {
    for unit in std::mem::take(&mut state.distances.lost) {
        if let Some(UnitStatus::Going | UnitStatus::Arrived) = state.status(unit) {
            state.request_route(unit);
        }
    }
}

/// What to search for a unit; `None` if that is clear without a search.
fn request(state: &mut State, unit: UnitId, budget: u64) -> Option<Request> {
    let assignment = state.assignment_mut(unit)?;
    assignment.is_queued_for_route = false;
    let detour = assignment.detour.as_mut();
    let is_around = detour.is_some_and(|detour| std::mem::take(&mut detour.is_wanted));
    let attempts = assignment.route_attempts;
    // It may have been told something else since it asked.
    let (UnitStatus::Routing | UnitStatus::Going | UnitStatus::Unreachable | UnitStatus::NoRoom) =
        assignment.status()
    else {
        return None;
    };
    let profile = state.units.get(unit)?.space;
    let at = state.units.free_at(unit)?;
    let starts = first_cells(&state.terrain.spaces[profile], at);
    let goals = goals(state, unit, &starts);
    if goals.is_empty() && is_around {
        keep_route(state, unit);
        return None;
    }
    if goals.is_empty() {
        if is_only_taken(state, unit, &starts) {
            wait_for_room(state, unit);
        } else {
            give_up(state, unit);
        }
        return None;
    }
    // A single search may take the whole budget, and twice as much each time that is not enough,
    // so that it ends some day.
    let budget = budget.saturating_mul(1_u64.checked_shl(attempts).unwrap_or(u64::MAX));
    let hops = hops(state, profile, &starts);
    Some(Request { unit, profile, starts, goals, budget, is_around, hops })
}

/// The links that a unit may use on its way from one of these cells.
fn hops(state: &State, profile: usize, starts: &[Cell]) -> Vec<Hop> {
    if state.links.is_empty() {
        return Vec::new();
    }
    let space = &state.terrain.spaces[profile];
    let starts = state.starts_beyond_links(profile, starts);
    let is_reached =
        |from: Cell| starts.iter().any(|&start| space.ground().is_connected(start, from));
    let links = state.usable_links(profile).filter(|(_, link)| is_reached(link.from));
    links.map(|(id, link)| Hop::new(id, link, space)).collect()
}

/// The cells that the unit could take as its destination now, if it sets out from any of these.
pub(crate) fn goals(state: &State, unit: UnitId, starts: &[Cell]) -> Vec<Cell> {
    let Some(record) = state.units.get(unit) else { return Vec::new() };
    let ground = state.space(record).ground();
    let starts = state.starts_beyond_links(record.space, starts);
    let is_reachable = |&cell: &Cell| {
        ground.can_stand(cell) && starts.iter().any(|&start| ground.is_connected(start, cell))
    };
    match &record.activity.order {
        Order::Enter(building) => {
            let entrances = state.building(*building).map_or(&[][..], |b| &b.entrances);
            entrances.iter().copied().filter(is_reachable).collect()
        }
        Order::Stop | Order::Hold => Vec::new(),
        order => match order.track() {
            Some(track) => goals_near_unit(state, track.unit, is_reachable),
            None => free_goals(state, unit, is_reachable),
        },
    }
}

/// Where a unit can go that was told to go to some cells.
fn free_goals(state: &State, unit: UnitId, is_reachable: impl Fn(&Cell) -> bool) -> Vec<Cell> {
    let Some(record) = state.units.get(unit) else { return Vec::new() };
    let (order, space) = (&record.activity.order, state.space(record));
    let sides_meet = state.terrain.planes.sides_meet();
    let is_taken = |cell: Cell| {
        let has_stranger =
            |at: Position| sides_meet && state.distances.standing.is_on_wall(space, at);
        state.is_taken(unit, cell) || space.position(cell).is_some_and(has_stranger)
    };
    let reachable: Vec<Cell> = order.cells().iter().copied().filter(&is_reachable).collect();
    let free: Vec<Cell> = reachable.iter().copied().filter(|&cell| !is_taken(cell)).collect();
    if !free.is_empty() {
        return free;
    }
    let is_vacant = |cell: &Cell| is_reachable(cell) && !is_taken(*cell);
    match (order, reachable.first()) {
        (_, Some(&spot)) => nearest_ring(spot, LOOK_AROUND, is_vacant),
        (Order::Approach(_) | Order::Patrol(_), None) => {
            let spot = order.cells().first().copied().unwrap_or_default();
            nearest_ring(spot, reach(state.terrain.map(), spot), is_vacant)
        }
        _ => Vec::new(),
    }
}

/// Where a unit can go that goes after another.
fn goals_near_unit(
    state: &State,
    target: UnitId,
    is_reachable: impl Fn(&Cell) -> bool,
) -> Vec<Cell> {
    let place = state.units.get(target).zip(state.units.free_at(target));
    let Some(cell) = place.map(|(record, at)| state.space(record).cell(at)) else {
        return Vec::new();
    };
    if is_reachable(&cell) { vec![cell] } else { nearest_ring(cell, LOOK_AROUND, is_reachable) }
}

/// Whether the unit can get to where it was told to go, and only has no place there. As near as
/// possible is where it is, if nowhere else.
fn is_only_taken(state: &State, unit: UnitId, starts: &[Cell]) -> bool {
    let Some(record) = state.units.get(unit) else { return false };
    if let Order::Approach(_) | Order::Patrol(_) = record.activity.order {
        return !starts.is_empty();
    }
    let ground = state.space(record).ground();
    let starts = state.starts_beyond_links(record.space, starts);
    let mut cells = record.activity.order.cells().iter();
    cells.any(|&cell| {
        ground.can_stand(cell) && starts.iter().any(|&start| ground.is_connected(start, cell))
    })
}

/// All places are taken. That is said once; the unit tries again now and then.
fn wait_for_room(state: &mut State, unit: UnitId) {
    let is_known = state.status(unit) == Some(UnitStatus::NoRoom);
    state.rest(unit, Doing::NoRoom);
    if !is_known {
        state.events.push(Event::NoRoom { unit });
    }
    state.attend(unit);
    state.begin_next_order(unit);
}

/// The accepted cells of the nearest ring that has any.
fn nearest_ring(spot: Cell, reach: u16, accepts: impl Fn(&Cell) -> bool) -> Vec<Cell> {
    let ring = |cell: Cell| cell.x.abs_diff(spot.x).max(cell.y.abs_diff(spot.y));
    let mut found = spot.rings(reach).filter(accepts).peekable();
    let nearest = found.peek().map(|&cell| ring(cell));
    found.take_while(|&cell| Some(ring(cell)) == nearest).collect()
}

fn take_route(state: &mut State, request: &Request, mut reply: Reply) {
    let (unit, now) = (request.unit, state.now());
    let is_complete = reply.end == SearchEnd::Found;
    if let Some(path) = reply.path.as_mut().filter(|_| is_complete && reply.via.is_none()) {
        super::attention::stop_short(state, unit, &mut path.cells);
    }
    if request.is_around && !is_complete {
        return keep_route(state, unit);
    }
    let Some(assignment) = state.assignment_mut(unit) else { return };
    let is_tried_again = matches!(reply.end, SearchEnd::BudgetSpent | SearchEnd::Refused);
    assignment.route_attempts =
        if is_tried_again { assignment.route_attempts.saturating_add(1) } else { 0 };
    let end = reply.path.as_ref().and_then(|path| path.cells.last().copied());
    let Some((path, end)) = reply.path.zip(end) else {
        return if is_tried_again { state.request_route(unit) } else { give_up(state, unit) };
    };
    let is_shared = reply.via.is_some() || !assignment.order.owns_destination();
    assignment.via = reply.via;
    // Another unit of the same batch may have been given the place.
    if is_complete && !is_shared && state.is_taken(unit, end) {
        return state.request_route(unit);
    }
    let detour = reply.is_around.then(|| Detour::found(now));
    state.assignment_mut(unit).into_iter().for_each(|a| a.detour = detour);
    state.set_route(unit, positions(&state.terrain.spaces[request.profile], &path));
    let destination = state.terrain.spaces[request.profile].position(end);
    start_going(state, unit, destination, !is_complete);
}

/// There is no route around the walls: the unit waits at them.
fn keep_route(state: &mut State, unit: UnitId) {
    let (now, standing) = (state.now(), &state.distances.standing);
    let Some(assignment) = state.units.activity_mut(unit) else { return };
    assignment.detour = Some(assignment.detour.unwrap_or_default().failed(now, standing));
    assignment.is_rerouting = false;
}

fn positions(space: &GridSpace, path: &Path) -> Vec<Position> {
    path.cells.iter().filter_map(|&cell| space.position(cell)).collect()
}

fn start_going(state: &mut State, unit: UnitId, to: Option<Position>, is_partial: bool) {
    state.set_destination(unit, None);
    let Some(assignment) = state.assignment_mut(unit) else { return };
    assignment.is_route_partial = is_partial;
    let is_rerouted = std::mem::take(&mut assignment.is_rerouting);
    state.set_doing(unit, Doing::Going);
    state.set_destination(unit, to);
    if is_rerouted {
        state.events.push(Event::Rerouted { unit });
    }
}

/// There is no path. That is said once, even if edits make the unit look again.
fn give_up(state: &mut State, unit: UnitId) {
    let is_known = state.status(unit) == Some(UnitStatus::Unreachable);
    state.rest(unit, Doing::Unreachable);
    if !is_known {
        state.events.push(Event::Unreachable { unit });
    }
    state.begin_next_order(unit);
}

/// Sends a unit to a place nearby, without an order; whether there is a path, and the nodes
/// expanded.
pub(crate) fn route_nearby(
    state: &mut State,
    searchers: &mut Searchers,
    unit: UnitId,
    to: Position,
) -> (bool, u64) {
    let (Some(at), Some(record)) = (state.units.free_at(unit), state.units.get(unit)) else {
        return (false, 0);
    };
    let profile = record.space;
    let space = &state.terrain.spaces[profile];
    let (starts, goals) = (first_cells(space, at), vec![space.cell(to)]);
    let (budget, hops) = (NEARBY, Vec::new());
    let request = Request { unit, profile, starts, goals, budget, is_around: false, hops };
    let reply = searchers.answer_one(state, request);
    let found = reply.path.filter(|_| reply.end == SearchEnd::Found);
    if let Some(path) = &found {
        state.set_route(unit, positions(&state.terrain.spaces[profile], path));
    }
    (found.is_some(), reply.expanded)
}

/// Where a unit's route can begin: where it is, or for a unit in a wall that was built around
/// it, where it can step out.
pub(crate) fn first_cells(space: &GridSpace, at: Position) -> Vec<Cell> {
    if space.ground().can_stand(space.cell(at)) {
        return vec![space.cell(at)];
    }
    let mut beside = Vec::new();
    space.for_each_move(at, |step| beside.push(space.cell(step.to)));
    beside
}
