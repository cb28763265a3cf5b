//! How a world begins, and begins again.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use serde_json::json;
use throng::World;
use throng::model::{Map, UnitId};
use throng::world::{Applied, Command, Order, Relation, Spawn, Team};
use tokio::sync::watch;

use super::sides::Fights;
use super::traffic::Tag;
use super::{Request, Room, Timing};
use crate::engine::Engine;
use crate::error::Refusal;
use crate::frame::{
    Frame, MapBytes, Status, WorldInfo, buildings_json, profiles_json, terrains_json,
};
use crate::messages::RestartJson;
use crate::options::SPEED_MAX;
use crate::planner::PlannerName;
use crate::progress::Progress;
use crate::saving::SavedWorld;
use crate::scenario;
use crate::setup::{Errand, Place, Setup, SetupBuilding, SetupUnit};

/// What a world begins with.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) scenario: String,
    /// A map in place of the scenario's, with its name.
    pub(crate) map: Option<(String, Arc<Map>)>,
    pub(crate) units: Option<u32>,
    pub(crate) planner: PlannerName,
    pub(crate) seed: u64,
}

/// Units on a map that was given without a number of units.
const UNITS_ON_MAP: u32 = 100;

impl Source {
    pub(super) fn setup(&self) -> Result<Setup, Refusal> {
        match &self.map {
            Some((name, map)) => {
                let units = self.units.unwrap_or(UNITS_ON_MAP);
                scenario::on_map(name, Map::clone(map), units, self.seed)
            }
            None => scenario::find(&self.scenario)?.setup(self.units, self.seed),
        }
    }

    /// The same with what a client asks for.
    fn changed(&self, asked: RestartJson) -> Self {
        let mut source = self.clone();
        if let Some(scenario) = asked.scenario {
            // Another scenario has its own map and number of units.
            if scenario != "map" {
                (source.map, source.units) = (None, None);
            }
            source.scenario = scenario;
        }
        source.units = asked.units.or(source.units);
        source.seed = asked.seed.unwrap_or(source.seed);
        source.planner = asked.planner.unwrap_or(source.planner);
        source
    }
}

/// How a world begins.
pub(crate) enum Beginning {
    New(Source),
    Saved(Box<SavedWorld>),
}

/// A world that has just begun: engine, and what the server knows of each unit.
pub(super) type Begun = (Setup, Engine, Vec<Option<Tag>>);

impl Beginning {
    fn begin(&self) -> Result<(Source, Begun), Refusal> {
        match self {
            Self::New(source) => Ok((source.clone(), begin(source)?)),
            Self::Saved(saved) => super::save::restore(saved),
        }
    }
}

pub(super) fn begin(source: &Source) -> Result<Begun, Refusal> {
    let setup = source.setup()?;
    let mut engine = Engine::new(setup.map.clone(), source.planner, source.seed)?;
    for house in &setup.buildings {
        engine.apply(Command::AddBuilding { building: house.building.clone() })?;
    }
    befriend(&mut engine, setup.teams.len())?;
    let mut tags: Vec<Option<Tag>> = Vec::new();
    for unit in &setup.units {
        let id = spawn(&mut engine, &setup, unit)?;
        if id.index() >= tags.len() {
            tags.resize(id.index() + 1, None);
        }
        tags[id.index()] = Some(Tag::new(id, unit));
    }
    for tag in tags.iter().flatten() {
        tag.send(&mut engine)?;
    }
    Ok((setup, engine, tags))
}

/// The teams of a new world plan together: each is a friend of the first, and so of all.
fn befriend(engine: &mut Engine, teams: usize) -> Result<(), Refusal> {
    if engine.world().is_some() {
        for team in 1..teams as u8 {
            let (teams, relation) = ((Team(0), Team(team)), Relation::Friend);
            engine.apply(Command::SetRelation { teams, relation })?;
        }
    }
    Ok(())
}

fn spawn(engine: &mut Engine, setup: &Setup, unit: &SetupUnit) -> Result<UnitId, Refusal> {
    let spawn = Spawn::new(setup.profiles[unit.profile].movement.clone());
    let spawn = spawn.with_team(Team(unit.team));
    let command = match unit.place {
        Place::At(at) => Command::Spawn { at, spawn },
        Place::Inside(building) => {
            let building = throng::world::BuildingId::new(building as u32);
            Command::SpawnInside { building, spawn }
        }
    };
    match engine.apply(command)? {
        Applied::Spawned(unit) => Ok(unit),
        _ => Err(Refusal::bad("the world gave no unit")),
    }
}

