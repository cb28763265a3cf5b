//! The eight directions, and tables of the legal steps from a cell.
//!
//! Whether a step is legal depends on the eight neighbouring positions only. A ground keeps one
//! byte per position with a bit for each neighbour on which the unit can stand; footprint and
//! terrain overrides are already included. Corner rules and pruning are then tables of 256
//! entries, computed once per movement profile.
//!
//! The pruning rule is that of D. Harabor and A. Grastien, "Online graph pruning for
//! pathfinding on grid maps" (AAAI 2011): a neighbour is left out when the parent reaches
//! it as cheaply without the cell in between. A* uses it too where all terrain costs the same:
//! most of the nodes that it would generate and drop are not generated.

use std::sync::OnceLock;

use throng_model::{Cell, CornerRule, MovementProfile, Neighbours};

/// One of eight directions, straight ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Direction(pub(crate) u8);

/// Column and row offset of each direction: north, east, south, west, then the diagonals
/// clockwise from north-east.
pub const OFFSETS: [(i32, i32); 8] =
    [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];

impl Direction {
    /// All eight, straight ones first.
    pub const ALL: [Self; 8] =
        [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// Columns and rows that a step in this direction moves.
    #[inline]
    pub fn offset(self) -> (i32, i32) {
        OFFSETS[usize::from(self.0)]
    }

    /// The opposite direction.
    #[inline]
    pub(crate) fn reversed(self) -> Self {
        Self(self.0 ^ 2)
    }

    /// The bit of this direction in a set of directions.
    #[inline]
    pub(crate) fn bit(self) -> u8 {
        1 << self.0
    }

    /// Whether it changes column and row.
    #[inline]
    pub fn is_diagonal(self) -> bool {
        self.0 >= 4
    }

    /// The direction from a cell to one of its eight neighbours.
    pub(crate) fn between(from: Cell, to: Cell) -> Option<Self> {
        let step = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
        Self::of(step)
    }

    /// The direction of a step by columns and rows, if it is one of the eight.
    pub(crate) fn of(step: (i32, i32)) -> Option<Self> {
        OFFSETS.iter().position(|&offset| offset == step).map(|index| Self(index as u8))
    }

    /// The directions whose bits are set, in order.
    pub(crate) fn each(mut bits: u8) -> impl Iterator<Item = Self> {
        std::iter::from_fn(move || {
            let lowest = Self(bits.trailing_zeros() as u8);
            let any = bits != 0;
            bits &= bits.wrapping_sub(1);
            any.then_some(lowest)
        })
    }
}

/// The steps from a cell, looked up by the bits of its free neighbours.
#[derive(Clone, Debug)]
pub(crate) struct StepTables {
    legal: [u8; 256],
    /// By direction of arrival: the legal steps that are not pruned. `None` where pruning does
    /// not apply.
    canonical: Option<&'static Canonical>,
}

type Canonical = [[u8; 256]; 8];

/// The tables of the three corner rules and of 4-connected movement, computed on first use.
static CANONICAL: [OnceLock<Canonical>; 4] = [const { OnceLock::new() }; 4];

impl StepTables {
    pub(crate) fn new(movement: &MovementProfile) -> Self {
        let legal = std::array::from_fn(|around| legal_steps(movement, around as u8));
        let (straight, diagonal) = movement.step_costs();
        let four = movement.neighbours == Neighbours::Four;
        // If a diagonal step costs no more than a straight one, zig-zags tie with straight
        // lines, and the tie-break would keep the zig-zag. Such movement is not pruned, nor one
        // whose diagonal steps are no shorter than two straight ones. In between, the tables do not
        // depend on the cost.
        let table = if four { 3 } else { movement.corners as usize };
        let is_shorter = diagonal > straight && diagonal.0 < 2 * straight.0;
        let canonical = (four || is_shorter).then(|| {
            CANONICAL[table].get_or_init(|| {
                Direction::ALL.map(|arrival| {
                    std::array::from_fn(|around| unpruned(movement, &legal, arrival, around as u8))
                })
            })
        });
        Self { legal, canonical }
    }

    /// The legal steps for each set of free neighbours.
    pub(crate) fn legal_table(&self) -> &[u8; 256] {
        &self.legal
    }

    /// All legal steps.
    #[inline]
    pub(crate) fn legal(&self, around: u8) -> u8 {
        self.legal[usize::from(around)]
    }

