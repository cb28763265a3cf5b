//! The earliest path of one unit around the paths of all others, by a flood over boards of bits.
//!
//! The flood knows the set of all cells where the unit can be at a tick. A tick later it can be there, or
//! one step further in each direction, where nothing is taken: a few shifts of whole words. The
//! first set with the goal gives the cost. The path is read backwards from the sets. The work does
//! not depend on how crowded the plan is, and the path is always a cheapest one.

use throng_model::Effort;

use super::boards::{Boards, Diagonals, Kind, Layout};
use super::search::Query;

const BITS: usize = u64::BITS as usize;
/// Words that cost about as much time as an expansion of A*.
const WORDS_PER_EXPANSION: usize = 64;
/// What every search costs, in words.
const WORDS_PER_SEARCH: usize = 256;

/// Memory for searches, reused from one to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct FloodSearch {
    /// One board per tick: where the unit can be. Only words near the range of the tick are valid.
    reached: Vec<u64>,
    /// Words of this search that are not counted as expansions yet.
    words: usize,
    diagonal: DiagonalFlood,
}

/// The words of a board from which on, and up to which, cells can be reached.
#[derive(Clone, Copy, Debug)]
struct Range {
    from: usize,
    to: usize,
}

impl Range {
    fn widened(self, words: usize) -> Self {
        Self { from: self.from - words, to: self.to + words }
    }
}

impl FloodSearch {
    /// The cost of a cheapest path, which is written to `path`; `None` if none is cheap enough or
    /// the effort ends. `distance` is the way to the goal without other units.
    pub(crate) fn run(
        &mut self,
        layout: &Layout,
        boards: &Boards,
        distance: u32,
        query: Query,
        effort: &mut Effort<'_>,
        path: &mut Vec<u32>,
    ) -> Option<u32> {
        let earliest = boards.free_from(layout, query.goal)?.max(distance);
        let latest = query.cost_max.min(boards.last_tick());
        if earliest > latest || boards.is_taken(layout, query.start, 0) {
            return None;
        }
        let mut range = self.begin(layout, layout.bit(query.start), latest as usize);
        let goal = layout.bit(query.goal);
        self.words = WORDS_PER_SEARCH;
        for tick in 0..=latest {
            if tick > 0 {
                range = reachable(layout, range, goal, (latest - tick) as usize);
                self.flood(layout, boards, tick as usize, range);
                self.words += range.to - range.from;
            }
            self.count(effort)?;
            if tick >= earliest && self.is_reached(layout, tick as usize, goal) {
                self.write(layout, boards, tick as usize, query, path);
                return Some(tick);
            }
        }
        None
    }

    /// Only the start is reached at tick 0.
    fn begin(&mut self, layout: &Layout, start: usize, latest: usize) -> Range {
        let boards = layout.words * (latest + 1);
        if self.reached.len() < boards {
            self.reached.resize(boards, 0);
        }
        self.reached[..layout.words].fill(0);
        self.reached[start / BITS] = 1 << (start % BITS);
        Range { from: start / BITS, to: start / BITS + 1 }
    }

    /// Counts words as expansions.
    fn count(&mut self, effort: &mut Effort<'_>) -> Option<()> {
        while self.words >= WORDS_PER_EXPANSION {
            self.words -= WORDS_PER_EXPANSION;
            if !effort.expand() {
                return None;
            }
        }
        Some(())
    }

    /// The cells that can be reached at a tick from those of the tick before.
    fn flood(&mut self, layout: &Layout, boards: &Boards, tick: usize, range: Range) {
        let (before, now) = self.reached.split_at_mut(tick * layout.words);
        let before = &before[(tick - 1) * layout.words..];
        let now = &mut now[..layout.words];
        let step = Shift { words: layout.row / BITS, bits: (layout.row % BITS) as u32 };
        let near = range.widened(step.words + 1);
        let board = |kind| boards.board(layout, tick, kind);
        let cells = &board(Kind::Cells)[range.from..range.to];
        spread(
            step,
            &before[near.from..near.to],
            [board(Kind::East), board(Kind::South)].map(|board| &board[near.from..near.to]),
            cells,
            &mut now[range.from..range.to],
        );
        if let Some(diagonals) = &layout.diagonals {
            let taken = layout.has_blocks().then(|| board(Kind::Block));
            self.diagonal.spread(step, diagonals, taken, before, range);
            self.diagonal.add(step, cells, &mut now[range.from..range.to]);
        }
        let margin = 2 * layout.guard;
        now[range.from.saturating_sub(margin)..range.from].fill(0);
        let end = (range.to + margin).min(layout.words);
        now[range.to..end].fill(0);
    }

