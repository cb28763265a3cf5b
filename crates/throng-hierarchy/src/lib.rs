//! Huge worlds, searched by zones and the gates between them.

pub mod scene;
