use std::path::Path;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::args::{ReportFormat, RunArgs};
use super::plan_text::LoadedPlan;
use super::progress::Progress;
use super::{Outcome, Screen, place, plan_text, report, stop, target};
use crate::clock::{Clock as _, RealClock, check_clock};
use crate::device::{self, Consent, CpuSet, Device, HostFacts, OpenDevice};
use crate::diag::{Diagnostic, Diagnostics, code};
use crate::engine::{StopFlag, SyncEngine, SyncTarget};
use crate::event::{EventSink, FORMAT, Fanout, Place, RunEnd, RunStarted};
use crate::plan::{EngineKind, Plan};
use crate::record::{self, JournalWriter, LiveRecord, ResultFolder, StoreError};
use crate::run::{self, Bench, StopReason};
use crate::schedule::{self, Ground, History, Schedule};
use crate::text::SourceFile;

/// `shakedown run PLAN`
pub(super) fn run(args: &RunArgs, screen: &Screen) -> Outcome {
    stop::outlive_file_size_limits();
    match try_run(args, screen) {
        Ok(outcome) | Err(outcome) => outcome,
    }
}

/// Reads of the clock in its self-test: some ten microseconds.
const CLOCK_READS: u32 = 1000;

fn try_run(args: &RunArgs, screen: &Screen) -> Result<Outcome, Outcome> {
    let loaded = plan_text::load_chosen(&args.plan, screen)?;
    refuse_other_engines(&loaded, screen)?;
    refuse_words_not_run(&loaded, screen)?;
    if place::is_kernel_place(&args.results) {
        let source = std::io::Error::other("/dev, /proc and /sys are no place for results");
        let path = args.results.clone();
        return Err(no_results(&StoreError::Io { path, action: "create the folder", source }, screen));
    }
    let named = target::named(&loaded.plan, &args.device, args.buffered, screen)?;
    let scratch = args.scratch.as_deref().map(|text| target::scratch_argument(text, screen)).transpose()?;
    match named {
        Some(device) => {
            let prepared = prepare(&loaded, device.as_ref(), History::Unknown, &args.plan.tests, screen)?;
            let open = open(device.as_ref(), &prepared.schedule, args, screen)?;
            let folder = result_folder(args, &loaded, device.as_ref(), screen)?;
            measure(args, &loaded, prepared, device.as_ref(), &open, folder, screen)
        }
        None => {
            // The schedule without a target says how long the run takes beside the filling.
            let unbound = schedule::expand(&loaded.plan, None);
            ResultFolder::create_place(&args.results).map_err(|error| no_results(&error, screen))?;
            let name = format!(".shakedown-scratch-{}", std::process::id());
            let (file, permit) = target::scratch(&args.results, &name, scratch, &unbound, args.buffered, screen)?;
            let prepared = prepare(&loaded, &file, History::Empty, &args.plan.tests, screen)?;
            let open = file.open_for_write(&permit).map_err(|error| target::refused(&error, screen))?;
            let folder = result_folder(args, &loaded, &file, screen)?;
            measure(args, &loaded, prepared, &file, &open, folder, screen)
        }
    }
}

fn refuse_other_engines(loaded: &LoadedPlan, screen: &Screen) -> Result<(), Outcome> {
    let engine = loaded.plan.host.engine;
    if engine.value == EngineKind::Sync {
        return Ok(());
    }
    let message = format!("the engine \"{}\" cannot be run yet", engine.value.name());
    let mut found = Diagnostics::new(&loaded.source);
    found.push(
        Diagnostic::error(code::ENGINE_NOT_BUILT, message)
            .label(loaded.plan.texts.local(engine.span).1, "asked for here")
            .help("use the engine \"sync\"; results of the two engines are not comparable"),
    );
    screen.show(&found);
    Err(Outcome::PlanRefused)
}

