//! Safe always: random worlds, random units, random commands, every tick judged.
//!
//! Each story is told twice: the second world has another number of threads, and is restored from
//! a snapshot of the first at random ticks. Both must answer every command alike, and have the
//! same events and hash after every tick.

use std::ops::RangeInclusive;

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_cooperative::PlanningOptions;
use throng_model::{
    Building, Cell, CornerRule, DiagonalCost, Factor, Map, MovementProfile, Neighbours, Rect,
    SlowTerrain, TerrainClass, TerrainId, TerrainOverride, UnitId,
};
use throng_spacetime::PassingRule;
use throng_world::{
    Applied, BuildingId, Capacity, Command, Facing, Formation, Garrison, Layer, Link, OnUnits,
    Order, Relation, Spawn, Team, Track, WhenFull, World, WorldError, WorldOptions,
};

use crate::refereed::RefereedWorld;

const SWAMP: TerrainId = TerrainId(2);
const WATER: TerrainId = TerrainId(3);
/// The second world is restored from a snapshot every so many ticks, on average.
const RESTORED_EVERY: u32 = 20;

/// One world and what happens in it, all drawn from one seed.
struct Story {
    refereed: RefereedWorld,
    /// The same world with another number of threads.
    twin: World,
    rng: Pcg64Mcg,
    kinds: Vec<MovementProfile>,
    buildings: u32,
    teams: u8,
    layers: u8,
    /// Whether commands and maps are printed.
    is_shown: bool,
    /// Whether there are links, full buildings, terrain that slows, and uneven steps, and commands of
    /// every kind.
    has_links: bool,
}

fn one_in(rng: &mut Pcg64Mcg, count: u32) -> bool {
    rng.random_range(0..count) == 0
}

fn empty_map(width: u32, height: u32) -> Map {
    let classes = vec![
        TerrainClass::passable("ground", '.', Factor::ONE),
        TerrainClass::blocked("wall", '@'),
        TerrainClass::passable("swamp", 'S', Factor::new(3).unwrap()),
        TerrainClass::blocked("water", 'W'),
    ];
    let cells = vec![Map::GROUND; (width * height) as usize];
    Map::new(width as u16, height as u16, classes, cells).unwrap()
}

/// Cells walled at random.
fn scattered(rng: &mut Pcg64Mcg, map: &mut Map) {
    let percent = rng.random_range(0..35);
    for cell in map.cells() {
        let terrain = match rng.random_range(0..100_u32) {
            n if n < percent => Map::WALL,
            n if n >= 97 => WATER,
            n if n >= 92 => SWAMP,
            _ => continue,
        };
        map.set(cell, terrain).unwrap();
    }
}

/// Walls in a lattice, with a door in most of them.
fn rooms(rng: &mut Pcg64Mcg, map: &mut Map) {
    let side = rng.random_range(3..8_u16);
    let walls = map.cells().filter(|c| c.x % side == 0 || c.y % side == 0).collect::<Vec<_>>();
    map.paint(&walls, Map::WALL).unwrap();
    for cell in walls {
        if one_in(rng, 4) {
            map.set(cell, Map::GROUND).unwrap();
        }
    }
}

/// Noise, smoothed.
fn caves(rng: &mut Pcg64Mcg, map: &mut Map) {
    let (width, height) = (i32::from(map.width()), i32::from(map.height()));
    let mut solid: Vec<bool> = map.cells().map(|_| rng.random_range(0..100) < 42).collect();
    for _ in 0..3 {
        let at = |x: i32, y: i32| {
            x < 0 || y < 0 || x >= width || y >= height || solid[(y * width + x) as usize]
        };
        let around = |i: i32| {
            let (x, y) = (i % width, i / width);
            (0..9).filter(|n| at(x + n % 3 - 1, y + n / 3 - 1)).count()
        };
        solid = (0..width * height).map(|i| around(i) >= 5).collect();
    }
    let walls: Vec<Cell> = map.cells().zip(&solid).filter(|(_, s)| **s).map(|(c, _)| c).collect();
    map.paint(&walls, Map::WALL).unwrap();
}

