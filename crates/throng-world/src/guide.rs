//! Where each unit is headed, and how far that is.
//!
//! On maps of up to [`EXACT_POSITIONS`] positions that is RRA* to the goal, as in D. Silver,
//! "Cooperative pathfinding" (2005): exact, one for all units with the same goal. On larger
//! maps an RRA* for each of thousands of units would flood memory. There the unit has a
//! *route*, found once by a [`PathSearch`](throng_grid::PathSearch), whose cells know the
//! rest of the way; RRA* works only in a box around the unit, from the route's cells in it.
//! It is begun anew from where the unit is whenever that plans and cannot go straight on
//! (Silver 2006: "if it grows too large, then it is probably worth restarting it from
//! scratch"): a few hundred nodes in memory that is used again and again take no longer than
//! to go on with one of thousands of searches, and less than half of the memory.
//!
//! A hierarchy takes the place of the route's search without anything changing here: all
//! that is needed of it is a path.
//!
//! Whatever is asked, the answer depends on map, goal, route and the box alone, never on
//! what was asked before: a world that is loaded goes on exactly as the one that was saved.

use std::collections::BTreeMap;

use throng_cooperative::Guide;
use throng_model::Cell;
use throng_spacetime::{GridSpace, LocalRra, Position, Rra, Space};

/// Maps of up to so many positions have exact distances.
pub(crate) const EXACT_POSITIONS: usize = 1 << 14;

/// Searches around units that are kept, because several may be asked in turn.
const LOCALS: usize = 8;

/// How much farther around a unit than it plans distances are known, in cells. What is searched
/// grows with that, and a way back to the route that is longer is better found by a search of
/// its own.
const REACH: u16 = 2;

/// How far along its route a unit is looked for.
const LOOK_AHEAD: usize = 64;

/// What guides one unit.
#[derive(Clone, Debug, Default)]
pub(crate) enum Guidance {
    /// It is nowhere as well as here.
    #[default]
    None,
    /// To a goal, by distances that are shared with others.
    Goal(u32),
    /// Along a route.
    Route(Box<RouteGuide>),
}

/// A route, and distances around the unit that is on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct RouteGuide {
    pub(crate) cells: Vec<Position>,
    /// What the way from each of the cells to the end costs.
    rest: Vec<u64>,
    anchor: Option<Cell>,
    reach: u16,
    /// Whether the unit is so far off that no part of the route can be reached around here.
    lost: bool,
    /// The cell of the route at which the unit was last, or before that.
    progress: usize,
    /// From which of the route's cells on the search around the unit begins.
    roots: usize,
}

/// The last few searches around units, and whose they are. A search that is begun once more
/// is the same as before.
#[derive(Clone, Debug, Default)]
struct Locals {
    searches: Vec<(Option<u32>, LocalRra)>,
    oldest: usize,
}

impl Locals {
    fn forget(&mut self, unit: u32) {
        let known = self.searches.iter_mut().find(|(of, _)| *of == Some(unit));
        known.into_iter().for_each(|(of, _)| *of = None);
    }

    /// The search around a unit, begun if it is not known.
    #[inline]
    fn of(&mut self, unit: u32, begin: impl FnOnce(&mut LocalRra)) -> &mut LocalRra {
        let known = self.searches.iter().position(|&(of, _)| of == Some(unit));
        let at = known.unwrap_or_else(|| self.replace_oldest(unit, begin));
        &mut self.searches[at].1
    }

    fn replace_oldest(&mut self, unit: u32, begin: impl FnOnce(&mut LocalRra)) -> usize {
        self.searches.resize_with(LOCALS, Default::default);
        let at = self.oldest;
        self.oldest = (at + 1) % LOCALS;
        self.searches[at].0 = Some(unit);
        begin(&mut self.searches[at].1);
        at
    }
}

#[derive(Clone, Debug)]
struct SharedGoal {
    key: (usize, Position),
    users: u32,
    fingerprint: u64,
    distances: Rra,
}

