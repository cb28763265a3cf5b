//! "Choosing a Heuristic" and "Backwards Search": figures 2 and 3.
//!
//! One unit, alone on the map, whose path leads around three sides of a wall. The search cannot
//! know that it is alone before the last tick that could be reserved.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::harness::best_path::best_path;
use crate::harness::figure_map::FigureMap;
use crate::harness::number_grid::number_grid;
use crate::harness::svg_layout::beside;
use crate::harness::{CaseId, Rule, Statement, Study, Values, row};
use crate::{LabError, Table};
use throng::grid::{AStar, Ground, PathSearch as _};
use throng::model::{Cell, MovementProfile, Tick};
use throng::model::{Effort, SearchStatus};
use throng::spacetime::{
    Entry, FootprintRules, GridSpace, Position, Rra, Space, SpaceTimeSearch, TimedObstacles,
    TimedPath, Until,
};

const FIGURE: &str = "
    ............
    .#########..
    .........#..
    .........#..
    .s.......#g.
    .........#..
    .........#..
    .#########..
    ............";

/// The last tick at which the table could have entries.
const LAST_TICK: Tick = Tick(64);

/// An empty reservation table that records its queries. A search that expands a position at a tick
/// asks for each of its moves whether another unit passes there.
#[derive(Default)]
struct QueryRecorder {
    expanded: RefCell<BTreeSet<(Entry, Tick)>>,
}

impl TimedObstacles for QueryRecorder {
    fn is_free(&self, _: Entry, _: Tick) -> bool {
        true
    }

    fn may_pass(&self, _: Entry, after: Entry, tick: Tick) -> bool {
        self.expanded.borrow_mut().insert((after, tick));
        true
    }

    fn free_from(&self, _: Entry) -> Option<Tick> {
        Some(Tick(0))
    }

    fn last_tick(&self) -> Tick {
        LAST_TICK
    }
}

/// A search through space-time, and how often it visited each location.
struct Searched {
    visits: Vec<u64>,
    expanded: u64,
    path: Vec<Cell>,
}

impl Searched {
    fn locations(&self) -> usize {
        self.visits.iter().filter(|&&visits| visits > 0).count()
    }

    fn most(&self) -> u64 {
        self.visits.iter().copied().max().unwrap_or(0)
    }
}

/// The unit and its map.
pub(super) struct Setting {
    pub(super) figure: FigureMap,
    pub(super) space: GridSpace,
    pub(super) start: Position,
    pub(super) goal: Position,
}

impl Setting {
    pub(super) fn new() -> Result<Self, LabError> {
        let figure = FigureMap::new("2", FIGURE)?;
        let movement = MovementProfile::four_connected();
        let space = GridSpace::new(&figure.map, movement, &FootprintRules::default())?;
        let at = |letter| {
            let place = space.position(figure.cell(letter)?);
            place.ok_or_else(|| figure.error("a letter is off the map"))
        };
        let (start, goal) = (at('s')?, at('g')?);
        Ok(Self { figure, space, start, goal })
    }

    fn search(
        &self,
        distance: &mut impl FnMut(Position) -> Option<u64>,
    ) -> Result<Searched, LabError> {
        let (mut search, table) = (SpaceTimeSearch::default(), QueryRecorder::default());
        let (start, until) = ((self.start, Tick(0)), Until::Goal(self.goal));
        let ended =
            search.run(&self.space, &table, start, until, distance, &mut Effort::unlimited());
        if ended != SearchStatus::Found {
            return Err(self.figure.error("no path"));
        }
        let mut visits = vec![0; self.space.positions()];
        table.expanded.borrow().iter().for_each(|(entry, _)| visits[entry.get()] += 1);
        let mut path = TimedPath::default();
        search.path_into(&self.space, Tick(0), &mut path);
        let path = path.positions().into_iter().map(|at| self.space.cell(at)).collect();
        Ok(Searched { visits, expanded: search.expanded(), path })
    }

    /// A backward search from the goal towards the unit.
    pub(super) fn backwards(&self) -> Rra {
        let mut distances = Rra::default();
        distances.begin(&self.space, [(self.goal, 0)], self.start);
        distances
    }

    /// The map with a number at each position.
    fn numbers(
        &self,
        caption: &str,
        value: impl Fn(Position) -> Option<u64>,
    ) -> Result<String, LabError> {
        let ends = [(self.start, 's'), (self.goal, 'g')];
        let marks = ends.map(|(at, letter)| (self.space.cell(at), letter));
        number_grid(&self.figure.map, caption, &marks, |cell| value(self.space.position(cell)?))
    }
}

