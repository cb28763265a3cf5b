//! Data structures that were tried for the reservation table and for RRA*, on the same work.
//!
//! `cargo bench -p throng-bench --bench reservations`
//!
//! Every unit claims a walk of 16 ticks, then asks for entries around itself as a search does,
//! then releases its claims.
#![expect(clippy::print_stdout, reason = "a measurement to be read")]

mod distances;
mod tables;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// The ticks of a walk.
pub(crate) const WINDOW: u32 = 16;

/// The entry and tick of a claim or a question.
pub(crate) type Spot = (u32, u32);

/// The claims and questions for every table.
pub(crate) struct Work {
    pub(crate) cells: usize,
    /// By unit.
    pub(crate) claims: Vec<Vec<Spot>>,
    pub(crate) questions: Vec<Vec<Spot>>,
}

impl Work {
    /// Units that walk at random over a square map and ask for entries on the way.
    fn new(side: u32, units: u32) -> Self {
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        let mut step = |at: u32| {
            let moves = [0, 1, side, side * side - 1, side * side - side];
            (at + moves[rng.random_range(0..5_usize as u32) as usize]) % (side * side)
        };
        let mut walks = Vec::new();
        let mut looks = Vec::new();
        for unit in 0..units {
            let home = (u64::from(unit) * 2_654_435_761 % u64::from(side * side)) as u32;
            let walk = (0..WINDOW).scan(home, |at, tick| {
                *at = step(*at);
                Some((*at, tick))
            });
            walks.push(walk.collect());
            let mut at = home;
            let look = (0..20 * WINDOW).map(|ask| {
                at = if ask % WINDOW == 0 { home } else { step(at) };
                (at, ask % WINDOW)
            });
            looks.push(look.collect());
        }
        Self { cells: (side * side) as usize, claims: walks, questions: looks }
    }
}

fn main() {
    for (side, units) in [(32, 100), (256, 1_000), (1024, 10_000)] {
        println!("{units} units on {side} x {side}");
        let work = Work::new(side, units);
        for (name, (claim_ns, ask_ns)) in tables::measure(&work) {
            println!("  {name:<28} claim and release {claim_ns:6.1} ns   ask {ask_ns:6.1} ns");
        }
    }
    println!("RRA* over a map of 256 x 256 with 20% walls, 200 goals kept");
    for (name, nanoseconds, kilobytes) in distances::measure() {
        println!("  {name:<28} {nanoseconds:6.1} ns per node   {kilobytes:8.1} kB per search");
    }
}
