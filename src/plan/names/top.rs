//! The top level: what a plan is about, what it needs, and what other documents there are.

use super::{Entry, Place, word};

const PLAN: &[Place] = &[Place::Plan];
const DEVICE: &[Place] = &[Place::Device];
const HOST: &[Place] = &[Place::Host];
const PARAM: &[Place] = &[Place::Param];
const TOP: &[Place] = &[Place::Top];
const REPORT: &[Place] = &[Place::Report];
const RIG: &[Place] = &[Place::Rig];

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new("plan", TOP, "plan NAME", "names the plan; exactly one").inside(Place::Plan),
    Entry::new("title", &[Place::Plan, Place::Test], "title \"text\"", "a line for people"),
    Entry::new("revision", PLAN, "revision N", "the author's count of revisions"),
    Entry::new("source", PLAN, "source \"text\"", "what the method follows"),
    Entry::new("note", PLAN, "note \"text\"", "anything else that a reader should know"),
    Entry::new("seed", PLAN, "seed N", "root of every random sequence").default("seed 1"),
    Entry::new("max-time", PLAN, "max-time Q", "the run ends when this much time has passed").checked(),
    Entry::new("max-written", PLAN, "max-written Q|Q%", "the run ends when this much has been written").checked(),
    Entry::new("include", TOP, "include \"path\"", "takes over the definitions of another file").repeats(),
    Entry::new("param", TOP, "param NAME VALUE", "a value that `--set NAME=VALUE` can change; used as `$NAME`")
        .repeats()
        .inside(Place::Param),
    Entry::new("describe", PARAM, "describe \"text\"", "what the parameter is for"),
    Entry::new("min", PARAM, "min VALUE", "the smallest value that is allowed"),
    Entry::new("max", PARAM, "max VALUE", "the largest value that is allowed"),
    Entry::new("one-of", PARAM, "one-of VALUE...", "the only values that are allowed"),
    Entry::new(
        "device",
        TOP,
        "device ROLE",
        "what the plan needs of the drive in a role, as in `--device ROLE=TARGET`",
    )
    .repeats()
    .inside(Place::Device),
    Entry::new("media", DEVICE, "media NAME...", "the flash that the plan is for; a note for people").values(&[
        word("slc", "one bit in a cell"),
        word("mlc", "two bits in a cell"),
        word("tlc", "three bits in a cell"),
        word("qlc", "four bits in a cell"),
        word("plc", "five bits in a cell"),
        word("3d-xpoint", "phase-change memory"),
    ]),
    Entry::new("interface", DEVICE, "interface NAME...", "the interfaces that the plan is for").values(&[
        word("nvme", "NVM Express"),
        word("sata", "Serial ATA"),
        word("sas", "Serial Attached SCSI"),
    ]),
    Entry::new("capacity", DEVICE, "capacity min=Q max=Q", "the capacities that the plan is for")
        .properties(&[word("min", "the smallest capacity, in bytes"), word("max", "the largest capacity, in bytes")]),
    Entry::new("rated-endurance", DEVICE, "rated-endurance Q", "bytes that may be written over the drive's life"),
    Entry::new("slc-cache", DEVICE, "slc-cache Q", "size of the drive's SLC cache, in bytes"),
    Entry::new("at-most", DEVICE, "at-most Q", "bytes per second that the drive reaches at most, for estimates"),
    Entry::new("host", TOP, "host", "what of the host belongs to the method").inside(Place::Host),
    Entry::new("engine", HOST, "engine NAME", "how I/O is issued").default("engine \"sync\"").values(&[
        word("sync", "one operating-system thread for each of the threads x queue-depth slots, in pread and pwrite"),
        word("io-uring", "one ring of the queue depth for each thread"),
    ]),
    Entry::new("batch", HOST, "batch N", "how many operations are submitted at once at most; rings alone").checked(),
    Entry::new("completions", HOST, "completions NAME", "how completions are noticed; rings alone")
        .default("completions \"interrupt\"")
        .checked()
        .values(&[word("interrupt", "the drive interrupts"), word("polled", "the host polls")]),
    Entry::new("data-pool", HOST, "data-pool Q", "size of the pool that the data of writes is drawn from").checked(),
    Entry::new("procedure", TOP, "procedure NAME", "steps or loads that `apply` takes over, with parameters")
        .repeats()
        .inside(Place::Procedure),
    Entry::new("needs", &[Place::Procedure], "needs NAME...", "the parameters that `apply` must give"),
    Entry::new("setup", TOP, "setup", "steps that are done once, before the tests").inside(Place::Setup),
    Entry::new("before-each", TOP, "before-each", "steps that are done before every test, the first included")
        .inside(Place::BeforeEach),
    Entry::new("test", TOP, "test NAME repeat=N", "a protocol: steps in the order in which they happen")
        .repeats()
        .properties(&[word("repeat", "how often the whole protocol is done; absent: once")])
        .inside(Place::Test),
    Entry::new("report", TOP, "report", "what the report shows; no part of the method").checked().inside(Place::Report),
    Entry::new("columns", REPORT, "columns METRIC...", "the columns of the tables, in this order").checked(),
    Entry::new("series", REPORT, "series METRIC... x=AXIS", "a curve over time or bytes written")
        .repeats()
        .checked()
        .properties(&[
            word("x", "`time` or `written`"),
            word("of", "the step, or a test: its steps in one curve; absent: every step"),
            word("scale", "`linear` or `log`; absent: linear"),
        ]),
    Entry::new("number", REPORT, "number METRIC...", "single figures").repeats().checked().properties(&[
        word("window", "a named window; absent: the whole run"),
        word("of", "the step or test; absent: every step"),
        word("by", "the name of a `for-each`: a figure for each of its values"),
    ]),
    Entry::new("rig", TOP, "rig NAME", "the bench: which drives, which cores, where results go; a file of its own")
        .not_yet()
        .inside(Place::Rig),
    Entry::new("drive", RIG, "drive ROLE", "the drive in a role").repeats().not_yet().inside(Place::RigDrive),
    Entry::new("serial", &[Place::RigDrive], "serial \"text\"", "the drive's serial number").not_yet(),
    Entry::new("model", &[Place::RigDrive], "model \"text\"", "the drive's model").not_yet(),
    Entry::new("wwn", &[Place::RigDrive], "wwn \"text\"", "the drive's world-wide name").not_yet(),
    Entry::new("may-destroy", &[Place::RigDrive], "may-destroy #true", "consent to overwrite this drive").not_yet(),
    Entry::new("target", RIG, "target ROLE PATH", "what plays a role, by path or as a modelled drive")
        .repeats()
        .not_yet(),
    Entry::new("host", RIG, "host", "what of the host belongs to the bench").not_yet().inside(Place::RigHost),
    Entry::new("cpus", &[Place::RigHost], "cpus \"list\"", "the cores that may be used").not_yet(),
    Entry::new("pin", &[Place::RigHost], "pin NAME", "how slots are placed on cores").not_yet(),
    Entry::new("require", &[Place::RigHost], "require NAME=VALUE", "what the machine must be set to").not_yet(),
    Entry::new("results", RIG, "results \"path\"", "where result folders are made").not_yet(),
    Entry::new("model", TOP, "model NAME", "a modelled drive; a file of its own").not_yet(),
    Entry::new("published", TOP, "published NAME", "figures from print; a file of its own").not_yet(),
];