impl SharedGoal {
    /// Begins anew if the ground has changed.
    fn renew(&mut self, space: &GridSpace, towards: Position) {
        let fingerprint = space.ground().fingerprint();
        if std::mem::replace(&mut self.fingerprint, fingerprint) != fingerprint {
            self.distances.begin(space, [(self.key.1, 0)], towards);
        }
    }
}

/// What guides a unit, to be saved: all that distances depend on besides the map.
pub(crate) enum Bearing {
    None,
    Goal(Position),
    Route(RoutePart),
}

/// A route, and how far a unit has come on it.
pub(crate) struct RoutePart {
    pub(crate) cells: Vec<Position>,
    pub(crate) progress: usize,
    pub(crate) within: Option<RouteBox>,
}

/// The box in which distances are known, and the cell of the route from which on they are.
pub(crate) struct RouteBox {
    pub(crate) anchor: Cell,
    pub(crate) reach: u16,
    pub(crate) roots: usize,
}

/// What guides all units of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guides {
    units: Vec<Guidance>,
    locals: Locals,
    goals: Vec<Option<SharedGoal>>,
    by_key: BTreeMap<(usize, Position), u32>,
    /// Units that lost their way since they were last asked for.
    pub(crate) lost: Vec<u32>,
}

impl Guides {
    fn unit_mut(&mut self, unit: u32) -> &mut Guidance {
        if self.units.len() <= unit as usize {
            self.units.resize_with(unit as usize + 1, Guidance::default);
        }
        &mut self.units[unit as usize]
    }

    /// The unit has no destination any more.
    pub(crate) fn clear(&mut self, unit: u32) {
        self.locals.forget(unit);
        if let Guidance::Goal(goal) = std::mem::take(self.unit_mut(unit)) {
            let shared = &mut self.goals[goal as usize];
            if let Some(used) = shared {
                used.users -= 1;
                if used.users == 0 {
                    self.by_key.remove(&used.key);
                    *shared = None;
                }
            }
        }
    }

    /// The unit goes along a route.
    pub(crate) fn set(&mut self, unit: u32, kind: usize, space: &GridSpace, route: Vec<Position>) {
        self.clear(unit);
        let Some(&goal) = route.last() else { return };
        *self.unit_mut(unit) = if space.positions() <= EXACT_POSITIONS {
            Guidance::Goal(self.share((kind, goal), space, route[0]))
        } else {
            Guidance::Route(Box::new(RouteGuide::new(space, route)))
        };
    }

    fn share(&mut self, key: (usize, Position), space: &GridSpace, from: Position) -> u32 {
        if let Some(&goal) = self.by_key.get(&key) {
            if let Some(shared) = &mut self.goals[goal as usize] {
                shared.users += 1;
            }
            return goal;
        }
        let mut distances = Rra::default();
        distances.begin(space, [(key.1, 0)], from);
        let fingerprint = space.ground().fingerprint();
        let shared = Some(SharedGoal { key, users: 1, fingerprint, distances });
        let free = self.goals.iter().position(Option::is_none);
        let goal = free.unwrap_or(self.goals.len());
        if free.is_none() {
            self.goals.push(None);
        }
        self.goals[goal] = shared;
        self.by_key.insert(key, goal as u32);
        goal as u32
    }

    /// The map has changed around these cells: what was known there is forgotten. Whether
    /// the route of the unit, which is at the position, is broken.
    pub(crate) fn forget(
        &mut self,
        unit: u32,
        at: Option<Position>,
        space: &GridSpace,
        changed: &[Cell],
    ) -> bool {
        self.locals.forget(unit);
        match self.unit_mut(unit) {
            Guidance::None => false,
            &mut Guidance::Goal(goal) => {
                let shared = self.goals[goal as usize].as_mut();
                // Not when it is next asked: what it found before the edit must not be mixed
                // with what it finds after it.
                shared.into_iter().for_each(|shared| {
                    let towards = at.unwrap_or(shared.key.1);
                    shared.renew(space, towards);
                });
                false
            }
            Guidance::Route(route) => {
                route.anchor = None;
                if !route.is_near(space, changed) {
                    return false;
                }
                // What the rest of the way costs is that of the map as it is, not as it was.
                route.rest = rest(space, &route.cells);
                route.is_broken(space)
            }
        }
    }

