//! Refinement: the steps of an abstract path, from the cells that each cluster has stored.

use throng_grid::OFFSETS;
use throng_model::Cell;

use crate::border::BorderCell;
use crate::cluster_distances::{self, Distances, STEP_OFFSETS};
use crate::hierarchy::GridHierarchy;
use crate::layout::{ClusteredGround, SIDE, UNREACHED};
use crate::padded_cluster::{self, CELLS, PaddedCluster, STRIDE};
use crate::transitions::Transition;

/// The direction in which a unit will take a path that is traced from a cell to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Travel {
    FromNode,
    ToNode,
}

/// Traces the cheapest path from a cell to an abstract node of its cluster. Its cost; `None`
/// if there is no path inside the cluster.
pub(crate) fn trace(
    hierarchy: &GridHierarchy,
    ground: &ClusteredGround<'_>,
    from: Cell,
    node: BorderCell,
    travel: Travel,
    mut visit: impl FnMut(Cell),
) -> Option<u32> {
    let cluster = &hierarchy.clusters[node.cluster() as usize];
    let number = cluster.node(node.slot())?;
    let end = node.cell(&hierarchy.layout);
    let end = (i32::from(end.x), i32::from(end.y));
    let (mut x, mut y) = (i32::from(from.x), i32::from(from.y));
    let mut cost = 0;
    while (x, y) != end {
        visit(Cell::new(x as u16, y as u16));
        let local = (y as u32 % SIDE * SIDE + x as u32 % SIDE) as usize;
        let direction = cluster.step_back(local, number)?;
        let before = (x, y);
        (x, y) = (x + OFFSETS[direction].0, y + OFFSETS[direction].1);
        let entered = match travel {
            Travel::FromNode => ground.factor(before.0, before.1),
            Travel::ToNode => ground.factor(x, y),
        };
        cost += ground.rules().step_cost(direction) * u32::from(entered);
    }
    visit(Cell::new(x as u16, y as u16));
    Some(cost)
}

/// Appends the steps from a start across its first transition; false if there are none.
pub(crate) fn refine_first(
    hierarchy: &GridHierarchy,
    ground: &ClusteredGround<'_>,
    start: Cell,
    transition: &Transition,
    steps: &mut Vec<Cell>,
) -> bool {
    // The start is among the steps already.
    steps.pop();
    let found = trace(hierarchy, ground, start, transition.from, Travel::ToNode, |cell| {
        steps.push(cell);
    });
    steps.push(transition.cell);
    found.is_some()
}

/// Appends the steps from one border cell of a cluster across a transition out of it; false
/// if there are none.
pub(crate) fn refine_between(
    hierarchy: &GridHierarchy,
    ground: &ClusteredGround<'_>,
    entered: BorderCell,
    transition: &Transition,
    steps: &mut Vec<Cell>,
) -> bool {
    let exit = transition.from.cell(&hierarchy.layout);
    let found = refine_last(hierarchy, ground, entered, exit, steps);
    steps.push(transition.cell);
    found
}

/// Appends the steps from a border cell to a cell of the same cluster; false if there are
/// none.
pub(crate) fn refine_last(
    hierarchy: &GridHierarchy,
    ground: &ClusteredGround<'_>,
    entered: BorderCell,
    goal: Cell,
    steps: &mut Vec<Cell>,
) -> bool {
    // The border cell is among the steps already.
    steps.pop();
    let begin = steps.len();
    let found = trace(hierarchy, ground, goal, entered, Travel::FromNode, |cell| steps.push(cell));
    steps[begin..].reverse();
    found.is_some()
}

/// A search between two cells of one cluster, without abstract nodes.
#[derive(Clone, Debug)]
pub(crate) struct LocalSearch {
    distances: Box<Distances<u32, 1>>,
}

impl Default for LocalSearch {
    fn default() -> Self {
        Self { distances: Box::new([[0]; CELLS]) }
    }
}

impl LocalSearch {
    /// Finds the cheapest path between two cells that stays in their cluster. Its cost;
    /// appends the steps.
    pub(crate) fn find(
        &mut self,
        ground: &ClusteredGround<'_>,
        from: Cell,
        to: Cell,
        steps: &mut Vec<Cell>,
    ) -> Option<u32> {
        let number = ground.layout.cluster_of(from);
        let index =
            |cell: Cell| padded_cluster::index(u32::from(cell.x) % SIDE, u32::from(cell.y) % SIDE);
        let cluster = PaddedCluster::new(ground, number);
        let rules = ground.rules();
        cluster_distances::fill::<u32, 1>(&cluster, rules, &[index(from)], &mut self.distances);
        let cost = self.distances[index(to)][0].min(UNREACHED);
        if cost == UNREACHED {
            return None;
        }
        let (begin, mut at) = (steps.len(), index(to));
        let (left, top) = ground.layout.origin(number);
        while at != index(from) {
            let (x, y) = ((at % STRIDE - 1) as u32, (at / STRIDE - 1) as u32);
            steps.push(Cell::new((left + x) as u16, (top + y) as u16));
            let [step] = cluster_distances::steps_back(&cluster, rules, &self.distances, at);
            at = at.wrapping_add_signed(*STEP_OFFSETS.get(usize::from(step))?);
        }
        steps[begin..].reverse();
        Some(cost)
    }
}
