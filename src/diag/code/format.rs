//! What the formatter refuses by itself.

use super::entries;

entries! {
    FORMAT_NOT_KEPT = "format/not-kept" {
        title: "the formatter would have changed more than the layout",
        why: "Before anything is written, the formatted text is read again and must say the same, with the same \
              comments, and must stay as it is when formatted once more. Here it did not, which is a mistake of the \
              formatter and never one of the plan. The file is left as it was; please report the text that led to this.",
        refused: "shakedown fmt plan.kdl   // and a comment would be lost",
        corrected: "shakedown check plan.kdl   // the plan can be used as it is",
        tested: "src/lang/format/proof.rs, since no known text raises it"
    }
}
