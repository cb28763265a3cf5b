//! What happens in the demo, told without any drawing.

use anyhow::{Context as _, Result, anyhow, bail};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng::formats::{MapOptions, map, terrain};
use throng::grid::{
    Endpoint, Follower, FollowerOptions, FollowerStep, Journey, JourneyAnswer, Repair, Trip,
};
use throng::{
    AStar, Budget, Building, Cell, Cost, Ground, Map, MovementProfile, PathSearch, Query, referee,
};

const TOWN: &[u8] = include_bytes!("../town.map");
const TERRAIN: &[u8] = include_bytes!("../town.terrain");
const EXITS: [(u16, u16); 6] = [(7, 13), (11, 15), (11, 19), (7, 21), (3, 19), (3, 16)];
const GATES: [(u16, u16); 4] = [(65, 10), (70, 15), (70, 5), (75, 10)];
/// How many exits are barred.
const BARRED: usize = 2;

/// Everything that happened.
pub(super) struct Story {
    /// The town with its bridges, and without one.
    pub(super) before: Map,
    pub(super) after: Map,
    pub(super) exits: Vec<Cell>,
    pub(super) barred: Vec<Cell>,
    pub(super) gates: Vec<Cell>,
    /// The way as it was planned, and what that took.
    pub(super) trip: Trip,
    pub(super) trip_expanded: u64,
    /// The cells walked until the bridge was blown up, the last one being where that
    /// happened.
    pub(super) walked: Vec<Cell>,
    /// What was left of the way then.
    pub(super) lost: Vec<Cell>,
    /// The cells of the bridge.
    pub(super) blown: Vec<Cell>,
    /// How many cells ahead of the unit the bridge was.
    pub(super) ahead: usize,
    pub(super) repair: Repair,
    /// What a search of the whole way would have expanded instead, and the cost of its way.
    pub(super) full_expanded: u64,
    pub(super) full_cost: Cost,
    /// The cells walked from there to the gate.
    pub(super) rest: Vec<Cell>,
    /// What all steps cost, as the referee counts.
    pub(super) cost: Cost,
}

pub(super) fn movement() -> MovementProfile {
    MovementProfile::eight_connected()
}

impl Story {
    /// The seed decides which exits are barred, and how near the unit comes to the bridge.
    pub(super) fn play(seed: u64) -> Result<Self> {
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
        let at_bridge = at_bridge.context("the way crosses no bridge")?;
        // The story is about a splice, however far it leads.
        let options = FollowerOptions {
            look_ahead: 8,
            splice_effort: u32::MAX,
            ..FollowerOptions::default()
        };
        let mut follower =
            Follower::new(&ground, &trip.path, options).context("the way is empty")?;
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

/// Piles crates on some exits.
fn bar(town: &mut Map, exits: &[Cell], rng: &mut Pcg64Mcg) -> Result<Vec<Cell>> {
    let crates = town.class_by_symbol('x').context("the town knows no crates")?;
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
        _ => bail!("no way leads from the barracks to the keep"),
    }
}

fn is_bridge(town: &Map, cell: Cell) -> bool {
    town.class_at(cell).is_some_and(|class| class.symbol == '=')
}

/// Lets the river have the bridge that a cell belongs to.
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

/// Walks to the goal, and tells of the one repair on the way.
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
    Ok((rest, repaired.context("the way did not break")?))
}

/// What searching the whole rest of the way anew expands, and what that way costs.
fn full_search(ground: &Ground, lost: &[Cell]) -> Result<(u64, Cost)> {
    let (Some(&here), Some(&goal)) = (lost.first(), lost.last()) else {
        bail!("nothing was left of the way");
    };
    let mut search = AStar::default();
    let answer = search.find(ground, &Query::new(&[here], &[goal]), Budget::unlimited())?;
    let way = answer.found().context("no other way leads to the gate")?;
    Ok((search.expanded(), way.cost))
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
    fn whatever_the_seed_a_bridge_breaks_and_a_splice_leads_over_the_other() {
        for seed in 0..60 {
            let story = Story::play(seed).unwrap();
            assert_eq!(story.repair.how, RepairKind::Splice, "seed {seed}");
            assert!(story.repair.expanded < story.full_expanded, "seed {seed}");
            assert_eq!(story.barred.len(), BARRED);
            assert!(!story.barred.contains(&story.trip.from.cell), "seed {seed}");
            assert_eq!(story.rest.last(), Some(&story.trip.to.cell));
            assert_eq!(story.lost.first(), story.rest.first());
            assert!(story.blown.iter().all(|&cell| !story.after.is_passable(cell)));
            let crossed = story.rest.iter().find(|&&cell| is_bridge(&story.after, cell));
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
