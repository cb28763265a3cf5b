//! The positions within reach of a cluster, numbered, with moves and bodies as flat lists.

use throng_spacetime::{Action, Entry, Move, Position, Space};

/// At most this many positions per space; those beyond are cut off.
const POSITIONS_MAX: usize = 8192;

/// A step costs one more for so many places of other bodies that it closes.
const TOLL: u32 = 3;

/// Lists stored one after the other in one array.
#[derive(Clone, Debug)]
pub(super) struct Lists<T> {
    all: Vec<T>,
    ends: Vec<u32>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { all: Vec::new(), ends: vec![0] }
    }
}

impl<T: Copy> Lists<T> {
    fn clear(&mut self) {
        self.all.clear();
        self.ends.truncate(1);
    }

    fn end_list(&mut self) {
        self.ends.push(self.all.len() as u32);
    }

    #[inline]
    pub(super) fn get(&self, list: u32) -> &[T] {
        let list = list as usize;
        &self.all[self.ends[list] as usize..self.ends[list + 1] as usize]
    }

    /// Makes lists from pairs of a list's number and a value, in the order of the pairs.
    fn fill(&mut self, lists: usize, value: T, pairs: impl Iterator<Item = (u32, T)> + Clone) {
        self.clear();
        self.ends.resize(lists + 1, 0);
        for (list, _) in pairs.clone() {
            self.ends[list as usize + 1] += 1;
        }
        for list in 0..lists {
            self.ends[list + 1] += self.ends[list];
        }
        let mut next = self.ends.clone();
        self.all.resize(self.ends[lists] as usize, value);
        for (list, value) in pairs {
            let at = &mut next[list as usize];
            self.all[*at as usize] = value;
            *at += 1;
        }
    }
}

/// A move between two positions of a region.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) to: u32,
    pub(super) action: Action,
    /// Where the entries are that it needs besides the bodies at both ends.
    extras: [u32; 2],
}

/// One of the spaces: its positions within reach.
#[derive(Clone, Debug, Default)]
pub(super) struct Kind {
    positions: Vec<Position>,
    standing: Lists<u32>,
    steps: Lists<Step>,
    extras: Vec<u32>,
    back: Lists<u32>,
    covering: Lists<u32>,
    /// By position: how many places of other bodies it closes.
    tolls: Vec<u32>,
}

impl Kind {
    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    /// The entries of a body.
    #[inline]
    pub(super) fn standing(&self, at: u32) -> &[u32] {
        self.standing.get(at)
    }

    #[inline]
    pub(super) fn steps(&self, from: u32) -> &[Step] {
        self.steps.get(from)
    }

    /// The entries that a step needs besides the bodies at both ends.
    #[inline]
    pub(super) fn extras(&self, step: &Step) -> &[u32] {
        &self.extras[step.extras[0] as usize..step.extras[1] as usize]
    }

    /// The positions from which a step leads to this one.
    #[inline]
    pub(super) fn back(&self, to: u32) -> &[u32] {
        self.back.get(to)
    }

    /// The positions at which a body has this entry.
    #[inline]
    pub(super) fn covering(&self, entry: u32) -> &[u32] {
        self.covering.get(entry)
    }

    /// What a step to a position costs that closes places to other bodies, in steps.
    #[inline]
    pub(super) fn toll(&self, at: u32) -> u32 {
        self.tolls[at as usize]
    }

    fn clear(&mut self) {
        self.positions.clear();
        self.standing.clear();
        self.steps.clear();
        self.extras.clear();
    }

    /// Lists the steps backward, and the positions by entry.
    fn invert(&mut self, entries: usize) {
        let all = 0..self.positions.len() as u32;
        let (steps, standing) = (&self.steps, &self.standing);
        let back = all.clone().flat_map(|from| steps.get(from).iter().map(move |s| (s.to, from)));
        self.back.fill(self.positions.len(), 0, back);
        let covering = all.flat_map(|at| standing.get(at).iter().map(move |&entry| (entry, at)));
        self.covering.fill(entries, 0, covering);
    }
}

impl Kind {
    fn is_reversible(&self) -> bool {
        let all = 0..self.positions.len() as u32;
        let mut pairs = all.flat_map(|from| self.steps(from).iter().map(move |step| (from, step)));
        pairs.all(|(from, step)| {
            self.steps(step.to).iter().any(|back| {
                let (there, back_there) = (self.extras(step), self.extras(back));
                back.to == from && back_there.iter().all(|entry| there.contains(entry))
            })
        })
    }
}

/// What is known of an entry or position of a space, by its number there.
const UNKNOWN: u32 = u32::MAX;
const CLOSED: u32 = u32::MAX - 1;

/// Numbers in a region by numbers of the space. Only what was written is cleared.
#[derive(Clone, Debug, Default)]
struct Numbers {
    by_name: Vec<u32>,
    written: Vec<u32>,
}

impl Numbers {
    fn begin(&mut self, names: usize) {
        for name in self.written.drain(..) {
            self.by_name[name as usize] = UNKNOWN;
        }
        self.by_name.resize(names.max(self.by_name.len()), UNKNOWN);
    }

    fn get(&self, name: usize) -> u32 {
        self.by_name.get(name).copied().unwrap_or(CLOSED)
    }

    fn set(&mut self, name: u32, number: u32) {
        self.by_name[name as usize] = number;
        self.written.push(name);
    }
}

