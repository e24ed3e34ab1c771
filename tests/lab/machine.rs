//! One virtual machine: booted, told what to run, and ended.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::drive::Drive;
use crate::needs::Turn;
use crate::qmp::Qmp;
use crate::said::Said;
use crate::{initramfs, kernel};

/// It takes 4 s on a machine of its own; nothing but a failure depends on this.
const BOOTS_WITHIN: Duration = Duration::from_secs(100);

/// An emulated machine hangs now and then before its kernel says a word, whatever is to be tested on it.
const BOOT_ATTEMPTS: u32 = 3;

/// A command that hangs fails its check by this time; nothing else depends on it.
pub(crate) const ENDS_WITHIN: Duration = Duration::from_secs(180);

/// What the guest has, in MiB.
const MEMORY_MIB: u32 = 1024;

pub(crate) struct Machine {
    qemu: Child,
    pub(crate) qmp: Qmp,
    /// Numbers of scripts go out here; the machine ends when it is closed.
    line: UnixStream,
    /// Scripts that ended, by number, with their exit codes.
    reports: Receiver<(usize, i32)>,
    ended: HashMap<usize, i32>,
    begun: usize,
    started: Instant,
    /// Shared with the guest, which sees it as `/lab`.
    folder: PathBuf,
    _sockets: tempfile::TempDir,
}

/// A script that was begun.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Started(usize);

impl Machine {
    /// Boots with these drives; `folder` has their images and gets the logs.
    pub(crate) fn boot(turn: &Turn, drives: &[Drive], folder: &Path) -> Self {
        fs::create_dir_all(folder.join("commands")).expect("a folder in target/lab");
        let image = kernel::unpacked(&turn.kernel, folder.parent().expect("it lies in target/lab"));
        initramfs::build(&turn.kernel, &folder.join("initramfs"));
        for attempt in 1..BOOT_ATTEMPTS {
            let mut machine = Self::start_qemu(&image, drives, folder);
            match machine.report(0, BOOTS_WITHIN) {
                Ok(_) => return machine.booted(),
                Err(why) => machine.log(&format!("it did not boot, {why} (attempt {attempt} of {BOOT_ATTEMPTS})")),
            }
            drop(machine);
            let kept = folder.join(format!("serial-of-attempt-{attempt}.log"));
            fs::rename(folder.join("serial.log"), kept).expect("a name in target/lab");
        }
        let mut machine = Self::start_qemu(&image, drives, folder);
        match machine.report(0, BOOTS_WITHIN) {
            Ok(_) => machine.booted(),
            Err(why) => machine.fail(&format!("it did not boot {BOOT_ATTEMPTS} times, at last {why}")),
        }
    }

    fn start_qemu(image: &Path, drives: &[Drive], folder: &Path) -> Self {
        let begun = Instant::now();
        let sockets = tempfile::tempdir().expect("a folder for sockets, whose names have to be short");
        let arguments = arguments(image, drives, folder, sockets.path());
        let log = |name: &str| File::create(folder.join(name)).expect("a log in target/lab");
        let mut said = log("qemu.log");
        writeln!(said, "qemu-system-x86_64 {}\n", arguments.join(" ")).expect("room in target/lab");
        let mut qemu = Command::new("qemu-system-x86_64")
            .args(&arguments)
            .stdin(Stdio::null())
            .stdout(said.try_clone().expect("the same log"))
            .stderr(said)
            .spawn()
            .expect("qemu starts");
        let mut connect = |name: &str| connect(&mut qemu, &sockets.path().join(name), folder);
        let line = connect("line");
        let qmp = Qmp::new(connect("qmp"));
        let reports = reports(line.try_clone().expect("a second end"));
        Self {
            qemu,
            qmp,
            line,
            reports,
            ended: HashMap::new(),
            begun: 0,
            started: begun,
            folder: folder.to_owned(),
            _sockets: sockets,
        }
    }

    fn booted(self) -> Self {
        self.log(&format!("booted in {:.1} s", self.started.elapsed().as_secs_f64()));
        self
    }

    /// Begins a script of the shell; it runs beside whatever else does.
    pub(crate) fn start(&mut self, script: &str) -> Started {
        self.begun += 1;
        let number = self.begun;
        fs::write(self.folder.join(format!("commands/{number}.sh")), script).expect("room in target/lab");
        self.log(&format!("{number}: {script}"));
        writeln!(self.line, "{number}").unwrap_or_else(|error| self.fail(&format!("the machine is gone ({error})")));
        Started(number)
    }

    /// Whether it has ended already.
    pub(crate) fn has_ended(&mut self, Started(number): Started) -> bool {
        self.ended.extend(self.reports.try_iter());
        self.ended.contains_key(&number)
    }

    /// Waits until it ends, and no longer than that time.
    pub(crate) fn ends(&mut self, Started(number): Started, within: Duration) -> Said {
        let code = self.report(number, within).unwrap_or_else(|why| self.fail(&format!("command {number}: {why}")));
        let text = |stream: &str| {
            let bytes = fs::read(self.folder.join(format!("commands/{number}.{stream}"))).expect("it has its output");
            String::from_utf8(bytes).expect("programs write UTF-8")
        };
        let said = Said { stdout: text("out"), stderr: text("err"), code: Some(code) };
        self.log(&format!("{number} ended with {code}\n{}{}", said.stdout, said.stderr));
        said
    }

