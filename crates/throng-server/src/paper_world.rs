//! A live world under a planner of the papers: LRA*, by which each unit plans alone and repairs its
//! path when another unit blocks it, or WHCA*, by which units plan around each other in windows.
//!
//! D. Silver, "Cooperative pathfinding" (2005), "Local Repair A*" and "Windowed Hierarchical
//! Cooperative A*", by [`LocalRepair`](throng::cooperative::LocalRepair) and
//! [`Windowed`](throng::cooperative::Windowed). Orders reach the running simulation; spawns, removals
//! and map edits build it again from where the units are, so that a step of several ticks begins again.

mod simulated;

use std::collections::VecDeque;

use throng::cooperative::{Instance, InstanceUnit};
use throng::model::{Cell, Map, MovementProfile, Rect, UnitId};
use throng::spacetime::{FootprintRules, GridSpace};
use throng::world::{Applied, Command, Order, UnitStatus};

use self::simulated::Simulated;
use crate::error::Refusal;
use crate::options::{PAPER_CELLS_MAX, PAPER_UNITS_MAX, WHCA_NODES_MAX};
use crate::planner::PaperPlanner;

/// A live world under a planner of the papers.
pub(crate) struct PaperWorld {
    planner: PaperPlanner,
    map: Map,
    spaces: Vec<GridSpace>,
    units: Vec<Option<PaperUnit>>,
    /// The simulation and the slots of its units; `None` after a change that it cannot follow.
    running: Option<Running>,
    tick: u32,
    seed: u64,
}

struct Running {
    simulation: Simulated,
    slots: Vec<usize>,
    /// Nodes expanded before the last tick.
    expanded: u64,
}

#[derive(Clone, Debug)]
struct PaperUnit {
    space: usize,
    at: Cell,
    goal: Option<Cell>,
    queue: VecDeque<Cell>,
    is_holding: bool,
    is_unreachable: bool,
    /// Whether its goal must be told to the simulation.
    is_sent: bool,
    /// End, ticks left and ticks in all of the step in progress.
    step: Option<(Cell, u32, u32)>,
}

/// Where a unit is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PaperSeen {
    pub(crate) at: Cell,
    pub(crate) step: Option<(Cell, u32, u32)>,
    pub(crate) status: UnitStatus,
}

impl PaperWorld {
    pub(crate) fn new(map: Map, planner: PaperPlanner, seed: u64) -> Result<Self, Refusal> {
        let cells = map.terrain().len();
        if cells > PAPER_CELLS_MAX {
            let name = planner.name();
            return Err(Refusal::bad(format!(
                "a map of {cells} cells under {name}: at most {PAPER_CELLS_MAX}; use the planner throng"
            )));
        }
        let (spaces, units) = (Vec::new(), Vec::new());
        Ok(Self { planner, map, spaces, units, running: None, tick: 0, seed })
    }

    pub(crate) fn planner(&self) -> PaperPlanner {
        self.planner
    }

    pub(crate) fn map(&self) -> &Map {
        &self.map
    }

    pub(crate) fn now(&self) -> u32 {
        self.tick
    }

    pub(crate) fn units(&self) -> impl Iterator<Item = UnitId> {
        let slots = self.units.iter().enumerate().filter(|(_, unit)| unit.is_some());
        slots.map(|(slot, _)| UnitId::new(slot as u32))
    }

    fn unit(&self, unit: UnitId) -> Option<&PaperUnit> {
        let known = unit.generation() == 0;
        self.units.get(unit.index()).filter(|_| known)?.as_ref()
    }

    fn unit_mut(&mut self, unit: UnitId) -> Result<&mut PaperUnit, Refusal> {
        let known = unit.generation() == 0;
        let found = self.units.get_mut(unit.index()).filter(|_| known);
        found.and_then(Option::as_mut).ok_or_else(|| no_such_unit(unit))
    }

    pub(crate) fn movement(&self, unit: UnitId) -> Option<&MovementProfile> {
        Some(self.spaces[self.unit(unit)?.space].ground().movement())
    }

    pub(crate) fn see(&self, unit: UnitId) -> Option<PaperSeen> {
        let unit = self.unit(unit)?;
        let status = match unit.goal {
            _ if unit.is_holding => UnitStatus::Holding,
            None => UnitStatus::Idle,
            Some(_) if unit.is_unreachable => UnitStatus::Unreachable,
            Some(goal) if goal == unit.at && unit.step.is_none() => UnitStatus::Arrived,
            Some(_) => UnitStatus::Going,
        };
        Some(PaperSeen { at: unit.at, step: unit.step, status })
    }

