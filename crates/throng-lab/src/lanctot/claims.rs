//! What the paper says: every table, figure and number of its text, and the value to compare.
//!
//! Thresholds come from the paper. Factors of time are of processor time, on the same queries.

use super::configuration::ENTRIES_MAX;
use super::measured::{
    EXTRACTED, MODELED, RANDOM, faster, least, longer, most, of_paper, of_tables, ratio, so, value,
};
use super::paper::WORKLOADS;
use crate::harness::{Rows, Rule, Statement, Study, Values};

/// A statement, and its value by the rows of one seed.
type Judged = (Statement, fn(&Rows) -> Option<f64>);

pub(super) fn judge(rows: &Rows, study: &mut Study<'_>) {
    let groups = [TABLES, ALGORITHMS, DISTANCES, COLLISION_CACHE, PATH_CACHE, ROADMAP, WORKLOAD];
    for (statement, value) in groups.into_iter().flatten() {
        study.judge(statement, &rows.by_seed(value));
    }
    for statement in NOT_TRIED {
        study.judge(statement, &Values::none());
    }
}

const MACHINE: &str = "Java on an 8-way Xeon of 2005 against Rust today, and a collision test of \
                       under a microsecond against most of a millisecond: seconds do not compare, \
                       ratios of methods do";
const OTHER_MAP: &str = "another map and another grid: the paper's map is not published";

const fn says(
    place: &'static str,
    says: &'static str,
    paper: &'static str,
    rule: Rule,
    reason: &'static str,
) -> Statement {
    Statement::new(place, says, paper, rule).because(reason)
}

/// Ours divided by the paper's, the geometric mean over the thirteen rows of each table.
const TABLES: &[Judged] = &[
    (
        says(
            "table 2",
            "nodes per search on RANDOM, ours / paper",
            "1",
            Rule::about(1.0),
            OTHER_MAP,
        ),
        |rows| of_paper(rows, RANDOM, "nodes", |paper| paper.nodes),
    ),
    (
        says(
            "table 3",
            "nodes per search on MODELED, ours / paper",
            "1",
            Rule::about(1.0),
            OTHER_MAP,
        ),
        |rows| of_paper(rows, MODELED, "nodes", |paper| paper.nodes),
    ),
    (
        says(
            "table 4",
            "nodes per search on EXTRACTED, ours / paper",
            "1",
            Rule::about(1.0),
            OTHER_MAP,
        ),
        |rows| of_paper(rows, EXTRACTED, "nodes", |paper| paper.nodes),
    ),
    (
        says("table 2", "total distance on RANDOM, ours / paper", "1", Rule::about(1.0), OTHER_MAP),
        |rows| of_paper(rows, RANDOM, "distance", |paper| paper.distance),
    ),
    (
        says(
            "table 3",
            "total distance on MODELED, ours / paper",
            "1",
            Rule::about(1.0),
            OTHER_MAP,
        ),
        |rows| of_paper(rows, MODELED, "distance", |paper| paper.distance),
    ),
    (
        says(
            "table 4",
            "total distance on EXTRACTED, ours / paper",
            "1",
            Rule::about(1.0),
            OTHER_MAP,
        ),
        |rows| of_paper(rows, EXTRACTED, "distance", |paper| paper.distance),
    ),
    (
        says("tables 2-4", "total time, ours / paper", "1", Rule::about(1.0), MACHINE).shown("", 5),
        |rows| of_tables(rows, "ms", |paper| paper.seconds * 1000.0),
    ),
    (
        says(
            "tables 2-4",
            "speed (distance / total time; the column of the paper has a hundred times that), ours / paper",
            "1",
            Rule::about(1.0),
            MACHINE,
        )
        .shown("", 0),
        |rows| of_tables(rows, "speed_ms", |paper| paper.distance / paper.seconds / 1000.0),
    ),
    (
        says("tables 2-4", "delay, ours / paper", "1", Rule::about(1.0), MACHINE).shown("", 5),
        |rows| of_tables(rows, "search_ms", |paper| paper.delay_ms),
    ),
];

