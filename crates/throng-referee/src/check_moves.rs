//! Checks a plan in a world of places and timed moves: roads, hexagons, any lists.

use std::collections::BTreeMap;
use std::fmt;

use throng_model::{Tick, UnitId};

use crate::{MoveLists, TimedMove};

/// A unit in a world of [`MoveLists`]: its kind, start and goal.
#[derive(Clone, Copy, Debug)]
pub struct Traveller<'k> {
    /// The world as it sees it.
    pub kind: &'k MoveLists,
    /// Where it starts.
    pub start: usize,
    /// Where it goes.
    pub goal: usize,
}

/// A rule that a plan breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveViolation {
    /// There is not one path for each unit.
    Count {
        /// Units.
        units: usize,
        /// Paths.
        paths: usize,
    },
    /// A path begins elsewhere than on the unit's start, or is empty, or there is no such place.
    Start {
        /// The unit.
        unit: UnitId,
    },
    /// A path ends elsewhere than on the unit's goal.
    Goal {
        /// The unit.
        unit: UnitId,
    },
    /// The unit has no such move.
    NoMove {
        /// The unit.
        unit: UnitId,
        /// The tick of the arrival.
        tick: Tick,
        /// The places from which and to which it moves.
        places: [usize; 2],
    },
    /// A move in fewer ticks than it takes.
    Pace {
        /// The unit.
        unit: UnitId,
        /// The tick of the arrival.
        tick: Tick,
        /// The places from which and to which it moves.
        places: [usize; 2],
    },
    /// Two units hold the same thing at one tick.
    Meet {
        /// The units, in ascending order.
        units: [UnitId; 2],
        /// The first tick at which they do.
        tick: Tick,
    },
}

impl fmt::Display for MoveViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { units, paths } => write!(f, "{paths} paths for {units} units"),
            Self::Start { unit } => write!(f, "{unit} begins elsewhere than on its start"),
            Self::Goal { unit } => write!(f, "{unit} ends elsewhere than on its goal"),
            Self::NoMove { unit, tick, places: [from, to] } => {
                write!(f, "tick {tick}: {unit} has no move from place {from} to place {to}")
            }
            Self::Pace { unit, tick, places: [from, to] } => {
                write!(f, "tick {tick}: {unit} moves from place {from} to place {to} too soon")
            }
            Self::Meet { units: [one, other], tick } => {
                write!(f, "tick {tick}: {one} and {other} hold the same place or track")
            }
        }
    }
}

/// What the referee found out about a plan over [`MoveLists`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveVerdict {
    /// Every broken rule: those of single units first, then those of pairs by tick. A pair is
    /// reported once.
    pub violations: Vec<MoveViolation>,
    /// Ticks until the last arrival on the goal, summed over the units.
    pub sum_of_costs: u64,
    /// Ticks not spent resting on the goal, summed over the units.
    pub time_away: u64,
}

impl MoveVerdict {
    /// Whether the plan is a solution: it breaks no rule, and every unit ends on its goal.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.violations.is_empty()
    }
}

