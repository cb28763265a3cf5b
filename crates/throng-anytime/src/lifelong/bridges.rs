//! Bridges: the steps that lie on no ring.
//!
//! R. E. Tarjan, "A note on finding the bridges of a graph" (1974). PIBT brings every unit to its
//! goal where every step lies on a ring. Only at bridges do units have to exchange places, so
//! only there is swap of use. Elsewhere it costs throughput: two queues that meet in an aisle
//! sort themselves out by priority.

use crate::{Graph, Vertex};

const UNSEEN: u32 = u32::MAX;

/// A position on the path of the depth-first search.
struct Frame {
    at: Vertex,
    from: Vertex,
    /// The next neighbour to look at.
    side: usize,
}

/// The bridges: a bit per neighbour, by position.
pub(super) fn bridges(graph: &Graph) -> Vec<u8> {
    let mut search = Search {
        graph,
        numbers: vec![UNSEEN; graph.len()],
        lows: vec![UNSEEN; graph.len()],
        count: 0,
        bridges: vec![0; graph.len()],
    };
    for root in 0..graph.len() as u32 {
        if search.numbers[root as usize] == UNSEEN {
            search.run(Vertex(root));
        }
    }
    search.bridges
}

struct Search<'g> {
    graph: &'g Graph,
    /// Positions in the order in which they were seen.
    numbers: Vec<u32>,
    /// The lowest number that is reached from here without the step that led here.
    lows: Vec<u32>,
    count: u32,
    bridges: Vec<u8>,
}

impl Search<'_> {
    fn run(&mut self, root: Vertex) {
        let mut path = vec![self.enter(root, Vertex::NONE)];
        while let Some(top) = path.last_mut() {
            let Frame { at, from, side } = *top;
            top.side += 1;
            match self.graph.neighbours(at).get(side) {
                Some(&to) if to == from => {}
                Some(&to) if self.numbers[to.get()] == UNSEEN => path.push(self.enter(to, at)),
                Some(&to) => self.lower(at, self.numbers[to.get()]),
                None => {
                    path.pop();
                    self.leave(at, from);
                }
            }
        }
    }

    fn enter(&mut self, at: Vertex, from: Vertex) -> Frame {
        self.numbers[at.get()] = self.count;
        self.lows[at.get()] = self.count;
        self.count += 1;
        Frame { at, from, side: 0 }
    }

    fn lower(&mut self, at: Vertex, low: u32) {
        self.lows[at.get()] = self.lows[at.get()].min(low);
    }

    fn leave(&mut self, at: Vertex, from: Vertex) {
        if from == Vertex::NONE {
            return;
        }
        let low = self.lows[at.get()];
        self.lower(from, low);
        if low > self.numbers[from.get()] {
            self.mark(at, from);
            self.mark(from, at);
        }
    }

    fn mark(&mut self, at: Vertex, to: Vertex) {
        let side = self.graph.neighbours(at).iter().position(|&neighbour| neighbour == to);
        self.bridges[at.get()] |= side.map_or(0, |side| 1 << side);
    }
}

#[cfg(test)]
mod tests {
    use throng_model::{Map, MovementProfile};
    use throng_testkit::case;

    use super::*;

    /// How many positions are connected with the first one if a step is taken out.
    fn reached(graph: &Graph, from: Vertex, without: (Vertex, Vertex)) -> usize {
        let mut seen = vec![false; graph.len()];
        let mut queue = vec![from];
        seen[from.get()] = true;
        let mut next = 0;
        while let Some(&at) = queue.get(next) {
            next += 1;
            for &to in graph.neighbours(at) {
                let is_out = without == (at, to) || without == (to, at);
                if !is_out && !seen[to.get()] {
                    seen[to.get()] = true;
                    queue.push(to);
                }
            }
        }
        queue.len()
    }

    fn check(map: &Map, movement: &MovementProfile) {
        let graph = Graph::new(map, movement).unwrap();
        let nothing = (Vertex::NONE, Vertex::NONE);
        for (number, bits) in bridges(&graph).into_iter().enumerate() {
            let at = Vertex(number as u32);
            for (side, &to) in graph.neighbours(at).iter().enumerate() {
                let connects = reached(&graph, at, (at, to)) < reached(&graph, at, nothing);
                assert_eq!(bits >> side & 1 != 0, connects, "{at:?} to {to:?} of {map:?}");
            }
        }
    }

    #[test]
    fn bridges_are_the_steps_that_connect() {
        for seed in 0..150 {
            let case = case(seed);
            check(&case.map, &MovementProfile { footprint: 1, ..case.movement });
        }
    }
}
