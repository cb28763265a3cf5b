//! Two units face each other in a corridor with one bay: the kind of problem that figure 1 of
//! D. Silver, "Cooperative pathfinding" (2005) shows to defeat CA*.

use throng_cooperative::{Arrival, CooperativeAStar};
use throng_model::{
    Budget, Cell, Map, MovementProfile, Outcome, Planner, Problem, Silent, Unit, UnitId,
};
use throng_world::{Event, Spawn, UnitStatus, WorldOptions};

use crate::refereed::RefereedWorld;

/// A corridor, its length in units, with a bay below one of them.
#[derive(Clone, Copy, Debug)]
struct Corridor {
    length: u16,
    bay: u16,
    /// Cells per side of both units.
    side: u8,
    /// The pace of the left unit and the right one.
    paces: [u8; 2],
    /// Whether the right unit has the lower number.
    right_first: bool,
}

impl Corridor {
    fn quick(length: u16, bay: u16) -> Self {
        Self { length, bay, side: 1, paces: [1, 1], right_first: false }
    }

    fn map(self) -> Map {
        let side = u16::from(self.side);
        let mut map = Map::empty(u32::from(self.length * side), u32::from(2 * side)).unwrap();
        let walls: Vec<Cell> =
            map.cells().filter(|c| c.y >= side && c.x / side != self.bay).collect();
        map.paint(&walls, Map::WALL).unwrap();
        map
    }

    /// Start, goal and movement of each unit, in the order of their numbers.
    fn units(self) -> [(Cell, Cell, MovementProfile); 2] {
        let far = Cell::new((self.length - 1) * u16::from(self.side), 0);
        let movement = |pace| MovementProfile {
            footprint: self.side,
            pace,
            ..MovementProfile::four_connected()
        };
        let left = (Cell::new(0, 0), far, movement(self.paces[0]));
        let right = (far, Cell::new(0, 0), movement(self.paces[1]));
        if self.right_first { [right, left] } else { [left, right] }
    }

    /// How many ticks the live world takes, and what it said.
    fn live(self, most: u32) -> Option<(u32, Vec<Event>)> {
        let mut refereed = RefereedWorld::new(self.map(), WorldOptions::default());
        let units = self.units().map(|(start, goal, movement)| {
            let unit = refereed.spawn(start, &Spawn::new(movement)).unwrap();
            refereed.go(unit, goal);
            (unit, goal)
        });
        let mut events = Vec::new();
        for tick in 1..=most {
            events.extend_from_slice(refereed.tick());
            let there = |&(unit, goal): &(UnitId, Cell)| {
                refereed.at(unit) == goal
                    && refereed.world.status(unit) == Some(UnitStatus::Arrived)
            };
            if units.iter().all(there) {
                return Some((tick, events));
            }
        }
        None
    }
}

/// The live world gets both through, in every corridor of these lengths with its bay at
/// every place, whichever unit has the lower slot.
fn check_all(side: u8, paces: [u8; 2], lengths: &[u16], most: u32) {
    for &length in lengths {
        for bay in 1..length - 1 {
            for right_first in [false, true] {
                let corridor = Corridor { length, bay, side, paces, right_first };
                let done = corridor.live(most);
                let (_, events) = done.unwrap_or_else(|| panic!("not through: {corridor:?}"));
                let arrived = events.iter().filter(|e| matches!(e, Event::Arrived { .. }));
                assert!(arrived.count() >= 2, "{corridor:?}: {events:?}");
            }
        }
    }
}

#[test]
fn two_quick_units_pass_each_other_at_the_bay() {
    check_all(1, [1, 1], &[3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 30, 40], 150);
}

#[test]
fn slow_units_pass_each_other_at_the_bay() {
    for paces in [[2, 2], [1, 2], [3, 1]] {
        check_all(1, paces, &[3, 4, 5, 8, 12], 3000);
    }
}

#[test]
fn large_units_pass_each_other_at_the_bay() {
    check_all(2, [1, 1], &[3, 4, 5, 8, 12], 3000);
    check_all(2, [2, 1], &[3, 4, 5], 3000);
    check_all(3, [1, 1], &[3, 4, 5], 3000);
}

/// Without a bay the units cannot pass each other, and none is reported as arrived.
#[test]
fn without_a_bay_no_unit_gets_through() {
    let mut refereed = RefereedWorld::drawn("......");
    let (left, right) = (refereed.scout((0, 0)), refereed.scout((5, 0)));
    refereed.go(left, (5, 0));
    refereed.go(right, (0, 0));
    let events = refereed.ticks(500);
    assert!(!events.iter().any(|event| matches!(event, Event::Arrived { .. })));
}

/// CA* and HCA* solve what their order allows; what they say of the rest is honest.
#[test]
fn one_shot_planners_end_with_an_honest_outcome() {
    let mut solved = 0;
    for (length, bay) in [(3, 1), (5, 2), (7, 1), (12, 6), (16, 3)] {
        for right_first in [false, true] {
            let corridor = Corridor { right_first, ..Corridor::quick(length, bay) };
            let units = corridor.units().map(|(start, goal, _)| Unit::new(start, goal)).to_vec();
            let problem = Problem::new(corridor.map(), MovementProfile::four_connected(), units);
            for base in [CooperativeAStar::ca(), CooperativeAStar::hca()] {
                for arrival in [Arrival::Parked, Arrival::Obstacle] {
                    let planner = CooperativeAStar { arrival, turns: 500, ..base.clone() };
                    solved += u32::from(is_honestly_solved(&planner, &problem));
                }
            }
        }
    }
    assert!(solved > 0, "a bay in the middle is no problem for the second in the order");
}

fn is_honestly_solved(planner: &impl Planner, problem: &Problem) -> bool {
    let valid = problem.clone().validate().unwrap();
    let report = planner.plan(&valid, 1, Budget::expansions(2_000_000), &mut Silent).unwrap();
    match report.outcome {
        Outcome::Solved(solution) => {
            let verdict = throng_referee::check(problem, &solution.plan);
            assert!(verdict.is_valid(), "{:?}", verdict.violations);
            true
        }
        Outcome::Partial { arrived, .. } => {
            assert!(arrived < 2);
            false
        }
        Outcome::BudgetSpent { .. } => false,
        Outcome::ProvenUnsolvable(why) => panic!("there is a plan, but: {why}"),
    }
}

/// Exchanges of the kind of figure 1, where a short branch is all the room there is.
#[test]
fn puzzles_with_a_branch_are_solved_live() {
    let puzzles = [
        ("abAB\n##.#", 400),
        ("a..bA..B\n###..###", 400),
        ("##.##\na.b.c\nA#.#B\n##C##", 1500),
        ("#....#\na.##.b\nB....A", 400),
    ];
    for (drawing, most) in puzzles {
        let mut refereed = RefereedWorld::drawn(drawing);
        let letters: Vec<char> = ('a'..='c').filter(|letter| drawing.contains(*letter)).collect();
        let goals: Vec<(UnitId, Cell)> = letters
            .into_iter()
            .map(|letter| {
                let unit = refereed.scout(throng_testkit::place(drawing, letter));
                let goal = throng_testkit::place(drawing, letter.to_ascii_uppercase());
                refereed.go(unit, goal);
                (unit, goal)
            })
            .collect();
        refereed
            .until(most, |refereed| goals.iter().all(|&(unit, goal)| refereed.at(unit) == goal));
    }
}
