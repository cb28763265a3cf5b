//! The cheapest path of one unit around the paths of all others, by safe intervals.
//!
//! A* over pairs of position and safe interval (M. Phillips, M. Likhachev, "SIPP: Safe interval
//! path planning for dynamic environments", 2011) with the true distance as heuristic. Within
//! one safe interval an earlier arrival can do all that a later one can, so for the sum of costs
//! one label per interval is enough. For the time away a later arrival that has rested longer
//! on the goal is kept beside it.
//!
//! The open list is an array of stacks by f, or by an f with an inflated heuristic (I. Pohl,
//! 1970): repairs of crowded plans gain more from many hasty searches than from few exact ones.
//! Ties: the newest label first, which is the one
//! furthest on; among the steps of one position the order is rotated by the query.

use throng_model::Effort;

use super::occupancy::{NEVER, Occupancy};
use super::steps::{OPEN, Step, Steps};

const NONE: u32 = u32::MAX;

/// One search: from where, to where, at which cost at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query {
    pub(crate) start: u32,
    pub(crate) goal: u32,
    /// A path that costs more is of no use.
    pub(crate) cost_max: u32,
    /// The heuristic's weight beyond 1, in eighths. With 0 the path is the cheapest one. With
    /// more it is found sooner. A flood ignores it.
    pub(crate) greed: u32,
    /// Which of the steps of a position comes first.
    pub(crate) rotation: usize,
}

/// A place and time that can be reached.
#[derive(Clone, Copy, Debug)]
struct Label {
    position: u32,
    /// Arrival there.
    tick: u32,
    /// Last tick of the safe interval; [`DEAD`] once a better label is known.
    end: u32,
    /// Ticks rested on the goal so far, if they are free.
    rested: u32,
    parent: u32,
    /// The label before it at the same position.
    before: u32,
    /// The label below it in its stack.
    below: u32,
}

/// No safe interval ends here: a tick is below 2^20.
const DEAD: u32 = NEVER - 1;

/// Memory for searches, reused from one to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    labels: Vec<Label>,
    /// Per position: the search that has last reached it, and its newest label.
    reached: Vec<(u32, u32)>,
    number: u32,
    /// The top of the stack of each key.
    stacks: Vec<u32>,
    /// No stack below this one has a label.
    cursor: usize,
    /// No path costs less.
    f_min: u32,
    greed: u32,
}

/// What does not change during a search.
#[derive(Clone, Copy)]
struct Terms<'a, D> {
    steps: &'a Steps,
    occupancy: &'a Occupancy,
    distances: &'a [D],
    query: Query,
    /// The goal is used by others before this tick.
    free_from: u32,
    /// Last tick at which a path may arrive.
    last_tick: u32,
}

impl Search {
    /// The cost of a path, which is written to `path`; `None` if none is cheap enough or the
    /// effort ends. The path is the cheapest one if `query.greed` is 0. With `AWAY`, ticks of rest on the goal are free.
    pub(crate) fn run<const AWAY: bool, D: Copy + Into<u32>>(
        &mut self,
        steps: &Steps,
        occupancy: &Occupancy,
        distances: &[D],
        query: Query,
        effort: &mut Effort<'_>,
        path: &mut Vec<u32>,
    ) -> Option<u32> {
        let free_from = occupancy.free_from(query.goal);
        let horizon = occupancy.last_tick();
        let last_tick = if AWAY { horizon } else { query.cost_max.min(horizon) };
        let terms = Terms { steps, occupancy, distances, query, free_from, last_tick };
        self.begin::<AWAY, D>(&terms)?;
        let found = self.find::<AWAY, D>(&terms, effort)?;
        self.write(found, path);
        let label = self.labels[found as usize];
        Some(label.tick - label.rested)
    }

