//! Figures 2 to 6 of the paper, of the first seed's town.

use std::collections::BTreeSet;

use throng_draw::{HeatSquare, SceneParts, ScenePath, ScenePicture, scene_svg};
use throng_scene::{
    CollisionMeter, Ghost, GhostOptions, Level, Location, Method, PathfinderOptions,
    ScenePathfinder, ValidScene, ZoneId,
};

use super::towns::caching_finder;
use super::{Query, Setting};
use crate::LabError;
use crate::harness::{Rule, Statement, Study, Values, svg_layout};

const MAP: Statement = Statement::new(
    "figure 2",
    "the map is [0,30] x [0,30], partitioned into zones that transition gates connect, with stairlevels",
    "30 x 30, several of each",
    Rule::is_so(),
)
.because("the scene has another size, or one zone, or one level");

const STEPS: Statement = Statement::new(
    "figure 3",
    "\"the granularity of the steps with which the ghost player moves can be adjusted to accommodate the density of objects \
     within a zone\": lengths of steps in the zones of the map",
    "more than one",
    Rule::above(1.0),
)
.shown("lengths", 0)
.because("all zones of this scene are equally crowded");

/// Side of the paper's map, in units.
const SIDE: f64 = 30.0;
/// Side of the square that marks an expanded node, in units.
const NODE_SIDE: f64 = 0.25;

pub(super) fn draw(setting: &Setting, study: &mut Study<'_>) -> Result<(), LabError> {
    study.section(
        "Figures 2 to 6",
        "The town of the first seed. The paper's map is not published; ours has the same size of \
         30 x 30 units, houses with rooms and stairs, parks and one large zone outside.",
    );
    let scene = &setting.scene;
    let caption = "Figure 2: the map as a wireframe, each level beside the next. The paper colours \
                   static objects, players and items.";
    study.figure_beside("figure-2", caption, wireframe(scene));
    let caption = "Figure 3: variable grid level. Steps are small in crowded zones and along slanted \
                   walls, and large elsewhere.";
    study.figure_beside("figure-3", caption, variable_grid(setting));
    let caption = "Figure 4: an example path calculation over zones and gates (SZ). Each stretch \
                   between two small dots was found by one search at grid level.";
    study.figure_beside("figure-4", caption, example(setting)?);
    let caption = "Figure 5: nodes expanded a) without a cached path, b) once the path between the \
                   same points is cached.";
    study.figure_beside("figure-5", caption, cached_path(setting)?);
    let caption = "Figure 6: a) the path over the roadmap (RD as printed), b) the actual path.";
    study.figure_beside("figure-6", caption, hierarchy_at_work(setting)?);
    study.judge(&MAP, &Values::so(is_like_the_map(scene)));
    study.judge(&STEPS, &Values::drawn(lengths_of_steps(scene)?));
    Ok(())
}

/// Whether the scene has the size of the paper's map, zones, gates and levels.
fn is_like_the_map(scene: &ValidScene) -> bool {
    let is_size = (scene.width() - SIDE).abs() < 1e-9 && (scene.height() - SIDE).abs() < 1e-9;
    is_size && scene.zones().len() > 1 && !scene.gates().is_empty() && scene.levels().count() > 1
}

/// How many lengths the steps of the ghost player have.
fn lengths_of_steps(scene: &ValidScene) -> Result<f64, LabError> {
    let meter = CollisionMeter::new();
    let ghost = Ghost::new(scene, GhostOptions::default(), &meter)?;
    let zones = (0..scene.zones().len() as u32).map(ZoneId);
    let lengths: BTreeSet<u32> = zones.map(|zone| ghost.stride(zone)).collect();
    Ok(lengths.len() as f64)
}

fn wireframe(scene: &ValidScene) -> String {
    let parts = SceneParts { gates: true, items: true, players: true, ..SceneParts::default() };
    scene_svg(&ScenePicture::new(scene).parts(parts))
}