/// Refuses what can be checked and expanded and not carried out, before anything is touched.
fn refuse_words_not_run(loaded: &LoadedPlan, screen: &Screen) -> Result<(), Outcome> {
    let mut found = Diagnostics::new(&loaded.source);
    for word in &loaded.plan.not_run {
        found.push(not_run(&word.word, word.span));
    }
    if found.is_empty() {
        return Ok(());
    }
    screen.show(&loaded.plan.texts.settle(&found));
    Err(Outcome::PlanRefused)
}

fn one(diagnostic: Diagnostic) -> Diagnostics {
    let mut found = Diagnostics::without_source();
    found.push(diagnostic);
    found
}

fn not_run(what: &str, span: crate::text::Span) -> Diagnostic {
    Diagnostic::error(code::PLAN_NOT_RUN, format!("this version cannot run {what}"))
        .label(span, "can be checked and expanded; a run would be another method")
        .help("leave it out, or run the tests that do without it with `--test NAME`")
}

/// A schedule that fits its target, with what was remarked on the way.
struct Prepared {
    schedule: Schedule,
    ground: Ground,
    remarks: Vec<String>,
}

fn prepare(
    loaded: &LoadedPlan,
    device: &dyn Device,
    history: History,
    tests: &[String],
    screen: &Screen,
) -> Result<Prepared, Outcome> {
    let ground = target::ground(device.facts());
    let mut found = loaded.found.clone();
    let texts = &loaded.plan.texts;
    found.append(texts.settle(&schedule::bind(&loaded.plan, &ground)));
    let mut schedule = schedule::expand(&loaded.plan, Some(&ground));
    schedule.conditions = Some(target::conditions(&loaded.plan, &schedule, device.facts()));
    found.append(texts.settle(&schedule::check(&loaded.plan, &schedule, Some(&ground), history)));
    if let Some(step) = run::cannot_carry_out(&schedule, &ground) {
        found.append(texts.settle(&one(not_run(&format!("`{}` as it stands here", step.action.name()), step.place))));
    }
    screen.show(&found);
    if found.has_errors() {
        return Err(Outcome::PlanRefused);
    }
    for step in &mut schedule.steps {
        // The journal knows the plan's own file alone.
        step.place = texts.in_plan(step.place);
    }
    if screen.is_verbose {
        screen.say(&crate::report::schedule_text(&schedule, Some(device.facts()), screen.width()));
    }
    let remarks = found.ordered().into_iter().map(|finding| {
        let source = finding.source.as_ref().unwrap_or(&loaded.source);
        let whose = if *source == loaded.source { "the plan" } else { source.name() };
        let line = finding.primary().map(|label| source.line_column(label.span.start).0);
        let place = line.map(|line| format!(" (line {line} of {whose})")).unwrap_or_default();
        format!("{}: {}{place}", finding.code, finding.message)
    });
    let reasons = loaded.plan.tests.iter().flat_map(|test| {
        test.allows
            .iter()
            .map(|allow| format!("allowed {} in {}: {}", allow.what.value, test.name.value, allow.because.value))
    });
    let chosen = (!tests.is_empty())
        .then(|| format!("only a part of the plan was asked for: --test {}", tests.join(" --test ")));
    let remarks = remarks.chain(reasons).chain(chosen).collect();
    Ok(Prepared { schedule, ground, remarks })
}

/// Opens the target: for writing only where the schedule writes and the person agreed.
fn open(device: &dyn Device, schedule: &Schedule, args: &RunArgs, screen: &Screen) -> Result<OpenDevice, Outcome> {
    let opened = if schedule.has_writes() {
        let consent = Consent::from_arguments(&args.destroy);
        let permit =
            device::approve(device.facts(), &consent).map_err(|refusal| target::not_approved(&refusal, screen))?;
        device.open_for_write(&permit)
    } else {
        device.open_for_read()
    };
    opened.map_err(|error| target::refused(&error, screen))
}

fn no_results(error: &StoreError, screen: &Screen) -> Outcome {
    screen.complain(&format!("error[{}]: {error}", error.code()));
    if let Some(help) = error.help() {
        screen.complain(&format!("  help: {help}"));
    }
    Outcome::RunFailed
}

