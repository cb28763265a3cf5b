//! A world that is not a square grid, written down as plain lists.

/// A world as one kind of unit sees it: places, moves, and what a unit holds at each tick.
///
/// What cannot be shared is a number: a place, a stretch of track, or the border between two of
/// them, so that an exchange of places is a conflict. So one rule suffices: no two units hold the
/// same number at the same tick. Units of several kinds have lists of their own over the same
/// numbers.
///
/// ```
/// use throng_referee::MoveLists;
/// let mut railway = MoveLists::of_places(3);
/// railway.single_track(0, 1, 4);
/// railway.two_lanes(1, 2, 2);
/// assert_eq!(railway.moves.len(), 4);
/// assert_eq!(railway.moves[0].held.len(), 4);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveLists {
    /// What a unit holds that stands at each place.
    pub standing: Vec<Vec<u32>>,
    /// Every move.
    pub moves: Vec<TimedMove>,
    /// The next number that nothing has yet.
    next: u32,
}

/// A move between two places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedMove {
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What it holds at each of its ticks, from the first after its beginning to its end. Its
    /// length is the number of ticks. What the end holds by standing is not listed.
    pub held: Vec<Vec<u32>>,
}

impl MoveLists {
    /// From lists of one's own.
    #[must_use]
    pub fn new(standing: Vec<Vec<u32>>, moves: Vec<TimedMove>) -> Self {
        let held = moves.iter().flat_map(|step| step.held.iter().flatten());
        let last = standing.iter().flatten().chain(held).max();
        let next = last.map_or(0, |last| last.saturating_add(1));
        Self { standing, moves, next }
    }

    /// Places without moves. A unit holds its place.
    #[must_use]
    pub fn of_places(count: u32) -> Self {
        Self::new((0..count).map(|place| vec![place]).collect(), Vec::new())
    }

    /// Adds a road with a lane in one direction. Units follow each other on it, one tick apart.
    pub fn one_way(&mut self, from: usize, to: usize, ticks: u32) {
        let first = self.numbers(ticks);
        let held = (1..ticks).map(|tick| vec![first + tick]).chain(end(ticks)).collect();
        self.moves.push(TimedMove { from, to, held });
    }

    /// Adds a road with a lane for each direction.
    pub fn two_lanes(&mut self, from: usize, to: usize, ticks: u32) {
        self.one_way(from, to, ticks);
        self.one_way(to, from, ticks);
    }

    /// Adds a road with one track for both directions: units that meet on it are in conflict, in
    /// the middle of a stretch or at the border between two.
    pub fn single_track(&mut self, from: usize, to: usize, ticks: u32) {
        let (stretches, borders) = (self.numbers(ticks), self.numbers(ticks));
        let forth = |tick: u32| {
            let stretch = (tick < ticks).then_some(stretches + tick);
            stretch.into_iter().chain([borders + tick - 1]).collect()
        };
        let back = |tick: u32| {
            let stretch = (tick < ticks).then_some(stretches + ticks - tick);
            stretch.into_iter().chain([borders + ticks - tick]).collect()
        };
        self.moves.push(TimedMove { from, to, held: (1..=ticks).map(forth).collect() });
        self.moves.push(TimedMove { from: to, to: from, held: (1..=ticks).map(back).collect() });
    }

    /// The same world, but a unit holds the end of its move from the first tick on.
    #[must_use]
    pub fn holding_ends(mut self) -> Self {
        for step in &mut self.moves {
            let ends = self.standing.get(step.to).cloned().unwrap_or_default();
            let on_the_way = step.held.len().saturating_sub(1);
            step.held.iter_mut().take(on_the_way).for_each(|held| held.extend(&ends));
        }
        self
    }

    /// Hexagons in rows, `.` free: each odd row stands half a hexagon to the right. The place of a
    /// hexagon is its number by rows. A step takes `pace` ticks; a slow step holds both hexagons.
    #[must_use]
    pub fn hexagons(rows: &[impl AsRef<str>], pace: u8) -> Self {
        let free = free_hexagons(rows);
        let mut lists = Self::of_places(u32::try_from(free.len()).unwrap_or(u32::MAX));
        for (one, &(at, is_free)) in free.iter().enumerate() {
            let later = free.iter().enumerate().skip(one + 1);
            for (other, _) in later.filter(|&(_, &(to, free))| is_free && free && touch(at, to)) {
                lists.step_both_ways(one, other, pace);
            }
        }
        lists
    }

    /// Adds a step between two places that bodies cannot take in both directions at once.
    fn step_both_ways(&mut self, one: usize, other: usize, pace: u8) {
        let border = self.numbers(1);
        let ends = [one, other].map(|place| place as u32).to_vec();
        let mut held = vec![ends; usize::from(pace).saturating_sub(1)];
        held.push(if pace == 1 { vec![border] } else { Vec::new() });
        self.moves.push(TimedMove { from: one, to: other, held: held.clone() });
        self.moves.push(TimedMove { from: other, to: one, held });
    }

    /// The first of so many numbers that nothing has yet.
    fn numbers(&mut self, count: u32) -> u32 {
        let first = self.next;
        self.next = self.next.saturating_add(count);
        first
    }
}

/// The last tick of a lane: only the place at its end is held.
fn end(ticks: u32) -> Option<Vec<u32>> {
    (ticks > 0).then(Vec::new)
}

/// The centre of a hexagon: half widths to the right, rows down.
type Centre = (usize, usize);

/// The centre of each hexagon by rows, and whether it is free.
fn free_hexagons(rows: &[impl AsRef<str>]) -> Vec<(Centre, bool)> {
    let row = |(y, row): (usize, &str)| {
        let symbols = row.chars().enumerate();
        symbols.map(|(x, symbol)| ((2 * x + y % 2, y), symbol == '.')).collect::<Vec<_>>()
    };
    rows.iter().map(AsRef::as_ref).enumerate().flat_map(row).collect()
}

/// Whether two hexagons have a side in common.
fn touch(one: Centre, other: Centre) -> bool {
    let apart = (one.0.abs_diff(other.0), one.1.abs_diff(other.1));
    apart == (2, 0) || apart == (1, 1)
}
