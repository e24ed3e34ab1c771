//! What is refused at the command line, with every byte of the device as it was.

use std::os::unix::fs::symlink;

use crate::program::{content, foreign_bytes, on};
use crate::support::{LoopDevice, Mount, Need, Partition, Swap, ZramDevice, folder, must, turn};
use crate::trial::{Said, Trial};

const BYTES: u64 = 8 << 20;

/// Writes all over whatever it is let loose on.
const PLAN: &str = r#"
plan "writes" { revision 1; }
device "dut" { }
host { engine "sync"; }
workload "mix" { access "random"; block-size "8KiB"; read "0%"; }
setup { fill passes=1 { block-size "64KiB"; threads 1; queue-depth 1; } }
test "t" { measure "mix" { threads 1; run written="1MiB"; }; }
"#;

/// Runs with these arguments; the device must be as it was, and nothing may be kept as a result.
fn refused(trial: &Trial, path: &str, arguments: &[String], code: i32, words: &[&str]) -> Said {
    let before = content(path);
    let said = trial.call(arguments).exits(code);
    for word in words {
        assert!(said.stderr.contains(word), "{word} in\n{}", said.stderr);
    }
    assert!(content(path) == before, "a refused run has changed {path}");
    assert!(trial.results().is_empty(), "a refused run leaves no results");
    said
}

fn foreign_loop(folder: &std::path::Path, sector_bytes: u32) -> LoopDevice {
    let device = LoopDevice::new(folder, BYTES, sector_bytes);
    std::fs::write(&device.path, foreign_bytes(BYTES)).expect("our own device");
    device
}

#[test]
fn a_block_smaller_than_the_sector_is_refused_before_any_write() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let plan = PLAN.replace("\"8KiB\"", "\"512B\"");
    let device = foreign_loop(folder.path(), 4096);
    let trial = Trial::new().plan(&plan);
    let said = refused(&trial, &device.path, &on(&device.path, BYTES), 1, &["device/block-size", "512", "4096"]);
    assert!(said.stderr.contains("plan.kdl:5:"), "the place in the plan: {}", said.stderr);
    // The same plan fits a drive with smaller sectors.
    let device = foreign_loop(folder.path(), 512);
    Trial::new().plan(&plan).call(on(&device.path, BYTES)).exits(0);
}

#[test]
fn consent_names_the_device_and_its_exact_size() {
    let Some(_turn) = turn(&[Need::LoopDevices, Need::Zram]) else { return };
    let folder = folder();
    let loop_device = foreign_loop(folder.path(), 512);
    let other = foreign_loop(folder.path(), 512);
    let zram = ZramDevice::new(BYTES);
    std::fs::write(&zram.path, foreign_bytes(BYTES)).expect("our own device");
    for path in [&loop_device.path, &zram.path] {
        let trial = Trial::new().plan(PLAN);
        let target = vec!["run".to_owned(), "plan.kdl".to_owned(), "--device".to_owned(), format!("dut={path}")];
        let right = format!("{path}={BYTES}");
        let wrong = [
            None,
            Some(format!("{path}={}", BYTES - 1)),
            Some(format!("{path}={}", BYTES + 1)),
            Some(format!("{path}=8MiB")),
            Some(path.clone()),
            Some(format!("{}={BYTES}", other.path)),
            Some("no-such-serial".to_owned()),
        ];
        for consent in wrong {
            let mut arguments = target.clone();
            arguments.extend(consent.into_iter().flat_map(|text| ["--destroy".to_owned(), text]));
            refused(&trial, path, &arguments, 3, &["device/no-consent", &format!("--destroy {right}")]);
        }
        let mut arguments = target.clone();
        arguments.extend(["--destroy".to_owned(), "another".to_owned(), "--destroy".to_owned(), right]);
        trial.call(arguments).exits(0);
        assert!(content(path) != foreign_bytes(BYTES), "with consent it is written");
    }
    assert!(content(&other.path) == foreign_bytes(BYTES), "the other device is nobody's business");
}

