//! Straight lines over the ground: which are free, and what they cost. Exact integers.
//!
//! A line leads from the centre of one cell to the centre of another (for a footprint of
//! several cells: from one position to another; the ground already includes the footprint).
//! What must be free along it follows from the corner rule:
//!
//! - never cut, and all four-connected movement: every position that the body overlaps on
//!   its way, even by a sliver. The body never leaves free ground.
//! - cut when one side is free, or always: the positions that the centre passes through.
//!   Where it passes exactly through a corner, one of the two beside must be free, or none.
//!
//! What a line costs:
//!
//! - A line along the steps of the movement (straight, and diagonal where the movement has
//!   diagonals) costs what these steps cost. It is the same walk.
//! - Any other costs its length times the factors that its centre passes through, each in
//!   proportion. No line runs along the border of two cells (a straight one runs through
//!   the middle of its cells), and a corner has no length, so that is never in doubt.
//!   Rounded up once, at the end.
//! - Where every step takes one tick, so that a diagonal costs no more than a straight step,
//!   length is the larger of the columns and rows covered: what a unit covers in one tick
//!   is then a square, not a circle, and a line in between takes as long as the same way
//!   made of straight and diagonal steps.

use throng_model::{Cell, CornerRule, Cost, DiagonalCost, Neighbours, STRAIGHT};

use crate::Ground;
use crate::ground::directions::Direction;

/// Whether a unit can go straight from one cell to another.
///
/// ```
/// use throng_model::{Cell, Map, MovementProfile};
/// use throng_grid::{Ground, line_of_sight};
/// let mut map = Map::empty(9, 5)?;
/// map.set(Cell::new(4, 2), Map::WALL)?;
/// let ground = Ground::new(&map, MovementProfile::eight_connected())?;
/// assert!(line_of_sight(&ground, Cell::new(0, 0), Cell::new(8, 1)));
/// assert!(!line_of_sight(&ground, Cell::new(0, 0), Cell::new(8, 4)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn line_of_sight(ground: &Ground, from: Cell, to: Cell) -> bool {
    Line::new(ground, from, to).is_some_and(|line| line.is_free())
}

/// What it costs to go straight from one cell to another; `None` if something is in the way.
#[must_use]
pub fn segment_cost(ground: &Ground, from: Cell, to: Cell) -> Option<Cost> {
    let line = Line::new(ground, from, to).filter(Line::is_free)?;
    let step = line.grid_step(from, to);
    Some(step.map_or_else(|| line.cost(), |step| line.steps_cost(step)))
}

/// A line in its own coordinates: it covers `run` cells along one axis of the map and
/// `rise` cells, no more than that, along the other.
struct Line<'a> {
    ground: &'a Ground,
    origin: i64,
    /// How far the index moves for a cell along, and for a cell across.
    along: i64,
    across: i64,
    run: i64,
    rise: i64,
}

impl<'a> Line<'a> {
    fn new(ground: &'a Ground, from: Cell, to: Cell) -> Option<Self> {
        let origin = i64::from(ground.index(from)?.0);
        ground.index(to)?;
        let (dx, dy) = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
        let (column, row) = (dx.signum(), dy.signum() * i64::from(ground.width()));
        let ((run, along), (rise, across)) = if dx.abs() >= dy.abs() {
            ((dx.abs(), column), (dy.abs(), row))
        } else {
            ((dy.abs(), row), (dx.abs(), column))
        };
        Some(Self { ground, origin, along, across, run, rise })
    }

    fn factor(&self, along: i64, across: i64) -> u8 {
        self.ground.factors()[(self.origin + along * self.along + across * self.across) as usize]
    }

    fn can_stand(&self, along: i64, across: i64) -> bool {
        self.factor(along, across) != 0
    }

