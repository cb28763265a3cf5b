//! The grid hierarchy against A*, judged by the referee.

mod edits;
mod golden;
mod movingai;
mod queries;
mod slices;
mod support;
