//! Lifelong planning: units get a new goal when they reach one, tick by tick.
//!
//! Each tick is one step of [PIBT](crate::Pibt) under traffic guidance (Z. Chen et al., AAAI 2024):
//!
//! 1. A unit with a new goal gets costs to it under the present traffic, and a guide path that others
//!    then avoid. A unit that has lost time gets both again, the one that lost most first, while the
//!    work of the tick is within its budget.
//! 2. PIBT ranks cells by these costs. Units near their goals go first: each goal reached is a goal
//!    counted, and a unit with a new goal makes room. Late units go before all others, in an order
//!    that changes from time to time.
//! 3. Units swap at bridges only, where PIBT alone cannot pass.
//! 4. Units that turn move only if they have the right heading and the cell ahead gets free.
//! 5. For units that do not turn, PIBT fills a window of some ticks, and the plan is repaired within a
//!    budget before its first step is made (`ahead`).
//!
//! Goals per tick over 1,000 ticks, goals by seed, mean of three seeds: of plain PIBT, with guidance, and
//! with repairs too, of 50,000 expansions per tick.
//!
//! | map | units | plain | guided | repaired |
//! |---|---|---|---|---|
//! | random-32-32-20 | 200 | 5.8 | 7.2 | 7.8 |
//! | random-32-32-20 | 400 | 5.7 | 9.8 | 11.3 |
//! | warehouse-10-20-10-2-1 | 500 | 3.8 | 5.5 | 5.6 |
//! | warehouse-10-20-10-2-1 | 1,000 | 5.4 | 10.6 | 10.9 |
//! | the same with turns | 1,000 | 2.9 | 8.8 | |
//!
//! On den520d with 500 units there is hardly any traffic: 2.6 goals in all cases. In the warehouse swap
//! everywhere instead of at bridges costs a third of the goals: two queues that meet in an aisle walk back
//! and forth. A tick with repairs takes 2.8 ms with 400 units on random-32-32-20, without 0.3 ms.
//!
//! Tried and left out, since they cost more work than they gain: short collision-avoiding paths as
//! PIBT's first preference (T. Arita, K. Okumura, AAAI 2026; 1% more goals for twice the work), the best
//! of 4 to 30 PIBT steps (no gain), guide paths renewed
//! every few ticks (1% for three times the work).

mod ahead;
mod bridges;
mod costs;
mod headings;
mod moving;
mod repairs;
mod tasks;
mod traffic;
mod window;
mod window_search;

use throng_grid::kit::mix;
use throng_model::{Conflicts, Interrupt};

pub use headings::TurnAction;
pub use tasks::{Assignment, ListedTasks, SeededTasks, Task, Tasks};

use crate::{Graph, Guidance, Pibt, Vertex};
use ahead::Ahead;
use costs::Costs;
use moving::Chains;

/// Most labels of all units together: 4 GiB of address space.
const LABELS_MAX: usize = 1 << 30;
/// A unit is late when it took this many times as long as its path, and [`LATE_TICKS`] more.
const LATE_FACTOR: u32 = 2;
const LATE_TICKS: u32 = 20;
/// How many positions are tried for a unit that has to leave its place without a task.
const WANDER_ATTEMPTS: u64 = 8;
/// Late units change their order after this many ticks: in a fixed order two that need each
/// other's place at a dead end can repeat the same steps forever.
const EPOCH_TICKS: u32 = 32;
/// A unit that has lost this many ticks gets a new guide path.
const LOST_TICKS: u64 = 12;
/// Ranks of units that are not late begin with these; the cost left follows.
const RANK_TASK: u64 = 1 << 32;
const RANK_NO_TASK: u64 = 2 << 32;

/// How units move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Motion {
    /// To any neighbour within a tick.
    #[default]
    Steps,
    /// Forward, or by a quarter turn, within a tick; every unit first looks east. For
    /// four-connected graphs.
    Turns,
}

