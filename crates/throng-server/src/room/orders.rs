//! Orders of clients: what units are told, alone, in groups and in formations.

use serde_json::json;
use throng::model::{Cell, UnitId};
use throng::world::{Applied, BuildingId, Command, Facing, Formation, Order, Track};

use super::{Answer, Room};
use crate::error::Refusal;
use crate::messages::{self, OrderJson, OrderMessage};
use crate::options::UNITS_MAX;

/// Most cells of all orders of one message: memory is bounded.
const CELLS_MAX: usize = 1 << 20;
/// Most orders that wait for a unit.
const QUEUE_MAX: usize = 32;
/// Most units of a formation.
const FORMATION_MAX: usize = 2_000;
/// How near units follow, guard and chase if nothing is said.
const DISTANCE: u16 = 2;

impl Room {
    pub(super) fn order(&mut self, message: &OrderMessage) -> Result<Answer, Refusal> {
        let asked = &message.order;
        if !KINDS.contains(&asked.kind.as_str()) {
            return Err(no_such_order(&asked.kind));
        }
        let units = self.known_units(&message.units, asked.cells.len())?;
        if message.queue {
            self.check_queues(&units)?;
        }
        let formation = formation(message)?;
        message.facing.as_deref().map(facing).transpose()?;
        units.iter().for_each(|&unit| self.release(unit));
        self.is_changed = true;
        if let (Some(formation), false) = (formation, units.is_empty()) {
            return self.order_formation(&units, message, formation);
        }
        if let ("go" | "attack_move", false, [spot]) =
            (asked.kind.as_str(), message.queue, &asked.cells[..])
            && units.len() > 1
        {
            let command = Command::OrderGroup { units: units.clone(), spot: (*spot).into() };
            let grouped = self.engine.apply(command)?;
            self.set_attacks(&units, asked);
            return Ok(Answer::Json(json!({ "cells": grouped_cells(&grouped) })));
        }
        for &unit in &units {
            let command = self.command(unit, message)?;
            self.engine.apply(command)?;
        }
        self.set_attacks(&units, asked);
        Ok(Answer::Done)
    }

    /// The units of a message, if all exist.
    pub(super) fn known_units(&self, units: &[u32], cells: usize) -> Result<Vec<UnitId>, Refusal> {
        if units.len() > UNITS_MAX || units.len().saturating_mul(cells) > CELLS_MAX {
            let message = format!("{} units and {cells} cells are too many", units.len());
            return Err(Refusal::bad(message + "; give fewer"));
        }
        let units: Vec<UnitId> = units.iter().map(|&unit| UnitId::from_bits(unit)).collect();
        match units.iter().find(|&&unit| self.engine.status(unit).is_none()) {
            Some(&missing) => Err(crate::paper_world::no_such_unit(missing)),
            None => Ok(units),
        }
    }

    fn check_queues(&self, units: &[UnitId]) -> Result<(), Refusal> {
        match units.iter().find(|&&unit| self.engine.queued(unit) >= QUEUE_MAX) {
            Some(unit) => Err(Refusal::conflict(format!(
                "{QUEUE_MAX} orders wait for {unit}, the limit; give it an order without queue"
            ))),
            None => Ok(()),
        }
    }

    /// The command for one unit.
    fn command(&self, unit: UnitId, message: &OrderMessage) -> Result<Command, Refusal> {
        let asked = &message.order;
        match asked.kind.as_str() {
            "halt" => return Ok(Command::Halt { unit }),
            "resume" => return Ok(Command::Resume { unit }),
            _ => {}
        }
        let mut order = order(asked)?;
        if let Order::Patrol(cells) = &mut order
            && cells.len() == 1
            && let Some(seen) = self.engine.see(unit)
        {
            // Between where it is and the cell.
            cells.insert(0, seen.at);
        }
        Ok(if message.queue {
            Command::QueueOrder { unit, order }
        } else {
            Command::Order { unit, order }
        })
    }

    fn order_formation(
        &mut self,
        units: &[UnitId],
        message: &OrderMessage,
        formation: Formation,
    ) -> Result<Answer, Refusal> {
        let asked = &message.order;
        let &[spot] = &asked.cells[..] else {
            return Err(Refusal::bad("a formation goes to one cell: give one of cells"));
        };
        if !matches!(asked.kind.as_str(), "go" | "attack_move") || message.queue {
            let what = "formations are for orders to go, without queue";
            return Err(Refusal::bad(what));
        }
        if units.len() > FORMATION_MAX {
            return Err(Refusal::bad(format!("a formation has at most {FORMATION_MAX} units")));
        }
        let spot = spot.into();
        let facing = match &message.facing {
            Some(name) => facing(name)?,
            None => self.facing_of(units, spot),
        };
        let command = Command::OrderFormation { units: units.to_vec(), spot, facing, formation };
        let grouped = self.engine.apply(command)?;
        self.set_attacks(units, asked);
        Ok(Answer::Json(json!({ "cells": grouped_cells(&grouped) })))
    }

