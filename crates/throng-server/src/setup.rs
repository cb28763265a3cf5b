//! The beginning of a world: map, kinds of units, units with their errands, and what happens by
//! itself afterwards.

use throng::model::{Building, Cell, CornerRule, Map, MovementProfile, TerrainId};

/// A kind of unit that can be spawned.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    pub(crate) name: String,
    pub(crate) movement: MovementProfile,
}

/// A building, with the cells to draw.
#[derive(Clone, Debug)]
pub(crate) struct SetupBuilding {
    /// Its number in the world.
    pub(crate) id: u32,
    pub(crate) building: Building,
    pub(crate) cells: Vec<Cell>,
}

/// Where a unit begins.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    At(Cell),
    /// In the building of this number.
    Inside(usize),
}

/// What a unit is sent to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Errand {
    Rest,
    Go(Cell),
    /// To the building of this number.
    Enter(usize),
}

/// One unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetupUnit {
    pub(crate) place: Place,
    pub(crate) profile: usize,
    pub(crate) team: u8,
    pub(crate) errand: Errand,
}

/// What units do after they have arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Traffic {
    /// They stay.
    Once,
    /// They go back to where they came from, and so on, after a rest of some ticks.
    Shuttle { rest: u32 },
}

/// An edit of the map at a tick.
#[derive(Clone, Debug)]
pub(crate) struct ScriptedEdit {
    pub(crate) tick: u32,
    pub(crate) cells: Vec<Cell>,
    pub(crate) terrain: TerrainId,
}

/// The beginning of a world.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) scenario: String,
    pub(crate) name: String,
    pub(crate) map: Map,
    pub(crate) profiles: Vec<Profile>,
    pub(crate) teams: Vec<String>,
    pub(crate) buildings: Vec<SetupBuilding>,
    pub(crate) units: Vec<SetupUnit>,
    pub(crate) traffic: Traffic,
    /// In order of ticks.
    pub(crate) script: Vec<ScriptedEdit>,
}

/// The kinds of units that every world offers: name, cells per side, ticks per step.
const KINDS: [(&str, u8, u8); 5] =
    [("scout", 1, 1), ("wagon", 2, 1), ("giant", 3, 2), ("porter", 1, 2), ("tower", 4, 3)];

/// The kinds of units that every world offers.
pub(crate) fn profiles() -> Vec<Profile> {
    let profile = |&(name, footprint, pace): &(&str, u8, u8)| Profile {
        name: name.to_owned(),
        movement: MovementProfile {
            corners: CornerRule::NeverCut,
            footprint,
            pace,
            ..MovementProfile::eight_connected()
        },
    };
    KINDS.iter().map(profile).collect()
}

/// The teams that every world offers.
pub(crate) fn teams() -> Vec<String> {
    ["west", "east", "north", "south"].map(str::to_owned).to_vec()
}
