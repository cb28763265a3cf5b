//! The units of a snapshot.

use serde::{Deserialize, Serialize};
use throng_cooperative::{CrewRecord, MemberRecord, Priority, Stance};
use throng_model::{Cell, CellIndex, Tick, UnitId, limits};
use throng_spacetime::{Action, GridSpace, Leg, Position, Space, TimedPath};

use super::{SnapshotError, steps, wrong};
use crate::guide::{Bearing, EXACT_POSITIONS, RouteBox, RoutePart};
use crate::making_way::{ERRAND_TICKS_MAX, Errand};
use crate::options::WINDOW;
use crate::resident::{Resident, UnitStatus};
use crate::{Order, World, WorldError};

/// One unit. What is usually the same as something else is stored in one byte.
#[derive(Serialize, Deserialize)]
pub(super) struct UnitImage {
    /// Numbers passed over since the unit before.
    gap: u32,
    kind: u8,
    level: u8,
    window: u8,
    order: Order,
    queue: Vec<Order>,
    status: UnitStatus,
    destination: Option<u32>,
    rerouting: bool,
    cut_short: bool,
    route_effort: u32,
    errand: Option<ErrandImage>,
    guidance: GuidanceImage,
    /// Units in buildings have none.
    body: Option<BodyImage>,
}

/// For whom, to where, from where, and for how many ticks from now.
type ErrandImage = (u32, u32, u32, u32);

#[derive(Serialize, Deserialize)]
enum GuidanceImage {
    None,
    /// To the unit's destination.
    Destination,
    Goal(u32),
    Route {
        start: u32,
        steps: Vec<u8>,
        /// How many steps of it are done.
        progress: u32,
        /// The middle and the reach of the box in which distances are known, and how many
        /// steps were done when it was chosen.
        within: Option<(u32, u8, u32)>,
    },
}

/// What the crew knows of a unit. Ticks are told from now on or back.
#[derive(Serialize, Deserialize)]
struct BodyImage {
    stance: Stance,
    flagged: bool,
    path: PathImage,
    /// Weights are few, but for the two highest: those are stored as 0 and 1.
    claimed: u16,
    due: i64,
    /// Plus 1; 0 is none.
    best: u64,
    best_age: u32,
    agitation: u8,
    returns: u8,
    promoted_for: u32,
    post: PostImage,
    forced: u32,
    stopped: bool,
}

#[derive(Serialize, Deserialize)]
struct PathImage {
    start: u32,
    age: u32,
    steps: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
enum PostImage {
    None,
    /// The unit's destination, and when it can be there.
    Destination(i64),
    At(u32, i64),
}

impl World {
    pub(super) fn unit_images(&self, record: &CrewRecord) -> Vec<UnitImage> {
        let mut members = record.members.iter().peekable();
        let mut next = 0;
        let images = self.units().filter_map(|unit| {
            let resident = self.resident(unit).ok()?;
            let gap = unit.to_bits() - std::mem::replace(&mut next, unit.to_bits() + 1);
            let member = members.next_if(|member| member.unit == unit.to_bits());
            let body = member.map(|member| BodyImage::of(member, resident, record.now));
            Some(self.unit_image(unit, resident, gap, body))
        });
        images.collect()
    }

    fn unit_image(
        &self,
        unit: UnitId,
        resident: &Resident,
        gap: u32,
        body: Option<BodyImage>,
    ) -> UnitImage {
        // All of it is named: whoever adds a field has to think of it here. Who is queued for
        // a route follows from the queue.
        let &Resident {
            kind,
            level,
            window,
            ref order,
            ref queue,
            status,
            destination,
            rerouting,
            cut_short,
            queued_for_route: _,
            route_effort,
            errand,
        } = resident;
        UnitImage {
            gap,
            kind: kind as u8,
            level,
            window: window as u8,
            order: order.clone(),
            queue: queue.iter().cloned().collect(),
            status,
            destination: destination.map(|at| at.0),
            rerouting,
            cut_short,
            route_effort,
            errand: errand.map(|errand| errand_image(errand, self.now())),
            guidance: GuidanceImage::of(
                &self.guides.bearing(unit.to_bits()),
                resident,
                &self.spaces[kind],
            ),
            body,
        }
    }

