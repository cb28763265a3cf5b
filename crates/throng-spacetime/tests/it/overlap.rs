//! Where bodies are between ticks: the guarantees of [`PassingRule`], sampled in continuous time.

use std::collections::BTreeSet;

use rand::{Rng, RngExt};
use throng_model::{Cell, Map, MovementProfile, Tick};
use throng_spacetime::{
    Action, Entry, FootprintRules, GridSpace, Move, PassingRule, Position, Space, TimedObstacles,
    is_legal,
};

const SIDE: u32 = 7;
/// Samples per tick. A multiple of 3: the deepest overlap is at thirds of a tick.
const SAMPLES: u32 = 12;

/// What one unit holds.
#[derive(Default)]
struct Claims(BTreeSet<(Entry, u32)>);

impl TimedObstacles for Claims {
    fn is_free(&self, entry: Entry, tick: Tick) -> bool {
        !self.0.contains(&(entry, tick.0))
    }

    fn may_pass(&self, before: Entry, after: Entry, tick: Tick) -> bool {
        self.is_free(before, tick) || self.is_free(after, Tick(tick.0 + 1))
    }

    fn free_from(&self, _: Entry) -> Option<Tick> {
        None
    }

    fn last_tick(&self) -> Tick {
        Tick(self.0.iter().map(|&(_, tick)| tick).max().unwrap_or(0))
    }
}

/// A unit's walk: when each action begins, how long it takes, and its two cells.
struct Walk {
    body: f64,
    legs: Vec<(u32, u32, Cell, Cell)>,
    end: u32,
}

impl Walk {
    /// A random walk of some ticks that keeps clear of claims, and what it claims itself.
    fn random(
        rng: &mut impl Rng,
        space: &GridSpace,
        others: &Claims,
        ticks: u32,
    ) -> Option<(Self, Claims)> {
        let mut at = Position(rng.random_range(0..SIDE * SIDE));
        let mut claims = Claims::default();
        let is_free = space.standing(at, |entry| {
            claims.0.insert((entry, 0));
            others.is_free(entry, Tick(0))
        });
        if !is_free || !space.ground().can_stand(space.cell(at)) {
            return None;
        }
        let body = f64::from(space.ground().movement().footprint);
        let mut walk = Self { body, legs: Vec::new(), end: 0 };
        while walk.end < ticks {
            let mut moves = vec![Move { to: at, cost: 0, ticks: 1, action: Action::PAUSE }];
            space.for_each_move(at, |step| moves.push(step));
            moves.retain(|step| is_legal(space, others, at, step.action, Tick(walk.end)));
            let Some(step) = moves.get(rng.random_range(0..moves.len().max(1))) else { break };
            space.footprint(at, step.action, |entry, later| {
                claims.0.insert((entry, walk.end + later));
                true
            });
            walk.legs.push((walk.end, step.ticks, space.cell(at), space.cell(step.to)));
            (at, walk.end) = (step.to, walk.end + step.ticks);
        }
        Some((walk, claims))
    }

    /// Left and top of the body at a time, in cells.
    fn corner(&self, time: f64) -> (f64, f64) {
        let leg = self.legs.iter().rfind(|leg| f64::from(leg.0) <= time).unwrap();
        let part = ((time - f64::from(leg.0)) / f64::from(leg.1)).min(1.0);
        let between = |from: u16, to: u16| f64::from(from) * (1.0 - part) + f64::from(to) * part;
        (between(leg.2.x, leg.3.x), between(leg.2.y, leg.3.y))
    }

    /// How deep two bodies overlap at a time: the smaller side of what they share.
    fn overlap(&self, other: &Self, time: f64) -> f64 {
        let ((ax, ay), (bx, by)) = (self.corner(time), other.corner(time));
        let shared = |a: f64, b: f64| (a + self.body).min(b + other.body) - a.max(b);
        shared(ax, bx).min(shared(ay, by)).max(0.0)
    }
}

fn unit(map: &Map, rng: &mut impl Rng, plain: bool, rules: &FootprintRules) -> GridSpace {
    let mut movement = if rng.random_range(0..4) == 0 {
        MovementProfile::four_connected()
    } else {
        MovementProfile::eight_connected()
    };
    if !plain {
        (movement.footprint, movement.pace) = (rng.random_range(1..=3), rng.random_range(1..=3));
    }
    GridSpace::new(map, movement, rules).unwrap()
}

/// The deepest overlap of many pairs of walks at whole ticks, and at any time.
fn deepest(passing: PassingRule, plain: bool, cases: u64) -> (f64, f64) {
    let (map, mut compared) = (Map::empty(SIDE, SIDE).unwrap(), 0);
    let rules = FootprintRules { passing, ..FootprintRules::default() };
    let (mut at_ticks, mut at_any_time) = (0.0_f64, 0.0_f64);
    for seed in 0..cases {
        let rng = &mut throng_testkit::rng(seed);
        let (space, other_space) = (unit(&map, rng, plain, &rules), unit(&map, rng, plain, &rules));
        let Some((walk, claims)) = Walk::random(rng, &space, &Claims::default(), 12) else {
            continue;
        };
        let Some((other, _)) = Walk::random(rng, &other_space, &claims, 12) else { continue };
        let end = walk.end.min(other.end);
        compared += u32::from(end > 0);
        for sample in 0..end * SAMPLES {
            let time = f64::from(sample) / f64::from(SAMPLES);
            let overlap = walk.overlap(&other, time);
            at_any_time = at_any_time.max(overlap);
            if sample % SAMPLES == 0 {
                at_ticks = at_ticks.max(overlap);
            }
        }
    }
    assert!(u64::from(compared) > cases / 4, "{compared} of {cases} cases compare anything");
    (at_ticks, at_any_time)
}

const NOTHING: f64 = 1e-9;

#[test]
fn with_double_claims_bodies_never_overlap_at_any_instant() {
    for plain in [true, false] {
        let (_, overlap) = deepest(PassingRule::DoubleClaims, plain, 6000);
        assert!(overlap < NOTHING, "overlap by {overlap} of a cell, one cell and tick: {plain}");
    }
}

#[test]
fn with_the_explicit_test_bodies_overlap_between_ticks_by_at_most_two_thirds() {
    let (at_ticks, overlap) = deepest(PassingRule::ExplicitTest, true, 6000);
    assert!(at_ticks < NOTHING, "overlap by {at_ticks} of a cell at a tick");
    assert!((overlap - 2.0 / 3.0).abs() < NOTHING, "overlap by {overlap} of a cell");
    let (at_ticks, _) = deepest(PassingRule::ExplicitTest, false, 6000);
    assert!(at_ticks < NOTHING, "large or slow bodies overlap by {at_ticks} at a tick");
}
