//! The meaning of fields in JSON lines and CSV tables.

mod names;

use loadline_units::{DurationUnit, UnitName};

use super::durations;
use super::times::{TimeReason, TimeRefusal, TimeSource};
pub(super) use names::Field;
use names::{CADDY_PATH, ENVOY_STATUS, FIELDS};

/// Field names by meaning, in order of preference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldMapping {
    names: [Vec<String>; FIELDS.len()],
    /// The unit of durations, if it is given.
    unit: Option<DurationUnit>,
    /// What durations are said to be called.
    given_duration: Option<String>,
    /// Names that were given and that no line had so far.
    unseen: Vec<String>,
}

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
        Self {
            names,
            unit: None,
            given_duration: None,
            unseen: Vec::new(),
        }
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
            let parted = name.rsplit_once(':');
            let parted = parted.and_then(|(name, unit)| Some((name, DurationUnit::parse(unit)?)));
            let (name, unit) = match parted {
                Some((name, unit)) => (name, Some(unit)),
                None => (name, None),
            };
            if name.is_empty() {
                return Err(wrong());
            }
            if FIELDS[index].0 == Field::Duration {
                fields.given_duration = Some(name.to_owned());
            }
            fields.names[index] = vec![name.to_owned()];
            fields.unseen.push(name.to_owned());
            fields.unit = unit.or(fields.unit);
        }
        Ok(fields)
    }

    /// The field that was given for the time of a request.
    #[must_use]
    pub fn given_duration(&self) -> Option<&str> {
        self.given_duration.as_deref()
    }

    /// Notes which of the given names a line has; a heading is a line, too.
    pub(super) fn look_for(&mut self, line: &[u8]) {
        // Nearly all lines come after all names were seen.
        if !self.unseen.is_empty() {
            self.unseen.retain(|name| !has_name(line, name));
        }
    }

    /// Names that were given and that no line had so far.
    pub(super) fn missing(&self) -> Vec<String> {
        self.unseen.clone()
    }

    /// The meaning of a field name.
    pub(super) fn find(&self, name: &[u8]) -> Option<FoundField> {
        let each = FIELDS.iter().zip(&self.names);
        let mut found = each.filter_map(|((field, ..), names)| {
            let rank = names.iter().position(|known| known.as_bytes() == name)?;
            Some(FoundField {
                field: *field,
                rank,
                unit: None,
            })
        });
        found.next().or_else(|| self.find_with_unit(name))
    }

    /// The same of a time with its unit behind it: `duration(ms)`, `Response Time [s]`.
    fn find_with_unit(&self, name: &[u8]) -> Option<FoundField> {
        // Nearly all other names end otherwise.
        let may_be = |last: &u8| matches!(last, b')' | b']' | b's' | b'c') || !last.is_ascii();
        name.last().filter(|last| may_be(last))?;
        let typed = UnitName::new(std::str::from_utf8(name).ok()?)?;
        let usual = typed.plain.to_lowercase().replace([' ', '-'], "_");
        let index = FIELDS
            .iter()
            .position(|(field, ..)| *field == Field::Duration)?;
        let names = &self.names[index];
        let rank = names
            .iter()
            .position(|known| known == typed.plain || *known == usual)?;
        Some(FoundField {
            field: Field::Duration,
            rank,
            unit: Some(typed.unit),
        })
    }

    /// Whether an object with this name may have relevant members.
    pub(super) fn has_members(&self, name: &[u8]) -> bool {
        self.names.iter().flatten().any(|known| {
            let known = known.as_bytes();
            known.starts_with(name) && known.get(name.len()) == Some(&b'.')
        })
    }

    /// The name of a field by its order of preference.
    fn name(&self, field: Field, rank: usize) -> &str {
        let index = FIELDS.iter().position(|(known, ..)| *known == field);
        let names = index.map(|index| &self.names[index]);
        names
            .and_then(|names| names.get(rank))
            .map_or("", String::as_str)
    }

    /// What a duration's text is worth beside the other fields that its line has.
    pub(super) fn duration<'a>(
        &self,
        found: FoundField,
        text: &'a [u8],
        beside: NeighbourFields,
    ) -> FieldDuration<'a> {
        let FoundField { rank, unit, .. } = found;
        let name = self.name(Field::Duration, rank);
        let (unit, reason, seconds) = match durations::with_unit(text) {
            Some(seconds) => (Some(DurationUnit::Millis), TimeReason::Unit, Some(seconds)),
            None => {
                let named = || unit.or_else(|| self.usual_unit(name, beside));
                let unit = self.unit.or_else(named);
                let reason = match self.unit {
                    Some(_) => TimeReason::Given,
                    None => TimeReason::Name,
                };
                (
                    unit,
                    reason,
                    unit.and_then(|unit| durations::seconds(text, unit)),
                )
            }
        };
        FieldDuration {
            rank,
            text,
            unit,
            reason,
            seconds,
        }
    }

    /// The unit that a field has where it is called so.
    fn usual_unit(&self, name: &str, beside: NeighbourFields) -> Option<DurationUnit> {
        let of_path = beside.path.map(|rank| self.name(Field::Path, rank));
        let of_status = beside.status.map(|rank| self.name(Field::Status, rank));
        match name {
            "request_time" | "upstream_response_time" => Some(DurationUnit::Seconds),
            "Duration" | "OriginDuration" | "event.duration" => Some(DurationUnit::Nanos),
            "responseTime" | "responseLatency" => Some(DurationUnit::Millis),
            "duration" if of_path == Some(CADDY_PATH) => Some(DurationUnit::Seconds),
            "duration" if of_status == Some(ENVOY_STATUS) => Some(DurationUnit::Millis),
            other => UnitName::new(other).map(|name| name.unit),
        }
    }

    /// What is told of the field that a duration was read from; `head` is what the heading of a
    /// table calls it.
    pub(super) fn finding(
        &self,
        found: &FieldDuration<'_>,
        head: Option<&str>,
    ) -> Result<TimeSource, TimeRefusal> {
        let name = head.unwrap_or_else(|| self.name(Field::Duration, found.rank));
        let field = name.to_owned();
        match found.unit {
            Some(unit) => Ok(TimeSource {
                field,
                unit: unit.sign(),
                reason: found.reason,
            }),
            None => Err(TimeRefusal::NoUnit {
                field,
                example: String::from_utf8_lossy(found.text).into_owned(),
            }),
        }
    }
}

