//! Good runs of live worlds, broken in every way that the live referee claims to catch. A
//! mutator breaks one tick and says which violation must be found.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_model::limits::UNITS_MAX;
use throng_model::{Cell, Conflicts, CornerRule, Map, MovementProfile, TerrainClass, UnitId};
use throng_referee::{Heading, LiveReferee, Sighting, VIOLATIONS_MAX, ViolationKind};

use crate::cases::{Charge, charges};
use crate::herd::{Frame, Glimpse, Recording};

#[derive(Clone)]
struct Case {
    recording: Recording,
    rng: Pcg64Mcg,
}

/// A unit's deed from a tick to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Deed {
    Rest,
    /// A quick step.
    Step,
    Begin,
    CarryOn,
    Complete,
}

#[derive(Clone, Debug)]
struct Event {
    tick: usize,
    before: Glimpse,
    now: Glimpse,
    deed: Deed,
}

impl Event {
    /// `None` for what is no deed to break: a step that is given up.
    fn new(tick: usize, before: &Glimpse, now: &Glimpse) -> Option<Self> {
        let deed = match (before.heading, now.heading) {
            (None, None) if before.at == now.at => Deed::Rest,
            (None, None) => Deed::Step,
            (None, Some(_)) => Deed::Begin,
            (Some(_), Some(_)) => Deed::CarryOn,
            (Some(_), None) if before.at == now.at => return None,
            (Some(_), None) => Deed::Complete,
        };
        Some(Self { tick, before: before.clone(), now: now.clone(), deed })
    }

    /// The ends of the step that begins or ends.
    fn ends(&self) -> (Cell, Cell) {
        (self.before.at, self.now.heading.map_or(self.now.at, |heading| heading.to))
    }

    fn is_judged_by_map(&self) -> bool {
        matches!(self.deed, Deed::Step | Deed::Begin | Deed::Complete)
    }

    fn is_diagonal(&self) -> bool {
        let (from, to) = self.ends();
        from.x != to.x && from.y != to.y
    }

    fn side(&self) -> i32 {
        i32::from(self.now.movement.footprint)
    }

    fn is_slow(&self) -> bool {
        self.now.movement.pace > 1
    }

    fn charge(&self, kind: ViolationKind) -> Charge {
        (self.tick as u32, vec![self.now.unit], kind.name())
    }
}

impl Case {
    fn new(seed: u64) -> Self {
        let recording = Recording::new(seed, 16);
        assert_eq!(recording.judge(), []);
        Self { recording, rng: throng_testkit::rng(seed ^ 0xA5A5) }
    }

    fn below(&mut self, end: usize) -> usize {
        self.rng.random_range(0..end as u32) as usize
    }

    fn pick<T: Clone>(&mut self, choices: &[T]) -> Option<T> {
        (!choices.is_empty()).then(|| choices[self.below(choices.len())].clone())
    }

    /// Any event of a unit that was not placed and that the filter lets through.
    fn any_event(&mut self, wanted: impl Fn(&Event) -> bool) -> Option<Event> {
        let mut events = Vec::new();
        for (tick, pair) in self.recording.frames.windows(2).enumerate() {
            let placed = |glimpse: &&Glimpse| pair[1].placed.contains(&UnitId(glimpse.unit));
            for now in pair[1].glimpses.iter().filter(|now| !placed(now)) {
                let before = pair[0].find(now.unit);
                let before = before.filter(|before| before.movement == now.movement);
                events.extend(before.and_then(|before| Event::new(tick + 1, before, now)));
            }
        }
        events.retain(wanted);
        self.pick(&events)
    }

    fn any_deed(&mut self, deed: Deed) -> Option<Event> {
        self.any_event(|event| event.deed == deed)
    }

    fn map(&mut self, tick: usize) -> &mut Map {
        &mut self.recording.frames[tick].map
    }

    /// What is seen of the event's unit at its tick.
    fn seen(&mut self, event: &Event) -> &mut Glimpse {
        let mut glimpses = self.recording.frames[event.tick].glimpses.iter_mut();
        glimpses.find(|glimpse| glimpse.unit == event.now.unit).unwrap()
    }

    fn neighbour(&mut self, at: Cell, not: Cell) -> Option<Cell> {
        let near = (-1..=1).flat_map(|dy| (-1..=1).filter_map(move |dx| at.offset(dx, dy)));
        let near: Vec<_> = near.filter(|&cell| cell != at && cell != not).collect();
        self.pick(&near)
    }

