//! Pictures of scenes: the wireframe map, zones and gates, the levels above the lattice, paths.
//!
//! After the figures of Lanctot, Ng Man Sun, Verbrugge: *Path-finding for Large Scale Multiplayer
//! Computer Games* (2006): 2 (wireframe), 3 (variable grid), 4 and 6 (zones, gates, roadmap and a
//! path), 8 (interest maps, Delaunay triangulation).

mod layers;
mod legend;
mod shapes;

use throng_scene::{GhostOptions, Level, Location, UpperLevel, ValidScene};

use crate::canvas::Canvas;
use crate::{DrawError, Scale, png_image};
use shapes::Shape;

/// The longer side of a level for an automatic scale, in pixels.
const SIDE_WANTED_PX: f64 = 1024.0;
/// The width of all levels beside each other for an automatic scale, in pixels.
const WIDTH_WANTED_PX: f64 = 2560.0;
/// Pixels between two levels, and around them.
const GAP_PX: f64 = 20.0;
/// Pixels above a level, for its name.
const TITLE_PX: f64 = 26.0;

/// A share of the largest value, for one square of a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeatSquare {
    /// The centre.
    pub centre: Location,
    /// The side, in units of the scene.
    pub side: f64,
    /// 0 (light) to 1 (dark).
    pub share: f64,
}

/// A path in a picture of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenePath {
    /// Its name in the legend.
    pub label: String,
    /// Its locations. Between two levels there are stairs.
    pub locations: Vec<Location>,
    /// Where one stretch of the path ends and the next begins.
    pub joints: Vec<Location>,
}

/// The parts of a scene that a picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SceneParts {
    /// Each zone in a tint of its own.
    pub zones: bool,
    /// The gates: doors and stairs.
    pub gates: bool,
    /// The connectivity graph: a node for each zone, joined to its gates.
    pub graph: bool,
    /// The items.
    pub items: bool,
    /// The players at their starting points.
    pub players: bool,
}

/// A picture of a scene, to be drawn by [`scene_svg`] or [`scene_png`]. The obstacles are always
/// in it.
///
/// ```
/// use throng_draw::{Scale, SceneParts, ScenePicture, scene_png, scene_svg};
/// let scene = throng_scene::town(1).validate()?;
/// let parts = SceneParts { zones: true, gates: true, ..SceneParts::default() };
/// let picture = ScenePicture::new(&scene).parts(parts);
/// assert!(scene_svg(&picture).starts_with("<svg"));
/// assert!(scene_png(&picture, Scale::Pixels(8))?.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ScenePicture<'a> {
    scene: &'a ValidScene,
    levels: Vec<Level>,
    parts: SceneParts,
    grid: Option<(GhostOptions, Location)>,
    upper: Vec<(String, UpperLevel)>,
    heat: Option<(String, Vec<HeatSquare>)>,
    paths: Vec<ScenePath>,
}

impl<'a> ScenePicture<'a> {
    /// All levels of a scene beside each other, the ground first, with obstacles only.
    #[must_use]
    pub fn new(scene: &'a ValidScene) -> Self {
        Self {
            scene,
            levels: scene.levels().collect(),
            parts: SceneParts::default(),
            grid: None,
            upper: Vec::new(),
            heat: None,
            paths: Vec::new(),
        }
    }

    /// Shows some levels only, from left to right.
    #[must_use]
    pub fn levels(self, levels: Vec<Level>) -> Self {
        Self { levels, ..self }
    }

    /// Shows parts of the scene besides its obstacles.
    #[must_use]
    pub fn parts(self, parts: SceneParts) -> Self {
        Self { parts, ..self }
    }

    /// Shows the steps of a ghost player that it can reach from a location: the variable grid.
    #[must_use]
    pub fn grid(self, ghost: GhostOptions, start: Location) -> Self {
        Self { grid: Some((ghost, start)), ..self }
    }

