//! The blocking driver: one operating-system thread for each slot, in pread and pwrite.
//!
//! Workers are not scoped: a thread that hangs in the kernel cannot be joined, so everything it may touch is owned
//! together with it, and it can be left behind.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use nix::sched::{CpuSet, sched_setaffinity};
use nix::sys::signal::{SigSet, SigmaskHow};
use nix::unistd::Pid;

use super::buffer::{AlignedBuffer, DataPool, FreshData};
use super::coordinator::{Attention, Coordinator};
use super::generator::ThreadFacts;
use super::lane::{Lane, Operation};
use super::shared::SharedLoad;
use super::{Engine, EngineError, LoadSpec, StopFlag, futex};
use crate::clock::{Clock, RealClock};
use crate::measure::{Direction, Interval, LoadOutcome};

/// Enough for a worker: its state is small and its buffers are elsewhere.
const STACK_BYTES: usize = 128 * 1024;

/// The seed of the pool: what is written differs by its key, not by its pool.
const POOL_SEED: u64 = 1;

const CLOSED: u32 = 0;
const OPEN: u32 = 1;
const CANCELLED: u32 = 2;

/// What is read and written: open descriptors, and nothing about what they are.
#[derive(Debug)]
pub struct SyncTarget {
    read: OwnedFd,
    write: Option<OwnedFd>,
}

impl SyncTarget {
    /// A target that can only be read.
    pub fn read_only(read: impl Into<OwnedFd>) -> Self {
        Self { read: read.into(), write: None }
    }

    /// A target that is read through one descriptor and written through another, which may be duplicates of one.
    pub fn read_write(read: impl Into<OwnedFd>, write: impl Into<OwnedFd>) -> Self {
        Self { read: read.into(), write: Some(write.into()) }
    }
}

/// Runs loads with a thread for each slot.
#[derive(Debug)]
pub struct SyncEngine {
    target: Arc<SyncTarget>,
    processors: Vec<usize>,
    clock: RealClock,
    pool: Option<Arc<DataPool>>,
}

impl SyncEngine {
    /// For a target, with workers pinned one after the other to these processors, again from the first where there are
    /// more slots; pinned to none where the list is empty.
    pub fn new(target: SyncTarget, processors: Vec<usize>) -> Self {
        Self { target: Arc::new(target), processors, clock: RealClock, pool: None }
    }

    /// The pool of random data; made at the first load that writes, while no worker lives.
    fn pool(&mut self) -> Arc<DataPool> {
        Arc::clone(self.pool.get_or_insert_with(|| Arc::new(DataPool::new(POOL_SEED))))
    }
}

impl Engine for SyncEngine {
    fn name(&self) -> &'static str {
        "sync"
    }

    fn now_ns(&self) -> u64 {
        self.clock.now_ns()
    }

    fn wall_ns(&self) -> u64 {
        self.clock.wall_ns()
    }

    fn idle_until(&mut self, at_ns: u64, stop: &StopFlag) -> bool {
        stop.sleep_until(&self.clock, at_ns)
    }

    fn run_load(
        &mut self,
        spec: &LoadSpec,
        stop: &StopFlag,
        on_interval: &mut dyn FnMut(&Interval),
    ) -> Result<LoadOutcome, EngineError> {
        if spec.read.has_writes() && self.target.write.is_none() {
            return Err(EngineError::ReadOnlyTarget);
        }
        let slots = spec.slots();
        let processors = self.processors.len().min(usize::try_from(slots).unwrap_or(usize::MAX));
        let crew = Arc::new(Crew {
            load: SharedLoad::new(spec, processors)?,
            target: Arc::clone(&self.target),
            pool: if spec.read.has_writes() { Some(self.pool()) } else { None },
            clock: self.clock,
            bell: stop.clone(),
            barrier: AtomicU32::new(CLOSED),
            waiting: AtomicU32::new(0),
            out: AtomicU32::new(0),
            obstacle: Mutex::new(None),
        });
        {
            let mut facts = crew.load.generator.lock().unwrap_or_else(PoisonError::into_inner);
            (facts.workers, facts.processors, facts.silent_workers) = (slots, processors as u64, slots);
        }
        let workers = self.start_workers(&crew, slots)?;
        crew.wait_ready(slots as u32);
        if let Some(obstacle) = crew.obstacle.lock().unwrap_or_else(PoisonError::into_inner).take() {
            crew.release(CANCELLED);
            workers.into_iter().for_each(join);
            return Err(obstacle);
        }
        crew.load.open_barrier(self.clock.now_ns());
        crew.release(OPEN);
        let outcome = crew.attend(slots as u32, on_interval);
        // Those that hang are left behind; what they own goes with them.
        workers.into_iter().filter(JoinHandle::is_finished).for_each(join);
        Ok(outcome)
    }
}

