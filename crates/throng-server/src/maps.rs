//! Maps that queries name: uploaded ones, and those of worlds. A bounded number is kept, with
//! searches that are ready.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use throng::Pathfinder;
use throng::model::{Map, MovementProfile};

use crate::error::Refusal;

/// Most maps, and most cells of all of them.
const MAPS_MAX: usize = 16;
const CELLS_MAX: usize = 16 << 20;
/// Most searches that are kept ready, and most cells of their maps.
const FINDERS_MAX: usize = 8;
const FINDER_CELLS_MAX: usize = 8 << 20;

/// Identifies one content of a map, and how it is searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MapKey {
    /// The id of an uploaded map, or the name of a world.
    pub(crate) id: String,
    /// Differs between any two contents of a world's map.
    pub(crate) edition: u64,
    pub(crate) is_exact: bool,
}

/// The maps and the searches.
#[derive(Default)]
pub(crate) struct Maps {
    uploaded: Mutex<Uploaded>,
    finders: Mutex<VecDeque<Kept>>,
}

#[derive(Default)]
struct Uploaded {
    maps: BTreeMap<String, Arc<Map>>,
    next: u32,
}

struct Kept {
    key: MapKey,
    movement: MovementProfile,
    finder: Box<Pathfinder>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn cells(map: &Map) -> usize {
    map.terrain().len()
}

impl Maps {
    /// Keeps a map; gives its id.
    pub(crate) fn add(&self, map: Map) -> Result<String, Refusal> {
        let mut uploaded = lock(&self.uploaded);
        let kept: usize = uploaded.maps.values().map(|map| cells(map)).sum();
        if uploaded.maps.len() >= MAPS_MAX || kept + cells(&map) > CELLS_MAX {
            return Err(Refusal::conflict(format!(
                "at most {MAPS_MAX} maps of {CELLS_MAX} cells in all; delete one first"
            )));
        }
        uploaded.next += 1;
        let id = format!("map-{}", uploaded.next);
        uploaded.maps.insert(id.clone(), Arc::new(map));
        Ok(id)
    }

    pub(crate) fn get(&self, id: &str) -> Result<Arc<Map>, Refusal> {
        let found = lock(&self.uploaded).maps.get(id).cloned();
        found.ok_or_else(|| Refusal::missing(format!("no map {id:?}; upload it to /v1/maps first")))
    }

    pub(crate) fn remove(&self, id: &str) -> Result<(), Refusal> {
        self.get(id)?;
        lock(&self.uploaded).maps.remove(id);
        lock(&self.finders).retain(|kept| kept.key.id != id);
        Ok(())
    }

    pub(crate) fn list(&self) -> Vec<(String, Arc<Map>)> {
        lock(&self.uploaded).maps.iter().map(|(id, map)| (id.clone(), map.clone())).collect()
    }

    /// A search over a map, used before if there is one. [`keep`](Self::keep) takes it back.
    pub(crate) fn finder(
        &self,
        key: &MapKey,
        movement: &MovementProfile,
    ) -> Option<Box<Pathfinder>> {
        let mut finders = lock(&self.finders);
        let same = |kept: &Kept| kept.key == *key && kept.movement == *movement;
        let index = finders.iter().position(same)?;
        finders.remove(index).map(|kept| kept.finder)
    }

    /// Keeps a search for the next query. Those that were not used for longest are dropped.
    pub(crate) fn keep(&self, key: MapKey, movement: MovementProfile, finder: Box<Pathfinder>) {
        let mut finders = lock(&self.finders);
        finders.push_front(Kept { key, movement, finder });
        let mut left = FINDER_CELLS_MAX;
        let fits = |kept: &Kept| {
            let size = cells(kept.finder.map());
            let fits = size <= left;
            left = left.saturating_sub(size);
            fits
        };
        let fitting = finders.iter().map(fits).take_while(|&fits| fits).count();
        finders.truncate(fitting.min(FINDERS_MAX));
    }
}
