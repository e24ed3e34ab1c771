//! The rules that need a drive: does the plan fit it, are its sizes whole blocks there.

use std::collections::HashSet;

use super::matrix;
use super::{Case, CaseStream, ScheduledFill};
use crate::diag::{Diagnostic, Diagnostics, code};
use crate::plan::{
    Axis, DeviceNeed, EngineKind, Extent, Fill, FillAmount, Given, Load, Plan, Setting, SizeShare, Sizes, Skip,
    SpanOfArea, Step, StepKind, Stream,
};
use crate::units::{BlockSize, ByteCount, Percent};

/// What the schedule needs to know of a target: where steps may go and in which units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ground {
    /// Size of the part that steps work on: the target, or the area on it.
    pub capacity: ByteCount,
    /// Size of the target.
    pub device_capacity: ByteCount,
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
    /// The same target with this part of it as the area; none: all of it.
    pub fn limited_to(&self, area: Option<Extent>) -> Self {
        let whole = self.device_capacity;
        let capacity = area.map_or(whole, |area| area.resolve(whole).min(whole));
        Self { capacity, ..*self }
    }

    /// The area that the steps work on, in whole logical blocks.
    pub fn area(&self) -> ByteCount {
        self.capacity.align_down(self.logical_block_bytes)
    }

    /// The bytes that one pass of a fill writes: from the start of the area, whole logical blocks.
    pub fn fill_region(&self, fill: &ScheduledFill) -> Region {
        let ground = if fill.on_device { self.limited_to(None) } else { *self };
        ground.region_of(fill.extent)
    }

    /// This part of the area from its start, in whole logical blocks.
    pub fn region_of(&self, extent: Extent) -> Region {
        let area = self.area();
        let length = extent.resolve(area).min(area).align_down(self.logical_block_bytes).get();
        Region { start: 0, length }
    }

    /// The bytes that a stream of a case touches: its span, rounded down to whole blocks of its one size, or of the drive
    /// where it has several; never beyond the area.
    pub fn stream_region(&self, stream: &CaseStream) -> Region {
        let area = self.area();
        let start = stream.span.offset.get().min(area.get());
        let room = ByteCount::new(area.get() - start);
        let block = match stream.sizes.as_slice() {
            [one] => one.size.get(),
            _ => self.logical_block_bytes,
        };
        let length = stream.span.length.resolve(area).min(room).align_down(block).get();
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
    let mut ground = *ground;
    let mut in_order = Diagnostics::without_source();
    check_steps(&plan.setup, &mut ground, &mut in_order);
    for test in &plan.tests {
        // A second repetition begins with the area that the first has left; further ones as the second.
        for _ in 0..test.repeat.value.min(2) {
            check_steps(&plan.before_each, &mut ground, &mut in_order);
            check_steps(&test.steps, &mut ground, &mut in_order);
        }
    }
    // What is done several times is wrong once.
    let mut seen = HashSet::new();
    for diagnostic in in_order.all() {
        if seen.insert((diagnostic.code.id(), diagnostic.primary().map(|label| label.span))) {
            found.push(diagnostic.clone());
        }
    }
    found
}

/// Checks steps in their order; the area that they set holds for those behind them.
fn check_steps(steps: &[Step], ground: &mut Ground, found: &mut Diagnostics) {
    for step in steps {
        match &step.kind {
            StepKind::SecureErase(_) => *ground = ground.limited_to(None),
            StepKind::Partition(partition) => check_area(partition.size, true, ground, found),
            StepKind::LimitTo(part) => check_area(*part, false, ground, found),
            StepKind::Fill(fill) => check_fill(step, fill, ground, found),
            StepKind::Precondition(load) | StepKind::Measure(load) => check_load(step, load, ground, found),
            _ => {}
        }
        check_steps(step.kind.inner(), ground, found);
    }
}

/// A partition or a limit must be on the device; files have no partitions.
fn check_area(size: Given<Extent>, is_partition: bool, ground: &mut Ground, found: &mut Diagnostics) {
    if is_partition && !ground.is_block_device {
        found.push(
            Diagnostic::error(code::DEVICE_NO_PARTITION, "the target is a file, which has no partitions")
                .label(size.span, "asked for here")
                .help(format!("write `limit-to \"{}\"`, which limits a file too", size.value)),
        );
    }
    let whole = ground.device_capacity;
    if let Extent::Bytes(bytes) = size.value
        && bytes > whole
    {
        let label = format!("the target has {} ({} bytes)", whole.human(), whole.get());
        found.push(
            Diagnostic::error(code::DEVICE_TOO_SMALL, format!("an area of {bytes} does not fit the target"))
                .label(size.span, label)
                .help("write a share of the device, as \"50%\""),
        );
    }
    *ground = ground.limited_to(Some(size.value));
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
        let steps = plan.all_steps();
        let deep = steps.iter().find(|step| step.kind.load().is_some_and(|load| deepest(load) > 1));
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
    let own = load.parts.iter().filter_map(|part| part.queue_depth.fixed()).map(|depth| depth.value.get());
    on_axis.chain(own).max().unwrap_or(1)
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
    let ground = &if fill.on_device.value { ground.limited_to(None) } else { *ground };
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
        FillAmount::Passes(_) => Extent::Share(Percent::HUNDRED),
        FillAmount::Extent(extent) => extent,
    };
    let blocks = ground.region_of(extent).length / fill.block_size.value.get();
    let slots = u64::from(fill.threads.value.get()) * u64::from(fill.queue_depth.value.get());
    check_blocks(step, blocks, slots, fill.block_size.value, true, found);
}

