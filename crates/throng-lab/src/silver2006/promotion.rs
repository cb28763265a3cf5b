//! "Unit Priorities", the second chance: a unit without a legal path is promoted for a while.
//!
//! Two units meet in a corridor that has one bay. Whoever is nearer to the bay may have to
//! turn back and wait in it. And a crowd that looks only a few ticks ahead, where jams are common.

use throng::cooperative::CrewOptions;
use throng::{Cell, Map, MovementProfile, Problem, Unit};
use throng_draw::{Disc, Mark, MarkKind, Picture, Point, Stroke, svg, unit_colour};

use super::team::Team;
use super::{DEPTH, SCENARIOS};
use crate::case::CaseId;
use crate::crowd::{Fate, Run, Tally};
use crate::pictures::{below, beside};
use crate::silver2005::arena::{self, TURNS, UNITS_MAX};
use crate::sketch::Sketch;
use crate::{Experiment, LabError, Options, Progress, Table, Value, parallel};

const STAGE: &str = "promotion";
const SWITCH: [(&str, bool); 2] = [("off", false), ("on", true)];
/// Cells from end to end.
const LENGTHS: [u16; 4] = [8, 12, 16, 24];
/// A crowd that looks so far ahead jams now and then.
const CROWD_DEPTH: u32 = 6;

/// A corridor with a bay at its side; the units exchange their places at its ends.
#[derive(Clone, Copy, Debug)]
struct Corridor {
    length: u16,
    bay: u16,
}

impl Corridor {
    fn all() -> impl Iterator<Item = Self> {
        LENGTHS.into_iter().flat_map(|length| (1..length - 1).map(move |bay| Self { length, bay }))
    }

    fn sketch(self) -> Result<Sketch, LabError> {
        let wall = |length: u16| "#".repeat(usize::from(length));
        let bay = format!("{}.{}", wall(self.bay), wall(self.length - self.bay - 1));
        Sketch::new("corridor", &format!("{bay} {}", ".".repeat(usize::from(self.length))))
    }

    fn problem(self) -> Result<Problem, LabError> {
        let ends = [Cell::new(0, 1), Cell::new(self.length - 1, 1)];
        let units = vec![Unit::new(ends[0], ends[1]), Unit::new(ends[1], ends[0])];
        Ok(Problem::new(self.sketch()?.map, MovementProfile::four_connected(), units))
    }
}

/// What came of a run.
struct Trial {
    fates: Vec<Fate>,
    promotions: usize,
    /// By unit, where it was at each tick.
    cells: Vec<Vec<Cell>>,
}

fn trial(id: &CaseId, problem: Problem, depth: u32, promotion: bool) -> Result<Trial, LabError> {
    let problem = problem.validate().map_err(|errors| id.illegal(errors.to_string()))?;
    let fleet = arena::fleet(&problem);
    let options = CrewOptions { promotion, ..CrewOptions::default() };
    let mut team = Team::new(&fleet, options).looking(|_| depth);
    let run = Run::of(&mut team, TURNS);
    let plan = run.plan(&fleet);
    id.judge_plan(&problem, &plan)?;
    let fates = run.fates(&fleet, &mut team);
    Ok(Trial { fates, promotions: team.promotions, cells: plan.paths })
}

impl Trial {
    /// When the last unit arrived.
    fn last_arrival(&self) -> i64 {
        let arrival = |fate: &Fate| fate.arrival.unwrap_or(u64::from(TURNS)) as i64;
        self.fates.iter().map(arrival).max().unwrap_or(0)
    }
}

/// All runs of one kind, without and with promotion.
type Pairs = Vec<[Trial; 2]>;

pub(super) fn run(
    options: &Options,
    progress: &mut dyn FnMut(Progress),
    experiment: &mut Experiment,
) -> Result<(), LabError> {
    let corridors: Vec<Corridor> = Corridor::all().collect();
    let id = |case| CaseId { stage: STAGE, seed: options.seed, case };
    let pair = |case, problem: Problem, depth| {
        let off = trial(&id(case), problem.clone(), depth, false)?;
        Ok([off, trial(&id(case), problem, depth, true)?])
    };
    let work = |(): &mut (), case: usize| pair(case, corridors[case].problem()?, DEPTH);
    let met = parallel::cases(STAGE, corridors.len(), options.threads, progress, work)?;
    let work = |(): &mut (), case: usize| {
        let problem = arena::problem(options.seed, case, UNITS_MAX)?;
        pair(case, Problem::clone(&problem), CROWD_DEPTH)
    };
    let scenarios = options.cases(SCENARIOS);
    let crowds = parallel::cases("jams", scenarios, options.threads, progress, work)?;
    experiment.add_table(table(&met, &crowds));
    claims(&met, &crowds, experiment);
    draw(&corridors, &met, experiment)
}

