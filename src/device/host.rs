use std::fmt;

use nix::sched::{CpuSet as KernelCpuSet, sched_getaffinity};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

use super::KernelRoot;

/// A set of processor numbers, sorted; they need not be without gaps.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CpuSet(Vec<u32>);

impl CpuSet {
    /// From numbers in any order.
    pub fn new(mut cpus: Vec<u32>) -> Self {
        cpus.sort_unstable();
        cpus.dedup();
        Self(cpus)
    }

    /// The processors that this process may run on: what taskset, a cpuset or a container left of all.
    ///
    /// # Errors
    ///
    /// What the kernel says; it does not happen for one's own process.
    pub fn allowed() -> std::io::Result<Self> {
        let set = sched_getaffinity(Pid::from_raw(0))?;
        let is_allowed = |cpu: &usize| set.is_set(*cpu).unwrap_or(false);
        Ok(Self((0..KernelCpuSet::count()).filter(is_allowed).map(|cpu| cpu as u32).collect()))
    }

    /// From the kernel's list form, `0-3,8,10-11`; `None` if it is not such a list.
    pub fn parse(text: &str) -> Option<Self> {
        let mut cpus = Vec::new();
        for part in text.trim().split(',').filter(|part| !part.is_empty()) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
            if first > last || last > 1 << 16 {
                return None;
            }
            cpus.extend(first..=last);
        }
        Some(Self::new(cpus))
    }

    /// The numbers, ascending.
    pub fn as_slice(&self) -> &[u32] {
        &self.0
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// In the kernel's list form: `0-3,8`.
impl fmt::Display for CpuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        for run in self.0.chunk_by(|a, b| a + 1 == *b) {
            match run {
                [only] => parts.push(only.to_string()),
                [first, .., last] => parts.push(format!("{first}-{last}")),
                [] => {}
            }
        }
        f.pad(&parts.join(","))
    }
}

/// The machine that a run happens on, as far as it bears on the numbers. `None` is what the kernel does not tell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostFacts {
    /// The kernel's release (`6.1.0-28-amd64`).
    pub kernel: Option<String>,
    /// The processor's name.
    pub cpu_model: Option<String>,
    /// The processors that are online.
    pub cpus_online: CpuSet,
    /// Those of them that this process may use.
    pub cpus_allowed: CpuSet,
    /// Whether hardware threads share cores at the moment.
    pub is_smt_active: Option<bool>,
    /// The frequency governors in use, each once.
    pub governors: Vec<String>,
    /// The kernel's clock source.
    pub clock_source: Option<String>,
    /// All of the memory, in bytes.
    pub memory_bytes: Option<u64>,
    /// Memory that programs could still get, in bytes.
    pub memory_available_bytes: Option<u64>,
    /// The hypervisor's or board's name for the machine.
    pub machine: Option<String>,
}

impl HostFacts {
    /// Of the running machine and this process.
    ///
    /// # Errors
    ///
    /// The allowed processors could not be asked for.
    pub fn read() -> std::io::Result<Self> {
        Ok(Self::read_below(&KernelRoot::live(), CpuSet::allowed()?))
    }

    /// From the files below `root`; which processors are allowed is no file, so it is an argument.
    pub fn read_below(root: &KernelRoot, cpus_allowed: CpuSet) -> Self {
        let cpu = "/sys/devices/system/cpu";
        let online = root.text(format!("{cpu}/online")).and_then(|text| CpuSet::parse(&text));
        let cpus_online = online.unwrap_or_else(|| cpus_allowed.clone());
        let mut governors: Vec<String> = cpus_online
            .as_slice()
            .iter()
            .filter_map(|id| root.text(format!("{cpu}/cpu{id}/cpufreq/scaling_governor")))
            .collect();
        governors.sort();
        governors.dedup();
        let memory = root.text("/proc/meminfo").unwrap_or_default();
        Self {
            kernel: root.text("/proc/sys/kernel/osrelease"),
            cpu_model: root.text("/proc/cpuinfo").as_deref().and_then(cpu_model),
            cpus_online,
            cpus_allowed,
            is_smt_active: root.text(format!("{cpu}/smt/active")).map(|text| text == "1"),
            governors,
            clock_source: root.text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
            memory_bytes: memory_field(&memory, "MemTotal"),
            memory_available_bytes: memory_field(&memory, "MemAvailable"),
            machine: root.text("/sys/class/dmi/id/product_name"),
        }
    }
}

/// The value of `model name` (x86), else of `Processor` or `Model` (some ARM kernels).
fn cpu_model(text: &str) -> Option<String> {
    ["model name", "Processor", "Model"].iter().find_map(|key| {
        text.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            (name.trim() == *key && !value.trim().is_empty()).then(|| value.trim().to_owned())
        })
    })
}

/// A line such as `MemTotal:  16318364 kB`, whose kB are of 1024 bytes (proc(5)).
fn memory_field(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn lists_of_processors_read_as_they_print() {
        for text in ["0", "0-3", "0-1,8,10-11", "5,7"] {
            assert_eq!(CpuSet::parse(text).expect("a list").to_string(), text);
        }
        assert_eq!(CpuSet::parse("10-11,0-1\n").expect("a list").to_string(), "0-1,10-11");
        for text in ["3-1", "a", "1-", "0-99999999"] {
            assert_eq!(CpuSet::parse(text), None, "{text}");
        }
    }

    #[test]
    fn this_process_may_use_a_processor() {
        let allowed = CpuSet::allowed().expect("one's own affinity");
        assert!(!allowed.is_empty());
    }

    #[test]
    fn facts_come_from_files_below_a_root() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let put = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
            fs::write(path, text).expect("a file");
        };
        put("proc/sys/kernel/osrelease", "6.1.0-28-amd64\n");
        put("proc/cpuinfo", "processor\t: 0\nmodel name\t: AMD EPYC 7543\n");
        put("proc/meminfo", "MemTotal:       16318364 kB\nMemAvailable:   100 kB\n");
        put("sys/devices/system/cpu/online", "0,4\n");
        put("sys/devices/system/cpu/smt/active", "0\n");
        put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
        put("sys/devices/system/cpu/cpu4/cpufreq/scaling_governor", "powersave\n");
        put("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
        let facts = HostFacts::read_below(&KernelRoot::below(folder.path()), CpuSet::new(vec![4]));
        assert_eq!(facts.kernel.as_deref(), Some("6.1.0-28-amd64"));
        assert_eq!(facts.cpu_model.as_deref(), Some("AMD EPYC 7543"));
        assert_eq!(facts.cpus_online.as_slice(), [0, 4]);
        assert_eq!(facts.cpus_allowed.as_slice(), [4]);
        assert_eq!(facts.is_smt_active, Some(false));
        assert_eq!(facts.governors, ["performance", "powersave"]);
        assert_eq!(facts.clock_source.as_deref(), Some("tsc"));
        assert_eq!(facts.memory_bytes, Some(16_318_364 * 1024));
        assert_eq!(facts.memory_available_bytes, Some(102_400));
        assert_eq!(facts.machine, None);
    }

    #[test]
    fn an_empty_root_gives_what_was_handed_in() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let facts = HostFacts::read_below(&KernelRoot::below(folder.path()), CpuSet::new(vec![1]));
        assert_eq!(facts.cpus_online.as_slice(), [1]);
        assert_eq!((facts.kernel, facts.memory_bytes), (None, None));
    }
}
