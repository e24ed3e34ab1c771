//! Memory for transfers, and fresh data for every write (S24).

use std::alloc::Layout;
use std::ptr::NonNull;

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use super::EngineError;
use super::random::{Purpose, Random, scramble};

/// Written data carries a stamp at every multiple of this, in bytes; smaller blocks carry one each.
pub const DATA_STRIPE_BYTES: usize = 4096;

/// Small enough to stay in a core's second-level cache, large enough that no compressor sees it twice.
const POOL_BYTES: usize = 1 << 20;

const KEY_BYTES: usize = 32;

/// What the first 16 bytes of each written 4 KiB say: where they belong and which write put them there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Bytes from the start of the target to this stripe.
    pub offset_bytes: u64,
    /// The slot in the upper 24 bits, the number of its write, from 1, in the lower 40.
    pub generation: u64,
}

impl Stamp {
    /// Length of a stamp in bytes.
    pub const BYTES: usize = 16;

    /// The stamp at the start of a stripe; `None` where the data is shorter.
    pub fn read(stripe: &[u8]) -> Option<Self> {
        let (offset, rest) = stripe.split_first_chunk::<8>()?;
        let generation = rest.first_chunk::<8>()?;
        Some(Self { offset_bytes: u64::from_le_bytes(*offset), generation: u64::from_le_bytes(*generation) })
    }

    fn write(self, stripe: &mut [u8]) {
        let bytes = [self.offset_bytes.to_le_bytes(), self.generation.to_le_bytes()];
        for (to, from) in stripe.iter_mut().zip(bytes.as_flattened()) {
            *to = *from;
        }
    }
}

/// Memory of one slot, aligned for direct I/O and resident before the start.
#[derive(Debug)]
pub(super) struct AlignedBuffer {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: the buffer owns its memory and nothing else points to it.
unsafe impl Send for AlignedBuffer {}

impl AlignedBuffer {
    /// Of so many bytes, at an address that is a multiple of `alignment`.
    ///
    /// # Errors
    ///
    /// Where there is no memory.
    pub(super) fn new(bytes: usize, alignment: usize) -> Result<Self, EngineError> {
        let none = EngineError::Memory { bytes: bytes as u64 };
        let Ok(layout) = Layout::from_size_align(bytes.max(1), alignment) else { return Err(none) };
        // SAFETY: the layout has a size above zero.
        let start = unsafe { std::alloc::alloc_zeroed(layout) };
        match NonNull::new(start) {
            Some(start) => Ok(Self { start, layout }),
            None => Err(none),
        }
    }

    /// Makes every page resident, on the memory node of the calling thread.
    pub(super) fn touch(&mut self) {
        self.bytes().iter_mut().step_by(DATA_STRIPE_BYTES).for_each(|byte| {
            // SAFETY: the reference is valid; the write is volatile because a zero over a zero would be left out.
            unsafe { std::ptr::write_volatile(byte, 0) }
        });
    }

    /// The memory.
    pub(super) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the memory is owned, initialised (zeroed) and as long as the layout says; `self` is borrowed for as
        // long as the slice lives.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.layout.size()) }
    }
}

impl Drop for AlignedBuffer {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout, and freed nowhere else.
        unsafe { std::alloc::dealloc(self.start.as_ptr(), self.layout) }
    }
}

/// Random bytes from which all writes are made; filled once, before the start.
#[derive(Debug)]
pub(super) struct DataPool(Box<[u8]>);

impl DataPool {
    /// The pool of a seed, filled by threads that are gone when this returns.
    pub(super) fn new(seed: u64) -> Self {
        let mut bytes = vec![0_u8; POOL_BYTES].into_boxed_slice();
        let fill = |bytes: &mut [u8]| {
            bytes.par_chunks_mut(1 << 16).enumerate().for_each(|(chunk, part)| fill_random(seed, chunk as u64, part));
        };
        match rayon::ThreadPoolBuilder::new().build() {
            Ok(threads) => threads.install(|| fill(&mut bytes)),
            // Without threads of its own the pool is the same, only later.
            Err(_) => {
                bytes.chunks_mut(1 << 16).enumerate().for_each(|(chunk, part)| fill_random(seed, chunk as u64, part));
            }
        }
        Self(bytes)
    }
}

fn fill_random(seed: u64, chunk: u64, part: &mut [u8]) {
    let mut random = Random::new(seed, chunk, Purpose::Pool);
    for word in part.chunks_mut(8) {
        let bits = random.bits().to_le_bytes();
        word.copy_from_slice(&bits[..word.len()]);
    }
}

/// Makes the data of one slot's writes: pool XOR a key of each write's own, stamped.
#[derive(Debug)]
pub(super) struct FreshData<'a> {
    pool: &'a DataPool,
    slot: u64,
    writes: u64,
    random: Random,
}

