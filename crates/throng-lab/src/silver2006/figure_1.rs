//! Figure 1: two units pathfind cooperatively. The second plans around the first's reservations.

use throng::cooperative::{CooperativeAStar, PlanningOrder};
use throng::model::{Budget, Cell, MovementProfile, Outcome, Planner as _, Problem, Silent, Unit};

use crate::LabError;
use crate::harness::figure_map::FigureMap;
use crate::harness::number_grid::number_grid;
use crate::harness::svg_layout::beside;
use crate::harness::{CaseId, Rule, Statement, Study, Values};

const COORDINATED: Statement = Statement::new(
    "Figure 1",
    "the second unit plans \"taking account of existing reservations\": both arrive, the second a tick later than alone",
    "coordinated",
    Rule::is_so(),
)
.because("see the picture");

const FIGURE: &str = "
    ..b..
    .....
    a...A
    .....
    ..B..";

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let figure = FigureMap::new("1", FIGURE)?;
    let unit = |from, to| Ok::<_, LabError>(Unit::new(figure.cell(from)?, figure.cell(to)?));
    let units = vec![unit('a', 'A')?, unit('b', 'B')?];
    let id = CaseId { stage: "figure 1", seed: 0, case: 0 };
    let problem = Problem::new(figure.map.clone(), MovementProfile::four_connected(), units);
    let problem = id.valid(problem)?;
    let planner = CooperativeAStar { order: PlanningOrder::Given, ..CooperativeAStar::hca() };
    let report = planner.plan(&problem, 0, Budget::unlimited(), &mut Silent);
    let report = report.map_err(|error| id.illegal(error.to_string()))?;
    let Outcome::Solved(solution) = report.outcome else {
        return Err(figure.error("not solved"));
    };
    id.judge_plan(&problem, &solution.plan)?;
    let paths = &solution.plan.paths;
    let tick = |unit: usize, cell: Cell| paths[unit].iter().rposition(|&at| at == cell);
    let picture = |unit: usize, caption: &str| {
        let ends = [(problem.units[unit].start, 's'), (problem.units[unit].goal, 'g')];
        number_grid(&figure.map, caption, &ends, |cell| tick(unit, cell).map(|tick| tick as u64))
    };
    study.section(
        "Figure 1",
        "The last tick at which each cell is reserved, from the start (s) to the goal (g). The second \
         unit waits once.",
    );
    let pictures = [picture(0, "A: the first unit")?, picture(1, "B: the second unit")?];
    study.figure("figure-1", beside(&pictures));
    let is_coordinated = solution.cost == 4 + 5;
    study.judge(&COORDINATED, &Values::so(is_coordinated));
    Ok(())
}
