//! Headings: units that turn before they move, as in the League of Robot Runners.
//!
//! Headings are numbered clockwise from east, as in the League's start kit.

use throng_model::Cell;

use crate::{Graph, Vertex};

/// A quarter turn, a step forward, or neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnAction {
    /// One step in the direction of the heading.
    Forward,
    /// A quarter turn clockwise, on the spot.
    Clockwise,
    /// A quarter turn counter-clockwise, on the spot.
    CounterClockwise,
    /// Nothing.
    Wait,
}

/// Columns and rows of a step east, south, west and north.
const OFFSETS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// The neighbours of each position by heading.
#[derive(Clone, Debug)]
pub(super) struct Compass {
    ahead: Vec<[Vertex; 4]>,
}

impl Compass {
    pub(super) fn new(graph: &Graph) -> Self {
        let ahead = |cell: Cell| {
            OFFSETS.map(|(dx, dy)| {
                let to = cell.offset(dx, dy).and_then(|cell| graph.vertex(cell));
                to.unwrap_or(Vertex::NONE)
            })
        };
        let positions = (0..graph.len() as u32).map(Vertex);
        Self { ahead: positions.map(|at| ahead(graph.cell(at))).collect() }
    }

    /// The neighbour in the direction of a heading, or [`Vertex::NONE`].
    #[inline]
    pub(super) fn ahead(&self, at: Vertex, heading: u8) -> Vertex {
        self.ahead[at.get()][usize::from(heading)]
    }

    /// The neighbour from which a step with this heading leads here, or [`Vertex::NONE`].
    #[inline]
    pub(super) fn behind(&self, at: Vertex, heading: u8) -> Vertex {
        self.ahead(at, (heading + 2) % 4)
    }

    /// The heading of the step to a neighbour.
    #[inline]
    pub(super) fn heading(&self, at: Vertex, to: Vertex) -> Option<u8> {
        (0..4).find(|&heading| self.ahead(at, heading) == to)
    }
}

/// Quarter turns from one heading to another.
#[inline]
pub(super) fn turns(from: u8, to: u8) -> u32 {
    [0, 1, 2, 1][usize::from((to + 4 - from) % 4)]
}

/// The action that brings a heading nearer to another, clockwise if both ways are equal.
pub(super) fn turn_towards(from: u8, to: u8) -> TurnAction {
    match (to + 4 - from) % 4 {
        0 => TurnAction::Wait,
        3 => TurnAction::CounterClockwise,
        _ => TurnAction::Clockwise,
    }
}

/// The heading after an action.
pub(super) fn turned(heading: u8, action: TurnAction) -> u8 {
    match action {
        TurnAction::Clockwise => (heading + 1) % 4,
        TurnAction::CounterClockwise => (heading + 3) % 4,
        TurnAction::Forward | TurnAction::Wait => heading,
    }
}
