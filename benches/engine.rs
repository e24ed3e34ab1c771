//! What the engine costs: its own work for each operation, and its rate beside a bare loop and beside fio.
//!
//! Nothing here passes or fails; it prints. `cargo bench` makes a zram device of its own where it may (root), fills it
//! with data and removes it again; else it reads a scratch file in the build folder. Another target that already holds
//! data can be named, and is only ever read:
//!
//! ```text
//! cargo bench --bench engine -- --target /dev/nvme1n1 --seconds 10 --rounds 5
//! ```
#![expect(clippy::print_stdout, reason = "a bench prints its results")]

use std::error::Error;
use std::fs::{File, OpenOptions};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use shakedown::clock::{Clock, RealClock, check_clock};
use shakedown::engine::{
    AccessOrder, Engine, Limits, LoadSpec, Region, StopFlag, SyncEngine, SyncTarget, measure_own_work,
};
use shakedown::measure::Ended;
use shakedown::units::{BlockSize, Percent, QueueDepth, ReadShare, Threads};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const BLOCK_BYTES: u64 = 4096;
const TARGET_BYTES: u64 = 512 << 20;

fn main() -> Result<()> {
    let wishes = Wishes::from_arguments()?;
    // An interrupted bench still removes what it made, after the measurement that is running.
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [libc::SIGINT, libc::SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&interrupted))?;
    }
    own_work()?;
    let target = Target::prepare(wishes.target.as_deref())?;
    println!("\ntarget: {}", target.description);
    let fio = fio_version();
    match &fio {
        Some(version) => println!("beside: bare pread loop, {version} psync"),
        None => println!("beside: bare pread loop (fio is not installed)"),
    }
    for (threads, depth) in [(1, 1), (16, 16)] {
        compare(&target, &wishes, fio.is_some(), (threads, depth), &interrupted)?;
    }
    Ok(())
}

/// What the command line asked for.
struct Wishes {
    target: Option<PathBuf>,
    seconds: u64,
    rounds: usize,
}

impl Wishes {
    fn from_arguments() -> Result<Self> {
        let mut wishes = Self { target: None, seconds: 4, rounds: 3 };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--target" => wishes.target = Some(value()?.into()),
                "--seconds" => wishes.seconds = value()?.parse::<u64>()?.max(1),
                "--rounds" => wishes.rounds = value()?.parse::<usize>()?.max(1),
                // cargo itself passes this one.
                "--bench" => {}
                other => return Err(format!("{other}: known are --target, --seconds and --rounds").into()),
            }
        }
        Ok(wishes)
    }
}

/// Our own nanoseconds for each operation.
fn own_work() -> Result<()> {
    let clock = check_clock(&RealClock, 2_000_000);
    println!("one clock read: {:.1} ns", clock.read_ns);
    println!("own work for each operation, full metrics, median of 9 runs of 2,000,000:");
    let cases = [
        ("random reads", AccessOrder::UniformRandom, 100),
        ("random 70/30", AccessOrder::UniformRandom, 70),
        ("sequential reads", AccessOrder::SequentialShared, 100),
    ];
    for (name, access, read) in cases {
        let mut load = load(1, 1, 1 << 40, 1);
        load.access = access;
        load.read = share(read)?;
        load.limits.time_ns = Some(u64::MAX / 4);
        let mut runs = Vec::new();
        for _ in 0..9 {
            let work = measure_own_work(&load, 2_000_000)?;
            runs.push((work.work_ns, work.work_and_clock_ns));
        }
        let work_ns = median(runs.iter().map(|run| run.0));
        let with_clock_ns = median(runs.iter().map(|run| run.1));
        println!("  {name:<17} {work_ns:6.1} ns; with two clock reads {with_clock_ns:6.1} ns");
    }
    Ok(())
}

/// Bare loop, engine and fio in turn, forwards and backwards.
fn compare(
    target: &Target,
    wishes: &Wishes,
    with_fio: bool,
    (threads, depth): (u32, u32),
    interrupted: &AtomicBool,
) -> Result<()> {
    let slots = threads * depth;
    println!(
        "\n{threads}T/{depth}Q, 4 KiB random reads, {} s each, {} rounds there and back:",
        wishes.seconds, wishes.rounds
    );
    let (mut bare, mut ours, mut fios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..wishes.rounds {
        for turn in [0, 1, 2, 2, 1, 0] {
            if interrupted.load(Ordering::Relaxed) {
                return Err("interrupted".into());
            }
            match turn {
                0 => bare.push(bare_loop(target, slots, wishes.seconds)?),
                1 => ours.push(our_rate(target, threads, depth, wishes.seconds)?),
                _ if with_fio => fios.push(fio_rate(&target.path, slots, wishes.seconds)?),
                _ => {}
            }
        }
    }
    let (bare, ours) = (Rates::of(&bare), Rates::of(&ours));
    println!("  bare loop {bare}");
    println!("  sync      {ours}   {:.3} of the bare loop", ours.median / bare.median);
    if with_fio {
        let fios = Rates::of(&fios);
        println!("  fio psync {fios}   sync is {:.3} of fio", ours.median / fios.median);
    }
    println!("  resident at most: {} MiB", peak_resident_kib()? / 1024);
    Ok(())
}

/// The middle and the ends of several rates.
struct Rates {
    median: f64,
    smallest: f64,
    largest: f64,
}

impl Rates {
    fn of(rates: &[f64]) -> Self {
        let smallest = rates.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = rates.iter().copied().fold(0.0, f64::max);
        Self { median: median(rates.iter().copied()), smallest, largest }
    }
}

impl std::fmt::Display for Rates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let thousands = |rate: f64| rate / 1e3;
        let (median, smallest, largest) = (thousands(self.median), thousands(self.smallest), thousands(self.largest));
        write!(f, "{median:8.1} k IOPS ({smallest:.1} to {largest:.1})")
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => values[count / 2],
        count => f64::midpoint(values[count / 2 - 1], values[count / 2]),
    }
}

