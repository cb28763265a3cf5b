//! "A coarse reservation table will simplify the process of cooperation, but prevent
//! coordination at close quarters": two units pass each other in a street of two lanes.

use throng::cooperative::{CrewOptions, Fleet, Simulation};
use throng::spacetime::{FootprintRules, Grain};
use throng::{Map, MovementProfile, Problem, Unit};
use throng_draw::{Disc, Mark, Picture, Point, Stroke, svg, unit_colour};

use super::DEPTH;
use super::team::Team;
use crate::case::CaseId;
use crate::crowd::{Fate, Run};
use crate::pictures::below;
use crate::silver2005::arena::TURNS;
use crate::{Experiment, LabError, Table, Value};

const STAGE: &str = "grain";
const LENGTH: u16 = 16;
const GRAINS: [(&str, Grain); 3] = [
    ("coarse (2 x 2 cells)", Grain::Coarser(2)),
    ("cells", Grain::Cell),
    ("fine", Grain::Finer(2)),
];

struct Trial {
    fates: Vec<Fate>,
    claims: usize,
    picture: String,
}

pub(super) fn run(experiment: &mut Experiment) -> Result<(), LabError> {
    let trials: Vec<Trial> =
        GRAINS.iter().map(|(name, grain)| trial(name, *grain)).collect::<Result<_, _>>()?;
    let mut table = Table::new(
        STAGE,
        "Two units pass each other in a street of two lanes, by the grain of the table",
        &["table", "both arrive", "ticks", "shortest", "claims before anyone moves"],
    );
    for ((name, _), trial) in GRAINS.iter().zip(&trials) {
        let last = trial.fates.iter().map(|fate| fate.arrival).collect::<Option<Vec<_>>>();
        let ticks = last.and_then(|all| all.into_iter().max());
        table.push(vec![
            (*name).into(),
            (if ticks.is_some() { "yes" } else { "no" }).into(),
            ticks.map_or(Value::Missing, Value::from),
            trial.fates[0].shortest.into(),
            trial.claims.into(),
        ]);
    }
    experiment.add_table(table);
    claims(&trials, experiment);
    experiment
        .add_picture(STAGE, below(&trials.into_iter().map(|t| t.picture).collect::<Vec<_>>()));
    Ok(())
}

fn trial(name: &str, grain: Grain) -> Result<Trial, LabError> {
    let id = CaseId { stage: STAGE, seed: 0, case: 0 };
    let units = vec![Unit::new((0, 0), (LENGTH - 1, 0)), Unit::new((LENGTH - 1, 1), (0, 1))];
    let problem =
        Problem::new(Map::empty(u32::from(LENGTH), 2)?, MovementProfile::four_connected(), units);
    let problem = problem.validate().map_err(|errors| id.illegal(errors.to_string()))?;
    let fleet = Fleet::of(&problem, &FootprintRules { grain, ..FootprintRules::default() });
    let mut team = Team::new(&fleet, CrewOptions::default()).looking(|_| DEPTH);
    team.prepare();
    let claims = team.crew.table().len();
    let run = Run::of(&mut team, TURNS);
    let plan = run.plan(&fleet);
    id.judge_plan(&problem, &plan)?;
    let mut picture = Picture::new(&problem.map);
    for (unit, path) in plan.paths.iter().enumerate() {
        let Some(&end) = path.last() else { continue };
        picture = picture
            .stroke(Stroke::new("", path, unit_colour(unit)))
            .marked(Mark::ring(unit, problem.units[unit].goal, 1))
            .disc(Disc::unit(unit, Point::centre(end, 1), 1));
    }
    let picture = svg(&picture.caption(&format!("{name}: after {TURNS} ticks")));
    Ok(Trial { fates: run.fates(&fleet, &mut team), claims, picture })
}

fn claims(trials: &[Trial], experiment: &mut Experiment) {
    let [coarse, cells, fine] = trials else { return };
    let straight = |trial: &Trial| trial.fates.iter().all(|f| f.arrival == Some(f.shortest));
    let text = "with entries of one cell, or finer, both go straight on".to_owned();
    experiment.claim(straight(cells) && straight(fine), text);
    let text = "with entries of 2 x 2 cells they cannot pass each other".to_owned();
    experiment.claim(coarse.fates.iter().any(|fate| !fate.ends_there), text);
    let counts = [coarse.claims, cells.claims, fine.claims];
    let text = format!("the finer the table, the more claims: {counts:?}");
    experiment.claim(counts[0] <= counts[1] && counts[1] < counts[2], text);
}
