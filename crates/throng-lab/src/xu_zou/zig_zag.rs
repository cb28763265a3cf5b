//! Section 2: paths over the grid are "often zigzag and not realistic". How much is in it?
//!
//! Best paths between random cells, over eight neighbours and over four, and the same
//! pulled tight.

use rand::RngExt;
use throng::grid::{Smoothed, smooth};
use throng::{AStar, Cell, Ground, Map, MovementProfile, Path};
use throng_draw::{MarkKind, Picture};

use super::CASES;
use super::worlds::{World, best_path, random_path};
use crate::case::CaseId;
use crate::statistics::{Summary, mean};
use crate::{Experiment, LabError, Options, Progress, Table, Value, generate, parallel};

const STAGE: &str = "zig-zag";

/// A path and what is left of it when it is smooth.
#[derive(Clone, Copy, Debug)]
struct Saving {
    /// Of the path's cost, in percent.
    percent: f64,
    turns_before: usize,
    turns_after: usize,
}

struct Case {
    world: World,
    eight: Saving,
    four: Saving,
}

pub(super) fn run(
    options: &Options,
    progress: &mut dyn FnMut(Progress),
    experiment: &mut Experiment,
) -> Result<(), LabError> {
    let count = options.cases(CASES);
    let work = |search: &mut AStar, case| {
        run_case(&CaseId { stage: STAGE, seed: options.seed, case }, search)
    };
    let cases = parallel::cases(STAGE, count, options.threads, progress, work)?;
    experiment.add_table(table(&cases));
    let dearer = cases.iter().filter(|c| c.eight.percent < 0.0 || c.four.percent < 0.0).count();
    let text =
        format!("no path becomes dearer by smoothing: {dearer} of {} pairs did", cases.len());
    experiment.claim(dearer == 0, text);
    experiment.add_picture(STAGE, picture(options.seed)?);
    Ok(())
}

fn run_case(id: &CaseId, search: &mut AStar) -> Result<Case, LabError> {
    const TRIES: u32 = 100;
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
        return Ok(Case { world, eight, four });
    }
    Err(id.no_case(TRIES))
}

fn saving(id: &CaseId, map: &Map, ground: &Ground, path: &Path) -> Result<Saving, LabError> {
    id.judge(map, ground.movement(), path)?;
    let smoothed = smooth(ground, path).ok_or_else(|| id.illegal("it cannot be smoothed"))?;
    if let Some(cell) = first_wall_crossed(map, &smoothed) {
        return Err(id.illegal(format!("the smooth path leads through the wall at {cell}")));
    }
    Ok(Saving {
        percent: 100.0 * (1.0 - smoothed.cost.0 as f64 / path.cost.0 as f64),
        turns_before: turns(&path.cells),
        turns_after: smoothed.waypoints.len().saturating_sub(2),
    })
}

/// How often the direction changes.
fn turns(cells: &[Cell]) -> usize {
    let step =
        |a: Cell, b: Cell| (i32::from(b.x) - i32::from(a.x), i32::from(b.y) - i32::from(a.y));
    cells.windows(3).filter(|c| step(c[0], c[1]) != step(c[1], c[2])).count()
}

/// A second opinion on smooth paths, because the referee judges single steps only: looks at
/// points along each line, dense enough that none jumps over the inside of a cell by much.
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

fn table(cases: &[Case]) -> Table {
    let title = format!("Paths over the grid, pulled tight ({} paths each)", cases.len());
    let mut table = Table::new(
        STAGE,
        &title,
        &[
            "world",
            "moves",
            "paths",
            "saved mean %",
            "median %",
            "p95 %",
            "turns before",
            "turns after",
        ],
    );
    let worlds = World::ALL.map(|world| (world.name(), Some(world)));
    for (name, world) in [("all", None)].into_iter().chain(worlds) {
        let of_world = || cases.iter().filter(move |case| world.is_none_or(|w| w == case.world));
        table.push(row(name, 8, &of_world().map(|case| case.eight).collect::<Vec<_>>()));
        table.push(row(name, 4, &of_world().map(|case| case.four).collect::<Vec<_>>()));
    }
    table
}

fn row(world: &str, moves: usize, savings: &[Saving]) -> Vec<Value> {
    let saved = Summary::of(savings.iter().map(|saving| saving.percent));
    let before = mean(savings.iter().map(|saving| saving.turns_before as f64));
    let after = mean(savings.iter().map(|saving| saving.turns_after as f64));
    let mut row = vec![world.into(), moves.into(), savings.len().into()];
    row.extend([saved.mean, saved.median, saved.p95].map(|v| Value::Number(v, 2)));
    row.extend([before, after].map(|v| Value::Number(v, 1)));
    row
}

/// One path of both kinds, across a small world.
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
        "over the grid: {} cells long, {} turns; pulled tight: {} cells long, {} turns",
        path.cost,
        turns(&path.cells),
        smoothed.cost,
        smoothed.waypoints.len().saturating_sub(2)
    );
    let picture = Picture::new(&map)
        .path("over the grid", &path.cells)
        .path("pulled tight", &smoothed.waypoints)
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
