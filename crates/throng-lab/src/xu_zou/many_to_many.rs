//! Section 3: from any of eight exits to any of eight entrances, in one search.
//!
//! Two barracks stand on a random map, as in figure 4. The single search must find the best path of
//! the 64 searches from each exit to each entrance. Its work is compared with the search between
//! the best pair (of several best pairs, the one that takes the fewest nodes), and with all 64.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng::grid::{AStar, Ground, Jps, PathSearch};
use throng::grid::{Endpoint, Journey, JourneyAnswer};
use throng::model::{Budget, Building, Cell, Cost, Map, MovementProfile, Rect};
use throng_draw::plot::{Axis, BarChart, Chart};

use super::CASES;
use super::worlds::{SIDE, World, steps_between, wall};
use crate::harness::best_path::best_path;
use crate::harness::statistics::{Summary, cumulative, mean};
use crate::harness::{CaseId, Study, row};
use crate::{LabError, Table, Value};

const STAGE: &str = "many-to-many";
/// Most nodes of the one search, as a multiple of the best pair's own search.
const RATIO_MAX: f64 = 2.0;
/// Share of blocked doors in every second case, in percent.
const BLOCKED_PERCENT: u32 = 25;
/// Least distance of two barracks, in steps.
const APART: u16 = 16;
/// Side of a building, and of the ring of doors around it, in cells.
const BUILDING: u16 = 3;
const RING: u16 = BUILDING + 2;

/// The work of a search.
#[derive(Clone, Copy, Debug, Default)]
struct Effort {
    expanded: u64,
    generated: u64,
}

impl Effort {
    fn add(&mut self, other: Self) {
        self.expanded += other.expanded;
        self.generated += other.generated;
    }
}

/// The one search beside the 64.
#[derive(Clone, Copy, Debug, Default)]
struct Comparison {
    one: Effort,
    best_pair: Effort,
    all_pairs: Effort,
    /// Whether the one search found the best pair's cost.
    agrees: bool,
}

impl Comparison {
    fn ratio(&self) -> f64 {
        self.one.expanded as f64 / self.best_pair.expanded.max(1) as f64
    }
}

struct Case {
    world: World,
    astar: Comparison,
    /// Only on maps with a single cost factor.
    jps: Option<Comparison>,
}

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let cases =
        study.cases(STAGE, study.scaled(CASES), |searches: &mut Searches, id| searches.case(id))?;
    study.table(table(&cases));
    claims(&cases, study);
    study.figure("many-to-many-expanded", distribution(&cases)?);
    study.figure("many-to-many-mean", bars(&cases)?);
    study.figure("many-to-many-scatter", scatter(&cases)?);
    Ok(())
}

/// The searches of a thread, with their memory.
#[derive(Default)]
struct Searches {
    astar: AStar,
    jps: Jps,
}

impl Searches {
    fn case(&mut self, id: &CaseId) -> Result<Case, LabError> {
        let barracks = Barracks::random(id)?;
        let effort = |s: &AStar| Effort { expanded: s.expanded(), generated: s.generated() };
        let astar = barracks.compare(id, &mut self.astar, effort)?;
        let effort = |s: &Jps| Effort { expanded: s.expanded(), generated: 0 };
        let jps = if Jps::supports(&barracks.ground) {
            Some(barracks.compare(id, &mut self.jps, effort)?)
        } else {
            None
        };
        Ok(Case { world: barracks.world, astar, jps })
    }
}

/// Two barracks on a map.
struct Barracks {
    world: World,
    map: Map,
    ground: Ground,
    from: Building,
    to: Building,
}

impl Barracks {
    /// Random barracks of which some exit leads to some entrance.
    fn random(id: &CaseId) -> Result<Self, LabError> {
        const TRIES: u32 = 100;
        let mut rng = id.rng();
        for _ in 0..TRIES {
            let barracks = Self::drawn(id, &mut rng)?;
            if barracks.is_connected_somewhere() {
                return Ok(barracks);
            }
        }
        Err(id.no_case(TRIES))
    }

