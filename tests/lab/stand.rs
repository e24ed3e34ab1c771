//! A machine with marked drives, and checks that are run on it one after the other. After each of them every byte of
//! every drive that the check does not name has to be as it was.

use std::any::Any;
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use shakedown::device::{Listed, Verdict};

use crate::drive::{Drive, Space, checksum};
use crate::machine::{ENDS_WITHIN, Machine, Started};
use crate::needs::turn;
use crate::said::Said;

/// One check.
pub(crate) struct Check {
    pub(crate) name: &'static str,
    /// The images that it may change, by name.
    pub(crate) writes: &'static [&'static str],
    pub(crate) run: fn(&mut Stand),
}

/// A booted machine and its drives.
pub(crate) struct Stand {
    pub(crate) machine: Machine,
    drives: Vec<Drive>,
    folder: PathBuf,
    /// The name of the check that runs.
    check: &'static str,
}

/// Boots a machine with these drives and runs the checks on it. `programs` are needed beside those of every boot, each
/// with its Debian package; `prepare` is done first.
pub(crate) fn run_checks(
    name: &str,
    drives: &[Drive],
    programs: &[(&str, &str)],
    prepare: fn(&mut Stand),
    checks: &[Check],
) {
    let Some(turn) = turn(programs) else { return };
    let folder = folder_of_lab().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder in target/lab");
    drives.iter().for_each(|drive| drive.mark(&folder));
    let mut failed = Vec::new();
    let booted = catch_unwind(AssertUnwindSafe(|| {
        let machine = Machine::boot(&turn, drives, &folder);
        let mut stand = Stand { machine, drives: drives.to_vec(), folder: folder.clone(), check: "prepare" };
        stand.load_drivers();
        prepare(&mut stand);
        for check in checks {
            failed.extend(stand.check(check).err().map(|why| format!("{}: {why}", check.name)));
        }
    }));
    failed.extend(booted.err().map(|panic| format!("the machine: {}", words_of(&*panic))));
    // They are large, and say nothing that their checksums do not.
    drives.iter().flat_map(Drive::spaces).for_each(|(image, _)| drop(fs::remove_file(image_path(&folder, &image))));
    assert!(
        failed.is_empty(),
        "{} of {} checks failed; serial.log, commands.log and each check's folder are in {}\n\n{}",
        failed.len(),
        checks.len(),
        folder.display(),
        failed.join("\n\n")
    );
}

/// `target/lab`.
fn folder_of_lab() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("lab")
}

fn image_path(folder: &Path, image: &str) -> PathBuf {
    folder.join(format!("{image}.img"))
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("it failed without words").to_owned()
}

/// A word as the shell has to be told it.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// The arguments of a run of `plan.kdl` on that path with that consent.
pub(crate) fn arguments(path: &str, consent: &str) -> [String; 6] {
    ["run", "plan.kdl", "--device", &format!("dut={path}"), "--destroy", consent].map(str::to_owned)
}

impl Stand {
    /// Loads what the drives need and waits until the kernel has found them all.
    fn load_drivers(&mut self) {
        let mut modules: Vec<&str> = self.drives.iter().flat_map(|drive| drive.modules()).copied().collect();
        modules.sort_unstable();
        modules.dedup();
        if modules.is_empty() {
            return;
        }
        let expected = self.drives.iter().flat_map(Drive::spaces).count();
        self.machine.must(&format!(
            "modprobe -a {}\n\
             for try in $(seq 600); do\n\
             found=$(ls -d /sys/block/sd* /sys/block/vd* /sys/block/nvme*n* 2>/dev/null | wc -l)\n\
             [ $found = {expected} ] && exit 0\n\
             sleep 0.1\n\
             done\n\
             ls -l /sys/block; exit 1",
            modules.join(" ")
        ));
    }