    /// What guides a unit, as little of it as it takes to go on from.
    pub(crate) fn bearing(&self, unit: u32) -> Bearing {
        match self.units.get(unit as usize) {
            None | Some(Guidance::None) => Bearing::None,
            Some(Guidance::Goal(goal)) => {
                let goal = self.goals[*goal as usize].as_ref();
                goal.map_or(Bearing::None, |goal| Bearing::Goal(goal.key.1))
            }
            Some(Guidance::Route(route)) => Bearing::Route(RoutePart {
                cells: route.cells.clone(),
                progress: route.progress,
                within: route.anchor.map(|anchor| RouteBox {
                    anchor,
                    reach: route.reach,
                    roots: route.roots,
                }),
            }),
        }
    }

    /// Guides a unit to a goal again, at the distances of the present map.
    pub(crate) fn go_on_to(
        &mut self,
        (unit, at): (u32, Position),
        kind: usize,
        space: &GridSpace,
        goal: Position,
    ) {
        *self.unit_mut(unit) = Guidance::Goal(self.share((kind, goal), space, at));
    }

    /// Guides a unit along a route again, from where it had come on.
    pub(crate) fn go_on_along(&mut self, unit: u32, space: &GridSpace, part: RoutePart) {
        let mut route = RouteGuide::new(space, part.cells);
        route.progress = part.progress;
        if let Some(RouteBox { anchor, reach, roots }) = part.within {
            (route.anchor, route.reach, route.roots) = (Some(anchor), reach, roots);
            let lost = route.around(space).next().is_none();
            route.lost = lost;
        }
        self.locals.forget(unit);
        *self.unit_mut(unit) = Guidance::Route(Box::new(route));
    }

    /// The guidance of one unit apart from the others, to be asked without a trace.
    pub(crate) fn clone_of(&self, unit: u32) -> Self {
        let guidance = self.units.get(unit as usize).cloned().unwrap_or_default();
        let goals = match guidance {
            Guidance::Goal(goal) => vec![self.goals[goal as usize].clone()],
            _ => Vec::new(),
        };
        let guidance = match guidance {
            Guidance::Goal(_) => Guidance::Goal(0),
            other => other,
        };
        Self { units: vec![guidance], goals, ..Self::default() }
    }

    /// The distance of the only unit of a copy.
    pub(crate) fn distance_for_show(&mut self, space: &GridSpace, at: Position) -> Option<u64> {
        self.distance(space, 0, at)
    }

    /// The positions on a unit's shortest way from one on, at most so many.
    pub(crate) fn way(
        &mut self,
        space: &GridSpace,
        unit: u32,
        from: Position,
        most: usize,
    ) -> Vec<Position> {
        let mut way = vec![from];
        let mut left = self.distance(space, unit, from);
        while let Some(rest) = left.filter(|&rest| rest > 0 && way.len() < most) {
            let mut next = None;
            space.for_each_move(way[way.len() - 1], |step| {
                let Some(after) = self.distance(space, unit, step.to) else { return };
                let key = (after + step.cost, step.action);
                if after < rest && next.is_none_or(|(best, _, _)| key < best) {
                    next = Some((key, step.to, after));
                }
            });
            let Some((_, to, after)) = next else { break };
            way.push(to);
            left = Some(after);
        }
        let known = way.len();
        if let (Some(route), Some(left)) = (self.route(unit), left) {
            // Beyond the box in which distances are known.
            let ahead = route.rest.partition_point(|&rest| rest >= left);
            way.extend(route.cells[ahead..].iter().take(most - known));
        }
        way
    }

    /// The unit's route, if it has one.
    pub(crate) fn route(&self, unit: u32) -> Option<&RouteGuide> {
        match self.units.get(unit as usize)? {
            Guidance::Route(route) => Some(route),
            _ => None,
        }
    }
}

