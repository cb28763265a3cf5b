//! The search through space-time against brute force over every position at every tick.

use std::collections::{BTreeMap, BTreeSet};

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_model::{
    Budget, CornerRule, DiagonalCost, Effort, Map, MovementProfile, Neighbours, SearchStatus, Tick,
};
use throng_spacetime::{
    Action, Entry, FootprintRules, GridSpace, PassingRule, Position, Rra, SafeIntervalSearch,
    Space, SpaceTimeSearch, TimedObstacles, TimedPath, Until,
};

/// Obstacles that were drawn at random.
#[derive(Default)]
struct Drawn {
    taken: BTreeSet<(Entry, Tick)>,
    forever: BTreeMap<Entry, Tick>,
    passed: BTreeSet<(Entry, Entry, Tick)>,
    penalties: BTreeMap<(Entry, Tick), u64>,
    /// Whether penalties never fall.
    rising: bool,
    last: Tick,
}

impl TimedObstacles for Drawn {
    fn is_free(&self, entry: Entry, tick: Tick) -> bool {
        let parked = self.forever.get(&entry).is_some_and(|&from| tick >= from);
        !parked && !self.taken.contains(&(entry, tick))
    }

    fn may_pass(&self, before: Entry, after: Entry, tick: Tick) -> bool {
        !self.passed.contains(&(before, after, tick))
    }

    fn penalty(&self, entry: Entry, tick: Tick) -> u64 {
        let since = if self.rising { Tick(0) } else { tick };
        self.penalties
            .range((entry, since)..=(entry, tick))
            .map(|(_, &penalty)| penalty)
            .max()
            .unwrap_or(0)
    }

    fn free_from(&self, entry: Entry) -> Option<Tick> {
        if self.forever.contains_key(&entry) {
            return None;
        }
        let last = self.taken.iter().filter(|&&(at, _)| at == entry).map(|&(_, tick)| tick.0).max();
        Some(Tick(last.map_or(0, |tick| tick + 1)))
    }

    fn last_tick(&self) -> Tick {
        self.last
    }
}

struct Case {
    space: GridSpace,
    obstacles: Drawn,
    start: (Position, Tick),
    goal: Position,
    distances: Rra,
    until: Until,
}

fn pick<T: Clone>(rng: &mut Pcg64Mcg, of: &[T]) -> T {
    of[rng.random_range(0..of.len() as u32) as usize].clone()
}

fn movement(rng: &mut Pcg64Mcg) -> MovementProfile {
    MovementProfile {
        neighbours: pick(rng, &[Neighbours::Four, Neighbours::Eight]),
        corners: pick(rng, &[CornerRule::NeverCut, CornerRule::AlwaysCut]),
        diagonal: pick(rng, &[DiagonalCost::TrueLength, DiagonalCost::OneTick]),
        footprint: pick(rng, &[1, 1, 2]),
        pace: pick(rng, &[1, 1, 2, 3]),
        ..MovementProfile::four_connected()
    }
}

fn case(seed: u64) -> Option<Case> {
    let rng = &mut throng_testkit::rng(seed);
    let (width, height) = (rng.random_range(2..7), rng.random_range(1..7));
    let (percent, factor_max) = (pick(rng, &[0, 20]), pick(rng, &[1, 3]));
    let map = throng_testkit::random_terrain(rng.random(), width, height, percent, factor_max);
    let rules = FootprintRules {
        passing: pick(rng, &[PassingRule::ExplicitTest, PassingRule::DoubleClaims]),
        corners_kept: rng.random_range(0..4) == 0,
        ..FootprintRules::default()
    };
    let space = GridSpace::new(&map, movement(rng), &rules).ok()?;
    let start = (place(rng, &map, &space)?, Tick(rng.random_range(0..5)));
    let goal = place(rng, &map, &space)?;
    let mut distances = Rra::default();
    distances.begin(&space, [(goal, 0)], start.0);
    let until = match rng.random_range(0..3) {
        0 => Until::Depth(rng.random_range(0..12)),
        1 => Until::Goal(goal),
        _ => Until::Parked(goal),
    };
    let obstacles = drawn(rng, &space);
    Some(Case { space, obstacles, start, goal, distances, until })
}

fn place(rng: &mut Pcg64Mcg, map: &Map, space: &GridSpace) -> Option<Position> {
    let free: Vec<_> = map.cells().filter(|&cell| space.ground().can_stand(cell)).collect();
    if free.is_empty() { None } else { space.position(pick(rng, &free)) }
}

fn drawn(rng: &mut Pcg64Mcg, space: &GridSpace) -> Drawn {
    let entries = space.entries() as u32;
    let last = rng.random_range(0..25);
    let (density, penalized) = (pick(rng, &[0, 1, 3, 6]), rng.random_range(0..2) == 0);
    let mut obstacles = Drawn { last: Tick(last), ..Drawn::default() };
    for _ in 0..entries * last * density / 12 {
        let entry = Entry(rng.random_range(0..entries));
        let (other, tick) = (Entry(rng.random_range(0..entries)), Tick(rng.random_range(0..last)));
        obstacles.taken.insert((entry, tick));
        obstacles.passed.insert((entry, other, tick));
        if penalized {
            let at = (other, Tick(rng.random_range(0..last)));
            obstacles.penalties.insert(at, rng.random_range(0..5) * space.pause_cost());
        }
    }
    for _ in 0..pick(rng, &[0, 0, 1, 3]) {
        obstacles.forever.insert(Entry(rng.random_range(0..entries)), Tick(last));
    }
    obstacles
}