fn solved(pairs: &Pairs, switch: usize) -> usize {
    let solved = |pair: &&[Trial; 2]| pair[switch].fates.iter().all(|fate| fate.ends_there);
    pairs.iter().filter(solved).count()
}

fn tally(pairs: &Pairs, switch: usize) -> Tally {
    Tally::of(pairs.iter().flat_map(|pair| &pair[switch].fates), TURNS)
}

fn table(met: &Pairs, crowds: &Pairs) -> Table {
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
        "promotions a run",
    ];
    let mut table = Table::new(STAGE, &title, &columns);
    for (world, pairs) in [("corridor with a bay", met), ("crowd", crowds)] {
        for (switch, (name, _)) in SWITCH.iter().enumerate() {
            let tally = tally(pairs, switch);
            let promotions: usize = pairs.iter().map(|pair| pair[switch].promotions).sum();
            table.push(vec![
                world.into(),
                (*name).into(),
                pairs.len().into(),
                solved(pairs, switch).into(),
                Value::Number(tally.success, 2),
                Value::Number(tally.ratio_all(), 3),
                Value::Number(promotions as f64 / pairs.len().max(1) as f64, 2),
            ]);
        }
    }
    table
}

fn claims(met: &Pairs, crowds: &Pairs, experiment: &mut Experiment) {
    let (off, on) = (solved(met, 0), solved(met, 1));
    let text = format!(
        "with promotion two units get past each other in every corridor that has a bay: {on} \
         of {}",
        met.len()
    );
    experiment.claim(on == met.len(), text);
    let (slow, quick) = (tally(met, 0), tally(met, 1));
    let text = format!(
        "without promotion they take longer: {:.2} times the shortest path instead of {:.2}; {off} \
         get past each other",
        slow.ratio_all(),
        quick.ratio_all()
    );
    experiment.claim(slow.ratio_all() > quick.ratio_all(), text);
    let (off, on) = (tally(crowds, 0).success, tally(crowds, 1).success);
    let text = format!(
        "in a crowd that looks {CROWD_DEPTH} ticks ahead promotion frees those who are stuck: \
         {on:.2}% arrive, {off:.2}% without"
    );
    experiment.claim(on > off && on >= 99.0, text);
}

/// Ticks that are drawn.
const SHOWN_TICKS: usize = 48;

/// The corridor in which promotion saves most, and the two units in space-time: columns are
/// places, ticks run down, and diamonds are stays in the bay.
fn draw(corridors: &[Corridor], met: &Pairs, experiment: &mut Experiment) -> Result<(), LabError> {
    let saved = |(_, [off, on]): &(usize, &[Trial; 2])| off.last_arrival() - on.last_arrival();
    let shown = met.iter().enumerate().max_by_key(saved).map_or(0, |(case, _)| case);
    let corridor = corridors[shown];
    let sketch = corridor.sketch()?;
    let ends = [Cell::new(0, 1), Cell::new(corridor.length - 1, 1)];
    let mut picture = Picture::new(&sketch.map);
    for (unit, end) in ends.into_iter().enumerate() {
        picture = picture.disc(Disc::unit(unit, Point::centre(end, 1), 1));
        picture = picture.marked(Mark::ring(unit, ends[1 - unit], 1));
    }
    let world = svg(&picture.caption("each shall be where the other is"));
    let mut space_times = Vec::new();
    for ((name, _), trial) in SWITCH.iter().zip(&met[shown]) {
        space_times.push(space_time(corridor, trial, &format!("promotion {name}"))?);
    }
    experiment.add_picture(STAGE, below(&[world, beside(&space_times)]));
    Ok(())
}

fn space_time(corridor: Corridor, trial: &Trial, caption: &str) -> Result<String, LabError> {
    let map = Map::empty(u32::from(corridor.length), SHOWN_TICKS as u32)?;
    let mut picture = Picture::new(&map);
    for (unit, cells) in trial.cells.iter().enumerate() {
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
