//! Hexagons and roads against what geometry says of them: which moves there are, how far
//! it is at least, and which two moves come into each other's way.

use std::collections::BTreeSet;

use rand::RngExt;
use throng_spaces::{HexError, HexSpace, Road, RoadError, RoadNetwork, RoadSpace, Traffic};
use throng_spacetime::{Action, Entry, Move, Position, Space};
use throng_testkit::rng;

fn moves(space: &impl Space, from: Position) -> Vec<Move> {
    let mut found = Vec::new();
    space.for_each_move(from, |step| found.push(step));
    found
}

fn moves_back(space: &impl Space, to: Position) -> Vec<Move> {
    let mut found = Vec::new();
    space.for_each_move_back(to, |step| found.push(step));
    found
}

fn standing(space: &impl Space, at: Position) -> Vec<Entry> {
    let mut held = Vec::new();
    assert!(space.standing(at, |entry| {
        held.push(entry);
        true
    }));
    held
}

fn footprint(space: &impl Space, from: Position, action: Action) -> Vec<(Entry, u32)> {
    let mut held = Vec::new();
    assert!(space.footprint(from, action, |entry, tick| {
        held.push((entry, tick));
        true
    }));
    held
}

fn passings(space: &impl Space, from: Position, action: Action) -> Vec<(Entry, Entry)> {
    let mut pairs = Vec::new();
    assert!(space.passings(from, action, |before, after| {
        pairs.push((before, after));
        true
    }));
    pairs
}

fn positions(space: &impl Space) -> impl Iterator<Item = Position> {
    (0..space.positions() as u32).map(Position)
}

/// All that the trait promises, and that the moves are those expected: from where, to
/// where, in how many ticks, which is also what they cost.
fn check_contract(space: &impl Space, expected: &BTreeSet<(Position, Position, u32)>) {
    let mut found = BTreeSet::new();
    let mut back = BTreeSet::new();
    for at in positions(space) {
        let onward = moves(space, at);
        assert_eq!(onward, moves(space, at), "another order the second time");
        assert!(onward.is_sorted_by_key(|step| step.action), "actions out of order");
        for step in onward {
            check_move(space, at, step);
            assert!(found.insert((at, step.to, step.ticks, step.action)), "twice the same");
        }
        assert_eq!(moves_back(space, at), moves_back(space, at));
        for step in moves_back(space, at) {
            assert_eq!(step.cost, u64::from(step.ticks));
            assert!(back.insert((step.to, at, step.ticks, step.action)), "twice the same");
        }
        assert_eq!(footprint(space, at, Action::PAUSE), [(standing(space, at)[0], 1)]);
        assert_eq!(passings(space, at, Action::PAUSE), []);
        assert_eq!(space.move_by(at, Action::PAUSE), None);
        assert_eq!(space.estimate(at, at), 0);
    }
    assert_eq!(found, back);
    let found: BTreeSet<_> =
        found.into_iter().map(|(from, to, ticks, _)| (from, to, ticks)).collect();
    assert_eq!(&found, expected);
}

fn check_move(space: &impl Space, from: Position, step: Move) {
    assert_eq!(space.move_by(from, step.action), Some(step));
    assert_ne!(step.action, Action::PAUSE);
    assert_eq!(step.cost, u64::from(step.ticks));
    assert!((1..=space.move_ticks_max()).contains(&step.ticks));
    for goal in positions(space) {
        let after = space.estimate(step.to, goal);
        assert!(space.estimate(from, goal) <= step.cost + after, "{from:?} {step:?} {goal:?}");
        let before = space.estimate(goal, from);
        assert!(space.estimate(goal, step.to) <= step.cost + before, "{from:?} {step:?} {goal:?}");
    }
    let held = footprint(space, from, step.action);
    assert_eq!(held.last(), Some(&(standing(space, step.to)[0], step.ticks)));
    assert!(held.iter().all(|(entry, _)| entry.get() < space.entries()));
    let ticks: BTreeSet<u32> = held.iter().map(|&(_, tick)| tick).collect();
    assert!(ticks.into_iter().eq(1..=step.ticks), "every tick somewhere: {held:?}");
    check_refusals(space, from, step.action, &held);
}

