//! The true distances of the units, along a route.
//!
//! D. Silver, "Cooperative pathfinding" (2005), has RRA* search back from the goal of each unit.
//! For thousands of units that fills the memory, and the first query costs a search across the
//! map. Here a unit has a *route*, found once by a path search, whose cells know the remaining
//! cost. RRA* works only in a box around the unit, from the route's cells in it. It starts from
//! scratch whenever a unit plans and cannot follow its route (Silver 2006: "if it grows too large,
//! then it is probably worth restarting it from scratch"). A search of a few hundred nodes in
//! reused memory is as fast as resuming one of thousands of searches, and needs less than half of
//! the memory. Units in a crowd ask in every tick; each keeps its own search, in a smaller box.
//!
//! Where units stand for long, distances are measured around them: see `standing.rs`.
//!
//! Distances depend only on map, walls, route and box, never on earlier queries. So a restored world
//! continues exactly as the saved one.

use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use throng_cooperative::{TrueDistances, UnitStore};
use throng_grid::kit::pick_mut;
use throng_model::{Cell, Effort, UnitId};
use throng_spacetime::{GridSpace, LocalRra, Position, Space};

use crate::cell_set::{CellBox, CellSet};
use crate::distant_cells::DistantCells;
use crate::standing::Standing;
use crate::unit::Assignment;

/// The number of searches around units that are kept: distances of several units may be needed
/// in turn.
const LOCAL_SEARCHES: usize = 8;

/// How much the box around a unit exceeds its planning depth, in cells. A larger box makes
/// every search larger; a longer path back to the route is better found by a new route.
const REACH: u16 = 2;

/// The reach of the box around a unit in a crowd, in cells. A row of the search then has 16
/// nodes.
const CROWD_REACH: u16 = 6;

/// A unit in a crowd gets a new box when it is nearer to the border of its box than this.
const CROWD_MARGIN: u16 = 2;

/// Most searches of units that left a crowd whose memory is kept.
const SPARE_MAX: usize = 1024;

/// Members of a crowd that a thread takes at once.
const MEMBERS_PER_SHARE: usize = 64;

/// How far ahead on its route the unit's position is searched, in cells.
const LOOK_AHEAD: usize = 64;

/// How many cells of a route are kept one by one at most, unless the unit was pushed off it.
const NEAR_CELLS: usize = 5 * LOOK_AHEAD / 2;

/// The source of one unit's distances.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) enum DistanceSource {
    /// It has no destination.
    #[default]
    None,
    /// A route, and RRA* around the unit.
    Route(Box<Route>),
}

/// A route, and the box around the unit in which distances are known.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "StoredRoute", into = "StoredRoute")]
pub(crate) struct Route {
    /// The cells around the unit and ahead of it. There are always `2 * LOOK_AHEAD` from
    /// `progress` on, or all that are left.
    pub(crate) cells: Vec<Position>,
    /// The cells after these.
    distant: DistantCells,
    /// The cost from each of the near cells to the end; derived from all cells.
    rest: Vec<u64>,
    /// The movement profile of the unit; not stored.
    profile: u8,
    /// A box with all of the cells; derived from them. It says of most edits that they are far
    /// from the route, without a look at the cells, which are seldom in the processor's cache.
    bounds: CellBox,
    /// The last of all cells; derived from them.
    end: Position,
    /// The middle of the box.
    anchor: Option<Cell>,
    reach: u16,
    /// Whether the unit cannot reach the route inside the box.
    is_lost: bool,
    /// The index of the last cell of the route at which the unit was seen.
    progress: usize,
    /// The first of the route's cells from which the search around the unit starts.
    roots: usize,
}

/// A route as it is saved, without its cells, which a snapshot has packed. The rest derives from
/// them.
#[derive(Serialize, Deserialize)]
struct StoredRoute {
    anchor: Option<Cell>,
    reach: u16,
    is_lost: bool,
    progress: usize,
    roots: usize,
}

