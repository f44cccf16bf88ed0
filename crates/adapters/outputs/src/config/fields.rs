//! Values as k6's configuration reads them.

use std::collections::BTreeMap;
use std::time::Duration;

use loadline_units::parse_duration;

/// The environment.
pub(super) struct Env<'a>(pub(super) &'a BTreeMap<String, String>);

impl<'a> Env<'a> {
    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        let found = self.0.get(name).map(String::as_str);
        found.filter(|text| !text.is_empty())
    }

    pub(super) fn owned(&self, name: &str) -> Option<String> {
        self.text(name).map(str::to_owned)
    }

    pub(super) fn truth(&self, name: &str) -> Result<Option<bool>, String> {
        self.text(name).map(|text| truth(name, text)).transpose()
    }

    pub(super) fn duration(&self, name: &str) -> Result<Option<Duration>, String> {
        self.text(name).map(|text| duration(name, text)).transpose()
    }

    pub(super) fn whole(&self, name: &str) -> Result<Option<i64>, String> {
        self.text(name).map(|text| whole(name, text)).transpose()
    }
}

pub(super) fn truth(name: &str, text: &str) -> Result<bool, String> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("{name} must be true or false, not {text}")),
    }
}

pub(super) fn whole(name: &str, text: &str) -> Result<i64, String> {
    let number = text.parse();
    number.map_err(|_| format!("{name} must be a whole number, not {text}"))
}

/// A duration as k6 writes it; a bare number is milliseconds.
pub(super) fn duration(name: &str, text: &str) -> Result<Duration, String> {
    let length = match text.parse::<u64>() {
        Ok(millis) => Some(Duration::from_millis(millis)),
        Err(_) => parse_duration(text).ok(),
    };
    let length = length.filter(|length| !length.is_zero());
    length.ok_or_else(|| format!("{name} must be a length of time above 0, not {text}"))
}

/// Decodes the percent escapes of a URL's part.
pub(super) fn unescaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        let code = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (first, code) {
            (b'%', Some(code)) => {
                bytes.push(code);
                rest = &after[2..];
                continue;
            }
            _ => bytes.push(*first),
        }
        rest = after;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
