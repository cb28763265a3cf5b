//! What the planners can be told.

/// In which order units plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Order {
    /// As the problem lists them.
    Given,
    /// Those with the longest way first; ties as listed.
    #[default]
    LongestFirst,
    /// Shuffled by the seed.
    Random,
}

/// What guides a search through space-time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heuristic {
    /// The space's own estimate, on a four-connected grid Manhattan's: CA*.
    Estimate,
    /// The true distance, other units ignored, by RRA*: HCA*.
    TrueDistance,
}

/// What becomes of a unit that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Arrival {
    /// It claims its goal for ever, and arrives only when that is safe: for complete plans.
    #[default]
    Parked,
    /// It becomes an obstacle that nobody had foreseen, and others reroute: as in the paper.
    Obstacle,
}
