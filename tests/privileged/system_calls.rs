//! What the kernel is asked to do with a device, call by call.

use std::fs;

use crate::program::on;
use crate::support::{LoopDevice, Need, folder, must, turn};
use crate::trial::Trial;

const BYTES: u64 = 8 << 20;

/// One call on the target: the thread that made it, and its text.
struct Call {
    thread: u32,
    text: String,
}

impl Call {
    /// The number among the arguments that stands so far from the last one.
    fn argument_from_end(&self, back: usize) -> u64 {
        let arguments = self.text.rsplit_once(") = ").expect("a finished call").0;
        let argument = arguments.rsplit(", ").nth(back).expect("so many arguments");
        argument.parse().unwrap_or_else(|_| panic!("no number {back} from the last in {}", self.text))
    }
}

/// The calls that name the device, of a run of `plan` under strace.
fn traced(plan: &str, device: &str, arguments: &[String]) -> (u32, Vec<Call>) {
    let trial = Trial::new().plan(plan);
    let traces = trial.path("traces");
    fs::create_dir(&traces).expect("a folder");
    let output = traces.join("trace").display().to_string();
    let filter = "trace=open,openat,openat2,creat,read,write,readv,writev,pread64,pwrite64,preadv,pwritev,preadv2,pwritev2,\
                  fallocate,ioctl,io_uring_setup,io_submit,mmap";
    let program = env!("CARGO_BIN_EXE_shakedown");
    let mut command = vec!["-ff", "-y", "-s", "0", "-e", filter, "-e", "signal=none", "-o", &output, program];
    command.extend(arguments.iter().map(String::as_str));
    // Paths are given in full, so that it may run where the tests run.
    let plan = trial.path("plan.kdl").display().to_string();
    let results = trial.path("results").display().to_string();
    let place = command.iter().position(|argument| *argument == "plan.kdl").expect("the plan");
    command[place] = &plan;
    command.extend(["--results", &results]);
    must("strace", &command);
    let mut calls = Vec::new();
    let mut threads = Vec::new();
    for entry in fs::read_dir(&traces).expect("traces").flatten() {
        let thread: u32 = entry.path().extension().and_then(|id| id.to_str()?.parse().ok()).expect("a thread's trace");
        threads.push(thread);
        let text = fs::read_to_string(entry.path()).expect("UTF-8");
        let named = |line: &&str| line.contains(&format!("<{device}")) || line.contains(&format!("\"{device}\""));
        calls.extend(text.lines().filter(named).map(|line| Call { thread, text: line.to_owned() }));
    }
    (threads.into_iter().min().expect("the first thread"), calls)
}

fn is_open(call: &&Call) -> bool {
    call.text.starts_with("open")
}

#[test]
fn reads_and_writes_go_where_the_plan_says() {
    let Some(_turn) = turn(&[Need::LoopDevices, Need::Program("strace")]) else { return };
    let folder = folder();
    let plan = r#"
        plan "traced" { revision 1; }
        host { engine "sync"; }
        workload "random" { access "random"; block-size "8KiB"; read "50%"; span "2MiB" offset="1MiB"; }
        workload "lanes" { access "sequential" cursor="lanes"; block-size "8KiB"; read "0%"; span "2MiB" offset="1MiB"; }
        test "t" {
            allow "unwritten-reads" because="only the places matter here"
            measure "random" { threads 2; queue-depth 2; run passes=1; }
            measure "lanes" { threads 2; queue-depth 2; run passes=1; }
        }
    "#;
    let device = LoopDevice::new(folder.path(), BYTES, 512);
    let (main, calls) = traced(plan, &device.path, &on(&device.path, BYTES));
    let writable: Vec<&Call> = calls.iter().filter(is_open).filter(|call| !call.text.contains("O_RDONLY")).collect();
    assert_eq!(writable.len(), 1, "opened for writing once");
    for flag in ["O_RDWR", "O_DIRECT", "O_EXCL", "O_NOFOLLOW", "O_CLOEXEC"] {
        assert!(writable[0].text.contains(flag), "{flag} in {}", writable[0].text);
    }
    assert!(calls.iter().filter(is_open).all(|call| !call.text.contains("O_CREAT") && !call.text.contains("O_TRUNC")));
    let (mut reads, mut writes) = (0, 0);
    // The first thread looks at the device before; all others are workers.
    for call in calls.iter().filter(|call| call.thread != main && !is_open(call)) {
        let (offset, length) = (call.argument_from_end(0), call.argument_from_end(1));
        assert_eq!(length, 8192, "{}", call.text);
        assert_eq!(offset % 8192, 0, "{}", call.text);
        assert!((1 << 20..3 << 20).contains(&offset), "{}", call.text);
        match call.text.split_once('(').map(|(name, _)| name) {
            Some("pread64") => reads += 1,
            Some("pwrite64") => writes += 1,
            _ => panic!("another call on the device: {}", call.text),
        }
    }
    assert_eq!(reads + writes, 2 * 256, "one pass each over 256 blocks");
    assert!(reads > 0 && writes > 256);
    let of_main = calls.iter().filter(|call| call.thread == main);
    for call in of_main {
        let is_harmless = ["open", "read", "pread", "ioctl", "mmap"].iter().any(|name| call.text.starts_with(name));
        assert!(is_harmless && !call.text.contains("BLKDISCARD") && !call.text.contains("BLKZEROOUT"), "{}", call.text);
    }
}

#[test]
fn a_plan_that_only_reads_never_opens_the_device_for_writing() {
    let Some(_turn) = turn(&[Need::LoopDevices, Need::Program("strace")]) else { return };
    let folder = folder();
    let plan = r#"
        plan "reads" { revision 1; }
        host { engine "sync"; }
        workload "random" { access "random"; block-size "4KiB"; read "100%"; }
        test "t" {
            allow "unwritten-reads" because="only the places matter here"
            measure "random" { threads 2; queue-depth 1; run passes=1; }
        }
    "#;
    let device = LoopDevice::new(folder.path(), BYTES, 4096);
    let arguments = ["run", "plan.kdl", "--device", &format!("dut={}", device.path)].map(str::to_owned);
    let (main, calls) = traced(plan, &device.path, &arguments);
    assert!(calls.iter().filter(is_open).count() > 0);
    for call in &calls {
        let is_read = ["pread64(", "read(", "ioctl(", "mmap("].iter().any(|name| call.text.starts_with(name));
        assert!(is_read || (is_open(&call) && call.text.contains("O_RDONLY")), "{}", call.text);
    }
    assert_eq!(calls.iter().filter(|call| call.thread != main).count() as u64, BYTES / 4096, "one pass");
}
