//! Pictures of maps, paths and plans, and plots of experiments.
//!
//! Every function returns a string or bytes: this crate opens no file. The same input gives the
//! same bytes on every machine.
//!
//! | to get | call |
//! |---|---|
//! | a vector picture, for web pages | [`svg`] |
//! | a pixel picture | [`png()`] |
//! | an animated plan | [`gif()`] or [`svg_film`]; [`Animation`] when the map changes meanwhile |
//! | text for the terminal | [`terminal`] |
//! | a chart of numbers | [`plot`] |
//! | a polygon scene | [`ScenePicture`], [`scene_svg`], [`scene_png`] |
//!
//! ```
//! use throng_draw::{MarkKind, Picture, Scale};
//! use throng_model::{Cell, Map};
//! let map = Map::empty(8, 4)?;
//! let path: Vec<Cell> = (1..7).map(|x| Cell::new(x, 2)).collect();
//! let picture = Picture::new(&map)
//!     .path("shortest path", &path)
//!     .mark(MarkKind::Start, path[0])
//!     .mark(MarkKind::Goal, path[5]);
//! assert!(throng_draw::svg(&picture).starts_with("<svg"));
//! assert!(throng_draw::png(&picture, Scale::Auto)?.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod animation;
mod canvas;
mod colour;
mod error;
mod gif_palette;
mod picture;
mod plan_film;
pub mod plot;
mod png_image;
mod raster;
mod scene;
mod svg_image;
mod terminal_text;
mod xml;

pub use animation::{Animation, FRAMES_MAX};
pub use canvas::PIXELS_MAX;
pub use colour::{Colour, heat_colour, stroke_colour, terrain_colour, unit_colour};
pub use error::DrawError;
pub use picture::{Disc, Line, Mark, MarkKind, Picture, Point, Scale, Stroke};
pub use plan_film::{Body, FilmOptions, gif, svg_film};
pub use png_image::png;
pub use scene::{HeatSquare, SceneParts, ScenePath, ScenePicture, scene_png, scene_svg};
pub use svg_image::svg;
pub use terminal_text::terminal;

/// The README's example is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
