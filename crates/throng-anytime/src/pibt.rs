//! PIBT, priority inheritance with backtracking: from one configuration to the next.
//!
//! K. Okumura, M. Machida, X. Défago, Y. Tamura, "Priority inheritance with backtracking for
//! iterative multi-agent path finding" (2022). Swap: K. Okumura, "Improving LaCAM for scalable
//! eventually optimal multi-agent pathfinding" (2023). Hindrance: K. Okumura, H. Nagai,
//! "Lightweight and effective preference construction in PIBT" (2025).
//!
//! Units decide in order of priority. A unit ranks its neighbours and its own cell, and claims
//! the best that no unit has claimed. The unit that stands there must decide first. If it finds
//! no cell, the claimant tries its next one. The chain of claimants is an explicit stack.
//!
//! A candidate's rank is one integer: guide cell first, then true distance, then hindrance, then
//! a hash of (seed, round, unit), then the order of neighbours. So ranks do not depend on the
//! order of calls.

mod branches;
mod swap;

use throng_grid::kit::mix;
use throng_model::Conflicts;

use crate::{Graph, Vertex};
use branches::Branches;

/// No unit.
const NOBODY: u32 = u32::MAX;
/// Neighbours and the own cell.
const CANDIDATES_MAX: usize = 9;

/// Where a kernel looks up true distances.
pub trait TrueDistances {
    /// Ticks that the unit needs from a position to its goal if it is alone;
    /// [`UNREACHED`](crate::UNREACHED) without a path. May compute them when asked.
    fn get(&mut self, unit: usize, vertex: Vertex) -> u32;

    /// By what a unit ranks its own cell and the cells beside it. Differs from the distance for
    /// units that have to turn first.
    #[inline]
    fn rank(&mut self, unit: usize, vertex: Vertex) -> u32 {
        self.get(unit, vertex)
    }

    /// Whether units leave their goals when they have reached them, for new ones.
    fn are_goals_renewed(&self) -> bool {
        false
    }

    /// Sorts the candidates of a unit that swaps: the first leads away from its goal. They
    /// come with the best one first.
    fn sort_away(&mut self, _unit: usize, candidates: &mut [Vertex]) {
        candidates.reverse();
    }
}

/// Preferences of units for one step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guidance<'a> {
    /// The cell that a unit should enter next, by unit; [`Vertex::NONE`] for units without
    /// one. An empty slice: no unit has one.
    pub hints: &'a [Vertex],
    /// Whether units avoid cells that a neighbouring unit wants, among equally good ones.
    pub hindrance: bool,
    /// Units that are late, by unit: hindrance does not count for them. An empty slice: none.
    pub late: &'a [bool],
    /// Whether units exchange places in corridors and dead ends.
    pub swap: bool,
    /// For which steps they do so: a bit per neighbour, by position. An empty slice: for all.
    pub swap_steps: &'a [u8],
    /// Seed of the random choice among equal candidates. Use another one for every step.
    pub round: u64,
}

/// One unit that is deciding.
#[derive(Clone, Copy, Debug)]
struct Frame {
    unit: u32,
    /// The unit to be pulled into the cell just left, or [`NOBODY`].
    partner: u32,
    candidates: [Vertex; CANDIDATES_MAX],
    len: u8,
    cursor: u8,
}

/// What a frame's next candidate leads to.
enum Claim {
    /// The unit has its cell.
    Done,
    /// The unit that stands there has to decide first.
    Displaces(u32),
    /// No candidate is left.
    Failed,
}

