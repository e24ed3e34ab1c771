//! Where a run is: redrawn in place on a terminal, line by line elsewhere. An event sink like any other.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Screen;
use super::screen::complain;
use crate::event::{Event, EventKind, EventSink, IntervalSampled};
use crate::measure::Interval;
use crate::schedule::{Action, Case, Schedule, ScheduledStep, StepId};
use crate::units::{ByteCount, NANOS_PER_SECOND, RunTime};

/// Off a terminal a long step says so often where it is.
const LINE_EVERY_NS: u64 = 60 * NANOS_PER_SECOND;

/// Draws the progress of a run on standard error.
pub(super) struct Progress<'a> {
    screen: &'a Screen,
    bar: Option<ProgressBar>,
    schedule: Option<Schedule>,
    now: Now,
}

/// What is going on.
#[derive(Default)]
struct Now {
    /// Position of the step in the schedule.
    step: usize,
    /// Cases of the step that are over.
    cases_done: usize,
    step_begun_ns: u64,
    case_begun_ns: u64,
    /// Bytes moved in the current case so far, by its intervals.
    case_bytes: u64,
    /// The rate of the last writing step, for what is still to be filled.
    write_rate: Option<f64>,
    last_line_ns: u64,
}

impl<'a> Progress<'a> {
    pub(super) fn new(screen: &'a Screen) -> Self {
        let bar = (screen.has_terminal && !screen.is_quiet).then(|| {
            let bar = ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::stderr());
            bar.set_style(style());
            bar
        });
        Self { screen, bar, schedule: None, now: Now::default() }
    }

    /// Leaves the terminal as it was.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Says a line from another thread, without disturbing what is drawn.
    pub(super) fn voice(&self) -> impl Fn(&str) + Send + 'static {
        let bar = self.bar.clone();
        let is_quiet = self.screen.is_quiet;
        move |text| match &bar {
            _ if is_quiet => {}
            Some(bar) => bar.suspend(|| complain(text)),
            None => complain(text),
        }
    }

    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| self.screen.say(text)),
            None => self.screen.say(text),
        }
    }

    fn step_started(&mut self, at_ns: u64, id: &StepId) {
        let Some(schedule) = &self.schedule else { return };
        let Some(index) = schedule.steps.iter().position(|step| step.id == *id) else { return };
        self.now = Now {
            step: index,
            step_begun_ns: at_ns,
            case_begun_ns: at_ns,
            last_line_ns: at_ns,
            write_rate: self.now.write_rate,
            ..Now::default()
        };
        if self.bar.is_none() {
            let step = &schedule.steps[index];
            let left = left_text(remaining(schedule, &self.now, at_ns));
            let (number, steps) = (index + 1, schedule.steps.len());
            self.line(&format!("[{number}/{steps}] {}{left}", title(step)));
        }
        self.draw(at_ns, "", None);
    }

    fn sampled(&mut self, at_ns: u64, sampled: &IntervalSampled) {
        let interval = &sampled.interval;
        self.now.case_bytes += interval.sides.bytes();
        let written = interval.sides.write.bytes;
        if written > 0 && interval.sides.read.bytes == 0 && interval.length_ns > 0 {
            self.now.write_rate = Some(written as f64 * 1e9 / interval.length_ns as f64);
        }
        let figures = figures(interval);
        if self.bar.is_none() && at_ns - self.now.last_line_ns >= LINE_EVERY_NS {
            self.now.last_line_ns = at_ns;
            if let Some(schedule) = &self.schedule {
                let left = left_text(remaining(schedule, &self.now, at_ns));
                self.line(&format!("      {} {}{left}", sampled.case, figures));
            }
        }
        self.draw(at_ns, sampled.case.as_str(), Some(&figures));
    }

    fn draw(&self, at_ns: u64, case: &str, figures: Option<&str>) {
        let (Some(bar), Some(schedule)) = (&self.bar, &self.schedule) else { return };
        let Some(step) = schedule.steps.get(self.now.step) else { return };
        let shares = (0..schedule.steps.len()).map(|_| 1.0).sum::<f64>().max(1.0);
        let inside = inside(step, &self.now, at_ns).unwrap_or(0.0);
        bar.set_position((1000.0 * (self.now.step as f64 + inside) / shares) as u64);
        let left = left_text(remaining(schedule, &self.now, at_ns));
        bar.set_prefix(format!("{} {case}{left}", title(step)));
        bar.set_message(figures.unwrap_or("…").to_string());
    }
}

/// `8k-70-30 › measure 8k-70-30`, without saying a name twice where the step has none of its own.
fn title(step: &ScheduledStep) -> String {
    let name = step.action.name();
    if step.label == name {
        format!("{} › {name}", step.section)
    } else {
        format!("{} › {name} {}", step.section, step.label)
    }
}

