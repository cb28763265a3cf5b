//! The path of one unit through a window around the paths of all others: A* by position and tick.
//!
//! The cost of a path is the time that it loses: a tick that brings the unit nearer to its goal by
//! a step costs nothing, a wait costs one step, a step back two. It is counted until the unit
//! reaches its goal. The cost to the goal is the potential, so the loss so far is a consistent
//! estimate. Labels of one loss are expanded newest first: the furthest on.

use super::traffic::STEP_COST;
use super::window::Window;
use crate::lns::steps::OPEN;
use crate::{TrueDistances, Vertex};

const NONE: u32 = u32::MAX;

/// A position and tick that can be reached.
#[derive(Clone, Copy, Debug)]
struct Label {
    position: u32,
    tick: u32,
    parent: u32,
    /// The label below it in its stack.
    below: u32,
    /// The cost to the goal from here.
    to_go: u32,
}

/// Memory for searches, reused from one to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct WindowSearch {
    labels: Vec<Label>,
    /// The search that has last expanded each tick and position, before and after the goal.
    closed: Vec<u32>,
    number: u32,
    /// The newest label of each loss.
    stacks: Vec<u32>,
    pub(super) path: Vec<Vertex>,
}

/// What a unit loses in a tick by which its cost to go changes.
#[inline]
pub(super) fn loss(from: u32, to: u32) -> u32 {
    to.saturating_add(STEP_COST).saturating_sub(from)
}

impl WindowSearch {
    /// The least loss of a unit from where it is, if it is at most `loss_max`; its path is in
    /// `path`. `expansions` is lowered by the work; the search ends without a path at 0.
    pub(super) fn run<D: TrueDistances>(
        &mut self,
        window: &Window,
        unit: usize,
        costs: &mut D,
        loss_max: u32,
        expansions: &mut u64,
    ) -> Option<u32> {
        self.begin(window, loss_max);
        let start = window.path(unit)[0];
        let to_go = costs.get(unit, start);
        self.open(0, Label { position: start.0, tick: 0, parent: NONE, below: NONE, to_go });
        for lost in 0..=loss_max {
            while let Some(label) = self.pop(lost) {
                let Label { position, tick, to_go, .. } = self.labels[label as usize];
                if tick as usize == window.ticks() {
                    self.write(window.ticks(), label);
                    return Some(lost);
                }
                if !self.close(window, position, tick, to_go == 0) {
                    continue;
                }
                if *expansions == 0 {
                    return None;
                }
                *expansions -= 1;
                self.expand(window, unit, costs, (label, lost, loss_max));
            }
        }
        None
    }

    fn begin(&mut self, window: &Window, loss_max: u32) {
        self.labels.clear();
        self.stacks.clear();
        self.stacks.resize(loss_max as usize + 1, NONE);
        self.closed.resize(2 * window.positions() * window.ticks(), 0);
        self.number = self.number.checked_add(1).unwrap_or_else(|| {
            self.closed.fill(0);
            1
        });
    }

    #[inline]
    fn pop(&mut self, lost: u32) -> Option<u32> {
        let top = self.stacks[lost as usize];
        let label = self.labels.get(top as usize)?;
        self.stacks[lost as usize] = label.below;
        Some(top)
    }

    /// Closes a state; whether it was open.
    #[inline]
    fn close(&mut self, window: &Window, position: u32, tick: u32, is_done: bool) -> bool {
        let layer = 2 * tick as usize + usize::from(is_done);
        let closed = &mut self.closed[layer * window.positions() + position as usize];
        std::mem::replace(closed, self.number) != self.number
    }

    /// Opens a wait and all steps. The wait comes first: of equal labels it is expanded last.
    #[inline]
    fn expand<D: TrueDistances>(
        &mut self,
        window: &Window,
        unit: usize,
        costs: &mut D,
        (parent, lost, loss_max): (u32, u32, u32),
    ) {
        let Label { position, tick, to_go, .. } = self.labels[parent as usize];
        let tick = tick + 1;
        let waits = (position, OPEN);
        let steps = window.steps.from(position).iter().map(|step| (step.to, step.passage));
        for (to, passage) in std::iter::once(waits).chain(steps) {
            if !window.is_free(to, passage, tick as usize) {
                continue;
            }
            // Once the goal is reached, nothing is lost any more.
            let left = if to_go == 0 { 0 } else { costs.get(unit, Vertex(to)) };
            let all = if to_go == 0 { lost } else { lost.saturating_add(loss(to_go, left)) };
            if all <= loss_max {
                self.open(all, Label { position: to, tick, parent, below: NONE, to_go: left });
            }
        }
    }

    #[inline]
    fn open(&mut self, lost: u32, label: Label) {
        let below = std::mem::replace(&mut self.stacks[lost as usize], self.labels.len() as u32);
        self.labels.push(Label { below, ..label });
    }

    fn write(&mut self, ticks: usize, last: u32) {
        self.path.clear();
        self.path.resize(ticks + 1, Vertex::NONE);
        let mut at = last;
        while let Some(label) = self.labels.get(at as usize) {
            self.path[label.tick as usize] = Vertex(label.position);
            at = label.parent;
        }
    }
}