/// How a lifelong run is planned.
#[derive(Clone, Copy, Debug)]
pub struct LifelongOptions {
    /// How units move.
    pub motion: Motion,
    /// Which conflicts count.
    pub conflicts: Conflicts,
    /// Seed of random choices among equal cells.
    pub seed: u64,
    /// Whether units avoid the guide paths of others. Without it and without repairs a run is plain PIBT.
    pub guided: bool,
    /// Guide paths are renewed only while fewer states were expanded in the tick.
    pub expansions_per_tick: u64,
    /// States that may be expanded per tick to repair the plan of the next ticks; 0: only one tick is
    /// planned. Units that turn plan one tick in any case.
    pub repairs_per_tick: u64,
}

impl Default for LifelongOptions {
    fn default() -> Self {
        Self {
            motion: Motion::Steps,
            conflicts: Conflicts::default(),
            seed: 0,
            guided: true,
            expansions_per_tick: u64::MAX,
            repairs_per_tick: 50_000,
        }
    }
}

/// Why a run cannot begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LifelongError {
    /// Units times positions (times 4 for units that turn) exceed the limit.
    TooLarge {
        /// The product.
        labels: usize,
        /// The limit.
        limit: usize,
    },
    /// Units that turn need a four-connected graph.
    Diagonals,
    /// Two units start on the same position.
    SharedStart {
        /// Their numbers.
        units: (usize, usize),
    },
    /// The interrupt said stop before the first tick.
    Interrupted,
}

impl std::fmt::Display for LifelongError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooLarge { labels, limit } => write!(
                f,
                "{labels} costs to goals are too many, the limit is {limit}; take fewer units or a \
                 smaller map"
            ),
            Self::Interrupted => f.write_str("interrupted before the first tick"),
            Self::SharedStart { units: (first, second) } => {
                write!(f, "units {first} and {second} start on the same cell; move one of them")
            }
            Self::Diagonals => f.write_str("units that turn make straight steps only; use 4 moves"),
        }
    }
}

impl std::error::Error for LifelongError {}

/// What happened to a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskEvent {
    /// The unit.
    pub unit: usize,
    /// Its task.
    pub task: Task,
    /// Whether the unit reached the goal; otherwise it was given the task.
    pub finished: bool,
}

/// A run: where the units are and what they are doing, tick by tick.
///
/// The result depends on graph, starts, tasks and options only. A tick takes about 1 microsecond
/// per unit without repairs. Memory is units times positions for the costs, of which only searched parts are
/// touched.
///
/// ```
/// use throng_anytime::lifelong::{Lifelong, LifelongOptions, SeededTasks};
/// use throng_anytime::{Graph, Vertex};
/// use throng_model::{Map, MovementProfile};
/// let graph = Graph::new(&Map::empty(8, 8)?, &MovementProfile::four_connected())?;
/// let starts = [Vertex(0), Vertex(9), Vertex(63)];
/// let tasks = SeededTasks::new(&graph, Vec::new(), starts.len(), 7);
/// let mut run = Lifelong::new(&graph, &starts, tasks, LifelongOptions::default())?;
/// for _ in 0..100 {
///     run.tick();
/// }
/// assert!(run.goals() > 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Lifelong<'g, T> {
    options: LifelongOptions,
    tasks: T,
    pibt: Pibt<'g>,
    costs: Costs<'g>,
    bridges: Vec<u8>,
    units: Vec<Unit>,
    chains: Chains,
    /// Whether each unit has the heading for its step.
    ready: Vec<bool>,
    actions: Vec<TurnAction>,
    tick: u32,
    goals: u64,
    events: Vec<TaskEvent>,
    /// Units with the highest priority first, their ranks, and which of them are late.
    order: Vec<u32>,
    ranks: Vec<u64>,
    late: Vec<bool>,
    /// How many units have no task, and which positions others want.
    resting: usize,
    wanted: Vec<bool>,
    /// Units that have lost time, those that lost most first.
    lost: Vec<(u64, u32)>,
    /// The plan of the next ticks, if it is repaired.
    ahead: Option<Ahead>,
    /// States expanded for repairs.
    repaired: u64,
}

/// What a unit is doing.
#[derive(Clone, Debug, Default)]
struct Unit {
    task: Option<Task>,
    /// Where it goes without a task.
    rest: Vertex,
    /// When it was given the task, and what its path took then.
    since: u32,
    ticks: u32,
    /// The guide path, when it was drawn, and what it cost and took then.
    path: Vec<Vertex>,
    drawn: u32,
    path_cost: u32,
    path_ticks: u32,
    heading: u8,
}