    fn build(&mut self, tick: usize, cells: &[Option<Cell>]) {
        let lava = self.map(tick).add_class(TerrainClass::blocked("lava", '^')).unwrap();
        for cell in cells {
            self.map(tick).set(cell.unwrap(), lava).unwrap();
        }
    }

    /// A quick unit that appears at the tick before, steps and vanishes.
    fn intruder(&mut self, footprint: u8, event: &Event, from: Cell, to: Cell) -> u32 {
        let corners = CornerRule::AlwaysCut;
        let movement = MovementProfile { footprint, corners, ..MovementProfile::eight_connected() };
        let known =
            |unit| self.recording.frames.iter().any(|frame: &Frame| frame.find(unit).is_some());
        let unit = (event.now.unit / 2..).find(|&unit| !known(unit)).unwrap();
        for (tick, at) in [(event.tick - 1, from), (event.tick, to)] {
            let glimpses = &mut self.recording.frames[tick].glimpses;
            let place = glimpses.partition_point(|glimpse| glimpse.unit < unit);
            let movement = movement.clone();
            glimpses.insert(place, Glimpse { unit, movement, at, heading: None });
        }
        unit
    }
}

fn of_two(event: &Event, intruder: u32, kind: ViolationKind) -> Charge {
    let mut units = vec![event.now.unit, intruder];
    units.sort_unstable();
    (event.tick as u32, units, kind.name())
}

/// Breaks the case so that the kind must be found; `None` where it offers no chance to.
fn mutate(case: &mut Case, kind: ViolationKind) -> Option<Charge> {
    match kind {
        ViolationKind::MovementProfile => no_movement(case),
        ViolationKind::Sighting => disorder(case),
        ViolationKind::Bounds => off_the_map(case),
        ViolationKind::Terrain => into_a_wall(case),
        ViolationKind::Contiguity => jump(case),
        ViolationKind::Corner => cut_corner(case),
        ViolationKind::Pace => hurry(case),
        ViolationKind::Heading => lose_the_way(case),
        ViolationKind::Vertex => share_a_cell(case),
        ViolationKind::Swap => swap(case),
        ViolationKind::Crossing => cross(case),
        ViolationKind::Swept => sweep(case),
        // Of plans alone; and the limit, which has a test of its own.
        ViolationKind::UnitCount
        | ViolationKind::EmptyPath
        | ViolationKind::Start
        | ViolationKind::Goal
        | ViolationKind::Horizon => None,
    }
}

const LIVE: [ViolationKind; 12] = [
    ViolationKind::MovementProfile,
    ViolationKind::Sighting,
    ViolationKind::Bounds,
    ViolationKind::Terrain,
    ViolationKind::Contiguity,
    ViolationKind::Corner,
    ViolationKind::Pace,
    ViolationKind::Heading,
    ViolationKind::Vertex,
    ViolationKind::Swap,
    ViolationKind::Crossing,
    ViolationKind::Swept,
];

fn no_movement(case: &mut Case) -> Option<Charge> {
    let event = case.any_event(|_| true)?;
    let limits = [(0, 1), (17, 1), (200, 3), (1, 0), (2, 65), (255, 255)];
    let (footprint, pace) = case.pick(&limits)?;
    case.seen(&event).movement = MovementProfile { footprint, pace, ..event.now.movement.clone() };
    Some(event.charge(ViolationKind::MovementProfile))
}

/// A unit is seen again after another, or the two change places.
fn disorder(case: &mut Case) -> Option<Charge> {
    let event = case.any_event(|_| true)?;
    let twice = case.below(2) == 0;
    let glimpses = &mut case.recording.frames[event.tick].glimpses;
    let place = glimpses.partition_point(|glimpse| glimpse.unit < event.now.unit);
    glimpses.get(place + 1)?;
    let glimpse = glimpses[place].clone();
    glimpses.insert(place + 2, glimpse);
    if !twice {
        glimpses.remove(place);
    }
    Some(event.charge(ViolationKind::Sighting))
}

fn off_the_map(case: &mut Case) -> Option<Charge> {
    let event = case.any_event(|_| true)?;
    let (width, height) = (case.map(0).width(), case.map(0).height());
    let reach = event.side() as u16 - 1;
    let Cell { x, y } = event.now.at;
    let far = [(width - reach, y), (x, height - reach), (u16::MAX, u16::MAX)].map(Cell::from);
    let off = case.pick(&far)?;
    let place = case.seen(&event);
    match (event.now.heading, place.heading.as_mut()) {
        // On its way off the map.
        (Some(_), Some(heading)) if event.deed == Deed::Begin => heading.to = off,
        _ => place.at = off,
    }
    Some(event.charge(ViolationKind::Bounds))
}