/// The kernel: positions of all units now and after the step, in flat arrays that are reused.
///
/// Units cover one cell and take one tick per step. Steps are legal by [`Conflicts`]: units
/// may follow each other and rotate. One step takes about 80 ns per unit on
/// random-64-64-20 with 1,000 units.
///
/// ```
/// use throng_anytime::{Distances, Graph, Guidance, Pibt};
/// use throng_model::{Cell, Conflicts, Map, MovementProfile};
/// let graph = Graph::new(&Map::empty(3, 2)?, &MovementProfile::four_connected())?;
/// let at = |x, y| graph.vertex(Cell::new(x, y)).ok_or("a wall");
/// let (starts, goals) = ([at(0, 0)?, at(2, 0)?], [at(2, 0)?, at(0, 0)?]);
/// let mut distances = Distances::new(&graph, &goals);
/// let mut pibt = Pibt::new(&graph, Conflicts::default(), 2);
/// pibt.place(&starts);
/// for round in 0..10 {
///     let guidance = Guidance { round, swap: true, ..Guidance::default() };
///     assert!(pibt.step(&[0, 1], &[], &mut distances, &guidance));
///     pibt.advance();
/// }
/// assert_eq!(pibt.now(), &goals);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pibt<'g> {
    graph: &'g Graph,
    conflicts: Conflicts,
    now: Vec<Vertex>,
    next: Vec<Vertex>,
    occupied_now: Vec<u32>,
    occupied_next: Vec<u32>,
    /// The unit that passes a 2 x 2 block diagonally; empty where crossing cannot happen.
    crossed: Vec<u32>,
    /// Blocks to be cleared after the step.
    touched: Vec<usize>,
    stack: Vec<Frame>,
    pulled: Vec<(u32, u32)>,
    branches: Branches,
}

impl<'g> Pibt<'g> {
    /// A kernel for this many units. [`place`](Self::place) them first.
    #[must_use]
    pub fn new(graph: &'g Graph, conflicts: Conflicts, units: usize) -> Self {
        let crossing = graph.has_diagonals() && conflicts.crossing;
        Self {
            graph,
            conflicts,
            now: vec![Vertex::NONE; units],
            next: vec![Vertex::NONE; units],
            occupied_now: vec![NOBODY; graph.len()],
            occupied_next: vec![NOBODY; graph.len()],
            crossed: vec![NOBODY; if crossing { graph.blocks() } else { 0 }],
            touched: Vec::new(),
            stack: Vec::new(),
            pulled: Vec::new(),
            branches: Branches::new(graph),
        }
    }

    /// Puts every unit on a cell of its own.
    pub fn place(&mut self, positions: &[Vertex]) {
        for &at in self.now.iter().filter(|&&at| at != Vertex::NONE) {
            self.occupied_now[at.get()] = NOBODY;
        }
        self.now.copy_from_slice(positions);
        for (unit, at) in positions.iter().enumerate() {
            self.occupied_now[at.get()] = unit as u32;
        }
        self.branches.place(positions);
    }

    /// Where the units are.
    #[must_use]
    pub fn now(&self) -> &[Vertex] {
        &self.now
    }

    /// Where the units are after the last successful step.
    #[must_use]
    pub fn next(&self) -> &[Vertex] {
        &self.next
    }

    /// The swaps of the last step: a unit, and the one that it pulls into the cell it leaves.
    pub(crate) fn pulled(&self) -> &[(u32, u32)] {
        &self.pulled
    }

    /// The unit on a position now.
    #[must_use]
    pub fn unit_at(&self, at: Vertex) -> Option<usize> {
        let unit = self.occupied_now[at.get()];
        (unit != NOBODY).then_some(unit as usize)
    }

    /// Makes the next positions the present ones.
    pub fn advance(&mut self) {
        for at in &self.now {
            self.occupied_now[at.get()] = NOBODY;
        }
        for (&from, &to) in self.now.iter().zip(&self.next) {
            if from != to {
                self.branches.step(from, to);
            }
        }
        self.now.copy_from_slice(&self.next);
        for (unit, at) in self.now.iter().enumerate() {
            self.occupied_now[at.get()] = unit as u32;
        }
    }

    /// Decides one step of all units; whether that was possible. Then [`next`](Self::next) is
    /// a legal successor of [`now`](Self::now).
    ///
    /// `order` has every unit once, the highest priority first. Units in `fixed` go where it
    /// says: their own cell or a neighbour. Without fixed units a step is always possible.
    pub fn step<D: TrueDistances>(
        &mut self,
        order: &[u32],
        fixed: &[(u32, Vertex)],
        distances: &mut D,
        guidance: &Guidance<'_>,
    ) -> bool {
        self.next.fill(Vertex::NONE);
        self.pulled.clear();
        let done = self.fix(fixed)
            && order.iter().all(|&unit| {
                self.next[unit as usize] != Vertex::NONE || self.decide(unit, distances, guidance)
            });
        self.clear();
        done
    }

    /// Forgets all claims. They are the next positions of units and the blocks touched.
    fn clear(&mut self) {
        for at in self.next.iter().filter(|&&at| at != Vertex::NONE) {
            self.occupied_next[at.get()] = NOBODY;
        }
        for block in self.touched.drain(..) {
            self.crossed[block] = NOBODY;
        }
    }

