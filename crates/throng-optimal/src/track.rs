//! Where one unit can be: positions with their true distances, and the moves from each,
//! the best first ("it is not complicated to update RRA* to store ... the k + 1 directions
//! that result in having the lowest distance to the goal").
//!
//! A position is known by a number of 16 bits, given when a search first touches it, so
//! that a node needs two bytes a unit however large the map is.
//!
//! # The two objectives
//! `time_away`: a tick costs 1 unless the unit rests on its goal. `sum_of_costs`: a tick
//! costs 1 unless the unit has *settled*: on its goal it may decide to rest for ever, which
//! is a position of its own. Thus a state's future does not depend on its past, and both
//! objectives are plain sums over ticks.

use std::collections::BTreeMap;

use throng_model::{Limit, Objective};
use throng_spacetime::{GridSpace, Position, Rra, Space as _};

use crate::clash::Place;

/// A position's number on its track.
pub(crate) type PositionId = u16;

/// The goal.
pub(crate) const GOAL: PositionId = 0;
/// On the goal, for ever (`sum_of_costs` only).
pub(crate) const SETTLED: PositionId = 1;

/// Eight directions, to stay, and to settle.
const MOVES_MAX: usize = 10;

/// The moves from a position, by their excess.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moves {
    count: u8,
    to: [PositionId; MOVES_MAX],
    /// By how much each lengthens the way: its cost and the distance after it, less the
    /// distance before it.
    excess: [u8; MOVES_MAX],
}

impl Moves {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        usize::from(self.count)
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> (PositionId, u32) {
        (self.to[index], u32::from(self.excess[index]))
    }

    /// Puts a move behind those that are as good.
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

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
struct Known {
    place: Place,
    distance: u32,
    moves: Option<Moves>,
}

/// Where one unit can be.
pub(crate) struct Track<'a> {
    space: &'a GridSpace,
    width: u16,
    objective: Objective,
    distances: Rra,
    ids: BTreeMap<u32, PositionId>,
    known: Vec<Known>,
    start: PositionId,
}

impl<'a> Track<'a> {
    /// The track from a start to a goal; `None` if there is no way.
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
        let (ids, known) = (BTreeMap::new(), Vec::new());
        let mut track = Self { space, width, objective, distances, ids, known, start: GOAL };
        track.number(goal).ok()?;
        let at_goal = track.known[usize::from(GOAL)];
        track.known.push(at_goal);
        track.start = track.number(start).ok()?;
        Some(track)
    }

    pub(crate) fn start(&self) -> PositionId {
        self.start
    }

    pub(crate) fn width(&self) -> u16 {
        self.width
    }

    #[inline]
    pub(crate) fn place(&self, at: PositionId) -> Place {
        self.known[usize::from(at)].place
    }

    /// Ticks to the goal, others ignored.
    #[inline]
    pub(crate) fn distance(&self, at: PositionId) -> u32 {
        self.known[usize::from(at)].distance
    }

    /// What a tick costs that takes the unit from one position to another.
    #[inline]
    pub(crate) fn cost(&self, from: PositionId, to: PositionId) -> u32 {
        let rests = match self.objective {
            Objective::TimeAway => from == GOAL && to == GOAL,
            Objective::SumOfCosts => to == SETTLED,
        };
        u32::from(!rests)
    }

    /// By how much a move lengthens the way.
    #[inline]
    pub(crate) fn excess(&self, from: PositionId, to: PositionId) -> u32 {
        self.cost(from, to) + self.distance(to) - self.distance(from)
    }

    /// The moves from a position, the best first.
    #[inline]
    pub(crate) fn moves(&mut self, from: PositionId) -> Result<Moves, Limit> {
        match self.known[usize::from(from)].moves {
            Some(moves) => Ok(moves),
            None => self.unfold(from),
        }
    }

    #[cold]
    fn unfold(&mut self, from: PositionId) -> Result<Moves, Limit> {
        let mut moves = Moves::default();
        for to in self.targets(from) {
            let to = to?;
            moves.insert(to, self.excess(from, to) as u8);
        }
        self.known[usize::from(from)].moves = Some(moves);
        Ok(moves)
    }

    fn targets(&mut self, from: PositionId) -> Vec<Result<PositionId, Limit>> {
        if from == SETTLED {
            return vec![Ok(SETTLED)];
        }
        let cell = self.known[usize::from(from)].place.cell(self.width);
        let mut steps = Vec::with_capacity(MOVES_MAX);
        if let Some(at) = self.space.position(cell) {
            self.space.for_each_move(at, |step| steps.push(step.to));
            // Diagonal steps first: they leave more ways to go on that are as short.
            steps.reverse();
        }
        let mut targets: Vec<_> = steps.into_iter().map(|to| self.number(to)).collect();
        if from == GOAL && self.objective == Objective::SumOfCosts {
            targets.push(Ok(SETTLED));
        }
        targets.push(Ok(from));
        targets
    }

    fn number(&mut self, at: Position) -> Result<PositionId, Limit> {
        if let Some(&id) = self.ids.get(&at.0) {
            return Ok(id);
        }
        let id = PositionId::try_from(self.known.len()).map_err(|_| Limit::Size)?;
        let distance = self.distances.distance(self.space, at);
        let distance = distance.and_then(|ticks| u32::try_from(ticks).ok());
        let distance = distance.ok_or(Limit::Size)?;
        let place = Place::new(self.space.cell(at), self.width);
        self.known.push(Known { place, distance, moves: None });
        self.ids.insert(at.0, id);
        Ok(id)
    }

    /// Bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.known.len() * (size_of::<Known>() + 16) + self.distances.bytes()
    }
}
