//! Figure 1: "this simple problem cannot be solved by Cooperative A*".

use throng::cooperative::{CooperativeAStar, Heuristic, Windowed};
use throng::model::{Budget, MovementProfile, Outcome, Planner, Problem, Silent, Unit};
use throng_draw::{Disc, Mark, Picture, Point, svg};

use crate::LabError;
use crate::harness::figure_map::FigureMap;
use crate::harness::{CaseId, Rule, Statement, Study, Values};

const UNSOLVED: Statement = Statement::new(
    "Figure 1",
    "\"this simple problem cannot be solved by Cooperative A*\"",
    "cannot be solved",
    Rule::is_so(),
)
.because("see the solver silver-ca");

/// Two units exchange places; one of them must wait in the bay.
const PROBLEM: &str = "
    a...b
    ##.##";

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let figure = FigureMap::new("1", PROBLEM)?;
    let (a, b) = (figure.cell('a')?, figure.cell('b')?);
    let units = vec![Unit::new(a, b), Unit::new(b, a)];
    let problem =
        Problem::new(figure.map.clone(), MovementProfile::four_connected(), units.clone());
    let id = CaseId { stage: "figure 1", seed: 0, case: 0 };
    let problem = id.valid(problem)?;
    let solves = |planner: &dyn Planner| -> Result<bool, LabError> {
        let report = planner.plan(&problem, 0, Budget::unlimited(), &mut Silent);
        let report = report.map_err(|error| id.illegal(error.to_string()))?;
        Ok(matches!(report.outcome, Outcome::Solved(_)))
    };
    let printed =
        |heuristic| CooperativeAStar { turns: 100, ..CooperativeAStar::silver2005(heuristic) };
    let [ca, hca] = [printed(Heuristic::Estimate), printed(Heuristic::TrueDistance)];
    let again = CooperativeAStar { tries_again: true, ..ca.clone() };
    let windowed = Windowed { turns: 100, ..Windowed::default() };
    let word = |solved: bool| if solved { "solves it" } else { "does not" };
    let detail = format!(
        "CA* {}, HCA* {}; with what we added: CA* that tries again {}, WHCA*(16) with promotion {}",
        word(solves(&ca)?),
        word(solves(&hca)?),
        word(solves(&again)?),
        word(solves(&windowed)?)
    );
    study.section("Figure 1", "The paper's drawing is not in our text of it; this is its kind.");
    let mut picture = Picture::new(&figure.map);
    for (unit, at) in units.iter().enumerate() {
        picture = picture.marked(Mark::ring(unit, at.goal, 1)).disc(Disc::unit(
            unit,
            Point::centre(at.start, 1),
            1,
        ));
    }
    let svg = svg(&picture.caption("each unit's goal is the other's start"));
    study.figure_beside("figure-1", "Figure 1: units that plan once cannot pass each other.", svg);
    study.judge_with(&UNSOLVED, &Values::so(!solves(&ca)?), &detail);
    Ok(())
}
