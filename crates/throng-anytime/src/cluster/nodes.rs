//! The configurations that a search has found, and the two open lists.

use throng_grid::kit::LevelQueue;

use super::board::Board;

/// A search keeps at most this many configurations.
pub(super) const NODES_MAX: usize = 1 << 20;

/// No node.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The node before; the root is its own parent.
    pub(super) parent: u32,
    /// The unit that moved.
    pub(super) mover: u16,
    /// For how many units the search has tried to make room.
    pub(super) tried: u16,
    pub(super) estimate: u32,
}

/// The configurations found, and which are open.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    units: usize,
    /// The places of all units, node by node.
    places: Vec<u16>,
    nodes: Vec<Node>,
    hashes: Vec<u64>,
    /// Node numbers by hash, with linear probing.
    table: Vec<u32>,
    /// Nodes for which room can still be made.
    pub(super) rooms: LevelQueue,
    /// Nodes whose single moves were not generated yet.
    pub(super) steps: LevelQueue,
}

impl Nodes {
    pub(super) fn clear(&mut self, units: usize) {
        self.units = units;
        self.places.clear();
        self.nodes.clear();
        self.hashes.clear();
        self.table.clear();
        self.table.resize(1024, NONE);
        self.rooms.clear();
        self.steps.clear();
    }

    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() >= NODES_MAX
    }

    pub(super) fn node(&self, node: u32) -> Node {
        self.nodes[node as usize]
    }

    pub(super) fn node_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    pub(super) fn places(&self, node: u32) -> &[u16] {
        &self.places[node as usize * self.units..][..self.units]
    }

    /// The node of a configuration.
    pub(super) fn find(&self, board: &Board) -> Option<u32> {
        let node = self.table[self.probe(board.hash(), &board.places().iter().copied())];
        (node != NONE).then_some(node)
    }

    /// Whether the configuration after one more step of a unit is known.
    pub(super) fn is_known(&self, board: &Board, unit: usize, to: u32) -> bool {
        let places = board.places().iter().enumerate();
        let places = places.map(|(other, &at)| if other == unit { to } else { at });
        self.table[self.probe(board.hash_after(unit, to), &places)] != NONE
    }

    /// Where the table has the configuration, or would have it.
    fn probe(&self, hash: u64, places: &(impl Iterator<Item = u32> + Clone)) -> usize {
        let mut slot = self.slot(hash);
        loop {
            let node = self.table[slot];
            if node == NONE {
                return slot;
            }
            let same = || self.places(node).iter().map(|&at| u32::from(at)).eq(places.clone());
            if self.hashes[node as usize] == hash && same() {
                return slot;
            }
            slot = (slot + 1) & (self.table.len() - 1);
        }
    }

    /// Adds the configuration on the board, which is not known yet.
    pub(super) fn insert(&mut self, board: &Board, parent: u32, mover: usize) -> u32 {
        let slot = self.probe(board.hash(), &board.places().iter().copied());
        let node = self.nodes.len() as u32;
        self.table[slot] = node;
        self.places.extend(board.places().iter().map(|&at| at as u16));
        self.hashes.push(board.hash());
        self.nodes.push(Node { parent, mover: mover as u16, tried: 0, estimate: 0 });
        if self.nodes.len() * 2 > self.table.len() {
            self.grow();
        }
        node
    }

    fn slot(&self, hash: u64) -> usize {
        hash as usize & (self.table.len() - 1)
    }

    fn grow(&mut self) {
        let size = self.table.len() * 4;
        self.table.clear();
        self.table.resize(size, NONE);
        for node in 0..self.nodes.len() {
            let mut slot = self.slot(self.hashes[node]);
            while self.table[slot] != NONE {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = node as u32;
        }
    }

    /// The relocations that lead from the root to a node, or back from it to the root: which
    /// unit goes where.
    pub(super) fn relocations(&self, node: u32, is_backward: bool) -> Vec<(usize, u32)> {
        let mut found = Vec::new();
        let mut at = node;
        while self.node(at).parent != at {
            let Node { parent, mover, .. } = self.node(at);
            let end = if is_backward { parent } else { at };
            found.push((usize::from(mover), u32::from(self.places(end)[usize::from(mover)])));
            at = parent;
        }
        if !is_backward {
            found.reverse();
        }
        found
    }
}
