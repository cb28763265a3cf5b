//! What a unit is doing, and why it waits.

use serde_json::{Value, json};
use throng::World;
use throng::model::{Cell, UnitId};
use throng::world::{Order, Track};

use super::{Answer, Room};
use crate::error::Refusal;
use crate::planner::PaperPlanner;

/// Most cells of a route.
const CELLS_LISTED: usize = 4_096;

fn pair(cell: Cell) -> Value {
    json!([cell.x, cell.y])
}

/// The order as clients spell it.
fn order_json(order: &Order) -> Value {
    let pairs = |cells: &[Cell]| -> Value { cells.iter().take(64).copied().map(pair).collect() };
    let track = |kind: &str, track: &Track| json!({ "kind": kind, "target": track.unit.to_bits(), "distance": track.distance });
    match order {
        Order::GoTo(cells) => json!({ "kind": "go", "cells": pairs(cells) }),
        Order::Patrol(cells) => json!({ "kind": "patrol", "cells": pairs(cells) }),
        Order::Approach(cell) => json!({ "kind": "approach", "cells": [pair(*cell)] }),
        Order::Enter(building) => json!({ "kind": "enter", "target": building.index() }),
        Order::Follow(it) => track("follow", it),
        Order::Guard(it) => track("guard", it),
        Order::Chase(it) => track("chase", it),
        Order::Stop => json!({ "kind": "stop" }),
        Order::Hold => json!({ "kind": "hold" }),
    }
}

impl Room {
    pub(super) fn inspect(&self, unit: UnitId) -> Result<Answer, Refusal> {
        let missing = || crate::paper_world::no_such_unit(unit);
        let movement = self.engine.movement(unit).ok_or_else(missing)?;
        let view = self.view_of(unit);
        let counts = self.progress.counts(unit);
        let mut json = json!({
            "type": "unit",
            "unit": unit.to_bits(),
            "team": self.tag(unit).map_or_else(|| self.engine.team(unit).unwrap_or(0), |tag| tag.team),
            "attacks": self.tag(unit).is_some_and(|tag| tag.is_attacking),
            "size": movement.footprint,
            "pace": movement.pace,
            "status": view.map_or("inside", |view| view.doing.name()),
            "at": view.map(|view| pair(view.at)),
            "cost": { "replans": counts.replans, "waited": counts.waited },
        });
        match (self.engine.world(), self.engine.paper()) {
            (Some(world), _) => add_plan(&mut json, world, unit),
            (None, Some(_)) => self.add_path(&mut json, unit),
            (None, None) => {}
        }
        Ok(Answer::Json(json))
    }

    /// What a planner of the papers knows of a unit.
    fn add_path(&self, json: &mut Value, unit: UnitId) {
        let Some(world) = self.engine.paper() else { return };
        let (path, goal) = (world.path(unit), world.goal(unit));
        let agitation = world.agitation(unit).unwrap_or(0);
        let why = match goal {
            None => "it has no order".to_owned(),
            Some(goal) if world.see(unit).is_some_and(|seen| seen.at == goal) => {
                "it has arrived".to_owned()
            }
            Some(goal) if agitation == 0 => format!("it is going to {goal}"),
            Some(goal) => format!(
                "it is going to {goal}; another unit was in its way {agitation} times, \
                 and each time it searched another path"
            ),
        };
        json["order"] = goal.map_or(
            json!({ "kind": "stop" }),
            |goal| json!({ "kind": "go", "cells": [pair(goal)] }),
        );
        match world.planner() {
            PaperPlanner::LocalRepair => {
                json["route"] = path.into_iter().take(CELLS_LISTED).map(pair).collect();
                json["cost"]["replans"] = json!(agitation);
            }
            PaperPlanner::Windowed => {
                let timed = (world.now()..).zip(path);
                json["plan"] = timed.map(|(tick, cell)| json!([cell.x, cell.y, tick])).collect();
            }
        }
        json["destination"] = json!(goal.map(pair));
        json["why"] = json!(why);
    }
}

/// What throng knows of a unit.
fn add_plan(json: &mut Value, world: &World, unit: UnitId) {
    let now = world.now().0;
    let plan = world.plan(unit).unwrap_or_default();
    let timed = (now..).zip(plan).map(|(tick, cell)| json!([cell.x, cell.y, tick]));
    json["plan"] = timed.collect();
    let route = world.route(unit).unwrap_or_default();
    json["route"] = route.into_iter().take(CELLS_LISTED).map(pair).collect();
    json["order"] = world.current_order(unit).map_or(Value::Null, order_json);
    json["queue"] = world.queue(unit).map(order_json).collect();
    json["destination"] = json!(world.destination(unit).map(pair));
    json["why"] = json!(world.why(unit).map(|why| why.to_string()));
}
