//! Planning for an instance on any space, and which instances are refused.

use std::collections::BTreeMap;

use throng_model::{Budget, Limit, Observer, UnitId};
use throng_spacetime::{Instance, Position, Space};

use crate::JointAStar;
use crate::independence::{Failure, IndependenceDetection};
use crate::position_table::PositionTable;
use crate::rules::Rules;
use crate::search::SearchOptions;
use crate::space_rules::Spaces;
use crate::statistics::Statistics;

/// Most spaces of an instance.
const SPACES_MAX: usize = 1 << 16;
/// Most places between a position and its neighbours: the ticks of all moves from it, less one
/// for each.
const BETWEEN_MAX: u32 = u16::MAX as u32 - 1;

/// Why joint A* refuses an instance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InstanceError {
    /// A unit in a space that the instance does not have.
    #[error("{unit} is in space {space}, but there are {spaces}; add it, or choose another")]
    UnknownSpace {
        /// The unit.
        unit: UnitId,
        /// The space.
        space: usize,
        /// How many spaces there are.
        spaces: usize,
    },
    /// A start or goal that the unit's space does not have.
    #[error("position {} of {unit} does not exist: its space has {positions}", .position.0)]
    UnknownPosition {
        /// The unit.
        unit: UnitId,
        /// The position.
        position: Position,
        /// How many positions its space has.
        positions: usize,
    },
    /// Two units that cannot both be at their starts, or at their goals.
    #[error("{} and {} overlap at their {ends}; move one of them", .units[0], .units[1])]
    Overlap {
        /// The units.
        units: [UnitId; 2],
        /// Which ends overlap: `starts` or `goals`.
        ends: &'static str,
    },
    /// Spaces that do not share one reservation table.
    #[error("space {space} has {entries} entries, space 0 has {expected}: make them equal")]
    Entries {
        /// The space.
        space: usize,
        /// Its entries.
        entries: usize,
        /// The entries of the first space.
        expected: usize,
    },
    /// Joint A* minimises ticks, and a move costs something else.
    #[error(
        "a move from position {} of space {space} costs {cost} and takes {ticks} ticks: make the \
         cost of every move the ticks that it takes", .from.0
    )]
    Cost {
        /// The space.
        space: usize,
        /// Where the move begins.
        from: Position,
        /// Its cost.
        cost: u64,
        /// Its ticks.
        ticks: u32,
    },
    /// A move that holds entries when it begins, or after its end.
    #[error(
        "a move from position {} of space {space} takes {ticks} ticks and holds an entry at tick \
         {tick}: let it hold entries at its ticks 1 to {ticks} only", .from.0
    )]
    Footprint {
        /// The space.
        space: usize,
        /// Where the move begins.
        from: Position,
        /// Its ticks.
        ticks: u32,
        /// The tick of the entry, counted from the beginning of the move.
        tick: u32,
    },
    /// Two moves of one tick with the same ends.
    #[error(
        "two moves of one tick lead from position {} of space {space} to {}: keep one of them",
        .from.0, .to.0
    )]
    Parallel {
        /// The space.
        space: usize,
        /// Where both begin.
        from: Position,
        /// Where both end.
        to: Position,
    },
    /// More spaces, or longer moves from one position, than there are numbers for.
    #[error("space {space}: too many spaces, or too many and too long moves from one position")]
    TooLarge {
        /// The space.
        space: usize,
    },
}

/// What joint A* found for an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JointOutcome {
    /// A plan, and the proof of its quality.
    Solved {
        /// For each unit its position at every tick until it rests. While a unit moves, that is
        /// the position from which it departed.
        paths: Vec<Vec<Position>>,
        /// The plan's cost: ticks, by the objective.
        cost: u64,
        /// No plan costs less.
        proven_bound: u64,
    },
    /// No path leads this unit to its goal, even alone.
    Unreachable(UnitId),
    /// These units have no plan together, even without the others.
    Unsolvable(Vec<UnitId>),
    /// A limit was reached first.
    BudgetSpent {
        /// No plan costs less.
        proven_bound: u64,
        /// The limit.
        limit: Limit,
    },
}

/// What joint A* found for an instance, and the effort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointInstanceReport {
    /// What was found.
    pub outcome: JointOutcome,
    /// The effort.
    pub statistics: Statistics,
}

