//! The public entry of the cluster planner.

use throng_grid::kit::mix;
use throng_spacetime::{Action, Entry, Position, Space};

use super::board::UNITS_MAX;
use super::pairs::Pairs;
use super::region::{Kind, Region};
use super::search::{End, Memory, Progress, Search};
use super::shorten::{Relocation, Shortening};

/// A unit of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClusterUnit {
    /// The number of its space among those given to [`ClusterPlanner::plan`].
    pub space: usize,
    /// Where it stands.
    pub at: Position,
    /// Where it must stand in the end. `None`: it may end anywhere.
    pub goal: Option<Position>,
    /// It never moves, and its goal does not count.
    pub holds: bool,
}

/// A move of one unit while all others stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClusterStep {
    /// The index of the unit in the slice.
    pub unit: usize,
    /// What it does.
    pub action: Action,
}

/// What a [`ClusterPlanner`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClusterOutcome {
    /// Moves, one after the other, after which all units are on their goals.
    Solved(Vec<ClusterStep>),
    /// There is no such sequence.
    ProvenUnsolvable,
    /// Neither was found.
    BudgetSpent,
}

/// Plans a few units of any size that block each other, one-shot.
///
/// **What it does.** It searches over configurations, greedily by an estimate: the steps that
/// remain, and the units that stand on a shortest path. From a configuration it brings a unit to
/// its goal; the units on its path make room first, and others for these. A second open list has
/// all single moves. The search begins again several times with other random choices: units make
/// room at random places, or walk at random first. Where every step can be taken back, it also
/// begins from the goals. Superfluous walks are then removed.
///
/// **Arguments.** See [`plan`](Self::plan). Up to 16 units are what it is made for; above 32 that
/// can move, the answer is [`ClusterOutcome::BudgetSpent`].
///
/// **Returns** a sequence of moves of single units, each legal while all other units stand where
/// the sequence has put them. Paces do not matter: a unit can begin its next move as soon as all
/// earlier moves that share an entry with it are over.
///
/// **Complete** within the budget and 2^20 configurations: then a plan is found, or it is proven
/// that there is none. Proofs: a goal is out of reach even for a unit alone; two goals overlap;
/// all configurations were seen; or all those of two units, with the others taken away, from
/// which they reach their goals.
/// **Optimal?** No.
///
/// **Ties** break by the order of units and moves and by hashes of the seed. **Time**: about
/// 0.1 microseconds per expansion of a position in the search for one unit, and per unit of a new
/// configuration; 4 milliseconds to number the region at 400 positions and six spaces.
/// **Memory**: 4 bytes per entry and per position of the largest space, 60 per configuration.
///
/// R. Luna and K. Bekris, "Push and Swap" (2011); M. Stilman and J. Kuffner, "Navigation Among
/// Movable Obstacles" (2005); S. Richter and M. Westphal, "The LAMA Planner" (2010).
///
/// ```
/// use throng_anytime::{ClusterOutcome, ClusterPlanner, ClusterUnit};
/// use throng_model::{Cell, Map, MovementProfile};
/// use throng_spacetime::{FootprintRules, GridSpace, Position};
///
/// // Two units exchange places in a corridor with a pocket.
/// let mut map = Map::empty(5, 2)?;
/// map.paint(&[0, 1, 3, 4].map(|x| Cell::new(x, 1)), Map::WALL)?;
/// let movement = MovementProfile::four_connected();
/// let spaces = [GridSpace::new(&map, movement, &FootprintRules::default())?];
/// let unit = |at, goal| ClusterUnit {
///     space: 0,
///     at: Position(at),
///     goal: Some(Position(goal)),
///     holds: false,
/// };
/// let units = [unit(1, 3), unit(3, 1)];
/// let mut planner = ClusterPlanner::default();
/// let outcome = planner.plan(&spaces, &units, |_| true, ClusterPlanner::EXPANSIONS, 1);
/// assert!(matches!(outcome, ClusterOutcome::Solved(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ClusterPlanner {
    region: Region,
    memory: Memory,
    /// By unit that can move: its index in the slice, its kind, start and goal.
    names: Vec<usize>,
    kinds: Vec<usize>,
    starts: Vec<u16>,
    goals: Vec<Option<u32>>,
    /// By unit and position: the steps to the goal, and to the start.
    distances: [Vec<Vec<u32>>; 2],
    pairs: Pairs,
    course: Course,
}

/// What a planner is doing.
#[derive(Clone, Debug, Default)]
struct Course {
    /// The budget and the seed of the call.
    expansions: u64,
    seed: u64,
    /// What is known without a search.
    known: Option<ClusterOutcome>,
    stage: Stage,
    task: Task,
}

