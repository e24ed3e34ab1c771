use std::fs::File;
use std::os::fd::AsRawFd;
use std::sync::Mutex;

use nix::sys::memfd::{MFdFlags, memfd_create};

use super::{
    ChainNode, Device, DeviceError, DeviceNumber, DirectIo, Facts, IoCounters, OpenDevice, Role, TargetKind, Transport,
    WritePermit, raw_io,
};
use crate::units::ByteCount;

/// A scripted device for tests of the layers above: it states any facts, holds its bytes in memory, and can be told to
/// fail an opening. It looks like a block device and obeys permits as a real one does.
#[derive(Debug)]
pub struct FakeDevice {
    facts: Facts,
    memory: File,
    script: Mutex<Script>,
}

#[derive(Debug, Default)]
struct Script {
    refuse_open: Option<i32>,
    counters: Option<IoCounters>,
}

impl FakeDevice {
    /// A clean drive of that size with 512-byte blocks and that serial.
    pub fn new(serial: &str, capacity_bytes: u64) -> Self {
        Self::with_facts(Self::clean_facts(serial, capacity_bytes))
    }

    /// A drive with these facts.
    pub fn with_facts(facts: Facts) -> Self {
        let memory = memfd_create("shakedown-fake", MFdFlags::MFD_CLOEXEC).expect("memory files are always available");
        let memory = File::from(memory);
        memory.set_len(facts.capacity_bytes.get()).expect("a memory file takes any length");
        Self { facts, memory, script: Mutex::new(Script::default()) }
    }

    /// The facts of a clean drive, to be changed at will.
    pub fn clean_facts(serial: &str, capacity_bytes: u64) -> Facts {
        let number = DeviceNumber { major: 259, minor: 99 };
        Facts {
            kind: TargetKind::BlockDevice,
            path: "/dev/fake0".to_owned(),
            resolved_path: "/dev/fake0".to_owned(),
            number,
            inode: None,
            disk_sequence: None,
            capacity_bytes: ByteCount::new(capacity_bytes),
            logical_block_bytes: 512,
            physical_block_bytes: 4096,
            optimal_io_bytes: None,
            direct_io: DirectIo { is_supported: true, memory_alignment_bytes: 512, offset_alignment_bytes: 512 },
            model: Some("Scripted drive".to_owned()),
            serial: (!serial.is_empty()).then(|| serial.to_owned()),
            is_serial_shared: false,
            wwn: None,
            firmware: Some("1.0".to_owned()),
            transport: Transport::Nvme,
            is_rotational: false,
            zoned: None,
            is_read_only: false,
            is_removable: false,
            scheduler: Some("none".to_owned()),
            write_cache: Some("write back".to_owned()),
            numa_node: None,
            contents: Some(Vec::new()),
            chain: Some(ChainNode {
                name: "fake0".to_owned(),
                number,
                role: Role::Disk,
                contents: Vec::new(),
                uses: Vec::new(),
                above: Vec::new(),
            }),
            base_disks: Vec::new(),
            loop_backing: None,
            is_held_exclusively: Some(false),
            writers: Vec::new(),
            file: None,
            unread: Vec::new(),
        }
    }

    /// From now on every opening fails with this error number (`libc::ENODEV` for a vanished drive).
    pub fn refuse_opening(&self, error_number: i32) {
        self.script.lock().expect("no test panics while it holds the script").refuse_open = Some(error_number);
    }

    /// What the kernel is to have counted.
    pub fn set_counters(&self, counters: IoCounters) {
        self.script.lock().expect("no test panics while it holds the script").counters = Some(counters);
    }

    fn open(&self, action: &'static str, is_writable: bool) -> Result<OpenDevice, DeviceError> {
        let refuse_open = self.script.lock().expect("no test panics while it holds the script").refuse_open;
        let fail = |source| DeviceError::from_io(&self.facts.path, action, source);
        if let Some(number) = refuse_open {
            return Err(fail(std::io::Error::from_raw_os_error(number)));
        }
        // Opened anew through its descriptor, so that an opening for reading cannot write, as with a real drive.
        let again = std::path::PathBuf::from(format!("/proc/self/fd/{}", self.memory.as_raw_fd()));
        let file = raw_io::open_existing(&again, is_writable, 0).map_err(fail)?;
        Ok(OpenDevice::new(file, self.facts.direct_io.is_supported, is_writable))
    }
}

impl Device for FakeDevice {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn open_for_read(&self) -> Result<OpenDevice, DeviceError> {
        self.open("open it for reading", false)
    }

    fn open_for_write(&self, permit: &WritePermit) -> Result<OpenDevice, DeviceError> {
        permit.check(&self.facts)?;
        self.open("open it for writing", true)
    }

    fn is_there(&self) -> bool {
        true
    }

    fn counters(&self) -> Option<IoCounters> {
        self.script.lock().expect("no test panics while it holds the script").counters
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{Consent, approve};
    use std::os::unix::fs::FileExt;

    #[test]
    fn bytes_written_are_read_again() {
        let device = FakeDevice::new("FAKE1", 1 << 20);
        let permit = approve(device.facts(), &Consent::from_arguments(&["FAKE1"])).expect("consent by serial");
        let open = device.open_for_write(&permit).expect("a clean drive");
        open.file().write_all_at(b"shakedown", 4096).expect("within the size");
        let mut read = [0; 9];
        device.open_for_read().expect("a clean drive").file().read_exact_at(&mut read, 4096).expect("within the size");
        assert_eq!(&read, b"shakedown");
    }

    #[test]
    fn another_drives_permit_does_not_open_it() {
        let other = FakeDevice::new("OTHER", 1 << 20);
        let permit = approve(other.facts(), &Consent::from_arguments(&["OTHER"])).expect("consent by serial");
        let error = FakeDevice::new("FAKE1", 1 << 20).open_for_write(&permit).expect_err("the wrong drive");
        assert_eq!(error.code(), "device/changed");
    }

    #[test]
    fn a_scripted_failure_is_sorted_as_the_kernels() {
        let device = FakeDevice::new("FAKE1", 1 << 20);
        device.refuse_opening(libc::ENODEV);
        assert_eq!(device.open_for_read().expect_err("scripted").code(), "device/no-such-device");
    }
}
