//! Crowds that the kernel alone moves, tick by tick: two crowds through a door (the default),
//! open ground, units of mixed sizes and paces.
//!
//! `cargo run --release -p throng-anytime --example door -- [door|open|mixed] [units] [draw]`
#![expect(clippy::disallowed_types, reason = "an example measures how long a tick takes")]
#![expect(clippy::print_stdout, reason = "an example prints what it did")]

use std::error::Error;
use std::time::{Duration, Instant};

use throng_anytime::{CrowdKernel, CrowdUnit, Preferences, Waiting};
use throng_grid::Field;
use throng_grid::kit::mix;
use throng_model::{Cell, Map, MovementProfile, Tick, UnitId};
use throng_spacetime::{Action, FootprintRules, GridSpace, Leg, Position, Space};

const SIDE: u16 = 64;
const TICKS_MAX: u32 = 5000;

/// The distances of all units, each as a table by position.
struct Tables(Vec<Vec<u32>>);

impl Preferences for Tables {
    fn distance(&mut self, unit: usize, at: Position) -> Option<u64> {
        let distance = self.0.get(unit)?.get(at.get())?;
        (*distance != u32::MAX).then_some(u64::from(*distance))
    }
}

struct Crowd {
    spaces: Vec<GridSpace>,
    units: Vec<CrowdUnit>,
    waiting: Vec<Waiting>,
    arrived: Vec<bool>,
    tables: Tables,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let scene = arguments.next().unwrap_or_else(|| "door".to_owned());
    let count = arguments.next().map_or(Ok(500), |count| count.parse())?;
    let draws = arguments.next().is_some();
    let mut crowd = match scene.as_str() {
        "door" => door(count)?,
        "open" => open(count, 1, 1)?,
        "mixed" => open(count, 3, 3)?,
        _ => return Err("scenes: door, open, mixed".into()),
    };
    let mut kernel = CrowdKernel::new(&crowd.spaces, 1)?;
    let (mut spent, mut now) = (Duration::ZERO, 0);
    while now < TICKS_MAX && crowd.arrived.contains(&false) {
        let begin = Instant::now();
        let actions = kernel.decide(&crowd.spaces, &crowd.units, Tick(now), &mut crowd.tables);
        spent += begin.elapsed();
        crowd
            .units
            .iter_mut()
            .zip(actions)
            .for_each(|(unit, &action)| begin_move(unit, action, now));
        now += 1;
        crowd.advance(now);
        if draws {
            println!("\x1b[H\x1b[2J{}tick {now}", crowd.drawing());
            std::thread::sleep(Duration::from_millis(60));
        }
    }
    let arrived = crowd.arrived.iter().filter(|&&arrived| arrived).count();
    let unit_ticks = crowd.units.len() as u128 * u128::from(now);
    println!("{scene}: {arrived} of {} units have arrived after {now} ticks", crowd.units.len());
    println!("{} ns per unit and tick", spent.as_nanos() / unit_ticks.max(1));
    Ok(())
}

fn begin_move(unit: &mut CrowdUnit, action: Action, now: u32) {
    if action != Action::PAUSE {
        unit.begun = Some(Leg { from: unit.at, tick: Tick(now), action });
    }
}

impl Crowd {
    /// Ends the moves that are over, and counts how long every unit waits.
    fn advance(&mut self, now: u32) {
        for (index, unit) in self.units.iter_mut().enumerate() {
            let space = &self.spaces[unit.space];
            let step = unit.begun.and_then(|leg| Some((leg, space.move_by(leg.from, leg.action)?)));
            if let Some((_, step)) = step.filter(|(leg, step)| leg.tick.0 + step.ticks == now) {
                (unit.at, unit.begun) = (step.to, None);
            }
            let distance = self.tables.distance(index, unit.at);
            self.arrived[index] |= distance == Some(0);
            self.waiting[index].tick(distance);
            unit.priority = self.waiting[index].priority(0, unit.unit, Tick(now));
        }
    }

    fn add(&mut self, space: usize, at: Cell, goal: Cell) -> Result<(), Box<dyn Error>> {
        let ground = self.spaces[space].ground();
        let field = Field::new(ground, &[goal])?;
        let all = 0..self.spaces[space].positions() as u32;
        let cells = all.map(|at| self.spaces[space].cell(Position(at)));
        let unit = self.spaces[space].cost_unit();
        let table =
            cells.map(|cell| field.distance(cell).map_or(u32::MAX, |d| (d.0 / unit) as u32));
        self.tables.0.push(table.collect());
        self.units.push(CrowdUnit {
            unit: UnitId::new(self.units.len() as u32),
            space,
            at: self.spaces[space].position(at).ok_or("off the map")?,
            priority: 0,
            holds: false,
            begun: None,
        });
        self.waiting.push(Waiting::default());
        self.arrived.push(at == goal);
        Ok(())
    }

