//! The HTTP interface: JSON in, JSON out.

pub(crate) mod body;
pub(crate) mod health;
pub(crate) mod maps;
mod movement;
mod on_map;
pub(crate) mod openapi;
pub(crate) mod paths;
pub(crate) mod plans;
pub(crate) mod recordings;
pub(crate) mod replays;
pub(crate) mod worlds;