/// All wall, but for corridors of one or two cells.
fn corridors(rng: &mut Pcg64Mcg, map: &mut Map) {
    let (width, height) = (map.width(), map.height());
    map.fill(Rect::new(Cell::new(0, 0), width, height), Map::WALL).unwrap();
    for _ in 0..(width + height) / 3 {
        let (x, y) = (rng.random_range(0..width), rng.random_range(0..height));
        let broad = rng.random_range(1..3_u16);
        let along = rng.random_range(3..=width.max(height));
        let (w, h) = if one_in(rng, 2) { (along, broad) } else { (broad, along) };
        let rect = Rect::new(Cell::new(x, y), w.min(width - x), h.min(height - y));
        map.fill(rect, Map::GROUND).unwrap();
    }
}

fn draw_map(rng: &mut Pcg64Mcg, side: RangeInclusive<u32>) -> Map {
    let mut map = empty_map(rng.random_range(side.clone()), rng.random_range(side));
    match rng.random_range(0..4) {
        0 => scattered(rng, &mut map),
        1 => rooms(rng, &mut map),
        2 => caves(rng, &mut map),
        _ => corridors(rng, &mut map),
    }
    map
}

fn draw_kind(rng: &mut Pcg64Mcg) -> MovementProfile {
    let corners = [CornerRule::NeverCut, CornerRule::OneSideFree, CornerRule::AlwaysCut];
    let mut terrain = Vec::new();
    if one_in(rng, 4) {
        terrain.push(TerrainOverride { terrain: WATER, factor: Some(Factor::ONE) });
    }
    if one_in(rng, 4) {
        terrain.push(TerrainOverride { terrain: SWAMP, factor: None });
    }
    if one_in(rng, 12) {
        terrain.push(TerrainOverride { terrain: Map::WALL, factor: Factor::new(2).ok() });
    }
    MovementProfile {
        neighbours: if one_in(rng, 2) { Neighbours::Four } else { Neighbours::Eight },
        corners: corners[rng.random_range(0..3_u32) as usize],
        diagonal: if one_in(rng, 2) { DiagonalCost::OneTick } else { DiagonalCost::TrueLength },
        footprint: [1, 1, 2, 3][rng.random_range(0..4_u32) as usize],
        pace: [1, 1, 2, 3, 4][rng.random_range(0..5_u32) as usize],
        terrain,
        slow: Vec::new(),
    }
}

/// Gives a kind diagonal steps of their own ticks, and terrain that slows it.
fn draw_speeds(rng: &mut Pcg64Mcg, kind: &mut MovementProfile) {
    if one_in(rng, 2) {
        kind.diagonal = DiagonalCost::Ticks(rng.random_range(kind.pace..=2 * kind.pace));
    }
    for terrain in [SWAMP, WATER, Map::GROUND] {
        if one_in(rng, 3) {
            kind.slow.push(SlowTerrain { terrain, times: rng.random_range(1..5) });
        }
    }
}

fn draw_options(rng: &mut Pcg64Mcg) -> WorldOptions {
    WorldOptions {
        window: rng.random_range(2..=32),
        expansions_per_tick: match rng.random_range(0..6) {
            0 => Some(rng.random_range(0..3)),
            1 => Some(rng.random_range(3..500)),
            2 => Some(rng.random_range(500..5000)),
            _ => None,
        },
        threads: rng.random_range(1..3_u32) as usize,
        planning: PlanningOptions {
            promotion: !one_in(rng, 4),
            interleaved: !one_in(rng, 4),
            resting_yield: !one_in(rng, 4),
            ..PlanningOptions::default()
        },
        passing: if one_in(rng, 3) { PassingRule::DoubleClaims } else { PassingRule::ExplicitTest },
        ..WorldOptions::default()
    }
}

/// Prints a line of a story that is told alone.
#[expect(clippy::print_stdout, reason = "a story is told alone to be read")]
fn show(line: &str) {
    println!("{line}");
}

impl Story {
    fn new(seed: u64, side: RangeInclusive<u32>, units: u32, has_links: bool) -> Self {
        let mut rng = throng_testkit::rng(seed);
        let map = draw_map(&mut rng, side);
        let options = draw_options(&mut rng);
        let mut kinds: Vec<_> =
            (0..rng.random_range(1..5_u32)).map(|_| draw_kind(&mut rng)).collect();
        if has_links {
            kinds.iter_mut().for_each(|kind| draw_speeds(&mut rng, kind));
        }
        let refereed = RefereedWorld::new(map, options);
        let twin = refereed.world.clone();
        let teams = [1, 1, 2, 4][rng.random_range(0..4_u32) as usize];
        let layers = [1, 1, 2][rng.random_range(0..3_u32) as usize];
        let is_shown = setting("THRONG_STORY").is_some();
        let mut story =
            Self { refereed, twin, rng, kinds, buildings: 0, teams, layers, is_shown, has_links };
        story.restore_twin();
        for _ in 0..story.rng.random_range(0..3_u32) {
            story.add_building();
        }
        (0..units).for_each(|_| story.spawn());
        story
    }

