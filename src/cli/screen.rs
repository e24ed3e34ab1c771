//! The two streams: what is printed where, in which colours, how wide.

use std::io::{self, IsTerminal as _, Write as _};

use super::Outcome;
use super::args::{ColorChoice, Common, OutputArgs};
use super::place::write_result;
use crate::diag::{Diagnostic, Diagnostics, Look, render};

/// Columns where no terminal says how many there are.
const PIPED_WIDTH: usize = 80;
/// Wider lines are hard to read.
const WIDEST: usize = 160;

/// How this process talks.
pub(super) struct Screen {
    /// Print results and errors alone.
    pub(super) is_quiet: bool,
    /// Say more.
    pub(super) is_verbose: bool,
    /// Progress can be redrawn in place.
    pub(super) has_terminal: bool,
    has_color: bool,
}

impl Screen {
    pub(super) fn new(common: &Common) -> Self {
        let has_terminal = io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let has_color = match common.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => has_terminal && !forbidden,
        };
        Self { is_quiet: common.quiet, is_verbose: common.verbose, has_terminal, has_color }
    }

    /// Columns for results on standard output.
    pub(super) fn width(&self) -> usize {
        if !io::stdout().is_terminal() {
            return PIPED_WIDTH;
        }
        columns(terminal_size::terminal_size_of(io::stdout()))
    }

    /// How diagnostics look on standard error.
    pub(super) fn look(&self) -> Look {
        let width =
            if self.has_terminal { columns(terminal_size::terminal_size_of(io::stderr())) } else { PIPED_WIDTH };
        Look { width, color: self.has_color, unicode: true }
    }

    /// A line for people on standard error, unless quiet.
    pub(super) fn say(&self, line: &str) {
        if !self.is_quiet {
            self.complain(line);
        }
    }

    /// A line on standard error in any case.
    pub(super) fn complain(&self, line: &str) {
        complain(line);
    }

    /// Findings on standard error; remarks and warnings too unless quiet.
    pub(super) fn show(&self, found: &Diagnostics) {
        if found.is_empty() || (self.is_quiet && !found.has_errors()) {
            return;
        }
        let text = render::text(found, &self.look());
        let _ = write!(io::stderr(), "{text}");
    }

    /// One finding that has no place in a plan.
    pub(super) fn refuse(&self, diagnostic: Diagnostic) {
        let mut found = Diagnostics::without_source();
        found.push(diagnostic);
        self.show(&found);
    }

    /// A result: to standard output, or to the file that was asked for. `Err` holds how the program ends then.
    pub(super) fn print(&self, result: &str, output: &OutputArgs) -> Result<(), Outcome> {
        match &output.output {
            None => self.print_out(result),
            Some(path) => write_result(path, result).map_err(|error| {
                self.complain(&format!("error: {} could not be written: {error}", path.display()));
                Outcome::RunFailed
            }),
        }
    }

    fn print_out(&self, result: &str) -> Result<(), Outcome> {
        let mut out = io::stdout().lock();
        match out.write_all(result.as_bytes()).and_then(|()| out.flush()) {
            Ok(()) => Ok(()),
            // The reader had enough (`| head`): that is no failure of ours.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Err(error) => {
                self.complain(&format!("error: standard output could not be written: {error}"));
                Err(Outcome::RunFailed)
            }
        }
    }
}

/// A line on standard error.
pub(super) fn complain(line: &str) {
    // With standard error closed nobody is left to be told.
    let _ = writeln!(io::stderr(), "{line}");
}

fn columns(size: Option<(terminal_size::Width, terminal_size::Height)>) -> usize {
    match size {
        Some((terminal_size::Width(columns), _)) if columns > 0 => usize::from(columns).clamp(40, WIDEST),
        _ => PIPED_WIDTH,
    }
}
