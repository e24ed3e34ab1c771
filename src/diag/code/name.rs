//! Names: of words of the language and of things that a plan defines.

use super::entries;

entries! {
    NAME_UNKNOWN_NODE = "name/unknown-node" {
        title: "a word that the plan language does not have",
        why: "Nothing in a plan is ignored in silence: a mistyped word would otherwise leave out a setting without \
              anyone noticing. Words of other tools are known by name, and the message says how they are written here.",
        refused: "measure \"4k-random-read\" { iodepth 16; }",
        corrected: "measure \"4k-random-read\" { queue-depth 16; }"
    }
    NAME_UNKNOWN_PROPERTY = "name/unknown-property" {
        title: "a property that this word does not have",
        why: "Properties (`name=value`) modify the word they stand behind, and each word has its own. One that is not \
              known there would have no effect, so it is refused.",
        refused: "fill pases=2",
        corrected: "fill passes=2"
    }
    NAME_SURPLUS_ARGUMENT = "name/surplus-argument" {
        title: "a value that nothing here takes",
        why: "The word takes fewer values than stand behind it. Several values are a list only where the reference says \
              so, as in the axes of a matrix.",
        refused: "idle \"10s\" \"20s\"",
        corrected: "idle \"10s\""
    }
    NAME_DUPLICATE = "name/duplicate" {
        title: "something is given twice that can be given once",
        why: "If both were kept, one would win by a rule that the reader of the plan has to know. Both places are \
              shown; keep one.",
        refused: "threads 4\nthreads 8",
        corrected: "threads 8"
    }
    NAME_SHADOWED = "name/shadowed" {
        title: "a name would have two meanings",
        why: "Of a parameter of the plan, what a procedure needs and the name of a `for-each`, two would be the same `$name`, and \
              one would win by a rule that the reader has to know. Give one of them another name.",
        refused: "param \"threads\" 4\nprocedure \"iorate\" { needs \"threads\"; … }",
        corrected: "param \"write-threads\" 4\nprocedure \"iorate\" { needs \"threads\"; … }"
    }
    NAME_MISPLACED = "name/misplaced" {
        title: "a word of the language in a place where it means nothing",
        why: "The word exists, but not here, and a setting without effect is an error. The message says where it \
              stands.",
        refused: "workload \"mixed\" { ramp \"30s\"; }",
        corrected: "measure \"mixed\" { ramp \"30s\"; }"
    }
    NAME_NOT_BUILT_YET = "name/not-built-yet" {
        title: "a word of the language that this version does not understand yet",
        why: "The word is reserved and its meaning is settled, but this version cannot do it. Ignoring it would measure \
              something else than what the plan says, so the plan is refused.",
        refused: "replay \"night.trace\"",
        corrected: "measure \"8k-70-30\""
    }
    NAME_UNKNOWN_METRIC = "name/unknown-metric" {
        title: "a number that no result has",
        why: "A metric is called by its name, as `iops`, `latency.mean` or `p99.9`, with `read.`, `write.` or `trim.` before \
              it for these operations alone, `response.` or `service.` for a latency, and before that the names of a step, \
              a load or a window as far as they are needed: `score.write.p99`. A name that is nearly right is not \
              guessed, for two metrics of one drive can be far apart.",
        refused: "columns \"iops\" \"mean-latency\"",
        corrected: "columns \"iops\" \"latency.mean\""
    }
    NAME_UNKNOWN_ANNOTATION = "name/unknown-annotation" {
        title: "an annotation in parentheses that is not one of the five of provenance",
        why: "A word in parentheses before a value or a node says where it comes from: `(published)`, `(inferred)`, \
              `(modelled)`, `(imported)` or `(chosen)`. Types of numbers are not annotated, since every place knows its own.",
        refused: "threads (u8)16",
        corrected: "threads (published)16"
    }
}