/// What the way from each cell of a route to its end costs.
fn rest(space: &GridSpace, cells: &[Position]) -> Vec<u64> {
    let mut rest = vec![0; cells.len()];
    for at in (1..cells.len()).rev() {
        let step = space.move_to(cells[at - 1], cells[at]);
        rest[at - 1] = rest[at] + step.map_or(0, |step| step.cost);
    }
    rest
}

impl RouteGuide {
    fn new(space: &GridSpace, cells: Vec<Position>) -> Self {
        Self { rest: rest(space, &cells), cells, ..Self::default() }
    }

    /// Distances are those around the unit from now on. If it was pushed off its route it gets
    /// a new first part of it, so that it can go straight on again.
    fn settle(
        &mut self,
        space: &GridSpace,
        locals: &mut Locals,
        unit: u32,
        at: Position,
        depth: u32,
    ) {
        self.walk(at);
        let (cell, reach) = (space.cell(at), depth as u16 + REACH);
        let stands = space.ground().can_stand(cell);
        let mut on_route =
            self.is_on_route(at) || (self.anchor.is_some() && self.rejoin(space, locals, unit, at));
        if !on_route {
            self.begin_around(locals, unit, cell, reach);
            on_route = self.rejoin(space, locals, unit, at);
        }
        self.lost = stands && !on_route;
        self.begin_around(locals, unit, cell, reach);
    }

    fn is_on_route(&self, at: Position) -> bool {
        self.cells.get(self.progress) == Some(&at)
    }

    fn begin_around(&mut self, locals: &mut Locals, unit: u32, cell: Cell, reach: u16) {
        (self.anchor, self.reach, self.roots) = (Some(cell), reach, self.progress);
        locals.forget(unit);
    }

    /// Makes the shortest way on from where the unit is the first part of its route; whether
    /// there is one.
    fn rejoin(&mut self, space: &GridSpace, locals: &mut Locals, unit: u32, at: Position) -> bool {
        let Some(local) = self.local(space, locals, unit) else { return false };
        if local.distance(space, at).is_none() {
            return false;
        }
        let way = local.way(space, at);
        let ahead = self.cells[self.roots..].iter();
        let Some(joins) = way.last().and_then(|end| ahead.clone().position(|cell| cell == end))
        else {
            return false;
        };
        let passed = ..=self.roots + joins;
        self.rest.splice(passed, way.iter().filter_map(|&at| local.known(space, at)));
        self.cells.splice(passed, way);
        self.progress = 0;
        true
    }

    /// The cells of the route in the box, and the rest of the way from each.
    fn around(&self, space: &GridSpace) -> impl DoubleEndedIterator<Item = (Position, u64)> {
        let (anchor, reach) = (self.anchor.unwrap_or(Cell::new(0, 0)), self.reach);
        let end = (self.roots + 2 * LOOK_AHEAD).min(self.cells.len());
        let from = self.roots.min(end);
        let cells = self.cells[from..end].iter().zip(&self.rest[from..end]);
        let cells = cells.map(|(&cell, &rest)| (cell, rest));
        cells.filter(move |&(cell, _)| within(space.cell(cell), anchor, reach))
    }

