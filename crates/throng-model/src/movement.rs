//! Movement profiles: the movement rules of a kind of unit as data.

use crate::limits::{FOOTPRINT_MAX, PACE_MAX, STEP_TICKS_MAX};
use crate::{Cost, DIAGONAL, Factor, Map, STRAIGHT, TerrainId};

/// Which neighbours a step may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Neighbours {
    /// Left, right, up, down.
    Four,
    /// Also the diagonals.
    Eight,
}

/// When a diagonal step may pass the corner of something impassable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CornerRule {
    /// Only when both cells beside the step are free (MovingAI's rule).
    NeverCut,
    /// When at least one of the two is free.
    OneSideFree,
    /// Always, even between two walls that touch at a corner (Standley's worlds).
    AlwaysCut,
}

/// The cost of a diagonal step, compared with a straight one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum DiagonalCost {
    /// Its true length: 19601 to 13860.
    TrueLength,
    /// As much as a straight step: every step takes one tick (Standley's worlds).
    OneTick,
    /// It takes this many ticks, from as many as a straight step to twice as many, and costs in
    /// proportion. With a pace of 5 and 7 ticks a unit is as fast diagonally as straight on. With
    /// the other two a diagonal step takes as many ticks as a straight one.
    Ticks(u8),
}

/// A terrain class's cost factor for one movement profile, in place of the map's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TerrainOverride {
    /// The class.
    pub terrain: TerrainId,
    /// Its factor for this kind of unit; `None` is impassable.
    pub factor: Option<Factor>,
}

/// A terrain class on which the steps of one movement profile take longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SlowTerrain {
    /// The class.
    pub terrain: TerrainId,
    /// A step onto it takes so many times the ticks.
    pub times: u8,
}

/// The movement rules of a kind of unit.
///
/// A unit of footprint k covers k x k cells, to the right of and below the cell that is
/// its position. A step onto a position costs the largest factor among the cells covered, and
/// takes as long as the slowest of them demands.
///
/// **Time and cost.** A cost factor says how much a unit dislikes terrain, [`slow`](Self::slow)
/// how much longer a step onto it takes. They multiply: a step costs its length or time on plain
/// ground, times both. Where all factors are 1, the cheapest path is therefore the quickest one.
///
/// ```
/// use throng_model::{Factor, MovementProfile, TerrainId, TerrainOverride};
/// let swamp = TerrainId(2);
/// let tank = MovementProfile {
///     footprint: 2,
///     terrain: vec![TerrainOverride { terrain: swamp, factor: Some(Factor::new(3)?) }],
///     ..MovementProfile::eight_connected()
/// };
/// assert!(tank.validate().is_ok());
/// # Ok::<(), throng_model::FactorError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MovementProfile {
    /// Which neighbours a step may reach.
    pub neighbours: Neighbours,
    /// When a diagonal step may pass a corner.
    pub corners: CornerRule,
    /// What a diagonal step costs.
    pub diagonal: DiagonalCost,
    /// The side of the square that the unit covers, in cells.
    pub footprint: u8,
    /// Ticks per step.
    pub pace: u8,
    /// Terrain classes with other cost factors than the map's. Classes that the map does not
    /// have are ignored until they are added.
    pub terrain: Vec<TerrainOverride>,
    /// Terrain classes that slow. If a class is listed twice, the last entry counts.
    #[cfg_attr(feature = "serde", serde(default))]
    pub slow: Vec<SlowTerrain>,
}

/// A movement profile that is outside its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MovementError {
    /// The footprint is 0 or above the limit.
    #[error("a footprint of {0} cells per side: give 1 to {FOOTPRINT_MAX}")]
    Footprint(u8),
    /// The pace is 0 or above the limit.
    #[error("a pace of {0} ticks per step: give 1 to {PACE_MAX}")]
    Pace(u8),
    /// A diagonal step is quicker than a straight one, or takes longer than two of them.
    #[error("{ticks} ticks per diagonal step at a pace of {pace}: give {pace} to twice as many")]
    DiagonalTicks {
        /// The ticks given.
        ticks: u8,
        /// Ticks per straight step.
        pace: u8,
    },
    /// A terrain class with a factor of 0.
    #[error("steps onto terrain class {} take 0 times as long: give 1 or more", .0.0)]
    Slow(TerrainId),
    /// The slowest step takes too long.
    #[error("a step of {0} ticks: the slowest may take {STEP_TICKS_MAX}")]
    StepTicks(u32),
}

impl MovementProfile {
    /// Four-connected, one cell, one tick per step: the MAPF standard.
    #[must_use]
    pub fn four_connected() -> Self {
        Self { neighbours: Neighbours::Four, ..Self::eight_connected() }
    }

    /// Eight-connected, true diagonal length, no corner cutting: MovingAI's path queries.
    #[must_use]
    pub fn eight_connected() -> Self {
        Self {
            neighbours: Neighbours::Eight,
            corners: CornerRule::NeverCut,
            diagonal: DiagonalCost::TrueLength,
            footprint: 1,
            pace: 1,
            terrain: Vec::new(),
            slow: Vec::new(),
        }
    }

    /// Checks footprint, pace and ticks per step.
    ///
    /// # Errors
    /// When one of them is zero or past its limit.
    pub fn validate(&self) -> Result<(), MovementError> {
        if !(1..=FOOTPRINT_MAX).contains(&self.footprint) {
            return Err(MovementError::Footprint(self.footprint));
        }
        if !(1..=PACE_MAX).contains(&self.pace) {
            return Err(MovementError::Pace(self.pace));
        }
        if let DiagonalCost::Ticks(ticks) = self.diagonal
            && !(self.pace..=2 * self.pace).contains(&ticks)
        {
            return Err(MovementError::DiagonalTicks { ticks, pace: self.pace });
        }
        if let Some(slow) = self.slow.iter().find(|slow| slow.times == 0) {
            return Err(MovementError::Slow(slow.terrain));
        }
        let longest = self.step_ticks_max();
        let fits = longest <= STEP_TICKS_MAX;
        if fits { Ok(()) } else { Err(MovementError::StepTicks(longest)) }
    }