/// What the search that is under way is for.
#[derive(Clone, Copy, Debug)]
enum Stage {
    /// An attempt for all units.
    Everyone { attempt: u64 },
    /// The tables of pairs are made. The count of expansions ends there.
    Tables { end: u64 },
}

impl Default for Stage {
    fn default() -> Self {
        Self::Everyone { attempt: 0 }
    }
}

/// A search for a plan.
#[derive(Clone, Debug, Default)]
struct Task {
    /// From the goals to the starts.
    is_backward: bool,
    /// Where the count of expansions ends.
    limit: u64,
    seed: u64,
    /// So many random walks come first.
    shuffles: u64,
    /// Units that make room go to random places.
    is_loose: bool,
    /// There are single moves only.
    is_single: bool,
    progress: Progress,
}

impl ClusterPlanner {
    /// A budget of expansions for a call within a live world.
    pub const EXPANSIONS: u64 = 100_000;

    /// Looks for moves after which all units with a goal are on their goals.
    ///
    /// - `spaces` share their entries.
    /// - `units` stand, and their bodies do not overlap. A unit whose space or position does not
    ///   exist is not seen.
    /// - `is_free` says which entries the units may use; it is asked once per entry. Where the
    ///   units stand is free in any case. What is within reach must be small: above 8,192
    ///   positions per space the rest is cut off, and nothing is proven.
    /// - `expansions` is the budget of the search. Removing superfluous walks takes up to a
    ///   quarter more, at most 50,000.
    /// - `seed`: another one leads to other random choices.
    pub fn plan<S: Space>(
        &mut self,
        spaces: &[S],
        units: &[ClusterUnit],
        is_free: impl FnMut(Entry) -> bool,
        expansions: u64,
        seed: u64,
    ) -> ClusterOutcome {
        self.begin(spaces, units, is_free, expansions, seed);
        self.resume(u64::MAX).unwrap_or(ClusterOutcome::BudgetSpent)
    }

    /// Begins what [`plan`](Self::plan) does, for [`resume`](Self::resume) to go on with.
    pub fn begin<S: Space>(
        &mut self,
        spaces: &[S],
        units: &[ClusterUnit],
        is_free: impl FnMut(Entry) -> bool,
        expansions: u64,
        seed: u64,
    ) {
        self.memory.walks.expansions = 0;
        self.course = Course { expansions, seed, ..Course::default() };
        let exists = |unit: &ClusterUnit| {
            spaces.get(unit.space).is_some_and(|space| unit.at.get() < space.positions())
        };
        let moves = |unit: &ClusterUnit| exists(unit) && !unit.holds;
        if units.iter().filter(|unit| moves(unit)).count() > UNITS_MAX {
            self.course.known = Some(ClusterOutcome::BudgetSpent);
        } else if !self.build(spaces, units, exists, is_free) || self.goals_overlap() {
            self.course.known = Some(self.unsolvable());
        } else {
            self.pairs.begin(&self.region, &self.kinds, &self.goals);
            self.try_everyone(0);
        }
    }

    /// Goes on for about so many expansions; `None` if neither a plan was found nor the budget
    /// is spent by then. The outcome does not depend on how the work is divided.
    pub fn resume(&mut self, expansions: u64) -> Option<ClusterOutcome> {
        let pause = self.memory.walks.expansions.saturating_add(expansions);
        while self.course.known.is_none() {
            self.course.known = match self.course.stage {
                Stage::Everyone { attempt } => {
                    let end = self.search(pause)?;
                    self.after_attempt(attempt, end)
                }
                Stage::Tables { end } => self.make_tables(pause, end)?,
            };
        }
        self.course.known.clone()
    }

    fn unsolvable(&self) -> ClusterOutcome {
        match self.region.is_cut {
            true => ClusterOutcome::BudgetSpent,
            false => ClusterOutcome::ProvenUnsolvable,
        }
    }

    /// The outcome after an attempt for all units; `None` if another search follows.
    fn after_attempt(&mut self, attempt: u64, end: End) -> Option<ClusterOutcome> {
        let Course { expansions, ref task, .. } = self.course;
        match end {
            End::Solved(node) => {
                let plan = self.memory.nodes.relocations(node, task.is_backward);
                return Some(ClusterOutcome::Solved(self.steps_of(plan, expansions)));
            }
            End::Exhausted => return Some(self.unsolvable()),
            End::Spent if self.memory.walks.expansions >= expansions => {
                return Some(ClusterOutcome::BudgetSpent);
            }
            End::Spent if attempt == 0 => {
                let end = self.memory.walks.expansions + expansions / 4;
                self.course.stage = Stage::Tables { end };
            }
            End::Spent => self.try_everyone(attempt + 1),
        }
        None
    }

