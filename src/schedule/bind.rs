//! The rules that need a drive: does the plan fit it, are its sizes whole blocks there.

use super::Case;
use crate::diag::{Diagnostic, Diagnostics, code};
use crate::plan::{
    Access, Axis, DeviceNeed, EngineKind, Extent, Fill, FillAmount, Given, Load, Plan, Setting, Step, StepKind,
};
use crate::units::{BlockSize, ByteCount};

/// What the schedule needs to know of a target: where steps may go and in which units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ground {
    /// Size of the target.
    pub capacity: ByteCount,
    /// The smallest addressable unit, in bytes; for a file the unit that direct I/O needs.
    pub logical_block_bytes: u64,
    /// The unit that the drive works in, in bytes.
    pub physical_block_bytes: u64,
    /// True for a block device, false for a file.
    pub is_block_device: bool,
}

/// A range of bytes on the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    /// First byte.
    pub start: u64,
    /// Length in bytes.
    pub length: u64,
}

impl Ground {
    /// The area that the steps work on: the whole target in whole logical blocks.
    pub fn area(&self) -> ByteCount {
        self.capacity.align_down(self.logical_block_bytes)
    }

    /// The bytes that one pass of a fill writes: from the start of the area, whole logical blocks.
    pub fn fill_region(&self, extent: Extent) -> Region {
        let area = self.area();
        let length = extent.resolve(area).min(area).align_down(self.logical_block_bytes).get();
        Region { start: 0, length }
    }

    /// The bytes that a case touches: its span, rounded down to whole blocks of the case, never beyond the area.
    pub fn case_region(&self, case: &Case) -> Region {
        let area = self.area();
        let start = case.span.offset.get().min(area.get());
        let room = ByteCount::new(area.get() - start);
        let length = case.span.length.resolve(area).min(room).align_down(case.block_size.get()).get();
        Region { start, length }
    }
}

/// Checks a plan against a target. Errors mean that nothing of it can be run there.
pub fn bind(plan: &Plan, ground: &Ground) -> Diagnostics {
    let mut found = Diagnostics::without_source();
    for device in &plan.devices {
        check_capacity(device, ground, &mut found);
    }
    check_engine(plan, ground, &mut found);
    for step in all_steps(plan) {
        match &step.kind {
            StepKind::Fill(fill) => check_fill(step, fill, ground, &mut found),
            StepKind::Precondition(load) | StepKind::Measure(load) => check_load(step, load, ground, &mut found),
            StepKind::Idle(_) => {}
        }
    }
    found
}

fn all_steps(plan: &Plan) -> impl Iterator<Item = &Step> {
    let tests = plan.tests.iter().flat_map(|test| &test.steps);
    plan.setup.iter().chain(&plan.before_each).chain(tests)
}

fn check_capacity(device: &DeviceNeed, ground: &Ground, found: &mut Diagnostics) {
    let capacity = ground.capacity;
    let has = format!("the target holds {} ({} bytes)", capacity.human(), capacity.get());
    if let Some(min) = device.capacity_min
        && capacity < min.value
        && ground.is_block_device
    {
        let message = format!("the plan is for drives of at least {}", min.value);
        found.push(Diagnostic::error(code::DEVICE_CAPACITY, message).label(min.span, has.clone()));
    }
    if let Some(max) = device.capacity_max
        && capacity > max.value
        && ground.is_block_device
    {
        let message = format!("the plan is for drives of at most {}", max.value);
        found.push(Diagnostic::error(code::DEVICE_CAPACITY, message).label(max.span, has));
    }
}

fn check_engine(plan: &Plan, ground: &Ground, found: &mut Diagnostics) {
    let engine = plan.host.engine;
    if engine.value == EngineKind::Sync && engine.is_default && ground.is_block_device {
        let deep = all_steps(plan).find(|step| match &step.kind {
            StepKind::Precondition(load) | StepKind::Measure(load) => deepest(load) > 1,
            _ => false,
        });
        if let Some(step) = deep {
            found.push(
                Diagnostic::warning(
                    code::ENGINE_UNSTATED,
                    "the plan names no engine and asks for queue depths above 1",
                )
                .label(step.span, "`sync` takes an operating-system thread for each of threads x queue-depth")
                .help("say `host { engine \"sync\"; }` so that the method is complete"),
            );
        }
    }
}

fn deepest(load: &Load) -> u32 {
    let on_axis = load.axes.iter().flat_map(|axis| match axis {
        Axis::QueueDepth(values) => values.iter().map(|given| given.value.get()).collect(),
        _ => Vec::new(),
    });
    match &load.queue_depth {
        Setting::Fixed(given) => given.value.get(),
        Setting::Axis => on_axis.max().unwrap_or(1),
    }
}