const ALGORITHMS: &[Judged] = &[
    (
        says(
            "abstract",
            "a map-conforming, hierarchical strategy performs best: SZ or RD is the fastest",
            "so on each workload",
            Rule::is_so(),
            "",
        ),
        |rows| {
            all_workloads(|workload| {
                let time = |test| value(rows, test, workload, "ms");
                Some(time("SZ")?.min(time("RD")?) < time("GR")?.min(time("VZ")?))
            })
        },
    ),
    (
        says(
            "abstract",
            "with caching it can greatly reduce the cost: GR / SZ+CC+sPC, the least of all workloads",
            "7.8",
            Rule::at_least(7.8).or_above(1.0),
            "our collision test is cheaper relative to a node than the paper's",
        ),
        |rows| least(WORKLOADS.map(|workload| faster(rows, ["GR", "SZ+CC+sPC"], workload))),
    ),
    (
        says(
            "abstract",
            "dominated by algorithm, to a lesser degree by workload: spread of SZ, GR, RD, VZ (least \
             of all workloads) / spread of workloads (most of all methods)",
            "1.7",
            Rule::above(1.0),
            "with known short paths the roadmap depends much on where queries lie",
        ),
        |rows| Some(spread_of_methods(rows)? / spread_of_workloads(rows)?),
    ),
    (
        says(
            "path-finding results",
            "GR is much slower than SZ under all workloads: the least factor",
            "1.65",
            Rule::at_least(1.65).or_above(1.0),
            "",
        ),
        |rows| least(WORKLOADS.map(|workload| faster(rows, ["GR", "SZ"], workload))),
    ),
    (
        says(
            "path-finding results",
            "GR is much slower than RD under all workloads: the least factor",
            "1.50",
            Rule::at_least(1.5).or_above(1.0),
            "",
        ),
        |rows| least(WORKLOADS.map(|workload| faster(rows, ["GR", "RD"], workload))),
    ),
    (
        says(
            "path-finding results",
            "caching brings GR closer to SZ: GR+CC+PC / SZ, the most",
            "1.20",
            Rule::at_most(1.2).or_below(3.07),
            "our collision test is cheaper relative to a node, so that the cache saves less",
        ),
        |rows| most(WORKLOADS.map(|workload| faster(rows, ["GR+CC+PC", "SZ"], workload))),
    ),
    (
        says(
            "path-finding results",
            "far more nodes are searched by a single level: nodes per search, GR / SZ, the least",
            "4.0",
            Rule::at_least(4.0).or_above(1.0),
            "",
        ),
        |rows| least(WORKLOADS.map(|workload| ratio(rows, ["GR", "SZ"], workload, "nodes"))),
    ),
    (
        says(
            "tables 2-4",
            "the response time of GR remains high: delay, GR / SZ, the least",
            "5.3",
            Rule::at_least(5.3).or_above(1.0),
            "",
        ),
        |rows| least(WORKLOADS.map(|workload| ratio(rows, ["GR", "SZ"], workload, "search_ms"))),
    ),
    (
        says(
            "path-finding results",
            "the Voronoi zoning scheme performed the slowest: VZ / GR, the least of all workloads",
            "1.38",
            Rule::at_least(1.38).or_above(1.0),
            "the searches of VZ together expand about as many nodes as the one search of GR here (see \
             nodes and searches); the paper explains its result by zones that are mazes of obstacles, \
             which our towns have not",
        ),
        |rows| least(WORKLOADS.map(|workload| faster(rows, ["VZ", "GR"], workload))),
    ),
    (
        says(
            "path-finding results",
            "the Voronoi zoning scheme performed the slowest: VZ / SZ, the least",
            "4.0",
            Rule::at_least(4.0).or_above(1.0),
            "see VZ / GR",
        ),
        |rows| least(WORKLOADS.map(|workload| faster(rows, ["VZ", "SZ"], workload))),
    ),
    (
        says(
            "path-finding results",
            "constrained Voronoi zones with precalculated paths would greatly improve performance: \
             VZ / VZ+, the least",
            "no number",
            Rule::above(1.0),
            "",
        ),
        |rows| least(WORKLOADS.map(|workload| faster(rows, ["VZ", "VZ+"], workload))),
    ),
    (
        says(
            "movement and pathfinding",
            "memory is only required for the region explored: nodes per search of GR / all nodes",
            "below 1",
            Rule::below(1.0),
            "",
        ),
        |rows| Some(value(rows, "GR", RANDOM, "nodes")? / rows.of("points").mean("lattice")?),
    ),
    (
        says(
            "figure 4",
            "\"individual grid-level paths are gradually resolved\": nodes before the first step / nodes of the whole path, \
             SZ, the most of all workloads",
            "below 1, no number",
            Rule::below(1.0),
            "most paths have one stretch",
        ),
        |rows| {
            most(WORKLOADS.map(|workload| {
                let of = |metric| value(rows, "SZ", workload, metric);
                Some(of("first_nodes")? * queries(rows, workload)? / of("work")?)
            }))
        },
    ),
    (
        says(
            "movement and pathfinding",
            "blocking zones that were left trims down the nodes: SZ without it / SZ, the least",
            "above 1",
            Rule::above(1.0),
            "",
        ),
        |rows| {
            let nodes = |workload| ratio(rows, ["SZ, no zone blocked", "SZ"], workload, "work");
            least(WORKLOADS.map(nodes))
        },
    ),
];

