//! The reservation table against a naive one.

use std::collections::BTreeMap;

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_cooperative::{Claim, Priority, Reservations};
use throng_model::{Cell, Map, MovementProfile, Tick, UnitId};
use throng_spacetime::{
    Action, Entry, FootprintRules, GridSpace, Leg, Space, TimedObstacles, TimedPath,
};

use crate::cases;

/// The simplest possible reservation table.
#[derive(Default)]
struct Naive {
    claims: BTreeMap<(u32, u32), Claim>,
    parked: BTreeMap<u32, (u32, Claim)>,
    now: u32,
    last: u32,
}

impl Naive {
    fn holder(&self, entry: u32, tick: u32) -> Option<Claim> {
        let parked = self.parked.get(&entry).filter(|(from, _)| *from <= tick);
        self.claims.get(&(entry, tick)).copied().or(parked.map(|(_, claim)| *claim))
    }

    fn claim(&mut self, entry: u32, tick: u32, claim: Claim) -> Option<Claim> {
        let before = self.holder(entry, tick).filter(|holder| holder.unit != claim.unit);
        self.claims.insert((entry, tick), claim);
        self.last = self.last.max(tick);
        before
    }

    fn release(&mut self, entry: u32, tick: u32, unit: UnitId) {
        if self.claims.get(&(entry, tick)).is_some_and(|claim| claim.unit == unit) {
            self.claims.remove(&(entry, tick));
        }
    }

    fn blocks(&self, (unit, priority): (UnitId, Priority), entry: u32, tick: u32) -> bool {
        let counts = |claim: Claim| claim.unit != unit && claim.priority >= priority;
        self.holder(entry, tick).is_some_and(counts)
    }

    /// Whether a unit that counts passes from one entry to the other.
    fn is_passed(&self, who: (UnitId, Priority), entries: (u32, u32), tick: u32) -> bool {
        let (first, second) = (self.holder(entries.0, tick), self.holder(entries.1, tick + 1));
        let same = first.zip(second).is_some_and(|(first, second)| first.unit == second.unit);
        same && self.blocks(who, entries.1, tick + 1)
    }

    fn free_from(&self, who: (UnitId, Priority), entry: u32) -> Option<u32> {
        let beyond = self.last.max(self.now) + 1;
        if self.blocks(who, entry, beyond + 1_000_000) {
            return None;
        }
        let blocked = (self.now..=beyond).rev().find(|&tick| self.blocks(who, entry, tick));
        Some(blocked.map_or(0, |tick| tick + 1))
    }
}

struct Pair {
    rng: Pcg64Mcg,
    table: Reservations,
    naive: Naive,
    space: GridSpace,
    map: Map,
    paths: Vec<(UnitId, TimedPath)>,
    /// How far ahead claims are made.
    reach: u32,
}

impl Pair {
    fn new(seed: u64) -> Self {
        let mut rng = throng_testkit::rng(seed);
        let map = Map::empty(5, 4).unwrap();
        let movement = cases::movement(&mut rng);
        let space = GridSpace::new(&map, movement, &FootprintRules::default()).unwrap();
        let reach = cases::pick(&mut rng, &[5, 63, 64, 65, 200, 1000]);
        let table = Reservations::new(space.entries());
        Self { rng, table, naive: Naive::default(), space, map, paths: Vec::new(), reach }
    }

    fn spot(&mut self) -> (Entry, Tick, Claim) {
        let rng = &mut self.rng;
        let entry = Entry(rng.random_range(0..self.space.entries() as u32));
        let tick = Tick(self.naive.now + rng.random_range(0..self.reach));
        let priority = Priority(rng.random_range(0..4));
        (entry, tick, Claim { unit: UnitId::new(rng.random_range(0..5)), priority })
    }

    fn act(&mut self) {
        let (entry, tick, claim) = self.spot();
        match self.rng.random_range(0..20) {
            0..8 => {
                let expected = self.naive.claim(entry.0, tick.0, claim);
                assert_eq!(self.table.claim(entry, tick, claim), expected);
            }
            8..13 => {
                self.naive.release(entry.0, tick.0, claim.unit);
                self.table.release(entry, tick, claim.unit);
            }
            13 if self.rng.random_range(0..10) == 0 => {
                self.naive.parked.insert(entry.0, (tick.0, claim));
                self.naive.last = self.naive.last.max(tick.0);
                self.table.park(entry, tick, claim);
            }
            14..16 => self.claim_path(tick, claim),
            16..18 => self.release_path(tick),
            _ => self.advance(),
        }
    }

    fn claim_path(&mut self, from: Tick, claim: Claim) {
        let Some(mut at) = cases::place(&mut self.rng, &self.map, &self.space) else { return };
        let mut path = TimedPath::default();
        let mut tick = self.naive.now;
        for _ in 0..self.rng.random_range(0..12) {
            let mut actions = vec![(Action::PAUSE, at, 1)];
            self.space.for_each_move(at, |step| actions.push((step.action, step.to, step.ticks)));
            let (action, to, ticks) = cases::pick(&mut self.rng, &actions);
            path.legs.push(Leg { from: at, tick: Tick(tick), action });
            (at, tick) = (to, tick + ticks);
        }
        path.end = Some((at, Tick(tick)));
        let mut expected = Vec::new();
        Reservations::for_each_claim(&self.space, &path, from, |entry, tick| {
            let before = self.naive.claim(entry.0, tick.0, claim);
            expected.extend(before.map(|before| before.unit));
        });
        for leg in &path.legs {
            self.space.passings(leg.from, leg.action, |before, after| {
                if self.naive.is_passed((claim.unit, Priority(0)), (before.0, after.0), leg.tick.0)
                {
                    expected.extend(self.naive.holder(before.0, leg.tick.0).map(|c| c.unit));
                }
                true
            });
        }
        let mut overridden = Vec::new();
        self.table.claim_path(&self.space, &path, from, claim, &mut overridden);
        overridden.sort_unstable();
        expected.sort_unstable();
        assert_eq!(overridden, expected);
        self.paths.push((claim.unit, path));
    }

