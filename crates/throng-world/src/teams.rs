//! Teams and layers: who plans together, who is an obstacle, and who does not meet at all.

use serde::{Deserialize, Serialize};
use throng_model::UnitId;

use crate::{World, WorldError};

/// Most teams.
pub(crate) const TEAMS_MAX: usize = 16;
/// Most layers.
pub(crate) const LAYERS_MAX: u8 = 8;

/// A team: 0 to 15. Units belong to team 0 if nothing else is said.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Team(pub u8);

/// A layer: 0 to 7. Units of different layers do not meet; each is on the same map, and its
/// movement profile says which terrain it can cross.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Layer(pub u8);

impl Layer {
    /// The layer of units if nothing else is said.
    pub const GROUND: Self = Self(0);
    /// For flyers.
    pub const AIR: Self = Self(1);
    /// For ships and divers that pass below bridges.
    pub const SEA: Self = Self(2);
    /// For miners and worms.
    pub const UNDERGROUND: Self = Self(3);
}

/// What two teams are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Relation {
    /// They plan together, and idle units give way. Friends of friends are friends.
    Friend,
    /// As enemies, as far as paths are concerned: the game can tell the two apart.
    Neutral,
    /// Each is an obstacle to the other that is never pushed aside. Plans of enemies are not
    /// known; what is seen is where they are, and where a step in progress ends.
    Enemy,
}

/// The relations of all teams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Teams {
    relations: Vec<Relation>,
    /// By team: the least team among its friends.
    sides: [u8; TEAMS_MAX],
}

impl Default for Teams {
    fn default() -> Self {
        let is_same = |at: usize| at / TEAMS_MAX == at % TEAMS_MAX;
        let relation = |at| if is_same(at) { Relation::Friend } else { Relation::Enemy };
        let relations = (0..TEAMS_MAX * TEAMS_MAX).map(relation).collect();
        let mut teams = Self { relations, sides: [0; TEAMS_MAX] };
        teams.find_sides();
        teams
    }
}

impl Teams {
    pub(crate) fn relation(&self, a: Team, b: Team) -> Relation {
        if self.side(a) == self.side(b) {
            return Relation::Friend;
        }
        let at = usize::from(a.0) * TEAMS_MAX + usize::from(b.0);
        self.relations.get(at).copied().unwrap_or(Relation::Enemy)
    }

    /// The side of a team: teams of one side plan together.
    pub(crate) fn side(&self, team: Team) -> u8 {
        self.sides.get(usize::from(team.0)).copied().unwrap_or(team.0)
    }

    /// The same with another relation; `None` if the two are friends of a friend.
    fn with(&self, a: Team, b: Team, relation: Relation) -> Option<Self> {
        let mut teams = self.clone();
        for (a, b) in [(a, b), (b, a)] {
            teams.relations[usize::from(a.0) * TEAMS_MAX + usize::from(b.0)] = relation;
        }
        teams.find_sides();
        (teams.relation(a, b) == relation).then_some(teams)
    }

    /// The pairs of teams that are no enemies, the lower team first.
    pub(crate) fn stored(&self) -> Vec<(u8, u8, Relation)> {
        let pairs = (0..TEAMS_MAX).flat_map(|a| (a + 1..TEAMS_MAX).map(move |b| (a, b)));
        let relation = |(a, b): (usize, usize)| self.relations[a * TEAMS_MAX + b];
        let pairs = pairs.map(|(a, b)| (a as u8, b as u8, relation((a, b))));
        pairs.filter(|&(.., relation)| relation != Relation::Enemy).collect()
    }

    /// The relations that were stored; `None` if there are no such teams.
    pub(crate) fn restore(pairs: &[(u8, u8, Relation)]) -> Option<Self> {
        let mut teams = Self::default();
        for &(a, b, relation) in pairs {
            if a >= b || usize::from(b) >= TEAMS_MAX {
                return None;
            }
            for (a, b) in [(a, b), (b, a)] {
                teams.relations[usize::from(a) * TEAMS_MAX + usize::from(b)] = relation;
            }
        }
        teams.find_sides();
        Some(teams)
    }

    fn find_sides(&mut self) {
        self.sides = std::array::from_fn(|team| team as u8);
        for _ in 0..TEAMS_MAX {
            for (at, &relation) in self.relations.iter().enumerate() {
                let (a, b) = (at / TEAMS_MAX, at % TEAMS_MAX);
                if relation == Relation::Friend {
                    self.sides[a] = self.sides[a].min(self.sides[b]);
                }
            }
        }
    }

    /// A number for the state hash: 0 if nothing was ever set.
    pub(crate) fn hash(&self) -> u64 {
        let digit = |&relation: &Relation| match relation {
            Relation::Friend => 1,
            Relation::Neutral => 2,
            Relation::Enemy => 3,
        };
        let fold = |hash: u64, digit: u64| throng_grid::kit::mix(hash ^ digit);
        if *self == Self::default() { 0 } else { self.relations.iter().map(digit).fold(1, fold) }
    }
}

pub(crate) fn check_team(team: Team) -> Result<(), WorldError> {
    if usize::from(team.0) < TEAMS_MAX { Ok(()) } else { Err(WorldError::NoSuchTeam(team.0)) }
}

pub(crate) fn check_layer(layer: Layer) -> Result<(), WorldError> {
    if layer.0 < LAYERS_MAX { Ok(()) } else { Err(WorldError::NoSuchLayer(layer.0)) }
}

impl World {
    /// The team of a unit.
    #[must_use]
    pub fn team(&self, unit: UnitId) -> Option<Team> {
        self.state.assignment(unit).map(|assignment| assignment.team)
    }

    /// The layer of a unit.
    #[must_use]
    pub fn layer(&self, unit: UnitId) -> Option<Layer> {
        let record = self.state.units.get(unit)?;
        Some(self.state.terrain.plane(record.space).layer)
    }

    /// What two teams are to each other. Different teams are enemies if nothing else is said.
    #[must_use]
    pub fn relation(&self, a: Team, b: Team) -> Relation {
        self.state.teams.relation(a, b)
    }

    /// Sets what two teams are to each other from now on. Friends share their plans, and so do
    /// the friends of each.
    ///
    /// # Errors
    /// When there is no such team, the two are the same, or they are to be no friends and have a
    /// common friend.
    pub fn set_relation(&mut self, a: Team, b: Team, to: Relation) -> Result<(), WorldError> {
        check_team(a)?;
        check_team(b)?;
        let teams = self.state.teams.with(a, b, to).filter(|_| a != b);
        let teams = teams.ok_or(WorldError::CommonFriend(a.0, b.0))?;
        let before = std::mem::replace(&mut self.state.teams, teams);
        let is_changed = |unit: &UnitId| {
            let team = self.team(*unit).unwrap_or_default();
            before.side(team) != self.state.teams.side(team)
        };
        let changed: Vec<UnitId> = self.state.units.units().filter(is_changed).collect();
        for (done, &unit) in changed.iter().enumerate() {
            if let Err(error) = self.state.update_profile(unit) {
                self.state.teams = before;
                changed[..done].iter().try_for_each(|&unit| self.state.update_profile(unit))?;
                return Err(error);
            }
        }
        Ok(())
    }
}
