//! The live world.
