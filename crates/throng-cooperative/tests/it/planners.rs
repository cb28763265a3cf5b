//! Every outcome is what it says, and the same every time.

use std::fmt::Write;

use throng_cooperative::{
    Arrival, CooperativeAStar, Heuristic, Instance, InstanceOutcome, LocalRepair, PlanningOptions,
    PlanningOrder, Windowed,
};
use throng_model::{
    Budget, Conflicts, DiagonalCost, MovementProfile, Neighbours, Outcome, Planner, Problem,
    Report, Silent, Unit, ValidProblem,
};
use throng_spacetime::{FootprintRules, Grain, GridSpace, PassingRule};
use throng_testkit::oracle;

use crate::cases;

/// Enough turns for the small maps here.
const TURNS: u32 = 200;

fn planners() -> Vec<(&'static str, Box<dyn Planner>)> {
    let parked = |planner| CooperativeAStar { restarts: 10, ..planner };
    let obstacle = |planner| CooperativeAStar {
        arrival: Arrival::Obstacle,
        order: PlanningOrder::Random,
        turns: TURNS,
        ..planner
    };
    let windowed = |window, planning| {
        Box::new(Windowed { window, turns: TURNS, planning, ..Windowed::default() })
    };
    let plain = PlanningOptions {
        promotion: false,
        interleaved: false,
        resting_yield: false,
        goal_penalty_max: 0,
        ..PlanningOptions::default()
    };
    vec![
        ("LRA*", Box::new(LocalRepair { turns: TURNS })),
        ("CA*", Box::new(parked(CooperativeAStar::ca()))),
        ("HCA*", Box::new(parked(CooperativeAStar::hca()))),
        ("CA* of the paper", Box::new(obstacle(CooperativeAStar::ca()))),
        ("HCA* of the paper", Box::new(obstacle(CooperativeAStar::hca()))),
        ("WHCA*(16)", windowed(16, PlanningOptions::default())),
        ("WHCA*(3) of the paper", windowed(3, plain)),
    ]
}

/// Whether some unit cannot reach its goal even alone.
fn is_unreachable(problem: &ValidProblem) -> bool {
    problem.units.iter().any(|unit| {
        let movement = &problem.movements[unit.movement];
        let costs = oracle::costs_from(&problem.map, movement, &[unit.start]);
        costs[problem.map.index(unit.goal).unwrap().get()].is_none()
    })
}

/// Plans twice and checks that the outcome is true.
fn check(problem: &ValidProblem, planner: &dyn Planner, budget: Budget<'_>, what: &str) -> Report {
    let report = planner.plan(problem, 7, budget, &mut Silent).unwrap();
    assert!(report == planner.plan(problem, 7, budget, &mut Silent).unwrap(), "{what}: differs");
    assert!(report.reproducible, "{what}");
    let limited = budget.expansions.is_some();
    match &report.outcome {
        Outcome::Solved(solution) => {
            let verdict = throng_referee::check(problem, &solution.plan);
            assert!(verdict.is_valid(), "{what}: {}", verdict.violations[0]);
            assert_eq!(solution.cost, verdict.sum_of_costs, "{what}");
            assert!(solution.proven_bound <= solution.cost, "{what}: cheaper than the bound");
            assert!(!is_unreachable(problem), "{what}");
        }
        Outcome::Partial { plan, arrived } => {
            let verdict = throng_referee::check(problem, plan);
            assert!(verdict.is_legal(), "{what}: {}", verdict.violations[0]);
            assert_eq!(*arrived, verdict.arrived, "{what}");
            assert!(*arrived < problem.units.len(), "{what}: that is a solution");
            assert!(limited || !is_unreachable(problem), "{what}: a unit cannot arrive");
        }
        Outcome::ProvenUnsolvable(why) => {
            assert!(is_unreachable(problem), "{what}: {why}");
        }
        Outcome::BudgetSpent { best, .. } => {
            assert!(limited, "{what}: there was no budget");
            let legal = |plan| throng_referee::check(problem, plan).is_legal();
            assert!(best.as_ref().is_none_or(legal), "{what}");
        }
    }
    report
}

#[test]
fn outcomes_are_what_they_say() {
    let mut solved = 0;
    for (name, planner) in planners() {
        for seed in 0..140 {
            let crowded = seed >= 120;
            let (side, units) = if crowded { (20, 60) } else { (12, 8) };
            let problem = cases::problem(seed, side, units);
            let what = format!("{name}, problem {seed}");
            let report = check(&problem, &*planner, Budget::unlimited(), &what);
            solved += u32::from(matches!(report.outcome, Outcome::Solved(_)));
        }
    }
    assert!(solved > 200, "only {solved} solved");
}

#[test]
fn a_spent_budget_is_said_and_nothing_else() {
    let mut spent = 0;
    for (name, planner) in planners() {
        for seed in 0..40 {
            let problem = cases::problem(1000 + seed, 12, 8);
            for expansions in [0, 1, 40, 1000] {
                let what = format!("{name}, problem {seed}, {expansions} expansions");
                let report = check(&problem, &*planner, Budget::expansions(expansions), &what);
                spent += u32::from(matches!(report.outcome, Outcome::BudgetSpent { .. }));
            }
        }
    }
    assert!(spent > 100, "only {spent}");
}