/// How many queries a workload has.
fn queries(rows: &Rows, workload: &str) -> Option<f64> {
    rows.of("workload").with("name", workload).mean("queries")
}

const DISTANCES: &[Judged] = &[
    (
        says(
            "measurements",
            "GR usually returns the shortest paths: rows of SZ, RD and VZ that are shorter, the most",
            "0 of 9",
            Rule::at_most(0.0).or_below(4.5),
            "the diagonal distance overestimates where the step size changes, by up to 8.3% of a step",
        )
        .shown("rows", 0),
        |rows| most(WORKLOADS.map(|workload| {
            let tests = ["SZ", "SZ+CC", "SZ+CC+PC", "SZ+CC+sPC", "RD", "RD+CC", "VZ", "VZ+CC", "VZ+CC+PC"];
            let longer = tests.into_iter().filter_map(|test| longer(rows, test, workload));
            Some(longer.filter(|more| *more < 0.0).count() as f64)
        })),
    ),
    (
        says(
            "path-finding results",
            "the difference between GR and the best variation of SZ is marginal: the most",
            "1.9%",
            Rule::at_most(1.9).or_below(8.1),
            "our routes pass through the middle of each gate, and a town has many gates",
        )
        .shown("%", 1),
        |rows| most(WORKLOADS.map(|workload| {
            least(["SZ", "SZ+CC", "SZ+CC+PC", "SZ+CC+sPC"].map(|test| longer(rows, test, workload)))
        })),
    ),
    (
        says("table 2", "VZ's paths are longer than GR's on RANDOM", "11.6%", VZ_LONGER[0], VZ_REASON)
            .shown("%", 1),
        |rows| longer(rows, "VZ", RANDOM),
    ),
    (
        says("table 3", "VZ's paths are longer than GR's on MODELED", "8.1%", VZ_LONGER[1], VZ_REASON)
            .shown("%", 1),
        |rows| longer(rows, "VZ", MODELED),
    ),
    (
        says("table 4", "VZ's paths are longer than GR's on EXTRACTED", "0.1%", VZ_LONGER[2], VZ_REASON)
            .shown("%", 1),
        |rows| longer(rows, "VZ", EXTRACTED),
    ),
    (
        says(
            "measurements",
            "greater use of the hierarchy implies less optimal paths: VZ is longer than SZ on each",
            "so (2317, 2182 and 2052 against 2088, 2057 and 2052)",
            Rule::is_so(),
            "",
        ),
        |rows| all_workloads(|workload| Some(longer(rows, "VZ", workload)? > longer(rows, "SZ", workload)?)),
    ),
];

