//! Components against a flood fill, written here a second time.

use rand::RngExt;
use throng_testkit::rng;

use super::*;

/// An independent flood fill: a label for every cell, 0 for none, and how many there are.
fn flood_fill(width: usize, connectivity: Connectivity, standable: &[u8]) -> (Vec<u32>, u32) {
    let height = standable.len() / width;
    let mut labels = vec![0; standable.len()];
    let mut count = 0;
    let mut stack = Vec::new();
    for first in 0..standable.len() {
        if standable[first] == 0 || labels[first] != 0 {
            continue;
        }
        count += 1;
        labels[first] = count;
        stack.push(first);
        while let Some(at) = stack.pop() {
            for (dy, dx) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
                if connectivity == Connectivity::Four && dx != 0 && dy != 0 {
                    continue;
                }
                let (x, y) = ((at % width) as i64 + dx, (at / width) as i64 + dy);
                if x < 0 || y < 0 || x >= width as i64 || y >= height as i64 {
                    continue;
                }
                let next = y as usize * width + x as usize;
                if standable[next] != 0 && labels[next] == 0 {
                    labels[next] = count;
                    stack.push(next);
                }
            }
        }
    }
    (labels, count)
}

/// The components are those of a flood fill: same partition, same count, same sizes.
fn check(components: &Components, standable: &[u8]) {
    let width = components.width as usize;
    let (labels, count) = flood_fill(width, components.connectivity, standable);
    assert_eq!(components.count(), count as usize);
    let mut sizes = vec![0; count as usize + 1];
    labels.iter().for_each(|&label| sizes[label as usize] += 1);
    let mut ids = vec![None; count as usize + 1];
    for (at, &label) in labels.iter().enumerate() {
        let index = CellIndex(at as u32);
        let id = components.component_of(index);
        assert_eq!(id.is_some(), label != 0, "cell {at}");
        if label == 0 {
            assert_eq!(components.size_of(index), 0);
            continue;
        }
        let seen = *ids[label as usize].get_or_insert(id);
        assert_eq!(seen, id, "cell {at} has another id than its component");
        assert_eq!(components.size_of(index), sizes[label as usize], "cell {at}");
    }
    ids.remove(0);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count as usize, "two components have one id");
}

fn random_grid(seed: u64, cells: u32, percent: u32) -> Vec<u8> {
    let mut rng = rng(seed);
    (0..cells).map(|_| u8::from(rng.random_range(0..100) >= percent)).collect()
}

fn toggle(components: &mut Components, standable: &mut [u8], at: u32) {
    standable[at as usize] ^= 1;
    match standable[at as usize] {
        0 => components.remove(CellIndex(at)),
        _ => components.insert(CellIndex(at)),
    }
}

fn check_random_edits(size: (u32, u32), percent: u32, edits: u32, every: u32, seed: u64) {
    for connectivity in [Connectivity::Four, Connectivity::Eight] {
        let cells = size.0 * size.1;
        let mut standable = random_grid(seed, cells, percent);
        let mut components = Components::new(size.0, size.1, connectivity, &standable);
        check(&components, &standable);
        let mut rng = rng(seed + 1);
        for edit in 0..edits {
            toggle(&mut components, &mut standable, rng.random_range(0..cells));
            if edit % every == 0 {
                check(&components, &standable);
            }
        }
        check(&components, &standable);
    }
}

#[test]
fn small_grids_stay_right_under_every_edit() {
    for (seed, size) in [(1, 1), (5, 3), (1, 40), (8, 8), (33, 31), (40, 70)].iter().enumerate() {
        for percent in [10, 40, 60, 95] {
            check_random_edits(*size, percent, 150, 1, seed as u64 * 100 + u64::from(percent));
        }
    }
}

#[test]
fn several_levels_stay_right_under_edits() {
    for percent in [0, 20, 38, 41, 50] {
        check_random_edits((150, 300), percent, 3000, 100, u64::from(percent));
    }
    check_random_edits((1000, 3), 20, 400, 5, 77);
}

/// Edits along the seams of the blocks, where components are joined.
#[test]
fn seams_stay_right_under_edits() {
    for connectivity in [Connectivity::Four, Connectivity::Eight] {
        let mut standable = random_grid(9, 130 * 130, 45);
        let mut components = Components::new(130, 130, connectivity, &standable);
        let mut rng = rng(10);
        for edit in 0..3000 {
            let near_seam = 32 * rng.random_range(1..5_u32) - rng.random_range(0..3_u32);
            let (x, y) = (near_seam, rng.random_range(0..130_u32));
            let at = if edit % 2 == 0 { y * 130 + x } else { x * 130 + y };
            toggle(&mut components, &mut standable, at);
            if edit % 20 == 0 {
                check(&components, &standable);
            }
        }
    }
}

#[test]
fn editing_twice_is_editing_once() {
    let mut components = Components::new(3, 1, Connectivity::Four, &[1, 1, 1]);
    for _ in 0..2 {
        components.remove(CellIndex(1));
        assert_eq!(components.count(), 2);
    }
    for _ in 0..2 {
        components.insert(CellIndex(1));
        assert_eq!((components.count(), components.size_of(CellIndex(0))), (1, 3));
    }
}

/// A corridor that winds through the whole grid and is cut in the middle repeatedly. With flat
/// labels every cut would relabel half of the grid.
#[test]
fn a_long_corridor_is_cut_and_mended() {
    let side = 129;
    let mut standable: Vec<u8> = (0..side * side)
        .map(|at| {
            let (x, y) = (at % side, at / side);
            let turn = if y % 4 == 1 { side - 1 } else { 0 };
            u8::from(y % 2 == 0 || x == turn)
        })
        .collect();
    let mut components = Components::new(side, side, Connectivity::Four, &standable);
    check(&components, &standable);
    assert_eq!(components.count(), 1);
    let middle = side / 4 * 2 * side + 50;
    for parts in [2, 1, 2, 1] {
        toggle(&mut components, &mut standable, middle);
        check(&components, &standable);
        assert_eq!(components.count(), parts);
    }
}

/// A map of the size that games have: after every 2,000th of 10,000 edits the components are
/// those of a fresh flood fill.
#[test]
fn ten_thousand_edits_of_a_large_map() {
    let side = 1024;
    let mut standable = random_grid(4, side * side, 40);
    let mut components = Components::new(side, side, Connectivity::Four, &standable);
    let mut rng = rng(5);
    for edit in 0..10_000 {
        toggle(&mut components, &mut standable, rng.random_range(0..side * side));
        if edit % 2_000 == 1_999 {
            check(&components, &standable);
        }
    }
}

#[test]
fn the_ring_decides_as_a_flood_fill_of_three_by_three() {
    for connectivity in [Connectivity::Four, Connectivity::Eight] {
        for around in 0..=255_u8 {
            let mut square: Vec<u8> = (0..8).map(|bit| around >> bit & 1).collect();
            square.insert(4, 0);
            let (labels, _) = flood_fill(3, connectivity, &square);
            let beside: &[usize] = match connectivity {
                Connectivity::Four => &[1, 3, 5, 7],
                Connectivity::Eight => &[0, 1, 2, 3, 5, 6, 7, 8],
            };
            let mut parts: Vec<u32> = beside.iter().map(|&at| labels[at]).collect();
            parts.retain(|&label| label != 0);
            parts.sort_unstable();
            parts.dedup();
            let expected = parts.len() == 1;
            assert_eq!(block::stay_connected(connectivity, around), expected, "{around:08b}");
        }
    }
}
