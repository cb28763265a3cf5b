//! Overlays: what lies behind the movement. What needs the map only is computed elsewhere, so that
//! the world goes on ticking.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use throng::grid::{Field, Ground};
use throng::hierarchy::{GridHierarchy, Regions};
use throng::model::{Cell, CellIndex, Map, MovementProfile, Rect, Tick, UnitId};
use throng::spacetime::Entry;

use super::zones::Zones;
use super::{Answer, Room};
use crate::error::Refusal;
use crate::room::commands::only_throng;

/// Most cells listed in an overlay.
const CELLS_LISTED: usize = 50_000;

/// An overlay that needs the map only.
pub(crate) struct MapWork {
    map: Map,
    movement: MovementProfile,
    kind: MapOverlay,
}

enum MapOverlay {
    /// True distances to the destination of a unit.
    Distance(UnitId, Cell),
    Components,
    Regions,
    Hierarchy,
    Zones,
}

impl Room {
    pub(super) fn overlay(
        &self,
        kind: &str,
        unit: Option<u32>,
        tick: Option<u32>,
    ) -> Result<Answer, Refusal> {
        let unit = unit.map(UnitId::from_bits);
        match kind {
            "reservations" => self.reservations(tick),
            "heat" => {
                let cells = STANDARD.encode(self.progress.heat());
                Ok(Answer::Json(json!({ "type": "overlay", "kind": "heat", "cells": cells })))
            }
            "jams" => Ok(self.jams()),
            "distance" => {
                let unit = unit.ok_or_else(|| Refusal::bad("distance: give unit"))?;
                let to = self.destination(unit);
                let to = to.ok_or_else(|| Refusal::conflict(format!("{unit} goes nowhere")))?;
                self.on_map(Some(unit), MapOverlay::Distance(unit, to))
            }
            "components" => self.on_map(unit, MapOverlay::Components),
            "clusters" => self.on_map(unit, MapOverlay::Regions),
            "hierarchy" => self.on_map(unit, MapOverlay::Hierarchy),
            "zones" => self.on_map(unit, MapOverlay::Zones),
            other => Err(Refusal::bad(format!(
                "no overlay {other:?}; use reservations, distance, clusters, hierarchy, zones, \
                 heat, components or jams"
            ))),
        }
    }

    fn destination(&self, unit: UnitId) -> Option<Cell> {
        match (self.engine.world(), self.engine.paper()) {
            (Some(world), _) => world.destination(unit),
            (None, Some(world)) => world.goal(unit),
            (None, None) => None,
        }
    }

    fn on_map(&self, unit: Option<UnitId>, kind: MapOverlay) -> Result<Answer, Refusal> {
        let movement = match unit {
            Some(unit) => {
                self.engine.movement(unit).ok_or_else(|| crate::paper_world::no_such_unit(unit))?
            }
            None => &self.setup.profiles[0].movement,
        };
        let (map, movement) = (self.engine.map().clone(), movement.clone());
        Ok(Answer::Later(Box::new(MapWork { map, movement, kind })))
    }

    /// Which unit holds which cell at a tick: now or later.
    fn reservations(&self, tick: Option<u32>) -> Result<Answer, Refusal> {
        let world = self.engine.world().ok_or_else(only_throng)?;
        let now = world.now().0;
        let tick = tick.unwrap_or(now);
        let table = world.reservations();
        let held = world.map().cells().filter_map(|cell| {
            let entry = Entry(world.map().index(cell)?.0);
            let claim = table.holder(entry, Tick(tick.max(now)))?;
            Some(json!([cell.x, cell.y, claim.unit.to_bits()]))
        });
        let cells: Value = held.take(CELLS_LISTED).collect();
        let tick = tick.max(now);
        let kind = "reservations";
        Ok(Answer::Json(json!({ "type": "overlay", "kind": kind, "tick": tick, "cells": cells })))
    }

    /// The units that are stuck.
    fn jams(&self) -> Answer {
        let views = self.engine.units().into_iter().filter_map(|unit| self.view_of(unit));
        let stuck = views.filter(|view| view.doing == crate::record::Doing::Stuck);
        let units: Value =
            stuck.map(|view| json!([view.at.x, view.at.y, view.id.to_bits()])).collect();
        Answer::Json(json!({ "type": "overlay", "kind": "jams", "cells": units }))
    }
}

