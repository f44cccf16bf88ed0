//! Random numbers for the users of one worker: fast, seeded, not for secrets.

use std::cell::Cell;

use loadline_units::random_bits;

/// A sequence of random numbers.
#[derive(Debug)]
pub struct Random {
    seed: u64,
    drawn: Cell<u64>,
}

impl Random {
    /// One that gives the same numbers for the same seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self {
            seed,
            drawn: Cell::new(0),
        }
    }

    /// One seeded by the system.
    #[must_use]
    pub fn from_system() -> Self {
        let mut seed = [0; 8];
        // Without the system's randomness the address of a local still differs by run.
        if getrandom::fill(&mut seed).is_err() {
            seed = (std::ptr::from_ref(&seed) as usize as u64).to_ne_bytes();
        }
        Self::new(u64::from_ne_bytes(seed))
    }

    /// The next 64 bits.
    pub fn next(&self) -> u64 {
        let index = self.drawn.get();
        self.drawn.set(index.wrapping_add(1));
        random_bits(self.seed, index)
    }

    /// A number in 0..1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    pub fn unit(&self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number in 0..count; 0 when there is none.
    pub fn below(&self, count: usize) -> usize {
        if count == 0 {
            return 0;
        }
        let wide = u128::from(self.next()) * count as u128;
        usize::try_from(wide >> 64).unwrap_or(0)
    }

    /// lodash's `random(low, high)`: whole and inclusive, of floats a float.
    pub fn between(&self, low: f64, high: f64) -> f64 {
        let (low, high) = if low > high { (high, low) } else { (low, high) };
        if low.fract() != 0.0 || high.fract() != 0.0 {
            return low + self.unit() * (high - low);
        }
        (low + (self.unit() * (high - low + 1.0)).floor()).min(high)
    }

    /// A version 4 UUID.
    pub fn uuid(&self) -> String {
        let (a, b) = (self.next(), self.next());
        let b = (b & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000;
        let a = (a & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000;
        format!(
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            a >> 32,
            (a >> 16) & 0xFFFF,
            a & 0xFFFF,
            b >> 48,
            b & 0xFFFF_FFFF_FFFF
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_their_range_and_reach_its_ends() {
        let random = Random::new(7);
        let drawn: Vec<f64> = (0..1000).map(|_| random.between(1.0, 3.0)).collect();
        assert!(
            drawn
                .iter()
                .all(|n| (1.0..=3.0).contains(n) && n.fract() == 0.0)
        );
        for end in [1.0, 2.0, 3.0] {
            assert!(drawn.contains(&end));
        }
        assert!((0..100).all(|_| random.below(5) < 5));
    }

    #[test]
    fn a_uuid_has_its_version() {
        let uuid = Random::new(1).uuid();
        assert_eq!(uuid.len(), 36);
        assert_eq!(&uuid[14..15], "4");
        assert!("89ab".contains(&uuid[19..20]));
    }
}