/// Checks a plan. A path lists a unit's place at every tick; while the unit moves, that is the
/// place from which it departed. After its last entry the unit stays there.
///
/// Memory is proportional to the places of the plan, time to what its units hold.
///
/// ```
/// use throng_referee::{MoveLists, Traveller, check_moves};
/// let mut railway = MoveLists::of_places(2);
/// railway.single_track(0, 1, 2);
/// let train = |start, goal| Traveller { kind: &railway, start, goal };
/// let verdict = check_moves(&[train(0, 1)], &[vec![0, 0, 1]]);
/// assert!(verdict.is_valid());
/// assert_eq!(verdict.sum_of_costs, 2);
///
/// let verdict = check_moves(&[train(0, 1), train(1, 0)], &[vec![0, 0, 1], vec![1, 1, 0]]);
/// assert_eq!(
///     verdict.violations[0].to_string(),
///     "tick 1: unit 0 and unit 1 hold the same place or track"
/// );
/// ```
#[must_use]
pub fn check_moves(units: &[Traveller<'_>], paths: &[Vec<usize>]) -> MoveVerdict {
    let mut verdict = MoveVerdict::default();
    if units.len() != paths.len() {
        let (units, paths) = (units.len(), paths.len());
        verdict.violations.push(MoveViolation::Count { units, paths });
    }
    let journeys: Vec<Journey<'_>> = units
        .iter()
        .zip(paths)
        .enumerate()
        .map(|(number, (unit, path))| Journey::new(number, unit, path, &mut verdict.violations))
        .collect();
    for journey in &journeys {
        let (sum_of_costs, time_away) = journey.cost();
        verdict.sum_of_costs += sum_of_costs;
        verdict.time_away += time_away;
    }
    meetings(&journeys, &mut verdict.violations);
    verdict
}

/// Reports each pair of units that hold the same thing, at the first tick at which they do.
fn meetings(journeys: &[Journey<'_>], violations: &mut Vec<MoveViolation>) {
    let mut met: BTreeMap<[UnitId; 2], Tick> = BTreeMap::new();
    let ticks = journeys.iter().map(|journey| journey.path.len()).max().unwrap_or(0);
    for tick in 0..ticks {
        let mut holders: BTreeMap<u32, UnitId> = BTreeMap::new();
        for journey in journeys {
            for thing in journey.held(tick) {
                let before = *holders.entry(thing).or_insert(journey.unit);
                if before != journey.unit {
                    met.entry([before, journey.unit]).or_insert(Tick(tick as u32));
                }
            }
        }
    }
    let mut met: Vec<_> = met.into_iter().map(|(units, tick)| (tick, units)).collect();
    met.sort_unstable();
    violations.extend(met.into_iter().map(|(tick, units)| MoveViolation::Meet { units, tick }));
}

/// A unit's path, and its legal moves.
struct Journey<'a> {
    unit: UnitId,
    traveller: &'a Traveller<'a>,
    path: &'a [usize],
    /// By the tick of the arrival.
    moves: BTreeMap<usize, &'a TimedMove>,
}

impl<'a> Journey<'a> {
    fn new(
        number: usize,
        traveller: &'a Traveller<'a>,
        path: &'a [usize],
        violations: &mut Vec<MoveViolation>,
    ) -> Self {
        let unit = UnitId::new(number as u32);
        let exists = traveller.start < traveller.kind.standing.len();
        if !exists || path.first() != Some(&traveller.start) {
            violations.push(MoveViolation::Start { unit });
        }
        let mut journey = Self { unit, traveller, path, moves: BTreeMap::new() };
        journey.follow(violations);
        if path.last() != Some(&traveller.goal) {
            violations.push(MoveViolation::Goal { unit });
        }
        journey
    }

    /// Finds the move of every change of place.
    fn follow(&mut self, violations: &mut Vec<MoveViolation>) {
        let (unit, mut stands_since) = (self.unit, 0);
        for (before, pair) in self.path.windows(2).enumerate() {
            let (places @ [from, to], arrival) = ([pair[0], pair[1]], before + 1);
            if from == to {
                continue;
            }
            let tick = Tick(arrival as u32);
            match self.traveller.kind.moves.iter().find(|step| (step.from, step.to) == (from, to)) {
                None => violations.push(MoveViolation::NoMove { unit, tick, places }),
                Some(step) if arrival - stands_since < step.held.len() => {
                    violations.push(MoveViolation::Pace { unit, tick, places });
                }
                Some(step) => {
                    self.moves.insert(arrival, step);
                }
            }
            stands_since = arrival;
        }
    }

    /// The move that is in progress at a tick or ends there, and how many of its ticks are over.
    fn on_move(&self, tick: usize) -> Option<(&'a TimedMove, usize)> {
        let (&arrival, &step) = self.moves.range(tick..).next()?;
        let over = (tick + step.held.len()).checked_sub(arrival)?;
        (over > 0).then_some((step, over))
    }

    /// What the unit holds at a tick.
    fn held(&self, tick: usize) -> impl Iterator<Item = u32> + '_ {
        let (on_the_way, stands) = match self.on_move(tick) {
            Some((step, over)) => {
                (step.held.get(over - 1), (over == step.held.len()).then_some(step.to))
            }
            None => (None, self.path.get(tick).or(self.path.last()).copied()),
        };
        let standing = stands.and_then(|place| self.traveller.kind.standing.get(place));
        on_the_way.into_iter().chain(standing).flatten().copied()
    }

    /// Ticks until the last arrival on the goal, and those of them that are not rests there.
    fn cost(&self) -> (u64, u64) {
        let goal = self.traveller.goal;
        let away = self.path.iter().rposition(|&place| place != goal);
        let arrival = away.map_or(0, |last| last + 1);
        let rests = |tick: usize| {
            self.path.get(tick) == Some(&goal)
                && self.path.get(tick - 1) == Some(&goal)
                && self.on_move(tick).is_none()
        };
        let resting = (1..arrival).filter(|&tick| rests(tick)).count();
        (arrival as u64, (arrival - resting) as u64)
    }
}
