//! Distributions that merge without loss.
//!
//! A value's bucket is its sign, its exponent and the top 8 bits of its mantissa, so
//! every normal f64 has one and a bucket's middle is within 0.2 % of all its values.
//! Up to 256 values are kept as they are and answered with k6's interpolation; count,
//! sum, least and greatest are exact at any size. Beyond, what is *recorded* goes into
//! chunks of 64 counters made on first use, the fastest to add to; what is *merged* goes
//! into sorted slots of four bytes as long as there are few, the smallest to keep.
//!
//! Merging adds counts, so it is associative, commutative and exact per bucket, and a
//! distribution is the same whichever worker saw which value.

mod bucket;
mod chunks;
mod ranks;
mod sparse;

pub use bucket::Bucket;

use std::ops::ControlFlow;

use crate::sum::Sum;
use chunks::Chunks;
use sparse::Sparse;

/// A distribution of finite values.
#[derive(Debug, Clone)]
pub struct Histogram {
    count: u64,
    sum: Sum,
    min: f64,
    max: f64,
    kept: Representation,
}

#[derive(Debug, Clone)]
enum Representation {
    /// All values, unordered; at most [`Histogram::RAW_LIMIT`].
    Raw(Vec<f64>),
    /// Counts of few buckets, as sums over many windows have them.
    Sparse(Sparse),
    /// Counts per bucket.
    Buckets(Buckets),
}

#[derive(Debug, Clone, Default)]
struct Buckets {
    below: Chunks,
    zeros: u64,
    above: Chunks,
}

impl Histogram {
    /// How many values are kept as they are before buckets take over.
    pub const RAW_LIMIT: usize = 256;

