use std::fmt;
use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer as FormReader, Serializer as _, V2DeflateSerializer};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use super::Percentile;

/// The largest latency that has a bin: 2^40 ns, 18 minutes; the kernel's timeout with its retries passes 60 s (S23).
pub const MAXIMUM_BINNED_NS: u64 = 1 << 40;

const DIGITS: u8 = 3;
/// More than a histogram of these bounds can take: some 32,000 bins of at most nine bytes.
const INNER_BYTES_AT_MOST: u32 = 1 << 20;

/// Latencies in bins of three significant digits from 1 ns to 2^40 ns; longer ones are counted apart.
///
/// Merging is exact: two histograms added are the histogram of all their values.
#[derive(Clone, Default, PartialEq)]
pub struct LatencyHistogram {
    /// Made with the first value: a quarter of a mebibyte that most directions of most cases never need.
    bins: Option<Box<Histogram<u64>>>,
    overflow: u64,
}

impl LatencyHistogram {
    /// Without a value.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one latency in nanoseconds.
    pub fn record(&mut self, value_ns: u64) {
        self.record_many(value_ns, 1);
    }

    /// Adds `count` latencies of the same bin, in nanoseconds.
    pub fn record_many(&mut self, value_ns: u64, count: u64) {
        if count == 0 {
            return;
        }
        if value_ns > MAXIMUM_BINNED_NS {
            self.overflow += count;
            return;
        }
        self.bins
            .get_or_insert_with(|| Box::new(empty_bins()))
            .record_n(value_ns, count)
            .expect("every value up to the maximum has a bin");
    }

    /// Adds `count` latencies above 2^40 ns.
    pub fn record_overflow(&mut self, count: u64) {
        self.overflow += count;
    }

    /// Adds all values of another.
    pub fn add(&mut self, other: &Self) {
        self.overflow += other.overflow;
        let Some(theirs) = &other.bins else { return };
        match &mut self.bins {
            Some(ours) => ours.add(&**theirs).expect("all our histograms have the same bounds"),
            None => self.bins = Some(theirs.clone()),
        }
    }

    /// All values, those above 2^40 ns included.
    pub fn count(&self) -> u64 {
        self.bins.as_ref().map_or(0, |bins| bins.len()) + self.overflow
    }

    /// The values above 2^40 ns.
    pub fn overflow(&self) -> u64 {
        self.overflow
    }

    /// The percentile by S18: the bin of the smallest v with count(x <= v) >= ceil(p x N), told by its upper edge in
    /// nanoseconds, but not above `exact_max_ns`, the exact largest of the values. `None` where there is no value.
    pub fn value_at(&self, percentile: Percentile, exact_max_ns: u64) -> Option<u64> {
        let count = self.count();
        if count == 0 {
            return None;
        }
        let rank = percentile.rank(count);
        let mut seen = 0;
        for (edge, in_bin) in self.bins() {
            seen += in_bin;
            if seen >= rank {
                return Some(edge.min(exact_max_ns));
            }
        }
        Some(exact_max_ns)
    }

    /// True where fewer than ten values are expected above the percentile (S18).
    pub fn few_samples(&self, percentile: Percentile) -> bool {
        percentile.has_few_samples(self.count())
    }

    /// Every bin that holds values, ascending: its upper edge in nanoseconds and its count.
    pub fn bins(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let recorded = self.bins.iter().flat_map(|bins| bins.iter_recorded());
        recorded.map(|bin| (bin.value_iterated_to(), bin.count_at_value()))
    }

    /// The bins in hdrhistogram's V2 form, compressed, as base64: what other tools read and merge.
    fn interchange_form(&self) -> Result<String, String> {
        let empty;
        let bins = match &self.bins {
            Some(bins) => bins,
            None => {
                empty = empty_bins();
                &empty
            }
        };
        let mut bytes = Vec::new();
        V2DeflateSerializer::new().serialize(bins, &mut bytes).map_err(|error| error.to_string())?;
        Ok(STANDARD.encode(bytes))
    }

    fn from_interchange_form(text: &str, overflow: u64) -> Result<Self, String> {
        let bytes = STANDARD.decode(text).map_err(|error| error.to_string())?;
        check_inner_length(&bytes)?;
        let read: Histogram<u64> =
            FormReader::new().deserialize(&mut bytes.as_slice()).map_err(|error| error.to_string())?;
        if (read.low(), read.high(), read.sigfig()) != (1, MAXIMUM_BINNED_NS, DIGITS) {
            return Err("a latency histogram has three digits from 1 ns to 2^40 ns".to_owned());
        }
        if read.is_empty() {
            return Ok(Self { bins: None, overflow });
        }
        // Adding into bins of our own drops whatever else the form carried (a tag, resizing).
        let mut bins = empty_bins();
        bins.add(read).map_err(|error| error.to_string())?;
        Ok(Self { bins: Some(Box::new(bins)), overflow })
    }
}

/// The reader of the form allocates whatever length the form claims to have inside, so a hostile one is refused before:
/// behind eight bytes of its own the form is a zlib stream that begins with a cookie and that length, both big-endian.
fn check_inner_length(form: &[u8]) -> Result<(), String> {
    let mut head = [0_u8; 8];
    let stream = form.get(8..).unwrap_or_default();
    flate2::read::ZlibDecoder::new(stream).read_exact(&mut head).map_err(|error| error.to_string())?;
    let claimed = u32::from_be_bytes([head[4], head[5], head[6], head[7]]);
    if claimed > INNER_BYTES_AT_MOST {
        return Err(format!("a latency histogram of {claimed} bytes is larger than any can be"));
    }
    Ok(())
}

