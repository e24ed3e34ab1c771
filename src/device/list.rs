use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::holders::{Survey, number_in};
use super::kernel::{names_in, read_text};
use super::writers::Writers;
use super::{Facts, KernelRoot, Verdict, linux, sysfs};

/// A block device of the machine and whether it may be used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Listed {
    /// What it is; `unread` says what could not be read, for want of permission for instance.
    pub facts: Facts,
    /// Whether it may be written.
    pub verdict: Verdict,
}

/// Every block device below `root`, partitions left to their disks, in the kernel's order; loop devices and the like
/// that are not set up are left out. On the live root the devices are opened for reading to see what is on them.
///
/// # Errors
///
/// A sentence, if there is no list of block devices at all.
pub fn list(root: &KernelRoot) -> Result<Vec<Listed>, String> {
    let block = root.path("/sys/block");
    if !block.is_dir() {
        return Err(format!("{} is not to be found", block.display()));
    }
    let survey = Survey::read(root);
    let is_live = *root == KernelRoot::live();
    let writers = Writers::scan(root, std::process::id());
    let mut listed = Vec::new();
    for name in names_in(&block) {
        let folder = block.join(&name);
        if read_text(&folder.join("size")).as_deref() == Some("0") {
            continue;
        }
        let Some(number) = number_in(&folder) else { continue };
        let node = PathBuf::from("/dev").join(name.replace('!', "/"));
        let path = node.display().to_string();
        let Ok(mut facts) = sysfs::read_block_facts(root, &survey, number, &path, &path) else { continue };
        if is_live {
            linux::read_from_device(&node, &mut facts, &writers);
        }
        listed.push(Listed { verdict: Verdict::of(&facts), facts });
    }
    Ok(listed)
}
