//! The command line: gathers what a subcommand needs, calls the library, prints. The only place that prints.
//!
//! Results go to standard output, messages and progress to standard error, never mixed.
//! Must not compute a figure: whatever is printed as a result comes from `report`.

mod args;
mod check;
mod checked;
mod devices;
mod diff;
mod expand;
mod explain;
mod fmt;
mod lsp;
mod outcome;
mod place;
mod plan_files;
mod plan_folder;
mod plan_text;
mod progress;
mod replace;
mod report;
mod run;
mod screen;
mod stop;
mod target;

use std::ffi::OsString;

use clap::Parser as _;

use args::{Cli, Command};
pub use outcome::Outcome;
use screen::Screen;

/// Does what the command line asks for and says how it ended.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> Outcome {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are results and go to standard output; clap knows which is which.
            let is_mistake = error.use_stderr();
            // Nothing is left to be done where the stream is closed.
            let _ = error.print();
            return if is_mistake { Outcome::WrongCommandLine } else { Outcome::Done };
        }
    };
    let screen = Screen::new(&cli.common);
    match cli.command {
        Command::Check(args) => check::check(&args, &screen),
        Command::Explain(args) => explain::explain(&args, &screen),
        Command::Expand(args) => expand::expand(&args, &screen),
        Command::Fmt(args) => fmt::fmt(&args, &screen),
        Command::Diff(args) => diff::diff(&args, &screen),
        Command::Run(args) => run::run(&args, &screen),
        Command::Report(args) => report::report(&args, &screen),
        Command::Devices(args) => devices::devices(&args, &screen),
        Command::Lsp(_) => lsp::lsp(&screen),
    }
}

/// The whole command as clap sees it, for the pages that are tested against it.
pub fn command() -> clap::Command {
    use clap::CommandFactory as _;
    Cli::command()
}
