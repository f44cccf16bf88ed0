//! Which system tags k6 puts on samples.

/// A tag of k6's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the tag of its name")]
pub enum SystemTag {
    Proto,
    Subproto,
    Status,
    Method,
    Url,
    Name,
    Group,
    Check,
    Error,
    ErrorCode,
    TlsVersion,
    Scenario,
    Service,
    ExpectedResponse,
    Iter,
    Vu,
    OcspStatus,
    Ip,
}

/// All with their names; the first [`DEFAULT_COUNT`] are on unless others are asked for.
const NAMES: [(SystemTag, &str); 18] = [
    (SystemTag::Proto, "proto"),
    (SystemTag::Subproto, "subproto"),
    (SystemTag::Status, "status"),
    (SystemTag::Method, "method"),
    (SystemTag::Url, "url"),
    (SystemTag::Name, "name"),
    (SystemTag::Group, "group"),
    (SystemTag::Check, "check"),
    (SystemTag::Error, "error"),
    (SystemTag::ErrorCode, "error_code"),
    (SystemTag::TlsVersion, "tls_version"),
    (SystemTag::Scenario, "scenario"),
    (SystemTag::Service, "service"),
    (SystemTag::ExpectedResponse, "expected_response"),
    (SystemTag::Iter, "iter"),
    (SystemTag::Vu, "vu"),
    (SystemTag::OcspStatus, "ocsp_status"),
    (SystemTag::Ip, "ip"),
];

const DEFAULT_COUNT: u32 = 14;

/// A set of k6's own tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SystemTags(u32);

impl Default for SystemTags {
    /// The tags k6 sets by default.
    fn default() -> Self {
        Self((1 << DEFAULT_COUNT) - 1)
    }
}

impl SystemTags {
    /// The named ones; names that mean nothing are passed over, as k6 does.
    #[must_use]
    pub fn of_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let known = names
            .into_iter()
            .filter_map(|name| NAMES.iter().find(|(_, known)| *known == name));
        Self(known.fold(0, |set, (tag, _)| set | 1 << *tag as u32))
    }

    /// Whether a tag is on.
    #[must_use]
    pub const fn has(self, tag: SystemTag) -> bool {
        self.0 & (1 << tag as u32) != 0
    }

    /// The names of those that are on, sorted.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        let on = NAMES.iter().filter(|(tag, _)| self.has(*tag));
        let mut names: Vec<_> = on.map(|(_, name)| *name).collect();
        names.sort_unstable();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_leaves_out_four() {
        let default = SystemTags::default();
        let off: Vec<_> = NAMES.iter().filter(|(tag, _)| !default.has(*tag)).collect();
        let off: Vec<_> = off.iter().map(|(_, name)| *name).collect();
        assert_eq!(off, ["iter", "vu", "ocsp_status", "ip"]);
    }

    #[test]
    fn unknown_names_are_passed_over() {
        let tags = SystemTags::of_names(["vu", "nope", "status"]);
        assert_eq!(tags.names(), ["status", "vu"]);
    }
}