    /// Makes the units, and adds to the record what the crew is to know of them.
    pub(super) fn restore_units(
        &mut self,
        numbers: u32,
        images: &[UnitImage],
        record: &mut CrewRecord,
    ) -> Result<(), SnapshotError> {
        if numbers as usize > limits::UNITS_MAX {
            return Err(wrong("the units", &WorldError::TooManyUnits));
        }
        self.units = vec![None; numbers as usize];
        for (unit, image) in numbered(images) {
            let wrong = |problem: &str| wrong(format!("unit {unit}"), problem);
            if unit >= u64::from(numbers) {
                return Err(wrong("its number is too high"));
            }
            let resident = image.resident(self, record.now).map_err(|problem| wrong(&problem))?;
            let inside = resident.is_inside();
            if let Some(body) = &image.body {
                let kind = &self.spaces[resident.kind];
                let member = body.member(unit as u32, &resident, kind, record.now);
                record.members.push(member.map_err(|problem| wrong(&problem))?);
            }
            if inside == image.body.is_some() {
                return Err(wrong("it must be either in a building or on the map"));
            }
            self.units[unit as usize] = Some(resident);
        }
        Ok(())
    }

    pub(super) fn restore_guides(&mut self, images: &[UnitImage]) -> Result<(), SnapshotError> {
        for (unit, image) in numbered(images) {
            let unit = unit as u32;
            let Some(resident) = self.units.get(unit as usize).and_then(Option::as_ref) else {
                continue;
            };
            let space = &self.spaces[resident.kind];
            let wrong = |problem: String| wrong(format!("unit {unit}"), &problem);
            let goal = match &image.guidance {
                GuidanceImage::None => continue,
                GuidanceImage::Route { start, steps, progress, within } => {
                    let part = route(space, (*start, steps), *progress, *within).map_err(wrong)?;
                    self.guides.go_on_along(unit, space, part);
                    continue;
                }
                GuidanceImage::Destination => resident.destination,
                GuidanceImage::Goal(goal) => Some(position(space, *goal).map_err(wrong)?),
            };
            let goal = goal.ok_or_else(|| wrong("it is guided to nowhere".to_owned()))?;
            if space.positions() > EXACT_POSITIONS {
                return Err(wrong("it has no route, on a map that is too large".to_owned()));
            }
            let at = self.crew.free_at(unit).unwrap_or(goal);
            self.guides.go_on_to((unit, at), resident.kind, space, goal);
        }
        Ok(())
    }
}

/// The units with their numbers.
fn numbered(images: &[UnitImage]) -> impl Iterator<Item = (u64, &UnitImage)> {
    images.iter().scan(0, |next, image| {
        let unit = *next + u64::from(image.gap);
        *next = unit + 1;
        Some((unit, image))
    })
}

/// The position of a unit of a kind, if its whole body is on the map there.
fn position(space: &GridSpace, index: u32) -> Result<Position, String> {
    let ground = space.ground();
    let cell = ground.cell(CellIndex(index));
    let side = u32::from(ground.movement().footprint);
    let fits = u32::from(cell.x) + side <= ground.width()
        && index / ground.width() + side <= ground.height();
    if fits { Ok(Position(index)) } else { Err(format!("position {index} is off the map")) }
}

/// Where steps lead from a position.
fn walk<'a>(
    space: &'a GridSpace,
    start: Position,
    bytes: &'a [u8],
) -> impl Iterator<Item = Result<(u8, Position), String>> + 'a {
    let mut at = space.cell(start);
    steps::unpack(bytes).map(move |step| {
        let to = steps::end(at, step).and_then(|to| Some((to, space.position(to)?)));
        let (cell, to) = to.ok_or_else(|| format!("it walks off the map from {at}"))?;
        at = cell;
        position(space, to.0).map(|to| (step, to))
    })
}

