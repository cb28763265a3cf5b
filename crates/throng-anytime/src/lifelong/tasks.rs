//! Where the goals of a lifelong run come from.
//!
//! [`ListedTasks`] hands out a list as the start kit of the League of Robot Runners (2023) does;
//! [`SeededTasks`] draws goals from a seed.

use throng_grid::kit::mix;

use crate::{Graph, Vertex};

/// A goal that a unit has to visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its number: unique among the tasks of a run.
    pub id: u32,
    /// Where to go.
    pub goal: Vertex,
}

/// Hands out goals.
pub trait Tasks {
    /// The next goal of a unit that has none and stands at a position; `None` if there is none
    /// now. Units that finish at the same tick ask in the order of their numbers.
    fn next(&mut self, unit: usize, at: Vertex) -> Option<Task>;
}

impl<T: Tasks + ?Sized> Tasks for Box<T> {
    fn next(&mut self, unit: usize, at: Vertex) -> Option<Task> {
        (**self).next(unit, at)
    }
}

/// How a list of tasks is divided among the units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Assignment {
    /// Unit i of n gets the tasks i, i + n, i + 2n, ... and begins again after the last one.
    /// Every assignment is a task of its own, numbered in order.
    #[default]
    RoundRobin,
    /// A unit that needs a task gets the first that is left.
    Greedy,
    /// Unit i of n gets the tasks i, i + n, i + 2n, ... once.
    RoundRobinFixed,
}

/// A list of goals, handed out by an [`Assignment`].
#[derive(Clone, Debug)]
pub struct ListedTasks {
    goals: Vec<Vertex>,
    assignment: Assignment,
    /// Tasks handed out, by unit.
    counts: Vec<usize>,
    handed_out: u32,
}

impl ListedTasks {
    /// The tasks of some units.
    #[must_use]
    pub fn new(goals: Vec<Vertex>, assignment: Assignment, units: usize) -> Self {
        Self { goals, assignment, counts: vec![0; units], handed_out: 0 }
    }
}

impl Tasks for ListedTasks {
    fn next(&mut self, unit: usize, _: Vertex) -> Option<Task> {
        let units = self.counts.len();
        let own = self.counts[unit] * units + unit;
        let (id, place) = match self.assignment {
            Assignment::RoundRobin => (self.handed_out, own.checked_rem(self.goals.len())?),
            Assignment::Greedy => (self.handed_out, self.handed_out as usize),
            Assignment::RoundRobinFixed => (own as u32, own),
        };
        let goal = *self.goals.get(place)?;
        self.counts[unit] += 1;
        self.handed_out += 1;
        Some(Task { id, goal })
    }
}

/// Goals drawn from a seed: every position that a unit can reach is equally likely, its own
/// excepted. The n-th goal of a unit depends on nothing but seed, unit, n and where it stands.
#[derive(Clone, Debug)]
pub struct SeededTasks {
    seed: u64,
    /// Goals that units have before any is drawn.
    first: Vec<Vertex>,
    /// Goals handed out, by unit.
    counts: Vec<u32>,
    handed_out: u32,
    /// Positions, sorted by component.
    positions: Vec<Vertex>,
    /// Where the component of each position begins and ends in `positions`.
    ranges: Vec<(u32, u32)>,
    /// The component of each position.
    components: Vec<u32>,
}

impl SeededTasks {
    /// Goals for some units: first the given ones, one per unit or none at all.
    #[must_use]
    pub fn new(graph: &Graph, first: Vec<Vertex>, units: usize, seed: u64) -> Self {
        let mut tasks = Self {
            seed,
            first,
            counts: vec![0; units],
            handed_out: 0,
            positions: Vec::with_capacity(graph.len()),
            ranges: Vec::new(),
            components: vec![u32::MAX; graph.len()],
        };
        for start in 0..graph.len() as u32 {
            if tasks.components[start as usize] == u32::MAX {
                tasks.add_component(graph, Vertex(start));
            }
        }
        tasks
    }

    fn add_component(&mut self, graph: &Graph, start: Vertex) {
        let component = self.ranges.len() as u32;
        let begin = self.positions.len();
        self.components[start.get()] = component;
        self.positions.push(start);
        let mut next = begin;
        while let Some(&at) = self.positions.get(next) {
            next += 1;
            for &to in graph.neighbours(at) {
                if self.components[to.get()] == u32::MAX {
                    self.components[to.get()] = component;
                    self.positions.push(to);
                }
            }
        }
        self.ranges.push((begin as u32, self.positions.len() as u32));
    }

    fn draw(&self, unit: usize, count: u32, at: Vertex) -> Option<Vertex> {
        let (begin, end) = self.ranges[self.components[at.get()] as usize];
        let others = u64::from(end - begin - 1);
        let random = mix(mix(self.seed ^ (unit as u64) << 32) ^ u64::from(count));
        // The high bits of the product are as good as uniform.
        let place = ((u128::from(random) * u128::from(others)) >> 64) as u32;
        let drawn = self.positions[(begin + place) as usize];
        // The last position stands in for the unit's own.
        let drawn = if drawn == at { self.positions[end as usize - 1] } else { drawn };
        (others > 0).then_some(drawn)
    }
}

impl Tasks for SeededTasks {
    fn next(&mut self, unit: usize, at: Vertex) -> Option<Task> {
        let count = self.counts[unit];
        let given = self.first.get(unit).copied().filter(|_| count == 0);
        let goal = given.or_else(|| self.draw(unit, count, at))?;
        let id = self.handed_out;
        self.counts[unit] += 1;
        self.handed_out += 1;
        Some(Task { id, goal })
    }
}