impl Unit {
    /// Where it goes.
    fn goal(&self) -> Vertex {
        self.task.map_or(self.rest, |task| task.goal)
    }
}

impl<'g, T: Tasks> Lifelong<'g, T> {
    /// Begins a run of units on distinct positions, which all ask for a task.
    ///
    /// # Errors
    /// When the tables would be too large, or the motion does not fit the graph.
    pub fn new(
        graph: &'g Graph,
        starts: &[Vertex],
        tasks: T,
        options: LifelongOptions,
    ) -> Result<Self, LifelongError> {
        Self::begin(graph, starts, tasks, options, &|| false)
    }

    /// The same with an interrupt, which is polled for each unit: its first guide path takes a
    /// search over the map.
    ///
    /// # Errors
    /// As [`new`](Self::new), and when the interrupt says stop.
    pub fn begin(
        graph: &'g Graph,
        starts: &[Vertex],
        tasks: T,
        options: LifelongOptions,
        interrupt: Interrupt<'_>,
    ) -> Result<Self, LifelongError> {
        let turning = options.motion == Motion::Turns;
        let labels = Costs::size(graph, starts.len(), turning);
        if labels > LABELS_MAX {
            return Err(LifelongError::TooLarge { labels, limit: LABELS_MAX });
        }
        if turning && graph.has_diagonals() {
            return Err(LifelongError::Diagonals);
        }
        check_distinct(graph, starts)?;
        let mut pibt = Pibt::new(graph, options.conflicts, starts.len());
        pibt.place(starts);
        let units = starts.len();
        let is_repaired = options.repairs_per_tick > 0 && !turning;
        let mut run = Self {
            options,
            tasks,
            pibt,
            costs: Costs::new(graph, starts, turning, options.guided),
            bridges: bridges::bridges(graph),
            units: vec![Unit::default(); units],
            chains: Chains::default(),
            ready: Vec::new(),
            actions: vec![TurnAction::Wait; if turning { units } else { 0 }],
            tick: 0,
            goals: 0,
            events: Vec::new(),
            order: (0..units as u32).collect(),
            ranks: vec![0; units],
            late: vec![false; units],
            resting: 0,
            wanted: Vec::new(),
            lost: Vec::new(),
            ahead: is_repaired.then(|| Ahead::new(graph, &options, starts)),
            repaired: 0,
        };
        for unit in 0..units {
            if interrupt() {
                return Err(LifelongError::Interrupted);
            }
            run.assign(unit);
        }
        Ok(run)
    }

    /// Where the units are.
    #[must_use]
    pub fn positions(&self) -> &[Vertex] {
        self.pibt.now()
    }

    /// What the units did in the last tick; empty for units that do not turn.
    #[must_use]
    pub fn actions(&self) -> &[TurnAction] {
        &self.actions
    }

    /// Tasks finished and given in the last tick, by unit: a unit's finished one first. Before
    /// the first tick, the tasks that units begin with.
    #[must_use]
    pub fn events(&self) -> &[TaskEvent] {
        &self.events
    }

    /// The number of goals reached so far.
    #[must_use]
    pub fn goals(&self) -> u64 {
        self.goals
    }

    /// States expanded so far.
    #[must_use]
    pub fn expanded(&self) -> u64 {
        self.costs.expanded + self.repaired
    }

    /// A unit whose goal it cannot reach, with the task.
    #[must_use]
    pub fn unreachable(&self) -> Option<(usize, Task)> {
        let stuck =
            self.units.iter().position(|unit| unit.task.is_some() && unit.path.is_empty())?;
        Some((stuck, self.units[stuck].task?))
    }

    /// Moves all units by one tick.
    pub fn tick(&mut self) {
        let end = self.costs.expanded.saturating_add(self.options.expansions_per_tick);
        self.events.clear();
        self.leave_goals();
        self.renew_paths(end);
        self.sort();
        match self.ahead.take() {
            Some(mut ahead) => {
                self.step_ahead(&mut ahead);
                self.ahead = Some(ahead);
            }
            None => self.step(),
        }
        self.tick += 1;
        self.arrive();
    }