    fn check(&mut self, check: &Check) -> Result<(), String> {
        self.check = check.name;
        fs::create_dir_all(self.path("")).expect("a folder in target/lab");
        self.machine.log(&format!("== {}", check.name));
        let before = self.checksums();
        let result = catch_unwind(AssertUnwindSafe(|| (check.run)(self))).map_err(|panic| words_of(&*panic));
        let after = self.checksums();
        let changed: Vec<&String> = after
            .keys()
            .filter(|image| after.get(*image) != before.get(*image) && !check.writes.contains(&image.as_str()))
            .collect();
        if changed.is_empty() {
            return result;
        }
        Err(format!("BYTES OF ANOTHER DRIVE WERE CHANGED: {changed:?}\n{}", result.err().unwrap_or_default()))
    }

    /// The checksum of every image.
    pub(crate) fn checksums(&self) -> BTreeMap<String, String> {
        let images = self.drives.iter().flat_map(Drive::spaces).map(|(image, _)| image);
        images.map(|image| (image.clone(), checksum(&image_path(&self.folder, &image)))).collect()
    }

    /// A file in the check's own folder, as this machine sees it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join("checks").join(self.check).join(name)
    }

    /// The same as the guest sees it.
    pub(crate) fn guest_path(&self, name: &str) -> String {
        format!("/lab/checks/{}/{name}", self.check)
    }

    /// Writes `plan.kdl` into the check's folder.
    pub(crate) fn plan(&self, text: &str) {
        fs::write(self.path("plan.kdl"), text).expect("room in target/lab");
    }

    /// Runs the program in the check's folder.
    pub(crate) fn call(&mut self, arguments: &[impl AsRef<str>]) -> Said {
        let started = self.start(arguments);
        self.machine.ends(started, ENDS_WITHIN)
    }

    /// The arguments of a run of `plan.kdl` on a drive or namespace, with the consent that it needs.
    pub(crate) fn run_on(&mut self, image: &str) -> [String; 6] {
        let Listed { facts, verdict } = self.listed_as(image);
        let (Verdict::Usable { consent } | Verdict::UsableWithConsent { consent }) = verdict else {
            panic!("{image} may not be used: {verdict:?}");
        };
        arguments(&facts.path, &consent)
    }

    /// Begins to run the program in the check's folder.
    pub(crate) fn start(&mut self, arguments: &[impl AsRef<str>]) -> Started {
        let quoted: Vec<String> = arguments.iter().map(|word| quoted(word.as_ref())).collect();
        let script = format!("cd {}\nexec /program/shakedown {}\n", self.guest_path(""), quoted.join(" "));
        self.machine.start(&script)
    }

    /// What `shakedown devices` lists.
    pub(crate) fn listed(&mut self) -> Vec<Listed> {
        let said = self.call(&["devices", "--format", "json"]).exits(0);
        let document: serde_json::Value = serde_json::from_str(&said.stdout).expect("one JSON document");
        serde_json::from_value(document["devices"].clone()).expect("devices as they are listed")
    }

    /// How the list shows the namespace or drive behind an image; drives are told apart by serial, namespaces by size.
    pub(crate) fn listed_as(&mut self, image: &str) -> Listed {
        let (serial, space) = self.behind(image);
        let listed = self.listed();
        let is_it = |listed: &&Listed| {
            listed.facts.serial.as_deref() == Some(&serial) && listed.facts.capacity_bytes.get() == space.bytes
        };
        listed.iter().find(is_it).unwrap_or_else(|| panic!("no {image} in {listed:#?}")).clone()
    }

    /// The result folder of the check's one run.
    pub(crate) fn result(&self) -> PathBuf {
        let entries = fs::read_dir(self.path("results")).expect("results").flatten().map(|entry| entry.path());
        let folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
        let [folder] = &folders[..] else { panic!("not one result: {folders:?}") };
        folder.clone()
    }

    /// What `report` says of the check's one run.
    pub(crate) fn report(&mut self) -> Said {
        let result = self.result();
        let name = result.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        self.call(&["report", &format!("results/{name}")])
    }

    fn behind(&self, image: &str) -> (String, Space) {
        let all = self.drives.iter().flat_map(|drive| drive.spaces().into_iter().map(|space| (drive.serial(), space)));
        let found = all.into_iter().find(|(_, (name, _))| name == image).unwrap_or_else(|| panic!("no image {image}"));
        (found.0, found.1.1)
    }
}