impl From<Route> for StoredRoute {
    fn from(route: Route) -> Self {
        let Route { anchor, reach, is_lost, progress, roots, .. } = route;
        Self { anchor, reach, is_lost, progress, roots }
    }
}

impl From<StoredRoute> for Route {
    fn from(stored: StoredRoute) -> Self {
        let StoredRoute { anchor, reach, is_lost, progress, roots } = stored;
        Self { anchor, reach, is_lost, progress, roots, ..Self::default() }
    }
}

/// The last few searches around units, with their units. A search that is dropped and started
/// again gives the same distances.
#[derive(Clone, Debug, Default)]
struct LocalSearches {
    searches: Vec<(Option<UnitId>, LocalRra)>,
    oldest: usize,
    /// By slot: the search of a unit in a crowd.
    kept: Vec<Option<Box<KeptSearch>>>,
    /// Memory of searches that ended: units come into crowds and leave them in every tick.
    #[expect(clippy::vec_box, reason = "a box goes to the next unit as it is")]
    spare: Vec<Box<KeptSearch>>,
}

/// The search around a unit that asks in every tick.
#[derive(Clone, Debug)]
struct KeptSearch {
    unit: UnitId,
    is_begun: bool,
    search: LocalRra,
}

impl KeptSearch {
    fn of(unit: UnitId) -> Box<Self> {
        Box::new(Self { unit, is_begun: false, search: LocalRra::default() })
    }

    /// The same memory for the search of another unit.
    fn reused(self: Box<Self>, unit: UnitId) -> Box<Self> {
        let mut kept = self;
        (kept.unit, kept.is_begun) = (unit, false);
        kept
    }
}

impl LocalSearches {
    fn forget(&mut self, unit: UnitId) {
        if let Some(Some(kept)) = self.kept.get_mut(unit.index()) {
            kept.is_begun = false;
        }
        let known = self.searches.iter_mut().find(|(of, _)| *of == Some(unit));
        known.into_iter().for_each(|(of, _)| *of = None);
    }

    /// Forgets the searches that reach into a box.
    fn forget_around(&mut self, area: CellBox) {
        let meets = |search: &LocalRra| area.meets(search.area());
        for kept in self.kept.iter_mut().flatten() {
            kept.is_begun &= !meets(&kept.search);
        }
        for (of, search) in &mut self.searches {
            of.take_if(|_| meets(search));
        }
    }

    fn make_room(&mut self, unit: UnitId) {
        if self.kept.len() <= unit.index() {
            self.kept.resize(unit.index() + 1, None);
        }
    }

    /// Keeps the search around a unit from now on.
    fn keep(&mut self, unit: UnitId) {
        self.make_room(unit);
        let kept = &mut self.kept[unit.index()];
        if kept.as_ref().is_none_or(|kept| kept.unit != unit) {
            let spare = self.spare.pop().map(|spare| spare.reused(unit));
            *kept = Some(spare.unwrap_or_else(|| KeptSearch::of(unit)));
        }
    }

    /// Ends that.
    fn release(&mut self, unit: UnitId) {
        let kept = self.kept.get_mut(unit.index()).and_then(Option::take);
        self.spare.extend(kept.filter(|_| self.spare.len() < SPARE_MAX));
    }

    fn is_kept(&self, unit: UnitId) -> bool {
        matches!(self.kept.get(unit.index()), Some(Some(kept)) if kept.unit == unit)
    }

    /// The search around a unit, begun if it is not known.
    #[inline]
    fn of(&mut self, unit: UnitId, begin: impl FnOnce(&mut LocalRra)) -> &mut LocalRra {
        if self.is_kept(unit) {
            let kept = self.kept[unit.index()].get_or_insert_with(|| KeptSearch::of(unit));
            if !std::mem::replace(&mut kept.is_begun, true) {
                begin(&mut kept.search);
            }
            return &mut kept.search;
        }
        let known = self.searches.iter().position(|&(of, _)| of == Some(unit));
        let at = known.unwrap_or_else(|| self.replace_oldest(unit, begin));
        &mut self.searches[at].1
    }