    /// Plans one tick and makes the step.
    fn step(&mut self) {
        let guidance = guidance(&self.late, &self.bridges, self.round(0));
        self.pibt.step(&self.order, &[], &mut self.costs, &guidance);
        match self.options.motion {
            Motion::Steps => self.pibt.advance(),
            Motion::Turns => self.turn_or_move(),
        }
    }

    /// The seed of random choices, some ticks from now.
    fn round(&self, ticks: u32) -> u64 {
        mix(self.options.seed ^ u64::from(self.tick + ticks))
    }

    /// Notes where the units are, and gives new tasks to those that reached their goals.
    fn arrive(&mut self) {
        for unit in 0..self.units.len() {
            let at = self.pibt.now()[unit];
            self.costs.set_place(unit, at, self.units[unit].heading);
            match self.units[unit].task {
                Some(task) if task.goal == at => {
                    self.goals += 1;
                    self.events.push(TaskEvent { unit, task, finished: true });
                    self.assign(unit);
                }
                Some(_) => {}
                None => self.ask(unit),
            }
        }
    }

    /// Asks for a task for a unit that rests.
    fn ask(&mut self, unit: usize) {
        if let Some(task) = self.tasks.next(unit, self.pibt.now()[unit]) {
            self.resting -= 1;
            self.give(unit, Some(task));
        }
    }

    /// Units without a task that stand on another's goal go elsewhere: at a dead end the two
    /// could not pass each other otherwise.
    fn leave_goals(&mut self) {
        if self.resting == 0 {
            return;
        }
        self.wanted.clear();
        self.wanted.resize(self.bridges.len(), false);
        for task in self.units.iter().filter_map(|unit| unit.task) {
            self.wanted[task.goal.get()] = true;
        }
        for number in 0..self.units.len() {
            let at = self.pibt.now()[number];
            let unit = &self.units[number];
            if unit.task.is_none() && unit.rest == at && self.wanted[at.get()] {
                self.wander(number);
            }
        }
    }

    /// Sends a unit without a task to a random position that it can reach.
    fn wander(&mut self, number: usize) {
        self.ahead.iter_mut().for_each(|ahead| ahead.forget(number));
        let positions = self.wanted.len() as u64;
        for attempt in 0..WANDER_ATTEMPTS {
            let salt = u64::from(self.tick) << 32 | number as u64;
            let random = mix(mix(self.options.seed ^ attempt) ^ salt);
            self.units[number].rest = Vertex((random % positions) as u32);
            self.renew_path(number);
            if !self.units[number].path.is_empty() {
                return;
            }
        }
        self.units[number].rest = self.pibt.now()[number];
        self.renew_path(number);
    }

    fn assign(&mut self, unit: usize) {
        let task = self.tasks.next(unit, self.pibt.now()[unit]);
        self.give(unit, task);
    }

    /// Gives a unit a task, or lets it rest where it is.
    fn give(&mut self, unit: usize, task: Option<Task>) {
        self.events.extend(task.map(|task| TaskEvent { unit, task, finished: false }));
        self.units[unit].task = task;
        self.units[unit].rest = self.pibt.now()[unit];
        self.resting += usize::from(task.is_none());
        self.ahead.iter_mut().for_each(|ahead| ahead.forget(unit));
        self.renew_path(unit);
        self.units[unit].since = self.tick;
        self.units[unit].ticks = self.units[unit].path_ticks;
    }

    /// Draws a unit's guide path from where it is.
    fn renew_path(&mut self, unit: usize) {
        let state = &mut self.units[unit];
        let goal = state.goal();
        state.path_ticks = self.costs.renew_path(unit, goal, &mut state.path);
        state.path_cost = self.costs.cost_left(unit);
        state.drawn = self.tick;
    }

    /// Draws the guide paths of units that have lost time, within the budget.
    fn renew_paths(&mut self, end: u64) {
        self.lost.clear();
        for number in 0..self.units.len() {
            let lost = self.ticks_lost(number);
            if lost > LOST_TICKS {
                self.lost.push((lost, number as u32));
            }
        }
        self.lost.sort_unstable_by_key(|&(lost, unit)| (std::cmp::Reverse(lost), unit));
        for index in 0..self.lost.len() {
            if self.costs.expanded >= end {
                return;
            }
            self.renew_path(self.lost[index].1 as usize);
        }
    }

