//! Runs told by hand, event by event, as a run would tell them. The figures are invented and easy to recompute.

use serde_json::json;
use shakedown::event::{
    CaseFinished, Event, EventKind, FormatVersion, IntervalSampled, IoCounters, RunEnd, RunStarted, StepEnd,
    StepFinished,
};
use shakedown::measure::{
    GeneratorFacts, InFlight, Interval, LatencyHistogram, Side, SideHistograms, Sides, Traffic, WindowTotals,
};
use shakedown::plan::{Access, Data, EngineKind, Extent, SpanOfArea, Start};
use shakedown::schedule::{
    Action, Case, CaseId, CaseLimits, CaseLoad, CaseSize, CaseSpread, CaseStream, Estimate, Schedule, ScheduledFill,
    ScheduledStep, StepId,
};
use shakedown::text::Span;
use shakedown::units::{BlockSize, ByteCount, Percent, QueueDepth, ReadShare, RunTime, Threads};

const SECOND: u64 = 1_000_000_000;

/// Latencies in nanoseconds, each with how often it occurs.
pub(crate) type Latencies<'a> = &'a [(u64, u64)];

/// One direction of a window: moments, bytes and histogram of the same operations.
pub(crate) fn side(latencies: Latencies<'_>, block_bytes: u64) -> (Side, LatencyHistogram) {
    let (mut side, mut histogram) = (Side::default(), LatencyHistogram::new());
    for &(latency_ns, count) in latencies {
        histogram.record_many(latency_ns, count);
        for _ in 0..count {
            side.moments.record(latency_ns);
        }
        side.bytes += count * block_bytes;
    }
    (side, histogram)
}

/// A window of ten seconds behind a ramp of two, with a generator that has nothing to be ashamed of.
pub(crate) fn window(reads: Latencies<'_>, writes: Latencies<'_>, block_bytes: u64) -> WindowTotals {
    let (read, read_histogram) = side(reads, block_bytes);
    let (write, write_histogram) = side(writes, block_bytes);
    let moved = Traffic {
        read_operations: read.moments.count,
        bytes_read: read.bytes,
        write_operations: write.moments.count,
        bytes_written: write.bytes,
    };
    WindowTotals {
        ramp_ns: 2 * SECOND,
        length_ns: 10 * SECOND,
        sides: Sides { read, write },
        histograms: SideHistograms { read: read_histogram, write: write_histogram },
        moved,
        generator: GeneratorFacts { workers: 4, processors: 4, busy_ns: 6 * SECOND, ..GeneratorFacts::default() },
        ..WindowTotals::default()
    }
}

fn case(name: &str, block_bytes: u64, read_percent: u32, threads: u32, queue_depth: u32) -> Case {
    let share = Percent::from_parts_per_million(read_percent * 10_000);
    Case {
        id: CaseId::new(name),
        loads: vec![CaseLoad {
            name: "mixed".to_owned(),
            workload: "mixed".to_owned(),
            threads: Threads::new(threads).expect("not 0"),
            queue_depth: QueueDepth::new(queue_depth).expect("not 0"),
            rate: None,
            arrivals: None,
            burst: None,
            start: Start::Beginning,
            streams: vec![CaseStream {
                name: None,
                share: Percent::HUNDRED,
                access: Access::Random,
                spread: CaseSpread::default(),
                sizes: vec![CaseSize {
                    side: None,
                    size: BlockSize::new(block_bytes).expect("not 0"),
                    share: Percent::HUNDRED,
                }],
                read: ReadShare::new(share).expect("at most 100 %"),
                trim: Percent::ZERO,
                span: SpanOfArea::WHOLE,
                data: Data::Incompressible,
                flush_every: None,
                think_time: None,
            }],
        }],
        on_curve: None,
        picked_by: None,
        ramp: RunTime::from_secs(2),
        limits: CaseLimits { time: Some(RunTime::from_secs(10)), ..CaseLimits::default() },
        sample: RunTime::from_secs(1),
        seed: 7,
        estimate: Estimate::nothing(),
    }
}

fn step(section: &str, label: &str, action: Action) -> ScheduledStep {
    ScheduledStep {
        id: StepId::new(section, label),
        section: section.to_owned(),
        label: label.to_owned(),
        variant: Vec::new(),
        action,
        between_cases: Vec::new(),
        steady_state: None,
        estimate: Estimate::nothing(),
        area: None,
        area_bytes: None,
        place: Span::new(0, 1),
    }
}