impl<'a> FreshData<'a> {
    /// For one slot of a load.
    pub(super) fn new(pool: &'a DataPool, seed: u64, slot: u64) -> Self {
        Self { pool, slot, writes: 0, random: Random::new(seed, slot, Purpose::Data) }
    }

    /// Fills the block that is about to be written at `offset_bytes`.
    pub(super) fn fill(&mut self, block: &mut [u8], offset_bytes: u64) {
        self.writes += 1;
        let generation = (self.slot << 40) | (self.writes & ((1 << 40) - 1));
        let draw = self.random.bits();
        let stripes = (POOL_BYTES / DATA_STRIPE_BYTES) as u64;
        for (index, stripe) in block.chunks_mut(DATA_STRIPE_BYTES).enumerate() {
            let index = index as u64;
            let from = ((draw.wrapping_add(index) % stripes) as usize) * DATA_STRIPE_BYTES;
            xor_into(stripe, &self.pool.0[from..from + DATA_STRIPE_BYTES], key(draw, index));
            let stamp = Stamp { offset_bytes: offset_bytes + index * DATA_STRIPE_BYTES as u64, generation };
            stamp.write(stripe);
        }
    }
}

/// The key of one stripe of one write.
fn key(draw: u64, index: u64) -> [u8; KEY_BYTES] {
    let mut key = [0; KEY_BYTES];
    let mut word = draw ^ index.rotate_left(32);
    for part in key.as_chunks_mut::<8>().0 {
        word = scramble(word);
        *part = word.to_le_bytes();
    }
    key
}

fn xor_into(to: &mut [u8], from: &[u8], key: [u8; KEY_BYTES]) {
    let (to_whole, to_rest) = to.as_chunks_mut::<KEY_BYTES>();
    let (from_whole, from_rest) = from.as_chunks::<KEY_BYTES>();
    for (to, from) in to_whole.iter_mut().zip(from_whole) {
        for at in 0..KEY_BYTES {
            to[at] = from[at] ^ key[at];
        }
    }
    // A block that is no multiple of the key ends with a part of it.
    let from_rest = from_whole.get(to_whole.len()).map_or(from_rest, |next| next.as_slice());
    for (at, byte) in to_rest.iter_mut().enumerate() {
        *byte = from_rest[at] ^ key[at];
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn buffers_are_aligned() {
        for (bytes, alignment) in [(512, 4096), (1 << 20, 4096), (4096, 1 << 16)] {
            let mut buffer = AlignedBuffer::new(bytes, alignment).expect("memory");
            buffer.touch();
            assert_eq!((buffer.bytes().len(), buffer.bytes().as_ptr() as usize % alignment), (bytes, 0));
        }
        assert!(matches!(AlignedBuffer::new(usize::MAX / 2, 4096), Err(EngineError::Memory { .. })));
    }

    #[test]
    fn no_sector_is_ever_written_twice() {
        let pool = DataPool::new(1);
        let mut sectors = HashSet::new();
        let mut written = 0;
        for slot in 0..4 {
            let mut data = FreshData::new(&pool, 9, slot);
            for bytes in [512, 4096, 2 << 20, 6144] {
                // The same place again and again: only the key differs.
                let mut block = vec![0; bytes];
                data.fill(&mut block, 0);
                for (at, sector) in block.chunks(512).enumerate() {
                    // Without the stamp, which would make every sector differ by itself.
                    let body = if at % 8 == 0 { &sector[Stamp::BYTES..] } else { sector };
                    sectors.insert(body.to_vec());
                    written += 1;
                }
            }
        }
        assert_eq!(sectors.len(), written);
    }

    #[test]
    fn data_does_not_compress_and_is_stamped() {
        let pool = DataPool::new(1);
        let mut data = FreshData::new(&pool, 9, 5);
        let mut block = vec![0; 3 * 4096 + 512];
        data.fill(&mut block, 1 << 40);
        data.fill(&mut block, 1 << 40);
        let mut counts = [0_u32; 256];
        block.iter().for_each(|&byte| counts[usize::from(byte)] += 1);
        assert!(counts.iter().all(|&count| (15..95).contains(&count)), "each of 256 about 50 times: {counts:?}");
        for (index, stripe) in block.chunks(4096).enumerate() {
            let stamp = Stamp { offset_bytes: (1 << 40) + index as u64 * 4096, generation: (5 << 40) | 2 };
            assert_eq!(Stamp::read(stripe), Some(stamp));
        }
        assert_eq!(Stamp::read(&block[..15]), None);
    }

    #[test]
    fn the_same_seed_gives_the_same_data_and_odd_lengths_are_filled() {
        let pool = DataPool::new(1);
        let (mut one, mut other) = (vec![0; 1000], vec![0; 1000]);
        FreshData::new(&pool, 9, 0).fill(&mut one, 0);
        FreshData::new(&DataPool::new(1), 9, 0).fill(&mut other, 0);
        assert_eq!(one, other);
        assert!(one[992..].iter().any(|&byte| byte != 0));
    }
}
