//! LaCAM: the planner for dense crowds.

mod constraints;
mod nodes;
mod order;
mod search;

use throng_model::{
    Budget, Cell, Effort, Limit, Objective, Observer, Outcome, Plan, PlanError, Planner, Problem,
    Progress, Report, Solution, UnitId, ValidProblem,
};

use crate::guides::{GuideOptions, Guides};
use crate::lazy_distances::LazyDistances;
use crate::movement::common_graph;
use crate::path_cost::path_cost;
use crate::{Distances, Graph, TrueDistances, UNREACHED, Vertex};
use search::{Crowd, End, Search, Settings};

/// Maps of at most this many positions get complete tables of distances.
const FULL_TABLES_MAX: usize = 4096;

/// **LaCAM**: a depth-first search over the positions of all units, whose successors come from
/// PIBT.
///
/// *Complete*: given time and memory it ends with a plan or the proof that there is none. Plans
/// are not optimal. Ties break as [`Pibt`](crate::Pibt) says, by the seed. The plan does not
/// depend on the number of threads.
///
/// Units cover one cell, take one tick per step and move alike; other problems are refused. The
/// budget counts one expansion per unit and configuration, and per step of a guide path. Memory
/// grows by eight bytes per unit and configuration, and by two per unit and position of the map
/// whose distance was needed.
///
/// ```
/// use throng_anytime::Lacam;
/// use throng_model::{Budget, Map, MovementProfile, Outcome, Planner as _, Problem, Silent, Unit};
/// let units = vec![Unit::new((0, 0), (3, 1)), Unit::new((3, 1), (0, 0))];
/// let problem = Problem::new(Map::empty(4, 2)?, MovementProfile::four_connected(), units);
/// let report = Lacam::default().plan(&problem.validate()?, 1, Budget::unlimited(), &mut Silent)?;
/// assert!(matches!(report.outcome, Outcome::Solved(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lacam {
    /// The cost that is reported. The search does not depend on it.
    pub objective: Objective,
    /// Whether units exchange places in corridors and dead ends.
    pub swap: bool,
    /// Whether units avoid cells that others want, among equally good ones.
    pub hindrance: bool,
    /// How often guide paths are drawn, each time against the paths of all others; 0 for none.
    pub guide_passes: u32,
    /// How much longer than the shortest path a guide path may be, in ticks.
    pub guide_margin: u32,
    /// A unit is late when it cannot arrive within this many hundredths of its distance, and 30
    /// ticks. Its guide path and hindrance then end for it.
    pub patience_percent: u32,
    /// Most memory that configurations and constraints may hold, in MiB.
    pub megabytes_max: u32,
    /// How many threads to use; the answer is the same for any number.
    pub threads: usize,
}

impl Default for Lacam {
    fn default() -> Self {
        Self {
            objective: Objective::SumOfCosts,
            swap: true,
            hindrance: true,
            guide_passes: 2,
            guide_margin: 10,
            patience_percent: 250,
            megabytes_max: 8192,
            threads: 1,
        }
    }
}

impl Planner for Lacam {
    fn plan(
        &self,
        problem: &ValidProblem,
        seed: u64,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Report, PlanError> {
        let graph = common_graph(problem, "LaCAM")?;
        let (starts, goals) = ends(problem, &graph);
        let crowd =
            Crowd { graph: &graph, conflicts: problem.conflicts, starts: &starts, goals: &goals };
        let task = Task { planner: self, problem, crowd, seed, budget };
        Ok(task.plan(observer))
    }
}

/// A problem with its graph, and what may be spent on it.
struct Task<'a> {
    planner: &'a Lacam,
    problem: &'a Problem,
    crowd: Crowd<'a>,
    seed: u64,
    budget: Budget<'a>,
}