    /// Makes the tables of pairs; `None` if it pauses. If two units cannot reach their goals even
    /// without the others, then all cannot.
    fn make_tables(&mut self, pause: u64, end: u64) -> Option<Option<ClusterOutcome>> {
        let Self { region, kinds, goals, starts, pairs, .. } = self;
        let spent = &mut self.memory.walks.expansions;
        loop {
            let limit = pause.saturating_sub(*spent);
            if limit == 0 {
                return None;
            }
            let expanded = pairs.go_on(region, kinds, limit);
            *spent += expanded;
            if expanded == limit {
                return None;
            }
            let size_max = end.saturating_sub(*spent);
            if !pairs.next(region, kinds, goals, size_max) {
                break;
            }
        }
        let starts: Vec<u32> = starts.iter().map(|&at| at.into()).collect();
        if pairs.excess(&starts, |_| 0).is_none() {
            return Some(Some(self.unsolvable()));
        }
        self.try_everyone(1);
        Some(None)
    }

    fn try_everyone(&mut self, attempt: u64) {
        let Course { expansions, seed, .. } = self.course;
        let units = self.goals.len();
        // Plain attempts take turns with those that have one or both kinds of random choices, and
        // with long ones of single moves.
        let (is_loose, is_shuffled) = (attempt / 2 % 2 == 1, attempt / 4 % 2 == 1);
        let is_single = attempt > 0 && attempt.is_multiple_of(8);
        let base = match (is_single, is_loose || is_shuffled) {
            (true, _) => SINGLE,
            (_, true) => BASE / 2,
            _ => BASE,
        };
        let slice = if units <= 3 { expansions / 2 } else { base * luby(attempt / 8) };
        let limit = expansions.min(self.memory.walks.expansions.saturating_add(slice));
        self.course.stage = Stage::Everyone { attempt };
        let (is_backward, seed) = (attempt % 2 == 1, mix(seed ^ mix(attempt)));
        let shuffles = if is_shuffled { 1 + seed / 8 % (3 * units as u64) } else { 0 };
        let progress = Progress::default();
        self.begin_search(Task {
            is_backward,
            limit,
            seed,
            shuffles,
            is_loose,
            is_single,
            progress,
        });
    }

    /// The expansions of the last call.
    #[must_use]
    pub fn expansions(&self) -> u64 {
        self.memory.walks.expansions
    }

    /// Makes region and distances. Returns whether each unit could reach its goal if alone.
    fn build<S: Space>(
        &mut self,
        spaces: &[S],
        units: &[ClusterUnit],
        exists: impl Fn(&ClusterUnit) -> bool,
        mut is_free: impl FnMut(Entry) -> bool,
    ) -> bool {
        self.region.begin(spaces.first().map_or(0, Space::entries));
        self.names.clear();
        self.kinds.clear();
        self.starts.clear();
        self.goals.clear();
        for holds in [true, false] {
            for unit in units.iter().filter(|unit| unit.holds == holds && exists(unit)) {
                self.region.set_body(&spaces[unit.space], unit.at, !holds);
            }
        }
        let mut is_reachable = true;
        for (number, space) in spaces.iter().enumerate() {
            let of_kind = |(_, unit): &(usize, &ClusterUnit)| {
                unit.space == number && !unit.holds && exists(unit)
            };
            let of_kind = units.iter().enumerate().filter(of_kind);
            if of_kind.clone().next().is_none() {
                continue;
            }
            let kind = self.region.kinds().len();
            self.region.add(space, of_kind.clone().map(|(_, unit)| unit.at), &mut is_free);
            for (name, unit) in of_kind {
                self.names.push(name);
                self.kinds.push(kind);
                self.starts.push(self.region.position(unit.at).unwrap_or(0) as u16);
                let goal = unit.goal.map(|goal| self.region.position(goal));
                is_reachable &= goal != Some(None);
                self.goals.push(goal.flatten());
            }
        }
        self.region.end();
        self.find_distances();
        let starts = self.starts.iter().zip(&self.distances[0]);
        is_reachable
            && starts.into_iter().all(|(&at, field)| field.get(usize::from(at)) != Some(&u32::MAX))
    }

    fn find_distances(&mut self) {
        for (is_start, fields) in self.distances.iter_mut().enumerate() {
            fields.resize(self.goals.len(), Vec::new());
            for (unit, field) in fields.iter_mut().enumerate() {
                let start = u32::from(self.starts[unit]);
                let end = if is_start == 1 { Some(start) } else { self.goals[unit] };
                flood(&self.region.kinds()[self.kinds[unit]], end, field);
            }
        }
    }

