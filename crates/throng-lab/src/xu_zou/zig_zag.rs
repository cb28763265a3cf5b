//! Section 2: grid paths are "often zigzag and not realistic". How much does smoothing save?
//!
//! Shortest paths between random cells, with eight neighbours and with four, before and after
//! smoothing.

use rand::RngExt;
use throng::grid::{AStar, Ground, Path};
use throng::grid::{Smoothed, smooth};
use throng::model::{Cell, Map, MovementProfile};
use throng_draw::{MarkKind, Picture};

use super::worlds::{World, random_path};
use super::{claims, per_seed};
use crate::harness::best_path::best_path;
use crate::harness::statistics::Summary;
use crate::harness::{CaseId, Rows, Study, row};
use crate::{LabError, Row, Table, Value, generate};

const STAGE: &str = "zig-zag";

pub(super) const MOVES: [&str; 2] = ["8", "4"];

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let rows = study.trials(STAGE, "paths", per_seed(study), run_case)?;
    study.section(
        "Section 2: zig-zag",
        "Shortest paths between random cells, with eight neighbours and with four, before and after \
         smoothing. The paper has no measurements.",
    );
    study.table(table(&rows));
    let costlier = rows.values("saved").filter(|percent| *percent < 0.0).count();
    let text = format!("smoothing makes no path costlier: {costlier} of {} became so", rows.len());
    study.check(costlier == 0, text);
    study.figure(STAGE, picture(study.options().seed)?);
    claims::zig_zag(&rows, study);
    Ok(())
}

fn run_case(id: &CaseId) -> Result<Vec<Row>, LabError> {
    const TRIES: u32 = 100;
    let search = &mut AStar::default();
    let mut rng = id.rng();
    let world = World::in_turn(id.case);
    for _ in 0..TRIES {
        let map = world.map(rng.random())?;
        let ground = Ground::new(&map, MovementProfile::eight_connected())?;
        let Some(path) = random_path(&ground, search, &mut rng)? else { continue };
        let (start, goal) = (path.cells[0], path.cells[path.cells.len() - 1]);
        let eight = saving(id, &map, &ground, &path)?;
        let ground = Ground::new(&map, MovementProfile::four_connected())?;
        let Some(path) = best_path(&ground, search, start, goal)? else { continue };
        let four = saving(id, &map, &ground, &path)?;
        let parameters = format!("world={}", world.name().replace(' ', "-"));
        let rows = [eight, four].into_iter().zip(MOVES);
        return Ok(rows
            .map(|(row, moves)| Row {
                solver: moves.to_owned(),
                parameters: parameters.clone(),
                ..row
            })
            .collect());
    }
    Err(id.no_case(TRIES))
}

/// The effect of smoothing a path.
fn saving(id: &CaseId, map: &Map, ground: &Ground, path: &Path) -> Result<Row, LabError> {
    id.judge(map, ground.movement(), path)?;
    let smoothed = smooth(ground, path).ok_or_else(|| id.illegal("it cannot be smoothed"))?;
    if let Some(cell) = first_wall_crossed(map, &smoothed) {
        return Err(id.illegal(format!("the smoothed path leads through the wall at {cell}")));
    }
    Ok(Row::of("", "")
        .outcome("smoothed")
        .metric("saved", 100.0 * (1.0 - smoothed.cost.0 as f64 / path.cost.0 as f64))
        .metric("before", turns(&path.cells) as f64)
        .metric("after", smoothed.waypoints.len().saturating_sub(2) as f64))
}

/// The number of changes of direction.
fn turns(cells: &[Cell]) -> usize {
    let step =
        |a: Cell, b: Cell| (i32::from(b.x) - i32::from(a.x), i32::from(b.y) - i32::from(a.y));
    cells.windows(3).filter(|c| step(c[0], c[1]) != step(c[1], c[2])).count()
}

/// An independent check of smoothed paths, because the referee checks single steps only. It tests
/// points along each line that are dense enough not to skip a cell.
fn first_wall_crossed(map: &Map, smoothed: &Smoothed) -> Option<Cell> {
    let lines = smoothed.waypoints.windows(2);
    lines.flat_map(|line| cells_under(line[0], line[1])).find(|&cell| !map.is_passable(cell))
}

