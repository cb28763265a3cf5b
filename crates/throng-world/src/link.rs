//! Links: ways between cells that are not neighbours and that take a time, such as ladders, portals
//! and ferries.

use std::fmt;

use serde::{Deserialize, Serialize};
use throng_model::{Cell, STRAIGHT, Tick, UnitId};
use throng_spacetime::{GridSpace, Space};

use crate::distances::DistanceSource;
use crate::state::State;
use crate::teams::{Layer, check_layer};
use crate::unit::{Crossing, Doing, UnitStatus};
use crate::{Garrison, Order, World, WorldError};

/// Most links at once: a route looks at each of them.
pub(crate) const LINKS_MAX: usize = 256;
/// The longest time in a link, in ticks.
pub(crate) const LINK_TICKS_MAX: u32 = 1 << 16;

/// The number of a link. It is never given to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LinkId(u32);

impl LinkId {
    /// The id of a number, as [`World::add_link`] counts them from 0 on.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// The number.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for LinkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "link {}", self.0)
    }
}

/// A way from one cell to another that is no neighbour, in one direction. A ladder has two links.
///
/// Routes lead through links by themselves where that is quicker, for every unit of the layer that
/// can stand at both ends. A unit that has come to `from` leaves the map, and appears at `to` as
/// soon as its time is over and no unit is there. Units inside hold no cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Where units go in: the cell of their position.
    pub from: Cell,
    /// Where they come out.
    pub to: Cell,
    /// How long a unit is inside: 1 to 65536 ticks.
    pub ticks: u32,
    /// The layer that it belongs to.
    pub layer: Layer,
    /// How many units can be inside at a time; `None` is any number. The others wait at its
    /// beginning.
    pub capacity: Option<u32>,
}

impl Link {
    /// A link on the ground for any number of units.
    #[must_use]
    pub fn new(from: impl Into<Cell>, to: impl Into<Cell>, ticks: u32) -> Self {
        let (from, to) = (from.into(), to.into());
        Self { from, to, ticks, layer: Layer::GROUND, capacity: None }
    }

    /// The same in the opposite direction.
    #[must_use]
    pub fn back(self) -> Self {
        Self { from: self.to, to: self.from, ..self }
    }

    /// The same for so many units at a time.
    #[must_use]
    pub fn with_capacity(self, units: u32) -> Self {
        Self { capacity: Some(units), ..self }
    }

    /// The same on another layer.
    #[must_use]
    pub fn with_layer(self, layer: Layer) -> Self {
        Self { layer, ..self }
    }

    /// What the time in the link costs a unit of this space, in the model's unit of cost.
    pub(crate) fn cost(&self, space: &GridSpace) -> u64 {
        let pace = u64::from(space.ground().movement().pace);
        u64::from(self.ticks) * STRAIGHT / pace
    }
}

impl World {
    /// Adds a link. Units that are on their way take it if that makes their way shorter.
    ///
    /// # Errors
    /// When an end is off the map, both are the same cell, the layer does not exist, the time is out
    /// of bounds, or there are too many links.
    pub fn add_link(&mut self, link: Link) -> Result<LinkId, WorldError> {
        self.check_link(&link)?;
        let id = LinkId(self.state.links.len() as u32);
        self.state.links.push(Some(link));
        for unit in self.units().collect::<Vec<_>>() {
            if self.state.may_gain(unit, &link) {
                self.state.request_route(unit);
            }
        }
        Ok(id)
    }

    fn check_link(&self, link: &Link) -> Result<(), WorldError> {
        check_layer(link.layer)?;
        let off = [link.from, link.to].into_iter().find(|&cell| !self.map().contains(cell));
        if let Some(cell) = off {
            return Err(WorldError::OffMap { cell });
        }
        if link.from == link.to {
            return Err(WorldError::LinkToItself(link.from));
        }
        if !(1..=LINK_TICKS_MAX).contains(&link.ticks) || link.capacity == Some(0) {
            return Err(WorldError::LinkOutOfBounds);
        }
        if self.state.links.iter().flatten().count() >= LINKS_MAX {
            return Err(WorldError::TooManyLinks(LINKS_MAX));
        }
        Ok(())
    }

    /// Restores links that were saved, removed ones included.
    pub(crate) fn restore_links(&mut self, links: Vec<Option<Link>>) -> Result<(), WorldError> {
        for link in links {
            if let Some(link) = &link {
                self.check_link(link)?;
            }
            self.state.links.push(link);
        }
        Ok(())
    }

    /// Removes a link. Units inside are put on the free cells nearest to the end that is nearer in
    /// time, or removed with it. Units on their way to it look for another way.
    ///
    /// # Errors
    /// When there is no such link, or there is no room for a unit that is put out. Nothing is changed
    /// then.
    pub fn remove_link(&mut self, link: LinkId, inside: Garrison) -> Result<(), WorldError> {
        let known = *self.state.link(link).ok_or(WorldError::NoSuchLink(link))?;
        let units: Vec<(UnitId, Tick)> = self.units_in_link(link).collect();
        match inside {
            Garrison::Remove => units.into_iter().for_each(|(unit, _)| self.state.remove(unit)),
            Garrison::PutOut => {
                let spot = |until: Tick| {
                    let left = until.0.saturating_sub(self.now().0);
                    if 2 * left > known.ticks { known.from } else { known.to }
                };
                let spots: Vec<_> =
                    units.iter().map(|&(unit, until)| (unit, spot(until))).collect();
                for (unit, cell) in self.places_around(&spots)? {
                    self.put_on_map(unit, cell)?;
                }
            }
        }
        self.state.links[link.index()] = None;
        let comes =
            |unit: &UnitId| self.state.assignment(*unit).is_some_and(|a| a.via == Some(link));
        for unit in self.units().filter(comes).collect::<Vec<_>>() {
            self.state.request_route(unit);
        }
        Ok(())
    }

