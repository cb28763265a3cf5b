//! A* over the joint states of a group (Standley, algorithm 1).

use throng_model::{Budget, Effort, Limit, SearchStatus, Weight};

use crate::joint_state::JointState;
use crate::move_table::TableView;
use crate::nodes::{NO_UNIT, NONE, Node, NodeId, Nodes, StateIndex};
use crate::open_list::{CostHistogram, OpenList};
use crate::pairs::Pairs;
use crate::position_table::{GOAL, ListedMove, PositionTable};
use crate::rules::Rules;
use crate::statistics::Statistics;
use crate::{ExpansionOrder, JointAStar};

/// The options that all searches for a problem share.
#[derive(Clone, Copy)]
pub(crate) struct SearchOptions<R> {
    pub(crate) rules: R,
    pub(crate) decomposition: bool,
    pub(crate) order: ExpansionOrder,
    pub(crate) partial_expansion: bool,
    pub(crate) portions: [u32; 3],
    pub(crate) nodes_max: usize,
    pub(crate) bytes_max: u64,
}

impl<R> SearchOptions<R> {
    pub(crate) fn new(options: &JointAStar, rules: R) -> Self {
        Self {
            rules,
            decomposition: options.decomposition,
            order: options.order,
            partial_expansion: options.partial_expansion,
            portions: options.portions,
            nodes_max: options.nodes_max.min(NONE - 1) as usize,
            bytes_max: u64::from(options.megabytes_max) << 20,
        }
    }
}

/// Called every few thousand expansions, with the nodes expanded and by how much the search has
/// raised the lower bound.
pub(crate) type OnProgress<'a> = Option<&'a dyn Fn(u64, u32)>;

/// The problem of one search.
pub(crate) struct SearchProblem<'t, 'a, R: Rules> {
    /// The positions of each unit.
    pub(crate) tables: &'t mut [PositionTable<'a, R>],
    /// The excesses of pairs, if the heuristic uses them.
    pub(crate) pairs: Option<&'t mut Pairs<'a>>,
    /// Moves that conflict with these are illegal.
    pub(crate) illegal_moves: Option<TableView<'t, R>>,
    /// Among nodes of equal f, fewer conflicts with these go first.
    pub(crate) conflict_avoidance: Option<TableView<'t, R>>,
    /// Plans that cost more are not searched for.
    pub(crate) cost_max: u32,
    /// A lower bound that is known beforehand.
    pub(crate) floor: u32,
    pub(crate) weight: Weight,
}

/// The result of a search.
pub(crate) enum Ending<P> {
    /// A plan: one path per unit, all of one length.
    Found { paths: Vec<Vec<P>>, bound: u32 },
    /// There is no plan, or none within `cost_max`.
    Exhausted,
    /// A limit was reached first.
    Spent { bound: u32, limit: Limit },
}

/// Nodes generated between two checks of memory and interrupt: one expansion without
/// decomposition may generate millions.
const CHECK_EVERY: u64 = 256;
/// Expansions between two reports of progress.
const REPORT_EVERY: u64 = 4096;

/// The value of a node that a better one has replaced.
const DROPPED: u32 = u32::MAX;

/// One search.
pub(crate) struct Search<'t, 'a, 'b, R: Rules> {
    pub(crate) problem: SearchProblem<'t, 'a, R>,
    pub(crate) options: SearchOptions<R>,
    budget: Budget<'b>,
    effort: Effort<'b>,
    on_progress: OnProgress<'b>,
    pub(crate) nodes: Nodes,
    index: StateIndex,
    open: OpenList,
    histogram: CostHistogram,
    pub(crate) state: JointState<R>,
    /// The children that an expansion generates. Reused.
    pub(crate) children: Vec<ListedMove>,
    /// The f and cost so far for which an expanded node stays on the open list. Reused.
    pub(crate) entries: Vec<(u32, u32)>,
    /// The tick from which every unit can stay on its goal without a conflict.
    quiet_from: u32,
    /// The f of the node being expanded.
    current: u32,
    statistics: Statistics,
}

/// Runs a search within the budget.
pub(crate) fn search<R: Rules>(
    problem: SearchProblem<'_, '_, R>,
    options: SearchOptions<R>,
    budget: Budget<'_>,
    on_progress: OnProgress<'_>,
) -> (Ending<R::Place>, Statistics) {
    let mut search = Search::new(problem, options, budget, on_progress);
    let ending = match search.begin().and_then(|()| search.run()) {
        Ok(Some(goal)) => Ending::Found { paths: search.paths(goal), bound: search.bound(goal) },
        Ok(None) => Ending::Exhausted,
        Err(limit) => {
            let bound = search.least().max(search.problem.floor);
            Ending::Spent { bound, limit }
        }
    };
    (ending, search.finish())
}

