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
use throng_spacetime::{Position, Rra};

use crate::rules::{Rules, Step};

/// A position's id in its unit's table.
pub(crate) type PositionId = u16;

/// The goal.
pub(crate) const GOAL: PositionId = 0;
/// On the goal and staying there forever (`sum_of_costs` only).
pub(crate) const PARKED: PositionId = 1;

/// Steps for which there is room at once: eight directions.
const STEPS_USUAL: usize = 8;

/// The moves from a position, ordered by excess: a part of the table's list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveList {
    first: u32,
    count: u32,
}

impl MoveList {
    #[inline]
    pub(crate) fn len(self) -> usize {
        self.count as usize
    }
}

/// One move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListedMove {
    pub(crate) to: PositionId,
    /// By how much it lengthens the path: its cost plus the distance after it, less the distance
    /// before it. 255 stands for that and more.
    pub(crate) excess: u8,
}

/// One position.
#[derive(Clone, Copy, Debug)]
struct Entry<P> {
    place: P,
    distance: u32,
    moves: Option<MoveList>,
}

/// The positions of one unit, filled on demand. Places between two positions of its space are
/// positions here.
pub(crate) struct PositionTable<'a, R: Rules> {
    rules: R,
    space: &'a R::Space,
    objective: Objective,
    distances: Rra,
    ids: BTreeMap<R::Place, PositionId>,
    entries: Vec<Entry<R::Place>>,
    moves: Vec<ListedMove>,
    start: PositionId,
}

impl<'a, R: Rules> PositionTable<'a, R> {
    /// The table of a unit of a kind with this start and goal; `None` if the goal is
    /// unreachable.
    pub(crate) fn new(
        rules: R,
        (space, kind): (&'a R::Space, usize),
        objective: Objective,
        [start, goal]: [Position; 2],
    ) -> Option<Self> {
        if !rules.may_reach(space, start, goal) {
            return None;
        }
        let mut distances = Rra::default();
        distances.begin(space, [(goal, 0)], start);
        let (ids, entries, moves) = (BTreeMap::new(), Vec::new(), Vec::new());
        let mut table =
            Self { rules, space, objective, distances, ids, entries, moves, start: GOAL };
        table.id_of(rules.place(space, kind, goal)).ok()?;
        let at_goal = table.entries[usize::from(GOAL)];
        table.entries.push(at_goal);
        table.start = table.id_of(rules.place(space, kind, start)).ok()??;
        Some(table)
    }

    pub(crate) fn start(&self) -> PositionId {
        self.start
    }

    #[inline]
    pub(crate) fn place(&self, at: PositionId) -> R::Place {
        self.entries[usize::from(at)].place
    }

    /// A unit's step between two positions.
    #[inline]
    pub(crate) fn step(&self, from: PositionId, to: PositionId) -> Step<R::Place> {
        Step { from: self.place(from), to: self.place(to) }
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

    /// The moves of a list.
    #[inline]
    pub(crate) fn listed(&self, moves: MoveList) -> &[ListedMove] {
        &self.moves[moves.first as usize..][..moves.count as usize]
    }

    #[cold]
    fn compute_moves(&mut self, from: PositionId) -> Result<MoveList, Limit> {
        let first = self.moves.len();
        for to in self.targets(from)? {
            let excess = u8::try_from(self.excess(from, to)).unwrap_or(u8::MAX);
            // Behind those of the same excess.
            let listed = &self.moves[first..];
            let at = first + listed.partition_point(|listed| listed.excess <= excess);
            self.moves.insert(at, ListedMove { to, excess });
        }
        let count = (self.moves.len() - first) as u32;
        let moves = MoveList { first: first as u32, count };
        self.entries[usize::from(from)].moves = Some(moves);
        Ok(moves)
    }

    /// The positions that a unit can reach in one tick, if it can go on to the goal from there.
    fn targets(&mut self, from: PositionId) -> Result<Vec<PositionId>, Limit> {
        if from == PARKED {
            return Ok(vec![PARKED]);
        }
        let place = self.place(from);
        let mut steps = Vec::with_capacity(STEPS_USUAL);
        self.rules.for_each_step(self.space, place, |to| steps.push(to));
        let mut targets = Vec::with_capacity(steps.len() + 2);
        // Diagonal steps first: more shortest paths remain after one.
        for to in steps.into_iter().rev() {
            targets.extend(self.id_of(to)?);
        }
        if from == GOAL && self.objective == Objective::SumOfCosts {
            targets.push(PARKED);
        }
        let (_, ticks) = self.rules.next_stop(self.space, place);
        targets.extend((ticks == 0).then_some(from));
        Ok(targets)
    }

    /// The id of a place; `None` if no path leads from there to the goal.
    fn id_of(&mut self, place: R::Place) -> Result<Option<PositionId>, Limit> {
        if let Some(&id) = self.ids.get(&place) {
            return Ok(Some(id));
        }
        let (stop, ticks) = self.rules.next_stop(self.space, place);
        let Some(distance) = self.distances.distance(self.space, stop) else { return Ok(None) };
        let distance = distance.saturating_add(u64::from(ticks));
        let distance = u32::try_from(distance).map_err(|_| Limit::Size)?;
        let id = u16::try_from(self.entries.len()).ok().filter(|&id| id < PositionId::MAX);
        let id = id.ok_or(Limit::Size)?;
        self.entries.push(Entry { place, distance, moves: None });
        self.ids.insert(place, id);
        Ok(Some(id))
    }

    /// Bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        let moves = self.moves.len() * size_of::<ListedMove>();
        self.entries.len() * (size_of::<Entry<R::Place>>() + 16) + moves + self.distances.bytes()
    }
}
