//! Algorithm 1: A* over the joint states of a group.

use throng_model::{Conflicts, Interrupt, Limit};

use crate::clash::Place;
use crate::effort::Statistics;
use crate::nodes::{NOBODY, NONE, Node, NodeId, Nodes, States};
use crate::open::{Open, Tally};
use crate::others::View;
use crate::pairs::Pairs;
use crate::state::State;
use crate::track::Track;
use crate::{JointAStar, Order};
use throng_model::Weight;

/// What all searches for a problem have in common.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) counted: Conflicts,
    pub(crate) decomposition: bool,
    pub(crate) order: Order,
    pub(crate) partial_expansion: bool,
    pub(crate) portions: [u32; 3],
    pub(crate) nodes_max: usize,
    pub(crate) bytes_max: u64,
}

impl Settings {
    pub(crate) fn new(options: &JointAStar, counted: Conflicts) -> Self {
        Self {
            counted,
            decomposition: options.decomposition,
            order: options.order,
            partial_expansion: options.partial_expansion,
            portions: options.portions,
            nodes_max: options.nodes_max.min(NONE - 1) as usize,
            bytes_max: u64::from(options.megabytes_max) << 20,
        }
    }
}

/// How much a search may spend.
#[derive(Clone, Copy)]
pub(crate) struct Limits<'a> {
    pub(crate) expansions: u64,
    pub(crate) interrupt: Option<Interrupt<'a>>,
}

/// Told now and then how many nodes a search has expanded, and by how much it has raised the
/// bound.
pub(crate) type Watch<'a> = Option<&'a dyn Fn(u64, u32)>;

/// How much a search may spend, and who watches.
#[derive(Clone, Copy)]
pub(crate) struct Allowance<'a> {
    pub(crate) limits: Limits<'a>,
    pub(crate) watch: Watch<'a>,
}

impl Limits<'_> {
    fn is_interrupted(&self) -> bool {
        self.interrupt.is_some_and(|ask| ask())
    }
}

/// What is searched for.
pub(crate) struct Task<'t, 'a> {
    pub(crate) tracks: &'t mut [Track<'a>],
    /// What pairs cost each other, if that shall guide the search.
    pub(crate) pairs: Option<&'t mut Pairs>,
    /// Who must be avoided.
    pub(crate) avoid: Option<View<'t>>,
    /// Who should be avoided where it costs nothing.
    pub(crate) shun: Option<View<'t>>,
    /// Plans that cost more are of no use.
    pub(crate) cost_max: u32,
    /// No plan costs less: known before.
    pub(crate) floor: u32,
    pub(crate) weight: Weight,
}

/// How a search ended.
pub(crate) enum Ending {
    /// With a plan: one path a unit, all of one length.
    Found { paths: Vec<Vec<Place>>, bound: u32 },
    /// There is no plan (of that cost).
    Exhausted,
    /// A limit was reached first.
    Spent { bound: u32, limit: Limit },
}

/// How often the interrupt is asked, in expansions and in nodes generated.
const ASK_EVERY: u64 = 256;
/// How often the watch is told, in expansions.
const TELL_EVERY: u64 = 4096;

/// One search.
pub(crate) struct Search<'t, 'a, 'b> {
    pub(crate) task: Task<'t, 'a>,
    pub(crate) settings: Settings,
    allowance: Allowance<'b>,
    pub(crate) nodes: Nodes,
    states: States,
    open: Open,
    tally: Tally,
    pub(crate) state: State,
    /// From when on each unit can rest on its goal without being run over.
    quiet_from: u32,
    /// What the node that is being expanded is listed under.
    current: u32,
    statistics: Statistics,
}

/// Runs a search.
pub(crate) fn search(
    task: Task<'_, '_>,
    settings: Settings,
    allowance: Allowance<'_>,
) -> (Ending, Statistics) {
    let mut search = Search::new(task, settings, allowance);
    let ending = match search.begin().and_then(|()| search.run()) {
        Ok(Some(goal)) => Ending::Found { paths: search.paths(goal), bound: search.bound(goal) },
        Ok(None) => Ending::Exhausted,
        Err(limit) => {
            let bound = search.least().max(search.task.floor);
            Ending::Spent { bound, limit }
        }
    };
    (ending, search.finish())
}

