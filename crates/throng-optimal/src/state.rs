//! The state that is being expanded, unpacked; and what it is estimated to cost.

use throng_model::Conflicts;

use crate::clash::Move;
use crate::cover::{Cover, Edge};
use crate::nodes::{NONE, NodeId, Nodes};
use crate::search::Task;
use crate::track::{PositionId, Track};

/// The state that is being expanded. Scratch memory of a search.
pub(crate) struct State {
    /// Positions at the beginning of the tick.
    pub(crate) old: Vec<PositionId>,
    /// Positions now: those who have moved within the tick are on their way.
    pub(crate) now: Vec<PositionId>,
    /// Who has moved within the tick.
    pub(crate) moved: Vec<bool>,
    /// Sum of the distances from the positions now.
    pub(crate) distance: u32,
    /// What pairs cost each other at the beginning of the tick, and of which node that is.
    at_beginning: Vec<u8>,
    beginning: NodeId,
    /// What pairs still cost each other.
    excess: Vec<u8>,
    cover: Cover,
}

impl State {
    pub(crate) fn new(units: usize) -> Self {
        Self {
            old: vec![0; units],
            now: vec![0; units],
            moved: vec![false; units],
            distance: 0,
            at_beginning: Vec::new(),
            beginning: NONE,
            excess: Vec::new(),
            cover: Cover::default(),
        }
    }

    /// Unpacks a node.
    pub(crate) fn load(&mut self, nodes: &Nodes, id: NodeId, task: &mut Task<'_, '_>) -> NodeId {
        let node = nodes.get(id);
        let base = if node.is_standard() { id } else { node.base };
        self.now.copy_from_slice(nodes.positions(id));
        self.old.copy_from_slice(nodes.positions(base));
        for (unit, moved) in self.moved.iter_mut().enumerate() {
            *moved = base != id && nodes.has_moved(id, unit);
        }
        let positions = task.tracks.iter().zip(&self.now);
        self.distance = positions.map(|(track, &at)| track.distance(at)).sum();
        base
    }

    /// A unit's move within the tick.
    #[inline]
    pub(crate) fn step(&self, tracks: &[Track<'_>], unit: usize) -> Move {
        let track = &tracks[unit];
        Move { from: track.place(self.old[unit]), to: track.place(self.now[unit]) }
    }

    /// Whether a move is in the way of a unit that has moved already.
    #[inline]
    pub(crate) fn forbids(&self, tracks: &[Track<'_>], step: Move, counted: Conflicts) -> bool {
        let clashes = |unit| self.moved[unit] && step.clashes(self.step(tracks, unit), counted);
        (0..self.now.len()).any(clashes)
    }

    /// What is left to pay from the positions now, at the end of a tick.
    pub(crate) fn estimate_all(&mut self, task: &mut Task<'_, '_>, counted: Conflicts) -> u32 {
        let positions = task.tracks.iter().zip(&self.now);
        let distance =
            positions.fold(0, |sum: u32, (track, &at)| sum.saturating_add(track.distance(at)));
        let Some(pairs) = &mut task.pairs else { return distance };
        self.cover.begin(self.now.len());
        for b in 1..self.now.len() {
            for a in 0..b {
                let at = [self.now[a], self.now[b]];
                let excess = pairs.excess(task.tracks, [a, b], at, counted);
                if excess > 0 {
                    let units = [a as u16, b as u16];
                    self.cover.push(Edge { units, excess: u32::from(excess) });
                }
            }
        }
        distance.saturating_add(self.cover.least())
    }

    /// Finds out what pairs still cost each other in a state within a tick, before a unit's
    /// children are estimated.
    ///
    /// For two units that have moved, it is what they cost each other where they are. For
    /// others, what it was at the beginning of the tick, less the excess of a move made.
    pub(crate) fn weigh_pairs(
        &mut self,
        base: NodeId,
        task: &mut Task<'_, '_>,
        counted: Conflicts,
    ) {
        let Some(pairs) = &mut task.pairs else { return };
        let units = self.now.len();
        if self.beginning != base {
            self.beginning = base;
            self.at_beginning.clear();
            for b in 1..units {
                for a in 0..b {
                    let at = [self.old[a], self.old[b]];
                    self.at_beginning.push(pairs.excess(task.tracks, [a, b], at, counted));
                }
            }
        }
        self.excess.clone_from(&self.at_beginning);
        for b in 1..units {
            for a in 0..b {
                if self.moved[a] || self.moved[b] {
                    let left = match self.moved[a] && self.moved[b] {
                        true => {
                            pairs.excess(task.tracks, [a, b], [self.now[a], self.now[b]], counted)
                        }
                        false => self.left_over(task.tracks, [a, b]),
                    };
                    self.excess[pair(a, b)] = left;
                }
            }
        }
    }

    /// What a pair of which one has moved still has to pay.
    fn left_over(&self, tracks: &[Track<'_>], [a, b]: [usize; 2]) -> u8 {
        let mover = if self.moved[a] { a } else { b };
        let paid = tracks[mover].excess(self.old[mover], self.now[mover]);
        self.at_beginning[pair(a, b)].saturating_sub(paid as u8)
    }

    /// What pairs cost after a unit's move, given by `now`, that has this excess itself.
    pub(crate) fn estimate_pairs(
        &mut self,
        mover: usize,
        excess: u32,
        task: &mut Task<'_, '_>,
        counted: Conflicts,
    ) -> u32 {
        let Some(pairs) = &mut task.pairs else { return 0 };
        self.cover.begin(self.now.len());
        for b in 1..self.now.len() {
            for a in 0..b {
                let other = if a == mover { b } else { a };
                let left = match a == mover || b == mover {
                    true if self.moved[other] => {
                        pairs.excess(task.tracks, [a, b], [self.now[a], self.now[b]], counted)
                    }
                    true => self.excess[pair(a, b)].saturating_sub(excess as u8),
                    false => self.excess[pair(a, b)],
                };
                if left > 0 {
                    let units = [a as u16, b as u16];
                    self.cover.push(Edge { units, excess: u32::from(left) });
                }
            }
        }
        self.cover.least()
    }
}

/// The pair's place in a triangle.
fn pair(a: usize, b: usize) -> usize {
    b * (b - 1) / 2 + a
}