fn result_folder(
    args: &RunArgs,
    loaded: &LoadedPlan,
    device: &dyn Device,
    screen: &Screen,
) -> Result<ResultFolder, Outcome> {
    let facts = device.facts();
    let is_scratch = facts.file.as_ref().is_some_and(|file| file.is_scratch);
    let label = match (&facts.serial, is_scratch) {
        (Some(serial), _) => serial.clone(),
        (None, true) => "scratch".into(),
        (None, false) => {
            Path::new(&facts.path).file_name().map_or("target".into(), |name| name.to_string_lossy().into_owned())
        }
    };
    let today = wall_time()[..10].to_string();
    let run_id = record::run_id(&today, &loaded.plan.header.name.value, &label);
    let folder = ResultFolder::create(&args.results, &run_id).map_err(|error| no_results(&error, screen))?;
    let included = || loaded.plan.texts.included().map(|(path, source)| (path, source.text()));
    match folder.write_plan(loaded.source.text()).and_then(|()| folder.write_included(included())) {
        Ok(()) => Ok(folder),
        Err(error) => Err(not_begun(folder, &error, screen)),
    }
}

/// A folder without a run in it is of no use to anyone.
fn not_begun(folder: ResultFolder, error: &StoreError, screen: &Screen) -> Outcome {
    folder.discard();
    no_results(error, screen)
}

