//! Superfluous walks are removed from a plan.

use super::board::Board;
use super::region::Region;
use super::walks::{Manner, Path, Walks};

/// A walk of one unit to a position while all others stand.
pub(super) type Relocation = (usize, u32);

/// Shortens a plan of walks.
pub(super) struct Shortening<'a> {
    pub(super) region: &'a Region,
    pub(super) goals: &'a [Option<u32>],
    pub(super) board: &'a mut Board,
    pub(super) walks: &'a mut Walks,
    pub(super) starts: &'a [u16],
    /// Where the count of expansions ends.
    pub(super) limit: u64,
}

impl Shortening<'_> {
    /// Tries to leave out each walk, and to let each walk end where the unit's next one does.
    pub(super) fn run(&mut self, mut plan: Vec<Relocation>) -> Vec<Relocation> {
        let Some(mut length) = self.length(&plan) else { return plan };
        let mut at = 0;
        while at < plan.len() {
            let (unit, _) = plan[at];
            let later = plan[at + 1..].iter().position(|next| next.0 == unit);
            let mut without = plan.clone();
            without.remove(at);
            let merged = later.map(|later| {
                let mut merged = plan.clone();
                merged[at].1 = merged.remove(at + 1 + later).1;
                merged
            });
            let mut is_shorter = false;
            for shorter in std::iter::once(without).chain(merged) {
                if self.walks.expansions >= self.limit {
                    return plan;
                }
                if let Some(found) = self.length(&shorter).filter(|&found| found <= length) {
                    (plan, length, is_shorter) = (shorter, found, true);
                    break;
                }
            }
            at += usize::from(!is_shorter);
        }
        plan
    }

    /// The steps of a plan; `None` if it cannot be walked or does not end on the goals.
    fn length(&mut self, plan: &[Relocation]) -> Option<usize> {
        let mut length = 0;
        self.board.set(self.region, self.starts);
        for &relocation in plan {
            length += self.walk(relocation)?.actions.len();
        }
        let ends = self.goals.iter().zip(self.board.places());
        ends.into_iter().all(|(goal, at)| goal.is_none_or(|goal| goal == *at)).then_some(length)
    }

    /// Walks on the board.
    pub(super) fn walk(&mut self, (unit, to): Relocation) -> Option<Path> {
        let manner = Manner::around(unit);
        let found = self.walks.find(self.region, self.board, manner, |_| 0, |at| at == to)?;
        let path = self.walks.path(self.region, self.board, unit, found);
        self.board.relocate(self.region, unit, to);
        Some(path)
    }
}
