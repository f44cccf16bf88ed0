//! Seeded random numbers: the same seed gives the same numbers on every machine and in every
//! version.
//!
//! The generator is SplitMix64 (Steele, Lea, Flood: *Fast Splittable Pseudorandom Number
//! Generators*, 2014). It is fast and good enough for pauses, choices and test data; it is
//! not for secrets. Seeds come from the caller: nothing here asks the system.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is added to the state for each number.
const STATE_STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number that SplitMix64 gives in `state`. It is a good hash of `state`, too.
#[must_use]
pub const fn mix(state: u64) -> u64 {
    let mut x = state.wrapping_add(STATE_STEP);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Number `index` (from 0) of the sequence that `seed` begins.
#[must_use]
pub const fn random_bits(seed: u64, index: u64) -> u64 {
    mix(seed.wrapping_add(STATE_STEP.wrapping_mul(index)))
}

/// A seed for a named part of something that has a seed. Parts are independent of each other,
/// and the same seed and name always give the same seed.
#[must_use]
pub fn seed_of_part(seed: u64, name: &str) -> u64 {
    // FNV-1a, mixed with the seed.
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    random_bits(seed ^ random_bits(hash, 0), 0)
}

/// The upper 53 of 64 random bits as a number from 0 up to, but not including, 1.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
pub const fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// A generator for one thread.
#[derive(Debug)]
pub struct Random(Cell<u64>);

impl Random {
    /// A generator with this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(Cell::new(seed))
    }

    /// The next 64 bits.
    pub fn next(&self) -> u64 {
        let state = self.0.get();
        self.0.set(state.wrapping_add(STATE_STEP));
        mix(state)
    }

    /// A number from 0 up to, but not including, 1.
    pub fn unit(&self) -> f64 {
        unit(self.next())
    }

    /// A number of about the normal distribution with mean 0 and standard deviation 1, never beyond 6: the sum of twelve even ones.
    pub fn normal(&self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }

    /// A number in 0..count; 0 when `count` is 0.
    pub fn below(&self, count: usize) -> usize {
        let wide = u128::from(self.next()) * count as u128;
        usize::try_from(wide >> 64).unwrap_or(0)
    }

    /// A version 4 UUID.
    pub fn uuid(&self) -> String {
        let (a, b) = (self.next(), self.next());
        let b = (b & 0x3fff_ffff_ffff_ffff) | 0x8000_0000_0000_0000;
        let a = (a & 0xffff_ffff_ffff_0fff) | 0x4000;
        format!(
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            a >> 32,
            (a >> 16) & 0xffff,
            a & 0xffff,
            b >> 48,
            b & 0xffff_ffff_ffff
        )
    }

    /// `count` hexadecimal digits.
    pub fn hex(&self, count: usize) -> String {
        let mut out = String::with_capacity(count + 16);
        while out.len() < count {
            out.push_str(&format!("{:016x}", self.next()));
        }
        out.truncate(count);
        out
    }
}

/// A generator that several threads may use at once.
#[derive(Debug)]
pub struct SharedRandom(AtomicU64);

impl SharedRandom {
    /// A generator with this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }

    /// The next 64 bits.
    pub fn next(&self) -> u64 {
        mix(self.0.fetch_add(STATE_STEP, Ordering::Relaxed))
    }

    /// A number from 0 up to, but not including, 1.
    pub fn unit(&self) -> f64 {
        unit(self.next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the reference implementation for this seed.
    #[test]
    fn numbers_are_those_of_splitmix64() {
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        let random = Random::new(1_234_567);
        let shared = SharedRandom::new(1_234_567);
        for (number, index) in expected.into_iter().zip(0..) {
            assert_eq!((random.next(), shared.next()), (number, number));
            assert_eq!(random_bits(1_234_567, index), number);
        }
    }

    #[test]
    fn parts_have_seeds_of_their_own() {
        assert_eq!(seed_of_part(7, "buy"), seed_of_part(7, "buy"));
        assert_ne!(seed_of_part(7, "buy"), seed_of_part(7, "look"));
        assert_ne!(seed_of_part(7, "buy"), seed_of_part(8, "buy"));
    }

    #[test]
    fn numbers_stay_in_their_range_and_reach_its_ends() {
        let random = Random::new(7);
        let drawn: Vec<usize> = (0..1000).map(|_| random.below(3)).collect();
        assert!(drawn.iter().all(|number| *number < 3));
        assert!([0, 1, 2].iter().all(|number| drawn.contains(number)));
        assert_eq!(random.below(0), 0);
        assert!((0..1000).all(|_| (0.0..1.0).contains(&random.unit())));
    }

    #[test]
    fn a_uuid_has_its_version() {
        let uuid = Random::new(1).uuid();
        assert_eq!(uuid.len(), 36);
        assert_eq!(&uuid[14..15], "4");
        assert!("89ab".contains(&uuid[19..20]));
    }
}
