//! One field for all units that go to the same place.

use std::sync::Arc;

use throng_model::Cell;

use crate::{Field, FieldSearch, Ground, QueryError};

/// The fields in use, up to a limit; the one unused longest makes room for a new one. Units
/// that move differently, and so have grounds of their own, can share it.
///
/// Which fields are kept depends only on the order of the questions, and what a field says
/// on nothing but ground and goals, so every machine gives the same answers.
///
/// ```
/// use std::sync::Arc;
/// use throng_model::{Cell, Map, MovementProfile};
/// use throng_grid::{Ground, SharedFields};
/// let ground = Ground::new(&Map::empty(40, 30)?, MovementProfile::eight_connected())?;
/// let mut fields = SharedFields::new(16);
/// let first = fields.get(&ground, &[Cell::new(5, 5), Cell::new(6, 5)])?;
/// let second = fields.get(&ground, &[Cell::new(6, 5), Cell::new(5, 5)])?;
/// assert!(Arc::ptr_eq(&first, &second));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SharedFields {
    capacity: usize,
    search: FieldSearch,
    /// The one used last is last.
    fields: Vec<(Vec<Cell>, Arc<Field>)>,
}

impl SharedFields {
    /// Room for `capacity` fields, at least one.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { capacity: capacity.max(1), search: FieldSearch::default(), fields: Vec::new() }
    }

    /// The field of these goals, computed if it is not there or the ground has changed.
    ///
    /// # Errors
    /// When there is no goal on which a unit can stand.
    pub fn get(&mut self, ground: &Ground, goals: &[Cell]) -> Result<Arc<Field>, QueryError> {
        let mut key = goals.to_vec();
        key.sort_unstable();
        key.dedup();
        let mut known = self.fields.iter();
        let known = known.position(|(goals, field)| *goals == key && field.is_current(ground));
        let field = match known.map(|index| self.fields.remove(index)) {
            Some((_, field)) => field,
            None => Arc::new(self.search.compute(ground, &key)?),
        };
        self.fields.push((key, Arc::clone(&field)));
        if self.fields.len() > self.capacity {
            let (_, unused) = self.fields.remove(0);
            self.recycle(unused);
        }
        Ok(field)
    }

    /// How many fields are kept now.
    #[must_use]
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Whether no field is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    fn recycle(&mut self, field: Arc<Field>) {
        if let Some(field) = Arc::into_inner(field) {
            self.search.recycle(field);
        }
    }
}