    fn is_free(&self) -> bool {
        let movement = self.ground.movement();
        let sweeps =
            movement.neighbours == Neighbours::Four || movement.corners == CornerRule::NeverCut;
        let one_side = movement.corners == CornerRule::OneSideFree;
        (0..=self.run).all(|along| {
            let across = if sweeps { self.swept(along) } else { self.crossed(along) };
            let free = across.into_iter().all(|across| self.can_stand(along, across));
            free && (sweeps || !one_side || self.passes_corner(along))
        })
    }

    /// The positions across that the body overlaps: those less than one from the line while
    /// it is less than one from `along`.
    fn swept(&self, along: i64) -> std::ops::RangeInclusive<i64> {
        let run = self.run.max(1);
        let (first, last) = ((along - 1).max(0), (along + 1).min(self.run));
        first * self.rise / run..=ceil_div(last * self.rise, run)
    }

    /// The positions across that the centre passes through, for some length.
    fn crossed(&self, along: i64) -> std::ops::RangeInclusive<i64> {
        let twice_run = 2 * self.run.max(1);
        let (first, last) = ((2 * along - 1).max(0), (2 * along + 1).min(2 * self.run));
        let low = (first * self.rise + self.run) / twice_run;
        low..=ceil_div(last * self.rise - self.run, twice_run)
    }

    /// Whether a corner that the centre meets on leaving `along` has a free cell beside it.
    fn passes_corner(&self, along: i64) -> bool {
        let twice_height = (2 * along + 1) * self.rise;
        if along == self.run || twice_height % (2 * self.run) != self.run {
            return true;
        }
        let below = twice_height / (2 * self.run);
        self.can_stand(along + 1, below) || self.can_stand(along, below + 1)
    }

    /// The step that the line repeats, if it does.
    fn grid_step(&self, from: Cell, to: Cell) -> Option<Direction> {
        let (dx, dy) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
        let diagonal = self.ground.movement().neighbours == Neighbours::Eight;
        let repeats = self.rise == 0 || (self.rise == self.run && diagonal);
        Direction::of((dx.signum(), dy.signum())).filter(|_| repeats)
    }

    fn steps_cost(&self, step: Direction) -> Cost {
        let climbs = i64::from(self.rise != 0);
        let factors = (1..=self.run).map(|along| u64::from(self.factor(along, along * climbs)));
        Cost(self.ground.base_cost(step) * factors.sum::<u64>())
    }

    /// Length times factors. The integral is in units of `1 / (2 run rise)` of the length;
    /// on the largest map, all of factor 255, the product stays below 2^60.
    fn cost(&self) -> Cost {
        let rise = self.rise.max(1);
        let mut integral = 0;
        for along in 0..=self.run {
            let (first, last) = ((2 * along - 1).max(0), (2 * along + 1).min(2 * self.run));
            for across in self.crossed(along) {
                let enters = (first * rise).max((2 * across - 1) * self.run);
                let leaves = (last * rise).min((2 * across + 1) * self.run);
                integral += (leaves - enters) as u64 * u64::from(self.factor(along, across));
            }
        }
        Cost((self.length() * integral).div_ceil(2 * (self.run * rise).max(1) as u64))
    }

    /// Rounded up: the true length of a line is never an integer, save for Pythagoras'
    /// triangles, and no path of steps is shorter than it.
    fn length(&self) -> u64 {
        let (run, rise) = (self.run as u64, self.rise as u64);
        let movement = self.ground.movement();
        let chessboard =
            movement.neighbours == Neighbours::Eight && movement.diagonal == DiagonalCost::OneTick;
        if chessboard {
            return STRAIGHT * run;
        }
        if let DiagonalCost::Ticks(_) = movement.diagonal {
            // Time, which is what such steps cost, does not depend on the angle.
            let (straight, diagonal) = movement.step_costs();
            return straight.0 * (run - rise.min(run)) + diagonal.0 * rise.min(run);
        }
        let square = STRAIGHT * STRAIGHT * (run * run + rise * rise);
        let root = square.isqrt();
        root + u64::from(root * root < square)
    }
}