    fn replace_oldest(&mut self, unit: UnitId, begin: impl FnOnce(&mut LocalRra)) -> usize {
        self.searches.resize_with(LOCAL_SEARCHES, Default::default);
        let at = self.oldest;
        self.oldest = (at + 1) % LOCAL_SEARCHES;
        self.searches[at].0 = Some(unit);
        begin(&mut self.searches[at].1);
        at
    }
}

/// The distances that units share.
#[derive(Clone, Debug, Default)]
pub(crate) struct WorldDistances {
    locals: LocalSearches,
    /// Units that stand for long, which distances avoid. Threads that measure distances share it.
    pub(crate) standing: Arc<Standing>,
    /// Units that are too far off their route.
    pub(crate) lost: Vec<UnitId>,
}

impl DistanceSource {
    pub(crate) fn route(&self) -> Option<&Route> {
        match self {
            Self::None => None,
            Self::Route(route) => Some(route),
        }
    }

    pub(crate) fn route_mut(&mut self) -> Option<&mut Route> {
        match self {
            Self::None => None,
            Self::Route(route) => Some(route),
        }
    }

    /// The near cells of the route; none without one.
    pub(crate) fn cells(&self) -> &[Position] {
        match self {
            Self::None => &[],
            Self::Route(route) => &route.cells,
        }
    }
}

impl Route {
    /// The cells from where the unit was seen last to the end.
    pub(crate) fn all_ahead(&self) -> impl Iterator<Item = Position> {
        let near = self.cells.iter().skip(self.progress).copied();
        near.chain(self.distant.iter(self.cells.last().copied().unwrap_or(self.end)))
    }
}

impl WorldDistances {
    /// No distances. Units on hold are walls after this many ticks.
    pub(crate) fn new(hold_patience: u32) -> Self {
        Self { standing: Arc::new(Standing::new(hold_patience)), ..Self::default() }
    }

    /// Removes the unit's destination.
    pub(crate) fn clear(&mut self, unit: UnitId, source: &mut DistanceSource) {
        self.locals.forget(unit);
        self.locals.release(unit);
        *source = DistanceSource::None;
    }

    /// Lets the unit follow a route.
    pub(crate) fn set(
        &mut self,
        unit: UnitId,
        source: &mut DistanceSource,
        (space, profile): (&GridSpace, usize),
        route: Vec<Position>,
    ) {
        self.clear(unit, source);
        if !route.is_empty() {
            *source = DistanceSource::Route(Box::new(Route::new(space, profile, route)));
        }
    }

    /// Derives the parts of a source that are not stored. The cells of a route must be on the map.
    pub(crate) fn restore(source: &mut DistanceSource, space: &GridSpace, profile: usize) {
        if let DistanceSource::Route(route) = source {
            route.profile = profile as u8;
            route.derive(space);
        }
    }

    pub(crate) fn standing_mut(&mut self) -> &mut Standing {
        Arc::make_mut(&mut self.standing)
    }

    /// Forgets distances that walls of standing units have changed.
    pub(crate) fn follow_walls(&mut self) {
        if let Some(changed) = self.standing.changed() {
            self.standing_mut().follow();
            self.locals.forget_around(changed);
        }
    }

    /// A unit in a crowd is at a position: keeps its search, and moves its box if it has left it.
    pub(crate) fn follow_in_crowd(
        &mut self,
        space: &GridSpace,
        unit: UnitId,
        source: &mut DistanceSource,
        at: Position,
    ) {
        let DistanceSource::Route(route) = source else { return };
        let space = route.view(&self.standing, space);
        self.locals.keep(unit);
        let cell = space.cell(at);
        let is_inside = |anchor| within(cell, anchor, CROWD_REACH - CROWD_MARGIN);
        if route.reach == CROWD_REACH && !route.is_lost && route.anchor.is_some_and(is_inside) {
            return;
        }
        route.recentre(space, &mut self.locals, unit, at, [CROWD_REACH; 2]);
        if route.is_lost {
            self.lost.push(unit);
        }
    }

