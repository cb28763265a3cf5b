//! Valid runs of live worlds, broken in every way that the live referee claims to catch. Each
//! mutator breaks one tick and returns the violation that must be found.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_model::limits::UNITS_MAX;
use throng_model::{Cell, Conflicts, CornerRule, Map, MovementProfile, TerrainClass, UnitId};
use throng_referee::{Heading, LiveReferee, Sighting, VIOLATIONS_MAX, ViolationKind};

use crate::cases::{Finding, findings};
use crate::safe_world::{Frame, OwnedSighting, Recording};

#[derive(Clone)]
struct Case {
    recording: Recording,
    rng: Pcg64Mcg,
}

/// What a unit does from one tick to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Action {
    Rest,
    /// A step of pace 1.
    Step,
    Begin,
    Continue,
    Complete,
}

/// A unit at two consecutive ticks.
#[derive(Clone, Debug)]
struct Change {
    tick: usize,
    before: OwnedSighting,
    now: OwnedSighting,
    action: Action,
}

impl Change {
    /// `None` for an abandoned step, which no mutator breaks.
    fn new(tick: usize, before: &OwnedSighting, now: &OwnedSighting) -> Option<Self> {
        let action = match (before.heading, now.heading) {
            (None, None) if before.at == now.at => Action::Rest,
            (None, None) => Action::Step,
            (None, Some(_)) => Action::Begin,
            (Some(_), Some(_)) => Action::Continue,
            (Some(_), None) if before.at == now.at => return None,
            (Some(_), None) => Action::Complete,
        };
        Some(Self { tick, before: before.clone(), now: now.clone(), action })
    }

    /// The two ends of the step that begins or ends.
    fn ends(&self) -> (Cell, Cell) {
        (self.before.at, self.now.heading.map_or(self.now.at, |heading| heading.to))
    }

