//! Section 5: a path breaks in front of a unit. Splice it, or search from scratch?
//!
//! A unit follows a shortest path over a random map. At a random tick the rest of its path breaks at
//! a random cell: a house of 3 x 3 cells is built, a bridge is destroyed, or another unit stops
//! there. The unit sees the break 1, 4 or 16 cells ahead. Four followers continue from the same
//! cell. The first searches from scratch. The second splices as printed: from the last
//! walkable cell before the break to the first one after it, at any cost. The third may splice to
//! any of the next walkable cells. The last is throng's default: it splices like the third, and
//! searches from scratch where the splice is costly.
//!
//! Around a house or a unit a splice takes a few nodes. Where a bridge was, the detour is long for
//! every method, and a splice that is given up adds to the full search: the table shows both.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng::grid::{AStar, Ground, Path};
use throng::grid::{Follower, FollowerOptions, FollowerStep};
use throng::model::{Budget, Cell, Cost, Map, MovementProfile, Rect, TerrainId};
use throng_draw::plot::{Axis, BarChart, Chart};

use super::worlds::{World, random_path, steps_between, wall};
use super::{claims, per_seed};
use crate::harness::best_path::best_path;
use crate::harness::clock::timed;
use crate::harness::statistics::{Summary, cumulative, percentile};
use crate::harness::{CaseId, Rows, Study, row};
use crate::{LabError, Row, Table, Value};

const STAGE: &str = "breaks";
const LOOK_AHEADS: [u32; 3] = [1, 4, 16];
pub(super) const FULL: &str = "full search";
pub(super) const PRINTED_SPLICE: &str = "splice as printed";

/// What breaks the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    House,
    Bridge,
    Unit,
}

impl Event {
    const ALL: [Self; 3] = [Self::House, Self::Bridge, Self::Unit];

    fn name(self) -> &'static str {
        match self {
            Self::House => "house",
            Self::Bridge => "bridge",
            Self::Unit => "unit",
        }
    }
}

/// How a follower repairs its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Full,
    PaperSplice,
    AnyCellSplice,
    Default,
}

impl Method {
    const ALL: [Self; 4] = [Self::Full, Self::PaperSplice, Self::AnyCellSplice, Self::Default];

    fn name(self) -> &'static str {
        match self {
            Self::Full => FULL,
            Self::PaperSplice => PRINTED_SPLICE,
            Self::AnyCellSplice => "any-cell splice",
            Self::Default => "throng's default",
        }
    }

    fn options(self, look_ahead: u32) -> FollowerOptions {
        let options = FollowerOptions { look_ahead, ..FollowerOptions::default() };
        let unlimited =
            FollowerOptions { splice_percent: u32::MAX, splice_effort: u32::MAX, ..options };
        match self {
            Self::Full => FollowerOptions { always_full: true, ..options },
            Self::PaperSplice => FollowerOptions { rejoin_cells: 1, ..unlimited },
            Self::AnyCellSplice => unlimited,
            Self::Default => options,
        }
    }
}

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let rows = study.trials(STAGE, "paths", per_seed(study), run_case)?;
    study.section(
        "Section 5: a path breaks",
        "A unit follows a shortest path over a random map of 128 x 128 cells. A house of 3 x 3 cells \
         is built on it, a bridge is destroyed, or another unit stops there. The unit checks 1, 4 or \
         16 steps ahead. The paper has no measurements.",
    );
    study.table(table(&rows));
    let stuck = rows.sum("stuck");
    let text = format!(
        "every unit arrives after its path broke: {stuck} of {} walks got stuck",
        rows.len()
    );
    study.check(stuck < 1.0, text);
    study.figure("breaks-expanded", distribution(&rows)?);
    study.figure("breaks-expanded-by-event", bars(&rows)?);
    study.figure("breaks-path-cost", cost_chart(&rows)?);
    claims::breaks(&rows, study);
    Ok(())
}

fn run_case(id: &CaseId) -> Result<Vec<Row>, LabError> {
    let search = &mut AStar::default();
    let event = Event::ALL[id.case % 3];
    let look_ahead = LOOK_AHEADS[id.case / 3 % 3];
    let broken_path = BrokenPath::random(id, event, search)?;
    let best = best_path(&broken_path.ground, search, broken_path.unit(), broken_path.goal())?;
    let best = best.ok_or_else(|| id.illegal("no path is left"))?.cost;
    let parameters = format!("event={} ahead={look_ahead}", event.name());
    let walk = |method: Method| {
        let row = Row::of(method.name(), parameters.clone());
        broken_path.walk(id, method.options(look_ahead), &mut AStar::default(), best, row)
    };
    Method::ALL.into_iter().map(walk).collect()
}

/// A unit on its path, and the map after the break.
struct BrokenPath {
    /// The grid before the break.
    intact: Ground,
    /// The grid after the break.
    ground: Ground,
    /// The map for the referee: another unit is a wall.
    map: Map,
    /// The rest of the path; the unit is at its start.
    path: Path,
}

