//! The regions of the layer above the lattice.

use crate::{ValidScene, ZoneId};

use super::Location;

/// The regions of an upper layer: the Voronoi zones of the sites, and whole zones or levels where
/// there is no site. Without sites these are the scene's zones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Partition {
    pub(crate) sites: Vec<Site>,
    /// Whether regions stay within the scene's zones.
    pub(crate) within_zones: bool,
}

/// An interest point, the centre of a Voronoi zone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub(crate) location: Location,
    pub(crate) zone: ZoneId,
}

impl Partition {
    pub(crate) fn count(&self, scene: &ValidScene) -> usize {
        let rest = if self.within_zones { scene.zones().len() } else { scene.levels().count() };
        self.sites.len() + rest
    }

    /// The region of a location: that of the nearest site. Ties go to the first site.
    pub(crate) fn region_of(&self, scene: &ValidScene, location: Location) -> Option<u32> {
        let zone = scene.zone_of(location.at, location.level)?;
        let is_near = |site: &Site| match self.within_zones {
            true => site.zone == zone,
            false => site.location.level == location.level,
        };
        let sites = self.sites.iter().zip(0..).filter(|(site, _)| is_near(site));
        let distance = |site: &Site| site.location.at.distance_squared(location.at);
        let nearest = sites.min_by(|(a, _), (b, _)| distance(a).total_cmp(&distance(b)));
        let whole = if self.within_zones { zone.0 } else { u32::from(location.level.0) };
        Some(nearest.map_or(self.sites.len() as u32 + whole, |(_, site)| site))
    }
}
