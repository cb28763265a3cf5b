//! Three reservation tables: the one in use, a hash table alone, and a slice of the map for each tick.

#![expect(clippy::disallowed_types, reason = "a clock to measure with, a hash to measure")]

use std::collections::HashMap;
use std::hint::black_box;
use std::time::Instant;

use throng_cooperative::{Claim, Priority, Reservations};
use throng_model::{Tick, UnitId};
use throng_spacetime::{Entry, TimedObstacles};

use crate::{Spot, WINDOW, Work};

/// The operations of every table.
trait Table {
    fn claim(&mut self, spot: Spot, unit: u32);
    fn release(&mut self, spot: Spot, unit: u32);
    fn is_free(&self, spot: Spot, unit: u32) -> bool;
}

impl Table for Reservations {
    fn claim(&mut self, (entry, tick): Spot, unit: u32) {
        let claim = Claim { unit: UnitId::new(unit), priority: Priority(0) };
        self.claim(Entry(entry), Tick(tick), claim);
    }

    fn release(&mut self, (entry, tick): Spot, unit: u32) {
        self.release(Entry(entry), Tick(tick), UnitId::new(unit));
    }

    fn is_free(&self, (entry, tick): Spot, unit: u32) -> bool {
        self.view(UnitId::new(unit), Priority(0)).is_free(Entry(entry), Tick(tick))
    }
}

/// A hash of (entry, tick), as Silver suggests: "The std::hash_map class ... will do just fine".
#[derive(Default)]
struct Hash(HashMap<Spot, u32>);

impl Table for Hash {
    fn claim(&mut self, spot: Spot, unit: u32) {
        self.0.insert(spot, unit);
    }

    fn release(&mut self, spot: Spot, unit: u32) {
        if self.0.get(&spot) == Some(&unit) {
            self.0.remove(&spot);
        }
    }

    fn is_free(&self, spot: Spot, unit: u32) -> bool {
        self.0.get(&spot).is_none_or(|&holder| holder == unit)
    }
}

/// A slice of the whole map for each tick, in a ring.
struct Slices {
    holders: Vec<u32>,
    cells: usize,
}

impl Table for Slices {
    fn claim(&mut self, (entry, tick): Spot, unit: u32) {
        self.holders[(tick % (2 * WINDOW)) as usize * self.cells + entry as usize] = unit + 1;
    }

    fn release(&mut self, (entry, tick): Spot, unit: u32) {
        let holder =
            &mut self.holders[(tick % (2 * WINDOW)) as usize * self.cells + entry as usize];
        if *holder == unit + 1 {
            *holder = 0;
        }
    }

    fn is_free(&self, (entry, tick): Spot, unit: u32) -> bool {
        let holder = self.holders[(tick % (2 * WINDOW)) as usize * self.cells + entry as usize];
        holder == 0 || holder == unit + 1
    }
}

/// Nanoseconds per claim with its release, and per question.
type Times = (f64, f64);

pub(crate) fn measure(work: &Work) -> [(&'static str, Times); 3] {
    let slices = Slices { holders: vec![0; work.cells * 2 * WINDOW as usize], cells: work.cells };
    [
        ("bits and a hash (in use)", run(Reservations::new(work.cells), work)),
        ("a hash alone", run(Hash::default(), work)),
        ("a slice for each tick", run(slices, work)),
    ]
}

fn run(mut table: impl Table, work: &Work) -> Times {
    let rounds = (20_000 / work.claims.len()).max(3);
    let (mut claiming, mut asking) = (0.0, 0.0);
    for _ in 0..rounds {
        let begin = Instant::now();
        each(&work.claims, |spot, unit| table.claim(spot, unit));
        claiming += begin.elapsed().as_secs_f64();
        let begin = Instant::now();
        let mut free = 0;
        each(&work.questions, |spot, unit| free += u64::from(table.is_free(spot, unit)));
        black_box(free);
        asking += begin.elapsed().as_secs_f64();
        let begin = Instant::now();
        each(&work.claims, |spot, unit| table.release(spot, unit));
        claiming += begin.elapsed().as_secs_f64();
    }
    let count = |lists: &[Vec<Spot>]| (lists.iter().map(Vec::len).sum::<usize>() * rounds) as f64;
    (claiming * 1e9 / count(&work.claims), asking * 1e9 / count(&work.questions))
}

fn each(lists: &[Vec<Spot>], mut visit: impl FnMut(Spot, u32)) {
    for (unit, list) in (0..).zip(lists) {
        list.iter().for_each(|&spot| visit(spot, unit));
    }
}
