//! Mutated snapshots and replays: some bytes are changed and the checksum is corrected, so that
//! the code behind the checksum is reached.
//!
//! The first byte of a case chooses a world. Every four bytes after it are one edit: offset (two
//! bytes, little-endian), operation, operand. A world that is accepted must run, and its own
//! snapshot must restore to the same bytes.
#![expect(clippy::panic, reason = "a property that does not hold stops the case; main catches it")]

use std::collections::BTreeSet;
use std::sync::LazyLock;

use throng_model::{Building, Cell, Map, MovementProfile, Rect, UnitId};
use throng_world::{
    BuildingId, Command, Order, Recorder, Replay, ReplayError, Spawn, World, WorldOptions,
};

/// The header of both formats, and the part of it that has length and checksum.
const HEADER: usize = 28;
const EDITS_MAX: usize = 6;
/// Worlds that need more memory are refused, in bytes.
const MEMORY_MAX: u64 = 64 << 20;

static GAMES: LazyLock<[Recorder; 2]> = LazyLock::new(|| [game(12, 10), game(150, 120)]);

/// A few ticks with several kinds of units and orders. The larger map has routes.
fn game(width: u32, height: u32) -> Recorder {
    let world = Map::empty(width, height).ok().and_then(|map| {
        let options = WorldOptions { expansions_per_tick: Some(200), ..WorldOptions::default() };
        World::new(map, options).ok()
    });
    let mut recorder = Recorder::new(world.unwrap_or_else(|| panic!("no world")));
    for command in commands() {
        // A refused command is recorded too.
        let _ = recorder.apply(command);
    }
    (0..7).for_each(|_| {
        recorder.tick();
    });
    recorder
}

fn commands() -> Vec<Command> {
    let unit = UnitId::new;
    let tank = MovementProfile { footprint: 2, pace: 3, ..MovementProfile::eight_connected() };
    let spawn = |x, y, movement: &MovementProfile| Command::Spawn {
        at: Cell::new(x, y),
        spawn: Spawn::new(movement.clone()),
    };
    let order = |number, order| Command::Order { unit: unit(number), order };
    let barracks = Building::with_doors("barracks", vec![Cell::new(5, 5)]);
    vec![
        Command::AddBuilding { building: barracks },
        spawn(0, 0, &MovementProfile::four_connected()),
        spawn(9, 0, &MovementProfile::eight_connected()),
        spawn(4, 7, &tank),
        spawn(0, 7, &tank),
        Command::SpawnInside {
            building: BuildingId::new(0),
            spawn: Spawn::new(MovementProfile::four_connected()),
        },
        Command::Paint { cells: vec![Cell::new(3, 3), Cell::new(3, 4)], terrain: Map::WALL },
        order(0, Order::go((9, 0))),
        order(1, Order::go((0, 0))),
        order(2, Order::Hold),
        order(3, Order::go((7, 2))),
        Command::QueueOrder { unit: unit(0), order: Order::Enter(BuildingId::new(0)) },
        Command::Remove { unit: unit(2) },
    ]
}

fn edited(mut bytes: Vec<u8>, edits: &[u8]) -> Vec<u8> {
    for edit in edits.chunks_exact(4).take(EDITS_MAX) {
        let content = bytes.len() - HEADER;
        let at = HEADER + usize::from(u16::from_le_bytes([edit[0], edit[1]])) % content.max(1);
        match edit[2] % 4 {
            _ if content == 0 => {}
            0 => bytes[at] = edit[3],
            1 => bytes[at] ^= 1 << (edit[3] % 8),
            2 => bytes.insert(at, edit[3]),
            _ => drop(bytes.remove(at)),
        }
    }
    let length = (bytes.len() - HEADER) as u64;
    bytes[12..20].copy_from_slice(&length.to_le_bytes());
    let checked = bytes[..20].iter().chain(&bytes[HEADER..]);
    let checksum = checked.fold(0xcbf2_9ce4_8422_2325_u64, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    bytes[20..28].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

fn chosen(case: &[u8]) -> (&'static Recorder, &[u8]) {
    let (first, edits) = case.split_first().map_or((0, case), |(&first, edits)| (first, edits));
    (&GAMES[usize::from(first) % GAMES.len()], edits)
}

pub(crate) fn snapshot(case: &[u8]) -> bool {
    let (game, edits) = chosen(case);
    let bytes = edited(game.world().snapshot(), edits);
    let mut world = match World::restore_within(&bytes, 1, MEMORY_MAX) {
        Ok(world) => world,
        Err(error) => return refused(&error.to_string()),
    };
    let saved = world.snapshot();
    let again = World::restore(&saved, 1)
        .unwrap_or_else(|error| panic!("its own snapshot is refused: {error}"));
    assert!(again.snapshot() == saved, "is saved differently the second time");
    for _ in 0..4 {
        world.tick();
        assert!(is_apart(&world), "two bodies overlap");
    }
    true
}

/// Whether no two bodies cover one cell.
fn is_apart(world: &World) -> bool {
    let mut covered = BTreeSet::new();
    world.steps().iter().all(|step| {
        let side = world.movement(step.unit).map_or(1, |movement| u16::from(movement.footprint));
        let mut cells = Rect::new(step.at, side, side).cells();
        cells.all(|cell| covered.insert((cell.x, cell.y)))
    })
}

pub(crate) fn replay(case: &[u8]) -> bool {
    let (game, edits) = chosen(case);
    let read = match Replay::from_bytes(&edited(game.replay().to_bytes(), edits)) {
        Ok(read) => read,
        Err(error) => return refused(&error.to_string()),
    };
    assert_eq!(Replay::from_bytes(&read.to_bytes()).as_ref(), Ok(&read), "reads back as another");
    match read.watch_within(1, MEMORY_MAX, |_, _| {}) {
        Ok(_) => true,
        Err(ReplayError::Diverged { expected, found, .. }) => {
            assert_ne!(expected, found);
            false
        }
        Err(error) => refused(&error.to_string()),
    }
}

fn refused(message: &str) -> bool {
    assert!(message.len() <= 300, "a message of {} bytes", message.len());
    false
}
