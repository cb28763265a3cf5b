//! The scenarios to choose from, as data: a map, crowds that cross it, and what happens meanwhile.

mod maps;

use serde::Serialize;
use throng::model::{Building, Cell, Map, Rect, TerrainId};

use crate::error::Refusal;
use crate::options::UNITS_MAX;
use crate::placing::{Area, Placer};
use crate::setup::{
    Errand, Place, ScriptedEdit, Setup, SetupBuilding, SetupUnit, Traffic, profiles, teams,
};

const SCOUT: usize = 0;
const WAGON: usize = 1;
const GIANT: usize = 2;

/// Units with starts in one area and goals in another.
struct Crowd {
    /// Its part of all units, relative to the other crowds.
    share: u32,
    team: u8,
    from: Area,
    to: Area,
    /// Kinds of units, each with its weight.
    kinds: &'static [(usize, u32)],
}

/// Cells that change at a tick.
struct Edit {
    tick: u32,
    area: (u16, u16, u16, u16),
    /// The name of the terrain class that they become; only cells of `of` change.
    terrain: &'static str,
    of: &'static str,
}

/// A building: name, drawn rectangle, doors.
struct House {
    name: &'static str,
    area: (u16, u16, u16, u16),
    doors: &'static [(u16, u16)],
}

/// A scenario.
pub(crate) struct Scenario {
    pub(crate) id: &'static str,
    name: &'static str,
    about: &'static str,
    units: u32,
    map: fn(u64) -> Result<Map, Refusal>,
    crowds: &'static [Crowd],
    houses: &'static [House],
    traffic: Traffic,
    script: &'static [Edit],
}

/// A scenario as listed.
#[derive(Serialize)]
pub(crate) struct ScenarioJson {
    id: &'static str,
    name: &'static str,
    about: &'static str,
    units: u32,
    /// Whether the planners of the papers can run it.
    lra: bool,
}

const SMALL: &[(usize, u32)] = &[(SCOUT, 1)];
const MIXED: &[(usize, u32)] = &[(SCOUT, 40), (WAGON, 8), (GIANT, 2)];
const WEST: Area = Area(0, 0, 22, 100);
const EAST: Area = Area(78, 0, 100, 100);

const fn crowd(team: u8, from: Area, to: Area, kinds: &'static [(usize, u32)]) -> Crowd {
    Crowd { share: 1, team, from, to, kinds }
}

const fn scenario(
    id: &'static str,
    name: &'static str,
    about: &'static str,
    units: u32,
    map: fn(u64) -> Result<Map, Refusal>,
    crowds: &'static [Crowd],
) -> Scenario {
    let (houses, traffic, script): (&[House], _, &[Edit]) = (&[], Traffic::Once, &[]);
    Scenario { id, name, about, units, map, crowds, houses, traffic, script }
}

