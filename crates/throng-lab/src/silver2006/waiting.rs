//! "Backwards Search" and "Terminal Node": a unit that has to wait. How far the backward search is
//! resumed, and what the terminal node at the end of a search of limited depth is worth.

use std::collections::BTreeSet;

use throng::model::{Effort, SearchStatus, Tick};
use throng::spacetime::{
    Entry, Position, Rra, Space as _, SpaceTimeSearch, TimedObstacles, TimedPath, Until,
};

use super::heuristic::Setting;
use crate::LabError;
use crate::harness::{Rule, Statement, Study, Values};

/// The ticks that the unit waits, as in the article.
const WAIT: u32 = 3;
/// The depth of figure 4.
const DEPTH: u32 = 8;

const CONTOURS: Statement = Statement::new(
    "Backwards search",
    "\"if a unit needs to wait for three time-steps until a choke point clears, then contours up to f ≤ 11 may need to be \
     searched\": the largest f value on the closed list, beyond the shortest path's of 8",
    "3",
    Rule::at_most(3.0).or_below(5.0),
)
.shown("", 0)
.because("f values differ by 2, and a search asks also for the distances of locations that it does not expand");

const TERMINAL: Statement = Statement::new(
    "Figure 4",
    "\"the overall result of this search is identical to running space-time A* for d steps, and then spatial A* until \
     the destination\": d = 8, a unit that has to wait, against all its partial paths",
    "identical",
    Rule::is_so(),
)
.because("another partial path would be shorter as a whole");

/// Another unit holds one location until a tick; all others are free.
struct ChokePoint {
    held: Entry,
    until: Tick,
}

impl TimedObstacles for ChokePoint {
    fn is_free(&self, entry: Entry, tick: Tick) -> bool {
        entry != self.held || tick > self.until
    }

    fn may_pass(&self, _: Entry, _: Entry, _: Tick) -> bool {
        true
    }

    fn free_from(&self, entry: Entry) -> Option<Tick> {
        Some(if entry == self.held { Tick(self.until.0 + 1) } else { Tick(0) })
    }

    fn last_tick(&self) -> Tick {
        self.until
    }
}

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let setting = Setting::new()?;
    study.judge(&CONTOURS, &Values::drawn(contours(&setting)?));
    study.judge(&TERMINAL, &Values::so(is_identical(&setting)?));
    Ok(())
}

/// The path of the unit through a choke point, and the backward search that it asked.
fn search(
    setting: &Setting,
    obstacles: &ChokePoint,
    until: Until,
) -> Result<(Vec<Position>, Rra), LabError> {
    let (mut search, mut distances) = (SpaceTimeSearch::default(), setting.backwards());
    let ended = search.run(
        &setting.space,
        obstacles,
        (setting.start, Tick(0)),
        until,
        &mut |at| distances.distance(&setting.space, at),
        &mut Effort::unlimited(),
    );
    if ended != SearchStatus::Found {
        return Err(setting.figure.error("no path"));
    }
    let mut path = TimedPath::default();
    search.path_into(&setting.space, Tick(0), &mut path);
    Ok((path.positions(), distances))
}

/// The length of the shortest path without other units.
fn shortest(setting: &Setting) -> Result<u64, LabError> {
    let found = setting.backwards().distance(&setting.space, setting.start);
    found.ok_or_else(|| setting.figure.error("no path"))
}

/// The largest f value of the backward search, beyond the shortest path's, where the goal is held so
/// long that the unit arrives three ticks late.
fn contours(setting: &Setting) -> Result<f64, LabError> {
    let shortest = shortest(setting)?;
    let until = Tick(shortest as u32 + WAIT - 1);
    let held = ChokePoint { held: Entry(setting.goal.0), until };
    let (path, distances) = search(setting, &held, Until::Goal(setting.goal))?;
    if path.len() != (shortest + 1) as usize + WAIT as usize {
        return Err(setting.figure.error("the unit does not wait three ticks"));
    }
    let positions = (0..setting.space.positions() as u32).map(Position);
    let f = |at| Some(distances.known(at)? + setting.space.estimate(at, setting.start));
    let largest = positions.filter_map(f).max().unwrap_or(shortest);
    Ok((largest - shortest) as f64)
}

/// Whether the partial path of limited depth, with its true distance, is the best of all.
fn is_identical(setting: &Setting) -> Result<bool, LabError> {
    let mut distances = setting.backwards();
    let mut distance = |at| distances.distance(&setting.space, at).unwrap_or(u64::MAX);
    let mut choke = None;
    setting.space.for_each_move(setting.start, |step| {
        choke = [choke, Some(step.to)].into_iter().flatten().min_by_key(|&at| distance(at));
    });
    let choke = choke.ok_or_else(|| setting.figure.error("no move"))?;
    let held = ChokePoint { held: Entry(choke.0), until: Tick(WAIT) };
    let (path, _) = search(setting, &held, Until::Depth(DEPTH))?;
    let best = reachable(setting, &held).into_iter().map(&mut distance).min();
    Ok(path.len() == DEPTH as usize + 1 && path.last().map(|&end| distance(end)) == best)
}

/// The ends of all partial paths.
fn reachable(setting: &Setting, obstacles: &ChokePoint) -> BTreeSet<Position> {
    let mut places = BTreeSet::from([setting.start]);
    for tick in (1..=DEPTH).map(Tick) {
        let mut next = BTreeSet::new();
        for &from in &places {
            let mut enter = |to: Position| {
                if obstacles.is_free(Entry(to.0), tick) {
                    next.insert(to);
                }
            };
            enter(from);
            setting.space.for_each_move(from, |step| enter(step.to));
        }
        places = next;
    }
    places
}
