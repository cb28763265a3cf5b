//! Starts and tasks in the manner of the League of Robot Runners.

use rand::RngExt;
use throng_model::limits::UNITS_MAX;
use throng_model::{CellIndex, Map, MovementProfile};

use super::GenerateError;
use super::components::Components;
use super::grid::rng;

/// Distinct starts for units, and goals of tasks, on the largest connected part of a map: every
/// unit can reach every goal by straight steps. A goal is never equal to the one before it.
///
/// # Errors
/// When there is no room for all units.
pub fn lorr(
    map: &Map,
    units: usize,
    tasks: usize,
    seed: u64,
) -> Result<(Vec<CellIndex>, Vec<CellIndex>), GenerateError> {
    if units > UNITS_MAX {
        return Err(GenerateError::UnitLimit(units));
    }
    let factors = MovementProfile::four_connected().factors(map);
    let terrain = map.terrain().iter();
    let free: Vec<bool> = terrain.map(|class| factors[class.get()].is_some()).collect();
    let components = Components::new(usize::from(map.width()), &free);
    let largest = components.largest().ok_or(GenerateError::NothingFree)?;
    let labels = components.labels.iter().enumerate();
    let inside = labels.filter(|&(_, &label)| label == largest);
    let mut cells: Vec<CellIndex> = inside.map(|(index, _)| CellIndex(index as u32)).collect();
    if cells.len() < units {
        return Err(GenerateError::TooManyUnits { asked: units, placed: cells.len() });
    }
    let mut rng = rng(seed);
    let mut goals: Vec<CellIndex> = Vec::with_capacity(tasks);
    while goals.len() < tasks {
        let drawn = cells[rng.random_range(0..cells.len() as u32) as usize];
        if cells.len() == 1 || goals.last() != Some(&drawn) {
            goals.push(drawn);
        }
    }
    for place in 0..units {
        let other = rng.random_range(place as u32..cells.len() as u32);
        cells.swap(place, other as usize);
    }
    cells.truncate(units);
    Ok((cells, goals))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn starts_are_distinct_and_all_cells_are_connected() {
        let map = generate::random(20, 12, 30, 4).unwrap();
        let (starts, goals) = lorr(&map, 50, 300, 7).unwrap();
        assert_eq!((starts.len(), goals.len()), (50, 300));
        let mut distinct = starts.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), 50);
        // A generated map is connected: every free cell will do.
        let is_free = |at: &CellIndex| map.class_at(map.cell(*at)).unwrap().factor.is_some();
        assert!(starts.iter().chain(&goals).all(is_free));
        assert!(goals.windows(2).all(|pair| pair[0] != pair[1]));
        assert_eq!(lorr(&map, 50, 300, 7).unwrap(), (starts, goals.clone()));
        assert_ne!(lorr(&map, 50, 300, 8).unwrap().1, goals);
    }

    #[test]
    fn too_many_units_are_refused() {
        let map = Map::empty(3, 3).unwrap();
        assert_eq!(lorr(&map, 9, 1, 1).unwrap().0.len(), 9);
        let error = GenerateError::TooManyUnits { asked: 10, placed: 9 };
        assert_eq!(lorr(&map, 10, 1, 1), Err(error));
    }
}