impl Task<'_> {
    /// Plans with complete tables where the map is small or distances are long, and otherwise
    /// with distances as far as needed.
    fn plan(&self, observer: &mut dyn Observer) -> Report {
        let Crowd { graph, starts, goals, .. } = self.crowd;
        let (threads, budget) = (self.planner.threads, self.budget);
        if goals.len().saturating_mul(graph.len()) > self.bytes_max() / size_of::<u16>() {
            return spent(0, Limit::Memory);
        }
        let is_small = graph.len() <= FULL_TABLES_MAX;
        if is_small || !LazyDistances::fits(graph) {
            let distances = Distances::compute(graph, goals, threads, budget);
            distances.map_or_else(|| spent(0, Limit::Interrupt), |d| self.search(d, observer))
        } else {
            let (ends, margin) = ((starts, goals), self.planner.guide_margin);
            let distances = LazyDistances::compute(graph, ends, margin, threads, budget);
            distances.map_or_else(|| spent(0, Limit::Interrupt), |d| self.search(d, observer))
        }
    }

    fn bytes_max(&self) -> usize {
        (self.planner.megabytes_max as usize) << 20
    }

    fn search<D: TrueDistances>(&self, mut distances: D, observer: &mut dyn Observer) -> Report {
        let (mut bound, mut longest) = (0, 0);
        for (unit, &start) in self.crowd.starts.iter().enumerate() {
            match distances.get(unit, start) {
                UNREACHED => return report(unreachable(self.problem, unit)),
                ticks => {
                    bound += u64::from(ticks);
                    longest = longest.max(ticks);
                }
            }
        }
        let settings = Settings {
            seed: self.seed,
            swap: self.planner.swap,
            hindrance: self.planner.hindrance,
            patience_percent: self.planner.patience_percent,
            stagnation: u64::from(longest.max(256)),
            bytes_max: self.bytes_max(),
        };
        let units = self.crowd.starts.len();
        let mut effort = Effort::new(self.budget);
        let options = GuideOptions {
            passes: self.planner.guide_passes,
            margin: self.planner.guide_margin,
            seed: self.seed,
        };
        let ends = (self.crowd.starts, self.crowd.goals);
        let guides = Guides::draw(self.crowd.graph, ends, &mut distances, options, &mut effort);
        let guides = guides.unwrap_or_default();
        let drawn = guides.work;
        let mut search = Search::new(self.crowd, settings, distances, guides);
        let end = search.run(&mut effort, &mut |generated, away| {
            observer.progress(Progress {
                expanded: drawn + generated * units as u64,
                units_done: units - away as usize,
                lower_bound: Some(bound),
                groups: None,
            });
        });
        Report {
            outcome: self.outcome(end, &search, bound),
            expanded: drawn + search.generated * units as u64,
            generated: search.nodes.len() as u64,
            peak_open: search.peak_open as u64,
            reproducible: end != End::Stopped(Limit::Interrupt),
        }
    }

    fn outcome<D>(&self, end: End, search: &Search<'_, D>, bound: u64) -> Outcome {
        let plan = |node| {
            let path = search.nodes.path(node);
            plan_of(self.crowd.graph, path.iter().map(|&node| search.nodes.positions(node)))
        };
        match end {
            End::Solved(node) => {
                let plan = plan(node);
                let cost = cost(&plan, self.problem, self.planner.objective);
                Outcome::Solved(Solution { plan, cost, proven_bound: bound })
            }
            End::Exhausted => Outcome::ProvenUnsolvable(
                "the search of all positions that the units can reach found no plan".into(),
            ),
            End::Stopped(limit) => {
                Outcome::BudgetSpent { best: Some(plan(search.best)), proven_bound: bound, limit }
            }
        }
    }
}

/// Starts and goals as positions. A valid problem has them all.
fn ends(problem: &Problem, graph: &Graph) -> (Vec<Vertex>, Vec<Vertex>) {
    let at = |cell| graph.vertex(cell).unwrap_or_default();
    problem.units.iter().map(|unit| (at(unit.start), at(unit.goal))).unzip()
}

fn report(outcome: Outcome) -> Report {
    Report { outcome, expanded: 0, generated: 0, peak_open: 0, reproducible: true }
}

fn spent(proven_bound: u64, limit: Limit) -> Report {
    let outcome = Outcome::BudgetSpent { best: None, proven_bound, limit };
    Report { reproducible: limit != Limit::Interrupt, ..report(outcome) }
}

fn unreachable(problem: &Problem, unit: usize) -> Outcome {
    let (id, unit) = (UnitId::new(unit as u32), &problem.units[unit]);
    Outcome::ProvenUnsolvable(format!(
        "{id} cannot get from {} to {}: there is no way, even alone",
        unit.start, unit.goal
    ))
}

/// The paths of all units, each up to its last arrival.
fn plan_of<'a>(graph: &Graph, configurations: impl Iterator<Item = &'a [Vertex]>) -> Plan {
    let mut paths: Vec<Vec<Cell>> = Vec::new();
    for positions in configurations {
        paths.resize_with(positions.len(), Vec::new);
        for (path, &at) in paths.iter_mut().zip(positions) {
            path.push(graph.cell(at));
        }
    }
    for path in &mut paths {
        let last = path.last().copied();
        let end = path.iter().rposition(|&at| Some(at) != last).map_or(0, |tick| tick + 1);
        path.truncate(end + 1);
    }
    Plan { paths }
}

fn cost(plan: &Plan, problem: &Problem, objective: Objective) -> u64 {
    let paths = plan.paths.iter().zip(&problem.units);
    paths.map(|(path, unit)| path_cost(path, &unit.goal, objective) as u64).sum()
}