fn ground<'a>(scene: &'a ValidScene) -> ScenePicture<'a> {
    ScenePicture::new(scene).levels(vec![Level::GROUND])
}

fn variable_grid(setting: &Setting) -> String {
    let start = setting.longest_query().from;
    scene_svg(&ground(&setting.scene).grid(GhostOptions::default(), start))
}

/// A path, with a joint at the end of each stretch but the last.
struct Walked {
    locations: Vec<Location>,
    joints: Vec<Location>,
}

fn walked(finder: &mut ScenePathfinder, scene: &ValidScene, query: Query) -> Walked {
    let mut walked = Walked { locations: vec![query.from], joints: Vec::new() };
    if let Ok(mut walk) = finder.find(scene, query.from, query.to) {
        while let Some(stretch) = walk.next_stretch(finder, scene) {
            walked.joints.extend(stretch.locations.last());
            walked.locations.extend(stretch.locations.into_iter().skip(1));
        }
    }
    walked.joints.pop();
    walked
}

/// The query with most stretches among those of RANDOM on the ground.
fn winding(finder: &mut ScenePathfinder, setting: &Setting) -> Query {
    let queries = setting.workloads[0].1.iter();
    let most = queries.max_by_key(|query| walked(finder, &setting.scene, **query).joints.len());
    most.copied().unwrap_or_else(|| setting.longest_query())
}

fn finder(setting: &Setting, method: Method) -> Result<ScenePathfinder, LabError> {
    let options = PathfinderOptions { method, path_cache: None, ..PathfinderOptions::default() };
    let samples = setting.processed.samples(Level::GROUND);
    Ok(ScenePathfinder::new(&setting.scene, options, &samples)?)
}

fn example(setting: &Setting) -> Result<String, LabError> {
    let mut finder = finder(setting, Method::Sz)?;
    let query = winding(&mut finder, setting);
    let Walked { locations, joints } = walked(&mut finder, &setting.scene, query);
    let parts = SceneParts { zones: true, gates: true, graph: true, ..SceneParts::default() };
    let path = ScenePath { label: "path".to_owned(), locations, joints };
    Ok(scene_svg(&ScenePicture::new(&setting.scene).parts(parts).path(path)))
}

fn cached_path(setting: &Setting) -> Result<String, LabError> {
    let mut finder = caching_finder(setting)?;
    let query = setting.longest_query();
    let mut picture = |label: &str| {
        let Walked { locations, joints } = walked(&mut finder, &setting.scene, query);
        let square = |centre| HeatSquare { centre, side: NODE_SIDE, share: 0.4 };
        let squares: Vec<HeatSquare> =
            finder.last_expanded(&setting.scene).into_iter().map(square).collect();
        let label = format!("{label}: {} nodes expanded", squares.len());
        let path = ScenePath { label: "path".to_owned(), locations, joints };
        scene_svg(&ground(&setting.scene).heat(&label, squares).path(path))
    };
    Ok(svg_layout::beside(&[picture("a) no path cached"), picture("b) path cached")]))
}

fn hierarchy_at_work(setting: &Setting) -> Result<String, LabError> {
    let scene = &setting.scene;
    let mut finder = finder(setting, Method::Rd)?;
    let Walked { locations, joints } = walked(&mut finder, scene, setting.longest_query());
    let ends = [locations.first(), locations.last()].map(|end| end.copied());
    let [first, last] = ends.map(|end| end.into_iter().collect::<Vec<_>>());
    let above = ScenePath {
        label: "path over the roadmap".to_owned(),
        locations: [first, joints.clone(), last].concat(),
        joints: joints.clone(),
    };
    let actual = ScenePath { label: "actual path".to_owned(), locations, joints };
    let left = ground(scene).upper_level("roadmap", finder.upper_level(scene)).path(above);
    let right = ground(scene).path(actual);
    Ok(svg_layout::beside(&[scene_svg(&left), scene_svg(&right)]))
}
