//! From gates to steps: along the arrows of each cluster.

use throng_model::Cell;

use super::crossings::{Crossing, Gate};
use super::hierarchy::GridHierarchy;
use super::lanes::{self, ARROWS, FAR, Field};
use super::plane::{DIRECTIONS, Plane, SIDE, STRAIGHT};
use super::tile::{self, CELLS, STRIDE, Tile};

/// Which way a walk along arrows is meant to be gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sense {
    /// From the door to the cell where the walk begins.
    Inwards,
    /// From the cell to the door.
    Outwards,
}

/// Walks from a cell to a door of its cluster. What that way costs; `None` if there is none.
pub(crate) fn walk(
    hierarchy: &GridHierarchy,
    from: Cell,
    door: Gate,
    sense: Sense,
    mut visit: impl FnMut(Cell),
) -> Option<u32> {
    let plane = &hierarchy.plane;
    let cluster = &hierarchy.clusters[door.cluster() as usize];
    let row = cluster.row(door.place())?;
    let (left, top) = plane.origin(door.cluster());
    let (end_x, end_y) = door.within();
    let end = (i32::from((left + end_x) as u16), i32::from((top + end_y) as u16));
    let (mut x, mut y) = (i32::from(from.x), i32::from(from.y));
    let mut cost = 0;
    while (x, y) != end {
        visit(Cell::new(x as u16, y as u16));
        let local = (y as u32 % SIDE * SIDE + x as u32 % SIDE) as usize;
        let arrow = cluster.arrow(local, row)?;
        let base = if arrow < 4 { STRAIGHT } else { plane.rules.diagonal };
        let (before_x, before_y) = (x, y);
        (x, y) = (x + DIRECTIONS[arrow].0, y + DIRECTIONS[arrow].1);
        let entered = match sense {
            Sense::Inwards => plane.factor(before_x, before_y),
            Sense::Outwards => plane.factor(x, y),
        };
        cost += base * u32::from(entered);
    }
    visit(Cell::new(x as u16, y as u16));
    Some(cost)
}

/// Appends the steps from a start out of its cluster; false if there are none.
pub(crate) fn leave(
    hierarchy: &GridHierarchy,
    start: Cell,
    exit: &Crossing,
    steps: &mut Vec<Cell>,
) -> bool {
    // The start itself is there already.
    steps.pop();
    let found = walk(hierarchy, start, exit.from, Sense::Outwards, |cell| steps.push(cell));
    steps.push(exit.cell);
    found.is_some()
}

/// Appends the steps from a gate out of its cluster; false if there are none.
pub(crate) fn cross(
    hierarchy: &GridHierarchy,
    gate: Gate,
    exit: &Crossing,
    steps: &mut Vec<Cell>,
) -> bool {
    let (left, top) = hierarchy.plane.origin(gate.cluster());
    let (x, y) = exit.from.within();
    let door = Cell::new((left + x) as u16, (top + y) as u16);
    let found = enter(hierarchy, gate, door, steps);
    steps.push(exit.cell);
    found
}

/// Appends the steps from a gate to a cell of its cluster; false if there are none.
pub(crate) fn enter(
    hierarchy: &GridHierarchy,
    gate: Gate,
    goal: Cell,
    steps: &mut Vec<Cell>,
) -> bool {
    // The gate itself is there already.
    steps.pop();
    let begin = steps.len();
    let found = walk(hierarchy, goal, gate, Sense::Inwards, |cell| steps.push(cell));
    steps[begin..].reverse();
    found.is_some()
}

/// Searches inside of one cluster, without doors.
#[derive(Clone, Debug)]
pub(crate) struct Inner {
    field: Box<Field<u32, 1>>,
}

impl Default for Inner {
    fn default() -> Self {
        Self { field: Box::new([[0]; CELLS]) }
    }
}

impl Inner {
    /// What the way between two cells of one cluster costs, if it need not leave it. Appends
    /// the steps.
    pub(crate) fn find(
        &mut self,
        plane: &Plane,
        from: Cell,
        to: Cell,
        steps: &mut Vec<Cell>,
    ) -> Option<u32> {
        let cluster = plane.cluster_of(from);
        let place = |cell: Cell| tile::at(u32::from(cell.x) % SIDE, u32::from(cell.y) % SIDE);
        let tile = Tile::new(plane, cluster);
        lanes::fill::<u32, 1>(&tile, plane.rules, &[place(from)], &mut self.field);
        let cost = Some(self.field[place(to)][0]).filter(|&cost| cost != FAR)?;
        let (begin, mut at) = (steps.len(), place(to));
        let (left, top) = plane.origin(cluster);
        while at != place(from) {
            let (x, y) = ((at % STRIDE - 1) as u32, (at / STRIDE - 1) as u32);
            steps.push(Cell::new((left + x) as u16, (top + y) as u16));
            let [arrow] = lanes::arrows(&tile, plane.rules, &self.field, at);
            at = at.wrapping_add_signed(*ARROWS.get(usize::from(arrow))?);
        }
        steps[begin..].reverse();
        Some(cost)
    }
}
