//! The referee of a live world: shows every tick to throng's independent referee.

use std::collections::{BTreeMap, BTreeSet};

use throng::World;
use throng::model::{Cell, MovementProfile, UnitId};
use throng::referee::{Heading, LiveReferee, Sighting, Violation, ViolationKind};
use throng::world::{Event, Relation, Team};

/// Most teams of a world.
const TEAMS_MAX: u8 = 16;

/// Judges a world tick by tick.
pub(crate) struct WorldReferee {
    referee: LiveReferee,
    /// The units of the last tick, and how each moved.
    before: BTreeMap<UnitId, MovementProfile>,
    enemies: Vec<(u8, u8)>,
}

impl WorldReferee {
    pub(crate) fn new(world: &World) -> Self {
        let referee = LiveReferee::new(world.options().conflicts);
        Self { referee, before: BTreeMap::new(), enemies: Vec::new() }
    }

    /// The violations of the tick that has just been, in which these events happened.
    pub(crate) fn judge(&mut self, world: &World, events: &[Event]) -> Vec<Violation> {
        let mut placed = self.placed(world, events);
        if self.renew_enemies(world) {
            // Nobody is to blame for where units stand when others become enemies.
            placed.extend(world.units().filter_map(|unit| Some((unit, world.location(unit)?.0))));
        }
        let sightings: Vec<Sighting<'_>> =
            world.units().filter_map(|unit| sighting(world, unit)).collect();
        let units: Vec<UnitId> = placed.iter().map(|&(unit, _)| unit).collect();
        let mut found = self.referee.tick(world.map(), &sightings, &units);
        // The world has looked where a unit was put; what was built there since is not its fault.
        found.retain(|violation| {
            let is_put = || {
                let at = violation.units.first().and_then(|&unit| world.location(unit));
                at.is_some_and(|(at, _)| placed.contains(&(violation.units[0], at)))
            };
            violation.kind != ViolationKind::Terrain || !is_put()
        });
        self.before = sightings.iter().map(|it| (it.unit, it.movement.clone())).collect();
        found
    }

    /// Units that the game itself put where they are: spawned, teleported, come out of a building,
    /// or changed to another kind.
    fn placed(&self, world: &World, events: &[Event]) -> BTreeSet<(UnitId, Cell)> {
        let left = events.iter().filter_map(|event| match event {
            Event::Left { unit, at, .. } => Some((*unit, *at)),
            _ => None,
        });
        let moved = world.steps().iter().filter(|step| {
            let known = self.before.get(&step.unit);
            step.is_teleport || known.is_none() || known != world.movement(step.unit)
        });
        left.chain(moved.map(|step| (step.unit, step.at))).collect()
    }

    /// Tells the referee who are enemies; whether that has changed.
    fn renew_enemies(&mut self, world: &World) -> bool {
        let pairs = (0..TEAMS_MAX).flat_map(|a| (0..a).map(move |b| (a, b)));
        let are_strangers =
            |&(a, b): &(u8, u8)| world.relation(Team(a), Team(b)) != Relation::Friend;
        let enemies: Vec<(u8, u8)> = pairs.filter(are_strangers).collect();
        let is_new = enemies != self.enemies;
        if is_new {
            self.referee.set_enemies(&enemies);
            self.enemies = enemies;
        }
        is_new
    }
}

fn sighting(world: &World, unit: UnitId) -> Option<Sighting<'_>> {
    let (at, heading) = world.location(unit)?;
    let heading = heading.map(|heading| {
        let ticks_left = u8::try_from(heading.ticks_left).unwrap_or(u8::MAX);
        Heading { to: heading.to, ticks_left }
    });
    let (movement, team) = (world.movement(unit)?, world.team(unit)?.0);
    Some(Sighting { unit, movement, at, heading, team, layer: world.layer(unit)?.0 })
}
