//! Follows a run: the referee judges every tick, and stalls are measured.

use std::collections::VecDeque;

use throng::model::{Cell, MovementProfile, UnitId, ValidProblem};
use throng::referee::{Heading, LiveReferee, Sighting};

use super::engine::Seen;

/// Judges the ticks of a run.
pub(super) struct Watch<'a> {
    problem: &'a ValidProblem,
    referee: LiveReferee,
    /// Ticks that wait until the steps that slow units are in can be told from later ones.
    waiting: VecDeque<(Vec<Seen>, Vec<Cell>)>,
    /// How many ticks wait.
    delay: usize,
    stalls: Stalls,
    pub(super) violations: usize,
    pub(super) first_violation: Option<String>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(problem: &'a ValidProblem, sees_headings: bool) -> Self {
        let pace_max = problem.movements.iter().map(|movement| movement.pace).max().unwrap_or(1);
        Self {
            problem,
            referee: LiveReferee::new(problem.conflicts),
            waiting: VecDeque::new(),
            delay: if sees_headings { 0 } else { usize::from(pace_max) - 1 },
            stalls: Stalls::default(),
            violations: 0,
            first_violation: None,
        }
    }

    /// The next tick: where units are, and the goals that they had in it.
    pub(super) fn observe(&mut self, seen: &[Seen], goals: &[Cell]) {
        if self.delay == 0 {
            return self.judge(seen, goals);
        }
        self.waiting.push_back((seen.to_vec(), goals.to_vec()));
        if self.waiting.len() > self.delay {
            self.judge_first();
        }
    }

    /// Judges the ticks that wait. Steps that are not done at the end do not count as steps.
    pub(super) fn finish(&mut self) {
        while !self.waiting.is_empty() {
            self.judge_first();
        }
    }

    pub(super) fn unit_ticks(&self) -> u64 {
        self.referee.unit_ticks()
    }

    pub(super) fn longest_stall(&self) -> u32 {
        self.stalls.longest
    }

    fn movement(&self, unit: usize) -> &'a MovementProfile {
        &self.problem.movements[self.problem.units[unit].movement]
    }

    /// Judges the first tick that waits. A unit that is elsewhere in fewer ticks than a step takes
    /// is in that step; at tick 0 all units stand.
    fn judge_first(&mut self) {
        let Some((mut seen, goals)) = self.waiting.pop_front() else { return };
        let is_start = self.unit_ticks() == 0;
        for (unit, one) in seen.iter_mut().enumerate().filter(|_| !is_start) {
            let later = (1..self.movement(unit).pace).zip(&self.waiting);
            let mut later = later.map(|(ticks_left, (seen, _))| (ticks_left, seen[unit].at));
            let arrival = later.find(|&(_, at)| at != one.at);
            one.heading = arrival.map(|(ticks_left, to)| Heading { to, ticks_left });
        }
        self.judge(&seen, &goals);
    }

    fn judge(&mut self, seen: &[Seen], goals: &[Cell]) {
        let sighting = |(unit, one): (usize, &Seen)| {
            let id = UnitId::new(unit as u32);
            let (movement, at, heading) = (self.movement(unit), one.at, one.heading);
            Sighting { unit: id, movement, at, heading, team: 0, layer: 0 }
        };
        let sightings: Vec<_> = seen.iter().enumerate().map(sighting).collect();
        let found = self.referee.tick(&self.problem.map, &sightings, &[]);
        self.violations += found.len();
        if self.first_violation.is_none() {
            self.first_violation = found.first().map(ToString::to_string);
        }
        self.stalls.observe(seen, goals);
    }
}

/// How long units short of their goals did not move.
#[derive(Default)]
struct Stalls {
    /// By unit, its cell at the last tick, and the ticks for which it has not moved.
    units: Vec<(Cell, u32)>,
    longest: u32,
}

impl Stalls {
    fn observe(&mut self, seen: &[Seen], goals: &[Cell]) {
        if self.units.is_empty() {
            self.units = seen.iter().map(|one| (one.at, 0)).collect();
            return;
        }
        for ((one, goal), (before, ticks)) in seen.iter().zip(goals).zip(&mut self.units) {
            let is_stalled = one.at == *before && one.heading.is_none() && one.at != *goal;
            *ticks = if is_stalled { *ticks + 1 } else { 0 };
            *before = one.at;
            self.longest = self.longest.max(*ticks);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::model::{Map, Problem, Unit};

    /// Two units in a row of cells, of this pace.
    fn problem(pace: u8) -> ValidProblem {
        let units = vec![Unit::new((0, 0), (5, 0)), Unit::new((7, 0), (6, 0))];
        let movement = MovementProfile { pace, ..MovementProfile::four_connected() };
        Problem::new(Map::empty(8, 1).unwrap(), movement, units).validate().unwrap()
    }

    /// Violations and the longest stall, from the columns of both units per tick.
    fn check(pace: u8, columns: &[[u16; 2]], violations: usize, stall: u32) {
        let problem = problem(pace);
        let mut watch = Watch::new(&problem, false);
        for columns in columns {
            let seen = columns.map(|x| Seen { at: Cell::new(x, 0), heading: None });
            watch.observe(&seen, &[Cell::new(5, 0), Cell::new(6, 0)]);
        }
        watch.finish();
        let found = (watch.violations, watch.longest_stall());
        assert_eq!(found, (violations, stall), "{:?}", watch.first_violation);
        assert_eq!(watch.unit_ticks(), 2 * columns.len() as u64);
    }

    #[test]
    fn units_that_move_too_far_or_collide_are_found_out() {
        check(1, &[[0, 7], [1, 6], [2, 6]], 0, 0);
        check(1, &[[0, 7], [2, 7]], 1, 1);
        check(1, &[[4, 7], [5, 6], [6, 5]], 1, 0);
    }

    #[test]
    fn stalls_count_only_short_of_the_goal() {
        check(1, &[[0, 7], [0, 6], [0, 6], [1, 6], [1, 6], [2, 6]], 0, 2);
    }

    #[test]
    fn the_steps_of_slow_units_are_told_from_later_ticks() {
        check(3, &[[0, 7], [0, 7], [0, 7], [1, 6], [1, 6], [1, 6], [2, 6]], 0, 0);
        check(3, &[[0, 7], [0, 7], [1, 7], [1, 6]], 1, 1);
        check(2, &[[0, 7], [0, 7], [0, 7], [1, 6]], 0, 1);
    }
}
