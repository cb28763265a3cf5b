//! The messages of clients, as they are typed in JSON. `docs/protocol.md` describes them.

use serde::Deserialize;
use throng::model::Cell;

use crate::planner::PlannerName;

/// A cell as a pair of numbers.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct CellJson(u16, u16);

impl From<CellJson> for Cell {
    fn from(cell: CellJson) -> Self {
        Self::new(cell.0, cell.1)
    }
}

/// Typed cells as cells.
pub(crate) fn cells(given: &[CellJson]) -> Vec<Cell> {
    given.iter().map(|&cell| cell.into()).collect()
}

/// What units are told.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OrderJson {
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) cells: Vec<CellJson>,
    /// A unit to follow, guard or chase, or a building to enter.
    pub(crate) target: Option<u32>,
    /// How near to stay to that unit, or to come, in cells.
    pub(crate) distance: Option<u16>,
}

/// An order to units.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct OrderMessage {
    pub(crate) units: Vec<u32>,
    pub(crate) order: OrderJson,
    #[serde(default)]
    pub(crate) queue: bool,
    pub(crate) formation: Option<String>,
    /// Which way a formation faces; the way that it goes if absent.
    pub(crate) facing: Option<String>,
}

/// What to begin again with; what is absent stays.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct RestartJson {
    pub(crate) scenario: Option<String>,
    pub(crate) seed: Option<u64>,
    pub(crate) planner: Option<PlannerName>,
    pub(crate) units: Option<u32>,
}

/// A message of a client.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ClientMessage {
    View {
        x: Option<u16>,
        y: Option<u16>,
        w: Option<u16>,
        h: Option<u16>,
    },
    Order(OrderMessage),
    Paint {
        terrain: u8,
        #[serde(default)]
        cells: Vec<CellJson>,
        rect: Option<[u16; 4]>,
    },
    Spawn {
        profile: usize,
        #[serde(default)]
        team: u8,
        cells: Vec<CellJson>,
    },
    Remove {
        units: Vec<u32>,
    },
    Building {
        name: String,
        #[serde(default)]
        cells: Vec<CellJson>,
        #[serde(default)]
        entrances: Vec<CellJson>,
        #[serde(default)]
        exits: Vec<CellJson>,
    },
    RemoveBuilding {
        id: u32,
    },
    SetTeam {
        units: Vec<u32>,
        team: u8,
    },
    War {
        on: bool,
    },
    Pause {},
    Resume {},
    Step {
        #[serde(default = "one")]
        ticks: u32,
    },
    Speed {
        value: f64,
    },
    Restart(RestartJson),
    Planner {
        name: PlannerName,
    },
    Inspect {
        unit: u32,
    },
    Overlay {
        kind: String,
        unit: Option<u32>,
        tick: Option<u32>,
    },
    Ping {
        t: Option<serde_json::Value>,
    },
}

fn one() -> u32 {
    1
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn messages_are_read() {
        let good = [
            json!({"type": "pause"}),
            json!({"type": "resume", "request": 3}),
            json!({"type": "step"}),
            json!({"type": "restart"}),
            json!({"type": "restart", "planner": "lra", "seed": 7}),
            json!({"type": "order", "units": [1], "order": {"kind": "go", "cells": [[1, 2]]}}),
            json!({"type": "paint", "terrain": 1, "rect": [0, 0, 2, 2]}),
            json!({"type": "view"}),
        ];
        for message in good {
            assert!(serde_json::from_value::<ClientMessage>(message.clone()).is_ok(), "{message}");
        }
        let bad: [Value; 4] = [
            json!({"type": "paus"}),
            json!({"type": "order", "units": [-1], "order": {"kind": "go"}}),
            json!({"type": "paint", "terrain": 300}),
            json!(7),
        ];
        for message in bad {
            assert!(serde_json::from_value::<ClientMessage>(message.clone()).is_err(), "{message}");
        }
    }
}
