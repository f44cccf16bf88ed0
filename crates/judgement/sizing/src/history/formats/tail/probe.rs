//! Decides from the first lines of a file which of its fields is the time of a request.
//!
//! Nothing is guessed: a field is taken when its values say their unit, when its name says what
//! it is and its values in which unit, or when it has the three decimals that nginx writes. The
//! time of day, versions, ratios and whole numbers look alike and are refused with the reason.

use loadline_units::{DurationUnit, UnitName};

use super::super::super::durations;
use super::super::super::times::{TimeFindings, TimeReason, TimeRefusal, TimeSource};
use super::{TailField, TailFields, TailKey, TailLayout, TailTime, is_address};

/// How many fields of a line are looked at.
const FIELDS_MAX: usize = 32;
/// As many decimals nginx writes; versions and ratios have fewer.
const DECIMALS_MIN: usize = 3;
/// A number that is this near to the line's own time, in seconds, is the time of day.
const CLOCK_SECONDS: f64 = 2.0 * 86_400.0;
/// Of two times the longer one may be shorter by this much, in seconds: they are rounded.
const ROUNDING_SECONDS: f64 = 0.002;
/// The share of lines in which that must hold.
const AGREEING_SHARE: f64 = 0.99;

/// Names of the time of a whole request.
const REQUEST_NAMES: [&str; 18] = [
    "rt",
    "request_time",
    "requesttime",
    "req_time",
    "reqtime",
    "duration",
    "took",
    "elapsed",
    "latency",
    "time_taken",
    "time-taken",
    "response_time",
    "resp_time",
    "responsetime",
    "total_time",
    "dur",
    "time",
    "cost",
];
/// Names of the time that servers behind a proxy took.
const UPSTREAM_NAMES: [&str; 4] = ["urt", "upstream_response_time", "upstream_time", "upstream"];

/// What the values of a field look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Nothing: `-`.
    Absent,
    /// A number with a unit.
    Unit,
    /// A number with so many decimals, or a list of such.
    Decimals(usize),
    Whole,
    /// An address, or a list of some.
    Address,
    Other,
}

/// A field of the first lines.
#[derive(Debug)]
struct ProbedField {
    key: TailKey,
    is_quoted: bool,
    example: Vec<u8>,
    shapes: Vec<Shape>,
    /// In each line the value as it stands, in seconds if no unit says otherwise.
    values: Vec<Option<f64>>,
    near_clock: usize,
}

/// The fields of the first lines of a file.
#[derive(Debug, Default)]
pub(in super::super::super) struct TailProbe {
    lines: usize,
    fields: Vec<ProbedField>,
}

/// A field that may be the time.
struct Candidate<'p> {
    field: &'p ProbedField,
    unit: DurationUnit,
    reason: TimeReason,
    /// The time of servers behind a proxy, which is a part of the request's.
    is_upstream: bool,
}

impl TailProbe {
    /// Looks at the tail of another line, whose own time is `time`.
    pub(in super::super::super) fn add(&mut self, tail: &[u8], time: i64) {
        self.lines += 1;
        for (place, found) in TailFields::new(tail).enumerate().take(FIELDS_MAX) {
            let key = if found.name.is_empty() {
                TailKey::Place(place)
            } else {
                TailKey::Name(found.name.to_vec())
            };
            let known = self.fields.iter().position(|field| field.key == key);
            let index = known.unwrap_or_else(|| {
                self.fields.push(ProbedField::new(key, &found));
                self.fields.len() - 1
            });
            // A name that stands twice in a line counts once.
            if self.fields[index].values.len() < self.lines {
                self.fields[index].add(&found, self.lines, time);
            }
        }
    }

    /// Which field means what; says so in `findings`.
    pub(in super::super::super) fn decide(self, findings: &mut TimeFindings) -> TailLayout {
        let forwarded = self.fields.iter().find(|field| field.is_forwarded());
        TailLayout {
            time: self.time(findings),
            forwarded: forwarded.map(|field| field.key.clone()),
        }
    }

