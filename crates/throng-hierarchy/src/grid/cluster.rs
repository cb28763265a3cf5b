//! One cluster: its crossings, and the distances between them inside of it.

use throng_model::Cell;

use super::crossings::{Crossing, Gate, PLACES, Side, crossings_of};
use super::lanes::{self, Field, Lane, NO_ARROW};
use super::plane::{Plane, SIDE};
use super::tile::{self, CELLS, Tile};

/// Cells of a cluster.
const AREA: usize = (SIDE * SIDE) as usize;
/// A place of the border that is no door.
const NO_ROW: u8 = u8::MAX;
/// More exits than any cluster has. Along a side a step straight
/// out and one aslant between two walls never share a column, so that there are at most as
/// many as cells; and one more at each corner.
pub(crate) const EXITS_MAX: u32 = 4 * SIDE + 4;
/// Farther than anyone would walk. Twice as much is still a number.
pub(crate) const FAR: u32 = 1 << 30;

/// Where an exit leads: as much of a crossing as a search needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Landing {
    pub(crate) gate: Gate,
    pub(crate) cell: Cell,
    pub(crate) back: Back,
}

/// The exit of the cluster behind an exit that leads back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Back {
    cost: u16,
    /// The side of that cluster over which it leads.
    side: Side,
    /// Exits over the same side before it: as many as before the exit itself.
    rank: u8,
}

impl Back {
    pub(crate) fn cost(self) -> u32 {
        u32::from(self.cost)
    }
}

/// What is known of a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cluster {
    /// Ways out, with the row of the door at which each begins.
    pub(crate) exits: Vec<(u8, Crossing)>,
    /// Where they lead, close together: a search looks at them again and again, and what it
    /// waits for is memory.
    pub(crate) landings: Vec<Landing>,
    /// From each door (a row) out by each exit, the crossing included.
    ways_out: Vec<u32>,
    /// The first exit over each side.
    firsts: [u8; Side::COUNT],
    /// For each place of the border its row in the table, if it is a door.
    rows: [u8; PLACES as usize],
    /// The places that have a row, by row.
    doors: Vec<u8>,
    /// From each door (a row) to each door.
    table: Vec<u32>,
    /// For each door the arrow at each cell, row by row, back along the best way from it.
    arrows: Vec<[u8; AREA]>,
}

impl Default for Cluster {
    fn default() -> Self {
        Self {
            exits: Vec::new(),
            landings: Vec::new(),
            ways_out: Vec::new(),
            firsts: [0; Side::COUNT],
            rows: [NO_ROW; PLACES as usize],
            doors: Vec::new(),
            table: Vec::new(),
            arrows: Vec::new(),
        }
    }
}

/// Memory that is used again for cluster after cluster.
#[derive(Clone, Debug)]
pub(crate) struct Workshop {
    crossings: Vec<Crossing>,
    narrow: Box<Field<u16, 8>>,
    wide: Box<Field<u16, 16>>,
    dear: Box<Field<u32, 8>>,
}

impl Default for Workshop {
    fn default() -> Self {
        Self {
            crossings: Vec::new(),
            narrow: Box::new([[0; 8]; CELLS]),
            wide: Box::new([[0; 16]; CELLS]),
            dear: Box::new([[0; 8]; CELLS]),
        }
    }
}

impl Cluster {
    /// Brings the cluster to what the plane is now. `inside_changed`: not only what lies
    /// around it.
    pub(crate) fn update(
        &mut self,
        plane: &Plane,
        cluster: u32,
        inside_changed: bool,
        workshop: &mut Workshop,
    ) {
        crossings_of(plane, cluster, &mut workshop.crossings);
        let doors_changed = self.take_crossings(&workshop.crossings);
        if inside_changed || doors_changed {
            self.fill_table(&Tile::new(plane, cluster), plane, workshop);
        }
        self.find_ways_out();
    }

    /// Adds the crossings to the distances between doors.
    fn find_ways_out(&mut self) {
        self.ways_out.clear();
        for row in self.table.chunks_exact(self.doors.len().max(1)) {
            self.ways_out.extend(
                self.exits
                    .iter()
                    .map(|(door, exit)| row[usize::from(*door)].saturating_add(exit.cost).min(FAR)),
            );
        }
    }

    /// Whether the doors are others now.
    fn take_crossings(&mut self, crossings: &[Crossing]) -> bool {
        let mut is_door = 0_u64;
        crossings.iter().for_each(|crossing| is_door |= 1 << crossing.from.place());
        let before = self.doors.iter().fold(0_u64, |all, &door| all | 1 << door);
        if before != is_door {
            self.rows = [NO_ROW; PLACES as usize];
            self.doors.clear();
            for place in (0..PLACES as u8).filter(|place| is_door >> place & 1 != 0) {
                self.rows[usize::from(place)] = self.doors.len() as u8;
                self.doors.push(place);
            }
        }
        self.exits.clear();
        self.exits.extend(crossings.iter().map(|&way| (self.rows[way.from.place()], way)));
        self.find_landings();
        before != is_door
    }

    fn find_landings(&mut self) {
        self.landings.clear();
        self.firsts = [0; Side::COUNT];
        let mut counts = [0; Side::COUNT];
        for (exit, (_, crossing)) in self.exits.iter().enumerate() {
            let rank = &mut counts[crossing.side.at()];
            if *rank == 0 {
                self.firsts[crossing.side.at()] = exit as u8;
            }
            let (cost, side) = (crossing.cost_back as u16, crossing.side.opposite());
            let back = Back { cost, side, rank: *rank };
            self.landings.push(Landing { gate: crossing.to, cell: crossing.cell, back });
            *rank += 1;
        }
    }

