//! Which unit goes to which cell: a matching with a small sum of squared distances.
//!
//! At the minimum straight paths do not cross, so no unit has to pass through units that have
//! arrived. Small groups get the minimum, by shortest augmenting paths (H. Kuhn, "The Hungarian
//! method for the assignment problem", 1955), which takes cubic time. For large groups, units and
//! cells are bisected together along the longer side until one of each is left; then pairs that
//! are neighbours exchange their cells while that lowers the sum. This takes n log n. For 5,000
//! units the sum is lower than after exchanges between all pairs from a poor matching.

use throng_model::Cell;

/// The largest group that gets the minimum.
const EXACT_UNITS_MAX: usize = 64;
/// Most passes over all neighbours.
const PASSES_MAX: u32 = 4;
/// The number of neighbours, in a sorted order, with which a unit is compared.
const NEIGHBOURS: usize = 4;
/// How many units a square has whose side is the height of a strip.
const UNITS_PER_SQUARE: u64 = 8;

/// The work for minima that is left, so that many small groups do not add up to a long time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExactWork(usize);

impl Default for ExactWork {
    fn default() -> Self {
        Self(2 * EXACT_UNITS_MAX.pow(3))
    }
}

/// Reorders the cells so that the unit at `from[i]` goes to `cells[i]`.
pub(crate) fn match_cells(from: &[Cell], cells: &mut [Cell], work: &mut ExactWork) {
    let steps = from.len().saturating_pow(3);
    let cell_of = match work.0.checked_sub(steps).filter(|_| from.len() <= EXACT_UNITS_MAX) {
        Some(left) => {
            work.0 = left;
            minimum(from, cells)
        }
        None => {
            let mut matching = Matching::bisected(from, cells);
            matching.exchange_neighbours();
            matching.cell_of
        }
    };
    let sorted = cells.to_vec();
    cells.iter_mut().zip(&cell_of).for_each(|(cell, &of)| *cell = sorted[of as usize]);
}

fn distance_squared(a: Cell, b: Cell) -> i64 {
    let (dx, dy) = (i64::from(a.x.abs_diff(b.x)), i64::from(a.y.abs_diff(b.y)));
    dx * dx + dy * dy
}

/// The matching with the least sum: for each unit the index of its cell. Units are added one by
/// one, each along the cheapest augmenting path; potentials keep reduced costs at 0 or above.
fn minimum(from: &[Cell], to: &[Cell]) -> Vec<u32> {
    let count = from.len();
    // A unit and a cell that do not exist have the number `count`.
    let (mut unit_potential, mut cell_potential) = (vec![0; count + 1], vec![0; count + 1]);
    let mut unit_of = vec![count; count + 1];
    for unit in 0..count {
        unit_of[count] = unit;
        let mut cell = count;
        let mut previous = vec![count; count];
        let mut slack = vec![i64::MAX; count];
        let mut is_visited = vec![false; count + 1];
        while unit_of[cell] < count {
            is_visited[cell] = true;
            let (other, mut least, mut next) = (unit_of[cell], i64::MAX, count);
            for (at, &goal) in to.iter().enumerate().filter(|&(at, _)| !is_visited[at]) {
                let potentials = unit_potential[other] + cell_potential[at];
                let reduced = distance_squared(from[other], goal) - potentials;
                if reduced < slack[at] {
                    (slack[at], previous[at]) = (reduced, cell);
                }
                if slack[at] < least {
                    (least, next) = (slack[at], at);
                }
            }
            for at in (0..=count).filter(|&at| is_visited[at]) {
                unit_potential[unit_of[at]] += least;
                cell_potential[at] -= least;
            }
            (0..count).filter(|&at| !is_visited[at]).for_each(|at| slack[at] -= least);
            cell = next;
        }
        while cell < count {
            let before = previous[cell];
            unit_of[cell] = unit_of[before];
            cell = before;
        }
    }
    let mut cell_of = vec![0; count];
    (0..count).for_each(|cell| cell_of[unit_of[cell]] = cell as u32);
    cell_of
}

/// A matching that is being improved.
struct Matching<'a> {
    from: &'a [Cell],
    to: &'a [Cell],
    cell_of: Vec<u32>,
    unit_of: Vec<u32>,
}

