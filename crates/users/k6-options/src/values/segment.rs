//! The segment of a test that one of several instances runs.

use std::fmt;

use loadline_testplan::{StripeError, Stripes};
use num_rational::Ratio;

type Fraction = Ratio<i64>;

/// A part of the test, from one fraction to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    from: Fraction,
    to: Fraction,
}

impl Segment {
    /// Reads `1/4:1/2`, `25%:50%` or `0.5`; without a colon it starts at 0.
    ///
    /// # Errors
    /// k6's text, with the part that is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = if text.is_empty() { "1" } else { text };
        let (from, to) = match text.split_once(':') {
            Some((from, to)) => (share(from)?, to),
            None => (Fraction::from(0), text),
        };
        Self::new(from, share(to)?)
    }

    fn new(from: Fraction, to: Fraction) -> Result<Self, String> {
        if from < Fraction::from(0) {
            return Err(format!(
                "segment start value must be at least 0 but was {}",
                decimal(from)
            ));
        }
        if from >= to {
            return Err(format!(
                "segment start({}) must be less than its end({})",
                decimal(from),
                decimal(to)
            ));
        }
        if to > Fraction::from(1) {
            return Err(format!(
                "segment end value can't be more than 1 but was {}",
                decimal(to)
            ));
        }
        Ok(Self { from, to })
    }

    /// Its length in percent of the whole.
    #[must_use]
    pub fn percent(&self) -> f64 {
        let length = self.to - self.from;
        100.0 * *length.numer() as f64 / *length.denom() as f64
    }

    fn length(&self) -> Option<(u64, u64)> {
        let length = self.to - self.from;
        Some((
            u64::try_from(*length.numer()).ok()?,
            u64::try_from(*length.denom()).ok()?,
        ))
    }

    /// Everything.
    #[must_use]
    pub fn whole() -> Self {
        Self {
            from: Fraction::from(0),
            to: Fraction::from(1),
        }
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.from, self.to)
    }
}

/// The test, divided into parts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SegmentSequence(Vec<Segment>);

impl SegmentSequence {
    /// Reads the limits of the parts: `0,1/4,1/2,1`.
    ///
    /// # Errors
    /// k6's text, with the part that is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        let points: Vec<&str> = text.split(',').collect();
        if points.len() < 2 {
            return Err(format!(
                "at least 2 points are needed for an execution segment sequence, {} given",
                points.len()
            ));
        }
        let mut start = share(points[0])?;
        let mut segments = Vec::new();
        for point in &points[1..] {
            let end = share(point)?;
            segments.push(Segment::new(start, end)?);
            start = end;
        }
        Ok(Self(segments))
    }

    /// How the parts share what is numbered, and the place of `segment` among them. What
    /// the sequence leaves out at either end is a part too, as in k6.
    ///
    /// # Errors
    /// [`StripeError`] when the parts cannot be dealt with, or `segment` is none of them.
    pub fn stripes(&self, segment: &Segment) -> Result<(Stripes, usize), StripeError> {
        let mut parts = self.0.clone();
        if parts.is_empty() {
            parts.push(*segment);
        }
        let (start, end) = (parts[0].from, parts[parts.len() - 1].to);
        if start > Fraction::from(0) {
            let from = Fraction::from(0);
            parts.insert(0, Segment { from, to: start });
        }
        if end < Fraction::from(1) {
            let to = Fraction::from(1);
            parts.push(Segment { from: end, to });
        }
        let lengths: Option<Vec<(u64, u64)>> = parts.iter().map(Segment::length).collect();
        let stripes = Stripes::new(&lengths.ok_or(StripeError::Empty)?)?;
        let place = parts.iter().position(|part| part == segment);
        Ok((stripes, place.ok_or(StripeError::NotTheWhole)?))
    }

    /// Whether one of the parts is `segment`.
    #[must_use]
    pub fn contains(&self, segment: &Segment) -> bool {
        self.0.contains(segment)
    }
}

impl fmt::Display for SegmentSequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, segment) in self.0.iter().enumerate() {
            if place == 0 {
                write!(f, "{}", segment.from)?;
            }
            write!(f, ",{}", segment.to)?;
        }
        Ok(())
    }
}

/// Reads a percentage, a decimal or a fraction.
fn share(text: &str) -> Result<Fraction, String> {
    if let Some(percent) = text.strip_suffix('%') {
        let percent: Option<i64> = percent.parse().ok();
        return percent
            .map(|percent| Fraction::new(percent, 100))
            .ok_or_else(|| format!("'{text}' is not a valid percentage"));
    }
    let invalid =
        || format!("'{text}' is not a valid percentage, decimal, fraction or interval value");
    if let Some((top, bottom)) = text.split_once('/') {
        let (top, bottom): (i64, i64) = match (top.parse(), bottom.parse()) {
            (Ok(top), Ok(bottom)) if bottom > 0 => (top, bottom),
            _ => return Err(invalid()),
        };
        return Ok(Fraction::new(top, bottom));
    }
    decimal_share(text).ok_or_else(invalid)
}

/// A decimal of at most 15 places.
fn decimal_share(text: &str) -> Option<Fraction> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let places = u32::try_from(fraction.len()).ok().filter(|n| *n <= 15)?;
    let digits = format!("{whole}{fraction}");
    if !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(Fraction::new(digits.parse().ok()?, 10_i64.pow(places)))
}

/// With two decimals, halves away from zero.
fn decimal(share: Fraction) -> String {
    let hundredths = (share * 100).round().to_integer();
    let sign = if hundredths < 0 { "-" } else { "" };
    let size = hundredths.unsigned_abs();
    format!("{sign}{}.{:02}", size / 100, size % 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shares_are_percentages_decimals_or_fractions() {
        for text in ["25%:50%", "0.25:0.5", "1/4:2/4", "1/4:.50"] {
            assert_eq!(Segment::parse(text).unwrap().to_string(), "1/4:1/2");
        }
        assert_eq!(Segment::parse("50%").unwrap().to_string(), "0:1/2");
        assert_eq!(Segment::parse("").unwrap(), Segment::whole());
    }

    #[test]
    fn a_sequence_shows_its_cuts() {
        let sequence = SegmentSequence::parse("0,2/4,1").unwrap();
        assert_eq!(sequence.to_string(), "0,1/2,1");
        assert!(sequence.contains(&Segment::parse("50%:1").unwrap()));
        assert!(!sequence.contains(&Segment::whole()));
    }

    #[test]
    fn a_segment_without_a_sequence_has_the_rest_on_either_side() {
        let middle = Segment::parse("1/4:1/2").unwrap();
        let (stripes, place) = SegmentSequence::default().stripes(&middle).unwrap();
        assert_eq!(place, 1);
        let counts: Vec<u64> = (0..3)
            .map(|p| stripes.part(p).unwrap().scale(100))
            .collect();
        assert_eq!(counts, [25, 25, 50]);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_without_a_panic(text in "[0-9:/%.,x+-]{0,12}") {
            if let Ok(segment) = Segment::parse(&text) {
                prop_assert_eq!(Segment::parse(&segment.to_string()), Ok(segment));
            }
            let _ = SegmentSequence::parse(&text);
        }
    }
}
