//! The independent judge: is a plan legal, and what did it cost? Is a live world safe?
//!
//! The referee shares no code with any planner, not even the move generator. It derives
//! everything again from the raw map, the movements and the plan, and it reports all that
//! is wrong, not the first thing. It never panics, whatever it is given.
//!
//! | judge | of |
//! |---|---|
//! | [`check`] | a whole plan for a problem whose map stands still |
//! | [`walk`] | a single path without ticks |
//! | [`LiveReferee`] | a world in which maps, units and orders change, tick by tick |
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
//! **Where a unit is.** `paths[u][t]` is the cell of unit `u` at tick `t`; after its last
//! entry it stays. A footprint of k covers the k x k cells to the right of and below that
//! cell. All of them must be on the map ([`Bounds`](ViolationKind::Bounds)) and passable
//! for the unit's movement ([`Terrain`](ViolationKind::Terrain)), whose terrain overrides
//! count before the map's factors, the last override of a class before the earlier ones.
//! A unit that stays on a bad cell is reported once, when it comes there.
//!
//! **A step** changes column and row by at most 1, and on a 4-connected movement only one
//! of the two ([`Contiguity`](ViolationKind::Contiguity)). A diagonal step passes two
//! positions at its sides, (x+dx, y) and (x, y+dy), where the whole footprint may be able
//! to stand or not; the corner rule asks for both of them, for at least one, or for none
//! ([`Corner`](ViolationKind::Corner)).
//!
//! **Pace.** A unit of pace p that is on another cell at tick t than at t-1 began that step
//! at t-p and must have stood on the old cell at the ticks t-p to t-1
//! ([`Pace`](ViolationKind::Pace)). At the ticks in between (t-p+1 to t-1) it is under way
//! and holds both footprints; on a diagonal step, the whole square of (k+1) x (k+1) cells
//! around them, whatever the corner rule: its body sweeps the square, and a quick unit could
//! cross it otherwise. Cells of the square that are walls or off the map do not matter. A
//! jump that is no step holds nothing ahead.
//!
//! **Two units** may not hold one cell at one tick ([`Vertex`](ViolationKind::Vertex),
//! reported at every such tick). Between two ticks, units of pace 1 may not pass through
//! each other: [`Swap`](ViolationKind::Swap) and [`Crossing`](ViolationKind::Crossing) for
//! bodies of one cell, where the problem counts them, and [`Swept`](ViolationKind::Swept)
//! for larger ones, always. The file `meeting.rs` has the formula and its proof. Slower units
//! are judged by what they hold alone. Units meet only on the map.
//!
//! **Start, goal, count.** A path begins on the unit's start, ends on its goal and is not
//! empty; the plan has a path for each unit and no more. A plan past the limits of
//! [`throng_model::limits`] is judged up to the limit
//! ([`Horizon`](ViolationKind::Horizon)).
//!
//! # A live world
//!
//! [`LiveReferee`] has the same rules and sees one tick at a time: the map, and of each unit
//! a [`Sighting`]. What the rules above learn from the rest of a path, that a slow unit is
//! under way, it is told by the [`Heading`].
//!
//! **A unit that is seen at two ticks running** has rested, or done one of these:
//!
//! | pace | from t-1 to t | otherwise |
//! |---|---|---|
//! | 1 | stepped to a neighbour | `Contiguity`, `Corner` |
//! | p > 1 | begun a step: a heading appears, with p-1 ticks left | [`Pace`](ViolationKind::Pace) if less |
//! | | carried it on: the same target, one tick less | `Pace` if less; [`Heading`](ViolationKind::Heading) if more, or for another target |
//! | | completed it: is on the target, after 1 tick left | `Pace` if too soon; `Heading` for another cell |
//! | | abandoned it: is where it was, without heading | |
//!
//! A unit that has completed a step stands there for that tick: the next heading appears a
//! tick later at the earliest (`Pace`). A heading of a unit of pace 1, to its own cell, or of
//! no or too many ticks is reported (`Heading`) and holds nothing.
//!
//! **The map** that counts is the one of the tick: a step of pace 1 is judged at its end, a
//! slow one when its heading appears and again when it completes, by all of bounds, terrain
//! and corner rule. A unit that is where it was is not at fault if the game builds a wall
//! there.
//!
//! **A unit that was not seen a tick ago**, that the game says it has placed, or whose
//! movement is another now, has no past. It may be in the middle of a step. It must be on
//! the map and on passable ground, as must the target of its step, and it may hold no cell
//! that others hold.
//!
//! # The metrics
//!
//! | metric | meaning |
//! |---|---|
//! | `sum_of_costs` | over all units, the tick of the last arrival on the goal; 0 for a unit that starts there and never leaves |
//! | `time_away` | over all units, the ticks not spent resting on the goal: the tick from t-1 to t counts unless the unit is on its goal at both (Standley, "Finding Optimal Solutions to the Multi-Agent Pathfinding Problem Using Heuristic Search": "the total number of timesteps each agent spends away from its goal") |
//! | `makespan` | the tick from which on every unit rests on its goal |
//!
//! The two sums differ for a unit that rests on its goal, gives way and comes back: its
//! rest is free in `time_away` only. A unit that does not end on its goal counts the whole
//! length of the plan in all three.

mod check;
mod ground;
mod live;
mod meeting;
mod metrics;
mod occupancy;
mod passage;
mod presence;
mod sighting;
mod violation;
mod walk;
mod walker;

pub use check::{VIOLATIONS_MAX, Verdict, check};
pub use live::LiveReferee;
pub use sighting::{Heading, Sighting};
pub use violation::{Violation, ViolationKind};
pub use walk::walk;
