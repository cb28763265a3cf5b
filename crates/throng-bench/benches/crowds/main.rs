//! Dense crowds: the first plan of `lacam` on every map of the MovingAI benchmark, what `lns` makes
//! of it in ten seconds, and how time and memory grow with the number of units. One thread; the
//! referee checks every plan.
//!
//! `cargo bench -p throng-bench --bench crowds -- [first] [improve] [growth] [--quick] [--out=FOLDER]`
//!
//! | part | what is planned |
//! |---|---|
//! | first | all 33 maps, scenarios 1 and 2, all units up to 1,000, with `lacam` |
//! | improve | eight crowds of scenario 1, ten seconds of processor time with `lns` |
//! | growth | 100 to 10,000 units on a generated map of 512 x 512, with `lacam` |
//!
//! Times are processor times of the planning thread. `--out` writes tables (CSV) and plots (SVG).
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a measurement to be read")]

mod first;
mod growth;
mod improve;
mod instance;
#[path = "../live/memory.rs"]
mod memory;
mod processor;

use std::path::Path;
use std::process::ExitCode;

use throng_lab::Table;

const PARTS: [&str; 3] = ["first", "improve", "growth"];

/// What a part measured.
struct Report {
    table: Table,
    /// Names and contents.
    plots: Vec<(&'static str, String)>,
}

fn run() -> Result<(), String> {
    let given: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    if let Some(units) = given.iter().find_map(|it| it.strip_prefix(growth::CHILD)) {
        println!("{}", growth::child(units)?);
        return Ok(());
    }
    let known = |it: &&String| PARTS.contains(&it.as_str()) || it.starts_with("--");
    if let Some(other) = given.iter().find(|it| !known(it)) {
        return Err(format!("`{other}` means nothing here; give any of {}", PARTS.join(", ")));
    }
    let has = |flag: &str| given.iter().any(|it| it == flag);
    let folder = given.iter().find_map(|it| it.strip_prefix("--out="));
    let wants_all = !PARTS.iter().any(|part| has(part));
    for (part, measure) in
        PARTS.into_iter().zip([first::measure, improve::measure, growth::measure])
    {
        if wants_all || has(part) {
            let report = measure(has("--quick"))?;
            println!("{}", report.table);
            folder.map_or(Ok(()), |folder| write_all(Path::new(folder), &report))?;
        }
    }
    Ok(())
}

fn write_all(folder: &Path, report: &Report) -> Result<(), String> {
    let csv = (format!("{}.csv", report.table.name), report.table.csv());
    let plots = report.plots.iter().map(|(name, plot)| ((*name).to_owned(), plot.clone()));
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
