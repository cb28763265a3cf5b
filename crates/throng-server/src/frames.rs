//! Binary frames: the map, its edits, the full state and deltas. `docs/protocol.md` has the layout.

use axum::body::Bytes;
use throng::model::Cell;

use crate::record::Record;

const FULL: u8 = 1;
const DELTA: u8 = 2;
const MAP: u8 = 3;
const EDIT: u8 = 4;

/// The part of the map that a viewer looks at, in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) x: u16,
    pub(crate) y: u16,
    pub(crate) width: u16,
    pub(crate) height: u16,
}

impl View {
    /// Whether some part of the unit, or of its step, is in view.
    fn shows(self, unit: &Record) -> bool {
        self.meets(unit.at(), unit.size()) || self.meets(unit.to(), unit.size())
    }

    fn meets(self, at: Cell, size: u16) -> bool {
        let overlap = |first: u16, length: u16, from: u16, extent: u16| {
            u32::from(first) < u32::from(from) + u32::from(extent)
                && u32::from(from) < u32::from(first) + u32::from(length)
        };
        overlap(at.x, size, self.x, self.width) && overlap(at.y, size, self.y, self.height)
    }

    /// The units in view.
    pub(crate) fn filter(self, units: &[Record]) -> Vec<Record> {
        units.iter().filter(|unit| self.shows(unit)).copied().collect()
    }
}

/// The whole state.
pub(crate) fn full(tick: u32, frame: u32, units: &[Record]) -> Bytes {
    let mut bytes = header(FULL, tick, frame, units.len(), 0);
    units.iter().for_each(|unit| bytes.extend_from_slice(&unit.0));
    bytes.into()
}

/// What differs between two states. Both are sorted by id.
pub(crate) fn delta(tick: u32, frame: u32, before: &[Record], now: &[Record]) -> Bytes {
    let (mut changed, mut removed) = (Vec::new(), Vec::new());
    let mut old = before.iter().peekable();
    for unit in now {
        while let Some(gone) = old.next_if(|old| old.id() < unit.id()) {
            removed.push(gone.id());
        }
        if old.next_if(|old| old.id() == unit.id()) != Some(unit) {
            changed.push(unit);
        }
    }
    removed.extend(old.map(Record::id));
    let mut bytes = header(DELTA, tick, frame, changed.len(), removed.len());
    changed.iter().for_each(|unit| bytes.extend_from_slice(&unit.0));
    removed.iter().for_each(|id| bytes.extend_from_slice(&id.to_bits().to_le_bytes()));
    bytes.into()
}

fn header(kind: u8, tick: u32, frame: u32, units: usize, removed: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(20 + units * Record::BYTES + removed * 4);
    bytes.extend_from_slice(&[kind, 0, 0, 0]);
    for number in [tick, frame, units as u32, removed as u32] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes
}

/// The terrain of the whole map.
pub(crate) fn map(width: u16, height: u16, terrain: &[u8]) -> Bytes {
    let mut bytes = Vec::with_capacity(12 + terrain.len());
    bytes.extend_from_slice(&[MAP, 0, 0, 0]);
    bytes.extend_from_slice(&u32::from(width).to_le_bytes());
    bytes.extend_from_slice(&u32::from(height).to_le_bytes());
    bytes.extend_from_slice(terrain);
    bytes.into()
}

/// The cells that differ between two maps of one size: one message per terrain class.
pub(crate) fn edits(before: &[u8], now: &[u8]) -> Vec<Bytes> {
    let mut changed: Vec<Vec<u32>> = vec![Vec::new(); 256];
    for (cell, (_, new)) in before.iter().zip(now).enumerate().filter(|(_, (old, new))| old != new)
    {
        changed[usize::from(*new)].push(cell as u32);
    }
    let touched = (0_u8..=255).zip(changed).filter(|(_, cells)| !cells.is_empty());
    touched.map(|(terrain, cells)| edit(terrain, &cells)).collect()
}

fn edit(terrain: u8, cells: &[u32]) -> Bytes {
    let mut bytes = vec![EDIT, terrain, 0, 0];
    bytes.extend_from_slice(&(cells.len() as u32).to_le_bytes());
    cells.iter().for_each(|cell| bytes.extend_from_slice(&cell.to_le_bytes()));
    bytes.into()
}

#[cfg(test)]
mod tests {
    use throng::model::UnitId;

    use super::*;
    use crate::record::{Doing, UnitView};

    fn unit(id: u32, x: u16, y: u16) -> Record {
        let at = Cell::new(x, y);
        let (id, doing) = (UnitId::from_bits(id), Doing::Going);
        let (ticks_done, ticks_total, size, team, profile) = (0, 0, 2, 1, 3);
        Record::new(&UnitView {
            id,
            at,
            to: at,
            ticks_done,
            ticks_total,
            size,
            team,
            doing,
            profile,
        })
    }

    /// Applies frames as a client does.
    fn apply(state: &mut Vec<Record>, frame: &[u8]) {
        let number = |at: usize| u32::from_le_bytes(frame[at..at + 4].try_into().unwrap());
        if frame[0] == FULL {
            state.clear();
        }
        let (units, removed) = (number(12) as usize, number(16) as usize);
        for index in 0..units {
            let at = 20 + index * Record::BYTES;
            let record = Record(frame[at..at + Record::BYTES].try_into().unwrap());
            state.retain(|old| old.id() != record.id());
            state.push(record);
        }
        for index in 0..removed {
            let id = UnitId::from_bits(number(20 + units * Record::BYTES + index * 4));
            state.retain(|old| old.id() != id);
        }
        state.sort_by_key(Record::id);
    }

    #[test]
    fn a_client_that_applies_deltas_has_the_state() {
        let next = 1 << 20;
        let states = [
            vec![unit(0, 1, 1), unit(1, 2, 2), unit(2, 3, 3)],
            vec![unit(0, 1, 2), unit(2, 3, 3), unit(3, 9, 9)],
            vec![],
            vec![unit(2 | next, 3, 3), unit(5, 1, 1)],
            vec![unit(2 | next, 3, 3), unit(5, 1, 1)],
        ];
        let mut client = Vec::new();
        apply(&mut client, &full(1, 1, &states[0]));
        assert_eq!(client, states[0]);
        for (number, pair) in states.windows(2).enumerate() {
            let frame = delta(7, 2, &pair[0], &pair[1]);
            apply(&mut client, &frame);
            assert_eq!(client, pair[1], "after delta {number}");
        }
        assert_eq!(delta(7, 2, &states[4], &states[4]).len(), 20);
    }

    #[test]
    fn a_view_shows_what_overlaps_it() {
        let view = View { x: 10, y: 10, width: 5, height: 5 };
        let seen = |x, y| view.filter(&[unit(0, x, y)]).len() == 1;
        assert!(seen(10, 10) && seen(9, 9) && seen(14, 14));
        assert!(!seen(8, 10) && !seen(15, 10) && !seen(10, 15));
    }

    #[test]
    fn edits_are_grouped_by_terrain() {
        let messages = edits(&[0, 0, 0, 1], &[2, 0, 2, 0]);
        let expected = [edit(0, &[3]), edit(2, &[0, 2])];
        assert_eq!(messages, expected);
    }
}
