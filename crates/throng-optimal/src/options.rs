//! The planner and its options.

use throng_model::{Objective, Weight};

/// **Joint A***: one search for all units of a group, with Standley's techniques.
///
/// The default switches on what works best: operator decomposition, partial expansion,
/// independence detection with avoidance, one thread, optimal plans.
///
/// *Optimal* for weight 1, within the weight otherwise. *Complete* given memory: ends with a
/// plan or the proof that there is none. Ties go to the node with the lower heuristic, then
/// to the newer one. Time and memory grow exponentially with the size of the largest group.
///
/// Units may have any size and pace. [`plan_instance`](JointAStar::plan_instance) plans on other
/// spaces: hexagons, road networks.
///
/// ```
/// use throng_model::{Budget, Map, MovementProfile, Outcome, Planner as _, Problem, Silent, Unit};
/// use throng_optimal::JointAStar;
/// // Two units cross each other's way; one of them has to wait.
/// let units = vec![Unit::new((0, 2), (4, 2)), Unit::new((2, 0), (2, 4))];
/// let problem = Problem::new(Map::empty(5, 5)?, MovementProfile::four_connected(), units).validate()?;
///
/// let report = JointAStar::new().plan(&problem, 0, Budget::unlimited(), &mut Silent)?;
/// let Outcome::Solved(solution) = report.outcome else { return Err("not solved".into()) };
/// assert_eq!((solution.cost, solution.proven_bound), (9, 9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointAStar {
    /// The cost to minimise.
    pub objective: Objective,
    /// Operator decomposition: one unit moves at a time.
    pub decomposition: bool,
    /// The order in which units move within a tick, with operator decomposition.
    pub order: ExpansionOrder,
    /// Partial expansion: an expansion generates the best children and puts the node back on
    /// the open list for the others. Without operator decomposition it generates all children
    /// of one f at a time.
    pub partial_expansion: bool,
    /// How many children the first, second and every later expansion of a node generates.
    pub portions: [u32; 3],
    /// Whether units that do not conflict are planned for separately.
    pub independence: Independence,
    /// The heuristic of the search.
    pub heuristic: Heuristic,
    /// The suboptimality bound of the plan.
    pub weight: Weight,
    /// Most nodes that one group's search may store.
    pub nodes_max: u32,
    /// Most memory that one group's search may hold, in MiB.
    pub megabytes_max: u32,
    /// How many threads to use; the answer is the same for any number.
    pub threads: usize,
}

/// The unit that moves next within a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExpansionOrder {
    /// Standley's: fewest legal moves, then fewest units beside it, then the least f.
    Dynamic,
    /// In the order of the problem.
    #[default]
    Fixed,
}

/// Whether units that do not conflict are planned for separately (independence detection).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Independence {
    /// All units are one group.
    Off,
    /// Standley's algorithm 2: groups whose plans conflict are merged.
    Merge,
    /// One of the two groups first looks for a plan as good that avoids the other.
    #[default]
    Avoid,
}

/// The heuristic of the search. All are admissible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Heuristic {
    /// [`Heuristic::Pairs`] with [`Independence::Avoid`], otherwise [`Heuristic::Sum`].
    #[default]
    Auto,
    /// Standley's: the sum of the true distances.
    Sum,
    /// The sum, and the excess that pairs of units cost each other.
    Pairs,
}

impl Default for JointAStar {
    fn default() -> Self {
        Self {
            objective: Objective::default(),
            decomposition: true,
            order: ExpansionOrder::default(),
            partial_expansion: true,
            portions: [1, 3, 5],
            independence: Independence::default(),
            heuristic: Heuristic::default(),
            weight: Weight::ONE,
            nodes_max: 1 << 28,
            megabytes_max: 4096,
            threads: 1,
        }
    }
}

impl JointAStar {
    /// The default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Standley's standard algorithm: none of the techniques.
    #[must_use]
    pub fn standard() -> Self {
        Self {
            decomposition: false,
            order: ExpansionOrder::Dynamic,
            partial_expansion: false,
            independence: Independence::Off,
            ..Self::default()
        }
    }

    /// Standley's best, as printed: OD+PE+ID. Groups in conflict are merged at once, the heuristic
    /// is the sum of distances, and the most constrained unit moves first. With a weight of 1.1
    /// it is his weighted variant.
    ///
    /// [`JointAStar::new`] adds to it: groups first avoid each other, and the heuristic counts
    /// the excess of pairs.
    #[must_use]
    pub fn standley() -> Self {
        Self::standard()
            .with_decomposition(ExpansionOrder::Dynamic)
            .with_partial_expansion()
            .with_independence(Independence::Merge)
            .with_heuristic(Heuristic::Sum)
    }

    /// Whether the heuristic uses pairs.
    pub(crate) fn uses_pairs(&self) -> bool {
        match self.heuristic {
            Heuristic::Auto => self.independence == Independence::Avoid,
            Heuristic::Sum => false,
            Heuristic::Pairs => true,
        }
    }

    /// With operator decomposition.
    #[must_use]
    pub fn with_decomposition(self, order: ExpansionOrder) -> Self {
        Self { decomposition: true, order, ..self }
    }

    /// With partial expansion.
    #[must_use]
    pub fn with_partial_expansion(self) -> Self {
        Self { partial_expansion: true, ..self }
    }

    /// With independence detection of this kind.
    #[must_use]
    pub fn with_independence(self, independence: Independence) -> Self {
        Self { independence, ..self }
    }

    /// With this heuristic.
    #[must_use]
    pub fn with_heuristic(self, heuristic: Heuristic) -> Self {
        Self { heuristic, ..self }
    }

    /// With this suboptimality bound.
    #[must_use]
    pub fn with_weight(self, weight: Weight) -> Self {
        Self { weight, ..self }
    }

    /// With this objective.
    #[must_use]
    pub fn with_objective(self, objective: Objective) -> Self {
        Self { objective, ..self }
    }

    /// On this many threads.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// With at most this many nodes stored per group.
    #[must_use]
    pub fn with_nodes_max(self, nodes_max: u32) -> Self {
        Self { nodes_max, ..self }
    }

    /// With at most this many MiB held per group.
    #[must_use]
    pub fn with_megabytes_max(self, megabytes_max: u32) -> Self {
        Self { megabytes_max, ..self }
    }
}
