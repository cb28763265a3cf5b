//! The paper's findings beside ours.

use throng::model::{Budget, Map, Problem, Silent, Unit};

use super::claims::cost_ratio;
use super::instances::movement;
use super::methods::Method;
use super::runs::{Run, Runs, seconds};
use crate::LabError;
use crate::harness::statistics::mean;
use crate::harness::{Finding, Study, Verdict};

pub(super) fn judge(runs: &Runs, study: &mut Study<'_>) -> Result<(), LabError> {
    study.finding(children_of_one_node(study)?);
    study.finding(each_technique_helps(runs));
    study.finding(fewer_open_nodes(runs));
    study.finding(partial_expansion_is_faster(runs));
    study.finding(easy(
        runs,
        Method::PartialIndependent,
        "all three techniques: \"more than half of the instances\" solved in under a second",
        ("more than 50%", 50.0_f64.next_up()),
    ));
    study.finding(easy(
        runs,
        Method::Weighted,
        "with w = 1.1, \"90% of the instances can be solved in under a second\"",
        ("90%", 90.0),
    ));
    study.finding(much_better_than_the_weight(runs));
    Ok(())
}

fn finding(statement: &str, paper: &str, ours: String, verdict: Verdict, reason: &str) -> Finding {
    let reason = if verdict == Verdict::Holds { String::new() } else { reason.to_owned() };
    Finding { statement: statement.to_owned(), paper: paper.to_owned(), ours, verdict, reason }
}

/// The standard algorithm's first expansion, with five units far apart and no obstacles.
fn children_of_one_node(study: &Study<'_>) -> Result<Finding, LabError> {
    let units = (0..5).map(|unit| Unit::new((3 + 6 * unit, 3), (3 + 6 * unit, 28))).collect();
    let id = study.case("children", 0);
    let problem = id.valid(Problem::new(Map::empty(32, 32)?, movement(), units))?;
    let planner = Method::Standard.planner();
    let report = planner.plan_detailed(&problem, Budget::expansions(1), &mut Silent);
    let report = report.map_err(|error| id.illegal(error.to_string()))?;
    let children = report.statistics.generated - 1;
    let verdict = match children {
        58_500..59_500 => Verdict::Holds,
        _ => Verdict::Differs,
    };
    Ok(finding(
        "an iteration of S can add \"approximately 59k nodes\" for 5 agents",
        "59k",
        children.to_string(),
        verdict,
        "counted on an open grid with five units apart",
    ))
}

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

/// The paper's optimal planners.
const PAPERS: [Method; 6] = [
    Method::Standard,
    Method::Decomposition,
    Method::Partial,
    Method::StandardIndependent,
    Method::DecompositionIndependent,
    Method::PartialIndependent,
];

/// A technique improves performance if more instances are solved, or as many in less time.
fn each_technique_helps(runs: &Runs) -> Finding {
    let most = runs.limits.most;
    let is_better = |[without, with]: [Method; 2]| {
        let [before, after] = [without, with].map(|method| runs.solved(method, most));
        let milliseconds = |pick: fn((&Run, &Run)) -> f64| runs.both(without, with).map(pick).sum();
        let before_ms: f64 = milliseconds(|(without, _)| without.milliseconds);
        let after_ms: f64 = milliseconds(|(_, with)| with.milliseconds);
        after > before || (after == before && after_ms < before_ms)
    };
    let worse: Vec<String> = ADDITIONS
        .into_iter()
        .filter(|&pair| !is_better(pair))
        .map(|[without, with]| format!("{} does not improve {}", with.name(), without.name()))
        .collect();
    let shares: Vec<_> = PAPERS
        .iter()
        .map(|&method| format!("{} {:.1}%", method.name(), runs.share(method, most)))
        .collect();
    let verdict = if worse.is_empty() { Verdict::Holds } else { Verdict::Differs };
    let ours = format!("solved in {}: {}", seconds(most), shares.join(", "));
    let statement = "\"adding each technique results in improved performance\"";
    finding(statement, "figure 6", ours, verdict, &worse.join("; "))
}

fn fewer_open_nodes(runs: &Runs) -> Finding {
    let both = || runs.both(Method::DecompositionIndependent, Method::PartialIndependent);
    let without = mean(both().map(|(without, _)| without.open_to_closed()));
    let with = mean(both().map(|(_, with)| with.open_to_closed()));
    let verdict = match Verdict::of_factor(without, 7.0) {
        Verdict::Holds if with < 3.0 => Verdict::Holds,
        _ if with < 3.0 && with < without => Verdict::HoldsWithAnotherFactor,
        _ => Verdict::Differs,
    };
    finding(
        "partial expansion reduces open:closed \"from about 7 to less than 3\"",
        "7 to less than 3",
        format!("{without:.2} to {with:.2}"),
        verdict,
        "the mean over instances that both solve; many searches here are of one unit, with few open \
         nodes",
    )
}

fn partial_expansion_is_faster(runs: &Runs) -> Finding {
    let both = || runs.both(Method::DecompositionIndependent, Method::PartialIndependent);
    let without = mean(both().map(|(without, _)| without.milliseconds));
    let with = mean(both().map(|(_, with)| with.milliseconds));
    let factor = without / with.max(f64::MIN_POSITIVE);
    finding(
        "with partial expansion, the average runtime is \"almost four times better\"",
        "almost 4",
        format!("{factor:.2} ({without:.1} to {with:.1} ms)"),
        Verdict::of_factor(factor, 4.0),
        "a node that is only stored costs less here, so there is less to gain",
    )
}

/// A share of instances that the paper solves within a second. A run with less time shows it
/// only if it solves as many.
fn easy(runs: &Runs, method: Method, statement: &str, (paper, least): (&str, f64)) -> Finding {
    let limit = runs.limits.most.min(SECOND_MS);
    let share = runs.share(method, limit);
    let (verdict, reason) = match share {
        share if share >= least => (Verdict::Holds, ""),
        _ if limit < SECOND_MS => (Verdict::NotTried, "the run has less than a second"),
        share if share >= least / 2.0 => {
            (Verdict::HoldsWithAnotherFactor, "fewer instances on this machine and these grids")
        }
        _ => (Verdict::Differs, "fewer than half as many instances"),
    };
    let ours = format!("{share:.1}% in {}", seconds(limit));
    finding(statement, paper, ours, verdict, reason)
}

const SECOND_MS: f64 = 1000.0;

fn much_better_than_the_weight(runs: &Runs) -> Finding {
    let mean = mean(runs.both(Method::Weighted, Method::Ours).map(|pair| cost_ratio(&pair)));
    let verdict = if mean < 1.05 { Verdict::Holds } else { Verdict::Differs };
    finding(
        "solutions within 10% will typically \"be much better\"",
        "well below 1.1",
        format!("{mean:.4} of the optimum on average"),
        verdict,
        "more than half of what the weight allows",
    )
}
