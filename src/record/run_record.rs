use serde::Serialize;

use crate::event::{Failure, IoCounters, RunEnd, RunStarted, StepEnd};
use crate::measure::{Interval, WindowTotals};
use crate::schedule::{Action, Case, CaseId, ScheduledStep, StepId};

/// One execution of a schedule, as its events tell it. Made by [`Fold`](super::Fold) alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunRecord {
    /// What was known before anything was done, the schedule included.
    pub started: RunStarted,
    /// How far the run came.
    pub state: RunState,
    /// Who or what asked for the end, if anybody did: `SIGINT`.
    pub stop_reason: Option<String>,
    /// Offset of the last event from the run's start, in nanoseconds.
    pub elapsed_ns: u64,
    /// One entry for each step of the schedule, in its order.
    pub steps: Vec<StepRecord>,
}

/// How far a run came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunState {
    /// No end is known: the run is going on, or, in a journal, it was cut off.
    Begun,
    /// It ended this way.
    Ended(RunEnd),
}

/// What became of one step of the schedule.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepRecord {
    /// The step.
    pub id: StepId,
    /// How far it came.
    pub state: StepState,
    /// Offset of its start from the run's start, in nanoseconds.
    pub started_at_ns: Option<u64>,
    /// From its start to its end with all cases and gaps, in nanoseconds; known once it has ended.
    pub elapsed_ns: Option<u64>,
    /// Bytes written, ramps included; known once it has ended.
    pub bytes_written: Option<u64>,
    /// Bytes read, ramps included; known once it has ended.
    pub bytes_read: Option<u64>,
    /// Why it could not go on.
    pub failure: Option<Failure>,
    /// One entry for each case of the schedule, in its order. A fill has none there; here it has one once it has begun.
    pub cases: Vec<CaseRecord>,
}

/// How far a step came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepState {
    /// It has not begun.
    NotRun,
    /// It has begun, and no end is known.
    Begun,
    /// It ended this way.
    Ended(StepEnd),
}

/// What became of one case.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CaseRecord {
    /// The case.
    pub id: CaseId,
    /// How far it came.
    pub state: CaseState,
    /// Offset of its start from the run's start, in nanoseconds.
    pub started_at_ns: Option<u64>,
    /// The figures of its window; of a case that was stopped or failed, of the part that there was.
    pub totals: Option<WindowTotals>,
    /// What the kernel counted on the whole device meanwhile, from before the load to after it.
    pub kernel: Option<IoCounters>,
    /// Its intervals, in order.
    pub intervals: Vec<Interval>,
}

/// How far a case came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CaseState {
    /// It has not begun.
    NotRun,
    /// It has begun, and no end is known: it is going on, or was cut off together with the run.
    Begun,
    /// It ended this way.
    Ended(StepEnd),
}

impl RunRecord {
    /// The steps as planned beside what became of them, in the order of the schedule.
    pub fn steps(&self) -> impl Iterator<Item = (&ScheduledStep, &StepRecord)> {
        self.started.schedule.steps.iter().zip(&self.steps)
    }

    /// The measured cases whose whole window is there, and how many the schedule has.
    pub fn measured_cases(&self) -> (usize, usize) {
        let measured = self.steps().filter(|(planned, _)| matches!(planned.action, Action::Measure(_)));
        measured
            .flat_map(|(_, step)| &step.cases)
            .fold((0, 0), |(whole, all), case| (whole + usize::from(case.state.is_whole()), all + 1))
    }

    /// True where every step was done.
    pub fn is_complete(&self) -> bool {
        self.state == RunState::Ended(RunEnd::Complete)
    }

    /// The step that failed, if one did, with why.
    pub fn failure(&self) -> Option<(&StepRecord, &Failure)> {
        self.steps.iter().find_map(|step| step.failure.as_ref().map(|failure| (step, failure)))
    }
}

impl StepRecord {
    /// The cases as planned beside what became of them; none for a fill or an idle step.
    pub fn planned_cases<'a>(&'a self, planned: &'a ScheduledStep) -> impl Iterator<Item = (&'a Case, &'a CaseRecord)> {
        planned.action.cases().iter().zip(&self.cases)
    }
}

impl CaseState {
    /// True where the figures are those of the whole window that the plan asked for.
    pub const fn is_whole(self) -> bool {
        matches!(self, CaseState::Ended(end) if end.is_whole())
    }
}

impl StepState {
    /// True where the step was done as the plan asked.
    pub const fn is_whole(self) -> bool {
        matches!(self, StepState::Ended(end) if end.is_whole())
    }
}