impl JointAStar {
    /// Plans for an instance on any space: hexagons, road networks, grids with units of any size
    /// and pace.
    ///
    /// The cost of a plan is counted in ticks. Units step at whole ticks; a move of several ticks
    /// holds what its footprint lists and cannot be broken off.
    ///
    /// # Errors
    /// When a unit, its start or its goal does not exist, two units overlap, or a space has moves
    /// that joint A* does not support: each of [`InstanceError`].
    pub fn plan_instance<S: Space + Sync>(
        &self,
        instance: &Instance<S>,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<JointInstanceReport, InstanceError> {
        check(instance)?;
        let spaces = Spaces::new(&instance.spaces);
        Ok(self.solve(&spaces, instance, budget, observer))
    }

    /// Plans for an instance that is known to be supported.
    pub(crate) fn solve<R: Rules>(
        &self,
        rules: R,
        instance: &Instance<R::Space>,
        budget: Budget<'_>,
        observer: &mut dyn Observer,
    ) -> JointInstanceReport {
        let tables = match self.position_tables(rules, instance, budget) {
            Ok(tables) => tables,
            Err(outcome) => {
                return JointInstanceReport { outcome, statistics: Statistics::default() };
            }
        };
        let options = SearchOptions::new(self, rules);
        let mut detection = IndependenceDetection::new(self, options, budget, tables);
        let result = detection.run(observer);
        let outcome = match result {
            Ok(()) => JointOutcome::Solved {
                paths: paths(rules, instance, &detection),
                cost: detection.cost(),
                proven_bound: detection.bound(),
            },
            Err(Failure::Impossible(mut units)) => {
                units.sort_unstable();
                JointOutcome::Unsolvable(units.into_iter().map(unit_id).collect())
            }
            Err(Failure::Spent(limit)) => {
                JointOutcome::BudgetSpent { proven_bound: detection.bound(), limit }
            }
        };
        let statistics = Statistics { groups: detection.groups.len(), ..detection.statistics };
        JointInstanceReport { outcome, statistics }
    }

    /// One table per unit. The outcome if a goal is unreachable, or the interrupt says stop: the
    /// first distance of a unit may flood the space.
    fn position_tables<'s, R: Rules>(
        &self,
        rules: R,
        instance: &'s Instance<R::Space>,
        budget: Budget<'_>,
    ) -> Result<Vec<PositionTable<'s, R>>, JointOutcome> {
        let mut tables: Vec<PositionTable<'_, R>> = Vec::with_capacity(instance.units.len());
        for (index, unit) in instance.units.iter().enumerate() {
            if budget.is_interrupted() {
                let distance =
                    |table: &PositionTable<'_, R>| u64::from(table.distance(table.start()));
                let proven_bound = tables.iter().map(distance).sum();
                return Err(JointOutcome::BudgetSpent { proven_bound, limit: Limit::Interrupt });
            }
            let (space, ends) = ((instance.space(index), unit.space), [unit.start, unit.goal]);
            let table = PositionTable::new(rules, space, self.objective, ends);
            tables.push(table.ok_or_else(|| JointOutcome::Unreachable(unit_id(index)))?);
        }
        Ok(tables)
    }
}

fn unit_id(unit: usize) -> UnitId {
    UnitId::new(unit as u32)
}

/// The paths of all groups, each up to its unit's last arrival.
fn paths<R: Rules>(
    rules: R,
    instance: &Instance<R::Space>,
    detection: &IndependenceDetection<'_, '_, R>,
) -> Vec<Vec<Position>> {
    let mut paths: Vec<Vec<Position>> = vec![Vec::new(); instance.units.len()];
    for group in &detection.groups {
        for (&unit, path) in group.units.iter().zip(&group.paths) {
            let last = path.last().copied().unwrap_or_default();
            let end = path.iter().rposition(|&at| at != last).map_or(0, |tick| tick + 1);
            let stop = |&place| rules.last_stop(instance.space(unit), place);
            paths[unit] = path.iter().take(end + 1).map(stop).collect();
        }
    }
    paths
}

fn check<S: Space>(instance: &Instance<S>) -> Result<(), InstanceError> {
    for (space, moves) in instance.spaces.iter().enumerate() {
        if space >= SPACES_MAX {
            return Err(InstanceError::TooLarge { space });
        }
        let (entries, expected) = (moves.entries(), instance.spaces[0].entries());
        if entries != expected {
            return Err(InstanceError::Entries { space, entries, expected });
        }
        for from in 0..moves.positions() as u32 {
            check_moves(moves, space, Position(from))?;
        }
    }
    check_units(instance)
}

fn check_moves<S: Space>(moves: &S, space: usize, from: Position) -> Result<(), InstanceError> {
    let (mut listed, mut between) = (Vec::new(), 0_u32);
    moves.for_each_move(from, |step| listed.push(step));
    let mut at_once = Vec::new();
    for step in listed {
        let (cost, ticks) = (step.cost, step.ticks);
        if ticks == 0 || cost != u64::from(ticks) {
            return Err(InstanceError::Cost { space, from, cost, ticks });
        }
        let mut outside = None;
        moves.footprint(from, step.action, |_, tick| {
            outside = (tick == 0 || tick > ticks).then_some(tick);
            outside.is_none()
        });
        if let Some(tick) = outside {
            return Err(InstanceError::Footprint { space, from, ticks, tick });
        }
        between = between.saturating_add(ticks - 1);
        at_once.extend((ticks == 1).then_some(step.to));
    }
    at_once.sort_unstable();
    if let Some(ends) = at_once.windows(2).find(|ends| ends[0] == ends[1]) {
        return Err(InstanceError::Parallel { space, from, to: ends[0] });
    }
    if between > BETWEEN_MAX {
        return Err(InstanceError::TooLarge { space });
    }
    Ok(())
}

fn check_units<S: Space>(instance: &Instance<S>) -> Result<(), InstanceError> {
    let [mut starts, mut goals] = [BTreeMap::new(), BTreeMap::new()];
    for (index, spec) in instance.units.iter().enumerate() {
        let (unit, spaces) = (unit_id(index), instance.spaces.len());
        let Some(space) = instance.spaces.get(spec.space) else {
            return Err(InstanceError::UnknownSpace { unit, space: spec.space, spaces });
        };
        for (position, ends, taken) in
            [(spec.start, "starts", &mut starts), (spec.goal, "goals", &mut goals)]
        {
            let positions = space.positions();
            if position.get() >= positions {
                return Err(InstanceError::UnknownPosition { unit, position, positions });
            }
            let mut other = None;
            space.standing(position, |entry| {
                other = other.or(taken.insert(entry, unit).filter(|&other| other != unit));
                true
            });
            if let Some(other) = other {
                return Err(InstanceError::Overlap { units: [other, unit], ends });
            }
        }
    }
    Ok(())
}
