//! The live referee answers for malformed input too, and is fast enough for large worlds.

use proptest::prelude::*;
use rand::RngExt;
use throng_model::{Cell, Conflicts, Map, MovementProfile, UnitId};
use throng_referee::{Heading, LiveReferee, Sighting, VIOLATIONS_MAX};

use crate::cases::random_movement;
use crate::safe_world::{Frame, OwnedSighting};

fn any_cell() -> impl Strategy<Value = Cell> {
    let far = (any::<u16>(), any::<u16>());
    prop_oneof![
        8 => (0..7_u16, 0..7_u16),
        1 => far,
        1 => Just((u16::MAX, u16::MAX)),
        1 => Just((0, u16::MAX)),
    ]
    .prop_map(Cell::from)
}

fn any_movement() -> impl Strategy<Value = MovementProfile> {
    let limits = prop_oneof![
        6 => Just(None),
        1 => (any::<u8>(), any::<u8>()).prop_map(Some),
        1 => prop::sample::select(vec![(0, 0), (0, 1), (1, 0), (16, 64), (200, 255)]).prop_map(Some),
    ];
    (0..6_u64, limits).prop_map(|(seed, limits)| {
        let movement = random_movement(&mut throng_testkit::rng(seed));
        let (footprint, pace) = limits.unwrap_or((movement.footprint, movement.pace));
        MovementProfile { footprint, pace, ..movement }
    })
}

fn any_unit() -> impl Strategy<Value = u32> {
    prop_oneof![6 => 0..8_u32, 1 => 0..1_u32 << 20, 1 => Just((1_u32 << 20) - 1)]
}

fn any_sighting() -> impl Strategy<Value = OwnedSighting> {
    let ticks_left = prop_oneof![4 => 0..4_u8, 1 => any::<u8>()];
    let heading = prop::option::of((any_cell(), ticks_left));
    let parts = (any_unit(), any_movement(), any_cell(), heading);
    parts.prop_map(|(unit, movement, at, heading)| {
        let heading = heading.map(|(to, ticks_left)| Heading { to, ticks_left });
        OwnedSighting { unit, movement, at, heading }
    })
}

fn any_frame() -> impl Strategy<Value = Frame> {
    let size = (1..8_u32, 1..8_u32);
    let sightings = prop::collection::vec(any_sighting(), 0..10);
    let placed = prop::collection::vec(any_unit().prop_map(UnitId::new), 0..4);
    let parts = (any::<u64>(), size, any::<bool>(), sightings, placed);
    parts.prop_map(|(seed, (width, height), in_order, mut sightings, placed)| {
        if in_order {
            sightings.sort_by_key(|sighting| sighting.unit);
        }
        Frame { map: throng_testkit::random_map(seed, width, height, 20), sightings, placed }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn any_world_gets_a_consistent_report(frames in prop::collection::vec(any_frame(), 0..12)) {
        let mut referee = LiveReferee::new(Conflicts::default());
        let mut shown = 0;
        for (tick, frame) in frames.iter().enumerate() {
            let mut twin = referee.clone();
            let found = frame.show_to(&mut referee);
            prop_assert_eq!(&found, &frame.show_to(&mut twin));
            prop_assert!(found.len() <= VIOLATIONS_MAX);
            prop_assert!(found.iter().all(|v| v.tick.0 as usize == tick && !v.units.is_empty()));
            prop_assert!(found.iter().all(|v| !v.to_string().is_empty()));
            let rank = |i: usize| (found[i].units[0], found[i].kind, found[i].units.get(1));
            prop_assert!((1..found.len()).all(|i| rank(i - 1) <= rank(i)));
            shown += frame.sightings.len() as u64;
        }
        prop_assert!(referee.unit_ticks() <= shown);
    }
}

/// Ten thousand units in rows, alternately of pace 1 and 4, on a large map.
#[test]
fn ten_thousand_units_on_a_large_map() {
    let map = Map::empty(1024, 1024).unwrap();
    let kinds = [1, 4].map(|pace| MovementProfile { pace, ..MovementProfile::eight_connected() });
    let mut rng = throng_testkit::rng(7);
    let numbers: Vec<u32> = (0..10_000).map(|i| i * 100 + rng.random_range(0..100)).collect();
    let mut referee = LiveReferee::new(Conflicts::default());
    for tick in 0..40_u16 {
        let sighting = |(place, &unit): (u16, &u32)| {
            let (column, row, slow) = (place % 20 * 50, place / 20 * 2, place / 20 % 2 == 1);
            let (step, under_way) = if slow { (tick / 4, tick % 4) } else { (tick, 0) };
            let at = Cell::new(column + step, row);
            let to = Cell::new(at.x + 1, row);
            let ticks_left = 4 - under_way as u8;
            let heading = (under_way > 0).then_some(Heading { to, ticks_left });
            let (unit, movement) = (UnitId::new(unit), &kinds[usize::from(slow)]);
            Sighting { unit, movement, at, heading, team: 0, layer: 0 }
        };
        let sightings: Vec<_> = (0..10_000).zip(&numbers).map(sighting).collect();
        assert_eq!(referee.tick(&map, &sightings, &[]), []);
    }
    assert_eq!(referee.unit_ticks(), 400_000);
}
