//! The map's terrain in few bytes: runs of one class, and runs that repeat the row above.
//!
//! Each run is a number (seven bits a byte, the least first) whose lowest bit tells the kind
//! of run and whose others tell its length; a run of one class then names it.

use throng_model::TerrainId;

pub(crate) fn pack(cells: &[TerrainId], width: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut at = 0;
    while at < cells.len() {
        let rest = &cells[at..];
        let same = rest.iter().take_while(|&&cell| cell == rest[0]).count();
        let above = at.checked_sub(width).map_or(0, |above| {
            rest.iter().zip(&cells[above..]).take_while(|(cell, above)| cell == above).count()
        });
        if above >= same {
            write(&mut bytes, above as u64 * 2);
        } else {
            write(&mut bytes, same as u64 * 2 + 1);
            bytes.push(rest[0].0);
        }
        at += above.max(same);
    }
    bytes
}

/// The cells, or at which byte something is wrong.
pub(crate) fn unpack(bytes: &[u8], width: usize, count: usize) -> Result<Vec<TerrainId>, usize> {
    let mut cells = Vec::with_capacity(count);
    let mut at = 0;
    while at < bytes.len() {
        let begin = at;
        let run = read(bytes, &mut at).ok_or(begin)?;
        let length = usize::try_from(run / 2).map_err(|_| begin)?;
        if length == 0 || length > count - cells.len() {
            return Err(begin);
        }
        if run % 2 == 1 {
            let class = *bytes.get(at).ok_or(begin)?;
            at += 1;
            cells.resize(cells.len() + length, TerrainId(class));
        } else {
            let above = cells.len().checked_sub(width).ok_or(begin)?;
            (above..above + length).for_each(|above| cells.push(cells[above]));
        }
    }
    if cells.len() == count { Ok(cells) } else { Err(at) }
}

fn write(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let byte = *bytes.get(*at)?;
        *at += 1;
        number |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use throng_testkit::{random_map, random_terrain};

    use super::*;

    #[test]
    fn what_was_packed_is_unpacked_and_nothing_else() {
        for (seed, percent) in [(1, 0), (2, 3), (3, 40), (4, 100)] {
            let map = random_terrain(seed, 37, 23, percent, 4);
            let packed = pack(map.terrain(), 37);
            assert_eq!(unpack(&packed, 37, 37 * 23).as_deref(), Ok(map.terrain()));
            for cut in 0..packed.len() {
                assert!(unpack(&packed[..cut], 37, 37 * 23).is_err(), "cut at {cut}");
            }
            assert!(unpack(&packed, 37, 37 * 22).is_err());
        }
    }

    #[test]
    fn rows_that_repeat_cost_next_to_nothing() {
        assert!(pack(random_map(1, 200, 100, 0).terrain(), 200).len() < 5);
        assert_eq!(unpack(&[2, 0], 4, 8), Err(0), "there is no row above the first");
        assert_eq!(unpack(&[0xff; 20], 4, 8), Err(0), "an endless number");
    }
}
