//! The planner against brute force on small worlds, all of them. The example `exhaustive`
//! does the same with more.

use throng_model::Map;

use crate::brute::{Count, Job, all_jobs, goals, maps, movements_on, placements};
use crate::help::OBJECTIVES;
use crate::table::Table;

/// Of all jobs, one in this many.
#[track_caller]
fn judge_some(jobs: impl Iterator<Item = Job>, every: usize, instances_min: u64) {
    let mut count = Count::default();
    for (number, mut job) in jobs.enumerate() {
        let mut place = number;
        job.starts.retain(|_| {
            place += 1;
            place % every == 0
        });
        count.add(job.run(18));
    }
    assert!(count.instances >= instances_min, "{count:?}");
    assert!(count.unsolvable > 0, "{count:?}");
}

fn jobs(maps: Vec<Map>, units: u32) -> impl Iterator<Item = Job> {
    let on = move |map: &Map| {
        let movements = movements_on(map).into_iter();
        movements.flat_map(|movement| all_jobs(map, &movement, units)).collect::<Vec<_>>()
    };
    maps.into_iter().flat_map(move |map| on(&map))
}

/// The numbers of squares with walls, one of each kind, are known: 6 for 2 x 2, 102 for 3 x 3.
#[test]
fn there_are_as_many_small_maps_as_burnside_counts() {
    assert_eq!(maps(2, 2, 0..=4).len(), 6);
    assert_eq!(maps(3, 3, 0..=9).len(), 102);
    assert_eq!(maps(2, 3, 0..=6).len(), 24);
    let open = Map::empty(3, 3).unwrap();
    assert_eq!(goals(&open, 2).len(), 8);
    assert_eq!(goals(&open, 3).len(), 16);
    assert_eq!(placements(&open, 3).len(), 9 * 8 * 7);
}

#[test]
fn the_two_oracles_agree() {
    for (number, job) in jobs(maps(2, 3, 0..=2), 2).chain(jobs(maps(3, 3, 1..=1), 3)).enumerate() {
        for objective in OBJECTIVES {
            let table = Table::new(&job.map, &job.movement, objective, &job.goals);
            for starts in job.starts.iter().skip(number % 331).step_by(331) {
                let expected = throng_testkit::joint::optimum(&job.problem(starts), objective);
                assert_eq!(table.cost(starts), expected, "{starts:?} to {:?}", job.goals);
            }
        }
    }
}

#[test]
fn one_unit_everywhere_on_maps_of_up_to_two_by_three() {
    judge_some(jobs(maps(1, 3, 0..=3), 1).chain(jobs(maps(2, 3, 0..=6), 1)), 1, 1000);
}

#[test]
fn two_units_everywhere_on_two_by_two() {
    judge_some(jobs(maps(1, 3, 0..=3), 2).chain(jobs(maps(2, 2, 0..=4), 2)), 1, 304);
}

#[test]
fn two_units_on_all_maps_of_three_by_three() {
    judge_some(jobs(maps(3, 3, 0..=9), 2), 97, 500);
}

#[test]
fn three_units_on_three_by_three_with_at_most_one_wall() {
    judge_some(jobs(maps(3, 3, 0..=1), 3), 401, 500);
}
