//! Where one region touches another: the doorways between them.

use throng_model::Cell;

use super::{Doorway, RegionId};

/// A legal step from a cell of one region to a cell of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub(super) other: RegionId,
    pub(super) own: Cell,
    pub(super) beyond: Cell,
}

impl Pair {
    /// Both cells in an order that is the same seen from either region.
    fn ends(&self) -> (Cell, Cell) {
        (self.own.min(self.beyond), self.own.max(self.beyond))
    }

    fn touches(&self, next: &Self) -> bool {
        self.other == next.other && is_near(self.own, next.own) && is_near(self.beyond, next.beyond)
    }

    /// Twice the point midway between both cells.
    fn middle(&self) -> (i64, i64) {
        let sum = |one: u16, other: u16| i64::from(one) + i64::from(other);
        (sum(self.own.x, self.beyond.x), sum(self.own.y, self.beyond.y))
    }
}

fn is_near(one: Cell, other: Cell) -> bool {
    one.x.abs_diff(other.x) <= 1 && one.y.abs_diff(other.y) <= 1
}

/// The doorways of a region: its pairs, put together where they touch.
pub(super) fn find_doorways(own: RegionId, pairs: &mut [Pair]) -> Vec<Doorway> {
    pairs.sort_unstable();
    let mut groups = vec![usize::MAX; pairs.len()];
    let mut count = 0;
    let mut stack = Vec::new();
    for first in 0..pairs.len() {
        if groups[first] != usize::MAX {
            continue;
        }
        groups[first] = count;
        stack.push(first);
        while let Some(at) = stack.pop() {
            for next in around(pairs, at) {
                if groups[next] == usize::MAX && pairs[at].touches(&pairs[next]) {
                    groups[next] = count;
                    stack.push(next);
                }
            }
        }
        count += 1;
    }
    let mut ordered: Vec<(usize, Pair)> = groups.into_iter().zip(pairs.iter().copied()).collect();
    ordered.sort_unstable();
    let groups = ordered.chunk_by(|one, next| one.0 == next.0);
    groups.filter_map(|group| doorway(own, group)).collect()
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

/// The doorway that a group of pairs forms.
fn doorway(own: RegionId, group: &[(usize, Pair)]) -> Option<Doorway> {
    let middle = middlemost(group)?;
    let width = |cell: fn(&Pair) -> Cell| {
        let mut cells: Vec<Cell> = group.iter().map(|(_, pair)| cell(pair)).collect();
        cells.sort_unstable();
        cells.dedup();
        cells.len() as u32
    };
    Some(Doorway {
        regions: [own, middle.other],
        middle: [middle.own, middle.beyond],
        width: width(|pair| pair.own).min(width(|pair| pair.beyond)),
    })
}

/// The pair nearest to the middle of all.
fn middlemost(group: &[(usize, Pair)]) -> Option<&Pair> {
    let count = group.len() as i64;
    let middles = group.iter().map(|(_, pair)| pair.middle());
    let sum = middles.fold((0, 0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
    let distance = |pair: &Pair| {
        let (x, y) = pair.middle();
        (count * x - sum.0).pow(2) + (count * y - sum.1).pow(2)
    };
    group.iter().map(|(_, pair)| pair).min_by_key(|pair| (distance(pair), pair.ends()))
}