    /// Claims the cells of units that have no choice; whether they are compatible.
    fn fix(&mut self, fixed: &[(u32, Vertex)]) -> bool {
        for &(unit, to) in fixed {
            if !self.is_free(unit, to) {
                return false;
            }
            self.claim(unit, to);
        }
        true
    }

    /// Whether a unit can go to a neighbour or stay, beside all that is decided.
    #[inline]
    fn is_free(&self, unit: u32, to: Vertex) -> bool {
        let from = self.now[unit as usize];
        if self.occupied_next[to.get()] != NOBODY {
            return false;
        }
        let there = self.occupied_now[to.get()];
        let swaps = there != NOBODY && there != unit && self.next[there as usize] == from;
        !(swaps && self.conflicts.swap || self.crosses(unit, to))
    }

    /// Whether the step is a diagonal through a block that another unit passes diagonally.
    #[inline]
    fn crosses(&self, unit: u32, to: Vertex) -> bool {
        if self.crossed.is_empty() {
            return false;
        }
        let Some(block) = self.graph.block(self.now[unit as usize], to) else { return false };
        let other = self.crossed[block];
        // Of two that exchange places, each enters the other's cell: not a crossing.
        other != NOBODY && other != unit && self.now[other as usize] != to
    }

    #[inline]
    fn claim(&mut self, unit: u32, to: Vertex) {
        self.occupied_next[to.get()] = unit;
        self.next[unit as usize] = to;
        if !self.crossed.is_empty()
            && let Some(block) = self.graph.block(self.now[unit as usize], to)
            && self.crossed[block] == NOBODY
        {
            self.crossed[block] = unit;
            self.touched.push(block);
        }
    }

    /// Takes back what a claim has said about blocks; its cell has another claimant by now.
    #[inline]
    fn release(&mut self, unit: u32) {
        if !self.crossed.is_empty()
            && let Some(block) = self.graph.block(self.now[unit as usize], self.next[unit as usize])
            && self.crossed[block] == unit
        {
            self.crossed[block] = NOBODY;
        }
    }

    /// Decides for a unit and all that it displaces; whether it found a cell. If not, it
    /// stays.
    fn decide<D: TrueDistances>(
        &mut self,
        unit: u32,
        distances: &mut D,
        guidance: &Guidance<'_>,
    ) -> bool {
        self.stack.clear();
        self.open(unit, distances, guidance);
        loop {
            match self.try_candidates() {
                Claim::Displaces(other) => self.open(other, distances, guidance),
                Claim::Done => {
                    self.close_all();
                    return true;
                }
                Claim::Failed => {
                    if !self.give_up() {
                        return false;
                    }
                }
            }
        }
    }

    /// Claims the first candidate of the last frame that is free.
    #[inline]
    fn try_candidates(&mut self) -> Claim {
        let top = self.stack.len() - 1;
        let Frame { unit, candidates, len, .. } = self.stack[top];
        for cursor in self.stack[top].cursor..len {
            let to = candidates[usize::from(cursor)];
            if !self.is_free(unit, to) {
                continue;
            }
            self.claim(unit, to);
            self.stack[top].cursor = cursor;
            let there = self.occupied_now[to.get()];
            if there != NOBODY && there != unit && self.next[there as usize] == Vertex::NONE {
                return Claim::Displaces(there);
            }
            return Claim::Done;
        }
        Claim::Failed
    }

    /// The last unit stays, and its claimant goes on; whether there is one.
    fn give_up(&mut self) -> bool {
        if let Some(Frame { unit, .. }) = self.stack.pop() {
            let at = self.now[unit as usize];
            self.occupied_next[at.get()] = unit;
            self.next[unit as usize] = at;
        }
        let Some(claimant) = self.stack.last_mut() else { return false };
        claimant.cursor += 1;
        let unit = claimant.unit;
        self.release(unit);
        self.next[unit as usize] = Vertex::NONE;
        true
    }

    /// All units of the chain have their cells: pulls the partners of those that swap.
    fn close_all(&mut self) {
        while let Some(Frame { unit, partner, cursor, .. }) = self.stack.pop() {
            let left = self.now[unit as usize];
            if partner != NOBODY
                && cursor == 0
                && self.next[partner as usize] == Vertex::NONE
                && self.is_free(partner, left)
            {
                self.claim(partner, left);
                self.pulled.push((unit, partner));
            }
        }
    }

