//! A real server on a free port of loopback, and real clients.

mod client;
mod viewers;
mod worlds;
