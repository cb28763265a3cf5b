//! Where units may go from one cluster to the next.

use std::ops::Range;

use throng_model::Cell;

use super::plane::{Plane, SIDE, STRAIGHT};

/// At most so many cells of a border share a crossing.
const SPACING: usize = 8;
/// The same where a crossing in the wrong place is dear: in a narrow passage over several
/// kinds of ground, and where the ground changes from cell to cell.
const SPACING_OF_DELICATE: usize = 6;
/// Less than this is narrow.
const WIDE: usize = 13;
/// Ground that changes more often along a border is no patches, but noise.
const CHANGES_MAX: usize = 2;

/// Where ground changes more often along a border, only those corners count whose cheap
/// grounds are both cheaper than the dear ones.
const CORNERS_MAX: usize = 5;

/// So many cells of the same ground have a crossing, however dear it is: what lies behind may
/// be worth it.
const STRETCH_MIN: usize = 4;

/// Ground is dear from this toll on: the factors on both sides of a border together.
const DEAR: u32 = 10;
/// Cells of dear ground that share a crossing: to go aside to it is dear, too.
const SPACING_OF_DEAR: usize = 4;

/// A place on the border of a cluster: where a unit stands that has just come in.
///
/// The upper bits are the cluster, the lower six the place along its border.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Gate(pub(crate) u32);

/// For each cell of a cluster, row by row, its place along the border, if it is there.
const PLACE_OF: [u8; (SIDE * SIDE) as usize] = {
    let mut places = [0; (SIDE * SIDE) as usize];
    let mut at = 0;
    while at < SIDE * SIDE {
        let place = match (at % SIDE, at / SIDE) {
            (x, 0) => x,
            (x, y) if y == SIDE - 1 => SIDE + x,
            (0, y) => 2 * SIDE + y,
            (_, y) => 3 * SIDE + y,
        };
        places[at as usize] = place as u8;
        at += 1;
    }
    places
};

/// Places that the border of a cluster has, some of them unused.
pub(crate) const PLACES: u32 = 64;

impl Gate {
    /// The gate at a cell of the border of its cluster.
    #[inline]
    pub(crate) fn at(plane: &Plane, cell: Cell) -> Self {
        let within = u32::from(cell.y) % SIDE * SIDE + u32::from(cell.x) % SIDE;
        Self::of(plane.cluster_of(cell), PLACE_OF[within as usize])
    }

    /// The gate at a place of a cluster's border.
    pub(crate) fn of(cluster: u32, place: u8) -> Self {
        Self(cluster * PLACES + u32::from(place))
    }

    pub(crate) fn cluster(self) -> u32 {
        self.0 / PLACES
    }

    pub(crate) fn place(self) -> usize {
        (self.0 % PLACES) as usize
    }

    /// Column and row inside of the cluster.
    #[inline]
    pub(crate) fn within(self) -> (u32, u32) {
        let along = self.0 % SIDE;
        match self.0 % PLACES / SIDE {
            0 => (along, 0),
            1 => (along, SIDE - 1),
            2 => (0, along),
            _ => (SIDE - 1, along),
        }
    }
}

/// A step out of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Crossing {
    /// Where it leaves.
    pub(crate) from: Gate,
    /// Where it comes in.
    pub(crate) to: Gate,
    pub(crate) cost: u32,
    /// What the step back costs.
    pub(crate) cost_back: u32,
    /// Where that is on the map.
    pub(crate) cell: Cell,
    pub(crate) side: Side,
}

/// The side of a cluster, or its corner, over which a step leads out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Side(u8);

impl Side {
    /// Above, below, left, right; then the corners in the order of reading.
    pub(crate) const COUNT: usize = 8;

    pub(crate) fn at(self) -> usize {
        usize::from(self.0)
    }

    /// The side over which the step leads back.
    pub(crate) fn opposite(self) -> Self {
        Self(if self.0 < 4 { self.0 ^ 1 } else { 11 - self.0 })
    }
}

/// Finds all crossings out of a cluster: a function of the two rows of cells along each of
/// its borders, and of one more cell at the ends of each.
pub(crate) fn crossings_of(plane: &Plane, cluster: u32, found: &mut Vec<Crossing>) {
    found.clear();
    let (left, top) = plane.origin(cluster);
    let (left, top, last) = (left as i32, top as i32, SIDE as i32 - 1);
    let mut finder = Finder { plane, found };
    finder.border(Side(0), (left, top), (1, 0), (0, -1));
    finder.border(Side(1), (left, top + last), (1, 0), (0, 1));
    finder.border(Side(2), (left, top), (0, 1), (-1, 0));
    finder.border(Side(3), (left + last, top), (0, 1), (1, 0));
    if plane.rules.corners_join() {
        for (side, x, y, step) in [
            (Side(4), left, top, (-1, -1)),
            (Side(5), left + last, top, (1, -1)),
            (Side(6), left, top + last, (-1, 1)),
            (Side(7), left + last, top + last, (1, 1)),
        ] {
            finder.gap(side, (x, y), step);
        }
    }
}

