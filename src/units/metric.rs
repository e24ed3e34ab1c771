use std::fmt;
use std::str::FromStr;

/// The address of a number in a result: `[scope.][read.|write.|trim.][response.|service.]NAME`, where the scope names a
/// step, a load or stream, and a window, in this order, each as far as it is needed.
///
/// Without `read.`, `write.` or `trim.` a metric is of all operations. Without `response.` or `service.` a latency is
/// service time: from submission to completion.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Metric {
    /// What stands before the rest, as written: names of steps, loads, streams and windows; empty: none.
    pub scope: String,
    /// The kind of operations; none: all.
    pub side: Option<MetricSide>,
    /// Which latency, where it is said.
    pub latency: Option<LatencyKind>,
    /// The number itself.
    pub name: MetricName,
}

/// The operations that a metric is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MetricSide {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Trims.
    Trim,
}

/// From when a latency counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LatencyKind {
    /// From the time at which the operation was due; only where a load is paced.
    Response,
    /// From submission.
    Service,
}

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MetricName {
    /// Operations per second, mean over the window.
    Iops,
    /// Deviation of the IOPS of intervals.
    IopsDeviation,
    /// Mean over deviation of the IOPS of intervals.
    IopsConsistency,
    /// Bytes per second, mean over the window.
    Throughput,
    /// Deviation of the throughput of intervals.
    ThroughputDeviation,
    /// Where the throughput over written bytes changes its level.
    ThroughputKnees,
    /// Mean latency over all operations.
    LatencyMean,
    /// Largest latency.
    LatencyMax,
    /// Smallest latency.
    LatencyMin,
    /// Deviation of the latency over all operations.
    LatencyDeviation,
    /// The deviations of reads and writes, averaged: a figure that older reviews print.
    LatencyDeviationMeanOfSides,
    /// A percentile of the latency, in ten-thousandths of a percent below 100: `p99.99` is 999,900.
    Percentile(u32),
    /// Bytes written.
    Written,
    /// Degrees Celsius.
    Temperature,
}

/// What a value of a metric is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MetricUnit {
    /// Operations per second.
    Iops,
    /// Bytes per second.
    Throughput,
    /// A time.
    Time,
    /// Bytes.
    Bytes,
    /// Degrees Celsius.
    Celsius,
    /// A bare number.
    Number,
}

/// The names that are written as they are, in the order of the reference.
const NAMES: [(&str, MetricName); 13] = [
    ("iops", MetricName::Iops),
    ("iops.deviation", MetricName::IopsDeviation),
    ("iops.consistency", MetricName::IopsConsistency),
    ("throughput", MetricName::Throughput),
    ("throughput.deviation", MetricName::ThroughputDeviation),
    ("throughput.knees", MetricName::ThroughputKnees),
    ("latency.mean", MetricName::LatencyMean),
    ("latency.max", MetricName::LatencyMax),
    ("latency.min", MetricName::LatencyMin),
    ("latency.deviation", MetricName::LatencyDeviation),
    ("latency.deviation-mean-of-sides", MetricName::LatencyDeviationMeanOfSides),
    ("written", MetricName::Written),
    ("temperature", MetricName::Temperature),
];

impl MetricName {
    /// Every name but the percentiles, in the order of the reference.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// True for what is measured of single operations.
    pub const fn is_latency(self) -> bool {
        matches!(self.unit(), MetricUnit::Time)
    }

    /// What its values are counted in.
    pub const fn unit(self) -> MetricUnit {
        match self {
            MetricName::Iops | MetricName::IopsDeviation => MetricUnit::Iops,
            MetricName::Throughput | MetricName::ThroughputDeviation => MetricUnit::Throughput,
            MetricName::ThroughputKnees | MetricName::Written => MetricUnit::Bytes,
            MetricName::IopsConsistency => MetricUnit::Number,
            MetricName::Temperature => MetricUnit::Celsius,
            MetricName::LatencyMean
            | MetricName::LatencyMax
            | MetricName::LatencyMin
            | MetricName::LatencyDeviation
            | MetricName::LatencyDeviationMeanOfSides
            | MetricName::Percentile(_) => MetricUnit::Time,
        }
    }

    /// The longest name at the end of an address, and what stands before it.
    fn at_end(text: &str) -> Option<(&str, MetricName)> {
        let before = |name: &str| match text.strip_suffix(name)? {
            "" => Some(""),
            before => before.strip_suffix('.'),
        };
        let known = NAMES.iter().filter_map(|(name, metric)| Some((before(name)?, *metric)));
        // The longest name leaves the shortest rest: `iops.deviation` is no `deviation` of something called `iops`.
        known.min_by_key(|(before, _)| before.len()).or_else(|| percentile_at_end(text))
    }
}