#[test]
fn devices_in_use_are_refused_whatever_is_consented_to() {
    let needs = [Need::LoopDevices, Need::Program("mkfs.ext4"), Need::Program("mkswap"), Need::Program("addpart")];
    let Some(_turn) = turn(&needs) else { return };
    let folder = folder();
    let trial = Trial::new().plan(PLAN);
    let in_use = |path: &str, words: &[&str]| refused(&trial, path, &on(path, BYTES), 3, words);
    {
        let device = LoopDevice::new(folder.path(), BYTES, 512);
        let mount = Mount::ext4(&device.path, folder.path().join("mnt"));
        in_use(&device.path, &["device/mounted", &mount.point.display().to_string()]);
    }
    {
        let device = LoopDevice::new(folder.path(), BYTES, 512);
        let partition = Partition::on(&device.path, BYTES);
        let mount = Mount::ext4(&partition.path, folder.path().join("mnt"));
        let name = partition.path.trim_start_matches("/dev/");
        in_use(&device.path, &["device/mounted", name, &mount.point.display().to_string()]);
        let bytes = BYTES - (1 << 20);
        refused(&trial, &partition.path, &on(&partition.path, bytes), 3, &["device/mounted"]);
    }
    {
        let device = LoopDevice::new(folder.path(), BYTES, 4096);
        let _swap = Swap::on(&device.path);
        in_use(&device.path, &["device/system-disk", "swap"]);
    }
    {
        let lower = foreign_loop(folder.path(), 512);
        let upper = LoopDevice::on(std::path::Path::new(&lower.path), &[]);
        in_use(&lower.path, &["device/loop-backing", upper.name()]);
        in_use(&upper.path, &["device/passes-through", &lower.path]);
    }
    {
        let backing = tempfile::NamedTempFile::new_in(folder.path()).expect("a backing file");
        std::fs::write(backing.path(), foreign_bytes(BYTES)).expect("our own file");
        let upper = LoopDevice::on(backing.path(), &[]);
        in_use(&backing.path().display().to_string(), &["device/loop-backing", upper.name()]);
    }
}

#[test]
fn a_link_with_colons_is_one_path_and_the_same_device() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let device = foreign_loop(folder.path(), 512);
    let link = folder.path().join("pci-0000:01:00.0-nvme-1=x");
    symlink(&device.path, &link).expect("a link");
    let link = link.display().to_string();
    let trial = Trial::new().plan(PLAN);
    let mut arguments = on(&link, BYTES);
    arguments[5] = format!("{link}={}", BYTES + 1);
    refused(&trial, &device.path, &arguments, 3, &["device/no-consent"]);
    trial.call(on(&link, BYTES)).exits(0);
    let trial = Trial::new().plan(PLAN);
    arguments[5] = format!("{}={BYTES}", device.path);
    trial.call(&arguments).exits(0);
}

#[test]
fn a_run_has_one_target_and_its_role() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let (device, other) = (foreign_loop(folder.path(), 512), foreign_loop(folder.path(), 512));
    let trial = Trial::new().plan(PLAN);
    for second in [&device.path, &other.path] {
        let mut arguments = on(&device.path, BYTES);
        arguments.extend(["--device".to_owned(), format!("dut={second}")]);
        arguments.extend(["--destroy".to_owned(), format!("{second}={BYTES}")]);
        refused(&trial, &device.path, &arguments, 2, &["device/role"]);
    }
    let mut arguments = on(&device.path, BYTES);
    arguments[3] = format!("other={}", device.path);
    refused(&trial, &device.path, &arguments, 2, &["device/role", "dut"]);
    arguments[3] = device.path.clone();
    refused(&trial, &device.path, &arguments, 2, &["ROLE=TARGET"]);
    must("losetup", &["--list", &device.path]);
}

#[test]
fn a_result_is_never_written_into_a_block_device() {
    let Some(_turn) = turn(&[Need::LoopDevices]) else { return };
    let folder = folder();
    let device = foreign_loop(folder.path(), 512);
    let trial = Trial::new().plan(PLAN);
    let link = trial.path("out");
    symlink(&device.path, &link).expect("a link in our own folder");
    for output in [device.path.clone(), link.display().to_string()] {
        let arguments = ["expand", "plan.kdl", "--output", &output].map(str::to_owned);
        refused(&trial, &device.path, &arguments, 4, &["block device"]);
    }
}
