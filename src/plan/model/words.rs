//! Values of the model as a plan spells them.

use std::fmt;

use super::{
    Align, AxisValue, Bound, Data, Expect, Extent, Mark, MetricValue, NotBefore, Pick, PickChoice, Rate, RateAmount,
    SpanOfArea, SteadyWindow, TrackedCase, WrittenCap, WrittenLimit, ZoneLength,
};
use crate::units::ByteCount;

/// `128MiB`, `50%`.
impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Extent::Bytes(bytes) => bytes.fmt(f),
            Extent::Share(share) => share.fmt(f),
        }
    }
}

/// `50%`, `8GiB from 1GiB`.
impl fmt::Display for SpanOfArea {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            ByteCount::ZERO => self.length.fmt(f),
            offset => write!(f, "{} from {offset}", self.length),
        }
    }
}

/// `20000 IOPS`, `68MiB/s`; with its capacity: `68MiB/s per 1TB`.
impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.amount.fmt(f)?;
        self.per.map_or(Ok(()), |per| write!(f, " per {per}"))
    }
}

/// `20000 IOPS`, `68MiB/s`.
impl fmt::Display for RateAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RateAmount::Operations(rate) => write!(f, "{rate} IOPS"),
            RateAmount::Bytes(rate) => write!(f, "{}/s", bytes_of(*rate)),
        }
    }
}

/// Bytes of a throughput, in the largest unit that spells them exactly; parts of a byte are beyond any meaning.
fn bytes_of(rate: f64) -> ByteCount {
    ByteCount::new(rate.round() as u64)
}

/// `4TB`, `4 drive-writes`.
impl fmt::Display for WrittenLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrittenLimit::Bytes(bytes) => bytes.fmt(f),
            WrittenLimit::DriveWrites(writes) => write!(f, "{writes} drive-writes"),
        }
    }
}

/// `4TB`, `4 drive-writes`, `1%`.
impl fmt::Display for WrittenCap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrittenCap::Bytes(bytes) => bytes.fmt(f),
            WrittenCap::DriveWrites(writes) => write!(f, "{writes} drive-writes"),
            WrittenCap::ShareOfEndurance(share) => share.fmt(f),
        }
    }
}

/// `5` rounds, `30m`.
impl fmt::Display for SteadyWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SteadyWindow::Rounds(rounds) => rounds.fmt(f),
            SteadyWindow::Time(time) => time.fmt(f),
        }
    }
}

/// `1 passes`, `100GB`, `2 drive-writes`, `30m`.
impl fmt::Display for NotBefore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotBefore::Passes(passes) => write!(f, "{passes} passes"),
            NotBefore::Bytes(bytes) => bytes.fmt(f),
            NotBefore::DriveWrites(writes) => write!(f, "{writes} drive-writes"),
            NotBefore::Time(time) => time.fmt(f),
        }
    }
}

/// `400s`, `10GB`.
impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mark::Time(time) => time.fmt(f),
            Mark::Written(bytes) => bytes.fmt(f),
        }
    }
}

/// `own`, `4KiB`.
impl fmt::Display for Align {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Align::Own => f.write_str("own"),
            Align::To(size) => size.fmt(f),
        }
    }
}

/// `5%`, `10GB`, `rest`.
impl fmt::Display for ZoneLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ZoneLength::Part(extent) => extent.fmt(f),
            ZoneLength::Rest => f.write_str("rest"),
        }
    }
}

/// `incompressible`, `compressible=40% duplicate=10%`.
impl fmt::Display for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Data::Incompressible => f.write_str("incompressible"),
            Data::Zeros => f.write_str("zeros"),
            Data::Reducible { compressible, duplicate } => {
                write!(f, "compressible={compressible} duplicate={duplicate}")
            }
        }
    }
}

/// The value alone: `16`, `4KiB`, `70%`.
impl fmt::Display for AxisValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AxisValue::Threads(threads) => threads.fmt(f),
            AxisValue::QueueDepth(depth) => depth.fmt(f),
            AxisValue::BlockSize(size) => size.fmt(f),
            AxisValue::Read(share) => share.fmt(f),
            AxisValue::Trim(share) => share.fmt(f),
            AxisValue::Rate(rate) => rate.fmt(f),
            AxisValue::Span(extent) => extent.fmt(f),
        }
    }
}

/// `mixed read=0% block-size=4KiB`.
impl fmt::Display for TrackedCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.step.value)?;
        self.values.iter().try_for_each(|given| write!(f, " {}={}", given.value.axis(), given.value))
    }
}

/// `5ms`, `20000 IOPS`, `40C`.
impl fmt::Display for MetricValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MetricValue::Iops(rate) => write!(f, "{rate} IOPS"),
            MetricValue::Throughput(rate) => write!(f, "{}/s", bytes_of(*rate)),
            MetricValue::Time(time) => time.fmt(f),
            MetricValue::Bytes(bytes) => bytes.fmt(f),
            MetricValue::Percent(share) => share.fmt(f),
            MetricValue::Celsius(degrees) => write!(f, "{degrees}C"),
            MetricValue::Number(number) => number.fmt(f),
        }
    }
}

/// As the plan spells it.
impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// `read.p99 below 2ms`, `iops at-least 20000 IOPS per 1TB in score`.
impl fmt::Display for Expect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.metric.value)?;
        for (bound, value) in &self.limits {
            write!(f, " {bound} {}", value.value)?;
        }
        if let Some(per) = &self.per {
            write!(f, " per {}", per.value)?;
        }
        self.window.as_ref().map_or(Ok(()), |window| write!(f, " in {}", window.value))
    }
}

impl Pick {
    /// Which case, in the words of the plan: `highest iops where latency.mean below 5ms`.
    pub fn choice_in_words(&self) -> String {
        let mut words = match &self.choice {
            PickChoice::Highest(metric) => format!("highest {}", metric.value),
            PickChoice::Lowest(metric) => format!("lowest {}", metric.value),
            PickChoice::Nearest { metric, between, and } => {
                format!("nearest {} between {} and {}", metric.value, between.value, and.value)
            }
            PickChoice::At(values) => {
                let values: Vec<String> =
                    values.iter().map(|given| format!("{}={}", given.value.axis(), given.value)).collect();
                format!("at {}", values.join(" "))
            }
        };
        for condition in &self.conditions {
            words.push_str(&format!(" where {condition}"));
        }
        words
    }
}
