//! What the paper says, beside ours.

use throng::model::{Budget, Map, Problem, Silent, Unit};

use super::instances::movement;
use super::methods::Method;
use super::runs::{Limits, WHCA};
use crate::LabError;
use crate::harness::statistics::mean;
use crate::harness::{Row, Rows, Rule, Statement, Study, Values};

const CHILDREN: Statement = Statement::new(
    "The standard admissible algorithm",
    "an iteration of S can add \"approximately 59k nodes\" for 5 agents that are apart",
    "59 thousand",
    Rule::about(59_000.0),
)
.shown("nodes", 0);

const DECOMPOSED: Statement = Statement::new(
    "Operator decomposition",
    "the branching factor goes \"from 9^n to just 9\"",
    "9",
    Rule::at_most(9.0),
)
.shown("nodes", 0);

const IMPROVES: Statement = Statement::new(
    "Figure 6",
    "\"adding each technique results in improved performance\": more instances, or as many in less time",
    "each of 7 additions",
    Rule::at_least(7.0).or_above(3.0),
)
.shown("of 7", 0)
.because("with few instances per seed, two planners often solve the same ones in about the same time");

/// What the paper says of partial expansion. Its section adds it to operator decomposition; the same is
/// measured with independent subproblems.
const PARTIAL: [PartialExpansion; 2] = [
    PartialExpansion {
        planners: [Method::Decomposition, Method::Partial],
        open: Statement::new(
            "Partial expansion",
            "without partial expansion there are about 7 open nodes for a closed one (OD)",
            "about 7",
            Rule::about(7.0).or_above(3.0),
        )
        .because("groups of few units have few open nodes; the ratio grows with them"),
        open_with: Statement::new(
            "Partial expansion",
            "with it the ratio is less than 3 (OD+PE)",
            "less than 3",
            Rule::below(3.0),
        )
        .because("more nodes stay open than in the paper"),
        faster: Statement::new(
            "Experiments",
            "with partial expansion the average runtime is \"almost four times better when solutions are found\" (OD, OD+PE)",
            "almost 4 times",
            Rule::about(4.0).or_above(1.0),
        )
        .shown("times", 2)
        .because("a node that is only stored costs less here, so there is less to gain"),
        memory: Statement::new(
            "Partial expansion",
            "partial expansion is \"a large reduction in memory use\" (OD, OD+PE)",
            "large",
            Rule::above(1.0),
        )
        .shown("times less", 2)
        .because("the sum over the instances that both solve"),
    },
    PartialExpansion {
        planners: [Method::DecompositionIndependent, Method::PartialIndependent],
        open: Statement::new(
            "Partial expansion",
            "the same with independent subproblems (OD+ID)",
            "about 7",
            Rule::about(7.0).or_above(3.0),
        )
        .because("most searches here are of one unit, with few open nodes: they are counted too"),
        open_with: Statement::new(
            "Partial expansion",
            "the same with independent subproblems (OD+PE+ID)",
            "less than 3",
            Rule::below(3.0),
        )
        .because("more nodes stay open than in the paper"),
        faster: Statement::new(
            "Experiments",
            "the average runtime, the same with independent subproblems (OD+ID, OD+PE+ID)",
            "almost 4 times",
            Rule::about(4.0).or_above(1.0),
        )
        .shown("times", 2)
        .because("most searches here are of one unit, where there is nothing to gain"),
        memory: Statement::new(
            "Partial expansion",
            "memory, the same with independent subproblems (OD+ID, OD+PE+ID)",
            "large",
            Rule::above(1.0),
        )
        .shown("times less", 2)
        .because("the sum over the instances that both solve"),
    },
];

/// What the paper says of a planner without partial expansion and with it.
struct PartialExpansion {
    planners: [Method; 2],
    open: Statement,
    open_with: Statement,
    faster: Statement,
    memory: Statement,
}

impl PartialExpansion {
    /// The rows of both planners on the instances that both solved.
    fn pairs<'a>(&self, rows: &'a Rows) -> Vec<(&'a Row, &'a Row)> {
        let [without, with] = self.planners;
        both(rows, without.name(), with)
    }

    fn judge(&self, rows: &Rows, study: &mut Study<'_>) {
        let factor = |value: fn(&Row) -> f64| {
            rows.by_seed(|rows| {
                let before: f64 = self.pairs(rows).iter().map(|(without, _)| value(without)).sum();
                let after: f64 = self.pairs(rows).iter().map(|(_, with)| value(with)).sum();
                (after > 0.0).then(|| before / after)
            })
        };
        let ratio = |pick: for<'a> fn((&'a Row, &'a Row)) -> &'a Row| {
            rows.by_seed(|rows| mean_of(self.pairs(rows).into_iter().map(pick).map(open_by_closed)))
        };
        study.judge(&self.open, &ratio(|(without, _)| without));
        study.judge(&self.open_with, &ratio(|(_, with)| with));
        study.judge(&self.faster, &factor(|row| row.milliseconds));
        study.judge(&self.memory, &factor(|row| row.bytes as f64));
    }
}