impl SyncEngine {
    /// Starts all workers with every signal blocked, or none: where one cannot be started the others are sent home.
    fn start_workers(&self, crew: &Arc<Crew>, slots: u64) -> Result<Vec<JoinHandle<()>>, EngineError> {
        // Signals are for the thread that attends. Where the mask cannot be changed workers merely take them too.
        let unblocked = SigSet::all().thread_swap_mask(SigmaskHow::SIG_BLOCK).ok();
        let mut workers = Vec::new();
        let mut obstacle = None;
        for slot in 0..slots {
            let processor =
                (!self.processors.is_empty()).then(|| self.processors[slot as usize % self.processors.len()]);
            match start_worker(crew, slot, processor) {
                Ok(worker) => workers.push(worker),
                Err(error) => {
                    obstacle = Some(error.unwrap_or_else(|source| EngineError::Threads {
                        wanted: slots,
                        started: slot,
                        source,
                    }));
                    break;
                }
            }
        }
        if let Some(mask) = unblocked {
            let _ = mask.thread_set_mask();
        }
        match obstacle {
            None => Ok(workers),
            Some(obstacle) => {
                crew.release(CANCELLED);
                workers.into_iter().for_each(join);
                Err(obstacle)
            }
        }
    }
}

/// Starts one worker; the inner result is an obstacle of ours, the error that of the system.
fn start_worker(
    crew: &Arc<Crew>,
    slot: u64,
    processor: Option<usize>,
) -> Result<JoinHandle<()>, Result<EngineError, io::Error>> {
    let spec = &crew.load.spec;
    let bytes = usize::try_from(spec.block_size.get()).unwrap_or(usize::MAX);
    let buffer = AlignedBuffer::new(bytes, spec.alignment_bytes).map_err(Ok)?;
    let crew = Arc::clone(crew);
    let name = format!("slot-{slot}");
    thread::Builder::new()
        .name(name)
        .stack_size(STACK_BYTES)
        .spawn(move || crew.work(slot, processor, buffer))
        .map_err(Err)
}

fn join(worker: JoinHandle<()>) {
    // A worker's panic is a fault of this program: it goes on in the caller.
    if let Err(panic) = worker.join() {
        std::panic::resume_unwind(panic);
    }
}

/// Everything that the workers of one load share.
#[derive(Debug)]
struct Crew {
    load: SharedLoad,
    target: Arc<SyncTarget>,
    pool: Option<Arc<DataPool>>,
    clock: RealClock,
    bell: StopFlag,
    barrier: AtomicU32,
    waiting: AtomicU32,
    out: AtomicU32,
    obstacle: Mutex<Option<EngineError>>,
}

impl Crew {
    /// The life of one worker.
    fn work(&self, slot: u64, processor: Option<usize>, mut buffer: AlignedBuffer) {
        if let Err(obstacle) = pin(processor) {
            self.obstacle.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(obstacle);
        }
        buffer.touch();
        let mut lane = Lane::new(&self.load, slot);
        let data = self.pool.as_deref().map(|pool| FreshData::new(pool, self.load.spec.seed, slot));
        let before = ThreadFacts::read();
        self.waiting.fetch_add(1, Ordering::AcqRel);
        self.bell.ring_if(self.waiting.load(Ordering::Acquire) as usize >= self.load.tallies.len());
        while self.barrier.load(Ordering::Acquire) == CLOSED {
            futex::wait(&self.barrier, CLOSED, None);
        }
        if self.barrier.load(Ordering::Acquire) == OPEN {
            lane.begin();
            self.work_through(&mut lane, &mut buffer, data);
            self.report(before);
        }
        lane.finish();
        let out = self.out.fetch_add(1, Ordering::AcqRel) + 1;
        self.bell.ring_if(out as usize >= self.load.tallies.len());
    }

