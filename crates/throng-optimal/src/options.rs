//! What can be switched on and off.

use throng_model::{Objective, Weight};

/// **Joint A***: one search for all units of a group, with the paper's techniques.
///
/// The default is everything at its best: operator decomposition, partial expansion,
/// independence with avoidance, one thread, optimal.
///
/// *Optimal* for weight 1, within the weight otherwise; *complete* given memory: ends with
/// a plan or the proof that there is none. Ties go to the node nearer to its goals, then to
/// the newer one. Time and memory grow exponentially with the largest group.
///
/// Units cover one cell and take one tick per step; problems with other units are refused.
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
    /// What is minimised.
    pub objective: Objective,
    /// Operator decomposition: one unit moves at a time.
    pub decomposition: bool,
    /// In which order units move within a tick, with operator decomposition.
    pub order: Order,
    /// Partial expansion: the best children first, the node goes back for the rest. Without
    /// operator decomposition: all children of one value at a time.
    pub partial_expansion: bool,
    /// How many children the first, second and every later expansion of a node generates.
    pub portions: [u32; 3],
    /// Whether units that do not meet are planned for apart.
    pub independence: Independence,
    /// What guides the search.
    pub heuristic: Heuristic,
    /// How far from the best plan the answer may be.
    pub weight: Weight,
    /// Most nodes that one group's search may store.
    pub nodes_max: u32,
    /// Most memory that one group's search may hold, in MiB.
    pub megabytes_max: u32,
    /// How many threads may work; the answer is the same for any number.
    pub threads: usize,
}

/// Which unit moves next within a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The paper's: fewest legal moves, then fewest neighbours, then the best move's value.
    Dynamic,
    /// As the problem lists them.
    #[default]
    Fixed,
}

/// Whether units that do not meet are planned for apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Independence {
    /// All units are one group.
    Off,
    /// The seed's algorithm 2: groups whose plans conflict are merged.
    Merge,
    /// First looks for an equally good plan of one of the two that avoids the other.
    #[default]
    Avoid,
}

/// What guides the search. None of them overestimates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Heuristic {
    /// [`Heuristic::Pairs`] with [`Independence::Avoid`], otherwise the paper's.
    #[default]
    Auto,
    /// The paper's: the sum of the true distances.
    Sum,
    /// The same, and what pairs of units cost each other beyond that.
    Pairs,
}

impl Default for JointAStar {
    fn default() -> Self {
        Self {
            objective: Objective::default(),
            decomposition: true,
            order: Order::default(),
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
    /// Everything at its best.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The paper's standard algorithm: no technique at all.
    #[must_use]
    pub fn standard() -> Self {
        Self {
            decomposition: false,
            order: Order::Dynamic,
            partial_expansion: false,
            independence: Independence::Off,
            ..Self::default()
        }
    }

    /// Whether pairs guide the search.
    pub(crate) fn is_paired(&self) -> bool {
        match self.heuristic {
            Heuristic::Auto => self.independence == Independence::Avoid,
            Heuristic::Sum => false,
            Heuristic::Pairs => true,
        }
    }

    /// With operator decomposition.
    #[must_use]
    pub fn with_decomposition(self, order: Order) -> Self {
        Self { decomposition: true, order, ..self }
    }

    /// With partial expansion.
    #[must_use]
    pub fn with_partial_expansion(self) -> Self {
        Self { partial_expansion: true, ..self }
    }

    /// With independent subproblems.
    #[must_use]
    pub fn with_independence(self, independence: Independence) -> Self {
        Self { independence, ..self }
    }

    /// Guided by this.
    #[must_use]
    pub fn with_heuristic(self, heuristic: Heuristic) -> Self {
        Self { heuristic, ..self }
    }

    /// Within this weight of the best plan.
    #[must_use]
    pub fn with_weight(self, weight: Weight) -> Self {
        Self { weight, ..self }
    }

    /// Minimises this.
    #[must_use]
    pub fn with_objective(self, objective: Objective) -> Self {
        Self { objective, ..self }
    }

    /// On so many threads.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Storing at most so many nodes a group.
    #[must_use]
    pub fn with_nodes_max(self, nodes_max: u32) -> Self {
        Self { nodes_max, ..self }
    }

    /// Holding at most so many MiB a group.
    #[must_use]
    pub fn with_megabytes_max(self, megabytes_max: u32) -> Self {
        Self { megabytes_max, ..self }
    }
}
