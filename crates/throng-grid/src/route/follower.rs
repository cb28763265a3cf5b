//! Walks a path over ground that changes, and repairs it where it breaks.
//!
//! X. Xu and K. Zou, "An improved pathfinding algorithm in RTS games", section 5: a bridge
//! is blown up, a house is built, another unit stands in the way. Before each step the next
//! cells of the path are checked. At a break one searches "a new path from the last walkable
//! node before breaking to the first walkable node after breaking, then links this new path
//! to the original path".
//!
//! Here the search for the link may end at any of the next walkable cells after the break.
//! The path costs no more than with a link to the first of them, for the link costs no
//! more, and what is left of the path after it costs no more either; and the search ends
//! sooner. [`FollowerOptions::rejoin_cells`] of 1 is the paper's rule. Where a link comes
//! back over the old path, the loop is dropped.

use throng_model::{Budget, Cell, Cost, STRAIGHT};

use crate::ground::compass::Direction;
use crate::{Answer, Ground, Path, PathSearch, Query, QueryError};

/// How a follower checks and repairs its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FollowerOptions {
    /// How many cells ahead are checked before each step; 0 counts as 1.
    pub look_ahead: u32,
    /// At how many of the next walkable cells after a break a splice may come back to the
    /// path; 0 counts as 1.
    pub rejoin_cells: u32,
    /// A splice is good enough if the path then costs at most this much of what it cost
    /// before, in percent. Otherwise a new path to the goal is searched, and the cheaper
    /// of both is taken.
    pub splice_percent: u32,
    /// A splice is a repair near the break: when its search has expanded this many nodes for
    /// each cell of the path that is left, it gives up, and the whole path is searched again.
    pub splice_effort: u32,
    /// Never splice: search the whole path again at every break.
    pub always_full: bool,
}

impl Default for FollowerOptions {
    /// One cell ahead, 32 cells to come back at, splices that cost up to half as much again. The effort
    /// is a compromise, tried at 2, 4, 8, 24 and without limit on the lab's breaks: with less,
    /// splices around houses and units are given up that would have paid; with more, nodes are
    /// wasted on bridges that have no replacement near. Where the cost of the path matters less
    /// than nodes, allow any cost and effort: that expands the least.
    fn default() -> Self {
        Self {
            look_ahead: 1,
            rejoin_cells: 32,
            splice_percent: 150,
            splice_effort: 4,
            always_full: false,
        }
    }
}

/// What a unit does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FollowerStep {
    /// Go to this neighbouring cell.
    Move {
        /// The cell.
        to: Cell,
        /// What was done to the path before.
        repair: Option<Repair>,
    },
    /// Stay: the path cannot be walked now. It is kept, and tried again next time.
    Blocked(Blocked),
    /// The unit is at its goal.
    Arrived,
}

/// Why a unit cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// No unit can stand on the goal now, and the unit has come as near as its path leads.
    GoalBlocked,
    /// No path leads to the goal: proven, without a search.
    Unreachable,
    /// Something was built around the unit, and no step leads out of it.
    Enclosed,
    /// The budget was spent before the break could be repaired.
    BudgetSpent,
}

/// How a path was repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repair {
    /// By what kind of search.
    pub how: RepairKind,
    /// Nodes expanded for it.
    pub expanded: u64,
    /// What was left of the path before it broke.
    pub cost_before: Cost,
    /// What is left of it now.
    pub cost_after: Cost,
}

/// How a break is repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepairKind {
    /// A link around the break; the rest of the path is kept.
    Splice,
    /// A new path from the unit to the goal.
    Full,
}

/// What a follower has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FollowerStatistics {
    /// Breaks repaired by a splice.
    pub splices: u64,
    /// Whole paths searched.
    pub full_searches: u64,
    /// Nodes expanded for all repairs, those that failed included.
    pub expanded: u64,
}

