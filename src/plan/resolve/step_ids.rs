//! Every step of a resolved plan has a name of its own in the results.

use std::collections::HashMap;

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::plan::model::{Plan, Step};
use crate::text::Span;

/// Applies them.
pub(super) fn check(plan: &Plan, diagnostics: &mut Diagnostics) {
    tests_keep_off_other_sections(plan, diagnostics);
    ids_are_distinct(plan, diagnostics);
}

/// The results name a step `TEST/STEP`, that of a repetition `TEST#2/STEP`, and one of the setup `setup/STEP`.
fn tests_keep_off_other_sections(plan: &Plan, diagnostics: &mut Diagnostics) {
    for name in plan.tests.iter().map(|test| &test.name) {
        let reason = if name.value == "setup" {
            "the steps of `setup` have it in the results"
        } else if is_repetition(&name.value) {
            "`#` and a number mark a repetition in the results"
        } else {
            continue;
        };
        diagnostics.push(
            Diagnostic::error(code::STEP_SAME_NAME, format!("{:?} is no name for a test", name.value))
                .label(name.span, reason)
                .help("give the test another name"),
        );
    }
}

fn is_repetition(name: &str) -> bool {
    name.split('/').any(|part| {
        let number = part.rsplit_once('#').map_or("", |(_, number)| number);
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Names with a `/` in them could make one id of two steps. Within one list of steps, equal names are reported where
/// names are compared.
fn ids_are_distinct(plan: &Plan, diagnostics: &mut Diagnostics) {
    let mut seen: HashMap<String, (Span, &[Step])> = HashMap::new();
    for test in &plan.tests {
        for (steps, prefix) in [(&plan.before_each, "before-each/"), (&test.steps, "")] {
            for step in steps {
                let id = format!("{}/{prefix}{}", test.name.value, step.label);
                let Some((first, list)) = seen.insert(id.clone(), (step.span, steps)) else { continue };
                if std::ptr::eq(list, steps.as_slice()) {
                    continue;
                }
                diagnostics.push(
                    Diagnostic::error(code::STEP_SAME_NAME, format!("two steps are {id:?} in the results"))
                        .label(step.span, "again here")
                        .also(first, "first here")
                        .help("give one of them a name of its own with `as=\"…\"`"),
                );
            }
        }
    }
}
