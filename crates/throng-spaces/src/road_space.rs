//! A network of roads as a [`Space`].
//!
//! A road is divided into *slots*; a vehicle drives one slot per tick. Two vehicles that are
//! never in one slot at one tick could still drive through each other, by exchanging slots. On
//! a single track the reservation table therefore also has entries for the *gaps*, the borders
//! between slots. Vehicles in opposite directions would need the same gap at the same tick. A
//! vehicle that follows needs it one tick later, so vehicles can drive in adjacent slots.
//! Claiming each slot for two ticks would also prevent exchanges, but would force followers to
//! leave a slot free.

use std::collections::BTreeSet;

use throng_spacetime::{Action, Entry, Move, Position, Space};

/// The longest road, in ticks. A longer one needs a crossing on its way.
const ROAD_TICKS_MAX: u32 = 255;
/// The most entries of a network: crossings, slots and gaps.
const ENTRIES_MAX: u32 = 1 << 24;
/// The largest coordinate of a crossing. A squared distance times a squared number of ticks
/// then fits into 64 bits.
const COORDINATE_MAX: u32 = 1 << 22;
/// The most lanes that leave a crossing: an action has two bytes, and one value means to pause.
const DEPARTURES_MAX: usize = Action::PAUSE.0 as usize;

/// The directions of a road, and whether they share a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Traffic {
    /// From its beginning to its end only.
    OneWay,
    /// Both ways on one track: vehicles in opposite directions cannot pass each other.
    SingleTrack,
    /// Both ways, each on its own lane.
    TwoLanes,
}

/// A road between two crossings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Road {
    /// The crossing where it begins.
    pub from: Position,
    /// The crossing where it ends.
    pub to: Position,
    /// The ticks that a vehicle needs from end to end.
    pub ticks: u32,
    /// Its directions.
    pub traffic: Traffic,
}

impl Road {
    /// A road from one crossing to another, not back.
    #[must_use]
    pub fn one_way(from: Position, to: Position, ticks: u32) -> Self {
        Self { from, to, ticks, traffic: Traffic::OneWay }
    }

    /// A road with one track for both directions.
    #[must_use]
    pub fn single_track(from: Position, to: Position, ticks: u32) -> Self {
        Self { from, to, ticks, traffic: Traffic::SingleTrack }
    }

    /// A road with a lane for each direction.
    #[must_use]
    pub fn two_lanes(from: Position, to: Position, ticks: u32) -> Self {
        Self { from, to, ticks, traffic: Traffic::TwoLanes }
    }

    /// The number of its entries: one slot for each tick but the last; on a single track also
    /// one gap for each tick.
    fn entries(&self) -> u32 {
        match self.traffic {
            Traffic::OneWay => self.ticks - 1,
            Traffic::SingleTrack => 2 * self.ticks - 1,
            Traffic::TwoLanes => 2 * (self.ticks - 1),
        }
    }

    /// Its lanes. Its entries begin at `first`.
    fn lanes(&self, first: u32) -> impl Iterator<Item = Lane> + use<> {
        let (tracks, first_back) = match self.traffic {
            Traffic::OneWay => ((Track::Own, None), first),
            Traffic::SingleTrack => ((Track::Forth, Some(Track::Back)), first),
            Traffic::TwoLanes => ((Track::Own, Some(Track::Own)), first + self.ticks - 1),
        };
        let (from, to, ticks) = (self.from, self.to, self.ticks);
        let forth = Lane { from, to, ticks, track: tracks.0, first, action: 0 };
        let back = |track| Lane { from: to, to: from, track, first: first_back, ..forth };
        [forth].into_iter().chain(tracks.1.map(back))
    }
}

/// Why a crossing or road cannot be added to a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RoadError {
    /// A crossing too far from the origin.
    #[error("a crossing at ({x}, {y}): stay within {COORDINATE_MAX} of (0, 0)")]
    TooFar {
        /// Its first coordinate.
        x: i32,
        /// Its second coordinate.
        y: i32,
    },
    /// A road to or from a crossing that was not added.
    #[error("crossing {} does not exist: there are {crossings}; add it first", .crossing.0)]
    UnknownCrossing {
        /// The crossing.
        crossing: Position,
        /// How many there are.
        crossings: usize,
    },
    /// A road that takes no time, or too much.
    #[error(
        "a road of {ticks} ticks from crossing {} to {}: give 1 to {ROAD_TICKS_MAX}, or put a \
         crossing on its way", .from.0, .to.0
    )]
    Length {
        /// Where the road begins.
        from: Position,
        /// Where it ends.
        to: Position,
        /// How long it is.
        ticks: u32,
    },
    /// A road that leads back to where it begins.
    #[error("a road from crossing {} to itself: put a crossing on its way", .0.0)]
    Loop(Position),
    /// Another road leads the same way.
    #[error(
        "a second road from crossing {} to {}: put a crossing on its way to tell them apart",
        .from.0, .to.0
    )]
    Duplicate {
        /// Where both begin.
        from: Position,
        /// Where both end.
        to: Position,
    },
    /// More roads leave a crossing than actions can be told apart.
    #[error("crossing {} has {DEPARTURES_MAX} roads: split it", .0.0)]
    TooManyRoads(Position),
    /// The network is full.
    #[error(
        "a network has at most {ENTRIES_MAX} crossings, slots and gaps: split it, or make ticks longer"
    )]
    TooLarge,
}

