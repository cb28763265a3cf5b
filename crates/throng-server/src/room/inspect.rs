//! What a unit is doing, and why it waits.

use serde_json::{Value, json};
use throng::World;
use throng::model::{Cell, UnitId};
use throng::world::Order;

use super::{Answer, Room};
use crate::error::Refusal;

fn pair(cell: Cell) -> Value {
    json!([cell.x, cell.y])
}

/// The order as clients spell it: its kind in small letters, with cells and target.
fn order_json(order: &Order) -> Value {
    let pairs = |cells: &[Cell]| -> Value { cells.iter().take(64).copied().map(pair).collect() };
    if let Order::GoTo(cells) = order {
        return json!({ "kind": "go", "cells": pairs(cells) });
    }
    if let Order::Enter(building) = order {
        return json!({ "kind": "enter", "target": building.index() });
    }
    let name = match serde_json::to_value(order) {
        Ok(Value::String(name)) => Some(name),
        Ok(Value::Object(fields)) => fields.into_iter().next().map(|(name, _)| name),
        _ => None,
    };
    json!({ "kind": name.unwrap_or_default().to_lowercase() })
}

impl Room {
    pub(super) fn inspect(&self, unit: UnitId) -> Result<Answer, Refusal> {
        let missing = || crate::lra::no_such_unit(unit);
        let movement = self.engine.movement(unit).ok_or_else(missing)?;
        let view = self.view_of(unit);
        let counts = self.progress.counts(unit);
        let mut json = json!({
            "type": "unit",
            "unit": unit.to_bits(),
            "team": self.tag(unit).map_or(0, |tag| tag.team),
            "size": movement.footprint,
            "pace": movement.pace,
            "status": view.map_or("inside", |view| view.doing.name()),
            "at": view.map(|view| pair(view.at)),
            "cost": { "replans": counts.replans, "waited": counts.waited },
        });
        match (self.engine.world(), self.engine.lra()) {
            (Some(world), _) => add_plan(&mut json, world, unit),
            (None, Some(_)) => self.add_route(&mut json, unit),
            (None, None) => {}
        }
        Ok(Answer::Json(json))
    }

    /// What LRA* knows of a unit.
    fn add_route(&self, json: &mut Value, unit: UnitId) {
        let Some(world) = self.engine.lra() else { return };
        let (route, agitation) = world.route(unit);
        let goal = world.goal(unit);
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
        json["route"] = route.into_iter().take(4096).map(pair).collect();
        json["destination"] = json!(goal.map(pair));
        json["why"] = json!(why);
        json["cost"]["replans"] = json!(agitation);
    }
}

/// What throng knows of a unit.
fn add_plan(json: &mut Value, world: &World, unit: UnitId) {
    let now = world.now().0;
    let plan = world.plan(unit).unwrap_or_default();
    let timed = (now..).zip(plan).map(|(tick, cell)| json!([cell.x, cell.y, tick]));
    json["plan"] = timed.collect();
    json["order"] = world.current_order(unit).map_or(Value::Null, order_json);
    json["destination"] = json!(world.destination(unit).map(pair));
    json["why"] = json!(world.why(unit).map(|why| why.to_string()));
}