    /// Saves the first world, and goes on from there as the second.
    fn restore_twin(&mut self) {
        let threads = [1, 2, 8][self.rng.random_range(0..3_u32) as usize];
        self.twin = World::restore(&self.refereed.world.snapshot(), threads).unwrap();
    }

    /// Tells both worlds the same.
    fn tell(&mut self, command: &Command) -> Result<Applied, WorldError> {
        let applied = self.refereed.apply(command);
        if self.is_shown {
            show(&format!("{command:?}: {applied:?}"));
        }
        let twin = self.twin.apply(command);
        match (&twin, &applied) {
            // A restored map counts its revisions from zero.
            (Ok(Applied::Edited(twin)), Ok(Applied::Edited(own))) => {
                assert_eq!(twin.cells, own.cells, "{command:?}");
            }
            _ => assert_eq!(twin, applied, "{command:?}"),
        }
        applied
    }

    fn tick(&mut self) {
        if self.is_shown {
            show(&self.refereed.show());
        }
        let events = self.refereed.tick().to_vec();
        let report = self.twin.tick();
        assert_eq!(report.events, events, "at {}", report.tick);
        assert_eq!(report.hash, self.refereed.world.hash(), "at {}", report.tick);
    }

    fn cell(&mut self) -> Cell {
        let map = self.refereed.world.map();
        let (width, height) = (map.width(), map.height());
        Cell::new(self.rng.random_range(0..width), self.rng.random_range(0..height))
    }

    fn unit(&mut self) -> Option<UnitId> {
        let units: Vec<UnitId> = self.refereed.world.units().collect();
        let count = units.len() as u32;
        (count > 0).then(|| units[self.rng.random_range(0..count) as usize])
    }

    /// Somewhere near a unit, often where it is about to go.
    fn cell_near_unit(&mut self) -> Cell {
        let place = self.unit().and_then(|unit| self.refereed.world.location(unit));
        let Some((at, heading)) = place else { return self.cell() };
        let at =
            heading.map_or(at, |heading| if one_in(&mut self.rng, 3) { at } else { heading.to });
        let (dx, dy) = (self.rng.random_range(-2..=2), self.rng.random_range(-2..=2));
        at.offset(dx, dy).filter(|&cell| self.refereed.world.map().contains(cell)).unwrap_or(at)
    }

    fn spawn(&mut self) {
        let count = self.kinds.len() as u32;
        let movement = self.kinds[self.rng.random_range(0..count) as usize].clone();
        let level = if one_in(&mut self.rng, 3) { self.rng.random_range(1..4) } else { 0 };
        let window = if one_in(&mut self.rng, 2) { self.rng.random_range(2..=32) } else { 0 };
        let (team, layer) = (self.team(), self.layer());
        let spawn = Spawn { movement, level, window, team, layer };
        if self.buildings > 0 && one_in(&mut self.rng, 10) {
            let building = BuildingId::new(self.rng.random_range(0..self.buildings));
            // It may have been removed.
            let _ = self.tell(&Command::SpawnInside { building, spawn });
            return;
        }
        for _ in 0..10 {
            let at = self.cell();
            if self.tell(&Command::Spawn { at, spawn: spawn.clone() }).is_ok() {
                return;
            }
        }
    }

    fn team(&mut self) -> Team {
        Team(self.rng.random_range(0..self.teams))
    }

    fn layer(&mut self) -> Layer {
        Layer(self.rng.random_range(0..self.layers))
    }

    /// A unit becomes another kind of unit.
    fn change_unit(&mut self, unit: UnitId) {
        let kinds = self.kinds.len() as u32;
        let movement = self.kinds[self.rng.random_range(0..kinds) as usize].clone();
        let relations = [Relation::Friend, Relation::Neutral, Relation::Enemy];
        let command = match self.rng.random_range(0..6) {
            0 => Command::SetTeam { unit, team: self.team() },
            1 => Command::SetLayer { unit, layer: self.layer() },
            2 => {
                let relation = relations[self.rng.random_range(0..3_u32) as usize];
                Command::SetRelation { teams: (self.team(), self.team()), relation }
            }
            _ => Command::SetMovement { unit, movement },
        };
        // There may be no room for it, or a common friend.
        let _ = self.tell(&command);
    }

