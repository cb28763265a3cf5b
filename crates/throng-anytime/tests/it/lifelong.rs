//! Lifelong runs: every tick is legal, goals are reached, and the same input gives the same run.

use throng_anytime::lifelong::{
    Assignment, Lifelong, LifelongError, LifelongOptions, ListedTasks, Motion, SeededTasks, Task,
    TaskEvent, Tasks, TurnAction,
};
use throng_anytime::{Graph, Vertex};
use throng_model::{Cell, Conflicts, DiagonalCost, Map, MovementProfile, UnitId};
use throng_referee::{LiveReferee, Sighting};
use throng_testkit::{case, map, random_map};

use crate::help::movements;

/// What a run did: positions and events by tick.
type History = Vec<(Vec<Vertex>, Vec<TaskEvent>)>;

/// Runs some ticks, with the referee and the rules for turns watching.
#[track_caller]
fn watch<T: Tasks>(
    map: &Map,
    movement: &MovementProfile,
    graph: &Graph,
    run: &mut Lifelong<'_, T>,
    ticks: u32,
) -> History {
    let mut referee = LiveReferee::new(Conflicts::default());
    let mut history = History::new();
    let mut headings = vec![0; run.positions().len()];
    for tick in 0..=ticks {
        let before = run.positions().to_vec();
        if tick > 0 {
            run.tick();
        }
        let sighting = |(unit, &at): (usize, &Vertex)| Sighting {
            unit: UnitId::new(unit as u32),
            movement,
            at: graph.cell(at),
            heading: None,
            team: 0,
            layer: 0,
        };
        let sightings: Vec<_> = run.positions().iter().enumerate().map(sighting).collect();
        assert_eq!(referee.tick(map, &sightings, &[]), [], "tick {tick} on {map:?}");
        for event in run.events().iter().filter(|event| event.finished) {
            assert_eq!(run.positions()[event.unit], event.task.goal);
        }
        if tick > 0 {
            check_turns(graph, run.actions(), &before, run.positions(), &mut headings);
        }
        history.push((run.positions().to_vec(), run.events().to_vec()));
    }
    let finished = history.iter().flat_map(|(_, events)| events).filter(|event| event.finished);
    assert_eq!(finished.count() as u64, run.goals());
    history
}

/// Units that turn move in the direction of their heading or stay where they are.
fn check_turns(
    graph: &Graph,
    actions: &[TurnAction],
    before: &[Vertex],
    after: &[Vertex],
    headings: &mut [usize],
) {
    for (unit, action) in actions.iter().enumerate() {
        let (from, to) = (graph.cell(before[unit]), graph.cell(after[unit]));
        let moved = match action {
            TurnAction::Forward => [(1, 0), (0, 1), (-1, 0), (0, -1)][headings[unit]],
            _ => (0, 0),
        };
        headings[unit] = match action {
            TurnAction::Clockwise => (headings[unit] + 1) % 4,
            TurnAction::CounterClockwise => (headings[unit] + 3) % 4,
            _ => headings[unit],
        };
        assert_eq!(from.offset(moved.0, moved.1), Some(to), "unit {unit}: {action:?}");
    }
}

/// A small random world with as many units as its case has.
fn small_world(seed: u64, movement: &MovementProfile) -> (Map, Graph, Vec<Vertex>) {
    let case = case(seed);
    let graph = Graph::new(&case.map, movement).unwrap();
    let mut starts: Vec<Vertex> =
        case.starts.iter().chain(&case.goals).filter_map(|&cell| graph.vertex(cell)).collect();
    starts.sort();
    starts.dedup();
    (case.map, graph, starts)
}

#[test]
fn every_tick_is_legal_in_every_kind_of_world() {
    for seed in 0..120 {
        for movement in movements() {
            let (map, graph, starts) = small_world(seed, &movement);
            for motion in [Motion::Steps, Motion::Turns] {
                for guided in [true, false] {
                    let options =
                        LifelongOptions { motion, guided, seed, ..LifelongOptions::default() };
                    let tasks = SeededTasks::new(&graph, Vec::new(), starts.len(), seed);
                    let run = Lifelong::new(&graph, &starts, tasks, options);
                    let diagonal = graph.has_diagonals() && motion == Motion::Turns;
                    assert_eq!(run.as_ref().err(), diagonal.then_some(&LifelongError::Diagonals));
                    if let Ok(mut run) = run {
                        watch(&map, &movement, &graph, &mut run, 40);
                    }
                }
            }
        }
    }
}

