//! Expansion of the standard algorithm: all units move at once.
//!
//! With partial expansion, each expansion of a node generates only the children of one
//! excess, from the least up: M. Goldenberg et al., "Enhanced Partial Expansion A*"
//! (JAIR 2014), with the moves' excesses as operator selection function.

use throng_model::Limit;

use crate::nodes::{NONE, Node, NodeId};
use crate::position_table::{ListedMove, MoveList};
use crate::rules::{Rules, Step};
use crate::search::Search;

/// One expansion of a node.
struct Expansion {
    id: NodeId,
    node: Node,
    moves: Vec<MoveList>,
    /// For each unit, the greatest excess that it and the units after it can have.
    excess_max: Vec<u32>,
}

impl<R: Rules> Search<'_, '_, '_, R> {
    /// Generates the children of a node; with partial expansion, those of the next excess.
    pub(crate) fn expand_jointly(&mut self, id: NodeId) -> Result<(), Limit> {
        self.state.load(&self.nodes, id, &mut self.problem);
        let node = *self.nodes.get(id);
        let mut moves = Vec::with_capacity(self.state.pre_move.len());
        for (table, &at) in self.problem.tables.iter_mut().zip(&self.state.pre_move) {
            moves.push(table.moves(at)?);
        }
        let mut excess_max = vec![0; moves.len() + 1];
        for (unit, &moves) in moves.iter().enumerate().rev() {
            let last = self.problem.tables[unit].listed(moves).last();
            let worst = last.map_or(0, |last| u32::from(last.excess));
            excess_max[unit] = excess_max[unit + 1] + worst;
        }
        let before = node.g + self.state.distance;
        let expansion = Expansion { id, node, moves, excess_max };
        if !self.options.partial_expansion {
            return self.move_from(&expansion, 0, None, node.g, node.violations);
        }
        let excess = u32::from(node.next_move);
        self.move_from(&expansion, 0, Some(excess), node.g, node.violations)?;
        if excess < expansion.excess_max[0] {
            let value = node.value.max(before + excess + 1);
            self.keep_open(id, excess as usize + 1, value);
            self.push_open(id, value, node.g);
        }
        Ok(())
    }

    /// Moves the units from `unit` on in every legal way; if an excess is given, with exactly
    /// that excess.
    fn move_from(
        &mut self,
        expansion: &Expansion,
        unit: usize,
        excess: Option<u32>,
        g: u32,
        violations: u16,
    ) -> Result<(), Limit> {
        let Some(&moves) = expansion.moves.get(unit) else {
            return self.add_child(expansion, g, violations);
        };
        let old = self.state.pre_move[unit];
        // The best last: among equal nodes the newest is expanded first.
        for index in (0..moves.len()).rev() {
            let table = &self.problem.tables[unit];
            let ListedMove { to, excess: own } = table.listed(moves)[index];
            let own = u32::from(own);
            let left = match excess {
                Some(excess) if own > excess => continue,
                Some(excess) if excess - own > expansion.excess_max[unit + 1] => continue,
                Some(excess) => Some(excess - own),
                None => None,
            };
            let step = table.step(old, to);
            let g = g + table.cost(old, to);
            if let Some(more) = self.violations_of(step, expansion.node.time + 1) {
                self.state.post_move[unit] = to;
                self.state.steps.push(step);
                self.move_from(expansion, unit + 1, left, g, violations.saturating_add(more))?;
                self.state.steps.pop();
                self.state.post_move[unit] = old;
            }
        }
        Ok(())
    }

    /// How many conflicts the conflict avoidance table counts for a move; `None` if it is
    /// illegal.
    fn violations_of(&self, step: Step<R::Place>, tick: u32) -> Option<u16> {
        let rules = self.options.rules;
        let is_blocked = self.state.forbids(step, rules)
            || self.problem.illegal_moves.is_some_and(|table| table.forbids(step, tick));
        let count = || self.problem.conflict_avoidance.map_or(0, |table| table.count(step, tick));
        (!is_blocked).then(count)
    }

    fn add_child(&mut self, expansion: &Expansion, g: u32, violations: u16) -> Result<(), Limit> {
        let h = self.state.heuristic(&mut self.problem, self.options.rules);
        let Expansion { id, node, .. } = expansion;
        let h = h.max((node.g + node.h).saturating_sub(g));
        self.add(*id, NONE, g, h, node.time + 1, violations)
    }
}
