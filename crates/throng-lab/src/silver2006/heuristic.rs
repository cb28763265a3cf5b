//! "Choosing a Heuristic" and "Backwards Search": figures 2 and 3.
//!
//! One unit, alone on the map, whose path leads around three sides of a wall. The search cannot
//! know that it is alone before the last tick that could be reserved.

use std::cell::RefCell;
use std::collections::BTreeSet;

use throng::grid::{AStar, Ground, PathSearch as _};
use throng::model::{Cell, Map, MovementProfile, Tick};
use throng::model::{Effort, SearchStatus};
use throng::spacetime::{
    Entry, FootprintRules, GridSpace, Position, Rra, Space, SpaceTimeSearch, TimedObstacles,
    TimedPath, Until,
};
use throng_draw::{Picture, svg};

use crate::harness::best_path::best_path;
use crate::harness::figure_map::{FigureMap, with_ends};
use crate::harness::svg_layout::beside;
use crate::harness::{CaseId, Study, row};
use crate::{LabError, Table};

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

    fn picture(&self, map: &Map, caption: &str) -> Result<String, LabError> {
        let seen = |&visits: &u64| (visits > 0).then_some(visits as f64);
        let values: Vec<_> = self.visits.iter().map(seen).collect();
        let picture = Picture::new(map).heat("visits to a location", &values)?;
        Ok(svg(&with_ends(picture.path("path", &self.path), &self.path).caption(caption).legend()))
    }
}

struct Setting {
    figure: FigureMap,
    space: GridSpace,
    start: Position,
    goal: Position,
}

impl Setting {
    fn new() -> Result<Self, LabError> {
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

    fn backwards(&self) -> Rra {
        let mut distances = Rra::default();
        distances.begin(&self.space, [(self.goal, 0)], self.start);
        distances
    }

    /// Figure 3: the true distances that RRA* knows when it has reached the unit, and when it was
    /// resumed for another cell.
    fn known(&self, distances: &Rra, caption: &str) -> Result<String, LabError> {
        let known = |at| distances.known(Position(at)).map(|distance| distance as f64);
        let values: Vec<_> = (0..self.space.positions() as u32).map(known).collect();
        let ends = [self.start, self.goal].map(|at| self.space.cell(at));
        let picture = Picture::new(&self.figure.map).heat("true distance", &values)?;
        Ok(svg(&with_ends(picture, &ends).caption(caption).legend()))
    }
}

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let setting = Setting::new()?;
    let manhattan = setting.search(&mut |at| Some(setting.space.estimate(at, setting.goal)))?;
    let mut distances = setting.backwards();
    let true_distance = setting.search(&mut |at| distances.distance(&setting.space, at))?;
    let spatial = spatial(&setting)?;
    study.table(table(spatial, &manhattan, &true_distance, distances.expanded()));
    claims(spatial.1, &manhattan, &true_distance, study);
    let captions = ["B: space-time A* by Manhattan distance", "C: the same by true distance"];
    let map = &setting.figure.map;
    let pictures = [manhattan.picture(map, captions[0])?, true_distance.picture(map, captions[1])?];
    study.figure("figure-2", beside(&pictures));
    study.figure("figure-3", beside(&contours(&setting)?));
    Ok(())
}

fn contours(setting: &Setting) -> Result<[String; 2], LabError> {
    let mut distances = setting.backwards();
    let found = distances.distance(&setting.space, setting.start).unwrap_or(0);
    let caption = format!("A: reached the unit, {found} steps; {} nodes", distances.expanded());
    let reached = setting.known(&distances, &caption)?;
    // The inner corner of the wall, far from the path.
    let aside = setting.space.position(Cell::new(8, 4)).unwrap_or(setting.start);
    let found = distances.distance(&setting.space, aside).unwrap_or(0);
    let caption = format!(
        "B: resumed for the inner side of the wall, {found} steps; {} nodes",
        distances.expanded()
    );
    Ok([reached, setting.known(&distances, &caption)?])
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

fn claims(length: usize, manhattan: &Searched, true_distance: &Searched, study: &mut Study<'_>) {
    let steps = [manhattan, true_distance].map(|found| found.path.len() - 1);
    let text = format!(
        "both heuristics find a shortest path of {length} steps: {} and {}",
        steps[0], steps[1]
    );
    study.check(steps == [length; 2], text);
    let text = format!(
        "by true distance a unit that is alone expands nothing but its path, each location \
         once: {} nodes for {length} steps",
        true_distance.expanded
    );
    study.check(true_distance.expanded == length as u64 && true_distance.most() == 1, text);
    let text = format!(
        "by Manhattan distance the search floods space-time, at least ten times the nodes and \
         some location visited ten times: {} nodes, {} visits",
        manhattan.expanded,
        manhattan.most()
    );
    let floods = manhattan.expanded >= 10 * true_distance.expanded && manhattan.most() >= 10;
    study.check(floods, text);
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