fn style() -> ProgressStyle {
    // Cut at the terminal's width, never wrapped: a wrapped line could not be cleared. The template is a constant; the plain bar stands in should it ever be wrong.
    ProgressStyle::with_template("{prefix}\n  {bar:20} {percent:>3} %  {wide_msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("█▌░")
}

/// The last interval in a few words.
fn figures(interval: &Interval) -> String {
    let pooled = interval.sides.pooled();
    let mean = pooled.mean_ns().map_or_else(|| "–".into(), latency);
    let max = if pooled.count > 0 { latency(pooled.max_ns as f64) } else { "–".into() };
    let iops = count(interval.iops());
    format!("{iops} IOPS  {:.0} MB/s  mean {mean}  max {max}", interval.bytes_per_second() / 1e6)
}

fn count(value: f64) -> String {
    if value < 9_999.5 { format!("{value:.0}") } else { format!("{:.1}k", value / 1000.0) }
}

fn latency(nanos: f64) -> String {
    if nanos < 1e6 { format!("{:.0} us", nanos / 1e3) } else { format!("{:.2} ms", nanos / 1e6) }
}

fn left_text(left: Left) -> String {
    match left {
        Left { time, is_whole: true } => format!("  · {} left", time.human()),
        Left { time: RunTime::ZERO, is_whole: false } => String::new(),
        Left { time, is_whole: false } => format!("  · at least {} left", time.human()),
    }
}

/// How long the run still takes, as far as is known.
struct Left {
    time: RunTime,
    /// False where some step's length depends on a speed that nobody has seen yet.
    is_whole: bool,
}

fn remaining(schedule: &Schedule, now: &Now, at_ns: u64) -> Left {
    let mut nanos = 0.0;
    let mut is_whole = true;
    for (index, step) in schedule.steps.iter().enumerate().skip(now.step) {
        match step_nanos(step, schedule, now) {
            Some(whole) if index == now.step => {
                let elapsed = at_ns.saturating_sub(now.step_begun_ns) as f64;
                nanos += inside(step, now, at_ns).map_or((whole - elapsed).max(0.0), |done| whole * (1.0 - done));
            }
            Some(whole) => nanos += whole,
            None => {
                is_whole = false;
                nanos += step.estimate.time_low.as_nanos() as f64;
            }
        }
    }
    Left { time: RunTime::from_nanos(nanos as u64), is_whole }
}

/// The length of a step: by the plan, or by its bytes at the rate that was seen.
fn step_nanos(step: &ScheduledStep, schedule: &Schedule, now: &Now) -> Option<f64> {
    match &step.action {
        Action::Fill(fill) => {
            let area = schedule.area.unwrap_or(ByteCount::ZERO);
            let bytes = fill.extent.resolve(area).get() as f64 * f64::from(fill.passes);
            now.write_rate.filter(|rate| *rate > 0.0).map(|rate| bytes / rate * 1e9)
        }
        _ => step.estimate.time_high.map(|time| time.as_nanos() as f64),
    }
}

/// How much of a step is done, from 0 to 1.
fn inside(step: &ScheduledStep, now: &Now, at_ns: u64) -> Option<f64> {
    let elapsed = at_ns.saturating_sub(now.step_begun_ns) as f64;
    let share = match &step.action {
        Action::Fill(_) => {
            let whole = step.estimate.written.low.bytes.get() as f64;
            (whole > 0.0).then(|| now.case_bytes as f64 / whole)
        }
        Action::Idle(time) => (time.as_nanos() > 0).then(|| elapsed / time.as_nanos() as f64),
        Action::Precondition(case) => of_cases(std::slice::from_ref(case.as_ref()), now, at_ns),
        Action::Measure(cases) => of_cases(cases, now, at_ns),
        _ => None,
    };
    share.map(|share| share.clamp(0.0, 1.0))
}

fn of_cases(cases: &[Case], now: &Now, at_ns: u64) -> Option<f64> {
    let case = cases.get(now.cases_done)?;
    let length = case.estimate.time_high?.as_nanos() as f64;
    let elapsed = at_ns.saturating_sub(now.case_begun_ns) as f64;
    let done = now.cases_done as f64 + (elapsed / length.max(1.0)).min(1.0);
    Some(done / cases.len() as f64)
}

impl EventSink for Progress<'_> {
    fn take(&mut self, event: &Event) {
        let at_ns = event.at_ns;
        match &event.kind {
            EventKind::RunStarted(started) => self.schedule = Some(started.schedule.clone()),
            EventKind::StepStarted { step } => self.step_started(at_ns, step),
            EventKind::CaseStarted { case, .. } => {
                self.now.case_begun_ns = at_ns;
                self.now.case_bytes = 0;
                self.draw(at_ns, case.as_str(), None);
            }
            EventKind::IntervalSampled(sampled) => self.sampled(at_ns, sampled),
            EventKind::CaseFinished(_) => self.now.cases_done += 1,
            // Whoever asked for the end said so, at once and not only when the load is over.
            EventKind::StopRequested { .. }
            | EventKind::StepFinished(_)
            | EventKind::StepFailed { .. }
            | EventKind::RunFinished { .. } => {}
        }
    }
}
