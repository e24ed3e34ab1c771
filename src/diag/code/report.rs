//! What a report shows.

use super::entries;

entries! {
    REPORT_UNDEFINED = "report/undefined" {
        title: "the report names something that the plan does not have",
        why: "A series or a number is of a step, a test, a window or the values of a `for-each`. A name that none of them has \
              would leave a hole in the report, which nobody sees before the run is over.",
        refused: "report { series \"iops\" x=\"time\" of=\"satuarate\"; }",
        corrected: "report { series \"iops\" x=\"time\" of=\"saturate\"; }"
    }
}
