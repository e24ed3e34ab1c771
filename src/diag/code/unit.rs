//! Quantities with units.

use super::entries;

entries! {
    UNIT_UNQUOTED = "unit/unquoted" {
        title: "a quantity with a unit must stand in quotes",
        why: "KDL reads a word that begins with a digit as a number, and `4KiB` is none. A quantity with its unit is a \
              string and stands in quotes, everywhere in a plan.",
        refused: "block-size 4KiB",
        corrected: "block-size \"4KiB\""
    }
    UNIT_AMBIGUOUS = "unit/ambiguous" {
        title: "a prefix alone can mean two sizes",
        why: "Some tools read `4K` as 4,096 bytes, others as 4,000; drives are sold in decimal and read in binary \
              units. A plan that others repeat must leave no doubt. `KiB`, `MiB`, `GiB`, `TiB` count in powers of 1,024; \
              `kB`, `MB`, `GB`, `TB` in powers of 1,000.",
        refused: "block-size \"4K\"",
        corrected: "block-size \"4KiB\""
    }
    UNIT_MISSING = "unit/missing" {
        title: "a quantity has no unit",
        why: "A bare number would have to be guessed to mean bytes, kibibytes, seconds or percent, and the guess of one \
              reader is not that of the next. Only counts, as threads and queue depth, are written as bare numbers.",
        refused: "run \"60\"",
        corrected: "run \"60s\""
    }
    UNIT_UNKNOWN = "unit/unknown" {
        title: "a unit that the plan language does not have",
        why: "Each unit has one spelling, so that two plans that mean the same look the same. Upper and lower case \
              matter: `MB` and `mb` are different words, and only the first is a unit.",
        refused: "run \"5min\"",
        corrected: "run \"5m\""
    }
    UNIT_NUMBER = "unit/number" {
        title: "the number of a quantity cannot be read or counted",
        why: "A quantity begins with a decimal number without sign or exponent. It must be countable exactly in its \
              unit: whole bytes, whole nanoseconds, at most four decimals of a percentage. Parts of a time fall from large to small.",
        refused: "block-size \"0.3KiB\"",
        corrected: "block-size \"512B\""
    }
    UNIT_WRONG_KIND = "unit/wrong-kind" {
        title: "a unit that does not fit its place",
        why: "The quantity can be read, but its unit measures something else than what stands here, as a size where a \
              time is needed. Most often two lines were mixed up.",
        refused: "block-size \"60s\"",
        corrected: "block-size \"64KiB\""
    }
}
