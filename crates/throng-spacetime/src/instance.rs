//! A planning problem on any space: units with their starts and goals.

use throng_model::{Cell, Conflicts, MovementProfile, Plan, ValidProblem};

use crate::{FootprintRules, GridSpace, Position, Space};

/// One unit of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstanceUnit {
    /// Where it is.
    pub start: Position,
    /// Where it is to go.
    pub goal: Position,
    /// Which of the instance's spaces is its own.
    pub space: usize,
}

/// Units and the spaces in which they move, one for each kind of unit, all over the same
/// entries of the reservation table.
#[derive(Clone, Debug)]
pub struct Instance<S> {
    /// The spaces, one for each kind of unit.
    pub spaces: Vec<S>,
    /// The units.
    pub units: Vec<InstanceUnit>,
}

impl<S: Space> Instance<S> {
    /// The space of a unit.
    #[must_use]
    pub fn space(&self, spec: usize) -> &S {
        &self.spaces[self.units[spec].space]
    }
}

impl Instance<GridSpace> {
    /// The instance of a problem, with footprints by these rules. The problem says which conflicts
    /// count.
    #[must_use]
    pub fn of(problem: &ValidProblem, rules: &FootprintRules) -> Self {
        Self::with(problem, rules, MovementProfile::clone)
    }

    /// As [`Instance::of`], but the cost of every move is the ticks that it takes: terrain and the
    /// length of diagonals do not count.
    #[must_use]
    pub fn by_time(problem: &ValidProblem, rules: &FootprintRules) -> Self {
        Self::with(problem, rules, |movement| movement.by_time(&problem.map))
    }

    fn with(
        problem: &ValidProblem,
        rules: &FootprintRules,
        profile: impl Fn(&MovementProfile) -> MovementProfile,
    ) -> Self {
        let rules = FootprintRules { conflicts: counted(problem), ..rules.clone() };
        let spaces: Vec<_> = problem
            .movements
            .iter()
            .filter_map(|movement| GridSpace::new(&problem.map, profile(movement), &rules).ok())
            .collect();
        let position = |cell: Cell| Position(problem.map.index(cell).map_or(0, |index| index.0));
        let units = problem.units.iter().map(|unit| InstanceUnit {
            start: position(unit.start),
            goal: position(unit.goal),
            space: unit.movement,
        });
        Self { units: units.collect(), spaces }
    }

    /// Timed positions as a plan of cells.
    #[must_use]
    pub fn plan(&self, paths: &[Vec<Position>]) -> Plan {
        let Some(space) = self.spaces.first() else { return Plan::default() };
        let cells = |path: &Vec<Position>| path.iter().map(|&at| space.cell(at)).collect();
        Plan { paths: paths.iter().map(cells).collect() }
    }
}

/// A body of one cell that exchanges places with a larger one is a conflict in any case.
fn counted(problem: &ValidProblem) -> Conflicts {
    let larger = problem.movements.iter().any(|movement| movement.footprint > 1);
    Conflicts {
        swap: problem.conflicts.swap || larger,
        crossing: problem.conflicts.crossing || larger,
    }
}
