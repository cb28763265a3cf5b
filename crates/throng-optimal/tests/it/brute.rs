//! Small worlds, all of them, and what planners must answer there.

use throng_model::Weight;
use throng_model::{
    Cell, CornerRule, DiagonalCost, Map, MovementProfile, Outcome, Problem, Unit, ValidProblem,
};
use throng_optimal::JointAStar;

use crate::help::{OBJECTIVES, eight, plan, planners, refereed};
use crate::table::Table;

/// The movements that differ on a map: without walls there is no corner to cut.
pub(crate) fn movements_on(map: &Map) -> Vec<MovementProfile> {
    let has_walls = map.cells().any(|cell| !map.is_passable(cell));
    movements().into_iter().take(if has_walls { 4 } else { 2 }).collect()
}

/// The 4-connected world, the paper's, and its stricter rules for corners.
pub(crate) fn movements() -> Vec<MovementProfile> {
    let corners = |corners| MovementProfile {
        corners,
        diagonal: DiagonalCost::OneTick,
        ..MovementProfile::eight_connected()
    };
    let strict = [CornerRule::OneSideFree, CornerRule::NeverCut].map(corners);
    [MovementProfile::four_connected(), eight()].into_iter().chain(strict).collect()
}

/// All goals of some units on one map, and the starts to be planned from.
pub(crate) struct Job {
    pub(crate) map: Map,
    pub(crate) movement: MovementProfile,
    pub(crate) goals: Vec<Cell>,
    pub(crate) starts: Vec<Vec<Cell>>,
}

/// How much was judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) instances: u64,
    pub(crate) unsolvable: u64,
    pub(crate) answers: u64,
}

impl Count {
    pub(crate) fn add(&mut self, other: Self) {
        self.instances += other.instances;
        self.unsolvable += other.unsolvable;
        self.answers += other.answers;
    }
}

impl Job {
    /// Judges every planner's answer to every instance, for both objectives. Of the weighted
    /// planners, each instance gets another one in `weighted_every`.
    pub(crate) fn run(&self, weighted_every: usize) -> Count {
        let mut count = Count::default();
        for objective in OBJECTIVES {
            let table = Table::new(&self.map, &self.movement, objective, &self.goals);
            for (number, starts) in self.starts.iter().enumerate() {
                let expected = table.cost(starts);
                let problem = self.problem(starts);
                let weighted = weighted().into_iter().skip(number % weighted_every);
                for planner in planners().into_iter().chain(weighted.step_by(weighted_every)) {
                    judge(&planner.with_objective(objective), &problem, expected);
                    count.answers += 1;
                }
                count.instances += 1;
                count.unsolvable += u64::from(expected.is_none());
            }
        }
        count
    }

    /// The instance of one row of starts.
    pub(crate) fn problem(&self, starts: &[Cell]) -> ValidProblem {
        let ends = starts.iter().zip(&self.goals);
        let units = ends.map(|(&start, &goal)| Unit::new(start, goal)).collect();
        Problem::new(self.map.clone(), self.movement.clone(), units).validate().unwrap()
    }
}

/// Every combination of switches, with weights 1.1 and 1.5.
pub(crate) fn weighted() -> Vec<JointAStar> {
    let weights = [1100, 1500].map(|permille| Weight::from_permille(permille).unwrap());
    let with = |planner: JointAStar| weights.map(|weight| planner.clone().with_weight(weight));
    planners().into_iter().flat_map(with).collect()
}

/// Whether a planner's answer is the truth: a legal plan whose cost is the best, or within the
/// weight of it, or the proof that there is none.
#[track_caller]
pub(crate) fn judge(planner: &JointAStar, problem: &ValidProblem, expected: Option<u64>) {
    let outcome = plan(planner, problem).outcome;
    let Some(optimum) = expected else {
        assert!(matches!(outcome, Outcome::ProvenUnsolvable(_)), "{planner:?} {problem:?}");
        return;
    };
    assert!(matches!(outcome, Outcome::Solved(_)), "{optimum} {outcome:?} {planner:?} {problem:?}");
    let solution = refereed(problem, planner.objective, outcome);
    let range = solution.proven_bound..=solution.cost;
    assert!(range.contains(&optimum), "{optimum} {range:?} {planner:?} {problem:?}");
    let most = planner.weight.times(solution.proven_bound);
    assert!(solution.cost <= most, "{optimum} {range:?} {planner:?} {problem:?}");
}