    /// Opens the start; `None` if no path can be cheap enough.
    fn begin<const AWAY: bool, D: Copy + Into<u32>>(&mut self, terms: &Terms<'_, D>) -> Option<()> {
        let Query { start, cost_max, .. } = terms.query;
        self.labels.clear();
        self.reached.resize(terms.steps.positions(), (0, NONE));
        self.number = self.number.checked_add(1).unwrap_or_else(|| {
            self.reached.fill((0, NONE));
            1
        });
        let distance: u32 = terms.distances[start as usize].into();
        self.f_min = if AWAY { distance } else { distance.max(terms.free_from) };
        if self.f_min > cost_max {
            return None;
        }
        self.greed = terms.query.greed;
        self.stacks.clear();
        self.stacks.resize((cost_max + cost_max * self.greed / 8) as usize + 1, NONE);
        self.cursor = 0;
        if terms.occupancy.is_taken(start, 0) {
            return None;
        }
        let end = end_of_interval(terms.occupancy, start, 0);
        self.open(distance, distance, Label { position: start, end, ..Label::FIRST });
        Some(())
    }

    fn find<const AWAY: bool, D: Copy + Into<u32>>(
        &mut self,
        terms: &Terms<'_, D>,
        effort: &mut Effort<'_>,
    ) -> Option<u32> {
        while self.cursor < self.stacks.len() {
            let top = self.stacks[self.cursor];
            if top == NONE {
                self.cursor += 1;
                continue;
            }
            let label = self.labels[top as usize];
            self.stacks[self.cursor] = label.below;
            if label.end == DEAD {
                continue;
            }
            if label.end == NEVER && label.position == terms.query.goal {
                return Some(top);
            }
            if !effort.expand() {
                return None;
            }
            self.expand::<AWAY, D>(terms, top, label);
        }
        None
    }

    #[inline]
    fn expand<const AWAY: bool, D: Copy + Into<u32>>(
        &mut self,
        terms: &Terms<'_, D>,
        parent: u32,
        label: Label,
    ) {
        let steps = terms.steps.from(label.position);
        let rotation = terms.query.rotation % steps.len().max(1);
        let (later, sooner) = steps.split_at(rotation);
        for &step in sooner.iter().chain(later) {
            if AWAY && label.position == terms.query.goal {
                self.leave_goal(terms, parent, label, step);
            } else {
                self.follow::<AWAY, D>(terms, parent, label, step);
            }
        }
    }

    /// Opens the first arrival in each safe interval that the step can reach.
    #[inline]
    fn follow<const AWAY: bool, D: Copy + Into<u32>>(
        &mut self,
        terms: &Terms<'_, D>,
        parent: u32,
        label: Label,
        step: Step,
    ) {
        let distance: u32 = terms.distances[step.to as usize].into();
        let Some(latest) = (terms.query.cost_max + label.rested).checked_sub(distance) else {
            return;
        };
        let latest = latest.min(label.end.saturating_add(1)).min(terms.last_tick);
        let mut tick = label.tick + 1;
        while tick <= latest {
            tick = terms.occupancy.next_free(step.to, tick);
            if tick > latest {
                return;
            }
            let end = end_of_interval(terms.occupancy, step.to, tick);
            if let Some(tick) = open_passage(terms.occupancy, step, tick, latest.min(end)) {
                let f = tick - label.rested + distance;
                let child = Label { position: step.to, tick, end, parent, ..label };
                self.offer::<AWAY>(f, distance, child);
            }
            tick = end.saturating_add(1);
        }
    }

    /// Opens every departure from the goal: the later it is, the more rest was free.
    fn leave_goal<D: Copy + Into<u32>>(
        &mut self,
        terms: &Terms<'_, D>,
        parent: u32,
        label: Label,
        step: Step,
    ) {
        let distance: u32 = terms.distances[step.to as usize].into();
        let f = label.tick - label.rested + 1 + distance;
        if f > terms.query.cost_max {
            return;
        }
        let latest = label.end.saturating_add(1).min(terms.last_tick);
        for tick in label.tick + 1..=latest {
            let is_free = !terms.occupancy.is_taken(step.to, tick);
            if is_free && open_passage(terms.occupancy, step, tick, tick).is_some() {
                let end = end_of_interval(terms.occupancy, step.to, tick);
                let rested = label.rested + tick - 1 - label.tick;
                let child = Label { position: step.to, tick, end, rested, parent, ..label };
                self.offer::<true>(f, distance, child);
            }
        }
    }

