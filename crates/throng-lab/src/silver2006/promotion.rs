//! "Unit Priorities", the second chance: a unit without a legal path is promoted for a while.
//!
//! Two units meet in a corridor that has one bay. The unit nearer to the bay may have to turn back
//! and wait in it. The second test is a crowd that plans only a few ticks ahead, which jams often.

use throng::cooperative::PlanningOptions;
use throng::model::{Cell, Map, MovementProfile, Problem, Unit};
use throng_draw::{Disc, Mark, MarkKind, Picture, Point, Stroke, svg, unit_colour};

use super::crowd_simulation::CrowdSimulation;
use super::{DEPTH, SCENARIOS};
use crate::crowd::{CrowdRun, UnitResult, UnitSummary};
use crate::harness::figure_map::FigureMap;
use crate::harness::statistics::mean;
use crate::harness::svg_layout::{below, beside};
use crate::harness::{CaseId, Study, row, try_map};
use crate::silver2005::arena::{self, TURNS, UNITS_MAX};
use crate::{LabError, Table};

const STAGE: &str = "promotion";
const SWITCH: [(&str, bool); 2] = [("off", false), ("on", true)];
/// Lengths of the corridors, in cells.
const LENGTHS: [u16; 4] = [8, 12, 16, 24];
/// Depth of the crowd: it is small, so that jams occur.
const CROWD_DEPTH: u32 = 6;

/// A corridor with a bay at its side; the units at its ends exchange places.
#[derive(Clone, Copy, Debug)]
struct Corridor {
    length: u16,
    bay: u16,
}

impl Corridor {
    fn all() -> impl Iterator<Item = Self> {
        LENGTHS.into_iter().flat_map(|length| (1..length - 1).map(move |bay| Self { length, bay }))
    }

    fn figure_map(self) -> Result<FigureMap, LabError> {
        let wall = |length: u16| "#".repeat(usize::from(length));
        let bay = format!("{}.{}", wall(self.bay), wall(self.length - self.bay - 1));
        FigureMap::new("corridor", &format!("{bay} {}", ".".repeat(usize::from(self.length))))
    }

    fn problem(self) -> Result<Problem, LabError> {
        let ends = [Cell::new(0, 1), Cell::new(self.length - 1, 1)];
        let units = vec![Unit::new(ends[0], ends[1]), Unit::new(ends[1], ends[0])];
        Ok(Problem::new(self.figure_map()?.map, MovementProfile::four_connected(), units))
    }
}

/// A run, and how often a unit was promoted in it.
struct Trial {
    run: CrowdRun,
    promotions: usize,
}

fn trials(id: &CaseId, problem: Problem, depth: u32) -> Result<[Trial; 2], LabError> {
    let problem = id.valid(problem)?;
    let instance = arena::instance(&problem);
    try_map(SWITCH, |(_, promotion)| {
        let options = PlanningOptions { promotion, ..PlanningOptions::default() };
        let mut crowd = CrowdSimulation::new(&instance, options).with_depth(|_| depth);
        let run = crowd.run(id, &problem, TURNS)?;
        Ok(Trial { run, promotions: crowd.promotions })
    })
}

impl Trial {
    /// The tick of the last arrival.
    fn last_arrival(&self) -> i64 {
        let arrival = |unit: &UnitResult| unit.arrival.unwrap_or(u64::from(TURNS)) as i64;
        self.run.units.iter().map(arrival).max().unwrap_or(0)
    }
}

/// All trials of one world: without and with promotion.
type Switched = [Vec<Trial>; 2];

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let corridors: Vec<Corridor> = Corridor::all().collect();
    let pairs = study
        .variants(STAGE, corridors.len(), |id| trials(id, corridors[id.case].problem()?, DEPTH))?;
    let crowds = study.variants("jams", study.scaled(SCENARIOS), |id| {
        let problem = arena::problem(id.seed, id.case, UNITS_MAX)?;
        trials(id, Problem::clone(&problem), CROWD_DEPTH)
    })?;
    study.table(table(&pairs, &crowds));
    claims(&pairs, &crowds, study);
    draw(&corridors, &pairs, study)
}

fn solved(trials: &[Trial]) -> usize {
    trials.iter().filter(|trial| trial.run.units.iter().all(|unit| unit.ends_there)).count()
}

