//! Resolution of a conflict between two groups: one avoids the other, or they are merged.
//!
//! The avoidance is that of T. Standley, "Finding Optimal Solutions to Cooperative
//! Pathfinding Problems" (AAAI 2010), independence detection. Before it, the two units in
//! conflict are replanned with the same cost. That is a small search in groups of any size.

use throng_model::{Budget, Limit, Objective, Weight};

use crate::group::{Group, GroupOutcome, PlanRequest, replan_units};
use crate::move_table::{MoveTable, TableView};
use crate::rules::Rules;
use crate::search::{OnProgress, SearchOptions};
use crate::statistics::Statistics;

/// How often units of the same two groups are replanned before the groups are merged.
const UNIT_ATTEMPTS_MAX: u32 = 3;
/// Most expansions of an attempt to replan the units in conflict.
const UNITS_EXPANSIONS_MAX: u64 = 2_000;
/// Most expansions of an attempt to avoid all other groups. Beyond it, merging tends to be
/// cheaper.
const AVOID_ALL_EXPANSIONS_MAX: u64 = 4_000;
/// Most expansions of an attempt to avoid the other group of the conflict.
const AVOID_ONE_EXPANSIONS_MAX: u64 = 20_000;

/// The data that all resolutions of a round share.
pub(crate) struct RoundContext<'r, R: Rules> {
    /// The moves of all units before the round.
    pub(crate) moves: &'r MoveTable<R>,
    /// How many units the problem has.
    pub(crate) units: usize,
    pub(crate) objective: Objective,
    pub(crate) options: SearchOptions<R>,
    pub(crate) weight: Weight,
    /// The budget of each resolution.
    pub(crate) budget: Budget<'r>,
    /// By how much the cost of a plan may rise.
    pub(crate) slack: u64,
}

/// Two groups whose plans conflict.
pub(crate) struct GroupConflict<'a, R: Rules> {
    pub(crate) groups: [Group<'a, R>; 2],
    /// The unit of each group that is part of the first conflict.
    pub(crate) units: [usize; 2],
    /// Which attempt to keep these groups apart this is, counted from 1.
    pub(crate) attempt: u32,
}

/// The groups after a resolution: two, or one if they were merged.
pub(crate) struct Resolution<'a, R: Rules> {
    pub(crate) groups: Vec<Group<'a, R>>,
    pub(crate) outcome: GroupOutcome,
    pub(crate) statistics: Statistics,
}

impl<'a, R: Rules> GroupConflict<'a, R> {
    /// Resolves the conflict.
    pub(crate) fn resolve(
        mut self,
        round: RoundContext<'_, R>,
        on_progress: OnProgress<'_>,
    ) -> Resolution<'a, R> {
        let mut statistics = Statistics::default();
        let mut apart = None;
        if self.attempt <= UNIT_ATTEMPTS_MAX {
            apart = self.replan_conflicting_units(round, &mut statistics, on_progress);
        }
        if self.attempt == 1 {
            apart = apart.or_else(|| self.replan_one_group(round, &mut statistics, on_progress));
        }
        if let Some(outcome) = apart {
            return Resolution { groups: self.groups.into(), outcome, statistics };
        }
        let [first, second] = self.groups;
        let mut group = Group::merged(first, second);
        let request = PlanRequest::alone(round.weight);
        let budget = remaining(round.budget, &statistics, u64::MAX);
        let (outcome, effort) =
            group.plan(&request, round.objective, round.options, budget, on_progress);
        statistics.add(&effort);
        Resolution { groups: vec![group], outcome, statistics }
    }

    /// Searches for other paths, no costlier, of one of the units in conflict, or of both. All
    /// other paths stay as they are.
    fn replan_conflicting_units(
        &mut self,
        round: RoundContext<'_, R>,
        statistics: &mut Statistics,
        on_progress: OnProgress<'_>,
    ) -> Option<GroupOutcome> {
        let index = |side: usize| {
            let mut units = self.groups[side].units.iter();
            units.position(|&unit| unit == self.units[side])
        };
        let [first, second] = [(0, index(0)?), (1, index(1)?)];
        for chosen in [&[first][..], &[second], &[first, second]] {
            let units = chosen.iter().map(|&(side, _)| self.units[side]);
            let included = round.all_but(&units.collect::<Vec<_>>());
            let request = PlanRequest {
                illegal_moves: Some(round.view(&included)),
                conflict_avoidance: None,
                cost_max: round.slack,
                weight: round.weight,
            };
            let budget = remaining(round.budget, statistics, UNITS_EXPANSIONS_MAX);
            let RoundContext { objective, options, .. } = round;
            let (outcome, effort) = replan_units(
                &mut self.groups,
                chosen,
                &request,
                objective,
                options,
                budget,
                on_progress,
            );
            statistics.add(&effort);
            if is_final(outcome) {
                return Some(outcome);
            }
        }
        None
    }

    /// Searches for a plan of one group that avoids all other groups, or at least the other
    /// group of the conflict.
    fn replan_one_group(
        &mut self,
        round: RoundContext<'_, R>,
        statistics: &mut Statistics,
        on_progress: OnProgress<'_>,
    ) -> Option<GroupOutcome> {
        for avoid_all in [true, false] {
            for side in [0, 1] {
                let all = round.all_but(&self.groups[side].units);
                let one = round.only(&self.groups[1 - side].units);
                let (avoided, expansions_max) = match avoid_all {
                    true => (&all, AVOID_ALL_EXPANSIONS_MAX),
                    false => (&one, AVOID_ONE_EXPANSIONS_MAX),
                };
                let group = &mut self.groups[side];
                let request = PlanRequest {
                    illegal_moves: Some(round.view(avoided)),
                    conflict_avoidance: (!avoid_all).then(|| round.view(&all)),
                    cost_max: group.cost + round.slack,
                    weight: round.weight,
                };
                let budget = remaining(round.budget, statistics, expansions_max);
                let (outcome, effort) =
                    group.plan(&request, round.objective, round.options, budget, on_progress);
                statistics.add(&effort);
                if is_final(outcome) {
                    return Some(outcome);
                }
            }
        }
        None
    }
}

/// Whether nothing else needs to be tried.
fn is_final(outcome: GroupOutcome) -> bool {
    matches!(outcome, GroupOutcome::Planned | GroupOutcome::Spent(Limit::Interrupt))
}

impl<R: Rules> Clone for RoundContext<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Rules> Copy for RoundContext<'_, R> {}

impl<'r, R: Rules> RoundContext<'r, R> {
    fn view<'t>(&self, included: &'t [bool]) -> TableView<'t, R>
    where
        'r: 't,
    {
        TableView { table: self.moves, included }
    }

    fn all_but(&self, units: &[usize]) -> Vec<bool> {
        let mut included = vec![true; self.units];
        units.iter().for_each(|&unit| included[unit] = false);
        included
    }

    fn only(&self, units: &[usize]) -> Vec<bool> {
        let mut included = vec![false; self.units];
        units.iter().for_each(|&unit| included[unit] = true);
        included
    }
}

/// What remains of a budget, but at most this many expansions.
fn remaining<'b>(budget: Budget<'b>, spent: &Statistics, expansions_max: u64) -> Budget<'b> {
    let left = budget.expansions.map_or(u64::MAX, |most| most.saturating_sub(spent.expanded));
    let expansions = Some(left.min(expansions_max)).filter(|&most| most < u64::MAX);
    Budget { expansions, ..budget }
}