    fn add_building(&mut self) {
        let doors: Vec<Cell> = (0..self.rng.random_range(1..4_u32)).map(|_| self.cell()).collect();
        let building = Building::with_doors("house", doors);
        self.tell(&Command::AddBuilding { building }).unwrap();
        self.buildings += 1;
    }

    fn draw_order(&mut self) -> Order {
        match self.rng.random_range(0..17) {
            12 => Order::Approach(self.cell()),
            13 => Order::Patrol((0..3).map(|_| self.cell()).collect()),
            14..=16 => self.draw_tracking(),
            0 => Order::Stop,
            1 => Order::Hold,
            2 if self.buildings > 0 => {
                Order::Enter(BuildingId::new(self.rng.random_range(0..self.buildings)))
            }
            3 => Order::GoTo((0..self.rng.random_range(2..9_u32)).map(|_| self.cell()).collect()),
            4 => Order::go(self.cell_near_unit()),
            _ => Order::go(self.cell()),
        }
    }

    fn draw_tracking(&mut self) -> Order {
        let Some(unit) = self.unit() else { return Order::Stop };
        let track = Track { unit, distance: self.rng.random_range(0..4) };
        match self.rng.random_range(0..3) {
            0 => Order::Follow(track),
            1 => Order::Guard(track),
            _ => Order::Chase(track),
        }
    }

    fn rect(&mut self) -> Rect {
        let (at, map) = (self.cell(), self.refereed.world.map());
        let (width, height) = (map.width() - at.x, map.height() - at.y);
        let width = self.rng.random_range(1..=4.min(width));
        Rect::new(at, width, self.rng.random_range(1..=4.min(height)))
    }

    /// Something that few games do often. It may be refused.
    fn rare_command(&mut self, unit: UnitId) {
        let command = match self.rng.random_range(0..8) {
            0 | 1 => Command::Halt { unit },
            2 | 3 => Command::Resume { unit },
            4 => {
                let orders = (0..3).map(|_| self.draw_order()).collect();
                Command::SetQueue { unit, orders }
            }
            5 => Command::TeleportNear { unit, cell: self.cell() },
            6 => {
                let moves_out = one_in(&mut self.rng, 2);
                let on_units = if moves_out { OnUnits::MoveOut } else { OnUnits::Refuse };
                Command::Build { rect: self.rect(), terrain: Map::WALL, on_units }
            }
            _ => return self.rarest_command(),
        };
        let _ = self.tell(&command);
    }

    fn rarest_command(&mut self) {
        if self.buildings > 0 && one_in(&mut self.rng, 4) {
            let building = BuildingId::new(self.rng.random_range(0..self.buildings));
            let is_put_out = one_in(&mut self.rng, 2);
            let garrison = if is_put_out { Garrison::PutOut } else { Garrison::Remove };
            let _ = self.tell(&Command::RemoveBuilding { building, garrison });
            return;
        }
        let mut units: Vec<UnitId> = self.refereed.world.units().collect();
        units.retain(|_| one_in(&mut self.rng, 3));
        let formations = [
            Formation::Line,
            Formation::Column,
            Formation::Box,
            Formation::Wedge,
            Formation::AsTheyStand,
        ];
        let formation = formations[self.rng.random_range(0..5_u32) as usize];
        let facings = [Facing::East, Facing::North, Facing::South, Facing::West];
        let facing = if self.has_links { self.rng.random_range(0..4_u32) } else { 0 };
        let (spot, facing) = (self.cell(), facings[facing as usize]);
        let _ = self.tell(&Command::OrderFormation { units, spot, facing, formation });
    }

    /// Kinds of commands that the other stories have not. They may be refused.
    fn new_command(&mut self) {
        let classes = self.refereed.world.map().classes().len() as u8;
        let command = match self.rng.random_range(0..10) {
            0..5 => return self.link_command(),
            5 | 6 => return self.rarest_command(),
            7 if self.buildings < 6 => return self.add_building(),
            8 if classes < 7 => {
                let factor = Factor::new(self.rng.random_range(1..5)).unwrap();
                let class = TerrainClass::passable("mud", '~', factor);
                Command::AddClass { class }
            }
            _ => {
                let is_ground = one_in(&mut self.rng, 2);
                let class = if is_ground { 0 } else { self.rng.random_range(0..classes) };
                Command::Fill { rect: self.rect(), terrain: TerrainId(class) }
            }
        };
        self.tell(&command).unwrap();
    }

