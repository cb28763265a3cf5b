//! Section 5: a path breaks in front of a unit. Splice it, or search from scratch?
//!
//! A unit follows a shortest path over a random map. At a random tick the rest of its path breaks at
//! a random cell: a house of 3 x 3 cells is built, a bridge is destroyed, or another unit stops
//! there. The unit sees the break 1, 4 or 16 cells ahead. Four followers continue from the same
//! cell. The first searches from scratch. The second splices by the paper's rule: from the last
//! walkable cell before the break to the first one after it, at any cost. The third may splice to
//! any of the next walkable cells. The last is throng's default: it splices like the third, and
//! searches from scratch where the splice is costly.
//!
//! Around a house or a unit a splice takes a few nodes. Where a bridge was, the detour is long for
//! every method, and a splice that is given up adds to the full search: the table shows both.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng::grid::{AStar, Ground, Path};
use throng::grid::{Follower, FollowerOptions, FollowerStatistics, FollowerStep};
use throng::model::{Budget, Cell, Cost, Map, MovementProfile, Rect, TerrainId};
use throng_draw::plot::{Axis, BarChart, Chart};

use super::CASES;
use super::worlds::{World, random_path, steps_between, wall};
use crate::harness::best_path::best_path;
use crate::harness::statistics::{Summary, cumulative, mean, percentile};
use crate::harness::{CaseId, Study, row};
use crate::{LabError, Table, Value};

const STAGE: &str = "breaks";
const LOOK_AHEADS: [u32; 3] = [1, 4, 16];

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
            Self::Full => "full search",
            Self::PaperSplice => "paper's splice",
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

/// The result of one follower.
#[derive(Clone, Copy, Debug, Default)]
struct Walk {
    statistics: FollowerStatistics,
    /// The cost from the break to the goal, as a multiple of the shortest path at that tick;
    /// `None` if the unit never arrived.
    cost_ratio: Option<f64>,
}

/// By [`Method::ALL`].
type Walks = [Walk; 4];

struct Case {
    event: Event,
    look_ahead: u32,
    walks: Walks,
}

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let cases = study.cases(STAGE, study.scaled(CASES), |search, id| run_case(id, search))?;
    study.table(table(&cases));
    claims(&cases, study);
    study.figure("breaks-expanded", distribution(&cases)?);
    study.figure("breaks-expanded-by-event", bars(&cases)?);
    study.figure("breaks-path-cost", cost_chart(&cases)?);
    Ok(())
}

