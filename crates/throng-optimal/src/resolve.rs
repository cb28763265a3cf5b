//! Two groups whose plans conflict: one goes out of the other's way, or they become one.
//!
//! The avoidance is that of the published paper: T. Standley, "Finding Optimal Solutions to
//! Cooperative Pathfinding Problems" (AAAI 2010), independence detection.

use throng_model::{Conflicts, Objective};

use crate::effort::Statistics;
use crate::group::{Group, Planned, Wish};
use crate::options::Weight;
use crate::others::{Others, View};
use crate::search::{Allowance, Settings};

/// What an attempt to avoid may expand, before merging is thought to be cheaper.
const AVOID_ALL_EXPANSIONS_MAX: u64 = 4_000;
const AVOID_ONE_EXPANSIONS_MAX: u64 = 20_000;

/// What all resolutions of a round have in common.
#[derive(Clone, Copy)]
pub(crate) struct Round<'r> {
    pub(crate) others: &'r Others,
    pub(crate) counted: Conflicts,
    pub(crate) objective: Objective,
    pub(crate) settings: Settings,
    pub(crate) weight: Weight,
    pub(crate) allowance: Allowance<'r>,
    /// By how much a plan may become dearer.
    pub(crate) slack: u64,
}

/// Two groups in conflict, with the numbers that the round knows them by.
pub(crate) struct Job<'a> {
    pub(crate) groups: [Group<'a>; 2],
    pub(crate) owners: [u32; 2],
    /// Whether to try first to keep them apart.
    pub(crate) avoid: bool,
}

/// What came of two groups: two again, or one.
pub(crate) struct Resolution<'a> {
    pub(crate) groups: Vec<Group<'a>>,
    pub(crate) planned: Planned,
    pub(crate) statistics: Statistics,
}

impl<'a> Job<'a> {
    /// Resolves the conflict.
    pub(crate) fn resolve(mut self, round: Round<'_>) -> Resolution<'a> {
        let mut statistics = Statistics::default();
        let apart = if self.avoid { self.keep_apart(round, &mut statistics) } else { None };
        if let Some(planned) = apart {
            return Resolution { groups: self.groups.into(), planned, statistics };
        }
        let [first, second] = self.groups;
        let mut group = Group::merged(first, second);
        let shun = View::except(round.others, round.counted, self.owners);
        let wish = Wish { avoid: None, shun: Some(shun), cost_max: u64::MAX, weight: round.weight };
        let allowance = rest(round.allowance, &statistics, u64::MAX);
        let (planned, effort) = group.plan(&wish, round.objective, round.settings, allowance);
        statistics.add(&effort);
        Resolution { groups: vec![group], planned, statistics }
    }

    /// Looks for a plan of one that avoids everybody, or at least the other.
    fn keep_apart(&mut self, round: Round<'_>, statistics: &mut Statistics) -> Option<Planned> {
        for avoid_all in [true, false] {
            for side in [0, 1] {
                let own = self.owners[side];
                let all = View::except(round.others, round.counted, [own; 2]);
                let one = View::only(round.others, round.counted, self.owners[1 - side]);
                let (avoid, limit) = match avoid_all {
                    true => (all, AVOID_ALL_EXPANSIONS_MAX),
                    false => (one, AVOID_ONE_EXPANSIONS_MAX),
                };
                let group = &mut self.groups[side];
                let wish = Wish {
                    avoid: Some(avoid),
                    shun: (!avoid_all).then_some(all),
                    cost_max: group.cost + round.slack,
                    weight: round.weight,
                };
                let allowance = rest(round.allowance, statistics, limit);
                let (planned, effort) =
                    group.plan(&wish, round.objective, round.settings, allowance);
                statistics.add(&effort);
                match planned {
                    Planned::Done | Planned::Spent { interrupted: true } => return Some(planned),
                    Planned::Impossible | Planned::Spent { .. } => {}
                }
            }
        }
        None
    }
}

/// What is left of an allowance, at most `limit`.
fn rest<'b>(allowance: Allowance<'b>, spent: &Statistics, limit: u64) -> Allowance<'b> {
    let expansions = allowance.expansions.saturating_sub(spent.expanded).min(limit);
    Allowance { expansions, ..allowance }
}
