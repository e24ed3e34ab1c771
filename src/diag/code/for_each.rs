//! `for-each`: steps that are done once for every value.

use super::entries;

entries! {
    FOR_EACH_NO_VALUES = "for-each/no-values" {
        title: "`for-each` has no values",
        why: "Its steps are done once for each of the values behind its name. Without any they would not be done at all.",
        refused: "for-each \"pause\" { idle $pause; }",
        corrected: "for-each \"pause\" \"30s\" \"5m\" { idle $pause; }"
    }
    FOR_EACH_NO_STEPS = "for-each/no-steps" {
        title: "`for-each` has no step",
        why: "Nothing would be done for its values. Write the steps in braces behind them, or leave it out.",
        refused: "for-each \"pause\" \"30s\" \"5m\"",
        corrected: "for-each \"pause\" \"30s\" \"5m\" { idle $pause; }"
    }
    FOR_EACH_VALUE_TWICE = "for-each/value-twice" {
        title: "`for-each` has the same value twice",
        why: "The value tells the steps apart in the results, and two of them would have the same names. Two spellings of one \
              quantity, as `60s` and `1m`, are the same value.",
        refused: "for-each \"pause\" \"60s\" \"1m\" { idle $pause; }",
        corrected: "for-each \"pause\" \"60s\" { idle $pause; }"
    }
    FOR_EACH_UNUSED_NAME = "for-each/unused-name" {
        title: "`for-each` does not use its name",
        why: "The same would be done for every value, which is seldom meant. Write the name as `$name` in the place of a value. \
              To do a whole protocol several times, write `test … repeat=N`.",
        refused: "for-each \"pause\" \"30s\" \"5m\" { idle \"30s\"; }",
        corrected: "for-each \"pause\" \"30s\" \"5m\" { idle $pause; }"
    }
}
