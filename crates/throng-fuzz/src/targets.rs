//! Every parser, and what must hold for all input that it accepts: it can be written, it reads
//! back as the same, and writing that again gives the same bytes.
#![expect(clippy::panic, reason = "a property that does not hold stops the case; main catches it")]

use std::fmt::Debug;

use throng_formats::tracker::Submission;
use throng_formats::{
    Context, FormatError, FormatKind, LorrYear, MapOptions, Passable, PlanDocument, PlanVizOptions,
    detect, kei18, li_paths, lorr, map, multi_robot, planviz, read_plan, scen, terrain, tracker,
    write_plan,
};
use throng_model::{Cell, Map};

use crate::{scenes, seeds, worlds};

/// A parser under test.
pub(crate) struct Target {
    pub(crate) name: &'static str,
    /// Whether the input was accepted. Panics when a property does not hold.
    pub(crate) run: fn(&[u8]) -> bool,
    pub(crate) seeds: &'static [&'static [u8]],
}

const fn target(
    name: &'static str,
    run: fn(&[u8]) -> bool,
    seeds: &'static [&'static [u8]],
) -> Target {
    Target { name, run, seeds }
}

pub(crate) const ALL: [Target; 21] = [
    target("map", |b| map_as(b, Passable::MovingAi), seeds::MAPS),
    target("map-mapf", |b| map_as(b, Passable::Mapf), seeds::MAPS),
    target("map-strict", |b| map_as(b, Passable::Strict), seeds::MAPS),
    target("terrain", terrain_table, seeds::TERRAIN),
    target("scen", scenario, seeds::SCENARIOS),
    target("kei18", kei18_result, seeds::KEI18),
    target("li-paths", paths, seeds::LI_PATHS),
    target("multi-robot-problem", multi_robot_problem, seeds::MULTI_ROBOT_PROBLEMS),
    target("multi-robot-schedule", multi_robot_schedule, seeds::MULTI_ROBOT_SCHEDULES),
    target("tracker-json", |b| submissions(b, tracker::write_json), seeds::TRACKER_JSON),
    target("tracker-yaml", |b| submissions(b, tracker::write_yaml), seeds::TRACKER_YAML),
    target("tracker-csv", |b| submissions(b, tracker::write_csv), seeds::TRACKER_CSV),
    target("planviz-2023", |b| planviz_output(b, LorrYear::Y2023), seeds::PLANVIZ),
    target("planviz-2024", |b| planviz_output(b, LorrYear::Y2024), seeds::PLANVIZ),
    target("lorr-problem", lorr_problem, seeds::LORR_PROBLEMS),
    target("lorr-agents", lorr_agents, seeds::LORR_LISTS),
    target("lorr-tasks", lorr_tasks, seeds::LORR_LISTS),
    target("any-plan", any_plan, seeds::PLANS),
    target("snapshot", worlds::snapshot, seeds::WORLD_EDITS),
    target("replay", worlds::replay, seeds::WORLD_EDITS),
    target("scene", scenes::scene, seeds::SCENES),
];

/// The longest error message, in bytes: it must not quote a whole file.
const MESSAGE_BYTES_MAX: usize = 1000;

fn accepted<T>(result: Result<T, FormatError>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => {
            let message = error.to_string();
            assert!(message.len() <= MESSAGE_BYTES_MAX, "a message of {} bytes", message.len());
            assert!(!error.remedy.is_empty(), "no remedy: {message}");
            None
        }
    }
}

/// Reads, writes, reads and writes again.
fn round_trip<T: Debug, Key: PartialEq + Debug>(
    bytes: &[u8],
    read: impl Fn(&[u8]) -> Result<T, FormatError>,
    write: impl Fn(&T) -> Result<String, FormatError>,
    key: impl Fn(&T) -> Key,
) -> bool {
    let Some(first) = accepted(read(bytes)) else { return false };
    let written = |value| write(value).unwrap_or_else(|error| panic!("not written: {error}"));
    let text = written(&first);
    let second = read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\nin {text}"));
    assert_eq!(key(&first), key(&second), "reads back as another:\n{text}");
    assert_eq!(written(&second), text, "is written differently the second time");
    true
}

fn map_as(bytes: &[u8], passable: Passable) -> bool {
    round_trip(bytes, |b| map::read(b, MapOptions { passable }), map::write, Map::clone)
}

/// A table is read back, and can be applied to a map of all its letters.
fn terrain_table(bytes: &[u8]) -> bool {
    let Some(table) = accepted(terrain::read(bytes)) else { return false };
    let letters: String = table.classes().iter().map(|class| class.symbol).collect();
    let file = format!("type octile\nheight 1\nwidth {}\nmap\n{letters}\n", letters.len());
    let explained = map::read_with(file.as_bytes(), MapOptions::default(), &table);
    let explained = explained.unwrap_or_else(|error| panic!("{error}\nin {file}"));
    let classes = explained.terrain().iter().map(|id| &explained.classes()[id.get()]);
    assert!(classes.eq(table.classes()), "the map's classes are not the table's");
    round_trip(bytes, terrain::read, |table| Ok(terrain::write(table)), Clone::clone)
}

