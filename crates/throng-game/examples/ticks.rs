//! How long the ticks of a game take, and what the longest are made of: a hundred computer players, and
//! people who are sent all over the town.
//!
//! `cargo run --release -p throng-game --example ticks -- [TICKS] [PEOPLE] [COMPUTER_PLAYERS] [SEED]`
#![expect(clippy::disallowed_types, reason = "it measures")]
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an example that prints figures")]

use std::io::Read as _;
use std::time::{Duration, Instant};

use throng_game::{Command, Game, GameOptions, PlayerNumber};
use throng_scene::{Level, Location, Point, town};

/// Ticks between two commands of a person.
const COMMAND_TICKS: u64 = 6;
/// How many of the longest ticks are listed.
const LISTED: usize = 12;

/// What a tick was.
struct Tick {
    number: u64,
    took: Duration,
    /// How long of that the thread waited for a processor that others had.
    waited: Duration,
    searched: u64,
    events: usize,
}

fn main() {
    let argument = |index: usize, default: u64| {
        std::env::args().nth(index).and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (count, people, computers) = (argument(1, 6_000), argument(2, 10), argument(3, 100));
    let options = GameOptions {
        players: (people + computers) as u32,
        orbs: (computers / 2) as u32,
        orbs_to_win: 60,
        seed: argument(4, 0),
        ..GameOptions::default()
    };
    let mut game = Game::new(town(options.seed).validate().unwrap(), options).unwrap();
    let people: Vec<PlayerNumber> =
        (0..people).map(|number| game.join(&format!("person {number}"), None).unwrap()).collect();
    let mut state = 1;
    let mut ticks: Vec<Tick> = (0..count).map(|_| play(&mut game, &people, &mut state)).collect();
    ticks.sort_by_key(|tick| std::cmp::Reverse(tick.took));
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let milliseconds = |tick: &Tick| ms(tick.took);
    let at = |share: f64| milliseconds(&ticks[(ticks.len() as f64 * share) as usize]);
    println!(
        "{count} ticks: p50 {:.2} ms, p99 {:.2} ms, longest {:.2} ms",
        at(0.5),
        at(0.01),
        at(0.0)
    );
    for tick in ticks.iter().take(LISTED) {
        let Tick { number, took, waited, searched, events } = tick;
        println!(
            "tick {number}: {:.2} ms, of them {:.2} ms waiting for a processor; {searched} nodes, {events} events",
            ms(*took),
            ms(*waited),
        );
    }
    let own = ticks.iter().map(|tick| tick.took.saturating_sub(tick.waited)).max();
    println!("longest without waiting: {:.2} ms", ms(own.unwrap_or_default()));
}

/// A tick, before which some people are sent somewhere.
fn play(game: &mut Game, people: &[PlayerNumber], state: &mut u64) -> Tick {
    let (waited, begin) = (waited_for_processor(), Instant::now());
    for person in people {
        if (game.now() + u64::from(person.0)).is_multiple_of(COMMAND_TICKS) {
            // What is not possible is refused.
            let _ = game.command(*person, command(game, *person, state));
        }
    }
    let events = game.tick().len();
    let (took, waited) = (begin.elapsed(), waited_for_processor().saturating_sub(waited));
    Tick { number: game.now(), took, waited, searched: game.searched(), events }
}

/// How long this thread could run and had no processor since it began, where the system tells it.
fn waited_for_processor() -> Duration {
    let mut text = String::new();
    let read = std::fs::File::open("/proc/thread-self/schedstat")
        .and_then(|mut file| file.read_to_string(&mut text));
    let waited = text.split_whitespace().nth(1).filter(|_| read.is_ok());
    Duration::from_nanos(waited.and_then(|waited| waited.parse().ok()).unwrap_or(0))
}

/// A random command: mostly paths over the whole town, on both levels.
fn command(game: &Game, person: PlayerNumber, state: &mut u64) -> Command {
    let mut draw = |below: u64| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(person.0.into()) | 1;
        (*state >> 33) % below
    };
    let level = Level(u8::from(draw(4) == 0));
    let (width, height) = (game.scene().width(), game.scene().height());
    let share = |draw: u64| draw as f64 / 1e3;
    let at = Point::new(width * share(draw(1_000)), height * share(draw(1_000)));
    match draw(8) {
        0 => Command::Straight(at),
        1 => Command::Stop,
        _ => Command::Path(Location { at, level }),
    }
}