    fn drawn(id: &CaseId, rng: &mut Pcg64Mcg) -> Result<Self, LabError> {
        let world = World::in_turn(id.case);
        let blocked_percent = [0, BLOCKED_PERCENT][id.case / World::ALL.len() % 2];
        let mut map = world.map(rng.random())?;
        let (first, second) = two_places(rng);
        let from = build(&mut map, rng, "barracks A", first, blocked_percent)?;
        let to = build(&mut map, rng, "barracks B", second, blocked_percent)?;
        let ground = Ground::new(&map, MovementProfile::eight_connected())?;
        Ok(Self { world, map, ground, from, to })
    }

    fn pairs(&self) -> impl Iterator<Item = (Cell, Cell)> {
        let exits = self.from.exits.iter();
        exits.flat_map(|&exit| self.to.entrances.iter().map(move |&entrance| (exit, entrance)))
    }

    fn is_connected_somewhere(&self) -> bool {
        self.pairs().any(|(exit, entrance)| self.ground.is_connected(exit, entrance))
    }

    /// Searches once, and then for each pair.
    fn compare<S: PathSearch>(
        &self,
        id: &CaseId,
        search: &mut S,
        effort: impl Fn(&S) -> Effort,
    ) -> Result<Comparison, LabError> {
        let (from, to) = ([Endpoint::Building(&self.from)], [Endpoint::Building(&self.to)]);
        let journey = Journey::new(&self.ground, &from, &to)?;
        let answer = journey.find(&self.ground, search, Budget::unlimited())?;
        let JourneyAnswer::Found(trip) = answer else { return Ok(Comparison::default()) };
        let one = effort(search);
        id.judge(&self.map, self.ground.movement(), &trip.path)?;
        let mut best: Option<(Cost, Effort)> = None;
        let mut all_pairs = Effort::default();
        for (exit, entrance) in self.pairs() {
            let Some(path) = best_path(&self.ground, search, exit, entrance)? else { continue };
            let taken = effort(search);
            all_pairs.add(taken);
            id.judge(&self.map, self.ground.movement(), &path)?;
            let key = (path.cost, taken.expanded);
            if best.is_none_or(|(cost, least)| key < (cost, least.expanded)) {
                best = Some((path.cost, taken));
            }
        }
        let (cost, best_pair) = best.unwrap_or((Cost::MAX, Effort::default()));
        Ok(Comparison { one, best_pair, all_pairs, agrees: cost == trip.path.cost })
    }
}

/// The corners of the rings of two barracks.
fn two_places(rng: &mut Pcg64Mcg) -> (Cell, Cell) {
    let mut place = || {
        let mut side = || rng.random_range(0..SIDE - u32::from(RING)) as u16;
        Cell::new(side(), side())
    };
    let first = place();
    loop {
        let second = place();
        if steps_between(first, second) >= APART {
            return (first, second);
        }
    }
}

/// Adds a building with doors at the corners and in the middle of each side, one step outside its
/// walls, and obstacles on some of them.
fn build(
    map: &mut Map,
    rng: &mut Pcg64Mcg,
    name: &str,
    origin: Cell,
    blocked_percent: u32,
) -> Result<Building, LabError> {
    let wall = wall(map);
    let ring = Rect::new(origin, RING, RING);
    let along = |at: u16, from: u16| (at - from).is_multiple_of(RING / 2);
    let on_ring = |cell: &Cell| {
        let (dx, dy) = (cell.x - origin.x, cell.y - origin.y);
        dx.min(dy) == 0 || dx.max(dy) == RING - 1
    };
    let doors: Vec<Cell> = ring
        .cells()
        .filter(|cell| on_ring(cell) && along(cell.x, origin.x) && along(cell.y, origin.y))
        .collect();
    map.fill(Rect::new(Cell::new(origin.x + 1, origin.y + 1), BUILDING, BUILDING), wall)?;
    map.paint(&doors, Map::GROUND)?;
    let blocked: Vec<Cell> =
        doors.iter().copied().filter(|_| rng.random_range(0..100) < blocked_percent).collect();
    map.paint(&blocked, wall)?;
    Ok(Building::with_doors(name, doors))
}