    /// Finds the distances that members of a crowd will ask for, on this thread and one per other
    /// planner. The kernel gets the same distances without that, but one after the other. Members,
    /// with their positions and movement profiles, are listed by slot, each once.
    pub(crate) fn look_up(
        &mut self,
        spaces: &[GridSpace],
        units: &mut UnitStore<Assignment>,
        members: &[(UnitId, Position, usize)],
        (own, others): (&mut Self, &mut [Self]),
    ) {
        let ids: Vec<UnitId> = members.iter().map(|&(unit, ..)| unit).collect();
        ids.iter().for_each(|&unit| self.locals.keep(unit));
        let kept = pick_mut(&mut self.locals.kept, ids.iter().map(|unit| unit.index()));
        let mut members: Vec<_> =
            members.iter().zip(kept).zip(units.activities_mut(&ids)).collect();
        let shares = Mutex::new(members.chunks_mut(MEMBERS_PER_SHARE));
        let standing = &self.standing;
        let work = |planner: &mut Self| {
            planner.standing = Arc::clone(standing);
            let next = || shares.lock().unwrap_or_else(PoisonError::into_inner).next();
            while let Some(share) = next() {
                for ((member, kept), assignment) in share {
                    let (unit, at, profile) = **member;
                    let Some(assignment) = assignment else { continue };
                    let of_unit = (&mut assignment.source, &mut **kept);
                    planner.look_up_around(&spaces[profile], unit, of_unit, at);
                }
            }
            planner.standing = Arc::default();
        };
        std::thread::scope(|scope| {
            for planner in others {
                scope.spawn(|| work(planner));
            }
            work(own);
        });
    }

    /// The distances of a place and of the places beside it.
    fn look_up_around(
        &mut self,
        space: &GridSpace,
        unit: UnitId,
        (source, kept): (&mut DistanceSource, &mut Option<Box<KeptSearch>>),
        at: Position,
    ) {
        self.locals.make_room(unit);
        std::mem::swap(&mut self.locals.kept[unit.index()], kept);
        self.follow_in_crowd(space, unit, source, at);
        self.crowd_distance(space, unit, source, at);
        space.for_each_move(at, |step| {
            self.crowd_distance(space, unit, source, step.to);
        });
        std::mem::swap(&mut self.locals.kept[unit.index()], kept);
        // Those that are too far off their route are found again when they decide.
        self.lost.clear();
    }

    /// The unit is in no crowd any more.
    pub(crate) fn leave_crowd(&mut self, unit: UnitId) {
        self.locals.release(unit);
    }

    /// Drops distances after an edit of these cells. Returns whether the unit's route is broken.
    pub(crate) fn forget(
        &mut self,
        unit: UnitId,
        source: &mut DistanceSource,
        space: &GridSpace,
        changed: &CellSet,
    ) -> bool {
        self.locals.forget(unit);
        match source {
            DistanceSource::None => false,
            DistanceSource::Route(route) => {
                route.anchor = None;
                if !route.is_near(space, changed) {
                    return false;
                }
                // The remaining costs are those of the edited map.
                route.derive_rest(space);
                route.is_broken(space)
            }
        }
    }

    /// The positions of a unit's shortest path, from a position on, at most `most`.
    pub(crate) fn path_ahead(
        &mut self,
        space: &GridSpace,
        (unit, source): (UnitId, &DistanceSource),
        from: Position,
        most: usize,
    ) -> Vec<Position> {
        let mut path = vec![from];
        let mut left = self.get(space, unit, source, from);
        while let Some(rest) = left.filter(|&rest| rest > 0 && path.len() < most) {
            let mut next = None;
            space.for_each_move(path[path.len() - 1], |step| {
                let Some(after) = self.get(space, unit, source, step.to) else { return };
                let key = (after + step.cost, step.action);
                if after < rest && next.is_none_or(|(best, _, _)| key < best) {
                    next = Some((key, step.to, after));
                }
            });
            let Some((_, to, after)) = next else { break };
            path.push(to);
            left = Some(after);
        }
        let known = path.len();
        if let (DistanceSource::Route(route), Some(left)) = (source, left) {
            // Beyond the box in which distances are known.
            let ahead = route.rest.partition_point(|&rest| rest >= left);
            path.extend(route.cells[ahead..].iter().take(most - known));
        }
        path
    }

