//! Which processors the workers use, and how much memory they take.

use std::collections::BTreeSet;
use std::fs;

use shakedown::event::EventKind;

use crate::program::{Background, LONG, events, on};
use crate::support::{LoopDevice, Need, folder, turn};
use crate::trial::Trial;

const BYTES: u64 = 16 << 20;

/// The processors that this test itself may use.
fn allowed() -> Vec<usize> {
    shakedown::device::CpuSet::allowed().expect("the kernel tells").as_slice().iter().map(|&cpu| cpu as usize).collect()
}

/// The `Cpus_allowed_list` of each worker of a process.
fn workers(process: u32) -> Vec<String> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).expect("it runs").flatten();
    let of_task = |task: fs::DirEntry| {
        let status = fs::read_to_string(task.path().join("status")).ok()?;
        let field =
            |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(|rest| rest.trim().to_owned());
        field("Name:")?.starts_with("slot-").then(|| field("Cpus_allowed_list:")).flatten()
    };
    tasks.filter_map(of_task).collect()
}

#[test]
fn workers_stay_on_the_processors_that_the_process_may_use() {
    let Some(_turn) = turn(&[Need::LoopDevices, Need::Program("taskset")]) else { return };
    let folder = folder();
    let device = LoopDevice::new(folder.path(), BYTES, 512);
    let all = allowed();
    // The first alone, the last alone (whose number is not its place in the list), and all.
    for mask in [&all[..1], &all[all.len() - 1..], &all[..]] {
        let list = mask.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let trial = Trial::new()
            .plan(&LONG.replace("as=\"endless\" { threads 2;", "as=\"endless\" { threads 3; queue-depth 2;"));
        let mut run = Background::start_under(&trial, &["taskset", "-c", &list], &on(&device.path, BYTES));
        run.wait_for_intervals_of("t/endless", 2);
        let workers = workers(run.id());
        assert_eq!(workers.len(), 6, "a thread for each slot");
        let used: BTreeSet<usize> = workers.iter().map(|list| list.parse().expect("one processor each")).collect();
        assert_eq!(used, mask.iter().copied().collect(), "dealt over all of them");
        run.signal("-INT");
        run.ends().exits(130);
        let EventKind::RunStarted(started) = &events(&trial)[0].kind else { panic!("the first event") };
        assert_eq!(started.cpus, mask);
    }
}

#[test]
fn two_hundred_and_fifty_six_slots_take_little_memory() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let device = LoopDevice::new(folder.path(), BYTES, 512);
    let trial =
        Trial::new().plan(&LONG.replace("as=\"endless\" { threads 2;", "as=\"endless\" { threads 16; queue-depth 16;"));
    let mut run = Background::endless(&trial, &device.path, BYTES);
    assert_eq!(workers(run.id()).len(), 256);
    let status = fs::read_to_string(format!("/proc/{}/status", run.id())).expect("it runs");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the kernel tells");
    let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    run.signal("-INT");
    run.ends().exits(130);
    assert!(kilobytes * 1024 < 100_000_000, "{kilobytes} kB were resident");
}
