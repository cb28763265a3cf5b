//! The history of a world, to be replayed: the first snapshot, the commands with their ticks, and
//! the state hashes.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use throng_model::Tick;

use crate::envelope::{Envelope, FileError};
use crate::memory::{MEMORY_MAX, MemoryCount, MemoryError};
use crate::planes::Plane;
use crate::{Applied, Command, SnapshotError, TickReport, World, WorldError};

const ENVELOPE: Envelope = Envelope { what: "replay", letters: *b"throngRP", version: 4 };
/// Most ticks from one hash to the next: a short file must not make for a long run.
const EVERY_MAX: u32 = 1024;

/// A world's history from a snapshot on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay(Image);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Image {
    start: Vec<u8>,
    ticks: u32,
    /// Ticks since the command before, and the command.
    commands: Vec<(u32, Command)>,
    /// After how many ticks there is a hash.
    every: u32,
    hashes: Vec<[u8; 8]>,
}

/// Why a replay cannot be read or does not come to the same end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// It is damaged, incomplete, or something else.
    #[error(transparent)]
    File(#[from] FileError),
    /// The world it begins with cannot be restored.
    #[error(transparent)]
    Start(#[from] SnapshotError),
    /// A command needs more memory than the caller allows.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The numbers of its ticks, commands and hashes do not agree.
    #[error("no recorder writes this: {0}")]
    Impossible(&'static str),
    /// The world was another than when it was recorded.
    #[error(
        "at tick {tick} the world is another than when it was recorded: its hash is {found:016x} \
         instead of {expected:016x}; another version of throng, or commands that were changed"
    )]
    Diverged {
        /// The first tick whose hash is another. If hashes are not recorded after every
        /// tick, the worlds may have diverged after the hash before.
        tick: Tick,
        /// The hash that was recorded.
        expected: u64,
        /// The hash that came out.
        found: u64,
    },
}

impl Replay {
    /// How many ticks it is long.
    #[must_use]
    pub fn ticks(&self) -> u32 {
        self.0.ticks
    }

    /// The snapshot that it begins with.
    #[must_use]
    pub fn start(&self) -> &[u8] {
        &self.0.start
    }

    /// The commands, and after how many ticks each was given.
    pub fn commands(&self) -> impl Iterator<Item = (u32, &Command)> {
        self.0.commands.iter().scan(0, |after, (gap, command)| {
            *after += gap;
            Some((*after, command))
        })
    }

    /// The replay in bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        ENVELOPE.write(&self.0)
    }

    /// Reads a replay. Untrusted bytes are safe.
    ///
    /// # Errors
    /// When they are damaged, or no recorder writes such.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReplayError> {
        let image: Image = ENVELOPE.read(bytes)?;
        if image.every == 0 || image.every > EVERY_MAX {
            return Err(ReplayError::Impossible("hashes are too rare"));
        }
        if image.hashes.len() as u64 != u64::from(image.ticks / image.every) {
            return Err(ReplayError::Impossible(
                "the number of hashes does not fit the number of ticks",
            ));
        }
        let last = image.commands.iter().try_fold(0_u32, |last, (gap, _)| last.checked_add(*gap));
        if last.is_none_or(|last| last > image.ticks) {
            return Err(ReplayError::Impossible("a command comes after the last tick"));
        }
        Ok(Self(image))
    }

    /// Runs it again from beginning to end; gives the world at the end. It may need 1 GiB of
    /// memory; [`watch_within`](Self::watch_within) takes another limit.
    ///
    /// # Errors
    /// When it cannot begin, or when a hash is not the one that was recorded.
    pub fn run(&self, threads: usize) -> Result<World, ReplayError> {
        self.watch(threads, |_, _| {})
    }

    /// Runs it again; `visit` sees the world and the report of every tick.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn watch(
        &self,
        threads: usize,
        visit: impl FnMut(&World, &TickReport),
    ) -> Result<World, ReplayError> {
        self.watch_within(threads, MEMORY_MAX, visit)
    }

    /// The same as [`watch`](Self::watch), with another limit on memory, in bytes. Counted are
    /// map, movement profiles and units, those that commands add included.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn watch_within(
        &self,
        threads: usize,
        memory_max: u64,
        mut visit: impl FnMut(&World, &TickReport),
    ) -> Result<World, ReplayError> {
        let watch = |world: &World, report: &TickReport| {
            visit(world, report);
            ControlFlow::Continue(())
        };
        self.watch_until(threads, memory_max, watch)
    }

    /// The same as [`watch_within`](Self::watch_within), until `visit` breaks off. Gives the world
    /// as it is then. A file of few bytes can make for a long run: who reads files of others counts
    /// the time.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn watch_until(
        &self,
        threads: usize,
        memory_max: u64,
        mut visit: impl FnMut(&World, &TickReport) -> ControlFlow<()>,
    ) -> Result<World, ReplayError> {
        let mut world = World::restore_within(&self.0.start, threads, memory_max)?;
        let mut commands = self.commands().peekable();
        for done in 0..=self.0.ticks {
            while let Some((_, command)) = commands.next_if(|&(after, _)| after == done) {
                world.count_command(command, memory_max)?;
                // What was refused is refused again.
                let _ = world.apply(command);
            }
            if done == self.0.ticks {
                break;
            }
            let report = world.tick();
            let flow = visit(&world, &report);
            self.compare(done + 1, &world)?;
            if flow.is_break() {
                break;
            }
        }
        Ok(world)
    }

    fn compare(&self, done: u32, world: &World) -> Result<(), ReplayError> {
        if !done.is_multiple_of(self.0.every) {
            return Ok(());
        }
        let index = (done / self.0.every - 1) as usize;
        let expected = self.0.hashes.get(index).map_or(0, |&hash| u64::from_le_bytes(hash));
        let (tick, found) = (world.now(), world.hash());
        if found == expected {
            Ok(())
        } else {
            Err(ReplayError::Diverged { tick, expected, found })
        }
    }
}

