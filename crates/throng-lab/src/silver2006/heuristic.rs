//! "Choosing a Heuristic" and "Backwards Search": figures 2 and 3.
//!
//! One unit whose way leads around three sides of a wall, alone in the world. The search
//! does not know that it is alone before the last tick that anyone could have reserved.

use std::cell::RefCell;
use std::collections::BTreeSet;

use throng::model::{Effort, SearchStatus};
use throng::spacetime::{
    Entry, FootprintRules, GridSpace, Position, Rra, Space, SpaceTimeSearch, TimedObstacles,
    TimedPath, Until,
};
use throng::{AStar, Cell, Ground, Map, MovementProfile, PathSearch as _, Tick};
use throng_draw::{MarkKind, Picture, svg};

use crate::case::CaseId;
use crate::pictures::beside;
use crate::sketch::Sketch;
use crate::xu_zou::best_path;
use crate::{Experiment, LabError, Table};

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

/// Until then the table could have entries.
const LAST_TICK: Tick = Tick(64);

/// An empty reservation table that remembers what it was asked. A search that expands a
/// position at a tick asks for each of its moves whether somebody passes it there and then.
#[derive(Default)]
struct Witness {
    expanded: RefCell<BTreeSet<(Entry, Tick)>>,
}

impl TimedObstacles for Witness {
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

fn with_ends<'a>(picture: Picture<'a>, path: &[Cell]) -> Picture<'a> {
    match path {
        [start, .., goal] => picture.mark(MarkKind::Start, *start).mark(MarkKind::Goal, *goal),
        _ => picture,
    }
}

struct Scene {
    sketch: Sketch,
    space: GridSpace,
    start: Position,
    goal: Position,
}

impl Scene {
    fn new() -> Result<Self, LabError> {
        let sketch = Sketch::new("2", FIGURE)?;
        let movement = MovementProfile::four_connected();
        let space = GridSpace::new(&sketch.map, movement, &FootprintRules::default())?;
        let at = |letter| {
            let place = space.position(sketch.place(letter)?);
            place.ok_or_else(|| sketch.error("a letter off the map"))
        };
        let (start, goal) = (at('s')?, at('g')?);
        Ok(Self { sketch, space, start, goal })
    }

    fn search(
        &self,
        distance: &mut impl FnMut(Position) -> Option<u64>,
    ) -> Result<Searched, LabError> {
        let (mut search, table) = (SpaceTimeSearch::default(), Witness::default());
        let (start, until) = ((self.start, Tick(0)), Until::Goal(self.goal));
        let ended =
            search.run(&self.space, &table, start, until, distance, &mut Effort::unlimited());
        if ended != SearchStatus::Found {
            return Err(self.sketch.error("no way"));
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

    /// Figure 3: what the backward search knows when it has reached the unit, and when it
    /// was asked for a place to the unit's side.
    fn known(&self, distances: &Rra, caption: &str) -> Result<String, LabError> {
        let known = |at| distances.known(Position(at)).map(|distance| distance as f64);
        let values: Vec<_> = (0..self.space.positions() as u32).map(known).collect();
        let ends = [self.start, self.goal].map(|at| self.space.cell(at));
        let picture = Picture::new(&self.sketch.map).heat("true distance", &values)?;
        Ok(svg(&with_ends(picture, &ends).caption(caption).legend()))
    }
}

pub(super) fn run(experiment: &mut Experiment) -> Result<(), LabError> {
    let scene = Scene::new()?;
    let manhattan = scene.search(&mut |at| Some(scene.space.estimate(at, scene.goal)))?;
    let mut distances = scene.backwards();
    let true_distance = scene.search(&mut |at| distances.distance(&scene.space, at))?;
    let spatial = spatial(&scene)?;
    experiment.add_table(table(spatial, &manhattan, &true_distance, distances.expanded()));
    claims(spatial.1, &manhattan, &true_distance, experiment);
    let captions = ["B: space-time A* by Manhattan distance", "C: the same by true distance"];
    let map = &scene.sketch.map;
    let pictures = [manhattan.picture(map, captions[0])?, true_distance.picture(map, captions[1])?];
    experiment.add_picture("figure-2", beside(&pictures));
    experiment.add_picture("figure-3", beside(&contours(&scene)?));
    Ok(())
}

fn contours(scene: &Scene) -> Result<[String; 2], LabError> {
    let mut distances = scene.backwards();
    let found = distances.distance(&scene.space, scene.start).unwrap_or(0);
    let caption = format!("A: reached the unit, {found} steps; {} nodes", distances.expanded());
    let reached = scene.known(&distances, &caption)?;
    // The bottom of the sack, as far from the way as can be.
    let aside = scene.space.position(Cell::new(8, 4)).unwrap_or(scene.start);
    let found = distances.distance(&scene.space, aside).unwrap_or(0);
    let caption =
        format!("B: resumed for the sack's bottom, {found} steps; {} nodes", distances.expanded());
    Ok([reached, scene.known(&distances, &caption)?])
}

/// Nodes and steps of a search that knows nothing of time.
fn spatial(scene: &Scene) -> Result<(u64, usize), LabError> {
    let ground = Ground::new(&scene.sketch.map, MovementProfile::four_connected())?;
    let mut search = AStar::default();
    let ends = [scene.start, scene.goal].map(|at| scene.space.cell(at));
    let path = best_path(&ground, &mut search, ends[0], ends[1])?;
    let path = path.ok_or_else(|| scene.sketch.error("no way"))?;
    let id = CaseId { stage: "heuristic", seed: 0, case: 0 };
    id.judge(&scene.sketch.map, ground.movement(), &path)?;
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
    table.push(vec!["spatial A*".into(), spatial.into()]);
    for (name, found, backwards) in [
        ("space-time A*, Manhattan distance", manhattan, 0),
        ("space-time A*, true distance", true_distance, backwards),
    ] {
        table.push(vec![
            name.into(),
            found.expanded.into(),
            found.locations().into(),
            found.most().into(),
            backwards.into(),
            (found.path.len() - 1).into(),
        ]);
    }
    if let Some(path) = table.rows[0].last_mut() {
        *path = length.into();
    }
    table
}

fn claims(
    length: usize,
    manhattan: &Searched,
    true_distance: &Searched,
    experiment: &mut Experiment,
) {
    let steps = [manhattan, true_distance].map(|found| found.path.len() - 1);
    let text = format!(
        "both heuristics find a shortest path of {length} steps: {} and {}",
        steps[0], steps[1]
    );
    experiment.claim(steps == [length; 2], text);
    let text = format!(
        "by true distance a unit that is alone expands nothing but its path, each location \
         once: {} nodes for {length} steps",
        true_distance.expanded
    );
    experiment.claim(true_distance.expanded == length as u64 && true_distance.most() == 1, text);
    let text = format!(
        "by Manhattan distance the search floods space-time, at least ten times the nodes and \
         some location visited ten times: {} nodes, {} visits",
        manhattan.expanded,
        manhattan.most()
    );
    let floods = manhattan.expanded >= 10 * true_distance.expanded && manhattan.most() >= 10;
    experiment.claim(floods, text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_witness_sees_every_node() {
        let scene = Scene::new().unwrap();
        let found = scene.search(&mut |at| Some(scene.space.estimate(at, scene.goal))).unwrap();
        assert_eq!(found.visits.iter().sum::<u64>(), found.expanded);
    }
}
