//! A problem: a map and units with starts and goals. Planners take only a [`ValidProblem`].

use std::fmt;
use std::ops::Deref;

use crate::limits::UNITS_MAX;
use crate::{Cell, Conflicts, Factor, Map, MovementError, MovementProfile, UnitId};

/// One unit: its start, its goal and its movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Where it is at tick 0.
    pub start: Cell,
    /// The cell where it must stay in the end.
    pub goal: Cell,
    /// Index into [`Problem::movements`].
    pub movement: usize,
}

impl Unit {
    /// A unit with the problem's first movement profile.
    #[must_use]
    pub fn new(start: impl Into<Cell>, goal: impl Into<Cell>) -> Self {
        Self { start: start.into(), goal: goal.into(), movement: 0 }
    }
}

/// A map and the units on it, as given: nothing is checked yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The map.
    pub map: Map,
    /// The movement profiles that units refer to.
    pub movements: Vec<MovementProfile>,
    /// The units.
    pub units: Vec<Unit>,
    /// Which conflicts count besides vertex conflicts.
    pub conflicts: Conflicts,
}

impl Problem {
    /// A problem whose units all move alike.
    #[must_use]
    pub fn new(map: Map, movement: MovementProfile, units: Vec<Unit>) -> Self {
        Self { map, movements: vec![movement], units, conflicts: Conflicts::default() }
    }

    /// Checks everything that planners rely on, and reports every mistake.
    ///
    /// ```
    /// use throng_model::{Map, MovementProfile, Problem, Unit};
    /// let map = Map::empty(3, 1)?;
    /// let units = vec![Unit::new((0, 0), (7, 0))];
    /// let errors = Problem::new(map, MovementProfile::four_connected(), units).validate().unwrap_err();
    /// assert!(errors.to_string().contains("unit 0: goal (7,0) is off the map"));
    /// # Ok::<(), throng_model::MapError>(())
    /// ```
    ///
    /// # Errors
    /// With every mistake found, each naming unit and cell.
    pub fn validate(self) -> Result<ValidProblem, ProblemErrors> {
        let mut errors = Vec::new();
        self.check_sizes(&mut errors);
        let factors: Vec<_> = self.movements.iter().map(|m| m.factors(&self.map)).collect();
        for (index, unit) in self.units.iter().enumerate() {
            let id = UnitId::new(index as u32);
            let Some(movement) = self.movements.get(unit.movement) else {
                errors.push(ProblemError::NoSuchMovement { unit: id, movement: unit.movement });
                continue;
            };
            let factors = &factors[unit.movement];
            for (end, cell) in [("start", unit.start), ("goal", unit.goal)] {
                self.check_place(id, end, cell, movement, factors, &mut errors);
            }
        }
        self.check_overlaps("start", |unit| unit.start, &mut errors);
        self.check_overlaps("goal", |unit| unit.goal, &mut errors);
        if errors.is_empty() { Ok(ValidProblem(self)) } else { Err(ProblemErrors(errors)) }
    }

    fn check_sizes(&self, errors: &mut Vec<ProblemError>) {
        if self.units.len() > UNITS_MAX {
            errors.push(ProblemError::TooManyUnits(self.units.len()));
        }
        for (index, movement) in self.movements.iter().enumerate() {
            if let Err(error) = movement.validate() {
                errors.push(ProblemError::MovementProfile { index, error });
            }
        }
    }

    fn check_place(
        &self,
        unit: UnitId,
        end: &'static str,
        cell: Cell,
        movement: &MovementProfile,
        factors: &[Option<Factor>],
        errors: &mut Vec<ProblemError>,
    ) {
        let side = i32::from(movement.footprint);
        for (dy, dx) in (0..side).flat_map(|dy| (0..side).map(move |dx| (dy, dx))) {
            let covered = cell.offset(dx, dy);
            match covered.and_then(|c| self.map.terrain_at(c)) {
                None => {
                    let (width, height) = (self.map.width(), self.map.height());
                    errors.push(ProblemError::OffMap { unit, end, cell, width, height });
                    return;
                }
                Some(terrain) if factors[terrain.get()].is_none() => {
                    let class = self.map.classes()[terrain.get()].name.clone();
                    errors.push(ProblemError::InWall { unit, end, cell, class });
                    return;
                }
                Some(_) => {}
            }
        }
    }

    /// Two units may not start, nor end, on cells that they share.
    fn check_overlaps(
        &self,
        end: &'static str,
        place: impl Fn(&Unit) -> Cell,
        errors: &mut Vec<ProblemError>,
    ) {
        let cells = usize::from(self.map.width()) * usize::from(self.map.height());
        let mut holder: Vec<Option<UnitId>> = vec![None; cells];
        for (index, unit) in self.units.iter().enumerate() {
            let side = i32::from(self.movements.get(unit.movement).map_or(1, |m| m.footprint));
            let second = UnitId::new(index as u32);
            let mut reported = false;
            for (dy, dx) in (0..side).flat_map(|dy| (0..side).map(move |dx| (dy, dx))) {
                let Some(cell) = place(unit).offset(dx, dy) else { continue };
                let Some(at) = self.map.index(cell) else { continue };
                match holder[at.get()] {
                    Some(first) if !reported => {
                        let is_same = place(&self.units[first.index()]) == place(unit);
                        errors.push(match is_same {
                            true => ProblemError::Shared { end, first, second, cell },
                            false => ProblemError::Overlap { end, first, second, cell },
                        });
                        reported = true;
                    }
                    Some(_) => {}
                    None => holder[at.get()] = Some(second),
                }
            }
        }
    }
}

