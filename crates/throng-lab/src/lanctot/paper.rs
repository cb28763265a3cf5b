//! The paper's measurements: its tables 1 to 4.

/// A row of tables 2 to 4.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    /// Nodes per search.
    pub(super) nodes: f64,
    /// Distance in units.
    pub(super) distance: f64,
    /// Total time in seconds.
    pub(super) seconds: f64,
    /// Speed as printed, in "units/ms": a hundred times distance by total time, cut to two digits.
    pub(super) speed: f64,
    /// Average delay in milliseconds.
    pub(super) delay_ms: f64,
}

/// The three workloads, in the order of tables 2 to 4.
pub(super) const WORKLOADS: [&str; 3] = ["RANDOM", "MODELED", "EXTRACTED"];

/// Table 1: elapsed seconds, move updates, destinations of each game.
pub(super) const GAMES: [[u64; 3]; 5] = [
    [899, 98_619, 10_970],
    [903, 202_563, 32_526],
    [740, 146_142, 34_878],
    [894, 124_613, 54_414],
    [798, 175_435, 60_024],
];

/// The paper's measurements for a workload and a row by its number; `None` for our own rows.
pub(super) fn measured(workload: &str, row: usize) -> Option<Measured> {
    let workload = WORKLOADS.iter().position(|name| *name == workload)?;
    let [nodes, distance, seconds, speed, delay_ms] = *TABLES[workload].get(row)?;
    Some(Measured { nodes, distance, seconds, speed, delay_ms })
}

/// By workload, the rows in the order of [`super::Configuration::ALL`].
const TABLES: [[[f64; 5]; 13]; 3] = [
    [
        [240.0, 2088.0, 517.3, 0.4, 1469.0],
        [241.0, 2088.0, 221.3, 0.94, 628.0],
        [230.0, 2102.0, 212.2, 0.99, 602.0],
        [195.0, 2143.0, 150.2, 1.42, 424.0],
        [2031.0, 2076.0, 1585.7, 0.13, 15857.0],
        [2146.0, 2053.0, 660.3, 0.31, 6603.0],
        [1979.0, 2062.0, 618.3, 0.33, 6183.0],
        [1753.0, 2069.0, 482.4, 0.42, 4824.0],
        [197.0, 2114.0, 936.4, 0.22, 931.0],
        [185.0, 2130.0, 489.2, 0.43, 486.0],
        [332.0, 2317.0, 2195.0, 0.1, 2469.0],
        [332.0, 2317.0, 749.5, 0.3, 843.0],
        [230.0, 2399.0, 559.3, 0.42, 591.0],
    ],
    [
        [213.0, 2057.0, 490.7, 0.41, 1268.0],
        [213.0, 2058.0, 201.8, 1.01, 521.0],
        [173.0, 2074.0, 159.9, 1.29, 403.0],
        [138.0, 2114.0, 95.2, 2.21, 234.0],
        [1758.0, 2019.0, 1338.9, 0.15, 13389.0],
        [1778.0, 2018.0, 463.7, 0.43, 4637.0],
        [1262.0, 2041.0, 313.3, 0.65, 3133.0],
        [963.0, 2060.0, 191.7, 1.07, 1917.0],
        [108.0, 2162.0, 451.7, 0.47, 442.0],
        [98.0, 2162.0, 215.2, 1.0, 211.0],
        [587.0, 2182.0, 3940.6, 0.05, 4663.0],
        [587.0, 2181.0, 1244.1, 0.17, 1472.0],
        [443.0, 2286.0, 978.4, 0.23, 1108.0],
    ],
    [
        [386.0, 2052.0, 966.8, 0.21, 2222.0],
        [503.0, 2051.0, 551.3, 0.37, 1388.0],
        [534.0, 2052.0, 595.9, 0.34, 1475.0],
        [273.0, 2052.0, 203.9, 1.0, 635.0],
        [1527.0, 2050.0, 1598.5, 0.12, 11841.0],
        [1887.0, 2062.0, 768.4, 0.26, 5528.0],
        [1267.0, 2053.0, 437.7, 0.46, 3647.0],
        [932.0, 2063.0, 292.4, 0.7, 2249.0],
        [186.0, 2050.0, 1064.1, 0.19, 1019.0],
        [196.0, 2065.0, 547.3, 0.37, 526.0],
        [599.0, 2052.0, 3901.4, 0.05, 4763.0],
        [461.0, 2053.0, 930.2, 0.22, 1177.0],
        [588.0, 2066.0, 1298.5, 0.15, 1603.0],
    ],
];