    /// Links and capacities: they may be refused.
    fn link_command(&mut self) {
        let links: Vec<_> = self.refereed.world.links().map(|(id, _)| id).collect();
        let count = links.len() as u32;
        let command = match self.rng.random_range(0..4) {
            0 if self.buildings > 0 => {
                let building = BuildingId::new(self.rng.random_range(0..self.buildings));
                let waits = one_in(&mut self.rng, 2);
                let when_full = if waits { WhenFull::Wait } else { WhenFull::Refuse };
                let units = self.rng.random_range(0..4);
                let is_any = one_in(&mut self.rng, 4);
                let capacity = Some(Capacity { units, when_full }).filter(|_| !is_any);
                Command::SetCapacity { building, capacity }
            }
            1 if count > 3 => {
                let link = links[self.rng.random_range(0..count) as usize];
                let is_put_out = one_in(&mut self.rng, 2);
                let inside = if is_put_out { Garrison::PutOut } else { Garrison::Remove };
                Command::RemoveLink { link, inside }
            }
            _ => {
                let near = one_in(&mut self.rng, 2);
                let from = if near { self.cell_near_unit() } else { self.cell() };
                let capacity = self.rng.random_range(0..4);
                let capacity = (capacity > 0).then_some(capacity);
                let (to, layer) = (self.cell(), self.layer());
                let ticks = self.rng.random_range(1..20);
                Command::AddLink { link: Link { from, to, ticks, layer, capacity } }
            }
        };
        let _ = self.tell(&command);
    }

    fn paint(&mut self) {
        let terrain = TerrainId([0, 0, 0, 1, 1, 2, 3][self.rng.random_range(0..7_u32) as usize]);
        let cells: Vec<Cell> = if one_in(&mut self.rng, 2) {
            (0..self.rng.random_range(1..6_u32)).map(|_| self.cell_near_unit()).collect()
        } else {
            let (at, map) = (self.cell(), self.refereed.world.map());
            let (width, height) = (map.width() - at.x, map.height() - at.y);
            let width = self.rng.random_range(1..=4.min(width));
            let height = self.rng.random_range(1..=4.min(height));
            Rect::new(at, width, height).cells().collect()
        };
        self.tell(&Command::Paint { cells, terrain }).unwrap();
    }

    fn order_group(&mut self) {
        let mut units: Vec<UnitId> = self.refereed.world.units().collect();
        units.retain(|_| one_in(&mut self.rng, 2));
        let spot = self.cell();
        // A unit may be in a building, and there may not be enough room: no unit goes then.
        let _ = self.tell(&Command::OrderGroup { units, spot });
    }

    /// One thing that a game may do between ticks. Whether it is refused does not matter
    /// here: nothing may break.
    fn command(&mut self) {
        let Some(unit) = self.unit() else { return self.spawn() };
        if self.has_links && one_in(&mut self.rng, 10) {
            return self.new_command();
        }
        let command = match self.rng.random_range(0..26) {
            24 => return self.change_unit(unit),
            25 => return self.rare_command(unit),
            0 => return self.spawn(),
            1 => Command::Remove { unit },
            2 => {
                let cell =
                    if one_in(&mut self.rng, 2) { self.cell() } else { self.cell_near_unit() };
                let _ = self.tell(&Command::Teleport { unit, cell });
                return;
            }
            3..=5 => return self.paint(),
            6 => Command::SetLevel { unit, level: self.rng.random_range(0..4) },
            7 => return self.order_group(),
            8..=11 => Command::QueueOrder { unit, order: self.draw_order() },
            _ => Command::Order { unit, order: self.draw_order() },
        };
        let told = self.tell(&command);
        let is_refused = matches!(
            told,
            Err(WorldError::OwnTarget(_)
                | WorldError::NoSuchBuilding(_)
                | WorldError::InLink(_)
                | WorldError::NoSuchUnit(_))
        );
        assert!(told.is_ok() || is_refused, "{command:?}: {told:?}");
    }

