//! What the paper says, beside ours: the planners as printed.

use super::arena::{self, LONGEST, Method};
use crate::LabError;
use crate::harness::{Rows, Rule, Statement, Study, Values};

const WINDOWED: [Method; 3] = [Method::Windowed(8), Method::Windowed(16), Method::Windowed(32)];
const COMPLETE: [Method; 2] = [Method::Cooperative, Method::Hierarchical];
/// Locations of an environment.
const LOCATIONS: f64 = 1024.0;
/// Units in the most crowded scenarios.
const MOST: f64 = 100.0;

/// A statement, and its value from the rows of one seed.
type Judged = (Statement, fn(&Seed<'_>) -> Option<f64>);

/// The rows of one seed.
struct Seed<'a> {
    rows: &'a Rows,
    fewest: &'a str,
}

impl Seed<'_> {
    /// The mean of a method with 100 units.
    fn of(&self, method: Method, metric: &str) -> Option<f64> {
        self.rows.of(&method.name()).with("units", "100").mean(metric)
    }

    /// The median of a method with 100 units, for times.
    fn median(&self, method: Method, metric: &str) -> Option<f64> {
        self.rows.of(&method.name()).with("units", "100").median(metric)
    }

    /// The mean of a method with the fewest units.
    fn few(&self, method: Method, metric: &str) -> Option<f64> {
        self.rows.of(&method.name()).with("units", self.fewest).mean(metric)
    }

    fn most_of(&self, methods: &[Method], metric: &str) -> Option<f64> {
        methods.iter().filter_map(|&method| self.of(method, metric)).reduce(f64::max)
    }

    fn least_of(&self, methods: &[Method], metric: &str) -> Option<f64> {
        methods.iter().filter_map(|&method| self.of(method, metric)).reduce(f64::min)
    }
}

fn so(is_so: bool) -> Option<f64> {
    Some(if is_so { 1.0 } else { 0.0 })
}

const TODAY: &str = "processors of today, and another program";

const SUCCESS: [Judged; 4] = [
    (
        Statement::new(
            "Figure 3",
            "\"with few agents, all of the algorithms are able to achieve 100% success rates\"",
            "100%",
            Rule::at_least(99.5),
        )
        .shown("%", 2)
        .because("the worst planner with the fewest units: a unit that has arrived blocks a passage for good under LRA*, CA* and HCA*"),
        |seed| Method::PRINTED.iter().filter_map(|&m| seed.few(m, "arrived")).reduce(f64::min),
    ),
    (
        Statement::new(
            "Figure 3",
            "with 100 agents under LRA* \"20% of the agents fail\"",
            "20%",
            Rule::about(20.0).or_above(2.0),
        )
        .shown("%", 1)
        .because("agitation grows by one step per repair; the paper does not say how fast its noise grows"),
        |seed| Some(100.0 - seed.of(Method::LocalRepair, "arrived")?),
    ),
    (
        Statement::new(
            "Figure 3",
            "with 100 agents \"under 2% of the agents fail\" under WHCA*(16)",
            "under 2%",
            Rule::below(2.0),
        )
        .shown("%", 2)
        .because("more than in the paper"),
        |seed| Some(100.0 - seed.of(Method::Windowed(16), "arrived")?),
    ),
    (
        Statement::new(
            "Discussion",
            "\"the cooperative pathfinding methods are more successful\" than LRA*: the least successful of them, by how much",
            "more",
            Rule::above(0.0),
        )
        .shown("percentage points", 1)
        .because("under CA* and HCA* a unit that finds no path when it plans has failed, and it blocks others; the paper's figure 3 shows them above LRA*"),
        |seed| {
            let methods = [COMPLETE[0], COMPLETE[1], WINDOWED[0], WINDOWED[1], WINDOWED[2]];
            Some(seed.least_of(&methods, "arrived")? - seed.of(Method::LocalRepair, "arrived")?)
        },
    ),
];

