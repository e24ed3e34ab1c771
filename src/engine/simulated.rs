//! The simulated driver: one thread and a queue of completions, in simulated time. The same load on the same target
//! gives the same outcome, to the nanosecond.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::coordinator::{Attention, Coordinator};
use super::lane::{Lane, Operation};
use super::shared::SharedLoad;
use super::{Engine, EngineError, LoadSpec, StopFlag};
use crate::clock::{Clock, SimulatedClock};
use crate::measure::{Direction, GeneratorFacts, Interval, LoadOutcome};

/// An operation as a simulated target sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Read or write.
    pub direction: Direction,
    /// Bytes from the start of the target.
    pub offset_bytes: u64,
    /// Bytes to move.
    pub length_bytes: u64,
    /// When it was submitted, in nanoseconds of the engine's clock.
    pub submitted_ns: u64,
    /// The slot that it belongs to.
    pub slot: u64,
    /// How many operations the target has served before this one.
    pub served: u64,
}

/// What a simulated target answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Response {
    /// From submission to completion, in nanoseconds; 0 counts as 1, for time must go on.
    pub latency_ns: u64,
    /// The bytes moved, or an error number of the operating system.
    pub result: Result<u64, i32>,
}

/// Something that serves operations in simulated time.
pub trait SimulatedTarget {
    /// Serves one operation. They come in order of submission.
    fn serve(&mut self, request: &Request) -> Response;
}

impl<F: FnMut(&Request) -> Response> SimulatedTarget for F {
    fn serve(&mut self, request: &Request) -> Response {
        self(request)
    }
}

/// A target that serves every operation of a direction in the same time, and any number at once.
#[derive(Debug, Clone, Copy)]
pub struct ConstantLatency {
    /// Of reads, in nanoseconds.
    pub read_ns: u64,
    /// Of writes, in nanoseconds.
    pub write_ns: u64,
}

impl SimulatedTarget for ConstantLatency {
    fn serve(&mut self, request: &Request) -> Response {
        let latency_ns = match request.direction {
            Direction::Read => self.read_ns,
            Direction::Write => self.write_ns,
        };
        Response { latency_ns, result: Ok(request.length_bytes) }
    }
}

/// Where a target begins to fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Operations that touch this byte.
    AtByte(u64),
    /// All operations after so many.
    AfterOperations(u64),
}

/// A target that fails where it is told to.
#[derive(Debug, Clone, Copy)]
pub struct FaultyTarget<T> {
    /// Serves whatever does not fail.
    pub inner: T,
    /// Which operations fail.
    pub fault: Fault,
    /// What a failing operation answers: fewer bytes than asked for, or an error number.
    pub result: Result<u64, i32>,
}

impl<T: SimulatedTarget> SimulatedTarget for FaultyTarget<T> {
    fn serve(&mut self, request: &Request) -> Response {
        let response = self.inner.serve(request);
        let fails = match self.fault {
            Fault::AtByte(byte) => byte >= request.offset_bytes && byte - request.offset_bytes < request.length_bytes,
            Fault::AfterOperations(count) => request.served >= count,
        };
        if fails { Response { result: self.result, ..response } } else { response }
    }
}

/// Runs loads on a simulated target.
#[derive(Debug)]
pub struct SimulatedEngine<T> {
    target: T,
    clock: SimulatedClock,
    served: u64,
}

impl<T: SimulatedTarget> SimulatedEngine<T> {
    /// For a target, on a clock that others may share.
    pub fn new(target: T, clock: SimulatedClock) -> Self {
        Self { target, clock, served: 0 }
    }

    /// The target.
    pub fn target(&self) -> &T {
        &self.target
    }

