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
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(outcome.code())
    }
}