    /// All links.
    pub fn links(&self) -> impl Iterator<Item = (LinkId, &Link)> {
        let links = (0..).map(LinkId).zip(&self.state.links);
        links.filter_map(|(id, link)| Some((id, link.as_ref()?)))
    }

    /// The units in a link, each with the tick at which its time in there is over.
    pub fn units_in_link(&self, link: LinkId) -> impl Iterator<Item = (UnitId, Tick)> {
        self.state.units.iter().filter_map(move |(unit, record)| {
            let crossing = record.activity.crossing().filter(|crossing| crossing.link == link)?;
            Some((unit, crossing.until))
        })
    }

    /// Puts a unit that is off the map on a free cell, where it goes on with its orders.
    pub(crate) fn put_on_map(&mut self, unit: UnitId, at: Cell) -> Result<(), WorldError> {
        let profile = self.state.record(unit)?.space;
        let position = self.state.free_position(profile, at)?;
        self.state.place(unit, position)?;
        self.state.resume_outside(unit);
        Ok(())
    }
}

impl State {
    pub(crate) fn link(&self, id: LinkId) -> Option<&Link> {
        self.links.get(id.index())?.as_ref()
    }

    /// The links that a unit of a profile can use, by number, wherever it is.
    pub(crate) fn usable_links(&self, profile: usize) -> impl Iterator<Item = (LinkId, &Link)> {
        let layer = self.terrain.plane(profile).layer;
        let ground = self.terrain.spaces[profile].ground();
        let links = (0..).map(LinkId).zip(&self.links);
        links.filter_map(|(id, link)| Some((id, link.as_ref()?))).filter(move |(_, link)| {
            link.layer == layer && ground.can_stand(link.from) && ground.can_stand(link.to)
        })
    }

    /// Where a unit can be that sets out from one of these cells: they themselves, and the ends of
    /// all links that it can reach.
    pub(crate) fn starts_beyond_links(&self, profile: usize, starts: &[Cell]) -> Vec<Cell> {
        let mut starts = starts.to_vec();
        if self.links.is_empty() {
            return starts;
        }
        let ground = self.terrain.spaces[profile].ground();
        let mut links: Vec<&Link> = self.usable_links(profile).map(|(_, link)| link).collect();
        loop {
            let is_reached =
                |link: &Link| starts.iter().any(|&s| ground.is_connected(s, link.from));
            let Some(next) = links.iter().position(|link| is_reached(link)) else { return starts };
            let to = links.swap_remove(next).to;
            let is_new = !starts.iter().any(|&start| ground.is_connected(start, to));
            starts.extend(is_new.then_some(to));
        }
    }

    /// Whether a unit might be sooner at its destination by a new link.
    fn may_gain(&self, unit: UnitId, link: &Link) -> bool {
        let Some(record) = self.units.get(unit).filter(|record| record.is_on_map()) else {
            return false;
        };
        match record.activity.status() {
            UnitStatus::Unreachable | UnitStatus::NoRoom => true,
            UnitStatus::Going if record.activity.via.is_some() => true,
            UnitStatus::Going => {
                let space = self.space(record);
                let DistanceSource::Route(route) = &record.activity.source else { return true };
                let ends = (self.units.free_at(unit), route.end());
                let links = (space.position(link.from), space.position(link.to));
                let ((Some(at), Some(goal)), (Some(from), Some(to))) = (ends, links) else {
                    return false;
                };
                let inside = link.cost(space) / space.cost_unit();
                let by_link = space.estimate(at, from) + inside + space.estimate(to, goal);
                self.terrain.plane(record.space).layer == link.layer
                    && by_link < route.rest_from(at)
            }
            _ => false,
        }
    }

    /// A unit that came out of a building or a link goes on with its orders.
    pub(crate) fn resume_outside(&mut self, unit: UnitId) {
        self.set_doing(unit, Doing::Idle);
        let Some(assignment) = self.assignment(unit) else { return };
        if assignment.order == Order::Stop && !assignment.queue.is_empty() {
            return self.begin_next_order(unit);
        }
        self.resume_order(unit);
    }

    /// The unit is at the beginning of a link: it goes in.
    pub(crate) fn enter_link(&mut self, unit: UnitId, id: LinkId) {
        let Some(link) = self.link(id).copied() else { return };
        let until = Tick(self.now().0.saturating_add(link.ticks));
        self.leave_map(unit);
        if let Some(assignment) = self.assignment_mut(unit) {
            assignment.doing = Doing::Crossing(Crossing { link: id, until });
            assignment.reported_at = None;
            assignment.via = None;
        }
    }
}
