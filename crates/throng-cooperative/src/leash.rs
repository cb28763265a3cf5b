//! What may still be spent, and how searches are stopped that cannot be interrupted.
//!
//! A search ends when nothing leads on from where it is. So the planners search in spaces on
//! a leash: when the budget is spent or the interrupt says stop, no move leads anywhere any
//! more, and whatever is under way runs dry. What such a search says is worth nothing; the
//! planners ask the leash before they believe it.

use std::cell::Cell;

use throng_model::Budget;
use throng_spacetime::{Action, Entry, Move, Position, Space};

use crate::Fleet;

/// The interrupt is asked once for so many nodes.
const NODES_A_QUESTION: u32 = 1024;

/// How much of a budget is left.
pub(crate) struct Leash<'a> {
    budget: Budget<'a>,
    /// What is left, as far as the planner has told.
    left: Cell<u64>,
    /// Nodes that distances may still expand before the planner tells again.
    left_for_distances: Cell<u64>,
    /// Nodes until the interrupt is asked again.
    quiet: Cell<u32>,
    interrupted: Cell<bool>,
    spent: Cell<bool>,
}

impl<'a> Leash<'a> {
    pub(crate) fn new(budget: Budget<'a>) -> Self {
        let left = budget.expansions.unwrap_or(u64::MAX);
        Self {
            budget,
            left: Cell::new(left),
            left_for_distances: Cell::new(left),
            quiet: Cell::new(NODES_A_QUESTION),
            interrupted: Cell::new(false),
            spent: Cell::new(false),
        }
    }

    /// The fleet in spaces on this leash.
    pub(crate) fn hold<'b, S>(&'b self, fleet: &'b Fleet<S>) -> Fleet<Leashed<'b, S>> {
        let spaces = fleet.spaces.iter().map(|space| Leashed { space, leash: self });
        Fleet { spaces: spaces.collect(), riders: fleet.riders.clone() }
    }

    /// Most expansions of the next search.
    pub(crate) fn left(&self) -> u64 {
        self.left.get()
    }

    /// Notes how many nodes are expanded by now, all in all, and asks whether to stop.
    pub(crate) fn note(&self, expanded: u64) {
        let most = self.budget.expansions.unwrap_or(u64::MAX);
        self.spent.set(self.spent.get() || expanded > most);
        self.left.set(most.saturating_sub(expanded));
        self.left_for_distances.set(self.left.get());
        self.ask();
    }

    /// Whether the budget is spent or the interrupt said stop.
    pub(crate) fn is_spent(&self) -> bool {
        self.spent.get() || self.interrupted.get()
    }

    pub(crate) fn interrupted(&self) -> bool {
        self.interrupted.get()
    }

    fn ask(&self) {
        self.quiet.set(NODES_A_QUESTION);
        self.interrupted.set(self.interrupted.get() || self.budget.is_interrupted());
    }

    /// A node is expanded; whether its moves may be looked at.
    #[inline]
    fn may_go_on(&self) -> bool {
        match self.quiet.get() {
            0 => self.ask(),
            quiet => self.quiet.set(quiet - 1),
        }
        !self.is_spent()
    }

    /// The same for a node of a search for distances, which know no limit of their own.
    #[inline]
    fn may_go_back(&self) -> bool {
        match self.left_for_distances.get() {
            0 => self.spent.set(true),
            left => self.left_for_distances.set(left - 1),
        }
        self.may_go_on()
    }
}

/// A space from which nothing leads on when the leash is at its end.
pub(crate) struct Leashed<'a, S> {
    space: &'a S,
    leash: &'a Leash<'a>,
}

impl<S: Space> Space for Leashed<'_, S> {
    fn positions(&self) -> usize {
        self.space.positions()
    }

    fn entries(&self) -> usize {
        self.space.entries()
    }

    #[inline]
    fn estimate(&self, from: Position, to: Position) -> u64 {
        self.space.estimate(from, to)
    }

    #[inline]
    fn pause_cost(&self) -> u64 {
        self.space.pause_cost()
    }

    fn move_ticks_max(&self) -> u32 {
        self.space.move_ticks_max()
    }

    fn ticks_to_clear(&self) -> u32 {
        self.space.ticks_to_clear()
    }

    #[inline]
    fn for_each_move(&self, from: Position, visit: impl FnMut(Move)) {
        if self.leash.may_go_on() {
            self.space.for_each_move(from, visit);
        }
    }

    #[inline]
    fn for_each_move_back(&self, to: Position, visit: impl FnMut(Move)) {
        if self.leash.may_go_back() {
            self.space.for_each_move_back(to, visit);
        }
    }

    #[inline]
    fn move_by(&self, from: Position, action: Action) -> Option<Move> {
        self.space.move_by(from, action)
    }

    #[inline]
    fn standing(&self, at: Position, visit: impl FnMut(Entry) -> bool) -> bool {
        self.space.standing(at, visit)
    }

    #[inline]
    fn footprint(
        &self,
        from: Position,
        action: Action,
        visit: impl FnMut(Entry, u32) -> bool,
    ) -> bool {
        self.space.footprint(from, action, visit)
    }

    #[inline]
    fn passings(
        &self,
        from: Position,
        action: Action,
        visit: impl FnMut(Entry, Entry) -> bool,
    ) -> bool {
        self.space.passings(from, action, visit)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use throng_grid::kit::DenseCosts;
    use throng_model::{Map, MovementProfile};
    use throng_spacetime::{FootprintRules, GridSpace, Rra};

    /// Floods a map of a million cells on a leash; how many nodes that took.
    fn flood(leash: &Leash<'_>) -> u64 {
        let map = Map::empty(1000, 1000).unwrap();
        let rules = FootprintRules::default();
        let space = GridSpace::new(&map, MovementProfile::four_connected(), &rules).unwrap();
        let space = Leashed { space: &space, leash };
        let mut distances: Rra<DenseCosts> = Rra::default();
        let (goal, corner) = (Position(500_500), Position(0));
        // Towards the goal itself: it goes everywhere.
        distances.begin(&space, [(goal, 0)], goal);
        let _ = distances.distance(&space, corner);
        distances.expanded()
    }

    #[test]
    fn a_search_runs_dry_soon_after_the_interrupt() {
        let asked = AtomicU32::new(0);
        let third_time = || asked.fetch_add(1, Ordering::Relaxed) >= 2;
        let leash = Leash::new(Budget::unlimited().with_interrupt(&third_time));
        let expanded = flood(&leash);
        assert!(leash.interrupted() && leash.is_spent());
        assert!((3 * 1024..5 * 1024).contains(&expanded), "{expanded}");
    }

    #[test]
    fn distances_keep_to_the_budget() {
        let leash = Leash::new(Budget::expansions(5000));
        let expanded = flood(&leash);
        assert!(leash.is_spent() && !leash.interrupted());
        assert!((5000..6000).contains(&expanded), "{expanded}");
        let leash = Leash::new(Budget::unlimited());
        assert_eq!(flood(&leash), 1_000_000, "nothing is farther than the corner");
    }

    #[test]
    fn exactly_the_budget_is_not_too_much() {
        let leash = Leash::new(Budget::expansions(7));
        leash.note(7);
        assert!(!leash.is_spent() && leash.left() == 0);
        leash.note(8);
        assert!(leash.is_spent());
    }
}
