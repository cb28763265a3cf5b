//! A world whose every tick is checked by the referee, shared by all tests.

use std::collections::BTreeMap;

use throng_cooperative::{Claim, Reservations};
use throng_model::{Cell, Map, MovementProfile, Tick, UnitId};
use throng_referee::{LinkSighting, LiveReferee, Sighting, ViolationKind};
use throng_spacetime::{Entry, FootprintRules, GridSpace};
use throng_world::{
    Applied, Command, Event, Heading, Order, Relation, Spawn, Team, World, WorldError, WorldOptions,
};

/// A world whose every tick is judged.
#[derive(Clone)]
pub(crate) struct RefereedWorld {
    pub(crate) world: World,
    pub(crate) events: Vec<Event>,
    referee: LiveReferee,
    /// Units that the game has put somewhere since the last tick.
    placed: Vec<(UnitId, Cell)>,
    /// The footprints of each kind of unit seen so far.
    spaces: Vec<GridSpace>,
    /// How each unit moved at the last tick.
    movements: BTreeMap<UnitId, MovementProfile>,
}

impl RefereedWorld {
    pub(crate) fn new(map: Map, options: WorldOptions) -> Self {
        let mut refereed = Self {
            world: World::new(map, options).unwrap(),
            events: Vec::new(),
            referee: LiveReferee::new(options.conflicts),
            placed: Vec::new(),
            spaces: Vec::new(),
            movements: BTreeMap::new(),
        };
        refereed.judge();
        refereed
    }

    pub(crate) fn drawn(drawing: &str) -> Self {
        Self::new(throng_testkit::map(drawing), WorldOptions::default())
    }

    pub(crate) fn spawn(&mut self, at: Cell, spawn: &Spawn) -> Result<UnitId, WorldError> {
        let unit = self.world.spawn(at, spawn)?;
        self.placed.push((unit, at));
        if spawn.team != Team(0) {
            self.show_teams();
        }
        Ok(unit)
    }

    /// An ordinary unit of one cell, 4-connected.
    pub(crate) fn scout(&mut self, at: impl Into<Cell>) -> UnitId {
        self.spawn(at.into(), &Spawn::new(MovementProfile::four_connected())).unwrap()
    }

    pub(crate) fn teleport(&mut self, unit: UnitId, cell: Cell) -> Result<(), WorldError> {
        self.world.teleport(unit, cell)?;
        self.placed.push((unit, cell));
        Ok(())
    }

    /// Any command.
    pub(crate) fn apply(&mut self, command: &Command) -> Result<Applied, WorldError> {
        let inside: Vec<UnitId> = match command {
            Command::RemoveLink { link, .. } => {
                self.world.units_in_link(*link).map(|(unit, _)| unit).collect()
            }
            _ => Vec::new(),
        };
        let applied = self.world.apply(command)?;
        for unit in inside {
            self.placed.extend(self.at_or_nowhere(unit).map(|at| (unit, at)));
        }
        match (command, &applied) {
            (Command::Spawn { at, spawn }, &Applied::Spawned(unit)) => {
                self.placed.push((unit, *at));
                if spawn.team != Team(0) {
                    self.show_teams();
                }
            }
            (&Command::Teleport { unit, cell }, _) => self.placed.push((unit, cell)),
            (Command::SetTeam { .. } | Command::SetRelation { .. }, _) => self.show_teams(),
            (&(Command::SetMovement { unit, .. } | Command::SetLayer { unit, .. }), _) => {
                // What a smaller body does not cover any more is free. On its new layer the unit
                // is new, and a wall may be built on it before the next tick.
                let at = self.world.location(unit).map(|(at, _)| (unit, at));
                self.placed.extend(at);
            }
            _ => {}
        }
        Ok(applied)
    }