/// Walks a path, one step per call. The unit moves when its game moves it: if it did not go
/// where the follower said, [`relocate`](Self::relocate) tells the follower so.
///
/// ```
/// use throng_model::{Budget, Cell, Map, MovementProfile};
/// use throng_grid::{AStar, Follower, FollowerOptions, Ground, PathSearch, Query, FollowerStep};
/// let map = Map::empty(9, 9)?;
/// let mut ground = Ground::new(&map, MovementProfile::eight_connected())?;
/// let mut search = AStar::default();
/// let (start, goal) = ([Cell::new(0, 4)], [Cell::new(8, 4)]);
/// let query = Query::new(&start, &goal);
/// let path = search.find(&ground, &query, Budget::unlimited())?.found().ok_or("no path")?;
/// let mut follower = Follower::new(&ground, &path, FollowerOptions::default()).ok_or("empty")?;
/// ground.add_obstacle(Cell::new(4, 4));
/// while let FollowerStep::Move { .. } = follower.advance(&ground, &mut search, Budget::unlimited())? {}
/// assert_eq!(follower.position(), Cell::new(8, 4));
/// assert_eq!(follower.statistics().splices, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Follower {
    options: FollowerOptions,
    /// The path; the unit is at `legs[at]`.
    legs: Vec<Leg>,
    at: usize,
    /// The unit was moved off its path, and `legs[at]` is not next to what follows.
    astray: bool,
    /// The whole path is to be searched before the next step.
    must_search: bool,
    statistics: FollowerStatistics,
}

/// A cell of a path, and what the step onto it costs.
#[derive(Clone, Copy, Debug)]
struct Leg {
    cell: Cell,
    /// As planned. Where the step is not legal any more: as it was.
    cost: Cost,
}

/// What a search for a repair came to.
enum Attempt {
    Found(Vec<Leg>),
    BudgetSpent,
    Impossible,
}

impl Attempt {
    /// The legs found and what they cost.
    fn found(self) -> Option<(Vec<Leg>, Cost)> {
        match self {
            Self::Found(legs) => {
                let cost = cost_of(&legs);
                Some((legs, cost))
            }
            Self::BudgetSpent | Self::Impossible => None,
        }
    }
}

impl Follower {
    /// A follower at the start of a path; `None` if the path is empty.
    #[must_use]
    pub fn new(ground: &Ground, path: &Path, options: FollowerOptions) -> Option<Self> {
        let first = Leg { cell: path.start()?, cost: Cost::ZERO };
        let mut legs = vec![first];
        extend(ground, &mut legs, path.cells[1..].iter().map(|&cell| Leg::unplanned(cell)));
        let statistics = FollowerStatistics::default();
        Some(Self { options, legs, at: 0, astray: false, must_search: false, statistics })
    }

    /// Where the unit is, if it went where it was told.
    #[must_use]
    pub fn position(&self) -> Cell {
        self.legs[self.at].cell
    }

    /// Where it goes.
    #[must_use]
    pub fn goal(&self) -> Cell {
        self.legs[self.legs.len() - 1].cell
    }

    /// The cells that are still to be walked, the present one first.
    pub fn remaining(&self) -> impl Iterator<Item = Cell> {
        self.legs[self.at..].iter().map(|leg| leg.cell)
    }

    /// What they cost, as planned.
    #[must_use]
    pub fn remaining_cost(&self) -> Cost {
        cost_of(&self.legs[self.at..])
    }

    /// What was done so far.
    #[must_use]
    pub fn statistics(&self) -> FollowerStatistics {
        self.statistics
    }

    /// Tells where the unit really is: it was pushed, or could not do the step.
    pub fn relocate(&mut self, cell: Cell) {
        let ahead = self.legs[self.at..].iter().position(|leg| leg.cell == cell);
        match ahead {
            // Astray, the first leg is no part of the path.
            Some(steps) if steps > 0 || !self.astray => {
                (self.at, self.astray) = (self.at + steps, false);
            }
            Some(_) => {}
            None => {
                let path = self.at + usize::from(self.astray);
                self.legs.drain(..path);
                self.legs.insert(0, Leg { cell, cost: Cost::ZERO });
                (self.at, self.astray) = (0, true);
            }
        }
    }

    /// Searches the path to the goal again before the next step, also when it is not broken.
    pub fn search_again(&mut self) {
        self.must_search = true;
    }

