//! Two groups whose plans conflict: one goes out of the other's way, or they become one.
//!
//! The avoidance is that of the published paper: T. Standley, "Finding Optimal Solutions to
//! Cooperative Pathfinding Problems" (AAAI 2010), independence detection.

use throng_model::{Conflicts, Limit, Objective};

use crate::effort::Statistics;
use crate::group::{Group, Planned, Wish, repair};
use crate::others::{Others, View};
use crate::search::{Allowance, Limits, Settings, Watch};
use throng_model::Weight;

/// How often paths of two groups are repaired before the groups are merged.
const REPAIRS_MAX: u32 = 3;
/// What each repair may expand.
const REPAIR_EXPANSIONS_MAX: u64 = 2_000;
/// What an attempt to avoid may expand, before merging is thought to be cheaper.
const AVOID_ALL_EXPANSIONS_MAX: u64 = 4_000;
const AVOID_ONE_EXPANSIONS_MAX: u64 = 20_000;

/// What all resolutions of a round have in common.
#[derive(Clone, Copy)]
pub(crate) struct Round<'r> {
    pub(crate) others: &'r Others,
    /// How many units there are.
    pub(crate) units: usize,
    pub(crate) counted: Conflicts,
    pub(crate) objective: Objective,
    pub(crate) settings: Settings,
    pub(crate) weight: Weight,
    pub(crate) limits: Limits<'r>,
    /// By how much a plan may become dearer.
    pub(crate) slack: u64,
}

/// Two groups in conflict.
pub(crate) struct Job<'a> {
    pub(crate) groups: [Group<'a>; 2],
    /// A unit of each that meet first.
    pub(crate) meeting: [usize; 2],
    /// The how manieth attempt to keep them apart this is.
    pub(crate) tries: u32,
}

/// What came of two groups: two again, or one.
pub(crate) struct Resolution<'a> {
    pub(crate) groups: Vec<Group<'a>>,
    pub(crate) planned: Planned,
    pub(crate) statistics: Statistics,
}

impl<'a> Job<'a> {
    /// Resolves the conflict.
    pub(crate) fn resolve(mut self, round: Round<'_>, watch: Watch<'_>) -> Resolution<'a> {
        let mut statistics = Statistics::default();
        let mut apart = None;
        if self.tries <= REPAIRS_MAX {
            apart = self.repair(round, &mut statistics, watch);
        }
        if self.tries == 1 {
            apart = apart.or_else(|| self.keep_apart(round, &mut statistics, watch));
        }
        if let Some(planned) = apart {
            return Resolution { groups: self.groups.into(), planned, statistics };
        }
        let [first, second] = self.groups;
        let mut group = Group::merged(first, second);
        let wish = Wish { avoid: None, shun: None, cost_max: u64::MAX, weight: round.weight };
        let allowance = rest(round.limits, &statistics, u64::MAX, watch);
        let (planned, effort) = group.plan(&wish, round.objective, round.settings, allowance);
        statistics.add(&effort);
        Resolution { groups: vec![group], planned, statistics }
    }

    /// Looks for other paths, no dearer, of one of those who meet, or of both; all others
    /// stay as they are. This is a small search however large the groups are.
    fn repair(
        &mut self,
        round: Round<'_>,
        statistics: &mut Statistics,
        watch: Watch<'_>,
    ) -> Option<Planned> {
        let place = |side: usize| {
            let mut units = self.groups[side].units.iter();
            units.position(|&unit| unit == self.meeting[side])
        };
        let [first, second] = [(0, place(0)?), (1, place(1)?)];
        for members in [&[first][..], &[second], &[first, second]] {
            let units = members.iter().map(|&(side, _)| self.meeting[side]);
            let seen = round.all_but(&units.collect::<Vec<_>>());
            let wish = Wish {
                avoid: Some(round.view(&seen)),
                shun: None,
                cost_max: round.slack,
                weight: round.weight,
            };
            let allowance = rest(round.limits, statistics, REPAIR_EXPANSIONS_MAX, watch);
            let Round { objective, settings, .. } = round;
            let (planned, effort) =
                repair(&mut self.groups, members, &wish, objective, settings, allowance);
            statistics.add(&effort);
            if is_final(planned) {
                return Some(planned);
            }
        }
        None
    }

    /// Looks for a plan of one group that avoids everybody, or at least the other.
    fn keep_apart(
        &mut self,
        round: Round<'_>,
        statistics: &mut Statistics,
        watch: Watch<'_>,
    ) -> Option<Planned> {
        for avoid_all in [true, false] {
            for side in [0, 1] {
                let all = round.all_but(&self.groups[side].units);
                let one = round.only(&self.groups[1 - side].units);
                let (avoid, limit) = match avoid_all {
                    true => (&all, AVOID_ALL_EXPANSIONS_MAX),
                    false => (&one, AVOID_ONE_EXPANSIONS_MAX),
                };
                let group = &mut self.groups[side];
                let wish = Wish {
                    avoid: Some(round.view(avoid)),
                    shun: (!avoid_all).then(|| round.view(&all)),
                    cost_max: group.cost + round.slack,
                    weight: round.weight,
                };
                let allowance = rest(round.limits, statistics, limit, watch);
                let (planned, effort) =
                    group.plan(&wish, round.objective, round.settings, allowance);
                statistics.add(&effort);
                if is_final(planned) {
                    return Some(planned);
                }
            }
        }
        None
    }
}

/// Whether nothing else needs to be tried.
fn is_final(planned: Planned) -> bool {
    matches!(planned, Planned::Done | Planned::Spent(Limit::Interrupt))
}

impl<'r> Round<'r> {
    fn view<'t>(&self, seen: &'t [bool]) -> View<'t>
    where
        'r: 't,
    {
        View { others: self.others, counted: self.counted, seen }
    }

    fn all_but(&self, units: &[usize]) -> Vec<bool> {
        let mut seen = vec![true; self.units];
        units.iter().for_each(|&unit| seen[unit] = false);
        seen
    }

    fn only(&self, units: &[usize]) -> Vec<bool> {
        let mut seen = vec![false; self.units];
        units.iter().for_each(|&unit| seen[unit] = true);
        seen
    }
}

/// What is left of the limits, at most so many expansions.
fn rest<'b>(
    limits: Limits<'b>,
    spent: &Statistics,
    expansions_max: u64,
    watch: Watch<'b>,
) -> Allowance<'b> {
    let expansions = limits.expansions.saturating_sub(spent.expanded).min(expansions_max);
    Allowance { limits: Limits { expansions, ..limits }, watch }
}