const QUALITY: [Judged; 8] = [
    (
        Statement::new(
            "Figure 4",
            "\"with few agents on the map, all the algorithms find routes which are close to the optimal bound\"",
            "close: within 10%, as we read it",
            Rule::at_most(1.1),
        )
        .shown("times at most", 3)
        .because("units that arrive; LRA* is the worst, because a unit loses the turn in which it repairs its route; the \
                  others stay within 1%"),
        |seed| Method::PRINTED.iter().filter_map(|&m| seed.few(m, "ratio")).reduce(f64::max),
    ),
    (
        Statement::new(
            "Figure 4",
            "with 100 agents paths under LRA* are \"more than twice the optimal lower bound\"",
            "more than 2 times",
            Rule::above(2.0).or_above(1.2),
        )
        .shown("times", 2)
        .because("a unit that fails counts as 100 turns; fewer fail here"),
        |seed| seed.of(Method::LocalRepair, "ratio-all"),
    ),
    (
        Statement::new(
            "Figure 4",
            "\"CA* and HCA* deviate by just 20%\"",
            "20%",
            Rule::at_most(20.0).or_below(100.0),
        )
        .shown("% at most, of units that arrive", 1)
        .because("longer paths than in the paper"),
        |seed| Some(100.0 * (seed.most_of(&COMPLETE, "ratio")? - 1.0)),
    ),
    (
        Statement::new(
            "Conclusion",
            "WHCA* finds \"shorter paths\" than LRA*: with 100 agents, the longest of WHCA*(8), (16) and (32) by LRA*'s",
            "below 1",
            Rule::below(1.0),
        )
        .shown("of LRA*'s", 3)
        .because("longer paths than in the paper"),
        |seed| Some(seed.most_of(&WINDOWED, "ratio-all")? / seed.of(Method::LocalRepair, "ratio-all")?),
    ),
    (
        Statement::new(
            "Figure 5",
            "\"CA* and HCA* produce very few cycles\": fewer than WHCA*",
            "very few",
            Rule::below(1.0),
        )
        .shown("of WHCA*'s", 2)
        .because("units whose path an arrived unit blocks plan again"),
        |seed| Some(seed.most_of(&COMPLETE, "cycles")? / seed.least_of(&WINDOWED, "cycles")?),
    ),
    (
        Statement::new(
            "Figure 5",
            "WHCA* averages \"at most 1.5 cycles per agent with 100 agents\"",
            "at most 1.5",
            Rule::at_most(1.5).or_below(15.0),
        )
        .shown("at most", 2)
        .because("the smallest window is the worst; 16 and 32 stay below"),
        |seed| seed.most_of(&WINDOWED, "cycles"),
    ),
    (
        Statement::new(
            "Figure 5",
            "LRA* \"produces more than 10 times this number of cycles\": more than 15",
            "more than 15",
            Rule::above(15.0).or_above(1.5),
        )
        .because("our LRA* waits for a turn when it is blocked, and a wait is no cycle"),
        |seed| seed.of(Method::LocalRepair, "cycles"),
    ),
    (
        Statement::new(
            "Figure 5",
            "the same as a multiple of WHCA*'s largest number",
            "more than 10 times",
            Rule::above(10.0).or_above(1.0),
        )
        .shown("times", 1)
        .because("as above, and WHCA*(8) has more cycles than in the paper"),
        |seed| {
            Some(seed.of(Method::LocalRepair, "cycles")? / seed.most_of(&WINDOWED, "cycles")?)
        },
    ),
];

