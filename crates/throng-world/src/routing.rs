//! Routes for units that were told to go somewhere.
//!
//! Each is found once, by A* or jump points, from where the unit is to any of its goals;
//! then [`Guides`](crate::guide::Guides) takes over. Several threads can work at a batch; a
//! batch is the same size for any number of them, so that the result is the same too.

use throng_cooperative::Stance;
use throng_model::{Budget, Cell, UnitId};
use throng_search::{AStar, Answer, GridSpace, Jps, Path, PathSearch, Position, Query, Space};

use crate::groups::rings;
use crate::resident::Status;
use crate::world::NOBODY;
use crate::{Event, Order, World};

/// Routes that are found before the budget is looked at again.
const BATCH: usize = 16;
/// What an order costs besides its search: distances along the way are not charged one by
/// one.
const CHARGE: u64 = 64;
/// How far from a unit in a wall the way out is looked for, in cells.
const LOOK_OUT: u16 = 16;
/// How far around a taken destination another is looked for, in cells.
const LOOK_AROUND: u16 = 64;

/// Memory for searches, one set for each thread.
#[derive(Clone, Debug)]
pub(crate) struct Searchers(Vec<Searcher>);

#[derive(Clone, Debug, Default)]
struct Searcher {
    astar: AStar,
    jps: Jps,
}

#[derive(Clone, Debug)]
struct Request {
    unit: u32,
    kind: usize,
    starts: Vec<Cell>,
    goals: Vec<Cell>,
}

#[derive(Clone, Debug, Default)]
struct Reply {
    path: Option<Path>,
    complete: bool,
    expanded: u64,
}

impl Searchers {
    pub(crate) fn new(threads: usize) -> Self {
        Self(vec![Searcher::default(); threads.clamp(1, 64)])
    }