    /// Shows the referee who is whose enemy. Nobody is to blame for where units are now.
    pub(crate) fn show_teams(&mut self) {
        let units: Vec<UnitId> = self.world.units().collect();
        let places = units.iter().filter_map(|&unit| Some((unit, self.world.location(unit)?.0)));
        self.placed.extend(places);
        let pairs = (0..16).flat_map(|a| (0..a).map(move |b| (a, b)));
        let are_strangers =
            |&(a, b): &(u8, u8)| self.world.relation(Team(a), Team(b)) != Relation::Friend;
        let pairs: Vec<(u8, u8)> = pairs.filter(are_strangers).collect();
        self.referee.set_enemies(&pairs);
    }

    pub(crate) fn go(&mut self, unit: UnitId, to: impl Into<Cell>) {
        self.world.order(unit, Order::go(to)).unwrap();
    }

    /// One tick, judged.
    pub(crate) fn tick(&mut self) -> &[Event] {
        self.events = self.world.tick().events;
        let left = self.events.iter().filter_map(|event| match event {
            Event::Left { unit, at, .. } => Some((*unit, *at)),
            _ => None,
        });
        self.placed.extend(left);
        let teleports = self.world.steps().iter().filter(|step| step.is_teleport);
        self.placed.extend(teleports.map(|step| (step.unit, step.at)));
        self.note_changes();
        self.judge();
        &self.events
    }

    pub(crate) fn ticks(&mut self, count: u32) -> Vec<Event> {
        (0..count).flat_map(|_| self.tick().to_vec()).collect()
    }

    /// Ticks until a condition holds. Returns the number of ticks.
    ///
    /// # Panics
    /// When it does not hold after `most` ticks.
    pub(crate) fn until(&mut self, most: u32, is_so: impl Fn(&Self) -> bool) -> u32 {
        for tick in 0..=most {
            if is_so(self) {
                return tick;
            }
            self.tick();
        }
        panic!("not after {most} ticks:\n{}", self.show());
    }

    pub(crate) fn at(&self, unit: UnitId) -> Cell {
        self.world.location(unit).unwrap().0
    }

    /// Where a unit is, unless it is in a building or a link.
    pub(crate) fn at_or_nowhere(&self, unit: UnitId) -> Option<Cell> {
        self.world.location(unit).map(|(at, _)| at)
    }

    pub(crate) fn unit_ticks(&self) -> u64 {
        self.referee.unit_ticks()
    }

    /// Shows the referee the units that are in links.
    fn show_links(&mut self) {
        let world = &self.world;
        let inside = world.links().flat_map(|(id, link)| {
            let number = id.index() as u32;
            let throng_world::Link { from, to, ticks, layer, capacity } = *link;
            let layer = layer.0;
            let link = throng_referee::Link { number, from, to, ticks, layer, capacity };
            world.units_in_link(id).filter_map(move |(unit, _)| {
                Some(LinkSighting { unit, movement: world.movement(unit)?, link })
            })
        });
        self.referee.show_links(&inside.collect::<Vec<_>>());
    }

    /// A unit of another kind is a new unit to the referee. It may have changed in a wall that was
    /// built around it.
    fn note_changes(&mut self) {
        let before = std::mem::take(&mut self.movements);
        for step in self.world.steps() {
            let movement = self.world.movement(step.unit).unwrap();
            if before.get(&step.unit).is_some_and(|before| before != movement) {
                self.placed.push((step.unit, step.at));
            }
            self.movements.insert(step.unit, movement.clone());
        }
    }

