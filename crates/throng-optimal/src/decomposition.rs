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

/// One expansion of a node: the moves of one unit.
struct Expansion {
    id: NodeId,
    node: Node,
    /// The standard node at the start of the tick.
    base: NodeId,
    unit: usize,
    moves: MoveList,
    /// Whether the unit is the last to move within the tick.
    is_last: bool,
}

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
        let expansion = Expansion { id, node, base, unit, moves, is_last };
        let mut children = std::mem::take(&mut self.children);
        children.clear();
        if self.options.partial_expansion {
            self.next_portion(&expansion, &mut children);
        } else {
            let listed = self.problem.tables[unit].listed(moves).iter();
            children.extend(listed.filter(|listed| self.is_legal(&expansion, **listed)));
        }
        // The best last: among equal nodes the newest is expanded first.
        let added = children.iter().rev().try_for_each(|&child| self.add_move(&expansion, child));
        self.children = children;
        self.nodes.get_mut(id).expansions = node.expansions.saturating_add(1);
        added
    }

    /// Chooses the children that partial expansion generates next, all of one f.
    ///
    /// The node stays on the open list for the others, where they would be: behind these, before
    /// older nodes. When it is first expanded, it is put there once for every greater f. So the
    /// search expands the same nodes in the same order as without partial expansion, as long as
    /// the f of a child follows from the excess of its move.
    fn next_portion(&mut self, expansion: &Expansion, children: &mut Vec<ListedMove>) {
        let &Expansion { id, ref node, unit, moves, .. } = expansion;
        let (table, from) = (&self.problem.tables[unit], self.state.pre_move[unit]);
        let before = node.g + self.state.distance;
        let least_f = |listed: &ListedMove| node.value.max(before + u32::from(listed.excess));
        let (first, most) = (usize::from(node.next_move), self.portion(node.expansions));
        let left = &table.listed(moves)[first..];
        let f = left.first().map_or(0, least_f);
        let mut tried = 0;
        while tried < left.len() && children.len() < most && least_f(&left[tried]) == f {
            if self.is_legal(expansion, left[tried]) {
                children.push(left[tried]);
            }
            tried += 1;
        }
        let Some(next) = left.get(tried) else { return };
        let entry = |listed: &ListedMove| (least_f(listed), node.g + table.cost(from, listed.to));
        let (next, mut last) = (entry(next), f);
        self.entries.clear();
        if next.0 == f {
            self.entries.push(next);
        }
        if node.expansions == 0 {
            for listed in &left[tried..] {
                if least_f(listed) > last {
                    last = least_f(listed);
                    self.entries.push(entry(listed));
                }
            }
        }
        self.keep_open(id, first + tried, next.0);
        while let Some((value, g)) = self.entries.pop() {
            self.push_open(id, value, g);
        }
    }

    fn is_legal(&self, expansion: &Expansion, listed: ListedMove) -> bool {
        let old = self.state.pre_move[expansion.unit];
        let step = self.problem.tables[expansion.unit].step(old, listed.to);
        let tick = expansion.node.time + 1;
        let is_blocked = self.state.forbids(step, self.options.rules)
            || self.problem.illegal_moves.is_some_and(|table| table.forbids(step, tick));
        !is_blocked
    }

    /// Generates the child in which the unit makes a legal move.
    fn add_move(&mut self, expansion: &Expansion, listed: ListedMove) -> Result<(), Limit> {
        let &Expansion { id, ref node, base, unit, is_last, .. } = expansion;
        let (ListedMove { to, excess }, rules) = (listed, self.options.rules);
        let old = self.state.pre_move[unit];
        let table = &self.problem.tables[unit];
        let step = table.step(old, to);
        let cost = table.cost(old, to);
        let distance = self.state.distance + table.distance(to) - table.distance(old);
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
        Ok(())
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