    /// RRA* around the unit. It begins when the first distance is asked for: who goes straight
    /// on needs none.
    #[inline]
    fn local<'a>(
        &self,
        space: &GridSpace,
        locals: &'a mut Locals,
        unit: u32,
    ) -> Option<&'a mut LocalRra> {
        let middle = self.anchor?;
        // Along the route all are as promising: the last one, which is looked at first, must
        // be the one beside the unit.
        let begin = |local: &mut LocalRra| {
            local.begin(space, middle, self.reach, self.around(space).rev());
        };
        Some(locals.of(unit, begin))
    }

    /// Notes how far the unit has come.
    fn walk(&mut self, at: Position) {
        self.progress += self.steps_to(at).unwrap_or(0);
    }

    fn is_ahead(&self, at: Position) -> bool {
        self.steps_to(at).is_some()
    }

    /// How many steps of the route it is to a position.
    fn steps_to(&self, at: Position) -> Option<usize> {
        self.cells[self.progress..].iter().take(LOOK_AHEAD).position(|&cell| cell == at)
    }

    #[inline]
    fn distance(
        &self,
        space: &GridSpace,
        locals: &mut Locals,
        unit: u32,
        at: Position,
    ) -> Option<u64> {
        if self.is_on_route(at) {
            return Some(self.rest[self.progress]);
        }
        self.local(space, locals, unit)?.distance(space, at)
    }

    /// What the rest of the way costs from a position on the route, or from where the unit
    /// was last on it. Not from the cell that looks nearest: that may be behind a wall.
    pub(crate) fn rest_from(&self, at: Position) -> u64 {
        let ahead = self.cells.iter().zip(&self.rest).skip(self.progress);
        let here = ahead.take(LOOK_AHEAD).find(|&(&cell, _)| cell == at);
        here.map(|(_, &rest)| rest).or(self.rest.get(self.progress).copied()).unwrap_or(u64::MAX)
    }

    /// Whether one of the cells has a bearing on the route.
    fn is_near(&self, space: &GridSpace, changed: &[Cell]) -> bool {
        let side = u16::from(space.ground().movement().footprint);
        self.cells.iter().any(|&at| {
            let cell = space.cell(at);
            changed.iter().any(|c| {
                c.x + 1 >= cell.x
                    && c.x <= cell.x + side
                    && c.y + 1 >= cell.y
                    && c.y <= cell.y + side
            })
        })
    }

    /// Whether a step of the route is not legal.
    fn is_broken(&self, space: &GridSpace) -> bool {
        self.cells.windows(2).any(|step| {
            let (from, to) = (space.cell(step[0]), space.cell(step[1]));
            space.ground().step_cost(from, to).is_none()
        })
    }
}

fn within(cell: Cell, anchor: Cell, reach: u16) -> bool {
    cell.x.abs_diff(anchor.x) <= reach && cell.y.abs_diff(anchor.y) <= reach
}

impl Guide<GridSpace> for Guides {
    fn begin(&mut self, space: &GridSpace, unit: u32, at: Position, depth: u32) {
        let Some(Guidance::Route(route)) = self.units.get_mut(unit as usize) else { return };
        route.settle(space, &mut self.locals, unit, at, depth);
        if route.lost {
            self.lost.push(unit);
        }
    }

    /// While the distances that it planned by are at hand.
    fn end(&mut self, space: &GridSpace, unit: u32, at: Position) {
        let Some(Guidance::Route(route)) = self.units.get_mut(unit as usize) else { return };
        if !route.is_ahead(at) && route.rejoin(space, &mut self.locals, unit, at) {
            route.roots = route.progress;
            self.locals.forget(unit);
        }
    }

    fn route(&self, unit: u32, at: Position) -> Option<&[Position]> {
        match self.units.get(unit as usize)? {
            Guidance::Route(route) if route.is_on_route(at) => Some(&route.cells[route.progress..]),
            _ => None,
        }
    }

    #[inline]
    fn distance(&mut self, space: &GridSpace, unit: u32, at: Position) -> Option<u64> {
        match self.units.get_mut(unit as usize) {
            // From a wall that was built around it, it wants to get out.
            None | Some(Guidance::None) => space.ground().can_stand(space.cell(at)).then_some(0),
            Some(Guidance::Goal(goal)) => {
                self.goals[*goal as usize].as_mut()?.distances.distance(space, at)
            }
            Some(Guidance::Route(route)) => route.distance(space, &mut self.locals, unit, at),
        }
    }

    /// Distances are not charged: what they cost depends on what is still in memory, and a
    /// world that was loaded must spend its budget like the one that was saved. A flat
    /// charge for each order takes their place.
    fn expanded(&self) -> u64 {
        0
    }
}
