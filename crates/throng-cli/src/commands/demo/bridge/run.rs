//! The run of the bridge demo: plan, walk, break, repair. Nothing is drawn here.

use anyhow::{Context as _, Result, anyhow, bail};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng::formats::{MapOptions, map, terrain};
use throng::grid::{AStar, Ground, PathSearch, Query};
use throng::grid::{
    Endpoint, Follower, FollowerOptions, FollowerStep, Journey, JourneyAnswer, Repair, Trip,
};
use throng::model::{Budget, Building, Cell, Cost, Map, MovementProfile};
use throng::referee;

const TOWN: &[u8] = include_bytes!("../town.map");
const TERRAIN: &[u8] = include_bytes!("../town.terrain");
const EXITS: [(u16, u16); 6] = [(7, 13), (11, 15), (11, 19), (7, 21), (3, 19), (3, 16)];
const GATES: [(u16, u16); 4] = [(65, 10), (70, 15), (70, 5), (75, 10)];
/// How many exits are barred.
const BARRED: usize = 2;

/// The run from the plan to the arrival.
pub(super) struct BridgeRun {
    /// The town with its bridges, and without one.
    pub(super) before: Map,
    pub(super) after: Map,
    pub(super) exits: Vec<Cell>,
    pub(super) barred: Vec<Cell>,
    pub(super) gates: Vec<Cell>,
    /// The path as planned, and the nodes its search expanded.
    pub(super) trip: Trip,
    pub(super) trip_expanded: u64,
    /// The cells walked until the bridge was blown up, the last one being where that
    /// happened.
    pub(super) walked: Vec<Cell>,
    /// The part of the path that was left then.
    pub(super) lost: Vec<Cell>,
    /// The cells of the bridge.
    pub(super) blown: Vec<Cell>,
    /// How many cells ahead of the unit the bridge was.
    pub(super) ahead: usize,
    pub(super) repair: Repair,
    /// Nodes that a full search would have expanded instead, and the cost of its path.
    pub(super) full_expanded: u64,
    pub(super) full_cost: Cost,
    /// The cells walked from there to the gate.
    pub(super) rest: Vec<Cell>,
    /// The cost of all steps, counted by the referee.
    pub(super) cost: Cost,
}

pub(super) fn movement() -> MovementProfile {
    MovementProfile::eight_connected()
}

impl BridgeRun {
    /// The seed decides which exits are barred, and how near the unit comes to the bridge.
    pub(super) fn new(seed: u64) -> Result<Self> {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let mut town = map::read_with(TOWN, MapOptions::default(), &terrain::read(TERRAIN)?)?;
        let exits = EXITS.map(Cell::from).to_vec();
        let gates = GATES.map(Cell::from).to_vec();
        let barred = bar(&mut town, &exits, &mut rng)?;
        let before = town.clone();
        let mut ground = Ground::new(&town, movement())?;
        let mut search = AStar::default();
        let trip = plan(&ground, &mut search, &exits, &gates)?;
        let trip_expanded = search.expanded();

        let ahead = rng.random_range(2..=5_u32) as usize;
        let at_bridge = trip.path.cells.iter().position(|&cell| is_bridge(&town, cell));
        let at_bridge = at_bridge.context("the path crosses no bridge")?;
        // The demo shows a splice, even where a full search would be cheaper.
        let options = FollowerOptions {
            look_ahead: 8,
            splice_effort: u32::MAX,
            ..FollowerOptions::default()
        };
        let mut follower =
            Follower::new(&ground, &trip.path, options).context("the path is empty")?;
        let mut walked = vec![follower.position()];
        while walked.len() + ahead <= at_bridge {
            walked.push(step(&mut follower, &ground, &mut search)?.0);
        }
        let lost: Vec<Cell> = follower.remaining().collect();
        let blown = blow_up(&mut town, &mut ground, trip.path.cells[at_bridge])?;
        let (rest, repair) = walk_on(&mut follower, &ground, &mut search)?;
        let (full_expanded, full_cost) = full_search(&ground, &lost)?;
        let cost = judge(&before, &walked)? + judge(&town, &rest)?;
        Ok(Self {
            before,
            after: town,
            exits,
            barred,
            gates,
            trip,
            trip_expanded,
            walked,
            lost,
            blown,
            ahead,
            repair,
            full_expanded,
            full_cost,
            rest,
            cost,
        })
    }
}

/// Bars some exits with crates.
fn bar(town: &mut Map, exits: &[Cell], rng: &mut Pcg64Mcg) -> Result<Vec<Cell>> {
    let crates = town.class_by_symbol('x').context("the town has no class for crates")?;
    let mut open = exits.to_vec();
    let mut barred = Vec::new();
    for _ in 0..BARRED {
        let chosen = rng.random_range(0..open.len() as u32);
        barred.push(open.swap_remove(chosen as usize));
    }
    town.paint(&barred, crates)?;
    Ok(barred)
}

