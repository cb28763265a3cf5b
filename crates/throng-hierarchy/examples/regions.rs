//! The rooms and corridors of a house, and a way through its doors.
//!
//! `cargo run -p throng-hierarchy --example regions`
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use throng_grid::{Ground, PathSearch, Query};
use throng_hierarchy::{RegionId, RegionMemory, RegionSearch, Regions};
use throng_model::{Budget, Cell, MovementProfile};

/// From `s` to `g`.
const HOUSE: &str = "
    ############################################################
    #............#..................#............#.............#
    #............#..................#............#.............#
    #..s.........#..................#............#.............#
    #............#..................#............#.............#
    #............#..................#............#.............#
    #............#..................#............#.............#
    ######.##########.#################.#####################.##
    #..........................................................#
    #..........................................................#
    ######.##########.#####################.###########.########
    #............#..................#..............#...........#
    #............#..................#..............#...........#
    #............#..................#..............#...........#
    #...............................#..............#...........#
    #............#..................#..............##########.##
    #............#.....................................#.......#
    #............#..................#..............###.#.......#
    #............#..................#..............#.#.#.......#
    ################################################.#.#....g..#
    #................................................#.........#
    ############################################################";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ground = Ground::new(&throng_testkit::map(HOUSE), MovementProfile::eight_connected())?;
    let regions = Regions::new(&ground);
    let ends = ['s', 'g'].map(|letter| throng_testkit::place(HOUSE, letter));
    let mut memory = RegionMemory::default();
    let mut search = RegionSearch::new(&regions, &mut memory);
    let query = Query::new(&ends[..1], &ends[1..]);
    let path = search.find(&ground, &query, Budget::unlimited())?.found().ok_or("no way")?;

    let names: Vec<RegionId> = regions.iter().collect();
    for y in 0..ground.height() as u16 {
        let row = (0..ground.width() as u16).map(|x| match Cell::new(x, y) {
            cell if path.cells.contains(&cell) => '*',
            cell => regions.region_of(cell).map_or('#', |region| letter(&names, region)),
        });
        println!("{}", row.collect::<String>());
    }
    println!("The way (*) costs {:.1} cells.", path.cost.in_cells());
    for &region in &names {
        print!("{}: {} cells;", letter(&names, region), regions.cells(region).len());
        for gate in regions.gates(region) {
            print!(" {} wide to {}", gate.width, letter(&names, gate.regions[1]));
        }
        println!();
    }
    Ok(())
}

fn letter(names: &[RegionId], region: RegionId) -> char {
    let index = names.binary_search(&region).unwrap_or(0);
    char::from(b'a' + (index % 26) as u8)
}
