//! The transitions between clusters: where paths may cross a border.
//!
//! In HPA* a maximal run of open cells along a border is an *entrance*, and each entrance gets
//! one or two *transitions*: a pair of cells on both sides of the border, joined by an
//! inter-edge. Here an entrance gets a transition every few cells, where the ground is
//! cheapest, and more where terrain changes (`docs/decisions/hierarchy-transitions.md`).

use std::ops::Range;

use throng_model::Cell;

use crate::border::BorderCell;
use crate::layout::{ClusteredGround, SIDE, STRAIGHT_COST};

/// Most cells of an entrance that share a transition.
const SPACING: usize = 8;
/// The same where a misplaced transition is costly: in narrow entrances over several kinds of
/// ground, and where the ground changes from cell to cell.
const SPACING_MIXED: usize = 6;
/// Entrances with fewer cells are narrow.
const WIDE: usize = 13;
/// An entrance along which the ground changes more often is noise, not patches of terrain.
const CHANGES_MAX: usize = 2;
/// Along a border with more changes of ground, a corner counts only if both of its cheap
/// grounds are cheaper than the costly ones.
const CORNER_CHANGES_MAX: usize = 5;
/// A stretch of equal ground this long gets a transition even if it is costly: the ground
/// behind it may be worth the cost.
const STRETCH_MIN: usize = 4;
/// Ground is costly from this sum of the factors on both sides of a border.
const COSTLY: u32 = 10;
/// Most cells of costly ground that share a transition: a detour along it is costly, too.
const SPACING_COSTLY: usize = 4;

/// A transition, seen from the cluster it leaves: one direction of an inter-edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transition {
    /// The border cell where it leaves the cluster.
    pub(crate) from: BorderCell,
    /// The border cell where it enters the next cluster.
    pub(crate) to: BorderCell,
    pub(crate) cost: u32,
    /// The cost of the step in the other direction.
    pub(crate) reverse_cost: u32,
    /// The cell of the map at `to`.
    pub(crate) cell: Cell,
    pub(crate) side: Side,
}

/// The side or corner of a cluster across which a transition leads.
///
/// Numbered above, below, left, right, then the corners in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Side(u8);

impl Side {
    pub(crate) const COUNT: usize = 8;

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The side of the next cluster across which the reverse transition leads.
    pub(crate) fn opposite(self) -> Self {
        Self(if self.0 < 4 { self.0 ^ 1 } else { 11 - self.0 })
    }
}

/// Finds all transitions out of a cluster.
///
/// They depend only on the two rows of cells along each border and on one more cell at each
/// end, so that both clusters of a border find the same ones.
pub(crate) fn find_transitions(
    ground: &ClusteredGround<'_>,
    cluster: u32,
    found: &mut Vec<Transition>,
) {
    found.clear();
    let (left, top) = ground.layout.origin(cluster);
    let (left, top, last) = (left as i32, top as i32, SIDE as i32 - 1);
    let mut finder = Finder { ground, found };
    finder.add_border(Side(0), (left, top), (1, 0), (0, -1));
    finder.add_border(Side(1), (left, top + last), (1, 0), (0, 1));
    finder.add_border(Side(2), (left, top), (0, 1), (-1, 0));
    finder.add_border(Side(3), (left + last, top), (0, 1), (1, 0));
    if ground.rules().diagonals_pass_walls() {
        for (side, x, y, step) in [
            (Side(4), left, top, (-1, -1)),
            (Side(5), left + last, top, (1, -1)),
            (Side(6), left, top + last, (-1, 1)),
            (Side(7), left + last, top + last, (1, 1)),
        ] {
            finder.add_gap(side, (x, y), step);
        }
    }
}

struct Finder<'a> {
    ground: &'a ClusteredGround<'a>,
    found: &'a mut Vec<Transition>,
}

