//! Goals that close a way: one or two goals that together separate the map.
//!
//! A unit whose start and goal lie on different sides must pass before all units of these goals
//! are parked (target conflicts: J. Li, D. Harabor, P. Stuckey, H. Ma, G. Gange, S. Koenig,
//! "Pairwise symmetry reasoning for multi-agent path finding search", 2021; here for two parked
//! units as well).

use throng_model::Effort;

use super::lower_bound::spend;
use super::task::Task;

/// The sides of the goals themselves, and of positions that are not connected with them.
const GOAL: u8 = 0;
const NONE: u8 = u8::MAX;
/// Most positions that are visited for all separators.
const VISITS_MAX: usize = 20_000_000;

/// Units whose goals separate the map. Steps lead both ways, so a side is left only through the
/// goals.
#[derive(Clone, Debug)]
pub(crate) struct Separator {
    /// One or two units.
    pub(crate) parked: Vec<usize>,
    /// The units that have to pass one of the goals, in order.
    pub(crate) crossing: Vec<usize>,
    /// On which side each position is.
    sides: Vec<u8>,
}

/// A step between a goal of a separator and the side on which the goal of a crossing unit is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gate {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Whether it leads to that side.
    pub(crate) is_exit: bool,
}

impl Separator {
    /// The gates of a crossing unit. It takes exits and the others in turn, and an exit last.
    pub(crate) fn gates(&self, task: &Task, unit: usize) -> Vec<Gate> {
        let home = self.sides[task.goals[unit] as usize];
        let mut gates = Vec::new();
        for from in 0..task.steps.positions() as u32 {
            for step in task.steps.from(from) {
                let sides = [from, step.to].map(|at| self.sides[at as usize]);
                if sides == [GOAL, home] || sides == [home, GOAL] {
                    gates.push(Gate { from, to: step.to, is_exit: sides[0] == GOAL });
                }
            }
        }
        gates
    }

    /// Whether a unit starts on another side than that of its goal.
    fn separates(&self, task: &Task, unit: usize) -> bool {
        let [start, goal] = [task.starts[unit], task.goals[unit]].map(|at| self.sides[at as usize]);
        goal != GOAL && start != goal
    }
}

/// All separators of one goal, then those of two goals that are at most two steps apart, as far
/// as the effort allows to find them. A unit that one of two goals stops crosses only that one.
pub(crate) fn separators(task: &Task, effort: &mut Effort<'_>) -> Vec<Separator> {
    let mut search = SeparatorSearch { task, left: VISITS_MAX, reached: Vec::new() };
    let mut found: Vec<Separator> = Vec::new();
    let mut alone = vec![None; task.units()];
    for (unit, alone) in alone.iter_mut().enumerate() {
        if let Some(separator) = search.separator(vec![unit], effort) {
            *alone = Some(found.len());
            found.push(separator);
        }
    }
    for [first, second] in close_goals(task) {
        if let Some(mut separator) = search.separator(vec![first, second], effort) {
            for single in [first, second].iter().filter_map(|&unit| alone[unit]) {
                let single: &Separator = &found[single];
                separator.crossing.retain(|unit| single.crossing.binary_search(unit).is_err());
            }
            found.push(separator);
        }
    }
    found.retain(|separator| !separator.crossing.is_empty());
    found
}

