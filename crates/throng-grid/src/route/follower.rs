//! Follows a path while the ground changes, and repairs it where it breaks.
//!
//! X. Xu and K. Zou, "An improved pathfinding algorithm in RTS games", section 5: a bridge
//! is blown up, a house is built, another unit stands in the way. Before each step the next
//! cells of the path are checked. At a break one searches "a new path from the last walkable
//! node before breaking to the first walkable node after breaking, then links this new path
//! to the original path".
//!
//! Here the link may end at any of the next walkable cells after the break: the cheapest link
//! is taken. It costs no more than a link to the first of these cells, and no more of the old
//! path is left after it. The search also ends sooner. [`FollowerOptions::rejoin_cells`] of 1 is the
//! paper's rule. Where a link leads back over the old path, the loop is dropped.

use throng_model::{Budget, Cell, Cost, STRAIGHT};

use crate::ground::directions::Direction;
use crate::{Answer, Ground, Path, PathSearch, Query, QueryError};

/// How a follower checks and repairs its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FollowerOptions {
    /// How many cells ahead are checked before each step; 0 counts as 1.
    pub look_ahead: u32,
    /// How many walkable cells after a break a splice may rejoin the path at; 0 counts as 1.
    pub rejoin_cells: u32,
    /// The limit of a splice, in percent: the repaired path may cost this much of the path
    /// before the break. Above it a new path to the goal is searched, and the cheaper one is
    /// taken.
    pub splice_percent: u32,
    /// The budget of a splice, in expansions per remaining cell of the path. If it is spent, the
    /// whole path is searched again.
    pub splice_effort: u32,
    /// Never splice: search the whole path again at every break.
    pub always_full: bool,
}

impl Default for FollowerOptions {
    /// One cell ahead, 32 cells to rejoin at, splices that cost up to half as much again.
    ///
    /// The effort of 4 is a compromise; 2, 4, 8, 24 and no limit were tried on the breaks of
    /// `throng lab xu-zou`. With less, useful splices around houses and units are given up.
    /// With more, expansions are wasted on bridges without a replacement nearby. If expansions
    /// matter more than the cost of the path, allow any cost and effort: that expands the least.
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

/// The next action of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FollowerStep {
    /// Go to this neighbouring cell.
    Move {
        /// The cell.
        to: Cell,
        /// The repair of the path before this step, if there was one.
        repair: Option<Repair>,
    },
    /// Stay: the next step is not possible now. The path is kept, and the next call tries again.
    Blocked(Blocked),
    /// The unit is at its goal.
    Arrived,
}

/// Why a unit cannot continue.
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
    /// The kind of search.
    pub how: RepairKind,
    /// Nodes expanded for it.
    pub expanded: u64,
    /// The cost of the remaining path before it broke.
    pub cost_before: Cost,
    /// The cost of the remaining path now.
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

/// The repairs of a follower so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FollowerStatistics {
    /// Breaks repaired by a splice.
    pub splices: u64,
    /// Whole paths searched.
    pub full_searches: u64,
    /// Nodes expanded for all repairs, those that failed included.
    pub expanded: u64,
    /// Steps of the path that were checked ahead of the unit.
    pub checked: u64,
}

/// Follows a path, one step per call.
///
/// The game moves the unit. If it did not move where the follower said, call
/// [`relocate`](Self::relocate).
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
    /// The unit was moved off its path: `legs[at]` need not be next to `legs[at + 1]`.
    off_path: bool,
    /// The whole path is to be searched before the next step.
    must_search: bool,
    statistics: FollowerStatistics,
}

/// A cell of a path, and what the step onto it costs.
#[derive(Clone, Copy, Debug)]
struct Leg {
    cell: Cell,
    /// The cost when the path was planned, even if the step is no longer legal.
    cost: Cost,
}