fn summary(trials: &[Trial]) -> UnitSummary {
    UnitSummary::of(trials.iter().flat_map(|trial| &trial.run.units), TURNS)
}

fn table(pairs: &Switched, crowds: &Switched) -> Table {
    let title = format!(
        "Promotion (two in a corridor, depth {DEPTH}; crowds of {UNITS_MAX}, depth \
         {CROWD_DEPTH}; {TURNS} turns)"
    );
    let columns = [
        "world",
        "promotion",
        "runs",
        "all there at the end",
        "arrived %",
        "of shortest, failed = 100",
        "promotions per run",
    ];
    let mut table = Table::new(STAGE, &title, &columns);
    for (world, trials) in [("corridor with a bay", pairs), ("crowd", crowds)] {
        for ((name, _), trials) in SWITCH.iter().zip(trials) {
            let units = summary(trials);
            table.push(row![
                world,
                *name,
                trials.len(),
                solved(trials),
                (units.success, 2),
                (units.ratio_all(), 3),
                (mean(trials.iter().map(|trial| trial.promotions as f64)), 2),
            ]);
        }
    }
    table
}

fn claims(pairs: &Switched, crowds: &Switched, study: &mut Study<'_>) {
    let [off, on] = pairs.each_ref().map(|trials| solved(trials));
    let text = format!(
        "with promotion two units pass each other in every corridor that has a bay: {on} of {}",
        pairs[1].len()
    );
    study.check(on == pairs[1].len(), text);
    let [slow, quick] = pairs.each_ref().map(|trials| summary(trials).ratio_all());
    let text = format!(
        "without promotion they take longer: {slow:.2} times the shortest path instead of \
         {quick:.2}; {off} pass each other"
    );
    study.check(slow > quick, text);
    let [off, on] = crowds.each_ref().map(|trials| summary(trials).success);
    let text = format!(
        "in a crowd that plans {CROWD_DEPTH} ticks ahead promotion frees units that are stuck: \
         {on:.2}% arrive, {off:.2}% without"
    );
    study.check(on > off && on >= 99.0, text);
}

/// Ticks that are drawn.
const SHOWN_TICKS: usize = 48;

/// The corridor in which promotion saves most, and the two units in space-time: columns are cells,
/// ticks run down, and diamonds are ticks in the bay.
fn draw(corridors: &[Corridor], pairs: &Switched, study: &mut Study<'_>) -> Result<(), LabError> {
    let saved = |&case: &usize| pairs[0][case].last_arrival() - pairs[1][case].last_arrival();
    let shown = (0..corridors.len()).max_by_key(saved).unwrap_or(0);
    let corridor = corridors[shown];
    let figure_map = corridor.figure_map()?;
    let ends = [Cell::new(0, 1), Cell::new(corridor.length - 1, 1)];
    let mut picture = Picture::new(&figure_map.map);
    for (unit, end) in ends.into_iter().enumerate() {
        picture = picture.disc(Disc::unit(unit, Point::centre(end, 1), 1));
        picture = picture.marked(Mark::ring(unit, ends[1 - unit], 1));
    }
    let world = svg(&picture.caption("each unit's goal is the other's start"));
    let mut space_times = Vec::new();
    for ((name, _), trials) in SWITCH.iter().zip(pairs) {
        space_times.push(space_time(corridor, &trials[shown], &format!("promotion {name}"))?);
    }
    study.figure(STAGE, below(&[world, beside(&space_times)]));
    Ok(())
}

fn space_time(corridor: Corridor, trial: &Trial, caption: &str) -> Result<String, LabError> {
    let map = Map::empty(u32::from(corridor.length), SHOWN_TICKS as u32)?;
    let mut picture = Picture::new(&map);
    for (unit, cells) in trial.run.paths.iter().enumerate() {
        let ticks = || (0..).zip(cells).take(SHOWN_TICKS);
        let line: Vec<Cell> = ticks().map(|(tick, cell)| Cell::new(cell.x, tick)).collect();
        picture = picture.stroke(Stroke::new("", &line, unit_colour(unit)));
        for (tick, _) in ticks().filter(|(_, cell)| cell.y == 0) {
            let stay = Mark::new(MarkKind::Door, Cell::new(corridor.bay, tick));
            picture = picture.marked(stay.coloured(unit_colour(unit)));
        }
    }
    Ok(svg(&picture.caption(caption)))
}
