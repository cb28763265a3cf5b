//! When each part of a scene last changed. A cache entry compares its own revision with this, so
//! that no edit has to search through the cache.

use crate::{Level, Point, SceneChange, ValidScene};
use throng_model::Revision;

/// Most squares along a side of a level.
const SQUARES_MAX: f64 = 256.0;

/// The revision of the last change, per square of each level.
#[derive(Clone, Debug)]
pub(crate) struct ChangeMap {
    square: f64,
    columns: usize,
    rows: usize,
    changed: Vec<Revision>,
    /// How far from a change a step can begin and still be affected by it, in units.
    margin: f64,
    now: Revision,
}

impl ChangeMap {
    pub(crate) fn new(scene: &ValidScene, margin: f64) -> Self {
        let square = (scene.width().max(scene.height()) / SQUARES_MAX).max(0.5);
        let columns = (scene.width() / square) as usize + 1;
        let rows = (scene.height() / square) as usize + 1;
        let changed = vec![Revision(0); columns * rows * scene.levels().count()];
        Self { square, columns, rows, changed, margin, now: scene.revision() }
    }

    /// The latest revision that was applied.
    pub(crate) fn now(&self) -> Revision {
        self.now
    }

    pub(crate) fn apply(&mut self, change: &SceneChange) {
        self.now = change.after;
        let bounds = change.bounds.grown(self.margin);
        let (left, bottom) = self.square_of(bounds.min);
        let (right, top) = self.square_of(bounds.max);
        for row in bottom..=top {
            let first = (change.level.index() * self.rows + row) * self.columns;
            if let Some(squares) = self.changed.get_mut(first + left..=first + right) {
                squares.fill(change.after);
            }
        }
    }

    /// Whether nothing changed near a point since a revision.
    pub(crate) fn is_unchanged(&self, at: Point, level: Level, since: Revision) -> bool {
        let (column, row) = self.square_of(at);
        let square = (level.index() * self.rows + row) * self.columns + column;
        self.changed.get(square).is_some_and(|changed| *changed <= since)
    }

    fn square_of(&self, at: Point) -> (usize, usize) {
        // The cast turns negative coordinates into 0.
        let column = (at.x / self.square) as usize;
        let row = (at.y / self.square) as usize;
        (column.min(self.columns - 1), row.min(self.rows - 1))
    }
}
