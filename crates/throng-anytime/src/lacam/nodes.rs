//! The configurations that were visited, in flat arrays, found again by a Zobrist hash.

use throng_grid::kit::{IndexTable, mix};

use crate::Vertex;

/// No configuration.
pub(super) const NO_NODE: u32 = u32::MAX;

/// All configurations visited. Each is a node of the search.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    units: usize,
    /// `units` entries per node.
    positions: Vec<Vertex>,
    /// Ticks since each unit was last on its goal; `units` entries per node.
    waited: Vec<u32>,
    parents: Vec<u32>,
    depths: Vec<u32>,
    /// The epoch of priorities in which each node was generated.
    epochs: Vec<u32>,
    /// The last epoch in which each node was expanded without constraints.
    tried: Vec<u32>,
    hashes: Vec<u64>,
    /// Units that are not on their goals.
    away: Vec<u32>,
    /// The node of each key, by the key's number. A key is a hash, or what a clash of hashes
    /// made of it.
    by_key: IndexTable<u64>,
}

/// One unit's share of a configuration's hash.
#[inline]
pub(super) fn zobrist(unit: usize, at: Vertex) -> u64 {
    mix((unit as u64) << 32 ^ u64::from(at.0))
}

/// A configuration to be looked up.
pub(super) struct Candidate<'a> {
    pub(super) positions: &'a [Vertex],
    pub(super) hash: u64,
    pub(super) parent: u32,
    pub(super) away: u32,
    pub(super) epoch: u32,
}

impl Nodes {
    pub(super) fn new(units: usize) -> Self {
        Self {
            units,
            positions: Vec::new(),
            waited: Vec::new(),
            parents: Vec::new(),
            depths: Vec::new(),
            epochs: Vec::new(),
            tried: Vec::new(),
            hashes: Vec::new(),
            away: Vec::new(),
            by_key: IndexTable::default(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    /// Bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        self.len() * (self.units * 8 + 32) + self.by_key.bytes()
    }

    /// The node of a configuration, and whether it is new.
    pub(super) fn insert(&mut self, candidate: &Candidate<'_>, goals: &[Vertex]) -> (u32, bool) {
        let mut key = candidate.hash;
        loop {
            let node = self.by_key.insert(key);
            if node as usize == self.len() {
                self.push(candidate, goals);
                return (node, true);
            }
            if self.positions(node) == candidate.positions {
                return (node, false);
            }
            key = mix(key);
        }
    }

    fn push(&mut self, candidate: &Candidate<'_>, goals: &[Vertex]) {
        let &Candidate { positions, hash, parent, away, epoch } = candidate;
        self.positions.extend_from_slice(positions);
        let before = (parent as usize).wrapping_mul(self.units);
        for (unit, (at, goal)) in positions.iter().zip(goals).enumerate() {
            let waited = match parent {
                _ if at == goal => 0,
                NO_NODE => 1,
                _ => self.waited[before + unit] + 1,
            };
            self.waited.push(waited);
        }
        let depth = if parent == NO_NODE { 0 } else { self.depths[parent as usize] + 1 };
        self.parents.push(parent);
        self.depths.push(depth);
        self.epochs.push(epoch);
        self.tried.push(u32::MAX);
        self.hashes.push(hash);
        self.away.push(away);
    }

    pub(super) fn positions(&self, node: u32) -> &[Vertex] {
        let first = node as usize * self.units;
        &self.positions[first..first + self.units]
    }

    pub(super) fn waited(&self, node: u32) -> &[u32] {
        let first = node as usize * self.units;
        &self.waited[first..first + self.units]
    }

    pub(super) fn hash(&self, node: u32) -> u64 {
        self.hashes[node as usize]
    }

    /// Steps from the start.
    pub(super) fn depth(&self, node: u32) -> u32 {
        self.depths[node as usize]
    }

    pub(super) fn epoch(&self, node: u32) -> u32 {
        self.epochs[node as usize]
    }

    /// Marks a node as expanded without constraints in this epoch; whether it was not.
    pub(super) fn try_once(&mut self, node: u32, epoch: u32) -> bool {
        std::mem::replace(&mut self.tried[node as usize], epoch) != epoch
    }

    /// Units that are not on their goals.
    pub(super) fn away(&self, node: u32) -> u32 {
        self.away[node as usize]
    }

    /// The nodes from the start to this one.
    pub(super) fn path(&self, node: u32) -> Vec<u32> {
        let mut path = vec![node];
        let mut at = self.parents[node as usize];
        while at != NO_NODE {
            path.push(at);
            at = self.parents[at as usize];
        }
        path.reverse();
        path
    }
}