fn empty_bins() -> Histogram<u64> {
    Histogram::new_with_bounds(1, MAXIMUM_BINNED_NS, DIGITS).expect("the bounds are constants that it accepts")
}

impl fmt::Debug for LatencyHistogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LatencyHistogram({} values, {} above 2^40 ns)", self.count(), self.overflow)
    }
}

#[derive(Serialize, Deserialize)]
struct Form {
    hdr_v2_deflate: String,
    overflow: u64,
}

impl Serialize for LatencyHistogram {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let hdr_v2_deflate = self.interchange_form().map_err(ser::Error::custom)?;
        Form { hdr_v2_deflate, overflow: self.overflow }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for LatencyHistogram {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = Form::deserialize(deserializer)?;
        Self::from_interchange_form(&form.hdr_v2_deflate, form.overflow).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn of(values: impl IntoIterator<Item = u64>) -> LatencyHistogram {
        let mut histogram = LatencyHistogram::new();
        values.into_iter().for_each(|value| histogram.record(value));
        histogram
    }

    #[test]
    fn percentiles_of_none_one_and_two() {
        assert_eq!(LatencyHistogram::new().value_at(Percentile::P50, 0), None);
        let one = of([80_000]);
        for percentile in [Percentile::P50, Percentile::P99_99] {
            // The bin ends at 80,063; the exact maximum is known.
            assert_eq!(one.value_at(percentile, 80_000), Some(80_000));
        }
        let two = of([10, 1_000]);
        assert_eq!(two.value_at(Percentile::P50, 1_000), Some(10));
        assert_eq!(two.value_at(Percentile::new(501, 1_000).expect("valid"), 1_000), Some(1_000));
    }

    #[test]
    fn percentiles_of_a_million_are_bin_edges_of_the_exact_rank() {
        let histogram = of(1..=1_000_000);
        let bins = empty_bins();
        for (percentile, rank) in [
            (Percentile::P50, 500_000),
            (Percentile::P99, 990_000),
            (Percentile::P99_9, 999_000),
            (Percentile::P99_99, 999_900),
        ] {
            let edge = bins.highest_equivalent(rank).min(1_000_000);
            assert_eq!(histogram.value_at(percentile, 1_000_000), Some(edge), "{percentile}");
            assert!(edge - rank <= rank / 1_000, "three digits");
        }
        assert!(!histogram.few_samples(Percentile::P99_99) && !histogram.few_samples(Percentile::P99_999));
        assert!(of(1..=999).few_samples(Percentile::P99));
    }

    #[test]
    fn sixty_one_seconds_is_kept_and_beyond_the_range_is_counted() {
        let minute = 61_000_000_000;
        let histogram = of([minute, MAXIMUM_BINNED_NS, MAXIMUM_BINNED_NS + 1, 5_000_000_000_000]);
        assert_eq!((histogram.count(), histogram.overflow()), (4, 2));
        let quarter = Percentile::new(1, 4).expect("valid");
        let first = histogram.value_at(quarter, 5_000_000_000_000).expect("has values");
        assert!((minute..minute + minute / 1_000).contains(&first));
        assert_eq!(histogram.value_at(Percentile::P99, 5_000_000_000_000), Some(5_000_000_000_000));
    }

    #[test]
    fn merged_is_recorded_together() {
        let mut merged = of([1, 50, 1 << 41]);
        merged.add(&LatencyHistogram::new());
        merged.add(&of([50, 7_000_000]));
        assert_eq!(merged, of([1, 50, 50, 7_000_000, 1 << 41]));
        let mut from_empty = LatencyHistogram::new();
        from_empty.add(&of([3]));
        assert_eq!(from_empty, of([3]));
    }

    #[test]
    fn reads_back_from_json() {
        for histogram in [LatencyHistogram::new(), of([0, 1, 80_000, 80_000, 61_000_000_000, 1 << 41])] {
            let text = serde_json::to_string(&histogram).expect("serialises");
            let back: LatencyHistogram = serde_json::from_str(&text).expect("reads back");
            assert_eq!(back, histogram);
            assert!(back.bins().eq(histogram.bins()));
        }
        assert!(serde_json::from_str::<LatencyHistogram>(r#"{"hdr_v2_deflate":"AAAA","overflow":0}"#).is_err());
    }

    #[test]
    fn other_bounds_are_refused() {
        let mut bytes = Vec::new();
        let other = Histogram::<u64>::new_with_bounds(1, 1_000_000, 2).expect("valid");
        V2DeflateSerializer::new().serialize(&other, &mut bytes).expect("serialises");
        assert!(LatencyHistogram::from_interchange_form(&STANDARD.encode(bytes), 0).is_err());
    }

    #[test]
    fn a_form_that_claims_gigabytes_is_refused_before_they_are_allocated() {
        let mut inner = 0x1c84_9313_u32.to_be_bytes().to_vec();
        inner.extend(u32::MAX.to_be_bytes());
        inner.extend([0; 32]);
        let mut form = vec![0; 8];
        let mut encoder = flate2::write::ZlibEncoder::new(&mut form, flate2::Compression::fast());
        encoder.write_all(&inner).expect("memory takes it");
        encoder.finish().expect("memory takes it");
        let refused = LatencyHistogram::from_interchange_form(&STANDARD.encode(&form), 0);
        assert!(refused.is_err_and(|reason| reason.contains("larger than any")));
    }
}