    /// Opens a label unless one of its interval is as good.
    #[inline]
    fn offer<const AWAY: bool>(&mut self, f: u32, distance: u32, label: Label) {
        let (number, newest) = self.reached[label.position as usize];
        let mut at = if number == self.number { newest } else { NONE };
        while at != NONE {
            let other = &mut self.labels[at as usize];
            if other.end == label.end {
                if other.tick <= label.tick && (!AWAY || other.rested >= label.rested) {
                    return;
                }
                if label.tick <= other.tick && (!AWAY || label.rested >= other.rested) {
                    other.end = DEAD;
                }
            }
            at = other.before;
        }
        self.open(f, distance, label);
    }

    /// The order of expansion. All labels with an f up to the least cost are equally good: those
    /// near the goal come first. Else a search that has to wait for its goal would visit every
    /// place where the unit can spend the time.
    #[inline]
    fn key(&self, f: u32, distance: u32) -> u32 {
        match self.greed {
            0 if f <= self.f_min => distance,
            0 => f,
            greed => f.max(self.f_min) + distance * greed / 8,
        }
    }

    #[inline]
    fn open(&mut self, f: u32, distance: u32, label: Label) {
        let index = self.labels.len() as u32;
        let reached = &mut self.reached[label.position as usize];
        let before = if reached.0 == self.number { reached.1 } else { NONE };
        *reached = (self.number, index);
        let key = self.key(f, distance) as usize;
        self.cursor = self.cursor.min(key);
        let stack = &mut self.stacks[key];
        self.labels.push(Label { before, below: *stack, ..label });
        *stack = index;
    }

    /// The positions by tick from the start to a label.
    fn write(&self, last: u32, path: &mut Vec<u32>) {
        let last = self.labels[last as usize];
        path.clear();
        path.resize(last.tick as usize + 1, last.position);
        let (mut parent, mut until) = (last.parent, last.tick as usize);
        while parent != NONE {
            let label = self.labels[parent as usize];
            path[label.tick as usize..until].fill(label.position);
            (parent, until) = (label.parent, label.tick as usize);
        }
    }
}

impl Label {
    const FIRST: Self =
        Self { position: 0, tick: 0, end: 0, rested: 0, parent: NONE, before: NONE, below: NONE };
}

/// The last tick of the safe interval that contains a free tick.
#[inline]
fn end_of_interval(occupancy: &Occupancy, position: u32, tick: u32) -> u32 {
    match occupancy.next_taken(position, tick) {
        NEVER => NEVER,
        taken => taken - 1,
    }
}

/// The first tick up to `latest` at which the step can end without meeting another one.
#[inline]
fn open_passage(occupancy: &Occupancy, step: Step, tick: u32, latest: u32) -> Option<u32> {
    if step.passage == OPEN {
        return Some(tick);
    }
    (tick..=latest).find(|&tick| !occupancy.is_passage_taken(step.passage, tick))
}

#[cfg(test)]
mod tests {
    use throng_model::{Conflicts, MovementProfile};
    use throng_testkit::random_map;

    use super::*;
    use crate::lns::random::Random;
    use crate::{Distances, Graph, Vertex};

    /// A small world with the paths of some other units.
    struct World {
        steps: Steps,
        occupancy: Occupancy,
        distances: Vec<u32>,
        query: Query,
    }

    fn world(seed: u64) -> Option<World> {
        let mut random = Random::new(seed, 0, 0);
        let map = random_map(seed, 5, 4, 20);
        let movement = match seed % 2 {
            0 => MovementProfile::four_connected(),
            _ => MovementProfile::eight_connected(),
        };
        let graph = Graph::new(&map, &movement).unwrap();
        let steps = Steps::new(&graph, Conflicts::default());
        let mut any = || random.index(graph.len()) as u32;
        let (start, goal) = (any(), any());
        let mut occupancy = Occupancy::new(&steps, 40);
        for _ in 0..12 {
            let length = 1 + random.index(14);
            let path = random_path(&steps, length, &mut random);
            let is_free = path[0] != start && path[length - 1] != goal;
            if is_free && occupancy.is_free(&steps, &path) {
                occupancy.toggle(&steps, &path);
            }
        }
        let table = Distances::new(&graph, &[Vertex(goal)]);
        let distances = (0..graph.len() as u32).map(|at| table.get(0, Vertex(at))).collect();
        let cost_max = [4, 8, 12, 40][random.index(4)];
        let query = Query { start, goal, cost_max, greed: 0, rotation: random.index(8) };
        Some(World { steps, occupancy, distances, query })
    }

