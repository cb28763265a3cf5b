//! Every solver of throng in crowds of increasing density.
//!
//! K. Okumura, "LaCAM: search-based algorithm for quick multi-agent pathfinding" (AAAI 2023);
//! J. Li, Z. Chen, D. Harabor, P. Stuckey, S. Koenig, "Anytime multi-agent path finding via large
//! neighborhood search" (IJCAI 2021). Both compare solvers on the MovingAI maps. This experiment
//! generates similar ones, so that it runs anywhere: random obstacles, a maze, rooms and a
//! warehouse, four-connected, each with six numbers of units and five scenarios.
//!
//! | shows | table | figure |
//! |---|---|---|
//! | scenarios solved | `solved` | `solved` |
//! | sum of costs over the lower bound: mean and spread | `cost`, `spread` | `cost` |
//! | time until the solver ended | `times` | `times` |
//! | all of these, with the work | `results` | |
//! | every run | `runs` | |
//!
//! Every solver may expand 20,000 nodes per unit. `lns` and `auto` spend them all, unless they reach
//! the lower bound or `auto` gains too little. What a node is differs between solvers, but a node
//! takes each of them a tenth of a microsecond or two, except `joint`, which runs on the smallest
//! crowds only. The referee checks every plan. Everything but the times is reproducible for any number of threads; times are
//! cleanest on one.

mod claims;
mod figures;
mod instances;
mod methods;
mod results;
mod runs;
mod tables;

use crate::Paper;

/// The experiment on dense crowds.
pub const PAPER: Paper = Paper {
    name: "crowds",
    citation: "K. Okumura, LaCAM, AAAI 2023; J. Li et al., Anytime Multi-Agent Path Finding via \
               Large Neighborhood Search, IJCAI 2021",
    parts: &[results::run],
};
