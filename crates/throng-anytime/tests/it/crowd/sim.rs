//! A loop around the crowd kernel, with the referee and a naive check of all claims in every
//! tick.

use std::rc::Rc;

use rand::RngExt;
use throng_anytime::{CrowdKernel, CrowdUnit, Preferences, Waiting};
use throng_grid::Field;
use throng_model::{Cell, Conflicts, Map, MovementProfile, Tick, UnitId};
use throng_referee::{Heading, LiveReferee, Sighting};
use throng_spacetime::{Action, FootprintRules, GridSpace, Leg, Position, Space};

/// A unit of the loop.
#[derive(Clone)]
pub(super) struct SimUnit {
    pub(super) kind: usize,
    pub(super) at: Position,
    pub(super) goal: Cell,
    pub(super) holds: bool,
    pub(super) begun: Option<Leg>,
    pub(super) arrival: u32,
    pub(super) waiting: Waiting,
    pub(super) has_arrived: bool,
    ticks_at_least: u32,
    field: Rc<Field>,
}

/// The distances of the units, in the order in which they are given to the kernel.
struct Fields<'a> {
    units: Vec<&'a SimUnit>,
    spaces: &'a [GridSpace],
}

impl Preferences for Fields<'_> {
    fn distance(&mut self, unit: usize, at: Position) -> Option<u64> {
        let unit = self.units[unit];
        unit.field.distance(self.spaces[unit.kind].cell(at)).map(|cost| cost.0)
    }

    /// A unit that takes much longer than its distance takes any shortest way.
    fn avoids_hindrance(&mut self, unit: usize) -> bool {
        let unit = self.units[unit];
        unit.waiting.ticks() < 2 * unit.ticks_at_least
    }
}

pub(super) struct Sim {
    pub(super) map: Map,
    pub(super) kinds: Vec<MovementProfile>,
    pub(super) spaces: Vec<GridSpace>,
    pub(super) units: Vec<SimUnit>,
    pub(super) tick: u32,
    pub(super) kernel: CrowdKernel,
    /// Whether units are given to the kernel in another order in every tick.
    pub(super) shuffled: bool,
    /// Whether all units can rest at their goals at the same time.
    pub(super) distinct: bool,
    referee: LiveReferee,
}

impl Sim {
    pub(super) fn new(
        map: Map,
        kinds: Vec<MovementProfile>,
        rules: &FootprintRules,
        seed: u64,
    ) -> Self {
        let space = |kind: &MovementProfile| GridSpace::new(&map, kind.clone(), rules).unwrap();
        let spaces: Vec<_> = kinds.iter().map(space).collect();
        let kernel = CrowdKernel::new(&spaces, seed).unwrap();
        let referee = LiveReferee::new(Conflicts::default());
        let (units, tick, shuffled) = (Vec::new(), 0, false);
        let distinct = true;
        Self { map, kinds, spaces, units, tick, kernel, shuffled, distinct, referee }
    }

    /// Adds a unit unless it would overlap another or stand in a wall, or its goal is one.
    pub(super) fn add(&mut self, kind: usize, at: Cell, goal: Cell) -> bool {
        let space = &self.spaces[kind];
        let ground = space.ground();
        if !ground.can_stand(at) || !ground.can_stand(goal) {
            return false;
        }
        let at = space.position(at).unwrap();
        let resting = space.position(goal).unwrap();
        let overlap = |mine, other: &SimUnit, theirs| {
            let space_of_other = &self.spaces[other.kind];
            !space.standing(mine, |entry| space_of_other.standing(theirs, |held| held != entry))
        };
        let is_taken = |other: &SimUnit| {
            let goal = space.position(other.goal).unwrap();
            overlap(at, other, other.at) || (self.distinct && overlap(resting, other, goal))
        };
        if self.units.iter().any(is_taken) {
            return false;
        }
        let shared = self.units.iter().find(|unit| unit.kind == kind && unit.goal == goal);
        let field = shared.map_or_else(
            || Rc::new(Field::new(ground, &[goal]).unwrap()),
            |unit| Rc::clone(&unit.field),
        );
        let distance = field.distance(space.cell(at)).map_or(0, |cost| cost.in_cells() as u32);
        self.units.push(SimUnit {
            kind,
            ticks_at_least: distance * u32::from(self.kinds[kind].pace),
            at,
            goal,
            holds: false,
            begun: None,
            arrival: 0,
            waiting: Waiting::default(),
            has_arrived: false,
            field,
        });
        true
    }

    fn is_moving(&self, unit: &SimUnit) -> bool {
        unit.arrival > self.tick
    }

    fn crowd_unit(&self, index: usize) -> CrowdUnit {
        let unit = &self.units[index];
        CrowdUnit {
            unit: UnitId::new(index as u32),
            space: unit.kind,
            at: unit.at,
            priority: unit.waiting.priority(0, UnitId::new(index as u32), Tick(self.tick)),
            holds: unit.holds,
            begun: unit.begun,
        }
    }

