//! Steps.

use crate::plan::model::{Fill, FillAmount, Step, StepKind, Workload};

use super::workload::extent;
use super::{Page, annotation, in_quotes, quoted, value_in};

/// Steps one after the other. What a `for-each` has put in for a value stands in one of this value alone, which does
/// nothing but name them: they have the same names again.
pub(super) fn steps(steps: &[Step], workloads: &[Workload], page: &mut Page) {
    let mut open: &[(String, String)] = &[];
    for step in steps {
        let common = open.iter().zip(&step.variant).take_while(|(a, b)| a == b).count();
        open[common..].iter().for_each(|_| page.close());
        for (name, value) in &step.variant[common..] {
            page.open(&format!("for-each {} {}", quoted(name), quoted(value)));
        }
        open = &step.variant;
        self::step(step, workloads, page);
    }
    open.iter().for_each(|_| page.close());
}

fn step(step: &Step, workloads: &[Workload], page: &mut Page) {
    let mark = annotation(step.provenance, page.outer);
    let outer = std::mem::replace(&mut page.outer, step.provenance);
    match &step.kind {
        StepKind::SecureErase(_)
        | StepKind::Partition(_)
        | StepKind::WriteCache(_)
        | StepKind::Set(_)
        | StepKind::CoolDown(_)
        | StepKind::Rounds(_)
        | StepKind::Replay(_)
        | StepKind::Verify(_)
        | StepKind::Application(_)
        | StepKind::Pick(_) => page.line(&format!("{mark}{}", step.kind.name())),
        StepKind::LimitTo(part) | StepKind::Trim(part) => {
            page.line(&format!("{mark}{} {}", step.kind.name(), value_in(page.outer, part, extent)));
        }
        StepKind::Idle(time) => page.line(&format!("{mark}idle {}", value_in(page.outer, time, in_quotes))),
        StepKind::Fill(fill) => self::fill(mark, fill, page),
        StepKind::Precondition(load) => super::load::load(&format!("{mark}precondition"), step, load, workloads, page),
        StepKind::Measure(load) => super::load::load(&format!("{mark}measure"), step, load, workloads, page),
    }
    page.outer = outer;
}

fn fill(mark: &str, fill: &Fill, page: &mut Page) {
    let origin = annotation(fill.amount.provenance, page.outer);
    let amount = match fill.amount.value {
        FillAmount::Passes(passes) => format!("passes={origin}{passes}"),
        FillAmount::Extent(part) => format!("{origin}{}", extent(&part)),
    };
    page.open(&format!("{mark}fill {amount}"));
    page.given("block-size", Some(&fill.block_size), in_quotes);
    page.given("threads", Some(&fill.threads), ToString::to_string);
    page.given("queue-depth", Some(&fill.queue_depth), ToString::to_string);
    page.close();
}