impl Case {
    fn is_legal(&self, from: Position, action: Action, tick: u32) -> bool {
        let mut legal = true;
        self.space.footprint(from, action, |entry, later| {
            legal &= self.obstacles.is_free(entry, Tick(tick + later));
            true
        });
        self.space.passings(from, action, |before, after| {
            legal &= self.obstacles.may_pass(before, after, Tick(tick));
            true
        });
        legal
    }

    /// What can be done somewhere at a tick: the action, where that ends and when, its cost.
    fn actions(&mut self, at: Position, tick: u32) -> Vec<(Action, Position, u32, u64)> {
        let rests = matches!(self.until, Until::Depth(_)) && at == self.goal;
        let pause = if rests { 0 } else { self.space.pause_cost() };
        let mut actions = vec![(Action::PAUSE, at, tick + 1, pause)];
        self.space.for_each_move(at, |step| {
            let mut penalty = 0;
            let arrival = tick + step.ticks;
            self.space.standing(step.to, |entry| {
                penalty = self.obstacles.penalty(entry, Tick(arrival)).max(penalty);
                true
            });
            actions.push((step.action, step.to, arrival, step.cost + penalty));
        });
        actions.retain(|&(action, to, ..)| {
            self.is_legal(at, action, tick)
                && (to == at || self.distances.distance(&self.space, to).is_some())
        });
        actions
    }

    /// What it costs to end here, if the search may end here.
    fn ending(&mut self, at: Position, tick: u32) -> Option<u64> {
        let ends = match self.until {
            Until::Depth(depth) => tick >= self.start.1.0 + depth,
            Until::Goal(goal) => at == goal,
            Until::Parked(goal) => {
                let mut free = at == goal;
                self.space.standing(goal, |entry| {
                    let from = self.obstacles.free_from(entry);
                    free &= from.is_some_and(|from| from.0 <= tick);
                    true
                });
                free
            }
        };
        let rest = match self.until {
            Until::Depth(_) => self.distances.distance(&self.space, at).unwrap_or(1 << 60),
            _ => 0,
        };
        ends.then_some(rest)
    }

    /// The least cost of all, and the last tick that can be reached at all, up to a limit.
    fn brute_force(&mut self) -> (Option<u64>, u32) {
        let depth = if let Until::Depth(depth) = self.until { depth } else { 0 };
        let span = self.space.move_ticks_max() * (self.space.positions() as u32 + 2);
        let limit = self.start.1.0.max(self.obstacles.last.0) + span + depth;
        let mut open = BTreeSet::from([(self.start.1.0, self.start.0, 0)]);
        let mut costs: BTreeMap<(u32, Position), u64> = BTreeMap::new();
        let (mut best, mut last) = (None, self.start.1.0);
        // Time only goes on, so that in its order all that leads to a state is known.
        while let Some((tick, at, cost)) = open.pop_first() {
            if costs.get(&(tick, at)).is_some_and(|&known| known <= cost) {
                continue;
            }
            costs.insert((tick, at), cost);
            last = last.max(tick);
            if let Some(rest) = self.ending(at, tick) {
                best = Some(best.unwrap_or(u64::MAX).min(cost + rest));
                continue;
            }
            if tick < limit {
                let actions = self.actions(at, tick).into_iter();
                open.extend(actions.map(|(_, to, arrival, step)| (arrival, to, cost + step)));
            }
        }
        (best, last)
    }

    fn run(
        &mut self,
        search: &mut SpaceTimeSearch,
        expansions: u64,
    ) -> (SearchStatus, TimedPath, u64) {
        let mut effort = Effort::new(Budget::expansions(expansions));
        let (space, distances) = (&self.space, &mut self.distances);
        let ended = search.run(
            space,
            &self.obstacles,
            self.start,
            self.until,
            &mut |at| distances.distance(space, at),
            &mut effort,
        );
        let mut path = TimedPath::default();
        search.path_into(space, self.start.1, &mut path);
        let mut again = TimedPath::default();
        search.path_into(space, self.start.1, &mut again);
        assert_eq!(path, again);
        (ended, path, expansions - effort.left())
    }

    /// Walks a path; what it costs, its end not counted.
    fn walk(&mut self, path: &TimedPath, what: &str) -> u64 {
        let (mut at, mut tick, mut cost) = (self.start.0, self.start.1.0, 0);
        for leg in &path.legs {
            assert_eq!((leg.from, leg.tick.0), (at, tick), "{what}: a gap");
            assert_eq!(self.ending(at, tick), None, "{what}: goes on after its end");
            let actions = self.actions(at, tick);
            let done = actions.into_iter().find(|&(action, ..)| action == leg.action);
            let (_, to, arrival, step) = done.unwrap_or_else(|| panic!("{what}: {leg:?}"));
            (at, tick, cost) = (to, arrival, cost + step);
        }
        assert_eq!(path.end, Some((at, Tick(tick))), "{what}");
        cost
    }
}