/// A visitor that returns false is not called again, and the method returns false.
fn check_refusals(space: &impl Space, from: Position, action: Action, held: &[(Entry, u32)]) {
    for last in 1..=held.len() {
        let mut asked = Vec::new();
        assert!(!space.footprint(from, action, |entry, tick| {
            asked.push((entry, tick));
            asked.len() < last
        }));
        assert_eq!(asked, held[..last]);
    }
    let refused = passings(space, from, action).is_empty();
    assert_eq!(space.passings(from, action, |_, _| false), refused);
    assert!(!space.standing(from, |_| false));
}

/// An action as the reservation table sees it, its ticks counted from its beginning.
struct Claims {
    held: Vec<(Entry, u32)>,
    passings: Vec<(Entry, Entry)>,
}

impl Claims {
    fn new(space: &impl Space, from: Position, action: Action) -> Self {
        let mut held: Vec<_> = standing(space, from).into_iter().map(|entry| (entry, 0)).collect();
        held.extend(footprint(space, from, action));
        Self { held, passings: passings(space, from, action) }
    }

    fn holds(&self, entry: Entry, tick: i32) -> bool {
        self.held.iter().any(|&(held, at)| held == entry && at as i32 == tick)
    }

    /// Whether the table refuses it beside another action that began earlier.
    fn refused_beside(&self, other: &Self, later: i32) -> bool {
        let taken = |&(entry, tick): &(Entry, u32)| other.holds(entry, tick as i32 + later);
        let passed = |&(before, after): &(Entry, Entry)| {
            other.holds(before, later) && other.holds(after, later + 1)
        };
        self.held.iter().any(taken) || self.passings.iter().any(passed)
    }
}

/// Both must agree with the truth, whichever of them was in the table first.
fn check_pair(one: &Claims, other: &Claims, later: i32, meet: bool, what: &str) {
    assert_eq!(other.refused_beside(one, later), meet, "{what}, {later} later");
    assert_eq!(one.refused_beside(other, -later), meet, "{what}, {later} later, other way round");
}

// Hexagons.

/// Where a hexagon's centre is, in half widths and rows.
fn centre(space: &HexSpace, at: Position) -> (i64, i64) {
    let (column, row) = space.coordinates(at);
    (i64::from(2 * column + row % 2), i64::from(row))
}

fn are_neighbours(one: (i64, i64), other: (i64, i64)) -> bool {
    matches!((one.0.abs_diff(other.0), one.1.abs_diff(other.1)), (2, 0) | (1, 1))
}

fn random_rows(seed: u64, width: usize, height: usize, percent: u32) -> Vec<String> {
    let mut rng = rng(seed);
    let mut symbol = |_| if rng.random_range(0..100) < percent { '#' } else { '.' };
    (0..height).map(|_| (0..width).map(&mut symbol).collect()).collect()
}

fn hex_moves(space: &HexSpace, rows: &[String], pace: u8) -> BTreeSet<(Position, Position, u32)> {
    let free = |&at: &Position| {
        let (column, row) = space.coordinates(at);
        rows[row as usize].as_bytes()[column as usize] == b'.'
    };
    let pairs = positions(space).flat_map(|from| positions(space).map(move |to| (from, to)));
    let legal = pairs.filter(|(from, to)| {
        free(from) && free(to) && are_neighbours(centre(space, *from), centre(space, *to))
    });
    legal.map(|(from, to)| (from, to, u32::from(pace))).collect()
}

#[test]
fn hexagons_keep_the_contract() {
    for seed in 0..60 {
        let (width, height) = (1 + seed as usize % 6, 1 + seed as usize / 6 % 5);
        let rows = random_rows(seed, width, height, 25);
        let pace = 1 + seed as u8 % 3;
        let space = HexSpace::from_rows(&rows, pace).unwrap();
        check_contract(&space, &hex_moves(&space, &rows, pace));
        let free = positions(&space).map(|at| if space.is_free(at) { '.' } else { '#' });
        assert_eq!(free.collect::<String>(), rows.concat());
    }
}

#[test]
fn the_estimate_of_hexagons_is_exact_where_nothing_is_in_the_way() {
    let space = HexSpace::from_rows(&random_rows(0, 7, 6, 0), 3).unwrap();
    for from in positions(&space) {
        let distances = distances(&space, from);
        for to in positions(&space) {
            assert_eq!(Some(space.estimate(from, to)), distances[to.get()], "{from:?} {to:?}");
        }
    }
}

