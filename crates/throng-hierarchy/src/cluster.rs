//! One cluster: its transitions, its abstract nodes, and the intra-edges between them.

use throng_model::Cell;

use crate::border::{BorderCell, SLOTS};
use crate::cluster_distances::{self, Distance, Distances, NO_STEP};
use crate::layout::{AREA, ClusteredGround, SIDE, UNREACHED};
use crate::padded_cluster::{self, CELLS, PaddedCluster};
use crate::transitions::{Side, Transition, find_transitions};

/// A slot of the border that is no abstract node.
const NO_NODE: u8 = u8::MAX;
/// An upper bound of a cluster's transitions. Along a side, a straight step out and a diagonal
/// one between two walls never share a column, so that there is at most one per cell, and one
/// more at each corner.
pub(crate) const TRANSITIONS_MAX: u32 = 4 * SIDE + 4;

/// Where a transition ends: the part of it that a search reads most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TransitionEnd {
    pub(crate) to: BorderCell,
    pub(crate) cell: Cell,
    pub(crate) reverse: ReverseTransition,
}

/// The same transition in the other direction, as the next cluster knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReverseTransition {
    cost: u16,
    /// The side of the next cluster across which it leads.
    side: Side,
    /// How many transitions across that side come before it: as many as before this one.
    rank: u8,
}

impl ReverseTransition {
    #[inline]
    pub(crate) fn cost(self) -> u32 {
        u32::from(self.cost)
    }
}

/// A cluster of the abstract graph.
///
/// Its abstract nodes are the border cells at which transitions begin, in the order of slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cluster {
    pub(crate) transitions: Vec<Transition>,
    /// Where they end. A compact copy: an expansion mostly waits for memory.
    pub(crate) ends: Vec<TransitionEnd>,
    /// From each node (a row) to the end of each transition: intra-edge plus inter-edge.
    costs_out: Vec<u32>,
    /// The first transition across each side.
    first_of_side: [u8; Side::COUNT],
    /// For each slot of the border, the node there.
    node_of_slot: [u8; SLOTS as usize],
    /// The slot of each node.
    slots: Vec<u8>,
    /// Intra-edges: the cost from each node (a row) to each node.
    distances: Vec<u32>,
    /// For each node, the direction back to it from each cell, row by row.
    steps_back: Vec<[u8; AREA]>,
    /// The content hash of the cells it was derived from.
    pub(crate) content_hash: u64,
}

impl Default for Cluster {
    fn default() -> Self {
        Self {
            transitions: Vec::new(),
            ends: Vec::new(),
            costs_out: Vec::new(),
            first_of_side: [0; Side::COUNT],
            node_of_slot: [NO_NODE; SLOTS as usize],
            slots: Vec::new(),
            distances: Vec::new(),
            steps_back: Vec::new(),
            content_hash: 0,
        }
    }
}

/// Buffers for building clusters, used again for one after the other.
#[derive(Clone, Debug)]
pub(crate) struct BuildBuffers {
    transitions: Vec<Transition>,
    eight: Box<Distances<u16, 8>>,
    sixteen: Box<Distances<u16, 16>>,
    /// For terrain so costly that distances need 32 bits.
    costly: Box<Distances<u32, 8>>,
}

impl Default for BuildBuffers {
    fn default() -> Self {
        Self {
            transitions: Vec::new(),
            eight: Box::new([[0; 8]; CELLS]),
            sixteen: Box::new([[0; 16]; CELLS]),
            costly: Box::new([[0; 8]; CELLS]),
        }
    }
}

impl Cluster {
    /// Derives the cluster from the ground. `inside_changed` is false if only cells around
    /// the cluster have changed since it was last derived.
    pub(crate) fn update(
        &mut self,
        ground: &ClusteredGround<'_>,
        cluster: u32,
        inside_changed: bool,
        buffers: &mut BuildBuffers,
    ) {
        if inside_changed {
            self.content_hash = ground.content_hash(cluster);
        }
        find_transitions(ground, cluster, &mut buffers.transitions);
        let nodes_changed = self.set_transitions(&buffers.transitions);
        if inside_changed || nodes_changed {
            self.find_intra_edges(&PaddedCluster::new(ground, cluster), ground, buffers);
        }
        self.find_costs_out();
    }

