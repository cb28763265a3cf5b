//! The paper's measurements: its tables 2, 3 and 4.

use super::rows::Row;

/// A row of the paper: nodes per search, distance in units, total time in seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub(super) nodes: f64,
    pub(super) distance: f64,
    pub(super) seconds: f64,
}

/// The paper's measurements for a workload (0 to 2) and a row; `None` for our own rows.
pub(super) fn measured(workload: usize, row: &Row) -> Option<Measured> {
    let at = Row::number(row.name)?;
    let (nodes, distance, seconds) = *TABLES.get(workload)?.get(at)?;
    Some(Measured { nodes, distance, seconds })
}

/// By workload, the rows in the order of [`Row::ALL`].
const TABLES: [[(f64, f64, f64); 13]; 3] = [
    [
        (240.0, 2088.0, 517.3),
        (241.0, 2088.0, 221.3),
        (230.0, 2102.0, 212.2),
        (195.0, 2143.0, 150.2),
        (2031.0, 2076.0, 1585.7),
        (2146.0, 2053.0, 660.3),
        (1979.0, 2062.0, 618.3),
        (1753.0, 2069.0, 482.4),
        (197.0, 2114.0, 936.4),
        (185.0, 2130.0, 489.2),
        (332.0, 2317.0, 2195.0),
        (332.0, 2317.0, 749.5),
        (230.0, 2399.0, 559.3),
    ],
    [
        (213.0, 2057.0, 490.7),
        (213.0, 2058.0, 201.8),
        (173.0, 2074.0, 159.9),
        (138.0, 2114.0, 95.2),
        (1758.0, 2019.0, 1338.9),
        (1778.0, 2018.0, 463.7),
        (1262.0, 2041.0, 313.3),
        (963.0, 2060.0, 191.7),
        (108.0, 2162.0, 451.7),
        (98.0, 2162.0, 215.2),
        (587.0, 2182.0, 3940.6),
        (587.0, 2181.0, 1244.1),
        (443.0, 2286.0, 978.4),
    ],
    [
        (386.0, 2052.0, 966.8),
        (503.0, 2051.0, 551.3),
        (534.0, 2052.0, 595.9),
        (273.0, 2052.0, 203.9),
        (1527.0, 2050.0, 1598.5),
        (1887.0, 2062.0, 768.4),
        (1267.0, 2053.0, 437.7),
        (932.0, 2063.0, 292.4),
        (186.0, 2050.0, 1064.1),
        (196.0, 2065.0, 547.3),
        (599.0, 2052.0, 3901.4),
        (461.0, 2053.0, 930.2),
        (588.0, 2066.0, 1298.5),
    ],
];
