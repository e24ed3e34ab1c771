use serde::{Deserialize, Serialize};

/// Completed (or asked-for) I/Os per second.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Iops(pub f64);

/// Bytes per second.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Throughput(pub f64);

impl Throughput {
    /// In MB/s, which is 10^6 bytes per second.
    pub fn megabytes_per_second(self) -> f64 {
        self.0 / 1e6
    }
}