impl BrokenPath {
    /// A random break after which the goal can still be reached.
    fn random(id: &CaseId, event: Event, search: &mut AStar) -> Result<Self, LabError> {
        const TRIES: u32 = 1000;
        let mut rng = id.rng();
        let world = if event == Event::Bridge { World::Town } else { World::in_turn(id.case / 9) };
        for _ in 0..TRIES {
            let map = world.map(rng.random())?;
            let ground = Ground::new(&map, MovementProfile::eight_connected())?;
            let Some(path) = random_path(&ground, search, &mut rng)? else { continue };
            id.judge(&map, ground.movement(), &path)?;
            let broken_path = Self::broken(map, ground, &path, event, &mut rng)?;
            if let Some(broken_path) = broken_path {
                return Ok(broken_path);
            }
        }
        Err(id.no_case(TRIES))
    }

    /// Breaks the path, if the event is possible on it.
    fn broken(
        mut map: Map,
        intact: Ground,
        path: &Path,
        event: Event,
        rng: &mut Pcg64Mcg,
    ) -> Result<Option<Self>, LabError> {
        let Some((unit, broken)) = moment(&map, path, event, rng) else { return Ok(None) };
        let cells = path.cells[unit..].to_vec();
        let mut ground = intact.clone();
        let (blocked, terrain) = what_breaks(&map, event, path.cells[broken]);
        let change = map.paint(&blocked, terrain)?;
        if event == Event::Unit {
            ground.add_obstacle(path.cells[broken]);
        } else {
            ground.apply(&map, &change);
        }
        let cost = intact.path_cost(&cells).unwrap_or_default();
        let broken_path = Self { intact, ground, map, path: Path { cells, cost } };
        Ok(broken_path
            .ground
            .is_connected(broken_path.unit(), broken_path.goal())
            .then_some(broken_path))
    }

    fn unit(&self) -> Cell {
        self.path.start().unwrap_or_default()
    }

    fn goal(&self) -> Cell {
        self.path.end().unwrap_or_default()
    }

    /// Walks to the goal and adds the results to the row; the referee checks the walk.
    fn walk(
        &self,
        id: &CaseId,
        options: FollowerOptions,
        search: &mut AStar,
        best: Cost,
        row: Row,
    ) -> Result<Row, LabError> {
        let follower = Follower::new(&self.intact, &self.path, options);
        let mut follower = follower.ok_or_else(|| id.illegal("the path is empty"))?;
        let (cells, ms) = timed(|| self.cells_walked(&mut follower, search));
        let cells = cells?;
        let cost = self.ground.path_cost(&cells);
        let cost = cost.ok_or_else(|| id.illegal("a step of the walk is not legal"))?;
        id.judge(&self.map, self.ground.movement(), &Path { cells, cost })?;
        let statistics = follower.statistics();
        let arrived = follower.position() == self.goal();
        let row = row
            .outcome(if arrived { "arrived" } else { "stuck" })
            .spent(statistics.expanded, ms, 0)
            .metric("splices", statistics.splices as f64)
            .metric("full", statistics.full_searches as f64)
            .metric("checked", statistics.checked as f64)
            .metric("stuck", f64::from(u8::from(!arrived)));
        let ratio = cost.0 as f64 / best.0 as f64;
        Ok(if arrived { row.metric("ratio", ratio) } else { row })
    }

    fn cells_walked(
        &self,
        follower: &mut Follower,
        search: &mut AStar,
    ) -> Result<Vec<Cell>, LabError> {
        let mut cells = vec![follower.position()];
        // A follower that walks in circles would count as stuck.
        while cells.len() <= self.map.terrain().len() {
            match follower.advance(&self.ground, search, Budget::unlimited())? {
                FollowerStep::Move { to, .. } => cells.push(to),
                FollowerStep::Blocked(_) | FollowerStep::Arrived => break,
            }
        }
        Ok(cells)
    }
}

/// The unit's position on the path, and the position of the break.
fn moment(map: &Map, path: &Path, event: Event, rng: &mut Pcg64Mcg) -> Option<(usize, usize)> {
    let last = path.cells.len().checked_sub(1)?;
    // Nothing is built on the unit or on its goal.
    let reach = u16::from(event != Event::Unit);
    let unit = rng.random_range(0..last as u32) as usize;
    let clear = |a: Cell, b: Cell| steps_between(a, b) > reach;
    let bridge = map.class_by_name("bridge");
    let fits = |&index: &usize| {
        let cell = path.cells[index];
        let on_bridge = event != Event::Bridge || map.terrain_at(cell) == bridge;
        on_bridge && clear(cell, path.cells[unit]) && clear(cell, path.cells[last])
    };
    let places: Vec<usize> = (unit + 1..last).filter(fits).collect();
    let chosen = rng.random_range(0..places.len().max(1) as u32) as usize;
    places.get(chosen).map(|&broken| (unit, broken))
}

