//! Units of short times by the names that logs, tables and people give them.

/// A unit in which times of requests are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DurationUnit {
    /// A second.
    Seconds,
    /// A thousandth of it.
    Millis,
    /// A millionth of it.
    Micros,
    /// A thousandth of that.
    Nanos,
}

/// What each goes by.
const NAMES: [(DurationUnit, &[&str]); 4] = [
    (
        DurationUnit::Seconds,
        &["s", "sec", "secs", "second", "seconds", "초"],
    ),
    (
        DurationUnit::Millis,
        &["ms", "msec", "millis", "milliseconds", "밀리초"],
    ),
    (
        DurationUnit::Micros,
        &[
            "us",
            "µs",
            "μs",
            "usec",
            "micros",
            "microseconds",
            "마이크로초",
        ],
    ),
    (
        DurationUnit::Nanos,
        &["ns", "nanos", "nanoseconds", "나노초"],
    ),
];

impl DurationUnit {
    /// The unit of a name in small letters: `ms`, `usec`, `밀리초`.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let mut all = NAMES.iter();
        let known = all.find(|(_, names)| names.contains(&name));
        known.map(|(unit, _)| *unit)
    }

    /// Its sign.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::Millis => "ms",
            Self::Micros => "µs",
            Self::Nanos => "ns",
        }
    }

    /// How many of it are a second.
    #[must_use]
    pub const fn per_second(self) -> f64 {
        match self {
            Self::Seconds => 1.0,
            Self::Millis => 1e3,
            Self::Micros => 1e6,
            Self::Nanos => 1e9,
        }
    }

    /// How many milliseconds it is.
    #[must_use]
    pub const fn millis(self) -> f64 {
        1e3 / self.per_second()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_known_by_each_of_its_names() {
        for (unit, names) in NAMES {
            assert!(names.contains(&unit.sign()));
            for name in names {
                assert_eq!(DurationUnit::parse(name), Some(unit), "{name}");
            }
        }
        assert_eq!(DurationUnit::parse("m"), None);
        assert!((DurationUnit::Micros.millis() - 1e-3).abs() < 1e-12);
    }
}
