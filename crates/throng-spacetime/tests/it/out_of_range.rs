//! Positions, actions and ticks that do not exist: an answer, never a panic.

use throng_grid::kit::DenseCosts;
use throng_model::{Budget, Cell, Effort, Map, MovementProfile, SearchStatus, Tick};
use throng_spacetime::{
    Action, FootprintRules, Grain, GridSpace, LocalRra, NoObstacles, Position, Rra,
    SafeIntervalSearch, Space, SpaceTimeSearch, TimedPath, Until,
};

/// Off a map of 6 x 5 cells.
const OFF: [Position; 4] =
    [Position(30), Position(1 << 24), Position(u32::MAX - 1), Position(u32::MAX)];

fn space(grain: Grain) -> GridSpace {
    let rules = FootprintRules { grain, ..FootprintRules::default() };
    let map = Map::empty(6, 5).unwrap();
    GridSpace::new(&map, MovementProfile::eight_connected(), &rules).unwrap()
}

#[test]
fn off_the_map_a_grid_has_no_moves() {
    for grain in [Grain::Cell, Grain::Coarser(2), Grain::Coarser(0), Grain::Finer(3)] {
        let space = space(grain);
        for at in OFF {
            let mut moves = 0;
            space.for_each_move(at, |_| moves += 1);
            space.for_each_move_back(at, |_| moves += 1);
            assert_eq!((moves, space.move_to(at, Position(0))), (0, None));
            let _ = (space.cell(at), space.estimate(at, Position(0)), space.standing(at, |_| true));
            for action in [Action(0), Action(8), Action(500), Action(u16::MAX - 1), Action::PAUSE] {
                assert_eq!(space.move_by(at, action), None);
                let _ = space.footprint(at, action, |_, _| true);
                let _ = space.passings(at, action, |_, _| true);
            }
        }
    }
}

#[test]
fn off_the_map_there_is_no_distance() {
    let space = space(Grain::Cell);
    let mut distances: Rra<DenseCosts> = Rra::default();
    for at in OFF {
        distances.begin(&space, [(at, 0), (Position(3), 0)], Position(9));
        assert_eq!((distances.distance(&space, at), distances.known(at)), (None, None));
        assert_eq!(distances.run(&space, at, &mut Effort::unlimited()), SearchStatus::Exhausted);
        assert_eq!(distances.distance(&space, Position(5)), Some(2 * throng_model::STRAIGHT));
        distances.begin(&space, [(Position(3), 0)], at);
        assert_eq!(distances.distance(&space, Position(5)), None, "it heads nowhere");
    }
    let mut local = LocalRra::default();
    for middle in [Cell::new(6, 2), Cell::new(u16::MAX, u16::MAX)] {
        local.begin(&space, middle, 4, [(Position(3), 0)]);
        let _ = (local.distance(&space, Position(3)), local.distance(&space, OFF[0]));
        let _ = (local.known(&space, Position(29)), local.path(&space, Position(4)));
    }
}

#[test]
fn a_stopped_search_for_distances_goes_on() {
    let space = space(Grain::Cell);
    let (mut sliced, mut whole) = (Rra::<DenseCosts>::default(), Rra::<DenseCosts>::default());
    for distances in [&mut sliced, &mut whole] {
        distances.begin(&space, [(Position(0), 0)], Position(29));
    }
    let mut calls = 1;
    while sliced.run(&space, Position(29), &mut Effort::new(Budget::expansions(1)))
        == SearchStatus::BudgetSpent
    {
        assert_eq!((sliced.known(Position(29)), sliced.expanded()), (None, calls));
        calls += 1;
    }
    assert_eq!(sliced.known(Position(29)), whole.distance(&space, Position(29)));
    assert_eq!(sliced.expanded(), whole.expanded());
    let stop = || true;
    let mut stopped = Effort::new(Budget::unlimited().with_interrupt(&stop));
    whole.begin(&space, [(Position(0), 0)], Position(29));
    assert_eq!(whole.run(&space, Position(29), &mut stopped), SearchStatus::Interrupted);
}

#[test]
fn a_search_that_cannot_begin_is_exhausted() {
    let space = space(Grain::Cell);
    let (mut search, mut intervals) = (SpaceTimeSearch::default(), SafeIntervalSearch::default());
    let mut distance = |at: Position| Some(u64::from(at.0));
    let mut path = TimedPath::default();
    let ends = OFF.map(|off| [(off, Tick(0), Position(3)), (Position(3), Tick(0), off)]);
    let late = [u32::MAX - 1, u32::MAX].map(|tick| (Position(3), Tick(tick), Position(4)));
    for (at, tick, goal) in ends.into_iter().flatten().chain(late) {
        for until in [Until::Goal(goal), Until::Parked(goal)] {
            let effort = &mut Effort::unlimited();
            let status = search.run(&space, &NoObstacles, (at, tick), until, &mut distance, effort);
            assert_eq!(status, SearchStatus::Exhausted, "{at:?} at {tick} until {until:?}");
            let start = (at, tick);
            assert!(!search.descend(&space, &NoObstacles, start, until, &mut distance, &mut path));
        }
        let effort = &mut Effort::unlimited();
        let status = intervals.run(&space, &NoObstacles, (at, tick), goal, &mut distance, effort);
        assert_eq!(status, SearchStatus::Exhausted, "{at:?} at {tick} to {goal:?}");
    }
}

#[test]
fn a_depth_of_any_size_is_searched_within_the_effort() {
    let space = space(Grain::Cell);
    let mut search = SpaceTimeSearch::default();
    let mut distance = |_: Position| Some(7);
    for (depth, expected) in
        [(10_000, SearchStatus::BudgetSpent), (u32::MAX, SearchStatus::Exhausted)]
    {
        let (start, until) = ((Position(3), Tick(0)), Until::Depth(depth));
        let effort = &mut Effort::new(Budget::expansions(100));
        let status = search.run(&space, &NoObstacles, start, until, &mut distance, effort);
        assert_eq!(status, expected, "depth {depth}");
    }
}