/// A problem that passed [`Problem::validate`].
///
/// Starts and goals are on passable ground, no two units share one, and every movement profile
/// is within its limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidProblem(Problem);

impl ValidProblem {
    /// The problem as plain data again.
    #[must_use]
    pub fn into_inner(self) -> Problem {
        self.0
    }
}

impl Deref for ValidProblem {
    type Target = Problem;
    fn deref(&self) -> &Problem {
        &self.0
    }
}

/// One mistake in a problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProblemError {
    /// More units than the limit.
    #[error("{0} units: the limit is {UNITS_MAX}")]
    TooManyUnits(usize),
    /// A movement profile outside its limits.
    #[error("movement {index}: {error}")]
    MovementProfile {
        /// The index of the movement profile.
        index: usize,
        /// What is wrong with it.
        error: MovementError,
    },
    /// A unit refers to a movement profile that does not exist.
    #[error("{unit}: movement {movement} does not exist; add it to the problem's movements")]
    NoSuchMovement {
        /// The unit.
        unit: UnitId,
        /// The index of the movement profile.
        movement: usize,
    },
    /// A start or goal beyond the edge (with its whole footprint).
    #[error("{unit}: {end} {cell} is off the map of {width} x {height} cells; move it inside")]
    OffMap {
        /// The unit.
        unit: UnitId,
        /// `start` or `goal`.
        end: &'static str,
        /// The cell.
        cell: Cell,
        /// Columns of the map.
        width: u16,
        /// Rows of the map.
        height: u16,
    },
    /// A start or goal on impassable terrain (with its whole footprint).
    #[error("{unit}: {end} {cell} is on impassable {class}; choose a free cell")]
    InWall {
        /// The unit.
        unit: UnitId,
        /// `start` or `goal`.
        end: &'static str,
        /// The cell.
        cell: Cell,
        /// Name of the terrain there.
        class: String,
    },
    /// Two units with one start or one goal.
    #[error("{first} and {second} have the same {end} {cell}; give each its own")]
    Shared {
        /// `start` or `goal`.
        end: &'static str,
        /// The unit that comes first in the list.
        first: UnitId,
        /// The other unit.
        second: UnitId,
        /// The cell.
        cell: Cell,
    },
    /// Two units whose bodies overlap at their starts or at their goals.
    #[error("{first} and {second} both cover {cell} at their {end}s; move them apart")]
    Overlap {
        /// `start` or `goal`.
        end: &'static str,
        /// The unit that comes first in the list.
        first: UnitId,
        /// The other unit.
        second: UnitId,
        /// A cell that both cover.
        cell: Cell,
    },
}

/// All mistakes found in a problem. Shows the first ten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemErrors(pub Vec<ProblemError>);

impl fmt::Display for ProblemErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 10;
        for (index, error) in self.0.iter().take(SHOWN).enumerate() {
            write!(f, "{}{error}", if index == 0 { "" } else { "\n" })?;
        }
        match self.0.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}

impl std::error::Error for ProblemErrors {}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(movement: MovementProfile, units: &[(u16, u16, u16, u16)]) -> Vec<String> {
        let mut map = Map::empty(5, 5).unwrap();
        map.set(Cell::new(2, 2), Map::WALL).unwrap();
        let units = units.iter().map(|&(a, b, c, d)| Unit::new((a, b), (c, d))).collect();
        match Problem::new(map, movement, units).validate() {
            Ok(_) => Vec::new(),
            Err(errors) => errors.0.iter().map(ToString::to_string).collect(),
        }
    }

    #[test]
    fn every_mistake_is_named() {
        let found =
            errors(MovementProfile::four_connected(), &[(0, 0, 9, 0), (0, 0, 2, 2), (1, 1, 1, 1)]);
        assert_eq!(
            found,
            [
                "unit 0: goal (9,0) is off the map of 5 x 5 cells; move it inside",
                "unit 1: goal (2,2) is on impassable wall; choose a free cell",
                "unit 0 and unit 1 have the same start (0,0); give each its own",
            ]
        );
    }

    #[test]
    fn a_unit_may_start_on_its_goal_and_on_anothers() {
        assert!(errors(MovementProfile::four_connected(), &[(0, 0, 0, 0)]).is_empty());
        assert!(
            errors(MovementProfile::four_connected(), &[(0, 0, 1, 1), (1, 1, 0, 0)]).is_empty()
        );
    }

    #[test]
    fn a_footprint_counts_with_all_its_cells() {
        let big = MovementProfile { footprint: 2, ..MovementProfile::eight_connected() };
        let found = errors(big, &[(1, 1, 4, 0), (0, 3, 3, 3), (1, 3, 0, 0)]);
        assert_eq!(
            found,
            [
                "unit 0: start (1,1) is on impassable wall; choose a free cell",
                "unit 0: goal (4,0) is off the map of 5 x 5 cells; move it inside",
                "unit 1 and unit 2 both cover (1,3) at their starts; move them apart",
            ]
        );
    }
}