/// Builds a [`RoadSpace`] from crossings and roads.
#[derive(Clone, Debug, Default)]
pub struct RoadNetwork {
    crossings: Vec<(i32, i32)>,
    /// How many lanes leave each crossing.
    departures: Vec<u16>,
    roads: Vec<Road>,
    /// The ends of all lanes.
    linked: BTreeSet<(Position, Position)>,
    entries: u32,
}

impl RoadNetwork {
    /// A network without crossings.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a crossing at these coordinates, in any unit of length. They are used only for the
    /// heuristic: if they are not known, put all crossings at (0, 0).
    ///
    /// # Errors
    /// When it is too far away, or there are too many.
    pub fn crossing(&mut self, x: i32, y: i32) -> Result<Position, RoadError> {
        if x.unsigned_abs().max(y.unsigned_abs()) > COORDINATE_MAX {
            return Err(RoadError::TooFar { x, y });
        }
        self.make_room(1)?;
        self.crossings.push((x, y));
        self.departures.push(0);
        Ok(Position(self.crossings.len() as u32 - 1))
    }

    /// Adds a road.
    ///
    /// # Errors
    /// When a crossing does not exist, the road leads back to its start, another road has the
    /// same ends, its length is out of range, or there are too many roads.
    pub fn road(&mut self, road: Road) -> Result<(), RoadError> {
        self.check(&road)?;
        self.make_room(road.entries())?;
        for lane in road.lanes(0) {
            self.departures[lane.from.get()] += 1;
            self.linked.insert((lane.from, lane.to));
        }
        self.roads.push(road);
        Ok(())
    }

    fn check(&self, road: &Road) -> Result<(), RoadError> {
        let &Road { from, to, ticks, .. } = road;
        let crossings = self.crossings.len();
        if let Some(crossing) = [from, to].into_iter().find(|end| end.get() >= crossings) {
            return Err(RoadError::UnknownCrossing { crossing, crossings });
        }
        if from == to {
            return Err(RoadError::Loop(from));
        }
        if ticks == 0 || ticks > ROAD_TICKS_MAX {
            return Err(RoadError::Length { from, to, ticks });
        }
        road.lanes(0).try_for_each(|lane| self.check_lane(lane.from, lane.to))
    }

    fn check_lane(&self, from: Position, to: Position) -> Result<(), RoadError> {
        if self.linked.contains(&(from, to)) {
            return Err(RoadError::Duplicate { from, to });
        }
        if usize::from(self.departures[from.get()]) == DEPARTURES_MAX {
            return Err(RoadError::TooManyRoads(from));
        }
        Ok(())
    }

    fn make_room(&mut self, entries: u32) -> Result<(), RoadError> {
        let needed = self.entries + entries;
        if needed > ENTRIES_MAX {
            return Err(RoadError::TooLarge);
        }
        self.entries = needed;
        Ok(())
    }

    /// The network as a space.
    #[must_use]
    pub fn build(self) -> RoadSpace {
        let mut first = self.crossings.len() as u32;
        let mut lanes = Vec::with_capacity(self.linked.len());
        for road in &self.roads {
            lanes.extend(road.lanes(first));
            first += road.entries();
        }
        let arrivals_first = first_lanes(self.crossings.len(), lanes.iter().map(|lane| lane.to));
        let departures_first =
            first_lanes(self.crossings.len(), lanes.iter().map(|lane| lane.from));
        let mut seen = vec![0; self.crossings.len()];
        for lane in &mut lanes {
            lane.action = seen[lane.from.get()];
            seen[lane.from.get()] += 1;
        }
        let mut arrivals: Vec<_> = lanes.iter().rev().copied().collect();
        arrivals.sort_by_key(|lane| lane.to);
        lanes.sort_by_key(|lane| lane.from);
        RoadSpace {
            speed: Speed::of_fastest(&lanes, &self.crossings),
            ticks_max: lanes.iter().map(|lane| lane.ticks).max().unwrap_or(1),
            departures: lanes,
            departures_first,
            arrivals,
            arrivals_first,
            crossings: self.crossings,
            entries: self.entries as usize,
            ends_held: false,
        }
    }
}

