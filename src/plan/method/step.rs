//! Steps: what is done to the drive.

use super::MethodStep;
use super::load::{self, at_values, expect};
use super::place::Places;
use super::term::{Record, Term, reference, said, unordered, value};
use super::value::Said as _;
use crate::plan::model::{
    Extent, Fill, FillAmount, Given, Pick, PickChoice, Replay, Rounds, SecureErase, Step, StepKind, VerifyTarget,
};
use crate::units::Percent;

/// Steps in their order.
pub(super) fn steps(steps: &[Step], is_before_each: bool, places: &mut Places<'_>) -> Vec<MethodStep> {
    steps.iter().map(|step| self::step(step, is_before_each, places)).collect()
}

fn step(step: &Step, is_before_each: bool, places: &mut Places<'_>) -> MethodStep {
    places.next();
    let mut record = Record::default();
    match &step.kind {
        StepKind::SecureErase(erase) => secure_erase(erase, &mut record),
        StepKind::Partition(partition) => {
            record.given("size", &partition.size);
            record.given("keep", &partition.keep);
        }
        StepKind::LimitTo(part) | StepKind::Trim(part) => record.given("size", part),
        StepKind::Fill(fill) => self::fill(fill, &mut record),
        StepKind::WriteCache(on) => record.given("on", on),
        StepKind::Set(setting) => {
            record.given("name", &setting.name);
            record.given("value", &setting.value);
        }
        StepKind::Idle(time) => record.given("time", time),
        StepKind::CoolDown(cool) => {
            record.given("to", &cool.to_celsius);
            record.given("at-most", &cool.at_most);
        }
        StepKind::Precondition(load) | StepKind::Measure(load) => load::load(load, places, &mut record),
        StepKind::Rounds(rounds) => self::rounds(rounds, places, &mut record),
        StepKind::Replay(replay) => self::replay(replay, &mut record),
        StepKind::Verify(target) => record.put("what", verify(target, places)),
        StepKind::Application(kind) => record.given("kind", kind),
        StepKind::Pick(pick) => self::pick(pick, places, &mut record),
    }
    let inner = steps(step.kind.inner(), is_before_each, places);
    MethodStep {
        label: step.label.clone(),
        is_before_each,
        kind: step.kind.name(),
        provenance: step.provenance,
        term: record.done(),
        inner,
    }
}

fn secure_erase(erase: &SecureErase, record: &mut Record) {
    record.given("method", &erase.method);
    record.maybe("action", erase.action.as_ref());
    record.maybe("at-least", erase.at_least.as_ref());
    record.maybe("timeout", erase.timeout.as_ref());
    record.maybe("lba-format", erase.lba_format.as_ref());
}

fn fill(fill: &Fill, record: &mut Record) {
    // One pass and all of the area are the same bytes.
    let (extent, passes) = match fill.amount.value {
        FillAmount::Passes(passes) => (Extent::Share(Percent::HUNDRED), passes),
        FillAmount::Extent(extent) => (extent, 1),
    };
    record.put("amount", said(&extent.meaning(), &extent.shown(), fill.amount.provenance));
    record.put("passes", said(&passes.meaning(), &passes.shown(), fill.amount.provenance));
    if fill.on_device.value {
        record.put("on", said("device", "device", fill.on_device.provenance));
    }
    record.given("block-size", &fill.block_size);
    record.given("threads", &fill.threads);
    record.given("queue-depth", &fill.queue_depth);
    record.given("access", &fill.access);
    record.given("data", &fill.data);
    record.maybe("rate", fill.rate.as_ref());
}

fn rounds(rounds: &Rounds, places: &Places<'_>, record: &mut Record) {
    record.given("rounds", &rounds.count);
    if let Some(rule) = &rounds.steady_state {
        record.put("steady-state", load::steady_state(rule, places));
    }
}

fn replay(replay: &Replay, record: &mut Record) {
    record.given("trace", &replay.trace);
    record.given("speed", &replay.speed);
    record.maybe("idle-cap", replay.idle_cap.as_ref());
    record.given("threads", &replay.threads);
    record.given("queue-depth", &replay.queue_depth);
    record.maybe("only", replay.only.as_ref());
    record.given("map", &replay.map);
}

fn verify(target: &Given<VerifyTarget>, places: &Places<'_>) -> Term {
    match &target.value {
        VerifyTarget::Area => said("area", "area", target.provenance),
        VerifyTarget::Workload(name) => {
            let name =
                Given { value: name.clone(), provenance: target.provenance, is_default: false, span: target.span };
            reference(&format!("written by {}", places.uses(&name.value)), &name)
        }
    }
}

fn pick(pick: &Pick, places: &Places<'_>, record: &mut Record) {
    record.put("from", reference(&places.step(&pick.from.value), &pick.from));
    match &pick.choice {
        PickChoice::Highest(metric) => record.put("highest", value(metric)),
        PickChoice::Lowest(metric) => record.put("lowest", value(metric)),
        PickChoice::Nearest { metric, between, and } => {
            record.put("nearest", value(metric));
            record.put("between", reference(&places.pick(&between.value), between));
            record.put("and", reference(&places.pick(&and.value), and));
        }
        PickChoice::At(values) => record.list("at", at_values(values)),
    }
    let conditions = pick.conditions.iter().map(|condition| expect(condition, &[])).collect();
    record.list("where", unordered(conditions));
}