struct Finder<'a> {
    plane: &'a Plane,
    found: &'a mut Vec<Crossing>,
}

impl Finder<'_> {
    /// Crossings of one border, which begins at a cell and runs along; `out` leads over it.
    fn border(&mut self, side: Side, first: (i32, i32), along: (i32, i32), out: (i32, i32)) {
        let place = |i: i32| (first.0 + i * along.0, first.1 + i * along.1);
        // With what lies beyond the ends.
        let mut factors = [[0_u8; 2]; SIDE as usize + 2];
        for (i, pair) in (-1..).zip(&mut factors) {
            let (x, y) = place(i);
            *pair = [self.plane.factor(x, y), self.plane.factor(x + out.0, y + out.1)];
        }
        let mut places = corners(&factors);
        let mut start = 0;
        let mut tolls = [0_u32; SIDE as usize];
        for (toll, [inside, outside]) in tolls.iter_mut().zip(&factors[1..]) {
            let is_open = *inside != 0 && *outside != 0;
            *toll = if is_open { u32::from(*inside) + u32::from(*outside) } else { 0 };
        }
        for run in tolls.chunk_by(|a, b| (*a == 0) == (*b == 0)) {
            if run[0] != 0 {
                places |= cheapest_places(run) << start;
            }
            start += run.len();
        }
        for i in (0..SIDE).filter(|i| places >> i & 1 != 0) {
            self.add(side, place(i as i32), out);
        }
        if self.plane.rules.corners_join() {
            for i in 0..SIDE as i32 {
                for aside in [-1, 1].into_iter().filter(|aside| (0..16).contains(&(i + aside))) {
                    let step = (out.0 + aside * along.0, out.1 + aside * along.1);
                    self.gap(side, place(i), step);
                }
            }
        }
    }

    /// A diagonal step between two walls, where nothing else leads over the border.
    fn gap(&mut self, side: Side, (x, y): (i32, i32), (dx, dy): (i32, i32)) {
        let free = |x, y| self.plane.factor(x, y) != 0;
        if free(x, y) && free(x + dx, y + dy) && !free(x + dx, y) && !free(x, y + dy) {
            self.add(side, (x, y), (dx, dy));
        }
    }

    fn add(&mut self, side: Side, (x, y): (i32, i32), (dx, dy): (i32, i32)) {
        let base = if dx != 0 && dy != 0 { self.plane.rules.diagonal } else { STRAIGHT };
        let cost = base * u32::from(self.plane.factor(x + dx, y + dy));
        let cost_back = base * u32::from(self.plane.factor(x, y));
        let cell = Cell::new((x + dx) as u16, (y + dy) as u16);
        let from = Gate::at(self.plane, Cell::new(x as u16, y as u16));
        let to = Gate::at(self.plane, cell);
        self.found.push(Crossing { from, to, cost, cost_back, cell, side });
    }
}

/// Cuts a run into equal parts and takes the cheapest place of each, of several the one
/// nearest to the middle. Stretches of ground that got too few that way get some of their
/// own.
fn cheapest_places(run: &[u32]) -> u32 {
    let mut places = parts(0..run.len(), spacing(run)).fold(0_u32, |places, part| {
        let middle = part.start + part.end - 1;
        let cheapest = part.min_by_key(|&i| (run[i], (2 * i).abs_diff(middle)));
        places | cheapest.map_or(0, |place| 1 << place)
    });
    let mut from = 0;
    for stretch in run.chunk_by(|a, b| a == b) {
        let to = from + stretch.len();
        if stretch.len() >= STRETCH_MIN || is_cheap(run, from, to) {
            for part in
                parts(from..to, if stretch[0] >= DEAR { SPACING_OF_DEAR } else { SIDE as usize })
            {
                if places >> part.start & ((1 << part.len()) - 1) == 0 {
                    places |= 1 << ((part.start + part.end - 1) / 2);
                }
            }
        }
        from = to;
    }
    places
}