const VZ_LONGER: [Rule; 3] = [
    Rule::about(11.6).or_below(15.0),
    Rule::about(8.1).or_below(15.0),
    Rule::at_most(1.0).or_below(15.0),
];
const VZ_REASON: &str = "as printed, a path passes through the midpoint of every Delaunay edge that it \
                         crosses, also where a wall or a detour lies there; the paper does not say \
                         how its paths kept so short, and its EXTRACTED has equal distances for all";

const COLLISION_CACHE: &[Judged] = &[
    (
        says(
            "path-finding results",
            "collision caching reduces total time by 1.8 to 4.2: the least factor",
            "1.8",
            Rule::about(1.8).or_above(1.0),
            CHEAP_TEST,
        ),
        |rows| {
            least(
                CACHED.map(|tests| least(WORKLOADS.map(|workload| faster(rows, tests, workload)))),
            )
        },
    ),
    (
        says(
            "path-finding results",
            "collision caching reduces total time by 1.8 to 4.2: the largest factor",
            "4.2",
            Rule::about(4.2).or_above(1.0),
            CHEAP_TEST,
        ),
        |rows| {
            most(CACHED.map(|tests| most(WORKLOADS.map(|workload| faster(rows, tests, workload)))))
        },
    ),
    (
        says(
            "path-finding results",
            "roadmaps benefit the least from the collision cache: RD's mean factor is the least",
            "so on average; its table 4 has SZ 1.75 and RD 1.94",
            Rule::is_so(),
            "as printed, RD searches at grid level between its points, and these searches repeat",
        ),
        |rows| {
            let gain = |tests| mean_gain(rows, tests);
            so(gain(["RD", "RD+CC"])?
                < least([["SZ", "SZ+CC"], ["GR", "GR+CC"], ["VZ", "VZ+CC"]].map(gain))?)
        },
    ),
    (
        says(
            "path-finding results",
            "Voronoi makes the most use of the collision cache: VZ's mean factor is the largest",
            "so",
            Rule::is_so(),
            "searches of VZ overlap less than those of the other methods in our towns",
        ),
        |rows| {
            let gain = |tests| mean_gain(rows, tests);
            so(gain(["VZ", "VZ+CC"])?
                > most([["SZ", "SZ+CC"], ["GR", "GR+CC"], ["RD", "RD+CC"]].map(gain))?)
        },
    ),
    (
        says(
            "measurements",
            "collision caching does not change the nodes explored: with / without, furthest from 1",
            "1",
            Rule::about(1.0),
            "",
        ),
        |rows| {
            most(CACHED.map(|[without, with]| {
                most(WORKLOADS.map(|workload| ratio(rows, [with, without], workload, "work")))
            }))
        },
    ),
    (
        says(
            "path-finding results",
            "caches of 1 Meg did not fill up: the fullest, in entries",
            "below 1048576",
            Rule::below(ENTRIES_MAX as f64),
            "",
        )
        .shown("", 0),
        |rows| Some(rows.values("entries").fold(0.0, f64::max)),
    ),
];

const CHEAP_TEST: &str = "the paper says that it strongly depends on the cost of collision detection: our \
                          test costs a fraction of a node, and looking a step up in a cache costs about \
                          as much; hit rates are in tables 2 to 4";
const CACHED: [[&str; 2]; 4] = [["SZ", "SZ+CC"], ["GR", "GR+CC"], ["RD", "RD+CC"], ["VZ", "VZ+CC"]];
const PATH_CACHED: [[&str; 2]; 3] =
    [["SZ+CC", "SZ+CC+PC"], ["GR+CC", "GR+CC+PC"], ["VZ+CC", "VZ+CC+PC"]];
