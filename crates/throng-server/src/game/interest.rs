//! The interest map: how often players were at each place, since the game began.
//!
//! Lanctot et al. (2006), "Orbius-based data" and figure 8. It is blurred and localised as in the
//! experiments.

use std::sync::{Arc, OnceLock};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use throng::scene::{Location, ValidScene};
use throng_lab::lanctot::InterestMap;

use crate::error::Refusal;

/// Side of a cell, in units; longer in scenes of more than [`CELLS_MAX`] cells along a side.
const CELL: f64 = 0.25;
const CELLS_MAX: f64 = 256.0;
/// Radius of a cell's influence when the map is localised, in cells.
const INFLUENCE: u32 = 4;
/// Ticks after which the map that is shown is renewed.
const RENEW_TICKS: u64 = 20;

/// The counts of a game, and what is shown of them.
pub(super) struct Interest {
    levels: Vec<InterestMap>,
    shown: Option<(u64, Arc<Shown>)>,
}

/// The counts at a moment; a level is prepared when somebody asks for it.
pub(crate) struct Shown {
    levels: Vec<InterestMap>,
    answers: Vec<OnceLock<Value>>,
}

impl Interest {
    pub(super) fn new(scene: &ValidScene) -> Self {
        let (width, height) = (scene.width(), scene.height());
        let cell = CELL.max(width.max(height) / CELLS_MAX);
        let levels = scene.levels().map(|_| InterestMap::new(width, height, cell)).collect();
        Self { levels, shown: None }
    }

    pub(super) fn visit(&mut self, location: Location) {
        if let Some(level) = self.levels.get_mut(location.level.index()) {
            level.visit(location.at);
        }
    }

    /// The counts, at most some seconds old.
    pub(super) fn shown(&mut self, tick: u64) -> Arc<Shown> {
        if let Some((since, shown)) = &self.shown
            && tick < since + RENEW_TICKS
        {
            return shown.clone();
        }
        let levels = self.levels.clone();
        let answers = levels.iter().map(|_| OnceLock::new()).collect();
        let shown = Arc::new(Shown { levels, answers });
        self.shown = Some((tick, shown.clone()));
        shown
    }
}

impl Shown {
    /// A level as JSON: its cells from the bottom left, a byte per cell.
    pub(super) fn answer(&self, level: u8) -> Result<Value, Refusal> {
        let index = usize::from(level);
        let found = self.levels.get(index).zip(self.answers.get(index));
        let missing = || {
            let last = self.levels.len().saturating_sub(1);
            Refusal::bad(format!("level {level}: the scene has levels 0 to {last}"))
        };
        let (map, answer) = found.ok_or_else(missing)?;
        Ok(answer.get_or_init(|| encode(map, level)).clone())
    }
}

fn encode(map: &InterestMap, level: u8) -> Value {
    let map = map.clone().normalised().blurred().localised(INFLUENCE);
    let rows = (0..map.rows()).flat_map(|row| (0..map.columns()).map(move |column| (column, row)));
    // The square root shows places that are visited a little beside those that all pass.
    let byte = |(column, row)| (map.grade(column, row).sqrt() * 255.0) as u8;
    let cells: Vec<u8> = rows.map(byte).collect();
    json!({
        "type": "interest", "level": level, "columns": map.columns(), "rows": map.rows(),
        "cell": map.cell(), "cells": STANDARD.encode(cells),
    })
}
