//! One distance field for many units: compute it once, then each unit asks for its next step.
//!
//! A field has the cost from every cell to the nearest goal. Use it when many units that move
//! alike go to one place and need not avoid each other; `World` moves units that must.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

mod ascii;

use throng::grid::{Ground, SharedFields};
use throng::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut map = Map::empty(40, 12)?;
    map.fill(Rect::new(Cell::new(12, 0), 1, 9), Map::WALL)?;
    map.fill(Rect::new(Cell::new(26, 3), 1, 9), Map::WALL)?;
    let ground = Ground::new(&map, MovementProfile::eight_connected())?;
    let camps = [Cell::new(36, 10), Cell::new(20, 1)];

    let mut fields = SharedFields::new(4);
    let field = fields.get(&ground, &camps)?;
    // Each cell shows its distance in tens of cells.
    let step = field.distance(Cell::new(35, 10)).ok_or("no path")?.0;
    let digits = map.cells().filter_map(|cell| {
        let tens = field.distance(cell)?.0 / step / 10;
        Some((cell, char::from_digit(u32::try_from(tens).ok()?, 10)?))
    });
    println!("tens of cells to the nearest camp:");
    println!("{}", ascii::draw(&map, digits.chain(camps.map(|camp| (camp, 'C')))));

    // A hundred units follow it. No unit searches.
    let mut units: Vec<Cell> = Rect::new(Cell::new(0, 2), 10, 10).cells().collect();
    let mut ticks = 0;
    let mut steps = 0;
    loop {
        // It is the same field as long as neither goals nor ground change.
        let field = fields.get(&ground, &camps)?;
        let mut is_moving = false;
        for unit in &mut units {
            if let Some(next) = field.next_step(&ground, *unit) {
                *unit = next;
                steps += 1;
                is_moving = true;
            }
        }
        if !is_moving {
            break;
        }
        ticks += 1;
        if ticks == 12 {
            println!("tick {ticks}:");
            println!("{}", ascii::draw(&map, units.iter().map(|&unit| (unit, 'u'))));
        }
    }
    let arrived = units.iter().filter(|unit| camps.contains(unit)).count();
    println!("{arrived} units arrived after {ticks} ticks and {steps} steps, with 1 search");
    Ok(())
}