/// The mean; `None` without values.
fn mean_of(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    (!values.is_empty()).then(|| mean(values.into_iter()))
}

/// Open nodes at the end of a search for each closed one.
fn open_by_closed(row: &Row) -> f64 {
    row.get("open").unwrap_or(0.0) / row.get("closed").unwrap_or(0.0).max(1.0)
}

const HALF: Statement = Statement::new(
    "Figure 6",
    "with all three techniques \"more than half of the instances\" are solved in under a second",
    "more than 50%",
    Rule::above(50.0),
)
.shown("%", 0)
.because("fewer on this machine and these grids");

const MILLISECONDS: Statement = Statement::new(
    "Introduction",
    "\"many nontrivial instances can be solved exactly in milliseconds\": of those with 10 or more units, the share in \
     under 100 ms",
    "many: more than half, as we read it",
    Rule::above(50.0).or_above(10.0),
)
.shown("%", 0)
.because("fewer on this machine and these grids");

const NINETY: Statement = Statement::new(
    "Experiments",
    "with w = 1.1 \"90% of the instances can be solved in under a second\"",
    "90%",
    Rule::at_least(90.0).or_above(50.0),
)
.shown("%", 0)
.because(
    "groups merge at once as in the paper; our grids leave some groups too large for a second",
);

const WITHIN: Statement = Statement::new(
    "Experiments",
    "with w = 1.1 solutions are \"guaranteed to be within 10%\" of the optimum",
    "at most 1.1",
    Rule::at_most(1.1),
)
.shown("times the optimum at worst", 3);

const TYPICALLY: Statement = Statement::new(
    "Experiments",
    "\"typically they will be much better\" than 10%",
    "well below 1.1",
    Rule::below(1.05).or_below(1.1),
)
.shown("times the optimum", 4)
.because("more than half of what the weight allows");

const WHCA_LONGER: Statement = Statement::new(
    "Related work",
    "WHCA*'s paths are \"approximately 20% worse than the optimal paths for large numbers of agents\"",
    "about 20%",
    Rule::about(20.0).or_above(0.0),
)
.shown("%", 1)
.because("instances with 15 to 30 units whose optimum is known: fewer than in Silver's crowds");

const WHCA_FAILS: Statement = Statement::new(
    "Related work",
    "\"about 2% of agents still fail to reach their destinations\" under WHCA*",
    "about 2%",
    Rule::about(2.0).or_above(0.0),
)
.shown("%", 2)
.because("up to 30 units instead of 100, and 2,000 turns instead of 100");

const BITS: Statement = Statement::new(
    "Partial expansion",
    "k is 1, 3, 5, so that the best 5 moves are stored \"using 15 bits total\"",
    "15 bits",
    Rule::at_most(15.0),
)
.shown("bits", 0)
.because(
    "k is the same; all moves of a cell are stored in order, 30 bytes, for spaces with any moves",
);

const REPLAN: Statement = Statement::new(
    "Independent subproblems",
    "\"the final re-plan dominates the computation\": the share of the most expensive search, where groups merge",
    "dominates: more than half",
    Rule::above(50.0),
)
.shown("% of the nodes", 1)
.because("many groups of two or three are solved in about as many nodes as a path of one unit");

/// Each pair of planners that differ by one technique, without it first.
const ADDITIONS: [[Method; 2]; 7] = [
    [Method::Standard, Method::Decomposition],
    [Method::Decomposition, Method::Partial],
    [Method::Standard, Method::StandardIndependent],
    [Method::Decomposition, Method::DecompositionIndependent],
    [Method::Partial, Method::PartialIndependent],
    [Method::StandardIndependent, Method::DecompositionIndependent],
    [Method::DecompositionIndependent, Method::PartialIndependent],
];

/// Units of the instances on which WHCA* is compared with the optimum.
const LARGE: u32 = 15;
/// Units of an instance that is not trivial.
const NONTRIVIAL: u32 = 10;
const MILLISECONDS_MAX: f64 = 100.0;
const SECOND_MS: f64 = 1000.0;
/// Bits of the moves of a cell.
const MOVES_BITS: f64 = 240.0;