    /// An empty distribution; allocates nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            count: 0,
            sum: Sum::from_parts(0.0, 0.0),
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
            kept: Representation::Raw(Vec::new()),
        }
    }

    /// Adds one value.
    ///
    /// `value` must be finite: the caller counts what is not ([`crate::Shard`] does).
    #[inline]
    pub fn record(&mut self, value: f64) {
        debug_assert!(value.is_finite(), "the shard lets only finite values in");
        self.count += 1;
        self.sum.add(value);
        // Not f64::min, which must care for NaN.
        if value < self.min {
            self.min = value;
        }
        if value > self.max {
            self.max = value;
        }
        match &mut self.kept {
            Representation::Buckets(buckets) => buckets.add(Bucket::from_value(value), 1),
            Representation::Raw(values) if values.len() < Self::RAW_LIMIT => values.push(value),
            Representation::Raw(_) | Representation::Sparse(_) => {
                self.kept.chunks().add(Bucket::from_value(value), 1)
            }
        }
    }

    /// All of these in one.
    #[must_use]
    pub fn joined(parts: &[Self]) -> Self {
        let mut all = Self::default();
        parts.iter().for_each(|part| all.merge(part));
        all
    }

    /// Adds all values of `other`.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        self.count += other.count;
        self.sum.merge(other.sum);
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        match (&mut self.kept, &other.kept) {
            (Representation::Raw(mine), Representation::Raw(theirs))
                if mine.len() + theirs.len() <= Self::RAW_LIMIT =>
            {
                make_room(mine, theirs.len());
                mine.extend_from_slice(theirs);
            }
            (mine, Representation::Raw(theirs)) => {
                mine.add_all(theirs.iter().map(|value| (Bucket::from_value(*value), 1)));
            }
            (mine, Representation::Sparse(theirs)) => mine.add_all(theirs.iter()),
            (Representation::Buckets(mine), Representation::Buckets(theirs)) => mine.merge(theirs),
            (mine, Representation::Buckets(theirs)) => mine.add_all(theirs.counts().into_iter()),
        }
    }

    /// Adds all values of `other`, taking over its memory when this one is empty.
    pub fn absorb(&mut self, other: Self) {
        if self.count == 0 {
            *self = other;
        } else {
            self.merge(&other);
        }
    }

    /// How many values were added.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Whether nothing was added.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The sum of all values.
    #[must_use]
    pub fn sum(&self) -> f64 {
        self.sum.value()
    }

    /// The sum as kept, for storage.
    #[must_use]
    pub fn exact_sum(&self) -> Sum {
        self.sum
    }

    /// The least value.
    #[must_use]
    pub fn min(&self) -> Option<f64> {
        (self.count > 0).then_some(self.min)
    }

    /// The greatest value.
    #[must_use]
    pub fn max(&self) -> Option<f64> {
        (self.count > 0).then_some(self.max)
    }

    /// The mean.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum() / self.count as f64)
    }

    /// The value below which the `share` (0 to 1) of all values lies.
    ///
    /// As k6: with the values in order and i = `share` · (n − 1), interpolates between
    /// the values at ⌊i⌋ and ⌈i⌉. Beyond 256 values each of the two is its bucket's
    /// middle, held to the least and greatest value, so it errs by at most 0.2 %.
    #[must_use]
    pub fn percentile(&self, share: f64) -> Option<f64> {
        self.percentiles(&[share]).map(|values| values[0])
    }

    /// [`Histogram::percentile`] for several shares at the price of one ordering.
    #[must_use]
    pub fn percentiles(&self, shares: &[f64]) -> Option<Vec<f64>> {
        let last = self.count.checked_sub(1)? as f64;
        let places = shares.iter().map(|share| (share * last).clamp(0.0, last));
        Some(self.between(&places.collect::<Vec<f64>>()))
    }

    /// The values at places in their order, from 0, interpolated; `None` for places after
    /// the last value.
    pub(crate) fn at_places(&self, places: &[f64]) -> Vec<Option<f64>> {
        let is_there = |place: &f64| place.ceil() < self.count as f64;
        let there: Vec<f64> = places.iter().copied().filter(is_there).collect();
        let mut values = self.between(&there).into_iter();
        places
            .iter()
            .map(|place| is_there(place).then(|| values.next()).flatten())
            .collect()
    }

    /// How many values are as `is` says; beyond 256 values each is taken for its bucket's middle.
    #[must_use]
    pub fn count_where(&self, is: impl Fn(f64) -> bool) -> u64 {
        if let Some(values) = self.raw() {
            return values.iter().filter(|value| is(**value)).count() as u64;
        }
        let mut meant = 0;
        self.kept.ascending(|bucket, n| {
            meant += if is(bucket.middle()) { n } else { 0 };
            ControlFlow::Continue(())
        });
        meant
    }

    /// What is left without the values of `part`, each of which is among this one's. Of more
    /// than 256 values the least and the greatest are known as their buckets' middles where `part`
    /// had the whole's.
    #[must_use]
    pub fn without(&self, part: &Self) -> Self {
        if part.is_empty() {
            return self.clone();
        }
        if let (Some(all), Some(part)) = (self.raw(), part.raw()) {
            let mut left = all.to_vec();
            for value in part {
                if let Some(place) = left.iter().position(|v| v.to_bits() == value.to_bits()) {
                    left.swap_remove(place);
                }
            }
            return Self::from_values(&left);
        }
        let mut taken = part.buckets().into_iter().peekable();
        let mut left = self.buckets();
        for (bucket, count) in &mut left {
            while taken.next_if(|(other, _)| other < bucket).is_some() {}
            if let Some((_, n)) = taken.next_if(|(other, _)| other == bucket) {
                *count = count.saturating_sub(n);
            }
        }
        left.retain(|(_, count)| *count > 0);
        let mut sum = self.sum;
        sum.add(-part.sum());
        let (min, max) = match (left.first(), left.last()) {
            (Some((first, _)), Some((last, _))) => {
                let end = |bucket: &Bucket| bucket.middle().clamp(self.min, self.max);
                // What was taken away cannot have been beyond its own ends.
                let is_least_left = part.min > self.min;
                let is_most_left = part.max < self.max;
                (
                    if is_least_left { self.min } else { end(first) },
                    if is_most_left { self.max } else { end(last) },
                )
            }
            _ => (f64::INFINITY, f64::NEG_INFINITY),
        };
        Self::from_buckets(left, sum, min, max)
    }

    /// The values themselves, unordered, while there are at most 256.
    #[must_use]
    pub fn raw(&self) -> Option<&[f64]> {
        match &self.kept {
            Representation::Raw(values) => Some(values),
            Representation::Sparse(_) | Representation::Buckets(_) => None,
        }
    }

    /// The non-empty buckets with their counts, from the lowest up.
    #[must_use]
    pub fn buckets(&self) -> Vec<(Bucket, u64)> {
        match &self.kept {
            Representation::Buckets(buckets) => buckets.counts(),
            Representation::Sparse(sparse) => sparse.iter().collect(),
            Representation::Raw(values) => {
                let mut buckets: Vec<(Bucket, u64)> =
                    values.iter().map(|v| (Bucket::from_value(*v), 1)).collect();
                buckets.sort_unstable_by_key(|(bucket, _)| *bucket);
                buckets.dedup_by(|next, kept| {
                    let same = next.0 == kept.0;
                    kept.1 += if same { next.1 } else { 0 };
                    same
                });
                buckets
            }
        }
    }

    /// A distribution from its values, as kept by [`Histogram::raw`].
    #[must_use]
    pub fn from_values(values: &[f64]) -> Self {
        let mut histogram = Self::new();
        values.iter().for_each(|v| histogram.record(*v));
        histogram
    }

    /// A distribution of more than [`Histogram::RAW_LIMIT`] values from what was stored.
    #[must_use]
    pub fn from_buckets(
        buckets: impl IntoIterator<Item = (Bucket, u64)>,
        sum: Sum,
        min: f64,
        max: f64,
    ) -> Self {
        let mut kept = Representation::Sparse(Sparse::default());
        let mut count = 0;
        kept.add_all(buckets.into_iter().inspect(|(_, n)| count += n));
        Self {
            count,
            sum,
            min,
            max,
            kept,
        }
    }
}

