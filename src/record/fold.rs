use std::collections::HashMap;
use std::fmt;

use super::figures::check_sums;
use super::{CaseRecord, CaseState, RunRecord, RunState, StepRecord, StepState};
use crate::event::{CaseFinished, Event, EventKind, IntervalSampled, RunEnd, RunStarted, StepFinished};
use crate::schedule::{Action, CaseId, ScheduledStep, StepId};

/// Builds a [`RunRecord`] event by event, for a live run (through [`LiveRecord`](super::LiveRecord)) and for a journal
/// alike.
#[derive(Debug, Default)]
pub struct Fold {
    record: Option<RunRecord>,
    /// Where each step of the schedule stands.
    places: HashMap<StepId, usize>,
    /// The step that began last.
    current: Option<usize>,
    next_sequence: u64,
}

/// Why events do not add up to a run: the journal was altered, or the program that wrote it has a mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoldError {
    /// The sequence number of the event that does not fit.
    pub sequence: u64,
    /// What is wrong with it, as a sentence fragment.
    pub message: String,
}

impl FoldError {
    /// The stable code of the diagnostic.
    pub const fn code(&self) -> &'static str {
        "journal/contradicts-itself"
    }
}

impl fmt::Display for FoldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event {} does not fit into the run: {}", self.sequence, self.message)
    }
}

impl std::error::Error for FoldError {}

/// Folds all events of a run.
///
/// # Errors
///
/// The first event that does not fit, or no event at all.
pub fn fold<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<RunRecord, FoldError> {
    let mut fold = Fold::new();
    for event in events {
        fold.apply(event)?;
    }
    fold.finish()
}

impl Fold {
    /// Before the first event.
    pub fn new() -> Self {
        Self::default()
    }

    /// The record so far; `None` before the first event.
    pub fn record(&self) -> Option<&RunRecord> {
        self.record.as_ref()
    }

    /// The record of all events.
    ///
    /// # Errors
    ///
    /// There was no event.
    pub fn finish(self) -> Result<RunRecord, FoldError> {
        self.record.ok_or_else(|| FoldError { sequence: 0, message: "there is no event at all".to_owned() })
    }

    /// Adds the next event. After an error the record is as it was before that event.
    ///
    /// # Errors
    ///
    /// The event does not fit to what came before it.
    pub fn apply(&mut self, event: &Event) -> Result<(), FoldError> {
        self.place(event).map_err(|message| FoldError { sequence: event.sequence, message })
    }

    fn place(&mut self, event: &Event) -> Result<(), String> {
        if event.sequence != self.next_sequence {
            return Err(match self.next_sequence.checked_sub(1) {
                Some(before) => format!("the event before it was number {before}"),
                None => "it comes first, and the first is number 0".to_owned(),
            });
        }
        match (&self.record, &event.kind) {
            (None, EventKind::RunStarted(started)) => self.start(started, event.at_ns)?,
            (None, _) => return Err("a run begins with run-started".to_owned()),
            (Some(_), EventKind::RunStarted(_)) => return Err("the run has started already".to_owned()),
            (Some(record), _) if record.state != RunState::Begun => return Err("the run has ended already".to_owned()),
            (Some(record), _) if event.at_ns < record.elapsed_ns => return Err("its time lies before".to_owned()),
            (Some(_), kind) => self.go_on(kind, event.at_ns)?,
        }
        self.next_sequence = self.next_sequence.saturating_add(1);
        if let Some(record) = &mut self.record {
            record.elapsed_ns = event.at_ns;
        }
        Ok(())
    }

    fn start(&mut self, started: &RunStarted, at_ns: u64) -> Result<(), String> {
        if !started.format.is_readable() {
            return Err(format!("its format {}.{} is unknown", started.format.major, started.format.minor));
        }
        let mut places = HashMap::new();
        for (place, step) in started.schedule.steps.iter().enumerate() {
            if places.insert(step.id.clone(), place).is_some() {
                return Err(format!("the schedule has two steps {}", step.id));
            }
            check_names(step)?;
        }
        let steps = started.schedule.steps.iter().map(StepRecord::before).collect();
        self.places = places;
        self.record = Some(RunRecord {
            started: started.clone(),
            state: RunState::Begun,
            stop_reason: None,
            elapsed_ns: at_ns,
            steps,
        });
        Ok(())
    }

    fn go_on(&mut self, kind: &EventKind, at_ns: u64) -> Result<(), String> {
        match kind {
            EventKind::RunStarted(_) => Err("the run has started already".to_owned()),
            EventKind::StepStarted { step } => self.start_step(step, at_ns),
            EventKind::CaseStarted { step, case } => self.start_case(step, case, at_ns),
            EventKind::IntervalSampled(sampled) => self.add_interval(sampled),
            EventKind::CaseFinished(finished) => self.finish_case(finished),
            EventKind::StepFinished(finished) => self.finish_step(finished),
            EventKind::StepFailed { step, failure } => {
                let step = self.open_step(step)?;
                if step.failure.is_some() {
                    return Err(format!("step {} has failed already", step.id));
                }
                step.failure = Some(failure.clone());
                Ok(())
            }
            EventKind::StopRequested { reason } => {
                // The first reason is why the run ended; a second signal only hurries it.
                let record = self.record.as_mut().ok_or("a run begins with run-started")?;
                record.stop_reason.get_or_insert_with(|| reason.clone());
                Ok(())
            }
            EventKind::RunFinished { end } => self.finish_run(*end),
        }
    }