impl<'a> Matching<'a> {
    /// The first half of the units along the longer side gets the first half of the cells, and so
    /// on. Ties break by the other coordinate, then by index.
    fn bisected(from: &'a [Cell], to: &'a [Cell]) -> Self {
        let mut units: Vec<u32> = (0..from.len() as u32).collect();
        let mut cells = units.clone();
        let mut matching = Self { from, to, cell_of: units.clone(), unit_of: units.clone() };
        matching.bisect(&mut units, &mut cells);
        matching
    }

    fn bisect(&mut self, units: &mut [u32], cells: &mut [u32]) {
        if let ([unit], [cell]) = (&*units, &*cells) {
            self.cell_of[*unit as usize] = *cell;
            self.unit_of[*cell as usize] = *unit;
        }
        if units.len() < 2 {
            return;
        }
        let (of_units, of_cells) = (sides(self.from, units), sides(self.to, cells));
        let is_wide = of_units.0 + of_cells.0 >= of_units.1 + of_cells.1;
        let key = |Cell { x, y }: Cell, index: u32| {
            if is_wide { (x, y, index) } else { (y, x, index) }
        };
        let half = units.len() / 2;
        let (from, to) = (self.from, self.to);
        units.select_nth_unstable_by_key(half, |&unit| key(from[unit as usize], unit));
        cells.select_nth_unstable_by_key(half, |&cell| key(to[cell as usize], cell));
        let (units, cells) = (units.split_at_mut(half), cells.split_at_mut(half));
        self.bisect(units.0, cells.0);
        self.bisect(units.1, cells.1);
    }

    /// Exchanges the cells of neighbours until nothing changes, or the passes are used up.
    fn exchange_neighbours(&mut self) {
        let by_start = [true, false].map(|is_wide| strips(self.from, is_wide));
        let by_cell = [true, false].map(|is_wide| strips(self.to, is_wide));
        for _ in 0..PASSES_MAX {
            let mut is_changed = false;
            for order in &by_start {
                is_changed |= self.exchange_along(order, |_, unit| unit);
            }
            for order in &by_cell {
                is_changed |= self.exchange_along(order, |all, cell| all.unit_of[cell as usize]);
            }
            if !is_changed {
                return;
            }
        }
    }

    /// Compares each unit with the next few of an order. Returns whether any cells were exchanged.
    fn exchange_along(&mut self, order: &[u32], unit: impl Fn(&Self, u32) -> u32) -> bool {
        let mut is_changed = false;
        for (place, &first) in order.iter().enumerate() {
            for &second in order[place + 1..].iter().take(NEIGHBOURS) {
                is_changed |= self.exchange(unit(self, first), unit(self, second));
            }
        }
        is_changed
    }

    /// Exchanges the cells of two units if the sum falls: if the vector between the units and the
    /// vector between their cells point in opposite directions.
    fn exchange(&mut self, a: u32, b: u32) -> bool {
        let (cell_a, cell_b) = (self.cell_of[a as usize], self.cell_of[b as usize]);
        let starts = vector(self.from[a as usize], self.from[b as usize]);
        let cells = vector(self.to[cell_a as usize], self.to[cell_b as usize]);
        let is_lower = starts.0 * cells.0 + starts.1 * cells.1 < 0;
        if is_lower {
            self.cell_of.swap(a as usize, b as usize);
            self.unit_of.swap(cell_a as usize, cell_b as usize);
        }
        is_lower
    }
}

fn vector(from: Cell, to: Cell) -> (i32, i32) {
    (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y))
}

/// Columns and rows from the first to the last of some cells.
fn sides(cells: &[Cell], indices: &[u32]) -> (u32, u32) {
    let (mut least, mut most) = (Cell::new(u16::MAX, u16::MAX), Cell::new(0, 0));
    for &index in indices {
        let Cell { x, y } = cells[index as usize];
        least = Cell::new(least.x.min(x), least.y.min(y));
        most = Cell::new(most.x.max(x), most.y.max(y));
    }
    let side = |least: u16, most: u16| u32::from(most.saturating_sub(least));
    (side(least.x, most.x), side(least.y, most.y))
}

