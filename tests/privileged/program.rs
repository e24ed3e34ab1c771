//! Runs of the program on targets that the tests made, and what they left behind.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use shakedown::event::Event;

pub(crate) use crate::recorded::{events_in, failure, finished};
use crate::support::must;
use crate::trial::{Said, Trial};

/// A step of hours, after one that is over at once and kept whatever happens next. Between them nothing is timed.
pub(crate) const LONG: &str = r#"
plan "long" { revision 1; }
host { engine "sync"; }
workload "mix" { access "random"; block-size "4KiB"; read "50%"; }
setup { fill passes=1 { block-size "128KiB"; threads 1; queue-depth 2; } }
test "t" {
    measure "mix" as="short" { threads 1; run "100ms"; sample "50ms"; }
    measure "mix" as="endless" { threads 2; run "1h"; sample "10ms"; }
    measure "mix" as="never" { threads 1; run "1h"; sample "10ms"; }
}
"#;

/// A program that hangs fails its test by this time; nothing else depends on it.
const HANGS_AFTER: Duration = Duration::from_secs(120);

/// The arguments of a run of `plan.kdl` on the target, with the consent that it needs.
pub(crate) fn on(target: &str, bytes: u64) -> Vec<String> {
    ["run", "plan.kdl", "--device", &format!("dut={target}"), "--destroy", &format!("{target}={bytes}")]
        .map(str::to_owned)
        .to_vec()
}

/// The events of the one run below `results`.
pub(crate) fn events(trial: &Trial) -> Vec<Event> {
    events_in(&trial.result())
}

/// What `report` says of the one run.
pub(crate) fn report(trial: &Trial) -> Said {
    trial.call(["report".as_ref(), trial.result().as_os_str()])
}

/// A run in the background, killed with its test.
pub(crate) struct Background {
    child: Child,
    /// What it says goes to files, so that no pipe can fill up and hold it.
    said: PathBuf,
    results: PathBuf,
}

impl Background {
    /// Starts the program; its results go to `results`, where `arguments` must send them.
    pub(crate) fn start(trial: &Trial, arguments: &[String], results: PathBuf) -> Self {
        Self::spawn(trial.command(arguments), trial, results)
    }

    /// The same under another program, as `taskset -c 1`, which becomes the program.
    pub(crate) fn start_under(trial: &Trial, words: &[&str], arguments: &[String]) -> Self {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(env!("CARGO_BIN_EXE_shakedown")).args(arguments);
        command.current_dir(trial.path("")).env("TERM", "dumb").stdin(Stdio::null());
        Self::spawn(command, trial, trial.path("results"))
    }

    fn spawn(mut command: Command, trial: &Trial, results: PathBuf) -> Self {
        let said = trial.path("said");
        let file = |stream| File::create(said.with_extension(stream)).expect("a file for what it says");
        command.stdout(file("out")).stderr(file("err"));
        Self { child: command.spawn().expect("the program starts"), said, results }
    }

    /// A run of [`LONG`] on the target, up to where its endless step has told its first intervals.
    pub(crate) fn endless(trial: &Trial, target: &str, bytes: u64) -> Self {
        let mut run = Self::start(trial, &on(target, bytes), trial.path("results"));
        run.wait_for_intervals_of("t/endless", 2);
        run
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until the journal holds so many intervals of the step.
    pub(crate) fn wait_for_intervals_of(&mut self, step: &str, count: usize) {
        let is_one = |line: &&str| line.contains("\"interval-sampled\"") && line.contains(&format!("\"{step}\""));
        self.wait("the step is measured", |run| {
            let folders = std::fs::read_dir(&run.results).into_iter().flatten().flatten().map(|entry| entry.path());
            let journals = folders.filter_map(|folder| std::fs::read_to_string(folder.join("journal.jsonl")).ok());
            journals.map(|journal| journal.lines().filter(is_one).count()).sum::<usize>() >= count
        });
    }

    /// Waits until the program has said this on standard error.
    pub(crate) fn wait_for_words(&mut self, words: &str) {
        self.wait("the words are said", |run| run.said("err").contains(words));
    }

    /// Waits until something is so; fails where the program ends before.
    fn wait(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !is_so(self) {
            if self.child.try_wait().expect("its state").is_some() && !is_so(self) {
                panic!("the run ended before {what}: {:?}", self.ends());
            }
            assert!(begun.elapsed() < HANGS_AFTER, "waited in vain until {what}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    pub(crate) fn signal(&self, name: &str) {
        must("kill", &[name, &self.id().to_string()]);
    }

    /// Waits until the program ends by itself.
    pub(crate) fn ends(&mut self) -> Said {
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("its state") {
                break status;
            }
            assert!(begun.elapsed() < HANGS_AFTER, "the program hangs");
            std::thread::sleep(Duration::from_millis(10));
        };
        Said { stdout: self.said("out"), stderr: self.said("err"), code: status.code() }
    }

    fn said(&self, stream: &str) -> String {
        std::fs::read_to_string(self.said.with_extension(stream)).expect("the program writes UTF-8")
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sectors of 512 bytes that the kernel has read from and written to a device, by its own count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KernelCount {
    pub(crate) bytes_read: u64,
    pub(crate) bytes_written: u64,
}

impl KernelCount {
    /// The numbers of a device, by the name that the kernel gives it.
    pub(crate) fn of(name: &str) -> Self {
        let stat = std::fs::read_to_string(format!("/sys/block/{name}/stat")).expect("the kernel counts");
        let field = |index| -> u64 {
            stat.split_whitespace().nth(index).and_then(|field: &str| field.parse().ok()).expect("a number")
        };
        Self { bytes_read: 512 * field(2), bytes_written: 512 * field(6) }
    }

    pub(crate) fn since(self, before: Self) -> Self {
        Self {
            bytes_read: self.bytes_read - before.bytes_read,
            bytes_written: self.bytes_written - before.bytes_written,
        }
    }
}

/// All bytes of a device, as they are on it and not in a cache of ours.
pub(crate) fn content(path: &str) -> Vec<u8> {
    let file = File::open(path).expect("it can be read");
    // SAFETY: the descriptor is open; the call takes no pointer.
    unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) };
    drop(file);
    std::fs::read(path).expect("it can be read")
}

/// Bytes that look like nothing that the program writes, different at each place.
pub(crate) fn foreign_bytes(bytes: u64) -> Vec<u8> {
    (0..bytes / 8).flat_map(|word| (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1_e995).to_le_bytes()).collect()
}
