//! The words of other tools and how they are written here. They are no aliases: they live in diagnostics alone.

/// A word of another tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foreign {
    /// Whose word it is: `fio`, `vdbench`, `SNIA`; or `often` for a short form that no tool owns.
    pub tool: &'static str,
    /// The word there.
    pub word: &'static str,
    /// What does it here: a node's name, or a whole sentence where no single word does.
    pub here: Here,
}

/// How a foreign word is said here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Here {
    /// By this node or snippet.
    Written(&'static str),
    /// By no word of the plan; what to do instead, as a sentence fragment.
    Instead(&'static str),
}

impl Foreign {
    /// The one word that does here what this one does there; `None` where more has to be written, or nothing.
    pub fn word_here(&self) -> Option<&'static str> {
        let Here::Written(here) = self.here else { return None };
        here.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-').then_some(here)
    }

    /// One fragment for a label or help: "fio's `iodepth` is written `queue-depth` here".
    pub fn says(&self) -> String {
        let owner = match self.tool {
            "" => format!("`{}`", self.word),
            tool => format!("{tool}'s `{}`", self.word),
        };
        match self.here {
            Here::Written(here) => format!("{owner} is written `{here}` here"),
            Here::Instead(instead) => format!("{owner}: {instead}"),
        }
    }
}

const fn is(tool: &'static str, word: &'static str, here: &'static str) -> Foreign {
    Foreign { tool, word, here: Here::Written(here) }
}

const fn no(tool: &'static str, word: &'static str, instead: &'static str) -> Foreign {
    Foreign { tool, word, here: Here::Instead(instead) }
}

const FIO: &str = "fio";
const VDBENCH: &str = "vdbench";
const SNIA: &str = "SNIA";

const DIRECT: &str = "I/O always goes around the page cache here, so leave it out";
const DEVICE: &str = "a plan names no drive; give it on the command line with `--device ROLE=TARGET`";
const ENGINE: &str = "write `host { engine \"sync\"; }` at the top level";
const NO_SHUFFLE: &str = "random offsets repeat here by definition, so leave it out";
const HOW_LONG: &str = "`run` always says how long, so leave it out";
const SEED: &str = "write `seed N` in `plan`";
const STEP_NAME: &str = "a step is named with `as=\"name\"`";

