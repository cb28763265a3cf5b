//! Dense crowds. In the live world: scenes with doors, corridors and crossings. In one shot: the first
//! plan of `lacam` on every map of the MovingAI benchmark, what `lns` makes of it in ten seconds, and
//! how time and memory grow with the number of units. One thread; the referee checks every plan and
//! every scene.
//!
//! `cargo bench -p throng-bench --bench crowds -- [live [NAME]] [sparse] [first [NAME]] [improve] [auto]
//! [growth] [--seed K] [--quick] [--out=FOLDER]`
//!
//! | part | what is run |
//! |---|---|
//! | live | 17 scenes in the live world; with NAME those whose names contain it |
//! | sparse | 1,000 to 100,000 units with random goals in the live world; only if asked for |
//! | first | all 33 maps, scenarios 1 and 2, all units up to 1,000, with `lacam`; with NAME the maps whose names contain it |
//! | improve | eight crowds of scenario 1, ten seconds of processor time with `lns` |
//! | auto | `auto` beside `hca` and `lacam`: its time to an equal plan |
//! | growth | 100 to 10,000 units on a generated map of 512 x 512, with `lacam` |
//!
//! Times are processor times of the planning thread. `--seed` chooses other starts and goals for the
//! parts `live` and `sparse`. `--out` writes tables (CSV) and plots (SVG).
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a measurement to be read")]

mod auto;
mod first;
mod growth;
mod improve;
mod instance;
mod live;
#[path = "../live/memory.rs"]
mod memory;
mod processor;
mod scenes;
mod sparse;

use std::path::Path;
use std::process::ExitCode;

use throng_lab::Table;

/// A part's name, what it measures, and whether it runs if no part is named.
type Part = (&'static str, fn(&Settings) -> Result<Report, String>, bool);

const PARTS: [Part; 6] = [
    ("live", live::measure, true),
    ("sparse", sparse::measure, false),
    ("first", first::measure, true),
    ("improve", improve::measure, true),
    ("auto", auto::measure, true),
    ("growth", growth::measure, true),
];

/// What a part measured.
struct Report {
    table: Table,
    /// Names and contents.
    plots: Vec<(&'static str, String)>,
}

/// The command-line arguments.
struct Settings {
    parts: Vec<String>,
    /// A part of the names of the scenes or maps to run.
    name: String,
    seed: u64,
    quick: bool,
    folder: Option<String>,
}

impl Settings {
    fn read(given: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut settings =
            Self { parts: Vec::new(), name: String::new(), seed: 1, quick: false, folder: None };
        let mut given = given.filter(|it| it != "--bench");
        while let Some(word) = given.next() {
            let is_part = PARTS.iter().any(|part| part.0 == word);
            let takes_name =
                matches!(settings.parts.last().map(String::as_str), Some("live" | "first"));
            match word.as_str() {
                "--quick" => settings.quick = true,
                "--seed" => {
                    let seed = given.next().and_then(|seed| seed.parse().ok());
                    settings.seed = seed.ok_or("--seed needs a number")?;
                }
                _ if word.starts_with("--out=") => {
                    settings.folder = word.strip_prefix("--out=").map(str::to_owned);
                }
                _ if is_part => settings.parts.push(word),
                _ if takes_name && settings.name.is_empty() && !word.starts_with("--") => {
                    settings.name = word;
                }
                other => {
                    let names = PARTS.map(|part| part.0).join(", ");
                    return Err(format!("`{other}` means nothing here; give any of {names}"));
                }
            }
        }
        Ok(settings)
    }

    fn wants(&self, part: &Part) -> bool {
        if self.parts.is_empty() { part.2 } else { self.parts.iter().any(|it| it == part.0) }
    }
}

fn run() -> Result<(), String> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    if let Some(units) = given.iter().find_map(|it| it.strip_prefix(growth::CHILD)) {
        println!("{}", growth::child(units)?);
        return Ok(());
    }
    if let Some(row) = given.iter().find_map(|it| it.strip_prefix(sparse::CHILD)) {
        println!("{}", sparse::child(row)?);
        return Ok(());
    }
    let settings = Settings::read(given.into_iter())?;
    for part in PARTS.iter().filter(|part| settings.wants(part)) {
        let report = (part.1)(&settings)?;
        println!("{}", report.table);
        let folder = settings.folder.as_deref();
        folder.map_or(Ok(()), |folder| write_all(Path::new(folder), &report))?;
    }
    Ok(())
}

fn write_all(folder: &Path, report: &Report) -> Result<(), String> {
    let csv = (format!("{}.csv", report.table.name), report.table.csv());
    let plots = report.plots.iter().map(|(name, plot)| ((*name).to_owned(), plot.clone()));
    std::fs::create_dir_all(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    for (name, contents) in std::iter::once(csv).chain(plots) {
        let path = folder.join(name);
        std::fs::write(&path, contents).map_err(|why| format!("{}: {why}", path.display()))?;
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
