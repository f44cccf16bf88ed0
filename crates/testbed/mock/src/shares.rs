//! Shares in files: `1%` or 0.01, never 1.

use loadline_units::{ShareError, parse_share, share_of_number};
use serde::{Deserialize, Deserializer, de};

/// A share from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Share(pub(crate) f64);

impl Share {
    pub(crate) fn parse(text: &str) -> Result<Self, ShareError> {
        parse_share(text).map(Self)
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
        let share = match ShareSpec::deserialize(from)? {
            ShareSpec::Number(number) => share_of_number(number).map(Self),
            ShareSpec::Text(text) => Self::parse(&text),
        };
        share.map_err(de::Error::custom)
    }
}
