//! Exclusive references to some elements of a slice.

/// References to the elements at these indices, which must ascend. An index that does not, or that
/// is beyond the end, is left out.
///
/// ```
/// use throng_grid::kit::pick_mut;
/// let mut numbers = [1, 2, 3, 4];
/// for number in pick_mut(&mut numbers, [1, 3, 9]) {
///     *number *= 10;
/// }
/// assert_eq!(numbers, [1, 20, 3, 40]);
/// ```
pub fn pick_mut<T>(
    items: &mut [T],
    indices: impl IntoIterator<Item = usize>,
) -> impl Iterator<Item = &mut T> {
    let (mut rest, mut first) = (items, 0);
    indices.into_iter().filter_map(move |index| {
        let skipped = index.checked_sub(first).filter(|&skipped| skipped < rest.len())?;
        let (item, behind) = std::mem::take(&mut rest).split_at_mut(skipped).1.split_first_mut()?;
        (rest, first) = (behind, index + 1);
        Some(item)
    })
}