impl Room {
    pub(super) fn new(
        id: &str,
        begin: Beginning,
        tick_hz: f64,
        inbox: Receiver<Request>,
    ) -> Result<(Self, watch::Receiver<Arc<Frame>>), Refusal> {
        let (source, (setup, engine, tags)) = begin.begin()?;
        let (info, map) =
            (Arc::new(WorldInfo { epoch: 0, hello: json!({}) }), MapBytes::new(&setup.map, 0));
        let frame = Frame {
            number: 0,
            info: info.clone(),
            map: Arc::new(map),
            units: Arc::default(),
            delta: axum::body::Bytes::new(),
            status: Status::default(),
            events: Arc::default(),
            buildings: Arc::new(json!([])),
        };
        let (map, buildings) = (frame.map.clone(), frame.buildings.clone());
        let (outbox, frames) = watch::channel(Arc::new(frame));
        let (progress, fights) = (Progress::new(&setup.map), Fights::of(&engine));
        let mut room = Self {
            id: id.to_owned(),
            source,
            setup,
            engine,
            inbox,
            outbox,
            info,
            map,
            buildings,
            tags,
            progress,
            fights,
            timing: Timing::new(tick_hz),
            events: Vec::new(),
            expanded: 0,
            is_changed: true,
            is_closed: false,
        };
        if let Beginning::Saved(saved) = begin {
            (room.timing.speed, room.timing.is_paused) =
                (saved.speed.clamp(0.1, SPEED_MAX), saved.is_paused);
        }
        room.introduce();
        room.publish();
        Ok((room, frames))
    }

    /// Begins again. The world stays as it is if that is not possible.
    pub(super) fn restart(&mut self, asked: RestartJson) -> Result<(), Refusal> {
        let source = self.source.changed(asked);
        (self.setup, self.engine, self.tags) = begin(&source)?;
        self.source = source;
        self.begin_counting();
        Ok(())
    }

    /// Goes on from another world.
    pub(super) fn restore(&mut self, world: World) {
        self.setup.map = world.map().clone();
        self.setup.buildings.clear();
        for (id, building) in world.buildings() {
            let (id, building, cells) = (id.index() as u32, building.clone(), Vec::new());
            self.setup.buildings.push(SetupBuilding { id, building, cells });
        }
        self.source.planner = PlannerName::Throng;
        self.tags.clear();
        self.engine = Engine::of(world);
        self.begin_counting();
    }

    fn begin_counting(&mut self) {
        self.progress = Progress::new(self.engine.map());
        self.expanded = 0;
        self.fights = Fights::of(&self.engine);
        self.events.clear();
        self.introduce();
        self.is_changed = true;
    }

    /// What viewers are told first.
    pub(super) fn introduce(&mut self) {
        let (map, setup) = (self.engine.map(), &self.setup);
        let teams = setup.teams.iter().enumerate();
        let teams: serde_json::Value =
            teams.map(|(id, name)| json!({ "id": id, "name": name })).collect();
        self.map = Arc::new(MapBytes::new(map, self.map.edition + 1));
        self.buildings = Arc::new(buildings_json(&setup.buildings));
        let hello = json!({
            "type": "hello",
            "protocol": 1,
            "world": {
                "id": self.id,
                "name": setup.name,
                "scenario": setup.scenario,
                "planner": self.engine.planner(),
                "width": map.width(),
                "height": map.height(),
                "moves": 8,
                "seed": self.source.seed,
                "tick_hz": self.timing.tick_hz,
                "speed": self.timing.speed,
                "paused": self.timing.is_paused,
            },
            "profiles": profiles_json(&setup.profiles),
            "teams": teams,
            "terrains": terrains_json(map),
            "buildings": *self.buildings,
        });
        self.info = Arc::new(WorldInfo { epoch: self.info.epoch + 1, hello });
    }
}

impl Errand {
    /// The order, if there is anything to do.
    pub(crate) fn order(self) -> Option<Order> {
        match self {
            Self::Rest => None,
            Self::Go(cell) => Some(Order::go(cell)),
            Self::Enter(building) => {
                Some(Order::Enter(throng::world::BuildingId::new(building as u32)))
            }
        }
    }
}
