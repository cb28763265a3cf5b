//! Figures 1 to 5: a state, moves that are illegal or legal, and groups of units.
//!
//! The paper's maps are pictures without coordinates; these are drawn after what its text says of them.

use throng::model::{Budget, Cell, Outcome, Plan, Problem, Silent, Unit, ValidProblem};
use throng_draw::{Disc, Mark, Picture, Point, Stroke, svg, unit_colour};

use super::instances::movement;
use super::methods::Method;
use crate::LabError;
use crate::harness::figure_map::FigureMap;
use crate::harness::svg_layout::{self, enlarged};
use crate::harness::{CaseId, Rule, Statement, Study, Values};

/// Two drawings of one map: where units start, and where they go. A unit is a letter.
struct Drawing {
    figure: &'static str,
    starts: &'static str,
    goals: &'static str,
}

const STATE: Drawing = Drawing {
    figure: "1",
    starts: "
        ..a....#..
        .#..b..#c.
        .#d.......
        ...#..e.#.
        .f.#....#.
        ....g.....
        ##.....h..
        ...i.#....
        .j...#....
        ..........",
    goals: "
        d......#.c
        .#.....#..
        .#....a..b
        ..f#....#.
        ...#.e..#.
        ..h...g...
        ##........
        .....#...i
        .....#.j..
        ..........",
};
const SWITCH: Drawing = Drawing { figure: "2", starts: "ab", goals: "ba" };
const CROSS: Drawing = Drawing { figure: "2", starts: "ab\n..", goals: "..\nba" };
const ROTATION: Drawing = Drawing { figure: "3", starts: "ab\ndc", goals: "da\ncb" };
const NAIVE: Drawing = Drawing { figure: "4", starts: ".###\nab..", goals: ".###\n..ab" };

const ILLEGAL: Statement = Statement::new(
    "Figure 2",
    "\"it is illegal for any two agents to switch locations (left) or to cross through each other (right)\"",
    "illegal",
    Rule::is_so(),
)
.because("see the pictures");

const LEGAL: Statement = Statement::new(
    "Figure 3",
    "moves \"such as this rotation, that result in each agent occupying a previously occupied cell, can be legal\"",
    "legal",
    Rule::is_so(),
)
.because("see the picture");

const TOGETHER: Statement = Statement::new(
    "Figure 4",
    "\"the shortest path to the goal requires both agents 1 and 2 to make the move E during the first timestep\": OD finds it",
    "found",
    Rule::is_so(),
)
.because("see the picture");

const SEVEN: Statement = Statement::new(
    "Figures 1 and 5",
    "\"there are seven independent multi-agent pathfinding problems present in this example\"",
    "7",
    Rule::is_so(),
)
.because("the paper's map is a picture without coordinates; ours is another state of ten units");

pub(super) fn draw(study: &mut Study<'_>) -> Result<(), LabError> {
    study.section(
        "Figures 1 to 5",
        "The paper's maps are pictures without coordinates: these are drawn after its text. A disc is a \
         unit, the ring of its colour its goal.",
    );
    let state = STATE.problem()?;
    let units = (0..state.units.len()).collect::<Vec<_>>();
    let caption =
        "Figure 1: a state. The paper numbers its agents, and its destinations are green.";
    study.figure_beside("figure-1", caption, svg(&picture(&state, &units)));
    illegal_moves(study)?;
    rotation(study)?;
    together(study)?;
    let groups = groups(&state)?;
    let plan = solved(&state, Method::PartialIndependent)?;
    let found = plan.paths.iter().enumerate();
    let paths = found.fold(picture(&state, &groups), |picture, (unit, path)| {
        picture.stroke(Stroke::new("", path, unit_colour(groups[unit])))
    });
    let count = groups.iter().max().map_or(0, |most| most + 1);
    let caption = format!(
        "Figure 5: the groups of the state of figure 1, one colour each. OD+PE+ID ends with {count} \
         groups of its {} units.",
        groups.len()
    );
    study.figure_beside("figure-5", &caption, svg(&paths));
    study.judge_with(&SEVEN, &Values::none(), &format!("{count} groups in our state"));
    Ok(())
}

fn illegal_moves(study: &mut Study<'_>) -> Result<(), LabError> {
    let problems = [SWITCH.problem()?, CROSS.problem()?];
    let rejected =
        |problem: &ValidProblem| !throng::referee::check(problem, &straight(problem)).is_legal();
    let refused = |problem: &ValidProblem| Ok::<_, LabError>(cost(problem)? != Some(2));
    let is_so = problems.iter().all(rejected) && refused(&problems[0])? && refused(&problems[1])?;
    let caption = "Figure 2: disallowed moves. Left, two units switch; right, they cross. The referee \
                   rejects both, and no planner makes them.";
    let pictures =
        problems.each_ref().map(|problem| enlarged(&svg(&moves(problem, &straight(problem)))));
    study.figure_beside("figure-2", caption, svg_layout::beside(&pictures));
    study.judge(&ILLEGAL, &Values::so(is_so));
    Ok(())
}

fn rotation(study: &mut Study<'_>) -> Result<(), LabError> {
    let problem = ROTATION.problem()?;
    let plan = straight(&problem);
    let is_legal = throng::referee::check(&problem, &plan).is_legal();
    let is_so = is_legal && cost(&problem)? == Some(problem.units.len() as u64);
    let caption =
        "Figure 3: a rotation is legal. Every unit moves at once into a cell that another leaves.";
    study.figure_beside("figure-3", caption, enlarged(&svg(&moves(&problem, &plan))));
    study.judge(&LEGAL, &Values::so(is_so));
    Ok(())
}