/// All positions that the units of a cluster could reach if the others were not there.
#[derive(Clone, Debug, Default)]
pub(super) struct Region {
    kinds: Vec<Kind>,
    /// How many of the kinds are in use.
    used: usize,
    entries: u32,
    entry_numbers: Numbers,
    position_numbers: Numbers,
    /// Some positions were cut off, so that nothing can be proven.
    pub(super) is_cut: bool,
    /// Every step can be taken back, with the same needs.
    pub(super) is_reversible: bool,
    moves: Vec<Move>,
}

impl Region {
    /// Begins an empty region over so many entries.
    pub(super) fn begin(&mut self, entries: usize) {
        self.entry_numbers.begin(entries);
        (self.used, self.entries, self.is_cut) = (0, 0, false);
    }

    pub(super) fn entries(&self) -> usize {
        self.entries as usize
    }

    /// The positions of the largest kind.
    pub(super) fn positions_max(&self) -> usize {
        self.kinds().iter().map(Kind::len).max().unwrap_or(0)
    }

    pub(super) fn kinds(&self) -> &[Kind] {
        &self.kinds[..self.used]
    }

    /// Opens or closes the entries of a body, without asking whether they are free.
    pub(super) fn set_body<S: Space>(&mut self, space: &S, at: Position, is_open: bool) {
        space.standing(at, |entry| {
            if self.entry_numbers.get(entry.get()) == UNKNOWN {
                let number = if is_open { self.entries } else { CLOSED };
                self.entry_numbers.set(entry.0, number);
                self.entries += u32::from(is_open);
            }
            true
        });
    }

    fn is_open(&mut self, entry: Entry, is_free: &mut impl FnMut(Entry) -> bool) -> bool {
        if self.entry_numbers.get(entry.get()) == UNKNOWN {
            let number = if is_free(entry) { self.entries } else { CLOSED };
            self.entry_numbers.set(entry.0, number);
            self.entries += u32::from(number != CLOSED);
        }
        self.entry_numbers.get(entry.get()) != CLOSED
    }

    /// Adds what the units of a space reach from their places.
    pub(super) fn add<S: Space>(
        &mut self,
        space: &S,
        starts: impl Iterator<Item = Position>,
        is_free: &mut impl FnMut(Entry) -> bool,
    ) {
        if self.used == self.kinds.len() {
            self.kinds.push(Kind::default());
        }
        let mut kind = std::mem::take(&mut self.kinds[self.used]);
        kind.clear();
        self.position_numbers.begin(space.positions());
        for start in starts {
            self.number_of(&mut kind, start);
        }
        let mut next = 0;
        while let Some(&from) = kind.positions.get(next) {
            next += 1;
            self.add_position(&mut kind, space, from, is_free);
        }
        self.kinds[self.used] = kind;
        self.used += 1;
    }

    /// The number of a position in the kind that was added last.
    pub(super) fn position(&self, at: Position) -> Option<u32> {
        let number = self.position_numbers.get(at.get());
        (number < CLOSED).then_some(number)
    }

    /// Ends the region: lists that need all entries are made.
    pub(super) fn end(&mut self) {
        let entries = self.entries();
        self.kinds[..self.used].iter_mut().for_each(|kind| kind.invert(entries));
        self.find_tolls();
        self.is_reversible = self.kinds().iter().all(Kind::is_reversible);
    }

    /// Finds how many places of the kind that has most of them each position closes.
    fn find_tolls(&mut self) {
        let closes = |entry: u32| self.kinds().iter().map(|kind| kind.covering(entry).len()).max();
        let closes: Vec<usize> =
            (0..self.entries).map(|entry| closes(entry).unwrap_or(0)).collect();
        for kind in &mut self.kinds[..self.used] {
            let of = |at: u32| kind.standing.get(at).iter().map(|&entry| closes[entry as usize]);
            let toll = |at: u32| of(at).max().unwrap_or(0) as u32 / TOLL;
            kind.tolls = (0..kind.positions.len() as u32).map(toll).collect();
        }
    }

    fn number_of(&mut self, kind: &mut Kind, at: Position) -> Option<u32> {
        if self.position_numbers.get(at.get()) == UNKNOWN {
            if kind.positions.len() == POSITIONS_MAX {
                self.is_cut = true;
                return None;
            }
            self.position_numbers.set(at.0, kind.positions.len() as u32);
            kind.positions.push(at);
        }
        self.position(at)
    }

    /// Adds the body and the steps of a position, and the ends of these steps.
    fn add_position<S: Space>(
        &mut self,
        kind: &mut Kind,
        space: &S,
        from: Position,
        is_free: &mut impl FnMut(Entry) -> bool,
    ) {
        let body = kind.standing.all.len();
        space.standing(from, |entry| {
            let number = self.entry_numbers.get(entry.get());
            kind.standing.all.extend((number < CLOSED).then_some(number));
            true
        });
        kind.standing.end_list();
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        space.for_each_move(from, |step| moves.push(step));
        for step in &moves {
            let is_legal = space.standing(step.to, |entry| self.is_open(entry, is_free))
                && space.footprint(from, step.action, |entry, _| self.is_open(entry, is_free));
            if !is_legal {
                continue;
            }
            let Some(to) = self.number_of(kind, step.to) else { continue };
            let begin = kind.extras.len();
            let (start, extras) = (&kind.standing.all[body..], &mut kind.extras);
            space.footprint(from, step.action, |entry, _| {
                let number = self.entry_numbers.get(entry.get());
                let is_known = start.contains(&number) || extras[begin..].contains(&number);
                if !is_known && space.standing(step.to, |end| end != entry) {
                    extras.push(number);
                }
                true
            });
            let extras = [begin as u32, kind.extras.len() as u32];
            kind.steps.all.push(Step { to, action: step.action, extras });
        }
        kind.steps.end_list();
        self.moves = moves;
    }
}