    fn time(&self, findings: &mut TimeFindings) -> Option<TailTime> {
        let candidates: Vec<Candidate<'_>> = self
            .fields
            .iter()
            .filter_map(|field| field.candidate())
            .collect();
        let best = candidates.iter().map(Candidate::rank).min();
        let Some(best) = best else {
            if let Some(refusal) = self.refusal() {
                findings.refuse(refusal);
            }
            return None;
        };
        let equal: Vec<&Candidate<'_>> = candidates.iter().filter(|c| c.rank() == best).collect();
        let longest = equal
            .iter()
            .filter(|one| equal.iter().all(|other| one.holds(other)))
            .max_by(|one, other| one.sum().total_cmp(&other.sum()));
        let Some(chosen) = longest else {
            findings.refuse(TimeRefusal::Disagree {
                one: equal[0].field.label(),
                other: equal[1].field.label(),
            });
            return None;
        };
        // What the servers behind took is a part of the whole.
        let longer = candidates
            .iter()
            .find(|c| c.is_upstream && !chosen.holds(c));
        if let Some(longer) = longer.filter(|_| !chosen.is_upstream) {
            findings.refuse(TimeRefusal::Disagree {
                one: chosen.field.label(),
                other: longer.field.label(),
            });
            return None;
        }
        findings.take(&TimeSource {
            field: chosen.field.label(),
            unit: chosen.unit.sign(),
            reason: match equal.len() {
                1 if chosen.is_upstream => TimeReason::Servers,
                1 => chosen.reason,
                _ => TimeReason::Longest,
            },
        });
        Some(TailTime {
            key: chosen.field.key.clone(),
            unit: chosen.unit,
        })
    }

    /// Why none was taken, if something looks like a time.
    fn refusal(&self) -> Option<TimeRefusal> {
        // The first field is the answer's size.
        let others = || self.fields.iter().skip(1);
        let example = |field: &ProbedField| String::from_utf8_lossy(&field.example).into_owned();
        if let Some(named) = others().find(|field| field.is_named_time()) {
            return Some(TimeRefusal::NoUnit {
                field: named.label(),
                example: example(named),
            });
        }
        if let Some(clock) = others().find(|field| field.is_clock()) {
            return Some(TimeRefusal::Clock {
                example: example(clock),
            });
        }
        let few = others().find(|field| {
            field.present().count() > 0
                && field
                    .present()
                    .all(|shape| matches!(shape, Shape::Decimals(_)))
        });
        if let Some(few) = few {
            return Some(TimeRefusal::FewDecimals {
                example: example(few),
            });
        }
        let whole = others().find(|field| {
            field.key_name().is_none()
                && field.present().count() > 0
                && field.present().all(|shape| shape == Shape::Whole)
        })?;
        Some(TimeRefusal::NoUnit {
            field: String::new(),
            example: example(whole),
        })
    }
}

impl ProbedField {
    fn new(key: TailKey, found: &TailField<'_>) -> Self {
        Self {
            key,
            is_quoted: found.is_quoted,
            example: Vec::new(),
            shapes: Vec::new(),
            values: Vec::new(),
            near_clock: 0,
        }
    }

    fn add(&mut self, found: &TailField<'_>, line: usize, time: i64) {
        let shape = shape(found.value);
        let value = durations::seconds(found.value, DurationUnit::Seconds);
        if value.is_some_and(|value| is_clock(value, time)) {
            self.near_clock += 1;
        }
        if self.example.is_empty() && shape != Shape::Absent {
            self.example = found.value.to_vec();
        }
        // Lines before this one did not have it.
        self.shapes.resize(line - 1, Shape::Absent);
        self.values.resize(line - 1, None);
        self.shapes.push(shape);
        self.values.push(value);
    }

