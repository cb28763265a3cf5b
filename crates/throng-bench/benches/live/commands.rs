//! The time of single commands in a world of moving units: group orders and edits of the map.
//!
//! A command is given between two ticks, so that its longest time matters, not its mean.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng_model::{Cell, Map, Rect, UnitId};
use throng_world::World;

use crate::scene::Scene;

/// Ticks between two commands of a kind, so that units have new plans and routes.
const PAUSE_TICKS: usize = 4;
/// How often each command is given.
const ROUNDS: usize = 40;

/// The times of one kind of command.
pub(crate) struct Times {
    pub(crate) name: &'static str,
    pub(crate) milliseconds: Vec<f64>,
}

impl Times {
    fn new(name: &'static str) -> Self {
        Self { name, milliseconds: Vec::new() }
    }

    /// The median and the longest time, in milliseconds.
    pub(crate) fn summary(&self) -> (f64, f64) {
        let mut sorted = self.milliseconds.clone();
        sorted.sort_by(f64::total_cmp);
        let longest = sorted.last().copied().unwrap_or(0.0);
        (sorted.get(sorted.len() / 2).copied().unwrap_or(0.0), longest)
    }

    #[expect(clippy::disallowed_types, reason = "a measurement")]
    fn measure<T, E: ToString>(
        &mut self,
        command: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, String> {
        let begin = std::time::Instant::now();
        let result = command();
        self.milliseconds.push(begin.elapsed().as_secs_f64() * 1e3);
        result.map_err(|error| error.to_string())
    }
}

/// Gives commands to a world of moving units. Returns the times and the hash at the end.
pub(crate) fn run(scene: &Scene) -> Result<(Vec<Times>, u64), String> {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let mut world = scene.world(&mut rng)?;
    for _ in 0..60 {
        scene.tick(&mut world, &mut rng)?;
    }
    let mut walls = Times::new("wall of 18 cells built");
    let mut gaps = Times::new("wall of 18 cells removed");
    let mut fields = Times::new("wall of 1,024 cells built");
    for round in 0..ROUNDS {
        let large = round % 4 == 3;
        let (width, height) = if large { (32, 32) } else { (6, 3) };
        let origin = scene.any_cell(&mut rng);
        let rect = inside(world.map(), origin, width, height);
        let ground = free_cells(&world, rect);
        let times = if large { &mut fields } else { &mut walls };
        times.measure(|| world.fill(rect, Map::WALL))?;
        pause(scene, &mut world, &mut rng)?;
        let mut unused = Times::new("");
        let times = if large { &mut unused } else { &mut gaps };
        times.measure(|| world.paint(&ground, Map::GROUND))?;
        pause(scene, &mut world, &mut rng)?;
    }
    let mut groups = Times::new("order to all units as a group");
    let mut squads = Times::new("order to 100 units as a group");
    let units: Vec<UnitId> = world.units().collect();
    for _ in 0..ROUNDS / 4 {
        let spot = scene.any_cell(&mut rng);
        groups.measure(|| world.order_group(&units, spot))?;
        pause(scene, &mut world, &mut rng)?;
        let first = rng.random_range(0..(units.len() - 100) as u32) as usize;
        let spot = scene.any_cell(&mut rng);
        squads.measure(|| world.order_group(&units[first..first + 100], spot))?;
        pause(scene, &mut world, &mut rng)?;
    }
    Ok((vec![walls, gaps, fields, groups, squads], world.hash()))
}

fn pause(scene: &Scene, world: &mut World, rng: &mut Pcg64Mcg) -> Result<(), String> {
    (0..PAUSE_TICKS).try_for_each(|_| scene.tick(world, rng).map(|_| ()))
}

/// The rectangle of this size at a cell, moved onto the map.
fn inside(map: &Map, origin: Cell, width: u16, height: u16) -> Rect {
    let (x, y) = (origin.x.min(map.width() - width), origin.y.min(map.height() - height));
    Rect::new(Cell::new(x, y), width, height)
}

fn free_cells(world: &World, rect: Rect) -> Vec<Cell> {
    rect.cells().filter(|&cell| world.map().terrain_at(cell) == Some(Map::GROUND)).collect()
}