#[test]
fn the_same_input_gives_the_same_run() {
    let movement = MovementProfile::four_connected();
    let map = map("........\n.#.##.#.\n.#....#.\n........");
    let graph = Graph::new(&map, &movement).unwrap();
    let starts: Vec<Vertex> = (0..12).map(Vertex).collect();
    let history = |seed| {
        let tasks = SeededTasks::new(&graph, Vec::new(), starts.len(), 3);
        let options = LifelongOptions { seed, ..LifelongOptions::default() };
        let mut run = Lifelong::new(&graph, &starts, tasks, options).unwrap();
        watch(&map, &movement, &graph, &mut run, 200)
    };
    assert_eq!(history(5), history(5));
    assert_ne!(history(5), history(6));
}

/// Every unit reaches goals until the end.
#[track_caller]
fn check_lively(map: &Map, units: u32, options: LifelongOptions) {
    let movement = MovementProfile::four_connected();
    let graph = Graph::new(map, &movement).unwrap();
    let stride = graph.len() as u32 / units;
    let starts: Vec<Vertex> = (0..units).map(|unit| Vertex(unit * stride)).collect();
    let tasks = SeededTasks::new(&graph, Vec::new(), starts.len(), 1);
    let mut run = Lifelong::new(&graph, &starts, tasks, options).unwrap();
    let history = watch(map, &movement, &graph, &mut run, 2000);
    for unit in 0..units as usize {
        let late = history[1000..].iter().flat_map(|(_, events)| events);
        let goals = late.filter(|event| event.finished && event.unit == unit).count();
        assert!(goals > 0, "unit {unit} reaches no goal after tick 1000: {options:?}");
    }
}

#[test]
fn no_unit_starves_among_dead_ends_and_in_aisles() {
    let dead_ends = map("........\n.#.##.#.\n.#.#..##\n........\n#.##.#.#\n#.##.#..");
    let aisles = map("..........\n.########.\n.########.\n..........\n.########.\n..........");
    for motion in [Motion::Steps, Motion::Turns] {
        for guided in [true, false] {
            let options = LifelongOptions { motion, guided, ..LifelongOptions::default() };
            check_lively(&dead_ends, 6, options);
            check_lively(&aisles, 12, options);
        }
    }
}

#[test]
fn guidance_raises_throughput_where_queues_meet() {
    let map = map(&("..........\n".to_owned() + &".########.\n..........\n".repeat(5)));
    let graph = Graph::new(&map, &MovementProfile::four_connected()).unwrap();
    let starts: Vec<Vertex> = (0..40).map(|unit| Vertex(unit * 3 % graph.len() as u32)).collect();
    let goals = |guided| {
        let tasks = SeededTasks::new(&graph, Vec::new(), starts.len(), 1);
        let options = LifelongOptions { guided, repairs_per_tick: 0, ..LifelongOptions::default() };
        let mut run = Lifelong::new(&graph, &starts, tasks, options).unwrap();
        (0..500).for_each(|_| run.tick());
        run.goals()
    };
    let (plain, guided) = (goals(false), goals(true));
    assert!(guided * 10 > plain * 12, "{guided} goals with guidance, {plain} without");
}

#[test]
fn repairs_raise_throughput_in_a_crowd() {
    let map = random_map(5, 16, 16, 20);
    let graph = Graph::new(&map, &MovementProfile::four_connected()).unwrap();
    let starts: Vec<Vertex> = (0..graph.len() as u32 / 2).map(|unit| Vertex(unit * 2)).collect();
    let run = |repairs_per_tick| {
        let tasks = SeededTasks::new(&graph, Vec::new(), starts.len(), 1);
        let options = LifelongOptions { repairs_per_tick, ..LifelongOptions::default() };
        let mut run = Lifelong::new(&graph, &starts, tasks, options).unwrap();
        (0..300).for_each(|_| run.tick());
        (run.goals(), run.expanded())
    };
    let ((plain, work), (repaired, more)) = (run(0), run(10_000));
    assert!(repaired * 100 > plain * 105, "{repaired} goals with repairs, {plain} without");
    assert!(work < more && more < work * 2 + 300 * 10_000, "{work}, {more}");
}

