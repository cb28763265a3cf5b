//! The rules of units on any space: footprints of several entries, moves of several ticks.
//!
//! The footprints come from the space (D. Silver, "Cooperative pathfinding", 2006). A move of
//! several ticks leads through places between its two positions. Each place holds what the move's
//! footprint holds at its tick.

use std::ops::Range;
use std::sync::OnceLock;

use throng_spacetime::{Position, Space};

use crate::rules::{Rules, Step};

/// Where a unit is: at a position, or between two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The position where the unit stands or from which it departed.
    position: u32,
    /// The index of its space.
    kind: u16,
    /// 0 for a unit that stands, otherwise one more than an index of [`Departures::between`].
    between: u16,
}

impl Place {
    fn stands(self) -> bool {
        self.between == 0
    }
}

/// A list of numbers within the lists of a position.
type List = Range<u32>;

/// A move from a position.
struct Departure {
    to: Position,
    ticks: u32,
    /// What it holds at its last tick.
    arrival: List,
    /// Pairs of entries between which no other unit may move during its first tick.
    passings: List,
    /// The index of its first place between the two positions.
    first_between: u16,
}

/// A place between two positions.
struct Between {
    departure: u16,
    /// The ticks since the departure.
    elapsed: u32,
    held: List,
}

/// Everything about a position: what a unit holds that stands there, and its moves.
struct Departures {
    standing: List,
    departures: Vec<Departure>,
    between: Vec<Between>,
    /// The lists of entries, each in increasing order.
    entries: Vec<u32>,
    passings: Vec<(u32, u32)>,
}

impl Departures {
    fn new<S: Space>(space: &S, at: Position) -> Self {
        let (departures, between) = (Vec::new(), Vec::new());
        let (entries, passings) = (Vec::new(), Vec::new());
        let mut made = Self { standing: 0..0, departures, between, entries, passings };
        made.standing = made.list(standing(space, at));
        let mut moves = Vec::new();
        space.for_each_move(at, |step| moves.push(step));
        for step in moves {
            let mut held = Vec::new();
            space.footprint(at, step.action, |entry, tick| {
                held.push((tick, entry.0));
                true
            });
            let held_at = |tick| held.iter().filter(move |held| held.0 == tick).map(|held| held.1);
            let (departure, first_between) =
                (made.departures.len() as u16, made.between.len() as u16);
            for elapsed in 1..step.ticks {
                let held = made.list(held_at(elapsed).collect());
                made.between.push(Between { departure, elapsed, held });
            }
            let arrival = made.list(held_at(step.ticks).chain(standing(space, step.to)).collect());
            let first_passing = made.passings.len() as u32;
            space.passings(at, step.action, |before, after| {
                made.passings.push((before.0, after.0));
                true
            });
            let passings = first_passing..made.passings.len() as u32;
            let (to, ticks) = (step.to, step.ticks);
            made.departures.push(Departure { to, ticks, arrival, passings, first_between });
        }
        made
    }

    fn list(&mut self, mut entries: Vec<u32>) -> List {
        entries.sort_unstable();
        entries.dedup();
        let first = self.entries.len() as u32;
        self.entries.extend(entries);
        first..self.entries.len() as u32
    }

    fn entries(&self, list: &List) -> &[u32] {
        &self.entries[list.start as usize..list.end as usize]
    }

    /// The move that leads to a position in one tick.
    fn at_once(&self, to: u32) -> Option<&Departure> {
        self.departures.iter().find(|departure| departure.ticks == 1 && departure.to.0 == to)
    }

    fn between(&self, place: Place) -> &Between {
        &self.between[usize::from(place.between) - 1]
    }

    fn departure(&self, between: &Between) -> &Departure {
        &self.departures[usize::from(between.departure)]
    }
}

fn standing<S: Space>(space: &S, at: Position) -> Vec<u32> {
    let mut entries = Vec::new();
    space.standing(at, |entry| {
        entries.push(entry.0);
        true
    });
    entries
}

/// The spaces of an instance, and the moves of their positions. Those are listed when a search
/// first asks for them; they are a pure function of the space.
pub(crate) struct Spaces<'a, S> {
    spaces: &'a [S],
    departures: Vec<Vec<OnceLock<Box<Departures>>>>,
}

impl<'a, S: Space> Spaces<'a, S> {
    pub(crate) fn new(spaces: &'a [S]) -> Self {
        let unknown = |space: &S| (0..space.positions()).map(|_| OnceLock::new()).collect();
        Self { spaces, departures: spaces.iter().map(unknown).collect() }
    }

    fn departures(&self, place: Place) -> &Departures {
        let (kind, at) = (usize::from(place.kind), Position(place.position));
        let departures = &self.departures[kind][at.get()];
        departures.get_or_init(|| Box::new(Departures::new(&self.spaces[kind], at)))
    }

