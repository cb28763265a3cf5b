//! The independent referee: is a plan legal, what does it cost, and is a live world free of
//! collisions?
//!
//! The referee shares no code with any planner, not even the move generator. It derives
//! everything from the raw map, the movement profiles and the plan. It reports every
//! violation, not only the first, and never panics, even on malformed input.
//!
//! | function | checks |
//! |---|---|
//! | [`check`] | a whole plan for a problem whose map does not change |
//! | [`check_path`] | a single path without ticks |
//! | [`LiveReferee`] | a live world tick by tick, while map, units and orders change |
//! | [`check_moves`] | a whole plan on roads, hexagons or any other world that is written down as [`MoveLists`] |
//!
//! ```
//! use throng_model::{Cell, Map, MovementProfile, Plan, Problem, Unit};
//! let units = vec![Unit::new((0, 0), (1, 0)), Unit::new((1, 0), (0, 0))];
//! let problem = Problem::new(Map::empty(2, 1)?, MovementProfile::four_connected(), units);
//! let (left, right) = (Cell::new(0, 0), Cell::new(1, 0));
//! let plan = Plan { paths: vec![vec![left, right], vec![right, left]] };
//!
//! let verdict = throng_referee::check(&problem, &plan);
//! assert!(!verdict.is_valid());
//! assert_eq!(
//!     verdict.violations[0].to_string(),
//!     "tick 1: unit 0 and unit 1 exchange places: (0,0) (1,0)"
//! );
//! # Ok::<(), throng_model::MapError>(())
//! ```
//!
//! # The rules
//!
//! **Position.** `paths[u][t]` is the cell of unit `u` at tick `t`. After its last entry the
//! unit stays there. A footprint of k covers the k x k cells to the right of and below that
//! cell. All of them must be on the map ([`Bounds`](ViolationKind::Bounds)) and passable for
//! the unit's movement profile ([`Terrain`](ViolationKind::Terrain)). The profile's terrain
//! overrides take precedence over the map's cost factors; of several overrides of one class
//! the last one counts. A unit that stays on an illegal cell is reported once, on arrival.
//!
//! **Step.** A step changes column and row by at most 1; a 4-connected profile changes only
//! one of the two ([`Contiguity`](ViolationKind::Contiguity)). A diagonal step passes two
//! positions beside it, (x+dx, y) and (x, y+dy). The corner rule requires that the whole
//! footprint could stand on both of them, on at least one, or on neither
//! ([`Corner`](ViolationKind::Corner)).
//!
//! **Pace.** A step takes p ticks: the profile's pace, or the ticks of a diagonal step
//! ([`DiagonalCost::Ticks`](throng_model::DiagonalCost::Ticks)), times the most that a class under
//! the footprint at its end slows. A unit that changes its cell at tick t began that step at t-p.
//! It must have stood on the old cell at the ticks t-p to t-1 ([`Pace`](ViolationKind::Pace)). At
//! the ticks in between (t-p+1 to t-1) the step is in progress and the unit holds both footprints.
//! On a diagonal step it holds the whole square of (k+1) x (k+1) cells around them, under every
//! corner rule: its body sweeps the square, and a faster unit could otherwise cross it. Cells of
//! the square that are walls or off the map do not matter. A move to a cell that is no neighbour
//! holds nothing ahead.
//!
//! **Two units** may not hold one cell at one tick ([`Vertex`](ViolationKind::Vertex),
//! reported at every such tick). Between two ticks, units in steps of one tick may not pass
//! through each other: [`Swap`](ViolationKind::Swap) and [`Crossing`](ViolationKind::Crossing) for
//! bodies of one cell, if the problem counts them; [`Swept`](ViolationKind::Swept) for larger
//! bodies, always. The file `conflict.rs` has the formula and its proof. Slower units are
//! checked only by the cells that they hold. Units conflict only on the map.
//!
//! **Start, goal, count.** A path begins on the unit's start, ends on its goal and is not
//! empty. The plan has exactly one path per unit. A plan past the limits of
//! [`throng_model::limits`] is checked up to the limit ([`Horizon`](ViolationKind::Horizon)).
//!
//! # A live world
//!
//! [`LiveReferee`] applies the same rules to one tick at a time. It is shown the map and one
//! [`Sighting`] per unit. A plan tells from its later cells that a slow step is in progress;
//! a live world tells it with a [`Heading`].
//!
//! **A unit that is shown at two consecutive ticks** has rested, or done one of these:
//!
//! | ticks of the step | from t-1 to t | otherwise |
//! |---|---|---|
//! | 1 | stepped to a neighbour | `Contiguity`, `Corner` |
//! | p > 1 | begun a step: a heading appears, with p-1 ticks left | [`Pace`](ViolationKind::Pace) if fewer |
//! | | continued it: the same target, one tick less | `Pace` if fewer; [`Heading`](ViolationKind::Heading) if more, or for another target |
//! | | completed it: on the target, after 1 tick left | `Pace` if too soon; `Heading` for another cell |
//! | | abandoned it: the same cell, without a heading | |
//!
//! A unit that has completed a slow step stands there for that tick: the next heading appears
//! a tick later at the earliest (`Pace`). A heading is impossible for a unit whose steps all take one
//! tick, to its own cell, or with no ticks or too many ticks left. It is reported (`Heading`) and holds
//! nothing.
//!
//! **The map** of each tick is the one that counts. A step of one tick is checked when it ends. A
//! slow step is checked when its heading appears, its ticks included, and again when it completes. A
//! step in progress keeps its ticks when terrain begins or ceases to slow. Bounds, terrain
//! and corner rule are checked each time. A unit that did not change its cell breaks no rule if
//! the game builds a wall on it.
//!
//! **A unit has no past** if it was not shown at the last tick, if the game says that it placed
//! the unit, or if its movement profile has changed. It may be in the middle of a step. It and
//! the target of its step must be on the map and on passable ground, and it may hold no cell
//! that another unit holds.
//!
//! **Links.** [`LiveReferee::show_links`] shows the units that are in links, and not on the map. Going
//! in is judged as a step that ends at the beginning of the link, and coming out as what a unit does
//! that stood at its end; a unit for which that end is no ground may come out anywhere. Time, room
//! and layer are judged too ([`Link`](ViolationKind::Link)). A unit that is shown in a link and on the
//! map is seen twice ([`Sighting`](ViolationKind::Sighting)).
//!
//! # Roads, hexagons and other worlds
//!
//! [`check_moves`] knows one rule for two units: they never hold the same number at the same tick. A
//! number is a place, a stretch of track or the border between two stretches. [`MoveLists`] makes the
//! numbers of roads and hexagons; any other world is given by its lists. A path lists a unit's place at
//! every tick. While a unit moves, that is the place from which it departed.
//!
//! # The metrics
//!
//! | metric | meaning |
//! |---|---|
//! | `sum_of_costs` | over all units, the tick of the last arrival on the goal; 0 for a unit that starts there and never leaves |
//! | `time_away` | over all units, the ticks not spent resting on the goal: the tick from t-1 to t counts unless the unit is on its goal at both and no slow step is in progress (Standley, "Finding Optimal Solutions to the Multi-Agent Pathfinding Problem Using Heuristic Search": "the total number of timesteps each agent spends away from its goal") |
//! | `makespan` | the first tick after which every unit stays on its goal |
//!
//! The two sums differ for a unit that rests on its goal, yields to another unit and comes
//! back: its rest is free in `time_away` only. A unit that does not end on its goal counts the
//! whole length of the plan in all three.

mod check;
mod check_moves;
mod check_path;
mod conflict;
mod hostile_cells;
mod links;
mod live;
mod live_unit;
mod metrics;
mod move_lists;
mod occupancy;
mod occupant;
mod passable_map;
mod planned_unit;
mod sighting;
mod violation;

pub use check::{VIOLATIONS_MAX, Verdict, check};
pub use check_moves::{MoveVerdict, MoveViolation, Traveller, check_moves};
pub use check_path::check_path;
pub use links::{Link, LinkSighting};
pub use live::LiveReferee;
pub use move_lists::{MoveLists, TimedMove};
pub use sighting::{Heading, Sighting};
pub use violation::{Violation, ViolationKind};

/// The README's example is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