    fn present(&self) -> impl Iterator<Item = Shape> + '_ {
        let shapes = self.shapes.iter().copied();
        shapes.filter(|shape| *shape != Shape::Absent)
    }

    fn key_name(&self) -> Option<&str> {
        match &self.key {
            TailKey::Name(name) => std::str::from_utf8(name).ok(),
            TailKey::Place(_) => None,
        }
    }

    /// Its name, or one of its values.
    fn label(&self) -> String {
        let example = || String::from_utf8_lossy(&self.example).into_owned();
        self.key_name().map_or_else(example, str::to_owned)
    }

    fn is_clock(&self) -> bool {
        self.near_clock > 0 && self.near_clock * 2 > self.present().count()
    }

    fn has_name(&self, known: &[&str]) -> bool {
        let Some(name) = self.key_name() else {
            return false;
        };
        let lower = name.to_ascii_lowercase();
        known.iter().any(|known| match lower.strip_prefix(known) {
            Some("") => true,
            // `latency_ms` is a latency, too.
            Some(_) => UnitName::new(&name[known.len()..]).is_some(),
            None => false,
        })
    }

    /// Whether its name says that it is a time, and its values are numbers.
    fn is_named_time(&self) -> bool {
        self.has_name(&REQUEST_NAMES) && !self.is_clock() && self.values.iter().any(Option::is_some)
    }

    fn candidate(&self) -> Option<Candidate<'_>> {
        if self.present().count() == 0 || self.is_clock() {
            return None;
        }
        let all = |wanted: fn(Shape) -> bool| self.present().all(wanted);
        let has_decimals = all(|shape| matches!(shape, Shape::Decimals(n) if n >= DECIMALS_MIN));
        let named_unit = self
            .key_name()
            .and_then(UnitName::new)
            .map(|name| name.unit);
        let (is_request, is_upstream) = (
            self.has_name(&REQUEST_NAMES),
            self.has_name(&UPSTREAM_NAMES),
        );
        let is_list = self.values_are_lists();
        let is_number =
            all(|shape| matches!(shape, Shape::Unit | Shape::Decimals(_) | Shape::Whole));
        let (unit, reason) = if all(|shape| shape == Shape::Unit) {
            (DurationUnit::Millis, TimeReason::Unit)
        } else if let Some(unit) = named_unit.filter(|_| is_number && (is_request || is_upstream)) {
            (unit, TimeReason::Name)
        } else if has_decimals && (is_request || is_upstream) {
            (DurationUnit::Seconds, TimeReason::Name)
        } else if has_decimals && self.key_name().is_none() {
            (DurationUnit::Seconds, TimeReason::Decimals)
        } else {
            return None;
        };
        // A unit under a name of something else, as in `ttl=30s`, is not the request's.
        if self.key_name().is_some() && !is_request && !is_upstream {
            return None;
        }
        Some(Candidate {
            field: self,
            unit,
            reason,
            is_upstream: is_upstream || is_list,
        })
    }

    fn values_are_lists(&self) -> bool {
        durations::parts(&self.example).nth(1).is_some()
    }

    /// Whether it holds the addresses of clients behind a proxy.
    fn is_forwarded(&self) -> bool {
        (self.is_quoted || self.key_name().is_some())
            && self.present().count() > 0
            && self.present().all(|shape| shape == Shape::Address)
    }
}

impl Candidate<'_> {
    /// The clearest first.
    fn rank(&self) -> u8 {
        match (
            self.is_upstream,
            self.field.key_name().is_some(),
            self.reason,
        ) {
            (true, ..) => 3,
            (false, true, _) => 0,
            (false, false, TimeReason::Unit) => 1,
            (false, false, _) => 2,
        }
    }

    /// Whether it is at least as long as another one, as the whole is beside its parts.
    fn holds(&self, other: &Candidate<'_>) -> bool {
        let pairs = self.field.values.iter().zip(&other.field.values);
        let both: Vec<(f64, f64)> = pairs
            .filter_map(|(own, other)| Some(((*own)?, (*other)?)))
            .collect();
        let agreeing = both.iter().filter(|(own, theirs)| {
            own * self.scale() + ROUNDING_SECONDS >= theirs * other.scale()
        });
        agreeing.count() as f64 >= AGREEING_SHARE * both.len() as f64
    }

    /// All of its times together, in seconds.
    fn sum(&self) -> f64 {
        self.field.values.iter().flatten().sum::<f64>() * self.scale()
    }

    /// Seconds in one of its values as they were read.
    fn scale(&self) -> f64 {
        match self.reason {
            TimeReason::Unit => 1.0,
            _ => 1.0 / self.unit.per_second(),
        }
    }
}

/// What a value looks like.
fn shape(value: &[u8]) -> Shape {
    if value.is_empty() || value == b"-" {
        return Shape::Absent;
    }
    if durations::with_unit(value).is_some() {
        return Shape::Unit;
    }
    let mut decimals = None;
    let (mut has_whole, mut has_address) = (false, false);
    for part in durations::parts(value) {
        let point = part.iter().position(|b| matches!(b, b'.' | b','));
        match (durations::plain_number(part), point) {
            (Some(_), Some(point)) => {
                let digits = part.len() - point - 1;
                decimals = Some(decimals.map_or(digits, |known: usize| known.min(digits)));
            }
            (Some(_), None) => has_whole = true,
            (None, _) if is_address(part) => has_address = true,
            (None, _) if part == b"-" => {}
            (None, _) => return Shape::Other,
        }
    }
    match (decimals, has_whole, has_address) {
        (None, false, true) => Shape::Address,
        (Some(digits), _, false) => Shape::Decimals(digits),
        (None, true, false) => Shape::Whole,
        (None, false, false) => Shape::Absent,
        _ => Shape::Other,
    }
}

/// Whether a number is the time of day, in seconds, milliseconds or microseconds since 1970.
fn is_clock(value: f64, time: i64) -> bool {
    [1.0, 1e3, 1e6]
        .iter()
        .any(|scale| (value / scale - time as f64).abs() < CLOCK_SECONDS)
}

#[cfg(test)]
mod tests;
