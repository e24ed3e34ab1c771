//! The command line as typed: clap structs and help text, nothing else.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::Outcome;

/// A declarative SSD test-plan interpreter: checks a plan, shows what it would do, does it, and prints the tables.
#[derive(Debug, Parser)]
#[command(name = "shakedown", version, max_term_width = 100, propagate_version = true)]
#[command(after_help = exit_codes())]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) common: Common,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// Every exit code in one line.
fn exit_codes() -> String {
    let codes: Vec<String> =
        Outcome::ALL.iter().map(|outcome| format!("{} {}", outcome.code(), outcome.meaning())).collect();
    format!("Exit codes: {}", codes.join(" · "))
}

/// Options of every subcommand.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of every command")]
pub(super) struct Common {
    /// Colour in messages and progress; NO_COLOR is respected
    #[arg(long, value_enum, default_value_t = ColorChoice::Auto, global = true, value_name = "WHEN")]
    pub(super) color: ColorChoice,
    /// Print results and errors alone: no progress, no remarks
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,
    /// Say more: `run` shows the schedule before it begins
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub(super) verbose: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorChoice {
    /// On a terminal
    Auto,
    /// Even when piped
    Always,
    /// Never
    Never,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Find every mistake of a plan at once, with place, reason and remedy
    Check(CheckArgs),
    /// The plan with its defaults spelled out, the story behind a diagnostic, or a word of the language
    Explain(ExplainArgs),
    /// Every step and case that a run would do, with its length and the bytes it writes; needs no drive
    Expand(ExpandArgs),
    /// What changed between two plans: in the method, in cases, hours and bytes, and whether results can be compared
    Diff(DiffArgs),
    /// Bring plans into the one layout, in place; comments and empty lines between paragraphs are kept
    Fmt(FmtArgs),
    /// Do what the plan says, record it, and print the tables
    Run(RunArgs),
    /// Print the tables of a finished (or interrupted) run again, from its result folder alone
    Report(ReportArgs),
    /// The block devices of this machine, and which may be used and why not
    Devices(DevicesArgs),
    /// Speak the language server protocol on standard input and output; editors start it
    Lsp(LspArgs),
}

/// A plan and the values of its parameters.
#[derive(Debug, Args)]
pub(super) struct PlanArgs {
    /// The plan file; `-` reads standard input
    #[arg(value_name = "PLAN")]
    pub(super) plan: PathBuf,
    #[command(flatten)]
    pub(super) set: SetArgs,
    /// Do only this test of the plan (repeatable); `setup` and `before-each` are done all the same
    #[arg(long = "test", value_name = "NAME")]
    pub(super) tests: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct SetArgs {
    /// Give a parameter of the plan another value (repeatable)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = name_value)]
    pub(super) set: Vec<(String, String)>,
}

/// Where a result goes.
#[derive(Debug, Args)]
pub(super) struct OutputArgs {
    /// Write the result to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Plan files, or folders with all `.kdl` files in them; `-` reads standard input
    #[arg(value_name = "PLAN", required = true)]
    pub(super) plans: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) set: SetArgs,
    /// How the findings are printed; all but `text` go to standard output
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub(super) format: CheckFormat,
    #[command(flatten)]
    pub(super) output: OutputArgs,
    /// Refuse plans with warnings too: the exit code is that of errors
    #[arg(long)]
    pub(super) deny_warnings: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum CheckFormat {
    /// For people
    Text,
    /// One JSON document
    Json,
    /// Annotations for a GitHub workflow
    Github,
    /// SARIF 2.1.0
    Sarif,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A name that is a file is a plan; one with a slash, as `unit/ambiguous`, is a diagnostic's code; \
                        else it is a word of the plan language."
)]
pub(super) struct ExplainArgs {
    /// A plan file (`-` for standard input), the code of a diagnostic, or a word of the plan language
    #[arg(value_name = "PLAN|CODE|WORD")]
    pub(super) subject: String,
    #[command(flatten)]
    pub(super) set: SetArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(super) struct ExpandArgs {
    #[command(flatten)]
    pub(super) plan: PlanArgs,
    /// Bind the plan to a target: bytes become exact, and what does not fit is said. Nothing is written
    #[arg(long, value_name = "ROLE=TARGET", value_parser = name_value)]
    pub(super) device: Vec<(String, String)>,
    /// How the schedule is printed
    #[arg(long, value_enum, default_value_t = ExpandFormat::Text)]
    pub(super) format: ExpandFormat,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ExpandFormat {
    /// For people: every step and case with its length and bytes
    Text,
    /// For people: the measured cases of each step as a grid
    Matrix,
    /// One JSON document
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ListFormat {
    /// For people
    Text,
    /// One JSON document
    Json,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Ends with 0 where the method is the same and with 5 where it differs; with --git always with 0.\n\
                        The plan of another commit: git show HEAD~1:a.kdl | shakedown diff - a.kdl --path a.kdl"
)]
pub(super) struct DiffArgs {
    /// The old plan and the new one; `-` reads one of them from standard input. With --git: what git passes on
    #[arg(value_name = "OLD NEW", required = true)]
    pub(super) files: Vec<String>,
    #[command(flatten)]
    pub(super) set: SetArgs,
    /// The place in the working tree of the plan from standard input: what it includes is looked for beside it
    #[arg(long, value_name = "FILE", conflicts_with = "git")]
    pub(super) path: Option<PathBuf>,
    /// Be called by git as an external diff: PATH OLD-FILE OLD-HEX OLD-MODE NEW-FILE NEW-HEX NEW-MODE
    #[arg(long)]
    pub(super) git: bool,
    /// How the difference is printed
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    pub(super) format: DiffFormat,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum DiffFormat {
    /// For people
    Text,
    /// To paste into a review
    Markdown,
    /// One JSON document
    Json,
}

#[derive(Debug, Args)]
pub(super) struct FmtArgs {
    /// Plan files, or folders with all `.kdl` files in them; `-` reads standard input and prints the result
    #[arg(value_name = "PLAN", required = true)]
    pub(super) plans: Vec<PathBuf>,
    /// Write nothing; list the files that have another layout, and end with 1 where there are any
    #[arg(long)]
    pub(super) check: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Without --device the plan runs on a scratch file beside the results, which is removed at the end.\n\
                        The last line on standard output of `run --quiet` is the result folder."
)]
pub(super) struct RunArgs {
    #[command(flatten)]
    pub(super) plan: PlanArgs,
    /// The target for a role of the plan: a block device or an existing file
    #[arg(long, value_name = "ROLE=TARGET", value_parser = name_value)]
    pub(super) device: Vec<(String, String)>,
    /// Agree that everything on this target is destroyed (repeatable): its serial number, or for a target
    /// without one its path and size, as /dev/loop0=1073741824
    #[arg(long, value_name = "SERIAL|PATH=BYTES")]
    pub(super) destroy: Vec<String>,
    /// Size of the scratch file; else a one-second probe of the disk decides
    #[arg(long, value_name = "SIZE", conflicts_with = "device")]
    pub(super) scratch: Option<String>,
    /// Go through the page cache where a file's file system refuses direct I/O. The results are marked:
    /// they are not the drive's figures
    #[arg(long)]
    pub(super) buffered: bool,
    /// Where result folders are made
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub(super) results: PathBuf,
    /// How the tables are printed
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(super) format: ReportFormat,
    /// End with exit code 5 where a case must not be used (grade C)
    #[arg(long)]
    pub(super) strict: bool,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// A result folder
    #[arg(value_name = "RUN")]
    pub(super) run: PathBuf,
    /// How the tables are printed
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(super) format: ReportFormat,
    /// End with exit code 5 where a case must not be used (grade C)
    #[arg(long)]
    pub(super) strict: bool,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ReportFormat {
    /// Tables for a terminal
    Text,
    /// Tables to paste into a review
    Markdown,
    /// One row for each case and direction, raw units
    Csv,
    /// One JSON document
    Json,
}

#[derive(Debug, Args)]
pub(super) struct DevicesArgs {
    /// How the list is printed
    #[arg(long, value_enum, default_value_t = ListFormat::Text)]
    pub(super) format: ListFormat,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(super) struct LspArgs {
    /// Taken because many editors pass it; nothing else is spoken
    #[arg(long)]
    pub(super) stdio: bool,
}

/// Splits at the first `=`: by-id links hold colons, values may hold further `=`.
fn name_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => Ok((name.into(), value.into())),
        _ => Err("write NAME=VALUE with something on both sides of the `=`".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        use clap::CommandFactory as _;
        Cli::command().debug_assert();
    }

    #[test]
    fn targets_keep_their_colons_and_further_equal_signs() {
        assert_eq!(
            name_value("dut=/dev/disk/by-path/pci-0000:01:00.0-nvme-1"),
            Ok(("dut".into(), "/dev/disk/by-path/pci-0000:01:00.0-nvme-1".into()))
        );
        assert_eq!(name_value("a=b=c"), Ok(("a".into(), "b=c".into())));
        assert!(name_value("dut=").is_err() && name_value("dut").is_err());
    }
}
