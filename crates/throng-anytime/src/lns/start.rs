//! From a problem and a plan to flat arrays, with all that could be wrong with them.

use throng_model::{Budget, Conflicts, Neighbours, Plan, PlanError, ValidProblem};

use super::boards::Layout;
use super::occupancy::Occupancy;
use super::steps::Steps;
use super::task::Task;
use super::{ImproveError, Lns};
use crate::movement::{common_graph, common_movement, unsupported};
use crate::{Distances, UNREACHED, Vertex};

const NAME: &str = "lns";
/// Most true distances that are kept: 4 GiB.
const DISTANCES_MAX: usize = 1 << 31;

/// The problem in flat arrays.
pub(crate) fn task(
    lns: &Lns,
    problem: &ValidProblem,
    budget: Budget<'_>,
) -> Result<Task, ImproveError> {
    refuse_unsupported(problem)?;
    if problem.units.is_empty() {
        return Err(ImproveError::Start("the problem has no units".to_owned()));
    }
    let graph = common_graph(problem, NAME)?;
    let vertex = |cell| graph.vertex(cell).unwrap_or(Vertex(0));
    let starts = problem.units.iter().map(|unit| vertex(unit.start).0).collect();
    let goals: Vec<Vertex> = problem.units.iter().map(|unit| vertex(unit.goal)).collect();
    if goals.len().saturating_mul(graph.len()) > DISTANCES_MAX {
        return Err(ImproveError::Size { units: goals.len(), positions: graph.len() });
    }
    let distances = Distances::compute(&graph, &goals, lns.threads.max(1), budget)
        .ok_or(ImproveError::Interrupted)?;
    let steps = Steps::new(&graph, problem.conflicts);
    let goals = goals.into_iter().map(|goal| goal.0).collect();
    let objective = lns.objective;
    let layout = Layout::new(&graph, problem.conflicts);
    let least = Vec::new();
    let mut task = Task { graph, steps, layout, distances, starts, goals, least, objective };
    task.least = (0..task.units()).map(|unit| task.distance(unit, task.starts[unit])).collect();
    match task.least.iter().position(|&distance| distance == UNREACHED) {
        Some(unit) => Err(ImproveError::Start(format!("unit {unit} cannot reach its goal"))),
        None => Ok(task),
    }
}

/// Refuses units that move in ways that are not supported. Beyond what LaCAM refuses: diagonal steps
/// that may exchange places but not cross, since both take one passage.
pub(crate) fn refuse_unsupported(problem: &ValidProblem) -> Result<(), PlanError> {
    let movement = common_movement(problem, NAME)?;
    if movement.neighbours == Neighbours::Eight && is_swap_alone(problem.conflicts) {
        let what = "diagonal steps that may exchange places but not cross";
        return Err(unsupported(NAME, 0, what.to_owned()));
    }
    Ok(())
}

/// Whether diagonal steps may exchange places, but not cross.
fn is_swap_alone(conflicts: Conflicts) -> bool {
    conflicts.crossing && !conflicts.swap
}

/// The paths of a plan up to the last arrival of each unit, if the plan is a solution.
pub(crate) fn paths(task: &Task, plan: &Plan) -> Result<Vec<Vec<u32>>, ImproveError> {
    if plan.paths.len() != task.units() {
        let counts = format!("{} paths for {} units", plan.paths.len(), task.units());
        return Err(ImproveError::Start(counts));
    }
    let paths = (0..task.units()).map(|unit| path(task, plan, unit));
    let paths: Vec<Vec<u32>> = paths.collect::<Result<_, _>>()?;
    let last_tick = paths.iter().map(Vec::len).max().unwrap_or(0) as u32;
    let mut occupancy = Occupancy::new(&task.steps, last_tick);
    for (unit, path) in paths.iter().enumerate() {
        if !occupancy.is_free(&task.steps, path) {
            let message = format!("unit {unit} conflicts with a unit before it");
            return Err(ImproveError::Start(message));
        }
        occupancy.toggle(&task.steps, path);
    }
    Ok(paths)
}

fn path(task: &Task, plan: &Plan, unit: usize) -> Result<Vec<u32>, ImproveError> {
    let wrong = |what: &str| ImproveError::Start(format!("unit {unit} {what}"));
    let cells = plan.paths[unit].iter();
    let mut path: Vec<u32> = cells
        .map(|&cell| task.graph.vertex(cell).map(|vertex| vertex.0))
        .collect::<Option<_>>()
        .ok_or_else(|| wrong("stands on a wall"))?;
    if path.first() != Some(&task.starts[unit]) {
        return Err(wrong("does not begin on its start"));
    }
    if path.last() != Some(&task.goals[unit]) {
        return Err(wrong("does not end on its goal"));
    }
    if path.windows(2).any(|pair| task.steps.passage(pair[0], pair[1]).is_none()) {
        return Err(wrong("makes a step that is not legal"));
    }
    let goal = task.goals[unit];
    let away = path.iter().rposition(|&at| at != goal);
    path.truncate(away.map_or(1, |tick| tick + 2));
    Ok(path)
}