/// A wall is built where a step begins to lead to, or ends, under some cell of the footprint.
fn into_a_wall(case: &mut Case) -> Option<Charge> {
    let event = case.any_event(Event::is_judged_by_map)?;
    let side = event.side() as usize;
    let (dx, dy) = (case.below(side) as i32, case.below(side) as i32);
    case.build(event.tick, &[event.ends().1.offset(dx, dy)]);
    Some(event.charge(ViolationKind::Terrain))
}

fn jump(case: &mut Case) -> Option<Charge> {
    let event = case.any_event(|_| true)?;
    let Cell { x, y } = event.before.at;
    let far = Cell::new(x + 2 + case.below(5) as u16, y + case.below(5) as u16);
    let place = case.seen(&event);
    match place.heading.as_mut() {
        Some(heading) if event.deed == Deed::Begin => heading.to = far,
        _ => place.at = far,
    }
    Some(event.charge(ViolationKind::Contiguity))
}

/// Walls are built beside a diagonal step, on one side or both as the rule needs.
fn cut_corner(case: &mut Case) -> Option<Charge> {
    let event = case.any_event(|event| {
        let cuts = event.now.movement.corners == CornerRule::AlwaysCut;
        event.is_judged_by_map() && event.is_diagonal() && !cuts
    })?;
    let (from, to) = event.ends();
    // The corners of the swept square that neither end covers.
    let low = Cell::new(from.x.min(to.x), from.y.min(to.y));
    let (side, falling) = (event.side(), (from.x < to.x) == (from.y < to.y));
    let corners = if falling { [(side, 0), (0, side)] } else { [(0, 0), (side, side)] };
    let mut walls = corners.map(|(dx, dy)| low.offset(dx, dy)).to_vec();
    if event.now.movement.corners == CornerRule::NeverCut {
        let spared = case.below(3);
        walls.truncate(2 - usize::from(spared == 0));
        walls.drain(..usize::from(spared == 1));
    }
    case.build(event.tick, &walls);
    Some(event.charge(ViolationKind::Corner))
}

fn hurry(case: &mut Case) -> Option<Charge> {
    let way = case.below(4);
    let event = match way {
        0 => case.any_event(|event| event.deed == Deed::Begin && event.now.movement.pace > 2),
        1 => case.any_deed(Deed::CarryOn),
        2 => case.any_deed(Deed::Complete),
        _ => case.any_event(|event| event.deed == Deed::Rest && event.is_slow()),
    }?;
    let next = case.neighbour(event.now.at, event.now.at)?;
    let place = case.seen(&event);
    match (way, place.heading.as_mut()) {
        // It begins too late, arrives too early, sets out again at once, or never set out.
        (0, Some(heading)) => heading.ticks_left -= 1,
        (1, Some(heading)) => (place.at, place.heading) = (heading.to, None),
        (2, _) => place.heading = Some(Heading { to: next, ticks_left: place.movement.pace - 1 }),
        _ => place.at = next,
    }
    Some(event.charge(ViolationKind::Pace))
}

fn lose_the_way(case: &mut Case) -> Option<Charge> {
    let way = case.below(7);
    let event = match way {
        0 | 1 => case.any_deed(Deed::CarryOn),
        2 => case.any_deed(Deed::Complete),
        3 => case.any_event(|event| !event.is_slow()),
        _ => case.any_event(|event| event.is_slow()),
    }?;
    let aim = event.before.heading.map_or(event.before.at, |heading| heading.to);
    let other = case.neighbour(event.before.at, aim)?;
    let place = case.seen(&event);
    let head = |to, ticks_left| Some(Heading { to, ticks_left });
    match (way, place.heading.as_mut()) {
        // It turns, loses time, or arrives elsewhere; it has a heading that cannot be.
        (0, Some(heading)) => heading.to = other,
        (1, Some(heading)) => heading.ticks_left += 1,
        (2, _) => place.at = other,
        (3, _) => place.heading = head(other, 1),
        (4, _) => place.heading = head(other, 0),
        (5, _) => place.heading = head(other, place.movement.pace),
        _ => place.heading = head(place.at, 1),
    }
    Some(event.charge(ViolationKind::Heading))
}