    /// Puts a unit on the stack with its candidates, the best first.
    fn open<D: TrueDistances>(&mut self, unit: u32, distances: &mut D, guidance: &Guidance<'_>) {
        let mut frame = self.ranked(unit, distances, guidance);
        if guidance.swap && self.may_swap(unit, frame.candidates[0], guidance.swap_steps) {
            frame.partner = self.swap_partner(unit, frame.candidates[0], distances);
            if frame.partner != NOBODY {
                distances.sort_away(unit as usize, &mut frame.candidates[..usize::from(frame.len)]);
            }
        }
        self.stack.push(frame);
    }

    /// Whether the unit's step to a neighbour is among those for which units swap.
    #[inline]
    fn may_swap(&self, unit: u32, to: Vertex, steps: &[u8]) -> bool {
        let at = self.now[unit as usize];
        let Some(bits) = steps.get(at.get()) else { return true };
        let side = self.graph.neighbours(at).iter().position(|&neighbour| neighbour == to);
        side.is_some_and(|side| bits >> side & 1 != 0)
    }

    /// A unit's neighbours and its own cell, the best first.
    #[inline]
    fn ranked<D: TrueDistances>(
        &self,
        unit: u32,
        distances: &mut D,
        guidance: &Guidance<'_>,
    ) -> Frame {
        let at = self.now[unit as usize];
        let neighbours = self.graph.neighbours(at);
        let len = neighbours.len() + 1;
        let hint = guidance.hints.get(unit as usize).copied().unwrap_or(Vertex::NONE);
        let random = mix(guidance.round ^ u64::from(unit) << 40);
        let mut cells = [at; CANDIDATES_MAX];
        cells[..neighbours.len()].copy_from_slice(neighbours);
        let mut ranks = [0; CANDIDATES_MAX];
        for (index, &to) in cells[..len].iter().enumerate() {
            let distance = u64::from(distances.rank(unit as usize, to));
            let chance = random >> (7 * index) & 0x7f;
            ranks[index] =
                u64::from(to != hint) << 60 | distance << 20 | chance << 4 | index as u64;
        }
        let late = guidance.late.get(unit as usize).copied().unwrap_or(false);
        if guidance.hindrance && !late && neighbours.len() > 2 {
            self.add_hindrance(unit, &cells[..len], &mut ranks[..len], distances);
        }
        sort(&mut ranks[..len]);
        let mut candidates = [Vertex::NONE; CANDIDATES_MAX];
        for (slot, rank) in candidates.iter_mut().zip(&ranks[..len]) {
            *slot = cells[(rank & 0xf) as usize];
        }
        Frame { unit, partner: NOBODY, candidates, len: len as u8, cursor: 0 }
    }

    /// Adds, for candidates that are equally far from the goal, how many units beside them
    /// want to go there.
    fn add_hindrance<D: TrueDistances>(
        &self,
        unit: u32,
        cells: &[Vertex],
        ranks: &mut [u64],
        distances: &mut D,
    ) {
        for index in 0..cells.len() {
            let level = ranks[index] >> 20;
            let ties = ranks.iter().filter(|&&rank| rank >> 20 == level).count();
            if ties > 1 {
                let wanted = self.wanted(unit, cells[index], distances);
                ranks[index] |= wanted.min(15) << 12;
            }
        }
    }

    /// How many other units beside a cell would come closer to their goals by entering it.
    fn wanted<D: TrueDistances>(&self, unit: u32, to: Vertex, distances: &mut D) -> u64 {
        let mut count = 0;
        for &from in self.graph.neighbours(to) {
            let other = self.occupied_now[from.get()];
            if other != NOBODY && other != unit {
                let other = other as usize;
                count += u64::from(distances.get(other, to) < distances.get(other, from));
            }
        }
        count
    }
}

/// Insertion sort: at most nine entries.
#[inline]
fn sort(ranks: &mut [u64]) {
    for end in 1..ranks.len() {
        let rank = ranks[end];
        let mut place = end;
        while place > 0 && ranks[place - 1] > rank {
            ranks[place] = ranks[place - 1];
            place -= 1;
        }
        ranks[place] = rank;
    }
}
