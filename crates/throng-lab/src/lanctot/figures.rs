//! Figures 8 and 9 of the paper: interest maps, interest points, destinations.

use std::fmt::Write as _;

use spade::{DelaunayTriangulation, Point2, Triangulation as _};
use throng_draw::heat_colour;
use throng_scene::{Level, Point, ValidScene};

use super::setting::SPREAD;
use super::{InterestMap, Setting};
use crate::harness::{Rule, Statement, Study, Values, svg_layout};

/// Pixels of a unit.
const UNIT: f64 = 16.0;
/// Shades of grades: enough for the eye, few enough that cells of a row become one box.
const SHADES: u32 = 12;
/// Length of the bar that shows the scale, in units.
const SCALE_BAR: f64 = 5.0;
/// Room around the map for marks on its border, in pixels.
const MARGIN: f64 = 6.0;
/// Run 4, which figure 8a shows.
const SHOWN: usize = 3;

const POINTS: Statement = Statement::new(
    "figure 8",
    "\"the top points are selected considering a minimum spread distance between interest points\": how near two of them are, \
     by that distance",
    "at least 1",
    Rule::at_least(1.0),
)
.because("two points are nearer");

const DESTINATIONS: Statement = Statement::new(
    "figure 9",
    "a single player \"had to move to 100 destination points\": those of RANDOM",
    "100",
    Rule::about(100.0),
)
.shown("destinations", 0)
.because("the scene has no room for as many");

/// The distance of the two nearest points.
fn nearest(points: &[Point]) -> Option<f64> {
    let later = |(at, one): (usize, &Point)| {
        points[at + 1..].iter().map(|other| one.distance(*other)).collect::<Vec<_>>()
    };
    points.iter().enumerate().flat_map(later).reduce(f64::min)
}

/// A picture of the ground of a scene; the y axis points upwards, as in the paper.
struct Picture {
    width: f64,
    height: f64,
    svg: String,
}

pub(super) fn draw(setting: &Setting, study: &mut Study<'_>) {
    study.section(
        "Figures 8 and 9",
        "Of the first seed. The scale of the interest maps goes by the square root of the grade. \
         Coordinates in units, the origin at the bottom left, as in the paper.",
    );
    let Setting { scene, interest, average, processed, points, workloads, .. } = setting;
    let shown = interest.get(SHOWN).unwrap_or(average);
    let pictures = [
        Picture::new(scene).heat(shown).obstacles(scene).title("a) the fourth run"),
        Picture::new(scene).heat(average).obstacles(scene).title("b) average of runs 3 to 5"),
        Picture::new(scene).heat(processed).obstacles(scene).points(points).title("c) processed"),
        Picture::new(scene)
            .heat(processed)
            .obstacles(scene)
            .triangulation(points)
            .points(points)
            .title("d) Delaunay triangulation"),
    ]
    .map(Picture::finish);
    let (above, below) = pictures.split_at(2);
    let rows = [svg_layout::beside(above), svg_layout::beside(below)];
    let caption = "Figure 8: interest maps. The paper shows a) its fourth run, b) the average of \
                   the usable runs, c) with interest points, d) with their Delaunay triangulation. \
                   From green over blue to violet: visited more often; without colour: never.";
    study.figure_beside("figure-8", caption, svg_layout::below(&rows));
    let destinations = workloads.iter().map(|(name, queries)| {
        let on_ground = queries.iter().map(|query| query.to).filter(|to| to.level == Level::GROUND);
        let points: Vec<Point> = on_ground.map(|to| to.at).take(100).collect();
        Picture::new(scene).obstacles(scene).points(&points).title(name).finish()
    });
    let destinations: Vec<String> = destinations.collect();
    let caption = "Figure 9: destinations of the three workloads on the ground.";
    study.figure_beside("figure-9", caption, svg_layout::beside(&destinations));
    study.judge(&POINTS, &nearest(points).map_or(Values::none(), |d| Values::drawn(d / SPREAD)));
    study.judge(&DESTINATIONS, &Values::drawn(workloads[0].1.len() as f64));
}

