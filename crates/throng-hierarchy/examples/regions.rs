//! The rooms and corridors of a house, and the doorways between them.
//!
//! `cargo run -p throng-hierarchy --example regions`
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use throng_grid::Ground;
use throng_hierarchy::{RegionId, Regions};
use throng_model::{Cell, MovementProfile};

const HOUSE: &str = "
    ############################################################
    #............#..................#............#.............#
    #............#..................#............#.............#
    #............#..................#............#.............#
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
    ################################################.#.#.......#
    #................................................#.........#
    ############################################################";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ground = Ground::new(&throng_testkit::map(HOUSE), MovementProfile::eight_connected())?;
    let regions = Regions::new(&ground);

    let ids: Vec<RegionId> = regions.iter().collect();
    for y in 0..ground.height() as u16 {
        let row = (0..ground.width() as u16)
            .map(|x| regions.region_of(Cell::new(x, y)).map_or('#', |region| letter(&ids, region)));
        println!("{}", row.collect::<String>());
    }
    for &region in &ids {
        print!("{}: {} cells;", letter(&ids, region), regions.cells(region).len());
        for doorway in regions.doorways(region) {
            print!(" {} wide to {}", doorway.width, letter(&ids, doorway.regions[1]));
        }
        println!();
    }
    Ok(())
}

fn letter(ids: &[RegionId], region: RegionId) -> char {
    let index = ids.binary_search(&region).unwrap_or(0);
    char::from(b'a' + (index % 26) as u8)
}
