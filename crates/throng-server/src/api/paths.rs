//! Path queries: `POST /v1/path` and, for batches, `/v1/paths`.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};
use throng::Pathfinder;
use throng::grid::{Answer, Path, Query};
use throng::hierarchy::{Algorithm, PathAnswer};
use throng::model::{Budget, Cell, Map, MovementProfile};

use super::body::parse;
use super::movement::MovementJson;
use super::on_map::MapName;
use crate::error::Refusal;
use crate::maps::MapKey;
use crate::messages::{CellJson, cells};
use crate::server::Shared;

/// Expansions of a query that names no budget, and the most that it can name.
const BUDGET_DEFAULT: u64 = 1_000_000;
const BUDGET_MAX: u64 = 5_000_000;
/// Most queries of a batch, most starts and goals of a query.
const QUERIES_MAX: usize = 1_000;
const ENDS_MAX: usize = 1_000;

/// One query.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ends {
    from: Vec<CellJson>,
    to: Vec<CellJson>,
}

#[derive(Debug, Deserialize)]
struct PathBody {
    #[serde(flatten)]
    map: MapName,
    from: Vec<CellJson>,
    to: Vec<CellJson>,
    #[serde(default)]
    movement: MovementJson,
    #[serde(flatten)]
    settings: Settings,
}

#[derive(Debug, Deserialize)]
struct BatchBody {
    #[serde(flatten)]
    map: MapName,
    queries: Vec<Ends>,
    #[serde(default)]
    movement: MovementJson,
    #[serde(flatten)]
    settings: Settings,
}

/// How a query is answered.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
struct Settings {
    /// Most expansions; of a batch, of all its queries together.
    budget: Option<u64>,
    /// The path to the nearest cell if no goal can be reached.
    nearest: bool,
    /// Shortest paths on large maps too.
    exact: bool,
}

pub(crate) async fn one(State(shared): State<Shared>, body: Bytes) -> Result<Json<Value>, Refusal> {
    let PathBody { map, from, to, movement, settings } = parse(&body)?;
    let ends = vec![Ends { from, to }];
    let mut answers = answer(&shared, &map, movement, ends, settings).await?;
    answers.pop().unwrap_or_else(|| Err(Refusal::bad("no query"))).map(Json)
}

pub(crate) async fn many(
    State(shared): State<Shared>,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let BatchBody { map, queries, movement, settings } = parse(&body)?;
    if queries.len() > QUERIES_MAX {
        let count = queries.len();
        return Err(Refusal::bad(format!("{count} queries: at most {QUERIES_MAX} per batch")));
    }
    let answers = answer(&shared, &map, movement, queries, settings).await?;
    let json = |answer: Result<Value, Refusal>| {
        answer.unwrap_or_else(|refusal| json!({ "status": "invalid", "message": refusal.message }))
    };
    let answers: Vec<Value> = answers.into_iter().map(json).collect();
    Ok(Json(json!({ "answers": answers })))
}

type Answers = Vec<Result<Value, Refusal>>;

async fn answer(
    shared: &Shared,
    name: &MapName,
    movement: MovementJson,
    queries: Vec<Ends>,
    settings: Settings,
) -> Result<Answers, Refusal> {
    settings.check(&queries)?;
    let (key, map) = name.find(shared).await?;
    let key = MapKey { is_exact: settings.exact, ..key };
    let maps = shared.maps.clone();
    let work = move || {
        let movement = movement.on(&map)?;
        let mut finder = match maps.finder(&key, &movement) {
            Some(finder) => finder,
            None => new_finder(&map, &movement, settings.exact)?,
        };
        let mut left = settings.budget.unwrap_or(BUDGET_DEFAULT);
        let find = |ends: &Ends| settings.find(&mut finder, ends, &mut left);
        let answers = queries.iter().map(find).collect();
        maps.keep(key, movement, finder);
        Ok(answers)
    };
    shared.pool.run(work).await
}

fn new_finder(
    map: &Arc<Map>,
    movement: &MovementProfile,
    is_exact: bool,
) -> Result<Box<Pathfinder>, Refusal> {
    let finder = Pathfinder::new(Map::clone(map), movement.clone());
    let finder = finder.map_err(|error| Refusal::bad(error.to_string()))?;
    let algorithm = if is_exact { Algorithm::Exact } else { Algorithm::Auto };
    Ok(Box::new(finder.with_algorithm(algorithm)))
}

impl Settings {
    fn check(&self, queries: &[Ends]) -> Result<(), Refusal> {
        if self.budget.is_some_and(|budget| budget == 0 || budget > BUDGET_MAX) {
            return Err(Refusal::bad(format!("budget: give 1 to {BUDGET_MAX} expansions")));
        }
        let longest = queries.iter().map(|ends| ends.from.len().max(ends.to.len())).max();
        if longest.is_some_and(|longest| longest > ENDS_MAX) {
            return Err(Refusal::bad(format!("at most {ENDS_MAX} cells in from and in to")));
        }
        Ok(())
    }

    fn find(&self, finder: &mut Pathfinder, ends: &Ends, left: &mut u64) -> Result<Value, Refusal> {
        let (from, to) = (cells(&ends.from), cells(&ends.to));
        let mut query = Query::new(&from, &to);
        query.nearest_if_unreachable = self.nearest;
        if !self.nearest && is_cut_off(finder, &from, &to) {
            return Ok(
                json!({ "status": "unreachable", "expanded": 0, "algorithm": "components" }),
            );
        }
        let answer = finder.find(&query, Budget::expansions(*left));
        let answer = answer.map_err(|error| Refusal::bad(error.to_string()))?;
        *left = left.saturating_sub(answer.expanded);
        Ok(answer_json(answer))
    }
}

/// Whether the components prove that no goal can be reached, with no search.
fn is_cut_off(finder: &Pathfinder, from: &[Cell], to: &[Cell]) -> bool {
    let ground = finder.ground();
    let standing =
        |cells: &[Cell]| cells.iter().copied().filter(|&cell| ground.can_stand(cell)).collect();
    let (from, to): (Vec<Cell>, Vec<Cell>) = (standing(from), standing(to));
    // Cells where no unit can stand are the query's mistake, which the search names.
    let reached = |a: &Cell| to.iter().any(|&b| ground.is_connected(*a, b));
    !from.is_empty() && !to.is_empty() && !from.iter().any(reached)
}

fn answer_json(found: PathAnswer) -> Value {
    let mut json = match found.answer {
        Answer::Found(path) => path_json("found", Some(path)),
        Answer::Unreachable { nearest } => path_json("unreachable", nearest),
        Answer::CostLimit => json!({ "status": "cost_limit" }),
        Answer::BudgetSpent { nearest, .. } => path_json("budget_spent", Some(nearest)),
    };
    json["expanded"] = json!(found.expanded);
    json["algorithm"] = json!(found.algorithm.name());
    json
}

/// The path to the goal if it was found, or to the nearest cell.
fn path_json(status: &str, path: Option<Path>) -> Value {
    let Some(path) = path else { return json!({ "status": status }) };
    let cells: Vec<[u16; 2]> = path.cells.iter().map(|cell| [cell.x, cell.y]).collect();
    json!({ "status": status, "path": cells, "cost": path.cost.in_cells() })
}