/// Every scenario. The first one is shown at the start.
pub(crate) const SCENARIOS: [Scenario; 9] = [
    Scenario {
        traffic: Traffic::Shuttle { rest: 20 },
        ..scenario(
            "town",
            "Town with players' units",
            "Two parties of three sizes change sides across a town with a river, again and again.",
            300,
            maps::town,
            &[crowd(0, WEST, EAST, MIXED), crowd(1, EAST, WEST, MIXED)],
        )
    },
    scenario(
        "door",
        "Door of two cells",
        "500 units go through a door of two cells. Units that plan alone (LRA*) block each other.",
        500,
        maps::door,
        &[crowd(0, Area(3, 5, 46, 95), Area(54, 5, 97, 95), SMALL)],
    ),
    scenario(
        "bay",
        "Corridor with a bay",
        "Two parties meet in a corridor of one cell; the only place to pass is a bay (Silver).",
        16,
        maps::bay,
        &[
            crowd(0, Area(0, 0, 18, 100), Area(82, 0, 100, 100), SMALL),
            crowd(1, Area(82, 0, 100, 100), Area(0, 0, 18, 100), SMALL),
        ],
    ),
    scenario(
        "crossing",
        "Four-way crossing",
        "Four crowds cross in the middle, each to the opposite side.",
        240,
        maps::crossing,
        &[
            crowd(0, Area(1, 36, 26, 64), Area(74, 36, 99, 64), SMALL),
            crowd(1, Area(74, 36, 99, 64), Area(1, 36, 26, 64), SMALL),
            crowd(2, Area(36, 1, 64, 26), Area(36, 74, 64, 99), SMALL),
            crowd(3, Area(36, 74, 64, 99), Area(36, 1, 64, 26), SMALL),
        ],
    ),
    Scenario {
        traffic: Traffic::Shuttle { rest: 5 },
        ..scenario(
            "warehouse",
            "Warehouse",
            "Robots carry between stations on both sides, through aisles of one cell.",
            200,
            maps::warehouse,
            &[
                crowd(0, Area(0, 0, 50, 100), Area(50, 0, 100, 100), SMALL),
                crowd(1, Area(50, 0, 100, 100), Area(0, 0, 50, 100), SMALL),
            ],
        )
    },
    Scenario {
        houses: maps::BARRACKS,
        traffic: Traffic::Shuttle { rest: 10 },
        ..scenario(
            "barracks",
            "Barracks to barracks",
            "Units leave one building by any door and enter the other by any door (Xu and Zou).",
            80,
            maps::barracks,
            &[],
        )
    },
    Scenario {
        traffic: Traffic::Shuttle { rest: 20 },
        script: maps::BRIDGE_EDITS,
        ..scenario(
            "bridge",
            "Bridge blown up",
            "The near bridge is blown up under way and built again later; units take the far one.",
            150,
            maps::bridge,
            &[crowd(0, Area(0, 0, 38, 60), Area(62, 0, 100, 60), SMALL)],
        )
    },
    Scenario {
        traffic: Traffic::Shuttle { rest: 10 },
        ..scenario(
            "maze",
            "One thousand in a maze",
            "1,000 units cross a maze with corridors of two cells.",
            1_000,
            maps::maze,
            &[
                crowd(0, Area(0, 0, 50, 100), Area(50, 0, 100, 100), SMALL),
                crowd(1, Area(50, 0, 100, 100), Area(0, 0, 50, 100), SMALL),
            ],
        )
    },
    scenario(
        "gates",
        "Large and small through gates",
        "Large units fit through one gate only, small ones through all.",
        160,
        maps::gates,
        &[
            crowd(
                0,
                Area(2, 3, 30, 97),
                Area(70, 3, 98, 97),
                &[(SCOUT, 12), (WAGON, 3), (GIANT, 1)],
            ),
            crowd(
                1,
                Area(70, 3, 98, 97),
                Area(2, 3, 30, 97),
                &[(SCOUT, 12), (WAGON, 3), (GIANT, 1)],
            ),
        ],
    ),
];

/// All scenarios, as listed.
pub(crate) fn list() -> Vec<ScenarioJson> {
    let json = |scenario: &Scenario| ScenarioJson {
        id: scenario.id,
        name: scenario.name,
        about: scenario.about,
        units: scenario.units,
        lra: scenario.houses.is_empty(),
    };
    SCENARIOS.iter().map(json).collect()
}

/// The scenario of this id.
pub(crate) fn find(id: &str) -> Result<&'static Scenario, Refusal> {
    let known = || SCENARIOS.iter().map(|known| known.id).collect::<Vec<_>>().join(", ");
    let found = SCENARIOS.iter().find(|known| known.id == id);
    found.ok_or_else(|| Refusal::missing(format!("no scenario {id:?}; use one of: {}", known())))
}

impl Scenario {
    /// The beginning of the world. Fewer units are placed where there is no room for all.
    pub(crate) fn setup(&self, units: Option<u32>, seed: u64) -> Result<Setup, Refusal> {
        let map = (self.map)(seed)?;
        let mut setup = empty(self.id, self.name, map);
        let units = checked_units(units.unwrap_or(self.units))?;
        setup.traffic = self.traffic;
        setup.units = place(&setup, self.crowds, units, seed)?;
        for house in self.houses {
            setup.buildings.push(house.setup(setup.buildings.len() as u32));
        }
        if !self.houses.is_empty() {
            setup.units = (0..units).map(inside).collect();
        }
        setup.script = self.script.iter().filter_map(|edit| edit.on(&setup.map)).collect();
        Ok(setup)
    }
}

fn checked_units(units: u32) -> Result<u32, Refusal> {
    if units as usize > UNITS_MAX {
        return Err(Refusal::bad(format!("{units} units: a world has at most {UNITS_MAX}")));
    }
    Ok(units)
}

