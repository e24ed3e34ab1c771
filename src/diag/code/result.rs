//! Result folders and journals that cannot be read or written.

use super::entries;

/// Where they are tried.
const TRIED: &str = "folders and journals, in src/record and tests/journals.rs";

entries! {
    RESULT_NOT_FOUND = "result/not-found" {
        title: "there is no such result folder",
        why: "`report` reads what an earlier run has written, from its folder alone. Nothing lies at the path that was \
              given. Results are made below `./results` unless `--results` says else.",
        refused: "shakedown report 2026-11-30-first-run-scratch",
        corrected: "shakedown report results/2026-11-30-first-run-scratch",
        tested: TRIED
    }
    RESULT_NO_RUN = "result/no-run" {
        title: "the folder holds no run",
        why: "A run's folder holds `journal.jsonl`, and the folder that was given has none. Often it is the folder that \
              holds all runs; the message names the latest of them.",
        refused: "shakedown report results",
        corrected: "shakedown report results/2026-11-30-first-run-scratch",
        tested: TRIED
    }
    RESULT_IO = "result/io" {
        title: "a result could not be read or written",
        why: "The system refused to create, read or write a file of the result folder; the message says which, and why. \
              A run whose results cannot be kept is not begun, and one that loses its journal on the way ends as a \
              failure, because what is measured then could not be believed later.",
        refused: "shakedown run plan.kdl --results /read-only",
        corrected: "shakedown run plan.kdl --results /srv/results",
        tested: TRIED
    }
    JOURNAL_UNREADABLE = "journal/unreadable" {
        title: "the journal cannot be read",
        why: "The system gave an error while the journal was read. What is in it may still be whole: copy the folder to \
              another place and try there. A journal that is whole is read there as well.",
        refused: "shakedown report results/on-a-failing-disk",
        corrected: "cp -r results/on-a-failing-disk /tmp/copy && shakedown report /tmp/copy",
        tested: TRIED
    }
    JOURNAL_EMPTY = "journal/empty" {
        title: "the journal holds no event",
        why: "The run ended before its first event was on the disk, so nothing is known of it. There is nothing to report.",
        refused: "shakedown report results/empty",
        corrected: "shakedown run plan.kdl",
        tested: TRIED
    }
    JOURNAL_BAD_LINE = "journal/bad-line" {
        title: "a line of the journal is no event",
        why: "Each line is one event as JSON. A last line that was cut off is left out with a warning; one in the middle \
              means that the file was altered or damaged, and figures from the rest could be wrong without showing it.",
        refused: "a journal that was edited by hand",
        corrected: "the journal as the run wrote it",
        tested: TRIED
    }
    JOURNAL_UNKNOWN_FORMAT = "journal/unknown-format" {
        title: "the journal is of a format that this version does not know",
        why: "The first event says which format the journal has. A higher major number means that figures may have \
              another meaning, so they are not guessed at.",
        refused: "a journal of a later version",
        corrected: "shakedown of that version, or a later one",
        tested: TRIED
    }
    JOURNAL_CONTRADICTS_ITSELF = "journal/contradicts-itself" {
        title: "the journal tells things that cannot have happened",
        why: "Events come in the order of their numbers, and only of steps and cases that the schedule has. The message \
              names the first event that does not fit. The file was altered, or two journals were put together.",
        refused: "a journal with lines exchanged",
        corrected: "the journal as the run wrote it",
        tested: TRIED
    }
}
