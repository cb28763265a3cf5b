//! Why a unit is not moving.

use std::fmt;

use throng_cooperative::Whereabouts;
use throng_model::{Cell, Tick, UnitId};
use throng_spacetime::{Action, Position, Space, TimedObstacles};

use crate::resident::{Resident, UnitStatus};
use crate::{BuildingId, World};

/// What a unit is doing, or why it does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is moving.
    Moving {
        /// To this cell next.
        to: Cell,
    },
    /// It has arrived.
    Arrived,
    /// It was told nothing.
    Idle,
    /// It was told to hold its ground.
    Holding,
    /// It waits for another unit to get out of the way.
    WaitingFor {
        /// For whom.
        unit: UnitId,
        /// Where that one is in the way.
        at: Cell,
    },
    /// It waits, and nobody in particular is in the way: its plan has it wait.
    Waiting,
    /// It rested where it could not step aside, and is out of another's way until that one is
    /// past.
    MakingWay {
        /// For whom.
        unit: UnitId,
    },
    /// There is no way to where it was told to go.
    Unreachable,
    /// There are walls all around it: it cannot get away from where it is.
    WalledIn,
    /// It waits for its turn to get a route: in the next tick, or later if budgets are small.
    Budget,
    /// It is in a building.
    Inside(BuildingId),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moving { to } => write!(f, "moving to {to}"),
            Self::Arrived => f.write_str("arrived"),
            Self::Idle => f.write_str("no order"),
            Self::Holding => f.write_str("told to hold"),
            Self::WaitingFor { unit, at } => write!(f, "waiting for {unit} at {at}"),
            Self::Waiting => f.write_str("waiting for its turn"),
            Self::MakingWay { unit } => write!(f, "making way for {unit}"),
            Self::Unreachable => f.write_str("no way to the goal"),
            Self::WalledIn => f.write_str("walled in"),
            Self::Budget => f.write_str("waiting for a route"),
            Self::Inside(building) => write!(f, "in {building}"),
        }
    }
}

impl World {
    /// Why the unit is not moving, or where to; `None` if there is no such unit.
    #[must_use]
    pub fn why(&self, unit: UnitId) -> Option<Why> {
        let resident = self.resident(unit).ok()?;
        let space = &self.spaces[resident.kind];
        if let UnitStatus::Inside(building) = resident.status {
            return Some(Why::Inside(building));
        }
        if let Some(errand) = resident.errand {
            return Some(Why::MakingWay { unit: errand.for_unit });
        }
        let at = match self.crew.whereabouts(unit.to_bits())? {
            Whereabouts::UnderWay { to, .. } => return Some(Why::Moving { to: space.cell(to) }),
            Whereabouts::Standing(at) => at,
        };
        if let Some(to) = self.next_position(unit, at) {
            return Some(Why::Moving { to: space.cell(to) });
        }
        if self.is_walled_in(resident, at) {
            return Some(Why::WalledIn);
        }
        Some(match resident.status {
            UnitStatus::Holding => Why::Holding,
            UnitStatus::Unreachable => Why::Unreachable,
            UnitStatus::Routing => Why::Budget,
            UnitStatus::Going | UnitStatus::Arrived if resident.destination != Some(at) => {
                self.who_is_in_the_way(unit, at).unwrap_or(Why::Waiting)
            }
            UnitStatus::Arrived => Why::Arrived,
            _ => Why::Idle,
        })
    }

    /// Whether no step leads away from there, and that is what is wrong with the unit: it was
    /// buried, or wants to be elsewhere.
    fn is_walled_in(&self, resident: &Resident, at: Position) -> bool {
        let space = &self.spaces[resident.kind];
        let buried = !space.ground().can_stand(space.cell(at));
        let concerned = match resident.status {
            UnitStatus::Unreachable => true,
            UnitStatus::Going => resident.destination != Some(at),
            UnitStatus::Arrived => buried || resident.destination != Some(at),
            UnitStatus::Idle => buried,
            UnitStatus::Holding | UnitStatus::Routing | UnitStatus::Inside(_) => false,
        };
        let mut ways = 0;
        space.for_each_move(at, |_| ways += 1);
        concerned && ways == 0
    }

    /// Where the unit will step in this tick, if it does.
    fn next_position(&self, unit: UnitId, at: Position) -> Option<Position> {
        let path = self.crew.path(unit.to_bits())?;
        let leg = path.legs.iter().find(|leg| leg.tick == self.now())?;
        let space = &self.spaces[self.resident(unit).ok()?.kind];
        let step = (leg.action != Action::PAUSE).then(|| space.move_by(at, leg.action));
        step.flatten().map(|step| step.to)
    }

    /// Who holds what the step nearest to the destination needs.
    fn who_is_in_the_way(&self, unit: UnitId, at: Position) -> Option<Why> {
        let resident = self.resident(unit).ok()?;
        let space = &self.spaces[resident.kind];
        let mut guides = self.guides.clone_of(unit.to_bits());
        let mut steps = Vec::new();
        space.for_each_move(at, |step| {
            if let Some(distance) = guides.distance_for_show(space, step.to) {
                steps.push((distance, step));
            }
        });
        steps.sort_by_key(|&(distance, step)| (distance, step.action));
        let table = self.crew.table();
        let now = self.now();
        steps.into_iter().find_map(|(_, step)| {
            let mut blocked = None;
            space.footprint(at, step.action, |entry, later| {
                let tick = Tick(now.0 + later);
                if !table.view(unit.to_bits(), throng_cooperative::Priority(0)).is_free(entry, tick)
                {
                    blocked = table.holder(entry, tick).map(|claim| (claim.unit, entry));
                }
                blocked.is_none()
            });
            let (other, entry) = blocked?;
            let cell = self.map.cell(throng_model::CellIndex(entry.0));
            Some(Why::WaitingFor { unit: UnitId::new(other), at: cell })
        })
    }
}
