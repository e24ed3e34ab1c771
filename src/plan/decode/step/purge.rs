//! `secure-erase`.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Literal, Node, NodeCursor};
use crate::plan::decode::{argument, property, single, value};
use crate::plan::limits;
use crate::plan::model::{Provenance, PurgeAction, PurgeMethod, SecureErase, StepKind};
use crate::plan::names::{self, Place};
use crate::text::Spanned;
use crate::units::{BlockSize, RunTime};

/// A `secure-erase` step.
pub(super) fn secure_erase(
    _: &Node,
    cursor: &mut NodeCursor<'_>,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
) -> Option<StepKind> {
    let named = argument(cursor, "a way to purge, as \"auto\"", outer, diagnostics, method);
    let action = property(cursor, "action", outer, diagnostics, |literal, d| {
        let word = literal.read_word("an action of a purge", &PurgeAction::ALL.map(PurgeAction::name), d)?;
        Some(Spanned::new(PurgeAction::ALL.into_iter().find(|action| action.name() == word.value)?, word.span))
    });
    let at_least = property(cursor, "at-least", outer, diagnostics, |literal, d| {
        let least = method(literal, d)?;
        if least.value == PurgeMethod::Auto {
            value::refuse(literal, "a method of its own".into(), "the weakest method", d);
            return None;
        }
        Some(least)
    });
    let timeout = property(cursor, "timeout", outer, diagnostics, |literal, d| {
        value::time(literal, "the time of a purge", RunTime::from_nanos(1), d)
    });
    let lba_format = cursor.take_child("lba-format", diagnostics);
    let lba_format = lba_format
        .map(|node| single(node, Place::SecureErase, "a size", outer, diagnostics, logical_block))
        .unwrap_or_default();
    let erase = SecureErase {
        method: named.written()?,
        action: action.optional()?,
        at_least: at_least.optional()?,
        timeout: timeout.optional()?,
        lba_format: lba_format.optional()?,
    };
    fits(&erase, diagnostics).then_some(StepKind::SecureErase(erase))
}

fn method(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<PurgeMethod>> {
    let known = value::values_of("secure-erase", Place::Test);
    let word = value::named(literal, "secure-erase", "a way to purge", known, diagnostics)?;
    Some(Spanned::new(PurgeMethod::ALL.into_iter().find(|method| method.name() == word.value)?, word.span))
}

/// The size of a drive's logical block.
fn logical_block(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<BlockSize>> {
    let size = value::block_size(literal, diagnostics)?;
    let bytes = size.value.get();
    if !bytes.is_power_of_two() || bytes > limits::LOGICAL_BLOCK {
        let must = format!("a power of two, at most {} bytes", limits::LOGICAL_BLOCK);
        value::refuse(literal, must, "a logical block size", diagnostics);
        return None;
    }
    Some(size)
}

/// Reports what the method cannot do, or what has no effect beside it.
fn fits(erase: &SecureErase, diagnostics: &mut Diagnostics) -> bool {
    let (method, name) = (erase.method, erase.method.value.name());
    let mut is_right = true;
    let mut refuse = |message: String, place: crate::text::Span, label: &str, help: String| {
        diagnostics.push(
            Diagnostic::error(code::PURGE_NOT_OF_METHOD, message)
                .label(place, label)
                .also(method.span, "the method")
                .help(help),
        );
        is_right = false;
    };
    if let Some(action) = erase.action.filter(|action| !action.value.fits(method.value)) {
        let own: Vec<String> = quoted(PurgeAction::ALL.into_iter().filter(|own| own.fits(method.value)));
        let having = PurgeMethod::ALL.into_iter().filter(|method| action.value.fits(*method));
        let having: Vec<String> = having.map(|method| format!("\"{}\"", method.name())).collect();
        let help = match (method.value, own.as_slice()) {
            (PurgeMethod::Auto, _) => format!("name a method that has it: {}", names::either(&having)),
            (_, []) => "leave `action=` out".into(),
            _ => format!("use {}", names::either(&own)),
        };
        let message = match method.value {
            PurgeMethod::Auto => "`action=` stands without the method that it is of".into(),
            _ => format!("{name:?} has no action {:?}", action.value.name()),
        };
        let label = if method.value == PurgeMethod::Auto { "of which method?" } else { "not an action of the method" };
        refuse(message, action.span, label, help);
    }
    if let Some(least) = erase.at_least.filter(|_| method.value != PurgeMethod::Auto) {
        let message = match rank(least.value) < rank(method.value) {
            true => format!("{name:?} is weaker than {:?}", least.value.name()),
            false => "`at-least=` stands beside a method that is named".into(),
        };
        let help = format!("leave one out, or write `secure-erase \"auto\" at-least=\"{}\"`", least.value.name());
        refuse(message, least.span, "is for the choice of `auto`", help);
    }
    let formats = [PurgeMethod::Auto, PurgeMethod::NvmeFormat, PurgeMethod::ScsiFormat];
    if let Some(size) = erase.lba_format.filter(|_| !formats.contains(&method.value)) {
        let message = format!("{name:?} does not change the size of logical blocks");
        refuse(message, size.span, "only a format does", "use \"nvme-format\" or \"scsi-format\"".into());
    }
    is_right
}

fn quoted(actions: impl Iterator<Item = PurgeAction>) -> Vec<String> {
    actions.map(|action| format!("\"{}\"", action.name())).collect()
}

/// The place in the list of methods, the best first.
fn rank(method: PurgeMethod) -> usize {
    PurgeMethod::ALL.into_iter().position(|other| other == method).unwrap_or(usize::MAX)
}