/// The true distances from a position, by relaxing until nothing changes.
fn distances(space: &impl Space, from: Position) -> Vec<Option<u64>> {
    let mut distances = vec![None; space.positions()];
    distances[from.get()] = Some(0);
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for at in positions(space) {
            let Some(so_far) = distances[at.get()] else { continue };
            for step in moves(space, at) {
                let through = so_far + step.cost;
                if distances[step.to.get()].is_none_or(|known| through < known) {
                    distances[step.to.get()] = Some(through);
                    changed = true;
                }
            }
        }
    }
    distances
}

/// A unit on its way from one hexagon to the next, or pausing.
#[derive(Clone, Copy, Debug)]
struct Walk {
    from: Position,
    to: Position,
    ticks: i64,
}

impl Walk {
    /// The hexagons it is on at a tick: between two while it is under way.
    fn on(self, tick: i64) -> Vec<Position> {
        match tick {
            0 => vec![self.from],
            tick if tick == self.ticks => vec![self.to],
            tick if (1..self.ticks).contains(&tick) => vec![self.from, self.to],
            _ => Vec::new(),
        }
    }

    /// Its centre, magnified, after a fraction of its way.
    fn centre(self, space: &HexSpace, part: (i64, i64), magnified: i64) -> Option<(i64, i64)> {
        (0..=part.1).contains(&part.0).then(|| {
            let (from, to) = (centre(space, self.from), centre(space, self.to));
            let between = |from, to| magnified * from + (to - from) * part.0 * (magnified / part.1);
            (between(from.0, to.0), between(from.1, to.1))
        })
    }

    /// Whether the two are on one hexagon at some tick, or their centres in one point at
    /// any time. Centres that move along one edge meet after a multiple of one part in
    /// (sum of their paces) of a tick.
    fn meets(self, other: Self, later: i64, space: &HexSpace) -> bool {
        let parts = self.ticks + other.ticks;
        let share = |tick| self.on(tick).iter().any(|at| other.on(tick - later).contains(at));
        let magnified = parts * self.ticks * other.ticks;
        let coincide = |part| {
            let mine = self.centre(space, (part, parts * self.ticks), magnified);
            let others = (part - later * parts, parts * other.ticks);
            mine.is_some() && mine == other.centre(space, others, magnified)
        };
        (0..=self.ticks).any(share) || (0..=self.ticks * parts).any(coincide)
    }
}

fn walks(space: &HexSpace) -> Vec<(Walk, Claims)> {
    let mut all = Vec::new();
    for from in positions(space).filter(|&at| space.is_free(at)) {
        let pause = Walk { from, to: from, ticks: 1 };
        all.push((pause, Claims::new(space, from, Action::PAUSE)));
        for step in moves(space, from) {
            let walk = Walk { from, to: step.to, ticks: i64::from(step.ticks) };
            all.push((walk, Claims::new(space, from, step.action)));
        }
    }
    all
}

/// Every two moves of units of these paces, one begun before, with or after the other.
fn check_meetings(pace: u8, other_pace: u8) {
    let rows = random_rows(5, 4, 3, 10);
    let space = HexSpace::from_rows(&rows, pace).unwrap();
    let others = walks(&HexSpace::from_rows(&rows, other_pace).unwrap());
    let mut met = 0;
    for (walk, claims) in walks(&space) {
        for (other, other_claims) in &others {
            for later in -i64::from(other_pace) - 1..=i64::from(pace) + 1 {
                let meet = walk.meets(*other, later, &space);
                met += u32::from(meet);
                check_pair(
                    &claims,
                    other_claims,
                    later as i32,
                    meet,
                    &format!("{walk:?} {other:?}"),
                );
            }
        }
    }
    assert!(met > 100, "only {met} meetings");
}

#[test]
fn hexagon_moves_are_refused_just_when_they_meet() {
    for paces in [(1, 1), (1, 2), (2, 2), (1, 3), (2, 3), (3, 3)] {
        check_meetings(paces.0, paces.1);
    }
}

