//! Buildings that units leave and enter (Xu & Zou, section 3: "building game object").

use crate::Cell;

/// A building or transporter with doors. Units leave by any exit and enter by any entrance;
/// the search chooses which.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Building {
    /// The name shown to users: `barracks A`.
    pub name: String,
    /// Cells outside on which a unit appears when it leaves.
    pub exits: Vec<Cell>,
    /// Cells outside from which a unit goes in.
    pub entrances: Vec<Cell>,
}

impl Building {
    /// A building whose doors serve both ways.
    #[must_use]
    pub fn with_doors(name: &str, doors: Vec<Cell>) -> Self {
        Self { name: name.to_owned(), exits: doors.clone(), entrances: doors }
    }
}
