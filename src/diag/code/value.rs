//! Values of the right type in the right range.

use super::entries;

entries! {
    VALUE_MISSING = "value/missing" {
        title: "a word stands without its value",
        why: "The word needs a value to mean anything, and none is assumed: what is not written in a plan would be \
              invisible to everyone who reads it. The message says what kind of value is needed.",
        refused: "threads",
        corrected: "threads 4"
    }
    VALUE_WRONG_TYPE = "value/wrong-type" {
        title: "a value of another type is needed here",
        why: "Values are not converted in silence: a count is a whole number without quotes, a quantity is a string \
              with its unit, a switch is `#true` or `#false`, a name is a string. A fraction where things are counted \
              would have to be rounded, and nobody could tell how.",
        refused: "threads \"4\"",
        corrected: "threads 4"
    }
    VALUE_OUT_OF_RANGE = "value/out-of-range" {
        title: "a value lies outside of what is possible here",
        why: "The value has the right type, but no run could do what it asks for. Zero never means \"all\" or \
              \"unlimited\" in a plan.",
        refused: "queue-depth 0",
        corrected: "queue-depth 1"
    }
}