    /// The order in which units are given to the kernel.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<_> = (0..self.units.len()).collect();
        if self.shuffled {
            let mut rng = throng_testkit::rng(u64::from(self.tick));
            for at in (1..order.len()).rev() {
                order.swap(at, rng.random_range(0..=at as u32) as usize);
            }
        }
        order
    }

    /// What each unit does from now on.
    fn decide(&mut self) -> Vec<Action> {
        let order = self.order();
        let given: Vec<_> = order.iter().map(|&unit| self.crowd_unit(unit)).collect();
        let units = order.iter().map(|&unit| &self.units[unit]).collect();
        let mut fields = Fields { units, spaces: &self.spaces };
        let decided = self.kernel.decide(&self.spaces, &given, Tick(self.tick), &mut fields);
        let mut actions = vec![Action::PAUSE; order.len()];
        order.iter().zip(decided).for_each(|(&unit, &action)| actions[unit] = action);
        actions
    }

    /// One tick: decide, check, move, check.
    pub(super) fn step(&mut self) {
        if self.tick == 0 {
            self.show_referee();
        }
        let actions = self.decide();
        for (index, action) in actions.into_iter().enumerate() {
            let is_fixed = self.units[index].holds || self.is_moving(&self.units[index]);
            if action != Action::PAUSE {
                assert!(!is_fixed, "unit {index} cannot move");
                let unit = &mut self.units[index];
                let step = self.spaces[unit.kind].move_by(unit.at, action).unwrap();
                unit.begun = Some(Leg { from: unit.at, tick: Tick(self.tick), action });
                unit.arrival = self.tick + step.ticks;
            }
        }
        self.check_claims();
        self.tick += 1;
        for unit in &mut self.units {
            if unit.arrival == self.tick
                && let Some(leg) = unit.begun
            {
                unit.at = self.spaces[unit.kind].move_by(leg.from, leg.action).unwrap().to;
            }
            let distance = unit.field.distance(self.spaces[unit.kind].cell(unit.at));
            unit.has_arrived |= distance.is_some_and(|cost| cost.0 == 0);
            unit.waiting.tick(distance.map(|cost| cost.0));
        }
        self.show_referee();
    }

    /// No entry is held by two units in this tick, by the footprints themselves.
    fn check_claims(&self) {
        let mut holders = vec![usize::MAX; self.spaces[0].entries()];
        for (index, unit) in self.units.iter().enumerate() {
            let space = &self.spaces[unit.kind];
            let mut hold = |entry: throng_spacetime::Entry| {
                let holder = &mut holders[entry.get()];
                assert!(*holder == usize::MAX || *holder == index, "{index} and {holder}");
                *holder = index;
                true
            };
            let begins = unit.begun.is_some_and(|leg| leg.tick.0 == self.tick);
            if !self.is_moving(unit) || begins {
                space.standing(unit.at, &mut hold);
            }
            if let Some(leg) = unit.begun {
                space.footprint(leg.from, leg.action, |entry, later| {
                    leg.tick.0 + later != self.tick || hold(entry)
                });
            }
        }
    }

    fn show_referee(&mut self) {
        let sighting = |(index, unit): (usize, &SimUnit)| {
            let space = &self.spaces[unit.kind];
            let heading = unit.begun.filter(|_| unit.arrival > self.tick).map(|leg| Heading {
                to: space.cell(space.move_by(leg.from, leg.action).unwrap().to),
                ticks_left: (unit.arrival - self.tick) as u8,
            });
            let at = space.cell(unit.at);
            let movement = &self.kinds[unit.kind];
            Sighting { unit: UnitId::new(index as u32), movement, at, heading, team: 0, layer: 0 }
        };
        let sightings: Vec<_> = self.units.iter().enumerate().map(sighting).collect();
        let violations = self.referee.tick(&self.map, &sightings, &[]);
        assert!(violations.is_empty(), "tick {}: {}", self.tick, violations[0]);
    }

    /// Whether every unit could reach its goal if it were alone.
    pub(super) fn can_arrive(&self) -> bool {
        self.units.iter().all(|unit| {
            let at = self.spaces[unit.kind].cell(unit.at);
            unit.field.distance(at).is_some()
        })
    }

    /// How many units have been on their goal at some time.
    pub(super) fn arrived(&self) -> usize {
        self.units.iter().filter(|unit| unit.has_arrived).count()
    }

    /// How many units are on their goal now.
    pub(super) fn resting(&self) -> usize {
        let rests = |unit: &&SimUnit| self.spaces[unit.kind].cell(unit.at) == unit.goal;
        self.units.iter().filter(rests).count()
    }

    /// Runs until every unit has been on its goal; after how many ticks that was.
    pub(super) fn run_until_arrived(&mut self, ticks_max: u32) -> Option<u32> {
        self.run_until(ticks_max, |sim| sim.arrived() == sim.units.len())
    }

    /// Runs until every unit is on its goal at the same time.
    pub(super) fn run_until_resting(&mut self, ticks_max: u32) -> Option<u32> {
        self.run_until(ticks_max, |sim| sim.resting() == sim.units.len())
    }

    pub(super) fn run_until(
        &mut self,
        ticks_max: u32,
        done: impl Fn(&Self) -> bool,
    ) -> Option<u32> {
        while !done(self) {
            if self.tick == ticks_max {
                return None;
            }
            self.step();
        }
        Some(self.tick)
    }

    /// The scene as text, for messages: digits are kinds.
    pub(super) fn drawing(&self) -> String {
        let (width, height) = (usize::from(self.map.width()), usize::from(self.map.height()));
        let ground = self.spaces[0].ground();
        let cell = |at: usize| Cell::new((at % width) as u16, (at / width) as u16);
        let glyph = |at| if ground.can_stand(cell(at)) { '.' } else { '#' };
        let mut glyphs: Vec<char> = (0..width * height).map(glyph).collect();
        for (number, unit) in self.units.iter().enumerate() {
            self.spaces[unit.kind].standing(unit.at, |entry| {
                glyphs[entry.get()] = char::from(b'a' + (number % 26) as u8);
                true
            });
        }
        glyphs.chunks(width).map(|row| row.iter().collect::<String>() + "\n").collect()
    }
}