/// Node and property names.
const WORDS: &[Foreign] = &[
    is(FIO, "iodepth", "queue-depth"),
    is("", "qd", "queue-depth"),
    is("", "queuedepth", "queue-depth"),
    is("", "queue_depth", "queue-depth"),
    is("", "depth", "queue-depth"),
    is(SNIA, "oio", "queue-depth"),
    is(SNIA, "outstanding-io", "queue-depth"),
    is(FIO, "bs", "block-size"),
    is(FIO, "blocksize", "block-size"),
    is("", "block_size", "block-size"),
    is(VDBENCH, "xfersize", "block-size"),
    is(VDBENCH, "forxfersize", "matrix { block-size …; }"),
    is(FIO, "bssplit", "block-size { size … }"),
    no(FIO, "bsrange", "write the sizes out as literals"),
    is(FIO, "numjobs", "threads"),
    is("", "jobs", "threads"),
    is("", "thread", "threads"),
    is(SNIA, "tc", "threads"),
    is(SNIA, "thread-count", "threads"),
    is(VDBENCH, "forthreads", "matrix { threads …; }"),
    is(FIO, "rwmixread", "read \"70%\""),
    no(FIO, "rwmixwrite", "write the share of reads, `read \"30%\"` for 70 % writes"),
    is(VDBENCH, "rdpct", "read \"70%\""),
    is(VDBENCH, "forrdpct", "matrix { read …; }"),
    no("", "write", "write the share of reads, `read \"0%\"` for writes alone"),
    is("", "reads", "read"),
    is(FIO, "runtime", "run"),
    is(VDBENCH, "elapsed", "run"),
    is("", "duration", "run"),
    is("", "time", "run"),
    no(FIO, "time_based", HOW_LONG),
    is(FIO, "ramp_time", "ramp"),
    is(VDBENCH, "warmup", "ramp"),
    is("", "warm-up", "ramp"),
    no(
        FIO,
        "size",
        "write `span` in a workload or load for a part of the area, `limit-to` as a step for a part of the device",
    ),
    no(
        FIO,
        "filesize",
        "write `span` in a workload or load for a part of the area, `limit-to` as a step for a part of the device",
    ),
    no(FIO, "io_size", "write `run written=\"…\"` or `run passes=N`"),
    is(FIO, "offset", "span \"…\" offset=\"…\""),
    is(VDBENCH, "range", "span \"…\" offset=\"…\""),
    is(FIO, "rw", "access \"random\"` or `access \"sequential\"` with `read \"…%\""),
    is(FIO, "readwrite", "access \"random\"` or `access \"sequential\"` with `read \"…%\""),
    is(VDBENCH, "seekpct", "access \"random\"` or `access \"sequential\" cursor=\"shared\""),
    is("", "pattern", "access"),
    no(FIO, "direct", DIRECT),
    no(FIO, "buffered", DIRECT),
    no(VDBENCH, "openflags", DIRECT),
    no(FIO, "ioengine", ENGINE),
    no(FIO, "filename", DEVICE),
    no(FIO, "directory", DEVICE),
    no(VDBENCH, "lun", DEVICE),
    no(VDBENCH, "sd", DEVICE),
    no(VDBENCH, "anchor", DEVICE),
    is(VDBENCH, "wd", "workload \"name\" { … }"),
    is(VDBENCH, "rd", "measure \"workload\" { … }"),
    is(VDBENCH, "hd", "host"),
    is(FIO, "job", "test"),
    no(FIO, "global", "what several loads share is a `workload`"),
    is(
        VDBENCH,
        "iorate",
        "rate` for one rate, `curve` for percent of the maximum, as `curve from=\"10%\" to=\"100%\" step=\"10%\"",
    ),
    is(VDBENCH, "foriorate", "curve"),
    is(FIO, "rate_iops", "rate \"20k IOPS\""),
    is(FIO, "rate_process", "arrivals"),
    is(FIO, "loops", "run passes=N"),
    is(VDBENCH, "interval", "sample"),
    is(FIO, "log_avg_msec", "sample"),
    is(FIO, "status-interval", "sample"),
    no(FIO, "norandommap", NO_SHUFFLE),
    no(FIO, "randrepeat", SEED),
    no(FIO, "randseed", SEED),
    no(FIO, "stonewall", "steps always happen one after the other here, so leave it out"),
    no(FIO, "wait_for_previous", "steps always happen one after the other here, so leave it out"),
    no(FIO, "group_reporting", "the slots of a load are always reported together, so leave it out"),
    no(FIO, "name", STEP_NAME),
    is(FIO, "steadystate", "steady-state"),
    is(FIO, "ss", "steady-state"),
    is(FIO, "thinktime", "think-time"),
    is(FIO, "fsync", "flush every=N"),
    is(FIO, "buffer_compress_percentage", "data compressible=\"…%\""),
    is(VDBENCH, "compratio", "data compressible=\"…%\""),
    is(VDBENCH, "dedupratio", "data duplicate=\"…%\""),
    is(FIO, "dedupe_percentage", "data duplicate=\"…%\""),
    is(FIO, "random_distribution", "access \"random\" { zipf theta=1.2; }"),
    is(FIO, "cpus_allowed", "host { cpus \"…\"; }` in a rig file, not `host"),
    is(FIO, "read_iolog", "replay"),
    is(FIO, "verify_pattern", "verify"),
    is("", "sleep", "idle"),
    is("", "wait", "idle"),
    is("", "pause", "idle"),
    is(FIO, "startdelay", "idle"),
    is(SNIA, "purge", "secure-erase"),
    is("", "erase", "secure-erase"),
    is("", "format", "secure-erase"),
    is(SNIA, "activerange", "limit-to"),
    is(SNIA, "active-range", "limit-to"),
    is(SNIA, "wipc", "fill passes=2"),
    is(SNIA, "wdpc", "precondition"),
    is("", "preconditioning", "precondition"),
    is("", "warm", "precondition"),
    is("", "benchmark", "measure"),
    is("", "parameter", "param"),
    is("", "var", "param"),
    is("", "engine-kind", "engine"),
];

