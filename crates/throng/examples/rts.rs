//! A small battle: three teams, three kinds of units, in lockstep with a second world.
//!
//! Red comes out of its barracks in formation and crosses the river. Blue patrols the other bank.
//! Green, which is neutral, walks through. A flyer of red chases scouts of blue, tanks follow the
//! soldiers and are slow in the marsh, until they are upgraded. A ferry crosses the
//! river in the south, for four at a time. A wall goes up on the tanks, the bridge is blown up under the
//! soldiers, who find the ford and form again, and the second world is saved and loaded on the way.
//! `cargo run --release --example rts -- FILM.gif` also writes a film.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use throng::prelude::*;
use throng::world::{Applied, Command, OnUnits, Track, WorldError};
use throng_draw::{Animation, Colour, Disc, Picture, Point, Scale};

const TICKS: u32 = 200;
const RED: Team = Team(1);
const BLUE: Team = Team(2);
const GREEN: Team = Team(3);
const WATER: TerrainId = TerrainId(2);
const MARSH: TerrainId = TerrainId(3);

/// Two worlds that are told the same.
struct Game {
    host: World,
    peer: World,
}

impl Game {
    fn tell(&mut self, command: &Command) -> Result<Applied, WorldError> {
        let (host, peer) = (self.host.apply(command), self.peer.apply(command));
        assert_eq!(host.is_ok(), peer.is_ok(), "the worlds answer alike");
        host
    }

    fn spawn(&mut self, at: (u16, u16), spawn: &Spawn) -> Result<UnitId, WorldError> {
        let at = self.host.free_cell_near(at, spawn).unwrap_or(at.into());
        match self.tell(&Command::Spawn { at, spawn: spawn.clone() })? {
            Applied::Spawned(unit) => Ok(unit),
            _ => Err(WorldError::TooManyUnits),
        }
    }

    fn order(&mut self, unit: UnitId, order: Order) -> Result<(), WorldError> {
        self.tell(&Command::Order { unit, order }).map(|_| ())
    }
}

/// A river with a bridge in the middle and a ford in the north.
fn river() -> Result<Map, Box<dyn std::error::Error>> {
    let mut map = Map::empty(64, 36)?;
    let water = map.add_class(TerrainClass::blocked("water", '~'))?;
    assert_eq!(water, WATER);
    let marsh = map.add_class(TerrainClass::passable("marsh", ',', Factor::ONE))?;
    assert_eq!(marsh, MARSH);
    map.fill(Rect::new(Cell::new(14, 6), 9, 9), marsh)?;
    map.fill(Rect::new(Cell::new(30, 0), 4, 36), water)?;
    map.fill(Rect::new(Cell::new(30, 16), 4, 3), Map::GROUND)?;
    map.fill(Rect::new(Cell::new(30, 3), 4, 3), Map::GROUND)?;
    map.fill(Rect::new(Cell::new(3, 14), 4, 6), Map::WALL)?;
    Ok(map)
}

fn soldier(team: Team) -> Spawn {
    Spawn::new(MovementProfile::eight_connected()).with_team(team)
}

fn tank(team: Team) -> Spawn {
    let slow = vec![SlowTerrain { terrain: MARSH, times: 2 }];
    let diagonal = DiagonalCost::Ticks(3);
    let eight = MovementProfile::eight_connected();
    let movement = MovementProfile { footprint: 2, pace: 2, diagonal, slow, ..eight };
    Spawn::new(movement).with_team(team)
}

/// Water and walls are no obstacle in the air.
fn flyer(team: Team) -> Spawn {
    let over = |terrain| TerrainOverride { terrain, factor: Some(Factor::ONE) };
    let terrain = vec![over(WATER), over(Map::WALL)];
    let movement = MovementProfile { terrain, ..MovementProfile::eight_connected() };
    Spawn::new(movement).with_team(team).with_layer(Layer::AIR)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let host = World::new(river()?, WorldOptions::default())?;
    let mut game = Game { peer: World::restore(&host.snapshot(), 2)?, host };
    for team in [RED, BLUE] {
        let command = Command::SetRelation { teams: (GREEN, team), relation: Relation::Neutral };
        game.tell(&command)?;
    }
    let reds = begin(&mut game)?;
    let mut film = Animation::new(game.host.map(), Scale::Pixels(12))?;
    let mut caught = 0;
    for tick in 0..TICKS {
        happen(&mut game, tick)?;
        attack_move(&mut game, &reds)?;
        let (report, peer) = (game.host.tick(), game.peer.tick());
        assert_eq!(report, peer, "the worlds are in step");
        caught += report.events.iter().filter(|e| matches!(e, Event::Reached { .. })).count();
        film.frame(&picture(&game.host), if tick + 1 == TICKS { 2000 } else { 80 })?;
    }
    let arrived = |unit: &&UnitId| game.host.status(**unit) == Some(UnitStatus::Arrived);
    println!(
        "{} of {} soldiers of red are in formation",
        reds.iter().filter(arrived).count(),
        reds.len()
    );
    println!("{caught} caught; both worlds have the hash {:016x}", game.host.hash());
    for unit in reds.iter().filter(|unit| !arrived(unit)) {
        let why = game.host.why(*unit).map_or(String::new(), |why| why.to_string());
        println!("{unit}: {why}");
    }
    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(&path, film.finish()?)?;
        println!("wrote {path}");
    }
    Ok(())
}

