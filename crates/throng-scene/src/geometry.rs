//! Plane geometry: points, boxes, segments, polygons, and a spatial index of boxes.

pub(crate) mod box_index;
pub(crate) mod nesting;
mod point;
pub(crate) mod polygon;
pub(crate) mod segment;

pub use point::{Bounds, Level, Point};
pub use polygon::{Polygon, PolygonError};
