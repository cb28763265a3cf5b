//! Which of the steps that PIBT decided can be made now, when some units have to turn first.
//!
//! A unit that turns keeps its cell. So a unit can step onto an occupied cell only if the unit
//! there steps away too: along chains that end in a free cell, and around rings.

use crate::Vertex;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Unknown,
    /// On the chain that is being followed.
    Open,
    Moves,
    Stays,
}

/// Follows chains of units; the memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Chains {
    answers: Vec<Answer>,
    chain: Vec<usize>,
    moves: Vec<bool>,
}

impl Chains {
    /// Whether each unit makes its step. `ready` says which units have the heading for it,
    /// `unit_at` which unit stands on a position.
    pub(super) fn resolve(
        &mut self,
        now: &[Vertex],
        next: &[Vertex],
        ready: &[bool],
        unit_at: impl Fn(Vertex) -> Option<usize>,
    ) -> &[bool] {
        self.answers.clear();
        self.answers.resize(now.len(), Answer::Unknown);
        for first in 0..now.len() {
            let mut unit = first;
            self.chain.clear();
            // A ring closes at a unit that is open: all of it moves.
            let answer = loop {
                match self.answers[unit] {
                    Answer::Unknown if next[unit] == now[unit] || !ready[unit] => {
                        self.answers[unit] = Answer::Stays;
                        break Answer::Stays;
                    }
                    Answer::Unknown => {
                        self.answers[unit] = Answer::Open;
                        self.chain.push(unit);
                    }
                    Answer::Open | Answer::Moves => break Answer::Moves,
                    Answer::Stays => break Answer::Stays,
                }
                match unit_at(next[unit]) {
                    Some(there) => unit = there,
                    None => break Answer::Moves,
                }
            };
            for &unit in &self.chain {
                self.answers[unit] = answer;
            }
        }
        self.moves.clear();
        self.moves.extend(self.answers.iter().map(|&answer| answer == Answer::Moves));
        &self.moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(now: &[u32], next: &[u32], ready: &[bool], expected: &[bool]) {
        let at =
            |cells: &[u32]| -> Vec<Vertex> { cells.iter().map(|&cell| Vertex(cell)).collect() };
        let (now, next) = (at(now), at(next));
        let unit_at = |at: Vertex| now.iter().position(|&other| other == at);
        let mut chains = Chains::default();
        assert_eq!(chains.resolve(&now, &next, ready, unit_at), expected);
    }

    #[test]
    fn a_chain_moves_up_to_the_unit_that_turns() {
        check(&[0, 1, 2], &[1, 2, 3], &[true, true, true], &[true, true, true]);
        check(&[0, 1, 2], &[1, 2, 3], &[true, true, false], &[false, false, false]);
        check(&[2, 1, 0], &[3, 2, 1], &[true, false, true], &[true, false, false]);
    }

    #[test]
    fn a_ring_moves_as_a_whole_or_not_at_all() {
        check(&[0, 1, 2], &[1, 2, 0], &[true, true, true], &[true, true, true]);
        check(&[0, 1, 2], &[1, 2, 0], &[true, false, true], &[false, false, false]);
    }

    #[test]
    fn units_that_rest_stay() {
        check(&[0, 5], &[0, 0], &[true, true], &[false, false]);
    }
}