const SATURATED: [[&str; 2]; 2] = [["SZ+CC", "SZ+CC+sPC"], ["GR+CC", "GR+CC+sPC"]];

const PATH_CACHE: &[Judged] = &[
    (
        says(
            "movement and pathfinding",
            "storing only the next point, of squares of a larger grid, reduces memory: points stored by whole paths / by \
             next points, the least of all workloads",
            "above 1, no number",
            Rule::above(1.0),
            "",
        )
        .shown("times", 1),
        |rows| least(WORKLOADS.map(|workload| {
            let stored = |metric| value(rows, "stored paths", workload, metric);
            Some(stored("whole-points")? / stored("next-points")?.max(1.0))
        })),
    ),
    (
        says(
            "movement and pathfinding",
            "at the same time it increases the cache hit ratio: points of later paths that are known, next points of \
             squares less whole paths of points, the least of all workloads",
            "above 0, no number",
            Rule::above(0.0),
            "",
        )
        .shown("percentage points", 1),
        |rows| least(WORKLOADS.map(|workload| {
            let hits = |metric| value(rows, "stored paths", workload, metric);
            Some(hits("next-hits")? - hits("whole-hits")?)
        })),
    ),
    (
        says(
            "path-finding results",
            "path caching reduces total time by a further 1.0 to 1.5: the least factor",
            "1.0 (its tables have 0.72)",
            Rule::about(1.0).or_above(0.72),
            "keeping paths costs time at every node that is looked up and does not help",
        ),
        |rows| {
            least(
                PATH_CACHED
                    .map(|tests| least(WORKLOADS.map(|workload| faster(rows, tests, workload)))),
            )
        },
    ),
    (
        says(
            "path-finding results",
            "path caching reduces total time by a further 1.0 to 1.5: the largest factor",
            "1.5 (its tables have 1.76)",
            Rule::about(1.5).or_above(1.0),
            "how often paths meet depends on the map and on the cells of the cache",
        ),
        |rows| {
            most(
                PATH_CACHED
                    .map(|tests| most(WORKLOADS.map(|workload| faster(rows, tests, workload)))),
            )
        },
    ),
    (
        says(
            "path-finding results",
            "path caching reduces the number of nodes: with / without, the largest",
            "below 1 (its table 4 has 1.28)",
            Rule::below(1.0),
            "",
        ),
        |rows| {
            most(PATH_CACHED.map(|[without, with]| {
                most(WORKLOADS.map(|workload| ratio(rows, [with, without], workload, "work")))
            }))
        },
    ),
    (
        says(
            "path-finding results",
            "the filled cache gains 1.4 to 2.4 over collision caching: the least factor",
            "1.4",
            Rule::about(1.4).or_above(1.0),
            "500 random queries fill our cache; the paper does not say how many filled its own",
        ),
        |rows| {
            least(
                SATURATED
                    .map(|tests| least(WORKLOADS.map(|workload| faster(rows, tests, workload)))),
            )
        },
    ),
    (
        says(
            "path-finding results",
            "the filled cache gains 1.4 to 2.4 over collision caching: the largest factor",
            "2.4 (its tables have 2.70)",
            Rule::about(2.4).or_above(1.0),
            "500 random queries fill our cache; the paper does not say how many filled its own",
        ),
        |rows| {
            most(
                SATURATED
                    .map(|tests| most(WORKLOADS.map(|workload| faster(rows, tests, workload)))),
            )
        },
    ),
    (
        says(
            "path-finding results",
            "with path caching SZ improves significantly, more so if the cache is primed: sPC is \
             faster than PC on each workload",
            "so",
            Rule::is_so(),
            "",
        ),
        |rows| {
            all_workloads(|workload| Some(faster(rows, ["SZ+CC+PC", "SZ+CC+sPC"], workload)? > 1.0))
        },
    ),
    (
        says(
            "path-finding results",
            "with path caching SZ shows further improvements under all workloads: SZ+CC / SZ+CC+PC, the least",
            "above 1 (its table 4 has 0.93)",
            Rule::above(1.0),
            "keeping paths costs about as much per node as it saves; the paper's own table 4 says the same",
        ),
        |rows| least(WORKLOADS.map(|workload| faster(rows, ["SZ+CC", "SZ+CC+PC"], workload))),
    ),
    (
        says(
            "workload differences",
            "on EXTRACTED the overhead of path caching reduces performance of SZ",
            "0.93",
            Rule::below(1.0),
            "our cache costs less per node than it saves",
        ),
        |rows| faster(rows, ["SZ+CC", "SZ+CC+PC"], EXTRACTED),
    ),
    (
        says(
            "workload differences",
            "on EXTRACTED the overhead of path caching reduces performance of VZ",
            "0.72",
            Rule::about(0.72).or_below(1.0),
            "our cache costs less per node than it saves",
        ),
        |rows| faster(rows, ["VZ+CC", "VZ+CC+PC"], EXTRACTED),
    ),
    (
        says(
            "workload differences",
            "on EXTRACTED, once the cache is more filled, hits more than balance the overhead (SZ)",
            "2.70",
            Rule::about(2.7).or_above(1.0),
            "500 random queries fill our cache; the paper does not say how many filled its own",
        ),
        |rows| faster(rows, ["SZ+CC", "SZ+CC+sPC"], EXTRACTED),
    ),
    (
        says(
            "figure 5",
            "once cached, a search between the same points is much more focused: nodes, cached / first",
            "below 1",
            Rule::below(1.0),
            "",
        ),
        |rows| Some(rows.of("figure 5").mean("again")? / rows.of("figure 5").mean("first")?),
    ),
];

