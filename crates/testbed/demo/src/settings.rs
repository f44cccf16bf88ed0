//! What can be switched while the target runs.
//!
//! `PUT /settings` names what changes and leaves the rest: [`DemoSettings::changed_by`]
//! merges that JSON into the current settings, then checks every range and reports
//! all mistakes at once. Defaults are chosen so that the law of each endpoint gives
//! a round number.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::time::Duration;

use crate::millis;

/// Everything that can be switched, one section per fault.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct DemoSettings {
    /// The one connection pool of the pretended database.
    pub pool: PoolSettings,
    /// `/pooled`
    pub pooled: PooledSettings,
    /// `/cpu`
    pub cpu: CpuSettings,
    /// `/deers`
    pub deers: DeerSettings,
    /// `/contents/{id}` and its places
    pub contents: ContentSettings,
    /// `/apps/first-page`
    pub first_page: FirstPageSettings,
    /// `/waiting-room`
    pub waiting_room: WaitingRoomSettings,
    /// What a trace costs.
    pub tracing: TracingSettings,
    /// Failures on every endpoint under load.
    pub faults: FaultSettings,
}

/// A pool of `max` connections. Its law: completed requests per second <= max / hold time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct PoolSettings {
    /// Connections, 1 to 10,000.
    pub max: usize,
    /// How long a request waits for a connection before it is answered 503.
    #[serde(rename = "acquire_timeout_ms", with = "millis")]
    pub acquire_timeout: Duration,
}

/// Where the call to another server is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CallPlacement {
    /// While the connection is held: the hold time contains the call.
    Inside,
    /// Before a connection is taken.
    Outside,
}

/// A query on a connection and a slow call to another server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct PooledSettings {
    /// Time of the query, always on the connection.
    #[serde(rename = "query_ms", with = "millis")]
    pub query: Duration,
    /// Time of the call to the other server.
    #[serde(rename = "downstream_ms", with = "millis")]
    pub downstream: Duration,
    /// Where that call is made.
    pub call: CallPlacement,
}

/// Work on a bounded set of threads. Its law: completed requests per second <= threads / work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct CpuSettings {
    /// CPU time per request.
    #[serde(rename = "work_ms", with = "millis")]
    pub work: Duration,
    /// Threads that work at the same time, 1 to 64.
    pub threads: usize,
    /// Requests that may wait for a thread; one more is answered 503.
    pub waiting_max: usize,
}

/// The chained pair `POST /deers`, `GET /deers`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct DeerSettings {
    /// Time of the query, always on the connection.
    #[serde(rename = "query_ms", with = "millis")]
    pub query: Duration,
    /// Time of the call to the other server that `POST /deers` makes.
    #[serde(rename = "downstream_ms", with = "millis")]
    pub downstream: Duration,
    /// Where that call is made.
    pub call: CallPlacement,
    /// Deers kept in memory, 1 to 10,000,000; one more is answered 503.
    pub kept_max: usize,
}

/// The two reads of a content and its places.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ContentSettings {
    /// Time of the query, on the connection.
    #[serde(rename = "query_ms", with = "millis")]
    pub query: Duration,
}

/// Four queries, one after the other, on one connection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct FirstPageSettings {
    /// Time of the query for the best rated apps.
    #[serde(rename = "rating_ms", with = "millis")]
    pub rating: Duration,
    /// Time of the query for the most downloaded apps.
    #[serde(rename = "downloads_ms", with = "millis")]
    pub downloads: Duration,
    /// Time of the query for the newest apps.
    #[serde(rename = "newest_ms", with = "millis")]
    pub newest: Duration,
    /// Time of the query for the recently updated apps.
    #[serde(rename = "updated_ms", with = "millis")]
    pub updated: Duration,
}

/// A small waiting room: tickets in order of arrival, let in at a steady rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct WaitingRoomSettings {
    /// Time that a join holds a connection.
    #[serde(rename = "join_ms", with = "millis")]
    pub join: Duration,
    /// Tickets let in per second, 0 (nobody) to 1,000,000.
    pub admitted_per_second: u32,
}

