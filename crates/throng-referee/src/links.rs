//! Links of a live world: ways between cells that are no neighbours. A unit in a link is not on the
//! map.
//!
//! Going in is judged as a step that ends where the link begins, and coming out as what a unit does
//! that stood where the link ends. So the rules of steps hold at both ends.

use std::collections::BTreeMap;

use throng_model::{Cell, Map, MovementProfile, UnitId};

use crate::live_unit::LiveUnit;
use crate::passable_map::PassableMap;
use crate::sighting::{PreviousSighting, Sighting};
use crate::{Violation, ViolationKind};

/// A way from one cell to another that is no neighbour, in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Which link. No other link has its number, then or later.
    pub number: u32,
    /// Where units go in.
    pub from: Cell,
    /// Where they come out.
    pub to: Cell,
    /// For how many ticks a unit is inside at least.
    pub ticks: u32,
    /// The layer of units that may go in.
    pub layer: u8,
    /// How many units may be inside at a time; `None` is any number.
    pub capacity: Option<u32>,
}

/// A unit in a link at one tick, as shown to the live referee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkSighting<'a> {
    /// Which unit.
    pub unit: UnitId,
    /// Its movement profile.
    pub movement: &'a MovementProfile,
    /// The link that it is in.
    pub link: Link,
}

/// The units in links.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    /// At the tick that is judged next.
    now: BTreeMap<UnitId, Inside>,
    /// At the tick before.
    before: BTreeMap<UnitId, Inside>,
}

#[derive(Clone, Debug)]
struct Inside {
    link: Link,
    movement: MovementProfile,
    /// The first tick at which it was seen inside.
    since: usize,
}

impl Links {
    pub(crate) fn show(&mut self, units: &[LinkSighting<'_>], tick: usize) {
        let inside = |&LinkSighting { unit, movement, link }: &LinkSighting<'_>| {
            let stays = self.before.get(&unit).filter(|before| before.link == link);
            let since = stays.map_or(tick, |before| before.since);
            (unit, Inside { link, movement: movement.clone(), since })
        };
        self.now = units.iter().map(inside).collect();
    }

    /// Whether a unit is in a link at the tick that is judged.
    pub(crate) fn has(&self, unit: UnitId) -> bool {
        self.now.contains_key(&unit)
    }

    /// Judges the units that have gone into a link since the tick before, when these were on the
    /// map. Those that the game has placed may have gone in from anywhere.
    pub(crate) fn judge(
        &self,
        (map, tick): (&Map, usize),
        previous: &[PreviousSighting],
        is_placed: impl Fn(UnitId) -> bool,
        violations: &mut Vec<Violation>,
    ) {
        let has_entered = |&(_, inside): &(&UnitId, &Inside)| inside.since == tick;
        for (&unit, inside) in self.now.iter().filter(has_entered) {
            let Inside { link, movement, .. } = inside;
            if !self.has_room(link) {
                violations.push(broken(link, unit, tick));
            }
            if is_placed(unit) {
                continue;
            }
            let known = previous.binary_search_by_key(&unit, |previous| previous.unit);
            let before = match known {
                Ok(at) => previous.get(at).cloned(),
                Err(_) => self.come_out((map, tick), unit, violations),
            };
            let before = before.filter(|before| before.movement == *movement);
            let Some(before) = before else { continue };
            if before.layer != link.layer {
                violations.push(broken(link, unit, tick));
            }
            let (at, layer) = (link.from, link.layer);
            let sighting = Sighting { unit, movement, at, heading: None, team: 0, layer };
            if let Some(passable) = PassableMap::new(map, movement) {
                let unit = LiveUnit::new(passable, tick, Some(&before), &sighting, violations);
                unit.judge(violations);
            }
        }
    }

    /// Where a unit stood before this tick that was in a link and is not in it any more: where the
    /// link ends. If it cannot stand there, it comes out elsewhere. `None` then, and for a unit that
    /// was in no link.
    pub(crate) fn come_out(
        &self,
        (map, tick): (&Map, usize),
        unit: UnitId,
        violations: &mut Vec<Violation>,
    ) -> Option<PreviousSighting> {
        let Inside { link, movement, since } = self.before.get(&unit)?;
        if tick.saturating_sub(*since) <= link.ticks as usize {
            violations.push(broken(link, unit, tick));
        }
        let passable = PassableMap::new(map, movement)?;
        let (at, layer, movement) = (link.to, link.layer, movement.clone());
        let before = PreviousSighting { unit, movement, at, layer, heading: None };
        passable.can_stand(at).then_some(before)
    }

    /// The tick is over.
    pub(crate) fn end_tick(&mut self) {
        self.before = std::mem::take(&mut self.now);
    }

    fn has_room(&self, link: &Link) -> bool {
        let inside = self.now.values().filter(|inside| inside.link.number == link.number).count();
        link.capacity.is_none_or(|capacity| inside <= capacity as usize)
    }
}

fn broken(link: &Link, unit: UnitId, tick: usize) -> Violation {
    Violation::of_one(ViolationKind::Link, tick, unit, vec![link.from, link.to])
}
