//! The generators' promises, from the smallest map to the largest, and the experiments'.
#![expect(clippy::unwrap_used, reason = "a broken test should stop at once")]

use proptest::prelude::*;
use throng_lab::generate::{self, GenerateError, Warehouse};
use throng_model::{Cell, Map, MovementProfile, Problem};

mod dense_crowds;
mod known;
mod lanctot;
mod maps;
mod report;
mod scenarios;
mod silver;
mod standley;
mod xu_zou;

/// FNV-1a over size and terrain: changes when any cell does.
fn fingerprint(map: &Map) -> u64 {
    let size = [map.width().to_le_bytes(), map.height().to_le_bytes()].concat();
    let bytes = size.into_iter().chain(map.terrain().iter().map(|terrain| terrain.0));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