    /// The cells of a unit's route that are nearer to its destination than a position is. A unit
    /// in a crowd can be far off its route; others are on it.
    pub(crate) fn route_ahead<'a>(
        &mut self,
        space: &GridSpace,
        unit: UnitId,
        assignment: &'a Assignment,
        at: Position,
    ) -> &'a [Position] {
        let DistanceSource::Route(route) = &assignment.source else { return &[] };
        let left = match assignment.crowding.is_crowded {
            true => self.crowd_distance(space, unit, &assignment.source, at),
            false => Some(route.rest_from(at)),
        };
        let left = left.unwrap_or(u64::MAX);
        &route.cells[route.rest.partition_point(|&rest| rest >= left)..]
    }

    /// The distance from a position to the destination of a unit in a crowd. Outside of the box in
    /// which distances are known it is an estimate: along the route, or back to it.
    #[inline]
    pub(crate) fn crowd_distance(
        &mut self,
        space: &GridSpace,
        unit: UnitId,
        source: &DistanceSource,
        at: Position,
    ) -> Option<u64> {
        let DistanceSource::Route(route) = source else {
            return self.get(space, unit, source, at);
        };
        if route.knows(space, at) {
            let space = route.view(&self.standing, space);
            return route.distance(space, &mut self.locals, unit, at);
        }
        Some(route.estimate(space, at))
    }

    /// The distance from a position to a unit's destination.
    #[inline]
    pub(crate) fn get(
        &mut self,
        space: &GridSpace,
        unit: UnitId,
        source: &DistanceSource,
        at: Position,
    ) -> Option<u64> {
        match source {
            // A unit in a wall that was built on it has to leave it.
            DistanceSource::None => space.ground().can_stand(space.cell(at)).then_some(0),
            DistanceSource::Route(route) => {
                let space = route.view(&self.standing, space);
                route.distance(space, &mut self.locals, unit, at)
            }
        }
    }
}

/// The cost of the steps from cell to cell.
fn step_costs(space: &GridSpace, cells: impl Iterator<Item = Position> + Clone) -> Vec<u64> {
    let steps = cells.clone().zip(cells.skip(1));
    steps.map(|(from, to)| space.move_to(from, to).map_or(0, |step| step.cost)).collect()
}

impl Route {
    pub(crate) fn new(space: &GridSpace, profile: usize, cells: Vec<Position>) -> Self {
        let mut route = Self { cells, profile: profile as u8, ..Self::default() };
        route.derive(space);
        route
    }

    /// The space with walls of standing units, if a unit of this profile has met one.
    #[inline]
    fn view<'a>(&self, standing: &'a Standing, space: &'a GridSpace) -> &'a GridSpace {
        standing.view(self.profile.into()).map_or(space, |view| &view.space)
    }

    /// The next cells of the route from a position of the unit on, at most `most`.
    pub(crate) fn next_cells(&self, at: Position, most: usize) -> &[Position] {
        let from = self.progress + self.steps_to(at).unwrap_or(0);
        &self.cells[from..(from + most).min(self.cells.len())]
    }

    /// The cells after so many next ones from a position of the unit on.
    pub(crate) fn cells_after(
        &self,
        at: Position,
        skipped: usize,
    ) -> impl Iterator<Item = Position> {
        self.all_cells().skip(self.progress + self.steps_to(at).unwrap_or(0) + skipped)
    }

    /// Every cell, from the first one that is kept to the end.
    pub(crate) fn all_cells(&self) -> impl Iterator<Item = Position> + Clone {
        let after = self.cells.last().copied().unwrap_or(Position(0));
        self.cells.iter().copied().chain(self.distant.iter(after))
    }