fn route(
    space: &GridSpace,
    (start, steps): (u32, &[u8]),
    progress: u32,
    within: Option<(u32, u8, u32)>,
) -> Result<RoutePart, String> {
    let start = position(space, start)?;
    let mut cells = vec![start];
    for step in walk(space, start, steps) {
        cells.push(step?.1);
    }
    let done = |steps: u32| {
        let steps = steps as usize;
        let is_part = steps < cells.len();
        if is_part { Ok(steps) } else { Err(format!("{steps} steps of its route are too many")) }
    };
    let progress = done(progress)?;
    let within = within.map(|(anchor, reach, roots)| {
        let anchor = space.cell(position(space, anchor)?);
        Ok::<_, String>(RouteBox { anchor, reach: u16::from(reach), roots: done(roots)? })
    });
    let within = within.transpose()?;
    Ok(RoutePart { cells, progress, within })
}

impl GuidanceImage {
    fn of(bearing: &Bearing, resident: &Resident, space: &GridSpace) -> Self {
        let route = match bearing {
            Bearing::None => return Self::None,
            &Bearing::Goal(goal) if resident.destination == Some(goal) => return Self::Destination,
            Bearing::Goal(goal) => return Self::Goal(goal.0),
            Bearing::Route(route) => route,
        };
        let cells: Vec<Cell> = route.cells.iter().map(|&at| space.cell(at)).collect();
        let steps = cells.windows(2).filter_map(|step| steps::between(step[0], step[1]));
        let within = route.within.as_ref().and_then(|within| {
            let anchor = space.position(within.anchor)?;
            Some((anchor.0, within.reach as u8, within.roots as u32))
        });
        Self::Route {
            start: route.cells.first().map_or(0, |start| start.0),
            steps: steps::pack(steps),
            progress: route.progress as u32,
            within,
        }
    }
}

impl UnitImage {
    fn resident(&self, world: &World, now: Tick) -> Result<Resident, String> {
        let kind = usize::from(self.kind);
        let space = world.spaces.get(kind);
        let space = space.ok_or_else(|| format!("movement {kind} does not exist"))?;
        let window = u32::from(self.window);
        if !WINDOW.contains(&window) {
            return Err(WorldError::Window(window).to_string());
        }
        for order in self.queue.iter().chain([&self.order]) {
            world.check_order(order).map_err(|error| error.to_string())?;
        }
        if let UnitStatus::Inside(building) = self.status {
            world.building(building).map_err(|error| error.to_string())?;
        }
        let destination = self.destination.map(|at| position(space, at)).transpose()?;
        Ok(Resident {
            kind,
            level: self.level,
            window,
            order: self.order.clone(),
            queue: self.queue.iter().cloned().collect(),
            status: self.status,
            destination,
            rerouting: self.rerouting,
            cut_short: self.cut_short,
            queued_for_route: false,
            route_effort: self.route_effort,
            errand: self.errand(world, space, now)?,
        })
    }
}

impl UnitImage {
    fn errand(
        &self,
        world: &World,
        space: &GridSpace,
        now: Tick,
    ) -> Result<Option<Errand>, String> {
        let Some((for_unit, to, home, ticks)) = self.errand else { return Ok(None) };
        let rests = matches!(self.status, UnitStatus::Holding | UnitStatus::Inside(_));
        if rests || for_unit as usize >= world.units.len() || ticks > ERRAND_TICKS_MAX {
            return Err(format!("it cannot make way for unit {for_unit}"));
        }
        Ok(Some(Errand {
            for_unit: UnitId::new(for_unit),
            to: position(space, to)?,
            home: position(space, home)?,
            until: Tick(now.0.saturating_add(ticks)),
        }))
    }
}