    pub(crate) fn goal(&self, unit: UnitId) -> Option<Cell> {
        self.unit(unit)?.goal
    }

    /// The cells that a unit means to visit: under WHCA* one per tick of its window.
    pub(crate) fn path(&self, unit: UnitId) -> Vec<Cell> {
        let found = self.simulated(unit).zip(self.unit(unit));
        found.map_or_else(Vec::new, |((simulation, index), unit)| {
            simulation.path(index, &self.spaces[unit.space])
        })
    }

    /// Under LRA*, how often a unit was blocked since it was sent.
    pub(crate) fn agitation(&self, unit: UnitId) -> Option<u32> {
        let (simulation, index) = self.simulated(unit)?;
        simulation.agitation(index)
    }

    /// The simulation, and the index of a unit in it.
    fn simulated(&self, unit: UnitId) -> Option<(&Simulated, usize)> {
        let running = self.running.as_ref()?;
        let index = running.slots.binary_search(&unit.index()).ok()?;
        Some((&running.simulation, index))
    }

    pub(crate) fn apply(&mut self, command: Command) -> Result<Applied, Refusal> {
        match command {
            Command::Spawn { at, spawn } => self.spawn(at, spawn.movement),
            Command::Remove { unit } => self.remove(unit),
            Command::Order { unit, order } => self.order(unit, &order),
            Command::QueueOrder { unit, order } => self.queue(unit, &order),
            Command::OrderGroup { units, spot } => self.send_group(&units, spot),
            Command::Paint { cells, terrain } => {
                let change = self.map.paint(&cells, terrain);
                self.edited(change.map_err(|error| Refusal::bad(error.to_string()))?)
            }
            Command::Fill { rect, terrain } => {
                let change = self.map.fill(rect, terrain);
                self.edited(change.map_err(|error| Refusal::bad(error.to_string()))?)
            }
            _ => Err(self.knows_not("go, stop and hold, spawning and map edits only")),
        }
    }

    fn knows_not(&self, what: &str) -> Refusal {
        let title = self.planner.title();
        Refusal::conflict(format!("{title} knows {what}; use the planner throng for the rest"))
    }

    fn edited(&mut self, change: throng::model::Change) -> Result<Applied, Refusal> {
        if !change.cells.is_empty() {
            self.spaces.iter_mut().for_each(|space| space.apply(&self.map, &change));
            self.running = None;
        }
        Ok(Applied::Edited(change))
    }

    /// The space of a movement profile; made if it is new.
    fn space(&mut self, movement: MovementProfile) -> Result<usize, Refusal> {
        let known = self.spaces.iter().position(|space| *space.ground().movement() == movement);
        if let Some(known) = known {
            return Ok(known);
        }
        let space = GridSpace::new(&self.map, movement, &FootprintRules::default());
        self.spaces.push(space.map_err(|error| Refusal::bad(error.to_string()))?);
        Ok(self.spaces.len() - 1)
    }

    fn spawn(&mut self, at: Cell, movement: MovementProfile) -> Result<Applied, Refusal> {
        let most = self.units_max();
        if self.units.len() >= most {
            let title = self.planner.title();
            return Err(Refusal::conflict(format!("{title} has at most {most} units here")));
        }
        let space = self.space(movement)?;
        if !self.spaces[space].ground().can_stand(at) {
            return Err(Refusal::conflict(format!(
                "a unit cannot stand at {at}; choose free cells"
            )));
        }
        let size = self.spaces[space].ground().movement().footprint;
        if let Some(other) = self.units().find(|&other| self.covers(other, at, size)) {
            return Err(Refusal::conflict(format!("{other} is at {at}; choose free cells")));
        }
        self.units.push(Some(PaperUnit {
            space,
            at,
            goal: None,
            queue: VecDeque::new(),
            is_holding: false,
            is_unreachable: false,
            is_sent: false,
            step: None,
        }));
        self.running = None;
        Ok(Applied::Spawned(UnitId::new(self.units.len() as u32 - 1)))
    }

    /// Under WHCA* each unit has true distances to its goal, which take memory.
    fn units_max(&self) -> usize {
        match self.planner {
            PaperPlanner::LocalRepair => PAPER_UNITS_MAX,
            PaperPlanner::Windowed => {
                PAPER_UNITS_MAX.min(WHCA_NODES_MAX / self.map.terrain().len().max(1))
            }
        }
    }

