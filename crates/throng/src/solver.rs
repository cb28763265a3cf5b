//! Planners by name: a spec such as `whca,window=16` becomes a [`Planner`].

mod error;
#[cfg(feature = "anytime")]
mod improving;
#[cfg(feature = "optimal")]
mod joint;
mod knob;
mod registry;

use std::fmt;
use std::str::FromStr;

use throng_model::{Budget, Objective, Observer, PlanError, Planner, Report, Silent, ValidProblem};

pub use error::{SolveError, SpecError};
pub use knob::Allowed;
use knob::Tunable;
use registry::{Entry, SOLVERS};

/// Plans for all units of a problem with the solver that the spec names.
///
/// The seed is 0 and the budget unlimited. To choose them, parse a [`Solver`].
///
/// The referee can check the answer:
///
/// ```
/// use throng::prelude::*;
/// use throng::referee;
/// // The paths of two units cross.
/// let units = vec![Unit::new((0, 2), (4, 2)), Unit::new((2, 0), (2, 4))];
/// let problem = Problem::new(Map::empty(5, 5)?, MovementProfile::four_connected(), units).validate()?;
///
/// let Outcome::Solved(solution) = plan(&problem, "hca")?.outcome else {
///     return Err("not solved".into());
/// };
/// let verdict = referee::check(&problem, &solution.plan);
/// assert!(verdict.is_valid());
/// // Each needs four steps, and one of them waits once.
/// assert_eq!(verdict.sum_of_costs, 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the spec names no solver, or an option or value that it does not have; when the
/// solver does not support a unit's movement.
pub fn plan(problem: &ValidProblem, spec: &str) -> Result<Report, SolveError> {
    Ok(Solver::parse(spec)?.plan(problem, 0, Budget::unlimited(), &mut Silent)?)
}

/// A planner that was chosen by name and options: `name[,key=value...]`.
///
/// [`catalogue`] lists the names and options. A solver is displayed as a spec, with the given
/// options in the catalogue's order:
///
/// ```
/// use throng::Solver;
/// let solver = Solver::parse("whca,order=given,window=08")?;
/// assert_eq!(solver.to_string(), "whca,window=8,order=given");
///
/// let error = Solver::parse("whca,windw=8").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "solver whca has no option \"windw\"; did you mean window? it has window, promotion, yield, penalty, interleave, order, turns, passing"
/// );
/// # Ok::<(), throng::solver::SpecError>(())
/// ```
pub struct Solver {
    entry: &'static Entry,
    spec: String,
    planner: Box<dyn Tunable>,
    objective: Objective,
}

impl Solver {
    /// The solver that the spec names.
    ///
    /// # Errors
    /// When the spec names no solver, or an option or value that it does not have.
    pub fn parse(spec: &str) -> Result<Self, SpecError> {
        let (name, options) = match spec.split_once(',') {
            Some((name, options)) => (name.trim(), Some(options)),
            None => (spec.trim(), None),
        };
        if name.is_empty() {
            return Err(SpecError::Empty);
        }
        let entry = SOLVERS.iter().find(|entry| entry.name == name);
        let entry = entry.ok_or_else(|| SpecError::unknown_solver(name))?;
        let mut planner = (entry.planner)();
        let mut given = Vec::new();
        for option in options.into_iter().flat_map(|options| options.split(',')) {
            set(entry.name, planner.as_mut(), option.trim(), &mut given)?;
        }
        let spec = canonical(entry.name, planner.as_mut(), &given);
        Ok(Self { entry, spec, planner, objective: Objective::SumOfCosts })
    }

    /// The same solver with another objective, if it supports one. All solvers but `joint`
    /// and `standley` keep the sum of costs.
    ///
    /// ```
    /// use throng::{Solver, model::Objective};
    /// let aimed = |spec: &str| {
    ///     let solver = Solver::parse(spec)?.with_objective(Objective::TimeAway);
    ///     Ok::<_, throng::solver::SpecError>(solver.objective())
    /// };
    /// assert_eq!(aimed("joint,od,pe,id")?, Objective::TimeAway);
    /// assert_eq!(aimed("hca")?, Objective::SumOfCosts);
    /// # Ok::<(), throng::solver::SpecError>(())
    /// ```
    #[must_use]
    pub fn with_objective(mut self, objective: Objective) -> Self {
        self.objective = self.planner.set_objective(objective);
        self
    }

    /// The objective that the costs and bounds of its reports count.
    #[must_use]
    pub fn objective(&self) -> Objective {
        self.objective
    }

