//! Scenes for the live world: doors, corridors and crossings, each with the ticks that it may take.
//!
//! A scene is a pure function of its seed. Units start on distinct random cells of their area;
//! their goals are distinct random cells of another.

mod maps;
mod placing;

use throng_lab::generate;
use throng_model::{Cell, Map, MovementProfile, Rect};

use self::maps::{SIDE, Spiral, walled};
use self::placing::{Placing, UnitPlan};

/// A map, and units with orders.
pub(crate) struct Scene {
    pub(crate) name: &'static str,
    pub(crate) map: Map,
    /// Movement profile, start and goal.
    pub(crate) units: Vec<(MovementProfile, Cell, Cell)>,
    /// Within how many ticks all units must stand on their goals, where that is required.
    pub(crate) ticks_max_required: Option<u32>,
}

/// A quarter more ticks than a reference needed: LaCAM with PIBT and swaps, 4-connected.
const fn with_margin(reference: u32) -> Option<u32> {
    Some(reference * 5 / 4)
}

/// How the scene of a name is made from a seed.
type Builder = fn(&'static str, u64) -> Result<Scene, String>;

/// All scenes.
const SCENES: [(&str, Builder); 17] = [
    ("door-2-100", |name, seed| both_ways(name, &DOOR_2, 100, with_margin(135), seed)),
    ("door-2-200", |name, seed| both_ways(name, &DOOR_2, 200, with_margin(227), seed)),
    ("door-2-500", |name, seed| both_ways(name, &DOOR_2, 500, with_margin(535), seed)),
    ("door-2-500-one-way", |name, seed| one_way(name, 500, with_margin(312), seed)),
    ("two-doors-2-500", |name, seed| both_ways(name, &TWO_DOORS, 500, with_margin(299), seed)),
    ("corner-door-3-400", |name, seed| both_ways(name, &CORNER_DOOR, 400, with_margin(329), seed)),
    ("door-1-60", |name, seed| both_ways(name, &DOOR_1, 60, with_margin(145), seed)),
    ("bridge-2x30-40", |name, seed| both_ways(name, &BRIDGE, 40, with_margin(83), seed)),
    ("spiral-3-120", |name, seed| spiral(name, 120, with_margin(209), seed)),
    ("crossing-500", |name, seed| both_ways(name, &OPEN, 500, None, seed)),
    ("crossing-1000", |name, seed| both_ways(name, &OPEN, 1_000, None, seed)),
    ("crossing-1200", |name, seed| both_ways(name, &OPEN, 1_200, with_margin(89), seed)),
    ("crossing-2000", |name, seed| both_ways(name, &OPEN, 2_000, None, seed)),
    ("random-2000", |name, seed| anywhere(name, 2_000, with_margin(140), seed)),
    ("town-4x100", |name, seed| four_ways(name, 100, seed)),
    ("mixed-gates-90", |name, seed| mixed(name, 10, seed)),
    ("mixed-gates-180", |name, seed| mixed(name, 20, seed)),
];

/// The scenes whose names contain a text.
pub(crate) fn scenes(part_of_name: &str, seed: u64) -> Result<Vec<Scene>, String> {
    let chosen = SCENES.iter().filter(|(name, _)| name.contains(part_of_name));
    chosen.map(|&(name, build)| build(name, seed)).collect()
}

/// The names of all scenes.
pub(crate) fn names() -> Vec<&'static str> {
    SCENES.iter().map(|&(name, _)| name).collect()
}

/// A wall in the middle: its first column, its columns, and its openings (first row, rows).
struct Divide {
    column: u16,
    columns: u16,
    openings: &'static [(u16, u16)],
}

const OPEN: Divide = Divide { column: SIDE / 2, columns: 0, openings: &[] };
const DOOR_1: Divide = Divide { column: SIDE / 2, columns: 1, openings: &[(31, 1)] };
const DOOR_2: Divide = Divide { openings: &[(31, 2)], ..DOOR_1 };
const TWO_DOORS: Divide = Divide { openings: &[(20, 2), (42, 2)], ..DOOR_1 };
const CORNER_DOOR: Divide = Divide { openings: &[(0, 3)], ..DOOR_1 };
const GATES: Divide = Divide { openings: &[(8, 1), (21, 2), (35, 3), (50, 4)], ..DOOR_1 };
const BRIDGE: Divide = Divide { column: 17, columns: 30, openings: &[(31, 2)] };

impl Divide {
    fn map(&self) -> Result<Map, String> {
        walled(self.column, self.columns, self.openings)
    }

    fn west(&self) -> Vec<Cell> {
        area(0, 0, self.column, SIDE)
    }

    fn east(&self) -> Vec<Cell> {
        let x = self.column + self.columns;
        area(x, 0, SIDE - x, SIDE)
    }
}