/// Compares one search with brute force; whether a path was found.
fn check(seed: u64, search: &mut SpaceTimeSearch) -> Option<bool> {
    let mut case = case(seed)?;
    let what = format!("case {seed}, {:?}", case.until);
    let (best, last) = case.brute_force();
    let (ended, path, expanded) = case.run(search, u64::MAX);
    assert_eq!(ended == SearchStatus::Found, best.is_some(), "{what}: {ended:?}");
    if let Some(best) = best {
        let cost = case.walk(&path, &what);
        let (at, tick) = path.end.unwrap();
        let rest = case.ending(at, tick.0).unwrap_or_else(|| panic!("{what}: ends too early"));
        assert_eq!(cost + rest, best, "{what}: not the best");
    } else if let Some((_, end)) = path.end {
        case.walk(&path, &what);
        // All is the same after the last obstacle.
        assert!(end.0 == last || end > case.obstacles.last, "{what}: {end} is not {last}");
    } else {
        assert!(matches!(case.until, Until::Parked(_)), "{what}: no path at all");
    }
    assert_eq!(case.run(search, expanded), (ended, path, expanded), "{what}: again");
    if expanded > 0 {
        let (ended, path, spent) = case.run(search, expanded - 1);
        assert_eq!((ended, spent), (SearchStatus::BudgetSpent, expanded - 1), "{what}");
        case.walk(&path, &what);
    }
    Some(ended == SearchStatus::Found)
}

#[test]
fn the_best_path_is_found_or_there_is_none() {
    let mut search = SpaceTimeSearch::default();
    let outcomes: Vec<_> = (0..6000).filter_map(|seed| check(seed, &mut search)).collect();
    let found = outcomes.iter().filter(|&&found| found).count();
    assert!(found > 2000 && outcomes.len() - found > 300, "{found} of {}", outcomes.len());
}

/// Compares a search over safe intervals with brute force; whether a path was found.
fn check_intervals(seed: u64, search: &mut SafeIntervalSearch) -> Option<bool> {
    let mut case = case(seed)?;
    case.until = Until::Parked(case.goal);
    case.obstacles.rising = true;
    let what = format!("case {seed}");
    let (best, _) = case.brute_force();
    let mut run = |case: &mut Case, expansions: u64| {
        let mut effort = Effort::new(Budget::expansions(expansions));
        let (space, distances) = (&case.space, &mut case.distances);
        let mut distance = |at| distances.distance(space, at);
        let (obstacles, effort) = (&case.obstacles, &mut effort);
        let ended = search.run(space, obstacles, case.start, case.goal, &mut distance, effort);
        let mut path = TimedPath::default();
        search.path_into(space, &mut path);
        (ended, path, expansions - effort.left())
    };
    let (ended, path, expanded) = run(&mut case, u64::MAX);
    assert_eq!(ended == SearchStatus::Found, best.is_some(), "{what}: {ended:?}");
    if let Some(best) = best {
        let cost = case.walk(&path, &what);
        assert!((best..=best + best / 10).contains(&cost), "{what}: {cost} instead of {best}");
        let (at, tick) = path.end.unwrap();
        assert!(case.ending(at, tick.0).is_some(), "{what}: ends too early");
    } else {
        assert_eq!(path, TimedPath::default(), "{what}");
    }
    assert_eq!(run(&mut case, expanded), (ended, path, expanded), "{what}: again");
    if expanded > 0 {
        let spent = (SearchStatus::BudgetSpent, TimedPath::default(), expanded - 1);
        assert_eq!(run(&mut case, expanded - 1), spent, "{what}");
    }
    Some(ended == SearchStatus::Found)
}

#[test]
fn over_safe_intervals_nearly_the_best_path_is_found_or_there_is_none() {
    let mut search = SafeIntervalSearch::default();
    let outcomes: Vec<_> =
        (0..6000).filter_map(|seed| check_intervals(seed, &mut search)).collect();
    let found = outcomes.iter().filter(|&&found| found).count();
    assert!(found > 2000 && outcomes.len() - found > 300, "{found} of {}", outcomes.len());
}

#[test]
fn used_again_it_hardly_asks_for_memory() {
    let mut cases: Vec<_> = (0..300).filter_map(case).collect();
    let mut search = SpaceTimeSearch::default();
    let mut path = TimedPath::default();
    let mut run = |case: &mut Case| {
        let (space, distances) = (&case.space, &mut case.distances);
        let mut distance = |at| distances.distance(space, at);
        let budget = &mut Effort::unlimited();
        search.run(space, &case.obstacles, case.start, case.until, &mut distance, budget);
        search.path_into(space, case.start.1, &mut path);
    };
    for _ in 0..3 {
        cases.iter_mut().for_each(&mut run);
    }
    let again = allocation_counter::measure(|| cases.iter_mut().for_each(&mut run));
    assert!(again.bytes_total < 10_000, "{again:?}");
}
