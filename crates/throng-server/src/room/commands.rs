//! Carries out the requests of clients.

use serde_json::json;
use throng::model::{Building, Cell, Rect, TerrainId, UnitId};
use throng::world::{Applied, BuildingId, Command, Order, Spawn};

use super::traffic::Tag;
use super::{Answer, Ask, Room};
use crate::clock::Moment;
use crate::error::Refusal;
use crate::frame::buildings_json;
use crate::messages::{self, CellJson, ClientMessage, OrderJson, RestartJson};
use crate::options::{SPEED_MAX, UNITS_MAX};
use crate::setup::SetupBuilding;

/// Most cells of one paint, and most units of one order or spawn.
pub(crate) const CELLS_MAX: usize = 1 << 16;
/// Most ticks per request, and the time after which no further one begins.
const TICKS_MAX: u32 = 10_000;
const TICKS_TIME: std::time::Duration = std::time::Duration::from_secs(5);
const BUILDINGS_MAX: usize = 256;

impl Room {
    pub(super) fn answer(&mut self, ask: Ask) -> Result<Answer, Refusal> {
        match ask {
            Ask::Message(message) => self.carry_out(message),
            Ask::Ticks(ticks) => self.ticks(ticks),
            Ask::Snapshot => {
                let world = self.engine.world().ok_or_else(only_throng)?;
                Ok(Answer::Bytes(world.snapshot()))
            }
            Ask::Replay => {
                let recorder = self.engine.recorder().ok_or_else(only_throng)?;
                Ok(Answer::Bytes(recorder.replay().to_bytes()))
            }
            Ask::Map => Ok(Answer::Map(Box::new(self.engine.map().clone()))),
            Ask::Restore(world) => {
                self.restore(*world);
                Ok(Answer::Done)
            }
            Ask::Save => Ok(Answer::Saved(Box::new(self.save()))),
            Ask::Close => {
                self.is_closed = true;
                Ok(Answer::Done)
            }
        }
    }

    fn carry_out(&mut self, message: ClientMessage) -> Result<Answer, Refusal> {
        match message {
            ClientMessage::Order { units, order, queue, formation } => {
                self.order(&units, &order, queue, formation.as_deref())
            }
            ClientMessage::Paint { terrain, cells, rect } => self.paint(terrain, &cells, rect),
            ClientMessage::Spawn { profile, team, cells } => self.spawn(profile, team, &cells),
            ClientMessage::Remove { units } => self.remove(&units),
            ClientMessage::Building { name, cells, entrances, exits } => {
                self.add_building(name, &cells, &entrances, &exits)
            }
            ClientMessage::RemoveBuilding { id } => Err(Refusal::conflict(format!(
                "building {id} stays: buildings cannot be removed; restart the world"
            ))),
            ClientMessage::Pause {} => Ok(self.pause(true)),
            ClientMessage::Resume {} => Ok(self.pause(false)),
            ClientMessage::Step { ticks } => self.ticks(ticks),
            ClientMessage::Speed { value } => self.set_speed(value),
            ClientMessage::Restart(asked) => self.restart(asked).map(|()| Answer::Done),
            ClientMessage::Planner { name } => {
                let asked = RestartJson { planner: Some(name), ..RestartJson::default() };
                self.restart(asked).map(|()| Answer::Done)
            }
            ClientMessage::Inspect { unit } => self.inspect(UnitId::from_bits(unit)),
            ClientMessage::Overlay { kind, unit, tick } => self.overlay(&kind, unit, tick),
            // The session answers these.
            ClientMessage::View { .. } | ClientMessage::Ping { .. } => Ok(Answer::Done),
        }
    }

    fn pause(&mut self, paused: bool) -> Answer {
        self.timing.is_paused = paused;
        self.timing.next = Moment::now();
        self.is_changed = true;
        Answer::Done
    }

    fn set_speed(&mut self, value: f64) -> Result<Answer, Refusal> {
        if !(value.is_finite() && value > 0.0 && value <= SPEED_MAX) {
            return Err(Refusal::bad(format!("a speed of {value}: give 0.1 to {SPEED_MAX}")));
        }
        self.timing.speed = value.max(0.1);
        self.timing.next = Moment::now();
        self.is_changed = true;
        Ok(Answer::Done)
    }

    /// Several ticks at once; fewer if they take too long.
    fn ticks(&mut self, ticks: u32) -> Result<Answer, Refusal> {
        if ticks == 0 || ticks > TICKS_MAX {
            return Err(Refusal::bad(format!("{ticks} ticks: give 1 to {TICKS_MAX}")));
        }
        let begin = Moment::now();
        let mut done = 0;
        while done < ticks && (done == 0 || begin.elapsed() < TICKS_TIME) {
            self.tick();
            done += 1;
        }
        self.publish();
        Ok(Answer::Json(json!({ "ticks": done, "tick": self.engine.now() })))
    }

