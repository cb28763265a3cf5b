//! Carries out the requests of clients.

use serde_json::json;
use throng::model::{Building, Cell, Map, Rect, TerrainId, UnitId};
use throng::world::{Applied, BuildingId, Command, Garrison, Spawn, Team};

use super::traffic::Tag;
use super::{Answer, Ask, Room};
use crate::clock::Moment;
use crate::error::Refusal;
use crate::frame::buildings_json;
use crate::messages::{self, CellJson, ClientMessage, RestartJson};
use crate::options::{SPEED_MAX, UNITS_MAX};
use crate::setup::SetupBuilding;

/// Most cells of one paint.
const CELLS_MAX: usize = 1 << 16;
/// Most ticks per request, and the time after which no further one begins.
const TICKS_MAX: u32 = 10_000;
const TICKS_TIME: std::time::Duration = std::time::Duration::from_secs(1);
const BUILDINGS_MAX: usize = 256;
/// Most cells of a building, and bytes of its name.
const BUILDING_CELLS_MAX: usize = 1_024;

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
            ClientMessage::Order(message) => self.order(&message),
            ClientMessage::Paint { terrain, cells, rect } => self.paint(terrain, &cells, rect),
            ClientMessage::Spawn { profile, team, cells } => self.spawn(profile, team, &cells),
            ClientMessage::Remove { units } => self.remove(&units),
            ClientMessage::Building { name, cells, entrances, exits } => {
                self.add_building(name, &cells, &entrances, &exits)
            }
            ClientMessage::RemoveBuilding { id } => self.remove_building(id),
            ClientMessage::SetTeam { units, team } => self.set_team(&units, team),
            ClientMessage::War { on } => self.set_war(on),
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
            None if cells.len() > CELLS_MAX => return Err(too_many("cells", cells.len())),
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
        let profiles = self.setup.profiles.len();
        let Some(kind) = self.setup.profiles.get(profile) else {
            return Err(Refusal::bad(format!(
                "no profile {profile}: there are 0 to {}",
                profiles - 1
            )));
        };
        self.check_team(team)?;
        if self.engine.units().len() + cells.len() > UNITS_MAX {
            return Err(too_many("units", self.engine.units().len() + cells.len()));
        }
        let movement = kind.movement.clone();
        let (mut spawned, mut refused) = (Vec::new(), None);
        for at in messages::cells(cells) {
            let spawn = Spawn::new(movement.clone()).with_team(Team(team));
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
        if units.len() > UNITS_MAX {
            return Err(too_many("units", units.len()));
        }
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
        let length = cells.len().max(entrances.len()).max(exits.len()).max(name.len());
        if length > BUILDING_CELLS_MAX {
            return Err(too_many("cells of a building", length));
        }
        let (entrances, exits) = (messages::cells(entrances), messages::cells(exits));
        let building = Building { name, exits, entrances };
        let Applied::Building(id) =
            self.engine.apply(Command::AddBuilding { building: building.clone() })?
        else {
            return Err(only_throng());
        };
        let (id, cells) = (id.index() as u32, messages::cells(cells));
        self.setup.buildings.push(SetupBuilding { id, building, cells });
        self.renew_buildings();
        Ok(Answer::Json(json!({ "id": id })))
    }

    /// Removes a building: its walls become floor, and the units in it are put out.
    fn remove_building(&mut self, id: u32) -> Result<Answer, Refusal> {
        let missing = || Refusal::missing(format!("no building {id}"));
        let found = self.setup.buildings.iter().position(|building| building.id == id);
        let found = found.ok_or_else(missing)?;
        let (building, garrison) = (BuildingId::new(id), Garrison::PutOut);
        self.engine.apply(Command::RemoveBuilding { building, garrison })?;
        let cells = self.setup.buildings.remove(found).cells;
        self.engine.apply(Command::Paint { cells, terrain: Map::GROUND })?;
        self.renew_buildings();
        self.renew_map();
        Ok(Answer::Done)
    }

    fn renew_buildings(&mut self) {
        self.buildings = std::sync::Arc::new(buildings_json(&self.setup.buildings));
        self.is_changed = true;
    }
}

fn too_many(what: &str, number: usize) -> Refusal {
    Refusal::bad(format!("{number} {what} are too many; give fewer"))
}

pub(super) fn only_throng() -> Refusal {
    Refusal::conflict("worlds under LRA* and WHCA* cannot do this; use the planner throng")
}