impl World {
    /// Checks the memory that a command adds: for a unit, and for its movement profile.
    fn count_command(&self, command: &Command, memory_max: u64) -> Result<(), MemoryError> {
        let (Command::Spawn { spawn, .. } | Command::SpawnInside { spawn, .. }) = command else {
            return Ok(());
        };
        let terrain = &self.state.terrain;
        let cells = terrain.map().terrain().len() as u64;
        let plane = Plane { layer: spawn.layer, side: self.state.teams.side(spawn.team) };
        let known = terrain.planes.find(plane);
        let profile = known.and_then(|plane| terrain.find_profile(&spawn.movement, plane));
        let is_new = profile.is_none();
        let viewed = self.state.distances.standing.viewed_profiles().count_ones() as usize;
        let views = terrain.spaces.len() + viewed + usize::from(is_new);
        let mut memory = MemoryCount::new(memory_max);
        let planes = terrain.planes.list().len().max(1) + usize::from(known.is_none());
        memory.add_map(cells.saturating_mul(planes as u64))?;
        memory.add_views(cells, views as u64)?;
        memory.add_slots(self.state.units.slots() as u64 + 1)
    }
}

/// A world whose history is recorded.
///
/// ```
/// use throng_model::{Cell, Map, MovementProfile};
/// use throng_world::{Command, Order, Recorder, Spawn, World, WorldOptions};
///
/// let mut world = World::new(Map::empty(20, 10)?, WorldOptions::default())?;
/// let unit = world.spawn(Cell::new(1, 1), &Spawn::new(MovementProfile::eight_connected()))?;
/// let mut recorder = Recorder::new(world);
/// recorder.apply(Command::Order { unit, order: Order::go((18, 1)) })?;
/// for _ in 0..10 {
///     recorder.tick();
/// }
/// let (world, replay) = recorder.finish();
/// assert_eq!(replay.run(2)?.hash(), world.hash());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    world: World,
    replay: Replay,
    /// Ticks since the last command.
    gap: u32,
}

impl Recorder {
    /// Records a world from now on, with a hash after every tick.
    #[must_use]
    pub fn new(world: World) -> Self {
        Self::with_hash_every(world, 1)
    }

    /// Records a world with a hash only after this many ticks, 1 to 1024: a hash is 8 bytes.
    #[must_use]
    pub fn with_hash_every(world: World, ticks: u32) -> Self {
        let replay = Replay(Image {
            start: world.snapshot(),
            ticks: 0,
            commands: Vec::new(),
            every: ticks.clamp(1, EVERY_MAX),
            hashes: Vec::new(),
        });
        Self { world, replay, gap: 0 }
    }

    /// Tells the world something. What it refuses is recorded too.
    ///
    /// # Errors
    /// As [`World::apply`].
    pub fn apply(&mut self, command: Command) -> Result<Applied, WorldError> {
        let applied = self.world.apply(&command);
        self.replay.0.commands.push((std::mem::take(&mut self.gap), command));
        applied
    }

    /// The world's next tick.
    pub fn tick(&mut self) -> TickReport {
        let image = &mut self.replay.0;
        let report = self.world.tick();
        self.gap += 1;
        image.ticks += 1;
        if image.ticks.is_multiple_of(image.every) {
            image.hashes.push(report.hash.to_le_bytes());
        }
        report
    }

    /// The world as it is.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// What was recorded so far.
    #[must_use]
    pub fn replay(&self) -> &Replay {
        &self.replay
    }

    /// The world, and what was recorded.
    #[must_use]
    pub fn finish(self) -> (World, Replay) {
        (self.world, self.replay)
    }
}
