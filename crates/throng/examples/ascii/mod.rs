//! Drawing for the examples: the map's letters, with units on top.

use throng::prelude::*;

/// One line of text per row of the map; later letters cover earlier ones.
pub(crate) fn draw(map: &Map, letters: impl IntoIterator<Item = (Cell, char)>) -> String {
    let mut rows: Vec<Vec<char>> = vec![Vec::new(); usize::from(map.height())];
    for cell in map.cells() {
        let symbol = map.class_at(cell).map_or('?', |class| class.symbol);
        rows[usize::from(cell.y)].push(symbol);
    }
    for (cell, letter) in letters {
        if map.contains(cell) {
            rows[usize::from(cell.y)][usize::from(cell.x)] = letter;
        }
    }
    rows.into_iter().map(|row| row.into_iter().chain(['\n']).collect::<String>()).collect()
}
