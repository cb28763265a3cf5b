//! LaCAM's loop: depth first over configurations.
//!
//! K. Okumura, "LaCAM: search-based algorithm for quick multi-agent pathfinding" (AAAI 2023).

use throng_grid::kit::mix;
use throng_model::{Conflicts, Effort, Limit, SearchStatus};

use super::constraints::{Constraints, NodeContext};
use super::nodes::{Candidate, NO_NODE, Nodes, zobrist};
use super::order::Order;
use crate::guides::{Guides, pay};
use crate::{Graph, Guidance, Pibt, TrueDistances, Vertex};

/// Of this many returns to known configurations, one goes to the best one instead.
const RESTART_EVERY: u64 = 1000;

/// Configurations visited per change of priorities, at least.
const NODES_PER_EPOCH: usize = 8;

/// An epoch takes as many constraints as its number divided by this, so that a proof that there
/// is no plan does not spend its time in new epochs.
const EPOCH_GROWTH: u32 = 16;

/// Ticks that a unit may be late, beside a share of its distance, before its guide path ends.
const PATIENCE_TICKS: u64 = 30;

/// How the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// All units are on their goals at this node.
    Solved(u32),
    /// Every configuration was expanded in all ways.
    Exhausted,
    /// A limit was reached.
    Stopped(Limit),
}

/// The instance that is searched.
#[derive(Clone, Copy)]
pub(super) struct Crowd<'a> {
    pub(super) graph: &'a Graph,
    pub(super) conflicts: Conflicts,
    pub(super) starts: &'a [Vertex],
    pub(super) goals: &'a [Vertex],
}

/// Switches of the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) seed: u64,
    pub(super) swap: bool,
    pub(super) hindrance: bool,
    /// Guide path and hindrance end for a unit whose delay makes its time this many hundredths
    /// of its distance, and [`PATIENCE_TICKS`] more.
    pub(super) patience_percent: u32,
    /// Configurations without improvement after which priorities change.
    pub(super) stagnation: u64,
    pub(super) bytes_max: usize,
}

/// The state of a search.
pub(super) struct Search<'a, D> {
    crowd: Crowd<'a>,
    settings: Settings,
    pub(super) distances: D,
    pibt: Pibt<'a>,
    guides: Guides,
    hints: Vec<Vertex>,
    /// The tick at which each unit should be on its goal; if it cannot, it is late.
    due: Vec<u64>,
    /// Which units of the loaded node are late.
    late: Vec<bool>,
    pub(super) nodes: Nodes,
    constraints: Constraints,
    open: Vec<u32>,
    /// The node whose configuration the kernel holds.
    loaded: u32,
    /// The units of the loaded node by priority.
    order: Order,
    /// Counts the changes of priorities.
    epoch: u32,
    /// Constraints taken in this epoch.
    constraints_taken: u32,
    /// Configurations since the last new epoch or improvement.
    since_change: u64,
    fixed: Vec<(u32, Vertex)>,
    /// Configurations generated.
    pub(super) generated: u64,
    pub(super) peak_open: usize,
    /// The node with the fewest units away from their goals.
    pub(super) best: u32,
}

impl<'a, D: TrueDistances> Search<'a, D> {
    pub(super) fn new(
        crowd: Crowd<'a>,
        settings: Settings,
        mut distances: D,
        guides: Guides,
    ) -> Self {
        let units = crowd.starts.len();
        let placed = crowd.starts.iter().enumerate();
        let lengths: Vec<u32> = placed.map(|(unit, &at)| distances.get(unit, at)).collect();
        let mut by_rank: Vec<u32> = (0..units as u32).collect();
        by_rank.sort_by_key(|&unit| std::cmp::Reverse(lengths[unit as usize]));
        let percent = u64::from(settings.patience_percent);
        let due = lengths.iter().map(|&length| u64::from(length) * percent / 100 + PATIENCE_TICKS);
        let mut search = Self {
            settings,
            distances,
            pibt: Pibt::new(crowd.graph, crowd.conflicts, units),
            guides,
            hints: Vec::new(),
            due: due.collect(),
            late: Vec::new(),
            nodes: Nodes::new(units),
            constraints: Constraints::default(),
            open: Vec::new(),
            loaded: NO_NODE,
            order: Order::new(by_rank, settings.seed),
            epoch: 0,
            constraints_taken: 0,
            since_change: 0,
            fixed: Vec::new(),
            generated: 0,
            peak_open: 0,
            best: 0,
            crowd,
        };
        search.add_start();
        search
    }

    fn add_start(&mut self) {
        let positions = self.crowd.starts;
        let pairs = positions.iter().zip(self.crowd.goals);
        let away = pairs.filter(|(at, goal)| at != goal).count() as u32;
        let placed = positions.iter().enumerate();
        let hash = placed.fold(0, |hash, (unit, &at)| hash ^ zobrist(unit, at));
        let candidate = Candidate { positions, hash, parent: NO_NODE, away, epoch: 0 };
        let (node, _) = self.nodes.insert(&candidate, self.crowd.goals);
        self.constraints.add();
        self.open.push(node);
    }

