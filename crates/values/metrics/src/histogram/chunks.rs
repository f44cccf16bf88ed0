//! Counters for the buckets on one side of zero.
//!
//! Most series of a run with many tag values count few values a bucket, and there are
//! thousands of them, so counters have 16 bits until one of them needs more.

/// Buckets per chunk: a quarter of a doubling.
const BUCKETS_PER_CHUNK: usize = 64;

/// Counts by bucket magnitude.
#[derive(Debug, Clone)]
pub(super) enum Chunks {
    Narrow(Slots<u16>),
    Wide(Slots<u64>),
}

/// Counters in chunks made on first use.
#[derive(Debug, Clone)]
pub(super) struct Slots<N> {
    /// The number of the first chunk there is room for.
    first: usize,
    chunks: Vec<Option<Box<[N; BUCKETS_PER_CHUNK]>>>,
}

impl Default for Chunks {
    fn default() -> Self {
        Self::Narrow(Slots::new())
    }
}

impl Chunks {
    /// Adds `n` to the count of bucket `magnitude`.
    #[inline]
    pub(super) fn add(&mut self, magnitude: u32, n: u64) {
        match self {
            Self::Narrow(slots) => {
                let added = slots.update(magnitude, |count| {
                    let sum = count.checked_add(u16::try_from(n).ok()?)?;
                    *count = sum;
                    Some(())
                });
                if added.is_none() {
                    self.widen();
                    self.add(magnitude, n);
                }
            }
            Self::Wide(slots) => slots.update(magnitude, |count| *count += n),
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (magnitude, n) in other.iter() {
            self.add(magnitude, n);
        }
    }

    /// Non-empty buckets and their counts, from zero outwards.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, u64)> {
        let (narrow, wide) = match self {
            Self::Narrow(slots) => (Some(slots.iter()), None),
            Self::Wide(slots) => (None, Some(slots.iter())),
        };
        let narrow = narrow.into_iter().flatten();
        narrow.chain(wide.into_iter().flatten())
    }

    /// Gives every counter 64 bits.
    #[cold]
    #[inline(never)]
    fn widen(&mut self) {
        if let Self::Narrow(slots) = self {
            let chunks = slots.chunks.iter();
            let wide =
                chunks.map(|chunk| chunk.as_ref().map(|chunk| Box::new(chunk.map(u64::from))));
            *self = Self::Wide(Slots {
                first: slots.first,
                chunks: wide.collect(),
            });
        }
    }
}

impl<N: Copy + Default + Into<u64>> Slots<N> {
    const fn new() -> Self {
        Self {
            first: 0,
            chunks: Vec::new(),
        }
    }

    /// Changes the count of bucket `magnitude`.
    #[inline]
    fn update<R>(&mut self, magnitude: u32, change: impl FnOnce(&mut N) -> R) -> R {
        let (number, place) = (
            magnitude as usize / BUCKETS_PER_CHUNK,
            magnitude as usize % BUCKETS_PER_CHUNK,
        );
        // Wraps to a huge index, which `get_mut` refuses, when `number` comes before `first`.
        match self.chunks.get_mut(number.wrapping_sub(self.first)) {
            Some(Some(chunk)) => change(&mut chunk[place]),
            _ => change(&mut self.make(number)[place]),
        }
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, u64)> {
        self.chunks
            .iter()
            .enumerate()
            .filter_map(|(offset, chunk)| Some((self.first + offset, chunk.as_deref()?)))
            .flat_map(|(number, chunk)| {
                let counts = chunk.iter().enumerate();
                let counts = counts.map(|(place, n)| (place, (*n).into()));
                counts
                    .filter(|(_, n)| *n > 0)
                    .map(move |(place, n): (usize, u64)| {
                        let magnitude =
                            u32::try_from(number * BUCKETS_PER_CHUNK + place).expect("19 bits");
                        (magnitude, n)
                    })
            })
    }

    /// The chunk with this number, made if need be.
    #[cold]
    #[inline(never)]
    fn make(&mut self, number: usize) -> &mut [N; BUCKETS_PER_CHUNK] {
        if self.chunks.is_empty() {
            self.first = number;
        }
        if number < self.first {
            let missing = self.first - number;
            self.chunks
                .splice(0..0, std::iter::repeat_with(|| None).take(missing));
            self.first = number;
        }
        let place = number - self.first;
        if place >= self.chunks.len() {
            self.chunks.resize_with(place + 1, || None);
        }
        self.chunks[place].get_or_insert_with(|| Box::new([N::default(); BUCKETS_PER_CHUNK]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(chunks: &Chunks) -> Vec<(u32, u64)> {
        chunks.iter().collect()
    }

    #[test]
    fn a_count_beyond_16_bits_is_exact_and_keeps_the_others() {
        let mut chunks = Chunks::default();
        chunks.add(7, 3);
        chunks.add(900, 65_535);
        assert!(matches!(chunks, Chunks::Narrow(_)));
        chunks.add(900, 1);
        chunks.add(3, 70_000);
        assert!(matches!(chunks, Chunks::Wide(_)));
        assert_eq!(counts(&chunks), [(3, 70_000), (7, 3), (900, 65_536)]);
    }

    #[test]
    fn merging_adds_counts_of_either_width() {
        let with = |n: u64| {
            let mut chunks = Chunks::default();
            chunks.add(5, n);
            chunks
        };
        for (one, other) in [(1, 2), (40_000, 40_000), (1, 100_000), (100_000, 1)] {
            let mut merged = with(one);
            merged.merge(&with(other));
            assert_eq!(counts(&merged), [(5, one + other)]);
        }
    }
}