/// Puts all units into the game, and gives them their first orders. Returns the soldiers of red.
fn begin(game: &mut Game) -> Result<Vec<UnitId>, Box<dyn std::error::Error>> {
    let doors: Vec<Cell> = (15..19).map(|y| Cell::new(7, y)).collect();
    let barracks = Building::with_doors("barracks of red", doors);
    let Applied::Building(building) = game.tell(&Command::AddBuilding { building: barracks })?
    else {
        return Err("no barracks".into());
    };
    let ferry = Link::new((29, 30), (34, 30), 8).with_capacity(4);
    game.tell(&Command::AddLink { link: ferry })?;
    game.tell(&Command::AddLink { link: ferry.back() })?;
    let mut reds = Vec::new();
    for _ in 0..16 {
        let command = Command::SpawnInside { building, spawn: soldier(RED) };
        if let Applied::Spawned(unit) = game.tell(&command)? {
            reds.push(unit);
        }
    }
    let (spot, facing, formation) = (Cell::new(50, 18), Facing::East, Formation::Box);
    game.tell(&Command::OrderFormation { units: reds.clone(), spot, facing, formation })?;
    for y in [10, 22] {
        let escort = game.spawn((5, y), &tank(RED))?;
        game.order(escort, Order::follow(reds[0], 4))?;
    }
    let mut first = None;
    for number in 0..8 {
        let unit = game.spawn((40 + 2 * number, 30), &soldier(BLUE))?;
        first = first.or(Some(unit));
        let x = 38 + 3 * number;
        game.order(unit, Order::Patrol(vec![Cell::new(x, 8), Cell::new(x, 33)]))?;
        if number == 7 {
            let hunter = game.spawn((2, 2), &flyer(RED))?;
            for unit in [unit, first.unwrap_or(unit)] {
                let order = Order::Chase(Track { unit, distance: 1 });
                game.tell(&Command::QueueOrder { unit: hunter, order })?;
            }
        }
    }
    for y in [6, 28, 32] {
        let unit = game.spawn((60, y), &soldier(GREEN))?;
        game.order(unit, Order::Approach(Cell::new(5, y)))?;
    }
    Ok(reds)
}

/// What happens at certain ticks.
fn happen(game: &mut Game, tick: u32) -> Result<(), Box<dyn std::error::Error>> {
    let bridge = Rect::new(Cell::new(30, 16), 4, 3);
    match tick {
        // The bridge is blown up with everybody on it; the explosion throws units to the bank.
        28 => {
            let hit: Vec<UnitId> = game.host.units_in_rect(bridge).collect();
            game.tell(&Command::Fill { rect: bridge, terrain: WATER })?;
            let is_low = |unit: &UnitId| game.host.layer(*unit) != Some(Layer::AIR);
            let thrown: Vec<UnitId> = hit.into_iter().filter(is_low).collect();
            println!("the bridge is blown up under {} units", thrown.len());
            for unit in thrown {
                game.tell(&Command::TeleportNear { unit, cell: Cell::new(28, 17) })?;
            }
        }
        // A wall on the way of the tanks: units on it are moved out.
        30 => {
            let rect = Rect::new(Cell::new(16, 14), 2, 9);
            let on_units = OnUnits::MoveOut;
            println!("a wall goes up on {} units", game.host.units_in_rect(rect).count());
            game.tell(&Command::Build { rect, terrain: Map::WALL, on_units })?;
        }
        // The second world is saved and loaded.
        55 => game.peer = World::restore(&game.peer.snapshot(), 1)?,
        // Haste for the tanks.
        70 => {
            let movement = MovementProfile { footprint: 2, ..MovementProfile::eight_connected() };
            let is_tank =
                |unit: &UnitId| game.host.movement(*unit).is_some_and(|m| m.footprint == 2);
            for unit in game.host.units().filter(is_tank).collect::<Vec<_>>() {
                game.tell(&Command::SetMovement { unit, movement: movement.clone() })?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// Soldiers of red halt while an enemy is near, and go on when it is gone.
fn attack_move(game: &mut Game, reds: &[UnitId]) -> Result<(), WorldError> {
    for &unit in reds {
        let Some((at, _)) = game.host.location(unit) else { continue };
        let is_enemy = |&other: &UnitId| game.host.team(other) == Some(BLUE);
        let is_near = game.host.units_in_circle(at, 2).any(|other| is_enemy(&other));
        let is_halted = game.host.status(unit) == Some(UnitStatus::Halted);
        let is_going = game.host.status(unit) == Some(UnitStatus::Going);
        if is_near && is_going {
            game.tell(&Command::Halt { unit })?;
        } else if !is_near && is_halted {
            game.tell(&Command::Resume { unit })?;
        }
    }
    Ok(())
}

fn picture(world: &World) -> Picture<'_> {
    let mut picture = Picture::new(world.map());
    for step in world.steps() {
        let colour = match world.team(step.unit) {
            Some(RED) => 0xd0_3030,
            Some(BLUE) => 0x30_60d0,
            _ => 0x30_a040,
        };
        let footprint = world.movement(step.unit).map_or(1, |movement| movement.footprint);
        let is_flyer = world.layer(step.unit) == Some(Layer::AIR);
        let colour = Colour::hex(if is_flyer { 0xff_90a0 } else { colour });
        let to = step.heading.map_or(step.at, |heading| heading.to);
        let share = f64::from(step.progress.done) / f64::from(step.progress.ticks);
        let share = if step.heading.is_some() { share } else { 1.0 };
        let from = Point::centre(step.at, footprint);
        let centre = from.towards(Point::centre(to, footprint), share);
        picture = picture.disc(Disc { centre, footprint, colour });
    }
    picture
}
