//! Links in live worlds: a run that keeps the rules, and the same run broken in every way.

use throng_model::{Cell, Conflicts, Map, MovementProfile, UnitId};
use throng_referee::{Heading, Link, LinkSighting, LiveReferee, Sighting};

/// From (2,1) to (6,1) in three ticks, for one at a time.
const FERRY: Link = Link {
    number: 4,
    from: Cell::new(2, 1),
    to: Cell::new(6, 1),
    ticks: 3,
    layer: 0,
    capacity: Some(1),
};

/// Where a unit is at a tick.
#[derive(Clone, Copy)]
enum Place {
    At(u16, u16),
    /// In a step from the first cell to the second, with so many ticks left.
    Step(u16, u16, u8),
    In(Link),
    Nowhere,
}

use Place::{At, In, Nowhere, Step};

#[derive(Clone)]
struct Run {
    map: Map,
    movement: MovementProfile,
    layer: u8,
    /// By tick: the places of units 0, 1 and so on.
    ticks: Vec<Vec<Place>>,
    /// The unit and the tick.
    placed: Vec<(u32, usize)>,
}

impl Run {
    /// Units of one tick per step in row 1.
    fn quick(ticks: &[&[Place]]) -> Self {
        Self {
            map: Map::empty(9, 3).unwrap(),
            movement: MovementProfile::four_connected(),
            layer: 0,
            ticks: ticks.iter().map(|places| places.to_vec()).collect(),
            placed: Vec::new(),
        }
    }

    /// One unit goes into the ferry, and steps away from its end at once.
    fn crossing() -> Self {
        let inside = In(FERRY);
        let first = [At(0, 1), At(1, 1), inside, inside, inside, inside, At(7, 1), At(8, 1)];
        Self::quick(&first.each_ref().map(std::slice::from_ref))
    }

    fn with(mut self, tick: usize, place: Place) -> Self {
        self.ticks[tick] = vec![place];
        self
    }

    fn judge(&self) -> Vec<String> {
        let mut referee = LiveReferee::new(Conflicts::default());
        let movement = &self.movement;
        let mut found = Vec::new();
        for (tick, places) in self.ticks.iter().enumerate() {
            let units = || (0..).map(UnitId::new).zip(places);
            let inside = units().filter_map(|(unit, place)| match *place {
                In(link) => Some(LinkSighting { unit, movement, link }),
                _ => None,
            });
            let shown = units().filter_map(|(unit, place)| {
                let (x, heading) = match *place {
                    At(x, y) => ((x, y), None),
                    Step(x, to, ticks_left) => {
                        ((x, 1), Some(Heading { to: Cell::new(to, 1), ticks_left }))
                    }
                    _ => return None,
                };
                let (at, layer) = (x.into(), self.layer);
                Some(Sighting { unit, movement, at, heading, team: 0, layer })
            });
            referee.show_links(&inside.collect::<Vec<_>>());
            let placed = self.placed.iter().filter(|&&(_, at)| at == tick);
            let placed: Vec<UnitId> = placed.map(|&(unit, _)| UnitId::new(unit)).collect();
            let shown: Vec<_> = shown.collect();
            let violations = referee.tick(&self.map, &shown, &placed);
            found.extend(violations.iter().map(ToString::to_string));
        }
        found
    }
}

fn broken(tick: u32, unit: u32) -> String {
    format!(
        "tick {tick}: unit {unit} breaks the time, the room or the layer of a link (from, to): \
         (2,1) (6,1)"
    )
}

