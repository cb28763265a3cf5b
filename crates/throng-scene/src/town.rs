//! A generator of towns in the spirit of the paper's map (figure 2): streets, houses with
//! rooms and doors, stairs to an upper level, parks, fences and trees.
//!
//! The map is cut into square lots. Houses, parks and yards stand inside theirs, so that
//! streets stay open between them. All lengths are whole eighths of a unit until they become
//! coordinates, which are therefore exact.

mod builder;
mod house;
mod park;
mod rooms;
mod trees;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::Scene;
use builder::{Builder, EIGHTHS, Rect};

/// Shortest side of a lot, in eighths: a house of 2.5 units and a street of 2.
const LOT_MIN: i32 = 36;
/// Most houses along a side.
const LOTS_MAX: i32 = 24;

/// Longest side of a town, in units.
const SIDE_MAX: u32 = 1000;

/// What a town is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TownOptions {
    /// Units along each side of the map.
    pub side: u32,
    /// Houses; about every second one has an upper level.
    pub houses: u32,
    /// Trees that are tried; one that would narrow a passage is left out.
    pub trees: u32,
    /// Players; they start where streets cross.
    pub players: u32,
}

impl Default for TownOptions {
    /// The paper's map: 30 x 30 units and 24 players.
    fn default() -> Self {
        Self { side: 30, houses: 20, trees: 400, players: 24 }
    }
}

/// Why a town cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TownError {
    /// The houses do not fit, or there are none.
    #[error("{houses} houses on {side} x {side} units: take 1 to {fit} houses, or a longer side")]
    Houses {
        /// Houses asked for.
        houses: u32,
        /// The map's side in units.
        side: u32,
        /// How many would fit.
        fit: u32,
    },
    /// Too long a side, too many trees or players.
    #[error("{given} {what} in a town: at most {max}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many were asked for.
        given: u32,
        /// How many are allowed.
        max: u32,
    },
}

/// The town of a seed, as large as the paper's. It is valid, and a body of the default radius
/// reaches every room.
///
/// ```
/// let scene = throng_scene::town(1).validate()?;
/// assert!(scene.zones().len() > 40);
/// # Ok::<(), throng_scene::SceneErrors>(())
/// ```
#[must_use]
pub fn town(seed: u64) -> Scene {
    build(seed, TownOptions::default(), 5)
}

/// The town of a seed with another size.
///
/// # Errors
/// When the houses do not fit, or there is too much of something.
pub fn town_with(seed: u64, options: TownOptions) -> Result<Scene, TownError> {
    let TownOptions { side, houses, trees, players } = options;
    let counts = [
        ("units along a side", side, SIDE_MAX),
        ("trees", trees, 20_000),
        ("players", players, 10_000),
    ];
    if let Some((what, given, max)) = counts.into_iter().find(|(_, given, max)| given > max) {
        return Err(TownError::TooMany { what, given, max });
    }
    let most = (side as i32 * EIGHTHS / LOT_MIN).min(LOTS_MAX);
    let fit = (most * most).unsigned_abs();
    if houses == 0 || houses > fit {
        return Err(TownError::Houses { houses, side, fit });
    }
    // A fifth of the lots stays without a house when there is room for that.
    let wanted = houses + houses / 4;
    let lots = (1..most).find(|lots| (lots * lots).unsigned_abs() >= wanted).unwrap_or(most);
    Ok(build(seed, options, lots))
}

fn build(seed: u64, options: TownOptions, lots: i32) -> Scene {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let side = options.side as i32 * EIGHTHS;
    let mut town = Builder::new(&format!("town {seed}"), side);
    let lot_side = side / lots;
    let mut places: Vec<Rect> = (0..lots * lots)
        .map(|lot| Rect::sized(lot % lots * lot_side, lot / lots * lot_side, lot_side, lot_side))
        .collect();
    places.shuffle(&mut rng);
    town.place_players(options.players, lots, lot_side);
    let (with_house, without) = places.split_at((options.houses as usize).min(places.len()));
    for (number, lot) in (1..).zip(with_house) {
        house::add(&mut town, &mut rng, number, *lot);
    }
    for (number, lot) in (1..).zip(without) {
        match rng.random_range(0..3_u32) {
            0 => park::add_yard(&mut town, &mut rng, number, *lot),
            _ => park::add_park(&mut town, &mut rng, number, *lot),
        }
    }
    trees::add(&mut town, &mut rng, options.trees);
    town.finish()
}