    fn goals_overlap(&self) -> bool {
        let mut held = vec![false; self.region.entries()];
        let goals = self.goals.iter().zip(&self.kinds);
        let goals = goals.filter_map(|(goal, &kind)| goal.map(|goal| (kind, goal)));
        let mut entries =
            goals.flat_map(|(kind, goal)| self.region.kinds()[kind].standing(goal).iter());
        entries.any(|&entry| std::mem::replace(&mut held[entry as usize], true))
    }

    /// Puts the units of a search on the board.
    fn begin_search(&mut self, task: Task) {
        let starts = |unit: usize| Some(u32::from(self.starts[unit]));
        let at = |unit: usize| if task.is_backward { self.goals[unit] } else { starts(unit) };
        let places = (0..self.goals.len()).filter_map(|unit| Some((self.kinds[unit], at(unit)?)));
        self.memory.board.begin(&self.region, places);
        self.course.task = task;
    }

    /// Goes on with the search; `None` if it pauses. A search backward needs goals of all units
    /// and steps that can be taken back.
    fn search(&mut self, pause: u64) -> Option<End> {
        let Task { is_backward, limit, seed, shuffles, is_loose, is_single, progress } =
            &mut self.course.task;
        let starts = self.starts.iter().map(|&start| Some(u32::from(start)));
        let mut ends: [Vec<_>; 2] = [starts.collect(), self.goals.clone()];
        let is_possible = self.region.is_reversible && ends[1].iter().all(Option::is_some);
        if *is_backward && !is_possible {
            return Some(End::Spent);
        }
        if *is_backward {
            ends.reverse();
        }
        let fields = &self.distances[usize::from(*is_backward)];
        let distances: Vec<_> = fields.iter().map(Vec::as_slice).collect();
        let mut search = Search {
            region: &self.region,
            goals: &ends[1],
            distances: &distances,
            pairs: (!*is_backward).then_some(&self.pairs),
            weight: [8, 32, 4, 16][*seed as usize / 16 % 4],
            memory: &mut self.memory,
            price: [16, 6, 40][*seed as usize % 3],
            pays_tolls: *seed / 4 % 2 == 1,
            is_loose: *is_loose,
            seed: *seed,
            limit: *limit,
            parts: match self.goals.len() {
                _ if *is_single => [0, 1],
                0..=3 => [1, 4],
                _ => [8, 1],
            },
            shuffles: *shuffles,
            progress: *progress,
        };
        let end = search.run(pause);
        *progress = search.progress;
        end
    }

    /// The moves of a plan, without superfluous ones.
    fn steps_of(&mut self, plan: Vec<Relocation>, expansions: u64) -> Vec<ClusterStep> {
        let limit = self.memory.walks.expansions + (expansions / 4).min(SHORTEN_MAX);
        let starts = self.kinds.iter().zip(&self.starts);
        let starts = starts.map(|(&kind, &at)| (kind, u32::from(at)));
        self.memory.board.begin(&self.region, starts);
        let mut shortening = Shortening {
            region: &self.region,
            goals: &self.goals,
            board: &mut self.memory.board,
            walks: &mut self.memory.walks,
            starts: &self.starts,
            limit,
        };
        let plan = shortening.run(plan);
        shortening.board.set(&self.region, &self.starts);
        let mut steps = Vec::new();
        for (unit, to) in plan {
            let path = shortening.walk((unit, to)).unwrap_or_default();
            let name = self.names[unit];
            steps.extend(path.actions.iter().map(|&action| ClusterStep { unit: name, action }));
        }
        steps
    }
}

/// The steps from each position to an end: breadth-first search backward. The field stays empty
/// if there is none.
fn flood(kind: &Kind, end: Option<u32>, field: &mut Vec<u32>) {
    field.clear();
    let Some(end) = end else { return };
    field.resize(kind.len(), u32::MAX);
    field[end as usize] = 0;
    let (mut queue, mut next) = (vec![end], 0);
    while let Some(&at) = queue.get(next) {
        next += 1;
        for &before in kind.back(at) {
            if field[before as usize] == u32::MAX {
                field[before as usize] = field[at as usize] + 1;
                queue.push(before);
            }
        }
    }
}

/// The most expansions by which a plan is shortened.
const SHORTEN_MAX: u64 = 50_000;

/// The expansions of the shortest attempt, and of one of single moves.
const BASE: u64 = 20_000;
const SINGLE: u64 = 6 * BASE;

/// The sequence 1 1 2 1 1 2 4 1 1 2 ... of M. Luby, A. Sinclair and D. Zuckerman, "Optimal
/// Speedup of Las Vegas Algorithms" (1993).
fn luby(attempt: u64) -> u64 {
    let mut rest = attempt + 1;
    loop {
        let bits = 64 - rest.leading_zeros();
        if rest == (1 << bits) - 1 {
            return 1 << (bits - 1);
        }
        rest -= (1 << (bits - 1)) - 1;
    }
}
