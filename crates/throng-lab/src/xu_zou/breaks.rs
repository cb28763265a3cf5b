//! Section 5: a path breaks under the unit that walks it. Splice, or search anew?
//!
//! A unit walks a best path over a random world. At a random moment something happens to a
//! random cell of the rest of its path: a house of 3 x 3 cells is built, a bridge is blown
//! up, another unit stops there. The unit sees it 1, 4 or 16 cells ahead. Four followers
//! walk on from the same cell: one that searches anew; one that splices by the paper's rule
//! (from the last walkable cell before the break to the first after it, whatever that
//! costs); one that may splice to any of the next walkable cells; and throng's default,
//! which does so too and searches anew where the splice is dear.
//!
//! Around a house or a unit a splice is a few nodes' work. Where a bridge was, the way
//! around is long for every method, and a splice that is given up costs on top of the full
//! search: the table shows both.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng::grid::{Follower, FollowerOptions, FollowerStatistics, FollowerStep};
use throng::{AStar, Budget, Cell, Cost, Ground, Map, MovementProfile, Path, Rect, TerrainId};
use throng_draw::plot::{Axis, BarChart, Chart};

use super::CASES;
use super::worlds::{World, best_path, random_path, steps_between, wall};
use crate::case::CaseId;
use crate::statistics::{Summary, cumulative, mean, quantile};
use crate::{Experiment, LabError, Options, Progress, Table, Value, parallel};

const STAGE: &str = "breaks";
const LOOK_AHEADS: [u32; 3] = [1, 4, 16];

/// What happens to the path.
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

/// How a follower deals with it.
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

/// What came of one follower's walk.
#[derive(Clone, Copy, Debug, Default)]
struct Walk {
    statistics: FollowerStatistics,
    /// What the way from the change to the goal cost, as multiple of the best there was at
    /// that moment; `None` if the unit never arrived.
    dearer: Option<f64>,
}

/// By [`Method::ALL`].
type Walks = [Walk; 4];

struct Case {
    event: Event,
    look_ahead: u32,
    walks: Walks,
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
    claims(&cases, experiment);
    experiment.add_picture("breaks-expanded", distribution(&cases)?);
    experiment.add_picture("breaks-expanded-by-event", bars(&cases)?);
    experiment.add_picture("breaks-path-cost", dearness(&cases)?);
    Ok(())
}

fn run_case(id: &CaseId, search: &mut AStar) -> Result<Case, LabError> {
    let event = Event::ALL[id.case % 3];
    let look_ahead = LOOK_AHEADS[id.case / 3 % 3];
    let scene = Scene::random(id, event, search)?;
    let best = best_path(&scene.ground, search, scene.unit(), scene.goal())?;
    let best = best.ok_or_else(|| id.illegal("no way is left"))?.cost;
    let mut walks = Walks::default();
    for (walk, method) in walks.iter_mut().zip(Method::ALL) {
        *walk = scene.walk(id, method.options(look_ahead), search, best)?;
    }
    Ok(Case { event, look_ahead, walks })
}

/// A unit on its path, and the world after something happened to it.
struct Scene {
    /// Before.
    intact: Ground,
    /// As the unit finds it.
    ground: Ground,
    /// As the referee is shown it: another unit is a wall.
    map: Map,
    /// What is left of the path; the unit is at its start.
    path: Path,
}

impl Scene {
    /// A scene in which the goal can still be reached.
    fn random(id: &CaseId, event: Event, search: &mut AStar) -> Result<Self, LabError> {
        const TRIES: u32 = 1000;
        let mut rng = id.rng();
        let world = if event == Event::Bridge { World::Town } else { World::in_turn(id.case / 9) };
        for _ in 0..TRIES {
            let map = world.map(rng.random())?;
            let ground = Ground::new(&map, MovementProfile::eight_connected())?;
            let Some(path) = random_path(&ground, search, &mut rng)? else { continue };
            id.judge(&map, ground.movement(), &path)?;
            let scene = Self::broken(map, ground, &path, event, &mut rng)?;
            if let Some(scene) = scene {
                return Ok(scene);
            }
        }
        Err(id.no_case(TRIES))
    }

    /// Lets it happen, if it can.
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
        let scene = Self { intact, ground, map, path: Path { cells, cost } };
        Ok(scene.ground.is_connected(scene.unit(), scene.goal()).then_some(scene))
    }

    fn unit(&self) -> Cell {
        self.path.start().unwrap_or_default()
    }

    fn goal(&self) -> Cell {
        self.path.end().unwrap_or_default()
    }

    /// Walks to the goal, and lets the referee judge it.
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
        // No follower walks in circles; should one do so, it counts as stuck.
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
        let dearer = arrived.then_some(cost.0 as f64 / best.0 as f64);
        Ok(Walk { statistics: follower.statistics(), dearer })
    }
}

/// Where on the path the unit is, and where the path breaks.
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

/// Which cells can no longer be walked, and what they become.
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

/// Cases that belong together.
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
        "A path breaks: splice or search anew ({} breaks; nodes expanded; cost of the way as \
         multiple of the best at the moment of the break)",
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
    let mut dearer: Vec<f64> = walk().filter_map(|walk| walk.dearer).collect();
    dearer.sort_unstable_by(f64::total_cmp);
    let costs = [mean(dearer.iter().copied()), quantile(&dearer, 95), quantile(&dearer, 100)];
    let mut row = vec![name.into(), method.name().into(), walks.len().into()];
    row.extend([expanded.mean, expanded.median, expanded.p95].map(|v| Value::Number(v, 1)));
    row.push(Value::Number(expanded.mean / full, 3));
    row.extend(costs.map(|cost| Value::Number(cost, 4)));
    row.push(walk().map(|walk| walk.statistics.splices).sum::<u64>().into());
    row.push(walk().map(|walk| walk.statistics.full_searches).sum::<u64>().into());
    row.push(walk().filter(|walk| walk.dearer.is_none()).count().into());
    row
}

fn claims(cases: &[Case], experiment: &mut Experiment) {
    let walks = || cases.iter().flat_map(|case| case.walks);
    let stuck = walks().filter(|walk| walk.dearer.is_none()).count();
    let text = format!(
        "every unit arrives after its path broke: {stuck} of {} walks got stuck",
        walks().count()
    );
    experiment.claim(stuck == 0, text);
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

fn dearness(cases: &[Case]) -> Result<String, LabError> {
    chart(
        ("A path breaks: mean extra cost of the way", "which breaks", "above the best way (%)"),
        &groups(cases),
        |walk| walk.dearer.map(|dearer| (dearer - 1.0) * 100.0),
    )
}

/// Bars of means, a group of bars for each group of cases.
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
