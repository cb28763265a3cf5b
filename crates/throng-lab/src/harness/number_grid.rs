//! A small map with a number in each cell, as in papers' figures.

use std::fmt::Write as _;

use throng::grid::Ground;
use throng::model::{Cell, Map, MovementProfile};
use throng_draw::heat_colour;

use super::LabError;

/// Side of a cell, in pixels.
const SIDE: u32 = 30;
/// Room for the caption.
const TOP: u32 = 26;

/// A thick border around a cell, and a letter in its corner.
fn mark(cell: Cell, letter: char) -> String {
    let (x, y) = (u32::from(cell.x) * SIDE, u32::from(cell.y) * SIDE + TOP);
    let inner = SIDE - 2;
    format!(
        "<rect x=\"{}\" y=\"{}\" width=\"{inner}\" height=\"{inner}\" fill=\"none\" \
         stroke=\"#000\" stroke-width=\"2\"/>\n<text x=\"{}\" y=\"{}\" font-size=\"10\" \
         font-weight=\"bold\" fill=\"#000\">{letter}</text>\n",
        x + 1,
        y + 1,
        x + 3,
        y + 10
    )
}

/// The map with a number in each cell that has one; equal numbers have equal shades. Marked cells
/// have a thick border and a letter.
pub(crate) fn number_grid(
    map: &Map,
    caption: &str,
    marks: &[(Cell, char)],
    value: impl Fn(Cell) -> Option<u64>,
) -> Result<String, LabError> {
    let ground = Ground::new(map, MovementProfile::four_connected())?;
    let most = map.cells().filter_map(&value).max().unwrap_or(1).max(1);
    let [columns, rows] = [map.width(), map.height()].map(u32::from);
    let (width, height) = (columns * SIDE, rows * SIDE + TOP);
    let width = width.max(8 * caption.chars().count() as u32);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"0\" y=\"17\" font-size=\"14\" fill=\"#262a30\">{caption}</text>\n"
    );
    for cell in map.cells() {
        let (x, y) = (u32::from(cell.x) * SIDE, u32::from(cell.y) * SIDE + TOP);
        let number = value(cell).filter(|_| ground.can_stand(cell));
        let fill = match number {
            _ if !ground.can_stand(cell) => "#3d424b".to_owned(),
            // The light part of the scale, so that numbers can be read.
            Some(number) => heat_colour(0.45 * number as f64 / most as f64).to_string(),
            None => "#ffffff".to_owned(),
        };
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{fill}\" \
             stroke=\"#9aa0a8\" stroke-width=\"0.5\"/>"
        );
        if let Some(number) = number {
            let (x, y) = (x + SIDE / 2, y + SIDE / 2 + 4);
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{y}\" font-size=\"11\" text-anchor=\"middle\" \
                 fill=\"#000\">{number}</text>"
            );
        }
    }
    marks.iter().for_each(|&(cell, letter)| svg += &mark(cell, letter));
    Ok(svg + "</svg>\n")
}