fn check_block_size(size: Given<BlockSize>, ground: &Ground, found: &mut Diagnostics) {
    let logical = ground.logical_block_bytes;
    if size.value.get().is_multiple_of(logical) {
        return;
    }
    let bytes = size.value.get();
    let below = bytes - bytes % logical;
    let nearest = match below {
        0 => format!("use \"{}\"", ByteCount::new(logical)),
        below => format!("use \"{}\" or \"{}\"", ByteCount::new(below), ByteCount::new(below + logical)),
    };
    let message = format!("block size {} is no multiple of the target's {logical}-byte block", size.value);
    found.push(Diagnostic::error(code::DEVICE_BLOCK_SIZE, message).label(size.span, "asked for here").help(nearest));
}

fn check_fill(step: &Step, fill: &Fill, ground: &Ground, found: &mut Diagnostics) {
    check_block_size(fill.block_size, ground, found);
    let area = ground.area();
    if let FillAmount::Extent(Extent::Bytes(bytes)) = fill.amount.value
        && bytes > area
    {
        let message = format!("a fill of {bytes} does not fit the area");
        let label = format!("the area has {} ({} bytes)", area.human(), area.get());
        found.push(
            Diagnostic::error(code::DEVICE_TOO_SMALL, message)
                .label(fill.amount.span, label)
                .help("write a share of the area, as `fill \"100%\"`, or `passes=1`"),
        );
        return;
    }
    let extent = match fill.amount.value {
        FillAmount::Passes(_) => Extent::Share(crate::units::Percent::HUNDRED),
        FillAmount::Extent(extent) => extent,
    };
    let blocks = ground.fill_region(extent).length / fill.block_size.value.get();
    let slots = u64::from(fill.threads.value.get()) * u64::from(fill.queue_depth.value.get());
    check_blocks(step, blocks, slots, fill.block_size.value, true, found);
}

fn check_load(step: &Step, load: &Load, ground: &Ground, found: &mut Diagnostics) {
    match &load.block_size {
        Setting::Fixed(size) => check_block_size(*size, ground, found),
        Setting::Axis => {
            for axis in &load.axes {
                if let Axis::BlockSize(sizes) = axis {
                    sizes.iter().for_each(|size| check_block_size(*size, ground, found));
                }
            }
        }
    }
    if !check_span(load, ground, found) {
        return;
    }
    let cases = super::matrix::cases(load, "");
    let sequential = load.access.value != Access::Random;
    // The case with the fewest blocks for its slots speaks for all: one diagnostic a step.
    let spare = |case: &Case| {
        let blocks = ground.case_region(case).length / case.block_size.get();
        let slots = u64::from(case.threads.get()) * u64::from(case.queue_depth.get());
        (blocks, slots)
    };
    let tightest = cases.iter().min_by(|a, b| {
        let ((a_blocks, a_slots), (b_blocks, b_slots)) = (spare(a), spare(b));
        (u128::from(a_blocks) * u128::from(b_slots)).cmp(&(u128::from(b_blocks) * u128::from(a_slots)))
    });
    if let Some(case) = tightest {
        let (blocks, slots) = spare(case);
        check_blocks(step, blocks, slots, case.block_size, sequential, found);
    }
}

/// The span must lie inside the area and begin at a block. False where the rest need not be looked at.
fn check_span(load: &Load, ground: &Ground, found: &mut Diagnostics) -> bool {
    let area = ground.area();
    let span = load.span.value;
    let length = span.length.resolve(area);
    let end = u128::from(span.offset.get()) + u128::from(length.get());
    if end > u128::from(area.get()) {
        let message =
            format!("the span ends {} beyond the area", ByteCount::new((end - u128::from(area.get())) as u64));
        let label = format!("the area has {} ({} bytes)", area.human(), area.get());
        found.push(Diagnostic::error(code::DEVICE_TOO_SMALL, message).label(load.span.span, label));
        return false;
    }
    if !span.offset.get().is_multiple_of(ground.logical_block_bytes) {
        let message = format!("the span begins inside a block of {} bytes", ground.logical_block_bytes);
        found.push(
            Diagnostic::error(code::DEVICE_BLOCK_SIZE, message)
                .label(load.span.span, format!("begins at byte {}", span.offset.get())),
        );
        return false;
    }
    true
}

fn check_blocks(step: &Step, blocks: u64, slots: u64, size: BlockSize, sequential: bool, found: &mut Diagnostics) {
    // Sequential slots that wrap round would meet their own blocks in flight (semantics S4).
    let needed = if sequential { 4 * slots } else { 1 };
    if blocks < needed {
        let message = format!("{blocks} blocks of {size} are too few for {slots} outstanding I/Os");
        let label = match blocks {
            0 => "the target is smaller than one block of this step".to_string(),
            _ => format!("a sequential step needs at least {needed} blocks"),
        };
        found.push(
            Diagnostic::error(code::DEVICE_TOO_SMALL, message)
                .label(step.span, label)
                .help("use a larger target or span, smaller blocks, or fewer threads and less queue depth"),
        );
    }
}