    /// The way that a group looks when it goes to a spot.
    fn facing_of(&self, units: &[UnitId], spot: Cell) -> Facing {
        let places = units.iter().filter_map(|&unit| Some(self.engine.see(unit)?.at));
        let (mut right, mut down) = (0_i64, 0_i64);
        for at in places {
            right += i64::from(spot.x) - i64::from(at.x);
            down += i64::from(spot.y) - i64::from(at.y);
        }
        match (right.abs() >= down.abs(), right >= 0, down >= 0) {
            (true, true, _) => Facing::East,
            (true, false, _) => Facing::West,
            (false, _, true) => Facing::South,
            (false, _, false) => Facing::North,
        }
    }

    /// Takes note of which units halt when they meet enemies.
    fn set_attacks(&mut self, units: &[UnitId], asked: &OrderJson) {
        let attacks = match asked.kind.as_str() {
            "attack_move" => true,
            "halt" | "resume" => return,
            _ => false,
        };
        units.iter().for_each(|&unit| self.set_attacking(unit, attacks));
    }
}

fn grouped_cells(applied: &Applied) -> Vec<[u16; 2]> {
    match applied {
        Applied::Grouped(cells) => cells.iter().map(|cell| [cell.x, cell.y]).collect(),
        _ => Vec::new(),
    }
}

/// The order that a client means.
fn order(asked: &OrderJson) -> Result<Order, Refusal> {
    let kind = asked.kind.as_str();
    let cells = || match messages::cells(&asked.cells) {
        cells if cells.is_empty() => Err(Refusal::bad(format!("{kind}: give cells"))),
        cells => Ok(cells),
    };
    let missing = |what: &str| Refusal::bad(format!("{kind}: give target, a {what}"));
    let track = || {
        let unit = UnitId::from_bits(asked.target.ok_or_else(|| missing("unit"))?);
        Ok(Track { unit, distance: asked.distance.unwrap_or(DISTANCE) })
    };
    match kind {
        "go" | "attack_move" => cells().map(Order::GoTo),
        "approach" => cells().map(|cells| Order::Approach(cells[0])),
        "patrol" => cells().map(Order::Patrol),
        "follow" => track().map(Order::Follow),
        "guard" => track().map(Order::Guard),
        "chase" => track().map(Order::Chase),
        "stop" => Ok(Order::Stop),
        "hold" => Ok(Order::Hold),
        "enter" => {
            let target = asked.target.ok_or_else(|| missing("building"))?;
            Ok(Order::Enter(BuildingId::new(target)))
        }
        other => Err(no_such_order(other)),
    }
}

fn no_such_order(kind: &str) -> Refusal {
    Refusal::bad(format!("no order {kind:?}; use one of {}", KINDS.join(", ")))
}

/// What units can be told.
pub(crate) const KINDS: [&str; 12] = [
    "go",
    "attack_move",
    "approach",
    "patrol",
    "follow",
    "guard",
    "chase",
    "enter",
    "hold",
    "stop",
    "halt",
    "resume",
];

/// The names of formations.
pub(crate) const FORMATIONS: [(&str, Formation); 5] = [
    ("line", Formation::Line),
    ("column", Formation::Column),
    ("box", Formation::Box),
    ("wedge", Formation::Wedge),
    ("as_they_stand", Formation::AsTheyStand),
];

/// The names of directions.
pub(crate) const FACINGS: [(&str, Facing); 4] = [
    ("north", Facing::North),
    ("east", Facing::East),
    ("south", Facing::South),
    ("west", Facing::West),
];

fn named<T: Copy>(what: &str, name: &str, known: &[(&str, T)]) -> Result<T, Refusal> {
    let found = known.iter().find(|(known, _)| *known == name);
    found.map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|&(name, _)| name).collect();
        Refusal::bad(format!("no {what} {name:?}; use one of {}", names.join(", ")))
    })
}

fn facing(name: &str) -> Result<Facing, Refusal> {
    named("facing", name, &FACINGS)
}

fn formation(message: &OrderMessage) -> Result<Option<Formation>, Refusal> {
    let name = message.formation.as_deref().filter(|&name| name != "none");
    name.map(|name| named("formation", name, &FORMATIONS)).transpose()
}