fn run_case(id: &CaseId, search: &mut AStar) -> Result<Case, LabError> {
    let event = Event::ALL[id.case % 3];
    let look_ahead = LOOK_AHEADS[id.case / 3 % 3];
    let broken_path = BrokenPath::random(id, event, search)?;
    let best = best_path(&broken_path.ground, search, broken_path.unit(), broken_path.goal())?;
    let best = best.ok_or_else(|| id.illegal("no path is left"))?.cost;
    let mut walks = Walks::default();
    for (walk, method) in walks.iter_mut().zip(Method::ALL) {
        *walk = broken_path.walk(id, method.options(look_ahead), search, best)?;
    }
    Ok(Case { event, look_ahead, walks })
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

    /// Walks to the goal; the referee checks the walk.
    fn walk(
        &self,
        id: &CaseId,
        options: FollowerOptions,
        search: &mut AStar,
        best: Cost,
    ) -> Result<Walk, LabError> {
        let follower = Follower::new(&self.intact, &self.path, options);
        let mut follower = follower.ok_or_else(|| id.illegal("the path is empty"))?;
        let mut cells = vec![follower.position()];
        // A follower that walks in circles would count as stuck.
        while cells.len() <= self.map.terrain().len() {
            match follower.advance(&self.ground, search, Budget::unlimited())? {
                FollowerStep::Move { to, .. } => cells.push(to),
                FollowerStep::Blocked(_) | FollowerStep::Arrived => break,
            }
        }
        let cost = self.ground.path_cost(&cells);
        let cost = cost.ok_or_else(|| id.illegal("a step of the walk is not legal"))?;
        id.judge(&self.map, self.ground.movement(), &Path { cells, cost })?;
        let arrived = follower.position() == self.goal();
        let cost_ratio = arrived.then_some(cost.0 as f64 / best.0 as f64);
        Ok(Walk { statistics: follower.statistics(), cost_ratio })
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
type Group = (String, Vec<Walks>);

fn groups(cases: &[Case]) -> Vec<Group> {
    let group = |name: &str, wanted: &dyn Fn(&Case) -> bool| {
        let walks = cases.iter().filter(|case| wanted(case)).map(|case| case.walks);
        (name.to_owned(), walks.collect())
    };
    let mut groups = vec![group("all", &|_| true)];
    for event in Event::ALL {
        groups.push(group(event.name(), &|case| case.event == event));
    }
    for ahead in LOOK_AHEADS {
        let name = format!("look-ahead {ahead}");
        groups.push(group(&name, &|case| case.look_ahead == ahead));
    }
    groups
}

fn table(cases: &[Case]) -> Table {
    let title = format!(
        "A path breaks: splice or search from scratch ({} breaks; nodes expanded; cost as \
         multiple of the shortest path at the tick of the break)",
        cases.len()
    );
    let mut table = Table::new(
        STAGE,
        &title,
        &[
            "breaks",
            "method",
            "cases",
            "expanded mean",
            "median",
            "p95",
            "of full search",
            "cost mean",
            "cost p95",
            "cost worst",
            "splices",
            "full searches",
            "stuck",
        ],
    );
    for (name, walks) in groups(cases) {
        for (index, method) in Method::ALL.into_iter().enumerate() {
            table.push(row(&name, method, &walks, index));
        }
    }
    table
}

fn row(name: &str, method: Method, walks: &[Walks], index: usize) -> Vec<Value> {
    let walk = || walks.iter().map(|walks| &walks[index]);
    let expanded = Summary::of(walk().map(|walk| walk.statistics.expanded as f64));
    let full = mean(walks.iter().map(|walks| walks[0].statistics.expanded as f64));
    let mut ratios: Vec<f64> = walk().filter_map(|walk| walk.cost_ratio).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    row![
        name,
        method.name(),
        walks.len(),
        (expanded.mean, 1),
        (expanded.median, 1),
        (expanded.p95, 1),
        (expanded.mean / full, 3),
        (mean(ratios.iter().copied()), 4),
        (percentile(&ratios, 95), 4),
        (percentile(&ratios, 100), 4),
        walk().map(|walk| walk.statistics.splices).sum::<u64>(),
        walk().map(|walk| walk.statistics.full_searches).sum::<u64>(),
        walk().filter(|walk| walk.cost_ratio.is_none()).count(),
    ]
}

fn claims(cases: &[Case], study: &mut Study<'_>) {
    let walks = || cases.iter().flat_map(|case| case.walks);
    let stuck = walks().filter(|walk| walk.cost_ratio.is_none()).count();
    let text = format!(
        "every unit arrives after its path broke: {stuck} of {} walks got stuck",
        walks().count()
    );
    study.check(stuck == 0, text);
}

fn distribution(cases: &[Case]) -> Result<String, LabError> {
    let mut chart = Chart::new(
        "A path breaks: nodes expanded until the unit arrives",
        Axis::log("nodes expanded"),
        Axis::linear("breaks with no more (%)"),
    );
    for (index, method) in Method::ALL.into_iter().enumerate() {
        let expanded = cases.iter().map(|case| case.walks[index].statistics.expanded.max(1) as f64);
        chart = chart.line(method.name(), &cumulative(expanded));
    }
    Ok(chart.svg()?)
}

fn bars(cases: &[Case]) -> Result<String, LabError> {
    chart(
        ("A path breaks: mean nodes expanded", "what broke it", "nodes expanded"),
        &groups(cases)[..4],
        |walk| Some(walk.statistics.expanded as f64),
    )
}

fn cost_chart(cases: &[Case]) -> Result<String, LabError> {
    chart(
        ("A path breaks: mean extra cost", "which breaks", "above the shortest path (%)"),
        &groups(cases),
        |walk| walk.cost_ratio.map(|cost_ratio| (cost_ratio - 1.0) * 100.0),
    )
}

/// Bars of means, one group of bars per group of cases.
fn chart(
    (title, x_label, y_label): (&str, &str, &str),
    groups: &[Group],
    measure: impl Fn(&Walk) -> Option<f64>,
) -> Result<String, LabError> {
    let names: Vec<&str> = groups.iter().map(|(name, _)| name.as_str()).collect();
    let mut chart = BarChart::new(title, x_label, y_label, &names);
    for (index, method) in Method::ALL.into_iter().enumerate() {
        let mean_of =
            |(_, walks): &Group| mean(walks.iter().filter_map(|walks| measure(&walks[index])));
        let values: Vec<f64> = groups.iter().map(mean_of).collect();
        chart = chart.series(method.name(), &values);
    }
    Ok(chart.svg()?)
}