/// Crossings at corners where four grounds meet, two of them on each side of the border:
/// whoever goes from one to the one opposite clips the cheaper of the others, and would have
/// to cross more of it anywhere else.
fn corners(factors: &[[u8; 2]; SIDE as usize + 2]) -> u32 {
    let changes = factors.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let mut places = 0_u32;
    for (k, pair) in factors.windows(2).enumerate() {
        let [a, b, c, d] = [pair[0][0], pair[0][1], pair[1][0], pair[1][1]].map(|factor| {
            // Walls are dearer than anything.
            if factor == 0 { u16::MAX } else { u16::from(factor) }
        });
        let clips = |ends: [u16; 2], [first, second]: [u16; 2]| {
            let [least, most] = if ends[0] < ends[1] { ends } else { [ends[1], ends[0]] };
            let bound = if changes > CORNERS_MAX { most } else { least };
            // The edge of a single patch is no corner, even if it slants.
            let is_edge = [first, second] == [most; 2];
            !is_edge
                && most < u16::MAX
                && u32::from(least) + u32::from(most) < u32::from(first) + u32::from(second)
                && (bound + 1..u16::MAX).contains(&first.min(second))
        };
        // Of two that are equally dear the one that is not beyond the end.
        let is_second = |first: u16, second: u16| second < first || second == first && k == 0;
        if clips([a, d], [b, c]) {
            places |= 1 << (k + usize::from(is_second(b, c)));
        }
        if clips([b, c], [a, d]) {
            places |= 1 << (k + usize::from(is_second(a, d)));
        }
    }
    // The first and the last lie beyond the ends.
    places >> 1 & ((1 << SIDE) - 1)
}

/// At most so many cells of this run share a crossing.
fn spacing(run: &[u32]) -> usize {
    let changes = run.windows(2).filter(|pair| pair[0] != pair[1]).count();
    if run.iter().all(|&toll| toll >= DEAR) {
        SPACING_OF_DEAR
    } else if changes > CHANGES_MAX || changes > 0 && run.len() < WIDE {
        SPACING_OF_DELICATE
    } else {
        SPACING
    }
}

/// Equal parts of at most so many.
fn parts(range: Range<usize>, most: usize) -> impl Iterator<Item = Range<usize>> {
    let (from, length) = (range.start, range.len());
    let count = length.div_ceil(most);
    (0..count).map(move |part| from + part * length / count..from + (part + 1) * length / count)
}

/// Whether what lies on both sides of a stretch is dearer: whoever goes along it would have
/// to cross the dear.
fn is_cheap(run: &[u32], from: usize, to: usize) -> bool {
    let is_dearer = |toll: Option<&u32>| toll.is_none_or(|&toll| toll > run[from]);
    is_dearer(from.checked_sub(1).and_then(|i| run.get(i))) && is_dearer(run.get(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(run: &[u32], expected: &[usize]) {
        let places = cheapest_places(run);
        let found: Vec<usize> = (0..run.len()).filter(|place| places >> place & 1 != 0).collect();
        assert_eq!(found, expected, "{run:?}");
    }

    #[test]
    fn crossings_are_spread_and_cheap() {
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

    #[test]
    fn a_gate_knows_where_it_is() {
        let map = throng_model::Map::empty(3 * SIDE, 2 * SIDE).unwrap();
        let movement = throng_model::MovementProfile::eight_connected();
        let plane = Plane::new(&throng_grid::Ground::new(&map, movement).unwrap());
        for cell in map.cells() {
            let (x, y) = (u32::from(cell.x) % SIDE, u32::from(cell.y) % SIDE);
            let on_border = x % (SIDE - 1) == 0 || y % (SIDE - 1) == 0;
            if on_border {
                let gate = Gate::at(&plane, cell);
                assert_eq!((gate.cluster(), gate.within()), (plane.cluster_of(cell), (x, y)));
            }
        }
    }

    /// `inside` and `outside`: a digit for each cell along a border with those beyond its ends.
    fn check_corners(inside: &str, outside: &str, expected: &[usize]) {
        let factors =
            std::array::from_fn(|i| [inside, outside].map(|factors| factors.as_bytes()[i] - b'0'));
        let places = corners(&factors);
        let found: Vec<usize> = (0..16).filter(|place| places >> place & 1 != 0).collect();
        assert_eq!(found, expected, "{inside} {outside}");
    }

    #[test]
    fn corners_between_dear_grounds_have_crossings() {
        check_corners("111111111111111111", "222222222222222222", &[]);
        // Cheap and dear like a chessboard: over the 4, not over the 8.
        check_corners("111111118888888888", "444444441111111111", &[6]);
        check_corners("111111114444444444", "888888881111111111", &[7]);
        // Beyond an end.
        check_corners("144444444444444444", "811111111111111111", &[0]);
        check_corners("111111111111111118", "444444444444444441", &[15]);
        check_corners("144444444444444444", "411111111111111111", &[0]);
        check_corners("111111111111111114", "444444444444444441", &[15]);
        // Only one of the two is cheap: it is worth clipping the 4 beside it.
        check_corners("111111118888888888", "444444446666666666", &[6]);
        // The edge of one patch, slanting.
        check_corners("111111115555555555", "111111111555555555", &[]);
        // Between walls only where there is a way.
        check_corners("111111110000000000", "444444441111111111", &[6]);
        check_corners("111111110000000000", "000000001111111111", &[]);
        // Noise: both have to be cheap.
        check_corners("191919191919191919", "555555555555555555", &[]);
    }
}
