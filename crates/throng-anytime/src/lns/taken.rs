//! What the paths of a plan take, in the order that suits the search.

use throng_model::Objective;

use super::boards::Boards;
use super::occupancy::Occupancy;
use super::task::Task;

/// Most words of the boards of one kind: 8 MiB for each of the three kinds. The largest map that was
/// measured needs half of it, and a flood still gains more per second there than A*.
const BOARDS_MAX: usize = 1 << 20;

/// The cells and passages that are taken at each tick.
#[derive(Clone, Debug)]
pub(crate) enum Taken {
    /// By position, for A*.
    Rows(Occupancy),
    /// By tick, for a flood.
    Boards(Boards),
}

impl Taken {
    /// Nothing is taken. All ticks up to `last_tick` can be.
    pub(crate) fn new(task: &Task, last_tick: u32) -> Self {
        let is_small = |words: usize| words * (last_tick as usize + 1) <= BOARDS_MAX;
        let layout = task.layout.as_ref().filter(|layout| is_small(layout.words));
        match layout.filter(|_| task.objective == Objective::SumOfCosts) {
            Some(layout) => Self::Boards(Boards::new(layout, last_tick)),
            None => Self::Rows(Occupancy::new(&task.steps, last_tick)),
        }
    }

    /// Whether half the memory would do for this last tick.
    pub(crate) fn is_too_long_for(&self, last_tick: u32) -> bool {
        match self {
            Self::Rows(rows) => rows.is_too_long_for(last_tick),
            Self::Boards(boards) => 2 * last_tick <= boards.last_tick(),
        }
    }

    /// Takes what a path takes, or frees it again.
    pub(crate) fn toggle(&mut self, task: &Task, path: &[u32]) {
        match (self, &task.layout) {
            (Self::Boards(boards), Some(layout)) => boards.toggle(layout, path),
            (Self::Rows(rows), _) => rows.toggle(&task.steps, path),
            (Self::Boards(_), None) => {}
        }
    }

    /// Whether a path conflicts with nothing that is taken.
    pub(crate) fn is_free(&self, task: &Task, path: &[u32]) -> bool {
        match (self, &task.layout) {
            (Self::Boards(boards), Some(layout)) => boards.is_free(layout, path),
            (Self::Rows(rows), _) => rows.is_free(&task.steps, path),
            (Self::Boards(_), None) => false,
        }
    }
}