fn scenario(bytes: &[u8]) -> bool {
    let cells = |s: &scen::Scenario| -> Vec<(Cell, Cell, u64)> {
        s.rows.iter().map(|r| (r.start, r.goal, r.optimal_length.to_bits())).collect()
    };
    round_trip(bytes, scen::read, scen::write, cells)
}

/// The plan with every path as long as the longest, as some formats return it.
fn padded(document: &PlanDocument) -> Vec<Vec<Cell>> {
    let mut paths = document.plan.paths.clone();
    let ticks = paths.iter().map(Vec::len).max().unwrap_or(0);
    for path in &mut paths {
        if let Some(&last) = path.last() {
            path.resize(ticks, last);
        }
    }
    paths
}

fn kei18_result(bytes: &[u8]) -> bool {
    round_trip(bytes, kei18::read, kei18::write, |d| (padded(d), d.starts.clone(), d.goals.clone()))
}

fn paths(bytes: &[u8]) -> bool {
    round_trip(bytes, li_paths::read, li_paths::write, PlanDocument::clone)
}

fn multi_robot_problem(bytes: &[u8]) -> bool {
    round_trip(bytes, multi_robot::read_problem, multi_robot::write_problem, |p| {
        (p.map.clone(), p.units.clone())
    })
}

fn multi_robot_schedule(bytes: &[u8]) -> bool {
    let write = |d: &PlanDocument| Ok(multi_robot::write_schedule(d));
    round_trip(bytes, multi_robot::read_schedule, write, |d| d.plan.clone())
}

type WriteSubmissions = fn(&[Submission]) -> Result<String, FormatError>;

fn submissions(bytes: &[u8], write: WriteSubmissions) -> bool {
    with_example(|context| {
        for submission in tracker::read(bytes).iter().flatten() {
            accepted(submission.document(context));
        }
    });
    round_trip(bytes, tracker::read, |list| write(list), Vec::clone)
}

fn planviz_output(bytes: &[u8], year: LorrYear) -> bool {
    let read = |b: &[u8]| planviz::read(b, &Context::default());
    let options = PlanVizOptions { year, ..PlanVizOptions::default() };
    round_trip(bytes, read, |d| planviz::write(d, options), |d| (padded(d), d.starts.clone()))
}

fn lorr_problem(bytes: &[u8]) -> bool {
    round_trip(bytes, lorr::read_problem, lorr::write_problem, lorr::LorrProblem::clone)
}

fn lorr_agents(bytes: &[u8]) -> bool {
    round_trip(bytes, lorr::read_agents, |a| Ok(lorr::write_agents(a)), Vec::clone)
}

fn lorr_tasks(bytes: &[u8]) -> bool {
    round_trip(bytes, lorr::read_tasks, |t| Ok(lorr::write_tasks(t)), Vec::clone)
}

/// A map and a scenario of three units.
fn with_example<T>(run: impl Fn(&Context<'_>) -> T) -> T {
    let map = map::read(seeds::MAPS[0], MapOptions::default());
    let scenario = scen::read(seeds::SCENARIOS[0]);
    let context = Context {
        map: map.as_ref().ok(),
        scenario: scenario.as_ref().ok(),
        scenario_name: Some("town-random-1.scen"),
        units: None,
    };
    run(&context)
}

/// All input that reads as a plan is written in every format that can hold it, and reads back.
fn any_plan(bytes: &[u8]) -> bool {
    with_example(|context| {
        let Some(document) = accepted(read_plan(bytes, context)) else { return false };
        assert!(detect(bytes).is_some_and(FormatKind::is_plan));
        for kind in FormatKind::ALL.into_iter().filter(|kind| kind.is_plan()) {
            let written = write_plan(kind, &document, context, PlanVizOptions::default());
            let Some(text) = accepted(written) else { continue };
            assert_eq!(detect(text.as_bytes()), Some(kind), "detected as another format:\n{text}");
            accepted(read_plan(text.as_bytes(), context));
        }
        true
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seed_is_accepted() {
        for target in &ALL {
            let shared = ["map", "lorr-", "snapshot", "replay"];
            let is_shared = shared.iter().any(|name| target.name.starts_with(name));
            for (index, seed) in target.seeds.iter().enumerate() {
                assert!((target.run)(seed) || is_shared, "{}: seed {index}", target.name);
            }
            assert!(target.seeds.iter().any(|seed| (target.run)(seed)), "{}", target.name);
        }
    }

    #[test]
    #[should_panic(expected = "reads back as another")]
    fn a_writer_of_another_scenario_is_caught() {
        let other = |_: &scen::Scenario| Ok("0 a 8 8 1 1 7 7 1\n".to_owned());
        round_trip(seeds::SCENARIOS[0], scen::read, other, |s| s.rows.len());
    }

    #[test]
    #[should_panic(expected = "in nonsense")]
    fn a_writer_of_nonsense_is_caught() {
        let nonsense = |_: &scen::Scenario| Ok("nonsense".to_owned());
        round_trip(seeds::SCENARIOS[0], scen::read, nonsense, |s| s.rows.len());
    }
}
