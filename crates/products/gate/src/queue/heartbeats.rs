//! Heartbeats of many visitors, packed.
//!
//! A gate collects every poll and open stream, and appends them to the log every few
//! seconds. A million waiters take 125 KB as bits; a few are shorter as gaps between numbers.

use serde::{Deserialize, Serialize};

use super::visitor_id::VisitorId;

/// Numbers seen since the last time, and those seen who are no longer in the line.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Heartbeats {
    waiting: Numbers,
    /// Wids of those ready, inside or away.
    pub(super) others: Vec<VisitorId>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Numbers {
    /// The first number, then the gap to each next one.
    Gaps(Vec<u32>),
    /// Bit `i` is number `first + i`.
    Bits { first: u32, words: Vec<u64> },
}

impl Default for Numbers {
    fn default() -> Self {
        Self::Gaps(Vec::new())
    }
}

impl Heartbeats {
    /// Packs `numbers` (in any order, also twice) and `others`.
    #[must_use]
    pub fn new(mut numbers: Vec<u32>, mut others: Vec<VisitorId>) -> Self {
        numbers.sort_unstable();
        numbers.dedup();
        others.sort_unstable();
        others.dedup();
        Self {
            waiting: Numbers::pack(&numbers),
            others,
        }
    }

    /// Whether nobody was seen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.others.is_empty() && self.waiting == Numbers::default()
    }

    /// The numbers, lowest first.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        let (gaps, bits) = match &self.waiting {
            Numbers::Gaps(gaps) => (Some(gaps), None),
            Numbers::Bits { first, words } => (None, Some((*first, words))),
        };
        let of_gaps = gaps.into_iter().flatten().scan(0_u64, |last, gap| {
            *last += u64::from(*gap);
            Some(*last)
        });
        let of_bits = bits.into_iter().flat_map(|(first, words)| {
            let starts = (u64::from(first)..).step_by(64);
            starts.zip(words).flat_map(|(start, word)| {
                let word = *word;
                (0..64)
                    .filter(move |bit| word >> bit & 1 == 1)
                    .map(move |bit| start + bit)
            })
        });
        of_gaps.chain(of_bits)
    }
}

impl Numbers {
    fn pack(sorted: &[u32]) -> Self {
        let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else {
            return Self::default();
        };
        let words = ((last - first) / 64 + 1) as usize;
        // A gap takes a byte or more, a word up to ten in the log's encoding.
        if words * 10 >= sorted.len() {
            let mut previous = 0;
            let gaps = sorted.iter().map(|number| {
                let gap = number - previous;
                previous = *number;
                gap
            });
            return Self::Gaps(gaps.collect());
        }
        let mut bits = vec![0; words];
        for number in sorted {
            let at = number - first;
            bits[(at / 64) as usize] |= 1 << (at % 64);
        }
        Self::Bits {
            first: *first,
            words: bits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Heartbeats;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_was_packed_is_unpacked(
            numbers in prop::collection::vec(1..2_000_u32, 0..1_500),
            far in prop::collection::vec(any::<u32>(), 0..3),
        ) {
            let all: Vec<u32> = numbers.into_iter().chain(far).collect();
            let mut expected: Vec<u64> = all.iter().map(|n| u64::from(*n)).collect();
            expected.sort_unstable();
            expected.dedup();
            let seen = Heartbeats::new(all, Vec::new());
            prop_assert_eq!(seen.numbers().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn a_full_line_is_packed_as_bits() {
        let seen = Heartbeats::new((1..=1_000_000).collect(), Vec::new());
        let size = postcard::to_allocvec(&seen).unwrap().len();
        assert!(size < 200_000, "{size} bytes");
    }
}
