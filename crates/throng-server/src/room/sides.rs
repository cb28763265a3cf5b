//! Teams: friends or enemies, and what units on an attack-move do when they meet enemies.
//!
//! The teams of a world are friends, which plan together, or all enemies of each other. A unit on
//! an attack-move halts while an enemy is near, strikes it once per tick, and goes on when it is
//! gone. Strikes and what follows from them are decided here, as a game would; the world is told
//! to halt, to resume and to remove.

use std::collections::BTreeMap;

use throng::World;
use throng::model::{Cell, UnitId};
use throng::world::{Command, Relation, Team, UnitStatus};

use super::commands::only_throng;
use super::{Answer, Room};
use crate::engine::Engine;
use crate::error::Refusal;

/// How far a unit sees enemies, in cells.
const SIGHT: u16 = 3;
/// So many strikes remove a unit.
const STRIKES_MAX: u8 = 20;

/// What is kept of fights.
#[derive(Debug, Default)]
pub(super) struct Fights {
    /// Whether the teams are enemies.
    pub(super) is_war: bool,
    /// Strikes that units have taken.
    strikes: BTreeMap<UnitId, u8>,
}

impl Fights {
    /// Whether a world is at war shows in the relation of its first two teams.
    pub(super) fn of(engine: &Engine) -> Self {
        let relation = engine.world().map(|world| world.relation(Team(0), Team(1)));
        Self { is_war: relation == Some(Relation::Enemy), ..Self::default() }
    }
}

impl Room {
    /// Makes all teams friends, or all enemies.
    pub(super) fn set_war(&mut self, is_war: bool) -> Result<Answer, Refusal> {
        self.engine.world().ok_or_else(only_throng)?;
        let relation = if is_war { Relation::Enemy } else { Relation::Friend };
        // Friends of friends are friends: the first team is the friend of each.
        for team in 1..self.setup.teams.len() as u8 {
            self.engine.apply(Command::SetRelation { teams: (Team(0), Team(team)), relation })?;
        }
        self.fights = Fights { is_war, ..Fights::default() };
        self.is_changed = true;
        Ok(Answer::Done)
    }

    /// Gives units to another team.
    pub(super) fn set_team(&mut self, units: &[u32], team: u8) -> Result<Answer, Refusal> {
        self.check_team(team)?;
        for unit in self.known_units(units, 1)? {
            self.engine.apply(Command::SetTeam { unit, team: Team(team) })?;
            self.retag(unit, team);
        }
        self.is_changed = true;
        Ok(Answer::Done)
    }

    pub(super) fn check_team(&self, team: u8) -> Result<(), Refusal> {
        let teams = self.setup.teams.len();
        if usize::from(team) >= teams {
            return Err(Refusal::bad(format!("no team {team}: there are 0 to {}", teams - 1)));
        }
        Ok(())
    }

    /// Units on an attack-move halt before enemies, strike, and go on.
    pub(super) fn fight(&mut self) {
        let Some(world) = self.engine.world().filter(|_| self.fights.is_war) else { return };
        let bodies = Bodies::of(world);
        let attackers = self.tags.iter().flatten().filter(|tag| tag.is_attacking);
        let met = attackers.map(|tag| (tag.unit, bodies.enemy_of(world, tag.unit)));
        for (unit, enemy) in met.collect::<Vec<_>>() {
            let Some(status) = self.engine.status(unit) else { continue };
            let command = match (enemy, status) {
                (Some(enemy), UnitStatus::Halted) => self.strike(enemy),
                (Some(_), UnitStatus::Going) => Some(Command::Halt { unit }),
                (None, UnitStatus::Halted) => Some(Command::Resume { unit }),
                _ => None,
            };
            // What the world refuses is left out: the unit may be gone.
            let _ = command.map(|command| self.engine.apply(command));
        }
    }

    /// Strikes a unit: the command that removes it, after the last strike.
    fn strike(&mut self, unit: UnitId) -> Option<Command> {
        let strikes = self.fights.strikes.entry(unit).or_default();
        *strikes += 1;
        if *strikes < STRIKES_MAX {
            return None;
        }
        self.fights.strikes.remove(&unit);
        Some(Command::Remove { unit })
    }
}

/// Where the units of all teams are, in blocks of the map.
struct Bodies(BTreeMap<(u16, u16), Vec<(UnitId, Cell)>>);

/// The block of a cell.
fn block(cell: Cell) -> (u16, u16) {
    (cell.x / SIGHT, cell.y / SIGHT)
}

impl Bodies {
    fn of(world: &World) -> Self {
        let mut blocks: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for unit in world.units() {
            if let Some((at, _)) = world.location(unit) {
                blocks.entry(block(at)).or_default().push((unit, at));
            }
        }
        Self(blocks)
    }

    /// The nearest enemy in sight; of several, the one with the lowest id.
    fn enemy_of(&self, world: &World, unit: UnitId) -> Option<UnitId> {
        let ((at, _), team) = (world.location(unit)?, world.team(unit)?);
        let is_enemy = |other: UnitId| {
            world.team(other).is_some_and(|its| world.relation(team, its) == Relation::Enemy)
        };
        let (x, y) = block(at);
        let columns = x.saturating_sub(1)..=x + 1;
        let blocks = columns.flat_map(|x| (y.saturating_sub(1)..=y + 1).map(move |y| (x, y)));
        let bodies = blocks.filter_map(|block| self.0.get(&block)).flatten();
        let far = |to: Cell| at.x.abs_diff(to.x).max(at.y.abs_diff(to.y));
        let seen = bodies.filter(|&&(other, to)| far(to) <= SIGHT && is_enemy(other));
        seen.map(|&(other, to)| (far(to), other)).min().map(|(_, other)| other)
    }
}