impl<'t, 'a, 'b> Search<'t, 'a, 'b> {
    fn new(task: Task<'t, 'a>, settings: Settings, allowance: Allowance<'b>) -> Self {
        let units = task.tracks.len();
        let horizon = task.avoid.map_or(0, |others| others.horizon());
        let last_visit = |track: &Track<'_>| {
            task.avoid.and_then(|others| others.last_visit(track.place(crate::track::GOAL)))
        };
        let quiet_from = task.tracks.iter().filter_map(last_visit).max().map_or(0, |tick| tick + 1);
        let distances = task.tracks.iter().map(|track| track.distance(track.start()));
        let first = distances.fold(0, u32::saturating_add);
        Self {
            nodes: Nodes::new(units, settings.decomposition),
            states: States::new(horizon),
            open: Open::new(first),
            tally: Tally::new(first),
            state: State::new(units),
            quiet_from,
            current: first,
            statistics: Statistics { searches: 1, largest_group: units, ..Statistics::default() },
            task,
            settings,
            allowance,
        }
    }

    fn begin(&mut self) -> Result<(), Limit> {
        let starts = self.task.tracks.iter().map(Track::start);
        self.state.now = starts.collect();
        self.state.old.clone_from(&self.state.now);
        self.state.moved.fill(false);
        let g = 0;
        let h = self.state.estimate_all(&mut self.task, self.settings.counted);
        self.add(NONE, NONE, g, h, 0, 0)
    }

    fn run(&mut self) -> Result<Option<NodeId>, Limit> {
        while let Some(id) = self.open.pop() {
            let node = *self.nodes.get(id);
            self.tally.remove(node.value);
            self.current = node.value;
            if node.is_standard() {
                if self.is_stale(id, &node) {
                    continue;
                }
                if self.is_goal(id, &node) {
                    return Ok(Some(id));
                }
            }
            self.spend()?;
            self.statistics.final_closed += u64::from(node.rounds == 0);
            if self.settings.decomposition {
                self.expand_decomposed(id)?;
            } else {
                self.expand_jointly(id)?;
            }
        }
        Ok(None)
    }

    /// Whether a cheaper node has come to stand for the state.
    fn is_stale(&self, id: NodeId, node: &Node) -> bool {
        self.states.find(&self.nodes, self.nodes.positions(id), node.time).1 != id
    }

    fn is_goal(&self, id: NodeId, node: &Node) -> bool {
        let at_goal = |(track, &at): (&Track<'_>, &u16)| track.distance(at) == 0;
        node.time >= self.quiet_from
            && self.task.tracks.iter().zip(self.nodes.positions(id)).all(at_goal)
    }

    fn spend(&mut self) -> Result<(), Limit> {
        if self.statistics.expanded >= self.allowance.limits.expansions {
            return Err(Limit::Expansions);
        }
        self.statistics.expanded += 1;
        if self.statistics.expanded.is_multiple_of(TELL_EVERY) {
            self.tell();
        }
        let asks = self.statistics.expanded.is_multiple_of(ASK_EVERY);
        match asks && self.allowance.limits.is_interrupted() {
            true => Err(Limit::Interrupt),
            false => Ok(()),
        }
    }

    fn tell(&mut self) {
        let Some(watch) = self.allowance.watch else { return };
        // Where others are avoided, nothing is proven of the group.
        let raised = match self.task.avoid {
            Some(_) => 0,
            None => self.least().saturating_sub(self.task.floor),
        };
        watch(self.statistics.expanded, raised);
    }

    /// Adds the child whose positions are in `state.now`, unless its state is known as cheap.
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
        if value > self.task.cost_max {
            return Ok(());
        }
        let (mover, next, rounds) = (NOBODY, 0, 0);
        let node = Node { parent, base, g, h, value, time, mover, violations, next, rounds };
        if base != NONE {
            let id = self.store(node)?;
            self.list(id);
            return Ok(());
        }
        let (slot, known) = self.states.find(&self.nodes, &self.state.now, time);
        if known != NONE {
            let known = self.nodes.get(known);
            let is_better =
                g < known.g || (g == known.g && violations < known.violations && known.rounds == 0);
            if !is_better {
                return Ok(());
            }
        }
        let id = self.store(node)?;
        self.states.set(slot, id, &self.nodes);
        self.list(id);
        Ok(())
    }

    fn store(&mut self, node: Node) -> Result<NodeId, Limit> {
        self.statistics.generated += 1;
        if self.nodes.len() >= self.settings.nodes_max {
            return Err(Limit::Memory);
        }
        if self.statistics.generated.is_multiple_of(ASK_EVERY) {
            if self.bytes() > self.settings.bytes_max {
                return Err(Limit::Memory);
            }
            if self.allowance.limits.is_interrupted() {
                return Err(Limit::Interrupt);
            }
        }
        let moved: &[bool] = if node.is_standard() { &[] } else { &self.state.moved };
        Ok(self.nodes.push(node, &self.state.now, moved))
    }

    /// Puts a node on the open list, by its value.
    fn list(&mut self, id: NodeId) {
        let node = self.nodes.get(id);
        let weighted = self.task.weight.times(u64::from(node.value - node.g));
        let value = u64::from(node.g).saturating_add(weighted).max(u64::from(self.task.floor));
        let value = u32::try_from(value).unwrap_or(u32::MAX);
        let rank = match self.task.shun {
            Some(_) => u32::from(node.violations),
            None => node.value - node.g,
        };
        self.tally.add(node.value);
        self.open.push(value, rank, id);
    }

    /// Puts a node back whose next child cannot cost less than `value`.
    pub(crate) fn put_back(&mut self, id: NodeId, next: usize, value: u32) {
        let node = self.nodes.get_mut(id);
        node.next = next as u16;
        node.rounds = node.rounds.saturating_add(1);
        node.value = node.value.max(value);
        if node.value <= self.task.cost_max {
            self.list(id);
        }
    }

    /// How many children this expansion of a node generates.
    pub(crate) fn portion(&self, rounds: u8) -> usize {
        self.settings.portions[usize::from(rounds).min(2)].max(1) as usize
    }

    /// The least estimate of any node that is open or being expanded.
    fn least(&mut self) -> u32 {
        self.tally.least().map_or(self.current, |least| least.min(self.current))
    }

    /// What no plan can cost less than, now that this goal was taken from the open list.
    fn bound(&mut self, goal: NodeId) -> u32 {
        let cost = self.nodes.get(goal).g;
        self.least().max(self.task.floor).min(cost)
    }

    /// The paths of all units up to a node.
    fn paths(&self, goal: NodeId) -> Vec<Vec<Place>> {
        let mut paths = vec![Vec::new(); self.task.tracks.len()];
        let mut id = goal;
        while id != NONE {
            let node = self.nodes.get(id);
            if node.is_standard() {
                let positions = self.nodes.positions(id);
                for ((path, track), &at) in paths.iter_mut().zip(&*self.task.tracks).zip(positions)
                {
                    path.push(track.place(at));
                }
            }
            id = node.parent;
        }
        paths.iter_mut().for_each(|path| path.reverse());
        paths
    }

    fn bytes(&self) -> u64 {
        let tracks: usize = self.task.tracks.iter().map(Track::bytes).sum();
        let pairs = self.task.pairs.as_ref().map_or(0, |pairs| pairs.bytes());
        let own = self.nodes.bytes() + self.states.bytes() + self.open.bytes();
        (own + tracks + pairs) as u64
    }

    fn finish(self) -> Statistics {
        let open = self.open.len() as u64;
        Statistics {
            peak_open: self.open.peak() as u64,
            final_open: open,
            bytes: self.bytes(),
            ..self.statistics
        }
    }
}