    #[inline]
    fn is_reached(&self, layout: &Layout, tick: usize, bit: usize) -> bool {
        self.reached[tick * layout.words + bit / BITS] >> (bit % BITS) & 1 == 1
    }

    /// The positions by tick on a way to the goal, read backwards.
    fn write(
        &self,
        layout: &Layout,
        boards: &Boards,
        arrival: usize,
        query: Query,
        path: &mut Vec<u32>,
    ) {
        path.clear();
        path.resize(arrival + 1, query.goal);
        let mut at = layout.bit(query.goal);
        for tick in (0..arrival).rev() {
            at = self.before(layout, boards, tick, at, query.rotation);
            path[tick] = layout.position(at);
        }
    }

    /// A cell where the unit can be at `tick` to reach the cell `to` at the next tick.
    fn before(
        &self,
        layout: &Layout,
        boards: &Boards,
        tick: usize,
        to: usize,
        rotation: usize,
    ) -> usize {
        let blocked = |kind, bit| boards.is_set(layout, tick + 1, kind, bit);
        let steps = [
            (to - 1, Kind::East, to - 1),
            (to - layout.row, Kind::South, to - layout.row),
            (to + 1, Kind::East, to),
            (to + layout.row, Kind::South, to),
        ];
        let can_come = |&(from, kind, bit): &(usize, Kind, usize)| {
            self.is_reached(layout, tick, from) && !blocked(kind, bit)
        };
        let (later, sooner) = steps.split_at(rotation % steps.len());
        let straight = || sooner.iter().chain(later).find(|step| can_come(step)).map(|step| step.0);
        let diagonal = || {
            let blocked = |block| layout.has_blocks() && blocked(Kind::Block, block);
            let can_come = |from| self.is_reached(layout, tick, from);
            let diagonals = layout.diagonals.as_ref()?;
            diagonals.steps_to(layout.row, to, rotation, blocked).find(|&from| can_come(from))
        };
        let step = || diagonal().or_else(straight);
        let rest = self.is_reached(layout, tick, to).then_some(to);
        let rests_late = (rotation / steps.len()).is_multiple_of(2);
        let from = if rests_late { rest.or_else(step) } else { step().or(rest) };
        from.unwrap_or(to)
    }
}

/// The words that can be reached a tick after those of `range`, and from which the goal is no more
/// than `left` ticks away.
fn reachable(layout: &Layout, range: Range, goal: usize, left: usize) -> Range {
    let far = left * layout.reach;
    let lowest = goal.saturating_sub(far) / BITS;
    let highest = (goal + far) / BITS + 1;
    let from = (range.from - layout.guard.min(range.from)).max(layout.guard).max(lowest);
    let to = (range.to + layout.guard).min(layout.words - layout.guard).min(highest);
    Range { from, to: to.max(from) }
}

/// How far a cell is from the one below it.
#[derive(Clone, Copy)]
struct Shift {
    words: usize,
    bits: u32,
}

/// One tick of the flood in four directions. The slices but `cells` and `now` begin and end
/// `row.words + 1` words beyond these.
#[inline(never)]
fn spread(row: Shift, before: &[u64], [east, south]: [&[u64]; 2], cells: &[u64], now: &mut [u64]) {
    let length = now.len();
    let guard = row.words + 1;
    let here = &before[guard..][..length];
    let west_of = &before[guard - 1..][..length];
    let east_of = &before[guard + 1..][..length];
    let (above, above_end) = (&before[guard - row.words..][..length], &before[..length]);
    let (below, below_end) =
        (&before[guard + row.words..][..length], &before[2 * guard..][..length]);
    let cells = &cells[..length];
    let (east, east_west) = (&east[guard..][..length], &east[guard - 1..][..length]);
    let (south_above, south_above_end) = (&south[guard - row.words..][..length], &south[..length]);
    let south = &south[guard..][..length];
    let back = u64::BITS - row.bits;
    for at in 0..length {
        let to_east = (here[at] & !east[at]) << 1 | (west_of[at] & !east_west[at]) >> 63;
        let to_west = (here[at] >> 1 | east_of[at] << 63) & !east[at];
        let to_south = (above[at] & !south_above[at]) << row.bits
            | (above_end[at] & !south_above_end[at]) >> back;
        let to_north = (below[at] >> row.bits | below_end[at] << back) & !south[at];
        now[at] = (here[at] | to_east | to_west | to_south | to_north) & !cells[at];
    }
}

/// The flood in the four diagonal directions, as a step sideways and a step down or up.
#[derive(Clone, Debug, Default)]
struct DiagonalFlood {
    /// By the north-western cell of a block: where a unit that falls through the block comes from,
    /// and where one that rises comes to.
    falling: Vec<u64>,
    rising: Vec<u64>,
    /// The cells of `before`, one row higher.
    raised: Vec<u64>,
    /// Cells one row above those that are reached downwards.
    down: Vec<u64>,
}