    /// Stores the transitions. Whether the abstract nodes have changed.
    fn set_transitions(&mut self, transitions: &[Transition]) -> bool {
        let mut is_node = 0_u64;
        transitions.iter().for_each(|transition| is_node |= 1 << transition.from.slot());
        let before = self.slots.iter().fold(0_u64, |all, &slot| all | 1 << slot);
        if before != is_node {
            self.node_of_slot = [NO_NODE; SLOTS as usize];
            self.slots.clear();
            for slot in (0..SLOTS as u8).filter(|slot| is_node >> slot & 1 != 0) {
                self.node_of_slot[usize::from(slot)] = self.slots.len() as u8;
                self.slots.push(slot);
            }
        }
        self.transitions.clear();
        self.transitions.extend_from_slice(transitions);
        self.find_ends();
        before != is_node
    }

    fn find_ends(&mut self) {
        self.ends.clear();
        self.first_of_side = [0; Side::COUNT];
        let mut counts = [0; Side::COUNT];
        for (index, transition) in self.transitions.iter().enumerate() {
            let rank = &mut counts[transition.side.index()];
            if *rank == 0 {
                self.first_of_side[transition.side.index()] = index as u8;
            }
            let (cost, side) = (transition.reverse_cost as u16, transition.side.opposite());
            let reverse = ReverseTransition { cost, side, rank: *rank };
            self.ends.push(TransitionEnd { to: transition.to, cell: transition.cell, reverse });
            *rank += 1;
        }
    }

    fn find_intra_edges(
        &mut self,
        padded: &PaddedCluster,
        ground: &ClusteredGround<'_>,
        buffers: &mut BuildBuffers,
    ) {
        let count = self.slots.len();
        self.distances.clear();
        self.distances.resize(count * count, UNREACHED);
        self.steps_back.clear();
        self.steps_back.resize(count, [NO_STEP; AREA]);
        let cells: Vec<usize> = self.slots.iter().map(|&slot| padded_index(slot)).collect();
        if padded.cost_bound >= u32::from(u16::MAX) {
            self.fill_rows(padded, ground, &cells, &mut buffers.costly);
        } else if count <= 8 {
            self.fill_rows(padded, ground, &cells, &mut buffers.eight);
        } else {
            self.fill_rows(padded, ground, &cells, &mut buffers.sixteen);
        }
    }

    /// Fills in distances and steps back, N nodes at a time.
    fn fill_rows<D: Distance, const N: usize>(
        &mut self,
        padded: &PaddedCluster,
        ground: &ClusteredGround<'_>,
        cells: &[usize],
        distances: &mut Distances<D, N>,
    ) {
        for (group, sources) in cells.chunks(N).enumerate() {
            cluster_distances::fill::<D, N>(padded, ground.rules(), sources, distances);
            let rows = self.distances.chunks_exact_mut(cells.len()).skip(group * N);
            for (source, row) in rows.take(sources.len()).enumerate() {
                for (distance, &cell) in row.iter_mut().zip(cells) {
                    *distance = distances[cell][source].cost();
                }
            }
            self.fill_steps_back(padded, ground, group * N, sources.len(), distances);
        }
    }

    fn fill_steps_back<D: Distance, const N: usize>(
        &mut self,
        padded: &PaddedCluster,
        ground: &ClusteredGround<'_>,
        first: usize,
        count: usize,
        distances: &Distances<D, N>,
    ) {
        let rows = &mut self.steps_back[first..first + count];
        for cell in 0..AREA {
            let at = padded_cluster::index(cell as u32 % SIDE, cell as u32 / SIDE);
            if padded.factors[at] != 0 {
                let found = cluster_distances::steps_back(padded, ground.rules(), distances, at);
                rows.iter_mut().zip(found).for_each(|(row, step)| row[cell] = step);
            }
        }
    }

