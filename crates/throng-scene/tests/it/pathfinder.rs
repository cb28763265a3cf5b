//! Finding the way through scenes.

mod caches;
mod checker;
mod edits;
mod kit;
mod methods;
mod outcomes;
mod upper_levels;
