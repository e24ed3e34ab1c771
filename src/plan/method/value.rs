//! Each kind of value in the one spelling that the fingerprint takes, and as a plan spells it.

use crate::plan::model::{
    Access, Align, Arrivals, AxisValue, Completions, Data, EngineKind, Extent, Mark, MetricValue, NotBefore, OnError,
    OnInterruption, PurgeAction, PurgeMethod, Rate, RateAmount, ReplayMap, RoundCount, Side, SpanOfArea, Start,
    SteadyWindow, WrittenLimit, ZoneLength,
};
use crate::units::{BlockSize, ByteCount, Metric, Percent, QueueDepth, ReadShare, RunTime, Threads};

/// A value with its two spellings.
pub(super) trait Said {
    /// The one spelling of what it means, with its unit: `4096B`, `500000ppm`. Never changes within a version of the
    /// canonical form.
    fn meaning(&self) -> String;

    /// As a plan spells it: `4KiB`, `50%`.
    fn shown(&self) -> String;
}

/// The same for both; a number or a word.
macro_rules! plain {
    ($($type:ty),*) => {
        $(impl Said for $type {
            fn meaning(&self) -> String {
                self.to_string()
            }

            fn shown(&self) -> String {
                self.to_string()
            }
        })*
    };
}

plain!(u32, String, Threads, QueueDepth, Metric);

/// Words of the language.
macro_rules! named {
    ($($type:ty),*) => {
        $(impl Said for $type {
            fn meaning(&self) -> String {
                self.name().into()
            }

            fn shown(&self) -> String {
                self.name().into()
            }
        })*
    };
}

named!(EngineKind, Completions, Arrivals, Start, OnInterruption, PurgeMethod, PurgeAction, ReplayMap, Side);

/// The meaning by a function of the value, and as it is displayed.
macro_rules! displayed {
    ($($type:ty => $meaning:expr),* $(,)?) => {
        $(impl Said for $type {
            fn meaning(&self) -> String {
                let meaning: fn(&$type) -> String = $meaning;
                meaning(self)
            }

            fn shown(&self) -> String {
                self.to_string()
            }
        })*
    };
}

displayed! {
    RunTime => |time| format!("{}ns", time.as_nanos()),
    ByteCount => |bytes| format!("{}B", bytes.get()),
    BlockSize => |size| size.bytes().meaning(),
    Percent => |share| format!("{}ppm", share.parts_per_million()),
    ReadShare => |share| share.percent().meaning(),
    Extent => |extent| match extent {
        Extent::Bytes(bytes) => bytes.meaning(),
        Extent::Share(share) => share.meaning(),
    },
    SpanOfArea => |span| format!("{}+{}", span.length.meaning(), span.offset.meaning()),
    Rate => |rate| match rate.per {
        Some(per) => format!("{} per {}", rate.amount.meaning(), per.meaning()),
        None => rate.amount.meaning(),
    },
    RateAmount => |amount| match amount {
        RateAmount::Operations(rate) => format!("{}/s", number(*rate)),
        RateAmount::Bytes(rate) => format!("{}B/s", number(*rate)),
    },
    WrittenLimit => |limit| match limit {
        WrittenLimit::Bytes(bytes) => bytes.meaning(),
        WrittenLimit::DriveWrites(writes) => format!("{}drive-writes", number(*writes)),
    },
    SteadyWindow => |window| match window {
        SteadyWindow::Rounds(rounds) => format!("{rounds}rounds"),
        SteadyWindow::Time(time) => time.meaning(),
    },
    NotBefore => |before| match before {
        NotBefore::Passes(passes) => format!("{}passes", number(*passes)),
        NotBefore::Bytes(bytes) => bytes.meaning(),
        NotBefore::DriveWrites(writes) => format!("{}drive-writes", number(*writes)),
        NotBefore::Time(time) => time.meaning(),
    },
    Mark => |mark| match mark {
        Mark::Time(time) => time.meaning(),
        Mark::Written(bytes) => bytes.meaning(),
    },
    Align => |align| match align {
        Align::Own => "own".into(),
        Align::To(size) => size.meaning(),
    },
    ZoneLength => |length| match length {
        ZoneLength::Part(part) => part.meaning(),
        ZoneLength::Rest => "rest".into(),
    },
    Data => |data| match data {
        Data::Incompressible => "incompressible".into(),
        Data::Zeros => "zeros".into(),
        Data::Reducible { compressible, duplicate } => {
            format!("compressible {} duplicate {}", compressible.meaning(), duplicate.meaning())
        }
    },
    AxisValue => |value| {
        let meaning = match value {
            AxisValue::Threads(threads) => threads.meaning(),
            AxisValue::QueueDepth(depth) => depth.meaning(),
            AxisValue::BlockSize(size) => size.meaning(),
            AxisValue::Read(share) => share.meaning(),
            AxisValue::Trim(share) => share.meaning(),
            AxisValue::Rate(rate) => rate.meaning(),
            AxisValue::Span(extent) => extent.meaning(),
        };
        format!("{} {meaning}", value.axis())
    },
    MetricValue => |value| match value {
        MetricValue::Iops(rate) => format!("{}/s", number(*rate)),
        MetricValue::Throughput(rate) => format!("{}B/s", number(*rate)),
        MetricValue::Time(time) => time.meaning(),
        MetricValue::Bytes(bytes) => bytes.meaning(),
        MetricValue::Percent(share) => share.meaning(),
        MetricValue::Celsius(degrees) => format!("{}C", number(*degrees)),
        MetricValue::Number(value) => number(*value),
    },
}