    fn release_path(&mut self, from: Tick) {
        let Some((unit, path)) = self.paths.pop() else { return };
        Reservations::for_each_claim(&self.space, &path, from, |entry, tick| {
            self.naive.release(entry.0, tick.0, unit);
        });
        self.table.release_path(&self.space, &path, from, unit);
    }

    /// Time goes on; what is over is released first, as the table asks for.
    fn advance(&mut self) {
        let now = self.naive.now + cases::pick(&mut self.rng, &[1, 1, 1, 7, 70]);
        let over: Vec<_> = self.naive.claims.range(..).map(|(&at, &claim)| (at, claim)).collect();
        for ((entry, tick), claim) in over.into_iter().filter(|((_, tick), _)| *tick < now) {
            self.naive.release(entry, tick, claim.unit);
            self.table.release(Entry(entry), Tick(tick), claim.unit);
        }
        (self.naive.now, self.naive.last) = (now, self.naive.last.max(now));
        self.table.advance(Tick(now));
    }

    fn compare(&mut self) {
        for _ in 0..4 {
            let (entry, tick, claim) = self.spot();
            let who = (claim.unit, claim.priority);
            let view = self.table.view(who.0, who.1);
            assert_eq!(self.table.holder(entry, tick), self.naive.holder(entry.0, tick.0));
            assert_eq!(view.is_free(entry, tick), !self.naive.blocks(who, entry.0, tick.0));
            let free_from = view.free_from(entry).map(|tick| tick.0);
            assert_eq!(free_from, self.naive.free_from(who, entry.0));
            assert_eq!(view.last_tick().0, self.naive.last);
            let after = Entry((entry.0 + 1) % self.space.entries() as u32);
            let passed = self.naive.is_passed(who, (entry.0, after.0), tick.0);
            let view = self.table.view(who.0, who.1);
            assert_eq!(view.may_pass(entry, after, tick), !passed);
            let stranger = self.table.view_of_all_claims();
            let taken =
                self.naive.blocks((UnitId::from_bits(u32::MAX), Priority(0)), entry.0, tick.0);
            assert_eq!(stranger.is_free(entry, tick), !taken);
            for (view, who) in [(view, who), (stranger, (UnitId::from_bits(u32::MAX), Priority(0)))]
            {
                let ticks = tick.0..=self.naive.last.max(tick.0) + 1;
                let next = |taken| {
                    let mut ticks = ticks.clone();
                    ticks.find(|&tick| self.naive.blocks(who, entry.0, tick) == taken).map(Tick)
                };
                assert_eq!(view.next_taken(entry, tick), next(true));
                assert_eq!(view.next_free(entry, tick), next(false));
            }
        }
        assert_eq!(self.table.len(), self.naive.claims.len());
        assert_eq!(self.table.is_empty(), self.naive.claims.is_empty());
    }
}

#[test]
fn the_table_is_what_a_naive_one_is() {
    for seed in 0..60 {
        let mut pair = Pair::new(seed);
        for _ in 0..400 {
            pair.act();
            pair.compare();
        }
        let sorted = pair.table.sorted_claims().into_iter();
        assert!(
            sorted.map(|(entry, tick, claim)| ((entry.0, tick.0), claim)).eq(pair.naive.claims)
        );
    }
}

/// A large unit steps diagonally, past two others that come against it at both its corners.
#[test]
fn all_who_pass_are_overridden() {
    let map = Map::empty(6, 6).unwrap();
    let rules = FootprintRules::default();
    let space = |footprint| {
        let movement = MovementProfile { footprint, ..MovementProfile::eight_connected() };
        GridSpace::new(&map, movement, &rules).unwrap()
    };
    let (large, small) = (space(2), space(1));
    let step = |space: &GridSpace, from: (u16, u16), to: (u16, u16)| {
        let (from, to) = (Cell::new(from.0, from.1), Cell::new(to.0, to.1));
        let (from, to) = (space.position(from).unwrap(), space.position(to).unwrap());
        let mut legs = Vec::new();
        space.for_each_move(from, |step| {
            if step.to == to {
                legs.push(Leg { from, tick: Tick(0), action: step.action });
            }
        });
        TimedPath { legs, end: Some((to, Tick(1))) }
    };
    let mut table = Reservations::new(large.entries());
    for (unit, from, to) in [(1, (3, 2), (2, 1)), (2, (2, 3), (1, 2))] {
        let claim = Claim { unit: UnitId::new(unit), priority: Priority(0) };
        table.claim_path(&small, &step(&small, from, to), Tick(0), claim, &mut Vec::new());
    }
    let mut overridden = Vec::new();
    let claim = Claim { unit: UnitId::new(0), priority: Priority(9) };
    table.claim_path(&large, &step(&large, (1, 1), (2, 2)), Tick(1), claim, &mut overridden);
    assert_eq!(overridden, [1, 2].map(UnitId::new));
}
