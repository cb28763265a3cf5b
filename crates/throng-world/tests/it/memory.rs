//! What a stranger sends needs no more memory than the caller allows.

use rand::RngExt;
use throng_model::{Cell, Map, MovementProfile};
use throng_world::{
    Command, MemoryError, Order, Recorder, Replay, ReplayError, SnapshotError, Spawn, World,
    WorldOptions,
};

fn kind(footprint: u8, pace: u8) -> Spawn {
    Spawn::new(MovementProfile { footprint, pace, ..MovementProfile::eight_connected() })
}

/// A world of a few units of each of so many movement profiles.
fn world(side: u32, profiles: u8, units: u32) -> World {
    let mut world = World::new(Map::empty(side, side).unwrap(), WorldOptions::default()).unwrap();
    let mut rng = throng_testkit::rng(u64::from(side));
    for number in 0..units {
        let spawn = kind(1 + number as u8 % profiles % 3, 1 + number as u8 % profiles / 3);
        let mut any =
            || Cell::new(rng.random_range(0..side) as u16, rng.random_range(0..side) as u16);
        let (at, to) = (any(), any());
        if let Ok(unit) = world.spawn(at, &spawn) {
            let order = if number % 9 == 0 { Order::Hold } else { Order::go(to) };
            world.order(unit, order).unwrap();
        }
    }
    world
}

fn needed(snapshot: &[u8], limit: u64) -> Option<MemoryError> {
    match World::restore_within(snapshot, 1, limit) {
        Ok(_) => None,
        Err(SnapshotError::Memory(error)) => Some(error),
        Err(error) => panic!("{error}"),
    }
}

/// The least limit under which a snapshot is restored, up to a hundredth.
fn least_limit(snapshot: &[u8]) -> u64 {
    let (mut low, mut high) = (0, 1 << 31);
    while high - low > low / 100 + 1 {
        let middle = u64::midpoint(low, high);
        *(if needed(snapshot, middle).is_some() { &mut low } else { &mut high }) = middle;
    }
    high
}

/// A few hundred bytes that describe a map of 16 million cells with 12 movement profiles.
#[test]
fn a_short_snapshot_of_a_large_world_is_refused_before_it_is_made() {
    let mut large = world(4, 1, 0);
    for number in 0..12 {
        large.spawn((0, 0), &kind(1, 1 + number)).map(|unit| large.remove(unit).unwrap()).unwrap();
    }
    let mut snapshot = large.snapshot();
    // Width and height are behind the options; both are 4.
    let at = snapshot.windows(2).position(|pair| pair == [4, 4]).unwrap();
    snapshot.splice(at..at + 2, [0x80, 0x20, 0x80, 0x20]);
    let snapshot = crate::snapshots::sealed(snapshot);
    let mut refused = None;
    let used = allocation_counter::measure(|| refused = needed(&snapshot, 64 << 20));
    let refused = refused.unwrap();
    assert!(snapshot.len() < 500 && used.bytes_max < 1 << 20, "{} bytes", used.bytes_max);
    assert_eq!(refused.limit, 64 << 20);
    assert!(refused.needed > 16 << 20, "{refused}");
    let message = refused.to_string();
    assert!(message.contains("67108864") && message.contains("higher limit"), "{message}");
}

/// The memory that is allocated stays below what was counted, and what was counted below four times
/// what is allocated.
#[test]
fn what_is_counted_is_what_is_allocated() {
    for (side, profiles, units) in [(300, 1, 0), (300, 6, 12), (60, 3, 400), (200, 9, 2000)] {
        let mut world = world(side, profiles, units);
        (0..40).for_each(|_| drop(world.tick()));
        let snapshot = world.snapshot();
        let limit = least_limit(&snapshot);
        let used = allocation_counter::measure(|| {
            World::restore_within(&snapshot, 1, limit).unwrap();
        });
        let used = used.bytes_max;
        assert!(used <= limit && limit <= 4 * used, "{used} of {limit}: {side} {profiles} {units}");
        let allocated = allocation_counter::measure(|| {
            assert!(needed(&snapshot, limit / 2).is_some());
        });
        assert!(allocated.bytes_max <= limit / 2, "{} of {}", allocated.bytes_max, limit / 2);
    }
}

/// A replay cannot add what its first snapshot may not have.
#[test]
fn replays_have_the_same_limit() {
    let mut recorder = Recorder::new(world(200, 1, 3));
    for pace in 2..12 {
        let spawn = kind(1, pace);
        let _ = recorder.apply(Command::Spawn { at: Cell::new(u16::from(pace), 3), spawn });
    }
    recorder.tick();
    let replay = Replay::from_bytes(&recorder.replay().to_bytes()).unwrap();
    let limit = least_limit(replay.start());
    let refused = replay.watch_within(1, limit, |_, _| {}).unwrap_err();
    assert!(matches!(refused, ReplayError::Memory(MemoryError { needed, .. }) if needed > limit));
    assert!(replay.run(1).is_ok());
}
