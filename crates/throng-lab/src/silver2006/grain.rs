//! "A coarse reservation table will simplify the process of cooperation, but prevent
//! coordination at close quarters": two units pass each other in a street of two lanes.

use throng::cooperative::{Instance, PlanningOptions, Simulation};
use throng::model::Effort;
use throng::model::{Map, MovementProfile, Problem, Unit};
use throng::spacetime::{FootprintRules, Grain};
use throng_draw::{Disc, Mark, Picture, Point, Stroke, svg, unit_colour};

use super::DEPTH;
use super::crowd_simulation::CrowdSimulation;
use crate::crowd::UnitResult;
use crate::harness::svg_layout::below;
use crate::harness::{CaseId, Rule, Statement, Study, Values, row};
use crate::silver2005::arena::TURNS;
use crate::{LabError, Table};

const STAGE: &str = "grain";
const LENGTH: u16 = 16;
const GRAINS: [(&str, Grain); 3] = [
    ("coarse (2 x 2 cells)", Grain::Coarser(2)),
    ("cells", Grain::Cell),
    ("fine", Grain::Finer(2)),
];

struct Trial {
    units: Vec<UnitResult>,
    claims: usize,
    picture: String,
}

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let trials: Vec<Trial> =
        GRAINS.iter().map(|(name, grain)| trial(name, *grain)).collect::<Result<_, _>>()?;
    let mut table = Table::new(
        STAGE,
        "Two units pass each other in a street of two lanes, by the grain of the table",
        &["table", "both arrive", "ticks", "shortest", "claims before the first move"],
    );
    for ((name, _), trial) in GRAINS.iter().zip(&trials) {
        let last = trial.units.iter().map(|unit| unit.arrival).collect::<Option<Vec<_>>>();
        let ticks = last.and_then(|all| all.into_iter().max());
        let both = if ticks.is_some() { "yes" } else { "no" };
        table.push(row![*name, both, ticks, trial.units[0].shortest, trial.claims]);
    }
    study.table(table);
    judge(&trials, study);
    study.figure(STAGE, below(&trials.into_iter().map(|t| t.picture).collect::<Vec<_>>()));
    Ok(())
}

fn trial(name: &str, grain: Grain) -> Result<Trial, LabError> {
    let id = CaseId { stage: STAGE, seed: 0, case: 0 };
    let units = vec![Unit::new((0, 0), (LENGTH - 1, 0)), Unit::new((LENGTH - 1, 1), (0, 1))];
    let problem =
        Problem::new(Map::empty(u32::from(LENGTH), 2)?, MovementProfile::four_connected(), units);
    let problem = id.valid(problem)?;
    let instance = Instance::of(&problem, &FootprintRules { grain, ..FootprintRules::default() });
    let mut crowd =
        CrowdSimulation::new(&instance, PlanningOptions::default()).with_depth(|_| DEPTH);
    crowd.prepare(&mut Effort::unlimited());
    let claims = crowd.store.table().len();
    let run = crowd.run(&id, &problem, TURNS)?;
    let mut picture = Picture::new(&problem.map);
    for (unit, path) in run.paths.iter().enumerate() {
        let Some(&end) = path.last() else { continue };
        picture = picture
            .stroke(Stroke::new("", path, unit_colour(unit)))
            .marked(Mark::ring(unit, problem.units[unit].goal, 1))
            .disc(Disc::unit(unit, Point::centre(end, 1), 1));
    }
    let picture = svg(&picture.caption(&format!("{name}: after {TURNS} ticks")));
    Ok(Trial { units: run.units, claims, picture })
}

const COARSE: Statement = Statement::new(
    "Reservation table revisited",
    "a coarse reservation table will \"prevent coordination at close quarters\": two units in a street of two lanes",
    "prevented",
    Rule::is_so(),
)
.because("they pass each other");

const FINE: Statement = Statement::new(
    "Reservation table revisited",
    "a fine-grained one will \"enable tighter maneuvers\": both go straight on",
    "enabled",
    Rule::is_so(),
)
.because("they do not");

fn judge(trials: &[Trial], study: &mut Study<'_>) {
    let [coarse, cells, fine] = trials else { return };
    let straight = |trial: &Trial| trial.units.iter().all(|f| f.arrival == Some(f.shortest));
    study.judge(&COARSE, &Values::so(coarse.units.iter().any(|unit| !unit.ends_there)));
    study.judge(&FINE, &Values::so(straight(cells) && straight(fine)));
}
