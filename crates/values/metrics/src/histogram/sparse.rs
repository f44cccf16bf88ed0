//! Counts of few buckets, four bytes each.
//!
//! A run with many tag values has thousands of distributions whose values lie in some
//! hundred buckets spread over several doublings. Sorted slots hold them in the memory that
//! [`super::Histogram::RAW_LIMIT`] values took before, whatever the number of values, so
//! that such a run does not grow. What does not fit is told, and goes into chunks.

use super::bucket::Bucket;

/// Room is made for so many slots (256 bytes), then for all: 2 KiB, which the values they come
/// from leave behind in the very size.
const FIRST_SLOTS: usize = 64;

/// The first bucket with a slot: 2^-128 and up, to 2^128.
const FIRST_BUCKET: i32 = (1023 - 128) * 256 + 1;

/// Counts by bucket, for zero and a middle part of the values above it.
#[derive(Debug, Clone, Default)]
pub(super) struct Sparse {
    zeros: u64,
    /// Bucket (from [`FIRST_BUCKET`]) in the upper half, its count in the lower; ascending.
    slots: Vec<u32>,
}

impl Sparse {
    /// More slots than this cost more than chunks do.
    pub(super) const SLOTS_MAX: usize = 512;

    /// Adds `n` to a bucket's count. False: it has no room here, and nothing was added.
    pub(super) fn add(&mut self, bucket: Bucket, n: u64) -> bool {
        if bucket == Bucket::ZERO {
            self.zeros += n;
            return true;
        }
        let (Ok(key), Ok(n)) = (
            u16::try_from(bucket.index() - FIRST_BUCKET),
            u16::try_from(n),
        ) else {
            return false;
        };
        let place = self
            .slots
            .partition_point(|slot| slot >> 16 < u32::from(key));
        if let Some(slot) = self.slots.get_mut(place)
            && *slot >> 16 == u32::from(key)
        {
            let fits = (*slot & 0xffff) + u32::from(n) <= u32::from(u16::MAX);
            *slot += if fits { u32::from(n) } else { 0 };
            return fits;
        }
        let has_room = self.slots.len() < Self::SLOTS_MAX;
        if has_room {
            if self.slots.len() == self.slots.capacity() {
                let room = if self.slots.is_empty() {
                    FIRST_SLOTS
                } else {
                    Self::SLOTS_MAX
                };
                self.slots.reserve_exact(room - self.slots.len());
            }
            self.slots
                .insert(place, u32::from(key) << 16 | u32::from(n));
        }
        has_room
    }

    /// Non-empty buckets from the lowest up.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Bucket, u64)> {
        let zeros = (self.zeros > 0).then_some((Bucket::ZERO, self.zeros));
        let slots = self.slots.iter().map(|slot| {
            let index = FIRST_BUCKET + (slot >> 16).cast_signed();
            let bucket = Bucket::numbered(index).expect("made of a bucket's number");
            (bucket, u64::from(slot & 0xffff))
        });
        zeros.into_iter().chain(slots)
    }
}

#[cfg(test)]
impl Sparse {
    /// The bytes it has allocated.
    pub(super) fn allocated(&self) -> usize {
        self.slots.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sparse(values: impl IntoIterator<Item = f64>) -> Sparse {
        let mut sparse = Sparse::default();
        for value in values {
            assert!(sparse.add(Bucket::from_value(value), 1), "{value}");
        }
        sparse
    }

    #[test]
    fn buckets_come_back_in_order_with_their_counts() {
        let sparse = sparse([3.0, 0.0, 1e-30, 3.0, 1e30, -0.0]);
        let expected = [(0.0, 2), (1e-30, 1), (3.0, 2), (1e30, 1)];
        let expected = expected.map(|(value, n)| (Bucket::from_value(value), n));
        assert_eq!(sparse.iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_has_no_room_is_told_and_changes_nothing() {
        let mut sparse = sparse([1.0]);
        assert!(sparse.add(Bucket::from_value(1.0), 65_534));
        assert!(!sparse.add(Bucket::from_value(1.0), 1), "17 bits");
        assert!(
            !sparse.add(Bucket::from_value(2.0), 65_536),
            "17 bits at once"
        );
        assert!(!sparse.add(Bucket::from_value(-1.0), 1), "below zero");
        assert!(!sparse.add(Bucket::from_value(1e-60), 1), "too small");
        assert!(!sparse.add(Bucket::from_value(1e60), 1), "too large");
        assert_eq!(
            sparse.iter().collect::<Vec<_>>(),
            [(Bucket::from_value(1.0), 65_535)]
        );
    }

    #[test]
    fn it_never_takes_more_than_two_kibibytes() {
        let bucket = |n: usize| Bucket::numbered(FIRST_BUCKET + i32::try_from(n).unwrap()).unwrap();
        let mut sparse = Sparse::default();
        // From the highest down, so that each goes before all others.
        for n in (0..Sparse::SLOTS_MAX).rev() {
            assert!(sparse.add(bucket(n), 1));
        }
        assert!(!sparse.add(bucket(Sparse::SLOTS_MAX), 1));
        assert!(sparse.add(bucket(0), 1), "a bucket that is there has room");
        assert_eq!(sparse.allocated(), 2048);
        assert_eq!(sparse.iter().map(|(_, n)| n).sum::<u64>(), 513);
    }
}