    /// What is wrong after the last tick.
    fn judge(&mut self) {
        self.show_links();
        let units: Vec<UnitId> = self.world.units().collect();
        let sighting = |&unit: &UnitId| {
            let (at, heading) = self.world.location(unit)?;
            let heading = heading.map(|Heading { to, ticks_left, .. }| throng_referee::Heading {
                to,
                ticks_left: u8::try_from(ticks_left).unwrap(),
            });
            let (movement, team) = (self.world.movement(unit)?, self.world.team(unit)?.0);
            Some(Sighting { unit, movement, at, heading, team, layer: self.world.layer(unit)?.0 })
        };
        let sightings: Vec<Sighting> = units.iter().filter_map(sighting).collect();
        let placed: Vec<UnitId> = self.placed.iter().map(|&(unit, _)| unit).collect();
        let mut found = self.referee.tick(self.world.map(), &sightings, &placed);
        // The world has looked where a unit was put; what was built there since then is not
        // its fault.
        found.retain(|violation| {
            let put = |&(unit, cell)| violation.units == [unit] && self.at(unit) == cell;
            violation.kind != ViolationKind::Terrain || !self.placed.iter().any(put)
        });
        assert!(found.is_empty(), "{found:#?}\n{}", self.show());
        self.placed.clear();
        self.judge_table(&units);
    }

    /// Every claim in the table belongs to a plan, and every plan has all its claims.
    fn judge_table(&mut self, units: &[UnitId]) {
        let now = self.world.now();
        let mut claims: Vec<(Entry, u32, UnitId)> = Vec::new();
        for &unit in units {
            let Some(path) = self.world.timed_plan(unit) else { continue };
            let movement = self.world.movement(unit).unwrap();
            let known = self.spaces.iter().position(|space| space.ground().movement() == movement);
            let kind = known.unwrap_or_else(|| {
                let options = self.world.options();
                let (passing, conflicts) = (options.passing, options.conflicts);
                let rules = FootprintRules { passing, conflicts, ..FootprintRules::default() };
                let map = self.world.map();
                self.spaces.push(GridSpace::new(map, movement.clone(), &rules).unwrap());
                self.spaces.len() - 1
            });
            Reservations::for_each_claim(&self.spaces[kind], path, now, |entry, tick| {
                claims.push((entry, tick.0, unit));
            });
        }
        claims.sort_unstable();
        claims.dedup();
        let table = self.world.reservations().sorted_claims();
        // Teams and layers have planes of their own in the table, one after the other.
        let cells = self.world.map().terrain().len() as u32;
        let claim = |(Entry(entry), tick, claim): (Entry, Tick, Claim)| {
            (Entry(entry % cells), tick.0, claim.unit)
        };
        let mut table: Vec<_> = table.into_iter().map(claim).collect();
        table.sort_unstable();
        if table != claims {
            let missing: Vec<_> = claims.iter().filter(|claim| !table.contains(claim)).collect();
            let left: Vec<_> = table.iter().filter(|claim| !claims.contains(claim)).collect();
            panic!("not in the table: {missing:?}\nof no plan: {left:?}\n{}", self.show());
        }
    }

    /// The map with the units on it, and the status of each.
    pub(crate) fn show(&self) -> String {
        let map = self.world.map();
        let mut rows: Vec<Vec<char>> = (0..map.height())
            .map(|y| {
                let cells = (0..map.width()).map(|x| Cell::new(x, y));
                cells.map(|cell| if map.is_passable(cell) { '.' } else { '#' }).collect()
            })
            .collect();
        let mut list = String::new();
        for unit in self.world.units() {
            let Some((at, heading)) = self.world.location(unit) else { continue };
            let letter = char::from_digit(unit.index() as u32 % 36, 36).unwrap();
            let side = u16::from(self.world.movement(unit).unwrap().footprint);
            for (dx, dy) in (0..side).flat_map(|dy| (0..side).map(move |dx| (dx, dy))) {
                rows[usize::from(at.y + dy)][usize::from(at.x + dx)] = letter;
            }
            let pace = self.world.movement(unit).unwrap().pace;
            let (status, why) = (self.world.status(unit), self.world.why(unit));
            let to = self.world.destination(unit);
            list +=
                &format!("{unit} at {at} {heading:?} pace {pace} {status:?} to {to:?} {why:?}\n");
        }
        let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
        format!("tick {}\n{}\n{list}", self.world.now().0, rows.join("\n"))
    }
}
