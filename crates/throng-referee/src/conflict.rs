//! Conflicts between two ticks: whether two bodies pass through each other.
//!
//! Reference: T. Standley, "Finding Optimal Solutions to the Multi-Agent Pathfinding
//! Problem Using Heuristic Search", figures 2 (illegal) and 3 (legal).
//!
//! # The rule
//! Two squares of sides a and b move in straight lines during one tick. At the half tick they
//! may overlap by half a cell on an axis, as two units do that follow each other round a bend.
//! They are in conflict when they overlap by *more* than half a cell on *both* axes.
//! With all coordinates doubled, a body that steps from p to q is at the integer p + q at the
//! half tick, its side is 2a, and "more than half a cell" is "more than 1".
//!
//! # Which steps conflict
//! Assume that the bodies are disjoint at both ticks; otherwise they have a vertex conflict.
//! Let d be b's position minus a's on one axis. The bodies are disjoint on that axis when
//! d >= a or d <= -b. Within one tick d changes by at most 2.
//!
//! *Bodies of one cell* (a = b = 1). In doubled coordinates they overlap by 2 minus the
//! distance of their midpoints. More than 1 on both axes therefore means the same midpoint. A
//! shared midpoint lies on an edge between two cells or in the corner point of a 2 x 2 square.
//! (It cannot lie inside a cell: both would stay there and not be disjoint.) Across an edge
//! there are two steps, opposite to each other: a swap. Through a corner point there are four
//! steps: two opposite ones are a swap, one on each diagonal are a crossing. Nothing else is a
//! conflict: neither a rotation nor following.
//!
//! *Larger bodies* (a + b >= 3). They cannot change sides on an axis, because d would have to
//! change by a + b. If they are disjoint on one axis at both ticks, they stay disjoint on it.
//! In a conflict they are therefore disjoint on one axis, say x, before the tick, and on y
//! after it. At the half tick d has changed by at most 1 on x, so the overlap is at most one
//! cell. It exceeds half a cell only if the bodies touched and d changes by the full 2. The
//! same holds for y, backwards from the second tick. Thus both bodies step diagonally, in
//! opposite directions, and each passes through the other's corner. That is the whole meaning
//! of [`ViolationKind::Swept`].

use throng_model::{Cell, Conflicts};

use crate::ViolationKind;

/// A body's step within one tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) from: Cell,
    pub(crate) to: Cell,
    /// The side of the body, in cells.
    pub(crate) side: i32,
}

/// The conflict of two steps in the same tick; `None` for bodies that overlap before or after
/// it, which is a vertex conflict.
pub(crate) fn conflict(a: Step, b: Step, counted: Conflicts) -> Option<ViolationKind> {
    let disjoint =
        are_disjoint(a.from, a.side, b.from, b.side) && are_disjoint(a.to, a.side, b.to, b.side);
    if !disjoint || !collide_at_half_tick(a, b) {
        return None;
    }
    if a.side > 1 || b.side > 1 {
        return Some(ViolationKind::Swept);
    }
    if a.from == b.to {
        return counted.swap.then_some(ViolationKind::Swap);
    }
    counted.crossing.then_some(ViolationKind::Crossing)
}

fn collide_at_half_tick(a: Step, b: Step) -> bool {
    let columns = overlap(halfway(a, |c| c.x), 2 * a.side, halfway(b, |c| c.x), 2 * b.side);
    let rows = overlap(halfway(a, |c| c.y), 2 * a.side, halfway(b, |c| c.y), 2 * b.side);
    columns > 1 && rows > 1
}

/// The doubled coordinate at the half tick.
fn halfway(step: Step, axis: impl Fn(Cell) -> u16) -> i32 {
    i32::from(axis(step.from)) + i32::from(axis(step.to))
}

fn are_disjoint(a: Cell, a_side: i32, b: Cell, b_side: i32) -> bool {
    overlap(i32::from(a.x), a_side, i32::from(b.x), b_side) <= 0
        || overlap(i32::from(a.y), a_side, i32::from(b.y), b_side) <= 0
}

/// The length that two intervals share; negative when there is a gap.
fn overlap(a: i32, a_length: i32, b: i32, b_length: i32) -> i32 {
    (a + a_length).min(b + b_length) - a.max(b)
}
