//! Emulated drives: what they are, their images, and how qemu is told of them.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// How a drive is attached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bus {
    Nvme,
    /// On the machine's AHCI controller.
    Sata,
    /// On a controller of its own.
    Scsi,
    Virtio,
}

/// One emulated drive. Its serial number is `LAB-` and its name.
#[derive(Debug, Clone)]
pub(crate) struct Drive {
    pub(crate) name: &'static str,
    bus: Bus,
    /// The first namespace, or all of the drive.
    main: Space,
    /// Further namespaces, from number 2.
    more: Vec<Space>,
    /// Sectors of 512 bytes that can be read or written no more.
    bad: Vec<(Broken, u64)>,
    /// Limits of a throttle group.
    limits: Option<Value>,
    /// The serial, where it is not made from the name.
    serial: Option<&'static str>,
    is_read_only: bool,
    /// Whether its first namespace has zones.
    is_zoned: bool,
}

/// What fails at a bad sector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Broken {
    Read,
    Write,
}

/// Bytes and blocks of a drive or a namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Space {
    pub(crate) bytes: u64,
    /// The logical block.
    pub(crate) block: u32,
}

impl Space {
    pub(crate) const fn mib(mib: u64, block: u32) -> Self {
        Self { bytes: mib << 20, block }
    }
}

impl Drive {
    pub(crate) fn new(name: &'static str, bus: Bus, main: Space) -> Self {
        Self {
            name,
            bus,
            main,
            more: Vec::new(),
            bad: Vec::new(),
            limits: None,
            serial: None,
            is_read_only: false,
            is_zoned: false,
        }
    }

    /// The same with one more namespace.
    pub(crate) fn namespace(mut self, space: Space) -> Self {
        assert_eq!(self.bus, Bus::Nvme, "only NVMe has namespaces");
        self.more.push(space);
        self
    }

    /// The same where the operation fails at a sector, counted in 512 bytes.
    pub(crate) fn broken_at(mut self, what: Broken, sector: u64) -> Self {
        self.bad.push((what, sector));
        self
    }

    /// The same with the limits of a throttle group, as `{"bps-write": 1048576}`.
    pub(crate) fn limited(mut self, limits: Value) -> Self {
        self.limits = Some(limits);
        self
    }

    /// The same with another serial number.
    pub(crate) const fn serial_is(mut self, serial: &'static str) -> Self {
        self.serial = Some(serial);
        self
    }

    /// The same, refusing writes.
    pub(crate) const fn read_only(mut self) -> Self {
        self.is_read_only = true;
        self
    }

    /// The same, with zones of 4 MiB that are written from their start.
    pub(crate) fn zoned(mut self) -> Self {
        assert_eq!(self.bus, Bus::Nvme, "only NVMe has zones here");
        self.is_zoned = true;
        self
    }

    pub(crate) fn serial(&self) -> String {
        self.serial.map_or_else(|| format!("LAB-{}", self.name), str::to_owned)
    }

    /// All namespaces, or the drive itself, each with the name of its image.
    pub(crate) fn spaces(&self) -> Vec<(String, Space)> {
        let more = self.more.iter().enumerate().map(|(index, space)| (format!("{}-{}", self.name, index + 2), *space));
        std::iter::once((self.name.to_owned(), self.main)).chain(more).collect()
    }

