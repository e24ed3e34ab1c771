use super::args::{ReportArgs, ReportFormat};
use super::{Outcome, Screen};
use crate::record::{ResultFolder, RunRecord};
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
        Ok(()) => Outcome::Done,
        Err(outcome) => outcome,
    }
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