    /// Submits the slot's next operation, where it has one.
    fn submit(&mut self, lane: &mut Lane<'_>, slot: u64) -> Option<Completion> {
        let submitted_ns = self.clock.now_ns();
        let operation = lane.next()?;
        if !lane.submit(&operation, submitted_ns) {
            return None;
        }
        let Operation { direction, offset_bytes, length_bytes } = operation;
        let request = Request { direction, offset_bytes, length_bytes, submitted_ns, slot, served: self.served };
        let response = self.target.serve(&request);
        self.served += 1;
        let at_ns = submitted_ns.saturating_add(response.latency_ns.max(1));
        Some(Completion { at_ns, sequence: self.served, slot, submitted_ns, operation, result: response.result })
    }
}

/// An operation that will come back. Ordered by time, then by submission.
#[derive(Debug)]
struct Completion {
    at_ns: u64,
    sequence: u64,
    slot: u64,
    submitted_ns: u64,
    operation: Operation,
    result: Result<u64, i32>,
}

impl Completion {
    fn key(&self) -> (u64, u64) {
        (self.at_ns, self.sequence)
    }
}

impl PartialEq for Completion {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Completion {}

impl PartialOrd for Completion {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Completion {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl<T: SimulatedTarget> Engine for SimulatedEngine<T> {
    fn name(&self) -> &'static str {
        "simulated"
    }

    fn now_ns(&self) -> u64 {
        self.clock.now_ns()
    }

    fn wall_ns(&self) -> u64 {
        self.clock.wall_ns()
    }

    fn idle_until(&mut self, at_ns: u64, stop: &StopFlag) -> bool {
        if stop.is_raised() {
            return false;
        }
        self.clock.advance_to(at_ns);
        true
    }

    fn run_load(
        &mut self,
        spec: &LoadSpec,
        stop: &StopFlag,
        on_interval: &mut dyn FnMut(&Interval),
    ) -> Result<LoadOutcome, EngineError> {
        let shared = SharedLoad::new(spec, 1)?;
        if let Ok(mut facts) = shared.generator.lock() {
            *facts =
                GeneratorFacts { workers: spec.slots(), silent_workers: spec.slots(), ..GeneratorFacts::default() };
        }
        shared.open_barrier(self.clock.now_ns());
        let mut coordinator = Coordinator::new(&shared, stop, on_interval);
        let mut attention = coordinator.attend(self.clock.now_ns());
        let mut lanes: Vec<Lane<'_>> = (0..spec.slots()).map(|slot| Lane::new(&shared, slot)).collect();
        let mut queue = BinaryHeap::new();
        for (slot, lane) in lanes.iter_mut().enumerate() {
            lane.begin();
            match self.submit(lane, slot as u64) {
                Some(completion) => queue.push(Reverse(completion)),
                None => lane.finish(),
            }
        }
        while let Some(Reverse(completion)) = queue.pop() {
            if !self.wait_until(completion.at_ns, &mut coordinator, &mut attention, stop) {
                break;
            }
            let lane = &mut lanes[completion.slot as usize];
            let Completion { operation, submitted_ns, at_ns, result, slot, .. } = completion;
            let goes_on = lane.complete(&operation, submitted_ns, at_ns, result);
            match goes_on.then(|| self.submit(lane, slot)).flatten() {
                Some(next) => queue.push(Reverse(next)),
                None => {
                    lane.finish();
                    // An end may have come with this completion: the deadline counts from it.
                    attention = coordinator.attend(self.clock.now_ns());
                }
            }
        }
        Ok(coordinator.finish(self.clock.now_ns()))
    }
}

impl<T> SimulatedEngine<T> {
    /// Moves the clock to `at_ns` while the coordinator attends on its way; false where it gives up before.
    fn wait_until(
        &self,
        at_ns: u64,
        coordinator: &mut Coordinator<'_>,
        attention: &mut Attention,
        stop: &StopFlag,
    ) -> bool {
        loop {
            match *attention {
                Attention::GiveUp => return false,
                Attention::Until(wake_ns) if wake_ns <= at_ns => {
                    self.clock.advance_to(wake_ns);
                    *attention = coordinator.attend(self.clock.now_ns());
                }
                Attention::Until(_) => break,
            }
        }
        self.clock.advance_to(at_ns);
        if stop.is_raised() {
            *attention = coordinator.attend(at_ns);
        }
        true
    }
}