    /// What a unit at a place holds.
    fn held_at(&self, place: Place) -> &[u32] {
        let departures = self.departures(place);
        let held = match place.stands() {
            true => &departures.standing,
            false => &departures.between(place).held,
        };
        departures.entries(held)
    }

    /// What a step holds when it ends.
    fn held(&self, step: Step<Place>) -> &[u32] {
        if !step.to.stands() || step.from == step.to {
            return self.held_at(step.to);
        }
        let departures = self.departures(step.from);
        let departure = match step.from.stands() {
            true => departures.at_once(step.to.position),
            false => Some(departures.departure(departures.between(step.from))),
        };
        departure.map_or(&[], |departure| departures.entries(&departure.arrival))
    }

    /// The pairs of entries between which no other unit may move during a step.
    fn passings(&self, step: Step<Place>) -> &[(u32, u32)] {
        if !step.from.stands() || step.from == step.to {
            return &[];
        }
        let departures = self.departures(step.from);
        let departure = match step.to.stands() {
            true => departures.at_once(step.to.position),
            false => Some(departures.departure(departures.between(step.to))),
        };
        let passings = departure.map_or(0..0, |departure| departure.passings.clone());
        &departures.passings[passings.start as usize..passings.end as usize]
    }

    /// Whether a step passes between two entries that another step of the tick forbids.
    fn passes(&self, step: Step<Place>, other: Step<Place>) -> bool {
        let holds = |held: &[u32], entry| held.binary_search(entry).is_ok();
        self.passings(other).iter().any(|(before, after)| {
            holds(self.held_at(step.from), before) && holds(self.held(step), after)
        })
    }
}

/// Whether two increasing lists have a number in common.
fn intersect(one: &[u32], other: &[u32]) -> bool {
    let (mut one, mut other) = (one.iter(), other.iter());
    let (mut a, mut b) = (one.next(), other.next());
    while let (Some(x), Some(y)) = (a, b) {
        match x.cmp(y) {
            std::cmp::Ordering::Equal => return true,
            std::cmp::Ordering::Less => a = one.next(),
            std::cmp::Ordering::Greater => b = other.next(),
        }
    }
    false
}

impl<S: Space + Sync> Rules for &Spaces<'_, S> {
    type Place = Place;
    type Space = S;

    fn place(self, _: &S, kind: usize, at: Position) -> Place {
        Place { position: at.0, kind: kind as u16, between: 0 }
    }

    fn next_stop(self, _: &S, place: Place) -> (Position, u32) {
        if place.stands() {
            return (Position(place.position), 0);
        }
        let departures = self.departures(place);
        let between = departures.between(place);
        let departure = departures.departure(between);
        (departure.to, departure.ticks - between.elapsed)
    }

    fn last_stop(self, _: &S, place: Place) -> Position {
        Position(place.position)
    }

    fn for_each_step(self, space: &S, from: Place, mut visit: impl FnMut(Place)) {
        let kind = usize::from(from.kind);
        if !from.stands() {
            let (to, ticks) = self.next_stop(space, from);
            let next = Place { between: from.between + 1, ..from };
            return visit(if ticks == 1 { self.place(space, kind, to) } else { next });
        }
        for departure in &self.departures(from).departures {
            let first = Place { between: departure.first_between + 1, ..from };
            let at_once = departure.ticks == 1;
            visit(if at_once { self.place(space, kind, departure.to) } else { first });
        }
    }

    fn may_reach(self, _: &S, _: Position, _: Position) -> bool {
        true
    }

    fn conflict(self, one: Step<Place>, other: Step<Place>) -> bool {
        intersect(self.held(one), self.held(other)) || self.conflict_in_passing(one, other)
    }

    /// Whether a move leads from one of the positions to the other.
    fn is_beside(self, one: Place, other: Place) -> bool {
        let leads = |from, to: Place| {
            let mut departures = self.departures(from).departures.iter();
            departures.any(|departure| departure.to.0 == to.position)
        };
        one.position == other.position || leads(one, other) || leads(other, one)
    }

    fn for_each_held(self, step: Step<Place>, visit: impl FnMut(u32) -> bool) -> bool {
        self.held(step).iter().copied().all(visit)
    }

    /// A step that passes between two entries holds the second one when it ends.
    fn for_each_passing(self, step: Step<Place>, visit: impl FnMut(u32) -> bool) -> bool {
        let forbidden = self.passings(step).iter().map(|&(_, after)| after);
        self.held(step).iter().copied().chain(forbidden).all(visit)
    }

    fn conflict_in_passing(self, one: Step<Place>, other: Step<Place>) -> bool {
        self.passes(one, other) || self.passes(other, one)
    }
}