/// Random reads with nothing counted but their number, each thread pinned as the engine pins its own.
fn bare_loop(target: &Target, slots: u32, seconds: u64) -> Result<f64> {
    use std::sync::Barrier;
    let (processors, barrier, stop) = (allowed()?, Barrier::new(slots as usize + 1), AtomicBool::new(false));
    let clock = RealClock;
    let (count, begun_ns, ended_ns) = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..slots)
            .map(|slot| {
                let (processor, barrier, stop) = (processors[slot as usize % processors.len()], &barrier, &stop);
                scope.spawn(move || {
                    let mut set = CpuSet::new();
                    let _ = set.set(processor).and_then(|()| sched_setaffinity(Pid::from_raw(0), &set));
                    let mut memory = vec![0_u8; 2 * BLOCK_BYTES as usize];
                    let skip = memory.as_ptr().align_offset(BLOCK_BYTES as usize);
                    let block = &mut memory[skip..skip + BLOCK_BYTES as usize];
                    let (mut state, mut count) = (u64::from(slot) * 2 + 1, 0_u64);
                    barrier.wait();
                    let begun_ns = clock.now_ns();
                    while !stop.load(Ordering::Relaxed) {
                        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                        let at =
                            ((u128::from(state) * u128::from(target.bytes / BLOCK_BYTES)) >> 64) as u64 * BLOCK_BYTES;
                        // SAFETY: the block is writable for its whole length and outlives the call.
                        let moved = unsafe {
                            libc::pread64(target.file.as_raw_fd(), block.as_mut_ptr().cast(), block.len(), at as i64)
                        };
                        if moved != BLOCK_BYTES as isize {
                            break;
                        }
                        count += 1;
                    }
                    (count, begun_ns, clock.now_ns())
                })
            })
            .collect();
        barrier.wait();
        clock.sleep_until(clock.now_ns() + seconds * 1_000_000_000);
        stop.store(true, Ordering::Relaxed);
        // From the first worker's start to the last one's end: with more threads than processors they lie far apart.
        let ran = workers.into_iter().filter_map(|worker| worker.join().ok());
        ran.fold((0, u64::MAX, 0), |all, of| (all.0 + of.0, all.1.min(of.1), all.2.max(of.2)))
    });
    Ok(count as f64 * 1e9 / ended_ns.saturating_sub(begun_ns) as f64)
}

/// The engine's rate, with all its metrics.
fn our_rate(target: &Target, threads: u32, depth: u32, seconds: u64) -> Result<f64> {
    let mut engine = SyncEngine::new(SyncTarget::read_only(target.file.try_clone()?), allowed()?);
    let outcome = engine.run_load(&load(threads, depth, target.bytes, seconds), &StopFlag::new(), &mut |_| {})?;
    if let Some(failure) = outcome.failure {
        return Err(failure.to_string().into());
    }
    outcome.totals.iops().ok_or_else(|| "the window has no length".into())
}

/// fio's rate over its own runtime.
fn fio_rate(path: &Path, jobs: u32, seconds: u64) -> Result<f64> {
    let output = Command::new("fio")
        .args(["--name=bench", "--ioengine=psync", "--rw=randread", "--bs=4k", "--direct=1", "--thread", "--readonly"])
        .args(["--norandommap", "--randrepeat=0", "--time_based", "--group_reporting", "--output-format=json"])
        .arg(format!("--numjobs={jobs}"))
        .arg(format!("--runtime={seconds}"))
        .arg(format!("--filename={}", path.display()))
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    let from = text.find('{').ok_or("fio printed no JSON")?;
    let json: serde_json::Value = serde_json::from_str(&text[from..])?;
    let read = &json["jobs"][0]["read"];
    let (count, runtime_ms) = (read["total_ios"].as_f64(), read["runtime"].as_f64());
    let (count, runtime_ms) = count.zip(runtime_ms).ok_or("fio told neither count nor runtime")?;
    Ok(count * 1e3 / runtime_ms)
}

