//! Units in the names of what holds times: `duration_ms`, `응답시간(ms)`, `latency [s]`.

use crate::DurationUnit;

/// What stands between a name and its unit.
const SEPARATORS: [char; 4] = ['_', ' ', '-', '.'];

/// Words that end a name without anything before them, longest first where one ends another.
const ENDINGS: [&str; 7] = [
    "milliseconds",
    "microseconds",
    "nanoseconds",
    "seconds",
    "millis",
    "micros",
    "nanos",
];

/// A name that says the unit of its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnitName<'n> {
    /// The name without its unit.
    pub plain: &'n str,
    /// The unit.
    pub unit: DurationUnit,
}

impl<'n> UnitName<'n> {
    /// Of the name of a column or field; `None` if it says no unit of time.
    #[must_use]
    pub fn new(name: &'n str) -> Option<Self> {
        let name = name.trim();
        if let Some(open) = name.strip_suffix([')', ']']) {
            let (plain, unit) = open.rsplit_once(['(', '['])?;
            return Self::from_parts(plain, unit);
        }
        if let Some((plain, unit)) = name.rsplit_once(SEPARATORS)
            && let Some(found) = Self::from_parts(plain, unit)
        {
            return Some(found);
        }
        Self::from_capital(name).or_else(|| Self::from_ending(name))
    }

    fn from_parts(plain: &'n str, unit: &str) -> Option<Self> {
        let unit = DurationUnit::parse(&unit.trim().to_lowercase())?;
        Some(Self {
            plain: plain.trim_end(),
            unit,
        })
    }

    /// `durationMs`. A single letter is none, as in `pathS`.
    fn from_capital(name: &'n str) -> Option<Self> {
        let at = name.rfind(|c: char| c.is_ascii_uppercase())?;
        let (plain, unit) = name.split_at(at);
        let is_word = !plain.ends_with(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit());
        (unit.len() > 1 && is_word).then_some(())?;
        Self::from_parts(plain, unit)
    }

    /// `elapsedseconds`; shorter units end too many words.
    fn from_ending(name: &'n str) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        let ending = ENDINGS.iter().find(|ending| lower.ends_with(**ending))?;
        Self::from_parts(&name[..name.len() - ending.len()], ending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seen: units in brackets were read in tables and not in logs, `-ms` in logs and not in tables.
    #[test]
    fn a_unit_stands_in_brackets_behind_a_mark_or_as_a_word() {
        use DurationUnit::{Micros, Millis, Nanos, Seconds};
        for (name, plain, unit) in [
            ("응답시간(ms)", "응답시간", Millis),
            ("duration(ms)", "duration", Millis),
            ("time_taken [ms]", "time_taken", Millis),
            ("latency (s)", "latency", Seconds),
            ("p95 (초)", "p95", Seconds),
            ("duration_ms", "duration", Millis),
            ("took-us", "took", Micros),
            ("took.ns", "took", Nanos),
            ("p95 s", "p95", Seconds),
            ("DURATION_MS", "DURATION", Millis),
            ("durationMs", "duration", Millis),
            ("p95Ms", "p95", Millis),
            ("elapsedSeconds", "elapsed", Seconds),
            ("elapsedseconds", "elapsed", Seconds),
            ("_ms", "", Millis),
            ("Ms", "", Millis),
        ] {
            assert_eq!(
                UnitName::new(name),
                Some(UnitName { plain, unit }),
                "{name}"
            );
        }
        for name in [
            "duration",
            "params",
            "status",
            "TPS",
            "Requests/Sec",
            "처리량(TPS)",
            "p95 (min)",
            "pathS",
            "",
            ")",
        ] {
            assert_eq!(UnitName::new(name), None, "{name}");
        }
    }
}
