//! The positions of one unit with their true distances, and the moves from each, best first.
//!
//! Standley: "it is not complicated to update RRA* to store ... the k + 1 directions that
//! result in having the lowest distance to the goal". A position gets a 16-bit id when a
//! search first reaches it, so that a node needs two bytes per unit on maps of any size.
//!
//! # The two objectives
//! `time_away`: a tick costs 1 unless the unit rests on its goal. `sum_of_costs`: a tick
//! costs 1 unless the unit is *parked*: on its goal it may choose to stay forever, which is a
//! position of its own. So the cost of a state's future does not depend on its past, and
//! both objectives are plain sums over ticks.

use std::collections::BTreeMap;

use throng_model::{Limit, Objective};
use throng_spacetime::{GridSpace, Position, Rra, Space as _};

use crate::conflict::PackedCell;

/// A position's id in its unit's table.
pub(crate) type PositionId = u16;

/// The goal.
pub(crate) const GOAL: PositionId = 0;
/// On the goal and staying there forever (`sum_of_costs` only).
pub(crate) const PARKED: PositionId = 1;

/// Eight directions, waiting, and parking.
const MOVES_MAX: usize = 10;

/// The moves from a position, ordered by excess.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MoveList {
    count: u8,
    to: [PositionId; MOVES_MAX],
    /// By how much each lengthens the path: its cost plus the distance after it, less the
    /// distance before it.
    excess: [u8; MOVES_MAX],
}

impl MoveList {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        usize::from(self.count)
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> (PositionId, u32) {
        (self.to[index], u32::from(self.excess[index]))
    }

    /// Adds a move behind those of the same excess.
    fn insert(&mut self, to: PositionId, excess: u8) {
        let mut at = self.len();
        while at > 0 && self.excess[at - 1] > excess {
            (self.to[at], self.excess[at]) = (self.to[at - 1], self.excess[at - 1]);
            at -= 1;
        }
        (self.to[at], self.excess[at]) = (to, excess);
        self.count += 1;
    }
}

/// One position.
#[derive(Clone, Copy, Debug)]
struct Entry {
    cell: PackedCell,
    distance: u32,
    moves: Option<MoveList>,
}

/// The positions of one unit, filled on demand.
pub(crate) struct PositionTable<'a> {
    space: &'a GridSpace,
    width: u16,
    objective: Objective,
    distances: Rra,
    ids: BTreeMap<u32, PositionId>,
    entries: Vec<Entry>,
    start: PositionId,
}

impl<'a> PositionTable<'a> {
    /// The table of a unit with this start and goal; `None` if the goal is unreachable.
    pub(crate) fn new(
        space: &'a GridSpace,
        objective: Objective,
        start: Position,
        goal: Position,
    ) -> Option<Self> {
        if !space.ground().is_connected(space.cell(start), space.cell(goal)) {
            return None;
        }
        let mut distances = Rra::default();
        distances.begin(space, [(goal, 0)], start);
        let width = space.ground().width() as u16;
        let (ids, entries) = (BTreeMap::new(), Vec::new());
        let mut table = Self { space, width, objective, distances, ids, entries, start: GOAL };
        table.id_of(goal).ok()?;
        let at_goal = table.entries[usize::from(GOAL)];
        table.entries.push(at_goal);
        table.start = table.id_of(start).ok()?;
        Some(table)
    }

    pub(crate) fn start(&self) -> PositionId {
        self.start
    }

    pub(crate) fn width(&self) -> u16 {
        self.width
    }

    #[inline]
    pub(crate) fn cell(&self, at: PositionId) -> PackedCell {
        self.entries[usize::from(at)].cell
    }

    /// The true distance: ticks to the goal, other units ignored.
    #[inline]
    pub(crate) fn distance(&self, at: PositionId) -> u32 {
        self.entries[usize::from(at)].distance
    }

    /// The cost of a move, which takes one tick.
    #[inline]
    pub(crate) fn cost(&self, from: PositionId, to: PositionId) -> u32 {
        let is_free = match self.objective {
            Objective::TimeAway => from == GOAL && to == GOAL,
            Objective::SumOfCosts => to == PARKED,
        };
        u32::from(!is_free)
    }

    /// By how much a move lengthens the path.
    #[inline]
    pub(crate) fn excess(&self, from: PositionId, to: PositionId) -> u32 {
        self.cost(from, to) + self.distance(to) - self.distance(from)
    }

    /// The moves from a position, the best first.
    #[inline]
    pub(crate) fn moves(&mut self, from: PositionId) -> Result<MoveList, Limit> {
        match self.entries[usize::from(from)].moves {
            Some(moves) => Ok(moves),
            None => self.compute_moves(from),
        }
    }

    #[cold]
    fn compute_moves(&mut self, from: PositionId) -> Result<MoveList, Limit> {
        let mut moves = MoveList::default();
        for to in self.targets(from) {
            let to = to?;
            moves.insert(to, self.excess(from, to) as u8);
        }
        self.entries[usize::from(from)].moves = Some(moves);
        Ok(moves)
    }

    fn targets(&mut self, from: PositionId) -> Vec<Result<PositionId, Limit>> {
        if from == PARKED {
            return vec![Ok(PARKED)];
        }
        let cell = self.entries[usize::from(from)].cell.cell(self.width);
        let mut steps = Vec::with_capacity(MOVES_MAX);
        if let Some(at) = self.space.position(cell) {
            self.space.for_each_move(at, |step| steps.push(step.to));
            // Diagonal steps first: more shortest paths remain after one.
            steps.reverse();
        }
        let mut targets: Vec<_> = steps.into_iter().map(|to| self.id_of(to)).collect();
        if from == GOAL && self.objective == Objective::SumOfCosts {
            targets.push(Ok(PARKED));
        }
        targets.push(Ok(from));
        targets
    }

    fn id_of(&mut self, at: Position) -> Result<PositionId, Limit> {
        if let Some(&id) = self.ids.get(&at.0) {
            return Ok(id);
        }
        let id = PositionId::try_from(self.entries.len()).map_err(|_| Limit::Size)?;
        let distance = self.distances.distance(self.space, at);
        let distance = distance.and_then(|ticks| u32::try_from(ticks).ok());
        let distance = distance.ok_or(Limit::Size)?;
        let cell = PackedCell::new(self.space.cell(at), self.width);
        self.entries.push(Entry { cell, distance, moves: None });
        self.ids.insert(at.0, id);
        Ok(id)
    }

    /// Bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * (size_of::<Entry>() + 16) + self.distances.bytes()
    }
}