#[test]
fn which_meetings_count_is_up_to_the_problem() {
    for (name, planner) in planners() {
        for seed in 0..30 {
            let conflicts = Conflicts { swap: seed % 2 == 0, crossing: seed % 3 == 0 };
            let problem = cases::problem(2000 + seed, 9, 8).into_inner();
            let problem = Problem { conflicts, ..problem }.validate().unwrap();
            check(&problem, &*planner, Budget::unlimited(), &format!("{name}, problem {seed}"));
        }
    }
}

/// Every planner on an instance, with any footprints.
fn fleet_outcomes(instance: &Instance<GridSpace>) -> [InstanceOutcome; 5] {
    let (budget, hca) =
        (Budget::unlimited(), CooperativeAStar { restarts: 5, ..CooperativeAStar::hca() });
    let paper =
        CooperativeAStar { arrival: Arrival::Obstacle, turns: TURNS, ..CooperativeAStar::ca() };
    let windowed = Windowed { window: 8, turns: TURNS, ..Windowed::default() };
    [
        LocalRepair { turns: TURNS }.plan_instance(instance, 1, budget, &mut Silent).outcome,
        CooperativeAStar { heuristic: Heuristic::Estimate, ..hca.clone() }
            .plan_instance(instance, 1, budget, &mut Silent)
            .outcome,
        hca.plan_instance(instance, 1, budget, &mut Silent).outcome,
        paper.plan_instance(instance, 1, budget, &mut Silent).outcome,
        windowed.plan_instance(instance, 1, budget, &mut Silent).outcome,
    ]
}

/// Whether no two units begin in one entry: in a coarse table neighbours do.
fn starts_are_apart(instance: &Instance<GridSpace>) -> bool {
    let starts = instance.units.iter().map(|spec| (&instance.spaces[spec.space], spec.start));
    let mut entries: Vec<_> = starts.flat_map(|(space, at)| cases::body(space, at)).collect();
    entries.sort_unstable();
    entries.windows(2).all(|pair| pair[0] != pair[1])
}

fn check_fleets(rules: &FootprintRules) {
    let mut solved = 0;
    for seed in 0..40 {
        let problem = cases::problem(seed, 12, 6);
        let instance = Instance::of(&problem, rules);
        if !starts_are_apart(&instance) {
            continue;
        }
        for (planner, outcome) in fleet_outcomes(&instance).into_iter().enumerate() {
            let what = format!("problem {seed}, planner {planner}, {rules:?}");
            let judge = |paths: &[_]| throng_referee::check(&problem, &instance.plan(paths));
            match outcome {
                InstanceOutcome::Solved(paths) => {
                    let verdict = judge(&paths);
                    assert!(verdict.is_valid(), "{what}: {}", verdict.violations[0]);
                    solved += 1;
                }
                InstanceOutcome::Partial(paths) => {
                    let verdict = judge(&paths);
                    assert!(verdict.is_legal(), "{what}: {}", verdict.violations[0]);
                }
                InstanceOutcome::Unreachable(_) => assert!(is_unreachable(&problem), "{what}"),
                InstanceOutcome::BudgetSpent(_) => panic!("{what}: there was no budget"),
            }
        }
    }
    assert!(solved > 20, "only {solved} solved with {rules:?}");
}

#[test]
fn plans_are_legal_with_any_footprints() {
    let rules = FootprintRules::default();
    check_fleets(&FootprintRules { passing: PassingRule::DoubleClaims, ..rules.clone() });
    check_fleets(&FootprintRules { corners_kept: true, ..rules.clone() });
    check_fleets(&FootprintRules { grain: Grain::Finer(2), ..rules.clone() });
    check_fleets(&FootprintRules { grain: Grain::Coarser(2), ..rules });
}

/// A problem whose units go from letter to letter of a drawing.
fn drawn(drawing: &str, movement: MovementProfile, units: &[(char, char)]) -> ValidProblem {
    let place = |letter| throng_testkit::place(drawing, letter);
    let units = units.iter().map(|&(start, goal)| Unit::new(place(start), place(goal))).collect();
    Problem::new(throng_testkit::map(drawing), movement, units).validate().unwrap()
}

fn for_all_planners(problem: &ValidProblem, expected: impl Fn(&str, &Outcome) -> bool) {
    for (name, planner) in planners() {
        let report = check(problem, &*planner, Budget::unlimited(), name);
        assert!(expected(name, &report.outcome), "{name}: {:?}", report.outcome);
    }
}

#[test]
fn nobody_and_those_who_are_there_already_are_solved_for_nothing() {
    let four = MovementProfile::four_connected;
    for problem in [
        drawn("...\n...", four(), &[]),
        drawn("a..\n.#b", four(), &[('a', 'a'), ('b', 'b')]),
        drawn("a..b\n....", MovementProfile { footprint: 2, pace: 3, ..four() }, &[('a', 'a')]),
    ] {
        for_all_planners(
            &problem,
            |_, outcome| matches!(outcome, Outcome::Solved(solution) if solution.cost == 0),
        );
    }
}

