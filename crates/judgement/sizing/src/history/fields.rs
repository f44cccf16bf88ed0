//! The meaning of fields in JSON lines and CSV tables.

/// Field names by meaning, in order of preference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldMapping {
    names: [Vec<String>; FIELDS.len()],
    /// The unit of durations, if it is given.
    unit: Option<DurationUnit>,
}

/// The meaning of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Time,
    Method,
    Path,
    /// `GET /path HTTP/1.1`.
    Request,
    Status,
    Duration,
    Client,
}

/// The unit of durations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DurationUnit {
    Seconds,
    Millis,
    Micros,
}

const FIELDS: [(Field, &str, &[&str]); 7] = [
    (
        Field::Time,
        "time",
        &[
            "time",
            "@timestamp",
            "timestamp",
            "ts",
            "time_iso8601",
            "time_local",
            "datetime",
            "date",
        ],
    ),
    (
        Field::Method,
        "method",
        &[
            "method",
            "request_method",
            "http_method",
            "verb",
            "http.method",
        ],
    ),
    (
        Field::Path,
        "path",
        &[
            "path",
            "request_uri",
            "uri",
            "url",
            "http.url",
            "http.target",
            "url.path",
        ],
    ),
    (Field::Request, "request", &["request"]),
    (
        Field::Status,
        "status",
        &[
            "status",
            "status_code",
            "response_status",
            "code",
            "http.status_code",
        ],
    ),
    (
        Field::Duration,
        "duration",
        &[
            "request_time",
            "upstream_response_time",
            "duration",
            "duration_ms",
            "latency",
            "latency_ms",
            "elapsed_ms",
            "response_time",
            "response_time_ms",
            "took_ms",
        ],
    ),
    (
        Field::Client,
        "client",
        &[
            "user_id",
            "user",
            "client",
            "client_ip",
            "remote_addr",
            "ip",
            "session",
        ],
    ),
];

/// Why a field mapping is malformed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{part}` is no field mapping; write time=NAME,path=NAME,duration=NAME:ms")]
pub struct FieldError {
    /// The malformed part.
    pub part: String,
}

impl Default for FieldMapping {
    fn default() -> Self {
        let names = FIELDS.map(|(_, _, names)| names.iter().map(ToString::to_string).collect());
        Self { names, unit: None }
    }
}

impl FieldMapping {
    /// Parses `time=ts,path=uri,duration=took:ms`. Meanings that are not given keep their default
    /// names. Members of objects are named with dots.
    ///
    /// # Errors
    /// [`FieldError`] with the part that cannot be read.
    pub fn parse(text: &str) -> Result<Self, FieldError> {
        let mut fields = Self::default();
        for part in text.split(',').filter(|part| !part.trim().is_empty()) {
            let wrong = || FieldError {
                part: part.to_owned(),
            };
            let (what, name) = part.trim().split_once('=').ok_or_else(wrong)?;
            let index = FIELDS
                .iter()
                .position(|(_, known, _)| *known == what.trim());
            let index = index.ok_or_else(wrong)?;
            let (name, unit) = match name.rsplit_once(':') {
                Some((name, "ms")) => (name, Some(DurationUnit::Millis)),
                Some((name, "us")) => (name, Some(DurationUnit::Micros)),
                Some((name, "s")) => (name, Some(DurationUnit::Seconds)),
                _ => (name, None),
            };
            if name.is_empty() {
                return Err(wrong());
            }
            fields.names[index] = vec![name.to_owned()];
            fields.unit = unit.or(fields.unit);
        }
        Ok(fields)
    }

    /// The meaning of a field name, and its order of preference.
    pub(super) fn find(&self, name: &[u8]) -> Option<(Field, usize)> {
        let each = FIELDS.iter().zip(&self.names);
        each.filter_map(|((field, ..), names)| {
            let at = names.iter().position(|known| known.as_bytes() == name)?;
            Some((*field, at))
        })
        .next()
    }

    /// Whether an object with this name may have relevant members.
    pub(super) fn has_members(&self, name: &[u8]) -> bool {
        self.names.iter().flatten().any(|known| {
            let known = known.as_bytes();
            known.starts_with(name) && known.get(name.len()) == Some(&b'.')
        })
    }

    /// A duration in seconds, by the given unit or by the field's name.
    pub(super) fn seconds(&self, name: &[u8], value: f64) -> f64 {
        let unit = self.unit.unwrap_or(if name.ends_with(b"_ms") {
            DurationUnit::Millis
        } else {
            DurationUnit::Seconds
        });
        match unit {
            DurationUnit::Seconds => value,
            DurationUnit::Millis => value / 1e3,
            DurationUnit::Micros => value / 1e6,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_replaces_the_usual_names() {
        let fields = FieldMapping::parse("time=when, duration=took:ms").unwrap();
        assert_eq!(fields.find(b"when"), Some((Field::Time, 0)));
        assert_eq!(fields.find(b"time"), None);
        assert_eq!(fields.find(b"uri"), Some((Field::Path, 2)));
        assert!((fields.seconds(b"took", 250.0) - 0.25).abs() < 1e-12);
        assert!(FieldMapping::parse("colour=red").is_err());
        assert!(FieldMapping::parse("time").is_err());
    }

    #[test]
    fn durations_are_seconds_unless_their_name_says_otherwise() {
        let fields = FieldMapping::default();
        assert!((fields.seconds(b"request_time", 0.5) - 0.5).abs() < 1e-12);
        assert!((fields.seconds(b"duration_ms", 500.0) - 0.5).abs() < 1e-12);
        assert!(fields.has_members(b"http"));
        assert!(!fields.has_members(b"htt"));
    }
}
