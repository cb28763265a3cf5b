//! Priority inheritance with backtracking, on an explicit stack.
//!
//! Okumura et al. (2022), algorithm 1. What differs, because bodies may be large and slow:
//!
//! - A move may need several units to leave. They are asked one after the other. If one cannot,
//!   the moves of the others are undone; the units that have to stay are kept as such.
//! - If a unit cannot leave within the tick, the unit that asked it waits. Then nothing is
//!   undone, because the other will have left some ticks later. The unit that waits claims what
//!   is free of the place it waits for, so that no other takes it.

use throng_model::Tick;
use throng_spacetime::{Action, Position, Space};

use super::candidates::Candidate;
use super::claims::NONE;
use super::kernel::{CrowdUnit, Kind, Memory, Preferences};
use super::probe::Probe;

/// A root asks no more after so many decisions were undone in its turn.
const UNDONE_MAX: u32 = 64;

/// A unit that is asked looks at most this often for a way out in several steps.
const ESCAPES_MAX: u8 = 3;

/// What a unit has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing.
    Undecided,
    /// Nothing; it waits for units that it has asked, where it is.
    Asking,
    /// To move. While units are asked to make room, this can be undone.
    Moving,
    /// To stay. This is never undone.
    Staying,
    /// It is in the middle of a step, holds its place, or is not there.
    Fixed,
}

/// What the kernel knows about a unit in this tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    pub(super) state: State,
    /// Stays because the place it wants is being left.
    is_pending: bool,
    pub(super) is_ranked: bool,
    pub(super) action: Action,
    /// Where it is when its action is over.
    pub(super) end: Position,
    pub(super) first_choice: Position,
    /// Its candidates, if they are listed.
    pub(super) first: u32,
    pub(super) count: u16,
    /// Its place in the log.
    pub(super) logged: u32,
    pub(super) stay_distance: u64,
}

impl Record {
    pub(super) fn new(at: Position) -> Self {
        Self {
            state: State::Undecided,
            is_pending: false,
            is_ranked: false,
            action: Action::PAUSE,
            end: at,
            first_choice: Position(u32::MAX),
            first: 0,
            count: 0,
            logged: 0,
            stay_distance: 0,
        }
    }

    pub(super) fn decided_action(&self) -> Action {
        if self.state == State::Moving { self.action } else { Action::PAUSE }
    }
}

/// A unit that is deciding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) unit: u32,
    /// It was asked to leave.
    must_leave: bool,
    /// The candidates that it may take, as bits: those that lead out of the area that the unit
    /// that asked needs. All, where any move does.
    allowed: u64,
    /// How often a way out in several steps was looked for.
    escapes: u8,
    /// A move that will be free after some ticks.
    pending: Option<Candidate>,
    /// How many candidates were tried.
    tried: u16,
    /// The unit to exchange places with: candidates are tried from the last to the first.
    swap: u32,
    /// The candidate for which units are asked, and whether it is claimed meanwhile.
    pub(super) asking: Option<(Candidate, bool)>,
    /// Its first blocker, and the next one to ask.
    blockers: (u32, u32),
    /// The length of the log before the candidate was claimed.
    pub(super) mark: u32,
}

/// One tick of a crowd.
pub(super) struct Turn<'a, S, P> {
    pub(super) spaces: &'a [S],
    pub(super) units: &'a [CrowdUnit],
    pub(super) now: Tick,
    pub(super) seed: u64,
    pub(super) preferences: &'a mut P,
    pub(super) memory: &'a mut Memory,
}

impl<'a, S: Space, P: Preferences> Turn<'a, S, P> {
    #[inline]
    pub(super) fn record(&self, unit: u32) -> &Record {
        &self.memory.records[unit as usize]
    }

    #[inline]
    pub(super) fn record_mut(&mut self, unit: u32) -> &mut Record {
        &mut self.memory.records[unit as usize]
    }