impl<'t, 'a, 'b, R: Rules> Search<'t, 'a, 'b, R> {
    fn new(
        problem: SearchProblem<'t, 'a, R>,
        options: SearchOptions<R>,
        budget: Budget<'b>,
        on_progress: OnProgress<'b>,
    ) -> Self {
        let units = problem.tables.len();
        let horizon = problem.illegal_moves.map_or(0, |table| table.horizon());
        let last_visit = |table: &PositionTable<'_, R>| {
            problem.illegal_moves.and_then(|moves| moves.last_visit(table.place(GOAL)))
        };
        let quiet_from =
            problem.tables.iter().filter_map(last_visit).max().map_or(0, |tick| tick + 1);
        let distances = problem.tables.iter().map(|table| table.distance(table.start()));
        let first = distances.fold(0, u32::saturating_add);
        Self {
            nodes: Nodes::new(units, options.decomposition),
            index: StateIndex::new(horizon),
            open: OpenList::new(first),
            histogram: CostHistogram::new(first),
            state: JointState::new(units),
            children: Vec::new(),
            entries: Vec::new(),
            quiet_from,
            current: first,
            statistics: Statistics { searches: 1, largest_group: units, ..Statistics::default() },
            problem,
            options,
            budget,
            effort: Effort::new(budget),
            on_progress,
        }
    }

    fn begin(&mut self) -> Result<(), Limit> {
        let starts = self.problem.tables.iter().map(PositionTable::start);
        self.state.post_move = starts.collect();
        self.state.pre_move.clone_from(&self.state.post_move);
        self.state.moved.fill(false);
        let h = self.state.heuristic(&mut self.problem, self.options.rules);
        self.add(NONE, NONE, 0, h, 0, 0)
    }

    fn run(&mut self) -> Result<Option<NodeId>, Limit> {
        while let Some(id) = self.open.pop() {
            let node = *self.nodes.get(id);
            if node.value == DROPPED {
                continue;
            }
            self.histogram.remove(node.value);
            self.current = node.value;
            if node.is_standard() {
                if self.is_stale(id, &node) {
                    self.nodes.get_mut(id).value = DROPPED;
                    continue;
                }
                if self.is_goal(id, &node) {
                    return Ok(Some(id));
                }
            }
            self.spend()?;
            self.statistics.final_closed += u64::from(node.expansions == 0);
            if self.options.decomposition {
                self.expand_decomposed(id)?;
            } else {
                self.expand_jointly(id)?;
            }
        }
        Ok(None)
    }

    /// Whether a better node has replaced this one in its state.
    fn is_stale(&self, id: NodeId, node: &Node) -> bool {
        self.index.find(&self.nodes, self.nodes.positions(id), node.time).1 != id
    }

    fn is_goal(&self, id: NodeId, node: &Node) -> bool {
        let at_goal = |(table, &at): (&PositionTable<'_, R>, &u16)| table.distance(at) == 0;
        node.time >= self.quiet_from
            && self.problem.tables.iter().zip(self.nodes.positions(id)).all(at_goal)
    }

    /// Counts an expansion; an error if none is left.
    fn spend(&mut self) -> Result<(), Limit> {
        let pairs = self.problem.pairs.as_ref();
        if pairs.is_some_and(|pairs| pairs.is_interrupted()) {
            return Err(Limit::Interrupt);
        }
        if !self.effort.expand() {
            return Err(match self.effort.stopped() {
                Some(SearchStatus::Interrupted) => Limit::Interrupt,
                _ => Limit::Expansions,
            });
        }
        self.statistics.expanded += 1;
        if self.statistics.expanded.is_multiple_of(REPORT_EVERY) {
            self.report_progress();
        }
        Ok(())
    }

    fn report_progress(&mut self) {
        let Some(on_progress) = self.on_progress else { return };
        // With illegal moves the search proves nothing about the group alone.
        let raised = match self.problem.illegal_moves {
            Some(_) => 0,
            None => self.least().saturating_sub(self.problem.floor),
        };
        on_progress(self.statistics.expanded, raised);
    }

    /// Adds the child at `state.post_move`, unless its state has a node as good.
    pub(crate) fn add(
        &mut self,
        parent: NodeId,
        base: NodeId,
        g: u32,
        h: u32,
        time: u32,
        violations: u16,
    ) -> Result<(), Limit> {
        let value = g.saturating_add(h);
        if value > self.problem.cost_max {
            return Ok(());
        }
        let (next_unit, next_move, expansions) = (NO_UNIT, 0, 0);
        let node =
            Node { parent, base, g, h, value, time, next_unit, violations, next_move, expansions };
        if base != NONE {
            let id = self.store(node)?;
            self.list(id);
            return Ok(());
        }
        let (slot, known) = self.index.find(&self.nodes, &self.state.post_move, time);
        if known != NONE {
            let known = self.nodes.get(known);
            let is_better = g < known.g
                || (g == known.g && violations <= known.violations && known.expansions == 0);
            if !is_better {
                return Ok(());
            }
        }
        let id = self.store(node)?;
        self.index.set(slot, id, &self.nodes);
        self.list(id);
        Ok(())
    }

    fn store(&mut self, node: Node) -> Result<NodeId, Limit> {
        self.statistics.generated += 1;
        if self.nodes.len() >= self.options.nodes_max {
            return Err(Limit::Memory);
        }
        if self.statistics.generated.is_multiple_of(CHECK_EVERY) {
            if self.bytes() > self.options.bytes_max {
                return Err(Limit::Memory);
            }
            if self.budget.is_interrupted() {
                return Err(Limit::Interrupt);
            }
        }
        let moved: &[bool] = if node.is_standard() { &[] } else { &self.state.moved };
        Ok(self.nodes.push(node, &self.state.post_move, moved))
    }

    /// Puts a node on the open list, by its weighted f.
    fn list(&mut self, id: NodeId) {
        let &Node { value, g, .. } = self.nodes.get(id);
        self.histogram.add(value);
        self.push_open(id, value, g);
    }

    /// Puts a node on the open list for a child, or for itself, of this f and cost so far. A node
    /// may be there several times, for children of different f.
    pub(crate) fn push_open(&mut self, id: NodeId, value: u32, g: u32) {
        if value > self.problem.cost_max {
            return;
        }
        let h = value - g;
        let weighted = self.problem.weight.times(u64::from(h));
        let priority = u64::from(g).saturating_add(weighted).max(u64::from(self.problem.floor));
        let priority = u32::try_from(priority).unwrap_or(u32::MAX);
        let rank = match self.problem.conflict_avoidance {
            Some(_) => u32::from(self.nodes.get(id).violations),
            None => h,
        };
        self.open.push(priority, rank, id);
    }

    /// Counts a node as open that goes on with its move `next`; the f of its next child is at
    /// least `value`.
    pub(crate) fn keep_open(&mut self, id: NodeId, next: usize, value: u32) {
        let node = self.nodes.get_mut(id);
        node.next_move = next as u16;
        node.value = value;
        if value <= self.problem.cost_max {
            self.histogram.add(value);
        }
    }

    /// How many children the next expansion of a node generates.
    pub(crate) fn portion(&self, expansions: u8) -> usize {
        self.options.portions[usize::from(expansions).min(2)].max(1) as usize
    }

    /// The least f of a node that is open or being expanded.
    fn least(&mut self) -> u32 {
        self.histogram.least().map_or(self.current, |least| least.min(self.current))
    }

    /// The lower bound that is proven once this goal is taken from the open list.
    fn bound(&mut self, goal: NodeId) -> u32 {
        let cost = self.nodes.get(goal).g;
        self.least().max(self.problem.floor).min(cost)
    }

    /// The paths of all units up to a node.
    fn paths(&self, goal: NodeId) -> Vec<Vec<R::Place>> {
        let mut paths = vec![Vec::new(); self.problem.tables.len()];
        let mut id = goal;
        while id != NONE {
            let node = self.nodes.get(id);
            if node.is_standard() {
                let positions = self.nodes.positions(id);
                for ((path, table), &at) in
                    paths.iter_mut().zip(&*self.problem.tables).zip(positions)
                {
                    path.push(table.place(at));
                }
            }
            id = node.parent;
        }
        paths.iter_mut().for_each(|path| path.reverse());
        paths
    }

    fn bytes(&self) -> u64 {
        let tables: usize = self.problem.tables.iter().map(PositionTable::bytes).sum();
        let pairs = self.problem.pairs.as_ref().map_or(0, |pairs| pairs.bytes());
        let own = self.nodes.bytes() + self.index.bytes() + self.open.bytes();
        (own + tables + pairs) as u64
    }

    fn finish(self) -> Statistics {
        Statistics {
            peak_open: self.histogram.peak() as u64,
            final_open: self.histogram.count() as u64,
            bytes: self.bytes(),
            most_expanded: self.statistics.expanded,
            ..self.statistics
        }
    }
}