    fn is_checked_against_map(&self) -> bool {
        matches!(self.action, Action::Step | Action::Begin | Action::Complete)
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

    fn finding(&self, kind: ViolationKind) -> Finding {
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

    /// A random change of a unit that was not placed and that the filter accepts.
    fn any_change(&mut self, wanted: impl Fn(&Change) -> bool) -> Option<Change> {
        let mut changes = Vec::new();
        for (tick, pair) in self.recording.frames.windows(2).enumerate() {
            let placed =
                |sighting: &&OwnedSighting| pair[1].placed.contains(&UnitId::new(sighting.unit));
            for now in pair[1].sightings.iter().filter(|now| !placed(now)) {
                let before = pair[0].find(now.unit);
                let before = before.filter(|before| before.movement == now.movement);
                changes.extend(before.and_then(|before| Change::new(tick + 1, before, now)));
            }
        }
        changes.retain(wanted);
        self.pick(&changes)
    }

    fn any_action(&mut self, action: Action) -> Option<Change> {
        self.any_change(|change| change.action == action)
    }

    fn map(&mut self, tick: usize) -> &mut Map {
        &mut self.recording.frames[tick].map
    }

    /// The sighting of the change's unit at its tick.
    fn sighting(&mut self, change: &Change) -> &mut OwnedSighting {
        let mut sightings = self.recording.frames[change.tick].sightings.iter_mut();
        sightings.find(|sighting| sighting.unit == change.now.unit).unwrap()
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

    /// Adds a unit of pace 1 that appears at the tick before, steps and disappears.
    fn intruder(&mut self, footprint: u8, change: &Change, from: Cell, to: Cell) -> u32 {
        let corners = CornerRule::AlwaysCut;
        let movement = MovementProfile { footprint, corners, ..MovementProfile::eight_connected() };
        let known =
            |unit| self.recording.frames.iter().any(|frame: &Frame| frame.find(unit).is_some());
        let unit = (change.now.unit / 2..).find(|&unit| !known(unit)).unwrap();
        for (tick, at) in [(change.tick - 1, from), (change.tick, to)] {
            let sightings = &mut self.recording.frames[tick].sightings;
            let place = sightings.partition_point(|sighting| sighting.unit < unit);
            let movement = movement.clone();
            sightings.insert(place, OwnedSighting { unit, movement, at, heading: None });
        }
        unit
    }
}

fn of_two(change: &Change, intruder: u32, kind: ViolationKind) -> Finding {
    let mut units = vec![change.now.unit, intruder];
    units.sort_unstable();
    (change.tick as u32, units, kind.name())
}

/// Breaks the case so that the kind must be found; `None` if this case offers no way to.
fn mutate(case: &mut Case, kind: ViolationKind) -> Option<Finding> {
    match kind {
        ViolationKind::MovementProfile => no_movement(case),
        ViolationKind::Sighting => list_out_of_order(case),
        ViolationKind::Bounds => off_the_map(case),
        ViolationKind::Terrain => into_a_wall(case),
        ViolationKind::Contiguity => jump(case),
        ViolationKind::Corner => cut_corner(case),
        ViolationKind::Pace => step_too_soon(case),
        ViolationKind::Heading => break_heading(case),
        ViolationKind::Vertex => share_a_cell(case),
        ViolationKind::Swap => swap(case),
        ViolationKind::Crossing => cross(case),
        ViolationKind::Swept => sweep(case),
        // These exist only for plans; the limit, enemies and links have tests of their own.
        ViolationKind::UnitCount
        | ViolationKind::EmptyPath
        | ViolationKind::Start
        | ViolationKind::Goal
        | ViolationKind::Horizon
        | ViolationKind::EnemyCell
        | ViolationKind::Link => None,
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

fn no_movement(case: &mut Case) -> Option<Finding> {
    let change = case.any_change(|_| true)?;
    let limits = [(0, 1), (17, 1), (200, 3), (1, 0), (2, 65), (255, 255)];
    let (footprint, pace) = case.pick(&limits)?;
    case.sighting(&change).movement =
        MovementProfile { footprint, pace, ..change.now.movement.clone() };
    Some(change.finding(ViolationKind::MovementProfile))
}

/// Shows a unit a second time after another one, or exchanges the two in the list.
fn list_out_of_order(case: &mut Case) -> Option<Finding> {
    let change = case.any_change(|_| true)?;
    let twice = case.below(2) == 0;
    let sightings = &mut case.recording.frames[change.tick].sightings;
    let place = sightings.partition_point(|sighting| sighting.unit < change.now.unit);
    sightings.get(place + 1)?;
    let sighting = sightings[place].clone();
    sightings.insert(place + 2, sighting);
    if !twice {
        sightings.remove(place);
    }
    Some(change.finding(ViolationKind::Sighting))
}

fn off_the_map(case: &mut Case) -> Option<Finding> {
    let change = case.any_change(|_| true)?;
    let (width, height) = (case.map(0).width(), case.map(0).height());
    let reach = change.side() as u16 - 1;
    let Cell { x, y } = change.now.at;
    let far = [(width - reach, y), (x, height - reach), (u16::MAX, u16::MAX)].map(Cell::from);
    let off = case.pick(&far)?;
    let place = case.sighting(&change);
    match (change.now.heading, place.heading.as_mut()) {
        // The step in progress leads off the map.
        (Some(_), Some(heading)) if change.action == Action::Begin => heading.to = off,
        _ => place.at = off,
    }
    Some(change.finding(ViolationKind::Bounds))
}

/// Builds a wall under one cell of the footprint at the target of a step that begins or ends.
fn into_a_wall(case: &mut Case) -> Option<Finding> {
    let change = case.any_change(Change::is_checked_against_map)?;
    let side = change.side() as usize;
    let (dx, dy) = (case.below(side) as i32, case.below(side) as i32);
    case.build(change.tick, &[change.ends().1.offset(dx, dy)]);
    Some(change.finding(ViolationKind::Terrain))
}

fn jump(case: &mut Case) -> Option<Finding> {
    let change = case.any_change(|_| true)?;
    let Cell { x, y } = change.before.at;
    let far = Cell::new(x + 2 + case.below(5) as u16, y + case.below(5) as u16);
    let place = case.sighting(&change);
    match place.heading.as_mut() {
        Some(heading) if change.action == Action::Begin => heading.to = far,
        _ => place.at = far,
    }
    Some(change.finding(ViolationKind::Contiguity))
}

/// Builds walls beside a diagonal step, on one side or both, as the corner rule requires.
fn cut_corner(case: &mut Case) -> Option<Finding> {
    let change = case.any_change(|change| {
        let cuts = change.now.movement.corners == CornerRule::AlwaysCut;
        change.is_checked_against_map() && change.is_diagonal() && !cuts
    })?;
    let (from, to) = change.ends();
    // The corners of the swept square that neither end covers.
    let low = Cell::new(from.x.min(to.x), from.y.min(to.y));
    let (side, falling) = (change.side(), (from.x < to.x) == (from.y < to.y));
    let corners = if falling { [(side, 0), (0, side)] } else { [(0, 0), (side, side)] };
    let mut walls = corners.map(|(dx, dy)| low.offset(dx, dy)).to_vec();
    if change.now.movement.corners == CornerRule::NeverCut {
        let spared = case.below(3);
        walls.truncate(2 - usize::from(spared == 0));
        walls.drain(..usize::from(spared == 1));
    }
    case.build(change.tick, &walls);
    Some(change.finding(ViolationKind::Corner))
}

fn step_too_soon(case: &mut Case) -> Option<Finding> {
    let variant = case.below(4);
    let change = match variant {
        0 => {
            case.any_change(|change| change.action == Action::Begin && change.now.movement.pace > 2)
        }
        1 => case.any_action(Action::Continue),
        2 => case.any_action(Action::Complete),
        _ => case.any_change(|change| change.action == Action::Rest && change.is_slow()),
    }?;
    let next = case.neighbour(change.now.at, change.now.at)?;
    let place = case.sighting(&change);
    match (variant, place.heading.as_mut()) {
        // Skips a tick at the beginning, arrives early, begins again at once, or never began.
        (0, Some(heading)) => heading.ticks_left -= 1,
        (1, Some(heading)) => (place.at, place.heading) = (heading.to, None),
        (2, _) => place.heading = Some(Heading { to: next, ticks_left: place.movement.pace - 1 }),
        _ => place.at = next,
    }
    Some(change.finding(ViolationKind::Pace))
}

fn break_heading(case: &mut Case) -> Option<Finding> {
    let variant = case.below(7);
    let change = match variant {
        0 | 1 => case.any_action(Action::Continue),
        2 => case.any_action(Action::Complete),
        3 => case.any_change(|change| !change.is_slow()),
        _ => case.any_change(|change| change.is_slow()),
    }?;
    let aim = change.before.heading.map_or(change.before.at, |heading| heading.to);
    let other = case.neighbour(change.before.at, aim)?;
    let place = case.sighting(&change);
    let head = |to, ticks_left| Some(Heading { to, ticks_left });
    match (variant, place.heading.as_mut()) {
        // Changes the target, loses time, or arrives elsewhere; then impossible headings.
        (0, Some(heading)) => heading.to = other,
        (1, Some(heading)) => heading.ticks_left += 1,
        (2, _) => place.at = other,
        (3, _) => place.heading = head(other, 1),
        (4, _) => place.heading = head(other, 0),
        (5, _) => place.heading = head(other, place.movement.pace),
        _ => place.heading = head(place.at, 1),
    }
    Some(change.finding(ViolationKind::Heading))
}

/// Adds a unit on a cell that another unit holds.
fn share_a_cell(case: &mut Case) -> Option<Finding> {
    let slow = case.below(2) == 0;
    let change = case.any_change(|change| change.now.heading.is_some() == slow)?;
    let held: Vec<_> = change.now.held(case.map(0)).into_iter().collect();
    let (x, y) = case.pick(&held)?;
    let cell = Cell::new(x as u16, y as u16);
    let intruder = case.intruder(1, &change, cell, cell);
    Some(of_two(&change, intruder, ViolationKind::Vertex))
}

fn swap(case: &mut Case) -> Option<Finding> {
    case.recording.conflicts = Conflicts::default();
    let change = case.any_change(|change| change.action == Action::Step && change.side() == 1)?;
    let intruder = case.intruder(1, &change, change.now.at, change.before.at);
    Some(of_two(&change, intruder, ViolationKind::Swap))
}

fn cross(case: &mut Case) -> Option<Finding> {
    case.recording.conflicts = Conflicts::default();
    let diagonal = |change: &Change| change.action == Action::Step && change.is_diagonal();
    let change = case.any_change(|change| diagonal(change) && change.side() == 1)?;
    let (from, to) = change.ends();
    let intruder = case.intruder(1, &change, Cell::new(from.x, to.y), Cell::new(to.x, from.y));
    Some(of_two(&change, intruder, ViolationKind::Crossing))
}

/// Adds a body that steps opposite to a diagonal step, through the corner of the other body.
/// The two touch in rows before and in columns after.
fn sweep(case: &mut Case) -> Option<Finding> {
    let change = case.any_change(|change| change.action == Action::Step && change.is_diagonal())?;
    let (own, (start, end)) = (change.side(), change.ends());
    let footprint = if own == 1 { 2 } else { 1 + case.below(2) as u8 };
    let other = i32::from(footprint);
    let dx = i32::from(end.x) - i32::from(start.x);
    let dy = i32::from(end.y) - i32::from(start.y);
    let touch = if dy > 0 { own } else { -other };
    let after = if dx > 0 { 2 - other } else { own - 2 };
    let from = start.offset(after, touch)?;
    let to = from.offset(-dx, -dy)?;
    let far = |cell: Cell| cell.offset(other - 1, other - 1);
    let map = case.map(change.tick).clone();
    let on_map = |cell| far(cell).is_some_and(|cell| map.contains(cell));
    if !on_map(from) || !on_map(to) {
        return None;
    }
    let intruder = case.intruder(footprint, &change, from, to);
    Some(of_two(&change, intruder, ViolationKind::Swept))
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
            let caught = findings(&found).contains(&expected);
            assert!(caught, "seed {seed}: {expected:?} not among {found:?}");
            mutants += 1;
        }
        assert!(mutants * 3 >= cases.len(), "{kind:?}: {mutants} mutants of {}", cases.len());
    }
}

fn crowd(cell: impl Fn(u32) -> Cell, units: u32) -> Vec<(ViolationKind, u32)> {
    let (map, movement) = (Map::empty(400, 300).unwrap(), MovementProfile::four_connected());
    let sighting = |unit| Sighting {
        unit: UnitId::new(unit),
        movement: &movement,
        at: cell(unit),
        heading: None,
        team: 0,
        layer: 0,
    };
    let sightings: Vec<_> = (0..units).map(sighting).collect();
    let found = LiveReferee::new(Conflicts::default()).tick(&map, &sightings, &[]);
    found.iter().map(|violation| (violation.kind, violation.units[0].to_bits())).collect()
}

#[test]
fn units_past_the_limit_are_named() {
    let spread = |unit: u32| Cell::new((unit % 400) as u16, (unit / 400) as u16);
    let limit = UNITS_MAX as u32;
    let expected = [limit, limit + 1].map(|unit| (ViolationKind::Horizon, unit));
    assert_eq!(crowd(spread, limit + 2), expected);
}

#[test]
fn units_all_on_one_cell_fill_the_list_up_to_its_limit() {
    let found = crowd(|_| Cell::new(3, 3), 20_000);
    assert_eq!(found.len(), VIOLATIONS_MAX);
    assert!(found.iter().all(|&finding| finding == (ViolationKind::Vertex, 0)));
}