    fn start_step(&mut self, id: &StepId, at_ns: u64) -> Result<(), String> {
        let place = *self.places.get(id).ok_or_else(|| format!("the schedule has no step {id}"))?;
        if self.current.is_some_and(|current| place <= current) {
            return Err(format!("step {id} is not behind the one before it"));
        }
        let record = self.record.as_mut().ok_or("a run begins with run-started")?;
        if let Some(before) = self.current.map(|current| &record.steps[current])
            && before.state == StepState::Begun
            && before.failure.is_none()
        {
            return Err(format!("step {id} begins and step {} has not ended", before.id));
        }
        let step = &mut record.steps[place];
        step.state = StepState::Begun;
        step.started_at_ns = Some(at_ns);
        self.current = Some(place);
        Ok(())
    }

    /// The step of that name, which must be the one that goes on.
    fn open_step(&mut self, id: &StepId) -> Result<&mut StepRecord, String> {
        let record = self.record.as_mut().ok_or("a run begins with run-started")?;
        let place = *self.places.get(id).ok_or_else(|| format!("the schedule has no step {id}"))?;
        let step = &mut record.steps[place];
        if self.current != Some(place) || step.state != StepState::Begun {
            return Err(format!("step {id} is not going on"));
        }
        Ok(step)
    }

    /// The case of that name, which must be going on.
    fn open_case(&mut self, step: &StepId, id: &CaseId) -> Result<&mut CaseRecord, String> {
        let cases = self.open_step(step)?.cases.iter_mut();
        let open = cases.into_iter().find(|case| case.id == *id && case.state == CaseState::Begun);
        open.ok_or_else(|| format!("case {id} of step {step} is not going on"))
    }

    fn start_case(&mut self, step: &StepId, id: &CaseId, at_ns: u64) -> Result<(), String> {
        let place = self.places.get(step).copied();
        let record = self.record.as_ref();
        let planned = place.zip(record).map(|(place, record)| &record.started.schedule.steps[place].action);
        let is_fill = matches!(planned, Some(Action::Fill(_)));
        let open = self.open_step(step)?;
        if let Some(other) = open.cases.iter().find(|case| case.state == CaseState::Begun) {
            return Err(format!("case {id} begins and case {} has not ended", other.id));
        }
        // A fill is one load, which the schedule gives no name of its own.
        if is_fill && open.cases.is_empty() {
            open.cases.push(CaseRecord::before(id));
        }
        let case = open.cases.iter_mut().find(|case| case.id == *id && case.state == CaseState::NotRun);
        let case = case.ok_or_else(|| format!("step {step} has no case {id}, or has done it"))?;
        case.state = CaseState::Begun;
        case.started_at_ns = Some(at_ns);
        Ok(())
    }

    fn add_interval(&mut self, sampled: &IntervalSampled) -> Result<(), String> {
        let interval = sampled.interval;
        let case = self.open_case(&sampled.step, &sampled.case)?;
        if case.intervals.last().is_some_and(|last| last.index >= interval.index || last.is_partial) {
            return Err(format!("interval {} is not behind the one before it", interval.index));
        }
        check_sums(&interval.sides)?;
        case.intervals.push(interval);
        Ok(())
    }

    fn finish_case(&mut self, finished: &CaseFinished) -> Result<(), String> {
        check_sums(&finished.totals.sides)?;
        super::figures::check_histograms(&finished.totals.histograms)?;
        let case = self.open_case(&finished.step, &finished.case)?;
        case.state = CaseState::Ended(finished.end);
        case.totals = Some(finished.totals.clone());
        case.kernel = finished.kernel;
        Ok(())
    }

    fn finish_step(&mut self, finished: &StepFinished) -> Result<(), String> {
        let step = self.open_step(&finished.step)?;
        let undone = step.cases.iter().find(|case| !case.state.is_whole());
        if let Some(case) = undone
            && finished.end.is_whole()
        {
            return Err(format!("step {} is complete and its case {} is not", finished.step, case.id));
        }
        step.state = StepState::Ended(finished.end);
        step.elapsed_ns = Some(finished.elapsed_ns);
        step.bytes_written = Some(finished.bytes_written);
        step.bytes_read = Some(finished.bytes_read);
        Ok(())
    }

    fn finish_run(&mut self, end: RunEnd) -> Result<(), String> {
        let record = self.record.as_mut().ok_or("a run begins with run-started")?;
        let undone = record.steps.iter().find(|step| !step.state.is_whole());
        if let Some(step) = undone
            && end == RunEnd::Complete
        {
            return Err(format!("the run is complete and its step {} is not", step.id));
        }
        record.state = RunState::Ended(end);
        Ok(())
    }
}

/// Two cases of one name could not be told apart in the events.
fn check_names(step: &ScheduledStep) -> Result<(), String> {
    let mut names: Vec<_> = step.action.cases().iter().map(|case| &case.id).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("step {} has two cases {}", step.id, pair[0])),
        None => Ok(()),
    }
}

impl StepRecord {
    fn before(planned: &ScheduledStep) -> Self {
        Self {
            id: planned.id.clone(),
            state: StepState::NotRun,
            started_at_ns: None,
            elapsed_ns: None,
            bytes_written: None,
            bytes_read: None,
            failure: None,
            cases: planned.action.cases().iter().map(|case| CaseRecord::before(&case.id)).collect(),
        }
    }
}

impl CaseRecord {
    fn before(id: &CaseId) -> Self {
        Self {
            id: id.clone(),
            state: CaseState::NotRun,
            started_at_ns: None,
            totals: None,
            kernel: None,
            intervals: Vec::new(),
        }
    }
}