    /// The same solver on this many threads, if it can use them. The result is the same.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.planner.set_threads(threads);
        self
    }

    /// The solver's name, without options.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.entry.name
    }
}

/// Sets one option, and notes its name among those given.
fn set(
    solver: &'static str,
    planner: &mut dyn Tunable,
    option: &str,
    given: &mut Vec<&'static str>,
) -> Result<(), SpecError> {
    let (key, value) = match option.split_once('=') {
        Some((key, value)) => (key.trim(), value.trim()),
        None => (option, ""),
    };
    let mut knobs = planner.knobs();
    let Some(at) = knobs.iter().position(|knob| knob.name == key) else {
        let names = knobs.iter().map(|knob| knob.name).collect();
        return Err(SpecError::unknown_option(solver, key, names));
    };
    let knob = &mut knobs[at];
    let option = knob.name;
    if given.contains(&option) {
        return Err(SpecError::Twice { solver, option });
    }
    given.push(option);
    let allowed = knob.value.allowed();
    let is_set = knob.value.set(value);
    is_set.ok_or_else(|| SpecError::bad_value(solver, option, value, allowed))
}

fn canonical(solver: &str, planner: &mut dyn Tunable, given: &[&str]) -> String {
    let mut spec = solver.to_owned();
    for knob in planner.knobs().iter().filter(|knob| given.contains(&knob.name)) {
        spec += &format!(",{}={}", knob.name, knob.value.shown());
    }
    spec
}

impl Planner for Solver {
    fn plan(
        &self,
        problem: &ValidProblem,
        seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Report, PlanError> {
        self.planner.plan(problem, seed, budget, observer)
    }
}

impl FromStr for Solver {
    type Err = SpecError;
    fn from_str(spec: &str) -> Result<Self, SpecError> {
        Self::parse(spec)
    }
}

impl fmt::Display for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spec)
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Solver").field(&self.spec).finish()
    }
}

/// The name and options of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverInfo {
    /// Its name in a spec.
    pub name: &'static str,
    /// A description in one line.
    pub summary: &'static str,
    /// Its options.
    pub options: Vec<SolverOption>,
}

/// An option of a solver, given as `name=value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverOption {
    /// Its name in a spec.
    pub name: &'static str,
    /// Its purpose, in one line.
    pub meaning: &'static str,
    /// Its value when it is not given.
    pub default: String,
    /// The values that it can have.
    pub allowed: Allowed,
}