/// The result of a search for a repair.
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
        Some(Self { options, legs, at: 0, off_path: false, must_search: false, statistics })
    }

    /// The unit's cell, if it followed the last step.
    #[must_use]
    pub fn position(&self) -> Cell {
        self.legs[self.at].cell
    }

    /// The last cell of the path.
    #[must_use]
    pub fn goal(&self) -> Cell {
        self.legs[self.legs.len() - 1].cell
    }

    /// The remaining cells of the path, the current one first.
    pub fn remaining(&self) -> impl Iterator<Item = Cell> {
        self.legs[self.at..].iter().map(|leg| leg.cell)
    }

    /// The cost of the remaining cells, as planned.
    #[must_use]
    pub fn remaining_cost(&self) -> Cost {
        cost_of(&self.legs[self.at..])
    }

    /// The repairs so far.
    #[must_use]
    pub fn statistics(&self) -> FollowerStatistics {
        self.statistics
    }

    /// Tells the follower where the unit is, when it was pushed or could not make the step.
    pub fn relocate(&mut self, cell: Cell) {
        let ahead = self.legs[self.at..].iter().position(|leg| leg.cell == cell);
        match ahead {
            // Off the path, the first leg is not part of the path.
            Some(steps) if steps > 0 || !self.off_path => {
                (self.at, self.off_path) = (self.at + steps, false);
            }
            Some(_) => {}
            None => {
                let path = self.at + usize::from(self.off_path);
                self.legs.drain(..path);
                self.legs.insert(0, Leg { cell, cost: Cost::ZERO });
                (self.at, self.off_path) = (0, true);
            }
        }
    }

    /// Makes the next call search the whole path again, even if it is not broken.
    pub fn search_again(&mut self) {
        self.must_search = true;
    }

    /// Returns the unit's next action, after repairing the path if necessary. Each call may
    /// spend the whole budget. If that is not enough, the unit continues while the next step
    /// is legal, and the next call tries again.
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
        self.rejoin(ground);
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
        (self.at, self.off_path) = (self.at + 1, false);
        Ok(FollowerStep::Move { to: next, repair })
    }

    /// Lets a unit off its path rejoin it at the last cell that is one step away. If there is
    /// none, the first step counts as a break and is repaired.
    fn rejoin(&mut self, ground: &Ground) {
        if !self.off_path {
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
    fn first_break(&mut self, ground: &Ground) -> Option<usize> {
        let ahead = self.options.look_ahead.max(1) as usize;
        let mut steps = self.legs[self.at..].windows(2).take(ahead);
        let all = steps.len();
        let broken = steps.position(|s| step_cost(ground, s[0].cell, s[1].cell).is_none());
        self.statistics.checked += broken.map_or(all, |step| step + 1) as u64;
        broken.map(|step| self.at + step)
    }

    /// Searches the whole path again, after [`search_again`](Self::search_again).
    fn renew(
        &mut self,
        ground: &Ground,
        search: &mut impl PathSearch,
        budget: Budget<'_>,
    ) -> Result<Result<Repair, Blocked>, QueryError> {
        if let Some(reason) = self.proven_blocked(ground) {
            return Ok(Err(reason));
        }
        let expanded_before = self.statistics.expanded;
        let full = self.full(ground, search, budget)?;
        let spent = matches!(full, Attempt::BudgetSpent);
        Ok(match full.found() {
            Some((legs, cost)) => {
                Ok(self.replace_path(RepairKind::Full, legs, cost, expanded_before))
            }
            None if spent => Err(Blocked::BudgetSpent),
            None => Err(Blocked::Unreachable),
        })
    }

    /// Repairs the path after the leg `broken`.
    fn repair(
        &mut self,
        ground: &Ground,
        search: &mut impl PathSearch,
        budget: Budget<'_>,
        broken: usize,
    ) -> Result<Result<Repair, Blocked>, QueryError> {
        let proven_blocked = self.proven_blocked(ground);
        if let Some(reason @ (Blocked::Unreachable | Blocked::Enclosed)) = proven_blocked {
            return Ok(Err(reason));
        }
        let expanded_before = self.statistics.expanded;
        let splice = self.splice(ground, search, budget, broken)?;
        let mut spent = matches!(splice, Attempt::BudgetSpent);
        let splice = splice.found();
        let good_enough = splice.as_ref().is_some_and(|&(_, cost)| self.allows(cost));
        let full = if good_enough || proven_blocked.is_some() {
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
            Some((how, (legs, cost))) => Ok(self.replace_path(how, legs, cost, expanded_before)),
            None if spent => Err(Blocked::BudgetSpent),
            None => Err(proven_blocked.unwrap_or(Blocked::Unreachable)),
        })
    }

    /// Whether a repaired path of this cost is good enough.
    fn allows(&self, cost: Cost) -> bool {
        cost.0 <= self.allowed_cost()
    }

    /// The largest cost that the remaining path may have after a splice.
    fn allowed_cost(&self) -> u64 {
        let percent = u128::from(self.options.splice_percent);
        let allowed = u128::from(self.remaining_cost().0) * percent / 100;
        u64::try_from(allowed).unwrap_or(u64::MAX)
    }

    /// Why no search can reach the goal, if that is known without a search.
    fn proven_blocked(&self, ground: &Ground) -> Option<Blocked> {
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

    /// The largest cost of a link that keeps the path within its limit: the allowed cost, minus
    /// the path to the break, minus the path from the last cell where the link may rejoin.
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

    /// Extends some legs by the cheapest path from their end to a goal.
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

    /// Replaces the path by a repaired one.
    fn replace_path(
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
    /// A leg with the cost of a plain step, which counts if the step is not legal.
    fn unplanned(cell: Cell) -> Self {
        Self { cell, cost: Cost(STRAIGHT) }
    }
}

/// The cost of all legs but the first, on which the unit already stands.
fn cost_of(legs: &[Leg]) -> Cost {
    legs.iter().skip(1).map(|leg| leg.cost).sum()
}

/// Appends legs, each with the current cost of its step if the step is legal.
fn extend(ground: &Ground, legs: &mut Vec<Leg>, more: impl Iterator<Item = Leg>) {
    for leg in more {
        let from = legs.last().map_or(leg.cell, |last| last.cell);
        let cost = step_cost(ground, from, leg.cell).unwrap_or(leg.cost);
        legs.push(Leg { cost, ..leg });
    }
}

/// The cost of a step, if it is legal. The unit may stand on impassable ground: it can leave
/// a cell on which a house was built.
fn step_cost(ground: &Ground, from: Cell, to: Cell) -> Option<Cost> {
    let step = Direction::between(from, to)?;
    let legal = ground.legal_steps(ground.index(from)?) & step.bit() != 0;
    let factor = ground.factor(to).filter(|_| legal)?;
    Some(Cost(ground.base_cost(step) * u64::from(factor.get())))
}

/// The cells from which a search for a path from `from` starts: the cell itself or, if no unit
/// can stand there, the neighbours to which a step is legal.
fn starts(ground: &Ground, from: Cell) -> Vec<Cell> {
    if ground.can_stand(from) {
        return vec![from];
    }
    let Some(index) = ground.index(from) else { return Vec::new() };
    let out = Direction::each(ground.legal_steps(index)).map(Direction::offset);
    out.filter_map(|(dx, dy)| from.offset(dx, dy)).collect()
}

/// The path without its loops: after each cell it continues from the last visit there.
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
