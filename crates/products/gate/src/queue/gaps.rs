//! Which numbers behind the cursor nobody waits on any more, and how many before a number.
//!
//! One bit a ticket and one count per 512 of them: "how many before me" is two counts and
//! at most eight words, whatever the length of the queue, and it is exact. Making a gap
//! adds one to the counts behind it: 2,000 of them for a million tickets, once per leaver.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

const WORD_BITS: u64 = 64;
const BLOCK_WORDS: usize = 8;
const BLOCK_BITS: u64 = WORD_BITS * BLOCK_WORDS as u64;

/// Gaps among numbers from the block `first` on. Numbers are dense and start at 1.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Gaps {
    /// Number of the first kept block; block `b` holds numbers `512 b` to `512 b + 511`.
    first: u64,
    bits: VecDeque<[u64; BLOCK_WORDS]>,
    /// Gaps in all blocks before this one, those forgotten too.
    before: VecDeque<u64>,
    total: u64,
}

impl Gaps {
    /// Marks `number`. It must not be marked yet, nor forgotten.
    pub(super) fn mark(&mut self, number: u64) {
        let block = self.block_of(number);
        while self.bits.len() <= block {
            self.bits.push_back([0; BLOCK_WORDS]);
            self.before.push_back(self.total);
        }
        let (word, bit) = place(number);
        debug_assert_eq!(self.bits[block][word] & bit, 0, "{number} is a gap already");
        self.bits[block][word] |= bit;
        self.total += 1;
        // As slices, so that the additions are vectorised.
        let (front, back) = self.before.as_mut_slices();
        let behind = block + 1;
        if behind < front.len() {
            front[behind..].iter_mut().for_each(|count| *count += 1);
            back.iter_mut().for_each(|count| *count += 1);
        } else {
            back[behind - front.len()..]
                .iter_mut()
                .for_each(|count| *count += 1);
        }
    }

    /// Takes a mark off `number`, which must have one.
    pub(super) fn unmark(&mut self, number: u64) {
        let block = self.block_of(number);
        let (word, bit) = place(number);
        debug_assert_ne!(self.bits[block][word] & bit, 0, "{number} is no gap");
        self.bits[block][word] &= !bit;
        self.total -= 1;
        let behind = self.before.iter_mut().skip(block + 1);
        behind.for_each(|count| *count -= 1);
    }

    pub(super) fn contains(&self, number: u64) -> bool {
        let (word, bit) = place(number);
        let bits = self.bits.get(self.block_of(number));
        number / BLOCK_BITS >= self.first && bits.is_some_and(|bits| bits[word] & bit != 0)
    }

    /// Gaps with a number in `from..to`; neither may be forgotten.
    pub(super) fn between(&self, from: u64, to: u64) -> u64 {
        self.below(to).saturating_sub(self.below(from))
    }

    /// Forgets everything before `number`.
    pub(super) fn forget_before(&mut self, number: u64) {
        while self.first < number / BLOCK_BITS && !self.bits.is_empty() {
            self.bits.pop_front();
            self.before.pop_front();
            self.first += 1;
        }
        if self.bits.is_empty() {
            self.first = self.first.max(number / BLOCK_BITS);
        }
    }

    /// Gaps before `number`, counted from the first number ever.
    fn below(&self, number: u64) -> u64 {
        let block = self.block_of(number);
        let (Some(bits), Some(before)) = (self.bits.get(block), self.before.get(block)) else {
            return self.total;
        };
        let (word, bit) = place(number);
        let whole: u32 = bits[..word].iter().map(|word| word.count_ones()).sum();
        let part = (bits[word] & (bit - 1)).count_ones();
        before + u64::from(whole + part)
    }

    fn block_of(&self, number: u64) -> usize {
        let block = (number / BLOCK_BITS).saturating_sub(self.first);
        usize::try_from(block).unwrap_or(usize::MAX)
    }
}

/// Word within a block, and the bit in it.
fn place(number: u64) -> (usize, u64) {
    let within = number % BLOCK_BITS;
    let word = usize::try_from(within / WORD_BITS).expect("a block has eight words");
    (word, 1 << (within % WORD_BITS))
}

#[cfg(test)]
mod tests {
    use super::Gaps;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// A damaged snapshot may begin anywhere.
    #[test]
    fn gaps_that_begin_beyond_all_numbers_hold_none() {
        let mut gaps = Gaps {
            first: u64::MAX,
            ..Gaps::default()
        };
        assert!(!gaps.contains(u64::MAX));
        gaps.forget_before(u64::MAX);
        assert_eq!(gaps.between(1, u64::MAX), 0);
    }

    proptest! {
        #[test]
        fn counts_are_those_of_a_plain_set(
            marks in prop::collection::vec(1..5_000_u64, 0..400),
            forget in 0..3_000_u64,
            asks in prop::collection::vec((0..6_000_u64, 0..6_000_u64), 1..50),
        ) {
            let mut gaps = Gaps::default();
            let mut set = BTreeSet::new();
            let half = marks.len() / 2;
            for number in &marks[..half] {
                if set.insert(*number) { gaps.mark(*number); }
            }
            gaps.forget_before(forget);
            for number in &marks[half..] {
                if *number >= forget && set.insert(*number) { gaps.mark(*number); }
            }
            for (a, b) in asks {
                let (from, to) = (forget + a.min(b), forget + a.max(b));
                prop_assert_eq!(gaps.between(from, to), set.range(from..to).count() as u64);
                prop_assert_eq!(gaps.contains(from), set.contains(&from));
            }
        }
    }
}
