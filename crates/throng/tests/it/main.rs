//! Integration tests of the façade crate.

mod examples;