fn errand_image(errand: Errand, now: Tick) -> ErrandImage {
    let Errand { for_unit, to, home, until } = errand;
    (for_unit.to_bits(), to.0, home.0, until.0.saturating_sub(now.0))
}

impl BodyImage {
    fn of(member: &MemberRecord, resident: &Resident, now: Tick) -> Self {
        let from_now = |tick: Tick| i64::from(tick.0) - i64::from(now.0);
        let post = match member.post {
            None => PostImage::None,
            Some((at, ready)) if resident.destination == Some(at) => {
                PostImage::Destination(from_now(ready))
            }
            Some((at, ready)) => PostImage::At(at.0, from_now(ready)),
        };
        Self {
            stance: member.stance,
            flagged: member.flagged,
            path: PathImage::of(&member.path, now),
            claimed: member.claimed.0.wrapping_add(2),
            due: from_now(member.due),
            best: member.best.wrapping_add(1),
            best_age: now.0 - member.best_since.0,
            agitation: member.agitation,
            returns: member.returns,
            promoted_for: member.promoted_until.0.saturating_sub(now.0),
            post,
            forced: member.forced,
            stopped: member.stopped,
        }
    }

    fn member(
        &self,
        unit: u32,
        resident: &Resident,
        space: &GridSpace,
        now: Tick,
    ) -> Result<MemberRecord, String> {
        let from_now = |ticks: i64| {
            let tick =
                i64::from(now.0).checked_add(ticks).and_then(|tick| u32::try_from(tick).ok());
            tick.map(Tick).ok_or_else(|| format!("{ticks} ticks from now are too many"))
        };
        let post = match self.post {
            PostImage::None => None,
            PostImage::Destination(ready) => {
                let at = resident.destination.ok_or("it has a post and no destination")?;
                Some((at, from_now(ready)?))
            }
            PostImage::At(at, ready) => Some((position(space, at)?, from_now(ready)?)),
        };
        let promoted = i64::from(self.promoted_for);
        Ok(MemberRecord {
            unit,
            space: resident.kind,
            depth: resident.window,
            level: resident.level,
            stance: self.stance,
            promoted_until: if promoted == 0 { Tick(0) } else { from_now(promoted)? },
            path: self.path.path(space, now)?,
            claimed: Priority(self.claimed.wrapping_sub(2)),
            due: from_now(self.due)?,
            flagged: self.flagged,
            best: self.best.wrapping_sub(1),
            best_since: from_now(-i64::from(self.best_age))?,
            agitation: self.agitation,
            returns: self.returns,
            post,
            forced: self.forced,
            stopped: self.stopped,
        })
    }
}

impl PathImage {
    fn of(path: &TimedPath, now: Tick) -> Self {
        let end = path.end.unwrap_or((Position(0), now));
        let (start, first) = path.legs.first().map_or(end, |leg| (leg.from, leg.tick));
        let steps = path.legs.iter().map(|leg| match leg.action {
            Action::PAUSE => steps::PAUSE,
            Action(step) => step as u8,
        });
        // A path cannot begin later than now; a unit that waits for nothing ends there.
        let age = now.0.saturating_sub(first.0);
        Self { start: start.0, age, steps: steps::pack(steps) }
    }

    fn path(&self, space: &GridSpace, now: Tick) -> Result<TimedPath, String> {
        let mut at = position(space, self.start)?;
        let begin = now.0.checked_sub(self.age).ok_or("it walks since before time began")?;
        let mut tick = begin;
        let mut legs = Vec::new();
        for step in walk(space, at, &self.steps) {
            let (step, to) = step?;
            let pause = step == steps::PAUSE;
            let action = if pause { Action::PAUSE } else { Action(u16::from(step)) };
            legs.push(Leg { from: at, tick: Tick(tick), action });
            let ticks = if pause { 1 } else { u32::from(space.ground().movement().pace) };
            tick = tick.checked_add(ticks).ok_or("it walks until after the end of time")?;
            at = to;
        }
        Ok(TimedPath { legs, end: Some((at, Tick(tick))) })
    }
}