/// Whether a name may be that of a field of this line; of objects within objects by its last part.
fn has_name(line: &[u8], name: &str) -> bool {
    let holds = |part: &str| memchr::memmem::find(line, part.as_bytes()).is_some();
    if !line.starts_with(b"{") {
        return holds(name);
    }
    let last = name.rsplit('.').next().unwrap_or(name);
    holds(&format!("\"{last}\"")) || holds(&format!("\"{name}\""))
}

/// A field by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FoundField {
    /// The order of preference of its name.
    pub(super) rank: usize,
    pub(super) field: Field,
    /// The unit that its name has beside what it is known by.
    pub(super) unit: Option<DurationUnit>,
}

/// The other fields of a line, by their order of preference.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NeighbourFields {
    pub(super) path: Option<usize>,
    pub(super) status: Option<usize>,
}

/// A duration as a field of a line has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct FieldDuration<'a> {
    /// The field, by its order of preference.
    pub(super) rank: usize,
    text: &'a [u8],
    unit: Option<DurationUnit>,
    reason: TimeReason,
    pub(super) seconds: Option<f64>,
}

impl FieldDuration<'_> {
    /// Whether there is a number in it at all.
    pub(super) fn is_number(&self) -> bool {
        self.seconds.is_some() || durations::plain_number(self.text).is_some()
    }

    pub(super) const fn has_unit(&self) -> bool {
        self.unit.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_replaces_the_usual_names() {
        let fields = FieldMapping::parse("time=when, duration=took:ms").unwrap();
        let found = |name: &str| {
            let found = fields.find(name.as_bytes());
            found.map(|found| (found.field, found.rank))
        };
        assert_eq!(found("when"), Some((Field::Time, 0)));
        assert_eq!(found("time"), None);
        assert_eq!(found("uri"), Some((Field::Path, 2)));
        let took = fields.find(b"took").unwrap();
        let took = fields.duration(took, b"250", NeighbourFields::default());
        assert_eq!(took.seconds, Some(0.25));
        assert!(FieldMapping::parse("colour=red").is_err());
        let mut fields = FieldMapping::parse("path=http.route,time=when,client=who").unwrap();
        fields.look_for(br#"{"when":1,"http":{"route":"/a"}}"#);
        assert_eq!(fields.missing(), ["who"]);
        fields.look_for(b"when;path;who");
        assert!(fields.missing().is_empty());
        assert!(FieldMapping::parse("time").is_err());
    }

    /// Seen: any `duration` was in seconds, also where it was in milliseconds.
    #[test]
    fn a_duration_whose_unit_nothing_tells_is_none() {
        let fields = FieldMapping::default();
        let seconds = |name: &str, text: &str, beside| {
            let found = fields.find(name.as_bytes()).unwrap();
            assert_eq!(found.field, Field::Duration, "{name}");
            fields.duration(found, text.as_bytes(), beside).seconds
        };
        let alone = NeighbourFields::default();
        assert_eq!(seconds("request_time", "0.5", alone), Some(0.5));
        assert_eq!(seconds("duration_ms", "500", alone), Some(0.5));
        assert_eq!(seconds("durationMs", "500", alone), Some(0.5));
        assert_eq!(seconds("duration_s", "0.5", alone), Some(0.5));
        assert_eq!(seconds("response_time_us", "500000", alone), Some(0.5));
        assert_eq!(seconds("request_time_ms", "500", alone), Some(0.5));
        assert_eq!(seconds("latency", "12ms", alone), Some(0.012));
        assert_eq!(seconds("Duration", "12000000", alone), Some(0.012));
        assert_eq!(seconds("duration", "40", alone), None);
        assert_eq!(seconds("duration", "0.04", alone), None);
        // Seen: `duration(ms)` was not found, and 응답시간(ms) had no unit that could be known.
        assert_eq!(seconds("duration(ms)", "500", alone), Some(0.5));
        assert_eq!(seconds("time_taken [ms]", "500", alone), Some(0.5));
        assert_eq!(seconds("latency (s)", "0.5", alone), Some(0.5));
        assert_eq!(seconds("Response Time (ms)", "500", alone), Some(0.5));
        assert_eq!(seconds("Duration(ms)", "500", alone), Some(0.5));
        let named = FieldMapping::parse("duration=응답시간(ms)").unwrap();
        let found = named.find("응답시간(ms)".as_bytes()).unwrap();
        assert_eq!(named.duration(found, b"500", alone).seconds, Some(0.5));
        let named = FieldMapping::parse("duration=응답시간").unwrap();
        assert!(named.find("응답시간(ms)".as_bytes()).is_some());
        let rank = |name: &str| fields.find(name.as_bytes()).map(|found| found.rank);
        let caddy = NeighbourFields {
            path: rank(CADDY_PATH),
            status: None,
        };
        assert_eq!(seconds("duration", "0.04", caddy), Some(0.04));
        let envoy = NeighbourFields {
            path: None,
            status: rank(ENVOY_STATUS),
        };
        assert_eq!(seconds("duration", "40", envoy), Some(0.04));
        assert!(fields.has_members(b"http"));
        assert!(!fields.has_members(b"htt"));
    }
}