const INITIAL: [Judged; 9] = [
    (
        Statement::new(
            "Figure 6",
            "\"CA* and HCA* are prohibitively slow to initialise\": over a second against under 100 ms of WHCA*(16)",
            "more than 10 times",
            Rule::above(10.0).or_above(1.0),
        )
        .shown("times", 2)
        .because("a complete search here follows the shortest path while that is free and ends early; WHCA*'s windows need the same distances"),
        |seed| {
            let slow = seed.median(COMPLETE[0], "first-ms")?.min(seed.median(COMPLETE[1], "first-ms")?);
            Some(slow / seed.median(Method::Windowed(16), "first-ms")?)
        },
    ),
    (
        Statement::new(
            "Figure 6",
            "CA* and HCA* are the slowest to initialise: the faster of them by the slowest of WHCA*(8), (16) and (32)",
            "above 1",
            Rule::above(1.0),
        )
        .shown("times", 2)
        .because("WHCA*(32) searches all 32 ticks for every unit, also for those that are near their goals; a complete search ends at the goal"),
        |seed| {
            let slow = seed.median(COMPLETE[0], "first-ms")?.min(seed.median(COMPLETE[1], "first-ms")?);
            let windowed = WINDOWED.iter().filter_map(|&method| seed.median(method, "first-ms"));
            Some(slow / windowed.reduce(f64::max)?)
        },
    ),
    (
        Statement::new(
            "Discussion",
            "CA* takes \"over a second to calculate 100 routes\"",
            "over 1,000 ms",
            Rule::above(1000.0),
        )
        .shown("ms", 1)
        .because(TODAY),
        |seed| seed.median(Method::Cooperative, "first-ms"),
    ),
    (
        Statement::new(
            "Discussion",
            "\"although slightly lower than CA*, the initial cost of HCA* is still too great\"",
            "slightly lower",
            Rule::below(1.0),
        )
        .shown("of CA*'s time", 2)
        .because("computing true distances costs more than it saves where most routes are free"),
        |seed| {
            let ca = seed.median(Method::Cooperative, "first-ms")?;
            Some(seed.median(Method::Hierarchical, "first-ms")? / ca)
        },
    ),
    (
        Statement::new(
            "Results",
            "LRA* \"is fast to initialise\": faster than WHCA*(8)",
            "fast",
            Rule::below(1.0),
        )
        .shown("of WHCA*(8)'s time", 2)
        .because("LRA* finds whole paths by Manhattan distance"),
        |seed| {
            let whca = seed.median(Method::Windowed(8), "first-ms")?;
            Some(seed.median(Method::LocalRepair, "first-ms")? / whca)
        },
    ),
    (
        Statement::new(
            "Figure 6",
            "WHCA* has \"an initial calculation time that increases with window size\"",
            "8 < 16 < 32",
            Rule::is_so(),
        )
        .because("by nodes expanded"),
        |seed| {
            let first = WINDOWED.map(|method| seed.of(method, "first-nodes"));
            so(first.is_sorted_by(|a, b| a < b))
        },
    ),
    (
        Statement::new(
            "Results",
            "with a window of 16 \"100 agents can initialise in under 100ms\"",
            "under 100 ms",
            Rule::below(100.0),
        )
        .shown("ms", 1)
        .because(TODAY),
        |seed| seed.median(Method::Windowed(16), "first-ms"),
    ),
    (
        Statement::new(
            "Discussion",
            "\"the precalculation can be reduced to under 1ms per agent\"",
            "under 1 ms",
            Rule::below(1.0),
        )
        .shown("ms", 3)
        .because(TODAY),
        |seed| Some(seed.median(Method::Windowed(16), "first-ms")? / MOST),
    ),
    (
        Statement::new(
            "Discussion",
            "\"with a large window, WHCA* behaves more like HCA* and the initialisation time increases\": a window of 256 by 16",
            "increases",
            Rule::above(1.0),
        )
        .shown("times", 2)
        .because("no increase"),
        |seed| {
            let large = seed.median(Method::Windowed(LONGEST), "first-ms")?;
            Some(large / seed.median(Method::Windowed(16), "first-ms")?)
        },
    ),
];

