//! How the model's words are written: mirrors of its types, so that what is stored does not
//! change when they do without anybody noticing.

use serde::{Deserialize, Serialize};
use throng_cooperative::{CrewOptions, Stance};
use throng_model::{
    Building, Cell, Conflicts, CornerRule, DiagonalCost, Factor, MovementProfile, Neighbours, Rect,
    TerrainClass, TerrainId, TerrainOverride, UnitId,
};
use throng_spacetime::Meeting;

use crate::{BuildingId, Event, Order, Spawn, UnitStatus};

#[derive(Serialize, Deserialize)]
#[serde(remote = "Cell")]
pub(crate) struct CellMirror {
    x: u16,
    y: u16,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Rect")]
pub(crate) struct RectMirror {
    #[serde(with = "CellMirror")]
    origin: Cell,
    width: u16,
    height: u16,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "UnitId")]
pub(crate) struct UnitIdMirror(u32);

#[derive(Serialize, Deserialize)]
#[serde(remote = "TerrainId")]
pub(crate) struct TerrainIdMirror(u8);

#[derive(Serialize, Deserialize)]
#[serde(remote = "BuildingId")]
pub(crate) struct BuildingIdMirror(u32);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Neighbours")]
enum NeighboursMirror {
    Four,
    Eight,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "CornerRule")]
enum CornerRuleMirror {
    NeverCut,
    OneSideFree,
    AlwaysCut,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DiagonalCost")]
enum DiagonalCostMirror {
    TrueLength,
    OneTick,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "MovementProfile")]
pub(crate) struct MovementMirror {
    #[serde(with = "NeighboursMirror")]
    neighbours: Neighbours,
    #[serde(with = "CornerRuleMirror")]
    corners: CornerRule,
    #[serde(with = "DiagonalCostMirror")]
    diagonal: DiagonalCost,
    footprint: u8,
    pace: u8,
    #[serde(with = "List::<OneOverride>")]
    terrain: Vec<TerrainOverride>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "TerrainOverride")]
struct TerrainOverrideMirror {
    #[serde(with = "TerrainIdMirror")]
    terrain: TerrainId,
    #[serde(with = "factor")]
    factor: Option<Factor>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "TerrainClass")]
pub(crate) struct TerrainClassMirror {
    name: String,
    symbol: char,
    #[serde(with = "factor")]
    factor: Option<Factor>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Building")]
pub(crate) struct BuildingMirror {
    name: String,
    #[serde(with = "List::<OneCell>")]
    exits: Vec<Cell>,
    #[serde(with = "List::<OneCell>")]
    entrances: Vec<Cell>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Order")]
pub(crate) enum OrderMirror {
    Stop,
    Hold,
    GoTo(#[serde(with = "List::<OneCell>")] Vec<Cell>),
    Enter(#[serde(with = "BuildingIdMirror")] BuildingId),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "UnitStatus")]
pub(crate) enum StatusMirror {
    Idle,
    Holding,
    Routing,
    Going,
    Arrived,
    Unreachable,
    Inside(#[serde(with = "BuildingIdMirror")] BuildingId),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Spawn")]
pub(crate) struct SpawnMirror {
    #[serde(with = "MovementMirror")]
    movement: MovementProfile,
    level: u8,
    window: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Stance")]
pub(crate) enum StanceMirror {
    Going,
    Resting,
    Holding,
    MakingWay,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "CrewOptions")]
pub(crate) struct CrewOptionsMirror {
    promotion: bool,
    interleaved: bool,
    resting_yield: bool,
    patience_windows: u32,
    promotion_windows: u32,
    complete: bool,
    toll_max: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Meeting")]
pub(crate) enum MeetingMirror {
    ExplicitTest,
    DoubleClaims,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Conflicts")]
pub(crate) struct ConflictsMirror {
    swap: bool,
    crossing: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Event")]
enum EventMirror {
    Arrived {
        #[serde(with = "UnitIdMirror")]
        unit: UnitId,
        #[serde(with = "CellMirror")]
        at: Cell,
    },
    Blocked {
        #[serde(with = "UnitIdMirror")]
        unit: UnitId,
    },
    Overridden {
        #[serde(with = "UnitIdMirror")]
        unit: UnitId,
        #[serde(with = "UnitIdMirror")]
        by: UnitId,
    },
    Promoted {
        #[serde(with = "UnitIdMirror")]
        unit: UnitId,
    },
    MakingWay {
        #[serde(with = "UnitIdMirror")]
        unit: UnitId,
        #[serde(with = "UnitIdMirror")]
        for_unit: UnitId,
    },
    Rerouted {
        #[serde(with = "UnitIdMirror")]
        unit: UnitId,
    },
    Unreachable {
        #[serde(with = "UnitIdMirror")]
        unit: UnitId,
    },
    Entered {
        #[serde(with = "UnitIdMirror")]
        unit: UnitId,
        #[serde(with = "BuildingIdMirror")]
        building: BuildingId,
    },
    Left {
        #[serde(with = "UnitIdMirror")]
        unit: UnitId,
        #[serde(with = "BuildingIdMirror")]
        building: BuildingId,
        #[serde(with = "CellMirror")]
        at: Cell,
    },
}

/// One of something that has a mirror, for lists and options of it.
macro_rules! ones {
    ($($one:ident, $whole:ty, $mirror:literal;)*) => {$(
        #[derive(Serialize, Deserialize)]
        pub(crate) struct $one(#[serde(with = $mirror)] $whole);

        impl From<$whole> for $one {
            fn from(whole: $whole) -> Self {
                Self(whole)
            }
        }

        impl From<$one> for $whole {
            fn from(one: $one) -> Self {
                one.0
            }
        }
    )*};
}

ones! {
    OneCell, Cell, "CellMirror";
    OneUnit, UnitId, "UnitIdMirror";
    OneOverride, TerrainOverride, "TerrainOverrideMirror";
    OneClass, TerrainClass, "TerrainClassMirror";
    OneContainer, Building, "BuildingMirror";
    OneMovement, MovementProfile, "MovementMirror";
    OneOrder, Order, "OrderMirror";
    OneEvent, Event, "EventMirror";
}

/// Lists of something that has a mirror.
pub(crate) struct List<One>(std::marker::PhantomData<One>);

impl<One> List<One> {
    pub(crate) fn serialize<T, S>(list: &[T], serializer: S) -> Result<S::Ok, S::Error>
    where
        T: Clone,
        One: From<T> + Serialize,
        S: serde::Serializer,
    {
        serializer.collect_seq(list.iter().cloned().map(One::from))
    }

    pub(crate) fn deserialize<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
    where
        T: From<One>,
        One: Deserialize<'de>,
        D: serde::Deserializer<'de>,
    {
        let ones = Vec::<One>::deserialize(deserializer)?;
        Ok(ones.into_iter().map(T::from).collect())
    }
}

/// A terrain factor as a byte, 0 for none.
mod factor {
    use serde::{Deserialize, Deserializer, Serializer};
    use throng_model::Factor;

    pub(super) fn serialize<S: Serializer>(
        factor: &Option<Factor>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(factor.map_or(0, Factor::get))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Factor>, D::Error> {
        Ok(Factor::new(i64::from(u8::deserialize(deserializer)?)).ok())
    }
}
