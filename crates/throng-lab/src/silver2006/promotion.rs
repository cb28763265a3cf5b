//! "Unit Priorities", the second chance: a unit without a legal path is promoted for a while.
//!
//! Two units meet in a corridor that has one bay. The unit nearer to the bay may have to turn back
//! and wait in it. The second test is a crowd that plans only a few ticks ahead, which jams often.

use throng::cooperative::PlanningOptions;
use throng::model::{Cell, Map, MovementProfile, Problem, Unit};
use throng_draw::{Disc, Mark, MarkKind, Picture, Point, Stroke, stroke_colour, svg};

use super::DEPTH;
use super::crowd_simulation::CrowdSimulation;
use crate::crowd::{CrowdRun, UnitResult, UnitSummary};
use crate::harness::figure_map::FigureMap;
use crate::harness::statistics::mean;
use crate::harness::svg_layout::{below, beside};
use crate::harness::{CaseId, Row, Rows, Rule, Statement, Study, Values, row, try_map};
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

/// All trials of the corridors: without and with promotion.
type Switched = [Vec<Trial>; 2];

const SECURITY: Statement = Statement::new(
    "Unit priorities",
    "promotion \"provides additional security\": units that arrive in crowds that plan 6 ticks ahead, with it less without",
    "more: above 0",
    Rule::above(0.0),
)
.shown("percentage points", 2)
.because("no gain in these crowds");

const SEARCHES: Statement = Statement::new(
    "Unit priorities",
    "\"at the cost of some additional searches\": nodes with promotion by without",
    "more: above 1",
    Rule::above(1.0),
)
.shown("times", 2)
.because("units that are freed arrive, and then search less than units that are stuck");

const WAY_OUT: Statement = Statement::new(
    "Unit priorities",
    "a unit without a legal path \"can then find a way out of trouble\": corridors with a bay in which two units pass",
    "found",
    Rule::at_least(100.0),
)
.shown("% of the corridors", 0)
.because("\"there is no guarantee that this will succeed\"");

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let corridors: Vec<Corridor> = Corridor::all().collect();
    let pairs = study
        .variants(STAGE, corridors.len(), |id| trials(id, corridors[id.case].problem()?, DEPTH))?;
    let rows = study.trials("jams", "crowds", super::scenarios(study.options()), crowds)?;
    let text = "Two units exchange places in a corridor that has one bay, for every place of the bay; \
                and crowds of 100 that plan only 6 ticks ahead, which jam often. In the picture, ticks run \
                down, and diamonds are ticks in the bay.";
    study.section("Promotion", text);
    study.table(table(&pairs, &rows));
    draw(&corridors, &pairs, study)?;
    let [(off, _), (on, _)] = SWITCH;
    let value = |rows: &Rows, name: &str, metric: &str| rows.of(name).mean(metric);
    let more = |rows: &Rows| Some(value(rows, on, "arrived")? - value(rows, off, "arrived")?);
    let count = corridors.len();
    let way_out = 100.0 * solved(&pairs[1]) as f64 / count.max(1) as f64;
    study.judge(&WAY_OUT, &Values::by_seed(vec![way_out], count, "corridors"));
    study.judge(&SECURITY, &rows.by_seed(more));
    let by = |rows: &Rows| Some(value(rows, on, "work")? / value(rows, off, "work")?);
    study.judge(&SEARCHES, &rows.by_seed(by));
    Ok(())
}

fn crowds(id: &CaseId) -> Result<Vec<Row>, LabError> {
    let problem = arena::problem(id.seed, id.case, UNITS_MAX)?;
    let trials = trials(id, Problem::clone(&problem), CROWD_DEPTH)?;
    let row = |((name, _), trial): (&(&str, bool), Trial)| {
        let row = trial.run.row((*name).to_owned(), format!("depth={CROWD_DEPTH}"), TURNS);
        row.metric("promotions", trial.promotions as f64)
    };
    Ok(SWITCH.iter().zip(trials).map(row).collect())
}

fn solved(trials: &[Trial]) -> usize {
    trials.iter().filter(|trial| trial.run.units.iter().all(|unit| unit.ends_there)).count()
}

fn table(pairs: &Switched, rows: &Rows) -> Table {
    let title =
        format!("Promotion (corridors, depth {DEPTH}; crowds of {UNITS_MAX}, depth {CROWD_DEPTH})");
    let columns = [
        "world",
        "promotion",
        "runs",
        "arrived %",
        "of shortest, failed = 100",
        "promotions per run",
    ];
    let mut table = Table::new(STAGE, &title, &columns);
    for ((name, _), trials) in SWITCH.iter().zip(pairs) {
        let units = UnitSummary::of(trials.iter().flat_map(|trial| &trial.run.units), TURNS);
        let promotions = mean(trials.iter().map(|trial| trial.promotions as f64));
        let (arrived, ratio) = ((units.success, 2), (units.ratio_all(), 3));
        table.push(row!["corridor", *name, trials.len(), arrived, ratio, (promotions, 2)]);
    }
    for (name, _) in SWITCH {
        let of = rows.of(name);
        let number = |metric: &str, decimals: usize| of.mean(metric).map(|mean| (mean, decimals));
        let (arrived, ratio) = (number("arrived", 2), number("ratio-all", 3));
        table.push(row!["crowd", name, of.len(), arrived, ratio, number("promotions", 2)]);
    }
    table
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
        let disc = Disc::unit(unit, Point::centre(end, 1), 1);
        picture = picture.disc(Disc { colour: stroke_colour(unit), ..disc });
    }
    let world = svg(&picture.caption("each unit's goal is the other's start"));
    let mut space_times = Vec::new();
    for ((name, _), trials) in SWITCH.iter().zip(pairs) {
        space_times.push(space_time(corridor, &trials[shown], &format!("promotion {name}"))?);
    }
    let caption = "The corridor, and both units in it by time: columns are places, rows are ticks from the top; a \
                   diamond is a tick in the bay.";
    study.figure_beside(STAGE, caption, below(&[world, beside(&space_times)]));
    Ok(())
}

fn space_time(corridor: Corridor, trial: &Trial, caption: &str) -> Result<String, LabError> {
    let map = Map::empty(u32::from(corridor.length), SHOWN_TICKS as u32)?;
    let mut picture = Picture::new(&map);
    for (unit, cells) in trial.run.paths.iter().enumerate() {
        let ticks = || (0..).zip(cells).take(SHOWN_TICKS);
        let line: Vec<Cell> = ticks().map(|(tick, cell)| Cell::new(cell.x, tick)).collect();
        picture = picture.stroke(Stroke::new("", &line, stroke_colour(unit)));
        for (tick, _) in ticks().filter(|(_, cell)| cell.y == 0) {
            let stay = Mark::new(MarkKind::Door, Cell::new(corridor.bay, tick));
            picture = picture.marked(stay.coloured(stroke_colour(unit)));
        }
    }
    Ok(svg(&picture.caption(caption)))
}