impl Said for bool {
    fn meaning(&self) -> String {
        self.to_string()
    }

    fn shown(&self) -> String {
        format!("#{self}")
    }
}

impl Said for f64 {
    fn meaning(&self) -> String {
        number(*self)
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Said for Access {
    fn meaning(&self) -> String {
        self.shown()
    }

    fn shown(&self) -> String {
        match self {
            Access::Random => "random".into(),
            Access::SequentialShared => "sequential cursor=shared".into(),
            Access::SequentialLanes => "sequential cursor=lanes".into(),
        }
    }
}

impl Said for OnError {
    fn meaning(&self) -> String {
        self.shown()
    }

    fn shown(&self) -> String {
        match self {
            OnError::Fail => "fail".into(),
            OnError::Continue { max } => format!("continue max={max}"),
        }
    }
}

impl Said for RoundCount {
    fn meaning(&self) -> String {
        self.shown()
    }

    fn shown(&self) -> String {
        match self {
            RoundCount::Exactly(rounds) => rounds.to_string(),
            RoundCount::AtMost(rounds) => format!("max={rounds}"),
        }
    }
}

/// `order="once"`, which has no further value.
impl Said for () {
    fn meaning(&self) -> String {
        "once".into()
    }

    fn shown(&self) -> String {
        "once".into()
    }
}

/// A number to nine digits behind the point, without trailing zeros: two spellings of one value, as `0.1GB/s` and
/// `100MB/s`, may differ in the last bit of a double.
fn number(value: f64) -> String {
    let text = format!("{value:.9}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    // A double of this size has no bits for parts of one.
    if value.abs() >= 1e6 {
        format!("{:.3}", value).trim_end_matches('0').trim_end_matches('.').into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_spelling() {
        for (value, spelled) in
            [(0.0, "0"), (1.0, "1"), (100.0, "100"), (0.1 + 0.2, "0.3"), (20_000.0, "20000"), (1.1 * 1e9, "1100000000")]
        {
            assert_eq!(number(value), spelled);
        }
    }

    #[test]
    fn a_share_is_no_number_of_bytes() {
        let half = Percent::from_parts_per_million(500_000);
        assert_eq!(half.meaning(), "500000ppm");
        assert_eq!(Extent::Bytes(ByteCount::new(500_000)).meaning(), "500000B");
        assert_eq!(SpanOfArea::WHOLE.meaning(), "1000000ppm+0B");
    }
}
