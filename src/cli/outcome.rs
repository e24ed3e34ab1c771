use std::process::ExitCode;

/// How the program ended, for scripts. The numbers are documented and never change their meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Done.
    Done,
    /// The plan is refused.
    PlanRefused,
    /// The command line is wrong, or a file that it names cannot be used.
    WrongCommandLine,
    /// A device or safety refusal.
    DeviceRefused,
    /// A failure during the run.
    RunFailed,
    /// Finished, but a limit, a verdict or a comparison failed.
    LimitFailed,
    /// Interrupted.
    Interrupted,
}

impl Outcome {
    /// All, in the order of their codes.
    pub const ALL: [Outcome; 7] = [
        Outcome::Done,
        Outcome::PlanRefused,
        Outcome::WrongCommandLine,
        Outcome::DeviceRefused,
        Outcome::RunFailed,
        Outcome::LimitFailed,
        Outcome::Interrupted,
    ];

    /// The exit code.
    pub const fn code(self) -> u8 {
        match self {
            Outcome::Done => 0,
            Outcome::PlanRefused => 1,
            Outcome::WrongCommandLine => 2,
            Outcome::DeviceRefused => 3,
            Outcome::RunFailed => 4,
            Outcome::LimitFailed => 5,
            Outcome::Interrupted => 130,
        }
    }

    /// What it says, in a few words: the table of the help and of the book.
    pub const fn meaning(self) -> &'static str {
        match self {
            Outcome::Done => "done",
            Outcome::PlanRefused => "plan refused",
            Outcome::WrongCommandLine => "wrong command line",
            Outcome::DeviceRefused => "device or safety refusal",
            Outcome::RunFailed => "failure during the run",
            Outcome::LimitFailed => "finished, but a limit, a verdict or a comparison failed",
            Outcome::Interrupted => "interrupted",
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(outcome.code())
    }
}
