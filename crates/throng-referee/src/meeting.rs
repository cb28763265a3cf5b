//! Whether two bodies pass through each other between two ticks.
//!
//! Reference: T. Standley, "Finding Optimal Solutions to the Multi-Agent Pathfinding
//! Problem Using Heuristic Search", figures 2 (illegal) and 3 (legal).
//!
//! # The rule
//! Two squares of sides a and b move in straight lines during one tick. Halfway they may
//! overlap by half a cell on an axis, as two units do that follow each other round a bend.
//! They are in conflict when they overlap by *more* than half a cell on *both* axes.
//! With all coordinates doubled, a body that steps from p to q is halfway at the integer
//! p + q, its side is 2a, and "more than half a cell" is "more than 1".
//!
//! # What it comes to
//! Let the bodies be apart at both ticks; if not, the meeting is a conflict of cells
//! already. Write d for b's position less a's, on one axis. The bodies are apart on that
//! axis when d >= a or d <= -b, and d changes by at most 2 in a tick.
//!
//! *Bodies of one cell* (a = b = 1). Doubled, they overlap by 2 less the distance of their
//! midpoints: more than 1 on both axes means the same midpoint. Midpoints that agree lie on
//! an edge or in the corner point of a 2 x 2 square (or in a cell: then both stay there, and
//! are not apart). On an edge there are two steps, one against the other: a swap. Through a
//! corner point there are four; two of them against each other are a swap, one on each
//! diagonal are a crossing. Nothing else is a conflict: not a rotation, and not following.
//!
//! *Larger bodies* (a + b >= 3). They cannot change sides on an axis, for that needs a change
//! of d by a + b. If they are apart on one axis at both ticks, they stay apart on it. So they
//! are apart on one axis, say x, before the tick, and on the other after it. Halfway d has
//! changed by at most 1 on x since the first tick, and the overlap is at most 1 cell; it is
//! more than half a cell only if they touched and d changed by a full 2 in all. The same holds for y, backwards
//! from the second tick. Thus both bodies step diagonally, in opposite directions, and each
//! passes through the other's corner: this is all that [`ViolationKind::Swept`] means.

use throng_model::{Cell, Conflicts};

use crate::ViolationKind;

/// A body's step within one tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) from: Cell,
    pub(crate) to: Cell,
    /// Cells a side.
    pub(crate) side: i32,
}

/// The conflict of two steps in the same tick, of bodies that are apart before and after it.
pub(crate) fn conflict(a: Step, b: Step, counted: Conflicts) -> Option<ViolationKind> {
    let apart = are_apart(a.from, a.side, b.from, b.side) && are_apart(a.to, a.side, b.to, b.side);
    if !apart || !collide_halfway(a, b) {
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

fn collide_halfway(a: Step, b: Step) -> bool {
    let columns = overlap(halfway(a, |c| c.x), 2 * a.side, halfway(b, |c| c.x), 2 * b.side);
    let rows = overlap(halfway(a, |c| c.y), 2 * a.side, halfway(b, |c| c.y), 2 * b.side);
    columns > 1 && rows > 1
}

/// Doubled coordinate at the half tick.
fn halfway(step: Step, axis: impl Fn(Cell) -> u16) -> i32 {
    i32::from(axis(step.from)) + i32::from(axis(step.to))
}

fn are_apart(a: Cell, a_side: i32, b: Cell, b_side: i32) -> bool {
    overlap(i32::from(a.x), a_side, i32::from(b.x), b_side) <= 0
        || overlap(i32::from(a.y), a_side, i32::from(b.y), b_side) <= 0
}

/// How much of an axis two intervals share; negative when there is a gap.
fn overlap(a: i32, a_length: i32, b: i32, b_length: i32) -> i32 {
    (a + a_length).min(b + b_length) - a.max(b)
}
