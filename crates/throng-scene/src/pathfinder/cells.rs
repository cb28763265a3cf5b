//! Which cell of an upper layer a place is in.

use crate::{ValidScene, ZoneId};

use super::Place;

/// The cells of an upper layer: Voronoi cells of sites, and whole zones or levels where there
/// is no site. Without sites these are the scene's zones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    pub(crate) sites: Vec<Site>,
    /// Whether cells keep to the scene's zones.
    pub(crate) zoned: bool,
}

/// An interest point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub(crate) place: Place,
    pub(crate) zone: ZoneId,
}

impl Cells {
    pub(crate) fn count(&self, scene: &ValidScene) -> usize {
        let rest = if self.zoned { scene.zones().len() } else { scene.levels().count() };
        self.sites.len() + rest
    }

    /// The cell of a place: the nearest site's, of equally near ones the first's.
    pub(crate) fn cell_of(&self, scene: &ValidScene, place: Place) -> Option<u32> {
        let zone = scene.zone_of(place.at, place.level)?;
        let is_near = |site: &Site| match self.zoned {
            true => site.zone == zone,
            false => site.place.level == place.level,
        };
        let sites = self.sites.iter().zip(0..).filter(|(site, _)| is_near(site));
        let distance = |site: &Site| site.place.at.distance_squared(place.at);
        let nearest = sites.min_by(|(a, _), (b, _)| distance(a).total_cmp(&distance(b)));
        let whole = if self.zoned { zone.0 } else { u32::from(place.level.0) };
        Some(nearest.map_or(self.sites.len() as u32 + whole, |(_, site)| site))
    }
}