/// A bystander is put on any cell that some unit holds.
fn share_a_cell(case: &mut Case) -> Option<Charge> {
    let slow = case.below(2) == 0;
    let event = case.any_event(|event| event.now.heading.is_some() == slow)?;
    let held: Vec<_> = event.now.held(case.map(0)).into_iter().collect();
    let (x, y) = case.pick(&held)?;
    let cell = Cell::new(x as u16, y as u16);
    let intruder = case.intruder(1, &event, cell, cell);
    Some(of_two(&event, intruder, ViolationKind::Vertex))
}

fn swap(case: &mut Case) -> Option<Charge> {
    case.recording.conflicts = Conflicts::default();
    let event = case.any_event(|event| event.deed == Deed::Step && event.side() == 1)?;
    let intruder = case.intruder(1, &event, event.now.at, event.before.at);
    Some(of_two(&event, intruder, ViolationKind::Swap))
}

fn cross(case: &mut Case) -> Option<Charge> {
    case.recording.conflicts = Conflicts::default();
    let diagonal = |event: &Event| event.deed == Deed::Step && event.is_diagonal();
    let event = case.any_event(|event| diagonal(event) && event.side() == 1)?;
    let (from, to) = event.ends();
    let intruder = case.intruder(1, &event, Cell::new(from.x, to.y), Cell::new(to.x, from.y));
    Some(of_two(&event, intruder, ViolationKind::Crossing))
}

/// A body steps against a diagonal step, and through the corner of the one that takes it: at
/// first it touches it in rows, at last in columns.
fn sweep(case: &mut Case) -> Option<Charge> {
    let event = case.any_event(|event| event.deed == Deed::Step && event.is_diagonal())?;
    let (own, (start, end)) = (event.side(), event.ends());
    let footprint = if own == 1 { 2 } else { 1 + case.below(2) as u8 };
    let other = i32::from(footprint);
    let dx = i32::from(end.x) - i32::from(start.x);
    let dy = i32::from(end.y) - i32::from(start.y);
    let touch = if dy > 0 { own } else { -other };
    let after = if dx > 0 { 2 - other } else { own - 2 };
    let from = start.offset(after, touch)?;
    let to = from.offset(-dx, -dy)?;
    let far = |cell: Cell| cell.offset(other - 1, other - 1);
    let map = case.map(event.tick).clone();
    let on_map = |cell| far(cell).is_some_and(|cell| map.contains(cell));
    if !on_map(from) || !on_map(to) {
        return None;
    }
    let intruder = case.intruder(footprint, &event, from, to);
    Some(of_two(&event, intruder, ViolationKind::Swept))
}

#[test]
fn every_mutant_is_caught() {
    let cases: Vec<_> = (0..300).map(Case::new).collect();
    for kind in LIVE {
        let mut mutants = 0;
        for (seed, case) in cases.iter().enumerate() {
            let mut case = case.clone();
            let Some(expected) = mutate(&mut case, kind) else { continue };
            let found = case.recording.judge();
            let caught = charges(&found).contains(&expected);
            assert!(caught, "seed {seed}: {expected:?} not among {found:?}");
            mutants += 1;
        }
        assert!(mutants * 3 >= cases.len(), "{kind:?}: {mutants} mutants of {}", cases.len());
    }
}

fn crowd(cell: impl Fn(u32) -> Cell, units: u32) -> Vec<(ViolationKind, u32)> {
    let (map, movement) = (Map::empty(400, 300).unwrap(), MovementProfile::four_connected());
    let sighting =
        |unit| Sighting { unit: UnitId(unit), movement: &movement, at: cell(unit), heading: None };
    let sightings: Vec<_> = (0..units).map(sighting).collect();
    let found = LiveReferee::new(Conflicts::default()).tick(&map, &sightings, &[]);
    found.iter().map(|violation| (violation.kind, violation.units[0].0)).collect()
}

#[test]
fn units_past_the_limit_are_named() {
    let spread = |unit: u32| Cell::new((unit % 400) as u16, (unit / 400) as u16);
    let limit = UNITS_MAX as u32;
    let expected = [limit, limit + 1].map(|unit| (ViolationKind::Horizon, unit));
    assert_eq!(crowd(spread, limit + 2), expected);
}

#[test]
fn a_whole_crowd_on_one_cell_fills_the_list_and_no_more() {
    let found = crowd(|_| Cell::new(3, 3), 20_000);
    assert_eq!(found.len(), VIOLATIONS_MAX);
    assert!(found.iter().all(|&charge| charge == (ViolationKind::Vertex, 0)));
}