    /// One command in three ticks on average, one per tick, or two.
    fn run(&mut self, ticks: u32, pace: u32) {
        for _ in 0..ticks {
            while if pace == 0 {
                one_in(&mut self.rng, 4)
            } else {
                !one_in(&mut self.rng, 1 + pace)
            } {
                self.command();
            }
            if one_in(&mut self.rng, RESTORED_EVERY) {
                self.restore_twin();
            }
            self.tick();
        }
    }
}

/// Runs a story. Returns the number of unit-ticks checked.
fn tell(seed: u64, side: RangeInclusive<u32>, (units, ticks): (u32, u32), has_links: bool) -> u64 {
    let mut story = Story::new(seed, side, units, has_links);
    story.run(ticks, seed as u32 % 3);
    story.refereed.unit_ticks()
}

/// Runs this many stories, times the value of `THRONG_STORIES` if it is set:
/// `THRONG_STORIES=10 cargo test --release -p throng-world --test it safety` is about ten million
/// unit-ticks. `THRONG_STORY=179` runs only the story of this number: name the test, too. Its
/// commands and maps are printed if it breaks. Returns how many unit-ticks were checked.
fn check(stories: u64, side: &RangeInclusive<u32>, units: u32, ticks: u32) -> u64 {
    check_with(stories, side, (units, ticks), false)
}

fn check_with(
    stories: u64,
    side: &RangeInclusive<u32>,
    (units, ticks): (u32, u32),
    has_links: bool,
) -> u64 {
    if let Some(only) = setting("THRONG_STORY") {
        tell(only, side.clone(), (units, ticks), has_links);
        return u64::MAX;
    }
    let mut broken = Vec::new();
    let told = (0..stories * setting("THRONG_STORIES").unwrap_or(1)).map(|seed| {
        let one = std::panic::catch_unwind(|| tell(seed, side.clone(), (units, ticks), has_links));
        one.unwrap_or_else(|_| {
            broken.push(seed);
            0
        })
    });
    let checked = told.sum();
    assert!(broken.is_empty(), "stories {broken:?} of {units} units broke");
    checked
}

/// The number that a variable of the environment has.
#[expect(clippy::disallowed_methods, reason = "a longer run is asked for by hand")]
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|value| value.parse().ok())
}

#[test]
fn small_worlds_are_safe_under_random_commands() {
    assert!(check(900, &(8..=16), 8, 60) > 250_000);
}

#[test]
fn crowded_worlds_are_safe_under_random_commands() {
    assert!(check(300, &(8..=14), 30, 60) > 200_000);
}

#[test]
fn larger_worlds_are_safe_under_random_commands() {
    assert!(check(150, &(24..=64), 40, 100) > 400_000);
}

#[test]
fn long_stories_are_safe_under_random_commands() {
    assert!(check(60, &(8..=30), 16, 250) > 150_000);
}

/// A wall undoes the step of an enemy, and a unit enters where the step would have led.
#[test]
fn cells_of_an_abandoned_step_may_be_entered_in_the_next_tick() {
    assert!(tell(179, 8..=30, (16, 250), false) > 1000);
}

/// The unit stays in the wall until it can walk out.
#[test]
fn a_wall_may_be_built_on_a_unit_that_has_just_changed_its_layer() {
    assert!(tell(4837, 8..=16, (8, 60), false) > 100);
}

/// Links, capacities, terrain that slows, diagonals of their own ticks, formations; commands of
/// every kind.
#[test]
fn worlds_with_links_and_uneven_steps_are_safe_under_random_commands() {
    assert!(check_with(240, &(8..=20), (12, 80), true) > 120_000);
    assert!(check_with(30, &(10..=14), (30, 60), true) > 30_000);
    assert!(check_with(12, &(30..=60), (30, 150), true) > 30_000);
}

/// A unit changes sides in the middle of a step, while another is leaving the place where the step
/// ends. It was taken off the map and not put back.
#[test]
fn a_unit_that_changes_sides_in_a_step_stays_on_the_map() {
    assert!(tell(239, 8..=30, (16, 250), false) > 1000);
}

/// A building is removed, and a unit in another one was told to enter it. It was in no building
/// and not on the map.
#[test]
fn a_unit_stays_inside_when_the_building_to_which_it_is_sent_is_removed() {
    assert!(tell(551, 8..=30, (16, 250), false) > 1000);
}

/// More than 16384 cells: units have routes instead of exact distances.
#[test]
fn worlds_with_routes_are_safe_under_random_commands() {
    assert!(check(10, &(130..=150), 60, 100) > 20_000);
}