const TEXT: &str = "The unit (s) stands in front of a wall and its goal (g) behind it. The paper's own \
                    map is not in our text of it. The search cannot know that it is alone before the \
                    last tick that could be reserved.";

const FIGURE_2: &str = "Figure 2: the article's A explores almost the entire map, its B visits locations often, its C \
                        visits the path only, once.";
const FIGURE_3: &str = "Figure 3: in the article's A the search reaches the unit at f = 8, and its B has contours of f = 8, \
                        10 and 12. The unit is farther away here, and contours differ by 2 as well.";

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let setting = Setting::new()?;
    let manhattan = setting.search(&mut |at| Some(setting.space.estimate(at, setting.goal)))?;
    let mut distances = setting.backwards();
    let true_distance = setting.search(&mut |at| distances.distance(&setting.space, at))?;
    let spatial = spatial(&setting)?;
    study.section("Figures 2 and 3: choosing a heuristic, backwards search", TEXT);
    study.table(table(spatial, &manhattan, &true_distance, distances.expanded()));
    let visits = |found: &Searched, at: Position| Some(found.visits[at.get()]).filter(|&n| n > 0);
    let floods = forwards(&setting);
    let f = |at: Position| Some(floods.known(at)? + setting.space.estimate(at, setting.goal));
    let figure_2 = [
        setting.numbers("2A: f values of locations visited by spatial A*", f)?,
        setting.numbers("2B: visits by space-time A*, Manhattan distance", |at| {
            visits(&manhattan, at)
        })?,
        setting.numbers("2C: visits by space-time A*, true distance", |at| {
            visits(&true_distance, at)
        })?,
    ];
    study.figure_beside("figure-2", FIGURE_2, beside(&figure_2));
    study.figure_beside("figure-3", FIGURE_3, beside(&contours(&setting)?));
    let flooded =
        setting.figure.map.cells().filter_map(|cell| f(setting.space.position(cell)?)).count();
    let free =
        setting.figure.map.cells().filter(|&cell| setting.space.position(cell).is_some()).count();
    study.judge(&FLOODING, &Values::drawn(100.0 * flooded as f64 / free as f64));
    let [many, few] = [manhattan.expanded as f64, true_distance.expanded as f64];
    study.judge(&MAGNIFIED, &Values::drawn(manhattan.most() as f64));
    let is_optimal = true_distance.expanded == spatial.1 as u64 && true_distance.most() == 1;
    study.judge(&OPTIMAL, &Values::so(is_optimal));
    study.judge(&SAVES, &Values::drawn(many / (few + distances.expanded() as f64)));
    study.judge(&CLOSED, &Values::so(g_values_are_distances(&setting)));
    study.judge(&CONTOURS, &Values::drawn(steps_of_contours(&setting)));
    Ok(())
}

const FLOODING: Statement = Statement::new(
    "Figure 2A",
    "\"almost the entire map has been explored before the destination is found\" by spatial A*",
    "almost the entire map",
    Rule::at_least(80.0).or_above(50.0),
)
.shown("% of the locations", 0)
.because("our map is another one; \"almost\" is read as 80%");

const MAGNIFIED: Statement = Statement::new(
    "Figure 2B",
    "\"the number of visits to each location can be high during space-time A*\"",
    "high: more than 1",
    Rule::above(1.0),
)
.shown("visits at most", 0);

const OPTIMAL: Statement = Statement::new(
    "Figure 2C",
    "\"using the true distance heuristic, the number of visits to each location is optimal\": the path, once",
    "1",
    Rule::is_so(),
);

const SAVES: Statement = Statement::new(
    "Backwards search",
    "\"the backwards search can save a great deal of time\": nodes without it by nodes with it, its own included",
    "a great deal",
    Rule::above(1.0),
)
.shown("times", 1);

const CLOSED: Statement = Statement::new(
    "Figure 3A",
    "when the backward search reaches the unit, \"the g value for each node contains precisely the quantity we are looking \
     for: the true distance to the destination\": all nodes of its closed list, against a flood",
    "precisely",
    Rule::is_so(),
)
.because("a g value is not the true distance");

const CONTOURS: Statement = Statement::new(
    "Figure 3B",
    "f values of the backward search \"form a series of contours\" f = 8, 10, 12: steps of 2",
    "steps of 2",
    Rule::is_so(),
);