    fn random_path(steps: &Steps, length: usize, random: &mut Random) -> Vec<u32> {
        let mut path = vec![random.index(steps.positions()) as u32];
        while let Some(&at) = path.last().filter(|_| path.len() < length) {
            let next = steps.from(at);
            let to = next.get(random.index(next.len() + 1)).map_or(at, |step| step.to);
            path.push(to);
        }
        path
    }

    /// The least cost over all paths, by position and tick.
    fn oracle(world: &World, is_away: bool) -> Option<u32> {
        let Query { start, goal, cost_max, .. } = world.query;
        let horizon = world.occupancy.last_tick();
        let latest = if is_away { horizon } else { cost_max.min(horizon) };
        let mut costs = vec![None; world.steps.positions()];
        costs[start as usize] = Some(0).filter(|_| !world.occupancy.is_taken(start, 0));
        let mut best: Option<u32> = None;
        for tick in 0..=latest {
            if tick >= world.occupancy.free_from(goal) {
                best = best.into_iter().chain(costs[goal as usize]).min();
            }
            let mut next: Vec<Option<u32>> = vec![None; costs.len()];
            for from in 0..costs.len() as u32 {
                let Some(cost) = costs[from as usize] else { continue };
                let rests = Step { to: from, passage: OPEN };
                for step in world.steps.from(from).iter().copied().chain([rests]) {
                    let is_free = tick < latest
                        && !world.occupancy.is_taken(step.to, tick + 1)
                        && (step.passage == OPEN
                            || !world.occupancy.is_passage_taken(step.passage, tick + 1));
                    if is_free {
                        let is_rest = is_away && from == goal && step.to == goal;
                        let to = &mut next[step.to as usize];
                        *to = to.iter().copied().chain([cost + u32::from(!is_rest)]).min();
                    }
                }
            }
            costs = next;
        }
        best.filter(|&cost| cost <= cost_max)
    }

    fn searched<const AWAY: bool>(
        world: &World,
        query: Query,
        search: &mut Search,
    ) -> Option<(u32, Vec<u32>)> {
        let World { steps, occupancy, distances, .. } = world;
        let (mut effort, mut path) = (Effort::unlimited(), Vec::new());
        let cost =
            search.run::<AWAY, _>(steps, occupancy, distances, query, &mut effort, &mut path)?;
        assert!(occupancy.is_free(steps, &path), "{query:?}");
        assert!(path.windows(2).all(|pair| steps.passage(pair[0], pair[1]).is_some()));
        assert_eq!((path[0], path.last()), (query.start, Some(&query.goal)));
        let rests = path.windows(2).filter(|pair| pair[0] == query.goal && pair[1] == query.goal);
        let rested = if AWAY { rests.count() } else { 0 };
        assert_eq!(cost as usize, path.len() - 1 - rested);
        Some((cost, path))
    }

    fn check<const AWAY: bool>(seed: u64, search: &mut Search) -> bool {
        let Some(world) = world(seed) else { return false };
        let expected = oracle(&world, AWAY);
        let found = searched::<AWAY>(&world, world.query, search);
        assert_eq!(found.map(|found| found.0), expected, "seed {seed}, away {AWAY}");
        let hasty = Query { greed: 4, ..world.query };
        let found = searched::<AWAY>(&world, hasty, search);
        assert_eq!(found.is_some(), expected.is_some(), "seed {seed}, away {AWAY}");
        assert!(found.is_none_or(|found| found.0 <= world.query.cost_max));
        expected.is_some()
    }

    #[test]
    fn paths_are_the_cheapest_for_both_objectives() {
        let mut search = Search::default();
        let solved = |count, seed| {
            let both = [check::<false>(seed, &mut search), check::<true>(seed, &mut search)];
            count + both.into_iter().filter(|&is_solved| is_solved).count()
        };
        let solved = (0..3000).fold(0, solved);
        assert!((1000..5000).contains(&solved), "{solved} of 6000");
    }
}
