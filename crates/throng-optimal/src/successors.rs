//! The standard algorithm's successors: all units move at once.
//!
//! With partial expansion a node's children come by their excess, all of one excess at a
//! time, and no other is generated: M. Goldenberg et al., "Enhanced Partial Expansion A*"
//! (JAIR 2014), with the moves' excesses as operator selection function.

use throng_model::Limit;

use crate::clash::Move;
use crate::nodes::{NONE, Node, NodeId};
use crate::search::Search;
use crate::track::Moves;

/// One expansion.
struct Expansion {
    id: NodeId,
    node: Node,
    moves: Vec<Moves>,
    /// The greatest excess that units from each on can have.
    excess_max: Vec<u32>,
}

impl Search<'_, '_, '_> {
    /// Generates the children of a node, or those of the next excess.
    pub(crate) fn expand_jointly(&mut self, id: NodeId) -> Result<(), Limit> {
        self.state.load(&self.nodes, id, &mut self.task);
        let node = *self.nodes.get(id);
        let mut moves = Vec::with_capacity(self.state.old.len());
        for (track, &at) in self.task.tracks.iter_mut().zip(&self.state.old) {
            moves.push(track.moves(at)?);
        }
        let mut excess_max = vec![0; moves.len() + 1];
        for (unit, moves) in moves.iter().enumerate().rev() {
            let worst = moves.len().checked_sub(1).map_or(0, |last| moves.get(last).1);
            excess_max[unit] = excess_max[unit + 1] + worst;
        }
        let before = node.g + self.state.distance;
        let expansion = Expansion { id, node, moves, excess_max };
        if !self.settings.partial_expansion {
            return self.move_from(&expansion, 0, None, node.g, node.violations);
        }
        let excess = u32::from(node.next);
        self.move_from(&expansion, 0, Some(excess), node.g, node.violations)?;
        if excess < expansion.excess_max[0] {
            self.put_back(id, excess as usize + 1, before + excess + 1);
        }
        Ok(())
    }

    /// Moves the units from `unit` on in every legal way, with this excess if one is given.
    fn move_from(
        &mut self,
        expansion: &Expansion,
        unit: usize,
        excess: Option<u32>,
        g: u32,
        violations: u16,
    ) -> Result<(), Limit> {
        let Some(moves) = expansion.moves.get(unit) else {
            return self.add_child(expansion, g, violations);
        };
        let old = self.state.old[unit];
        // The best last: among equals the newest node is expanded first.
        for index in (0..moves.len()).rev() {
            let (to, own) = moves.get(index);
            let left = match excess {
                Some(excess) if own > excess => continue,
                Some(excess) if excess - own > expansion.excess_max[unit + 1] => continue,
                Some(excess) => Some(excess - own),
                None => None,
            };
            let track = &self.task.tracks[unit];
            let step = Move { from: track.place(old), to: track.place(to) };
            let g = g + track.cost(old, to);
            if let Some(met) = self.meetings(step, expansion.node.time + 1) {
                self.state.now[unit] = to;
                self.state.moved[unit] = true;
                self.move_from(expansion, unit + 1, left, g, violations.saturating_add(met))?;
                self.state.moved[unit] = false;
                self.state.now[unit] = old;
            }
        }
        Ok(())
    }

    /// How many others a move meets that should be avoided; `None` if it is illegal.
    fn meetings(&self, step: Move, tick: u32) -> Option<u16> {
        let counted = self.settings.counted;
        let is_blocked = self.state.forbids(self.task.tracks, step, counted)
            || self.task.avoid.is_some_and(|others| others.forbids(step, tick));
        let met = || self.task.shun.map_or(0, |others| others.count(step, tick));
        (!is_blocked).then(met)
    }

    fn add_child(&mut self, expansion: &Expansion, g: u32, violations: u16) -> Result<(), Limit> {
        let h = self.state.estimate_all(&mut self.task, self.settings.counted);
        let Expansion { id, node, .. } = expansion;
        let h = h.max((node.g + node.h).saturating_sub(g));
        self.add(*id, NONE, g, h, node.time + 1, violations)
    }
}
