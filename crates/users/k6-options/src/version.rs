//! Whose rules hold where the versions of k6 differ.

/// The releases that were compared with. Everything that names one takes it from here.
macro_rules! release {
    (V1) => {
        "1.8.1"
    };
    (V2) => {
        "2.2.0"
    };
}

/// A version of k6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub enum K6Version {
    /// 1.8: `--k6-version 1.8`.
    V1,
    /// 2.2, today's.
    #[default]
    V2,
}

impl K6Version {
    /// Whether the log tells of each exception where it comes from.
    #[must_use]
    pub fn logs_source(self) -> bool {
        self >= Self::V2
    }

    /// Reads `1.8`, `2.2`, and their like; `None` for a version whose rules are not known here.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text.strip_prefix('v').unwrap_or(text) {
            "1" | "1.8" | release!(V1) => Some(Self::V1),
            "2" | "2.2" | release!(V2) => Some(Self::V2),
            _ => None,
        }
    }

    /// The release that was compared with.
    #[must_use]
    pub const fn number(self) -> &'static str {
        match self {
            Self::V1 => release!(V1),
            Self::V2 => release!(V2),
        }
    }

    /// What requests name as their user agent.
    #[must_use]
    pub const fn user_agent(self) -> &'static str {
        match self {
            Self::V1 => concat!("Grafana k6/", release!(V1)),
            Self::V2 => concat!("Grafana k6/", release!(V2)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_named_by_release_and_line() {
        assert_eq!(K6Version::parse("1.8"), Some(K6Version::V1));
        assert_eq!(K6Version::parse("v2.2.0"), Some(K6Version::V2));
        assert_eq!(K6Version::parse("2"), Some(K6Version::default()));
        assert_eq!(K6Version::parse("3.0"), None);
        assert!(K6Version::V2.user_agent().ends_with(K6Version::V2.number()));
    }
}