/// What requests cost more that ask for a trace: whose `traceparent` says that they are sampled.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct TracingSettings {
    /// CPU time of each.
    #[serde(rename = "cpu_ms", with = "millis")]
    pub cpu: Duration,
}

/// Failures on every endpoint under load.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct FaultSettings {
    /// Share of requests answered 500, in percent.
    pub error_percent: f64,
    /// Share of requests answered 200 with an error in the body, in percent.
    pub error_in_200_percent: f64,
    /// Time added to every answer.
    #[serde(rename = "latency_ms", with = "millis")]
    pub latency: Duration,
    /// Answers that go wrong after a while; `null` for none.
    pub break_body: Option<BreakBody>,
}

/// Successful answers whose body is broken, as after a change that went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct BreakBody {
    /// Answers that stay whole, counted from when the faults were last changed.
    pub after: u64,
    /// What is wrong with the later ones.
    #[serde(default)]
    pub how: BodyFault,
}

/// What is wrong with a broken body. Status and headers always say success.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BodyFault {
    /// `{}`: valid JSON, nothing in it.
    #[default]
    Empty,
    /// The first half, announced as the whole: not valid JSON.
    Cut,
    /// The whole is announced; the connection closes after half of it.
    Close,
}

impl Default for PoolSettings {
    fn default() -> Self {
        Self {
            max: 10,
            acquire_timeout: Duration::from_secs(3),
        }
    }
}

impl Default for PooledSettings {
    fn default() -> Self {
        Self {
            query: Duration::from_millis(10),
            downstream: Duration::from_millis(500),
            call: CallPlacement::Inside,
        }
    }
}

impl Default for CpuSettings {
    fn default() -> Self {
        Self {
            work: Duration::from_millis(10),
            threads: 1,
            waiting_max: 1_000,
        }
    }
}

impl Default for DeerSettings {
    fn default() -> Self {
        Self {
            query: Duration::from_millis(10),
            downstream: Duration::ZERO,
            call: CallPlacement::Inside,
            kept_max: 1_000_000,
        }
    }
}

impl Default for ContentSettings {
    fn default() -> Self {
        Self {
            query: Duration::from_millis(10),
        }
    }
}

impl Default for FirstPageSettings {
    fn default() -> Self {
        Self {
            rating: Duration::from_millis(120),
            downloads: Duration::from_millis(100),
            newest: Duration::from_millis(15),
            updated: Duration::from_millis(15),
        }
    }
}

impl Default for WaitingRoomSettings {
    fn default() -> Self {
        Self {
            join: Duration::from_millis(5),
            admitted_per_second: 100,
        }
    }
}

/// One value outside its range.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mistake {
    /// The member, as a path: `pool.max`.
    pub place: &'static str,
    /// What is wrong with its value.
    pub what: String,
}

impl Mistake {
    /// All mistakes in one line.
    pub(crate) fn list(mistakes: &[Self]) -> String {
        let each: Vec<_> = mistakes
            .iter()
            .map(|m| format!("{}: {}", m.place, m.what))
            .collect();
        each.join("; ")
    }
}

/// Why a change of settings was refused; nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The JSON has another shape than the settings.
    #[error("{place}: {what}")]
    Shape {
        /// The member, as a path.
        place: String,
        /// What was found and what was expected.
        what: String,
    },
    /// Values outside their range, all of them.
    #[error("{}", Mistake::list(.0))]
    Range(Vec<Mistake>),
}

const TIME_MAX: Duration = Duration::from_secs(60);

