//! An open list for searches that are kept and resumed: one stack for each distinct priority.

/// A priority queue that is exact, and last in, first out among equals.
///
/// A search with true distances, or with a consistent heuristic, has nodes of only a few
/// different priorities open at once. Each priority has a stack, and the stacks are sorted.
/// This is faster than a heap. Unlike a ring of buckets, an empty queue takes almost no memory,
/// so that thousands of searches can be kept.
///
/// [`pop`](Self::pop) takes constant time; so does [`push`](Self::push) to a priority that
/// is open and among the 16 lowest. Pushing a new priority takes time linear in the number
/// of open priorities.
///
/// ```
/// use throng_grid::kit::LevelQueue;
/// let mut queue = LevelQueue::default();
/// for (priority, node) in [(7, 1), (5, 2), (5, 3)] {
///     queue.push(priority, node);
/// }
/// assert_eq!((queue.pop(), queue.pop(), queue.pop()), (Some(3), Some(2), Some(1)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct LevelQueue {
    /// Priority and stack, the least priority last.
    levels: Vec<(u64, u32)>,
    stacks: Vec<Vec<u32>>,
    /// Stacks that are not in use.
    free: Vec<u32>,
    len: usize,
}

impl LevelQueue {
    /// Empties the queue and keeps its memory.
    pub fn clear(&mut self) {
        for (_, stack) in self.levels.drain(..) {
            self.stacks[stack as usize].clear();
            self.free.push(stack);
        }
        self.len = 0;
    }

    /// How many entries it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a node.
    #[inline]
    pub fn push(&mut self, priority: u64, node: u32) {
        let at = self.place(priority);
        let stack = match self.levels.get(at) {
            Some(&(level, stack)) if level == priority => stack,
            _ => self.insert(at, priority),
        };
        self.stacks[stack as usize].push(node);
        self.len += 1;
    }

    /// The first level that is not above the priority: nearly always one of the last few.
    #[inline]
    fn place(&self, priority: u64) -> usize {
        let last_few = self.levels.len().saturating_sub(16);
        let mut at = self.levels.len();
        while at > last_few && self.levels[at - 1].0 <= priority {
            at -= 1;
        }
        if at == last_few {
            at = self.levels[..at].partition_point(|&(level, _)| level > priority);
        }
        at
    }

    fn insert(&mut self, at: usize, priority: u64) -> u32 {
        let stack = self.free.pop().unwrap_or_else(|| {
            self.stacks.push(Vec::new());
            self.stacks.len() as u32 - 1
        });
        self.levels.insert(at, (priority, stack));
        stack
    }

    /// Takes the newest of the nodes with the lowest priority.
    #[inline]
    pub fn pop(&mut self) -> Option<u32> {
        let &(_, stack) = self.levels.last()?;
        let node = self.stacks[stack as usize].pop();
        if self.stacks[stack as usize].is_empty() {
            self.levels.pop();
            self.free.push(stack);
        }
        self.len -= 1;
        node
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;

    #[test]
    fn the_least_comes_first_and_among_equals_the_latest() {
        let mut rng = throng_testkit::rng(7);
        let mut levels = LevelQueue::default();
        for spread in [1, 3, 40, 5000] {
            let mut naive: Vec<(u64, u32)> = Vec::new();
            for node in 0..4000 {
                if rng.random_range(0..5) < 3 {
                    let priority = rng.random_range(0..spread);
                    levels.push(priority, node);
                    naive.push((priority, node));
                } else {
                    let least = naive.iter().map(|&(priority, _)| priority).min();
                    let at = naive.iter().rposition(|&(p, _)| Some(p) == least);
                    assert_eq!(levels.pop(), at.map(|at| naive.remove(at).1));
                }
                assert_eq!(levels.len(), naive.len());
            }
            levels.clear();
            assert!(levels.is_empty());
            assert_eq!(levels.pop(), None);
        }
    }
}
