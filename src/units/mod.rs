//! Numbers with meaning: sizes, shares, depths, times and rates, how they are spelled in a plan and how they print.
//! No policy: which values make sense where is decided by the callers.

mod bytes;
mod depth;
mod metric;
mod quantity;
mod rate;
mod share;
mod spelling;
mod time;

pub use bytes::{BlockSize, ByteCount};
pub use depth::{OutstandingIo, QueueDepth, Threads};
pub use metric::{LatencyKind, Metric, MetricName, MetricSide, MetricUnit, NoMetric};
pub use quantity::{Quantity, QuantityError, grouped, parse_quantity};
pub use rate::{Iops, Throughput};
pub use share::{Percent, ReadShare};
pub use spelling::{plain, plain_parts, repaired, unit_spellings};
pub use time::{NANOS_PER_SECOND, RunTime};
