//! The seeded random generator (SplitMix64): fast, repeatable, not for secrets.
//!
//! Source: G. Steele, D. Lea, C. Flood, *Fast Splittable Pseudorandom Number Generators*,
//! OOPSLA 2014.

/// What the state grows by with each number.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// Number `index` (from 0) of the sequence that `seed` begins: 64 random bits.
#[must_use]
pub const fn random_bits(seed: u64, index: u64) -> u64 {
    let state = seed.wrapping_add(STEP.wrapping_mul(index.wrapping_add(1)));
    let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A seed for a part of something seeded, by the part's name: parts are independent of each
/// other, and each is the same for the same seed and name.
#[must_use]
pub fn seed_of_part(seed: u64, name: &str) -> u64 {
    // FNV-1a, mixed with the seed.
    let hash = name.bytes().fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    random_bits(seed ^ random_bits(hash, 0), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the reference implementation for seed 1234567.
    #[test]
    fn numbers_are_those_of_splitmix64() {
        let first: Vec<u64> = (0..3).map(|index| random_bits(1_234_567, index)).collect();
        let reference = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(first, reference);
    }

    #[test]
    fn parts_have_seeds_of_their_own() {
        assert_eq!(seed_of_part(7, "buy"), seed_of_part(7, "buy"));
        assert_ne!(seed_of_part(7, "buy"), seed_of_part(7, "look"));
        assert_ne!(seed_of_part(7, "buy"), seed_of_part(8, "buy"));
    }
}