/// A fill, a precondition, a matrix of three cells with a mix, and two single cases.
pub(crate) fn schedule() -> Schedule {
    let fill = ScheduledFill {
        extent: Extent::Share(Percent::HUNDRED),
        passes: 1,
        on_device: false,
        access: Access::SequentialShared,
        data: Data::Incompressible,
        rate: None,
        block_size: BlockSize::new(128 << 10).expect("not 0"),
        threads: Threads::ONE,
        queue_depth: QueueDepth::ONE,
        seed: 1,
    };
    let matrix = vec![case("2T/2Q", 8192, 70, 2, 2), case("2T/4Q", 8192, 70, 2, 4), case("16T/16Q", 8192, 70, 16, 16)];
    Schedule {
        plan: "sr-fio-ri-2017".to_owned(),
        title: Some("8 KiB 70/30 over threads and queue depth".to_owned()),
        revision: Some(1),
        engine: EngineKind::Sync,
        seed: 1,
        area: Some(ByteCount::new(1_200_243_695_616)),
        method: None,
        conditions: None,
        steps: vec![
            step("setup", "fill", Action::Fill(fill)),
            step("8k-70-30", "condition", Action::Precondition(Box::new(case("16T/16Q", 8192, 70, 16, 16)))),
            step("8k-70-30", "8k-70-30", Action::Measure(matrix)),
            step("corners", "4k-random-read", Action::Measure(vec![case("4T/4Q", 4096, 100, 4, 4)])),
            step("corners", "4k-random-write", Action::Measure(vec![case("4T/4Q", 4096, 0, 4, 4)])),
        ],
    }
}

/// The first event's facts, for a drive that never was.
pub(crate) fn started() -> RunStarted {
    let target = json!({
        "kind": "block-device", "path": "/dev/sdb", "resolved_path": "/dev/sdb", "number": "8:16",
        "capacity_bytes": 1_200_243_695_616_u64, "logical_block_bytes": 512, "physical_block_bytes": 4096,
        "direct_io": { "is_supported": true, "memory_alignment_bytes": 4, "offset_alignment_bytes": 512 },
        "model": "INTEL SSDSC2BX012T4", "serial": "S3610-0042", "firmware": "G2010140", "transport": "sata",
        "is_rotational": false, "is_read_only": false, "is_removable": false, "base_disks": [], "unread": [],
    });
    let host = json!({
        "kernel": "6.12.9", "cpu_model": "Intel(R) Xeon(R) CPU E5-2690 v4", "cpus_online": [0, 1, 2, 3, 4, 5, 6, 7],
        "cpus_allowed": [0, 1, 2, 3], "governors": ["performance"], "clock_source": "tsc",
    });
    RunStarted {
        format: FormatVersion { major: 1, minor: 0 },
        tool_version: "0.1.0".to_owned(),
        run_id: "2026-11-30-sr-fio-ri-2017-S3610-0042".to_owned(),
        started_at: "2026-11-30T12:00:00Z".to_owned(),
        plan_sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".to_owned(),
        changed_params: vec!["hours=1".to_owned()],
        role: "dut".to_owned(),
        target: serde_json::from_value(target).expect("facts of a drive"),
        is_direct: true,
        is_scratch: false,
        is_simulated: false,
        host: serde_json::from_value(host).expect("facts of a host"),
        cpus: vec![0, 1, 2, 3],
        clock_read_ns: 28,
        schedule: schedule(),
        remarks: vec!["allow \"unwritten-reads\": the area is the whole drive and was filled".to_owned()],
        provenance: vec!["(chosen) 2 s ramp and 10 s run instead of the published 60 s and 300 s".to_owned()],
    }
}

/// Events numbered and timed as they are added, a second apart.
pub(crate) struct Story {
    pub(crate) events: Vec<Event>,
}

impl Story {
    pub(crate) fn begin(started: RunStarted) -> Self {
        let mut story = Self { events: Vec::new() };
        story.tell(EventKind::RunStarted(Box::new(started)));
        story
    }

    pub(crate) fn tell(&mut self, kind: EventKind) {
        let sequence = self.events.len() as u64;
        self.events.push(Event { sequence, at_ns: sequence * SECOND, kind });
    }

    pub(crate) fn start_step(&mut self, id: &str) -> StepId {
        let (section, label) = id.split_once('/').expect("section/label");
        let step = StepId::new(section, label);
        self.tell(EventKind::StepStarted { step: step.clone() });
        step
    }

    pub(crate) fn start_case(&mut self, step: &StepId, name: &str) -> CaseId {
        let case = CaseId::new(name);
        self.tell(EventKind::CaseStarted { step: step.clone(), case: case.clone() });
        case
    }

    pub(crate) fn interval(&mut self, step: &StepId, case: &CaseId, index: u64, sides: Sides) {
        let interval = Interval { index, start_ns: index * SECOND, length_ns: SECOND, is_partial: false, sides };
        self.tell(EventKind::IntervalSampled(IntervalSampled { step: step.clone(), case: case.clone(), interval }));
    }

    pub(crate) fn finish_case(&mut self, step: &StepId, case: CaseId, end: StepEnd, totals: WindowTotals) {
        self.finish_case_counted(step, case, end, totals, None);
    }

    /// The same with what the kernel counted on the device.
    pub(crate) fn finish_case_counted(
        &mut self,
        step: &StepId,
        case: CaseId,
        end: StepEnd,
        totals: WindowTotals,
        kernel: Option<IoCounters>,
    ) {
        let finished = CaseFinished { step: step.clone(), case, end, totals, kernel };
        self.tell(EventKind::CaseFinished(Box::new(finished)));
    }