    /// The loop between barrier and end: it never allocates, locks, formats or logs.
    fn work_through(&self, lane: &mut Lane<'_>, buffer: &mut AlignedBuffer, mut data: Option<FreshData<'_>>) {
        while let Some(operation) = lane.next() {
            let block = &mut buffer.bytes()[..operation.length_bytes as usize];
            if operation.direction == Direction::Write
                && let Some(data) = &mut data
            {
                data.fill(block, operation.offset_bytes);
            }
            let submitted_ns = self.clock.now_ns();
            if !lane.submit(&operation, submitted_ns) {
                return;
            }
            let result = self.target.transfer(&operation, block);
            let done_ns = self.clock.now_ns();
            if !lane.complete(&operation, submitted_ns, done_ns, result) {
                return;
            }
        }
    }

    fn report(&self, before: Option<ThreadFacts>) {
        if let (Some(before), Some(after)) = (before, ThreadFacts::read()) {
            let mut facts = self.load.generator.lock().unwrap_or_else(PoisonError::into_inner);
            before.add_since(after, &mut facts);
            facts.silent_workers -= 1;
        }
    }

    fn wait_ready(&self, slots: u32) {
        loop {
            let heard = self.bell.bell();
            if self.waiting.load(Ordering::Acquire) >= slots {
                return;
            }
            self.bell.wait(heard, u64::MAX);
        }
    }

    fn release(&self, state: u32) {
        self.barrier.store(state, Ordering::Release);
        futex::wake_all(&self.barrier);
    }

    /// Attends to the load until all workers are out or given up.
    fn attend(&self, slots: u32, on_interval: &mut dyn FnMut(&Interval)) -> LoadOutcome {
        let mut coordinator = Coordinator::new(&self.load, &self.bell, on_interval);
        loop {
            let heard = self.bell.bell();
            let is_over = self.out.load(Ordering::Acquire) >= slots;
            let now_ns = self.clock.now_ns();
            if is_over {
                return coordinator.finish(now_ns);
            }
            match coordinator.attend(now_ns) {
                Attention::GiveUp => return coordinator.finish(now_ns),
                Attention::Until(wake_ns) => self.bell.wait(heard, wake_ns.saturating_sub(now_ns)),
            }
        }
    }
}

impl SyncTarget {
    /// Moves one block; the bytes moved or the error number.
    #[inline]
    fn transfer(&self, operation: &Operation, block: &mut [u8]) -> Result<u64, i32> {
        let Ok(offset) = libc::off64_t::try_from(operation.offset_bytes) else { return Err(libc::EINVAL) };
        loop {
            let moved = match (operation.direction, &self.write) {
                // SAFETY: the block is writable for its whole length and outlives the call, which blocks until done.
                (Direction::Read, _) => unsafe {
                    libc::pread64(self.read.as_raw_fd(), block.as_mut_ptr().cast(), block.len(), offset)
                },
                // SAFETY: the block is readable for its whole length and outlives the call.
                (Direction::Write, Some(write)) => unsafe {
                    libc::pwrite64(write.as_raw_fd(), block.as_ptr().cast(), block.len(), offset)
                },
                (Direction::Write, None) => return Err(libc::EBADF),
            };
            if let Ok(moved) = u64::try_from(moved) {
                return Ok(moved);
            }
            let number = io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO);
            if number != libc::EINTR {
                return Err(number);
            }
        }
    }
}

/// Pins the calling thread to one processor.
fn pin(processor: Option<usize>) -> Result<(), EngineError> {
    let Some(processor) = processor else { return Ok(()) };
    let mut set = CpuSet::new();
    let pinned = set.set(processor).and_then(|()| sched_setaffinity(Pid::from_raw(0), &set));
    pinned.map_err(|error| EngineError::Affinity { processor, source: error.into() })
}
