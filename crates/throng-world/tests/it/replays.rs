//! What was recorded comes to the same end, and what was changed does not.

use throng_model::{Cell, Map, MovementProfile};
use throng_testkit::{random_terrain, rng};
use throng_world::{
    Command, FileError, Order, Recorder, Replay, ReplayError, Spawn, World, WorldOptions,
};

use crate::random_commands::command;
use crate::snapshots::sealed;

/// The hash at the end of the golden game, the same on every machine and for any number of
/// threads. It changes when units do something else than before: look at what they do, then
/// write the new one here.
const GOLDEN: u64 = 0x83b8_b693_4238_1784;

/// Two hundred ticks of all that a game can do, with what is refused.
fn golden_game(threads: usize, hash_every: u32) -> Recorder {
    let options =
        WorldOptions { threads, expansions_per_tick: Some(4000), ..WorldOptions::default() };
    let map = random_terrain(11, 48, 40, 12, 3);
    let mut recorder = Recorder::with_hash_every(World::new(map, options).unwrap(), hash_every);
    let mut rng = rng(11);
    for tick in 0..200 {
        for _ in 0..if tick == 0 { 150 } else { 2 } {
            let _ = recorder.apply(command(&mut rng, recorder.world()));
        }
        recorder.tick();
    }
    recorder
}

#[test]
fn the_golden_game_ends_the_same_for_any_number_of_threads() {
    let (world, replay) = golden_game(1, 1).finish();
    assert_eq!(replay.ticks(), 200);
    let mut events = Vec::new();
    let end = replay.watch(1, |_, report| events.extend_from_slice(&report.events)).unwrap();
    assert_eq!(end.hash(), world.hash());
    assert!(events.len() > 250, "a dull game: {} events", events.len());
    for threads in [2, 8] {
        let mut same = Vec::new();
        replay.watch(threads, |_, report| same.extend_from_slice(&report.events)).unwrap();
        assert_eq!(same, events, "with {threads} threads");
        assert_eq!(golden_game(threads, 1).world().hash(), world.hash());
    }
    assert_eq!(world.hash(), GOLDEN, "now {:#018x}", world.hash());
}

#[test]
fn a_replay_is_the_same_after_it_was_stored() {
    for every in [1, 7] {
        let (world, replay) = golden_game(1, every).finish();
        let bytes = replay.to_bytes();
        let read = Replay::from_bytes(&bytes).unwrap();
        assert_eq!(read, replay);
        assert_eq!(read.run(1).unwrap().snapshot(), world.snapshot());
    }
}

#[test]
fn a_command_that_was_changed_is_found_out() {
    let mut world = World::new(Map::empty(20, 10).unwrap(), WorldOptions::default()).unwrap();
    let unit =
        world.spawn(Cell::new(1, 1), &Spawn::new(MovementProfile::four_connected())).unwrap();
    let mut recorder = Recorder::new(world);
    for tick in 0..30 {
        if tick == 5 {
            recorder.apply(Command::Order { unit, order: Order::go((13, 7)) }).unwrap();
        }
        recorder.tick();
    }
    let bytes = recorder.replay().to_bytes();
    // Order, unit 0, to go to one cell: (13,7).
    let order = [9, 0, 2, 1, 13, 7];
    let at = bytes.windows(order.len()).position(|bytes| bytes == order).unwrap();
    let mut forged = bytes;
    forged[at + 4] = 12;
    let forged = Replay::from_bytes(&sealed(forged)).unwrap();
    assert_eq!(
        forged.commands().next(),
        Some((5, &Command::Order { unit, order: Order::go((12, 7)) }))
    );
    match forged.run(1).unwrap_err() {
        ReplayError::Diverged { tick, expected, found } => {
            assert_eq!(tick.0, 6);
            assert_ne!(expected, found);
        }
        other => panic!("{other}"),
    }
}

#[test]
fn damaged_replays_are_refused() {
    let bytes = golden_game(1, 5).replay().to_bytes();
    for cut in (0..bytes.len()).step_by(37) {
        assert!(Replay::from_bytes(&bytes[..cut]).is_err(), "cut at {cut}");
    }
    let mut flipped = bytes.clone();
    for at in (0..bytes.len()).step_by(11) {
        flipped[at] ^= 1 << (at % 8);
        assert!(Replay::from_bytes(&flipped).is_err(), "byte {at}");
        flipped[at] = bytes[at];
    }
    let world = golden_game(1, 5).world().snapshot();
    assert_eq!(Replay::from_bytes(&world), Err(FileError::Foreign("replay").into()));
}