#[test]
fn a_small_budget_saves_work() {
    let map = map(&("..........\n".to_owned() + &".########.\n..........\n".repeat(5)));
    let graph = Graph::new(&map, &MovementProfile::four_connected()).unwrap();
    let starts: Vec<Vertex> = (0..50).map(Vertex).collect();
    let expanded = |expansions_per_tick| {
        let tasks = SeededTasks::new(&graph, Vec::new(), starts.len(), 1);
        let options = LifelongOptions {
            expansions_per_tick,
            repairs_per_tick: 0,
            ..LifelongOptions::default()
        };
        let mut run = Lifelong::new(&graph, &starts, tasks, options).unwrap();
        (0..300).for_each(|_| run.tick());
        assert!(run.goals() > 100, "{} goals", run.goals());
        run.expanded() / run.goals()
    };
    assert!(expanded(0) < expanded(u64::MAX));
}

#[test]
fn units_without_tasks_make_room_and_unreachable_goals_are_named() {
    let movement = MovementProfile::four_connected();
    let map = map(".....\n##.##\n.#.#.");
    let graph = Graph::new(&map, &movement).unwrap();
    let at = |x, y| graph.vertex(Cell::new(x, y)).unwrap();
    let starts = [at(1, 0), at(0, 0)];
    // The second unit has no task and stands in the first one's way.
    let tasks = ListedTasks::new(vec![at(0, 0)], Assignment::RoundRobinFixed, 2);
    let mut run = Lifelong::new(&graph, &starts, tasks, LifelongOptions::default()).unwrap();
    watch(&map, &movement, &graph, &mut run, 30);
    assert_eq!((run.goals(), run.unreachable()), (1, None));
    let tasks = ListedTasks::new(vec![at(4, 2), at(1, 0)], Assignment::RoundRobin, 2);
    let run = Lifelong::new(&graph, &starts, tasks, LifelongOptions::default()).unwrap();
    assert_eq!(run.unreachable(), Some((0, Task { id: 0, goal: at(4, 2) })));
}

#[test]
fn tables_that_are_too_large_are_refused() {
    let movement =
        MovementProfile { diagonal: DiagonalCost::OneTick, ..MovementProfile::four_connected() };
    let graph = Graph::new(&Map::empty(512, 512).unwrap(), &movement).unwrap();
    let starts: Vec<Vertex> = (0..5000).map(Vertex).collect();
    let tasks = ListedTasks::new(Vec::new(), Assignment::Greedy, starts.len());
    let run = Lifelong::new(&graph, &starts, tasks, LifelongOptions::default());
    let labels = 512 * 512 * 5000;
    assert_eq!(run.err(), Some(LifelongError::TooLarge { labels, limit: 1 << 30 }));
}

#[test]
fn lists_are_divided_as_in_the_start_kit() {
    let goals: Vec<Vertex> = (10..15).map(Vertex).collect();
    let check = |assignment, expected: &[Option<(u32, u32)>]| {
        let mut tasks = ListedTasks::new(goals.clone(), assignment, 2);
        let asked = [0, 1, 0, 0, 1, 0, 0].map(|unit| tasks.next(unit, Vertex(0)));
        let found = asked.map(|task| task.map(|task| (task.id, task.goal.0)));
        assert_eq!(found, expected, "{assignment:?}");
    };
    let some = |pairs: [(u32, u32); 7]| pairs.map(Some);
    check(
        Assignment::RoundRobin,
        &some([(0, 10), (1, 11), (2, 12), (3, 14), (4, 13), (5, 11), (6, 13)]),
    );
    let greedy = [(0, 10), (1, 11), (2, 12), (3, 13), (4, 14)].map(Some);
    check(Assignment::Greedy, &[&greedy[..], &[None, None]].concat());
    let fixed = [(0, 10), (1, 11), (2, 12), (4, 14), (3, 13)].map(Some);
    check(Assignment::RoundRobinFixed, &[&fixed[..], &[None, None]].concat());
}

#[test]
fn drawn_goals_are_reachable_and_elsewhere() {
    let map = map("...#.\n..##.\n#..#.");
    let graph = Graph::new(&map, &MovementProfile::four_connected()).unwrap();
    let mut tasks = SeededTasks::new(&graph, Vec::new(), 2, 9);
    let places = [Cell::new(0, 0), Cell::new(4, 2)].map(|cell| graph.vertex(cell).unwrap());
    let mut seen = vec![0; graph.len()];
    for _ in 0..2000 {
        for (unit, &at) in places.iter().enumerate() {
            let goal = tasks.next(unit, at).unwrap().goal;
            assert_eq!(graph.cell(goal).x == 4, unit == 1);
            assert_ne!(goal, at);
            seen[goal.get()] += 1;
        }
    }
    let drawn = seen.iter().filter(|&&count| count > 200).count();
    assert_eq!(drawn, graph.len() - 2, "{seen:?}");
}