/// The rows of the table.
type Measured = (&'static str, fn(&Comparison) -> Effort);

const MEASURED: [Measured; 3] = [
    ("one search", |c| c.one),
    ("best pair's own", |c| c.best_pair),
    ("all 64 searches", |c| c.all_pairs),
];

fn table(cases: &[Case]) -> Table {
    let title = format!(
        "Leave one barracks by any of 8 exits, enter another by any of 8 entrances ({} cases; \
         nodes)",
        cases.len()
    );
    let mut table = Table::new(
        STAGE,
        &title,
        &[
            "world",
            "search",
            "measured",
            "cases",
            "expanded mean",
            "median",
            "p95",
            "of best pair's",
            "mean ratio",
            "generated mean",
            "generated median",
            "generated p95",
        ],
    );
    for (name, world) in groups() {
        let of_world = || cases.iter().filter(move |case| world.is_none_or(|w| w == case.world));
        let astar: Vec<Comparison> = of_world().map(|case| case.astar).collect();
        let jps: Vec<Comparison> = of_world().filter_map(|case| case.jps).collect();
        for measured in MEASURED {
            table.push(row(name, "A*", measured, &astar, true));
        }
        for measured in MEASURED.into_iter().filter(|_| !jps.is_empty()) {
            table.push(row(name, "JPS", measured, &jps, false));
        }
    }
    table
}

/// All cases, then each world's.
fn groups() -> impl Iterator<Item = (&'static str, Option<World>)> {
    let worlds = World::ALL.map(|world| (world.name(), Some(world)));
    std::iter::once(("all", None)).chain(worlds)
}

fn row(
    world: &str,
    search: &str,
    (name, effort): Measured,
    cases: &[Comparison],
    generated: bool,
) -> Vec<Value> {
    let expanded = Summary::of(cases.iter().map(|c| effort(c).expanded as f64));
    let best = mean(cases.iter().map(|c| c.best_pair.expanded as f64));
    let ratios =
        cases.iter().map(|c| effort(c).expanded as f64 / c.best_pair.expanded.max(1) as f64);
    let generated =
        generated.then(|| Summary::of(cases.iter().map(|c| effort(c).generated as f64)));
    row![
        world,
        search,
        name,
        cases.len(),
        (expanded.mean, 1),
        (expanded.median, 1),
        (expanded.p95, 1),
        (expanded.mean / best, 2),
        (mean(ratios), 2),
        generated.map(|nodes| (nodes.mean, 1)),
        generated.map(|nodes| (nodes.median, 1)),
        generated.map(|nodes| (nodes.p95, 1)),
    ]
}

fn claims(cases: &[Case], study: &mut Study<'_>) {
    let astar: Vec<Comparison> = cases.iter().map(|case| case.astar).collect();
    let jps: Vec<Comparison> = cases.iter().filter_map(|case| case.jps).collect();
    for (name, compared) in [("A*", &astar), ("JPS", &jps)] {
        let wrong = compared.iter().filter(|c| !c.agrees).count();
        let text = format!(
            "one {name} search finds the cost of the best of the 64 single searches: {wrong} of \
             {} cases differ",
            compared.len()
        );
        study.check(wrong == 0, text);
    }
    let one = mean(astar.iter().map(|c| c.one.expanded as f64));
    let best = mean(astar.iter().map(|c| c.best_pair.expanded as f64));
    let (of_means, of_ratios) = (one / best, mean(astar.iter().map(Comparison::ratio)));
    let text = format!(
        "one A* search expands on average at most {RATIO_MAX:.0} times what the best pair's own \
         search does: {of_means:.2} times the mean, {of_ratios:.2} on the mean of the ratios"
    );
    study.check(of_means.max(of_ratios) <= RATIO_MAX, text);
}

fn distribution(cases: &[Case]) -> Result<String, LabError> {
    let mut chart = Chart::new(
        "8 exits, 8 entrances: one search against 64 (A*)",
        Axis::log("nodes expanded"),
        Axis::linear("cases with no more (%)"),
    );
    for (name, effort) in MEASURED {
        let expanded = cases.iter().map(|case| effort(&case.astar).expanded.max(1) as f64);
        chart = chart.line(name, &cumulative(expanded));
    }
    Ok(chart.svg()?)
}

/// Without the 64 searches: they would dwarf the other bars.
fn bars(cases: &[Case]) -> Result<String, LabError> {
    // All cases last: the legend covers the top of the first bars.
    let groups: Vec<_> = groups().skip(1).chain(groups().take(1)).collect();
    let names: Vec<&str> = groups.iter().map(|&(name, _)| name).collect();
    let mut chart = BarChart::new(
        "8 exits, 8 entrances: the cost of not knowing the best pair (A*)",
        "world",
        "nodes expanded, mean",
        &names,
    );
    for (name, effort) in MEASURED.into_iter().take(2) {
        let mean_of = |&(_, world): &(&str, Option<World>)| {
            let of_world = cases.iter().filter(|case| world.is_none_or(|w| w == case.world));
            mean(of_world.map(|case| effort(&case.astar).expanded as f64))
        };
        chart = chart.series(name, &groups.iter().map(mean_of).collect::<Vec<_>>());
    }
    Ok(chart.svg()?)
}

fn scatter(cases: &[Case]) -> Result<String, LabError> {
    let mut chart = Chart::new(
        "One search against the best pair's own search (A*, one dot per case)",
        Axis::log("nodes expanded by the best pair's own search"),
        Axis::log("nodes expanded by the one search"),
    );
    for world in World::ALL {
        let of_world = cases.iter().filter(|case| case.world == world);
        let dots: Vec<(f64, f64)> = of_world
            .map(|case| {
                let (best, one) = (case.astar.best_pair.expanded, case.astar.one.expanded);
                (best.max(1) as f64, one.max(1) as f64)
            })
            .collect();
        chart = chart.scatter(world.name(), &dots);
    }
    let best = || cases.iter().map(|case| case.astar.best_pair.expanded.max(1) as f64);
    let (least, largest) = (best().fold(f64::MAX, f64::min), best().fold(1.0, f64::max));
    chart = chart.line("equal", &[(least, least), (largest, largest)]);
    Ok(chart.line("twice", &[(least, least * 2.0), (largest, largest * 2.0)]).svg()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether each claim holds if the one search expands `expanded` nodes and the best pair's
    /// own search ten.
    fn claimed(expanded: u64, astar_agrees: bool, jps_agrees: bool) -> Vec<bool> {
        let comparison = |agrees| Comparison {
            one: Effort { expanded, generated: 0 },
            best_pair: Effort { expanded: 10, generated: 0 },
            all_pairs: Effort::default(),
            agrees,
        };
        let (astar, jps) = (comparison(astar_agrees), Some(comparison(jps_agrees)));
        let (options, mut progress) = (crate::Options::default(), |_| {});
        let mut study = Study::new("xu-zou", &options, &mut progress);
        claims(&[Case { world: World::Open, astar, jps }], &mut study);
        study.finish().checks.iter().map(|check| check.holds).collect()
    }

    #[test]
    fn a_wrong_cost_or_too_much_work_breaks_a_claim() {
        assert_eq!(claimed(20, true, true), [true, true, true]);
        assert_eq!(claimed(21, true, true), [true, true, false]);
        assert_eq!(claimed(20, false, true), [false, true, true]);
        assert_eq!(claimed(20, true, false), [true, false, true]);
    }

    #[test]
    fn barracks_have_eight_doors_around_their_walls() {
        let mut map = Map::empty(16, 16).unwrap();
        let mut rng = CaseId { stage: STAGE, seed: 1, case: 0 }.rng();
        let barracks = build(&mut map, &mut rng, "A", Cell::new(4, 4), 0).unwrap();
        let doors =
            [(4, 4), (6, 4), (8, 4), (4, 6), (8, 6), (4, 8), (6, 8), (8, 8)].map(Cell::from);
        assert_eq!((&barracks.exits[..], &barracks.entrances[..]), (&doors[..], &doors[..]));
        let walls: Vec<Cell> = map.cells().filter(|&cell| !map.is_passable(cell)).collect();
        assert_eq!(walls, Rect::new(Cell::new(5, 5), 3, 3).cells().collect::<Vec<_>>());
        build(&mut map, &mut rng, "B", Cell::new(4, 4), 100).unwrap();
        assert!(doors.iter().all(|&door| !map.is_passable(door)));
    }
}