const ROADMAP: &[Judged] = &[
    (
        says(
            "path-finding results",
            "without path caching the roadmap yields the best overall results: nodes per search of RD \
             are the fewest on each workload",
            "so (197, 108 and 186)",
            Rule::is_so(),
            "",
        ),
        |rows| all_workloads(|workload| {
            let nodes = |test| value(rows, test, workload, "nodes");
            Some(nodes("RD")? < least([nodes("SZ"), nodes("GR"), nodes("VZ")])?)
        }),
    ),
    (
        says(
            "path-finding results",
            "the same by the delay: that of RD is the least on each workload",
            "so (931, 442 and 1019 ms)",
            Rule::is_so(),
            "searches between points of the roadmap are not the shortest here",
        ),
        |rows| all_workloads(|workload| {
            let delay = |test| value(rows, test, workload, "search_ms");
            Some(delay("RD")? < least([delay("SZ"), delay("GR"), delay("VZ")])?)
        }),
    ),
    (
        says("table 2", "RD / SZ by total time on RANDOM", "1.81", Rule::about(1.81).or_above(1.0), RD_REASON),
        |rows| faster(rows, ["RD", "SZ"], RANDOM),
    ),
    (
        says("table 3", "RD / SZ by total time on MODELED", "0.92", Rule::about(0.92).or_below(1.0), RD_REASON),
        |rows| faster(rows, ["RD", "SZ"], MODELED),
    ),
    (
        says("table 4", "RD / SZ by total time on EXTRACTED", "1.10", Rule::about(1.1).or_above(1.0), RD_REASON),
        |rows| faster(rows, ["RD", "SZ"], EXTRACTED),
    ),
    (
        says(
            "path-finding results",
            "at a potential small cost to path optimality: RD's paths are longer, the most",
            "7.1%",
            Rule::at_most(7.1).or_below(15.0),
            "as printed, a path leads through the points that were chosen, without a short cut between \
             them; RD+ has short cuts",
        )
        .shown("%", 1),
        |rows| most(WORKLOADS.map(|workload| longer(rows, "RD", workload))),
    ),
];

