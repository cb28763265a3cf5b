//! The levels above the blocks of cells: each block is four of the level below, joined.

use super::Connectivity;
use super::block::{Runs, SIDE, assign_label};

/// All blocks of one size.
#[derive(Clone, Debug)]
pub(super) struct Level {
    /// Blocks per row.
    pub(super) across: usize,
    /// Cells per side of a block.
    side: usize,
    pub(super) nodes: Vec<Node>,
    /// How many blocks the levels below have.
    pub(super) first_number: u32,
    rim_length: usize,
    /// The labels along the four sides of each block, 0 for none: north and south from west
    /// to east, east and west from north to south. The topmost block needs none.
    rims: Vec<u16>,
}

/// The components of a block. A component's label is its index in the arrays plus one; those
/// that reach the rim come first.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    /// How many components reach the rim.
    pub(super) open: u16,
    /// Cells of each component.
    pub(super) sizes: Vec<u32>,
    /// The label in the block above, for each component that reaches the rim.
    pub(super) up: Vec<u16>,
}

impl Node {
    /// How many components are complete here: no block above has a label for them.
    pub(super) fn complete(&self, is_top: bool) -> usize {
        self.sizes.len() - if is_top { 0 } else { usize::from(self.open) }
    }
}

/// Memory for relabelling a block, reused between edits.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    pub(super) runs: Runs,
    /// The sizes of the block that was relabelled last, as they were before.
    pub(super) old_sizes: Vec<u32>,
    roots: Vec<u16>,
    names: Vec<u16>,
}

const NORTH: usize = 0;
const EAST: usize = 1;
const SOUTH: usize = 2;
const WEST: usize = 3;

/// Where the four blocks below (north-west, north-east, south-west, south-east) touch: pairs of
/// block and side.
const SEAMS: [[(usize, usize); 2]; 4] = [
    [(0, EAST), (1, WEST)],
    [(2, EAST), (3, WEST)],
    [(0, SOUTH), (2, NORTH)],
    [(1, SOUTH), (3, NORTH)],
];

/// The rim of the joined block as sides of the four blocks below, in the order of
/// [`Level::rims`].
const OUTSIDE: [(usize, usize); 8] =
    [(0, NORTH), (1, NORTH), (1, EAST), (3, EAST), (2, SOUTH), (3, SOUTH), (0, WEST), (2, WEST)];

/// The levels over a grid, nothing joined yet.
pub(super) fn levels(width: u32, height: u32) -> Vec<Level> {
    let (mut across, mut down) =
        ((width as usize).div_ceil(SIDE), (height as usize).div_ceil(SIDE));
    let mut side = SIDE;
    let mut levels = Vec::new();
    let mut first_number = 0;
    while across * down > 1 {
        let count = across * down;
        levels.push(Level::new(across, count, side, 4 * side, first_number));
        first_number += count as u32;
        (across, down, side) = (across.div_ceil(2), down.div_ceil(2), side * 2);
    }
    levels.push(Level::new(1, 1, side, 0, first_number));
    levels
}

impl Level {
    fn new(across: usize, count: usize, side: usize, rim_length: usize, first_number: u32) -> Self {
        let nodes = vec![Node::default(); count];
        let rims = vec![0; count * rim_length];
        Self { across, side, nodes, first_number, rim_length, rims }
    }

    /// The index of a block's parent in the level above.
    pub(super) fn parent(&self, node: usize) -> usize {
        node / self.across / 2 * self.across.div_ceil(2) + node % self.across / 2
    }

    /// The up to four blocks below a block of the next level.
    fn children(&self, parent: usize) -> [Option<usize>; 4] {
        let across_above = self.across.div_ceil(2);
        let (x, y) = (parent % across_above * 2, parent / across_above * 2);
        [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)].map(|(x, y)| {
            let node = y * self.across + x;
            (x < self.across && node < self.nodes.len()).then_some(node)
        })
    }

    pub(super) fn node_and_rim(&mut self, node: usize) -> (&mut Node, &mut [u16]) {
        let from = node * self.rim_length;
        (&mut self.nodes[node], &mut self.rims[from..from + self.rim_length])
    }

    fn rim(&self, node: usize, side: usize) -> &[u16] {
        let from = node * self.rim_length + side * self.side;
        &self.rims[from..from + self.side]
    }
}

/// Joins the four blocks of `lower` that form a block of `upper`. Returns whether its rim changed.
pub(super) fn join(
    lower: &mut Level,
    upper: &mut Level,
    node: usize,
    connectivity: Connectivity,
    buffers: &mut Buffers,
) -> bool {
    let children = lower.children(node);
    let mut parts = 0;
    let firsts = children.map(|child| {
        let first = parts;
        parts += child.map_or(0, |child| lower.nodes[child].open);
        first
    });
    let siblings = Siblings { children, firsts };
    buffers.roots.clear();
    buffers.roots.extend(0..parts);
    siblings.join_seams(lower, connectivity, &mut buffers.roots);
    for part in 0..usize::from(parts) {
        buffers.roots[part] = buffers.roots[usize::from(buffers.roots[part])];
    }
    let (joined, rim) = upper.node_and_rim(node);
    std::mem::swap(&mut joined.sizes, &mut buffers.old_sizes);
    buffers.names.clear();
    buffers.names.resize(usize::from(parts), 0);
    let mut named = 0;
    let changed = siblings.label_rim(lower, buffers, &mut named, rim);
    joined.open = named;
    for &root in &buffers.roots {
        assign_label(&mut buffers.names[usize::from(root)], &mut named);
    }
    joined.sizes.clear();
    joined.sizes.resize(usize::from(named), 0);
    siblings.write_parent_labels(lower, buffers, &mut joined.sizes);
    changed
}