    /// Shows a level above the lattice.
    #[must_use]
    pub fn upper_level(mut self, label: &str, upper: UpperLevel) -> Self {
        self.upper.push((label.to_owned(), upper));
        self
    }

    /// Shows how often places are visited.
    #[must_use]
    pub fn heat(self, label: &str, squares: Vec<HeatSquare>) -> Self {
        Self { heat: Some((label.to_owned(), squares)), ..self }
    }

    /// Shows a path.
    #[must_use]
    pub fn path(mut self, path: ScenePath) -> Self {
        self.paths.push(path);
        self
    }

    /// Pixels per unit of the scene.
    fn unit_px(&self, scale: Scale) -> Result<f64, DrawError> {
        let (width, height) = (self.scene.width(), self.scene.height());
        let beside = self.levels.len().max(1) as f64;
        match scale {
            Scale::Auto => {
                Ok((SIDE_WANTED_PX / width.max(height)).min(WIDTH_WANTED_PX / beside / width))
            }
            Scale::Pixels(0) => Err(DrawError::ZeroScale),
            Scale::Pixels(pixels) => Ok(f64::from(pixels)),
        }
    }
}

/// Where the levels are in a picture.
#[derive(Clone, Debug)]
struct Layout {
    unit_px: f64,
    level_width: f64,
    level_height: f64,
    levels: Vec<Level>,
}

impl Layout {
    fn new(picture: &ScenePicture<'_>, unit_px: f64) -> Self {
        Self {
            unit_px,
            level_width: picture.scene.width() * unit_px,
            level_height: picture.scene.height() * unit_px,
            levels: picture.levels.clone(),
        }
    }

    fn width(&self) -> f64 {
        GAP_PX + self.levels.len() as f64 * (self.level_width + GAP_PX)
    }

    fn height(&self) -> f64 {
        TITLE_PX + self.level_height + GAP_PX
    }

    /// The pixel of a location; `None` on a level that is not shown. The y axis of a scene points
    /// upwards.
    fn pixel(&self, location: Location) -> Option<crate::Point> {
        let place = self.levels.iter().position(|level| *level == location.level)?;
        Some(crate::Point {
            x: GAP_PX + place as f64 * (self.level_width + GAP_PX) + location.at.x * self.unit_px,
            y: TITLE_PX + self.level_height - location.at.y * self.unit_px,
        })
    }
}

/// The picture as SVG, with a legend below.
#[must_use]
pub fn scene_svg(picture: &ScenePicture<'_>) -> String {
    let layout = Layout::new(picture, picture.unit_px(Scale::Auto).unwrap_or(1.0));
    let drawing = layers::draw(picture, &layout);
    let (width, map_height) = (layout.width(), layout.height());
    let (legend, legend_height) = legend::svg(&drawing.legend, width, map_height);
    shapes::svg(&drawing.shapes, width, map_height + legend_height, &legend)
}

/// The picture as PNG; the scale is in pixels per unit of the scene. Names and legend are left
/// out: they would need a font.
///
/// # Errors
/// When the scale is 0, or the picture would have more than [`PIXELS_MAX`](crate::PIXELS_MAX)
/// pixels.
pub fn scene_png(picture: &ScenePicture<'_>, scale: Scale) -> Result<Vec<u8>, DrawError> {
    let layout = Layout::new(picture, picture.unit_px(scale)?);
    // A side is at most 10,000 units of 65,535 pixels each, times 32 levels.
    let side = |length: f64| length.ceil().max(1.0) as i64;
    let (width, height) = (side(layout.width()), side(layout.height()));
    let mut canvas = Canvas::new(width.unsigned_abs(), height.unsigned_abs(), u32::MAX)?;
    for shape in &layers::draw(picture, &layout).shapes {
        shape.paint(&mut canvas);
    }
    png_image::encode(&canvas)
}

/// What is drawn, and what it means.
#[derive(Debug, Default)]
struct Drawing {
    shapes: Vec<Shape>,
    legend: Vec<legend::Entry>,
}