    /// Says what the unit does next, and repairs the path before if it must. Each call may
    /// spend the whole budget; if that is not enough, the unit walks on as long as it can
    /// and the next call tries again.
    ///
    /// # Errors
    /// When the search cannot run on this ground at all.
    pub fn advance(
        &mut self,
        ground: &Ground,
        search: &mut impl PathSearch,
        budget: Budget<'_>,
    ) -> Result<FollowerStep, QueryError> {
        if self.position() == self.goal() {
            self.must_search = false;
            return Ok(FollowerStep::Arrived);
        }
        self.come_back(ground);
        let repaired = match self.first_break(ground) {
            _ if self.must_search => Some(self.renew(ground, search, budget)?),
            Some(broken) => Some(self.repair(ground, search, budget, broken)?),
            None => None,
        };
        let next = self.legs[self.at + 1].cell;
        let free = step_cost(ground, self.position(), next).is_some();
        let repair = match repaired {
            Some(Err(Blocked::Unreachable)) => {
                return Ok(FollowerStep::Blocked(Blocked::Unreachable));
            }
            Some(Err(reason)) if !free => return Ok(FollowerStep::Blocked(reason)),
            Some(Err(_)) | None => None,
            Some(Ok(repair)) => Some(repair),
        };
        (self.at, self.astray) = (self.at + 1, false);
        Ok(FollowerStep::Move { to: next, repair })
    }

    /// Brings a unit that went astray back at the last cell of its path that is one step
    /// away. If there is none, the first step is broken, and repaired as such.
    fn come_back(&mut self, ground: &Ground) {
        if !self.astray {
            return;
        }
        let here = self.position();
        let near = |leg: &Leg| step_cost(ground, here, leg.cell).is_some();
        if let Some(last) = self.legs[1..].iter().rposition(near) {
            self.legs.drain(1..=last);
        }
        if let Some(cost) = step_cost(ground, here, self.legs[1].cell) {
            self.legs[1].cost = cost;
        }
    }

    /// The last leg before the first step that is not legal any more, among those checked.
    fn first_break(&self, ground: &Ground) -> Option<usize> {
        let checked = self.options.look_ahead.max(1) as usize;
        let steps = self.legs[self.at..].windows(2).take(checked);
        let mut broken = steps.map(|step| step_cost(ground, step[0].cell, step[1].cell).is_none());
        broken.position(|broken| broken).map(|step| self.at + step)
    }

    /// Searches the whole way, because it was told to.
    fn renew(
        &mut self,
        ground: &Ground,
        search: &mut impl PathSearch,
        budget: Budget<'_>,
    ) -> Result<Result<Repair, Blocked>, QueryError> {
        if let Some(reason) = self.hopeless(ground) {
            return Ok(Err(reason));
        }
        let expanded_before = self.statistics.expanded;
        let full = self.full(ground, search, budget)?;
        let spent = matches!(full, Attempt::BudgetSpent);
        Ok(match full.found() {
            Some((legs, cost)) => Ok(self.take(RepairKind::Full, legs, cost, expanded_before)),
            None if spent => Err(Blocked::BudgetSpent),
            None => Err(Blocked::Unreachable),
        })
    }

    /// Mends the path after the leg `broken`.
    fn repair(
        &mut self,
        ground: &Ground,
        search: &mut impl PathSearch,
        budget: Budget<'_>,
        broken: usize,
    ) -> Result<Result<Repair, Blocked>, QueryError> {
        let hopeless = self.hopeless(ground);
        if let Some(reason @ (Blocked::Unreachable | Blocked::Enclosed)) = hopeless {
            return Ok(Err(reason));
        }
        let expanded_before = self.statistics.expanded;
        let splice = self.splice(ground, search, budget, broken)?;
        let mut spent = matches!(splice, Attempt::BudgetSpent);
        let splice = splice.found();
        let good_enough = splice.as_ref().is_some_and(|&(_, cost)| self.allows(cost));
        let full = if good_enough || hopeless.is_some() {
            Attempt::Impossible
        } else {
            let used = self.statistics.expanded - expanded_before;
            self.full(ground, search, rest_of(budget, used))?
        };
        spent |= matches!(full, Attempt::BudgetSpent);
        let best = match (splice, full.found()) {
            (Some(splice), Some(full)) if full.1 < splice.1 => Some((RepairKind::Full, full)),
            (Some(splice), _) => Some((RepairKind::Splice, splice)),
            (None, full) => full.map(|full| (RepairKind::Full, full)),
        };
        Ok(match best {
            Some((how, (legs, cost))) => Ok(self.take(how, legs, cost, expanded_before)),
            None if spent => Err(Blocked::BudgetSpent),
            None => Err(hopeless.unwrap_or(Blocked::Unreachable)),
        })
    }