    /// The last cell.
    pub(crate) fn end(&self) -> Option<Position> {
        Some(self.end).filter(|_| !self.cells.is_empty())
    }

    /// Derives the parts that are not stored.
    fn derive(&mut self, space: &GridSpace) {
        let near = NEAR_CELLS.max(self.progress + 2 * LOOK_AHEAD);
        if self.cells.len() > near {
            self.distant = DistantCells::pack(self.cells[near - 1], &self.cells[near..]);
            self.cells.truncate(near);
        }
        self.cells.shrink_to_fit();
        self.derive_rest(space);
        let mut bounds = CellBox::default();
        self.all_cells().for_each(|at| bounds.add(space.cell(at)));
        self.bounds = bounds;
        self.end = self.all_cells().last().unwrap_or(Position(0));
    }

    fn derive_rest(&mut self, space: &GridSpace) {
        let costs = step_costs(space, self.all_cells());
        let mut left: u64 = costs.iter().sum();
        self.rest.clear();
        self.rest.reserve_exact(self.cells.len());
        for index in 0..self.cells.len() {
            self.rest.push(left);
            left -= costs.get(index).copied().unwrap_or(0);
        }
    }

    /// Forgets cells that the unit has passed, if few are left ahead, and adds distant ones.
    fn top_up(&mut self, space: &GridSpace) {
        if self.distant.is_empty() || self.cells.len() >= self.progress + 2 * LOOK_AHEAD {
            return;
        }
        let passed = self.progress.min(self.roots);
        self.cells.drain(..passed);
        self.rest.drain(..passed);
        (self.progress, self.roots) = (self.progress - passed, self.roots - passed);
        let missing = NEAR_CELLS.saturating_sub(self.cells.len());
        self.cells.reserve_exact(missing);
        self.rest.reserve_exact(missing);
        while self.cells.len() < self.progress + 2 * LOOK_AHEAD || self.cells.len() < NEAR_CELLS {
            let (Some(&at), Some(&rest)) = (self.cells.last(), self.rest.last()) else { return };
            let Some(next) = self.distant.pop(at) else { return };
            let cost = space.move_to(at, next).map_or(0, |step| step.cost);
            self.cells.push(next);
            self.rest.push(rest.saturating_sub(cost));
        }
    }

    /// Checks the parts of a restored route: positions by the caller's rule, and that indices lie
    /// in it.
    pub(crate) fn check(
        &self,
        is_on_map: impl Fn(Position) -> Result<(), String>,
    ) -> Result<(), String> {
        self.all_cells().try_for_each(is_on_map)?;
        let last = self.progress.max(self.roots);
        if last >= self.cells.len() {
            return Err(format!("{last} steps of its route are too many"));
        }
        Ok(())
    }

    /// The cells of the route from where the unit was last on it, with the remaining costs.
    pub(crate) fn ahead(&self) -> impl Iterator<Item = (Position, u64)> {
        let cells = self.cells.iter().zip(&self.rest).skip(self.progress);
        cells.map(|(&at, &rest)| (at, rest))
    }

    pub(crate) fn anchor(&self) -> Option<Cell> {
        self.anchor
    }

    /// Moves the box to the unit. A unit that was pushed off its route rejoins it: the RRA* path
    /// back replaces the route's prefix. The first reach is that of the box in which it looks for
    /// the route; on its route it gets a box of the second.
    fn recentre(
        &mut self,
        space: &GridSpace,
        locals: &mut LocalSearches,
        unit: UnitId,
        at: Position,
        [reach, near]: [u16; 2],
    ) {
        self.progress += self.steps_to(at).unwrap_or(0);
        let cell = space.cell(at);
        let stands = space.ground().can_stand(cell);
        let mut on_route =
            self.is_on_route(at) || (self.anchor.is_some() && self.rejoin(space, locals, unit, at));
        if !on_route {
            self.move_box(locals, unit, cell, reach);
            on_route = self.rejoin(space, locals, unit, at);
        }
        self.is_lost = stands && !on_route;
        self.move_box(locals, unit, cell, if on_route { near } else { reach });
        self.top_up(space);
    }

