//! Planning and moving in turns, as games do and as the papers measure it.

use throng_search::Position;

/// A planner at work on a fleet, one turn at a time.
pub trait Simulation {
    /// Plans what must be planned before anyone moves.
    fn prepare(&mut self);

    /// Plans what this turn needs, then everybody moves one tick.
    fn turn(&mut self);

    /// Where the units are now. A unit under way is where it comes from until it arrives.
    fn positions(&self) -> &[Position];

    /// Nodes expanded so far, of all searches together.
    fn expanded(&self) -> u64;

    /// Nodes generated so far.
    fn generated(&self) -> u64;
}