impl DemoSettings {
    /// These settings with the members that `change` names replaced.
    ///
    /// `change` is a JSON object shaped like the settings; what it leaves out stays.
    ///
    /// # Errors
    /// [`SettingsError`]; a member that does not exist is an error too.
    ///
    /// # Panics
    /// Never: settings have only string keys, so they can always be written as JSON.
    pub fn changed_by(&self, change: &Value) -> Result<Self, SettingsError> {
        if !change.is_object() {
            return Err(SettingsError::Shape {
                place: "settings".into(),
                what: r#"not a JSON object such as {"pool": {"max": 30}}"#.into(),
            });
        }
        let mut merged = serde_json::to_value(self).expect("settings have string keys only");
        merge(&mut merged, change);
        let settings: Self = serde_path_to_error::deserialize(merged).map_err(|error| {
            let place = match error.path().to_string().as_str() {
                "." => "settings".to_owned(),
                path => path.to_owned(),
            };
            SettingsError::Shape {
                place,
                what: in_plain_words(&error.into_inner().to_string()),
            }
        })?;
        let mistakes = settings.mistakes();
        if mistakes.is_empty() {
            Ok(settings)
        } else {
            Err(SettingsError::Range(mistakes))
        }
    }

    /// Every value outside its range.
    pub(crate) fn mistakes(&self) -> Vec<Mistake> {
        let Self {
            pool,
            pooled,
            cpu,
            deers,
            contents,
            first_page,
            waiting_room,
            tracing,
            faults,
        } = self;
        let mut found = Vec::new();
        let second = Duration::from_millis(1)..=TIME_MAX;
        within(&mut found, "pool.max", pool.max, 1..=10_000);
        time(
            &mut found,
            "pool.acquire_timeout_ms",
            pool.acquire_timeout,
            second.clone(),
        );
        time(&mut found, "cpu.work_ms", cpu.work, second);
        within(&mut found, "cpu.threads", cpu.threads, 1..=64);
        within(&mut found, "cpu.waiting_max", cpu.waiting_max, 0..=100_000);
        within(&mut found, "deers.kept_max", deers.kept_max, 1..=10_000_000);
        let admitted = waiting_room.admitted_per_second;
        within(
            &mut found,
            "waiting_room.admitted_per_second",
            admitted,
            0..=1_000_000,
        );
        for (place, value) in [
            ("pooled.query_ms", pooled.query),
            ("pooled.downstream_ms", pooled.downstream),
            ("deers.query_ms", deers.query),
            ("deers.downstream_ms", deers.downstream),
            ("contents.query_ms", contents.query),
            ("first_page.rating_ms", first_page.rating),
            ("first_page.downloads_ms", first_page.downloads),
            ("first_page.newest_ms", first_page.newest),
            ("first_page.updated_ms", first_page.updated),
            ("waiting_room.join_ms", waiting_room.join),
            ("tracing.cpu_ms", tracing.cpu),
            ("faults.latency_ms", faults.latency),
        ] {
            time(&mut found, place, value, Duration::ZERO..=TIME_MAX);
        }
        within(
            &mut found,
            "faults.error_percent",
            faults.error_percent,
            0.0..=100.0,
        );
        let in_200 = faults.error_in_200_percent;
        within(
            &mut found,
            "faults.error_in_200_percent",
            in_200,
            0.0..=100.0,
        );
        found
    }
}

fn within<T: PartialOrd + Display>(
    found: &mut Vec<Mistake>,
    place: &'static str,
    value: T,
    range: RangeInclusive<T>,
) {
    if !range.contains(&value) {
        let what = format!("{value} is outside {} to {}", range.start(), range.end());
        found.push(Mistake { place, what });
    }
}

fn time(
    found: &mut Vec<Mistake>,
    place: &'static str,
    value: Duration,
    range: RangeInclusive<Duration>,
) {
    let whole = range.start().as_millis()..=range.end().as_millis();
    within(found, place, value.as_millis(), whole);
}

/// Serde's words for a wrong value, without Rust's names for numbers.
fn in_plain_words(text: &str) -> String {
    let whole = "expected a whole number, 0 or more";
    text.replace("expected usize", whole)
        .replace("expected u64", whole)
        .replace("expected u32", whole)
        .replace("expected f64", "expected a number")
}

/// Writes the members of `change` over those of `base`, going into objects that both have.
fn merge(base: &mut Value, change: &Value) {
    match (base, change) {
        (Value::Object(base), Value::Object(change)) => {
            for (name, value) in change {
                merge(base.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
        (base, change) => *base = change.clone(),
    }
}

#[cfg(test)]
mod tests;