/// The maps of `side` x `side` cells with this many walls, one of every kind that turns and
/// reflections make equal.
pub(crate) fn maps(width: u32, height: u32, walls: std::ops::RangeInclusive<u32>) -> Vec<Map> {
    let turns = turns(width, height);
    let mut maps = Vec::new();
    for mask in 0..1_u32 << (width * height) {
        let is_first = turns.iter().all(|turn| image(mask, turn) >= mask);
        if is_first && walls.contains(&mask.count_ones()) {
            let mut map = Map::empty(width, height).unwrap();
            let cells: Vec<Cell> = map.cells().collect();
            map.paint(&members(mask, &cells), Map::WALL).unwrap();
            maps.push(map);
        }
    }
    maps
}

/// The sets of this many goals, one of every kind that the map's own symmetries make equal.
pub(crate) fn goals(map: &Map, units: u32) -> Vec<Vec<Cell>> {
    let cells: Vec<Cell> = map.cells().collect();
    let numbered = cells.iter().enumerate();
    let walls = numbered.filter(|&(_, &cell)| !map.is_passable(cell));
    let walls = walls.fold(0, |mask, (number, _)| mask | 1 << number);
    let mut turns = turns(u32::from(map.width()), u32::from(map.height()));
    turns.retain(|turn| image(walls, turn) == walls);
    let is_kept = |&mask: &u32| {
        mask.count_ones() == units
            && mask & walls == 0
            && turns.iter().all(|turn| image(mask, turn) >= mask)
    };
    (0..1 << cells.len()).filter(is_kept).map(|mask| members(mask, &cells)).collect()
}

/// All placements of this many distinguishable units on free cells.
pub(crate) fn placements(map: &Map, units: usize) -> Vec<Vec<Cell>> {
    let mut placed: Vec<Vec<Cell>> = vec![Vec::new()];
    for _ in 0..units {
        let onward = |taken: &Vec<Cell>| {
            let free = map.cells().filter(|&cell| map.is_passable(cell) && !taken.contains(&cell));
            free.map(|cell| [&taken[..], &[cell]].concat()).collect::<Vec<_>>()
        };
        placed = placed.iter().flat_map(onward).collect();
    }
    placed
}

/// Every instance of this many units on a map, up to symmetry and the units' names.
pub(crate) fn all_jobs(map: &Map, movement: &MovementProfile, units: u32) -> Vec<Job> {
    let starts = placements(map, units as usize);
    if starts.is_empty() {
        return Vec::new();
    }
    let job =
        |goals| Job { map: map.clone(), movement: movement.clone(), goals, starts: starts.clone() };
    goals(map, units).into_iter().map(job).collect()
}

fn members(mask: u32, cells: &[Cell]) -> Vec<Cell> {
    let is_member = |&(number, _): &(usize, &Cell)| mask >> number & 1 == 1;
    cells.iter().enumerate().filter(is_member).map(|(_, &cell)| cell).collect()
}

fn image(mask: u32, turn: &[u32]) -> u32 {
    let numbered = turn.iter().enumerate();
    numbered.fold(0, |turned, (number, to)| turned | (mask >> number & 1) << to)
}

/// Where each cell comes to by the turns and reflections that keep a map's sides.
fn turns(width: u32, height: u32) -> Vec<Vec<u32>> {
    let mut turns = Vec::new();
    for kind in 0..8 {
        let is_transposed = kind & 4 != 0;
        if is_transposed && width != height {
            continue;
        }
        let turned = |cell: u32| {
            let (mut x, mut y) = (cell % width, cell / width);
            x = if kind & 1 == 0 { x } else { width - 1 - x };
            y = if kind & 2 == 0 { y } else { height - 1 - y };
            if is_transposed { x * width + y } else { y * width + x }
        };
        turns.push((0..width * height).map(turned).collect());
    }
    turns
}
