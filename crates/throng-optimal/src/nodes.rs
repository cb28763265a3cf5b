//! The nodes of a search in flat arrays: two bytes per unit and a fixed part; and the index
//! of states.

use crate::position_table::PositionId;

/// A node's index.
pub(crate) type NodeId = u32;

/// The index of no node.
pub(crate) const NONE: u32 = u32::MAX;
/// The index of no unit.
pub(crate) const NO_UNIT: u16 = u16::MAX;

/// The fixed part of a node. A standard node has all units at the start of a tick; an
/// intermediate node has moved some of them within the tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The node that generated it.
    pub(crate) parent: NodeId,
    /// For an intermediate node, the standard node at the start of its tick; else `NONE`.
    pub(crate) base: NodeId,
    /// The cost so far.
    pub(crate) g: u32,
    /// The heuristic.
    pub(crate) h: u32,
    /// The least f of a child not generated yet. Partial expansion raises it.
    pub(crate) value: u32,
    /// Ticks so far.
    pub(crate) time: u32,
    /// The unit whose moves its children are; chosen when the node is first expanded.
    pub(crate) next_unit: u16,
    /// Conflicts on the way here with the paths of other groups.
    pub(crate) violations: u16,
    /// Where partial expansion goes on: the next move, or the next excess.
    pub(crate) next_move: u16,
    /// How often it was expanded.
    pub(crate) expansions: u8,
}

impl Node {
    pub(crate) fn is_standard(&self) -> bool {
        self.base == NONE
    }
}

/// The nodes of one search.
pub(crate) struct Nodes {
    units: usize,
    /// Words per node: the units' positions, then a bit per unit that has moved.
    stride: usize,
    words: Vec<u16>,
    nodes: Vec<Node>,
}

impl Nodes {
    pub(crate) fn new(units: usize, decomposed: bool) -> Self {
        let flags = if decomposed { units.div_ceil(16) } else { 0 };
        Self { units, stride: units + flags, words: Vec::new(), nodes: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub(crate) fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    #[inline]
    pub(crate) fn positions(&self, id: NodeId) -> &[PositionId] {
        let first = id as usize * self.stride;
        &self.words[first..first + self.units]
    }

    #[inline]
    pub(crate) fn has_moved(&self, id: NodeId, unit: usize) -> bool {
        let first = id as usize * self.stride + self.units;
        self.words[first + unit / 16] >> (unit % 16) & 1 == 1
    }

    /// Stores a node. `moved` tells which units have moved; it is empty for standard nodes.
    pub(crate) fn push(&mut self, node: Node, positions: &[PositionId], moved: &[bool]) -> NodeId {
        self.words.extend_from_slice(positions);
        let flags = self.words.len();
        self.words.resize(flags + self.stride - self.units, 0);
        for (unit, _) in moved.iter().enumerate().filter(|&(_, &moved)| moved) {
            self.words[flags + unit / 16] |= 1 << (unit % 16);
        }
        self.nodes.push(node);
        (self.nodes.len() - 1) as NodeId
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.len() * (size_of::<Node>() + self.stride * size_of::<u16>())
    }
}

/// The best standard node of each state: a hash index with open addressing.
///
/// A slot holds the upper half of its state's hash beside the node, so that most
/// comparisons need not load the node.
pub(crate) struct StateIndex {
    slots: Vec<(u32, NodeId)>,
    count: usize,
    /// Up to this tick states also differ by time: other units still move.
    horizon: u32,
}

impl StateIndex {
    pub(crate) fn new(horizon: u32) -> Self {
        Self { slots: vec![(0, NONE); 64], count: 0, horizon }
    }

    /// The slot of a state, and the node in it or `NONE`.
    pub(crate) fn find(
        &self,
        nodes: &Nodes,
        positions: &[PositionId],
        time: u32,
    ) -> (usize, NodeId) {
        let time = time.min(self.horizon);
        let mask = self.slots.len() - 1;
        let hash = hash(positions, time);
        let mut slot = hash as usize & mask;
        loop {
            let (upper, id) = self.slots[slot];
            if id == NONE {
                return (slot, NONE);
            }
            if upper == (hash >> 32) as u32
                && nodes.positions(id) == positions
                && (self.horizon == 0 || nodes.get(id).time.min(self.horizon) == time)
            {
                return (slot, id);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Makes a node the best of its state.
    pub(crate) fn set(&mut self, slot: usize, id: NodeId, nodes: &Nodes) {
        let is_new = self.slots[slot].1 == NONE;
        self.slots[slot] = ((self.hash_of(nodes, id) >> 32) as u32, id);
        self.count += usize::from(is_new);
        if self.count * 2 > self.slots.len() {
            self.grow(nodes);
        }
    }

    fn hash_of(&self, nodes: &Nodes, id: NodeId) -> u64 {
        hash(nodes.positions(id), nodes.get(id).time.min(self.horizon))
    }

    fn grow(&mut self, nodes: &Nodes) {
        let doubled = vec![(0, NONE); self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, doubled);
        let mask = self.slots.len() - 1;
        for (upper, id) in old.into_iter().filter(|&(_, id)| id != NONE) {
            let mut slot = self.hash_of(nodes, id) as usize & mask;
            while self.slots[slot].1 != NONE {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = (upper, id);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.slots.len() * size_of::<(u32, NodeId)>()
    }
}

fn hash(positions: &[PositionId], time: u32) -> u64 {
    let mut state = u64::from(time) ^ 0x9e37_79b9_7f4a_7c15;
    for &position in positions {
        state = (state.rotate_left(5) ^ u64::from(position)).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    state ^ state >> 29
}