    /// Whether a splice that makes the path cost this is good enough.
    fn allows(&self, cost: Cost) -> bool {
        cost.0 <= self.allowed_cost()
    }

    /// What the rest of the path may cost after a splice.
    fn allowed_cost(&self) -> u64 {
        let percent = u128::from(self.options.splice_percent);
        let allowed = u128::from(self.remaining_cost().0) * percent / 100;
        u64::try_from(allowed).unwrap_or(u64::MAX)
    }

    /// Why no search can lead to the goal, if that is so. Needs none to know.
    fn hopeless(&self, ground: &Ground) -> Option<Blocked> {
        let starts = starts(ground, self.position());
        let goal = self.goal();
        if starts.is_empty() {
            Some(Blocked::Enclosed)
        } else if !ground.can_stand(goal) {
            Some(Blocked::GoalBlocked)
        } else {
            let connected = starts.iter().any(|&start| ground.is_connected(start, goal));
            (!connected).then_some(Blocked::Unreachable)
        }
    }

    /// Links the last walkable cell before the break to one of the first after it.
    fn splice(
        &mut self,
        ground: &Ground,
        search: &mut impl PathSearch,
        budget: Budget<'_>,
        broken: usize,
    ) -> Result<Attempt, QueryError> {
        let after = self.legs[broken + 1..].iter().map(|leg| leg.cell);
        let goals: Vec<Cell> = after
            .filter(|&cell| ground.can_stand(cell))
            .take(self.options.rejoin_cells.max(1) as usize)
            .collect();
        if self.options.always_full || goals.is_empty() {
            return Ok(Attempt::Impossible);
        }
        let begin = self.legs[self.at..=broken].to_vec();
        let link_max = self.link_max(ground, &begin, broken + 1);
        let cells = (self.legs.len() - self.at) as u64;
        let effort = u64::from(self.options.splice_effort).saturating_mul(cells);
        let gives_up = budget.expansions.is_none_or(|all| effort < all);
        let limited = if gives_up { Budget { expansions: Some(effort), ..budget } } else { budget };
        let link = self.link(ground, search, limited, begin, &goals, link_max)?;
        if gives_up && matches!(link, Attempt::BudgetSpent) {
            return Ok(Attempt::Impossible);
        }
        let Attempt::Found(mut legs) = link else { return Ok(link) };
        let end = legs[legs.len() - 1].cell;
        let rest = self.legs[broken + 1..].iter().skip_while(|leg| leg.cell != end).skip(1);
        extend(ground, &mut legs, rest.copied());
        Ok(Attempt::Found(without_loops(&legs)))
    }

    /// What a link may cost at most, so that the path stays allowed: what is left after the
    /// way to the break, and after the way on from the last cell that it may come back at.
    fn link_max(&self, ground: &Ground, begin: &[Leg], after: usize) -> Cost {
        let rest = self.legs[after..].iter().filter(|leg| ground.can_stand(leg.cell));
        let rest_least: Cost =
            rest.skip(self.options.rejoin_cells.max(1) as usize).map(|leg| leg.cost).sum();
        let known = cost_of(begin) + rest_least;
        Cost(self.allowed_cost().saturating_sub(known.0))
    }

    /// A path from the unit to the goal.
    fn full(
        &mut self,
        ground: &Ground,
        search: &mut impl PathSearch,
        budget: Budget<'_>,
    ) -> Result<Attempt, QueryError> {
        let begin = vec![self.legs[self.at]];
        let goal = self.goal();
        self.link(ground, search, budget, begin, &[goal], Cost::MAX)
    }