/// For each shade the path data of its cells, in units of cells: runs along a row become one box.
fn boxes(map: &InterestMap) -> Vec<String> {
    let mut boxes = vec![String::new(); SHADES as usize + 1];
    let shade = |column, row| {
        let share = map.grade(column, row).clamp(0.0, 1.0).sqrt();
        (share * f64::from(SHADES)).ceil() as usize
    };
    for row in 0..map.rows() {
        let columns: Vec<usize> = (0..map.columns()).map(|column| shade(column, row)).collect();
        let mut column = 0;
        for run in columns.chunk_by(|a, b| a == b) {
            let length = run.len();
            let _ = write!(boxes[run[0]], "M{column} {row}h{length}v1h-{length}z");
            column += length;
        }
    }
    boxes
}

impl Picture {
    fn new(scene: &ValidScene) -> Self {
        let (width, height) = (scene.width() * UNIT, scene.height() * UNIT);
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0}\" height=\"{1:.0}\" \
             viewBox=\"-{MARGIN} -{MARGIN} {0:.0} {1:.0}\">\n\
             <rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#fff\"/>\n",
            width + 2.0 * MARGIN,
            height + 24.0 + MARGIN
        );
        Self { width, height, svg }
    }

    fn at(&self, point: Point) -> (f64, f64) {
        (point.x * UNIT, self.height - point.y * UNIT)
    }

    /// Grades as colours. The scale goes by the square root: a few cells where everyone
    /// stands would hide all others.
    fn heat(mut self, map: &InterestMap) -> Self {
        let (side, shades) = (map.cell() * UNIT, f64::from(SHADES));
        let _ = writeln!(
            self.svg,
            "<g transform=\"translate(0 {}) scale({side} -{side})\" shape-rendering=\"crispEdges\">",
            self.height
        );
        for (shade, boxes) in (0..).zip(boxes(map)).skip(1) {
            let colour = heat_colour(f64::from(shade) / shades);
            let _ = writeln!(self.svg, "<path fill=\"{colour}\" d=\"{boxes}\"/>");
        }
        self.svg.push_str("</g>\n");
        self
    }

    fn obstacles(mut self, scene: &ValidScene) -> Self {
        let on_ground = scene.obstacles().filter(|(_, obstacle)| obstacle.level == Level::GROUND);
        for (_, obstacle) in on_ground {
            self.svg.push_str("<polygon fill=\"#777\" points=\"");
            for corner in obstacle.polygon.corners() {
                let (x, y) = self.at(*corner);
                let _ = write!(self.svg, "{x:.1},{y:.1} ");
            }
            self.svg.push_str("\"/>\n");
        }
        self
    }

    fn points(mut self, points: &[Point]) -> Self {
        for point in points {
            let (x, y) = self.at(*point);
            let _ = writeln!(
                self.svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"#d00\" stroke=\"#fff\"/>"
            );
        }
        self
    }

    fn triangulation(mut self, points: &[Point]) -> Self {
        let mut triangulation = DelaunayTriangulation::<Point2<f64>>::new();
        for point in points {
            // A point that is not a number is not drawn.
            let _ = triangulation.insert(Point2::new(point.x, point.y));
        }
        for edge in triangulation.undirected_edges() {
            let [a, b] = edge.positions().map(|end| self.at(Point::new(end.x, end.y)));
            let _ = writeln!(
                self.svg,
                "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#fff\" stroke-width=\"2\"/>",
                a.0, a.1, b.0, b.1
            );
        }
        self
    }

    fn title(mut self, title: &str) -> Self {
        let _ = writeln!(
            self.svg,
            "<text x=\"4\" y=\"{}\" font-family=\"sans-serif\" font-size=\"14\">{title}</text>",
            self.height + 18.0
        );
        self.scale_bar()
    }

    /// A line of five units, beside the title.
    fn scale_bar(mut self) -> Self {
        let (right, y) = (self.width - 8.0, self.height + 13.0);
        let left = right - SCALE_BAR * UNIT;
        let _ = writeln!(
            self.svg,
            "<line x1=\"{left}\" y1=\"{y}\" x2=\"{right}\" y2=\"{y}\" stroke=\"#000\" \
             stroke-width=\"2\"/>\n<text x=\"{}\" y=\"{}\" font-family=\"sans-serif\" \
             font-size=\"12\" text-anchor=\"end\">{SCALE_BAR} units</text>",
            left - 6.0,
            y + 4.0
        );
        self
    }

    fn finish(self) -> String {
        self.svg + "</svg>\n"
    }
}
