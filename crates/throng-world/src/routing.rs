//! Routes for units that were told to go somewhere.
//!
//! Each is found once, by jump points, over a hierarchy or by A*, from where the unit is to any of its goals;
//! then [`Guides`](crate::guide::Guides) takes over. Several threads can work at a batch; a
//! batch is the same size for any number of them, so that the result is the same too.

use throng_cooperative::Stance;
use throng_grid::{AStar, Answer, Ground, Jps, Path, PathSearch, Query};
use throng_hierarchy::{GridHierarchy, HierarchyMemory, HierarchySearch};
use throng_model::{Budget, Cell, UnitId};
use throng_spacetime::{GridSpace, Position, Space};

use crate::groups::nearest_ring;
use crate::hierarchies::Hierarchies;
use crate::resident::{Resident, UnitStatus};
use crate::world::NOBODY;
use crate::{Event, Order, World};

/// Routes that are found before the budget is looked at again.
const BATCH: usize = 16;
/// What an order costs besides its search: distances along the way are not charged one by
/// one.
const CHARGE: u64 = 64;
/// How far around a taken destination another is looked for, in cells.
const LOOK_AROUND: u16 = 64;
/// Nodes expanded at most for a way to a place nearby.
const NEARBY: u64 = 1 << 16;

/// Memory for searches, one set for each thread.
#[derive(Clone, Debug)]
pub(crate) struct Searchers(Vec<Searcher>);

#[derive(Clone, Debug, Default)]
struct Searcher {
    astar: AStar,
    jps: Jps,
    hierarchy: HierarchyMemory,
}

#[derive(Clone, Debug)]
struct Request {
    unit: u32,
    kind: usize,
    starts: Vec<Cell>,
    goals: Vec<Cell>,
    /// Nodes that may be expanded for it.
    most: u64,
}

#[derive(Clone, Debug, Default)]
struct Reply {
    path: Option<Path>,
    /// Whether this is the answer: not if the budget was spent before there was one.
    complete: bool,
    expanded: u64,
}

impl Searchers {
    pub(crate) fn new(threads: usize) -> Self {
        Self(vec![Searcher::default(); threads.clamp(1, 64)])
    }

