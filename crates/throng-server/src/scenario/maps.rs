//! The maps of the scenarios.

use throng::formats::scen;
use throng::model::{Cell, Factor, Map, Rect, TerrainClass, TerrainId};
use throng_lab::generate;

use super::{Edit, House};
use crate::error::Refusal;

const GROUND: TerrainId = TerrainId(0);
const WALL: TerrainId = TerrainId(1);
const WATER: TerrainId = TerrainId(2);
const BRIDGE: TerrainId = TerrainId(4);

fn refuse(error: impl std::fmt::Display) -> Refusal {
    Refusal::bad(error.to_string())
}

/// A map of one terrain class, with every class that can be painted.
fn plain(width: u16, height: u16, terrain: TerrainId) -> Result<Map, Refusal> {
    let classes = vec![
        TerrainClass::passable("ground", '.', Factor::ONE),
        TerrainClass::blocked("wall", '@'),
        TerrainClass::blocked("water", 'W'),
        TerrainClass::passable("mud", 'S', Factor::new(3).map_err(refuse)?),
        TerrainClass::passable("bridge", '=', Factor::ONE),
    ];
    let cells = vec![terrain; usize::from(width) * usize::from(height)];
    Map::new(width, height, classes, cells).map_err(refuse)
}

/// Fills rectangles: left, top, width, height.
fn fill(map: &mut Map, areas: &[(u16, u16, u16, u16)], terrain: TerrainId) -> Result<(), Refusal> {
    for &(x, y, width, height) in areas {
        map.fill(Rect::new(Cell::new(x, y), width, height), terrain).map_err(refuse)?;
    }
    Ok(())
}

/// The rows of the town's bridge: wide enough for two crowds of three sizes to pass each other.
const TOWN_BRIDGE: std::ops::Range<u16> = 14..26;

/// A generated town, each cell doubled, so that roads of four cells let large units pass, and with a
/// wider bridge.
pub(super) fn town(_: u64) -> Result<Map, Refusal> {
    let small = generate::town(64, 40, 7).map_err(refuse)?;
    let mut map = scen::scale(&small, 128, 80).map_err(refuse)?.into_owned();
    let class = |name: &str| map.class_by_name(name).ok_or_else(|| refuse(format!("no {name}")));
    let (water, bridge) = (class("water")?, class("bridge")?);
    let crossing = TOWN_BRIDGE.flat_map(|y| (0..map.width()).map(move |x| Cell::new(x, y)));
    let wet: Vec<Cell> = crossing.filter(|&cell| map.terrain_at(cell) == Some(water)).collect();
    map.paint(&wet, bridge).map_err(refuse)?;
    Ok(map)
}

pub(super) fn door(_: u64) -> Result<Map, Refusal> {
    let mut map = plain(72, 40, GROUND)?;
    fill(&mut map, &[(0, 0, 72, 1), (0, 39, 72, 1), (0, 0, 1, 40), (71, 0, 1, 40)], WALL)?;
    fill(&mut map, &[(35, 0, 2, 19), (35, 21, 2, 19)], WALL)?;
    Ok(map)
}

pub(super) fn bay(_: u64) -> Result<Map, Refusal> {
    let mut map = plain(45, 11, WALL)?;
    fill(&mut map, &[(1, 1, 8, 9), (36, 1, 8, 9), (9, 5, 27, 1), (19, 3, 7, 2)], GROUND)?;
    Ok(map)
}

pub(super) fn crossing(_: u64) -> Result<Map, Refusal> {
    let mut map = plain(60, 60, WALL)?;
    fill(&mut map, &[(1, 22, 58, 16), (22, 1, 16, 58)], GROUND)?;
    Ok(map)
}

pub(super) fn warehouse(_: u64) -> Result<Map, Refusal> {
    let mut map = plain(70, 41, GROUND)?;
    for row in 0..9 {
        for column in 0..5 {
            fill(&mut map, &[(8 + column * 11, 3 + row * 4, 10, 2)], WALL)?;
        }
    }
    Ok(map)
}

pub(super) const BARRACKS: &[House] = &[
    House {
        name: "west barracks",
        area: (6, 12, 9, 9),
        doors: &[(5, 16), (15, 14), (15, 18), (10, 11), (10, 21)],
    },
    House {
        name: "east barracks",
        area: (57, 12, 9, 9),
        doors: &[(66, 16), (56, 14), (56, 18), (61, 11), (61, 21)],
    },
];

pub(super) fn barracks(_: u64) -> Result<Map, Refusal> {
    let mut map = plain(72, 33, GROUND)?;
    fill(&mut map, &[(6, 12, 9, 9), (57, 12, 9, 9)], WALL)?;
    fill(&mut map, &[(30, 0, 2, 8), (30, 12, 2, 9), (30, 25, 2, 8)], WALL)?;
    fill(&mut map, &[(42, 4, 2, 11), (42, 18, 2, 11)], WALL)?;
    Ok(map)
}

/// The near bridge goes at tick 60, when the first units are on their way, and comes back later.
pub(super) const BRIDGE_EDITS: &[Edit] = &[
    Edit { tick: 60, area: (38, 14, 6, 5), terrain: "water", of: "bridge" },
    Edit { tick: 360, area: (38, 14, 6, 5), terrain: "bridge", of: "bridge" },
    Edit { tick: 660, area: (38, 14, 6, 5), terrain: "water", of: "bridge" },
    Edit { tick: 960, area: (38, 14, 6, 5), terrain: "bridge", of: "bridge" },
];

pub(super) fn bridge(_: u64) -> Result<Map, Refusal> {
    let mut map = plain(82, 56, GROUND)?;
    fill(&mut map, &[(38, 0, 6, 56)], WATER)?;
    fill(&mut map, &[(38, 14, 6, 5), (38, 47, 6, 5)], BRIDGE)?;
    fill(&mut map, &[(20, 30, 12, 2), (52, 24, 10, 2)], WALL)?;
    Ok(map)
}

pub(super) fn maze(seed: u64) -> Result<Map, Refusal> {
    generate::maze(121, 91, 2, 30, seed).map_err(refuse)
}

pub(super) fn gates(_: u64) -> Result<Map, Refusal> {
    let mut map = plain(80, 45, GROUND)?;
    fill(&mut map, &[(0, 0, 80, 1), (0, 44, 80, 1), (0, 0, 1, 45), (79, 0, 1, 45)], WALL)?;
    fill(&mut map, &[(38, 0, 3, 45)], WALL)?;
    fill(
        &mut map,
        &[(38, 6, 3, 1), (38, 13, 3, 2), (38, 21, 3, 4), (38, 31, 3, 2), (38, 39, 3, 1)],
        GROUND,
    )?;
    Ok(map)
}