#[test]
fn hexagons_are_visited_clockwise_from_the_north_east() {
    let space = HexSpace::from_rows(&["...", "...", "..."], 2).unwrap();
    let at = |column, row| space.position(column, row).unwrap();
    let coordinates = |moves: Vec<Move>| -> Vec<(u32, u32)> {
        moves.into_iter().map(|step| space.coordinates(step.to)).collect()
    };
    let around = [(2, 0), (2, 1), (2, 2), (1, 2), (0, 1), (1, 0)];
    assert_eq!(coordinates(moves(&space, at(1, 1))), around);
    let reversed: Vec<_> = around.into_iter().rev().collect();
    assert_eq!(coordinates(moves_back(&space, at(1, 1))), reversed);
    assert_eq!(space.position(3, 0), None);
    assert_eq!(space.position(0, 3), None);
}

#[test]
fn broken_hexagons_are_named() {
    let check = |rows: &[&str], pace, error: HexError| {
        assert_eq!(HexSpace::from_rows(rows, pace), Err(error));
    };
    check(&[], 1, HexError::Size { width: 0, height: 0 });
    check(&["", ""], 1, HexError::Size { width: 0, height: 2 });
    check(&[".".repeat(4097).as_str()], 1, HexError::Size { width: 4097, height: 1 });
    check(&["..", "..."], 1, HexError::RowLength { row: 1, columns: 3, expected: 2 });
    check(&["..", ".."], 0, HexError::Pace(0));
    check(&["..", ".."], 65, HexError::Pace(65));
    check(&["..#", "@Tö"], 1, HexError::Symbol { symbol: 'ö', row: 1, column: 2 });
    let message = HexError::Symbol { symbol: 'x', row: 3, column: 5 }.to_string();
    assert!(message.starts_with("'x' in row 3, column 5: draw '.'"), "{message}");
}

#[test]
fn actions_that_are_not_there_find_no_room() {
    let hexagons = HexSpace::from_rows(&[".#", ".."], 1).unwrap();
    let roads = network(2, &[Road::one_way(Position(0), Position(1), 2)]).unwrap();
    for number in [1, 6, 8, 77] {
        assert!(!hexagons.footprint(Position(0), Action(number), |_, _| true), "{number}");
        assert!(!roads.footprint(Position(0), Action(number), |_, _| true), "{number}");
    }
    assert!(!roads.footprint(Position(1), Action(0), |_, _| true), "against the traffic");
    assert!(moves(&hexagons, Position(99)).is_empty());
    assert!(moves(&roads, Position(99)).is_empty());
}

// Roads.

fn network(crossings: u32, roads: &[Road]) -> Result<RoadSpace, RoadError> {
    let mut network = RoadNetwork::new();
    for _ in 0..crossings {
        network.crossing(0, 0)?;
    }
    roads.iter().try_for_each(|&road| network.road(road))?;
    Ok(network.build())
}

/// Some crossings with random roads between them, of which duplicates were refused.
fn random_roads(seed: u64) -> (RoadSpace, Vec<Road>) {
    let mut rng = rng(seed);
    let mut network = RoadNetwork::new();
    let crossings: u32 = rng.random_range(2..7);
    for _ in 0..crossings {
        network.crossing(rng.random_range(-20..20), rng.random_range(-20..20)).unwrap();
    }
    let mut roads = Vec::new();
    for _ in 0..rng.random_range(1..12_u32) {
        let traffic = [Traffic::OneWay, Traffic::SingleTrack, Traffic::TwoLanes];
        let road = Road {
            from: Position(rng.random_range(0..crossings)),
            to: Position(rng.random_range(0..crossings)),
            ticks: rng.random_range(1..6),
            traffic: traffic[rng.random_range(0..3_u32) as usize],
        };
        if network.road(road).is_ok() {
            roads.push(road);
        }
    }
    (network.build(), roads)
}

/// A vehicle on a road, or pausing at a crossing.
#[derive(Clone, Copy, Debug)]
struct Drive {
    from: Position,
    to: Position,
    ticks: u32,
    /// Which road, and whether from its beginning to its end.
    road: Option<(usize, bool)>,
    traffic: Traffic,
}

#[derive(PartialEq, Eq)]
enum Place {
    Crossing(Position),
    /// The road, the half ticks from its beginning and, on two lanes, the direction.
    Road(usize, u32, Option<bool>),
}

impl Drive {
    fn along(roads: &[Road]) -> Vec<Self> {
        let mut all = Vec::new();
        for (number, &Road { from, to, ticks, traffic }) in roads.iter().enumerate() {
            all.push(Self { from, to, ticks, road: Some((number, true)), traffic });
            if traffic != Traffic::OneWay {
                all.push(Self { from: to, to: from, ticks, road: Some((number, false)), traffic });
            }
        }
        all
    }