/// Values that are given by name, with the node or property that takes them.
const VALUES: &[(&str, Foreign)] = &[
    ("access", is(FIO, "randread", "access \"random\"` with `read \"100%\"")),
    ("access", is(FIO, "randwrite", "access \"random\"` with `read \"0%\"")),
    ("access", is(FIO, "randrw", "access \"random\"` with the share of reads, as `read \"70%\"")),
    ("access", is(FIO, "rw", "access \"sequential\"` with the share of reads, as `read \"70%\"")),
    ("access", is(FIO, "readwrite", "access \"sequential\"` with the share of reads, as `read \"70%\"")),
    ("access", is(FIO, "read", "access \"sequential\"` with `read \"100%\"")),
    ("access", is(FIO, "write", "access \"sequential\"` with `read \"0%\"")),
    ("access", is(FIO, "trim", "trim \"100%\"")),
    ("access", is("", "seq", "access \"sequential\"")),
    ("access", is("", "seqread", "access \"sequential\"` with `read \"100%\"")),
    ("access", is("", "seqwrite", "access \"sequential\"` with `read \"0%\"")),
    ("access", is(VDBENCH, "seqnz", "access \"sequential\"")),
    ("access", is("", "rand", "access \"random\"")),
    ("access", is("", "linear", "access \"sequential\"")),
    ("engine", is(FIO, "psync", "sync")),
    ("engine", is(FIO, "pvsync", "sync")),
    ("engine", is(FIO, "psync2", "sync")),
    ("engine", is(FIO, "io_uring", "io-uring")),
    ("engine", is("", "uring", "io-uring")),
    ("engine", is("", "iouring", "io-uring")),
    ("engine", no(FIO, "libaio", "`sync` issues the same operations from one thread for each slot")),
    ("interface", is("", "pcie", "nvme")),
    ("interface", is("", "pci", "nvme")),
    ("interface", is("", "ata", "sata")),
    ("cursor", is("", "single", "shared")),
    ("cursor", is("", "one", "shared")),
    ("cursor", is("", "per-thread", "lanes")),
    ("cursor", is("", "lane", "lanes")),
];

/// How a name of another tool is written here.
pub fn foreign_word(name: &str) -> Option<&'static Foreign> {
    find(WORDS.iter(), name)
}

/// How another tool's value for this node or property is written here.
pub fn foreign_value(taker: &str, value: &str) -> Option<&'static Foreign> {
    find(VALUES.iter().filter(|(name, _)| *name == taker).map(|(_, foreign)| foreign), value)
}

fn find(mut words: impl Iterator<Item = &'static Foreign>, name: &str) -> Option<&'static Foreign> {
    let lower = name.to_ascii_lowercase();
    words.find(|foreign| foreign.word == lower)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::names;

    #[test]
    fn a_foreign_word_is_said_in_one_sentence() {
        assert_eq!(
            foreign_word("iodepth").map(Foreign::says).as_deref(),
            Some("fio's `iodepth` is written `queue-depth` here")
        );
        assert_eq!(
            foreign_word("ioengine").map(Foreign::says).as_deref(),
            Some("fio's `ioengine`: write `host { engine \"sync\"; }` at the top level")
        );
        assert_eq!(
            foreign_value("access", "randread").map(Foreign::says).as_deref(),
            Some("fio's `randread` is written `access \"random\"` with `read \"100%\"` here")
        );
    }

    #[test]
    fn every_foreign_node_leads_to_a_word_of_the_language() {
        for foreign in WORDS {
            let Here::Written(here) = foreign.here else { continue };
            let first = here.split([' ', '`', '"']).next().unwrap_or_default();
            assert!(names::named(first).next().is_some(), "{} leads to {first}", foreign.word);
        }
    }

    #[test]
    fn a_foreign_word_is_listed_once() {
        for (index, foreign) in WORDS.iter().enumerate() {
            assert!(WORDS[..index].iter().all(|other| other.word != foreign.word), "{}", foreign.word);
        }
    }
}
