//! Counters for the buckets on one side of zero.
//!
//! Most series of a run with many tag values count few values a bucket, and there are
//! thousands of them, so counters have 16 bits until one of them needs more.

use std::ops::{AddAssign, ControlFlow};

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

    /// Adds all counts of `other`, a chunk at a time.
    pub(super) fn merge(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Self::Narrow(mine), Self::Narrow(theirs)) if mine.has_room_for(theirs) => {
                mine.merge(theirs);
            }
            (Self::Narrow(_), _) => {
                self.widen();
                self.merge(other);
            }
            (Self::Wide(mine), Self::Narrow(theirs)) => mine.merge(theirs),
            (Self::Wide(mine), Self::Wide(theirs)) => mine.merge(theirs),
        }
    }

    /// Shows non-empty buckets and their counts, from zero outwards, until `each` breaks.
    #[inline]
    pub(super) fn outwards(
        &self,
        each: &mut impl FnMut(u32, u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self {
            Self::Narrow(slots) => slots.outwards(each),
            Self::Wide(slots) => slots.outwards(each),
        }
    }

    /// The same from the outermost to zero.
    pub(super) fn inwards(
        &self,
        each: &mut impl FnMut(u32, u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self {
            Self::Narrow(slots) => slots.inwards(each),
            Self::Wide(slots) => slots.inwards(each),
        }
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

    #[inline]
    fn outwards(&self, each: &mut impl FnMut(u32, u64) -> ControlFlow<()>) -> ControlFlow<()> {
        for (number, chunk) in self.numbered() {
            for (place, n) in chunk.iter().enumerate() {
                let n = (*n).into();
                if n > 0 {
                    each(magnitude(number, place), n)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn inwards(&self, each: &mut impl FnMut(u32, u64) -> ControlFlow<()>) -> ControlFlow<()> {
        for (number, chunk) in self.numbered().rev() {
            for (place, n) in chunk.iter().enumerate().rev() {
                let n = (*n).into();
                if n > 0 {
                    each(magnitude(number, place), n)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The chunks that there are, with their numbers.
    fn numbered(&self) -> impl DoubleEndedIterator<Item = (usize, &[N; BUCKETS_PER_CHUNK])> {
        let chunks = self.chunks.iter().enumerate();
        chunks.filter_map(|(offset, chunk)| Some((self.first + offset, chunk.as_deref()?)))
    }

    fn merge<M: Copy + Default + Into<u64> + Into<N>>(&mut self, other: &Slots<M>)
    where
        N: AddAssign,
    {
        for (number, theirs) in other.numbered() {
            for (count, n) in self.make(number).iter_mut().zip(theirs) {
                *count += (*n).into();
            }
        }
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

impl Slots<u16> {
    /// Whether each sum of a count here and there has 16 bits.
    fn has_room_for(&self, other: &Self) -> bool {
        other.numbered().all(|(number, theirs)| {
            let place = number.wrapping_sub(self.first);
            let Some(Some(mine)) = self.chunks.get(place) else {
                return true;
            };
            let pairs = mine.iter().zip(theirs);
            // All of them, without a way out: as a whole that is quicker.
            pairs.fold(true, |fits, (count, n)| {
                fits & count.checked_add(*n).is_some()
            })
        })
    }
}

/// The bucket at a place of a chunk.
#[inline]
fn magnitude(number: usize, place: usize) -> u32 {
    u32::try_from(number * BUCKETS_PER_CHUNK + place).expect("19 bits")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(chunks: &Chunks) -> Vec<(u32, u64)> {
        let (mut up, mut down) = (Vec::new(), Vec::new());
        let outwards = chunks.outwards(&mut |magnitude, n| {
            up.push((magnitude, n));
            ControlFlow::Continue(())
        });
        let inwards = chunks.inwards(&mut |magnitude, n| {
            down.push((magnitude, n));
            ControlFlow::Continue(())
        });
        assert!(outwards.is_continue() && inwards.is_continue());
        down.reverse();
        assert_eq!(up, down, "the same from both ends");
        up
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
