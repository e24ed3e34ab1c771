//! Whole runs in simulated time: a plan's text, a target's answers, and the events that come of them.

use shakedown::clock::SimulatedClock;
use shakedown::device::{FakeDevice, HostFacts, KernelRoot};
use shakedown::engine::{SimulatedEngine, SimulatedTarget, StopFlag};
use shakedown::event::{Event, EventKind, EventSink, FORMAT, Place, RunEnd, RunStarted};
use shakedown::plan::{self, Plan};
use shakedown::record::{RunRecord, fold};
use shakedown::run::{Bench, StopReason, run};
use shakedown::schedule::{Ground, Schedule, expand};
use shakedown::text::SourceFile;
use shakedown::units::ByteCount;

/// The plan of a text that must be sound.
pub(crate) fn plan_of(text: &str) -> (SourceFile, Plan) {
    let source = SourceFile::new("plan.kdl", text);
    let loaded = plan::load(&source, &[]);
    let plan = loaded.plan.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.all()));
    (source, plan)
}

/// A drive of that size with blocks of 512 bytes, written in 4,096.
pub(crate) fn ground(capacity_bytes: u64) -> Ground {
    Ground {
        capacity: ByteCount::new(capacity_bytes),
        device_capacity: ByteCount::new(capacity_bytes),
        logical_block_bytes: 512,
        physical_block_bytes: 4096,
        is_block_device: true,
    }
}

/// What came of a simulated run.
pub(crate) struct Ran {
    pub(crate) end: RunEnd,
    pub(crate) events: Vec<Event>,
    pub(crate) record: RunRecord,
}

/// Somebody who hears each event and may ask for the end; true where no more can be taken.
pub(crate) type Listener<'a> = dyn FnMut(&Event, &StopFlag) -> bool + 'a;

struct Ears<'a> {
    events: Vec<Event>,
    listener: &'a mut Listener<'a>,
    stop: StopFlag,
    has_failed: bool,
}

impl EventSink for Ears<'_> {
    fn take(&mut self, event: &Event) {
        self.events.push(event.clone());
        self.has_failed |= (self.listener)(event, &self.stop);
    }

    fn has_failed(&self) -> bool {
        self.has_failed
    }
}

/// Runs a plan on a target of that size in simulated time.
pub(crate) fn simulate(text: &str, capacity_bytes: u64, target: impl SimulatedTarget) -> Ran {
    simulate_heard(text, capacity_bytes, target, &mut |_, _| false)
}

/// The same with somebody who listens.
pub(crate) fn simulate_heard<'a>(
    text: &str,
    capacity_bytes: u64,
    target: impl SimulatedTarget,
    listener: &'a mut Listener<'a>,
) -> Ran {
    let (source, plan) = plan_of(text);
    let ground = ground(capacity_bytes);
    let schedule = expand(&plan, Some(&ground));
    let clock = SimulatedClock::default();
    let mut engine = SimulatedEngine::new(target, clock);
    let stop = StopFlag::new();
    let reason = StopReason::new();
    let place_of = |span: shakedown::text::Span| {
        let (line, column) = source.line_column(span.start);
        Place { line, column }
    };
    let bench = Bench {
        ground,
        alignment_bytes: 4096,
        stop: &stop,
        stop_reason: &reason,
        is_there: &|| true,
        counters: &|| None,
        place_of: &place_of,
    };
    let mut ears = Ears { events: Vec::new(), listener, stop: stop.clone(), has_failed: false };
    let end = run(started(schedule, capacity_bytes), &bench, &mut engine, &mut ears);
    let record = fold(&ears.events).expect("a run tells events that fit each other");
    Ran { end, events: ears.events, record }
}

fn started(schedule: Schedule, capacity_bytes: u64) -> RunStarted {
    let nowhere = KernelRoot::below("/nonexistent");
    let cpus = shakedown::device::CpuSet::new(vec![0, 1]);
    RunStarted {
        format: FORMAT,
        tool_version: "0.0.0".into(),
        run_id: "simulated".into(),
        started_at: "2026-01-02T03:04:05Z".into(),
        plan_sha256: "0".repeat(64),
        changed_params: Vec::new(),
        role: "dut".into(),
        target: FakeDevice::clean_facts("SIM0001", capacity_bytes),
        is_direct: true,
        is_scratch: false,
        is_simulated: true,
        host: HostFacts::read_below(&nowhere, cpus),
        cpus: vec![0, 1],
        clock_read_ns: 0,
        schedule,
        remarks: Vec::new(),
        provenance: Vec::new(),
    }
}

/// The names of the events, in order.
pub(crate) fn names(events: &[Event]) -> Vec<String> {
    let name = |event: &Event| match &event.kind {
        EventKind::RunStarted(_) => "run".to_string(),
        EventKind::StepStarted { step } => format!("step {step}"),
        EventKind::CaseStarted { case, .. } => format!("case {case}"),
        EventKind::IntervalSampled(_) => "interval".into(),
        EventKind::CaseFinished(finished) => format!("case ends {:?}", finished.end),
        EventKind::StepFinished(finished) => format!("step ends {:?}", finished.end),
        EventKind::StepFailed { .. } => "failure".into(),
        EventKind::StopRequested { .. } => "stop".into(),
        EventKind::RunFinished { end } => format!("run ends {end:?}"),
    };
    events.iter().map(name).collect()
}