/// A spatial A* from the unit towards its goal, until it gets there.
fn forwards(setting: &Setting) -> Rra {
    let mut search = Rra::default();
    search.begin(&setting.space, [(setting.start, 0)], setting.goal);
    search.distance(&setting.space, setting.goal);
    search
}

/// Figure 3: g values when the backward search reaches the unit, and the f values at which it
/// explores each location.
fn contours(setting: &Setting) -> Result<[String; 2], LabError> {
    let mut distances = setting.backwards();
    let found = distances.distance(&setting.space, setting.start).unwrap_or(0);
    let caption = format!("3A: g values when the unit is reached, {found} steps");
    let reached = setting.numbers(&caption, |at| distances.known(at))?;
    let values = f_values(setting);
    let by_f =
        setting.numbers("3B: f values at which a location is explored", |at| values[at.get()])?;
    Ok([reached, by_f])
}

/// Whether every node that the backward search has closed when it reaches the unit has its true
/// distance.
fn g_values_are_distances(setting: &Setting) -> bool {
    let mut distances = setting.backwards();
    distances.distance(&setting.space, setting.start);
    let flood = flood(setting);
    let positions = (0..setting.space.positions() as u32).map(Position);
    let closed = positions.filter_map(|at| Some((at, distances.known(at)?)));
    closed.into_iter().all(|(at, g)| flood[at.get()] == Some(g))
}

/// By position, the steps to the goal: a flood from the goal, step by step.
fn flood(setting: &Setting) -> Vec<Option<u64>> {
    let mut steps = vec![None; setting.space.positions()];
    let (mut ring, mut reached) = (vec![setting.goal], 0);
    while !ring.is_empty() {
        ring.retain(|at| steps[at.get()].is_none());
        ring.iter().for_each(|at| steps[at.get()] = Some(reached));
        let mut next = Vec::new();
        ring.iter().for_each(|&at| setting.space.for_each_move_back(at, |step| next.push(step.to)));
        (ring, reached) = (next, reached + 1);
    }
    steps
}

/// By position, its distance to the goal and the estimate to the unit.
fn f_values(setting: &Setting) -> Vec<Option<u64>> {
    let mut distances = setting.backwards();
    let positions = (0..setting.space.positions() as u32).map(Position);
    let stands = |at: &Position| setting.space.position(setting.space.cell(*at)).is_some();
    let f = |at: Position| {
        let g = Some(at).filter(stands).and_then(|at| distances.distance(&setting.space, at))?;
        Some(g + setting.space.estimate(at, setting.start))
    };
    positions.map(f).collect()
}

/// 1 if f values differ by multiples of 2.
fn steps_of_contours(setting: &Setting) -> f64 {
    let values = f_values(setting);
    let mut values = values.iter().flatten();
    let first = values.next().copied().unwrap_or(0);
    if values.all(|value| value.abs_diff(first) % 2 == 0) { 1.0 } else { 0.0 }
}

/// Nodes and steps of a search without time.
fn spatial(setting: &Setting) -> Result<(u64, usize), LabError> {
    let ground = Ground::new(&setting.figure.map, MovementProfile::four_connected())?;
    let mut search = AStar::default();
    let ends = [setting.start, setting.goal].map(|at| setting.space.cell(at));
    let path = best_path(&ground, &mut search, ends[0], ends[1])?;
    let path = path.ok_or_else(|| setting.figure.error("no path"))?;
    let id = CaseId { stage: "heuristic", seed: 0, case: 0 };
    id.judge(&setting.figure.map, ground.movement(), &path)?;
    Ok((search.expanded(), path.cells.len() - 1))
}

fn table(
    (spatial, length): (u64, usize),
    manhattan: &Searched,
    true_distance: &Searched,
    backwards: u64,
) -> Table {
    let mut table = Table::new(
        "heuristic",
        "Around three sides of a wall, alone (nodes)",
        &["search", "nodes", "locations", "most visits to one", "nodes backwards", "path"],
    );
    table.push(row!["spatial A*", spatial, (), (), (), length]);
    for (name, found, backwards) in [
        ("space-time A*, Manhattan distance", manhattan, 0),
        ("space-time A*, true distance", true_distance, backwards),
    ] {
        table.push(row![
            name,
            found.expanded,
            found.locations(),
            found.most(),
            backwards,
            found.path.len() - 1,
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorder_sees_every_node() {
        let setting = Setting::new().unwrap();
        let found =
            setting.search(&mut |at| Some(setting.space.estimate(at, setting.goal))).unwrap();
        assert_eq!(found.visits.iter().sum::<u64>(), found.expanded);
    }
}
