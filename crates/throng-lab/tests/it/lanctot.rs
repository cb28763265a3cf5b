//! Players and workloads after Lanctot et al.: logs, games, interest maps, extraction.

use std::sync::LazyLock;

use proptest::prelude::*;
use throng_lab::lanctot::{
    Action, Event, GAMES, Game, GameLog, GameOptions, HEADER, InterestMap, Place, Query, TeamScore,
    Walkways, extracted, modeled, modeled_places, play, random,
};
use throng_scene::{CollisionMeter, GhostOptions, Level, Point, ValidScene, town};

static TOWN: LazyLock<ValidScene> = LazyLock::new(|| town(1).validate().unwrap());

/// A game of a minute with eager players.
static GAME: LazyLock<Game> = LazyLock::new(|| minute(7));

fn minute(seed: u64) -> Game {
    with_walkways(|walkways| {
        play(walkways, &GameOptions { seconds: 60, seed, ..GAMES[4] }).unwrap()
    })
}

fn with_walkways<T>(work: impl FnOnce(&Walkways<'_>) -> T) -> T {
    let meter = CollisionMeter::new();
    work(&Walkways::new(&TOWN, GhostOptions::default(), &meter).unwrap())
}

fn at(x: f64, y: f64, level: u8) -> Place {
    Place { point: Point::new(x, y), level: Level(level) }
}

#[test]
#[ignore]
fn probe() {
    let start = std::time::Instant::now();
    with_walkways(|w| {
        println!("walkways {} in {:?}", w.count(), start.elapsed());
        for game in GAMES {
            let start = std::time::Instant::now();
            let g = play(w, &game).unwrap();
            println!(
                "{} s MV {} SD {} {:?} {:?} extracted {}",
                g.log.duration_ms() / 1000,
                g.log.move_updates(),
                g.log.set_destinations(),
                start.elapsed(),
                g.scores,
                extracted(&g.log, 1.0).len()
            );
            let mut per = vec![0; 24];
            let mut up = 0;
            for e in g.log.events() {
                if e.action == Action::MoveUpdate {
                    per[e.player as usize] += 1;
                    up += u32::from(e.place.level.0 > 0);
                }
            }
            println!("{per:?} up {up}");
        }
    });
}