    /// The modules that the guest's kernel needs for it.
    pub(crate) const fn modules(&self) -> &'static [&'static str] {
        match self.bus {
            Bus::Nvme => &["nvme"],
            Bus::Sata => &["ahci", "sd_mod"],
            Bus::Scsi => &["virtio_scsi", "sd_mod"],
            Bus::Virtio => &["virtio_blk"],
        }
    }

    /// What qemu is told of it, as number `index` of the machine's drives, with images in `folder`.
    pub(crate) fn arguments(&self, index: usize, folder: &Path) -> Vec<String> {
        let mut arguments = Vec::new();
        for (image, _) in self.spaces() {
            for (option, value) in self.backend(&image, folder) {
                arguments.extend([option.to_owned(), value.to_string()]);
            }
        }
        let mut device = |text: String| arguments.extend(["-device".to_owned(), text]);
        let (name, serial, Space { block, .. }) = (self.name, self.serial(), self.main);
        let blocks = format!("logical_block_size={block},physical_block_size={block}");
        // A port of its own for each, so that it can be unplugged.
        let port = format!("pcie-root-port,id=port-{name},chassis={}", index + 1);
        match self.bus {
            Bus::Nvme => {
                device(port);
                device(format!("nvme,id={name},serial={serial},bus=port-{name}"));
                for (number, (image, space)) in self.spaces().into_iter().enumerate() {
                    let block = space.block;
                    let zones = if self.is_zoned && number == 0 { ",zoned=on,zoned.zone_size=4M" } else { "" };
                    device(format!(
                        "nvme-ns,drive={image},bus={name},nsid={},logical_block_size={block},physical_block_size={block}{zones}",
                        number + 1
                    ));
                }
            }
            Bus::Sata => device(format!(
                "ide-hd,id={name},serial={serial},drive={name},bus=ide.{index},rotation_rate=1,{blocks}"
            )),
            Bus::Scsi => {
                device(port);
                device(format!("virtio-scsi-pci,id=controller-{name},bus=port-{name}"));
                device(format!(
                    "scsi-hd,id={name},serial={serial},drive={name},bus=controller-{name}.0,rotation_rate=1,{blocks}"
                ));
            }
            Bus::Virtio => {
                device(port);
                device(format!("virtio-blk-pci,id={name},serial={serial},drive={name},bus=port-{name},{blocks}"));
            }
        }
        arguments
    }

    /// The layers below a drive, the lowest first, the uppermost under the image's name.
    fn backend(&self, image: &str, folder: &Path) -> Vec<(&'static str, Value)> {
        let path = folder.join(format!("{image}.img"));
        let file = json!({ "driver": "file", "filename": path, "discard": "unmap" });
        let is_main = image == self.name;
        let mut node = json!({ "driver": "raw", "file": file, "discard": "unmap" });
        let mut options = Vec::new();
        if is_main && !self.bad.is_empty() {
            let rules: Vec<Value> = self
                .bad
                .iter()
                .map(|(what, sector)| {
                    let kind = if *what == Broken::Read { "read" } else { "write" };
                    json!({ "event": "none", "iotype": kind, "errno": 5, "sector": sector })
                })
                .collect();
            node = json!({ "driver": "blkdebug", "image": node, "inject-error": rules, "discard": "unmap" });
        }
        if let Some(limits) = self.limits.as_ref().filter(|_| is_main) {
            let group = format!("limits-{image}");
            options.push(("-object", json!({ "qom-type": "throttle-group", "id": group, "limits": limits })));
            node = json!({ "driver": "throttle", "throttle-group": group, "file": node, "discard": "unmap" });
        }
        node["node-name"] = json!(image);
        if self.is_read_only {
            node["read-only"] = json!(true);
        }
        options.push(("-blockdev", node));
        options
    }

    /// Fills its images with bytes that are nobody else's and look like nothing known.
    pub(crate) fn mark(&self, folder: &Path) {
        for (image, space) in self.spaces() {
            let mut file = File::create(folder.join(format!("{image}.img"))).expect("an image in target/lab");
            let mut chunk: Vec<u8> = pattern(&image, 1 << 20);
            for index in 0..space.bytes >> 20 {
                // Each MiB is another, so that bytes which move are noticed.
                chunk[..8].copy_from_slice(&(index ^ 0x5bd1_e995_9e37_79b9).to_le_bytes());
                file.write_all(&chunk).expect("room in target/lab");
            }
        }
    }
}

/// Bytes that begin otherwise for each name.
fn pattern(name: &str, length: usize) -> Vec<u8> {
    let mut state =
        name.bytes().fold(0x9e37_79b9_7f4a_7c15_u64, |state, byte| (state ^ u64::from(byte)).rotate_left(7) | 1);
    let words = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state ^ (state >> 29)).to_le_bytes()
    });
    words.flatten().take(length).collect()
}

/// The checksum of an image as it is now.
pub(crate) fn checksum(path: &Path) -> String {
    let mut file = File::open(path).expect("an image of the lab");
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        match file.read(&mut buffer).expect("it can be read") {
            0 => break,
            length => hash.update(&buffer[..length]),
        }
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
