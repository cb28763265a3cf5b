//! An oracle for mixed sizes: can the units walk to their goals one by one?
//!
//! It works on the raw map and shares no code with the planners.

use throng_model::{Cell, Problem};

use crate::bodies::{Bodies, NOBODY};

/// An order in which each unit walks from its start to its goal while all others stand, on their
/// start or on their goal. `None`: there is no such order.
///
/// An order is a proof that a plan exists. Without one there can still be a plan, in which a
/// unit makes room for another. `strict`: a diagonal step needs the corners beside it, for every
/// unit and not only for slow ones, as under the strict passing rule.
///
/// Starts must not overlap, nor goals; at most 20 units. The memory of orders tried is one bit
/// per set of units that have arrived, so 12 units need at most 4,096 sets of reachability
/// checks.
#[must_use]
pub fn one_by_one(problem: &Problem, strict: bool) -> Option<Vec<usize>> {
    assert!(problem.units.len() <= 20, "too many sets of units");
    let width = usize::from(problem.map.width());
    let index = |cell: Cell| usize::from(cell.y) * width + usize::from(cell.x);
    let kinds: Vec<_> =
        problem.movements.iter().map(|kind| Bodies::new(&problem.map, kind, strict)).collect();
    let mut orders = Orders {
        units: problem.units.iter().map(|unit| [index(unit.start), index(unit.goal)]).collect(),
        kinds: problem.units.iter().map(|unit| &kinds[unit.movement]).collect(),
        holders: vec![NOBODY; problem.map.terrain().len()],
        failed: vec![false; 1 << problem.units.len()],
        order: Vec::new(),
    };
    for unit in 0..problem.units.len() {
        orders.kinds[unit].put(&mut orders.holders, orders.units[unit][0], unit as u16);
    }
    orders.complete(0).then_some(orders.order)
}

struct Orders<'a> {
    /// Start and goal of each unit.
    units: Vec<[usize; 2]>,
    kinds: Vec<&'a Bodies>,
    holders: Vec<u16>,
    /// By set of arrived units: the others cannot all arrive.
    failed: Vec<bool>,
    order: Vec<usize>,
}

impl Orders<'_> {
    /// Whether the units that have not arrived yet can; their order is then in `order`.
    fn complete(&mut self, arrived: usize) -> bool {
        if arrived + 1 == self.failed.len() {
            return true;
        }
        if self.failed[arrived] {
            return false;
        }
        for unit in (0..self.units.len()).filter(|unit| arrived >> unit & 1 == 0) {
            let ([start, goal], kind, name) = (self.units[unit], self.kinds[unit], unit as u16);
            if self.failed[arrived | 1 << unit] || !self.walks(unit) {
                continue;
            }
            kind.put(&mut self.holders, start, NOBODY);
            kind.put(&mut self.holders, goal, name);
            self.order.push(unit);
            if self.complete(arrived | 1 << unit) {
                return true;
            }
            self.order.pop();
            kind.put(&mut self.holders, goal, NOBODY);
            kind.put(&mut self.holders, start, name);
        }
        self.failed[arrived] = true;
        false
    }

    fn walks(&self, unit: usize) -> bool {
        let ([start, goal], kind) = (self.units[unit], self.kinds[unit]);
        kind.fits(&self.holders, goal, unit as u16)
            && kind.reach(&self.holders, start, unit as u16, Some(goal)).last() == Some(&goal)
    }
}

#[cfg(test)]
mod tests {
    use throng_model::{MovementProfile, Unit};

    use super::*;
    use crate::{map, place};

    /// Units of these sizes walk from small to capital letters.
    fn check(drawing: &str, sizes: &[u8], expected: Option<&[usize]>) {
        let kind = |&footprint| MovementProfile { footprint, ..MovementProfile::four_connected() };
        let unit = |(movement, letter): (usize, char)| Unit {
            movement,
            ..Unit::new(place(drawing, letter), place(drawing, letter.to_ascii_uppercase()))
        };
        let problem = Problem {
            movements: sizes.iter().map(kind).collect(),
            units: ('a'..).take(sizes.len()).enumerate().map(unit).collect(),
            ..Problem::new(map(drawing), MovementProfile::four_connected(), Vec::new())
        };
        assert_eq!(one_by_one(&problem, false).as_deref(), expected, "{drawing}");
    }

    #[test]
    fn the_unit_in_front_walks_first() {
        check("ab.AB", &[1, 1], Some(&[1, 0]));
    }

    #[test]
    fn an_exchange_in_a_corridor_has_no_order() {
        check("aB.bA", &[1, 1], None);
    }

    #[test]
    fn an_exchange_with_a_pocket_has_no_order_though_it_has_a_plan() {
        check("aB.bA\n##.##", &[1, 1], None);
    }

    #[test]
    fn a_large_unit_passes_a_small_one_where_there_is_room() {
        check("a...A.\n......\nb....B", &[2, 1], Some(&[0, 1]));
        check("..a..A.\n.B..b..", &[2, 1], None);
        check("a..A..\n..b..B", &[2, 1], Some(&[1, 0]));
    }
}