/// Now, as RFC 3339 in UTC to the second.
fn wall_time() -> String {
    let nanos = i128::from(RealClock.wall_ns());
    let stamp = jiff::Timestamp::from_nanosecond(nanos).unwrap_or_default();
    stamp.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn measure(
    args: &RunArgs,
    loaded: &LoadedPlan,
    prepared: Prepared,
    device: &dyn Device,
    open: &OpenDevice,
    folder: ResultFolder,
    screen: &Screen,
) -> Result<Outcome, Outcome> {
    let host = HostFacts::read().map_err(|error| no_host(&error, screen))?;
    let cpus: Vec<usize> =
        CpuSet::allowed().map_err(|error| no_host(&error, screen))?.as_slice().iter().map(|&id| id as usize).collect();
    let stop_flag = StopFlag::new();
    let stop_reason = Arc::new(StopReason::new());
    let mut progress = Progress::new(screen);
    stop::listen(&stop_flag, &stop_reason, progress.voice()).map_err(|error| no_host(&error, screen))?;
    let alignment = device.facts().direct_io.memory_alignment_bytes.max(4096) as usize;
    let mut engine = engine(open, cpus.clone()).map_err(|error| no_host(&error, screen))?;
    let started = started(loaded, &prepared, device, open, host, cpus, folder.run_id());
    let path = folder.journal_path();
    let journal = folder.write_facts(&started).and_then(|()| {
        JournalWriter::create(&path).map_err(|source| StoreError::Io { path, action: "create", source })
    });
    let mut journal = match journal {
        Ok(journal) => journal,
        Err(error) => return Err(not_begun(folder, &error, screen)),
    };
    let mut fold = LiveRecord::new();
    let place_of = |span: crate::text::Span| line_and_column(&loaded.source, span.start);
    let bench = Bench {
        ground: prepared.ground,
        alignment_bytes: alignment,
        stop: &stop_flag,
        stop_reason: &stop_reason,
        is_there: &|| device.is_there(),
        counters: &|| device.counters(),
        place_of: &place_of,
    };
    let end = {
        let sinks: Vec<&mut dyn EventSink> = vec![&mut journal, &mut fold, &mut progress];
        let mut sinks = Fanout::new(sinks);
        run::run(started, &bench, &mut engine, &mut sinks)
    };
    progress.finish();
    let closed = journal.close();
    publish(args, end, closed, fold, &folder, screen)
}

/// The blocking engine over the open target. All descriptors are of one opening, since it is exclusive.
fn engine(open: &OpenDevice, cpus: Vec<usize>) -> std::io::Result<SyncEngine> {
    let read = open.file().try_clone()?;
    let target = if open.is_writable() {
        SyncTarget::read_write(read, open.file().try_clone()?)
    } else {
        SyncTarget::read_only(read)
    };
    Ok(SyncEngine::new(target, cpus))
}

/// Prints the tables and says where the results are. A journal that is not whole never ends as a success.
fn publish(
    args: &RunArgs,
    end: RunEnd,
    closed: std::io::Result<()>,
    fold: LiveRecord,
    folder: &ResultFolder,
    screen: &Screen,
) -> Result<Outcome, Outcome> {
    let record = fold.finish().map_err(|error| {
        screen.complain(&format!("error: the events of this run do not make a record: {error} (please report this)"));
        Outcome::RunFailed
    })?;
    let failure = record.failure().map(|(_, failure)| failure.clone());
    let tables = report::tables(&record, args.format, screen);
    let wants_tables = !screen.is_quiet || args.output.output.is_some() || args.format != ReportFormat::Text;
    let printed = if wants_tables { screen.print(&tables, &args.output) } else { Ok(()) };
    if let Some(failure) = &failure {
        let Place { line, column } = failure.place;
        screen.complain(&format!("error: {}", failure.message));
        screen.complain(&format!(
            "  in the step at {}:{line}:{column}; what was measured before is kept",
            args.plan.plan.display()
        ));
    }
    if end == RunEnd::Stopped {
        screen.say("the run was stopped and is incomplete; what was measured before is kept");
    }
    let place = folder.path().display();
    if screen.is_quiet && args.format == ReportFormat::Text {
        screen.print(&format!("{place}\n"), &super::args::OutputArgs { output: None })?;
    } else {
        screen.say(&format!("results in {place}"));
    }
    if let Err(error) = closed {
        screen.complain(&format!("error: the journal in {place} is not whole: {error}"));
        return Err(Outcome::RunFailed);
    }
    printed?;
    Ok(match end {
        RunEnd::Complete if args.strict => report::judged(&record, screen),
        RunEnd::Complete => Outcome::Done,
        RunEnd::Stopped => Outcome::Interrupted,
        RunEnd::Failed => Outcome::RunFailed,
    })
}

fn no_host(error: &std::io::Error, screen: &Screen) -> Outcome {
    screen.complain(&format!("error: this machine does not tell what the run needs to know: {error}"));
    Outcome::RunFailed
}

fn line_and_column(source: &SourceFile, offset: usize) -> Place {
    let (line, column) = source.line_column(offset);
    Place { line, column }
}

fn started(
    loaded: &LoadedPlan,
    prepared: &Prepared,
    device: &dyn Device,
    open: &OpenDevice,
    host: HostFacts,
    cpus: Vec<usize>,
    run_id: String,
) -> RunStarted {
    let facts = device.facts().clone();
    RunStarted {
        format: FORMAT,
        tool_version: env!("CARGO_PKG_VERSION").into(),
        run_id,
        started_at: wall_time(),
        plan_sha256: digest(loaded),
        changed_params: changed(&loaded.plan),
        role: target::role(&loaded.plan),
        is_direct: open.is_direct(),
        is_scratch: facts.file.as_ref().is_some_and(|file| file.is_scratch),
        is_simulated: false,
        target: facts,
        host,
        cpus,
        clock_read_ns: check_clock(&RealClock, CLOCK_READS).read_ns.round() as u64,
        schedule: prepared.schedule.clone(),
        remarks: prepared.remarks.clone(),
        provenance: crate::plan::provenance_notes(&loaded.plan),
    }
}

/// Of the plan's text; each included file follows behind a zero byte, its path and another, none of which a text can hold.
fn digest(loaded: &LoadedPlan) -> String {
    let mut digest = Sha256::new_with_prefix(loaded.source.text());
    for (path, source) in loaded.plan.texts.included() {
        for part in ["\0", path, "\0", source.text()] {
            digest.update(part);
        }
    }
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn changed(plan: &Plan) -> Vec<String> {
    let changed = plan.params.iter().filter(|param| param.is_changed());
    changed.map(|param| format!("{}={}", param.name, param.value)).collect()
}
