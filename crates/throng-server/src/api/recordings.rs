//! Recordings: `POST /v1/recordings`. A plan of any format in, its paths with the referee's verdict out.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};
use throng::formats::{Context, PlanDocument, read_plan};
use throng::model::{Cell, Map, MovementProfile, Plan, Problem, Unit};
use throng::referee::{self, Violation};

use super::body::parse;
use super::worlds::read_map;
use crate::error::Refusal;
use crate::frame::terrains_json;
use crate::room::{Answer, Ask};
use crate::server::Shared;

/// Most cells of all paths, and most violations listed.
const CELLS_MAX: usize = 4 << 20;
const VIOLATIONS_LISTED: usize = 1_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordingBody {
    /// The text of the plan.
    plan: String,
    /// The text of its map.
    map: Option<String>,
    /// A world whose map is taken if the plan fits on it and no map is given.
    world: Option<String>,
}

pub(crate) async fn read(
    State(shared): State<Shared>,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let asked: RecordingBody = parse(&body)?;
    let shown = match &asked.world {
        Some(id) => match shared.rooms.get(id)?.ask(Ask::Map).await? {
            Answer::Map(map) => Some(*map),
            _ => None,
        },
        None => None,
    };
    shared.pool.run(move || asked.read(shown)).await.map(Json)
}

impl RecordingBody {
    fn read(&self, shown: Option<Map>) -> Result<Value, Refusal> {
        let given = self.map.as_ref().map(|text| read_map(text.as_bytes())).transpose()?;
        let context = Context { map: given.as_ref().or(shown.as_ref()), ..Context::default() };
        let document = read_plan(self.plan.as_bytes(), &context);
        let document = document.map_err(|error| Refusal::bad(format!("the plan: {error}")))?;
        let cells: usize = document.plan.paths.iter().map(Vec::len).sum();
        if cells == 0 || cells > CELLS_MAX {
            return Err(Refusal::bad(format!("a plan of {cells} cells: give 1 to {CELLS_MAX}")));
        }
        let map = match (given, shown) {
            (Some(map), _) => map,
            (None, Some(map)) if fits(&document.plan, &map) => map,
            _ => around(&document.plan)?,
        };
        Ok(judged(document, map))
    }
}

fn all_cells(plan: &Plan) -> impl Iterator<Item = Cell> {
    plan.paths.iter().flatten().copied()
}

/// Whether every cell of the plan is passable on the map.
fn fits(plan: &Plan, map: &Map) -> bool {
    let is_open = |cell| map.class_at(cell).is_some_and(|class| class.factor.is_some());
    all_cells(plan).all(is_open)
}

/// An empty map that holds the plan.
fn around(plan: &Plan) -> Result<Map, Refusal> {
    let width = all_cells(plan).map(|cell| u32::from(cell.x) + 1).max().unwrap_or(1);
    let height = all_cells(plan).map(|cell| u32::from(cell.y) + 1).max().unwrap_or(1);
    Map::empty(width, height).map_err(|error| Refusal::bad(format!("the plan's cells: {error}")))
}

/// Four neighbours unless a step is diagonal; the file does not say.
fn movement(plan: &Plan) -> MovementProfile {
    let is_diagonal = |step: &[Cell]| step[0].x != step[1].x && step[0].y != step[1].y;
    if plan.paths.iter().any(|path| path.windows(2).any(is_diagonal)) {
        MovementProfile::eight_connected()
    } else {
        MovementProfile::four_connected()
    }
}

fn judged(document: PlanDocument, map: Map) -> Value {
    let plan = document.plan;
    let ends: Vec<Cell> =
        plan.paths.iter().map(|path| path.last().copied().unwrap_or_default()).collect();
    let goals = document.goals.unwrap_or(ends);
    let units =
        document.starts.iter().zip(&goals).map(|(&from, &to)| Unit::new(from, to)).collect();
    let problem = Problem::new(map, movement(&plan), units);
    let verdict = referee::check(&problem, &plan);
    let pairs =
        |cells: &[Cell]| -> Value { cells.iter().map(|cell| json!([cell.x, cell.y])).collect() };
    let violation = |it: &Violation| {
        let units: Vec<u32> = it.units.iter().map(|unit| unit.to_bits()).collect();
        json!({ "tick": it.tick.0, "kind": it.kind.name(), "message": it.to_string(), "units": units, "cells": pairs(&it.cells) })
    };
    let terrain: Vec<u8> = problem.map.terrain().iter().map(|terrain| terrain.0).collect();
    json!({
        "solver": document.solver,
        "paths": plan.paths.iter().map(|path| pairs(path)).collect::<Vec<_>>(),
        "goals": pairs(&goals),
        "map": {
            "width": problem.map.width(),
            "height": problem.map.height(),
            "cells": STANDARD.encode(terrain),
            "terrains": terrains_json(&problem.map),
        },
        "violations": verdict.violations.iter().take(VIOLATIONS_LISTED).map(violation).collect::<Vec<_>>(),
        "truncated": verdict.truncated || verdict.violations.len() > VIOLATIONS_LISTED,
        "makespan": verdict.makespan.0,
        "sum_of_costs": verdict.sum_of_costs,
    })
}