fn fio_version() -> Option<String> {
    let output = Command::new("fio").arg("--version").output().ok()?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

fn load(threads: u32, depth: u32, length_bytes: u64, seconds: u64) -> LoadSpec {
    LoadSpec {
        threads: Threads::new(threads).unwrap_or(Threads::ONE),
        queue_depth: QueueDepth::new(depth).unwrap_or(QueueDepth::ONE),
        region: Region { start_bytes: 0, length_bytes },
        block_size: BlockSize::new(BLOCK_BYTES).expect("positive"),
        read: ReadShare::ALL,
        access: AccessOrder::UniformRandom,
        includes_tail: false,
        ramp_ns: 200_000_000,
        limits: Limits { time_ns: Some(seconds * 1_000_000_000), ..Limits::default() },
        sample_ns: 1_000_000_000,
        seed: 1,
        drain_deadline_ns: 30_000_000_000,
        alignment_bytes: 4096,
    }
}

fn share(percent: u32) -> Result<ReadShare> {
    ReadShare::new(Percent::from_parts_per_million(percent * 10_000)).ok_or_else(|| "at most 100 %".into())
}

fn allowed() -> Result<Vec<usize>> {
    let set = sched_getaffinity(Pid::from_raw(0))?;
    Ok((0..CpuSet::count()).filter(|&processor| set.is_set(processor).unwrap_or(false)).collect())
}

/// The most memory that this process ever had resident, in KiB.
fn peak_resident_kib() -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("the kernel tells no peak")?;
    Ok(line.trim().trim_end_matches(" kB").trim().parse()?)
}

/// What is read: an open file or device, and what has to be undone.
struct Target {
    file: File,
    path: PathBuf,
    bytes: u64,
    description: String,
    undo: Undo,
}

enum Undo {
    Nothing,
    RemoveFile(PathBuf),
    RemoveZram(u32),
}

impl Drop for Undo {
    fn drop(&mut self) {
        let undone = match self {
            Undo::Nothing => Ok(()),
            Undo::RemoveFile(path) => std::fs::remove_file(path),
            Undo::RemoveZram(number) => std::fs::write(format!("/sys/block/zram{number}/reset"), "1")
                .and_then(|()| std::fs::write("/sys/class/zram-control/hot_remove", number.to_string())),
        };
        if let Err(error) = undone {
            println!("left behind: {error}");
        }
    }
}

impl Target {
    fn prepare(named: Option<&Path>) -> Result<Self> {
        if let Some(path) = named {
            let mut target = Self::open(path, Undo::Nothing, false)?;
            target.description += ", read as it is (blocks never written may be answered without the drive)";
            return Ok(target);
        }
        match Self::zram() {
            Ok(target) => Ok(target),
            Err(error) => {
                println!("\nno zram device of its own ({error}); a scratch file instead");
                Self::scratch_file()
            }
        }
    }

    fn zram() -> Result<Self> {
        let number: u32 = std::fs::read_to_string("/sys/class/zram-control/hot_add")?.trim().parse()?;
        let undo = Undo::RemoveZram(number);
        std::fs::write(format!("/sys/block/zram{number}/disksize"), TARGET_BYTES.to_string())?;
        let target = Self::open(Path::new(&format!("/dev/zram{number}")), undo, true)?;
        target.filled()
    }

    fn scratch_file() -> Result<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        std::fs::create_dir_all(folder)?;
        let path = folder.join(format!("bench-{}.scratch", std::process::id()));
        File::create_new(&path)?.set_len(TARGET_BYTES)?;
        Self::open(&path, Undo::RemoveFile(path.clone()), true)?.filled()
    }

    fn open(path: &Path, undo: Undo, write: bool) -> Result<Self> {
        use std::io::{Seek, SeekFrom};
        let mut options = OpenOptions::new();
        options.read(true).write(write).custom_flags(libc::O_DIRECT);
        let mut file = options.open(path).map_err(|error| format!("{} with O_DIRECT: {error}", path.display()))?;
        let bytes = file.seek(SeekFrom::End(0))? / BLOCK_BYTES * BLOCK_BYTES;
        let description = format!("{}, {} MiB, O_DIRECT", path.display(), bytes >> 20);
        Ok(Self { file, path: path.to_owned(), bytes, description, undo })
    }

    /// Writes every block once, so that reads are answered from data.
    fn filled(mut self) -> Result<Self> {
        let mut fill = load(1, 4, self.bytes, 1);
        fill.block_size = BlockSize::new(1 << 20).expect("positive");
        fill.read = ReadShare::NONE;
        fill.access = AccessOrder::SequentialShared;
        fill.includes_tail = true;
        fill.ramp_ns = 0;
        fill.limits = Limits { moved_bytes: Some(self.bytes), ..Limits::default() };
        let target = SyncTarget::read_write(self.file.try_clone()?, self.file.try_clone()?);
        let outcome = SyncEngine::new(target, allowed()?).run_load(&fill, &StopFlag::new(), &mut |_| {})?;
        if outcome.ended != Ended::Passes {
            return Err(outcome
                .failure
                .map_or("the fill was cut short".to_owned(), |failure| failure.to_string())
                .into());
        }
        self.description += ", filled with incompressible data";
        Ok(self)
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // The device can be removed only once nothing holds it.
        if let Ok(none) = File::open("/dev/null") {
            self.file = none;
        }
        drop(std::mem::replace(&mut self.undo, Undo::Nothing));
    }
}