impl DiagonalFlood {
    /// Finds what the cells of `before` reach diagonally in the words of a range, if these blocks are
    /// taken. Words of the fields begin `row.words + 1` before the range.
    fn spread(
        &mut self,
        row: Shift,
        diagonals: &Diagonals,
        taken: Option<&[u64]>,
        before: &[u64],
        range: Range,
    ) {
        let near = range.widened(row.words + 1);
        let open = |blocks: &[u64], open: &mut Vec<u64>| {
            open.clear();
            open.extend_from_slice(&blocks[near.from..near.to]);
            let taken = taken.map_or(&[][..], |taken| &taken[near.from..near.to]);
            open.iter_mut().zip(taken).for_each(|(open, taken)| *open &= !taken);
        };
        open(&diagonals.falling, &mut self.falling);
        open(&diagonals.rising, &mut self.rising);
        let words = near.to - near.from;
        self.down.clear();
        self.down.resize(words, 0);
        self.raised.clear();
        self.raised.resize(words, 0);
        // Words above the range for `down`, the range and a word on each side for `raised`.
        let high = &before[near.from - 1..range.to + 1];
        let (falling, rising) = (&self.falling[..], &self.rising[..]);
        let mut carry = 0;
        for (at, down) in self.down[..high.len() - 2].iter_mut().enumerate() {
            let east = high[at + 1] & falling[at];
            let west = (high[at + 1] >> 1 | high[at + 2] << 63) & rising[at];
            *down = east << 1 | carry | west;
            carry = east >> 63;
        }
        let low = &before[range.from - 1 + row.words..range.to + row.words + 2];
        let raised = &mut self.raised[row.words..];
        let back = u64::BITS - row.bits;
        for (at, raised) in raised[..low.len() - 1].iter_mut().enumerate() {
            *raised = low[at] >> row.bits | low[at + 1] << back;
        }
    }

    /// Adds what was found to the cells that are reached, where no cell is taken.
    fn add(&self, row: Shift, cells: &[u64], now: &mut [u64]) {
        let length = now.len();
        let guard = row.words + 1;
        let here = |field: &'_ [u64], at: usize| field[guard + at];
        let back = u64::BITS - row.bits;
        let (above, above_end) = (&self.down[guard - row.words..][..length], &self.down[..length]);
        for at in 0..length {
            let down = above[at] << row.bits | above_end[at] >> back;
            let west_raised = self.raised[guard + at - 1] & self.rising[guard + at - 1];
            let east = (here(&self.raised, at) & here(&self.rising, at)) << 1 | west_raised >> 63;
            let beside = here(&self.raised, at) >> 1 | self.raised[guard + at + 1] << 63;
            let west = beside & here(&self.falling, at);
            now[at] |= (down | east | west) & !cells[at];
        }
    }
}

impl Diagonals {
    /// The cells from which a diagonal step comes to a cell, through blocks that are not taken.
    fn steps_to(
        &self,
        row: usize,
        to: usize,
        rotation: usize,
        is_taken: impl Fn(usize) -> bool,
    ) -> impl Iterator<Item = usize> {
        let steps = [
            (to - row - 1, to - row - 1, &self.falling),
            (to - row + 1, to - row, &self.rising),
            (to + row + 1, to, &self.falling),
            (to + row - 1, to - 1, &self.rising),
        ];
        let count = steps.len();
        (0..count).filter_map(move |index| {
            let (from, block, blocks) = steps[(index + rotation) % count];
            let is_open = blocks[block / BITS] >> (block % BITS) & 1 == 1;
            (is_open && !is_taken(block)).then_some(from)
        })
    }
}

#[cfg(test)]
mod tests {
    use throng_model::{Conflicts, CornerRule, MovementProfile};
    use throng_testkit::random_map;

    use super::*;
    use crate::lns::occupancy::Occupancy;
    use crate::lns::random::Random;
    use crate::lns::search::Search;
    use crate::lns::steps::Steps;
    use crate::{Distances, Graph, Vertex};

    const LAST_TICK: u32 = 63;

    /// A map with the paths of some units, taken in rows and on boards.
    struct World {
        steps: Steps,
        layout: Layout,
        rows: Occupancy,
        boards: Boards,
        distances: Vec<u32>,
        query: Query,
    }