    fn is_on_route(&self, at: Position) -> bool {
        self.cells.get(self.progress) == Some(&at)
    }

    fn move_box(&mut self, locals: &mut LocalSearches, unit: UnitId, cell: Cell, reach: u16) {
        (self.anchor, self.reach, self.roots) = (Some(cell), reach, self.progress);
        locals.forget(unit);
    }

    /// Replaces the route's prefix by the shortest path from the unit back to it. Returns whether
    /// there is one.
    fn rejoin(
        &mut self,
        space: &GridSpace,
        locals: &mut LocalSearches,
        unit: UnitId,
        at: Position,
    ) -> bool {
        let Some(local) = self.local(space, locals, unit) else { return false };
        if local.distance(space, at).is_none() {
            return false;
        }
        let path = local.path(space, at);
        let ahead = self.cells[self.roots..].iter();
        let Some(joins) = path.last().and_then(|end| ahead.clone().position(|cell| cell == end))
        else {
            return false;
        };
        let passed = ..=self.roots + joins;
        self.rest.splice(passed, path.iter().filter_map(|&at| local.known(space, at)));
        path.iter().for_each(|&at| self.bounds.add(space.cell(at)));
        self.cells.splice(passed, path);
        self.progress = 0;
        true
    }

    /// The cells of the route in the box, and the remaining cost from each.
    fn around(&self, space: &GridSpace) -> impl DoubleEndedIterator<Item = (Position, u64)> {
        let (anchor, reach) = (self.anchor.unwrap_or(Cell::new(0, 0)), self.reach);
        let end = (self.roots + 2 * LOOK_AHEAD).min(self.cells.len());
        let from = self.roots.min(end);
        let cells = self.cells[from..end].iter().zip(&self.rest[from..end]);
        let cells = cells.map(|(&cell, &rest)| (cell, rest));
        cells.filter(move |&(cell, _)| within(space.cell(cell), anchor, reach))
    }

    /// RRA* around the unit. It starts with the first query: a unit that follows its route needs
    /// none.
    #[inline]
    fn local<'a>(
        &self,
        space: &GridSpace,
        locals: &'a mut LocalSearches,
        unit: UnitId,
    ) -> Option<&'a mut LocalRra> {
        let middle = self.anchor?;
        // All cells of the route have the same f. The last one is expanded first: it must be the
        // one beside the unit.
        let begin = |local: &mut LocalRra| {
            local.begin(space, middle, self.reach, self.around(space).rev());
        };
        Some(locals.of(unit, begin))
    }

    fn is_ahead(&self, at: Position) -> bool {
        self.steps_to(at).is_some()
    }

    /// The number of steps along the route to a position.
    fn steps_to(&self, at: Position) -> Option<usize> {
        self.cells[self.progress..].iter().take(LOOK_AHEAD).position(|&cell| cell == at)
    }

    #[inline]
    fn distance(
        &self,
        space: &GridSpace,
        locals: &mut LocalSearches,
        unit: UnitId,
        at: Position,
    ) -> Option<u64> {
        if self.is_on_route(at) {
            return Some(self.rest[self.progress]);
        }
        self.local(space, locals, unit)?.distance(space, at)
    }

    /// Whether a position lies in the box.
    fn knows(&self, space: &GridSpace, at: Position) -> bool {
        self.anchor.is_some_and(|anchor| within(space.cell(at), anchor, self.reach))
    }

    /// The remaining cost from a position: along the route, or back to it in a straight line.
    fn estimate(&self, space: &GridSpace, at: Position) -> u64 {
        if self.end == at {
            return 0;
        }
        match self.steps_to(at) {
            Some(steps) => self.rest[self.progress + steps],
            None => self.rest[self.progress] + space.estimate(at, self.cells[self.progress]),
        }
    }

    /// The remaining cost from a position on the route, or from where the unit was last on it. Not
    /// from the nearest cell of the route: that may be behind a wall.
    pub(crate) fn rest_from(&self, at: Position) -> u64 {
        let ahead = self.cells.iter().zip(&self.rest).skip(self.progress);
        let here = ahead.take(LOOK_AHEAD).find(|&(&cell, _)| cell == at);
        here.map(|(_, &rest)| rest).or(self.rest.get(self.progress).copied()).unwrap_or(u64::MAX)
    }

    /// An upper bound of [`rest_from`](Self::rest_from), without a search of the route.
    pub(crate) fn rest_at_most(&self) -> u64 {
        self.rest.get(self.progress).copied().unwrap_or(u64::MAX)
    }

    /// Whether one of the cells is beside the route. Each cell of a route is a neighbour of the
    /// one before, so that a cell far from all changes says the same of those after it.
    fn is_near(&self, space: &GridSpace, changed: &CellSet) -> bool {
        let side = u16::from(space.ground().movement().footprint);
        if !changed.meets(self.bounds.grown(1, side)) {
            return false;
        }
        let mut cells = self.all_cells();
        let mut next = cells.next();
        while let Some(at) = next {
            let beside = CellBox::from(space.cell(at)).grown(1, side);
            let Some(skipped) = changed.steps_at_least(beside).checked_sub(1) else { return true };
            next = cells.nth(skipped.into());
        }
        false
    }

    /// Whether a step of the route is not legal.
    fn is_broken(&self, space: &GridSpace) -> bool {
        self.all_cells()
            .zip(self.all_cells().skip(1))
            .any(|(from, to)| space.ground().step_cost(space.cell(from), space.cell(to)).is_none())
    }
}

