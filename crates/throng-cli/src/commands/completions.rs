//! `throng completions`: completion scripts for shells.

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use serde::Serialize;

use super::Arguments;
use crate::report::{Exit, Report};

/// Print the completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

const AFTER_HELP: &str = "\
Examples:
  mkdir -p ~/.local/share/bash-completion/completions
  throng completions bash > ~/.local/share/bash-completion/completions/throng
  throng completions fish > ~/.config/fish/completions/throng.fish";

#[derive(Serialize)]
struct CompletionsJson {
    shell: String,
    script: String,
}

pub(crate) fn run(arguments: &CompletionsArguments) -> Result<Report> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "throng", &mut script);
    let script = String::from_utf8(script)?;
    let json = CompletionsJson { shell: arguments.shell.to_string(), script: script.clone() };
    Report::new(Exit::Success, script, &json)
}