const RD_REASON: &str = "a search between two roadmap points takes about 20 nodes here and took 108 to 197 \
                         in the paper, which does not say how far its points were apart; the number of \
                         searches is about the same";

const WORKLOAD: &[Judged] = &[
    (
        says(
            "workload differences",
            "node searches on EXTRACTED are much larger: nodes per search of SZ, EXTRACTED / the larger \
             of RANDOM and MODELED",
            "1.61",
            Rule::about(1.61).or_above(1.0),
            PLAYERS,
        ),
        |rows| over_others(rows, "SZ", "nodes"),
    ),
    (
        says(
            "workload differences",
            "in its own tables the searches of GR are smaller on EXTRACTED: nodes per search, EXTRACTED / \
             the larger of RANDOM and MODELED",
            "0.75",
            Rule::about(0.75).or_below(1.0),
            PLAYERS,
        ),
        |rows| over_others(rows, "GR", "nodes"),
    ),
    (
        says(
            "workload differences",
            "this results in larger total times: SZ, EXTRACTED / the larger of RANDOM and MODELED",
            "1.87",
            Rule::about(1.87).or_above(1.0),
            PLAYERS,
        ),
        |rows| over_others(rows, "SZ", "ms"),
    ),
    (
        says(
            "workload differences",
            "performance of the caching is best on MODELED: SZ+CC / SZ+CC+PC is the largest there",
            "so (1.04, 1.26 and 0.93)",
            Rule::is_so(),
            "a path cache of ours serves RANDOM about as well; factors are within a few percent",
        ),
        |rows| {
            let gain = |workload| faster(rows, ["SZ+CC", "SZ+CC+PC"], workload);
            so(gain(MODELED)? > gain(RANDOM)?.max(gain(EXTRACTED)?))
        },
    ),
    (
        says(
            "workload differences",
            "performance, except Voronoi, is best on MODELED: SZ, GR and RD are fastest there",
            "so",
            Rule::is_so(),
            "our EXTRACTED consists of shorter queries, which need fewer nodes",
        ),
        |rows| {
            let best = |test: &str| {
                let time = |workload| value(rows, test, workload, "ms");
                Some(time(MODELED)? < time(RANDOM)?.min(time(EXTRACTED)?))
            };
            so(best("SZ")? && best("GR")? && best("RD")?)
        },
    ),
    (
        says(
            "workload differences",
            "the impact of the hierarchy is greatest on RANDOM, progressively less on MODELED and \
             EXTRACTED (GR / SZ)",
            "3.07 > 2.73 > 1.65",
            Rule::is_so(),
            PLAYERS,
        ),
        |rows| {
            let gain = |workload| faster(rows, ["GR", "SZ"], workload);
            so(gain(RANDOM)? > gain(MODELED)? && gain(MODELED)? > gain(EXTRACTED)?)
        },
    ),
    (
        says(
            "workload differences",
            "on RANDOM, SZ is over 3 times faster than GR",
            "3.07",
            Rule::above(3.0).or_above(1.0),
            OTHER_MAP,
        ),
        |rows| faster(rows, ["GR", "SZ"], RANDOM),
    ),
    (
        says(
            "workload differences",
            "on MODELED the gain is 2.0 to 2.7 depending on caches: the least",
            "2.0",
            Rule::about(2.0).or_above(1.0),
            OTHER_MAP,
        ),
        |rows| least(ZONES.map(|tests| faster(rows, tests, MODELED))),
    ),
    (
        says(
            "workload differences",
            "on MODELED the gain is 2.0 to 2.7 depending on caches: the most",
            "2.7",
            Rule::about(2.7).or_above(1.0),
            OTHER_MAP,
        ),
        |rows| most(ZONES.map(|tests| faster(rows, tests, MODELED))),
    ),
    (
        says(
            "workload differences",
            "on EXTRACTED the gain is 1.4 to 1.7: the least",
            "1.4 (its table 4 has 0.73 for GR+CC+PC / SZ+CC+PC)",
            Rule::about(1.4).or_above(1.0),
            PLAYERS,
        ),
        |rows| least(ZONES.map(|tests| faster(rows, tests, EXTRACTED))),
    ),
    (
        says(
            "workload differences",
            "on EXTRACTED the gain is 1.4 to 1.7: the most",
            "1.7",
            Rule::about(1.7).or_above(1.0),
            PLAYERS,
        ),
        |rows| most(ZONES.map(|tests| faster(rows, tests, EXTRACTED))),
    ),
    (
        says(
            "conclusions",
            "a randomized model is reasonably accurate for the relative performance: RANDOM and \
             EXTRACTED order SZ, GR, RD and VZ alike",
            "so (SZ, RD, GR, VZ)",
            Rule::is_so(),
            "methods whose times are within a few percent change places",
        ),
        |rows| so(order(rows, RANDOM)? == order(rows, EXTRACTED)?),
    ),
];

