//! The file that a plan is written to. It holds no times: the same plan gives the same bytes.

use std::collections::BTreeMap;

use anyhow::Result;
use throng::LowerBound;
use throng::formats::{Context, FormatKind, PlanDocument, PlanVizOptions, write_plan};
use throng::model::Plan;
use throng::referee::Verdict;

use super::SolveOptions;
use super::instance::Instance;
use crate::files::{self, Output};

/// Where a plan goes, and in which format.
pub(super) struct PlanFile {
    pub(super) output: Output,
    pub(super) format: FormatKind,
}

impl PlanFile {
    /// Refuses a format that cannot hold a plan for this instance, before planning starts.
    pub(super) fn check(&self, options: &SolveOptions<'_>, instance: &Instance) -> Result<()> {
        let paths = instance.problem.units.iter().map(|unit| vec![unit.start]).collect();
        let standing = document(options, instance, Plan { paths });
        self.text(options, instance, &standing, None).map(|_| ())
    }

    pub(super) fn write(
        &self,
        options: &SolveOptions<'_>,
        instance: &Instance,
        plan: &Plan,
        verdict: &Verdict,
        bound: Option<LowerBound>,
    ) -> Result<()> {
        let metadata = match self.format {
            FormatKind::Kei18 => kei18_metadata(options.seed, verdict, bound),
            FormatKind::TrackerJson | FormatKind::TrackerYaml | FormatKind::TrackerCsv => {
                let cost =
                    bound.map(|bound| ("lower_cost".to_owned(), bound.sum_of_costs.to_string()));
                cost.into_iter().collect()
            }
            _ => BTreeMap::new(),
        };
        let document = PlanDocument { metadata, ..document(options, instance, plan.clone()) };
        let text = self.text(options, instance, &document, Some(verdict))?;
        self.output.write(text.as_bytes())
    }

    fn text(
        &self,
        options: &SolveOptions<'_>,
        instance: &Instance,
        document: &PlanDocument,
        verdict: Option<&Verdict>,
    ) -> Result<String> {
        let context = Context {
            map: Some(&instance.problem.map),
            scenario: Some(&instance.scenario),
            scenario_name: Some(&files::base_name(options.scenario)),
            units: Some(instance.problem.units.len()),
        };
        let all_valid = verdict.map(Verdict::is_valid);
        let planviz = PlanVizOptions { all_valid, ..PlanVizOptions::default() };
        let name = self.output.path().display().to_string();
        Ok(write_plan(self.format, document, &context, planviz)
            .map_err(|error| error.in_file(&name))?)
    }
}

fn document(options: &SolveOptions<'_>, instance: &Instance, plan: Plan) -> PlanDocument {
    let goals = instance.problem.units.iter().map(|unit| unit.goal).collect();
    PlanDocument {
        map_file: Some(files::base_name(options.map)),
        solver: Some(options.solver.to_string()),
        ..PlanDocument::new(plan).with_goals(goals)
    }
}

/// The referee's figures, by the format's own keys.
fn kei18_metadata(
    seed: u64,
    verdict: &Verdict,
    bound: Option<LowerBound>,
) -> BTreeMap<String, String> {
    let bounds = bound.map(|bound| {
        [
            ("soc_lb", bound.sum_of_costs),
            ("makespan_lb", bound.makespan),
            ("sum_of_loss_lb", bound.sum_of_costs),
        ]
    });
    let found = [
        ("solved", u64::from(verdict.is_valid())),
        ("soc", verdict.sum_of_costs),
        ("makespan", u64::from(verdict.makespan.0)),
        ("sum_of_loss", verdict.time_away),
        ("seed", seed),
    ];
    let pairs = found.into_iter().chain(bounds.into_iter().flatten());
    pairs.map(|(key, value)| (key.to_owned(), value.to_string())).collect()
}
