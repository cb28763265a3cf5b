//! The counted loops. Their maps are generated from seeds and equal on every machine.

use std::hint::black_box;

use throng_grid::{AStar, FieldSearch, Ground, Jps, Path, PathSearch, Query, smooth};
use throng_hierarchy::{GridHierarchy, HierarchyMemory, HierarchySearch};
use throng_lab::generate;
use throng_model::{Budget, Cell, Change, Map, MovementProfile, Unit};

use crate::worlds;

/// A named loop. It prepares its input and runs once.
pub(crate) struct HotLoop {
    pub(crate) name: &'static str,
    pub(crate) run: fn() -> Result<(), String>,
}

pub(crate) const ALL: [HotLoop; 13] = [
    HotLoop { name: "astar", run: || search(AStar::default()) },
    HotLoop { name: "jps", run: || search(Jps::default()) },
    HotLoop { name: "astar-terrain", run: astar_terrain },
    HotLoop { name: "field-4", run: || field(MovementProfile::four_connected()) },
    HotLoop { name: "field-8", run: || field(MovementProfile::eight_connected()) },
    HotLoop { name: "ground", run: build_ground },
    HotLoop { name: "edits", run: edits },
    HotLoop { name: "smooth", run: smoothing },
    HotLoop { name: "hierarchy", run: build_hierarchy },
    HotLoop { name: "hierarchy-queries", run: hierarchy_queries },
    HotLoop { name: "hierarchy-edits", run: hierarchy_edits },
    HotLoop { name: "world-sparse", run: worlds::sparse },
    HotLoop { name: "world-crowd", run: worlds::crowd },
];

pub(crate) fn named(name: &str) -> Option<&'static HotLoop> {
    ALL.iter().find(|hot| hot.name == name)
}

/// The name of the function whose instructions are counted.
pub(crate) const COUNTED: &str = "counted_part";

#[inline(never)]
pub(crate) fn counted_part<T>(work: impl FnOnce() -> T) -> T {
    black_box(work())
}

const SIDE: u32 = 512;
const QUERIES: usize = 20;

pub(crate) fn text(error: impl std::error::Error) -> String {
    error.to_string()
}

fn caves() -> Result<Map, String> {
    generate::caves(SIDE, SIDE, 1).map_err(text)
}

fn derive(map: &Map) -> Result<Ground, String> {
    Ground::new(map, MovementProfile::eight_connected()).map_err(text)
}

fn queries(map: &Map) -> Result<Vec<Unit>, String> {
    generate::scenario(map, &MovementProfile::eight_connected(), QUERIES, SIDE / 4, 2).map_err(text)
}

fn find(search: &mut impl PathSearch, ground: &Ground, unit: &Unit) -> Option<Path> {
    let (starts, goals) = ([unit.start], [unit.goal]);
    let query = Query::new(&starts, &goals);
    search.find(ground, &query, Budget::unlimited()).ok()?.found()
}

/// Counts queries after a warm-up, so that memory is already allocated.
fn search(search: impl PathSearch) -> Result<(), String> {
    let map = caves()?;
    search_on(search, &derive(&map)?, &queries(&map)?)
}

fn astar_terrain() -> Result<(), String> {
    let map = town()?;
    search_on(AStar::default(), &derive(&map)?, &queries(&map)?)
}

fn town() -> Result<Map, String> {
    generate::town(SIDE, SIDE, 3).map_err(text)
}

fn build_hierarchy() -> Result<(), String> {
    let ground = derive(&town()?)?;
    counted_part(|| GridHierarchy::new(&ground));
    Ok(())
}

fn hierarchy_queries() -> Result<(), String> {
    let map = town()?;
    let ground = derive(&map)?;
    let hierarchy = GridHierarchy::new(&ground);
    let mut memory = HierarchyMemory::default();
    search_on(HierarchySearch::new(&hierarchy, &mut memory), &ground, &queries(&map)?)
}

/// Grounds are updated beforehand: only the work of the hierarchy is counted.
fn hierarchy_edits() -> Result<(), String> {
    let mut map = town()?;
    let mut ground = derive(&map)?;
    let mut hierarchy = GridHierarchy::new(&ground);
    let cells = cells_to_edit();
    for &cell in &cells {
        let change = toggle(&mut map, cell)?;
        ground.apply(&map, &change);
    }
    counted_part(|| hierarchy.update(&ground, cells));
    Ok(())
}

fn search_on(mut search: impl PathSearch, ground: &Ground, units: &[Unit]) -> Result<(), String> {
    let mut find_all = || units.iter().filter_map(|unit| find(&mut search, ground, unit)).count();
    let warm = find_all();
    let counted = counted_part(find_all);
    if (warm, counted) == (units.len(), units.len()) {
        Ok(())
    } else {
        Err(format!("{counted} paths found for {} units", units.len()))
    }
}

fn field(movement: MovementProfile) -> Result<(), String> {
    let map = caves()?;
    let ground = Ground::new(&map, movement).map_err(text)?;
    let goal = queries(&map)?.first().map(|unit| unit.goal).ok_or("no query")?;
    let mut search = FieldSearch::default();
    let warm = search.compute(&ground, &[goal]).map_err(text)?;
    search.recycle(warm);
    counted_part(|| search.compute(&ground, &[goal])).map(|_| ()).map_err(text)
}

fn build_ground() -> Result<(), String> {
    let map = caves()?;
    counted_part(|| derive(&map)).map(|_| ())
}

/// A hundred cells spread over the map become walls or ground.
fn edits() -> Result<(), String> {
    let mut map = caves()?;
    let mut ground = derive(&map)?;
    let cells = cells_to_edit();
    counted_part(|| {
        for &cell in &cells {
            let change = toggle(&mut map, cell)?;
            ground.apply(&map, &change);
        }
        Ok(())
    })
}

fn cells_to_edit() -> Vec<Cell> {
    let spread = |i: u32| i.wrapping_mul(2_654_435_761);
    let cell = |at: u32| Cell::new((at % SIDE) as u16, (at / SIDE % SIDE) as u16);
    (0..100).map(spread).map(cell).collect()
}

fn toggle(map: &mut Map, cell: Cell) -> Result<Change, String> {
    let terrain = if map.is_passable(cell) { Map::WALL } else { Map::GROUND };
    map.set(cell, terrain).map_err(text)
}

fn smoothing() -> Result<(), String> {
    let map = caves()?;
    let ground = derive(&map)?;
    let mut search = AStar::default();
    let units = queries(&map)?;
    let paths: Vec<Path> =
        units.iter().filter_map(|unit| find(&mut search, &ground, unit)).collect();
    let smoothed = counted_part(|| paths.iter().filter_map(|path| smooth(&ground, path)).count());
    if smoothed == units.len() { Ok(()) } else { Err(format!("{smoothed} paths smoothed")) }
}