fn check_load(step: &Step, load: &Load, ground: &Ground, found: &mut Diagnostics) {
    let skips_sizes = load.skips.iter().any(|skip| skip.value == Skip::UnsupportedBlockSize);
    if !skips_sizes {
        for axis in &load.axes {
            if let Axis::BlockSize(sizes) = axis {
                sizes.iter().for_each(|size| check_block_size(*size, ground, found));
            }
        }
    }
    for stream in load.parts.iter().flat_map(|part| &part.streams) {
        check_sizes(stream, skips_sizes, ground, found);
    }
    if !check_spans(load, ground, found) {
        return;
    }
    let cases = matrix::cases(load, None, "", Some(ground));
    if cases.is_empty() {
        found.push(
            Diagnostic::error(code::DEVICE_BLOCK_SIZE, "nothing of the matrix is left on this target")
                .label(step.span, format!("no size is a multiple of {} bytes", ground.logical_block_bytes))
                .help("add a block size that the target can do"),
        );
    }
    // The case with the fewest blocks for its slots speaks for all: one diagnostic a step.
    let tightest = cases
        .iter()
        .flat_map(|case| tight_streams(case, ground))
        .min_by(|a, b| (u128::from(a.blocks) * u128::from(b.slots)).cmp(&(u128::from(b.blocks) * u128::from(a.slots))));
    if let Some(Tight { blocks, slots, size, sequential }) = tightest {
        check_blocks(step, blocks, slots, size, sequential, found);
    }
}

/// How many blocks a stream has for its slots.
struct Tight {
    blocks: u64,
    slots: u64,
    size: BlockSize,
    sequential: bool,
}

fn tight_streams(case: &Case, ground: &Ground) -> Vec<Tight> {
    let of_load = |load: &super::CaseLoad| -> Vec<Tight> {
        let slots = u64::from(load.threads.get()) * u64::from(load.queue_depth.get());
        let of_stream = |stream: &CaseStream| {
            let size = stream.largest()?;
            let blocks = ground.stream_region(stream).length / size.get();
            Some(Tight { blocks, slots, size, sequential: stream.access.is_sequential() })
        };
        load.streams.iter().filter_map(of_stream).collect()
    };
    case.loads.iter().flat_map(of_load).collect()
}

/// A mix cannot leave a size out: its shares would not be those of the plan.
fn check_sizes(stream: &Stream, skips_sizes: bool, ground: &Ground, found: &mut Diagnostics) {
    let mixes: Vec<&SizeShare> = match &stream.block_size {
        Sizes::One(Setting::Fixed(size)) => {
            if !skips_sizes {
                check_block_size(*size, ground, found);
            }
            return;
        }
        Sizes::One(_) => return,
        Sizes::Mix(mix) => mix.iter().collect(),
        Sizes::Sides(sides) => sides.iter().flat_map(|(_, mix)| mix).collect(),
    };
    let logical = ground.logical_block_bytes;
    let odd: Vec<&&SizeShare> = mixes.iter().filter(|size| !size.size.value.get().is_multiple_of(logical)).collect();
    let Some((first, further)) = odd.split_first() else { return };
    let parts = odd.iter().map(|size| size.share.value.parts_per_million()).fold(0, u32::saturating_add);
    let lost = Percent::from_parts_per_million(parts);
    let mut diagnostic = Diagnostic::error(
        code::DEVICE_BLOCK_SIZE,
        format!("{lost} of the operations have sizes that are no multiple of the target's {logical}-byte block"),
    )
    .label(first.size.span, format!("{} of them", first.share.value))
    .help("a mix cannot leave a size out: use a drive with smaller blocks, or write another mix under another name");
    for size in further {
        diagnostic = diagnostic.also(size.size.span, format!("{} of them", size.share.value));
    }
    found.push(diagnostic);
}

fn check_spans(load: &Load, ground: &Ground, found: &mut Diagnostics) -> bool {
    let fixed = load.parts.iter().flat_map(|part| &part.streams).filter_map(|stream| stream.span.fixed());
    let on_axis = load.axes.iter().flat_map(|axis| match axis {
        Axis::Span(values) => values.as_slice(),
        _ => &[],
    });
    let mut are_inside = true;
    for span in fixed.chain(on_axis) {
        are_inside &= check_span(span, ground, found);
    }
    are_inside
}

/// The span must lie inside the area and begin at a block. False where the rest need not be looked at.
fn check_span(given: &Given<SpanOfArea>, ground: &Ground, found: &mut Diagnostics) -> bool {
    let area = ground.area();
    let span = given.value;
    let length = span.length.resolve(area);
    let end = u128::from(span.offset.get()) + u128::from(length.get());
    if end > u128::from(area.get()) {
        let message =
            format!("the span ends {} beyond the area", ByteCount::new((end - u128::from(area.get())) as u64));
        let label = format!("the area has {} ({} bytes)", area.human(), area.get());
        found.push(Diagnostic::error(code::DEVICE_TOO_SMALL, message).label(given.span, label));
        return false;
    }
    if !span.offset.get().is_multiple_of(ground.logical_block_bytes) {
        let message = format!("the span begins inside a block of {} bytes", ground.logical_block_bytes);
        found.push(
            Diagnostic::error(code::DEVICE_BLOCK_SIZE, message)
                .label(given.span, format!("begins at byte {}", span.offset.get())),
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