impl Default for Histogram {
    fn default() -> Self {
        Self::new()
    }
}

/// Makes room for `more` values: for 16, 64 or all [`Histogram::RAW_LIMIT`], so that a total
/// that goes on growing has all the memory it will need early.
fn make_room(values: &mut Vec<f64>, more: usize) {
    let together = values.len() + more;
    if together > values.capacity() {
        let steps = [16, 64, Histogram::RAW_LIMIT];
        let room = steps.into_iter().find(|step| *step >= together);
        values.reserve_exact(room.unwrap_or(together) - values.len());
    }
}

impl Representation {
    /// Adds counts to buckets, in the smallest form that holds them.
    fn add_all(&mut self, counts: impl Iterator<Item = (Bucket, u64)>) {
        if let Self::Raw(values) = self {
            let values = std::mem::take(values);
            *self = Self::Sparse(Sparse::default());
            values
                .iter()
                .for_each(|value| self.add(Bucket::from_value(*value), 1));
        }
        counts.for_each(|(bucket, n)| self.add(bucket, n));
    }

    /// Shows the counts of buckets from the lowest up, until `each` breaks; nothing of values kept as they are.
    #[inline]
    fn ascending(&self, mut each: impl FnMut(Bucket, u64) -> ControlFlow<()>) {
        let _ended = match self {
            Self::Buckets(buckets) => buckets.ascending(&mut each),
            Self::Sparse(sparse) => sparse.iter().try_for_each(|(bucket, n)| each(bucket, n)),
            Self::Raw(_) => ControlFlow::Continue(()),
        };
    }

    fn add(&mut self, bucket: Bucket, n: u64) {
        let is_added = match self {
            Self::Buckets(buckets) => {
                buckets.add(bucket, n);
                true
            }
            Self::Sparse(sparse) => sparse.add(bucket, n),
            Self::Raw(_) => false,
        };
        if !is_added {
            self.chunks().add(bucket, n);
        }
    }

    /// Its chunks, made of what was kept otherwise.
    #[cold]
    #[inline(never)]
    fn chunks(&mut self) -> &mut Buckets {
        let mut chunks = Buckets::default();
        match self {
            Self::Buckets(buckets) => std::mem::swap(&mut chunks, buckets),
            Self::Sparse(sparse) => sparse.iter().for_each(|(b, n)| chunks.add(b, n)),
            Self::Raw(values) => values
                .iter()
                .for_each(|value| chunks.add(Bucket::from_value(*value), 1)),
        }
        *self = Self::Buckets(chunks);
        match self {
            Self::Buckets(buckets) => buckets,
            Self::Sparse(_) | Self::Raw(_) => unreachable!("replaced above"),
        }
    }
}

impl Buckets {
    #[inline]
    fn add(&mut self, bucket: Bucket, n: u64) {
        match bucket.index() {
            0 => self.zeros += n,
            above if above > 0 => self.above.add(above.unsigned_abs() - 1, n),
            below => self.below.add(below.unsigned_abs() - 1, n),
        }
    }

    fn merge(&mut self, other: &Self) {
        self.below.merge(&other.below);
        self.zeros += other.zeros;
        self.above.merge(&other.above);
    }

    /// Non-empty buckets from the lowest up.
    fn counts(&self) -> Vec<(Bucket, u64)> {
        let mut counts = Vec::new();
        let all = self.ascending(&mut |bucket, n| {
            counts.push((bucket, n));
            ControlFlow::Continue(())
        });
        debug_assert!(all.is_continue());
        counts
    }

    /// Shows non-empty buckets from the lowest up, until `each` breaks.
    #[inline]
    fn ascending(&self, each: &mut impl FnMut(Bucket, u64) -> ControlFlow<()>) -> ControlFlow<()> {
        (self.below).inwards(&mut |magnitude, n| each(Bucket::below_zero(magnitude), n))?;
        if self.zeros > 0 {
            each(Bucket::ZERO, self.zeros)?;
        }
        (self.above).outwards(&mut |magnitude, n| each(Bucket::above_zero(magnitude), n))
    }
}

#[cfg(test)]
mod tests;