    fn drawing(&self) -> String {
        let mut glyphs = vec![b'.'; usize::from(SIDE) * usize::from(SIDE)];
        for (at, glyph) in glyphs.iter_mut().enumerate() {
            let cell = Cell::new((at % usize::from(SIDE)) as u16, (at / usize::from(SIDE)) as u16);
            if !self.spaces[0].ground().can_stand(cell) {
                *glyph = b'#';
            }
        }
        for unit in &self.units {
            self.spaces[unit.space].standing(unit.at, |entry| {
                glyphs[entry.get()] = if unit.unit.index() % 2 == 0 { b'o' } else { b'x' };
                true
            });
        }
        glyphs.chunks(SIDE.into()).map(|row| String::from_utf8_lossy(row) + "\n").collect()
    }
}

fn crowd(map: &Map, kinds: &[MovementProfile]) -> Result<Crowd, Box<dyn Error>> {
    let rules = FootprintRules::default();
    let space = |kind: &MovementProfile| GridSpace::new(map, kind.clone(), &rules);
    let spaces = kinds.iter().map(space).collect::<Result<_, _>>()?;
    let (units, waiting, arrived) = (Vec::new(), Vec::new(), Vec::new());
    Ok(Crowd { spaces, units, waiting, arrived, tables: Tables(Vec::new()) })
}

/// Two crowds change rooms through a door of two cells.
fn door(count: u16) -> Result<Crowd, Box<dyn Error>> {
    let mut map = Map::empty(SIDE.into(), SIDE.into())?;
    let wall = (0..SIDE).filter(|row| !(SIDE / 2 - 1..=SIDE / 2).contains(row));
    map.paint(&wall.map(|row| Cell::new(SIDE / 2, row)).collect::<Vec<_>>(), Map::WALL)?;
    let mut crowd = crowd(&map, &[MovementProfile::eight_connected()])?;
    for number in 0..count.min(SIDE * (SIDE - 8)) {
        let (column, row) = (number / 2 / SIDE, number / 2 % SIDE);
        let (left, right) = (Cell::new(column, row), Cell::new(SIDE - 1 - column, row));
        let (at, goal) = if number % 2 == 0 { (left, right) } else { (right, left) };
        crowd.add(0, at, goal)?;
    }
    Ok(crowd)
}

/// Units at random on an open map, each with a goal of its own.
fn open(count: u16, sizes: u8, paces: u8) -> Result<Crowd, Box<dyn Error>> {
    let map = Map::empty(SIDE.into(), SIDE.into())?;
    let kind = |number: u8| MovementProfile {
        footprint: number / paces + 1,
        pace: number % paces + 1,
        ..MovementProfile::eight_connected()
    };
    let kinds: Vec<_> = (0..sizes * paces).map(kind).collect();
    let mut crowd = crowd(&map, &kinds)?;
    let (mut starts, mut goals) = (Taken::default(), Taken::default());
    let mut draws = (0_u64..).map(mix);
    let mut draw = |below: u64| (draws.next().unwrap_or(0) % below) as u16;
    while crowd.units.len() < usize::from(count) {
        let kind = usize::from(draw(u64::from(sizes * paces)));
        let side = u16::from(kinds[kind].footprint);
        let mut place = |taken: &mut Taken| loop {
            let mut coordinate = || draw(u64::from(SIDE - side) + 1);
            let cell = Cell::new(coordinate(), coordinate());
            if taken.take(cell, side) {
                return cell;
            }
        };
        let (at, goal) = (place(&mut starts), place(&mut goals));
        crowd.add(kind, at, goal)?;
    }
    Ok(crowd)
}

/// The squares that are taken.
#[derive(Default)]
struct Taken(Vec<(Cell, u16)>);

impl Taken {
    /// Takes a square unless it overlaps another.
    fn take(&mut self, cell: Cell, side: u16) -> bool {
        let apart = |a: u16, a_side: u16, b: u16, b_side: u16| a + a_side <= b || b + b_side <= a;
        let is_free = self.0.iter().all(|&(other, other_side)| {
            apart(cell.x, side, other.x, other_side) || apart(cell.y, side, other.y, other_side)
        });
        if is_free {
            self.0.push((cell, side));
        }
        is_free
    }
}
