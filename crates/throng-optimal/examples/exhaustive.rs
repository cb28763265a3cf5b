//! Every small instance against brute force: what is too long for every test run.
//!
//! ```text
//! cargo run --release -p throng-optimal --example exhaustive -- [--part NAME] [--threads N]
//! ```
//!
//! | part | instances |
//! |---|---|
//! | `oracles` | the two independent oracles against each other |
//! | `pairs` | one and two units on all maps of up to 3 x 3 cells, up to symmetry |
//! | `triples` | three units on the open 3 x 3 map and on those with one wall, up to symmetry |
//! | `corners` | the same with one wall, where diagonal steps may not cut corners |
//! | `sample` | seeded: two to four units on maps of up to 4 x 4 cells |
//!
//! Each instance for both objectives, the 4-connected world and the paper's 8-connected one,
//! `pairs` and `sample` also for its two stricter rules for corners, and by all combinations
//! of switches: operator decomposition (off, fixed order, dynamic order), partial expansion,
//! independence (off, merge, avoid) and heuristic (sum, pairs) with weight 1, and a share of
//! them with 1.1 and 1.5. Every plan is refereed, and its cost compared with the claim and with the truth; the
//! first wrong answer ends the command with the instance and the planner.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command whose output is a report, and which a wrong answer should stop at once"
)]

#[path = "../tests/it/brute.rs"]
mod brute;
#[expect(dead_code, reason = "the tests use the rest")]
#[path = "../tests/it/help.rs"]
mod help;
#[path = "../tests/it/table.rs"]
mod table;

use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::RngExt;
use throng_model::{Cell, MovementProfile};

use crate::brute::{Count, Job, all_jobs, maps, movements, movements_on};

/// Seeds of the sample. More take longer: these take a third of the whole command.
const SAMPLE_SEEDS: u64 = 1500;
/// Starts that are planned from for each map and goals of the sample.
const SAMPLE_STARTS: usize = 8;
/// Each instance is planned by one of this many weighted planners, in turn.
const WEIGHTED_EVERY: usize = 6;

/// A part's name, its jobs, and what is done with each.
type Part = (&'static str, fn() -> Vec<Job>, fn(&Job) -> Count);

const PARTS: [Part; 5] = [
    ("oracles", oracles, compare_oracles),
    ("pairs", pairs, judge_all),
    ("triples", triples, judge_all),
    ("corners", corners, judge_all),
    ("sample", sample, judge_all),
];

const USAGE: &str = "exhaustive [--part oracles|pairs|triples|corners|sample] [--threads N]";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_known = |option: &[String]| matches!(option, [name, _] if ["--part", "--threads"].contains(&name.as_str()));
    if !arguments.chunks(2).all(is_known) {
        return println!("{USAGE}");
    }
    let value = |name: &str| {
        let place = arguments.iter().position(|argument| argument == name)?;
        arguments.get(place + 1)
    };
    let threads = value("--threads").map_or(2, |count| count.parse().unwrap());
    let is_asked = |name: &str| value("--part").is_none_or(|part| part == name);
    let asked: Vec<_> = PARTS.into_iter().filter(|part| is_asked(part.0)).collect();
    if asked.is_empty() {
        panic!("no such part: {USAGE}");
    }
    for (name, jobs, run) in asked {
        let Count { instances, unsolvable, answers } = run_all(name, &jobs(), run, threads);
        println!(
            "{name}: {instances} instances, {unsolvable} unsolvable; {answers} answers, all right"
        );
    }
}

/// Does all jobs on some threads, with a progress line.
fn run_all(name: &str, jobs: &[Job], run: fn(&Job) -> Count, threads: usize) -> Count {
    let (next, total) = (AtomicUsize::new(0), Mutex::new(Count::default()));
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let count = run(job);
                    let mut total = total.lock().unwrap();
                    total.add(count);
                    let begun = next.load(Ordering::Relaxed).min(jobs.len());
                    eprint!(
                        "\r{name}: {begun} of {} tables, {} answers",
                        jobs.len(),
                        total.answers
                    );
                }
            });
        }
    });
    eprintln!();
    total.into_inner().unwrap()
}

fn judge_all(job: &Job) -> Count {
    job.run(WEIGHTED_EVERY)
}

/// The forward search of the test kit against the table, on some starts.
fn compare_oracles(job: &Job) -> Count {
    let mut count = Count::default();
    for objective in help::OBJECTIVES {
        let table = table::Table::new(&job.map, &job.movement, objective, &job.goals);
        for starts in &job.starts {
            let problem = job.problem(starts);
            let expected = throng_testkit::joint::optimum(&problem, objective);
            assert_eq!(table.cost(starts), expected, "{problem:?}");
            count.add(Count {
                instances: 1,
                unsolvable: u64::from(expected.is_none()),
                answers: 1,
            });
        }
    }
    count
}

fn pairs() -> Vec<Job> {
    let mut jobs = Vec::new();
    for (width, height) in [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)] {
        for map in maps(width, height, 0..=width * height) {
            for movement in movements_on(&map) {
                jobs.extend((1..=2).flat_map(|units| all_jobs(&map, &movement, units)));
            }
        }
    }
    jobs
}

fn triples() -> Vec<Job> {
    three_units(&movements()[..2], 0..=1)
}

fn corners() -> Vec<Job> {
    three_units(&movements()[2..], 1..=1)
}

fn three_units(movements: &[MovementProfile], walls: RangeInclusive<u32>) -> Vec<Job> {
    let mut jobs = Vec::new();
    for map in maps(3, 3, walls) {
        jobs.extend(movements.iter().flat_map(|movement| all_jobs(&map, movement, 3)));
    }
    jobs
}

fn sample() -> Vec<Job> {
    (0..SAMPLE_SEEDS).filter_map(|seed| sample_job(seed, SAMPLE_STARTS)).collect()
}

fn oracles() -> Vec<Job> {
    let seeds = (0..SAMPLE_SEEDS).filter(|seed| seed % 3 != 2);
    seeds.filter_map(|seed| sample_job(seed, 3)).collect()
}

/// Units at random places of a random map; every third time four of them, else two or three.
fn sample_job(seed: u64, starts: usize) -> Option<Job> {
    let mut rng = throng_testkit::rng(seed);
    let units = 2 + seed as usize % 3;
    let (width, height) = (rng.random_range(2..=4_u32), rng.random_range(3..=4_u32));
    let walls_percent = rng.random_range(0..=45_u32);
    let map = throng_testkit::random_map(seed, width, height, walls_percent);
    let movement = movements().swap_remove(rng.random_range(0..4_u32) as usize);
    let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
    if free.len() < units {
        return None;
    }
    let mut draw = || {
        let mut cells = free.clone();
        let mut take = || cells.swap_remove(rng.random_range(0..cells.len() as u32) as usize);
        (0..units).map(|_| take()).collect::<Vec<_>>()
    };
    let goals = draw();
    let starts = (0..starts).map(|_| draw()).collect();
    Some(Job { map, movement, goals, starts })
}