/// A world with this map in which units of three sizes shuttle between random cells.
pub(crate) fn on_map(name: &str, map: Map, units: u32, seed: u64) -> Result<Setup, Refusal> {
    let mut setup = empty("map", name, map);
    let half = [crowd(0, Area::ALL, Area::ALL, MIXED), crowd(1, Area::ALL, Area::ALL, MIXED)];
    setup.traffic = Traffic::Shuttle { rest: 20 };
    setup.units = place(&setup, &half, checked_units(units)?, seed)?;
    Ok(setup)
}

/// A world without units.
pub(crate) fn empty(scenario: &str, name: &str, map: Map) -> Setup {
    Setup {
        scenario: scenario.to_owned(),
        name: name.to_owned(),
        map,
        profiles: profiles(),
        teams: teams(),
        buildings: Vec::new(),
        units: Vec::new(),
        traffic: Traffic::Once,
        script: Vec::new(),
    }
}

/// Every other unit starts in the second building and goes to the first.
fn inside(unit: u32) -> SetupUnit {
    let from = (unit % 2) as usize;
    let (place, errand) = (Place::Inside(from), Errand::Enter(1 - from));
    SetupUnit { place, profile: SCOUT, team: from as u8, errand }
}

/// Draws starts and goals. Large kinds come first: they fit in fewer places.
fn place(
    setup: &Setup,
    crowds: &[Crowd],
    units: u32,
    seed: u64,
) -> Result<Vec<SetupUnit>, Refusal> {
    let mut wanted: Vec<(usize, &Crowd)> = Vec::new();
    let shares: u32 = crowds.iter().map(|crowd| crowd.share).sum();
    for crowd in crowds {
        let count = units * crowd.share / shares;
        wanted.extend((0..count).map(|unit| (kind(crowd.kinds, unit), crowd)));
    }
    let size = |kind: usize| setup.profiles[kind].movement.footprint;
    wanted.sort_by_key(|&(kind, _)| std::cmp::Reverse(size(kind)));
    let mut placer = Placer::new(&setup.map, &setup.profiles, seed)?;
    let place = |(profile, crowd): (usize, &Crowd)| {
        let (from, to) = (crowd.from.on(&setup.map), crowd.to.on(&setup.map));
        let (start, goal) = placer.place(profile, from, to)?;
        let (place, errand) = (Place::At(start), Errand::Go(goal));
        Some(SetupUnit { place, profile, team: crowd.team, errand })
    };
    Ok(wanted.into_iter().filter_map(place).collect())
}

/// The kind of a crowd's unit by number, so that the kinds come in the proportion of weights.
fn kind(kinds: &[(usize, u32)], unit: u32) -> usize {
    let total: u32 = kinds.iter().map(|kind| kind.1).sum();
    let mut place = unit % total.max(1);
    for &(kind, weight) in kinds {
        if place < weight {
            return kind;
        }
        place -= weight;
    }
    0
}

impl House {
    fn setup(&self, id: u32) -> SetupBuilding {
        let doors = self.doors.iter().map(|&door| Cell::from(door)).collect();
        let (x, y, width, height) = self.area;
        let cells = Rect::new(Cell::new(x, y), width, height).cells().collect();
        SetupBuilding { id, building: Building::with_doors(self.name, doors), cells }
    }
}

impl Edit {
    fn on(&self, map: &Map) -> Option<ScriptedEdit> {
        let class = |name: &str| -> Option<TerrainId> { map.class_by_name(name) };
        let (terrain, of) = (class(self.terrain)?, class(self.of)?);
        let (x, y, width, height) = self.area;
        let cells = Rect::new(Cell::new(x, y), width, height).cells();
        // The script is written for the map as it begins, and for its own edits.
        let meant = |cell: &Cell| {
            let here = map.terrain_at(*cell);
            here == Some(of) || here == Some(terrain)
        };
        Some(ScriptedEdit { tick: self.tick, cells: cells.filter(meant).collect(), terrain })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_has_its_units() {
        for scenario in &SCENARIOS {
            for seed in [0, 7] {
                let setup = scenario.setup(None, seed).unwrap();
                assert_eq!(setup.units.len(), scenario.units as usize, "{}", scenario.id);
            }
        }
    }

    #[test]
    fn the_town_has_three_sizes() {
        let setup = find("town").unwrap().setup(None, 0).unwrap();
        let count = |kind| setup.units.iter().filter(|unit| unit.profile == kind).count();
        assert_eq!([count(SCOUT), count(WAGON), count(GIANT)], [240, 48, 12]);
    }
}