/// The indices of cells in strips, row by row or column by column; along the strip in each. What
/// is near in the order is near on the map.
fn strips(cells: &[Cell], is_wide: bool) -> Vec<u32> {
    let indices: Vec<u32> = (0..cells.len() as u32).collect();
    let (columns, rows) = sides(cells, &indices);
    let area = u64::from(columns + 1) * u64::from(rows + 1);
    let square = area * UNITS_PER_SQUARE / cells.len().max(1) as u64;
    let height = (square.isqrt() + 1) as u16;
    let key = |index: u32| {
        let Cell { x, y } = cells[index as usize];
        let (along, across) = if is_wide { (x, y) } else { (y, x) };
        u64::from(across / height) << 48 | u64::from(along) << 32 | u64::from(index)
    };
    let mut keys: Vec<u64> = indices.into_iter().map(key).collect();
    keys.sort_unstable();
    keys.into_iter().map(|key| key as u32).collect()
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use throng_testkit::rng;

    use super::*;

    fn sum(from: &[Cell], cells: &[Cell]) -> i64 {
        from.iter().zip(cells).map(|(&from, &to)| distance_squared(from, to)).sum()
    }

    /// Different cells at random.
    fn random_cells(seed: u64, count: usize, side: u16) -> Vec<Cell> {
        let mut rng = rng(seed);
        let mut cells = std::collections::BTreeSet::new();
        while cells.len() < count {
            cells.insert(Cell::new(rng.random_range(0..side), rng.random_range(0..side)));
        }
        let mut cells: Vec<Cell> = cells.into_iter().collect();
        (1..count).for_each(|at| cells.swap(at, rng.random_range(0..=at as u32) as usize));
        cells
    }

    fn matched(from: &[Cell], cells: &[Cell]) -> Vec<Cell> {
        let mut matched = cells.to_vec();
        match_cells(from, &mut matched, &mut ExactWork::default());
        let sorted = |cells: &[Cell]| {
            let mut sorted = cells.to_vec();
            sorted.sort();
            sorted
        };
        assert_eq!(sorted(&matched), sorted(cells), "each cell once");
        matched
    }

    /// Exchanges the cells of any two units while that lowers the sum.
    fn exchange_all(from: &[Cell], cells: &mut [Cell]) {
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for a in 0..from.len() {
                for b in 0..a {
                    let before = sum(&[from[a], from[b]], &[cells[a], cells[b]]);
                    if sum(&[from[a], from[b]], &[cells[b], cells[a]]) < before {
                        cells.swap(a, b);
                        is_changed = true;
                    }
                }
            }
        }
    }

    fn least_sum(from: &[Cell], cells: &mut [Cell], fixed: usize) -> i64 {
        let swapped = (fixed..cells.len()).map(|other| {
            cells.swap(fixed, other);
            let least = least_sum(from, cells, fixed + 1);
            cells.swap(fixed, other);
            least
        });
        swapped.min().unwrap_or_else(|| sum(from, cells))
    }

    #[test]
    fn small_groups_get_the_least_sum_of_all_matchings() {
        for seed in 0..60 {
            let count = seed as usize % 7 + 1;
            let from = random_cells(seed, count, 9);
            let mut cells = random_cells(seed + 100, count, 5);
            let found = sum(&from, &matched(&from, &cells));
            assert_eq!(found, least_sum(&from, &mut cells, 0));
        }
        assert_eq!(matched(&[], &[]), []);
    }

    /// The sum exceeds the one of the exchanges between all pairs by 2% at most.
    #[test]
    fn large_groups_come_near_to_what_exchanges_between_all_pairs_reach() {
        for (seed, count, side) in [(1, 65, 300), (2, 400, 300), (3, 1000, 40), (4, 1000, 300)] {
            let from = random_cells(seed, count, side);
            let cells = random_cells(seed + 10, count, 35);
            let mut slow = cells.clone();
            exchange_all(&from, &mut slow);
            let (found, slow) = (sum(&from, &matched(&from, &cells)), sum(&from, &slow));
            assert!(found <= slow + slow / 50, "{count} units: {found}, not {slow}");
        }
    }

    #[test]
    fn many_small_groups_share_the_work_for_minima() {
        let (from, cells) = (random_cells(1, 64, 50), random_cells(2, 64, 20));
        let mut work = ExactWork::default();
        for left in [1, 0, 0] {
            match_cells(&from, &mut cells.clone(), &mut work);
            assert_eq!(work.0, left * 64_usize.pow(3));
        }
    }
}
