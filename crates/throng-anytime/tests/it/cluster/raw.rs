//! A cluster on the raw map: replay of plans, and a complete search over configurations. It shares
//! no code with the planner.

use std::collections::BTreeSet;

use throng_anytime::{ClusterOutcome, ClusterPlanner, ClusterStep, ClusterUnit};
use throng_model::{Cell, Problem};
use throng_spacetime::{Entry, FootprintRules, GridSpace, PassingRule, Space};
use throng_testkit::oracle;

pub(crate) struct RawCluster {
    pub(crate) problem: Problem,
    pub(crate) rules: FootprintRules,
    /// By unit.
    pub(crate) holds: Vec<bool>,
    /// By unit: its goal counts.
    pub(crate) has_goal: Vec<bool>,
    /// Cells that no unit may enter.
    pub(crate) closed: Vec<Cell>,
}

impl RawCluster {
    pub(crate) fn new(problem: Problem) -> Self {
        let units = problem.units.len();
        Self {
            problem,
            rules: FootprintRules::default(),
            holds: vec![false; units],
            has_goal: vec![true; units],
            closed: Vec::new(),
        }
    }

    fn body(&self, unit: usize, at: Cell) -> Vec<Cell> {
        let movement = self.problem.units[unit].movement;
        square(at, self.problem.movements[movement].footprint)
    }

    /// The cells that a step needs.
    fn needed(&self, unit: usize, from: Cell, to: Cell) -> Vec<Cell> {
        let kind = &self.problem.movements[self.problem.units[unit].movement];
        let is_diagonal = from.x != to.x && from.y != to.y;
        let is_strict = self.rules.passing == PassingRule::DoubleClaims || self.rules.corners_kept;
        if is_diagonal && (kind.pace > 1 || is_strict) {
            square(Cell::new(from.x.min(to.x), from.y.min(to.y)), kind.footprint + 1)
        } else {
            square(to, kind.footprint)
        }
    }

    fn is_legal(&self, places: &[Cell], unit: usize, to: Cell) -> bool {
        let kind = &self.problem.movements[self.problem.units[unit].movement];
        let steps = oracle::steps(&self.problem.map, kind, places[unit]);
        !self.holds[unit]
            && steps.iter().any(|step| step.0 == to)
            && self.needed(unit, places[unit], to).iter().all(|cell| {
                let holder = (0..places.len())
                    .find(|&other| other != unit && self.body(other, places[other]).contains(cell));
                holder.is_none() && !self.closed.contains(cell)
            })
    }

    fn is_done(&self, places: &[Cell]) -> bool {
        let counts = |unit: &usize| self.has_goal[*unit] && !self.holds[*unit];
        (0..places.len()).filter(counts).all(|unit| places[unit] == self.problem.units[unit].goal)
    }

    fn starts(&self) -> Vec<Cell> {
        self.problem.units.iter().map(|unit| unit.start).collect()
    }

    /// Complete search over all configurations.
    pub(crate) fn is_solvable(&self) -> bool {
        let mut seen = BTreeSet::from([self.starts()]);
        let mut open = vec![self.starts()];
        while let Some(places) = open.pop() {
            if self.is_done(&places) {
                return true;
            }
            for unit in 0..places.len() {
                let kind = &self.problem.movements[self.problem.units[unit].movement];
                for (to, _) in oracle::steps(&self.problem.map, kind, places[unit]) {
                    if self.is_legal(&places, unit, to) {
                        let mut after = places.clone();
                        after[unit] = to;
                        if seen.insert(after.clone()) {
                            open.push(after);
                        }
                    }
                }
            }
        }
        false
    }

    fn spaces(&self) -> Vec<GridSpace> {
        let space = |kind: &throng_model::MovementProfile| {
            GridSpace::new(&self.problem.map, kind.clone(), &self.rules).unwrap()
        };
        self.problem.movements.iter().map(space).collect()
    }

    pub(crate) fn plan(
        &self,
        planner: &mut ClusterPlanner,
        expansions: u64,
        seed: u64,
    ) -> ClusterOutcome {
        self.plan_in_slices(planner, expansions, seed, u64::MAX)
    }

    /// The same with a pause after so many expansions, again and again.
    pub(crate) fn plan_in_slices(
        &self,
        planner: &mut ClusterPlanner,
        expansions: u64,
        seed: u64,
        slice: u64,
    ) -> ClusterOutcome {
        let spaces = self.spaces();
        let unit = |(number, unit): (usize, &throng_model::Unit)| ClusterUnit {
            space: unit.movement,
            at: spaces[unit.movement].position(unit.start).unwrap(),
            goal: spaces[unit.movement].position(unit.goal).filter(|_| self.has_goal[number]),
            holds: self.holds[number],
        };
        let units: Vec<_> = self.problem.units.iter().enumerate().map(unit).collect();
        let closed: Vec<u32> =
            self.closed.iter().map(|&cell| self.problem.map.index(cell).unwrap().0).collect();
        let is_free = |entry: Entry| !closed.contains(&entry.0);
        planner.begin(&spaces, &units, is_free, expansions, seed);
        let outcome = std::iter::repeat_with(|| planner.resume(slice)).flatten().next().unwrap();
        if let ClusterOutcome::Solved(steps) = &outcome {
            self.replay(steps);
        }
        outcome
    }

    /// Every step is legal while all others stand, and all goals are reached.
    #[track_caller]
    fn replay(&self, steps: &[ClusterStep]) {
        let (spaces, mut places) = (self.spaces(), self.starts());
        for step in steps {
            let space = &spaces[self.problem.units[step.unit].movement];
            let from = space.position(places[step.unit]).unwrap();
            let to = space.cell(space.move_by(from, step.action).unwrap().to);
            assert!(
                self.is_legal(&places, step.unit, to),
                "{step:?} {places:?} {:?}",
                self.problem
            );
            places[step.unit] = to;
        }
        assert!(self.is_done(&places), "{places:?} {:?}", self.problem);
    }
}

fn square(at: Cell, side: u8) -> Vec<Cell> {
    let side = u16::from(side);
    (0..side * side).map(|cell| Cell::new(at.x + cell % side, at.y + cell / side)).collect()
}