/// Division by something positive, rounded up.
fn ceil_div(dividend: i64, divisor: i64) -> i64 {
    -(-dividend).div_euclid(divisor)
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use throng_model::{Map, MovementProfile, TerrainId};
    use throng_testkit::{place, rng};

    use super::*;

    const RULES: [CornerRule; 3] =
        [CornerRule::NeverCut, CornerRule::OneSideFree, CornerRule::AlwaysCut];

    fn check(drawing: &str, expected: [bool; 3]) {
        let (from, to) = (place(drawing, 'a'), place(drawing, 'b'));
        for (corners, expected) in RULES.into_iter().zip(expected) {
            let movement = MovementProfile { corners, ..MovementProfile::eight_connected() };
            let ground = Ground::new(&throng_testkit::map(drawing), movement).unwrap();
            assert_eq!(line_of_sight(&ground, from, to), expected, "{corners:?}\n{drawing}");
            assert_eq!(line_of_sight(&ground, to, from), expected, "{corners:?} back\n{drawing}");
        }
    }

    #[test]
    fn open_ground_is_free() {
        check("a....\n.....\n...b.", [true; 3]);
        check("a....b", [true; 3]);
        check("a\n.\nb", [true; 3]);
    }

    #[test]
    fn a_wall_across_is_in_the_way() {
        check("a.#.b", [false; 3]);
        check("a..\n.#.\n..b", [false; 3]);
    }

    #[test]
    fn a_corner_counts_by_the_rule() {
        check("a#\n.b", [false, true, true]);
        check("a#\n#b", [false, false, true]);
        // Through the corner of four cells in the middle of a longer line.
        check("a.#.\n.#.b", [false, false, true]);
        check("a.#\n...\n#.b", [true, true, true]);
        check("a#..\n..#b", [false, false, false]);
    }

    #[test]
    fn a_sliver_of_the_body_counts_for_those_who_never_cut() {
        // The line passes (1,0) and (2,1); the body brushes (2,0) and (1,1).
        check("a.#.\n...b", [false, true, true]);
        check("a...\n.#.b", [false, true, true]);
    }

    #[test]
    fn beyond_the_edge_there_is_no_sight() {
        let ground =
            Ground::new(&Map::empty(3, 3).unwrap(), MovementProfile::eight_connected()).unwrap();
        assert!(!line_of_sight(&ground, Cell::new(0, 0), Cell::new(3, 0)));
        assert_eq!(segment_cost(&ground, Cell::new(9, 9), Cell::new(0, 0)), None);
        assert_eq!(segment_cost(&ground, Cell::new(1, 1), Cell::new(1, 1)), Some(Cost(0)));
    }

    #[test]
    fn the_largest_line_does_not_overflow() {
        let cells = vec![TerrainId(0); 4096 * 4096];
        let costly = throng_model::Factor::new(255).unwrap();
        let class = throng_model::TerrainClass::passable("mud", '.', costly);
        let map = Map::new(4096, 4096, vec![class], cells).unwrap();
        let ground = Ground::new(&map, MovementProfile::four_connected()).unwrap();
        let cost = segment_cost(&ground, Cell::new(0, 4095), Cell::new(4095, 1)).unwrap();
        let length = 13_860.0 * f64::hypot(4095.0, 4094.0) * 255.0;
        assert!((cost.0 as f64 - length).abs() < 512.0, "{cost:?} beside {length}");
    }

    #[test]
    fn terrain_counts_by_the_length_in_it() {
        // From (0,0) to (2,1): the centre is in (0,0) for 1/4, (1,0) for 1/4, (1,1) for
        // 1/4, (2,1) for 1/4.
        let ground =
            Ground::new(&throng_testkit::map("a5.\n.35"), MovementProfile::eight_connected());
        let cost = segment_cost(&ground.unwrap(), Cell::new(0, 0), Cell::new(2, 1)).unwrap();
        // 13860 times the root of five is 30991.9.
        assert_eq!(cost.0, (30_992_u64 * (1 + 5 + 3 + 5)).div_ceil(4));
    }

    #[test]
    fn lines_along_steps_cost_what_the_steps_cost() {
        let map = throng_testkit::map("9.3.\n.2..\n..4.\n...5");
        for diagonal in [DiagonalCost::TrueLength, DiagonalCost::OneTick] {
            let movement = MovementProfile { diagonal, ..MovementProfile::eight_connected() };
            let ground = Ground::new(&map, movement).unwrap();
            for (dx, dy) in [(1, 0), (0, 1), (1, 1)] {
                let cells: Vec<Cell> = (0..4).map(|n| Cell::new(n * dx, n * dy)).collect();
                assert_eq!(segment_cost(&ground, cells[0], cells[3]), ground.path_cost(&cells));
            }
        }
    }

    /// A random map of walls and factors 1 to 4, the raw factors row by row.
    fn random_terrain(seed: u64, side: u32) -> (Map, Vec<u8>) {
        let classes = throng_testkit::map("2").classes().to_vec();
        let mut rng = rng(seed);
        let drawn =
            (0..side * side).map(|_| [1, 0, 0, 0, 0, 0, 2, 3, 4, 0][rng.random_range(0..10)]);
        let cells: Vec<TerrainId> = drawn.map(TerrainId).collect();
        let factor = |t: &TerrainId| [1, 0, 2, 3, 4][usize::from(t.0)];
        let factors = cells.iter().map(factor).collect();
        (Map::new(side as u16, side as u16, classes, cells).unwrap(), factors)
    }

    /// Looks at the raw map at many moments of the way. Positions are scaled: `moments` is
    /// the side of a cell. Twice `run * rise` moments show every stretch of the line at its
    /// ends and, halved once more, in its middle.
    struct Walk<'a> {
        raw: &'a [u8],
        side: i64,
        footprint: i64,
        from: (i64, i64),
        delta: (i64, i64),
        moments: i64,
    }

    impl Walk<'_> {
        fn factor(&self, x: i64, y: i64) -> u8 {
            let inside = (0..self.side).contains(&x) && (0..self.side).contains(&y);
            if inside { self.raw[(y * self.side + x) as usize] } else { 0 }
        }

        /// The factor of a body that stands on a position, 0 if it cannot.
        fn standing(&self, x: i64, y: i64) -> u8 {
            let cells = (0..self.footprint)
                .flat_map(|dy| (0..self.footprint).map(move |dx| (x + dx, y + dy)));
            let factors: Vec<u8> = cells.map(|(x, y)| self.factor(x, y)).collect();
            if factors.contains(&0) { 0 } else { factors.into_iter().max().unwrap() }
        }

        /// The centre's place, doubled so that borders of cells are whole numbers.
        fn place(&self, moment: i64) -> (i64, i64) {
            let at = |from: i64, delta: i64| from * self.moments + delta * moment;
            (at(self.from.0, self.delta.0), at(self.from.1, self.delta.1))
        }

        fn body_is_free(&self, moment: i64) -> bool {
            let (x, y) = self.place(moment);
            let covered = |low: i64| {
                let high = low + self.footprint * self.moments;
                low.div_euclid(self.moments)..=(high - 1).div_euclid(self.moments)
            };
            covered(y).all(|row| covered(x).all(|column| self.factor(column, row) != 0))
        }

        /// The positions whose square the centre is in or touches: one, two or four.
        fn beside(&self, moment: i64) -> Vec<(i64, i64)> {
            let (x, y) = self.place(moment);
            let near = |at: i64| {
                let low =
                    (2 * at - self.moments + 2 * self.moments - 1).div_euclid(2 * self.moments);
                let high = (2 * at + self.moments).div_euclid(2 * self.moments);
                low..=high
            };
            near(y).flat_map(|row| near(x).map(move |column| (column, row))).collect()
        }

        fn centre_is_free(&self, moment: i64, rule: CornerRule) -> bool {
            let beside = self.beside(moment);
            let free = beside.iter().filter(|&&(x, y)| self.standing(x, y) != 0).count();
            match (beside.len(), rule) {
                (1, _) => free == 1,
                // On a border the cells before and after count, at other moments.
                (2, _) => true,
                // At a corner two are before and after, the others beside.
                (_, CornerRule::OneSideFree) => free >= 3,
                _ => true,
            }
        }
    }

    fn check_line(ground: &Ground, raw: &[u8], from: Cell, to: Cell) {
        let movement = ground.movement();
        let delta = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
        let stretches = 2 * delta.0.abs().max(1) * delta.1.abs().max(1);
        let walk = Walk {
            raw,
            side: i64::from(ground.width()),
            footprint: i64::from(movement.footprint),
            from: (i64::from(from.x), i64::from(from.y)),
            delta,
            moments: 2 * stretches,
        };
        let sweeps =
            movement.neighbours == Neighbours::Four || movement.corners == CornerRule::NeverCut;
        let expected = (0..=walk.moments).all(|moment| {
            if sweeps {
                walk.body_is_free(moment)
            } else {
                walk.centre_is_free(moment, movement.corners)
            }
        });
        assert_eq!(line_of_sight(ground, from, to), expected, "{from} to {to} {movement:?}");
        let run = delta.0.abs().max(delta.1.abs()) as u64;
        let along_steps = delta.0 == 0
            || delta.1 == 0
            || (delta.0.abs() == delta.1.abs() && movement.neighbours == Neighbours::Eight);
        if !expected || along_steps {
            return;
        }
        let sum: u64 = (0..stretches)
            .map(|stretch| walk.beside(2 * stretch + 1)[0])
            .map(|(x, y)| u64::from(walk.standing(x, y)))
            .sum();
        let square = STRAIGHT.pow(2) * (delta.0 * delta.0 + delta.1 * delta.1) as u64;
        let euclid = (square as f64).sqrt() as u64;
        let euclid = (euclid - 2..).find(|length| length * length >= square).unwrap();
        let one_tick =
            movement.diagonal == DiagonalCost::OneTick && movement.neighbours == Neighbours::Eight;
        let length = if one_tick { run * STRAIGHT } else { euclid };
        let expected = (length * sum).div_ceil(stretches as u64);
        assert_eq!(segment_cost(ground, from, to), Some(Cost(expected)), "{from} to {to}");
    }

    #[test]
    fn sight_and_cost_are_those_of_a_walk_watched_closely() {
        for seed in 0..12_u64 {
            let (map, raw) = random_terrain(seed, 14);
            for corners in RULES {
                let footprint = 1 + (seed % 3) as u8;
                let neighbours = if seed % 4 == 3 { Neighbours::Four } else { Neighbours::Eight };
                let diagonal =
                    if seed % 5 == 0 { DiagonalCost::OneTick } else { DiagonalCost::TrueLength };
                let movement = MovementProfile {
                    corners,
                    footprint,
                    neighbours,
                    diagonal,
                    ..MovementProfile::eight_connected()
                };
                let ground = Ground::new(&map, movement).unwrap();
                let mut rng = rng(seed + 100);
                for _ in 0..150 {
                    let near = |at: u16, by: i32| (i32::from(at) + by).clamp(0, 13) as u16;
                    let from = Cell::new(rng.random_range(0..14), rng.random_range(0..14));
                    let to = Cell::new(
                        near(from.x, rng.random_range(-5..6)),
                        near(from.y, rng.random_range(-5..6)),
                    );
                    check_line(&ground, &raw, from, to);
                }
            }
        }
    }
}
