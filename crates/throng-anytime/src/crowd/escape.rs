//! Which moves lead out of an area that takes several steps to leave.
//!
//! A unit of one cell makes room for another of one cell by any step. A body of 3 x 3 cells
//! against a wall has to go aside by up to three steps before another can pass, and a small unit
//! in the middle of its front by two. A breadth-first search over the unit's own moves finds the
//! first steps of the shortest ways out.

use throng_spacetime::{Action, Position, Space};

use super::claims::NONE;
use super::kernel::Preferences;
use super::turn::{State, Turn};

/// A search visits at most this many positions.
const VISITS_MAX: usize = 96;

/// The memory of the search.
#[derive(Clone, Debug, Default)]
pub(super) struct EscapeSearch {
    queue: Vec<Visit>,
    /// By position: the number of the search that last visited it.
    visited: Vec<u32>,
    number: u32,
}

#[derive(Clone, Copy, Debug)]
struct Visit {
    at: Position,
    depth: u16,
    /// Which candidate leads there.
    first: u16,
}

impl EscapeSearch {
    fn begin(&mut self, positions: usize) {
        self.queue.clear();
        self.number = self.number.wrapping_add(1);
        if self.visited.len() < positions || self.number == 0 {
            self.visited = vec![0; positions.max(self.visited.len())];
            self.number = 1;
        }
    }

    fn visit(&mut self, visit: Visit) {
        let seen = &mut self.visited[visit.at.get()];
        if *seen != self.number && self.queue.len() < VISITS_MAX {
            *seen = self.number;
            self.queue.push(visit);
        }
    }
}

impl<S: Space, P: Preferences> Turn<'_, S, P> {
    /// The candidates of a unit, as bits by rank, that begin a shortest way out of what the
    /// action of another unit needs. Zero: there is no way out. Longer ways are not taken: the
    /// unit could go back and forth between two of them.
    ///
    /// Undecided units are no obstacles: they can be asked in their turn.
    pub(super) fn escapes(&mut self, unit: u32, asker: u32, action: Action) -> u64 {
        self.mark_area(asker, action);
        let mut search = std::mem::take(&mut self.memory.escape);
        let space = self.space(unit);
        search.begin(space.positions());
        let (first, count) = (self.record(unit).first as usize, self.record(unit).count);
        for rank in 0..count {
            let candidate = self.memory.candidates[first + usize::from(rank)];
            if candidate.action != Action::PAUSE && self.is_passable(unit, candidate.to) {
                search.visit(Visit { at: candidate.to, depth: 1, first: rank });
            }
        }
        let (mut allowed, mut depth_max, mut next) = (0, u16::MAX, 0);
        while let Some(&visit) = search.queue.get(next) {
            next += 1;
            if visit.depth > depth_max {
                break;
            }
            if self.is_outside(unit, visit.at) {
                allowed |= 1_u64.checked_shl(visit.first.into()).unwrap_or(0);
                depth_max = visit.depth;
                continue;
            }
            space.for_each_move(visit.at, |step| {
                if self.is_passable(unit, step.to) {
                    search.visit(Visit { at: step.to, depth: visit.depth + 1, ..visit });
                }
            });
        }
        self.memory.escape = search;
        allowed
    }

    fn mark_area(&mut self, asker: u32, action: Action) {
        let (space, at) = (self.space(asker), self.units[asker as usize].at);
        let claims = &mut self.memory.claims;
        claims.begin_area();
        space.footprint(at, action, |entry, _| {
            claims.add_to_area(entry);
            true
        });
    }

    fn is_outside(&self, unit: u32, at: Position) -> bool {
        self.space(unit).standing(at, |entry| !self.memory.claims.is_in_area(entry))
    }

    /// Whether no unit that has decided, or waits, is at a position or will be.
    fn is_passable(&self, unit: u32, at: Position) -> bool {
        let claims = &self.memory.claims;
        self.space(unit).standing(at, |entry| {
            let (next, now) = (claims.next(entry), claims.body(entry));
            let is_free = |other: u32| {
                let decided = |other| self.record(other).state != State::Undecided;
                let is_friend = |other| self.side(unit) == self.side(other);
                other == NONE || other == unit || (!decided(other) && is_friend(other))
            };
            is_free(next) && (is_free(now) || self.record(now).state == State::Moving)
        })
    }
}