    /// Searches until it ends.
    pub(super) fn run(
        &mut self,
        effort: &mut Effort<'_>,
        on_progress: &mut dyn FnMut(u64, u32),
    ) -> End {
        while let Some(&node) = self.open.last() {
            if self.nodes.away(node) == 0 {
                return End::Solved(node);
            }
            if let Some(limit) = self.limit(effort) {
                return End::Stopped(limit);
            }
            self.load(node);
            if self.next_constraint(node) {
                self.expand(node);
                on_progress(self.generated, self.nodes.away(self.best));
            } else {
                self.open.pop();
            }
        }
        End::Exhausted
    }

    /// Pays for a configuration: as many expansions as there are units.
    fn limit(&mut self, effort: &mut Effort<'_>) -> Option<Limit> {
        if self.nodes.bytes() + self.constraints.bytes() > self.settings.bytes_max {
            return Some(Limit::Memory);
        }
        pay(effort, self.crowd.starts.len().max(1) as u64);
        match effort.stopped() {
            Some(SearchStatus::Interrupted) => Some(Limit::Interrupt),
            Some(_) => Some(Limit::Expansions),
            None => None,
        }
    }

    /// Puts a node's configuration into the kernel.
    fn load(&mut self, node: u32) {
        if self.loaded != node {
            self.pibt.place(self.nodes.positions(node));
            self.order.load(self.epoch, self.nodes.waited(node));
            self.loaded = node;
        }
    }

    /// Takes over a child of the loaded node, which the kernel has just decided.
    fn load_child(&mut self, child: u32) {
        self.pibt.advance();
        self.order.load_child(self.epoch, self.nodes.waited(child));
        self.loaded = child;
    }

    /// Takes the next constraint of a loaded node: none at first and once per epoch; whether
    /// there is one.
    fn next_constraint(&mut self, node: u32) -> bool {
        self.fixed.clear();
        if self.nodes.try_once(node, self.epoch) {
            return true;
        }
        // The order of a node's constraints must not change.
        self.order.load(self.nodes.epoch(node), self.nodes.waited(node));
        let context = NodeContext {
            graph: self.crowd.graph,
            conflicts: self.crowd.conflicts,
            now: self.nodes.positions(node),
            order: self.order.units(),
        };
        let found = self.constraints.take(node, &context, &mut self.fixed);
        self.constraints_taken += u32::from(found);
        if found && self.constraints_taken * EPOCH_GROWTH > self.epoch {
            self.begin_epoch();
        }
        self.order.load(self.epoch, self.nodes.waited(node));
        found
    }

    fn begin_epoch(&mut self) {
        let is_due = self.nodes.len() / NODES_PER_EPOCH > self.epoch as usize;
        self.epoch += u32::from(is_due);
        self.since_change = 0;
        self.constraints_taken = 0;
    }

    /// Generates one successor of the loaded node under the constraint taken.
    fn expand(&mut self, node: u32) {
        self.generated += 1;
        self.since_change += 1;
        let patience = self.settings.stagnation * u64::from(1 + self.epoch / EPOCH_GROWTH);
        if self.since_change > patience {
            self.begin_epoch();
            self.order.load(self.epoch, self.nodes.waited(node));
        }
        self.guide(node);
        let guidance = Guidance {
            hints: &self.hints,
            hindrance: self.settings.hindrance,
            late: &self.late,
            swap: self.settings.swap,
            swap_steps: &[],
            round: mix(self.settings.seed ^ self.generated),
        };
        if self.pibt.step(self.order.units(), &self.fixed, &mut self.distances, &guidance) {
            self.visit_successor(node);
        }
    }

    /// Finds which units of a loaded node are late, and the next guide cells of the others.
    fn guide(&mut self, node: u32) {
        self.hints.clear();
        self.late.clear();
        if self.guides.is_empty() && !self.settings.hindrance {
            return;
        }
        let depth = u64::from(self.nodes.depth(node));
        for (unit, &at) in self.pibt.now().iter().enumerate() {
            let is_late = depth + u64::from(self.distances.get(unit, at)) > self.due[unit];
            self.late.push(is_late);
            self.hints.push(if is_late { Vertex::NONE } else { self.guides.hint(unit, at) });
        }
    }

    fn visit_successor(&mut self, node: u32) {
        let (now, next) = (self.pibt.now(), self.pibt.next());
        let (mut hash, mut away) = (self.nodes.hash(node), self.nodes.away(node));
        for (unit, (&from, &to)) in now.iter().zip(next).enumerate() {
            if from != to {
                hash ^= zobrist(unit, from) ^ zobrist(unit, to);
                let goal = self.crowd.goals[unit];
                away += u32::from(from == goal);
                away -= u32::from(to == goal);
            }
        }
        let candidate = Candidate { positions: next, hash, parent: node, away, epoch: self.epoch };
        let (child, is_new) = self.nodes.insert(&candidate, self.crowd.goals);
        if is_new {
            self.constraints.add();
            self.load_child(child);
            if away < self.nodes.away(self.best) {
                self.best = child;
                self.since_change = 0;
            }
        }
        let restart =
            !is_new && mix(self.settings.seed ^ !self.generated).is_multiple_of(RESTART_EVERY);
        self.open.push(if restart { self.best } else { child });
        self.peak_open = self.peak_open.max(self.open.len());
    }
}
