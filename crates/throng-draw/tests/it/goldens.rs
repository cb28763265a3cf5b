//! Drawings are the same bytes on every machine.

use super::*;

/// FNV-1a.
pub(crate) fn hash(bytes: impl AsRef<[u8]>) -> u64 {
    bytes.as_ref().iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The same bytes on every machine. A change here is a change of look: look at it, then
/// write down the new hash.
#[test]
fn drawings_are_the_same_everywhere() {
    let map = map(LAKE);
    let picture = rich(&map);
    let plan = Plan { paths: vec![cells(&[(0, 0), (1, 0), (2, 0)]), cells(&[(3, 3), (3, 2)])] };
    let options = FilmOptions { trail_ticks: 3, ..FilmOptions::default() };
    let found = [
        ("svg", hash(svg(&picture))),
        ("png", hash(png(&picture, Scale::Pixels(17)).unwrap())),
        ("gif", hash(gif(&map, &plan, &[], &options).unwrap())),
        ("terminal", hash(terminal(&picture, true, 80))),
        ("letters", hash(terminal(&picture, false, 80))),
    ];
    let expected = [
        ("svg", 0x0500_7387_f5ac_7ce2),
        ("png", 0xb689_95ea_52c1_965d),
        ("gif", 0xfc03_3d3f_1f28_b87f),
        ("terminal", 0x9c80_adc8_a4af_aa81),
        ("letters", 0x395f_ef77_efcb_3427),
    ];
    assert_eq!(found, expected);
}
