//! A game that tells a world anything at random, seeded.

use rand::RngExt;
use throng_model::{
    Building, Cell, Factor, MovementProfile, Rect, TerrainClass, TerrainId, TerrainOverride, UnitId,
};
use throng_world::{BuildingId, Command, Order, Spawn, Team, World};

type Rng = rand_pcg::Pcg64Mcg;

/// One random command; some of them will be refused.
pub(crate) fn command(rng: &mut Rng, world: &World) -> Command {
    let unit = unit(rng, world);
    match rng.random_range(0..40_u32) {
        0..8 => Command::Spawn { at: cell(rng, world), spawn: spawn(rng) },
        8 => Command::SpawnInside {
            building: BuildingId::new(rng.random_range(0..3)),
            spawn: spawn(rng),
        },
        9 => Command::Remove { unit },
        10 => Command::Teleport { unit, cell: cell(rng, world) },
        11 => Command::SetLevel { unit, level: rng.random_range(0..3) },
        12..24 => Command::Order { unit, order: order(rng, world) },
        24..29 => Command::QueueOrder { unit, order: order(rng, world) },
        29..32 => {
            let units = (0..rng.random_range(1..6_u32)).map(|_| self::unit(rng, world));
            Command::OrderGroup { units: units.collect(), spot: cell(rng, world) }
        }
        32..35 => {
            let cells = (0..rng.random_range(0..4_u32)).map(|_| cell(rng, world)).collect();
            Command::Paint { cells, terrain: terrain(rng, world) }
        }
        35..38 => {
            let (width, height) = (rng.random_range(0..4), rng.random_range(0..4));
            let rect = Rect::new(cell(rng, world), width, height);
            Command::Fill { rect, terrain: terrain(rng, world) }
        }
        38 => {
            let factor = Factor::new(rng.random_range(1..5)).unwrap();
            Command::AddClass { class: TerrainClass::passable("mud", '~', factor) }
        }
        _ => {
            let doors = vec![cell(rng, world), cell(rng, world)];
            Command::AddBuilding { building: Building::with_doors("barracks", doors) }
        }
    }
}

fn unit(rng: &mut Rng, world: &World) -> UnitId {
    let units: Vec<UnitId> = world.units().collect();
    let index = rng.random_range(0..units.len() as u32 + 1) as usize;
    units.get(index).copied().unwrap_or(UnitId::new(900))
}

fn cell(rng: &mut Rng, world: &World) -> Cell {
    let (width, height) = (world.map().width(), world.map().height());
    Cell::new(rng.random_range(0..width), rng.random_range(0..height))
}

/// Mostly ground: a world that fills with walls would soon stand still.
fn terrain(rng: &mut Rng, world: &World) -> TerrainId {
    let classes = world.map().classes().len() as u8;
    let any = rng.random_range(0..classes);
    TerrainId(if rng.random_bool(0.6) { 0 } else { any })
}

fn order(rng: &mut Rng, world: &World) -> Order {
    match rng.random_range(0..12_u32) {
        0 => Order::Stop,
        1 => Order::Hold,
        2..4 => Order::Enter(BuildingId::new(rng.random_range(0..3))),
        4 => Order::GoTo((0..3).map(|_| cell(rng, world)).collect()),
        _ => Order::go(cell(rng, world)),
    }
}

fn spawn(rng: &mut Rng) -> Spawn {
    let base = if rng.random_bool(0.5) {
        MovementProfile::four_connected()
    } else {
        MovementProfile::eight_connected()
    };
    let factor = Factor::new(2).ok();
    let swamp = TerrainOverride { terrain: TerrainId(1), factor };
    let movement = MovementProfile {
        footprint: [1, 1, 1, 2, 3][rng.random_range(0..5_u32) as usize],
        pace: [1, 1, 1, 2, 5][rng.random_range(0..5_u32) as usize],
        terrain: if rng.random_bool(0.1) { vec![swamp] } else { Vec::new() },
        ..base
    };
    let window = [0, 0, 2, 8, 48][rng.random_range(0..5_u32) as usize];
    let team = Team(rng.random_range(0..3));
    Spawn { level: rng.random_range(0..2), window, team, ..Spawn::new(movement) }
}