/// One search from all exits to all gates.
fn plan(ground: &Ground, search: &mut AStar, exits: &[Cell], gates: &[Cell]) -> Result<Trip> {
    let barracks = Building::with_doors("barracks", exits.to_vec());
    let keep = Building::with_doors("keep", gates.to_vec());
    let (from, to) = ([Endpoint::Building(&barracks)], [Endpoint::Building(&keep)]);
    let journey = Journey::new(ground, &from, &to)?;
    match journey.find(ground, search, Budget::unlimited())? {
        JourneyAnswer::Found(trip) => Ok(trip),
        _ => bail!("no path leads from the barracks to the keep"),
    }
}

fn is_bridge(town: &Map, cell: Cell) -> bool {
    town.class_at(cell).is_some_and(|class| class.symbol == '=')
}

/// Turns the bridge that a cell belongs to into river.
fn blow_up(town: &mut Map, ground: &mut Ground, cell: Cell) -> Result<Vec<Cell>> {
    let river = town.class_by_symbol('~').context("the town has no river")?;
    let mut blown = vec![cell];
    let mut next = 0;
    while let Some(&cell) = blown.get(next) {
        let beside = [(1, 0), (-1, 0), (0, 1), (0, -1)].map(|(dx, dy)| cell.offset(dx, dy));
        for other in beside.into_iter().flatten().filter(|&other| is_bridge(town, other)) {
            if !blown.contains(&other) {
                blown.push(other);
            }
        }
        next += 1;
    }
    blown.sort_unstable_by_key(|cell| (cell.y, cell.x));
    let change = town.paint(&blown, river)?;
    ground.apply(town, &change);
    Ok(blown)
}

fn step(
    follower: &mut Follower,
    ground: &Ground,
    search: &mut AStar,
) -> Result<(Cell, Option<Repair>)> {
    match follower.advance(ground, search, Budget::unlimited())? {
        FollowerStep::Move { to, repair } => Ok((to, repair)),
        other => Err(anyhow!("the unit stopped at {}: {other:?}", follower.position())),
    }
}

/// Walks to the goal and returns the one repair on the way.
fn walk_on(
    follower: &mut Follower,
    ground: &Ground,
    search: &mut AStar,
) -> Result<(Vec<Cell>, Repair)> {
    let mut rest = vec![follower.position()];
    let mut repaired = None;
    while follower.position() != follower.goal() {
        let (cell, repair) = step(follower, ground, search)?;
        rest.push(cell);
        repaired = repaired.or(repair);
    }
    Ok((rest, repaired.context("the path did not break")?))
}

/// The nodes that a new search to the goal expands, and the cost of its path.
fn full_search(ground: &Ground, lost: &[Cell]) -> Result<(u64, Cost)> {
    let (Some(&here), Some(&goal)) = (lost.first(), lost.last()) else {
        bail!("nothing was left of the path");
    };
    let mut search = AStar::default();
    let answer = search.find(ground, &Query::new(&[here], &[goal]), Budget::unlimited())?;
    let path = answer.found().context("no other path leads to the gate")?;
    Ok((search.expanded(), path.cost))
}

fn judge(town: &Map, walked: &[Cell]) -> Result<Cost> {
    referee::check_path(town, &movement(), walked).map_err(|violations| {
        let first = violations.first().map_or(String::new(), ToString::to_string);
        anyhow!("internal: the referee refuses the walk: {first}; this is a bug, please report it")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::grid::RepairKind;

    #[test]
    fn for_every_seed_a_bridge_breaks_and_a_splice_leads_over_the_other() {
        for seed in 0..60 {
            let run = BridgeRun::new(seed).unwrap();
            assert_eq!(run.repair.how, RepairKind::Splice, "seed {seed}");
            assert!(run.repair.expanded < run.full_expanded, "seed {seed}");
            assert_eq!(run.barred.len(), BARRED);
            assert!(!run.barred.contains(&run.trip.from.cell), "seed {seed}");
            assert_eq!(run.rest.last(), Some(&run.trip.to.cell));
            assert_eq!(run.lost.first(), run.rest.first());
            assert!(run.blown.iter().all(|&cell| !run.after.is_passable(cell)));
            let crossed = run.rest.iter().find(|&&cell| is_bridge(&run.after, cell));
            assert!(crossed.is_some(), "seed {seed}: the other bridge");
        }
    }

    #[test]
    fn every_door_can_be_used() {
        let town =
            map::read_with(TOWN, MapOptions::default(), &terrain::read(TERRAIN).unwrap()).unwrap();
        assert!(EXITS.iter().chain(&GATES).all(|&door| town.is_passable(door.into())));
    }
}
