//! How many units find room in a building, and who is inside.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use throng_model::BuildingId;

use crate::link::LinkId;
use crate::state::State;
use crate::unit::Doing;
use crate::{World, WorldError};

/// How many units find room in a building.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capacity {
    /// How many.
    pub units: u32,
    /// What happens to the others that were told to enter.
    pub when_full: WhenFull,
}

/// What happens to units that were told to enter a full building.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WhenFull {
    /// They wait at its door until there is room.
    Wait,
    /// They are [refused](crate::Event::Refused) at its door, and go on to their next order.
    Refuse,
}

impl World {
    /// Sets how many units find room in a building; `None` is any number. Units that are inside stay
    /// there, even if they are more.
    ///
    /// # Errors
    /// When there is no such building.
    pub fn set_capacity(
        &mut self,
        building: BuildingId,
        capacity: Option<Capacity>,
    ) -> Result<(), WorldError> {
        self.state.building(building)?;
        let capacities = &mut self.state.capacities;
        if capacities.len() <= building.index() {
            capacities.resize(building.index() + 1, None);
        }
        capacities[building.index()] = capacity;
        while capacities.last() == Some(&None) {
            capacities.pop();
        }
        Ok(())
    }

    /// How many units find room in a building; `None` is any number.
    #[must_use]
    pub fn capacity(&self, building: BuildingId) -> Option<Capacity> {
        self.state.capacity(building)
    }
}

impl State {
    pub(crate) fn capacity(&self, building: BuildingId) -> Option<Capacity> {
        self.building(building).ok()?;
        self.capacities.get(building.index()).copied().flatten()
    }

    /// Whether there is no room in a building.
    pub(crate) fn is_full(&self, building: BuildingId) -> bool {
        !Inside::default().has_room(self, building)
    }

    /// Whether there is no room in a link.
    pub(crate) fn is_link_full(&self, link: LinkId) -> bool {
        !Inside::default().has_room_in_link(self, link)
    }
}

/// How many units are in buildings and links with a capacity. They are counted when that is first
/// asked.
#[derive(Debug, Default)]
pub(crate) struct Inside {
    counts: Option<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    buildings: BTreeMap<BuildingId, u32>,
    links: BTreeMap<LinkId, u32>,
}

impl Inside {
    pub(crate) fn has_room(&mut self, state: &State, building: BuildingId) -> bool {
        state.capacity(building).is_none_or(|capacity| {
            let counts = self.counts.get_or_insert_with(|| Counts::of(state));
            counts.buildings.get(&building).copied().unwrap_or(0) < capacity.units
        })
    }

    pub(crate) fn has_room_in_link(&mut self, state: &State, link: LinkId) -> bool {
        state.link(link).and_then(|link| link.capacity).is_none_or(|capacity| {
            let counts = self.counts.get_or_insert_with(|| Counts::of(state));
            counts.links.get(&link).copied().unwrap_or(0) < capacity
        })
    }

    /// A unit has gone into a building.
    pub(crate) fn add(&mut self, building: BuildingId) {
        if let Some(counts) = &mut self.counts {
            *counts.buildings.entry(building).or_default() += 1;
        }
    }

    /// A unit has gone into a link.
    pub(crate) fn add_to_link(&mut self, link: LinkId) {
        if let Some(counts) = &mut self.counts {
            *counts.links.entry(link).or_default() += 1;
        }
    }
}

impl Counts {
    fn of(state: &State) -> Self {
        let mut counts = Self::default();
        for (_, record) in state.units.iter() {
            match record.activity.doing {
                Doing::Inside(building) => *counts.buildings.entry(building).or_default() += 1,
                Doing::Crossing(crossing) => *counts.links.entry(crossing.link).or_default() += 1,
                _ => {}
            }
        }
        counts
    }
}