    /// How many ticks a unit is behind its guide path. What is left of the path is judged by
    /// its share of the cost.
    fn ticks_lost(&mut self, number: usize) -> u64 {
        let left = u64::from(self.costs.cost_left(number));
        let unit = &self.units[number];
        if unit.task.is_none() || unit.path.is_empty() {
            return 0;
        }
        let ticks = u64::from(unit.path_ticks);
        let ticks_left = left * ticks / u64::from(unit.path_cost.max(1));
        (u64::from(self.tick - unit.drawn) + ticks_left).saturating_sub(ticks)
    }

    /// Sorts units by priority: late units in the order of the epoch, then units by the cost left,
    /// then units without a task; equal ones by a hash of seed and unit.
    fn sort(&mut self) {
        let epoch = mix(self.options.seed ^ u64::from(self.tick / EPOCH_TICKS) << 32);
        for (number, unit) in self.units.iter().enumerate() {
            let waited = self.tick - unit.since;
            let is_late = waited > LATE_FACTOR * unit.ticks + LATE_TICKS;
            self.late[number] = is_late;
            let key = match (unit.task, is_late) {
                (None, _) => RANK_NO_TASK,
                (_, true) => mix(epoch ^ number as u64) >> 32,
                (_, false) => RANK_TASK | u64::from(self.costs.cost_left(number)),
            };
            self.ranks[number] = rank(key, self.options.seed, number);
        }
        self.sort_by_rank();
    }

    fn sort_by_rank(&mut self) {
        let ranks = &self.ranks;
        self.order.sort_by_key(|&unit| (ranks[unit as usize], unit));
    }

    /// Units with the right heading move if the cell ahead gets free; others turn.
    fn turn_or_move(&mut self) {
        let Some(compass) = self.costs.compass() else { return };
        let (now, next) = (self.pibt.now(), self.pibt.next());
        self.ready.clear();
        self.ready.extend(self.units.iter().enumerate().map(|(number, unit)| {
            compass.heading(now[number], next[number]) == Some(unit.heading)
        }));
        // Of two units that swap, the first waits until the second can follow.
        for &(unit, partner) in self.pibt.pulled() {
            self.ready[unit as usize] &= self.ready[partner as usize];
        }
        let ready = &self.ready;
        let moves = self.chains.resolve(now, next, ready, |at| self.pibt.unit_at(at));
        for unit in 0..now.len() {
            self.actions[unit] = if moves[unit] {
                TurnAction::Forward
            } else {
                let towards = compass.heading(now[unit], next[unit]);
                let heading = self.units[unit].heading;
                towards.map_or(TurnAction::Wait, |towards| headings::turn_towards(heading, towards))
            };
        }
        let positions = (0..now.len()).map(|unit| if moves[unit] { next[unit] } else { now[unit] });
        let positions: Vec<Vertex> = positions.collect();
        for (unit, &action) in self.units.iter_mut().zip(&self.actions) {
            unit.heading = headings::turned(unit.heading, action);
        }
        self.pibt.place(&positions);
    }
}

/// A rank by a key below 2^40; equal ones by a hash of seed and unit.
fn rank(key: u64, seed: u64, unit: usize) -> u64 {
    key << 24 | mix(seed ^ unit as u64) >> 40
}

/// The preferences of units for a step.
fn guidance<'a>(late: &'a [bool], bridges: &'a [u8], round: u64) -> Guidance<'a> {
    let (hindrance, swap) = (true, true);
    Guidance { hints: &[], hindrance, late, swap, swap_steps: bridges, round }
}

fn check_distinct(graph: &Graph, starts: &[Vertex]) -> Result<(), LifelongError> {
    let mut taken = vec![None; graph.len()];
    for (second, at) in starts.iter().enumerate() {
        if let Some(first) = taken[at.get()].replace(second) {
            return Err(LifelongError::SharedStart { units: (first, second) });
        }
    }
    Ok(())
}
