//! Leaving and entering buildings with several doors.
//!
//! X. Xu and K. Zou, "An improved pathfinding algorithm in RTS games", section 3: a
//! "building game object" has many exits and many entrances, and which of them a unit
//! should use depends on where it goes and on what stands in between. All exits start one
//! search and all entrances end it: the best pair comes out, without a search for each.
//! The same search says which of several barracks should send the units.

use throng_model::{Budget, Building, Cell, Rect};

use crate::{Answer, Ground, Path, PathSearch, Query, QueryError};

/// Where a journey may begin or end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint<'a> {
    /// Any door of a building: its exits at the beginning, its entrances at the end.
    Building(&'a Building),
    /// Any of some cells.
    Cells(&'a [Cell]),
    /// Any cell of a rectangle, as far as it is on the map.
    Area(Rect),
}

/// From any of some places to any of others, in one search.
///
/// Doors on which the unit cannot stand are skipped. A cell that is named twice counts for
/// the place, and the door, that names it first.
///
/// ```
/// use throng_model::{Budget, Cell, Building, Map, MovementProfile, Rect};
/// use throng_grid::{AStar, Ground, Journey, JourneyAnswer, Endpoint};
/// let ground = Ground::new(&Map::empty(40, 40)?, MovementProfile::eight_connected())?;
/// let west = Building::with_doors("west barracks", vec![Cell::new(2, 20)]);
/// let east = Building::with_doors("east barracks", vec![Cell::new(37, 19), Cell::new(37, 21)]);
/// let origins = [Endpoint::Building(&west), Endpoint::Building(&east)];
/// let target = [Endpoint::Area(Rect::new(Cell::new(25, 30), 5, 5))];
/// let journey = Journey::new(&ground, &origins, &target)?;
/// let answer = journey.find(&ground, &mut AStar::default(), Budget::unlimited())?;
/// let JourneyAnswer::Found(trip) = answer else { return Err("no way".into()) };
/// assert_eq!((trip.from.place, trip.from.door), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Journey {
    origins: Doors,
    destinations: Doors,
}

/// A journey's path, and the doors that it leads from and to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trip {
    /// The way.
    pub path: Path,
    /// Where it leaves.
    pub from: Door,
    /// Where it enters.
    pub to: Door,
}

/// One of the cells that a place offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Door {
    /// The cell.
    pub cell: Cell,
    /// Which of the places given.
    pub place: usize,
    /// Which of the place's doors (exits, entrances, cells; an area's cells row by row).
    pub door: usize,
}

/// What came of a journey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JourneyAnswer {
    /// The best trip.
    Found(Trip),
    /// No path leads from any origin to any destination: proven.
    Unreachable,
    /// The budget was spent first. With the path to the nearest cell seen so far.
    BudgetSpent {
        /// The path to the cell nearest to a destination by the estimate.
        nearest: Path,
        /// Whether it was the interrupt.
        interrupted: bool,
    },
}

