//! Decides what may be written. Reading needs no permit: a mounted drive or the system's own may be read (its facts say
//! that it is in use, and its numbers are then disturbed), since a read destroys nothing.

use serde::{Deserialize, Serialize};

use super::consent::TargetIdentity;
use super::{ChainNode, Consent, DeviceError, Facts, Refusal, RefusalReason, Role, TargetKind, Use};

/// The proof that a target may be written: it names one target by number, size and serial. Only the guard makes one,
/// after consent or for a scratch file that this program has just created; it cannot be copied, stored or read back.
#[derive(Debug, PartialEq, Eq)]
pub struct WritePermit {
    identity: TargetIdentity,
    capacity_bytes: u64,
    serial: Option<String>,
    disk_sequence: Option<u64>,
    path: String,
}

impl WritePermit {
    fn for_facts(facts: &Facts) -> Self {
        Self {
            identity: TargetIdentity::of_facts(facts),
            capacity_bytes: facts.capacity_bytes.get(),
            serial: facts.serial.clone(),
            disk_sequence: facts.disk_sequence,
            path: facts.path.clone(),
        }
    }

    /// The path as it was given when the permit was made, for messages.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The serial that was consented to, if the target has one.
    pub fn serial(&self) -> Option<&str> {
        self.serial.as_deref()
    }

    /// The size that was consented to, in bytes.
    pub fn capacity_bytes(&self) -> u64 {
        self.capacity_bytes
    }

    /// Compares `facts`, read anew, with what was permitted, and judges them again.
    pub(super) fn check(&self, facts: &Facts) -> Result<(), DeviceError> {
        if let Some((what, approved, now)) = self.difference(facts) {
            return Err(DeviceError::Changed { path: facts.path.clone(), what, approved, now });
        }
        Ok(judge(facts)?)
    }

    /// The first way in which `facts` differ from what was permitted: what, then, now.
    fn difference(&self, facts: &Facts) -> Option<(&'static str, String, String)> {
        let now = WritePermit::for_facts(facts);
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "none".to_owned());
        let sequence = |value: Option<u64>| value.map_or_else(|| "none".to_owned(), |number| number.to_string());
        if self.identity != now.identity {
            return Some(("device number", format!("{:?}", self.identity), format!("{:?}", now.identity)));
        }
        if self.serial != now.serial {
            return Some(("serial", text(&self.serial), text(&now.serial)));
        }
        if self.capacity_bytes != now.capacity_bytes {
            return Some(("size in bytes", self.capacity_bytes.to_string(), now.capacity_bytes.to_string()));
        }
        if self.disk_sequence != now.disk_sequence {
            return Some(("disk sequence number", sequence(self.disk_sequence), sequence(now.disk_sequence)));
        }
        None
    }
}

/// What may be done with a drive, in one word and a reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Nothing was found on it; to write, `--destroy` must name it by this value.
    Usable {
        /// What to write after `--destroy`.
        consent: String,
    },
    /// Something is on it, or that could not be read; to write, `--destroy` must name it by this value.
    UsableWithConsent {
        /// What to write after `--destroy`.
        consent: String,
    },
    /// It may not be written.
    Refused(Box<Refusal>),
}

impl Verdict {
    /// The verdict on a target.
    pub fn of(facts: &Facts) -> Self {
        let consent = Consent::wanted_for(facts);
        match judge(facts) {
            Err(refusal) => Verdict::Refused(refusal),
            Ok(()) if facts.contents.as_ref().is_some_and(Vec::is_empty) => Verdict::Usable { consent },
            Ok(()) => Verdict::UsableWithConsent { consent },
        }
    }
}

