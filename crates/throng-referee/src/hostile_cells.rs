//! Enemies are not pushed aside, and their plans are not known.
//!
//! Both follow from one rule that can be seen from outside: a unit does not enter a cell on which
//! an enemy stood at the tick before, even if that one has left it since. A step in progress is
//! seen, so the cells that it leaves when it ends may be entered. A step that was abandoned because
//! the map changed is seen too: its enemy was never where it would have led.

use std::collections::{BTreeMap, BTreeSet};

use throng_model::{Cell, Rect, UnitId};

use crate::{Sighting, Violation, ViolationKind};

/// Where units of each team stood at the last tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct HostileCells {
    enemies: BTreeSet<(u8, u8)>,
    /// By layer and cell: the team and the unit.
    held: BTreeMap<(u8, Cell), (u8, UnitId)>,
    /// By unit: where it was.
    before: BTreeMap<UnitId, Seen>,
}

/// Where a unit was, and where its step in progress led.
#[derive(Clone, Copy, Debug)]
struct Seen {
    layer: u8,
    at: Cell,
    to: Option<Cell>,
}

impl Seen {
    fn of(sighting: &Sighting<'_>) -> Self {
        let Sighting { at, layer, heading, .. } = *sighting;
        Self { layer, at, to: heading.map(|heading| heading.to) }
    }

    /// Whether the unit has not gone on with the step that it was in.
    fn has_abandoned_step(self, now: Self) -> bool {
        self.to.is_some() && self.at == now.at && self.to != now.to
    }
}

impl HostileCells {
    pub(crate) fn set_enemies(&mut self, pairs: &[(u8, u8)]) {
        self.enemies = pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
    }

    /// Reports units on cells of enemies, and remembers where units are now.
    pub(crate) fn judge(
        &mut self,
        tick: usize,
        sightings: &[Sighting<'_>],
        placed: &[UnitId],
        violations: &mut Vec<Violation>,
    ) {
        let held = std::mem::take(&mut self.held);
        let before = std::mem::take(&mut self.before);
        if self.enemies.is_empty() {
            return;
        }
        let placed: BTreeSet<UnitId> = placed.iter().copied().collect();
        let has_abandoned_step = |sighting: &Sighting<'_>| {
            let seen = before.get(&sighting.unit);
            seen.is_some_and(|seen| seen.has_abandoned_step(Seen::of(sighting)))
        };
        // Enemies that died, took off or were put elsewhere have left by no plan.
        let shown = sightings
            .iter()
            .filter(|sighting| !placed.contains(&sighting.unit) && !has_abandoned_step(sighting));
        let shown: BTreeSet<(u8, UnitId)> =
            shown.map(|sighting| (sighting.layer, sighting.unit)).collect();
        for sighting in sightings {
            let Sighting { unit, at, team, layer, .. } = *sighting;
            let was = before.get(&unit).filter(|_| !placed.contains(&unit));
            if was.is_some_and(|was| (was.layer, was.at) != (layer, at)) {
                let is_enemys = |cell: &Cell| {
                    let holder = held.get(&(layer, *cell));
                    let holder = holder.filter(|(_, holder)| shown.contains(&(layer, *holder)));
                    holder.is_some_and(|&(other, _)| self.enemies.contains(&(team, other)))
                };
                let cells: Vec<Cell> = body(sighting, at).filter(is_enemys).collect();
                if !cells.is_empty() {
                    let kind = ViolationKind::EnemyCell;
                    violations.push(Violation::of_one(kind, tick, unit, cells));
                }
            }
            self.before.insert(unit, Seen::of(sighting));
            let stays = sighting.heading.map_or(at, |heading| heading.to);
            self.held.extend(body(sighting, stays).map(|cell| ((layer, cell), (team, unit))));
        }
    }
}

fn body(sighting: &Sighting<'_>, at: Cell) -> impl Iterator<Item = Cell> + use<> {
    let side = u16::from(sighting.movement.footprint);
    Rect::new(at, side, side).cells()
}