    /// The place after a number of half ticks; `None` before and after the move.
    fn place(self, half_ticks: i32) -> Option<Place> {
        let driven = u32::try_from(half_ticks).ok().filter(|&driven| driven <= 2 * self.ticks)?;
        Some(match self.road {
            _ if driven == 0 => Place::Crossing(self.from),
            _ if driven == 2 * self.ticks => Place::Crossing(self.to),
            None => Place::Crossing(self.from),
            Some((road, forth)) => {
                let along = if forth { driven } else { 2 * self.ticks - driven };
                let lane = (self.traffic == Traffic::TwoLanes).then_some(forth);
                Place::Road(road, along, lane)
            }
        })
    }

    /// Whether the two are ever in one place. Vehicles that drive towards each other are
    /// so at a tick or half way between two.
    fn meets(self, other: Self, later: i32) -> bool {
        (0..=2 * self.ticks as i32).any(|at| {
            let place = self.place(at);
            place.is_some() && place == other.place(at - 2 * later)
        })
    }
}

fn drives(space: &RoadSpace, roads: &[Road]) -> Vec<(Drive, Claims)> {
    let claims = |drive: &Drive| {
        let action = if drive.road.is_none() {
            Action::PAUSE
        } else {
            space.action(drive.from, drive.to).unwrap()
        };
        (*drive, Claims::new(space, drive.from, action))
    };
    let pause = |at| Drive { from: at, to: at, ticks: 1, road: None, traffic: Traffic::OneWay };
    Drive::along(roads).into_iter().chain(positions(space).map(pause)).map(|d| claims(&d)).collect()
}

#[test]
fn roads_keep_the_contract() {
    for seed in 0..300 {
        let (space, roads) = random_roads(seed);
        let expected = Drive::along(&roads).into_iter().map(|d| (d.from, d.to, d.ticks));
        check_contract(&space, &expected.collect());
    }
}

#[test]
fn drives_are_refused_just_when_they_meet() {
    let mut met = 0;
    for seed in 0..150 {
        let (space, roads) = random_roads(seed);
        let drives = drives(&space, &roads);
        for (one, claims) in &drives {
            for (other, other_claims) in &drives {
                for later in -7..=7 {
                    let meet = one.meets(*other, later);
                    met += u32::from(meet);
                    let what = format!("network {seed}, {one:?} {other:?}");
                    check_pair(claims, other_claims, later, meet, &what);
                }
            }
        }
    }
    assert!(met > 10_000, "only {met} meetings");
}

#[test]
fn the_estimate_of_roads_is_never_too_much_and_exact_along_the_fastest() {
    let mut useful = 0;
    for seed in 0..200 {
        let (space, roads) = random_roads(seed);
        for from in positions(&space) {
            for (to, distance) in positions(&space).zip(distances(&space, from)) {
                let estimate = space.estimate(from, to);
                useful += u32::from(estimate > 1);
                assert!(distance.is_none_or(|distance| estimate <= distance), "{seed}");
            }
        }
        let exact = |road: &Road| space.estimate(road.from, road.to) == u64::from(road.ticks);
        assert!(roads.is_empty() || roads.iter().any(exact), "network {seed}");
    }
    assert!(useful > 500, "only {useful} estimates say anything");
}

#[test]
fn the_farthest_corners_and_the_longest_road_do_not_overflow() {
    let far = 1 << 22;
    let mut network = RoadNetwork::new();
    let corners = [(-far, -far), (far, far), (far, -far)];
    let [a, b, c] = corners.map(|(x, y)| network.crossing(x, y).unwrap());
    network.road(Road::single_track(a, b, 255)).unwrap();
    network.road(Road::two_lanes(b, c, 255)).unwrap();
    let space = network.build();
    assert_eq!((space.estimate(a, b), space.estimate(b, c)), (255, 180));
    assert_eq!(space.entries(), 3 + (2 * 255 - 1) + 2 * 254);
}

#[test]
fn roads_are_visited_as_added_and_backwards_in_reverse() {
    let [hub, a, b, c] = [0, 1, 2, 3].map(Position);
    let roads =
        [Road::two_lanes(c, hub, 1), Road::single_track(hub, a, 2), Road::two_lanes(hub, b, 3)];
    let space = network(4, &roads).unwrap();
    let ends = |moves: Vec<Move>| moves.into_iter().map(|step| step.to).collect::<Vec<_>>();
    assert_eq!(ends(moves(&space, hub)), [c, a, b]);
    assert_eq!(ends(moves_back(&space, hub)), [b, a, c]);
}

