//! Connected components of free cells, by straight steps.

/// A cell that is not free.
pub(super) const BLOCKED: u32 = u32::MAX;

/// The connected components of a grid.
pub(super) struct Components {
    /// Each cell's component, or [`BLOCKED`].
    pub(super) labels: Vec<u32>,
    /// The number of cells of each component.
    pub(super) sizes: Vec<u32>,
}

impl Components {
    /// Labels the components in the order of their first cells.
    pub(super) fn new(width: usize, free: &[bool]) -> Self {
        let mut found = Self { labels: vec![BLOCKED; free.len()], sizes: Vec::new() };
        let mut open = Vec::new();
        for start in 0..free.len() {
            if free[start] && found.labels[start] == BLOCKED {
                found.flood(start, width, free, &mut open);
            }
        }
        found
    }

    fn flood(&mut self, start: usize, width: usize, free: &[bool], open: &mut Vec<u32>) {
        let label = self.sizes.len() as u32;
        let mut size = 0;
        self.labels[start] = label;
        open.push(start as u32);
        while let Some(cell) = open.pop() {
            size += 1;
            for next in neighbours(cell as usize, width, free.len()) {
                if free[next] && self.labels[next] == BLOCKED {
                    self.labels[next] = label;
                    open.push(next as u32);
                }
            }
        }
        self.sizes.push(size);
    }

    /// The label of the largest component; ties go to the first.
    pub(super) fn largest(&self) -> Option<u32> {
        let labels = 0..self.sizes.len() as u32;
        labels.rev().max_by_key(|&label| self.sizes[label as usize])
    }
}

/// The cells above, left, right and below.
pub(super) fn neighbours(
    cell: usize,
    width: usize,
    count: usize,
) -> impl Iterator<Item = usize> + use<> {
    let x = cell % width;
    let up = cell.checked_sub(width);
    let left = (x > 0).then(|| cell.wrapping_sub(1));
    let right = (x + 1 < width).then_some(cell + 1);
    let down = (cell + width < count).then_some(cell + width);
    [up, left, right, down].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_touching_at_corners_are_apart() {
        let free: Vec<bool> = "##.##.#...##".chars().map(|c| c == '.').collect();
        // ##.#
        // #.#.
        // ..##
        let found = Components::new(4, &free);
        let x = BLOCKED;
        assert_eq!(found.labels, [x, x, 0, x, x, 1, x, 2, 1, 1, x, x]);
        assert_eq!(found.sizes, [1, 3, 1]);
        assert_eq!(found.largest(), Some(1));
    }

    #[test]
    fn the_first_of_equal_parts_counts() {
        assert_eq!(Components::new(3, &[true, false, true]).largest(), Some(0));
        assert_eq!(Components::new(1, &[false]).largest(), None);
    }
}
