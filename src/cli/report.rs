use super::args::{ReportArgs, ReportFormat};
use super::{Outcome, Screen};
use crate::record::{self, ResultFolder, RunRecord};
use crate::report;

/// `shakedown report RUN`
pub(super) fn report(args: &ReportArgs, screen: &Screen) -> Outcome {
    let read = ResultFolder::find(&args.run).and_then(|folder| folder.read_record());
    let (record, has_torn_tail) = match read {
        Ok(read) => read,
        Err(error) => {
            screen.complain(&format!("error[{}]: {error}", error.code()));
            if let Some(help) = error.help() {
                screen.complain(&format!("  help: {help}"));
            }
            return Outcome::WrongCommandLine;
        }
    };
    if has_torn_tail {
        screen.say("warning: the journal's last line was cut off while it was written; it is left out");
    }
    match screen.print(&tables(&record, args.format, screen), &args.output) {
        Ok(()) if args.strict => judged(&record, screen),
        Ok(()) => Outcome::Done,
        Err(outcome) => outcome,
    }
}

/// How a program ends that was asked to be strict: no case that was measured may be one that must not be used.
pub(super) fn judged(record: &RunRecord, screen: &Screen) -> Outcome {
    let unusable = record::unusable_cases(record);
    if unusable == 0 {
        return Outcome::Done;
    }
    let (_, cases) = record.measured_cases();
    screen.complain(&format!("{unusable} of {cases} cases must not be used; exit code 5 because of --strict"));
    Outcome::LimitFailed
}

/// The tables of a record in a format.
pub(super) fn tables(record: &RunRecord, format: ReportFormat, screen: &Screen) -> String {
    match format {
        ReportFormat::Text => report::text(record, &report::TextOptions { width: screen.width() }),
        ReportFormat::Markdown => report::markdown(record),
        ReportFormat::Csv => report::csv(record),
        ReportFormat::Json => format!("{:#}\n", report::json(record)),
    }
}