const ONGOING: [Judged; 7] = [
    (
        Statement::new(
            "Figure 7",
            "LRA* \"decreases in efficiency once many agents are present\": time of the worst turn per unit, with 100 units by the fewest",
            "decreases: above 1",
            Rule::above(1.0),
        )
        .shown("times", 2)
        .because("no decrease"),
        |seed| {
            let few = seed.few(Method::LocalRepair, "turn-ms")? / seed.fewest.parse::<f64>().ok()?;
            Some(seed.of(Method::LocalRepair, "turn-ms")? / MOST / few)
        },
    ),
    (
        Statement::new(
            "Figure 7",
            "\"window sizes of 8, 16 and 32 have similar ongoing costs\": the largest by the least",
            "similar: within a fifth, as we read it",
            Rule::at_most(1.2),
        )
        .shown("times", 2)
        .because("a larger window plans half as often, but each search costs more than twice as much"),
        |seed| {
            let times = WINDOWED.map(|method| seed.median(method, "turn-ms"));
            let times = || times.into_iter().flatten();
            Some(times().reduce(f64::max)? / times().reduce(f64::min)?)
        },
    ),
    (
        Statement::new(
            "Results",
            "with a window of 16 the \"maximum ongoing cost\" is \"around 50ms per turn\"",
            "around 50 ms",
            Rule::about(50.0).or_below(50.0),
        )
        .shown("ms", 2)
        .because(TODAY),
        |seed| seed.median(Method::Windowed(16), "turn-ms"),
    ),
    (
        Statement::new(
            "Discussion",
            "\"the ongoing cost of WHCA* is under 0.6ms per agent\"",
            "under 0.6 ms",
            Rule::below(0.6),
        )
        .shown("ms", 4)
        .because(TODAY),
        |seed| Some(seed.median(Method::Windowed(16), "turn-ms")? / MOST),
    ),
    (
        Statement::new(
            "Discussion",
            "with a small window \"the success rate goes down and the path length increases\": 8 against 32",
            "both",
            Rule::is_so(),
        )
        .because("with few scenarios all units may arrive with both windows"),
        |seed| {
            let [small, large] = [Method::Windowed(8), Method::Windowed(32)];
            let arrived = seed.of(small, "arrived")? < seed.of(large, "arrived")?;
            so(arrived && seed.of(small, "ratio-all")? > seed.of(large, "ratio-all")?)
        },
    ),
    (
        Statement::new(
            "Discussion",
            "\"an intermediate choice (16 in these environments) appears to give the most robust overall performance\": most arrive with 16, and of equals on the shortest paths",
            "16",
            Rule::is_so(),
        )
        .because("32 is at least as good here: more arrive, on shorter paths, with fewer cycles; it costs more time"),
        |seed| {
            let robust = |method| Some((seed.of(method, "arrived")?, -seed.of(method, "ratio-all")?));
            let sixteen = robust(Method::Windowed(16))?;
            so(sixteen >= robust(Method::Windowed(8))? && sixteen >= robust(Method::Windowed(32))?)
        },
    ),
    (
        Statement::new(
            "Discussion",
            "with a large window WHCA* behaves like HCA*: path lengths with a window of 256 by HCA*'s",
            "alike",
            Rule::about(1.0),
        )
        .shown("times", 3)
        .because("WHCA* units go on cooperating after they have arrived"),
        |seed| {
            let large = seed.of(Method::Windowed(LONGEST), "ratio")?;
            Some(large / seed.of(Method::Hierarchical, "ratio")?)
        },
    ),
];

/// "Approximately 10^3n different states": the states of one agent.
const STATES: Statement = Statement::new(
    "Introduction",
    "on a 32x32 grid n agents have \"approximately 10^3n different states\": the exponent of one",
    "3",
    Rule::about(3.0),
)
.shown("", 2);

/// The set-up of the paper's environments.
const OBSTACLES: Statement = Statement::new(
    "Figure 2",
    "\"impassable obstacles randomly placed down in 20% of the grid locations\", and \"any disconnected subregions were \
     additionally filled with obstacles\": locations with obstacles",
    "20%, and what they cut off",
    Rule::about(20.0),
)
.shown("%", 1)
.because("more locations are cut off");

/// The share of locations with obstacles in the environments of each seed.
fn obstacles(study: &Study<'_>) -> Result<Values, LabError> {
    let mut shares = Vec::new();
    for seed in study.options().seeds() {
        let mut blocked = 0;
        for environment in 0..arena::MAPS {
            let map = arena::problem(seed, environment, 0)?.map.clone();
            blocked += map.cells().filter(|&cell| !map.is_passable(cell)).count();
        }
        shares.push(100.0 * blocked as f64 / (arena::MAPS as f64 * LOCATIONS));
    }
    let environments = shares.len() * arena::MAPS;
    Ok(Values::by_seed(shares, environments, "environments"))
}

pub(super) fn judge(rows: &Rows, counts: &[usize], study: &mut Study<'_>) -> Result<(), LabError> {
    study.judge(&OBSTACLES, &obstacles(study)?);
    study.judge(&STATES, &Values::computed(LOCATIONS.log10()));
    let fewest = counts.first().map_or(String::new(), ToString::to_string);
    let all = SUCCESS.iter().chain(&QUALITY).chain(&INITIAL).chain(&ONGOING);
    for (statement, value) in all {
        let by_seed = rows.by_seed(|rows| value(&Seed { rows, fewest: &fewest }));
        study.judge(statement, &by_seed);
    }
    Ok(())
}