/// The permit to write to the target of `facts`.
///
/// # Errors
///
/// A refusal by [`judge`], which nothing overrides, or the missing consent. Every existing target needs consent, also an
/// empty one: only its owner knows whether it is the right one.
pub fn approve(facts: &Facts, consent: &Consent) -> Result<WritePermit, Box<Refusal>> {
    judge(facts)?;
    if consent.covers(facts) {
        return Ok(WritePermit::for_facts(facts));
    }
    Err(refuse(
        facts,
        RefusalReason::NoConsent {
            contents: facts.contents.clone().unwrap_or_default(),
            wanted: Consent::wanted_for(facts),
            nearest_miss: consent.nearest_miss(facts),
        },
    ))
}

/// The permit for a scratch file that its creator has just made, empty, under a name that was free.
pub(super) fn permit_created(facts: &Facts) -> Result<WritePermit, Box<Refusal>> {
    judge(facts)?;
    debug_assert!(
        facts.file.as_ref().is_some_and(|file| file.is_scratch),
        "only scratch files are permitted by creation"
    );
    Ok(WritePermit::for_facts(facts))
}

/// The rules that no consent overrides, worst first.
///
/// # Errors
///
/// The first rule that is broken, with what a person needs to see why.
pub fn judge(facts: &Facts) -> Result<(), Box<Refusal>> {
    let broken = match facts.kind {
        TargetKind::BlockDevice => block_device_reason(facts),
        TargetKind::File => file_reason(facts),
    };
    broken.map_or(Ok(()), |reason| Err(refuse(facts, reason)))
}

fn refuse(facts: &Facts, reason: RefusalReason) -> Box<Refusal> {
    Box::new(Refusal { path: facts.path.clone(), drive: facts.summary(), reason })
}

fn block_device_reason(facts: &Facts) -> Option<RefusalReason> {
    let Some(chain) = &facts.chain else {
        return Some(RefusalReason::Unknown { what: unread_or(facts, "its partitions and holders are unknown") });
    };
    if chain.number != facts.number {
        return Some(RefusalReason::Unknown { what: format!("its chain is that of {}", chain.number) });
    }
    // The system's disk first: also a partition of it, and a volume built from it, is refused, because a run beside the
    // running system would measure the system as well.
    let system = |node: &ChainNode| node.uses.iter().any(Use::is_system);
    if let Some(disk) = std::iter::once(chain).chain(&facts.base_disks).find(|disk| disk.find(&system).is_some()) {
        return Some(RefusalReason::SystemDisk { chain: disk.only_used().unwrap_or_else(|| disk.clone()) });
    }
    if let Some(used) = chain.only_used() {
        return Some(standing_reason(chain, used));
    }
    if let Some(backing) = &facts.loop_backing
        && let Some(number) = backing.block_device
    {
        return Some(RefusalReason::PassesThrough { backing: backing.path.clone(), number });
    }
    if let Some(model) = &facts.zoned {
        return Some(RefusalReason::Zoned { model: model.clone() });
    }
    if facts.capacity_bytes.get() == 0 {
        return Some(RefusalReason::Empty);
    }
    if facts.is_read_only {
        return Some(RefusalReason::ReadOnly);
    }
    if !facts.writers.is_empty() {
        return Some(RefusalReason::OpenForWriting { programs: facts.writers.clone() });
    }
    (facts.is_held_exclusively == Some(true)).then_some(RefusalReason::Busy)
}

/// Mounted, under loop devices alone, or held: which of them the headline names.
fn standing_reason(chain: &ChainNode, used: ChainNode) -> RefusalReason {
    if chain.find(&|node| !node.uses.is_empty()).is_some() {
        return RefusalReason::Mounted { chain: used };
    }
    let mut loops = Vec::new();
    let mut holders = 0;
    chain.walk(&mut |node| {
        if node.number != chain.number && node.role.is_holder() {
            holders += 1;
            if matches!(node.role, Role::Loop { .. }) {
                loops.push(node.name.clone());
            }
        }
    });
    if holders > 0 && loops.len() == holders {
        RefusalReason::LoopBacking { devices: loops }
    } else {
        RefusalReason::Held { chain: used }
    }
}

