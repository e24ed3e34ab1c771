//! Where the operations of a load go: 64-bit offsets, in random or sequential order (S3, S4, S5).

use std::sync::atomic::{AtomicU64, Ordering};

use super::load::{AccessOrder, LoadSpec};
use super::random::{Purpose, Random};

/// Where one operation begins and how much it moves, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) offset_bytes: u64,
    pub(super) length_bytes: u64,
}

/// The region of a load, cut into blocks and, for sequential access, into parts with a cursor each.
#[derive(Debug)]
pub(super) struct Layout {
    order: AccessOrder,
    block_bytes: u64,
    parts: Box<[Part]>,
    slots_of_part: u64,
}

/// Blocks that share one cursor: the whole region, or one thread's lane.
#[derive(Debug)]
#[repr(align(128))]
struct Part {
    start_bytes: u64,
    blocks: u64,
    /// Bytes after the last whole block that belong to this part; 0 where they are left out.
    tail_bytes: u64,
    /// Bytes after which no further ticket of this part is served.
    limit_bytes: u64,
    /// The next ticket.
    cursor: AtomicU64,
}

impl Layout {
    /// The layout of a load whose region holds at least one operation for each part.
    pub(super) fn new(spec: &LoadSpec) -> Self {
        let (count, slots_of_part) = match spec.access {
            AccessOrder::SequentialLanes => (u64::from(spec.threads.get()), u64::from(spec.queue_depth.get())),
            AccessOrder::SequentialShared | AccessOrder::UniformRandom => (1, spec.slots()),
        };
        let (blocks, block_bytes) = (spec.blocks(), spec.block_size.get());
        // Cut so that parts differ by one block at most and together are the whole.
        let edge = |part: u64| (u128::from(blocks) * u128::from(part) / u128::from(count)) as u64;
        let parts = (0..count).map(|part| Part {
            start_bytes: spec.region.start_bytes + edge(part) * block_bytes,
            blocks: edge(part + 1) - edge(part),
            tail_bytes: if spec.includes_tail && part + 1 == count { spec.remainder_bytes() } else { 0 },
            limit_bytes: u64::MAX,
            cursor: AtomicU64::new(0),
        });
        Self { order: spec.access, block_bytes, parts: parts.collect(), slots_of_part }
    }

    /// Bounds what is served by ticket to `limit_bytes` in all, each part its own share: so every part makes the same
    /// number of passes, whatever its speed, and no block is left out.
    pub(super) fn limit(&mut self, limit_bytes: u64) {
        let block_bytes = self.block_bytes;
        let whole: u64 = self.parts.iter().map(|part| part.bytes(block_bytes)).sum();
        let only = self.parts.len() == 1;
        for part in &mut self.parts {
            let share = u128::from(limit_bytes) * u128::from(part.bytes(block_bytes)) / u128::from(whole.max(1));
            part.limit_bytes = if only { limit_bytes } else { share as u64 };
        }
    }

    /// The places of one slot.
    pub(super) fn places(&self, seed: u64, slot: u64) -> Places<'_> {
        let part = match self.order {
            AccessOrder::SequentialLanes => &self.parts[(slot / self.slots_of_part) as usize],
            AccessOrder::SequentialShared | AccessOrder::UniformRandom => &self.parts[0],
        };
        Places {
            is_random: self.order == AccessOrder::UniformRandom,
            start_bytes: part.start_bytes,
            blocks: part.blocks,
            block_bytes: self.block_bytes,
            random: Random::new(seed, slot, Purpose::Offset),
            part,
        }
    }
}

/// Where the operations of one slot go; what random access needs is kept together.
#[derive(Debug)]
pub(super) struct Places<'a> {
    is_random: bool,
    start_bytes: u64,
    blocks: u64,
    block_bytes: u64,
    random: Random,
    part: &'a Part,
}

impl Places<'_> {
    /// The place of the slot's next operation; `None` where its part has reached its limit.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Place> {
        if self.is_random {
            let offset_bytes = self.start_bytes + self.random.below(self.blocks) * self.block_bytes;
            return Some(Place { offset_bytes, length_bytes: self.block_bytes });
        }
        self.part.next(self.block_bytes)
    }
}

impl Part {
    fn bytes(&self, block_bytes: u64) -> u64 {
        self.blocks * block_bytes + self.tail_bytes
    }