/// Why a journey cannot even be begun.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JourneyError {
    /// No place was given.
    #[error("no {0} was given; give at least one place")]
    NoPlace(&'static str),
    /// The places have no cells at all.
    #[error("no {doors} at {places}; give at least one on the map")]
    NoDoors {
        /// `exits` or `entrances`.
        doors: &'static str,
        /// The places by name.
        places: String,
    },
    /// The unit can stand on none of the cells.
    #[error("all {doors} of {places} are blocked or off the map; clear one, the first is {first}")]
    AllBlocked {
        /// `exits` or `entrances`.
        doors: &'static str,
        /// The places by name.
        places: String,
        /// The first of them.
        first: Cell,
    },
    /// The search refused.
    #[error(transparent)]
    Query(#[from] QueryError),
}

impl Journey {
    /// Gathers the doors that can be used.
    ///
    /// # Errors
    /// When there is no door to leave by or none to enter by: names the places.
    pub fn new(
        ground: &Ground,
        origins: &[Endpoint<'_>],
        destinations: &[Endpoint<'_>],
    ) -> Result<Self, JourneyError> {
        Ok(Self {
            origins: Doors::new(ground, origins, End::Origin)?,
            destinations: Doors::new(ground, destinations, End::Destination)?,
        })
    }

    /// What to ask of a search: for a journey that is searched in slices. Its path goes to
    /// [`trip`](Self::trip).
    #[must_use]
    pub fn query(&self) -> Query<'_> {
        Query::new(&self.origins.cells, &self.destinations.cells)
    }

    /// Says which doors a path leads from and to; `None` if it is not of this journey.
    #[must_use]
    pub fn trip(&self, path: Path) -> Option<Trip> {
        let from = self.origins.door_at(path.start()?)?;
        let to = self.destinations.door_at(path.end()?)?;
        Some(Trip { path, from, to })
    }

    /// Finds the best trip in one search.
    ///
    /// # Errors
    /// When the search cannot run on this ground, or it changed since.
    pub fn find(
        &self,
        ground: &Ground,
        search: &mut impl PathSearch,
        budget: Budget<'_>,
    ) -> Result<JourneyAnswer, JourneyError> {
        Ok(match search.find(ground, &self.query(), budget)? {
            Answer::Found(path) => {
                self.trip(path).map_or(JourneyAnswer::Unreachable, JourneyAnswer::Found)
            }
            // A journey's query allows any cost.
            Answer::Unreachable { .. } | Answer::CostLimit => JourneyAnswer::Unreachable,
            Answer::BudgetSpent { nearest, interrupted } => {
                JourneyAnswer::BudgetSpent { nearest, interrupted }
            }
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Origin,
    Destination,
}

/// The usable doors of some places.
#[derive(Clone, Debug)]
struct Doors {
    /// In order of cells, each once.
    doors: Vec<Door>,
    /// Their cells, in the same order.
    cells: Vec<Cell>,
}

impl Doors {
    fn new(ground: &Ground, places: &[Endpoint<'_>], end: End) -> Result<Self, JourneyError> {
        let mut doors = Vec::new();
        let mut first = None;
        for (place, given) in places.iter().enumerate() {
            for (door, cell) in cells_of(ground, given, end).enumerate() {
                first.get_or_insert(cell);
                if ground.can_stand(cell) {
                    doors.push(Door { cell, place, door });
                }
            }
        }
        if doors.is_empty() {
            return Err(refusal(places, end, first));
        }
        doors.sort_unstable();
        doors.dedup_by_key(|door| door.cell);
        let cells = doors.iter().map(|door| door.cell).collect();
        Ok(Self { doors, cells })
    }

    fn door_at(&self, cell: Cell) -> Option<Door> {
        self.cells.binary_search(&cell).ok().map(|index| self.doors[index])
    }
}

fn cells_of<'a>(
    ground: &Ground,
    place: &Endpoint<'a>,
    end: End,
) -> Box<dyn Iterator<Item = Cell> + 'a> {
    match *place {
        Endpoint::Building(building) if end == End::Origin => {
            Box::new(building.exits.iter().copied())
        }
        Endpoint::Building(building) => Box::new(building.entrances.iter().copied()),
        Endpoint::Cells(cells) => Box::new(cells.iter().copied()),
        Endpoint::Area(area) => Box::new(on_map(ground, area).cells()),
    }
}

/// The part of a rectangle that is on the map: a careless one may be far larger.
fn on_map(ground: &Ground, area: Rect) -> Rect {
    let clip = |from: u16, length: u16, side: u32| {
        let room = side.saturating_sub(u32::from(from));
        u16::try_from(room).unwrap_or(u16::MAX).min(length)
    };
    let width = clip(area.origin.x, area.width, ground.width());
    let height = clip(area.origin.y, area.height, ground.height());
    Rect::new(area.origin, width, height)
}

fn refusal(places: &[Endpoint<'_>], end: End, first: Option<Cell>) -> JourneyError {
    let (role, doors) = match end {
        End::Origin => ("origin", "exits"),
        End::Destination => ("destination", "entrances"),
    };
    let names: Vec<String> = places.iter().map(name_of).collect();
    let places = names.join(", ");
    match first {
        _ if names.is_empty() => JourneyError::NoPlace(role),
        None => JourneyError::NoDoors { doors, places },
        Some(first) => JourneyError::AllBlocked { doors, places, first },
    }
}

fn name_of(place: &Endpoint<'_>) -> String {
    match place {
        Endpoint::Building(building) => building.name.clone(),
        Endpoint::Cells(cells) => match cells {
            [] => "no cell".to_owned(),
            [only] => format!("cell {only}"),
            [first, rest @ ..] => format!("cell {first} and {} more", rest.len()),
        },
        Endpoint::Area(area) => {
            format!("the area of {} x {} cells at {}", area.width, area.height, area.origin)
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use throng_model::{Cost, Map, MovementProfile};
    use throng_testkit::{find, place, random_map, rng};

    use super::*;
    use crate::AStar;

    /// A building whose doors are marked with small letters, the expected one with the
    /// large letter.
    fn barracks(name: &str, drawing: &str, letter: char) -> Building {
        let mut doors = find(drawing, letter);
        doors.extend(find(drawing, letter.to_ascii_uppercase()));
        Building::with_doors(name, doors)
    }

    fn ground(drawing: &str) -> Ground {
        Ground::new(&throng_testkit::map(drawing), MovementProfile::eight_connected()).unwrap()
    }

    fn travel(ground: &Ground, origins: &[Endpoint<'_>], destinations: &[Endpoint<'_>]) -> Trip {
        let journey = Journey::new(ground, origins, destinations).unwrap();
        match journey.find(ground, &mut AStar::default(), Budget::unlimited()).unwrap() {
            JourneyAnswer::Found(trip) => trip,
            other => panic!("{other:?}"),
        }
    }

    /// The least cost over all pairs of single cells.
    fn best_pair(ground: &Ground, starts: &[Cell], goals: &[Cell]) -> Option<Cost> {
        let pairs = starts.iter().flat_map(|start| goals.iter().map(move |goal| (*start, *goal)));
        let cost = |(start, goal)| {
            let (starts, goals) = ([start], [goal]);
            let query = Query::new(&starts, &goals);
            let answer = AStar::default().find(ground, &query, Budget::unlimited()).ok()?;
            answer.found().map(|path| path.cost)
        };
        pairs.filter_map(cost).min()
    }

    /// Leaves the barracks `a` for the flag `g`: by the door `A`.
    fn check_exit(drawing: &str) {
        let (ground, barracks) = (ground(drawing), barracks("barracks", drawing, 'a'));
        let flag = [place(drawing, 'g')];
        let trip = travel(&ground, &[Endpoint::Building(&barracks)], &[Endpoint::Cells(&flag)]);
        assert_eq!(trip.from.cell, place(drawing, 'A'), "{drawing}");
        assert_eq!(barracks.exits[trip.from.door], trip.from.cell);
        assert_eq!(ground.path_cost(&trip.path.cells), Some(trip.path.cost));
        assert_eq!(best_pair(&ground, &barracks.exits, &flag), Some(trip.path.cost));
    }

    /// Goes from `s` into the barracks `b`: by the door `B`.
    fn check_entrance(drawing: &str) {
        let (ground, barracks) = (ground(drawing), barracks("barracks", drawing, 'b'));
        let start = [place(drawing, 's')];
        let trip = travel(&ground, &[Endpoint::Cells(&start)], &[Endpoint::Building(&barracks)]);
        assert_eq!(trip.to.cell, place(drawing, 'B'), "{drawing}");
        assert_eq!(best_pair(&ground, &start, &barracks.entrances), Some(trip.path.cost));
    }

    /// Goes from barracks `a` into barracks `b`: by the doors `A` and `B`.
    fn check_both(drawing: &str) {
        let ground = ground(drawing);
        let (a, b) = (barracks("A", drawing, 'a'), barracks("B", drawing, 'b'));
        let trip = travel(&ground, &[Endpoint::Building(&a)], &[Endpoint::Building(&b)]);
        let doors = (trip.from.cell, trip.to.cell);
        assert_eq!(doors, (place(drawing, 'A'), place(drawing, 'B')), "{drawing}");
        assert_eq!(best_pair(&ground, &a.exits, &b.entrances), Some(trip.path.cost));
    }

    #[test]
    fn figure_2_left_without_obstacles_the_exit_nearest_to_the_goal() {
        check_exit(
            "
            ..........
            .a.a.a....
            ..###.....
            .a###a....
            ..###.....
            .a.a.A....
            ..........
            ..........
            ........g.",
        );
    }

    #[test]
    fn figure_2_right_obstacles_turn_the_best_exit_to_the_top_right_corner() {
        check_exit(
            "
            ..........
            .a.a.A....
            ..###.....
            .a###a#...
            ..###.#...
            .a.a.a#...
            .######...
            ..........
            ........g.",
        );
    }

    #[test]
    fn figure_3_left_without_obstacles_the_entrance_nearest_to_the_start() {
        check_entrance(
            "
            s.........
            ..........
            ..........
            ...B.b.b..
            ....###...
            ...b###b..
            ....###...
            ...b.b.b..",
        );
    }

    #[test]
    fn figure_3_right_obstacles_turn_the_best_entrance_to_the_top_right_corner() {
        check_entrance(
            "
            s.........
            ..........
            .#######..
            .#.b.b.B..
            .#..###...
            .#.b###b..
            .#..###...
            .#.b.b.b..",
        );
    }

    #[test]
    fn figure_4_left_without_obstacles_the_doors_that_face_each_other() {
        check_both(
            "
            a.a.a..........
            .###...........
            a###a..........
            .###...........
            a.a.A..........
            ...............
            .........B.b.b.
            ..........###..
            .........b###b.
            ..........###..
            .........b.b.b.",
        );
    }

    #[test]
    fn figure_4_right_obstacles_change_both_doors() {
        check_both(
            "
            a.a.A..........
            .###...........
            a###a#.........
            .###.#.........
            a.a.a#.........
            ######..#######
            ........#b.b.b.
            ........#.###..
            ........#b###b.
            ........#.###..
            .........B.b.b.",
        );
    }

    #[test]
    fn blocked_doors_are_skipped() {
        let drawing = "
            .a..#a...g
            .A..#.....
            ....#.....
            ..........";
        let mut ground = ground(drawing);
        let barracks = Building::with_doors("b", [find(drawing, 'a'), find(drawing, 'A')].concat());
        let flag = [place(drawing, 'g')];
        let leave = |ground: &Ground| {
            travel(ground, &[Endpoint::Building(&barracks)], &[Endpoint::Cells(&flag)]).from
        };
        assert_eq!(leave(&ground), Door { cell: Cell::new(5, 0), place: 0, door: 1 });
        ground.add_obstacle(Cell::new(5, 0));
        assert_eq!(leave(&ground), Door { cell: Cell::new(1, 1), place: 0, door: 2 });
    }

    #[test]
    fn the_nearest_of_several_barracks_sends_the_units() {
        let drawing = "
            a.....#......t
            ......#.......
            ......#......b
            ......#......#
            ......#..###.#
            c.....#..#...#
            .........#...t";
        let ground = ground(drawing);
        let all: Vec<Building> = ['a', 'b', 'c']
            .map(|letter| Building::with_doors(&letter.to_string(), find(drawing, letter)))
            .to_vec();
        let origins: Vec<Endpoint<'_>> = all.iter().map(Endpoint::Building).collect();
        let area = |x, y| [Endpoint::Area(Rect::new(Cell::new(x, y), 4, 3))];
        assert_eq!(travel(&ground, &origins, &area(7, 0)).from.place, 1);
        assert_eq!(travel(&ground, &origins, &area(1, 0)).from.place, 0);
        assert_eq!(travel(&ground, &origins, &area(5, 5)).from.place, 2);
    }

    #[test]
    fn when_all_doors_are_blocked_the_error_names_the_buildings() {
        let mut map = Map::empty(5, 5).unwrap();
        map.set(Cell::new(1, 1), Map::WALL).unwrap();
        let ground = Ground::new(&map, MovementProfile::four_connected()).unwrap();
        let north = Building::with_doors("north barracks", vec![Cell::new(1, 1)]);
        let south = Building::with_doors("south barracks", vec![Cell::new(9, 9)]);
        let shut = [Endpoint::Building(&north), Endpoint::Building(&south)];
        let bare = Building::with_doors("tent", Vec::new());
        let flag = [Endpoint::Cells(&[Cell::new(0, 0)])];
        let error = |origins: &[Endpoint<'_>], destinations: &[Endpoint<'_>]| {
            Journey::new(&ground, origins, destinations).unwrap_err().to_string()
        };
        assert_eq!(
            error(&shut, &flag),
            "all exits of north barracks, south barracks are blocked or off the map; \
             clear one, the first is (1,1)"
        );
        assert!(error(&flag, &shut).starts_with("all entrances of north barracks, south"));
        assert_eq!(
            error(&[Endpoint::Building(&bare)], &flag),
            "no exits at tent; give at least one on the map"
        );
        assert_eq!(error(&[], &flag), "no origin was given; give at least one place");
        assert_eq!(error(&flag, &[]), "no destination was given; give at least one place");
        let far = [Endpoint::Area(Rect::new(Cell::new(60_000, 2), u16::MAX, u16::MAX))];
        assert!(error(&flag, &far).contains("the area of 65535 x 65535 cells at (60000,2)"));
    }

    #[test]
    fn walled_in_is_unreachable_and_a_small_budget_is_not() {
        let drawing = "
            s.#..
            ..#.g";
        let ground = ground(drawing);
        let (start, flag) = ([place(drawing, 's')], [place(drawing, 'g')]);
        let find = |goal: &[Cell], budget| {
            let journey =
                Journey::new(&ground, &[Endpoint::Cells(&start)], &[Endpoint::Cells(goal)]);
            journey.unwrap().find(&ground, &mut AStar::default(), budget).unwrap()
        };
        assert_eq!(find(&flag, Budget::unlimited()), JourneyAnswer::Unreachable);
        let near = [Cell::new(1, 1)];
        let spent = find(&near, Budget::expansions(0));
        assert!(matches!(spent, JourneyAnswer::BudgetSpent { interrupted: false, .. }));
    }

    #[test]
    fn one_search_finds_the_best_of_all_pairs() {
        let mut found = 0;
        for seed in 0..60 {
            let map = random_map(seed, 24, 24, 35);
            let ground = Ground::new(&map, MovementProfile::eight_connected()).unwrap();
            let mut rng = rng(seed + 500);
            let mut doors = || -> Vec<Cell> {
                let cell = |_| Cell::new(rng.random_range(0..24), rng.random_range(0..24));
                (0..4).map(cell).collect()
            };
            let (a, b) = (Building::with_doors("a", doors()), Building::with_doors("b", doors()));
            let (from, to) = ([Endpoint::Building(&a)], [Endpoint::Building(&b)]);
            let Ok(journey) = Journey::new(&ground, &from, &to) else { continue };
            let answer = journey.find(&ground, &mut AStar::default(), Budget::unlimited()).unwrap();
            let best = best_pair(&ground, &a.exits, &b.entrances);
            match answer {
                JourneyAnswer::Found(trip) => assert_eq!(Some(trip.path.cost), best),
                other => assert_eq!((other, best), (JourneyAnswer::Unreachable, None)),
            }
            found += u32::from(best.is_some());
        }
        assert!(found > 30, "only {found} journeys were possible");
    }
}
