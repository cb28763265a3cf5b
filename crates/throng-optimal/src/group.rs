//! Units that are planned for together.

use throng_model::{Limit, Objective};

use crate::clash::Place;
use crate::effort::Statistics;
use crate::options::JointAStar;
use crate::others::View;
use crate::pairs::Pairs;
use crate::search::{Allowance, Ending, Settings, Task, search};
use crate::track::{GOAL, Track};
use throng_model::Weight;

/// Larger groups are not tried: nobody lives to see them solved.
pub(crate) const UNITS_MAX: usize = 256;
/// Larger groups are not guided by pairs.
const PAIRED_UNITS_MAX: usize = 64;

/// Units that are planned for together.
pub(crate) struct Group<'a> {
    /// The units, by their place in the problem.
    pub(crate) units: Vec<usize>,
    tracks: Vec<Track<'a>>,
    pairs: Option<Pairs>,
    /// The plan, one path a unit.
    pub(crate) paths: Vec<Vec<Place>>,
    /// What it costs.
    pub(crate) cost: u64,
    /// No plan for these units costs less.
    pub(crate) bound: u64,
}

/// What is asked of a group's new plan.
pub(crate) struct Wish<'t> {
    pub(crate) avoid: Option<View<'t>>,
    pub(crate) shun: Option<View<'t>>,
    pub(crate) cost_max: u64,
    pub(crate) weight: Weight,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Planned {
    /// The group has the plan.
    Done,
    /// There is none; the group is as it was.
    Impossible,
    /// Too little was allowed; the group is as it was, but for its bound.
    Spent(Limit),
}

impl<'a> Group<'a> {
    pub(crate) fn new(units: Vec<usize>, tracks: Vec<Track<'a>>, options: &JointAStar) -> Self {
        let distances = tracks.iter().map(|track| u64::from(track.distance(track.start())));
        let bound = distances.sum();
        let is_paired = options.is_paired() && units.len() <= PAIRED_UNITS_MAX;
        let pairs = is_paired.then(|| Pairs::new(units.len()));
        Self { units, tracks, pairs, paths: Vec::new(), cost: 0, bound }
    }

    /// Two groups as one, yet without a plan.
    pub(crate) fn merged(first: Self, second: Self) -> Self {
        let units = [first.units, second.units].concat();
        let pairs = first.pairs.zip(second.pairs);
        let pairs = pairs.filter(|_| units.len() <= PAIRED_UNITS_MAX);
        let mut tracks = first.tracks;
        tracks.extend(second.tracks);
        Self {
            units,
            tracks,
            pairs: pairs.map(|(first, second)| Pairs::merged(first, second)),
            paths: Vec::new(),
            cost: 0,
            bound: first.bound + second.bound,
        }
    }

    /// Looks for a plan. Without anybody to avoid, it also proves a bound.
    pub(crate) fn plan(
        &mut self,
        wish: &Wish<'_>,
        objective: Objective,
        settings: Settings,
        allowance: Allowance<'_>,
    ) -> (Planned, Statistics) {
        if self.units.len() > UNITS_MAX {
            return (Planned::Spent(Limit::Size), Statistics::default());
        }
        let small = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        let task = Task {
            tracks: &mut self.tracks,
            pairs: self.pairs.as_mut().filter(|_| self.units.len() > 1),
            avoid: wish.avoid,
            shun: wish.shun,
            cost_max: small(wish.cost_max),
            floor: small(self.bound),
            weight: wish.weight,
        };
        let (ending, statistics) = search(task, settings, allowance);
        let proves = wish.avoid.is_none();
        let planned = match ending {
            Ending::Found { paths, bound } => {
                self.accept(paths, objective);
                self.raise_bound(proves.then_some(bound));
                Planned::Done
            }
            Ending::Exhausted => Planned::Impossible,
            Ending::Spent { bound, limit } => {
                self.raise_bound(proves.then_some(bound));
                Planned::Spent(limit)
            }
        };
        (planned, statistics)
    }

    fn raise_bound(&mut self, bound: Option<u32>) {
        self.bound = self.bound.max(bound.map_or(0, u64::from));
    }

    fn accept(&mut self, paths: Vec<Vec<Place>>, objective: Objective) {
        self.paths = paths;
        self.count(objective);
    }

    fn count(&mut self, objective: Objective) {
        let goals = self.tracks.iter().map(|track| track.place(GOAL));
        let paths = self.paths.iter().zip(goals);
        self.cost = paths.map(|(path, goal)| cost(path, goal, objective)).sum();
    }

    /// What a unit's path costs.
    fn path_cost(&self, member: usize, objective: Objective) -> u64 {
        cost(&self.paths[member], self.tracks[member].place(GOAL), objective)
    }
}

/// Looks for other paths of some units of two groups, each given by its side and its place
/// in the group, in any order of places. The other units' paths stay as they are.
pub(crate) fn repair(
    groups: &mut [Group<'_>; 2],
    members: &[(usize, usize)],
    wish: &Wish<'_>,
    objective: Objective,
    settings: Settings,
    allowance: Allowance<'_>,
) -> (Planned, Statistics) {
    let costs = members.iter().map(|&(side, member)| groups[side].path_cost(member, objective));
    let cost_max = costs.sum::<u64>().saturating_add(wish.cost_max);
    let is_paired = groups[0].pairs.is_some() && members.len() > 1;
    let mut pairs = is_paired.then(|| Pairs::new(members.len()));
    let mut tracks: Vec<_> =
        members.iter().map(|&(side, member)| groups[side].tracks.remove(member)).collect();
    let task = Task {
        tracks: &mut tracks,
        pairs: pairs.as_mut(),
        avoid: wish.avoid,
        shun: wish.shun,
        cost_max: u32::try_from(cost_max).unwrap_or(u32::MAX),
        floor: 0,
        weight: wish.weight,
    };
    let (ending, statistics) = search(task, settings, allowance);
    for (&(side, member), track) in members.iter().zip(tracks) {
        groups[side].tracks.insert(member, track);
    }
    let planned = match ending {
        Ending::Found { paths, .. } => {
            for (&(side, member), path) in members.iter().zip(paths) {
                groups[side].paths[member] = path;
            }
            groups.iter_mut().for_each(|group| group.count(objective));
            Planned::Done
        }
        Ending::Exhausted => Planned::Impossible,
        Ending::Spent { limit, .. } => Planned::Spent(limit),
    };
    (planned, statistics)
}

/// What a path costs.
fn cost(path: &[Place], goal: Place, objective: Objective) -> u64 {
    let arrival = path.iter().rposition(|&at| at != goal).map_or(0, |tick| tick + 1);
    let rests = match objective {
        Objective::SumOfCosts => 0,
        Objective::TimeAway => {
            let ticks = path[..=arrival.min(path.len() - 1)].windows(2);
            ticks.filter(|ends| ends[0] == goal && ends[1] == goal).count()
        }
    };
    (arrival - rests) as u64
}