/// Four blocks that are joined.
struct Siblings {
    children: [Option<usize>; 4],
    /// The index of each child's first component in the arrays for all four.
    firsts: [u16; 4],
}

impl Siblings {
    /// Unites the components that touch across the seams.
    fn join_seams(&self, lower: &Level, connectivity: Connectivity, roots: &mut [u16]) {
        for [(a, a_side), (b, b_side)] in SEAMS {
            let (Some(a_node), Some(b_node)) = (self.children[a], self.children[b]) else {
                continue;
            };
            let (a_rim, b_rim) = (lower.rim(a_node, a_side), lower.rim(b_node, b_side));
            let mut unite = |a_part, b_part| {
                unite(roots, self.firsts[a] + a_part - 1, self.firsts[b] + b_part - 1);
            };
            join_seam(a_rim, b_rim, &mut unite);
            if connectivity == Connectivity::Eight {
                join_seam(&a_rim[1..], b_rim, &mut unite);
                join_seam(a_rim, &b_rim[1..], &mut unite);
            }
        }
        if connectivity == Connectivity::Eight {
            self.join_centre(lower, roots);
        }
    }

    /// Unites components that touch at the centre, where opposite blocks meet at a corner.
    fn join_centre(&self, lower: &Level, roots: &mut [u16]) {
        let last = lower.side - 1;
        for [(a, at_a), (b, at_b)] in [[(0, last), (3, 0)], [(1, 0), (2, last)]] {
            let part = |child: usize, side, at: usize| {
                let name = lower.rim(self.children[child]?, side)[at];
                (name != 0).then(|| self.firsts[child] + name - 1)
            };
            if let Some((a, b)) = part(a, SOUTH, at_a).zip(part(b, NORTH, at_b)) {
                unite(roots, a, b);
            }
        }
    }

    /// Labels the components on the rim of the joined block in the order in which they appear
    /// there, and writes the rim. Returns whether it changed.
    fn label_rim(
        &self,
        lower: &Level,
        buffers: &mut Buffers,
        named: &mut u16,
        rim: &mut [u16],
    ) -> bool {
        let mut changed = false;
        for (target, (child, side)) in rim.chunks_exact_mut(lower.side).zip(OUTSIDE) {
            let Some(node) = self.children[child] else { continue };
            let first = usize::from(self.firsts[child]);
            for (old, &part) in target.iter_mut().zip(lower.rim(node, side)) {
                let mut new = 0;
                if part != 0 {
                    let root = buffers.roots[first + usize::from(part) - 1];
                    let slot = &mut buffers.names[usize::from(root)];
                    assign_label(slot, named);
                    new = *slot;
                }
                changed |= *old != new;
                *old = new;
            }
        }
        changed
    }

    /// Writes the labels of the joined block into the four blocks, and adds up the sizes.
    fn write_parent_labels(&self, lower: &mut Level, buffers: &Buffers, sizes: &mut [u32]) {
        for (child, first) in self.children.iter().zip(self.firsts) {
            let Some(node) = child.map(|child| &mut lower.nodes[child]) else { continue };
            let parts = usize::from(first)..usize::from(first) + usize::from(node.open);
            let roots = buffers.roots[parts].iter();
            node.up.clear();
            node.up.extend(roots.map(|&root| buffers.names[usize::from(root)]));
            for (&name, &size) in node.up.iter().zip(&node.sizes) {
                sizes[usize::from(name) - 1] += size;
            }
        }
    }
}

/// Unites the components that face each other across a seam. Repetitions in a row are skipped.
fn join_seam(a_rim: &[u16], b_rim: &[u16], unite: &mut impl FnMut(u16, u16)) {
    let mut last = (0, 0);
    for (&a, &b) in a_rim.iter().zip(b_rim) {
        if a != 0 && b != 0 && (a, b) != last {
            unite(a, b);
            last = (a, b);
        }
    }
}

/// The smallest item that is united with an item (union-find with path halving).
fn find(roots: &mut [u16], item: u16) -> u16 {
    let mut item = usize::from(item);
    while usize::from(roots[item]) != item {
        roots[item] = roots[usize::from(roots[item])];
        item = usize::from(roots[item]);
    }
    item as u16
}

/// Unites two items and all that are united with them.
pub(super) fn unite(roots: &mut [u16], a: u16, b: u16) {
    let (a, b) = (find(roots, a), find(roots, b));
    roots[usize::from(a.max(b))] = a.min(b);
}
