//! Commands as data: for networks, replays and tests.

use serde::{Deserialize, Serialize};
use throng_model::{
    Building, BuildingId, Cell, Change, MovementProfile, Rect, TerrainClass, TerrainId, UnitId,
};

use crate::{
    Capacity, Facing, Formation, Garrison, Layer, Link, LinkId, OnUnits, Order, Relation, Spawn,
    Team, World, WorldError,
};

/// Something that a game can tell a world between two ticks, as data. Each stands for the
/// method of [`World`] of the same name.
///
/// Peers that start from the same world and [`apply`](World::apply) the same commands before
/// the same ticks have the same world ever after. Refused commands count too: all peers apply
/// them, or none does.
///
/// ```
/// use throng_model::{Cell, Map, MovementProfile};
/// use throng_world::{Applied, Command, Order, Spawn, World, WorldOptions};
///
/// let mut world = World::new(Map::empty(20, 10)?, WorldOptions::default())?;
/// let spawn = Spawn::new(MovementProfile::four_connected());
/// let applied = world.apply(&Command::Spawn { at: Cell::new(1, 1), spawn })?;
/// let Applied::Spawned(unit) = applied else { return Err("not spawned".into()) };
/// world.apply(&Command::Order { unit, order: Order::go((7, 7)) })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Command {
    /// Puts a unit into the world.
    Spawn {
        /// Where.
        at: Cell,
        /// What it is.
        spawn: Spawn,
    },
    /// Puts a unit into a building.
    SpawnInside {
        /// Which one.
        building: BuildingId,
        /// What it is.
        spawn: Spawn,
    },
    /// Takes a unit out of the world.
    Remove {
        /// The unit.
        unit: UnitId,
    },
    /// Puts a unit somewhere else at once.
    Teleport {
        /// The unit.
        unit: UnitId,
        /// Where to.
        cell: Cell,
    },
    /// Gives a unit another priority.
    SetLevel {
        /// The unit.
        unit: UnitId,
        /// The new level.
        level: u8,
    },
    /// Gives a unit another movement profile.
    SetMovement {
        /// The unit.
        unit: UnitId,
        /// How it moves from now on.
        movement: MovementProfile,
    },
    /// Moves a unit to another layer.
    SetLayer {
        /// The unit.
        unit: UnitId,
        /// The new layer.
        layer: Layer,
    },
    /// Gives a unit to another team.
    SetTeam {
        /// The unit.
        unit: UnitId,
        /// The new team.
        team: Team,
    },
    /// Sets what two teams are to each other.
    SetRelation {
        /// The two teams.
        teams: (Team, Team),
        /// What they are from now on.
        relation: Relation,
    },
    /// Tells a unit what to do now.
    Order {
        /// The unit.
        unit: UnitId,
        /// What to do.
        order: Order,
    },
    /// Tells a unit what to do when it has done its orders.
    QueueOrder {
        /// The unit.
        unit: UnitId,
        /// What to do.
        order: Order,
    },
    /// Sends units to one spot.
    OrderGroup {
        /// The units.
        units: Vec<UnitId>,
        /// Where to.
        spot: Cell,
    },
    /// Sends units to one spot in a formation.
    OrderFormation {
        /// The units.
        units: Vec<UnitId>,
        /// Where to.
        spot: Cell,
        /// Which way they face there.
        facing: Facing,
        /// How they stand there.
        formation: Formation,
    },
    /// Lets a unit stand and keep its orders.
    Halt {
        /// The unit.
        unit: UnitId,
    },
    /// Lets a unit go on with its order.
    Resume {
        /// The unit.
        unit: UnitId,
    },
    /// Replaces the orders of a unit after the current one.
    SetQueue {
        /// The unit.
        unit: UnitId,
        /// The orders.
        orders: Vec<Order>,
    },
    /// Puts a unit on the free cell nearest to a cell at once.
    TeleportNear {
        /// The unit.
        unit: UnitId,
        /// Where to.
        cell: Cell,
    },
    /// Changes the terrain of a rectangle, and looks after the units on it.
    Build {
        /// The rectangle.
        rect: Rect,
        /// What it becomes.
        terrain: TerrainId,
        /// What happens to units that are in the way.
        on_units: OnUnits,
    },
    /// Removes a building.
    RemoveBuilding {
        /// The building.
        building: BuildingId,
        /// What happens to the units in it.
        garrison: Garrison,
    },
    /// Changes the terrain of cells.
    Paint {
        /// The cells.
        cells: Vec<Cell>,
        /// What they become.
        terrain: TerrainId,
    },
    /// Changes the terrain of a rectangle.
    Fill {
        /// The rectangle.
        rect: Rect,
        /// What it becomes.
        terrain: TerrainId,
    },
    /// Adds a class of terrain.
    AddClass {
        /// The class.
        class: TerrainClass,
    },
    /// Adds a building.
    AddBuilding {
        /// The building.
        building: Building,
    },
    /// Sets how many units find room in a building.
    SetCapacity {
        /// The building.
        building: BuildingId,
        /// How many; `None` is any number.
        capacity: Option<Capacity>,
    },
    /// Adds a link.
    AddLink {
        /// The link.
        link: Link,
    },
    /// Removes a link.
    RemoveLink {
        /// The link.
        link: LinkId,
        /// What happens to the units in it.
        inside: Garrison,
    },
}

