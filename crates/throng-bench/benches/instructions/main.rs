//! Instruction counts of the hot loops, by valgrind's callgrind, beside the checked-in counts.
//! They are exact to a few in a million, also on a busy machine.
//!
//! `cargo bench -p throng-bench --bench instructions -- [NAME...] [--bless]`
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a measurement to be read")]

mod callgrind;
mod loops;
mod table;
mod worlds;

use std::path::Path;
use std::process::ExitCode;

use table::Table;

/// The command-line arguments.
#[derive(Default)]
struct Arguments {
    names: Vec<String>,
    bless: bool,
    /// The loop to run once: the bench calls itself with this under valgrind.
    once: Option<String>,
}

impl Arguments {
    fn read() -> Result<Self, String> {
        let mut arguments = Self::default();
        let mut given = std::env::args().skip(1);
        while let Some(argument) = given.next() {
            match argument.as_str() {
                "--bless" => arguments.bless = true,
                "--once" => arguments.once = given.next(),
                // Cargo passes `--bench` to every bench; the others are for the bench `peers`.
                "--bench" | "--quick" | "--json" => {}
                name if loops::named(name).is_some() => arguments.names.push(argument),
                other => return Err(unknown(other)),
            }
        }
        Ok(arguments)
    }

    fn wants(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|wanted| wanted == name)
    }
}

fn unknown(argument: &str) -> String {
    let names: Vec<_> = loops::ALL.iter().map(|hot| hot.name).collect();
    format!(
        "`{argument}` is no argument of this benchmark; use any of {}, --bless",
        names.join(", ")
    )
}

fn main() -> ExitCode {
    match Arguments::read().and_then(|arguments| run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    if let Some(name) = &arguments.once {
        return loops::named(name).map_or_else(|| Err(unknown(name)), |hot| (hot.run)());
    }
    if !callgrind::is_installed() {
        println!("Instructions: not counted, valgrind is not installed.");
        return Ok(());
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("instructions.csv");
    let mut table = Table::read(&path)?;
    println!("Instructions of the hot loops, beside those checked in.\n");
    println!("{:<17} {:>15} {:>15} {:>9}", "loop", "instructions", "checked in", "change");
    for hot in loops::ALL.iter().filter(|hot| arguments.wants(hot.name)) {
        let counted = callgrind::count(hot.name)?;
        println!("{}", line(hot.name, counted, table.get(hot.name)));
        table.set(hot.name, counted);
    }
    if arguments.bless {
        table.write(&path)?;
        println!("written to {}", path.display());
    }
    Ok(())
}

fn line(name: &str, counted: u64, before: Option<u64>) -> String {
    let Some(before) = before else {
        return format!("{name:<17} {counted:>15} {:>15} {:>9}", "-", "new");
    };
    let percent = 100.0 * (counted as f64 / before as f64 - 1.0);
    format!("{name:<17} {counted:>15} {before:>15} {percent:>+8.2}%")
}