#[test]
fn a_single_track_is_laid_as_gap_slot_gap() {
    let [a, b] = [Position(0), Position(1)];
    let space = network(2, &[Road::single_track(a, b, 3)]).unwrap();
    let held = |from, to| {
        let held = footprint(&space, from, space.action(from, to).unwrap());
        held.into_iter().map(|(entry, tick)| (entry.0, tick)).collect::<Vec<_>>()
    };
    assert_eq!(held(a, b), [(2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (1, 3)]);
    assert_eq!(held(b, a), [(6, 1), (5, 1), (4, 2), (3, 2), (2, 3), (0, 3)]);
}

#[test]
fn broken_roads_are_named() {
    let [a, b, c] = [Position(0), Position(1), Position(9)];
    let check = |roads: &[Road], error: RoadError| {
        assert_eq!(network(2, roads).err(), Some(error), "{roads:?}");
    };
    check(&[Road::one_way(a, c, 1)], RoadError::UnknownCrossing { crossing: c, crossings: 2 });
    check(&[Road::one_way(c, a, 0)], RoadError::UnknownCrossing { crossing: c, crossings: 2 });
    check(&[Road::two_lanes(a, b, 0)], RoadError::Length { from: a, to: b, ticks: 0 });
    check(&[Road::two_lanes(b, a, 256)], RoadError::Length { from: b, to: a, ticks: 256 });
    check(&[Road::one_way(b, b, 2)], RoadError::Loop(b));
    let back = RoadError::Duplicate { from: b, to: a };
    check(&[Road::one_way(b, a, 2), Road::single_track(a, b, 3)], back);
    let again = RoadError::Duplicate { from: a, to: b };
    check(&[Road::two_lanes(b, a, 2), Road::one_way(a, b, 3)], again);
    assert!(network(2, &[Road::one_way(a, b, 1), Road::one_way(b, a, 1)]).is_ok());
    assert_eq!(again.to_string().split(':').next(), Some("a second road from crossing 0 to 1"));
    let far = RoadNetwork::new().crossing(0, i32::MIN);
    assert_eq!(far, Err(RoadError::TooFar { x: 0, y: i32::MIN }));
}

#[test]
fn a_refused_road_leaves_no_trace() {
    let mut network = RoadNetwork::new();
    let [a, b] = [0, 1].map(|x| network.crossing(x, 0).unwrap());
    network.road(Road::one_way(b, a, 2)).unwrap();
    network.road(Road::two_lanes(a, b, 4)).unwrap_err();
    network.road(Road::one_way(a, b, 3)).unwrap();
    let space = network.build();
    assert_eq!(space.entries(), 2 + 1 + 2);
    assert_eq!(moves(&space, a).len(), 1);
}

#[test]
fn a_crossing_has_as_many_roads_as_actions_can_tell_apart() {
    let mut network = RoadNetwork::new();
    let hub = network.crossing(0, 0).unwrap();
    for _ in 0..u16::MAX {
        let end = network.crossing(1, 0).unwrap();
        network.road(Road::one_way(hub, end, 1)).unwrap();
    }
    let end = network.crossing(1, 0).unwrap();
    assert_eq!(network.road(Road::two_lanes(end, hub, 1)), Err(RoadError::TooManyRoads(hub)));
    network.road(Road::one_way(end, hub, 1)).unwrap();
    let space = network.build();
    let last = moves(&space, hub).pop().unwrap();
    assert_eq!(space.move_by(hub, last.action), Some(last));
    assert_eq!(footprint(&space, hub, Action::PAUSE), [(Entry(0), 1)]);
}

#[test]
fn a_network_that_is_full_says_so() {
    let mut network = RoadNetwork::new();
    let hub = network.crossing(0, 0).unwrap();
    let mut fill = || {
        let end = network.crossing(0, 0)?;
        network.road(Road::single_track(hub, end, 255))
    };
    let added = (0..40_000).take_while(|_| fill().is_ok()).count();
    assert_eq!(added, ((1 << 24) - 1) / (1 + 509));
    assert_eq!(fill(), Err(RoadError::TooLarge));
}