    pub(crate) fn finish_step(&mut self, step: StepId, end: StepEnd, bytes_written: u64, bytes_read: u64) {
        let elapsed_ns = 12 * SECOND;
        self.tell(EventKind::StepFinished(StepFinished { step, end, elapsed_ns, bytes_written, bytes_read }));
    }

    /// A case with one interval and its totals.
    pub(crate) fn whole_case(&mut self, step: &StepId, name: &str, totals: WindowTotals) {
        let case = self.start_case(step, name);
        let sides = totals.sides;
        self.interval(step, &case, 0, sides);
        self.finish_case(step, case, StepEnd::Complete, totals);
    }
}

/// Reads of a mix: 7 of 10 operations at depth `slots`, the more of them the slower.
fn mix(slots: u64) -> WindowTotals {
    let reads = [(90_000 * slots, 6_300), (400_000 * slots, 690), (1_900_000 * slots, 9), (2_350_000 * slots, 1)];
    let writes = [(40_000 * slots, 2_700), (300_000 * slots, 299), (1_500_000 * slots, 1)];
    window(&reads, &writes, 8192)
}

/// A complete run of `schedule`, with remarks of several kinds in the matrix.
pub(crate) fn complete_run() -> Vec<Event> {
    let mut story = Story::begin(started());
    let step = story.start_step("setup/fill");
    story.whole_case(&step, "1T/1Q", window(&[], &[(250_000, 4_000)], 128 << 10));
    story.finish_step(step, StepEnd::Complete, 524_288_000, 0);

    let step = story.start_step("8k-70-30/condition");
    story.whole_case(&step, "16T/16Q", mix(16));
    story.finish_step(step, StepEnd::Complete, 24_576_000, 57_344_000);

    let step = story.start_step("8k-70-30/8k-70-30");
    story.whole_case(&step, "2T/2Q", mix(1));
    let mut waited = mix(2);
    waited.generator.run_delay_ns = 2 * SECOND;
    story.whole_case(&step, "2T/4Q", waited);
    let mut held = mix(16);
    held.in_flight = InFlight { operations: 256, longest_ns: 40_123_456, unfinished: 0 };
    held.generator.busy_ns = 47 * SECOND;
    held.generator.run_delay_ns = 3 * SECOND;
    story.whole_case(&step, "16T/16Q", held);
    story.finish_step(step, StepEnd::Complete, 73_728_000, 172_032_000);

    let step = story.start_step("corners/4k-random-read");
    story.whole_case(&step, "4T/4Q", window(&[(80_000, 180_000), (95_000, 19_500), (2_000_000, 500)], &[], 4096));
    story.finish_step(step, StepEnd::Complete, 0, 819_200_000);
    let step = story.start_step("corners/4k-random-write");
    story.whole_case(&step, "4T/4Q", window(&[], &[(30_000, 5_000), (15_000_000, 5)], 4096));
    story.finish_step(step, StepEnd::Complete, 20_500_480, 0);
    story.tell(EventKind::RunFinished { end: RunEnd::Complete });
    story.events
}

/// The same run, stopped in the second cell of the matrix.
pub(crate) fn stopped_run() -> Vec<Event> {
    let mut story = run_into_the_matrix();
    let step = StepId::new("8k-70-30", "8k-70-30");
    let mut part = mix(2);
    part.length_ns = 4 * SECOND;
    story.finish_case(&step, CaseId::new("2T/4Q"), StepEnd::Stopped, part);
    story.tell(EventKind::StopRequested { reason: "SIGINT".to_owned() });
    story.finish_step(step, StepEnd::Stopped, 49_152_000, 114_688_000);
    story.tell(EventKind::RunFinished { end: RunEnd::Stopped });
    story.events
}

/// The same run, killed in the second cell of the matrix after three intervals.
pub(crate) fn cut_off_run() -> Vec<Event> {
    run_into_the_matrix().events
}

fn run_into_the_matrix() -> Story {
    let mut story = Story::begin(started());
    let step = story.start_step("setup/fill");
    story.whole_case(&step, "1T/1Q", window(&[], &[(250_000, 4_000)], 128 << 10));
    story.finish_step(step, StepEnd::Complete, 524_288_000, 0);
    let step = story.start_step("8k-70-30/condition");
    story.whole_case(&step, "16T/16Q", mix(16));
    story.finish_step(step, StepEnd::Complete, 24_576_000, 57_344_000);
    let step = story.start_step("8k-70-30/8k-70-30");
    story.whole_case(&step, "2T/2Q", mix(1));
    let case = story.start_case(&step, "2T/4Q");
    for index in 0..3 {
        let (read, _) = side(&[(180_000, 700), (800_000, 7)], 8192);
        let (write, _) = side(&[(80_000, 300), (600_000, 3)], 8192);
        story.interval(&step, &case, index, Sides { read, write });
    }
    story
}
