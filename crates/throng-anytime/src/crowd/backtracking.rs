//! Takes back what was decided when a unit cannot make room.
//!
//! The log has the units in the order in which they decided. A unit that claims a place before
//! those in it have left is in the log before them. What is undone is always an end of the log,
//! except for units that stay: they are kept, so that no unit fails twice in a tick.

use throng_spacetime::{Action, Space};

use super::candidates::Candidate;
use super::claims::NONE;
use super::kernel::Preferences;
use super::turn::{Frame, State, Turn};

impl<S: Space, P: Preferences> Turn<'_, S, P> {
    /// Lets the unit below the top wait for the units that it has asked, instead of moving.
    pub(super) fn wait_instead(&mut self, mut asker: Frame, candidate: Candidate) {
        self.release(asker.unit, candidate.action);
        self.memory.log[asker.mark as usize] = NONE;
        self.record_mut(asker.unit).state = State::Asking;
        self.claim(asker.unit, Action::PAUSE);
        asker.asking = Some((candidate, false));
        let below = self.memory.frames.len() - 2;
        self.memory.frames[below] = asker;
    }

    /// Takes back a candidate that is not free. Whether the moves of the units that made room
    /// were kept.
    pub(super) fn retract(
        &mut self,
        frame: &Frame,
        action: Action,
        is_claimed: bool,
        failed: bool,
    ) -> bool {
        let unit = frame.unit;
        if !is_claimed {
            self.record_mut(unit).state = State::Undecided;
            self.release(unit, Action::PAUSE);
            return true;
        }
        if failed || self.is_replaced(unit, frame.mark) {
            self.undo(frame.mark);
            return false;
        }
        self.record_mut(unit).state = State::Undecided;
        self.release(unit, action);
        self.memory.log[frame.mark as usize] = NONE;
        true
    }

    /// Whether a unit that was decided later has taken the place where the unit stands.
    pub(super) fn is_replaced(&self, unit: u32, mark: u32) -> bool {
        let log = &self.memory.log;
        !self.space(unit).standing(self.units[unit as usize].at, |entry| {
            let next = self.memory.claims.next(entry);
            let logged = if next == NONE { 0 } else { self.record(next).logged };
            next == NONE
                || next == unit
                || logged < mark
                || log.get(logged as usize).is_none_or(|&logged| logged != next)
        })
    }

    /// Undoes all moves that were decided after a mark. Units that stay are kept.
    fn undo(&mut self, mark: u32) {
        let mut kept = mark as usize;
        for at in mark as usize..self.memory.log.len() {
            let unit = self.memory.log[at];
            if unit == NONE {
                continue;
            }
            if self.record(unit).state == State::Staying {
                self.memory.log[kept] = unit;
                self.record_mut(unit).logged = kept as u32;
                kept += 1;
            } else {
                self.record_mut(unit).state = State::Undecided;
                let action = self.record(unit).action;
                self.release(unit, action);
                self.memory.undone += 1;
            }
        }
        self.memory.log.truncate(kept);
    }
}
