//! Dense benchmark instances are solved with every setting of guide paths and hindrance.

use throng_anytime::Lacam;
use throng_formats::map::MapOptions;
use throng_model::{Budget, MovementProfile, Outcome, ValidProblem};
use throng_testkit::bench_data;

use crate::help::plan;

/// An instance of scenario 1; `None` without benchmark files.
fn instance(name: &str, units: usize) -> Option<ValidProblem> {
    let (maps, scenarios) = (bench_data::folder("maps")?, bench_data::folder("scen/random")?);
    let map = bench_data::read(&maps.join(format!("{name}.map")));
    let map = throng_formats::map::read(&map, MapOptions::default()).unwrap();
    let scenario = bench_data::read(&scenarios.join(format!("{name}-random-1.scen")));
    let scenario = throng_formats::scen::read(&scenario).unwrap();
    let problem = scenario.problem(&map, Some(units), MovementProfile::four_connected()).unwrap();
    Some(problem.validate().unwrap())
}

fn is_solved_with_every_setting(name: &str, units: usize) {
    let Some(problem) = instance(name, units) else { return };
    for (guide_passes, hindrance) in
        [(0, false), (0, true), (1, false), (1, true), (2, false), (2, true)]
    {
        for guide_margin in [4, 10] {
            let planner = Lacam { guide_passes, guide_margin, hindrance, ..Lacam::default() };
            let budget = Budget::expansions(20_000_000);
            let Outcome::Solved(solution) = plan(&planner, &problem, budget).outcome else {
                panic!("{name} is not solved by {planner:?}")
            };
            assert!(throng_referee::check(&problem, &solution.plan).is_valid());
        }
    }
}

#[test]
fn warehouse() {
    is_solved_with_every_setting("warehouse-10-20-10-2-1", 1000);
}

#[test]
fn mazes() {
    is_solved_with_every_setting("maze-32-32-2", 333);
    is_solved_with_every_setting("maze-32-32-4", 395);
}

#[test]
fn dense_random_map() {
    is_solved_with_every_setting("random-32-32-20", 400);
}

/// With 8,191 positions its distances are computed as far as needed.
#[test]
fn a_maze_without_rings_on_any_number_of_threads() {
    let Some(problem) = instance("maze-128-128-1", 500) else { return };
    let one = plan(&Lacam::default(), &problem, Budget::unlimited());
    let Outcome::Solved(solution) = &one.outcome else { panic!("{:?}", one.outcome) };
    assert!(throng_referee::check(&problem, &solution.plan).is_valid());
    for threads in [2, 8] {
        let planner = Lacam { threads, ..Lacam::default() };
        assert!(plan(&planner, &problem, Budget::unlimited()) == one, "{threads} threads");
    }
}
