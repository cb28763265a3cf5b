//! The same input gives the same paths on every machine: hashes pinned for good.

use std::fmt::Write;

use throng_grid::{AStar, Jps, PathSearch, Query, smooth};
use throng_model::Budget;

use crate::cases::case;

#[test]
fn paths_are_the_same_on_every_machine() {
    let (mut astar, mut jps) = (AStar::default(), Jps::default());
    let mut text = String::new();
    for seed in 0..400 {
        let case = case(seed);
        let query = Query::new(&case.starts, &case.goals);
        let mut note = |search: &mut dyn PathSearch| {
            if let Ok(answer) = search.find(&case.ground, &query, Budget::unlimited()) {
                let smoothed = answer.clone().found().and_then(|path| smooth(&case.ground, &path));
                writeln!(text, "{seed} {} {answer:?} {smoothed:?}", search.expanded()).unwrap();
            }
        };
        note(&mut astar);
        note(&mut jps);
    }
    assert_eq!(format!("{:#018x}", throng_testkit::hash(&text)), "0xdf11801217bd78e2");
}