    /// Lengthens some legs by the best way from their end to a goal.
    fn link(
        &mut self,
        ground: &Ground,
        search: &mut impl PathSearch,
        budget: Budget<'_>,
        mut legs: Vec<Leg>,
        goals: &[Cell],
        cost_max: Cost,
    ) -> Result<Attempt, QueryError> {
        let from = legs[legs.len() - 1].cell;
        let starts = starts(ground, from);
        if starts.is_empty() {
            return Ok(Attempt::Impossible);
        }
        let answer =
            search.find(ground, &Query::new(&starts, goals).with_cost_max(cost_max), budget)?;
        self.statistics.expanded += search.expanded();
        Ok(match answer {
            Answer::Found(path) => {
                let steps = path.cells.into_iter().skip_while(|&cell| cell == from);
                extend(ground, &mut legs, steps.map(Leg::unplanned));
                Attempt::Found(legs)
            }
            Answer::Unreachable { .. } | Answer::CostLimit => Attempt::Impossible,
            Answer::BudgetSpent { .. } => Attempt::BudgetSpent,
        })
    }

    /// Goes on with a repaired path.
    fn take(
        &mut self,
        how: RepairKind,
        legs: Vec<Leg>,
        cost_after: Cost,
        expanded_before: u64,
    ) -> Repair {
        let cost_before = self.remaining_cost();
        let statistics = &mut self.statistics;
        match how {
            RepairKind::Splice => statistics.splices += 1,
            RepairKind::Full => statistics.full_searches += 1,
        }
        self.must_search &= how == RepairKind::Splice;
        let expanded = statistics.expanded - expanded_before;
        (self.legs, self.at) = (legs, 0);
        Repair { how, expanded, cost_before, cost_after }
    }
}

impl Leg {
    /// Counts as a plain step, should it not be legal.
    fn unplanned(cell: Cell) -> Self {
        Self { cell, cost: Cost(STRAIGHT) }
    }
}

/// What legs cost after the first, where the unit stands already.
fn cost_of(legs: &[Leg]) -> Cost {
    legs.iter().skip(1).map(|leg| leg.cost).sum()
}

/// Appends legs, each with what the step onto it costs now, if it is legal now.
fn extend(ground: &Ground, legs: &mut Vec<Leg>, more: impl Iterator<Item = Leg>) {
    for leg in more {
        let from = legs.last().map_or(leg.cell, |last| last.cell);
        let cost = step_cost(ground, from, leg.cell).unwrap_or(leg.cost);
        legs.push(Leg { cost, ..leg });
    }
}

/// What a step costs, if it is legal for a unit that is there, on any ground: a unit
/// over which a house was built may still step out.
fn step_cost(ground: &Ground, from: Cell, to: Cell) -> Option<Cost> {
    let step = Direction::between(from, to)?;
    let legal = ground.legal_steps(ground.index(from)?) & step.bit() != 0;
    let factor = ground.factor(to).filter(|_| legal)?;
    Some(Cost(ground.base_cost(step) * u64::from(factor.get())))
}

/// Where a search for the way from a cell may start: there, or if no unit can stand there,
/// at the cells to which a step leads out.
fn starts(ground: &Ground, from: Cell) -> Vec<Cell> {
    if ground.can_stand(from) {
        return vec![from];
    }
    let Some(index) = ground.index(from) else { return Vec::new() };
    let out = Direction::each(ground.legal_steps(index)).map(Direction::offset);
    out.filter_map(|(dx, dy)| from.offset(dx, dy)).collect()
}

/// The path without the parts that come back to a cell.
fn without_loops(legs: &[Leg]) -> Vec<Leg> {
    let mut visits: Vec<(Cell, usize)> =
        legs.iter().enumerate().map(|(index, leg)| (leg.cell, index)).collect();
    visits.sort_unstable();
    let last_visit = |cell: Cell| {
        let end = visits.partition_point(|&(visited, _)| visited <= cell);
        visits[end - 1].1
    };
    let mut kept = Vec::with_capacity(legs.len());
    let mut at = 0;
    while let Some(&leg) = legs.get(at) {
        kept.push(leg);
        at = last_visit(leg.cell) + 1;
    }
    kept
}

fn rest_of(budget: Budget<'_>, used: u64) -> Budget<'_> {
    Budget { expansions: budget.expansions.map(|all| all.saturating_sub(used)), ..budget }
}

#[cfg(test)]
mod tests;