    /// The ticks of a straight and of a diagonal step onto terrain that does not slow.
    #[must_use]
    pub fn step_ticks(&self) -> (u8, u8) {
        match self.diagonal {
            DiagonalCost::Ticks(ticks) => (self.pace, ticks),
            DiagonalCost::TrueLength | DiagonalCost::OneTick => (self.pace, self.pace),
        }
    }

    /// The ticks of the longest step on any terrain.
    #[must_use]
    pub fn step_ticks_max(&self) -> u32 {
        let times = self.slow.iter().map(|slow| slow.times).max().unwrap_or(1).max(1);
        let (straight, diagonal) = self.step_ticks();
        let has_diagonals = self.neighbours == Neighbours::Eight;
        let longest = if has_diagonals { diagonal.max(straight) } else { straight };
        u32::from(longest) * u32::from(times)
    }

    /// Whether every step takes as many ticks as the pace says.
    #[must_use]
    pub fn has_even_steps(&self) -> bool {
        self.step_ticks_max() == u32::from(self.pace)
    }

    /// How many times longer a step onto a terrain class takes.
    #[must_use]
    pub fn slowness(&self, terrain: TerrainId) -> u8 {
        let last = self.slow.iter().rev().find(|slow| slow.terrain == terrain);
        last.map_or(1, |slow| slow.times)
    }

    /// The same movement at another pace: diagonal steps keep their relation to straight ones, as
    /// far as whole ticks allow.
    #[must_use]
    pub fn at_pace(&self, pace: u8) -> Self {
        let diagonal = match self.diagonal {
            DiagonalCost::Ticks(ticks) => {
                let (own, pace) = (u32::from(self.pace.max(1)), u32::from(pace));
                let scaled = (2 * u32::from(ticks) * pace + own) / (2 * own);
                DiagonalCost::Ticks(scaled.clamp(pace, (2 * pace).min(255)) as u8)
            }
            other => other,
        };
        Self { pace, diagonal, ..self.clone() }
    }

    /// The costs of a straight and of a diagonal step onto terrain of factor 1.
    #[must_use]
    pub fn step_costs(&self) -> (Cost, Cost) {
        let diagonal = match self.diagonal {
            DiagonalCost::TrueLength => DIAGONAL,
            DiagonalCost::OneTick => STRAIGHT,
            DiagonalCost::Ticks(ticks) => STRAIGHT * u64::from(ticks) / u64::from(self.pace.max(1)),
        };
        (Cost(STRAIGHT), Cost(diagonal))
    }

    /// The cost factor of each of the map's terrain classes for this kind of unit, by
    /// [`TerrainId`], times how much longer steps onto it take, at most 255. If a class is
    /// overridden twice, the last override counts.
    #[must_use]
    pub fn factors(&self, map: &Map) -> Vec<Option<Factor>> {
        let mut factors: Vec<_> = map.classes().iter().map(|class| class.factor).collect();
        for given in &self.terrain {
            if let Some(factor) = factors.get_mut(given.terrain.get()) {
                *factor = given.factor;
            }
        }
        if !self.slow.is_empty() {
            for (class, factor) in factors.iter_mut().enumerate() {
                let times = i64::from(self.slowness(TerrainId(class as u8)));
                *factor = factor.map(|factor| {
                    let product = i64::from(factor.get()) * times;
                    Factor::new(product.min(255)).unwrap_or(factor)
                });
            }
        }
        factors
    }

    /// The same profile with costs that are the ticks of steps on this map, so that the cheapest
    /// path is the quickest one.
    ///
    /// ```
    /// use throng_model::{DiagonalCost, Factor, Map, MovementProfile};
    /// let map = Map::empty(3, 3)?;
    /// let timed = MovementProfile::eight_connected().by_time(&map);
    /// assert_eq!(timed.diagonal, DiagonalCost::OneTick);
    /// assert!(timed.factors(&map).into_iter().flatten().all(|factor| factor == Factor::ONE));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn by_time(&self, map: &Map) -> Self {
        let factors = self.factors(map).into_iter().enumerate();
        let terrain = factors.map(|(class, factor)| TerrainOverride {
            terrain: TerrainId(class as u8),
            factor: factor.map(|_| Factor::ONE),
        });
        let diagonal = match self.diagonal {
            DiagonalCost::TrueLength => DiagonalCost::OneTick,
            other => other,
        };
        Self { diagonal, terrain: terrain.collect(), ..self.clone() }
    }
}

/// Which conflicts count besides the vertex conflict (two bodies on one cell), which always
/// counts.
///
/// With both set, no two bodies overlap at a whole tick, exchange cells, or cross on
/// diagonals. That does not keep bodies apart at every instant: a unit may enter a cell in the
/// tick in which another leaves it sideways (following), and bodies that move evenly then
/// overlap in between, by up to two thirds of a cell. The strict rule, under which bodies never
/// overlap, belongs to the footprints of a space: `PassingRule::DoubleClaims` in
/// `throng-spacetime`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Conflicts {
    /// Two units exchange places in one tick.
    pub swap: bool,
    /// Two diagonal steps cross (T. Standley, "Finding optimal solutions to cooperative
    /// pathfinding problems", 2010, figure 2).
    pub crossing: bool,
}

impl Default for Conflicts {
    fn default() -> Self {
        Self { swap: true, crossing: true }
    }
}