const PLAYERS: &str = "our simulated players walk between many near destinations; the paper's people and \
                       their logs are not published";
const ZONES: [[&str; 2]; 4] =
    [["GR", "SZ"], ["GR+CC", "SZ+CC"], ["GR+CC+PC", "SZ+CC+PC"], ["GR+CC+sPC", "SZ+CC+sPC"]];
const METHODS: [&str; 4] = ["SZ", "GR", "RD", "VZ"];

const NOT_TRIED: &[Statement] = &[
    says(
        "table 1",
        "24 people played five games of 740 to 903 s with 98619 to 202563 move updates",
        "849 s, 149474 moves, 38562 destinations on average",
        Rule::is_so(),
        "an input here: simulated players, whose games last as long and whose clicks follow the counts",
    ),
    says(
        "figures 1 and 7",
        "screenshots of the game client",
        "pictures",
        Rule::is_so(),
        "pictures of the paper's client; `throng serve --play` is ours, and figure 2 shows the map",
    ),
];

/// 1 if it is so on each workload.
fn all_workloads(is_so: impl Fn(&str) -> Option<bool>) -> Option<f64> {
    WORKLOADS
        .into_iter()
        .try_fold(1.0, |all, workload| Some(if is_so(workload)? { all } else { 0.0 }))
}

/// The mean factor over the three workloads.
fn mean_gain(rows: &Rows, tests: [&str; 2]) -> Option<f64> {
    let factors = WORKLOADS.into_iter().map(|workload| faster(rows, tests, workload));
    Some(factors.sum::<Option<f64>>()? / WORKLOADS.len() as f64)
}

/// The value on EXTRACTED, divided by the larger one of the other workloads.
fn over_others(rows: &Rows, test: &str, metric: &str) -> Option<f64> {
    let of = |workload| value(rows, test, workload, metric);
    Some(of(EXTRACTED)? / of(RANDOM)?.max(of(MODELED)?))
}

/// Slowest / fastest method on a workload, the least of all workloads.
fn spread_of_methods(rows: &Rows) -> Option<f64> {
    least(WORKLOADS.map(|workload| {
        let times = METHODS.map(|test| value(rows, test, workload, "ms"));
        Some(most(times)? / least(times)?)
    }))
}

/// Slowest / fastest workload of a method, the most of all methods.
fn spread_of_workloads(rows: &Rows) -> Option<f64> {
    most(METHODS.map(|test| {
        let times = WORKLOADS.map(|workload| value(rows, test, workload, "ms"));
        Some(most(times)? / least(times)?)
    }))
}

/// The methods, the fastest first.
fn order(rows: &Rows, workload: &str) -> Option<Vec<&'static str>> {
    let times = METHODS.iter().map(|test| Some((value(rows, test, workload, "ms")?, *test)));
    let mut times: Vec<(f64, &str)> = times.collect::<Option<_>>()?;
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    Some(times.into_iter().map(|(_, test)| test).collect())
}
