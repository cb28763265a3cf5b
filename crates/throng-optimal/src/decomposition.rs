//! Operator decomposition (Standley): within a tick the units move one after the other.
//!
//! A move must not conflict with the units that have moved in this tick; those that have not
//! are ignored. Between a standard node and the next lie intermediate nodes.

use throng_model::Limit;

use crate::ExpansionOrder;
use crate::nodes::{NO_UNIT, NONE, Node, NodeId};
use crate::position_table::{ListedMove, MoveList};
use crate::rules::Rules;
use crate::search::Search;

impl<R: Rules> Search<'_, '_, '_, R> {
    /// Generates the next children of a node: moves of one unit.
    pub(crate) fn expand_decomposed(&mut self, id: NodeId) -> Result<(), Limit> {
        let base = self.state.load(&self.nodes, id, &mut self.problem);
        let unit = self.next_unit(id)?;
        let node = *self.nodes.get(id);
        let moves = self.problem.tables[unit].moves(self.state.pre_move[unit])?;
        self.state.update_pair_excess(base, &mut self.problem, self.options.rules);
        self.state.moved[unit] = true;
        let is_last = self.state.moved.iter().all(|&moved| moved);
        let before = node.g + self.state.distance;
        if !self.options.partial_expansion {
            // The best last: among equal nodes the newest is expanded first.
            for index in (0..moves.len()).rev() {
                let listed = self.problem.tables[unit].listed(moves)[index];
                self.try_move(id, &node, base, unit, listed, is_last)?;
            }
            return Ok(());
        }
        let (mut next, mut portion) = (usize::from(node.next_move), self.portion(node.expansions));
        while next < moves.len() && portion > 0 {
            let listed = self.problem.tables[unit].listed(moves)[next];
            if before + u32::from(listed.excess) > self.problem.cost_max {
                return Ok(());
            }
            next += 1;
            if self.try_move(id, &node, base, unit, listed, is_last)? {
                portion -= 1;
            }
        }
        if next < moves.len() {
            let excess = self.problem.tables[unit].listed(moves)[next].excess;
            self.put_back(id, next, before + u32::from(excess));
        }
        Ok(())
    }

    /// Generates the child in which a unit makes a move, if that is legal; whether it is.
    fn try_move(
        &mut self,
        id: NodeId,
        node: &Node,
        base: NodeId,
        unit: usize,
        ListedMove { to, excess }: ListedMove,
        is_last: bool,
    ) -> Result<bool, Limit> {
        let rules = self.options.rules;
        let old = self.state.pre_move[unit];
        let table = &self.problem.tables[unit];
        let step = table.step(old, to);
        let cost = table.cost(old, to);
        let distance = self.state.distance + table.distance(to) - table.distance(old);
        let is_blocked = self.state.forbids(step, rules)
            || self.problem.illegal_moves.is_some_and(|table| table.forbids(step, node.time + 1));
        if is_blocked {
            return Ok(false);
        }
        let more =
            self.problem.conflict_avoidance.map_or(0, |table| table.count(step, node.time + 1));
        self.state.post_move[unit] = to;
        let h = distance + self.state.pair_heuristic(unit, excess, &mut self.problem, rules);
        let (base, time) = if is_last { (NONE, node.time + 1) } else { (base, node.time) };
        let violations = node.violations.saturating_add(more);
        let g = node.g + cost;
        // The parent's bound holds for its children (pathmax).
        let h = h.max((node.g + node.h).saturating_sub(g));
        self.add(id, base, g, h, time, violations)?;
        self.state.post_move[unit] = old;
        Ok(true)
    }

    /// The unit that moves next; chosen when the node is first expanded.
    fn next_unit(&mut self, id: NodeId) -> Result<usize, Limit> {
        let known = self.nodes.get(id).next_unit;
        if known != NO_UNIT {
            return Ok(usize::from(known));
        }
        let unit = match self.options.order {
            ExpansionOrder::Fixed => self.state.moved.iter().position(|&moved| !moved).unwrap_or(0),
            ExpansionOrder::Dynamic => self.most_constrained()?,
        };
        self.nodes.get_mut(id).next_unit = unit as u16;
        Ok(unit)
    }

    /// The unit with the fewest legal moves, then the fewest units beside it, then the least f.
    fn most_constrained(&mut self) -> Result<usize, Limit> {
        let mut best = (usize::MAX, usize::MAX, u32::MAX, 0);
        for unit in 0..self.state.moved.len() {
            if !self.state.moved[unit] {
                let moves = self.problem.tables[unit].moves(self.state.pre_move[unit])?;
                let (legal, excess) = self.legal_moves(unit, moves);
                let distance = self.problem.tables[unit].distance(self.state.pre_move[unit]);
                best =
                    best.min((legal, self.neighbours(unit), distance.saturating_add(excess), unit));
            }
        }
        Ok(best.3)
    }

    /// How many legal moves a unit has, and the least excess among them.
    fn legal_moves(&self, unit: usize, moves: MoveList) -> (usize, u32) {
        let (tables, from) = (&*self.problem.tables, self.state.pre_move[unit]);
        let legal = tables[unit].listed(moves).iter().filter(|listed| {
            let step = tables[unit].step(from, listed.to);
            !self.state.forbids(step, self.options.rules)
        });
        legal.fold((0, u32::MAX), |(count, least), listed| {
            (count + 1, least.min(u32::from(listed.excess)))
        })
    }

    /// How many units are on neighbouring positions.
    fn neighbours(&self, unit: usize) -> usize {
        let tables = &self.problem.tables;
        let place = |other: usize| tables[other].place(self.state.pre_move[other]);
        let here = place(unit);
        let beside =
            |&other: &usize| other != unit && self.options.rules.is_beside(here, place(other));
        (0..tables.len()).filter(beside).count()
    }
}
