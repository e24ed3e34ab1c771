//! What binding to a target has settled: the second of the two digests that say whether results may be compared (S25).

use serde::{Deserialize, Serialize};

use super::bind::{Ground, Region};
use super::step::{Action, Schedule, ScheduledStep};
use crate::plan::EngineKind;
use crate::text::Fingerprint;
use crate::units::ByteCount;

/// The rules by which conditions are written down.
pub const CONDITIONS_VERSION: &str = "conditions-1";

/// What binding to a target has settled, and what was found there. Results under other conditions can be compared, but
/// what differs has to be said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// How I/O is issued.
    pub engine: EngineKind,
    /// Version of the program that the engine is part of.
    pub engine_version: String,
    /// The smallest addressable unit: the LBA format of a drive, the unit of direct I/O of a file.
    pub logical_block_bytes: u64,
    /// The unit that the drive works in.
    pub physical_block_bytes: u64,
    /// The volatile write cache, in the kernel's words; none where nothing is known of it.
    pub write_cache: Option<String>,
    /// How the drive was purged; none: no step did.
    pub purge: Option<String>,
    /// Size of the target.
    pub device_bytes: ByteCount,
    /// Where each step works, one after the other.
    pub regions: Vec<StepRegion>,
    /// Cases that the plan leaves out because the target cannot do them, as `STEP CASE`.
    pub skipped: Vec<String>,
}

/// Where a step works.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepRegion {
    /// The step.
    pub step: String,
    /// First byte on the target's area.
    pub start_bytes: u64,
    /// Length in bytes.
    pub length_bytes: u64,
}

/// What is known of a target beside its sizes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TargetState {
    /// The volatile write cache, in the kernel's words.
    pub write_cache: Option<String>,
}

impl Conditions {
    /// Of a schedule that is bound to this ground; `unbound` is that of the same plan without a target.
    pub fn of(
        unbound: &Schedule,
        bound: &Schedule,
        ground: &Ground,
        state: &TargetState,
        engine_version: &str,
    ) -> Self {
        let mut found = Self {
            engine: bound.engine,
            engine_version: engine_version.into(),
            logical_block_bytes: ground.logical_block_bytes,
            physical_block_bytes: ground.physical_block_bytes,
            write_cache: state.write_cache.clone(),
            purge: None,
            device_bytes: ground.device_capacity,
            regions: Vec::new(),
            skipped: Vec::new(),
        };
        found.walk(&unbound.steps, &bound.steps, ground);
        found
    }

    fn walk(&mut self, unbound: &[ScheduledStep], bound: &[ScheduledStep], ground: &Ground) {
        // Binding leaves out cases and never steps.
        for (before, step) in unbound.iter().zip(bound) {
            self.step(before, step, &ground.limited_to(step.area));
            self.walk(&before.between_cases, &step.between_cases, ground);
            self.walk(before.action.inner(), step.action.inner(), ground);
        }
    }

    fn step(&mut self, before: &ScheduledStep, step: &ScheduledStep, ground: &Ground) {
        let kept = step.action.cases();
        let is_left_out = |id: &super::CaseId| kept.iter().all(|case| case.id != *id);
        let left_out = before.action.cases().iter().filter(|case| is_left_out(&case.id));
        self.skipped.extend(left_out.map(|case| format!("{} {}", step.id, case.id)));
        let mut push = |region: Region| {
            let region =
                StepRegion { step: step.id.to_string(), start_bytes: region.start, length_bytes: region.length };
            if !self.regions.contains(&region) {
                self.regions.push(region);
            }
        };
        match &step.action {
            Action::Fill(fill) => push(ground.fill_region(fill)),
            Action::Trim(part) => push(ground.region_of(*part)),
            _ => kept.iter().flat_map(|case| case.streams()).for_each(|stream| push(ground.stream_region(stream))),
        }
    }

    /// What stands for them. Names of steps only label and are no part of it.
    pub fn fingerprint(&self) -> Fingerprint {
        let regions: Vec<[u64; 2]> =
            self.regions.iter().map(|region| [region.start_bytes, region.length_bytes]).collect();
        let canonical = serde_json::json!({
            "engine": self.engine.name(),
            "engine-version": self.engine_version,
            "logical-block": self.logical_block_bytes,
            "physical-block": self.physical_block_bytes,
            "write-cache": self.write_cache,
            "purge": self.purge,
            "device": self.device_bytes.get(),
            "regions": regions,
            "skipped": self.skipped.len(),
        });
        Fingerprint::of(CONDITIONS_VERSION, &canonical.to_string())
    }

    /// In one line: `block 512 B, physical 4096 B, write cache write back, 2 cases left out`.
    pub fn in_words(&self) -> String {
        let cache = self.write_cache.as_deref().unwrap_or("not known");
        let mut words = vec![
            format!("block {} B", self.logical_block_bytes),
            format!("physical {} B", self.physical_block_bytes),
            format!("write cache {cache}"),
        ];
        words.extend(self.purge.iter().map(|method| format!("purged by {method}")));
        match self.skipped.len() {
            0 => {}
            1 => words.push("1 case left out".into()),
            count => words.push(format!("{count} cases left out")),
        }
        words.join(", ")
    }
}