fn within(cell: Cell, anchor: Cell, reach: u16) -> bool {
    cell.x.abs_diff(anchor.x) <= reach && cell.y.abs_diff(anchor.y) <= reach
}

impl TrueDistances<GridSpace, Assignment> for WorldDistances {
    fn begin(
        &mut self,
        space: &GridSpace,
        unit: UnitId,
        assignment: &mut Assignment,
        at: Position,
        depth: u32,
    ) {
        let DistanceSource::Route(route) = &mut assignment.source else { return };
        let space = route.view(&self.standing, space);
        // On its route such a unit searches half as far as it plans.
        let is_agile = space.ticks_to_clear() == 0;
        let near = if is_agile { depth / 2 } else { depth };
        let reaches = [depth, near].map(|ticks| ticks as u16 + REACH);
        route.recentre(space, &mut self.locals, unit, at, reaches);
        if route.is_lost {
            self.lost.push(unit);
        }
    }

    /// Rejoins the route now, while the distances of the plan are still in memory.
    fn end(&mut self, space: &GridSpace, unit: UnitId, assignment: &mut Assignment, at: Position) {
        let DistanceSource::Route(route) = &mut assignment.source else { return };
        let space = route.view(&self.standing, space);
        if !route.is_ahead(at) && route.rejoin(space, &mut self.locals, unit, at) {
            route.roots = route.progress;
            route.top_up(space);
            self.locals.forget(unit);
        }
    }

    fn route<'a>(
        &'a self,
        _: UnitId,
        assignment: &'a Assignment,
        at: Position,
    ) -> Option<&'a [Position]> {
        match &assignment.source {
            DistanceSource::Route(route) if route.is_on_route(at) => {
                Some(&route.cells[route.progress..])
            }
            _ => None,
        }
    }

    #[inline]
    fn distance(
        &mut self,
        space: &GridSpace,
        unit: UnitId,
        assignment: &Assignment,
        at: Position,
        _: &mut Effort<'_>,
    ) -> Option<u64> {
        self.get(space, unit, &assignment.source, at)
    }

    fn planned_elsewhere(&mut self, unit: UnitId) {
        self.locals.forget(unit);
    }

    /// Distances are not charged: their cost depends on what is still in memory, and a world
    /// that was restored must spend its budget like the one that was saved. A flat charge per
    /// order takes their place.
    fn expanded(&self) -> u64 {
        0
    }
}