/// The cells of a rectangle, row by row.
fn area(x: u16, y: u16, width: u16, height: u16) -> Vec<Cell> {
    Rect::new(Cell::new(x, y), width, height).cells().collect()
}

fn walker() -> MovementProfile {
    MovementProfile::eight_connected()
}

/// Half of the units go east, half west.
fn both_ways(
    name: &'static str,
    divide: &Divide,
    units: usize,
    ticks_max_required: Option<u32>,
    seed: u64,
) -> Result<Scene, String> {
    let map = divide.map()?;
    let (west, east) = (divide.west(), divide.east());
    let mut placing = Placing::new(&map, seed)?;
    placing.add(&UnitPlan { count: units / 2, from: &west, to: &east, movement: &walker() })?;
    placing.add(&UnitPlan { count: units / 2, from: &east, to: &west, movement: &walker() })?;
    let units = placing.finish();
    Ok(Scene { name, map, units, ticks_max_required })
}

/// All units go east through a door of two cells.
fn one_way(
    name: &'static str,
    units: usize,
    ticks_max_required: Option<u32>,
    seed: u64,
) -> Result<Scene, String> {
    let map = DOOR_2.map()?;
    let (west, east) = (DOOR_2.west(), DOOR_2.east());
    let mut placing = Placing::new(&map, seed)?;
    placing.add(&UnitPlan { count: units, from: &west, to: &east, movement: &walker() })?;
    let units = placing.finish();
    Ok(Scene { name, map, units, ticks_max_required })
}

/// Half of the units go from the inner third of a spiral to the outer one, half back.
fn spiral(
    name: &'static str,
    units: usize,
    ticks_max_required: Option<u32>,
    seed: u64,
) -> Result<Scene, String> {
    let spiral = Spiral::new();
    let map = spiral.map()?;
    let (inner, outer) = (spiral.inner_third(), spiral.outer_third());
    let mut placing = Placing::new(&map, seed)?;
    placing.add(&UnitPlan { count: units / 2, from: &inner, to: &outer, movement: &walker() })?;
    placing.add(&UnitPlan { count: units / 2, from: &outer, to: &inner, movement: &walker() })?;
    let units = placing.finish();
    Ok(Scene { name, map, units, ticks_max_required })
}

/// From anywhere to anywhere, without walls.
fn anywhere(
    name: &'static str,
    units: usize,
    ticks_max_required: Option<u32>,
    seed: u64,
) -> Result<Scene, String> {
    let map = OPEN.map()?;
    let cells: Vec<Cell> = map.cells().collect();
    let mut placing = Placing::new(&map, seed)?;
    placing.add(&UnitPlan { count: units, from: &cells, to: &cells, movement: &walker() })?;
    let units = placing.finish();
    Ok(Scene { name, map, units, ticks_max_required })
}

/// Four groups cross a town, each to the opposite edge.
fn four_ways(name: &'static str, group: usize, seed: u64) -> Result<Scene, String> {
    const TOWN: u16 = 96;
    const EDGE: u16 = 16;
    let map = generate::town(TOWN.into(), TOWN.into(), seed).map_err(|error| error.to_string())?;
    // Corners belong to no group.
    let (near, far, length) = (0, TOWN - EDGE, TOWN - 2 * EDGE);
    let west = area(near, EDGE, EDGE, length);
    let east = area(far, EDGE, EDGE, length);
    let north = area(EDGE, near, length, EDGE);
    let south = area(EDGE, far, length, EDGE);
    let mut placing = Placing::new(&map, seed)?;
    for (from, to) in [(&west, &east), (&east, &west), (&north, &south), (&south, &north)] {
        placing.add(&UnitPlan { count: group, from, to, movement: &walker() })?;
    }
    let units = placing.finish();
    Ok(Scene { name, map, units, ticks_max_required: None })
}

/// Units of one to three cells per side and one to three ticks per step, from both sides through
/// gates of one to four cells: so many of each kind.
fn mixed(name: &'static str, of_each: usize, seed: u64) -> Result<Scene, String> {
    let map = GATES.map()?;
    let (west, east) = (GATES.west(), GATES.east());
    let mut placing = Placing::new(&map, seed)?;
    // The large units first: they fit in fewer places.
    for (footprint, pace) in [3, 2, 1].into_iter().flat_map(|k| [1, 2, 3].map(|p| (k, p))) {
        let movement = MovementProfile { footprint, pace, ..walker() };
        let count = of_each / 2;
        placing.add(&UnitPlan { count, from: &west, to: &east, movement: &movement })?;
        placing.add(&UnitPlan { count, from: &east, to: &west, movement: &movement })?;
    }
    let units = placing.finish();
    Ok(Scene { name, map, units, ticks_max_required: None })
}