/// The cells that become impassable, and their new terrain.
fn what_breaks(map: &Map, event: Event, at: Cell) -> (Vec<Cell>, TerrainId) {
    let corner = Cell::new(at.x.saturating_sub(1), at.y.saturating_sub(1));
    let around = Rect::new(corner, at.x - corner.x + 2, at.y - corner.y + 2);
    let around = around.cells().filter(|&cell| map.contains(cell));
    let terrain = |cell: Cell| map.terrain_at(cell);
    match event {
        Event::House => (around.collect(), wall(map)),
        Event::Bridge => {
            let bridge = terrain(at);
            let water = map.class_by_name("water").unwrap_or(wall(map));
            (around.filter(|&cell| terrain(cell) == bridge).collect(), water)
        }
        Event::Unit => (vec![at], wall(map)),
    }
}

/// A named group of cases.
type Group = (String, Rows);

fn groups(rows: &Rows) -> Vec<Group> {
    let mut groups = vec![("all".to_owned(), rows.filter(|_| true))];
    for event in Event::ALL {
        groups.push((event.name().to_owned(), rows.with("event", event.name())));
    }
    for ahead in LOOK_AHEADS {
        groups.push((format!("look-ahead {ahead}"), rows.with("ahead", &ahead.to_string())));
    }
    groups
}

fn table(rows: &Rows) -> Table {
    let title = "A path breaks: splice or search from scratch (nodes expanded; cost as multiple of \
                 the shortest path at the tick of the break)";
    let columns = [
        "breaks",
        "method",
        "cases",
        "expanded mean",
        "median",
        "p95",
        "of full search",
        "steps checked",
        "cost mean",
        "cost p95",
        "cost worst",
        "splices",
        "full searches",
        "stuck",
    ];
    let mut table = Table::new(STAGE, title, &columns);
    for (name, of_group) in groups(rows) {
        let full = of_group.of(FULL).mean("work").unwrap_or(1.0);
        for method in Method::ALL {
            table.push(line(&name, method, &of_group.of(method.name()), full));
        }
    }
    table
}

fn line(name: &str, method: Method, rows: &Rows, full: f64) -> Vec<Value> {
    let expanded = Summary::of(rows.values("work"));
    let mut ratios: Vec<f64> = rows.values("ratio").collect();
    ratios.sort_unstable_by(f64::total_cmp);
    let sum = |metric: &str| rows.sum(metric) as u64;
    row![
        name,
        method.name(),
        rows.len(),
        (expanded.mean, 1),
        (expanded.median, 1),
        (expanded.p95, 1),
        (expanded.mean / full, 3),
        rows.mean("checked").map(|steps| (steps, 1)),
        rows.mean("ratio").map(|ratio| (ratio, 4)),
        (percentile(&ratios, 95), 4),
        (percentile(&ratios, 100), 4),
        sum("splices"),
        sum("full"),
        sum("stuck"),
    ]
}

fn distribution(rows: &Rows) -> Result<String, LabError> {
    let mut chart = Chart::new(
        "A path breaks: nodes expanded until the unit arrives",
        Axis::log("nodes expanded"),
        Axis::linear("breaks with no more (%)"),
    );
    for method in Method::ALL {
        let of_method = rows.of(method.name());
        let expanded = of_method.values("work").map(|nodes| nodes.max(1.0));
        chart = chart.line(method.name(), &cumulative(expanded));
    }
    Ok(chart.svg()?)
}

fn bars(rows: &Rows) -> Result<String, LabError> {
    chart(
        ("A path breaks: mean nodes expanded", "what broke it", "nodes expanded"),
        &groups(rows)[..4],
        |rows| rows.mean("work"),
    )
}

fn cost_chart(rows: &Rows) -> Result<String, LabError> {
    chart(
        ("A path breaks: mean extra cost", "which breaks", "above the shortest path (%)"),
        &groups(rows),
        |rows| rows.mean("ratio").map(|ratio| (ratio - 1.0) * 100.0),
    )
}

/// Bars of means, one group of bars per group of cases.
fn chart(
    (title, x_label, y_label): (&str, &str, &str),
    groups: &[Group],
    measure: impl Fn(&Rows) -> Option<f64>,
) -> Result<String, LabError> {
    let names: Vec<&str> = groups.iter().map(|(name, _)| name.as_str()).collect();
    let mut chart = BarChart::new(title, x_label, y_label, &names);
    for method in Method::ALL {
        let mean_of = |(_, rows): &Group| measure(&rows.of(method.name())).unwrap_or(0.0);
        let values: Vec<f64> = groups.iter().map(mean_of).collect();
        chart = chart.series(method.name(), &values);
    }
    Ok(chart.svg()?)
}