    /// Whether a unit's body, or the end of its step, overlaps a square.
    fn covers(&self, unit: UnitId, at: Cell, size: u8) -> bool {
        let Some(unit) = self.unit(unit) else { return false };
        let own = self.spaces[unit.space].ground().movement().footprint;
        let ends = [Some(unit.at), unit.step.map(|step| step.0)];
        ends.into_iter().flatten().any(|cell| bodies_overlap(cell, own, at, size))
    }

    fn remove(&mut self, unit: UnitId) -> Result<Applied, Refusal> {
        self.unit_mut(unit)?;
        self.units[unit.index()] = None;
        self.running = None;
        Ok(Applied::Done)
    }

    fn order(&mut self, unit: UnitId, order: &Order) -> Result<Applied, Refusal> {
        let goal = match order {
            Order::GoTo(cells) => Some(self.first_goal(cells)?),
            Order::Stop | Order::Hold => None,
            _ => return Err(self.knows_not("the orders go, stop and hold only")),
        };
        let known = self.unit_mut(unit)?;
        known.queue.clear();
        (known.is_holding, known.goal) = (matches!(order, Order::Hold), goal);
        self.send(unit);
        Ok(Applied::Done)
    }

    fn first_goal(&self, cells: &[Cell]) -> Result<Cell, Refusal> {
        let Some(&first) = cells.first() else { return Err(Refusal::bad("no cell to go to")) };
        if !self.map.contains(first) {
            return Err(Refusal::bad(format!("cell {first} is off the map")));
        }
        Ok(first)
    }

    fn queue(&mut self, unit: UnitId, order: &Order) -> Result<Applied, Refusal> {
        let Order::GoTo(cells) = order else {
            return Err(self.knows_not("queues of orders to go only"));
        };
        let goal = self.first_goal(cells)?;
        let known = self.unit_mut(unit)?;
        if known.goal.is_none_or(|current| current == known.at) {
            return self.order(unit, order);
        }
        known.queue.push_back(goal);
        Ok(Applied::Done)
    }

    /// How many orders wait for a unit.
    pub(crate) fn queued(&self, unit: UnitId) -> usize {
        self.unit(unit).map_or(0, |unit| unit.queue.len())
    }

    /// Sends units to cells around a spot, each to the nearest that is left.
    fn send_group(&mut self, units: &[UnitId], spot: Cell) -> Result<Applied, Refusal> {
        let mut taken = vec![false; self.map.terrain().len()];
        let mut given = Vec::with_capacity(units.len());
        for &unit in units {
            let known = self.unit_mut(unit)?.clone();
            let ground = self.spaces[known.space].ground();
            let side = u16::from(ground.movement().footprint);
            let body = |at: Cell| Rect::new(at, side, side).cells();
            let place = |cell: Cell| self.map.index(cell).map(|index| index.get());
            let is_free = |&cell: &Cell| {
                ground.can_stand(cell)
                    && body(cell).filter_map(place).all(|index| !taken[index])
                    && ground.is_connected(known.at, cell)
            };
            let mut around = std::iter::once(spot).chain(spot.rings(64));
            let goal = around.find(is_free).unwrap_or(spot);
            let covered: Vec<usize> = body(goal).filter_map(place).collect();
            covered.into_iter().for_each(|index| taken[index] = true);
            given.push(goal);
            self.order(unit, &Order::go(goal))?;
        }
        Ok(Applied::Grouped(given))
    }

    /// Decides whether the goal can be reached, and has the simulation told.
    fn send(&mut self, unit: UnitId) {
        let Some(Some(known)) = self.units.get_mut(unit.index()) else { return };
        let ground = self.spaces[known.space].ground();
        let reached = |goal: Cell| ground.is_connected(known.at, goal);
        known.is_unreachable = known.goal.is_some_and(|goal| !reached(goal));
        known.is_sent = false;
    }

    pub(crate) fn tick(&mut self) -> u64 {
        self.tick += 1;
        self.begin_queued();
        if self.running.is_none() {
            self.start();
        }
        let Some(running) = &mut self.running else { return 0 };
        for (index, &slot) in running.slots.iter().enumerate() {
            let Some(unit) = &mut self.units[slot] else { continue };
            if !std::mem::replace(&mut unit.is_sent, true) {
                let space = &self.spaces[unit.space];
                let goal = unit.simulated_goal();
                space
                    .position(goal)
                    .into_iter()
                    .for_each(|goal| running.simulation.send(index, goal));
            }
        }
        running.simulation.turn();
        for (index, &slot) in running.slots.iter().enumerate() {
            let Some(unit) = &mut self.units[slot] else { continue };
            let space = &self.spaces[unit.space];
            unit.at = space.cell(running.simulation.position(index));
            let step = running.simulation.step_in_progress(index);
            unit.step = step.map(|(to, left, total)| (space.cell(to), left, total));
        }
        let before = std::mem::replace(&mut running.expanded, running.simulation.expanded());
        running.expanded - before
    }

