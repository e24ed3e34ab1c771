//! Steps.

use crate::plan::model::{
    Access, Fill, FillAmount, Given, Pick, PickChoice, RoundCount, SecureErase, Step, StepKind, Workload,
};
use crate::units::Metric;

use super::workload::extent;
use super::{Page, annotation, in_quotes, quoted, value_in};

/// Steps one after the other. What a `for-each` has put in for a value stands in one of this value alone, which does
/// nothing but name them: they have the same names again.
pub(super) fn steps(steps: &[Step], workloads: &[Workload], page: &mut Page) {
    steps_in(steps, &[], workloads, page);
}

/// The same inside of a step, around which the `for-each` of these values are open already.
pub(super) fn steps_in(steps: &[Step], around: &[(String, String)], workloads: &[Workload], page: &mut Page) {
    let mut open = around;
    for step in steps {
        let common = open.iter().zip(&step.variant).take_while(|(a, b)| a == b).count();
        open[common..].iter().for_each(|_| page.close());
        for (name, value) in &step.variant[common..] {
            page.open(&format!("for-each {} {}", quoted(name), quoted(value)));
        }
        open = &step.variant;
        self::step(step, workloads, page);
    }
    open[around.len()..].iter().for_each(|_| page.close());
}

fn step(step: &Step, workloads: &[Workload], page: &mut Page) {
    let mark = annotation(step.provenance, page.outer);
    let outer = std::mem::replace(&mut page.outer, step.provenance);
    let name = step.kind.name();
    let in_page = page.outer;
    let line = |page: &mut Page, values: &[String]| page.line(&format!("{mark}{name} {}", values.join(" ")));
    match &step.kind {
        StepKind::SecureErase(erase) => purge(mark, erase, page),
        StepKind::Partition(partition) => {
            let mut values = vec![value_in(in_page, &partition.size, extent)];
            if !partition.keep.is_default {
                values.push(format!("keep={}", value_in(in_page, &partition.keep, |keep| format!("#{keep}"))));
            }
            line(page, &values);
        }
        StepKind::LimitTo(part) | StepKind::Trim(part) => line(page, &[value_in(in_page, part, extent)]),
        StepKind::WriteCache(on) => {
            line(page, &[value_in(in_page, on, |on| quoted(if *on { "on" } else { "off" }))]);
        }
        StepKind::Set(setting) => line(
            page,
            &[
                value_in(in_page, &setting.name, |name| quoted(name)),
                value_in(in_page, &setting.value, |value| set_to(&setting.name.value, value)),
            ],
        ),
        StepKind::Idle(time) => line(page, &[value_in(in_page, time, in_quotes)]),
        StepKind::CoolDown(cool) => line(
            page,
            &[
                format!("to={}", value_in(in_page, &cool.to_celsius, |degrees| format!("\"{degrees}C\""))),
                format!("at-most={}", value_in(in_page, &cool.at_most, in_quotes)),
            ],
        ),
        StepKind::Fill(fill) => self::fill(mark, fill, page),
        StepKind::Precondition(load) | StepKind::Measure(load) => {
            super::load::load(&format!("{mark}{name}"), step, load, workloads, page);
        }
        StepKind::Rounds(rounds) => {
            let count = match rounds.count.value {
                RoundCount::Exactly(_) => value_in(in_page, &rounds.count, count),
                RoundCount::AtMost(_) => format!("max={}", value_in(in_page, &rounds.count, count)),
            };
            page.open(&format!("{mark}rounds {count}"));
            steps_in(&rounds.steps, &step.variant, workloads, page);
            if let Some(rule) = &rounds.steady_state {
                super::load::steady_state(rule, page);
            }
            page.close();
        }
        StepKind::Pick(pick) => self::pick(mark, pick, page),
        StepKind::Replay(_) | StepKind::Verify(_) | StepKind::Application(_) => {
            page.line(&format!("{mark}{name}"));
        }
    }
    page.outer = outer;
}

fn count(count: &RoundCount) -> String {
    let (RoundCount::Exactly(count) | RoundCount::AtMost(count)) = count;
    count.to_string()
}

/// The value of a setting: counts are bare.
fn set_to(name: &str, value: &str) -> String {
    match name {
        "scheduler" | "read-ahead" => quoted(value),
        _ => value.to_string(),
    }
}

fn pick(mark: &str, pick: &Pick, page: &mut Page) {
    let outer = page.outer;
    let text = |given: &Given<String>| value_in(outer, given, |text| quoted(text));
    let metric = |given: &Given<Metric>| value_in(outer, given, |metric| quoted(&metric.to_string()));
    page.open(&format!("{mark}pick {} from={}", text(&pick.name), text(&pick.from)));
    match &pick.choice {
        PickChoice::Highest(of) => page.leaf("highest", &[metric(of)], false),
        PickChoice::Lowest(of) => page.leaf("lowest", &[metric(of)], false),
        PickChoice::Nearest { metric: of, between, and } => {
            let parts = [metric(of), format!("between={}", text(between)), format!("and={}", text(and))];
            page.leaf("nearest", &parts, false);
        }
        PickChoice::At(values) => {
            let values: Vec<String> = values.iter().map(|value| super::load::axis_value(outer, value)).collect();
            page.leaf("at", &values, false);
        }
    }
    for condition in &pick.conditions {
        page.leaf("where", &super::load::expect(outer, condition), false);
    }
    page.close();
}

fn purge(mark: &str, erase: &SecureErase, page: &mut Page) {
    let outer = page.outer;
    let mut head = format!("{mark}secure-erase {}", value_in(outer, &erase.method, |method| quoted(method.name())));
    if let Some(action) = &erase.action {
        head.push_str(&format!(" action={}", value_in(outer, action, |action| quoted(action.name()))));
    }
    if let Some(least) = &erase.at_least {
        head.push_str(&format!(" at-least={}", value_in(outer, least, |method| quoted(method.name()))));
    }
    if let Some(timeout) = &erase.timeout {
        head.push_str(&format!(" timeout={}", value_in(outer, timeout, in_quotes)));
    }
    if erase.lba_format.is_none() {
        page.line(&head);
        return;
    }
    page.open(&head);
    page.given("lba-format", erase.lba_format.as_ref(), in_quotes);
    page.close();
}

fn fill(mark: &str, fill: &Fill, page: &mut Page) {
    let origin = annotation(fill.amount.provenance, page.outer);
    let amount = match fill.amount.value {
        FillAmount::Passes(passes) => format!("passes={origin}{passes}"),
        FillAmount::Extent(part) => format!("{origin}{}", extent(&part)),
    };
    let on = match fill.on_device.value {
        true => format!(" on={}", value_in(page.outer, &fill.on_device, |_| quoted("device"))),
        false => String::new(),
    };
    page.open(&format!("{mark}fill {amount}{on}"));
    page.given("access", Some(&fill.access), |access| match access {
        Access::Random => "\"random\" order=\"once\"".into(),
        Access::SequentialShared | Access::SequentialLanes => quoted("sequential"),
    });
    page.given("block-size", Some(&fill.block_size), in_quotes);
    page.given("threads", Some(&fill.threads), ToString::to_string);
    page.given("queue-depth", Some(&fill.queue_depth), ToString::to_string);
    super::workload::data(&fill.data, page);
    page.close();
}
