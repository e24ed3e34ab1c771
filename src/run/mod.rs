//! Walks a schedule: one step after the other, one load after the other, and tells all of it as events.
//!
//! Must never print, write a file or look at a clock of its own: the engine has the clock, the sink has the listeners.

mod failure;
mod load;
mod teller;

use std::sync::Mutex;

use crate::device::IoCounters;
use crate::engine::{Engine, EngineError, LoadSpec, StopFlag};
use crate::event::{
    CaseFinished, Cause, EventKind, EventSink, Failure, IntervalSampled, Place, RunEnd, RunStarted, StepEnd,
    StepFinished,
};
use crate::measure::LoadOutcome;
use crate::schedule::{Action, CaseId, Ground, Schedule, ScheduledStep};
use crate::text::Span;
use crate::units::RunTime;
use teller::Teller;

/// Why a run should stop, set by whoever raises the [`StopFlag`].
#[derive(Debug, Default)]
pub struct StopReason(Mutex<Option<String>>);

impl StopReason {
    /// No reason yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the reason; the first one stays.
    pub fn set(&self, reason: &str) {
        let mut held = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        held.get_or_insert_with(|| reason.to_string());
    }

    fn get(&self) -> String {
        let held = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        held.clone().unwrap_or_else(|| "a request from outside".into())
    }
}

/// What a run works with beside the schedule.
pub struct Bench<'a> {
    /// The target's size and blocks.
    pub ground: Ground,
    /// What buffers are aligned to, in bytes.
    pub alignment_bytes: usize,
    /// Asks for the end.
    pub stop: &'a StopFlag,
    /// Why.
    pub stop_reason: &'a StopReason,
    /// Whether the target is still there; asked after a failure.
    pub is_there: &'a dyn Fn() -> bool,
    /// Reads the kernel's counters of the target, where it keeps any.
    pub counters: &'a dyn Fn() -> Option<IoCounters>,
    /// Turns a place in the plan's text into line and column.
    pub place_of: &'a dyn Fn(Span) -> Place,
}

/// How long operations in flight at the end of a load are waited for. The kernel's own timeout for a lost request is
/// 30 s, with retries above a minute.
const DRAIN_DEADLINE: RunTime = RunTime::from_secs(120);

/// Does what `started` holds as its schedule, from the first step to the last, and says how it ended.
///
/// Every outcome is told as an event, a failure too; the last event is always `RunFinished`. After a failure or a stop
/// the steps that follow are not begun.
pub fn run(started: RunStarted, bench: &Bench<'_>, engine: &mut dyn Engine, sink: &mut dyn EventSink) -> RunEnd {
    let schedule = started.schedule.clone();
    let mut walk = Walk { bench, teller: Teller::new(engine.now_ns(), sink), engine };
    walk.tell(EventKind::RunStarted(Box::new(started)));
    let mut end = RunEnd::Complete;
    for step in &schedule.steps {
        match walk.step(step) {
            StepEnd::Failed => end = RunEnd::Failed,
            StepEnd::Stopped => end = RunEnd::Stopped,
            StepEnd::Complete | StepEnd::Written | StepEnd::Passes => continue,
        }
        break;
    }
    walk.tell(EventKind::RunFinished { end });
    if walk.teller.has_failed() { RunEnd::Failed } else { end }
}

/// The first step of a schedule that this version cannot carry out, if any.
pub fn cannot_carry_out<'s>(schedule: &'s Schedule, ground: &Ground) -> Option<&'s ScheduledStep> {
    let is_load = |case: &crate::schedule::Case| load::of_case(case, ground, 1).is_some();
    schedule.steps.iter().find(|step| !match &step.action {
        Action::Idle(_) | Action::LimitTo(_) => true,
        Action::Fill(fill) => load::of_fill(fill, ground, 1).is_some(),
        Action::Precondition(_) | Action::Measure(_) => {
            step.between_cases.is_empty() && step.action.cases().iter().all(is_load)
        }
        _ => false,
    })
}

struct Walk<'a, 'b> {
    bench: &'a Bench<'a>,
    engine: &'a mut dyn Engine,
    teller: Teller<'b>,
}

/// What a step has moved so far, ramps included.
#[derive(Default)]
struct Moved {
    bytes_read: u64,
    bytes_written: u64,
}

impl Walk<'_, '_> {
    fn tell(&mut self, kind: EventKind) {
        self.teller.tell(self.engine.now_ns(), kind);
    }

    fn step(&mut self, step: &ScheduledStep) -> StepEnd {
        let begun_ns = self.engine.now_ns();
        let mut moved = Moved::default();
        let stopped_before = self.bench.stop.is_raised();
        self.tell(EventKind::StepStarted { step: step.id.clone() });
        let end = if stopped_before { self.stopped() } else { self.act(step, &mut moved) };
        let elapsed_ns = self.engine.now_ns() - begun_ns;
        self.tell(EventKind::StepFinished(StepFinished {
            step: step.id.clone(),
            end,
            elapsed_ns,
            bytes_written: moved.bytes_written,
            bytes_read: moved.bytes_read,
        }));
        end
    }