    /// Runs a script to its end.
    pub(crate) fn run(&mut self, script: &str) -> Said {
        let started = self.start(script);
        self.ends(started, ENDS_WITHIN)
    }

    /// Runs a script that has to succeed; gives what it printed.
    pub(crate) fn must(&mut self, script: &str) -> String {
        self.run(&format!("set -e\n{script}")).exits(0).stdout.trim().to_owned()
    }

    /// Adds to the log of what was done.
    pub(crate) fn log(&self, what: &str) {
        let log = File::options().append(true).create(true).open(self.folder.join("commands.log"));
        let at = self.started.elapsed().as_secs_f64();
        writeln!(log.expect("a log in target/lab"), "[{at:8.3}] {}", what.trim_end()).expect("room in target/lab");
    }

    /// Waits until a script has ended, 0 being the boot; gives its exit code, or why there is none.
    fn report(&mut self, number: usize, within: Duration) -> Result<i32, String> {
        let begun = Instant::now();
        loop {
            if let Some(code) = self.ended.get(&number) {
                return Ok(*code);
            }
            match self.reports.recv_timeout(within.saturating_sub(begun.elapsed())) {
                Ok((number, code)) => drop(self.ended.insert(number, code)),
                Err(RecvTimeoutError::Timeout) => return Err(format!("nothing came for {} s", within.as_secs())),
                Err(RecvTimeoutError::Disconnected) => return Err("the machine ended".to_owned()),
            }
        }
    }

    fn fail(&self, why: &str) -> ! {
        self.log(why);
        panic!("{why}; the last of its kernel's words:\n{}", last_lines(&self.folder.join("serial.log")))
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.qemu.kill();
        let _ = self.qemu.wait();
    }
}

/// The end of a log.
fn last_lines(path: &Path) -> String {
    let text = String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(30)..].join("\n")
}

/// Connects to a socket that qemu is about to open.
fn connect(qemu: &mut Child, path: &Path, folder: &Path) -> UnixStream {
    let begun = Instant::now();
    loop {
        if let Ok(stream) = UnixStream::connect(path) {
            return stream;
        }
        if let Some(status) = qemu.try_wait().expect("its state") {
            panic!("qemu ended at once ({status}):\n{}", last_lines(&folder.join("qemu.log")));
        }
        assert!(begun.elapsed() < BOOTS_WITHIN, "qemu opens no socket");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// What the guest says, line by line: `ready`, and then numbers of scripts with their exit codes.
fn reports(line: UnixStream) -> Receiver<(usize, i32)> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for text in BufReader::new(line).lines().map_while(Result::ok) {
            let words: Vec<&str> = text.split_whitespace().collect();
            let report = match words[..] {
                ["ready"] => Some((0, 0)),
                [number, code] => number.parse().ok().zip(code.parse().ok()),
                _ => None,
            };
            if report.is_none_or(|report| sender.send(report).is_err()) {
                return;
            }
        }
    });
    receiver
}

fn arguments(kernel: &Path, drives: &[Drive], folder: &Path, sockets: &Path) -> Vec<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_shakedown")).parent().expect("it lies in a folder");
    let share = |id: &str, path: &Path, is_read_only: bool| {
        let read_only = if is_read_only { ",readonly=on" } else { "" };
        // A comma in a value is written twice.
        let path = path.display().to_string().replace(',', ",,");
        [
            "-fsdev".to_owned(),
            format!("local,id={id},path={path},security_model=none,multidevs=remap{read_only}"),
            "-device".to_owned(),
            format!("virtio-9p-pci,fsdev={id},mount_tag={id}"),
        ]
    };
    let socket = |name: &str| format!("socket,id={name},path={},server=on,wait=off", sockets.join(name).display());
    let fixed = [
        "-nodefaults -no-user-config -no-reboot -display none",
        // Its own software emulation everywhere, so that every machine runs the same.
        "-machine q35 -accel tcg,thread=multi -cpu max -smp 2",
        "-device virtio-serial-pci",
    ];
    let mut all: Vec<String> = fixed.iter().flat_map(|text| text.split(' ')).map(str::to_owned).collect();
    let command_line = "console=ttyS0 panic=-1 mitigations=off nokaslr tsc=reliable no_timer_check \
                        random.trust_cpu=1 8250.nr_uarts=1";
    let pairs = [
        ("-m", MEMORY_MIB.to_string()),
        ("-kernel", kernel.display().to_string()),
        ("-initrd", folder.join("initramfs").display().to_string()),
        ("-append", command_line.to_owned()),
        ("-serial", format!("file:{}", folder.join("serial.log").display())),
        ("-chardev", socket("line")),
        ("-device", "virtserialport,chardev=line,name=lab".to_owned()),
        ("-chardev", socket("qmp")),
        ("-mon", "chardev=qmp,mode=control".to_owned()),
    ];
    all.extend(pairs.into_iter().flat_map(|(option, value)| [option.to_owned(), value]));
    all.extend(share("usr", Path::new("/usr"), true));
    all.extend(share("program", program, true));
    all.extend(share("lab", folder, false));
    all.extend(drives.iter().enumerate().flat_map(|(index, drive)| drive.arguments(index, folder)));
    all
}