pub(super) fn judge(rows: &Rows, study: &mut Study<'_>) -> Result<(), LabError> {
    let units = |row: &Row| row.parameter("units").and_then(|units| units.parse().ok());
    let is_large = |row: &Row| units(row).is_some_and(|units: u32| units >= LARGE);
    let is_nontrivial = |row: &Row| units(row).is_some_and(|units: u32| units >= NONTRIVIAL);
    let quickly = |rows: &Rows| Some(share(rows, Method::PartialIndependent, MILLISECONDS_MAX));
    study.judge(&MILLISECONDS, &rows.filter(is_nontrivial).by_seed(quickly));
    let longer = |rows: &Rows| Some(100.0 * (mean_of(ratios(rows, WHCA, Method::Ours))? - 1.0));
    study.judge(&WHCA_LONGER, &rows.filter(is_large).by_seed(longer));
    study.judge(&WHCA_FAILS, &rows.of(WHCA).by_seed(|rows| rows.mean("failed")));
    study.judge(&CHILDREN, &Values::drawn(children(study, Method::Standard)?));
    study.judge(&DECOMPOSED, &Values::drawn(children(study, Method::Decomposition)?));
    let limits = Limits::of(study.options());
    study.judge_with(
        &IMPROVES,
        &rows.by_seed(|rows| Some(improvements(rows))),
        &shares(rows, limits),
    );
    PARTIAL.iter().for_each(|claims| claims.judge(rows, study));
    study.judge(&BITS, &Values::computed(MOVES_BITS));
    let merging = rows.of(Method::PartialIndependent.name());
    study.judge(&REPLAN, &merging.by_seed(most_expensive));
    study.judge(
        &HALF,
        &rows.by_seed(|rows| Some(share(rows, Method::PartialIndependent, SECOND_MS))),
    );
    study.judge(&NINETY, &rows.by_seed(|rows| Some(share(rows, Method::Weighted, SECOND_MS))));
    let weighted = |rows: &Rows| ratios(rows, Method::Weighted.name(), Method::Ours);
    study.judge(&WITHIN, &rows.by_seed(|rows| weighted(rows).reduce(f64::max)));
    study.judge(&TYPICALLY, &rows.by_seed(|rows| mean_of(weighted(rows))));
    Ok(())
}

/// The share of the most expensive search in the nodes of a solved instance whose groups merge: the
/// mean in percent.
fn most_expensive(rows: &Rows) -> Option<f64> {
    let merges = |row: &Row| row.get("cost").is_some() && row.get("largest") > Some(1.0);
    let merged = rows.filter(merges);
    let share = |row: &Row| Some(100.0 * row.get("most")? / row.get("work")?.max(1.0));
    mean_of(merged.iter().filter_map(share))
}

/// Nodes that the first expansion adds, with five units far apart and no obstacles.
fn children(study: &Study<'_>, method: Method) -> Result<f64, LabError> {
    let units = (0..5).map(|unit| Unit::new((3 + 6 * unit, 3), (3 + 6 * unit, 28))).collect();
    let id = study.case("children", 0);
    let problem = id.valid(Problem::new(Map::empty(32, 32)?, movement(), units))?;
    let report = method.planner().plan_detailed(&problem, Budget::expansions(1), &mut Silent);
    let report = report.map_err(|error| id.illegal(error.to_string()))?;
    Ok((report.statistics.generated - 1) as f64)
}

/// The rows of a planner and of a method on the instances that both solved.
fn both<'a>(rows: &'a Rows, one: &str, other: Method) -> Vec<(&'a Row, &'a Row)> {
    rows.pairs(one, other.name(), |row| row.get("cost").is_some())
}

/// The costs of a planner by those of a method, instance by instance.
fn ratios(rows: &Rows, one: &str, other: Method) -> impl Iterator<Item = f64> + use<> {
    let cost = |row: &Row| row.get("cost").unwrap_or(0.0);
    let pairs = both(rows, one, other);
    let ratios: Vec<f64> =
        pairs.iter().map(|(one, other)| cost(one) / cost(other).max(1.0)).collect();
    ratios.into_iter()
}

/// How many instances were solved within a time.
fn solved(rows: &Rows, method: Method, milliseconds: f64) -> usize {
    let is_solved = |row: &Row| row.get("cost").is_some() && row.milliseconds <= milliseconds;
    rows.of(method.name()).filter(is_solved).len()
}

/// The percentage of instances that were solved within a time.
pub(super) fn share(rows: &Rows, method: Method, milliseconds: f64) -> f64 {
    100.0 * solved(rows, method, milliseconds) as f64 / rows.of(method.name()).len().max(1) as f64
}

/// How many additions of a technique improve a planner.
fn improvements(rows: &Rows) -> f64 {
    let is_better = |[without, with]: &&[Method; 2]| {
        let [before, after] = [*without, *with].map(|method| solved(rows, method, f64::MAX));
        let pairs = both(rows, without.name(), *with);
        let before_ms: f64 = pairs.iter().map(|(without, _)| without.milliseconds).sum();
        let after_ms: f64 = pairs.iter().map(|(_, with)| with.milliseconds).sum();
        after > before || (after == before && after_ms < before_ms)
    };
    ADDITIONS.iter().filter(is_better).count() as f64
}

fn shares(rows: &Rows, limits: Limits) -> String {
    let share =
        |method: &Method| format!("{} {:.1}%", method.name(), share(rows, *method, limits.most));
    let mut methods = Method::ALL;
    methods.reverse();
    let shares: Vec<String> = methods.iter().map(share).collect();
    format!("solved in {} s: {}", limits.most / SECOND_MS, shares.join(", "))
}