    fn answer(
        &mut self,
        spaces: &[GridSpace],
        hierarchies: &Hierarchies,
        requests: &[Request],
    ) -> Vec<Reply> {
        let mut replies = vec![Reply::default(); requests.len()];
        let share = requests.len().div_ceil(self.0.len()).max(1);
        let work = |searcher: &mut Searcher, requests: &[Request], replies: &mut [Reply]| {
            for (request, reply) in requests.iter().zip(replies) {
                let ground = spaces[request.kind].ground();
                *reply = searcher.answer(ground, hierarchies.get(request.kind, ground), request);
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
}

impl Searcher {
    fn answer(
        &mut self,
        ground: &Ground,
        hierarchy: Option<&GridHierarchy>,
        request: &Request,
    ) -> Reply {
        match hierarchy {
            _ if Jps::supports(ground) => answer_by(&mut self.jps, ground, request),
            Some(hierarchy) => {
                let mut search = HierarchySearch::new(hierarchy, &mut self.hierarchy);
                answer_by(&mut search, ground, request)
            }
            None => answer_by(&mut self.astar, ground, request),
        }
    }
}

fn answer_by(search: &mut dyn PathSearch, ground: &Ground, request: &Request) -> Reply {
    let query = Query::new(&request.starts, &request.goals);
    let answer = search.find(ground, &query, Budget::expansions(request.most));
    // A query that is refused leaves the count of the one before.
    let expanded = if answer.is_ok() { search.expanded() } else { 0 };
    match answer {
        Ok(Answer::Found(path)) => Reply { path: Some(path), complete: true, expanded },
        Ok(Answer::BudgetSpent { nearest, .. }) => {
            let path = Some(nearest).filter(|path| path.cells.len() > 1);
            Reply { path, complete: false, expanded }
        }
        _ => Reply { path: None, complete: true, expanded },
    }
}

impl World {
    fn answer(&mut self, requests: &[Request]) -> Vec<Reply> {
        for request in requests {
            self.hierarchies.prepare(request.kind, self.spaces[request.kind].ground());
        }
        self.searchers.answer(&self.spaces, &self.hierarchies, requests)
    }

    /// The unit will get a route when it is its turn.
    pub(crate) fn ask_for_route(&mut self, unit: u32) {
        let Some(resident) = self.units[unit as usize].as_mut() else { return };
        resident.rerouting = resident.status == UnitStatus::Going;
        if !matches!(resident.status, UnitStatus::Going | UnitStatus::Unreachable) {
            resident.status = UnitStatus::Routing;
        }
        if !std::mem::replace(&mut resident.queued_for_route, true) {
            self.routing.push_back(unit);
        }
    }

    /// The unit is at the end of a route that was cut short: the next part is no detour.
    pub(crate) fn ask_for_rest_of_route(&mut self, unit: u32) {
        self.ask_for_route(unit);
        if let Some(resident) = &mut self.units[unit as usize] {
            resident.rerouting = false;
        }
    }

    /// Finds routes until about so many nodes are expanded; how many were.
    pub(crate) fn find_routes(&mut self, budget: u64) -> u64 {
        let mut spent = 0;
        while !self.routing.is_empty() && spent < budget {
            let count = self.routing.len().min(BATCH);
            let units: Vec<u32> = self.routing.drain(..count).collect();
            let request = |unit: u32| self.request(unit, budget);
            let requests: Vec<_> = units.into_iter().filter_map(request).collect();
            let replies = self.answer(&requests);
            for (request, reply) in requests.into_iter().zip(replies) {
                spent += reply.expanded + CHARGE;
                self.take_route(&request, reply);
            }
        }
        spent
    }

    /// What to search for a unit; `None` if that is clear without a search.
    fn request(&mut self, unit: u32, budget: u64) -> Option<Request> {
        let resident = self.units[unit as usize].as_mut()?;
        resident.queued_for_route = false;
        // It may have been told something else since it asked.
        if !matches!(
            resident.status,
            UnitStatus::Routing | UnitStatus::Going | UnitStatus::Unreachable
        ) {
            return None;
        }
        let (kind, effort) = (resident.kind, resident.route_effort);
        let at = self.crew.free_at(unit)?;
        let starts = footing(&self.spaces[kind], at);
        let goals = self.goals(unit, &starts);
        if goals.is_empty() {
            self.give_up(UnitId::new(unit));
            return None;
        }
        // A single search may take the whole budget, and more each time that is not enough,
        // so that it ends some day.
        let most = budget.saturating_mul(1_u64.checked_shl(effort).unwrap_or(u64::MAX));
        Some(Request { unit, kind, starts, goals, most })
    }

    /// The cells that would do as the unit's destination now, if it sets out from any of
    /// these.
    fn goals(&self, unit: u32, starts: &[Cell]) -> Vec<Cell> {
        let Some(resident) = &self.units[unit as usize] else { return Vec::new() };
        let ground = self.spaces[resident.kind].ground();
        let reach = |&cell: &Cell| {
            ground.can_stand(cell) && starts.iter().any(|&start| ground.is_connected(start, cell))
        };
        match &resident.order {
            Order::Enter(building) => {
                let doors = &self.buildings[building.index()].entrances;
                doors.iter().copied().filter(reach).collect()
            }
            Order::GoTo(cells) => {
                let within: Vec<Cell> = cells.iter().copied().filter(reach).collect();
                let free = within.iter().copied().filter(|&cell| !self.is_taken(unit, cell));
                let free: Vec<Cell> = free.collect();
                if !free.is_empty() || within.is_empty() {
                    return free;
                }
                let vacant = |cell: &Cell| reach(cell) && !self.is_taken(unit, *cell);
                nearest_ring(within[0], LOOK_AROUND, vacant)
            }
            Order::Stop | Order::Hold => Vec::new(),
        }
    }

    /// Whether part of the place is the destination of another unit.
    pub(crate) fn is_taken(&self, unit: u32, cell: Cell) -> bool {
        let Some(resident) = &self.units[unit as usize] else { return true };
        let space = &self.spaces[resident.kind];
        let Some(position) = space.position(cell) else { return true };
        !space.standing(position, |entry| {
            let owner = self.destinations[entry.get()];
            owner == NOBODY || owner == unit
        })
    }

    fn take_route(&mut self, request: &Request, reply: Reply) {
        let unit = UnitId::new(request.unit);
        let Ok(resident) = self.resident_mut(unit) else { return };
        resident.route_effort =
            if reply.complete { 0 } else { resident.route_effort.saturating_add(1) };
        let end = reply.path.as_ref().and_then(|path| path.cells.last().copied());
        let Some((path, end)) = reply.path.zip(end) else {
            let again = !reply.complete;
            return if again { self.ask_for_route(unit.to_bits()) } else { self.give_up(unit) };
        };
        let shared = matches!(resident.order, Order::Enter(_));
        // Another unit of the same batch may have been given the place.
        if reply.complete && !shared && self.is_taken(request.unit, end) {
            return self.ask_for_route(request.unit);
        }
        let space = &self.spaces[request.kind];
        let route = path.cells.iter().filter_map(|&cell| space.position(cell)).collect();
        self.guides.set(request.unit, request.kind, space, route);
        let destination = space.position(end);
        let rerouted = self.start_going(unit, destination, !reply.complete);
        if rerouted {
            self.events.push(Event::Rerouted { unit });
        }
    }

    fn start_going(&mut self, unit: UnitId, to: Option<Position>, cut_short: bool) -> bool {
        self.set_destination(unit.to_bits(), None);
        let Ok(resident) = self.resident_mut(unit) else { return false };
        resident.status = UnitStatus::Going;
        resident.cut_short = cut_short;
        let rerouted = std::mem::take(&mut resident.rerouting);
        self.set_destination(unit.to_bits(), to);
        self.crew.set_stance(unit.to_bits(), Stance::Going);
        rerouted
    }

    /// There is no way. That is said once, however often it is looked for one after edits.
    fn give_up(&mut self, unit: UnitId) {
        let known = self.status(unit) == Some(UnitStatus::Unreachable);
        self.rest(unit, UnitStatus::Unreachable, Stance::Resting);
        if !known {
            self.events.push(Event::Unreachable { unit });
        }
        let next = self.resident_mut(unit).ok().and_then(Resident::next_order);
        if let Some(order) = next {
            self.carry_out(unit, &order);
        }
    }

    /// Guides a unit that rests to a place nearby, without an order; whether there is a way,
    /// and the nodes expanded.
    pub(crate) fn guide_to(&mut self, unit: u32, to: Position) -> (bool, u64) {
        let Some((at, resident)) = self.crew.free_at(unit).zip(self.units[unit as usize].as_ref())
        else {
            return (false, 0);
        };
        let kind = resident.kind;
        let space = &self.spaces[kind];
        let (starts, goals) = (footing(space, at), vec![space.cell(to)]);
        let request = Request { unit, kind, starts, goals, most: NEARBY };
        let reply = self.answer(&[request]).into_iter().next();
        let Some(reply) = reply else { return (false, 0) };
        let found = reply.path.filter(|_| reply.complete);
        if let Some(path) = &found {
            let space = &self.spaces[kind];
            let route = path.cells.iter().filter_map(|&cell| space.position(cell)).collect();
            self.guides.set(unit, kind, space, route);
        }
        (found.is_some(), reply.expanded)
    }

    /// The exit from which the way to the unit's goals is shortest, and the nodes expanded to
    /// find out.
    pub(crate) fn best_exit(
        &mut self,
        unit: u32,
        exits: &[Cell],
        most: u64,
    ) -> Option<(Cell, u64)> {
        let kind = self.units[unit as usize].as_ref()?.kind;
        let &first = exits.first()?;
        let goals = self.goals(unit, exits);
        if goals.is_empty() || exits.len() == 1 {
            return Some((first, 0));
        }
        let request = Request { unit, kind, starts: exits.to_vec(), goals, most };
        let reply = self.answer(&[request]).into_iter().next()?;
        let exit = reply.path.and_then(|path| path.cells.first().copied());
        Some((exit.unwrap_or(first), reply.expanded))
    }
}

/// From where a unit's way can begin: where it is, or for one in a wall that was built around
/// it, where it can step out.
pub(crate) fn footing(space: &GridSpace, at: Position) -> Vec<Cell> {
    if space.ground().can_stand(space.cell(at)) {
        return vec![space.cell(at)];
    }
    let mut beside = Vec::new();
    space.for_each_move(at, |step| beside.push(space.cell(step.to)));
    beside
}
