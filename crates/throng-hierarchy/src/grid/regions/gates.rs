//! Where one region touches another: the gates between them, and where to cross.

use throng_model::Cell;

use super::{Gate, RegionId};

/// Cells a side of the tiles of which each has a crossing of its own, where a gate goes
/// through several: a wide one is not crossed in its middle alone.
const TILE: u16 = 16;

/// A legal step from a cell of one region to a cell of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub(super) other: RegionId,
    pub(super) own: Cell,
    pub(super) beyond: Cell,
    /// The factors of both cells together.
    pub(super) factors: u16,
}

impl Pair {
    /// The same from both sides.
    fn ends(&self) -> (Cell, Cell) {
        (self.own.min(self.beyond), self.own.max(self.beyond))
    }

    fn tile(&self) -> (u16, u16) {
        let (first, _) = self.ends();
        (first.y / TILE, first.x / TILE)
    }

    fn touches(&self, next: &Self) -> bool {
        self.other == next.other && near(self.own, next.own) && near(self.beyond, next.beyond)
    }

    /// Twice the place in the middle of both cells.
    fn middle(&self) -> (i64, i64) {
        let sum = |one: u16, other: u16| i64::from(one) + i64::from(other);
        (sum(self.own.x, self.beyond.x), sum(self.own.y, self.beyond.y))
    }
}

fn near(one: Cell, other: Cell) -> bool {
    one.x.abs_diff(other.x) <= 1 && one.y.abs_diff(other.y) <= 1
}

/// Puts the pairs of one region together to gates. Calls back for each gate with its pairs.
pub(super) fn find_gates(pairs: &mut [Pair], mut found: impl FnMut(&mut [Pair])) {
    pairs.sort_unstable();
    let mut runs = vec![usize::MAX; pairs.len()];
    let mut count = 0;
    let mut stack = Vec::new();
    for first in 0..pairs.len() {
        if runs[first] != usize::MAX {
            continue;
        }
        runs[first] = count;
        stack.push(first);
        while let Some(at) = stack.pop() {
            for next in around(pairs, at) {
                if runs[next] == usize::MAX && pairs[at].touches(&pairs[next]) {
                    runs[next] = count;
                    stack.push(next);
                }
            }
        }
        count += 1;
    }
    let mut ordered: Vec<(usize, Pair)> = runs.into_iter().zip(pairs.iter().copied()).collect();
    ordered.sort_unstable();
    for run in ordered.chunk_by(|one, next| one.0 == next.0) {
        let mut run: Vec<Pair> = run.iter().map(|&(_, pair)| pair).collect();
        found(&mut run);
    }
}

/// The pairs whose own cell is near that of one of them: three runs of the sorted pairs.
fn around(pairs: &[Pair], at: usize) -> impl Iterator<Item = usize> {
    let Pair { other, own, .. } = pairs[at];
    (-1..=1).flat_map(move |dy| {
        let y = i32::from(own.y) + dy;
        let key = |x: i32| (y, x);
        let position = |pair: &Pair| (i32::from(pair.own.y), i32::from(pair.own.x));
        let start = pairs.partition_point(|pair| {
            (pair.other, position(pair)) < (other, key(i32::from(own.x) - 1))
        });
        let end = pairs.partition_point(|pair| {
            (pair.other, position(pair)) <= (other, key(i32::from(own.x) + 1))
        });
        start..end
    })
}

/// The gate that a run of pairs is.
pub(super) fn gate(own: RegionId, run: &[Pair]) -> Option<Gate> {
    let middle = middlemost(run, |_| 0)?;
    let width = |cell: fn(&Pair) -> Cell| {
        let mut cells: Vec<Cell> = run.iter().map(cell).collect();
        cells.sort_unstable();
        cells.dedup();
        cells.len() as u32
    };
    Some(Gate {
        regions: [own, middle.other],
        middle: [middle.own, middle.beyond],
        width: width(|pair| pair.own).min(width(|pair| pair.beyond)),
    })
}

/// Where to cross a gate: in each tile where it is cheapest, then where it is most in the
/// middle.
pub(super) fn crossings(run: &mut [Pair], mut found: impl FnMut(&Pair)) {
    run.sort_unstable_by_key(|pair| (pair.tile(), pair.ends()));
    for part in run.chunk_by(|one, next| one.tile() == next.tile()) {
        if let Some(pair) = middlemost(part, |pair| pair.factors) {
            found(pair);
        }
    }
}

/// The pair nearest to the middle of all, of those that are cheapest.
fn middlemost(run: &[Pair], price: impl Fn(&Pair) -> u16) -> Option<&Pair> {
    let count = run.len() as i64;
    let sum = run.iter().map(Pair::middle).fold((0, 0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
    let offset = |pair: &Pair| {
        let (x, y) = pair.middle();
        (count * x - sum.0).pow(2) + (count * y - sum.1).pow(2)
    };
    run.iter().min_by_key(|pair| (price(pair), offset(pair), pair.ends()))
}