    fn world(seed: u64) -> World {
        let mut random = Random::new(seed, 0, 0);
        let [width, height] = [[6, 5], [63, 3], [64, 3], [70, 4], [130, 2]][seed as usize % 5];
        let map = random_map(seed, width, height, 15);
        let profile = match seed / 5 % 4 {
            0 | 1 => MovementProfile::four_connected(),
            2 => MovementProfile::eight_connected(),
            _ => MovementProfile {
                corners: CornerRule::AlwaysCut,
                ..MovementProfile::eight_connected()
            },
        };
        let graph = Graph::new(&map, &profile).unwrap();
        let swap = !seed.is_multiple_of(7);
        let crossing = !seed.is_multiple_of(11) || graph.has_diagonals() && swap;
        let conflicts = Conflicts { swap, crossing };
        let steps = Steps::new(&graph, conflicts);
        let layout = Layout::new(&graph, conflicts).unwrap();
        let boards = Boards::new(&layout, LAST_TICK);
        let rows = Occupancy::new(&steps, LAST_TICK);
        let start = random.index(graph.len()) as u32;
        let goal = walk(&steps, start, 40, &mut random)[39];
        let table = Distances::new(&graph, &[Vertex(goal)]);
        let distances = (0..graph.len() as u32).map(|at| table.get(0, Vertex(at))).collect();
        let cost_max = [12, 30, LAST_TICK][random.index(3)];
        let query = Query { start, goal, cost_max, greed: 0, rotation: random.index(8) };
        let mut world = World { steps, layout, rows, boards, distances, query };
        world.add_paths(&mut random);
        world
    }

    fn walk(steps: &Steps, from: u32, length: usize, random: &mut Random) -> Vec<u32> {
        let mut path = vec![from];
        while path.len() < length {
            let next = steps.from(path[path.len() - 1]);
            let to = next.get(random.index(next.len() + 1)).map(|step| step.to);
            path.push(to.unwrap_or(path[path.len() - 1]));
        }
        path
    }

    impl World {
        /// Takes random paths that are free; both ways to store them agree on which are.
        fn add_paths(&mut self, random: &mut Random) {
            for _ in 0..self.steps.positions() / 4 {
                let from = random.index(self.steps.positions()) as u32;
                let length = 1 + random.index(20);
                let path = walk(&self.steps, from, length, random);
                let is_free = self.rows.is_free(&self.steps, &path);
                assert_eq!(is_free, self.boards.is_free(&self.layout, &path));
                let is_wanted = path[0] != self.query.start && path[length - 1] != self.query.goal;
                if is_free && is_wanted {
                    self.rows.toggle(&self.steps, &path);
                    self.boards.toggle(&self.layout, &path);
                }
            }
        }
    }

    /// Whether there is a path. A* must find one of the same cost.
    fn check(seed: u64, search: &mut Search, flood: &mut FloodSearch) -> bool {
        let World { steps, layout, rows, boards, distances, query } = &world(seed);
        let (mut effort, mut expected, mut path) = (Effort::unlimited(), Vec::new(), Vec::new());
        let cost = search.run::<false, _>(
            steps,
            rows,
            distances.as_slice(),
            *query,
            &mut effort,
            &mut expected,
        );
        let distance = distances[query.start as usize];
        let found = flood.run(layout, boards, distance, *query, &mut effort, &mut path);
        assert_eq!(found, cost, "case {seed}");
        if let Some(cost) = found {
            assert!(rows.is_free(steps, &path), "case {seed}");
            assert!(path.windows(2).all(|pair| steps.passage(pair[0], pair[1]).is_some()));
            assert_eq!((path[0], path.last()), (query.start, Some(&query.goal)), "case {seed}");
            assert_eq!(path.len(), cost as usize + 1, "case {seed}");
        }
        found.is_some()
    }

    #[test]
    fn a_flood_finds_paths_of_the_same_cost_as_a_star() {
        let (mut search, mut flood) = (Search::default(), FloodSearch::default());
        let found = (0..5000).filter(|&seed| check(seed, &mut search, &mut flood)).count();
        assert!((1000..4800).contains(&found), "{found} of 5000");
    }

    #[test]
    fn what_is_toggled_twice_is_free() {
        let World { steps, layout, mut boards, .. } = world(3);
        let before = boards.clone();
        let path = walk(&steps, 0, 30, &mut Random::new(1, 2, 3));
        boards.toggle(&layout, &path);
        boards.toggle(&layout, &path);
        let same = |tick| {
            let kinds = [Kind::Cells, Kind::East, Kind::South, Kind::Block];
            let used = if layout.has_blocks() { 4 } else { 3 };
            kinds[..used]
                .iter()
                .all(|&kind| boards.board(&layout, tick, kind) == before.board(&layout, tick, kind))
        };
        assert!((0..=LAST_TICK as usize).all(same));
    }
}
