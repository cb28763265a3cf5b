//! Operator decomposition (Standley): within a tick the units move one after the other.
//!
//! A move must not conflict with the units that have moved in this tick; those that have not
//! are ignored. Between a standard node and the next lie intermediate nodes.

use throng_model::Limit;

use crate::ExpansionOrder;
use crate::conflict::Move;
use crate::nodes::{NO_UNIT, NONE, Node, NodeId};
use crate::position_table::MoveList;
use crate::search::Search;

impl Search<'_, '_, '_> {
    /// Generates the next children of a node: moves of one unit.
    pub(crate) fn expand_decomposed(&mut self, id: NodeId) -> Result<(), Limit> {
        let base = self.state.load(&self.nodes, id, &mut self.problem);
        let unit = self.next_unit(id)?;
        let node = *self.nodes.get(id);
        let moves = self.problem.tables[unit].moves(self.state.pre_move[unit])?;
        self.state.update_pair_excess(base, &mut self.problem, self.options.counted);
        self.state.moved[unit] = true;
        let is_last = self.state.moved.iter().all(|&moved| moved);
        let before = node.g + self.state.distance;
        if !self.options.partial_expansion {
            // The best last: among equal nodes the newest is expanded first.
            for (to, excess) in (0..moves.len()).rev().map(|index| moves.get(index)) {
                self.try_move(id, &node, base, unit, to, excess, is_last)?;
            }
            return Ok(());
        }
        let (mut next, mut portion) = (usize::from(node.next_move), self.portion(node.expansions));
        while next < moves.len() && portion > 0 {
            let (to, excess) = moves.get(next);
            if before + excess > self.problem.cost_max {
                return Ok(());
            }
            next += 1;
            if self.try_move(id, &node, base, unit, to, excess, is_last)? {
                portion -= 1;
            }
        }
        if next < moves.len() {
            self.put_back(id, next, before + moves.get(next).1);
        }
        Ok(())
    }

    /// Generates the child in which a unit makes a move, if that is legal; whether it is.
    #[expect(clippy::too_many_arguments, reason = "the parts of one expansion")]
    fn try_move(
        &mut self,
        id: NodeId,
        node: &Node,
        base: NodeId,
        unit: usize,
        to: u16,
        excess: u32,
        is_last: bool,
    ) -> Result<bool, Limit> {
        let counted = self.options.counted;
        let old = self.state.pre_move[unit];
        let table = &self.problem.tables[unit];
        let step = Move { from: table.cell(old), to: table.cell(to) };
        let cost = table.cost(old, to);
        let distance = self.state.distance + table.distance(to) - table.distance(old);
        self.state.moved[unit] = false;
        let is_blocked = self.state.forbids(self.problem.tables, step, counted)
            || self.problem.illegal_moves.is_some_and(|table| table.forbids(step, node.time + 1));
        self.state.moved[unit] = true;
        if is_blocked {
            return Ok(false);
        }
        let more =
            self.problem.conflict_avoidance.map_or(0, |table| table.count(step, node.time + 1));
        self.state.post_move[unit] = to;
        let h = distance + self.state.pair_heuristic(unit, excess, &mut self.problem, counted);
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
                let (legal, excess) = self.legal_moves(unit, &moves);
                let distance = self.problem.tables[unit].distance(self.state.pre_move[unit]);
                best =
                    best.min((legal, self.neighbours(unit), distance.saturating_add(excess), unit));
            }
        }
        Ok(best.3)
    }

    /// How many legal moves a unit has, and the least excess among them.
    fn legal_moves(&self, unit: usize, moves: &MoveList) -> (usize, u32) {
        let (tables, from) = (&*self.problem.tables, self.state.pre_move[unit]);
        let legal = (0..moves.len()).map(|index| moves.get(index)).filter(|&(to, _)| {
            let step = Move { from: tables[unit].cell(from), to: tables[unit].cell(to) };
            !self.state.forbids(tables, step, self.options.counted)
        });
        legal.fold((0, u32::MAX), |(count, least), (_, excess)| (count + 1, least.min(excess)))
    }

    /// How many units stand on neighbouring cells.
    fn neighbours(&self, unit: usize) -> usize {
        let tables = &self.problem.tables;
        let width = tables[unit].width();
        let cell = |other: usize| tables[other].cell(self.state.pre_move[other]).cell(width);
        let here = cell(unit);
        let beside = |other: &usize| {
            let there = cell(*other);
            *other != unit && here.x.abs_diff(there.x) <= 1 && here.y.abs_diff(there.y) <= 1
        };
        (0..tables.len()).filter(beside).count()
    }
}