fn file_reason(facts: &Facts) -> Option<RefusalReason> {
    let Some(file) = &facts.file else {
        return Some(RefusalReason::Unknown { what: unread_or(facts, "its file system is unknown") });
    };
    const NOT_FOR_DATA: [&str; 9] =
        ["proc", "sysfs", "devtmpfs", "devpts", "cgroup", "cgroup2", "debugfs", "tracefs", "securityfs"];
    let path = std::path::Path::new(&facts.resolved_path);
    let is_kernel_place = ["/dev", "/proc", "/sys"].iter().any(|place| path.starts_with(place));
    if is_kernel_place || NOT_FOR_DATA.contains(&file.filesystem.as_str()) {
        return Some(RefusalReason::NoPlaceForData { filesystem: file.filesystem.clone() });
    }
    if file.is_swap {
        return Some(RefusalReason::SwapFile);
    }
    if !file.loop_devices.is_empty() {
        return Some(RefusalReason::LoopBacking { devices: file.loop_devices.clone() });
    }
    if facts.is_read_only {
        return Some(RefusalReason::ReadOnly);
    }
    (facts.capacity_bytes.get() == 0).then_some(RefusalReason::Empty)
}

fn unread_or(facts: &Facts, otherwise: &str) -> String {
    if facts.unread.is_empty() { otherwise.to_owned() } else { facts.unread.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{FakeDevice, FileFacts};
    use crate::units::ByteCount;

    fn file_in(filesystem: &str, path: &str) -> Facts {
        let mut facts = FakeDevice::clean_facts("", 1 << 20);
        facts.kind = TargetKind::File;
        facts.path = path.to_owned();
        facts.resolved_path = path.to_owned();
        facts.inode = Some(7);
        facts.chain = None;
        facts.file = Some(FileFacts {
            filesystem: filesystem.to_owned(),
            mount_point: "/".to_owned(),
            mount_source: "/dev/sda1".to_owned(),
            free_bytes: ByteCount::new(1 << 30),
            is_scratch: false,
            loop_devices: Vec::new(),
            is_swap: false,
        });
        facts
    }

    #[test]
    fn a_file_is_judged_by_its_place_and_its_use() {
        type Change = fn(&mut Facts);
        let file = |facts: &mut Facts, change: fn(&mut FileFacts)| change(facts.file.as_mut().expect("a file"));
        judge(&file_in("ext4", "/srv/x")).expect("a plain file");
        judge(&file_in("ext4", "/device/x")).expect("a folder whose name begins like /dev");
        for (filesystem, path) in
            [("devtmpfs", "/dev/x"), ("tmpfs", "/dev/shm/x"), ("sysfs", "/mnt/x"), ("proc", "/proc/1/x")]
        {
            let refusal = judge(&file_in(filesystem, path)).expect_err(path);
            assert_eq!(refusal.code(), "device/no-place-for-data", "{path}");
        }
        let changes: [(&str, Change); 5] = [
            ("device/swap-file", |facts| facts.file.as_mut().expect("a file").is_swap = true),
            ("device/loop-backing", |facts| facts.file.as_mut().expect("a file").loop_devices.push("loop0".to_owned())),
            ("device/read-only", |facts| facts.is_read_only = true),
            ("device/empty", |facts| facts.capacity_bytes = ByteCount::ZERO),
            ("device/unknown-use", |facts| facts.file = None),
        ];
        for (code, change) in changes {
            let mut facts = file_in("ext4", "/srv/x");
            change(&mut facts);
            assert_eq!(judge(&facts).expect_err(code).code(), code);
        }
        let mut scratch = file_in("ext4", "/srv/x");
        file(&mut scratch, |file| file.is_scratch = true);
        permit_created(&scratch).expect("its creator may write it");
    }

    #[test]
    fn a_serial_does_not_consent_to_a_file() {
        let mut facts = file_in("ext4", "/srv/x");
        facts.serial = Some("S1".to_owned());
        assert_eq!(approve(&facts, &Consent::from_arguments(&["S1"])).expect_err("a file").code(), "device/no-consent");
    }
}