/// The index of each crossing's first lane in a list sorted by crossing, and the list's length.
fn first_lanes(crossings: usize, ends: impl Iterator<Item = Position>) -> Vec<u32> {
    let mut firsts = vec![0; crossings + 1];
    ends.for_each(|end| firsts[end.get() + 1] += 1);
    for at in 0..crossings {
        firsts[at + 1] += firsts[at];
    }
    firsts
}

/// One direction of a road.
#[derive(Clone, Copy, Debug)]
struct Lane {
    from: Position,
    to: Position,
    ticks: u32,
    track: Track,
    /// The first of its entries.
    first: u32,
    /// Its index among the lanes that leave the same crossing.
    action: u16,
}

/// How the entries of a lane are numbered along it.
#[derive(Clone, Copy, Debug)]
enum Track {
    /// Slots only.
    Own,
    /// Gap, slot, gap, and so on to the last gap.
    Forth,
    /// As [`Forth`](Self::Forth), from the other end.
    Back,
}

impl Lane {
    /// The gap that a vehicle crosses in its `tick`-th tick on the road, counted from 1.
    #[inline]
    fn gap(&self, tick: u32) -> Option<Entry> {
        match self.track {
            Track::Own => None,
            Track::Forth => Some(Entry(self.first + 2 * (tick - 1))),
            Track::Back => Some(Entry(self.first + 2 * (self.ticks - tick))),
        }
    }

    /// The slot or crossing of a vehicle `tick` ticks after it entered the road.
    #[inline]
    fn slot(&self, tick: u32) -> Entry {
        match self.track {
            _ if tick == self.ticks => Entry(self.to.0),
            Track::Own => Entry(self.first + tick - 1),
            Track::Forth => Entry(self.first + 2 * tick - 1),
            Track::Back => Entry(self.first + 2 * (self.ticks - tick) - 1),
        }
    }

    fn as_move(&self, to: Position) -> Move {
        let action = Action(self.action);
        Move { to, cost: u64::from(self.ticks), ticks: self.ticks, action }
    }
}

/// The speed of the fastest road, by which the heuristic turns distances into ticks.
#[derive(Clone, Copy, Debug)]
struct Speed {
    ticks_squared: u64,
    length_squared: u64,
}

impl Speed {
    fn of_fastest(lanes: &[Lane], crossings: &[(i32, i32)]) -> Self {
        let unknown = Self { ticks_squared: 0, length_squared: 1 };
        let speeds = lanes.iter().map(|lane| Self {
            ticks_squared: u64::from(lane.ticks).pow(2),
            length_squared: distance_squared(crossings[lane.from.get()], crossings[lane.to.get()]),
        });
        let moving = speeds.filter(|speed| speed.length_squared > 0);
        moving
            .reduce(|one, other| if other.is_faster_than(one) { other } else { one })
            .unwrap_or(unknown)
    }

    fn is_faster_than(self, other: Self) -> bool {
        self.ticks_squared * other.length_squared < other.ticks_squared * self.length_squared
    }

    /// Ticks for a distance, rounded down. Roads take whole ticks, so the heuristic stays
    /// consistent.
    fn ticks(self, length_squared: u64) -> u64 {
        (self.ticks_squared * length_squared / self.length_squared).isqrt()
    }
}

/// The squared distance of two points.
fn distance_squared(from: (i32, i32), to: (i32, i32)) -> u64 {
    u64::from(from.0.abs_diff(to.0)).pow(2) + u64::from(from.1.abs_diff(to.1)).pow(2)
}

/// A network of crossings and roads. Vehicles wait only at crossings.
///
/// Positions are the crossings; costs are counted in ticks. A vehicle drives along a road
/// without a stop. To let vehicles wait on a road, put a crossing there.
///
/// Vehicles may follow each other on a road, but never meet on a single track. A vehicle on a
/// road claims the crossing ahead for the tick of its arrival only. A vehicle that stands there
/// must have left by then, even if it replans meanwhile. [`holding_ends`](Self::holding_ends)
/// is the strict alternative.
///
/// ```
/// use throng_spaces::{Road, RoadNetwork};
/// use throng_spacetime::Space;
/// let mut network = RoadNetwork::new();
/// let harbour = network.crossing(0, 0)?;
/// let town = network.crossing(30, 40)?;
/// let mine = network.crossing(60, 80)?;
/// network.road(Road::two_lanes(harbour, town, 5))?;
/// network.road(Road::single_track(town, mine, 8))?;
/// let space = network.build();
/// assert_eq!(space.estimate(harbour, mine), 10);
///
/// let mut held = Vec::new();
/// let road = space.action(harbour, town).ok_or("no road")?;
/// space.footprint(harbour, road, |entry, tick| {
///     held.push((entry.0, tick));
///     true
/// });
/// assert_eq!(held, [(3, 1), (4, 2), (5, 3), (6, 4), (town.0, 5)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RoadSpace {
    crossings: Vec<(i32, i32)>,
    /// Sorted by the crossing that they leave, then in the order in which they were added.
    departures: Vec<Lane>,
    departures_first: Vec<u32>,
    /// Sorted by the crossing that they lead to, then in reverse order.
    arrivals: Vec<Lane>,
    arrivals_first: Vec<u32>,
    entries: usize,
    ticks_max: u32,
    speed: Speed,
    ends_held: bool,
}