/// Every solver with its options.
#[must_use]
pub fn catalogue() -> Vec<SolverInfo> {
    let options = |entry: &Entry| {
        let mut planner = (entry.planner)();
        let knobs = planner.knobs().into_iter().map(|knob| SolverOption {
            name: knob.name,
            meaning: knob.meaning,
            default: knob.value.shown(),
            allowed: knob.value.allowed(),
        });
        knobs.collect()
    };
    let info = |entry: &Entry| SolverInfo {
        name: entry.name,
        summary: entry.summary,
        options: options(entry),
    };
    SOLVERS.iter().map(info).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_cooperative::{Arrival, CooperativeAStar, LocalRepair, PlanningOrder, Windowed};
    use throng_spacetime::PassingRule;

    #[track_caller]
    fn reads(spec: &str, shown: &str) {
        let solver = Solver::parse(spec).unwrap();
        assert_eq!(solver.to_string(), shown);
        assert_eq!(Solver::parse(shown).unwrap().to_string(), shown, "again");
    }

    #[test]
    fn specs_become_solvers_and_specs_again() {
        reads("lra", "lra");
        reads(" hca ", "hca");
        reads("whca,window=16", "whca,window=16");
        reads("joint,od,pe,id,weight=1.1", "joint,od=on,pe=on,id=avoid,weight=1.1");
        reads("joint,weight=2,id=merge", "joint,id=merge,weight=2");
        reads("joint,weight=01.050", "joint,weight=1.05");
        reads("standley,weight=1.1", "standley,weight=1.1");
        reads("standley,pe=off", "standley,pe=off");
        reads("silver-whca,window=200", "silver-whca,window=200");
        reads("whca,penalty=0,yield=off,promotion=off", "whca,promotion=off,yield=off,penalty=0");
        reads("whca, turns = 7 , window=02", "whca,window=2,turns=7");
        reads(
            "ca,restarts=0,order=random,arrival=obstacle",
            "ca,arrival=obstacle,order=random,restarts=0",
        );
    }

    /// The planner with these options.
    fn tuned<T: Tunable>(mut planner: T, options: &str) -> T {
        let mut given = Vec::new();
        for option in options.split(',') {
            set("it", &mut planner, option, &mut given).unwrap();
        }
        planner
    }

    #[test]
    fn options_reach_the_fields_that_they_are_named_after() {
        assert_eq!(tuned(LocalRepair::default(), "turns=7").turns, 7);
        let expected = CooperativeAStar {
            arrival: Arrival::Obstacle,
            order: PlanningOrder::Given,
            restarts: 3,
            turns: 9,
            passing: PassingRule::DoubleClaims,
            ..CooperativeAStar::ca()
        };
        let options = "arrival=obstacle,order=given,restarts=3,turns=9,passing=double";
        assert_eq!(tuned(CooperativeAStar::ca(), options), expected);
        let windowed = tuned(Windowed::default(), "window=5,order=random,turns=2,passing=double");
        assert_eq!(
            (windowed.window, windowed.order, windowed.turns),
            (5, PlanningOrder::Random, 2)
        );
        assert_eq!(windowed.passing, PassingRule::DoubleClaims);
    }

    #[track_caller]
    fn refuses(spec: &str, said: &str) {
        assert_eq!(Solver::parse(spec).unwrap_err().to_string(), said, "{spec}");
    }

    #[test]
    fn mistakes_are_named_with_what_is_allowed() {
        let names = "the solvers are lra, ca, hca, whca, silver-ca, silver-hca, silver-whca, lacam, lns, auto, joint, standley";
        refuses("", &format!("no solver is named; {names}"));
        refuses(",window=3", &format!("no solver is named; {names}"));
        refuses("whac", &format!("no solver \"whac\"; did you mean whca? {names}"));
        refuses("HCA", &format!("no solver \"HCA\"; did you mean hca? {names}"));
        refuses("dijkstra", &format!("no solver \"dijkstra\"; {names}"));
        refuses("lra,window=3", "solver lra has no option \"window\"; it has turns");
        let has = "it has window, promotion, yield, penalty, interleave, order, turns, passing";
        refuses("whca,", &format!("solver whca has no option \"\"; {has}"));
        refuses(
            "whca,widow=3",
            &format!("solver whca has no option \"widow\"; did you mean window? {has}"),
        );
        refuses("whca,window=8,window=8", "solver whca: window is given twice; give it once");
        let window = "solver whca: window cannot be";
        for value in ["1", "4097", "-3", "+3", "x", "4.5", "99999999999999999999", "0x10"] {
            refuses(
                &format!("whca,window={value}"),
                &format!("{window} \"{value}\"; use 2 to 4096"),
            );
        }
        refuses("whca,window", "solver whca: window needs a value; write window=2 to 4096");
        refuses("whca,window=", "solver whca: window needs a value; write window=2 to 4096");
        for value in ["0.9", "1.", ".5", "1.0001", "-1", "1e3", "1.1.1", "100.001"] {
            refuses(
                &format!("joint,weight={value}"),
                &format!("solver joint: weight cannot be \"{value}\"; use 1 to 100"),
            );
        }
        refuses("joint,weight", "solver joint: weight needs a value; write weight=1 to 100");
        refuses("joint,od=yes", "solver joint: od cannot be \"yes\"; use on or off");
        refuses(
            "hca,order=shortest",
            "solver hca: order cannot be \"shortest\"; use given, longest or random",
        );
        refuses(
            "hca,arrival=Parked",
            "solver hca: arrival cannot be \"Parked\"; use parked or obstacle",
        );
    }

    #[test]
    fn what_is_echoed_is_short_and_printable() {
        let said = Solver::parse(&"x\u{1b}".repeat(10_000)).unwrap_err().to_string();
        assert!(said.len() < 400 && !said.contains('\u{1b}'), "{said}");
    }

    #[test]
    fn every_default_in_the_catalogue_is_allowed_and_every_name_is_its_own() {
        for solver in catalogue() {
            let defaults = solver.options.iter().map(|o| format!(",{}={}", o.name, o.default));
            let spec = format!("{}{}", solver.name, defaults.collect::<String>());
            assert_eq!(Solver::parse(&spec).unwrap().to_string(), spec);
            assert!(!solver.summary.is_empty());
        }
        let mut names: Vec<_> = catalogue().iter().map(|solver| solver.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), SOLVERS.len());
    }
}
