//! Plan queries: `POST /v1/plan`. A MAPF problem in, a refereed plan out.

use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};
use throng::Solver;
use throng::model::{
    Budget, Map, Outcome, Plan, Planner as _, Problem, Report, Silent, Unit, ValidProblem,
};
use throng::referee;

use super::body::parse;
use super::movement::MovementJson;
use super::on_map::MapName;
use crate::clock::Moment;
use crate::error::Refusal;
use crate::messages::CellJson;
use crate::server::Shared;

/// Expansions of a plan that names no budget, and the most that it can name.
const BUDGET_DEFAULT: u64 = 2_000_000;
const BUDGET_MAX: u64 = 20_000_000;
/// Planning ends after this time in any case.
const TIME_MAX: Duration = Duration::from_secs(10);
/// Most units, and most cells of the map.
const UNITS_MAX: usize = 2_000;
const CELLS_MAX: usize = 1 << 18;
/// Most violations listed.
const VIOLATIONS_LISTED: usize = 20;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct UnitJson {
    from: CellJson,
    to: CellJson,
}

#[derive(Debug, Deserialize)]
struct PlanBody {
    #[serde(flatten)]
    map: MapName,
    units: Vec<UnitJson>,
    #[serde(default)]
    movement: MovementJson,
    #[serde(default = "auto")]
    solver: String,
    budget: Option<u64>,
    #[serde(default)]
    seed: u64,
}

fn auto() -> String {
    "auto".to_owned()
}

pub(crate) async fn plan(
    State(shared): State<Shared>,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let asked: PlanBody = parse(&body)?;
    asked.check()?;
    let (_, map) = asked.map.find(&shared).await?;
    shared.pool.run(move || asked.plan(&map)).await.map(Json)
}

impl PlanBody {
    fn check(&self) -> Result<(), Refusal> {
        if self.budget.is_some_and(|budget| budget == 0 || budget > BUDGET_MAX) {
            return Err(Refusal::bad(format!("budget: give 1 to {BUDGET_MAX} expansions")));
        }
        let count = self.units.len();
        if count == 0 || count > UNITS_MAX {
            return Err(Refusal::bad(format!("{count} units: give 1 to {UNITS_MAX}")));
        }
        Ok(())
    }

    fn problem(&self, map: &Map) -> Result<ValidProblem, Refusal> {
        let cells = map.terrain().len();
        if cells > CELLS_MAX {
            return Err(Refusal::bad(format!("a map of {cells} cells: plans are for {CELLS_MAX}")));
        }
        let units = self.units.iter().map(|unit| Unit::new(unit.from, unit.to)).collect();
        let problem = Problem::new(map.clone(), self.movement.on(map)?, units);
        problem.validate().map_err(|errors| Refusal::bad(errors.to_string()))
    }

    fn plan(&self, map: &Map) -> Result<Value, Refusal> {
        let problem = self.problem(map)?;
        let solver =
            Solver::parse(&self.solver).map_err(|error| Refusal::bad(error.to_string()))?;
        let begin = Moment::now();
        let is_late = || begin.elapsed() > TIME_MAX;
        let budget = Budget::expansions(self.budget.unwrap_or(BUDGET_DEFAULT));
        let report = solver.plan(&problem, self.seed, budget.with_interrupt(&is_late), &mut Silent);
        let report = report.map_err(|error| Refusal::bad(error.to_string()))?;
        Ok(report_json(&problem, report))
    }
}

fn report_json(problem: &ValidProblem, report: Report) -> Value {
    let mut json = match report.outcome {
        Outcome::Solved(solution) => {
            let mut json = judged(problem, "solved", Some(&solution.plan));
            json["cost"] = json!(solution.cost);
            json["bound"] = json!(solution.proven_bound);
            json
        }
        Outcome::ProvenUnsolvable(why) => json!({ "status": "unsolvable", "why": why }),
        Outcome::BudgetSpent { best, proven_bound, .. } => {
            let mut json = judged(problem, "budget_spent", best.as_ref());
            json["bound"] = json!(proven_bound);
            json
        }
        Outcome::Partial { plan, .. } => judged(problem, "partial", Some(&plan)),
    };
    json["expanded"] = json!(report.expanded);
    json["reproducible"] = json!(report.reproducible);
    json
}

/// A plan with the referee's verdict.
fn judged(problem: &ValidProblem, status: &str, plan: Option<&Plan>) -> Value {
    let Some(plan) = plan else { return json!({ "status": status }) };
    let verdict = referee::check(problem, plan);
    let path = |path: &Vec<throng::model::Cell>| -> Vec<[u16; 2]> {
        path.iter().map(|cell| [cell.x, cell.y]).collect()
    };
    let violations: Vec<String> =
        verdict.violations.iter().take(VIOLATIONS_LISTED).map(ToString::to_string).collect();
    json!({
        "status": status,
        "paths": plan.paths.iter().map(path).collect::<Vec<_>>(),
        "referee": {
            "valid": verdict.is_valid(),
            "legal": verdict.is_legal(),
            "violations": violations,
            "arrived": verdict.arrived,
            "sum_of_costs": verdict.sum_of_costs,
            "makespan": verdict.makespan.0,
        },
    })
}