/// `p50` to `p99.9999` at the end of an address.
fn percentile_at_end(text: &str) -> Option<(&str, MetricName)> {
    let start = text.rfind(".p").map_or(0, |dot| dot + 1);
    let digits = text[start..].strip_prefix('p')?;
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 2 || !is_number(whole) || !is_number(part) || part.len() > 4 {
        return None;
    }
    if digits.ends_with('.') {
        return None;
    }
    let parts = whole.parse::<u32>().ok()? * 10_000 + format!("{part:0<4}").parse::<u32>().ok()?;
    (parts > 0).then(|| (text[..start].trim_end_matches('.'), MetricName::Percentile(parts)))
}

/// A text that addresses no number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoMetric;

impl FromStr for Metric {
    type Err = NoMetric;

    fn from_str(text: &str) -> Result<Self, NoMetric> {
        if text.starts_with('.') {
            return Err(NoMetric);
        }
        let (mut rest, name) = MetricName::at_end(text).ok_or(NoMetric)?;
        let mut take = |word: &str| -> bool {
            let Some(before) = rest.strip_suffix(word) else { return false };
            match before.strip_suffix('.') {
                Some(scope) => rest = scope,
                None if before.is_empty() => rest = "",
                None => return false,
            }
            true
        };
        let latency = if take("response") {
            Some(LatencyKind::Response)
        } else if take("service") {
            Some(LatencyKind::Service)
        } else {
            None
        };
        let side = [("read", MetricSide::Read), ("write", MetricSide::Write), ("trim", MetricSide::Trim)]
            .into_iter()
            .find_map(|(word, side)| take(word).then_some(side));
        if latency.is_some() && !name.is_latency() {
            return Err(NoMetric);
        }
        Ok(Metric { scope: rest.to_string(), side, latency, name })
    }
}

impl fmt::Display for MetricName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let MetricName::Percentile(parts) = self {
            let (whole, part) = (parts / 10_000, format!("{:04}", parts % 10_000));
            let part = part.trim_end_matches('0');
            let dot = if part.is_empty() { "" } else { "." };
            return write!(f, "p{whole}{dot}{part}");
        }
        let known = NAMES.iter().find(|(_, metric)| metric == self);
        f.write_str(known.map_or("", |(name, _)| name))
    }
}

/// As a plan spells it.
impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.scope.is_empty() {
            write!(f, "{}.", self.scope)?;
        }
        match self.side {
            Some(MetricSide::Read) => f.write_str("read.")?,
            Some(MetricSide::Write) => f.write_str("write.")?,
            Some(MetricSide::Trim) => f.write_str("trim.")?,
            None => {}
        }
        match self.latency {
            Some(LatencyKind::Response) => f.write_str("response.")?,
            Some(LatencyKind::Service) => f.write_str("service.")?,
            None => {}
        }
        write!(f, "{}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_from_their_end_and_spelled_again() {
        for (text, scope, side, latency, name) in [
            ("iops", "", None, None, MetricName::Iops),
            ("iops.deviation", "", None, None, MetricName::IopsDeviation),
            ("read.response.p99.99", "", Some(MetricSide::Read), Some(LatencyKind::Response), p(999_900)),
            ("p50", "", None, None, p(500_000)),
            ("p99.9999", "", None, None, p(999_999)),
            ("a step.log.write.latency.max", "a step.log", Some(MetricSide::Write), None, MetricName::LatencyMax),
            ("v1.5.iops", "v1.5", None, None, MetricName::Iops),
            ("service.latency.mean", "", None, Some(LatencyKind::Service), MetricName::LatencyMean),
            ("score.throughput", "score", None, None, MetricName::Throughput),
            ("write.p99", "", Some(MetricSide::Write), None, p(990_000)),
        ] {
            let metric: Metric = text.parse().unwrap_or_else(|_| panic!("{text} is a metric"));
            assert_eq!((metric.scope.as_str(), metric.side, metric.latency, metric.name), (scope, side, latency, name));
            assert_eq!(metric.to_string(), text);
        }
        const fn p(parts: u32) -> MetricName {
            MetricName::Percentile(parts)
        }
    }

    #[test]
    fn what_is_no_metric() {
        for text in
            ["", "iop", "p", "p0", "p100", "p99.99999", "p99.", "response.iops", "latency", ".iops", "iops x", "pp99"]
        {
            assert!(text.parse::<Metric>().is_err(), "{text}");
        }
    }
}