impl MapWork {
    /// Computes the overlay.
    pub(crate) fn compute(&self) -> Result<Value, Refusal> {
        let refuse = |error: &dyn std::fmt::Display| Refusal::conflict(error.to_string());
        let ground = Ground::new(&self.map, self.movement.clone()).map_err(|e| refuse(&e))?;
        match self.kind {
            MapOverlay::Distance(unit, to) => {
                let field = Field::new(&ground, &[to]).map_err(|error| refuse(&error))?;
                let straight = self.movement.step_costs().0.0;
                let distance = |cell| {
                    let cost = field.distance(cell).map(|cost| cost.0 / straight);
                    cost.map_or(u32::MAX, |steps| u32::try_from(steps).unwrap_or(u32::MAX - 1))
                };
                let bytes = self.map.cells().flat_map(|cell| distance(cell).to_le_bytes());
                let cells = STANDARD.encode(bytes.collect::<Vec<u8>>());
                let (unit, to) = (unit.to_bits(), [to.x, to.y]);
                Ok(
                    json!({ "type": "overlay", "kind": "distance", "unit": unit, "to": to, "cells": cells }),
                )
            }
            MapOverlay::Components => Ok(self.components(&ground)),
            MapOverlay::Regions => Ok(self.regions(&ground)),
            MapOverlay::Hierarchy => Ok(hierarchy(&ground)),
            MapOverlay::Zones => Ok(self.zones(&ground)),
        }
    }

    /// By cell, the number of its component; the largest value for cells where no unit can stand.
    fn components(&self, ground: &Ground) -> Value {
        let mut numbers: std::collections::BTreeMap<_, u16> = std::collections::BTreeMap::new();
        let mut bytes = Vec::with_capacity(self.map.terrain().len() * 2);
        for index in 0..self.map.terrain().len() as u32 {
            let component = ground.components().component_of(CellIndex(index));
            let next = u16::try_from(numbers.len()).unwrap_or(u16::MAX - 1).min(u16::MAX - 1);
            let number = component.map_or(u16::MAX, |id| *numbers.entry(id).or_insert(next));
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        let (kind, count) = ("components", numbers.len());
        let cells = STANDARD.encode(bytes);
        json!({ "type": "overlay", "kind": kind, "count": count, "cells": cells })
    }

    /// The ground as rectangles, and the openings between them.
    fn zones(&self, ground: &Ground) -> Value {
        let Zones { zones, gates } = Zones::new(&self.map, ground);
        let rects: Value = zones.iter().take(CELLS_LISTED).map(rect_json).collect();
        let gates = &gates[..gates.len().min(CELLS_LISTED)];
        json!({ "type": "overlay", "kind": "zones", "rects": rects, "gates": gates })
    }

    /// The rooms of the map and the doorways between them.
    fn regions(&self, ground: &Ground) -> Value {
        let regions = Regions::new(ground);
        let bounds = regions.iter().take(CELLS_LISTED).filter_map(|region| regions.bounds(region));
        let rects: Value = bounds.map(|rect| rect_json(&rect)).collect();
        let doorways = regions.iter().flat_map(|region| regions.doorways(region));
        // Each is listed by both of its regions.
        let once = doorways.filter(|doorway| doorway.regions[0].get() < doorway.regions[1].get());
        let transitions: Value = once
            .take(CELLS_LISTED)
            .map(|doorway| {
                let [a, b] = doorway.middle;
                json!([a.x, a.y, b.x, b.y, doorway.width])
            })
            .collect();
        json!({ "type": "overlay", "kind": "clusters", "rects": rects, "transitions": transitions })
    }
}

fn rect_json(rect: &Rect) -> Value {
    json!([rect.origin.x, rect.origin.y, rect.width, rect.height])
}

/// The clusters of HPA* and the transitions between them.
fn hierarchy(ground: &Ground) -> Value {
    let hierarchy = GridHierarchy::new(ground);
    let rects: Value =
        hierarchy.clusters().take(CELLS_LISTED).map(|rect| rect_json(&rect)).collect();
    // Each is listed in both directions.
    let once = hierarchy.transitions().filter(|[from, to]| (from.y, from.x) < (to.y, to.x));
    let transitions: Value =
        once.take(CELLS_LISTED).map(|[a, b]| json!([a.x, a.y, b.x, b.y, 1])).collect();
    json!({ "type": "overlay", "kind": "hierarchy", "rects": rects, "transitions": transitions })
}
