//! Section 2: "in order to enhance the efficiency of the algorithm ... may adopt the binary heaps
//! structure for the Open list". The same A* with a binary heap, and with a list without order whose
//! least entry is looked for.
//!
//! The search is written here, four-connected with the Manhattan estimate (formula 1), so that
//! nothing but the open list differs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rand::RngExt as _;
use throng::grid::{AStar, Ground};
use throng::model::{Cell, Map, MovementProfile};

use super::per_seed;
use super::worlds::{World, random_path};
use crate::harness::clock::timed;
use crate::harness::{CaseId, Row, Rows, Rule, Statement, Study, row};
use crate::{LabError, Table};

const STAGE: &str = "open-lists";
const HEAP: &str = "binary heap";
const LIST: &str = "list without order";

const HEAPS: Statement = Statement::new(
    "section 2",
    "a binary heap for the open list enhances efficiency: time with a list without order by time with a heap",
    "above 1, no number",
    Rule::above(1.0),
)
.shown("times", 1)
.because("open lists are short on these maps");

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let rows = study.trials(STAGE, "paths", per_seed(study), run_case)?;
    study.section(
        "Section 2: the open list",
        "Paths between random cells of maps of 128 x 128 cells, four neighbours, Manhattan estimate. Both \
         searches expand the same nodes in the same order. The paper has no measurements.",
    );
    study.table(table(&rows));
    let time = |rows: &Rows, name: &str| rows.of(name).sum("ms");
    let by = |rows: &Rows| {
        let heap = time(rows, HEAP);
        (heap > 0.0).then(|| time(rows, LIST) / heap)
    };
    study.judge(&HEAPS, &rows.by_seed(by));
    Ok(())
}

/// F, order of discovery, cell: the least is the next node, and no two are equal.
type Entry = (u32, u32, u32);

/// An open list.
trait OpenList: Default {
    fn add(&mut self, entry: Entry);
    fn take_least(&mut self) -> Option<Entry>;
    fn len(&self) -> usize;
}

impl OpenList for BinaryHeap<Reverse<Entry>> {
    fn add(&mut self, entry: Entry) {
        self.push(Reverse(entry));
    }

    fn take_least(&mut self) -> Option<Entry> {
        self.pop().map(|Reverse(entry)| entry)
    }

    fn len(&self) -> usize {
        self.len()
    }
}

impl OpenList for Vec<Entry> {
    fn add(&mut self, entry: Entry) {
        self.push(entry);
    }

    fn take_least(&mut self) -> Option<Entry> {
        let (least, _) = self.iter().enumerate().min_by_key(|(_, entry)| **entry)?;
        Some(self.swap_remove(least))
    }

    fn len(&self) -> usize {
        self.len()
    }
}

/// What a search took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Searched {
    cost: Option<u32>,
    expanded: u64,
    most_open: usize,
}

fn search<L: OpenList>(map: &Map, start: Cell, goal: Cell) -> Searched {
    let (width, height) = (u32::from(map.width()), u32::from(map.height()));
    let index = |cell: Cell| u32::from(cell.y) * width + u32::from(cell.x);
    let estimate =
        |cell: Cell| u32::from(cell.x.abs_diff(goal.x)) + u32::from(cell.y.abs_diff(goal.y));
    let cells = (width * height) as usize;
    let (mut costs, mut closed) = (vec![u32::MAX; cells], vec![false; cells]);
    let (mut open, mut found, mut order) = (L::default(), Searched::default(), 0);
    costs[index(start) as usize] = 0;
    open.add((estimate(start), order, index(start)));
    while let Some((_, _, node)) = open.take_least() {
        if std::mem::replace(&mut closed[node as usize], true) {
            continue;
        }
        found.expanded += 1;
        let at = Cell::new((node % width) as u16, (node / width) as u16);
        let cost = costs[node as usize];
        if at == goal {
            return Searched { cost: Some(cost), ..found };
        }
        for next in neighbours(at).filter(|&next| map.is_passable(next)) {
            if cost + 1 < costs[index(next) as usize] {
                costs[index(next) as usize] = cost + 1;
                order += 1;
                open.add((cost + 1 + estimate(next), order, index(next)));
            }
        }
        found.most_open = found.most_open.max(open.len());
    }
    found
}

/// Cells beside a cell; some are off the map.
fn neighbours(at: Cell) -> impl Iterator<Item = Cell> {
    let Cell { x, y } = at;
    let beside = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
    beside.into_iter().map(Cell::from)
}

fn run_case(id: &CaseId) -> Result<Vec<Row>, LabError> {
    const TRIES: u32 = 100;
    let mut rng = id.rng();
    let world = World::in_turn(id.case);
    for _ in 0..TRIES {
        let map = world.map(rng.random())?;
        let ground = Ground::new(&map, MovementProfile::four_connected())?;
        let Some(path) = random_path(&ground, &mut AStar::default(), &mut rng)? else { continue };
        let (start, goal) = (path.cells[0], path.cells[path.cells.len() - 1]);
        let (heap, heap_ms) = timed(|| search::<BinaryHeap<_>>(&map, start, goal));
        let (list, list_ms) = timed(|| search::<Vec<_>>(&map, start, goal));
        // The other path is the cheapest by terrain; here every step costs 1.
        let steps = path.cells.len() as u32 - 1;
        if heap != list || heap.cost.is_none_or(|cost| cost > steps) {
            return Err(id.illegal(format!("{heap:?} with a heap, {list:?} with a list")));
        }
        let parameters = format!("world={}", world.name().replace(' ', "-"));
        let row = |(name, milliseconds)| {
            Row::of(name, &*parameters)
                .outcome("found")
                .spent(heap.expanded, milliseconds, 0)
                .metric("open", heap.most_open as f64)
        };
        return Ok([(HEAP, heap_ms), (LIST, list_ms)].into_iter().map(row).collect());
    }
    Err(id.no_case(TRIES))
}

fn table(rows: &Rows) -> Table {
    let title = "The open list as a binary heap and as a list without order: means";
    let columns =
        ["world", "paths", "nodes", "most open nodes", "ms with a heap", "ms with a list"];
    let mut table = Table::new("open-lists-time", title, &columns);
    let worlds = World::ALL.map(|world| (world.name(), Some(world)));
    for (name, world) in [("all", None)].into_iter().chain(worlds) {
        let of_world = match world {
            Some(world) => rows.with("world", &world.name().replace(' ', "-")),
            None => rows.clone(),
        };
        let [heap, list] = [HEAP, LIST].map(|name| of_world.of(name));
        table.push(row![
            name,
            heap.len(),
            heap.mean("work").map(|mean| (mean, 0)),
            heap.mean("open").map(|mean| (mean, 0)),
            heap.mean("ms").map(|mean| (mean, 3)),
            list.mean("ms").map(|mean| (mean, 3)),
        ]);
    }
    table
}