    fn fill_table(&mut self, tile: &Tile, plane: &Plane, workshop: &mut Workshop) {
        let count = self.doors.len();
        self.table.clear();
        self.table.resize(count * count, lanes::FAR);
        self.arrows.clear();
        self.arrows.resize(count, [NO_ARROW; AREA]);
        let cells: Vec<usize> = self.doors.iter().map(|&door| door_cell(door)).collect();
        if tile.cost_bound >= u32::from(u16::MAX) {
            self.fill_rows(tile, plane, &cells, &mut workshop.dear);
        } else if count <= 8 {
            self.fill_rows(tile, plane, &cells, &mut workshop.narrow);
        } else {
            self.fill_rows(tile, plane, &cells, &mut workshop.wide);
        }
    }

    fn fill_rows<L: Lane, const N: usize>(
        &mut self,
        tile: &Tile,
        plane: &Plane,
        cells: &[usize],
        field: &mut Field<L, N>,
    ) {
        for (group, sources) in cells.chunks(N).enumerate() {
            lanes::fill::<L, N>(tile, plane.rules, sources, field);
            let rows = self.table.chunks_exact_mut(cells.len()).skip(group * N);
            for (lane, row) in rows.take(sources.len()).enumerate() {
                for (distance, &cell) in row.iter_mut().zip(cells) {
                    *distance = field[cell][lane].cost();
                }
            }
            self.fill_arrows(tile, plane, group * N, sources.len(), field);
        }
    }

    fn fill_arrows<L: Lane, const N: usize>(
        &mut self,
        tile: &Tile,
        plane: &Plane,
        first: usize,
        lanes: usize,
        field: &Field<L, N>,
    ) {
        let rows = &mut self.arrows[first..first + lanes];
        for cell in 0..AREA {
            let at = tile::at(cell as u32 % SIDE, cell as u32 / SIDE);
            if tile.factors[at] != 0 {
                let found = lanes::arrows(tile, plane.rules, field, at);
                rows.iter_mut().zip(found).for_each(|(row, arrow)| row[cell] = arrow);
            }
        }
    }

    /// The arrow at a cell of the cluster along the best way from a door.
    #[inline]
    pub(crate) fn arrow(&self, cell: usize, row: u8) -> Option<usize> {
        let arrow = self.arrows[usize::from(row)][cell];
        (arrow != NO_ARROW).then_some(usize::from(arrow))
    }

    /// The row of a place of the border, if it is a door.
    pub(crate) fn row(&self, place: usize) -> Option<u8> {
        Some(self.rows[place]).filter(|&row| row != NO_ROW)
    }

    /// The exit that leads back.
    #[inline]
    pub(crate) fn exit_back(&self, back: Back) -> usize {
        usize::from(self.firsts[back.side.at()] + back.rank)
    }

    /// The places of the border that are doors, by row.
    pub(crate) fn doors(&self) -> &[u8] {
        &self.doors
    }

    /// What it costs to go from a place of the border out by each exit.
    #[inline]
    pub(crate) fn ways_out(&self, place: usize) -> &[u32] {
        let count = self.landings.len();
        let row = usize::from(self.rows[place]);
        self.ways_out.get(row * count..(row + 1) * count).unwrap_or_default()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.exits.capacity() * size_of::<(u8, Crossing)>()
            + self.table.capacity() * size_of::<u32>()
            + self.ways_out.capacity() * size_of::<u32>()
            + self.landings.capacity() * size_of::<Landing>()
            + self.doors.capacity()
            + self.arrows.capacity() * AREA
            + size_of::<Self>()
    }
}

/// Where a place of the border is in a tile.
fn door_cell(place: u8) -> usize {
    let (x, y) = super::crossings::Gate(u32::from(place)).within();
    tile::at(x, y)
}

#[cfg(test)]
mod tests {
    use throng_grid::Ground;
    use throng_model::{CornerRule, MovementProfile};

    use crate::GridHierarchy;

    fn check_ways_back(movement: &MovementProfile, seed: u64) -> usize {
        let map = throng_testkit::random_terrain(seed, 70, 50, 35, 9);
        let hierarchy = GridHierarchy::new(&Ground::new(&map, movement.clone()).unwrap());
        let mut checked = 0;
        for cluster in &hierarchy.clusters {
            for ((_, crossing), landing) in cluster.exits.iter().zip(&cluster.landings) {
                let behind = &hierarchy.clusters[landing.gate.cluster() as usize];
                let (_, back) = behind.exits[behind.exit_back(landing.back)];
                assert_eq!((back.from, back.to), (crossing.to, crossing.from), "{crossing:?}");
                assert_eq!(back.cost, landing.back.cost(), "{crossing:?}");
                checked += 1;
            }
        }
        checked
    }

    /// Over sides and corners, straight and aslant.
    #[test]
    fn every_exit_has_one_that_leads_back() {
        let corners = CornerRule::AlwaysCut;
        for movement in [
            MovementProfile::four_connected(),
            MovementProfile::eight_connected(),
            MovementProfile { corners, ..MovementProfile::eight_connected() },
            MovementProfile { corners, footprint: 2, ..MovementProfile::eight_connected() },
        ] {
            let checked: usize = (0..20).map(|seed| check_ways_back(&movement, seed)).sum();
            assert!(checked > 1000, "{movement:?}: {checked}");
        }
    }
}
