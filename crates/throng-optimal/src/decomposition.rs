//! Operator decomposition: within a tick the units move one after the other, each legal
//! against those that have moved and regardless of those that have not.

use throng_model::Limit;

use crate::Order;
use crate::clash::Move;
use crate::nodes::{NOBODY, NONE, Node, NodeId};
use crate::search::Search;
use crate::track::Moves;

impl Search<'_, '_, '_> {
    /// Generates the next children of a node: moves of one unit.
    pub(crate) fn expand_decomposed(&mut self, id: NodeId) -> Result<(), Limit> {
        let base = self.state.load(&self.nodes, id, &mut self.task);
        let mover = self.mover(id)?;
        let node = *self.nodes.get(id);
        let moves = self.task.tracks[mover].moves(self.state.old[mover])?;
        self.state.weigh_pairs(base, &mut self.task, self.settings.counted);
        self.state.moved[mover] = true;
        let is_last = self.state.moved.iter().all(|&moved| moved);
        let before = node.g + self.state.distance;
        if !self.settings.partial_expansion {
            // The best last: among equals the newest node is expanded first.
            for (to, excess) in (0..moves.len()).rev().map(|index| moves.get(index)) {
                self.try_move(id, &node, base, mover, to, excess, is_last)?;
            }
            return Ok(());
        }
        let (mut next, mut portion) = (usize::from(node.next), self.portion(node.rounds));
        while next < moves.len() && portion > 0 {
            let (to, excess) = moves.get(next);
            if before + excess > self.task.cost_max {
                return Ok(());
            }
            next += 1;
            if self.try_move(id, &node, base, mover, to, excess, is_last)? {
                portion -= 1;
            }
        }
        if next < moves.len() {
            self.put_back(id, next, before + moves.get(next).1);
        }
        Ok(())
    }

    /// Generates the child in which a unit makes a move, if that is legal.
    #[expect(clippy::too_many_arguments, reason = "all that one expansion knows")]
    fn try_move(
        &mut self,
        id: NodeId,
        node: &Node,
        base: NodeId,
        mover: usize,
        to: u16,
        excess: u32,
        is_last: bool,
    ) -> Result<bool, Limit> {
        let counted = self.settings.counted;
        let old = self.state.old[mover];
        let track = &self.task.tracks[mover];
        let step = Move { from: track.place(old), to: track.place(to) };
        let (cost, closer) = (track.cost(old, to), track.distance(old));
        let distance = self.state.distance + track.distance(to) - closer;
        self.state.moved[mover] = false;
        let is_blocked = self.state.forbids(self.task.tracks, step, counted)
            || self.task.avoid.is_some_and(|others| others.forbids(step, node.time + 1));
        self.state.moved[mover] = true;
        if is_blocked {
            return Ok(false);
        }
        let met = self.task.shun.map_or(0, |others| others.count(step, node.time + 1));
        self.state.now[mover] = to;
        let h = distance + self.state.estimate_pairs(mover, excess, &mut self.task, counted);
        let (base, time) = if is_last { (NONE, node.time + 1) } else { (base, node.time) };
        let violations = node.violations.saturating_add(met);
        let g = node.g + cost;
        // What is proven of a node holds for its children.
        let h = h.max((node.g + node.h).saturating_sub(g));
        self.add(id, base, g, h, time, violations)?;
        self.state.now[mover] = old;
        Ok(true)
    }

    /// Who moves next; decided when a node is expanded first.
    fn mover(&mut self, id: NodeId) -> Result<usize, Limit> {
        let known = self.nodes.get(id).mover;
        if known != NOBODY {
            return Ok(usize::from(known));
        }
        let mover = match self.settings.order {
            Order::Fixed => self.state.moved.iter().position(|&moved| !moved).unwrap_or(0),
            Order::Dynamic => self.most_constrained()?,
        };
        self.nodes.get_mut(id).mover = mover as u16;
        Ok(mover)
    }

    /// The unit with the fewest legal moves, then the fewest neighbours, then the best move.
    fn most_constrained(&mut self) -> Result<usize, Limit> {
        let mut best = (usize::MAX, usize::MAX, u32::MAX, 0);
        for unit in 0..self.state.moved.len() {
            if !self.state.moved[unit] {
                let moves = self.task.tracks[unit].moves(self.state.old[unit])?;
                let (legal, excess) = self.legal_moves(unit, &moves);
                let distance = self.task.tracks[unit].distance(self.state.old[unit]);
                best =
                    best.min((legal, self.neighbours(unit), distance.saturating_add(excess), unit));
            }
        }
        Ok(best.3)
    }

    /// How many legal moves a unit has, and the least excess of one.
    fn legal_moves(&self, unit: usize, moves: &Moves) -> (usize, u32) {
        let (tracks, from) = (&*self.task.tracks, self.state.old[unit]);
        let legal = (0..moves.len()).map(|index| moves.get(index)).filter(|&(to, _)| {
            let step = Move { from: tracks[unit].place(from), to: tracks[unit].place(to) };
            !self.state.forbids(tracks, step, self.settings.counted)
        });
        legal.fold((0, u32::MAX), |(count, least), (_, excess)| (count + 1, least.min(excess)))
    }

    /// How many units stand beside a unit.
    fn neighbours(&self, unit: usize) -> usize {
        let tracks = &self.task.tracks;
        let width = tracks[unit].width();
        let cell = |other: usize| tracks[other].place(self.state.old[other]).cell(width);
        let here = cell(unit);
        let beside = |other: &usize| {
            let there = cell(*other);
            *other != unit && here.x.abs_diff(there.x) <= 1 && here.y.abs_diff(there.y) <= 1
        };
        (0..tracks.len()).filter(beside).count()
    }
}
