//! What large neighbourhood search makes of eight crowds.

use throng_lab::Table;

use crate::instance::{Instance, over_bound, plan};
use crate::{Report, Settings};

const SECONDS: f64 = 10.0;
const SECONDS_QUICK: f64 = 1.0;

/// Map of scenario 1, units, and the required cost over the lower bound.
const CROWDS: [(&str, usize, f64); 8] = [
    ("random-32-32-20", 400, 1.95),
    ("random-64-64-20", 500, 1.08),
    ("random-64-64-20", 1000, 1.70),
    ("den312d", 400, 1.19),
    ("room-64-64-8", 400, 1.55),
    ("maze-32-32-2", 100, 1.26),
    ("warehouse-10-20-10-2-1", 1000, 1.80),
    ("ost003d", 1000, 1.30),
];

pub(crate) fn measure(settings: &Settings) -> Result<Report, String> {
    let quick = settings.quick;
    let seconds = if quick { SECONDS_QUICK } else { SECONDS };
    let title = format!("lns after {seconds} s of processor time, one thread, scenario 1");
    let columns = ["map", "units", "lacam", "lns", "required", "lacam CPU ms"];
    let mut table = Table::new("improve", &title, &columns);
    for (map, units, required) in CROWDS {
        let Instance { problem, .. } = Instance::load(map, 1, Some(units))?;
        let cost = |spec: &str| {
            let planned = plan(spec, &problem, seconds)?;
            let cost = planned.solved.map(|(cost, _)| (over_bound(&problem, cost), 3));
            Ok::<_, String>((cost, planned.milliseconds))
        };
        let ((first, first_ms), (improved, _)) = (cost("lacam")?, cost("lns")?);
        table.push(vec![
            map.into(),
            units.into(),
            first.into(),
            improved.into(),
            (required, 2).into(),
            (first_ms, 1).into(),
        ]);
    }
    Ok(Report { table, plots: Vec::new() })
}