fn together(study: &mut Study<'_>) -> Result<(), LabError> {
    let problem = NAIVE.problem()?;
    let plan = solved(&problem, Method::Decomposition)?;
    let moves_east = |path: &Vec<Cell>| {
        path.get(1).zip(path.first()).is_some_and(|(to, from)| to.x == from.x + 1)
    };
    let is_so = plan.paths.iter().all(moves_east) && cost(&problem)? == Some(4);
    let caption = "Figure 4: naive decomposition fails. Both units must move east at once; a unit that may not \
                   enter an occupied cell would wait.";
    study.figure_beside("figure-4", caption, enlarged(&svg(&moves(&problem, &plan))));
    study.judge(&TOGETHER, &Values::so(is_so));
    Ok(())
}

impl Drawing {
    fn problem(&self) -> Result<ValidProblem, LabError> {
        let starts = FigureMap::new(self.figure, self.starts)?;
        let goals = FigureMap::new(self.figure, self.goals)?;
        let letters = ('a'..='z').take_while(|letter| !starts.all(*letter).is_empty());
        let unit = |letter| Ok(Unit::new(starts.cell(letter)?, goals.cell(letter)?));
        let units = letters.map(unit).collect::<Result<Vec<_>, LabError>>()?;
        ID.valid(Problem::new(starts.map.clone(), movement(), units))
    }
}

const ID: CaseId = CaseId { stage: "figures 1 to 5", seed: 0, case: 0 };

/// The map and its units, each with the number of its colour.
fn picture<'a>(problem: &'a ValidProblem, colours: &[usize]) -> Picture<'a> {
    let units = problem.units.iter().zip(colours);
    units.fold(Picture::new(&problem.map), |picture, (unit, &colour)| {
        let disc = Disc::unit(colour, Point::centre(unit.start, 1), 1);
        picture.marked(Mark::ring(colour, unit.goal, 1)).disc(disc)
    })
}

/// The map, and each unit with its path.
fn moves<'a>(problem: &'a ValidProblem, plan: &Plan) -> Picture<'a> {
    Picture::new(&problem.map).plan(plan)
}

/// Every unit goes from its start to its goal in one tick.
fn straight(problem: &ValidProblem) -> Plan {
    Plan { paths: problem.units.iter().map(|unit| vec![unit.start, unit.goal]).collect() }
}

fn outcome(problem: &ValidProblem, method: Method) -> Result<(Outcome, usize), LabError> {
    let report = method.planner().plan_detailed(problem, Budget::unlimited(), &mut Silent);
    let report = report.map_err(|error| ID.illegal(error.to_string()))?;
    Ok((report.report.outcome, report.statistics.groups))
}

fn solved(problem: &ValidProblem, method: Method) -> Result<Plan, LabError> {
    match outcome(problem, method)?.0 {
        Outcome::Solved(solution) => {
            ID.judge_plan(problem, &solution.plan)?;
            Ok(solution.plan)
        }
        other => Err(ID.illegal(format!("{other:?} in a figure"))),
    }
}

/// The cost that S and OD agree on; none if they prove that there is no plan.
fn cost(problem: &ValidProblem) -> Result<Option<u64>, LabError> {
    let of = |method| {
        Ok::<_, LabError>(match outcome(problem, method)?.0 {
            Outcome::Solved(solution) => Some(solution.cost),
            _ => None,
        })
    };
    let [standard, decomposed] = [of(Method::Standard)?, of(Method::Decomposition)?];
    if standard == decomposed {
        return Ok(standard);
    }
    Err(ID.illegal(format!("S finds {standard:?}, OD {decomposed:?}")))
}

/// The group of each unit. Two groups are one if algorithm 2 merges all of their units when it
/// plans for them alone; that it ends with as many groups for all units shows that they are its own.
fn groups(problem: &ValidProblem) -> Result<Vec<usize>, LabError> {
    let count = |units: &[usize]| -> Result<usize, LabError> {
        let units = units.iter().map(|unit| problem.units[*unit]).collect();
        let part = ID.valid(Problem::new(problem.map.clone(), movement(), units))?;
        Ok(outcome(&part, Method::PartialIndependent)?.1)
    };
    let mut groups: Vec<Vec<usize>> = (0..problem.units.len()).map(|unit| vec![unit]).collect();
    let pairs = |groups: usize| (0..groups).flat_map(|b| (0..b).map(move |a| (a, b)));
    loop {
        let mut merged = None;
        for (a, b) in pairs(groups.len()) {
            let both = [groups[a].as_slice(), &groups[b]].concat();
            if merged.is_none() && count(&both)? == 1 {
                merged = Some((a, b, both));
            }
        }
        let Some((a, b, both)) = merged else { break };
        groups[a] = both;
        groups.remove(b);
    }
    let planned = count(&(0..problem.units.len()).collect::<Vec<_>>())?;
    if groups.len() != planned {
        return Err(ID.illegal(format!("{} groups by pairs, {planned} planned", groups.len())));
    }
    let group_of = |unit: usize| groups.iter().position(|group| group.contains(&unit));
    Ok((0..problem.units.len()).filter_map(group_of).collect())
}