/// The cells in which points of the line lie. Points between cells belong to none.
fn cells_under(from: Cell, to: Cell) -> impl Iterator<Item = Cell> {
    const PER_STEP: i64 = 16;
    let parts = PER_STEP * i64::from(from.x.abs_diff(to.x).max(from.y.abs_diff(to.y)).max(1));
    // Twice the coordinate, times the parts: the middles of cells are whole numbers too.
    let at = move |a: u16, b: u16, part: i64| {
        let (a, b) = (2 * i64::from(a) + 1, 2 * i64::from(b) + 1);
        a * (parts - part) + b * part
    };
    let inside = move |scaled: i64| {
        let (cell, rest) = (scaled.div_euclid(2 * parts), scaled.rem_euclid(2 * parts));
        u16::try_from(cell).ok().filter(|_| rest != 0)
    };
    (0..=parts).filter_map(move |part| {
        let x = inside(at(from.x, to.x, part))?;
        let y = inside(at(from.y, to.y, part))?;
        Some(Cell::new(x, y))
    })
}

fn table(rows: &Rows) -> Table {
    let columns = [
        "world",
        "moves",
        "paths",
        "saved mean %",
        "median %",
        "p95 %",
        "turns before",
        "turns after",
    ];
    let mut table = Table::new(STAGE, "Grid paths, smoothed", &columns);
    let worlds = World::ALL.map(|world| (world.name(), Some(world)));
    for (name, world) in [("all", None)].into_iter().chain(worlds) {
        let of_world = match world {
            Some(world) => rows.with("world", &world.name().replace(' ', "-")),
            None => rows.filter(|_| true),
        };
        for moves in MOVES {
            table.push(line(name, moves, &of_world.of(moves)));
        }
    }
    table
}

fn line(world: &str, moves: &str, rows: &Rows) -> Vec<Value> {
    let saved = Summary::of(rows.values("saved"));
    row![
        world,
        moves,
        rows.len(),
        (saved.mean, 2),
        (saved.median, 2),
        (saved.p95, 2),
        rows.mean("before").map(|turns| (turns, 1)),
        rows.mean("after").map(|turns| (turns, 1)),
    ]
}

/// One path before and after smoothing, across a small map.
fn picture(seed: u64) -> Result<String, LabError> {
    let map = generate::rooms(36, 20, 11, seed)?;
    let ground = Ground::new(&map, MovementProfile::eight_connected())?;
    let free = || map.cells().filter(|&cell| map.is_passable(cell));
    let ends = free().min_by_key(|c| (c.x, c.y)).zip(free().max_by_key(|c| (c.x, c.y)));
    let missing = || LabError::Figure("zig-zag", "no path to draw".to_owned());
    let (start, goal) = ends.ok_or_else(missing)?;
    let path = best_path(&ground, &mut AStar::default(), start, goal)?.ok_or_else(missing)?;
    let smoothed = smooth(&ground, &path).ok_or_else(missing)?;
    let caption = format!(
        "grid path: {} cells long, {} turns; smoothed: {} cells long, {} turns",
        path.cost,
        turns(&path.cells),
        smoothed.cost,
        smoothed.waypoints.len().saturating_sub(2)
    );
    let picture = Picture::new(&map)
        .path("grid path", &path.cells)
        .path("smoothed", &smoothed.waypoints)
        .mark(MarkKind::Start, start)
        .mark(MarkKind::Goal, goal)
        .caption(&caption)
        .legend();
    Ok(throng_draw::svg(&picture))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_counted() {
        let cells = [(0, 0), (1, 0), (2, 0), (3, 1), (4, 1)].map(Cell::from);
        assert_eq!(turns(&cells), 2);
        assert_eq!(turns(&cells[..2]), 0);
    }

    #[test]
    fn lines_touch_the_cells_that_they_cross_and_not_corners() {
        let under = |a: (u16, u16), b: (u16, u16)| {
            let mut cells: Vec<Cell> = cells_under(a.into(), b.into()).collect();
            cells.dedup();
            cells
        };
        assert_eq!(under((1, 1), (3, 3)), [(1, 1), (2, 2), (3, 3)].map(Cell::from));
        assert_eq!(under((2, 0), (0, 1)), [(2, 0), (1, 0), (1, 1), (0, 1)].map(Cell::from));
        assert_eq!(under((4, 4), (4, 4)), [Cell::new(4, 4)]);
    }
}