impl Finder<'_> {
    /// Adds the transitions across one border. It begins at a cell and runs `along`; `out`
    /// leads across.
    fn add_border(&mut self, side: Side, first: (i32, i32), along: (i32, i32), out: (i32, i32)) {
        let place = |i: i32| (first.0 + i * along.0, first.1 + i * along.1);
        // Factors on both sides, with one more pair beyond each end.
        let mut factors = [[0_u8; 2]; SIDE as usize + 2];
        for (i, pair) in (-1..).zip(&mut factors) {
            let (x, y) = place(i);
            *pair = [self.ground.factor(x, y), self.ground.factor(x + out.0, y + out.1)];
        }
        let mut places = corner_places(&factors);
        let mut start = 0;
        let mut sums = [0_u32; SIDE as usize];
        for (sum, [inside, outside]) in sums.iter_mut().zip(&factors[1..]) {
            let is_open = *inside != 0 && *outside != 0;
            *sum = if is_open { u32::from(*inside) + u32::from(*outside) } else { 0 };
        }
        for run in sums.chunk_by(|a, b| (*a == 0) == (*b == 0)) {
            if run[0] != 0 {
                places |= entrance_places(run) << start;
            }
            start += run.len();
        }
        for i in (0..SIDE).filter(|i| places >> i & 1 != 0) {
            self.add(side, place(i as i32), out);
        }
        if self.ground.rules().diagonals_pass_walls() {
            for i in 0..SIDE as i32 {
                let on_border = |sideways: &i32| (0..SIDE as i32).contains(&(i + sideways));
                for sideways in [-1, 1].into_iter().filter(on_border) {
                    let step = (out.0 + sideways * along.0, out.1 + sideways * along.1);
                    self.add_gap(side, place(i), step);
                }
            }
        }
    }

    /// Adds a diagonal step between two walls, where no straight step crosses the border.
    fn add_gap(&mut self, side: Side, (x, y): (i32, i32), (dx, dy): (i32, i32)) {
        let free = |x, y| self.ground.factor(x, y) != 0;
        if free(x, y) && free(x + dx, y + dy) && !free(x + dx, y) && !free(x, y + dy) {
            self.add(side, (x, y), (dx, dy));
        }
    }

    fn add(&mut self, side: Side, (x, y): (i32, i32), (dx, dy): (i32, i32)) {
        let is_diagonal = dx != 0 && dy != 0;
        let base = if is_diagonal { self.ground.rules().diagonal_cost } else { STRAIGHT_COST };
        let cost = base * u32::from(self.ground.factor(x + dx, y + dy));
        let reverse_cost = base * u32::from(self.ground.factor(x, y));
        let cell = Cell::new((x + dx) as u16, (y + dy) as u16);
        let from = BorderCell::at(&self.ground.layout, Cell::new(x as u16, y as u16));
        let to = BorderCell::at(&self.ground.layout, cell);
        self.found.push(Transition { from, to, cost, reverse_cost, cell, side });
    }
}

/// Where an entrance gets transitions, as bits.
///
/// It is cut into equal parts. Each gets one at its cheapest place, among equals at the one
/// nearest to the middle. Stretches of equal ground left without one then get their own.
fn entrance_places(entrance: &[u32]) -> u32 {
    let mut places = parts(0..entrance.len(), spacing(entrance)).fold(0_u32, |places, part| {
        let middle = part.start + part.end - 1;
        let cheapest = part.min_by_key(|&i| (entrance[i], (2 * i).abs_diff(middle)));
        places | cheapest.map_or(0, |place| 1 << place)
    });
    let mut from = 0;
    for stretch in entrance.chunk_by(|a, b| a == b) {
        let to = from + stretch.len();
        if stretch.len() >= STRETCH_MIN || is_cheapest_around(entrance, from, to) {
            let most = if stretch[0] >= COSTLY { SPACING_COSTLY } else { SIDE as usize };
            for part in parts(from..to, most) {
                if places >> part.start & ((1 << part.len()) - 1) == 0 {
                    places |= 1 << ((part.start + part.end - 1) / 2);
                }
            }
        }
        from = to;
    }
    places
}

/// Places at corners where four grounds meet, two on each side of the border, as bits.
///
/// A path between two opposite grounds clips the cheaper of the other two at the corner. It
/// would have to cross more of it anywhere else.
fn corner_places(factors: &[[u8; 2]; SIDE as usize + 2]) -> u32 {
    let changes = factors.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let mut places = 0_u32;
    for (k, pair) in factors.windows(2).enumerate() {
        let [a, b, c, d] = [pair[0][0], pair[0][1], pair[1][0], pair[1][1]].map(|factor| {
            // A wall costs more than any ground.
            if factor == 0 { u16::MAX } else { u16::from(factor) }
        });
        // Whether a path between the grounds `ends` should cross at this corner, over the
        // cheaper of the other two.
        let clips = |ends: [u16; 2], [first, second]: [u16; 2]| {
            let [least, most] = if ends[0] < ends[1] { ends } else { [ends[1], ends[0]] };
            let bound = if changes > CORNER_CHANGES_MAX { most } else { least };
            // The slanting edge of a single patch is no corner.
            let is_edge = [first, second] == [most; 2];
            !is_edge
                && most < u16::MAX
                && u32::from(least) + u32::from(most) < u32::from(first) + u32::from(second)
                && (bound + 1..u16::MAX).contains(&first.min(second))
        };
        // Among equals, the place that is not beyond the end.
        let is_second = |first: u16, second: u16| second < first || second == first && k == 0;
        if clips([a, d], [b, c]) {
            places |= 1 << (k + usize::from(is_second(b, c)));
        }
        if clips([b, c], [a, d]) {
            places |= 1 << (k + usize::from(is_second(a, d)));
        }
    }
    // The first and the last place lie beyond the ends.
    places >> 1 & ((1 << SIDE) - 1)
}