    /// Adds the inter-edges to the intra-edges.
    fn find_costs_out(&mut self) {
        self.costs_out.clear();
        let nodes = &self.node_of_slot;
        for row in self.distances.chunks_exact(self.slots.len().max(1)) {
            self.costs_out.extend(self.transitions.iter().map(|transition| {
                let node = usize::from(nodes[transition.from.slot()]);
                row[node].saturating_add(transition.cost).min(UNREACHED)
            }));
        }
    }

    /// The direction from a cell of the cluster back to a node, on the cheapest path.
    #[inline]
    pub(crate) fn step_back(&self, cell: usize, node: u8) -> Option<usize> {
        let step = self.steps_back[usize::from(node)][cell];
        (step != NO_STEP).then_some(usize::from(step))
    }

    /// The abstract node at a slot of the border.
    pub(crate) fn node(&self, slot: usize) -> Option<u8> {
        Some(self.node_of_slot[slot]).filter(|&node| node != NO_NODE)
    }

    /// The index of a transition that another cluster knows by its reverse.
    #[inline]
    pub(crate) fn reverse_index(&self, reverse: ReverseTransition) -> usize {
        usize::from(self.first_of_side[reverse.side.index()] + reverse.rank)
    }

    /// The slots of the border that are abstract nodes.
    pub(crate) fn node_slots(&self) -> &[u8] {
        &self.slots
    }

    /// The cost from the node at a slot to the end of each transition.
    #[inline]
    pub(crate) fn costs_out(&self, slot: usize) -> &[u32] {
        let count = self.ends.len();
        let node = usize::from(self.node_of_slot[slot]);
        self.costs_out.get(node * count..(node + 1) * count).unwrap_or_default()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.transitions.capacity() * size_of::<Transition>()
            + self.distances.capacity() * size_of::<u32>()
            + self.costs_out.capacity() * size_of::<u32>()
            + self.ends.capacity() * size_of::<TransitionEnd>()
            + self.slots.capacity()
            + self.steps_back.capacity() * AREA
            + size_of::<Self>()
    }
}

/// The cell of a slot in a padded cluster.
fn padded_index(slot: u8) -> usize {
    let (x, y) = BorderCell::new(0, slot).local();
    padded_cluster::index(x, y)
}

#[cfg(test)]
mod tests {
    use throng_grid::Ground;
    use throng_model::{CornerRule, MovementProfile};

    use crate::GridHierarchy;

    fn check_reverses(movement: &MovementProfile, seed: u64) -> usize {
        let map = throng_testkit::random_terrain(seed, 70, 50, 35, 9);
        let hierarchy = GridHierarchy::new(&Ground::new(&map, movement.clone()).unwrap());
        let mut checked = 0;
        for cluster in &hierarchy.clusters {
            for (transition, end) in cluster.transitions.iter().zip(&cluster.ends) {
                let next = &hierarchy.clusters[end.to.cluster() as usize];
                let reverse = next.transitions[next.reverse_index(end.reverse)];
                let expected = (transition.to, transition.from);
                assert_eq!((reverse.from, reverse.to), expected, "{transition:?}");
                assert_eq!(reverse.cost, end.reverse.cost(), "{transition:?}");
                checked += 1;
            }
        }
        checked
    }

    /// Across sides and corners, straight and diagonally.
    #[test]
    fn every_transition_has_its_reverse() {
        let corners = CornerRule::AlwaysCut;
        for movement in [
            MovementProfile::four_connected(),
            MovementProfile::eight_connected(),
            MovementProfile { corners, ..MovementProfile::eight_connected() },
            MovementProfile { corners, footprint: 2, ..MovementProfile::eight_connected() },
        ] {
            let checked: usize = (0..20).map(|seed| check_reverses(&movement, seed)).sum();
            assert!(checked > 1000, "{movement:?}: {checked}");
        }
    }
}