    fn answer(&mut self, spaces: &[GridSpace], requests: &[Request], most: u64) -> Vec<Reply> {
        let mut replies = vec![Reply::default(); requests.len()];
        let share = requests.len().div_ceil(self.0.len()).max(1);
        let work = |searcher: &mut Searcher, requests: &[Request], replies: &mut [Reply]| {
            for (request, reply) in requests.iter().zip(replies) {
                *reply = searcher.answer(&spaces[request.kind], request, most);
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
    fn answer(&mut self, space: &GridSpace, request: &Request, most: u64) -> Reply {
        let ground = space.ground();
        let search: &mut dyn PathSearch =
            if Jps::suits(ground) { &mut self.jps } else { &mut self.astar };
        let query = Query::new(&request.starts, &request.goals);
        let answer = search.find(ground, &query, Budget::expansions(most));
        // A query that is refused leaves the count of the one before.
        let expanded = if answer.is_ok() { search.expanded() } else { 0 };
        match answer {
            Ok(Answer::Found(path)) => Reply { path: Some(path), complete: true, expanded },
            Ok(Answer::BudgetSpent { nearest, .. }) if nearest.cells.len() > 1 => {
                Reply { path: Some(nearest), complete: false, expanded }
            }
            _ => Reply { path: None, complete: true, expanded },
        }
    }
}

impl World {
    /// The unit will get a route when it is its turn.
    pub(crate) fn ask_for_route(&mut self, unit: u32) {
        let Some(resident) = self.units[unit as usize].as_mut() else { return };
        resident.rerouting = resident.status == Status::Going;
        if resident.status != Status::Going {
            resident.status = Status::Routing;
        }
        if !std::mem::replace(&mut resident.queued_for_route, true) {
            self.routing.push_back(unit);
        }
    }

    /// Finds routes until about so many nodes are expanded; how many were.
    pub(crate) fn find_routes(&mut self, budget: u64) -> u64 {
        let mut spent = 0;
        while !self.routing.is_empty() && spent < budget {
            let count = self.routing.len().min(BATCH);
            let units: Vec<u32> = self.routing.drain(..count).collect();
            let requests: Vec<_> = units.iter().filter_map(|&unit| self.request(unit)).collect();
            // A single search may take what is left, so that it can end at all.
            let most = budget.max(1);
            let replies = self.searchers.answer(&self.spaces, &requests, most);
            for (request, reply) in requests.into_iter().zip(replies) {
                spent += reply.expanded + CHARGE;
                self.take_route(&request, reply);
            }
        }
        spent
    }

    /// What to search for a unit; `None` if that is clear without a search.
    fn request(&mut self, unit: u32) -> Option<Request> {
        let resident = self.units[unit as usize].as_mut()?;
        resident.queued_for_route = false;
        if matches!(resident.order, Order::Stop | Order::Hold) {
            return None;
        }
        let kind = resident.kind;
        let start = self.crew.free_at(unit)?;
        let start = self.way_out(kind, self.spaces[kind].cell(start));
        let goals = self.goals(unit, start);
        if goals.is_empty() {
            self.give_up(UnitId(unit));
            return None;
        }
        Some(Request { unit, kind, starts: vec![start], goals })
    }

    /// Where a route begins: the cell, or for a unit in a wall the nearest beside it.
    fn way_out(&self, kind: usize, cell: Cell) -> Cell {
        let ground = self.spaces[kind].ground();
        rings(cell, LOOK_OUT).find(|&near| ground.can_stand(near)).unwrap_or(cell)
    }

    /// The cells that would do as the unit's destination now.
    fn goals(&self, unit: u32, start: Cell) -> Vec<Cell> {
        let Some(resident) = &self.units[unit as usize] else { return Vec::new() };
        let space = &self.spaces[resident.kind];
        let stands = |cell: &Cell| space.ground().can_stand(*cell);
        match &resident.order {
            Order::Enter(container) => {
                let doors = &self.containers[container.0 as usize].entrances;
                doors.iter().copied().filter(stands).collect()
            }
            Order::GoTo(cells) => {
                let standable: Vec<Cell> = cells.iter().copied().filter(stands).collect();
                let free = standable.iter().copied().filter(|&c| !self.is_taken(unit, c));
                let free: Vec<Cell> = free.collect();
                if !free.is_empty() || standable.is_empty() {
                    return free;
                }
                self.room_near(unit, start, standable[0]).into_iter().collect()
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

    /// The nearest place that is nobody's destination and can be reached.
    fn room_near(&self, unit: u32, start: Cell, spot: Cell) -> Option<Cell> {
        let resident = self.units[unit as usize].as_ref()?;
        let ground = self.spaces[resident.kind].ground();
        rings(spot, LOOK_AROUND).find(|&cell| {
            ground.can_stand(cell) && !self.is_taken(unit, cell) && ground.is_connected(start, cell)
        })
    }

    fn take_route(&mut self, request: &Request, reply: Reply) {
        let unit = UnitId(request.unit);
        let Some(path) = reply.path else { return self.give_up(unit) };
        let Some(&end) = path.cells.last() else { return };
        let Ok(resident) = self.resident(unit) else { return };
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
        self.set_destination(unit.0, None);
        self.set_destination(unit.0, to);
        self.crew.set_stance(unit.0, Stance::Going);
        let Ok(resident) = self.resident_mut(unit) else { return false };
        resident.status = Status::Going;
        resident.cut_short = cut_short;
        std::mem::take(&mut resident.rerouting)
    }

    fn give_up(&mut self, unit: UnitId) {
        self.rest(unit, Status::Unreachable, Stance::Resting);
        self.events.push(Event::Unreachable { unit });
    }

    /// The exit from which the way to the unit's goals is shortest.
    pub(crate) fn best_exit(&mut self, unit: u32, exits: &[Cell]) -> Option<Cell> {
        let kind = self.units[unit as usize].as_ref()?.kind;
        let &first = exits.first()?;
        let goals = self.goals(unit, first);
        if goals.is_empty() {
            return Some(first);
        }
        let request = Request { unit, kind, starts: exits.to_vec(), goals };
        let replies = self.searchers.answer(&self.spaces, &[request], u64::MAX);
        let path = replies.into_iter().next()?.path;
        path.and_then(|path| path.cells.first().copied()).or(Some(first))
    }
}