impl RoadSpace {
    /// The same network, but a vehicle claims the crossing at a road's end from the tick in
    /// which it enters the road.
    ///
    /// Fewer vehicles get through. But no vehicle can be on a crossing when another, which
    /// cannot stop any more, arrives there. Planning in windows needs this (see
    /// [`Space::footprint`]).
    #[must_use]
    pub fn holding_ends(self) -> Self {
        Self { ends_held: true, ..self }
    }

    /// The coordinates of a crossing, if it exists.
    #[must_use]
    pub fn coordinates(&self, crossing: Position) -> Option<(i32, i32)> {
        self.crossings.get(crossing.get()).copied()
    }

    /// The action of driving from a crossing to another, if a road leads there.
    #[must_use]
    pub fn action(&self, from: Position, to: Position) -> Option<Action> {
        let lane = self.departures(from).iter().find(|lane| lane.to == to)?;
        Some(Action(lane.action))
    }

    #[inline]
    fn departures(&self, from: Position) -> &[Lane] {
        of_crossing(&self.departures, &self.departures_first, from)
    }

    #[inline]
    fn lane(&self, from: Position, action: Action) -> Option<&Lane> {
        self.departures(from).get(usize::from(action.0))
    }
}

#[inline]
fn of_crossing<'a>(lanes: &'a [Lane], firsts: &[u32], crossing: Position) -> &'a [Lane] {
    match firsts.get(crossing.get()..) {
        Some(&[first, end, ..]) => &lanes[first as usize..end as usize],
        _ => &[],
    }
}

impl Space for RoadSpace {
    fn positions(&self) -> usize {
        self.crossings.len()
    }

    fn entries(&self) -> usize {
        self.entries
    }

    /// The ticks for the straight line at the speed of the fastest road.
    fn estimate(&self, from: Position, to: Position) -> u64 {
        match (self.coordinates(from), self.coordinates(to)) {
            (Some(from), Some(to)) => self.speed.ticks(distance_squared(from, to)),
            _ => 0,
        }
    }

    fn pause_cost(&self) -> u64 {
        1
    }

    fn move_ticks_max(&self) -> u32 {
        self.ticks_max
    }

    #[inline]
    fn for_each_move(&self, from: Position, mut visit: impl FnMut(Move)) {
        self.departures(from).iter().for_each(|lane| visit(lane.as_move(lane.to)));
    }

    #[inline]
    fn for_each_move_back(&self, to: Position, mut visit: impl FnMut(Move)) {
        let arrivals = of_crossing(&self.arrivals, &self.arrivals_first, to);
        arrivals.iter().for_each(|lane| visit(lane.as_move(lane.from)));
    }

    fn move_by(&self, from: Position, action: Action) -> Option<Move> {
        self.lane(from, action).map(|lane| lane.as_move(lane.to))
    }

    #[inline]
    fn standing(&self, at: Position, mut visit: impl FnMut(Entry) -> bool) -> bool {
        visit(Entry(at.0))
    }

    /// False for an action that is not legal there.
    #[inline]
    fn footprint(
        &self,
        from: Position,
        action: Action,
        mut visit: impl FnMut(Entry, u32) -> bool,
    ) -> bool {
        if action == Action::PAUSE {
            return visit(Entry(from.0), 1);
        }
        let Some(lane) = self.lane(from, action) else { return false };
        let end = Entry(lane.to.0);
        (1..=lane.ticks).all(|tick| {
            lane.gap(tick).is_none_or(|gap| visit(gap, tick))
                && visit(lane.slot(tick), tick)
                && (!self.ends_held || tick == lane.ticks || visit(end, tick))
        })
    }

    /// None: the gaps of a single track already prevent vehicles from passing each other.
    #[inline]
    fn passings(&self, _: Position, _: Action, _: impl FnMut(Entry, Entry) -> bool) -> bool {
        true
    }
}