    /// Units that have arrived begin their next order.
    fn begin_queued(&mut self) {
        for slot in 0..self.units.len() {
            let Some(unit) = &mut self.units[slot] else { continue };
            let is_done = unit.goal == Some(unit.at) && unit.step.is_none() || unit.is_unreachable;
            if let Some(next) = unit.queue.front().copied().filter(|_| is_done) {
                unit.queue.pop_front();
                unit.goal = Some(next);
                self.send(UnitId::new(slot as u32));
            }
        }
    }

    /// Builds the simulation from where the units are.
    fn start(&mut self) {
        let slots: Vec<usize> = self.units().map(UnitId::index).collect();
        slots.iter().for_each(|&slot| self.send(UnitId::new(slot as u32)));
        let units = self.units.iter().flatten().filter_map(|unit| {
            let space = &self.spaces[unit.space];
            let (start, goal) = (space.position(unit.at)?, space.position(unit.simulated_goal())?);
            Some(InstanceUnit { start, goal, space: unit.space })
        });
        let instance = Instance { units: units.collect(), spaces: self.spaces.clone() };
        let simulation = Simulated::new(self.planner, instance, self.seed);
        self.units.iter_mut().flatten().for_each(|unit| (unit.is_sent, unit.step) = (true, None));
        self.running = Some(Running { simulation, slots, expanded: 0 });
    }
}

impl PaperUnit {
    /// Where the simulation sends it: nowhere without a goal that it can reach.
    fn simulated_goal(&self) -> Cell {
        self.goal.filter(|_| !self.is_unreachable && !self.is_holding).unwrap_or(self.at)
    }
}

fn bodies_overlap(a: Cell, a_side: u8, b: Cell, b_side: u8) -> bool {
    let meet = |a: u16, b: u16| {
        u32::from(a) < u32::from(b) + u32::from(b_side)
            && u32::from(b) < u32::from(a) + u32::from(a_side)
    };
    meet(a.x, b.x) && meet(a.y, b.y)
}

pub(crate) fn no_such_unit(unit: UnitId) -> Refusal {
    Refusal::missing(format!("there is no {unit}; it may have been removed"))
}

#[cfg(test)]
mod tests {
    use throng::world::Spawn;

    use super::*;

    #[test]
    fn units_follow_orders_edits_and_queues() {
        follow(PaperPlanner::LocalRepair);
        follow(PaperPlanner::Windowed);
    }

    fn follow(planner: PaperPlanner) {
        let mut world = PaperWorld::new(Map::empty(12, 5).unwrap(), planner, 0).unwrap();
        let slow = MovementProfile { pace: 3, ..MovementProfile::eight_connected() };
        let spawn = Command::Spawn { at: Cell::new(0, 2), spawn: Spawn::new(slow) };
        let Applied::Spawned(unit) = world.apply(spawn.clone()).unwrap() else { panic!() };
        assert!(world.apply(spawn).unwrap_err().message.contains("unit 0 is at"));
        let go = |cell| Order::GoTo(vec![cell]);
        world.apply(Command::Order { unit, order: go(Cell::new(4, 2)) }).unwrap();
        world.apply(Command::QueueOrder { unit, order: go(Cell::new(10, 2)) }).unwrap();
        let wall: Vec<Cell> = (0..4).map(|y| Cell::new(7, y)).collect();
        for tick in 0..80 {
            if tick == 5 {
                world.apply(Command::Paint { cells: wall.clone(), terrain: Map::WALL }).unwrap();
            }
            world.tick();
        }
        let seen = world.see(unit).unwrap();
        assert_eq!((seen.at, seen.status), (Cell::new(10, 2), UnitStatus::Arrived));
        world.apply(Command::Paint { cells: vec![Cell::new(7, 4)], terrain: Map::WALL }).unwrap();
        world.apply(Command::Order { unit, order: go(Cell::new(1, 1)) }).unwrap();
        world.tick();
        assert_eq!(world.see(unit).unwrap().status, UnitStatus::Unreachable);
        world.apply(Command::Remove { unit }).unwrap();
        assert!(world.see(unit).is_none() && world.apply(Command::Remove { unit }).is_err());
    }
}