/// The pairs of units whose goals are at most two steps apart, in order.
fn close_goals(task: &Task) -> Vec<[usize; 2]> {
    let mut of_position = vec![None; task.steps.positions()];
    for (unit, &goal) in task.goals.iter().enumerate() {
        of_position[goal as usize] = Some(unit);
    }
    let mut pairs = Vec::new();
    for (first, &goal) in task.goals.iter().enumerate() {
        let near = |at: u32| task.steps.from(at).iter().map(|step| step.to);
        let close = near(goal).flat_map(|at| near(at).chain([at]));
        let units = close.filter_map(|at| of_position[at as usize]);
        pairs.extend(units.filter(|&second| first < second).map(|second| [first, second]));
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

struct SeparatorSearch<'a> {
    task: &'a Task,
    /// Visits left.
    left: usize,
    /// Scratch: the positions of a flood.
    reached: Vec<u32>,
}

impl SeparatorSearch<'_> {
    /// The separator of these units, if their goals separate the map.
    fn separator(&mut self, parked: Vec<usize>, effort: &mut Effort<'_>) -> Option<Separator> {
        let task = self.task;
        let mut sides = vec![NONE; task.steps.positions()];
        for &unit in &parked {
            sides[task.goals[unit] as usize] = GOAL;
        }
        let steps = parked.iter().flat_map(|&unit| task.steps.from(task.goals[unit]));
        let mut ends: Vec<u32> = steps.map(|step| step.to).collect();
        ends.retain(|&at| sides[at as usize] == NONE);
        ends.sort_unstable();
        ends.dedup();
        let mut side = GOAL;
        for &end in &ends {
            if sides[end as usize] == NONE {
                side += 1;
                if !self.flood(end, side, &mut sides, &ends, effort) {
                    return None;
                }
            }
        }
        let mut separator = Separator { parked, crossing: Vec::new(), sides };
        separator.crossing =
            (0..task.units()).filter(|&unit| separator.separates(task, unit)).collect();
        Some(separator)
    }

    /// Marks the side of `start`. Whether the effort allows that and it is not the only side:
    /// not all `ends` are on it.
    fn flood(
        &mut self,
        start: u32,
        side: u8,
        sides: &mut [u8],
        ends: &[u32],
        effort: &mut Effort<'_>,
    ) -> bool {
        sides[start as usize] = side;
        self.reached.clear();
        self.reached.push(start);
        let mut missing = ends.len() - 1;
        let mut next = 0;
        while let Some(&at) = self.reached.get(next) {
            next += 1;
            for step in self.task.steps.from(at) {
                let to = step.to as usize;
                if sides[to] == NONE {
                    sides[to] = side;
                    self.reached.push(step.to);
                    missing -= usize::from(ends.binary_search(&step.to).is_ok());
                }
            }
            if missing == 0 {
                break;
            }
        }
        let may_go_on = next <= self.left && spend(effort, next);
        self.left = self.left.saturating_sub(next);
        may_go_on && missing > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lns::lower_bound::tests::drawn_task;

    /// The expected separators: those that park, and those that cross.
    #[track_caller]
    fn check(drawing: &str, expected: &[(&[usize], &[usize])]) {
        let (task, _) = drawn_task(drawing);
        let found = separators(&task, &mut Effort::unlimited());
        let found: Vec<_> =
            found.iter().map(|found| (&found.parked[..], &found.crossing[..])).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn goals_in_corridors_separate() {
        check("a.A", &[]);
        check("b#a\n...\n#A#\n#B#", &[(&[0], &[1])]);
        check("a.b\n.A.\n..B", &[]);
    }

    #[test]
    fn two_goals_separate_wide_corridors() {
        check("a.A.C\nb.B.c", &[]);
        check("a.A.C\nbcB..", &[(&[0, 1], &[2])]);
        check("a.A..C\nbc.B..", &[(&[0, 1], &[2])]);
        check("a.A...C\nbc..B..", &[]);
    }

    #[test]
    fn a_unit_crosses_the_smaller_separator_only() {
        check("a..#B.\nbc.A.C", &[(&[0], &[1, 2])]);
    }

    #[test]
    fn a_crossing_unit_takes_gates_to_the_side_of_its_goal() {
        let (task, _) = drawn_task("a.A.C\nbcB..");
        let found = separators(&task, &mut Effort::unlimited());
        let gates = found[0].gates(&task, 2);
        assert_eq!(gates.len(), 4);
        assert_eq!(gates.iter().filter(|gate| gate.is_exit).count(), 2);
    }
}