#[test]
fn crossings_that_keep_the_rules_are_accepted() {
    assert_eq!(Run::crossing().judge(), [""; 0]);
    // It may wait inside, stand where it comes out, and be removed while it is inside.
    assert_eq!(Run::crossing().with(6, In(FERRY)).with(7, At(6, 1)).judge(), [""; 0]);
    assert_eq!(Run::crossing().with(6, Nowhere).with(7, Nowhere).judge(), [""; 0]);
    // A slow unit ends its step at the beginning, and begins another one where it comes out.
    let slow: [&[Place]; 8] = [
        &[Step(1, 2, 2)],
        &[Step(1, 2, 1)],
        &[In(FERRY)],
        &[In(FERRY)],
        &[In(FERRY)],
        &[In(FERRY)],
        &[Step(6, 7, 2)],
        &[Step(6, 7, 1)],
    ];
    let movement = MovementProfile { pace: 3, ..MovementProfile::four_connected() };
    assert_eq!(Run { movement, ..Run::quick(&slow) }.judge(), [""; 0]);
    // The end was built over: it comes out elsewhere.
    let mut walled = Run::crossing().with(6, At(5, 2)).with(7, At(5, 2));
    walled.map.paint(&[Cell::new(6, 1)], Map::WALL).unwrap();
    assert_eq!(walled.judge(), [""; 0]);
    // From one link into another that begins where the first one ends.
    let next = Link { number: 5, from: Cell::new(6, 1), to: Cell::new(0, 0), ..FERRY };
    assert_eq!(Run::crossing().with(6, In(next)).with(7, In(next)).judge(), [""; 0]);
}

#[test]
fn a_unit_comes_out_when_its_time_is_over() {
    let early = Run::crossing().with(5, At(6, 1)).with(6, At(6, 1)).with(7, At(6, 1));
    assert_eq!(early.judge(), [broken(5, 0)]);
    let next = Link { number: 5, from: Cell::new(6, 1), to: Cell::new(0, 0), ..FERRY };
    let run = Run::crossing();
    let through = (5..8).fold(run, |run, tick| run.with(tick, In(next)));
    assert_eq!(through.judge(), [broken(5, 0)]);
    // The game may put it out at any time.
    assert_eq!(Run { placed: vec![(0, 5)], ..early }.judge(), [""; 0]);
}

#[test]
fn a_unit_goes_in_at_the_beginning_and_comes_out_at_the_end() {
    let jump =
        |tick, ends| format!("tick {tick}: unit 0 jumps to a cell that is no neighbour: {ends}");
    let from_afar = Run::crossing().with(1, At(0, 1));
    assert_eq!(from_afar.judge(), [jump(2, "(0,1) (2,1)")]);
    assert_eq!(Run { placed: vec![(0, 2)], ..from_afar }.judge(), [""; 0]);
    let elsewhere = Run::crossing().with(6, At(8, 1));
    assert_eq!(elsewhere.judge(), [jump(6, "(6,1) (8,1)")]);
    // A slow unit cannot be at the beginning before its step is over.
    let movement = MovementProfile { pace: 3, ..MovementProfile::four_connected() };
    let hasty = Run { movement, ..Run::quick(&[&[At(1, 1)], &[In(FERRY)]]) };
    let sooner = "tick 1: unit 0 steps sooner than its pace allows: (1,1) (2,1)";
    assert_eq!(hasty.judge(), [sooner]);
}

#[test]
fn a_link_has_its_room_and_its_layer() {
    let two = Run::quick(&[
        &[At(1, 1), At(2, 2), At(8, 1)],
        &[In(FERRY), At(2, 1), At(8, 1)],
        &[In(FERRY), In(FERRY), At(8, 1)],
        &[In(FERRY), In(FERRY), At(8, 1)],
    ]);
    assert_eq!(two.judge(), [broken(2, 1)]);
    let flying = Run { layer: 1, ..Run::crossing() };
    assert_eq!(flying.judge(), [broken(2, 0)]);
}

#[test]
fn a_unit_is_not_in_a_link_and_on_the_map() {
    let map = Map::empty(9, 3).unwrap();
    let movement = MovementProfile::four_connected();
    let mut referee = LiveReferee::new(Conflicts::default());
    let unit = UnitId::new(0);
    let shown = |unit| Sighting {
        unit,
        movement: &movement,
        at: Cell::new(2, 1),
        heading: None,
        team: 0,
        layer: 0,
    };
    let inside = [LinkSighting { unit, movement: &movement, link: FERRY }];
    assert!(referee.tick(&map, &[shown(unit)], &[]).is_empty());
    referee.show_links(&inside);
    let found = referee.tick(&map, &[shown(unit), shown(UnitId::new(1))], &[]);
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(found, ["tick 1: unit 0 is seen twice at one tick, or out of order"]);
}