    fn order(
        &mut self,
        units: &[u32],
        asked: &OrderJson,
        queue: bool,
        formation: Option<&str>,
    ) -> Result<Answer, Refusal> {
        if let Some(formation) = formation.filter(|&name| name != "none") {
            return Err(Refusal::conflict(format!(
                "no formation {formation:?} yet; leave it out: a group spreads around its goal"
            )));
        }
        let order = order(asked)?;
        let units: Vec<UnitId> = units.iter().map(|&unit| UnitId::from_bits(unit)).collect();
        let missing = units.iter().find(|&&unit| self.engine.status(unit).is_none());
        if let Some(&missing) = missing {
            return Err(crate::lra::no_such_unit(missing));
        }
        units.iter().for_each(|&unit| self.release(unit));
        self.is_changed = true;
        if let (Order::GoTo(cells), false) = (&order, queue)
            && let [spot] = cells[..]
            && units.len() > 1
        {
            let grouped = self.engine.apply(Command::OrderGroup { units, spot })?;
            return Ok(Answer::Json(json!({ "cells": grouped_cells(&grouped) })));
        }
        for unit in units {
            let order = order.clone();
            self.engine.apply(if queue {
                Command::QueueOrder { unit, order }
            } else {
                Command::Order { unit, order }
            })?;
        }
        Ok(Answer::Done)
    }

    fn paint(
        &mut self,
        terrain: u8,
        cells: &[CellJson],
        rect: Option<[u16; 4]>,
    ) -> Result<Answer, Refusal> {
        let terrain = TerrainId(terrain);
        let command = match rect {
            Some([x, y, width, height]) => {
                let area = usize::from(width) * usize::from(height);
                if area > CELLS_MAX {
                    return Err(too_many("cells", area));
                }
                Command::Fill { rect: Rect::new(Cell::new(x, y), width, height), terrain }
            }
            None => Command::Paint { cells: messages::cells(cells), terrain },
        };
        let applied = self.engine.apply(command)?;
        self.renew_map();
        let changed = match applied {
            Applied::Edited(change) => change.cells.len(),
            _ => 0,
        };
        Ok(Answer::Json(json!({ "changed": changed })))
    }

    /// Spawns units. Cells where a unit cannot stand are left out; the answer names the first.
    fn spawn(&mut self, profile: usize, team: u8, cells: &[CellJson]) -> Result<Answer, Refusal> {
        let (profiles, teams) = (self.setup.profiles.len(), self.setup.teams.len());
        let Some(kind) = self.setup.profiles.get(profile) else {
            return Err(Refusal::bad(format!(
                "no profile {profile}: there are 0 to {}",
                profiles - 1
            )));
        };
        if usize::from(team) >= teams {
            return Err(Refusal::bad(format!("no team {team}: there are 0 to {}", teams - 1)));
        }
        if self.engine.units().len() + cells.len() > UNITS_MAX {
            return Err(too_many("units", self.engine.units().len() + cells.len()));
        }
        let movement = kind.movement.clone();
        let (mut spawned, mut refused) = (Vec::new(), None);
        for at in messages::cells(cells) {
            let spawn = Spawn::new(movement.clone());
            match self.engine.apply(Command::Spawn { at, spawn }) {
                Ok(Applied::Spawned(unit)) => {
                    self.set_tag(Tag::spawned(unit, profile as u8, team));
                    spawned.push(unit.to_bits());
                }
                Ok(_) => {}
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        self.is_changed = true;
        match refused {
            Some(refusal) if spawned.is_empty() => Err(refusal),
            refused => {
                let refused = refused.map(|refusal| refusal.message);
                Ok(Answer::Json(json!({ "units": spawned, "refused": refused })))
            }
        }
    }

    fn remove(&mut self, units: &[u32]) -> Result<Answer, Refusal> {
        for &unit in units {
            self.engine.apply(Command::Remove { unit: UnitId::from_bits(unit) })?;
            self.is_changed = true;
        }
        Ok(Answer::Done)
    }

    fn add_building(
        &mut self,
        name: String,
        cells: &[CellJson],
        entrances: &[CellJson],
        exits: &[CellJson],
    ) -> Result<Answer, Refusal> {
        if self.setup.buildings.len() >= BUILDINGS_MAX {
            return Err(too_many("buildings", BUILDINGS_MAX + 1));
        }
        let (entrances, exits) = (messages::cells(entrances), messages::cells(exits));
        let building = Building { name, exits, entrances };
        self.engine.apply(Command::AddBuilding { building: building.clone() })?;
        self.setup.buildings.push(SetupBuilding { building, cells: messages::cells(cells) });
        self.buildings = std::sync::Arc::new(buildings_json(&self.setup.buildings));
        self.is_changed = true;
        Ok(Answer::Json(json!({ "id": self.setup.buildings.len() - 1 })))
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
    match asked.kind.as_str() {
        "go" if asked.cells.is_empty() => Err(Refusal::bad("go: give at least one of cells")),
        "go" => Ok(Order::GoTo(messages::cells(&asked.cells))),
        "stop" => Ok(Order::Stop),
        "hold" => Ok(Order::Hold),
        "enter" => {
            let target =
                asked.target.ok_or_else(|| Refusal::bad("enter: give target, a building"))?;
            Ok(Order::Enter(BuildingId::new(target)))
        }
        "patrol" | "follow" | "guard" | "chase" | "attack_move" => Err(Refusal::conflict(format!(
            "this server does not know the order {} yet; use go, stop, hold or enter",
            asked.kind
        ))),
        other => Err(Refusal::bad(format!("no order {other:?}; use go, stop, hold or enter"))),
    }
}

fn too_many(what: &str, number: usize) -> Refusal {
    Refusal::bad(format!("{number} {what} are too many; give fewer"))
}

pub(super) fn only_throng() -> Refusal {
    Refusal::conflict("worlds under LRA* cannot do this; use the planner throng")
}