    #[inline]
    pub(super) fn space(&self, unit: u32) -> &'a S {
        &self.spaces[self.units[unit as usize].space]
    }

    #[inline]
    pub(super) fn kind(&self, unit: u32) -> Kind {
        self.memory.kinds[self.units[unit as usize].space]
    }

    /// Lets a unit decide in its own turn, and all units that it asks.
    pub(super) fn run(&mut self, root: u32) {
        if self.record(root).state != State::Undecided {
            return;
        }
        self.memory.log.clear();
        self.memory.undone = 0;
        if self.record(root).stay_distance == 0 && self.can_stay(root) {
            return self.stay(root, None);
        }
        self.push(root, false);
        while let Some(&frame) = self.memory.frames.last() {
            match frame.asking {
                Some((candidate, is_claimed)) => self.ask(frame, candidate, is_claimed),
                None => self.choose(frame),
            }
        }
    }

    fn push(&mut self, unit: u32, must_leave: bool) {
        self.rank(unit);
        let blockers = self.memory.blockers.len() as u32;
        let swaps = must_leave || self.preferences.asks(unit as usize);
        let frame = Frame {
            unit,
            must_leave,
            allowed: u64::MAX,
            escapes: 0,
            pending: None,
            tried: 0,
            swap: if swaps { self.swap_partner(unit) } else { NONE },
            asking: None,
            blockers: (blockers, blockers),
            mark: 0,
        };
        self.memory.frames.push(frame);
    }

    /// Pushes a unit that another asks to leave what an action needs.
    fn push_asked(&mut self, unit: u32, asker: u32, action: Action, is_claimed: bool) {
        self.push(unit, true);
        let is_large = !(self.kind(asker).is_single && self.kind(unit).is_single);
        if is_claimed || !is_large {
            return;
        }
        let allowed = self.escapes(unit, asker, action);
        if let Some(frame) = self.memory.frames.last_mut() {
            (frame.allowed, frame.escapes, frame.swap) = (allowed, 1, NONE);
        }
    }

    fn pop(&mut self) {
        if let Some(frame) = self.memory.frames.pop() {
            self.memory.blockers.truncate(frame.blockers.0 as usize);
        }
    }

    #[inline]
    fn put(&mut self, frame: Frame) {
        if let Some(top) = self.memory.frames.last_mut() {
            *top = frame;
        }
    }

    fn candidate(&self, frame: &Frame) -> Option<Candidate> {
        let record = self.record(frame.unit);
        let last = record.count.checked_sub(frame.tried + 1)?;
        let at = if frame.swap == NONE { frame.tried } else { last };
        Some(self.memory.candidates[record.first as usize + usize::from(at)])
    }

    /// Tries the next candidate of the unit on top.
    fn choose(&mut self, mut frame: Frame) {
        let Some(candidate) = self.candidate(&frame) else { return self.run_out(frame) };
        let is_allowed = frame.allowed.checked_shr(frame.tried.into()).is_none_or(|b| b & 1 != 0);
        frame.tried += 1;
        if !is_allowed {
            return self.put(frame);
        }
        if candidate.action == Action::PAUSE {
            if !frame.must_leave && self.can_stay(frame.unit) {
                return self.give_up(&frame);
            }
            return self.put(frame);
        }
        if !self.is_worth_trying(&frame, &candidate) {
            return self.put(frame);
        }
        match self.probe(frame.unit, &candidate) {
            Probe::Free => {
                self.decide_to_move(frame.unit, &candidate);
                return self.succeed(&frame);
            }
            Probe::Refused => {}
            Probe::Pending => frame.pending = frame.pending.or(Some(candidate)),
            blocked => {
                let asks = frame.pending.is_none()
                    && self.memory.undone < UNDONE_MAX
                    && self.may_ask(&frame);
                if asks {
                    self.begin_asking(&mut frame, candidate, blocked == Probe::Blocked);
                } else {
                    self.memory.blockers.truncate(frame.blockers.0 as usize);
                }
            }
        }
        self.put(frame);
    }

    /// Whether the unit asks others, for itself or for one that has asked it.
    fn may_ask(&self, frame: &Frame) -> bool {
        frame.must_leave || self.preferences.asks(frame.unit as usize)
    }

    /// A unit that waits for a place takes another one at once only if that brings it nearer,
    /// or if it must leave and waits for a place that does not.
    fn is_worth_trying(&self, frame: &Frame, candidate: &Candidate) -> bool {
        let stay_distance = self.record(frame.unit).stay_distance;
        frame.pending.is_none_or(|pending| {
            let waits_for_better = pending.distance < stay_distance;
            candidate.distance < stay_distance || (frame.must_leave && !waits_for_better)
        })
    }

    fn begin_asking(&mut self, frame: &mut Frame, candidate: Candidate, is_claimed: bool) {
        frame.mark = self.memory.log.len() as u32;
        frame.blockers.1 = frame.blockers.0;
        frame.asking = Some((candidate, is_claimed));
        if is_claimed {
            self.decide_to_move(frame.unit, &candidate);
        } else {
            self.record_mut(frame.unit).state = State::Asking;
            self.claim(frame.unit, Action::PAUSE);
        }
    }

    /// No candidate is left. A unit that cannot leave within the tick tries to leave in several
    /// steps, and the one that asked it waits meanwhile. If units on the shortest ways out turn
    /// out to stay, the next shortest ones are tried.
    fn run_out(&mut self, mut frame: Frame) {
        let above = self.memory.frames.len().checked_sub(2);
        let asker = above.and_then(|above| self.memory.frames.get(above).copied());
        let Some((asker, (candidate, is_claimed))) =
            asker.and_then(|asker| Some((asker, asker.asking?)))
        else {
            return self.give_up(&frame);
        };
        let is_large = !(self.kind(asker.unit).is_single && self.kind(frame.unit).is_single);
        // A unit whose quick steps are all taken can still leave by a slow one.
        let may_escape = (is_large || self.kind(frame.unit).is_mixed)
            && frame.escapes < ESCAPES_MAX
            && frame.pending.is_none();
        if !may_escape || (is_claimed && self.is_replaced(asker.unit, asker.mark)) {
            return self.give_up(&frame);
        }
        if is_claimed {
            self.wait_instead(asker, candidate);
        }
        frame.escapes += 1;
        (frame.swap, frame.tried) = (NONE, 0);
        frame.allowed = self.escapes(frame.unit, asker.unit, candidate.action);
        if frame.allowed == 0 {
            return self.give_up(&frame);
        }
        self.put(frame);
    }

    /// Asks the next unit that is in the way; ends the candidate when all were asked.
    fn ask(&mut self, mut frame: Frame, candidate: Candidate, is_claimed: bool) {
        let (mut failed, mut pending) = (false, !is_claimed);
        while let Some(&blocker) = self.memory.blockers.get(frame.blockers.1 as usize) {
            let record = self.record(blocker);
            match record.state {
                State::Undecided => {
                    self.put(frame);
                    return self.push_asked(blocker, frame.unit, candidate.action, is_claimed);
                }
                State::Moving => {}
                State::Staying if record.is_pending => pending = true,
                State::Staying | State::Asking | State::Fixed => failed = true,
            }
            if failed || (pending && is_claimed) {
                break;
            }
            frame.blockers.1 += 1;
        }
        if is_claimed && !failed && !pending {
            return self.succeed(&frame);
        }
        self.memory.blockers.truncate(frame.blockers.0 as usize);
        frame.asking = None;
        let is_kept = self.retract(&frame, candidate.action, is_claimed, failed);
        if pending && !failed && is_kept {
            frame.pending = Some(candidate);
        }
        self.put(frame);
    }

    fn decide_to_move(&mut self, unit: u32, candidate: &Candidate) {
        let logged = self.memory.log.len() as u32;
        let record = self.record_mut(unit);
        record.state = State::Moving;
        (record.action, record.end, record.logged) = (candidate.action, candidate.to, logged);
        self.memory.log.push(unit);
        self.claim(unit, candidate.action);
    }

    /// The unit on top moves. One that it exchanges places with follows.
    fn succeed(&mut self, frame: &Frame) {
        if frame.swap != NONE && frame.tried == 1 {
            self.pull(frame.swap, frame.unit);
        }
        self.pop();
    }

    /// Moves a unit to where another has just left, if it can.
    fn pull(&mut self, unit: u32, into: u32) {
        if self.record(unit).state != State::Undecided {
            return;
        }
        self.rank(unit);
        let (first, count) = (self.record(unit).first as usize, self.record(unit).count);
        let all = &self.memory.candidates[first..first + usize::from(count)];
        let to = self.units[into as usize].at;
        let Some(&step) = all.iter().find(|c| c.to == to && c.action != Action::PAUSE) else {
            return;
        };
        let blockers = self.memory.blockers.len();
        if self.probe(unit, &step) == Probe::Free {
            self.decide_to_move(unit, &step);
        }
        self.memory.blockers.truncate(blockers);
    }

    fn give_up(&mut self, frame: &Frame) {
        self.stay(frame.unit, frame.pending);
        self.pop();
    }

    /// Decides to stay, for good, and keeps what is free of a place that the unit waits for.
    fn stay(&mut self, unit: u32, pending: Option<Candidate>) {
        let logged = self.memory.log.len() as u32;
        let record = self.record_mut(unit);
        record.state = State::Staying;
        record.is_pending = pending.is_some();
        record.logged = logged;
        self.memory.log.push(unit);
        self.claim(unit, Action::PAUSE);
        if let Some(candidate) = pending {
            self.keep_free(unit, candidate.action);
        }
    }
}
