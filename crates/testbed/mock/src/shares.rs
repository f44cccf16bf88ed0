//! Shares in files: `1%` or 0.01.

use serde::{Deserialize, Deserializer, de};

/// A share from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Share(pub(crate) f64);

impl Share {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let trimmed = text.trim();
        let (digits, scale) = match trimmed.strip_suffix('%') {
            Some(percent) => (percent.trim(), 100.0),
            None => (trimmed, 1.0),
        };
        let share = digits.parse::<f64>().map(|number| number / scale);
        match share {
            Ok(share) if (0.0..=1.0).contains(&share) => Ok(Self(share)),
            _ => Err(format!("`{text}` is no share; write 1% or 0.01")),
        }
    }
}

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a share is a number or a text such as 1%")]
        enum ShareSpec {
            Number(f64),
            Text(String),
        }
        let text = match ShareSpec::deserialize(from)? {
            ShareSpec::Number(number) => number.to_string(),
            ShareSpec::Text(text) => text,
        };
        Self::parse(&text).map_err(de::Error::custom)
    }
}