/// Most cells of this entrance that share a transition.
fn spacing(entrance: &[u32]) -> usize {
    let changes = entrance.windows(2).filter(|pair| pair[0] != pair[1]).count();
    if entrance.iter().all(|&sum| sum >= COSTLY) {
        SPACING_COSTLY
    } else if changes > CHANGES_MAX || changes > 0 && entrance.len() < WIDE {
        SPACING_MIXED
    } else {
        SPACING
    }
}

/// Cuts a range into as few equal parts as possible, none longer than `most`.
fn parts(range: Range<usize>, most: usize) -> impl Iterator<Item = Range<usize>> {
    let (from, length) = (range.start, range.len());
    let count = length.div_ceil(most);
    (0..count).map(move |part| from + part * length / count..from + (part + 1) * length / count)
}

/// Whether the ground on both sides of a stretch costs more: a path along the stretch would
/// otherwise have to cross it.
fn is_cheapest_around(entrance: &[u32], from: usize, to: usize) -> bool {
    let costs_more = |sum: Option<&u32>| sum.is_none_or(|&sum| sum > entrance[from]);
    costs_more(from.checked_sub(1).and_then(|i| entrance.get(i))) && costs_more(entrance.get(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(entrance: &[u32], expected: &[usize]) {
        let places = entrance_places(entrance);
        let found: Vec<usize> =
            (0..entrance.len()).filter(|place| places >> place & 1 != 0).collect();
        assert_eq!(found, expected, "{entrance:?}");
    }

    #[test]
    fn transitions_are_spread_and_cheap() {
        check(&[2], &[0]);
        check(&[2; 8], &[3]);
        check(&[2; 16], &[3, 11]);
        check(&[9, 9, 2, 9, 9, 9, 9, 9, 9, 9, 9, 2], &[2, 6, 11]);
        check(&[9, 9, 9, 2, 9, 2, 9, 9, 9], &[3, 5]);
        check(&[2, 2, 2, 2, 2, 2, 2, 9, 9, 9, 9, 9, 9, 9], &[3, 10]);
        check(&[3, 2, 2, 2, 3], &[2]);
        check(&[16; 8], &[1, 5]);
        check(&[2, 2, 2, 2, 2, 2, 2, 2, 16, 16, 16, 16, 16, 16, 16, 16], &[3, 11, 13]);
        check(&[2, 2, 2, 2, 2, 2, 2, 2, 9, 9, 9, 9, 9, 9, 9, 9], &[3, 11]);
        check(&[2, 9, 2, 9, 9, 2, 9, 9, 2, 9, 9, 9, 9, 2, 9, 9], &[0, 2, 5, 8, 10, 13]);
    }

    /// One digit per cell along a border, with one more beyond each end.
    fn check_corners(inside: &str, outside: &str, expected: &[usize]) {
        let factors =
            std::array::from_fn(|i| [inside, outside].map(|factors| factors.as_bytes()[i] - b'0'));
        let places = corner_places(&factors);
        let found: Vec<usize> = (0..16).filter(|place| places >> place & 1 != 0).collect();
        assert_eq!(found, expected, "{inside} {outside}");
    }

    #[test]
    fn corners_between_costly_grounds_have_transitions() {
        check_corners("111111111111111111", "222222222222222222", &[]);
        // Cheap and costly like a chessboard: across the 4, not across the 8.
        check_corners("111111118888888888", "444444441111111111", &[6]);
        check_corners("111111114444444444", "888888881111111111", &[7]);
        // Beyond an end.
        check_corners("144444444444444444", "811111111111111111", &[0]);
        check_corners("111111111111111118", "444444444444444441", &[15]);
        check_corners("144444444444444444", "411111111111111111", &[0]);
        check_corners("111111111111111114", "444444444444444441", &[15]);
        // Only one of the two is cheap: clipping the 4 next to it pays.
        check_corners("111111118888888888", "444444446666666666", &[6]);
        // The slanting edge of one patch.
        check_corners("111111115555555555", "111111111555555555", &[]);
        // Between walls only where there is a path.
        check_corners("111111110000000000", "444444441111111111", &[6]);
        check_corners("111111110000000000", "000000001111111111", &[]);
        // Noise: both have to be cheap.
        check_corners("191919191919191919", "555555555555555555", &[]);
    }
}