    /// The legal steps that are not pruned, for a cell reached in the direction of the bit
    /// `arrival`. 0 stands for a start, from which all legal steps count.
    #[inline]
    pub(crate) fn canonical(&self, arrival: u8, around: u8) -> u8 {
        match self.canonical {
            Some(table) if arrival != 0 => {
                table[arrival.trailing_zeros() as usize % 8][usize::from(around)]
            }
            _ => self.legal(around),
        }
    }
}

fn legal_steps(movement: &MovementProfile, around: u8) -> u8 {
    let straight = around & 0b1111;
    if movement.neighbours == Neighbours::Four {
        return straight;
    }
    let diagonals = Direction::ALL[4..].iter().filter(|diagonal| {
        let (dx, dy) = diagonal.offset();
        let free = |step| Direction::of(step).is_some_and(|d| around & d.bit() != 0);
        let sides_free = [free((dx, 0)), free((0, dy))];
        around & diagonal.bit() != 0 && corner_allows(movement.corners, sides_free)
    });
    diagonals.fold(straight, |steps, diagonal| steps | diagonal.bit())
}

fn corner_allows(rule: CornerRule, sides_free: [bool; 2]) -> bool {
    match rule {
        CornerRule::NeverCut => sides_free[0] && sides_free[1],
        CornerRule::OneSideFree => sides_free[0] || sides_free[1],
        CornerRule::AlwaysCut => true,
    }
}

/// The legal steps from the centre, reached in direction `arrival`, to neighbours that the
/// parent does not reach as cheaply around the centre. Ties go to the path with the
/// earlier diagonal (four-connected: the earlier vertical step).
fn unpruned(movement: &MovementProfile, legal: &[u8; 256], arrival: Direction, around: u8) -> u8 {
    let parent = arrival.reversed();
    if around & parent.bit() == 0 {
        return legal[usize::from(around)];
    }
    let by_detour = costs_around_centre(movement, around, parent);
    let ties_pruned = match movement.neighbours {
        Neighbours::Four => arrival.offset().1 == 0,
        Neighbours::Eight => !arrival.is_diagonal(),
    };
    let kept = Direction::each(legal[usize::from(around)] & !parent.bit()).filter(|&step| {
        let through = step_cost(movement, arrival) + step_cost(movement, step);
        let detour = by_detour[usize::from(step.0)];
        detour > through || (detour == through && !ties_pruned)
    });
    kept.fold(0, |steps, step| steps | step.bit())
}

fn step_cost(movement: &MovementProfile, step: Direction) -> u64 {
    let (straight, diagonal) = movement.step_costs();
    if step.is_diagonal() { diagonal.0 } else { straight.0 }
}

/// The cost from the parent to each neighbour of the centre, without the centre. Detours of more
/// than two steps are never cheaper than the two steps through the centre, so they are ignored.
fn costs_around_centre(movement: &MovementProfile, around: u8, parent: Direction) -> [u64; 8] {
    let step = |from, to| ring_step(movement, around, from, to).unwrap_or(u64::MAX);
    let from_parent = Direction::ALL.map(|to| step(parent, to));
    Direction::ALL.map(|to| {
        let by_two = Direction::each(around)
            .map(|via| from_parent[usize::from(via.0)].saturating_add(step(via, to)));
        by_two.min().unwrap_or(u64::MAX).min(from_parent[usize::from(to.0)])
    })
}

/// The cost of a step between two of the eight cells around the centre, if it is legal.
fn ring_step(
    movement: &MovementProfile,
    around: u8,
    from: Direction,
    to: Direction,
) -> Option<u64> {
    let ((fx, fy), (tx, ty)) = (from.offset(), to.offset());
    let step = Direction::of((tx - fx, ty - fy))?;
    let is_free =
        |at: (i32, i32)| at == (0, 0) || Direction::of(at).is_some_and(|d| around & d.bit() != 0);
    if !is_free((fx, fy)) || !is_free((tx, ty)) {
        return None;
    }
    let legal = !step.is_diagonal()
        || (movement.neighbours == Neighbours::Eight
            && corner_allows(movement.corners, [is_free((tx, fy)), is_free((fx, ty))]));
    legal.then(|| step_cost(movement, step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reversing_twice_changes_nothing() {
        for direction in Direction::ALL {
            let ((dx, dy), (rx, ry)) = (direction.offset(), direction.reversed().offset());
            assert_eq!((dx + rx, dy + ry), (0, 0));
        }
    }

    #[test]
    fn in_the_open_a_straight_arrival_leads_straight_on() {
        let step_tables = StepTables::new(&MovementProfile::eight_connected());
        assert_eq!(step_tables.canonical(Direction(1).bit(), 0xff), Direction(1).bit());
        let north_east = Direction(4);
        let natural = Direction(0).bit() | Direction(1).bit() | north_east.bit();
        assert_eq!(step_tables.canonical(north_east.bit(), 0xff), natural);
    }

    #[test]
    fn a_wall_behind_the_shoulder_forces_a_turn() {
        let step_tables = StepTables::new(&MovementProfile::eight_connected());
        let north_west = Direction(7);
        let around = !north_west.bit();
        let turns = Direction(0).bit() | Direction(4).bit() | Direction(1).bit();
        assert_eq!(step_tables.canonical(Direction(1).bit(), around), turns);
    }

    #[test]
    fn corner_rules_differ_just_at_corners() {
        let steps = |corners, around| {
            StepTables::new(&MovementProfile { corners, ..MovementProfile::eight_connected() })
                .legal(around)
        };
        let (north, east, north_east) = (1, 2, 1 << 4);
        for (around, expected) in [
            (north | east | north_east, [true, true, true]),
            (north | north_east, [false, true, true]),
            (north_east, [false, false, true]),
            (north | east, [false, false, false]),
        ] {
            let rules = [CornerRule::NeverCut, CornerRule::OneSideFree, CornerRule::AlwaysCut];
            let found = rules.map(|rule| steps(rule, around) & north_east != 0);
            assert_eq!(found, expected, "{around:#010b}");
        }
    }
}
