use std::path::Path;

use super::args::ExplainArgs;
use super::{Outcome, Screen, plan_text};
use crate::diag::{Code, suggest};
use crate::plan;

/// `shakedown explain PLAN|CODE|WORD`
pub(super) fn explain(args: &ExplainArgs, screen: &Screen) -> Outcome {
    let subject = args.subject.as_str();
    let path = Path::new(subject);
    let text = if subject == "-" || path.is_file() {
        match plan_text::load(path, &args.set, screen) {
            Ok(loaded) => {
                screen.show(&loaded.found);
                let method = plan::method::fingerprint(&loaded.plan);
                format!("// method {method} ({})\n{}", method.version, plan::explained(&loaded.plan))
            }
            Err(outcome) => return outcome,
        }
    } else if let Some(code) = Code::find(subject) {
        code.explanation()
    } else if let Some(entry) = plan::names::entry(subject) {
        entry
    } else if let Some(foreign) = plan::names::foreign_word(subject) {
        format!("{}\n", foreign.says())
    } else {
        return unknown(subject, screen);
    };
    match screen.print(&text, &args.output) {
        Ok(()) => Outcome::Done,
        Err(outcome) => outcome,
    }
}

fn unknown(subject: &str, screen: &Screen) -> Outcome {
    screen.complain(&format!(
        "error: {subject:?} is no plan file, no diagnostic's code and no word of the plan language"
    ));
    let codes = Code::all().map(|code| code.id());
    let words = plan::names::all().map(|entry| entry.name);
    if let Some(meant) = suggest::nearest(subject, codes.chain(words)) {
        screen.complain(&format!("  help: did you mean `{meant}`?"));
    }
    Outcome::WrongCommandLine
}
