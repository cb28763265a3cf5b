//! The rule for conflicts between two ticks, over every pair of moves.

use throng_model::{Cell, Conflicts, CornerRule, Map, MovementProfile, Plan, Problem, Unit};
use throng_referee::check;

/// The nine moves, staying included.
fn moves(from: Cell) -> Vec<Cell> {
    let offsets = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
    offsets.map(|(dx, dy)| from.offset(dx, dy).unwrap()).collect()
}

fn judge(sides: [u8; 2], steps: [(Cell, Cell); 2], conflicts: Conflicts) -> Vec<&'static str> {
    let kind = |footprint| MovementProfile {
        footprint,
        corners: CornerRule::AlwaysCut,
        ..MovementProfile::eight_connected()
    };
    let unit = |i: usize| Unit { start: steps[i].0, goal: steps[i].1, movement: i };
    let problem = Problem {
        map: Map::empty(16, 16).unwrap(),
        movements: sides.map(kind).to_vec(),
        units: vec![unit(0), unit(1)],
        conflicts,
    };
    let paths = steps.map(|(from, to)| vec![from, to]).to_vec();
    let verdict = check(&problem, &Plan { paths });
    verdict.violations.iter().map(|violation| violation.name()).collect()
}

/// All steps of two bodies that start near each other.
fn for_all_steps(sides: [u8; 2], mut visit: impl FnMut([(Cell, Cell); 2])) {
    let a = Cell::new(7, 7);
    let near = i32::from(sides[0].max(sides[1])) + 2;
    let offsets = (-near..=near).flat_map(|dy| (-near..=near).map(move |dx| (dx, dy)));
    for b in offsets.filter_map(|(dx, dy)| a.offset(dx, dy)) {
        for a2 in moves(a) {
            moves(b).into_iter().for_each(|b2| visit([(a, a2), (b, b2)]));
        }
    }
}

#[test]
fn single_cells_conflict_by_vertex_swap_and_crossing_and_nothing_else() {
    let mut seen = [0; 3];
    for_all_steps([1, 1], |steps| {
        let [(a, a2), (b, b2)] = steps;
        if a == b {
            return;
        }
        // By enumeration: the pair on each 2 x 2 square that takes all four of its cells.
        let square = |c: Cell, d: Cell| {
            let mut all = [a, a2, b, b2];
            all.sort();
            let (x, y) = (c.x.min(d.x), c.y.min(d.y));
            all == [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)].map(Cell::from)
        };
        let diagonal = |c: Cell, d: Cell| c.x != d.x && c.y != d.y;
        let expected = if a2 == b2 {
            seen[0] += 1;
            vec!["vertex"]
        } else if a2 == b && b2 == a {
            seen[1] += 1;
            vec!["swap"]
        } else if diagonal(a, a2) && diagonal(b, b2) && square(a, a2) {
            seen[2] += 1;
            vec!["crossing"]
        } else {
            vec![]
        };
        assert_eq!(judge([1, 1], steps, Conflicts::default()), expected, "{steps:?}");
    });
    // Eight swaps, one for each neighbour; two crossings for each of the four diagonals.
    assert_eq!((seen[1], seen[2]), (8, 8));
    assert!(seen[0] > 8);
}

#[test]
fn conflicts_that_the_problem_does_not_count_are_not_reported() {
    let swap = [(Cell::new(7, 7), Cell::new(8, 7)), (Cell::new(8, 7), Cell::new(7, 7))];
    let crossing = [(Cell::new(7, 7), Cell::new(8, 8)), (Cell::new(8, 7), Cell::new(7, 8))];
    let lenient = Conflicts { swap: false, crossing: false };
    assert!(judge([1, 1], swap, lenient).is_empty());
    assert!(judge([1, 1], crossing, lenient).is_empty());
    let only_crossing = Conflicts { swap: false, crossing: true };
    assert_eq!(judge([1, 1], crossing, only_crossing), ["crossing"]);
    assert!(judge([1, 1], swap, only_crossing).is_empty());
}

/// The claim proven in the rule's source: larger bodies conflict between ticks exactly when
/// they step in opposite diagonal directions and each passes through the other's corner.
#[test]
fn larger_bodies_conflict_only_at_each_others_corners() {
    for sides in [[1, 2], [2, 1], [2, 2], [2, 3], [3, 3], [4, 1]] {
        let mut seen = 0;
        for_all_steps(sides, |steps| {
            let [(a, a2), (b, b2)] = steps;
            let swept = judge(sides, steps, Conflicts::default()) == ["swept"];
            let direction = |c: Cell, d: Cell| {
                (i32::from(d.x) - i32::from(c.x), i32::from(d.y) - i32::from(c.y))
            };
            let (da, db) = (direction(a, a2), direction(b, b2));
            let opposite = da == (-db.0, -db.1) && da.0 != 0 && da.1 != 0;
            // On each axis: apart with no gap, or overlapping.
            let sides = sides.map(i32::from);
            let touches = |d: i32| d == sides[0] || d == -sides[1];
            let overlaps = |d: i32| -sides[1] < d && d < sides[0];
            let (before, after) = (direction(a, b), direction(a2, b2));
            let corner = (touches(before.0) && overlaps(before.1))
                && (overlaps(after.0) && touches(after.1))
                || (touches(before.1) && overlaps(before.0))
                    && (overlaps(after.1) && touches(after.0));
            assert_eq!(swept, opposite && corner, "{sides:?} {steps:?}");
            seen += u32::from(swept);
        });
        assert_eq!(seen, 8, "two at each corner of {sides:?}");
    }
}

#[test]
fn units_conflict_only_on_the_map() {
    let (edge, off) = (Cell::new(15, 3), Cell::new(16, 3));
    for steps in [[(edge, off), (off, edge)], [(off, edge), (edge, off)]] {
        assert_eq!(judge([1, 1], steps, Conflicts::default()), ["bounds", "bounds"]);
    }
    assert_eq!(judge([1, 1], [(off, off), (off, off)], Conflicts::default()), ["bounds", "bounds"]);
}
