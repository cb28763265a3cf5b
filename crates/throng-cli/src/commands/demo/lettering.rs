//! Text in the cells of a map: letters of three by five cells.

use throng::model::Cell;

/// The height of a letter, and its width with the gap after it, in cells.
pub(super) const HEIGHT: u16 = 5;
const ADVANCE: u16 = 4;

/// The rows of a letter, from top to bottom; the leftmost cell is the highest of three bits.
fn rows(letter: char) -> [u8; HEIGHT as usize] {
    match letter {
        '0' => [7, 5, 5, 5, 7],
        '1' => [2, 6, 2, 2, 7],
        '2' => [7, 1, 7, 4, 7],
        '3' => [7, 1, 7, 1, 7],
        '4' => [5, 5, 7, 1, 1],
        '5' => [7, 4, 7, 1, 7],
        '6' => [7, 4, 7, 5, 7],
        '7' => [7, 1, 1, 2, 2],
        '8' => [7, 5, 7, 5, 7],
        '9' => [7, 5, 7, 1, 7],
        'A' => [2, 5, 7, 5, 5],
        'G' => [7, 4, 5, 5, 7],
        'H' => [5, 5, 7, 5, 5],
        'L' => [4, 4, 4, 4, 7],
        'N' => [7, 5, 5, 5, 5],
        'O' => [7, 5, 5, 5, 7],
        'R' => [6, 5, 6, 5, 5],
        'T' => [7, 2, 2, 2, 2],
        '*' => [5, 2, 5, 0, 0],
        '/' => [1, 1, 2, 4, 4],
        _ => [0; HEIGHT as usize],
    }
}

/// The width of a text, in cells.
pub(super) fn width(text: &str) -> u16 {
    (text.chars().count() as u16 * ADVANCE).saturating_sub(1)
}

/// The cells of a text whose first letter begins at a cell.
pub(super) fn cells(text: &str, at: Cell) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (number, letter) in (0..).zip(text.chars()) {
        for (y, row) in (0..).zip(rows(letter)) {
            let filled = (0..3).filter(|x| row >> (2 - x) & 1 != 0);
            cells.extend(filled.map(|x| Cell::new(at.x + number * ADVANCE + x, at.y + y)));
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_stand_side_by_side() {
        let drawn = cells("1/", Cell::new(2, 1));
        let text = (0..7).map(|y| {
            let cell = |x| if drawn.contains(&Cell::new(x, y)) { '#' } else { '.' };
            (0..10).map(cell).collect::<String>()
        });
        let expected = [
            "..........",
            "...#....#.",
            "..##....#.",
            "...#...#..",
            "...#..#...",
            "..###.#...",
            "..........",
        ];
        assert_eq!(text.collect::<Vec<_>>(), expected);
        assert_eq!((width("1/"), width("")), (7, 0));
    }
}
