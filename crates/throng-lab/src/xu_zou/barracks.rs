//! Two barracks with eight doors each on a random map, as in figure 4.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng::grid::Ground;
use throng::model::{Building, Cell, Map, MovementProfile, Rect};

use super::worlds::{SIDE, World, steps_between, wall};
use crate::LabError;
use crate::harness::CaseId;

/// Share of blocked doors in every second case, in percent.
const BLOCKED_PERCENT: u32 = 25;
/// Least distance of two barracks, in steps.
const APART: u16 = 16;
/// Side of a building, and of the ring of doors around it, in cells.
const BUILDING: u16 = 3;
const RING: u16 = BUILDING + 2;

/// Two barracks on a map.
pub(super) struct Barracks {
    pub(super) world: World,
    pub(super) map: Map,
    pub(super) ground: Ground,
    pub(super) from: Building,
    pub(super) to: Building,
}

impl Barracks {
    /// Random barracks of which some exit leads to some entrance.
    pub(super) fn random(id: &CaseId) -> Result<Self, LabError> {
        const TRIES: u32 = 100;
        let mut rng = id.rng();
        for _ in 0..TRIES {
            let barracks = Self::drawn(id, &mut rng)?;
            if barracks.is_connected_somewhere() {
                return Ok(barracks);
            }
        }
        Err(id.no_case(TRIES))
    }

    fn drawn(id: &CaseId, rng: &mut Pcg64Mcg) -> Result<Self, LabError> {
        let world = World::in_turn(id.case);
        let blocked_percent = [0, BLOCKED_PERCENT][id.case / World::ALL.len() % 2];
        let mut map = world.map(rng.random())?;
        let (first, second) = two_places(rng);
        let from = build(&mut map, rng, "barracks A", first, blocked_percent)?;
        let to = build(&mut map, rng, "barracks B", second, blocked_percent)?;
        let ground = Ground::new(&map, MovementProfile::eight_connected())?;
        Ok(Self { world, map, ground, from, to })
    }

    pub(super) fn pairs(&self) -> impl Iterator<Item = (Cell, Cell)> {
        let exits = self.from.exits.iter();
        exits.flat_map(|&exit| self.to.entrances.iter().map(move |&entrance| (exit, entrance)))
    }

    fn is_connected_somewhere(&self) -> bool {
        self.pairs().any(|(exit, entrance)| self.ground.is_connected(exit, entrance))
    }
}

/// The corners of the rings of two barracks.
fn two_places(rng: &mut Pcg64Mcg) -> (Cell, Cell) {
    let mut place = || {
        let mut side = || rng.random_range(0..SIDE - u32::from(RING)) as u16;
        Cell::new(side(), side())
    };
    let first = place();
    loop {
        let second = place();
        if steps_between(first, second) >= APART {
            return (first, second);
        }
    }
}

/// Adds a building with doors at the corners and in the middle of each side, one step outside its
/// walls, and obstacles on some of them.
fn build(
    map: &mut Map,
    rng: &mut Pcg64Mcg,
    name: &str,
    origin: Cell,
    blocked_percent: u32,
) -> Result<Building, LabError> {
    let wall = wall(map);
    let ring = Rect::new(origin, RING, RING);
    let along = |at: u16, from: u16| (at - from).is_multiple_of(RING / 2);
    let on_ring = |cell: &Cell| {
        let (dx, dy) = (cell.x - origin.x, cell.y - origin.y);
        dx.min(dy) == 0 || dx.max(dy) == RING - 1
    };
    let doors: Vec<Cell> = ring
        .cells()
        .filter(|cell| on_ring(cell) && along(cell.x, origin.x) && along(cell.y, origin.y))
        .collect();
    map.fill(Rect::new(Cell::new(origin.x + 1, origin.y + 1), BUILDING, BUILDING), wall)?;
    map.paint(&doors, Map::GROUND)?;
    let blocked: Vec<Cell> =
        doors.iter().copied().filter(|_| rng.random_range(0..100) < blocked_percent).collect();
    map.paint(&blocked, wall)?;
    Ok(Building::with_doors(name, doors))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn barracks_have_eight_doors_around_their_walls() {
        let mut map = Map::empty(16, 16).unwrap();
        let mut rng = CaseId { stage: "barracks", seed: 1, case: 0 }.rng();
        let barracks = build(&mut map, &mut rng, "A", Cell::new(4, 4), 0).unwrap();
        let doors =
            [(4, 4), (6, 4), (8, 4), (4, 6), (8, 6), (4, 8), (6, 8), (8, 8)].map(Cell::from);
        assert_eq!((&barracks.exits[..], &barracks.entrances[..]), (&doors[..], &doors[..]));
        let walls: Vec<Cell> = map.cells().filter(|&cell| !map.is_passable(cell)).collect();
        assert_eq!(walls, Rect::new(Cell::new(5, 5), 3, 3).cells().collect::<Vec<_>>());
        build(&mut map, &mut rng, "B", Cell::new(4, 4), 100).unwrap();
        assert!(doors.iter().all(|&door| !map.is_passable(door)));
    }
}