/// What a command gave back.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Applied {
    /// It was done.
    Done,
    /// The new unit.
    Spawned(UnitId),
    /// The cells that the units were given, in their order.
    Grouped(Vec<Cell>),
    /// Where the unit is now.
    Placed(Cell),
    /// What changed on the map.
    Edited(Change),
    /// The new class of terrain.
    Class(TerrainId),
    /// The new building.
    Building(BuildingId),
    /// The new link.
    Link(LinkId),
}

impl World {
    /// Does what a command says.
    ///
    /// # Errors
    /// As the method that the command stands for.
    pub fn apply(&mut self, command: &Command) -> Result<Applied, WorldError> {
        let done = |()| Applied::Done;
        match command {
            Command::Spawn { at, spawn } => self.spawn(*at, spawn).map(Applied::Spawned),
            Command::SpawnInside { building, spawn } => {
                self.spawn_inside(*building, spawn).map(Applied::Spawned)
            }
            Command::Remove { unit } => self.remove(*unit).map(done),
            Command::Teleport { unit, cell } => self.teleport(*unit, *cell).map(done),
            Command::SetLevel { unit, level } => self.set_level(*unit, *level).map(done),
            Command::SetMovement { unit, movement } => self.set_movement(*unit, movement).map(done),
            Command::SetLayer { unit, layer } => self.set_layer(*unit, *layer).map(done),
            Command::SetTeam { unit, team } => self.set_team(*unit, *team).map(done),
            Command::SetRelation { teams: (a, b), relation } => {
                self.set_relation(*a, *b, *relation).map(done)
            }
            Command::Order { unit, order } => self.order(*unit, order.clone()).map(done),
            Command::QueueOrder { unit, order } => self.queue_order(*unit, order.clone()).map(done),
            Command::OrderGroup { units, spot } => {
                self.order_group(units, *spot).map(Applied::Grouped)
            }
            Command::OrderFormation { units, spot, facing, formation } => {
                self.order_formation(units, *spot, *facing, *formation).map(Applied::Grouped)
            }
            Command::Halt { unit } => self.halt(*unit).map(done),
            Command::Resume { unit } => self.resume(*unit).map(done),
            Command::SetQueue { unit, orders } => self.set_queue(*unit, orders).map(done),
            Command::TeleportNear { unit, cell } => {
                self.teleport_near(*unit, *cell).map(Applied::Placed)
            }
            Command::Build { rect, terrain, on_units } => {
                self.build(*rect, *terrain, *on_units).map(Applied::Edited)
            }
            Command::RemoveBuilding { building, garrison } => {
                self.remove_building(*building, *garrison).map(done)
            }
            Command::Paint { cells, terrain } => self.paint(cells, *terrain).map(Applied::Edited),
            Command::Fill { rect, terrain } => self.fill(*rect, *terrain).map(Applied::Edited),
            Command::AddClass { class } => self.add_class(class.clone()).map(Applied::Class),
            Command::AddBuilding { building } => {
                self.add_building(building.clone()).map(Applied::Building)
            }
            Command::SetCapacity { building, capacity } => {
                self.set_capacity(*building, *capacity).map(done)
            }
            Command::AddLink { link } => self.add_link(*link).map(Applied::Link),
            Command::RemoveLink { link, inside } => self.remove_link(*link, *inside).map(done),
        }
    }
}
