//! The joint state being expanded, unpacked, and its heuristic.

use crate::nodes::{NONE, NodeId, Nodes};
use crate::position_table::{PositionId, PositionTable};
use crate::rules::{Rules, Step};
use crate::search::SearchProblem;
use crate::vertex_cover::{Edge, VertexCover};

/// The joint state being expanded. A search has one and reuses it.
pub(crate) struct JointState<R: Rules> {
    /// Positions at the start of the tick (pre-move).
    pub(crate) pre_move: Vec<PositionId>,
    /// Positions after the moves made so far within the tick (post-move). Units that have not
    /// moved yet keep their pre-move position.
    pub(crate) post_move: Vec<PositionId>,
    /// Whether each unit has moved within the tick.
    pub(crate) moved: Vec<bool>,
    /// The steps of the units that have moved within the tick.
    pub(crate) steps: Vec<Step<R::Place>>,
    /// Sum of the true distances from the post-move positions.
    pub(crate) distance: u32,
    /// The pairs' excesses at the start of the tick, and the standard node they belong to.
    excess_before: Vec<u8>,
    excess_before_of: NodeId,
    /// The pairs' excesses after the moves made so far.
    excess: Vec<u8>,
    cover: VertexCover,
}

impl<R: Rules> JointState<R> {
    pub(crate) fn new(units: usize) -> Self {
        Self {
            pre_move: vec![0; units],
            post_move: vec![0; units],
            moved: vec![false; units],
            steps: Vec::with_capacity(units),
            distance: 0,
            excess_before: Vec::new(),
            excess_before_of: NONE,
            excess: Vec::new(),
            cover: VertexCover::default(),
        }
    }

    /// Unpacks a node and returns the standard node at the start of its tick.
    pub(crate) fn load(
        &mut self,
        nodes: &Nodes,
        id: NodeId,
        problem: &mut SearchProblem<'_, '_, R>,
    ) -> NodeId {
        let node = nodes.get(id);
        let base = if node.is_standard() { id } else { node.base };
        self.post_move.copy_from_slice(nodes.positions(id));
        self.pre_move.copy_from_slice(nodes.positions(base));
        self.steps.clear();
        for (unit, moved) in self.moved.iter_mut().enumerate() {
            *moved = base != id && nodes.has_moved(id, unit);
            if *moved {
                let table = &problem.tables[unit];
                self.steps.push(table.step(self.pre_move[unit], self.post_move[unit]));
            }
        }
        let positions = problem.tables.iter().zip(&self.post_move);
        self.distance = positions.map(|(table, &at)| table.distance(at)).sum();
        base
    }

    /// Whether a step conflicts with that of a unit that has moved already.
    #[inline]
    pub(crate) fn forbids(&self, step: Step<R::Place>, rules: R) -> bool {
        self.steps.iter().any(|&made| rules.conflict(step, made))
    }

    /// The heuristic of a standard node: true distances, and the excess of pairs.
    pub(crate) fn heuristic(&mut self, problem: &mut SearchProblem<'_, '_, R>, rules: R) -> u32 {
        let positions = problem.tables.iter().zip(&self.post_move);
        let distance =
            positions.fold(0, |sum: u32, (table, &at)| sum.saturating_add(table.distance(at)));
        let Some(pairs) = &mut problem.pairs else { return distance };
        self.cover.begin(self.post_move.len());
        for b in 1..self.post_move.len() {
            for a in 0..b {
                let at = [self.post_move[a], self.post_move[b]];
                let excess = pairs.excess(problem.tables, [a, b], at, rules);
                if excess > 0 {
                    let units = [a as u16, b as u16];
                    self.cover.push(Edge { units, excess: u32::from(excess) });
                }
            }
        }
        distance.saturating_add(self.cover.least())
    }

    /// Computes the excess of every pair in an intermediate state.
    ///
    /// Two units that have both moved have the excess of their post-move positions. Any other
    /// pair has its excess at the start of the tick, less the excess of a move made since.
    pub(crate) fn update_pair_excess(
        &mut self,
        base: NodeId,
        problem: &mut SearchProblem<'_, '_, R>,
        rules: R,
    ) {
        let Some(pairs) = &mut problem.pairs else { return };
        let units = self.post_move.len();
        if self.excess_before_of != base {
            self.excess_before_of = base;
            self.excess_before.clear();
            for b in 1..units {
                for a in 0..b {
                    let at = [self.pre_move[a], self.pre_move[b]];
                    self.excess_before.push(pairs.excess(problem.tables, [a, b], at, rules));
                }
            }
        }
        self.excess.clone_from(&self.excess_before);
        for b in 1..units {
            for a in 0..b {
                if self.moved[a] || self.moved[b] {
                    let remaining = match self.moved[a] && self.moved[b] {
                        true => pairs.excess(
                            problem.tables,
                            [a, b],
                            [self.post_move[a], self.post_move[b]],
                            rules,
                        ),
                        false => self.remaining_excess(problem.tables, [a, b]),
                    };
                    self.excess[pair(a, b)] = remaining;
                }
            }
        }
    }

    /// The excess that remains for a pair of which one unit has moved.
    fn remaining_excess(&self, tables: &[PositionTable<'_, R>], [a, b]: [usize; 2]) -> u8 {
        let next_unit = if self.moved[a] { a } else { b };
        let made = tables[next_unit].excess(self.pre_move[next_unit], self.post_move[next_unit]);
        self.excess_before[pair(a, b)].saturating_sub(u8::try_from(made).unwrap_or(u8::MAX))
    }

    /// The heuristic's part for pairs after a unit's move to `post_move`, which has this excess.
    pub(crate) fn pair_heuristic(
        &mut self,
        next_unit: usize,
        excess: u8,
        problem: &mut SearchProblem<'_, '_, R>,
        rules: R,
    ) -> u32 {
        let Some(pairs) = &mut problem.pairs else { return 0 };
        self.cover.begin(self.post_move.len());
        for b in 1..self.post_move.len() {
            for a in 0..b {
                let other = if a == next_unit { b } else { a };
                let remaining = match a == next_unit || b == next_unit {
                    true if self.moved[other] => pairs.excess(
                        problem.tables,
                        [a, b],
                        [self.post_move[a], self.post_move[b]],
                        rules,
                    ),
                    true => self.excess[pair(a, b)].saturating_sub(excess),
                    false => self.excess[pair(a, b)],
                };
                if remaining > 0 {
                    let units = [a as u16, b as u16];
                    self.cover.push(Edge { units, excess: u32::from(remaining) });
                }
            }
        }
        self.cover.least()
    }
}

/// The pair's index in the triangle of pairs a < b.
fn pair(a: usize, b: usize) -> usize {
    b * (b - 1) / 2 + a
}