    fn act(&mut self, step: &ScheduledStep, moved: &mut Moved) -> StepEnd {
        let ground = self.bench.ground.limited_to(step.area);
        let alignment = self.bench.alignment_bytes;
        match &step.action {
            Action::Idle(time) => self.idle(*time),
            // The steps that follow have it as their area.
            Action::LimitTo(_) => StepEnd::Complete,
            Action::Fill(fill) => {
                let case = load::fill_case_id(fill);
                self.load_if_built(step, &case, load::of_fill(fill, &ground, alignment), moved)
            }
            Action::Precondition(_) | Action::Measure(_) if step.between_cases.is_empty() => {
                for case in step.action.cases() {
                    let end = self.load_if_built(step, &case.id, load::of_case(case, &ground, alignment), moved);
                    if !end.is_whole() || matches!(step.action, Action::Precondition(_)) {
                        return end;
                    }
                }
                StepEnd::Complete
            }
            _ => self.not_built(step, None),
        }
    }

    fn load_if_built(
        &mut self,
        step: &ScheduledStep,
        case: &CaseId,
        spec: Option<LoadSpec>,
        moved: &mut Moved,
    ) -> StepEnd {
        match spec {
            Some(spec) => self.load(step, case, &spec, moved),
            None => self.not_built(step, Some(case)),
        }
    }

    /// A plan with such a step is refused before anything is begun; this is for whoever comes here without that.
    fn not_built(&mut self, step: &ScheduledStep, case: Option<&CaseId>) -> StepEnd {
        let place = (self.bench.place_of)(step.place);
        let what = case.map_or(String::new(), |case| format!(" as {case} asks for it"));
        let message = format!("this version cannot carry out `{}`{what}", step.action.name());
        let failure = Failure::new(message, Cause::NotBuilt, place);
        self.tell(EventKind::StepFailed { step: step.id.clone(), failure });
        StepEnd::Failed
    }

    /// No command of ours at all (semantics S17).
    fn idle(&mut self, time: RunTime) -> StepEnd {
        let until_ns = self.engine.now_ns().saturating_add(time.as_nanos());
        if self.engine.idle_until(until_ns, self.bench.stop) { StepEnd::Complete } else { self.stopped() }
    }

    fn stopped(&mut self) -> StepEnd {
        self.tell(EventKind::StopRequested { reason: self.bench.stop_reason.get() });
        StepEnd::Stopped
    }

    fn load(
        &mut self,
        step: &ScheduledStep,
        case: &CaseId,
        spec: &crate::engine::LoadSpec,
        moved: &mut Moved,
    ) -> StepEnd {
        self.tell(EventKind::CaseStarted { step: step.id.clone(), case: case.clone() });
        let load_begun_ns = self.engine.now_ns();
        let teller = &mut self.teller;
        let (stop, reason) = (self.bench.stop, self.bench.stop_reason);
        let mut last_ns = load_begun_ns;
        let counted_before = (self.bench.counters)();
        let outcome = self.engine.run_load(spec, stop, &mut |interval| {
            // The engine is busy with the load; the interval's own end is the best stamp there is.
            last_ns = last_ns.max(load_begun_ns + spec.ramp_ns + interval.start_ns + interval.length_ns);
            let sampled = IntervalSampled { step: step.id.clone(), case: case.clone(), interval: *interval };
            teller.tell(last_ns, EventKind::IntervalSampled(sampled));
            if teller.has_failed() {
                reason.set(JOURNAL_FAILED);
                stop.raise();
            }
        });
        let counted = (self.bench.counters)().zip(counted_before).map(|(after, before)| after.since(&before));
        match outcome {
            Ok(outcome) => self.loaded(step, case, outcome, counted, moved),
            Err(error) => self.not_begun(step, &error),
        }
    }

    fn loaded(
        &mut self,
        step: &ScheduledStep,
        case: &CaseId,
        outcome: LoadOutcome,
        kernel: Option<IoCounters>,
        moved: &mut Moved,
    ) -> StepEnd {
        moved.bytes_read += outcome.totals.moved.bytes_read;
        moved.bytes_written += outcome.totals.moved.bytes_written;
        let end = failure::step_end(outcome.ended);
        let failure = outcome.failure;
        self.tell(EventKind::CaseFinished(Box::new(CaseFinished {
            step: step.id.clone(),
            case: case.clone(),
            end,
            totals: outcome.totals,
            kernel,
        })));
        match (end, failure) {
            (StepEnd::Failed, failure) => {
                let place = (self.bench.place_of)(step.place);
                let failure = failure::of_io(failure, &self.bench.ground, (self.bench.is_there)(), place);
                self.tell(EventKind::StepFailed { step: step.id.clone(), failure });
                StepEnd::Failed
            }
            (StepEnd::Stopped, _) if self.teller.has_failed() => self.journal_failed(step),
            (StepEnd::Stopped, _) => self.stopped(),
            (end, _) if self.teller.has_failed() => {
                debug_assert!(end.is_whole());
                self.journal_failed(step)
            }
            (end, _) => end,
        }
    }

    /// The journal takes nothing more, so nobody will read this there; a live listener shows it.
    fn journal_failed(&mut self, step: &ScheduledStep) -> StepEnd {
        let place = (self.bench.place_of)(step.place);
        let failure = Failure::new(JOURNAL_FAILED, Cause::Journal, place);
        self.tell(EventKind::StepFailed { step: step.id.clone(), failure });
        StepEnd::Failed
    }

    fn not_begun(&mut self, step: &ScheduledStep, error: &EngineError) -> StepEnd {
        let place = (self.bench.place_of)(step.place);
        let failure = failure::of_engine(error, place);
        self.tell(EventKind::StepFailed { step: step.id.clone(), failure });
        StepEnd::Failed
    }
}

const JOURNAL_FAILED: &str = "the journal could not be written, so what would be measured now would be lost";