    fn next(&self, block_bytes: u64) -> Option<Place> {
        let ticket = self.cursor.fetch_add(1, Ordering::Relaxed);
        let of_pass = self.blocks + u64::from(self.tail_bytes > 0);
        let (pass, step) = (ticket / of_pass, ticket % of_pass);
        let length_bytes = if step == self.blocks { self.tail_bytes } else { block_bytes };
        let before = u128::from(pass) * u128::from(self.bytes(block_bytes)) + u128::from(step * block_bytes);
        (before + u128::from(length_bytes) <= u128::from(self.limit_bytes))
            .then(|| Place { offset_bytes: self.start_bytes + step * block_bytes, length_bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Region;
    use crate::engine::testing::spec;
    use crate::units::{QueueDepth, Threads};

    fn places(layout: &Layout, slot: u64) -> Vec<(u64, u64)> {
        let mut places = layout.places(1, slot);
        std::iter::from_fn(|| places.next()).map(|place| (place.offset_bytes, place.length_bytes)).collect()
    }

    #[test]
    fn a_shared_cursor_covers_each_block_once_a_pass_with_the_tail_where_asked() {
        let mut load = spec(4096);
        load.access = AccessOrder::SequentialShared;
        load.region = Region { start_bytes: 8192, length_bytes: 3 * 4096 + 512 };
        load.includes_tail = true;
        let mut layout = Layout::new(&load);
        layout.limit(2 * load.region.length_bytes);
        let pass = [(8192, 4096), (12_288, 4096), (16_384, 4096), (20_480, 512)];
        assert_eq!(places(&layout, 0), [pass, pass].concat());

        load.includes_tail = false;
        let mut layout = Layout::new(&load);
        layout.limit(7 * 4096 + 4095);
        let offsets: Vec<u64> = places(&layout, 0).into_iter().map(|(offset, _)| (offset - 8192) / 4096).collect();
        assert_eq!(offsets, [0, 1, 2, 0, 1, 2, 0]);
    }

    #[test]
    fn lanes_are_disjoint_and_together_the_whole() {
        let mut load = spec(512);
        load.access = AccessOrder::SequentialLanes;
        load.threads = Threads::new(3).expect("positive");
        load.queue_depth = QueueDepth::new(2).expect("positive");
        load.region = Region { start_bytes: 0, length_bytes: 100 * 512 + 100 };
        load.includes_tail = true;
        let mut layout = Layout::new(&load);
        layout.limit(load.region.length_bytes);
        // Slots 0 and 1 belong to the first thread and share its cursor.
        let mut all = places(&layout, 1);
        assert_eq!(places(&layout, 0), []);
        assert_eq!((all.len(), all.last()), (33, Some(&(32 * 512, 512))));
        all.extend(places(&layout, 2));
        all.extend(places(&layout, 5));
        let expected: Vec<(u64, u64)> = (0..100).map(|block| (block * 512, 512)).chain([(51_200, 100)]).collect();
        assert_eq!(all, expected);
    }

    #[test]
    fn uniform_never_leaves_the_span_and_reaches_all_of_20_tebibytes() {
        let mut load = spec(4096);
        load.region = Region { start_bytes: 1 << 20, length_bytes: (20 << 40) + 4095 };
        let layout = Layout::new(&load);
        let mut places = layout.places(5, 0);
        let mut buckets = [0_u32; 64];
        let bucket_bytes = (20_u64 << 40) / 64;
        for _ in 0..64_000 {
            let place = places.next().expect("random access has no last ticket");
            assert_eq!((place.offset_bytes % 4096, place.length_bytes), (0, 4096));
            assert!(place.offset_bytes >= 1 << 20 && place.offset_bytes + 4096 <= (1 << 20) + (20 << 40));
            buckets[((place.offset_bytes - (1 << 20)) / bucket_bytes) as usize] += 1;
        }
        // Each is expected 1,000 times with a deviation of 32.
        assert!(buckets.iter().all(|&count| (830..1_170).contains(&count)), "{buckets:?}");
    }

    #[test]
    fn uniform_over_one_block_and_two() {
        let mut load = spec(4096);
        load.region = Region { start_bytes: 4096, length_bytes: 4096 };
        let layout = Layout::new(&load);
        let mut places = layout.places(5, 0);
        assert!((0..100).all(|_| places.next().map(|place| place.offset_bytes) == Some(4096)));
        load.region.length_bytes = 2 * 4096;
        let layout = Layout::new(&load);
        let mut places = layout.places(5, 0);
        let last = (0..100).filter(|_| places.next().map(|place| place.offset_bytes) == Some(8192)).count();
        assert!((20..80).contains(&last), "{last}");
    }
}