#[test]
fn a_swap_in_a_corridor_ends_partial_and_does_not_hang() {
    for pace in [1, 3] {
        let movement = MovementProfile { pace, ..MovementProfile::four_connected() };
        let problem = drawn("a...b", movement, &[('a', 'b'), ('b', 'a')]);
        for_all_planners(&problem, |_, outcome| matches!(outcome, Outcome::Partial { .. }));
    }
}

#[test]
fn a_full_map_ends_partial() {
    let units = [('a', 'b'), ('b', 'c'), ('c', 'f'), ('d', 'a'), ('e', 'd'), ('f', 'e')];
    // All units would have to rotate at once; no unit can begin alone.
    let problem = drawn("abc\ndef", MovementProfile::four_connected(), &units);
    for_all_planners(&problem, |_, outcome| {
        matches!(outcome, Outcome::Partial { .. } | Outcome::Solved(_))
    });
    let swap = drawn(
        "ab\ncd",
        MovementProfile::four_connected(),
        &[('a', 'b'), ('b', 'a'), ('c', 'c'), ('d', 'd')],
    );
    for_all_planners(&swap, |_, outcome| matches!(outcome, Outcome::Partial { .. }));
}

/// Figure 1 of the 2005 paper, in small: the unit that plans first takes the straight path, and
/// the other cannot be in the passing place in time. Those who plan again find out.
#[test]
fn a_passing_place_is_found_by_those_who_plan_again() {
    let drawing = "
        a...b
        ##.##";
    let problem = drawn(drawing, MovementProfile::four_connected(), &[('a', 'b'), ('b', 'a')]);
    for_all_planners(&problem, |name, outcome| {
        let plans_again = ["CA* of the paper", "HCA* of the paper", "WHCA*(16)"].contains(&name);
        matches!(outcome, Outcome::Solved(_)) == plans_again
    });
}

#[test]
fn a_goal_behind_walls_is_proven_unreachable_though_others_are_stuck() {
    let drawing = "
        a...b#c
        #####.#";
    let problem =
        drawn(drawing, MovementProfile::four_connected(), &[('a', 'b'), ('b', 'a'), ('c', 'c')]);
    for_all_planners(&problem, |_, outcome| matches!(outcome, Outcome::Partial { .. }));
    let units = [('a', 'b'), ('b', 'a'), ('d', 'c')];
    let problem = drawn("a...b#c\n###d###", MovementProfile::four_connected(), &units);
    for_all_planners(&problem, |_, outcome| matches!(outcome, Outcome::ProvenUnsolvable(_)));
}

/// The first goes round the goal of the second, which is there sooner, though a diagonal
/// costs more than a tick.
#[test]
fn the_first_to_plan_pays_for_crossing_goals_at_any_step_cost() {
    let drawing = "
        .......
        a..b..A
        .......
        ...B...";
    for movement in [MovementProfile::four_connected(), MovementProfile::eight_connected()] {
        let units = [('a', 'A'), ('B', 'b')];
        let detour = if movement.neighbours == Neighbours::Four { 2 } else { 0 };
        let problem = drawn(drawing, movement, &units);
        let planner = CooperativeAStar { order: PlanningOrder::Given, ..CooperativeAStar::hca() };
        let report = check(&problem, &planner, Budget::unlimited(), "goal penalty");
        let Outcome::Solved(solution) = report.outcome else { panic!("not solved") };
        assert_eq!(solution.cost, 6 + 2 + detour);
    }
}

#[test]
fn the_same_plans_as_ever() {
    let mut plans = String::new();
    for (name, planner) in planners() {
        let problems = (5000..).map(|seed| cases::problem(seed, 14, 12));
        let solvable = problems.filter(|problem| !is_unreachable(problem)).take(20);
        for (seed, problem) in (0..).zip(solvable) {
            let report = planner.plan(&problem, seed, Budget::unlimited(), &mut Silent).unwrap();
            writeln!(plans, "{name} {report:?}").unwrap();
        }
    }
    assert_eq!(throng_testkit::hash(&plans), 0x3e67_2e87_7fa7_94d1);
}

/// Diagonal steps of three ticks, straight ones of two.
#[test]
fn plans_of_uneven_steps_are_legal() {
    let diagonal = DiagonalCost::Ticks(3);
    let movement = MovementProfile { pace: 2, diagonal, ..MovementProfile::eight_connected() };
    let drawing = "a.....B\n.......\n..#.#..\n.......\nb.....A";
    let problem = drawn(drawing, movement, &[('a', 'A'), ('b', 'B')]);
    for (name, planner) in planners() {
        let report = check(&problem, &*planner, Budget::unlimited(), name);
        let is_solved = matches!(report.outcome, Outcome::Solved(_));
        assert!(is_solved || name.starts_with("LRA"), "{name}: {:?}", report.outcome);
    }
}
