//! Which values share a count.

/// Bits of a float below the 8 top bits of its mantissa.
const DROPPED_BITS: u32 = 52 - 8;

/// A range of values that share one count: equal sign, exponent and top 8 mantissa bits.
///
/// Its number is 0 for zero, grows with the value, and is stable: stores keep it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bucket(i32);

impl Bucket {
    /// The bucket of zero, which holds nothing else.
    pub const ZERO: Self = Self(0);

    /// The bucket of a finite value.
    #[inline]
    #[must_use]
    pub fn from_value(value: f64) -> Self {
        let bits = value.to_bits();
        let magnitude = bits & !(1 << 63);
        if magnitude == 0 {
            return Self::ZERO;
        }
        let number = (magnitude >> DROPPED_BITS) as i32 + 1;
        Self(if bits >> 63 == 0 { number } else { -number })
    }

    /// The bucket with this number, if any finite value has it.
    #[must_use]
    pub fn numbered(index: i32) -> Option<Self> {
        let most = Self::from_value(f64::MAX).0;
        (-most..=most).contains(&index).then_some(Self(index))
    }

    /// Its number.
    #[must_use]
    pub const fn index(self) -> i32 {
        self.0
    }

    /// The `magnitude`-th bucket above zero, from 0.
    pub(super) fn above_zero(magnitude: u32) -> Self {
        Self(i32::try_from(magnitude).expect("19 bits") + 1)
    }

    /// The `magnitude`-th bucket below zero, from 0.
    pub(super) fn below_zero(magnitude: u32) -> Self {
        Self(-Self::above_zero(magnitude).0)
    }

    /// Its end nearer to zero (part of the bucket).
    #[must_use]
    pub fn near(self) -> f64 {
        self.edge(0)
    }

    /// Its end farther from zero (part of the next bucket).
    #[must_use]
    pub fn far(self) -> f64 {
        self.edge(1)
    }

    /// The value that stands for all of its values; at most 0.2 % from each.
    #[must_use]
    pub fn middle(self) -> f64 {
        let near = self.near();
        near + (self.far() - near) / 2.0
    }

    fn edge(self, beyond: u64) -> f64 {
        if self.0 == 0 {
            return 0.0;
        }
        let magnitude = u64::from(self.0.unsigned_abs()) - 1 + beyond;
        let size = f64::from_bits(magnitude << DROPPED_BITS).min(f64::MAX);
        if self.0 < 0 { -size } else { size }
    }
}
