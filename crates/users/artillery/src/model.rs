//! A validated Artillery file.

mod publish;
mod scenario;

use std::time::Duration;

use serde_json::Value;

use crate::template::TemplateValue;
use crate::yaml::Mark;

pub use publish::{OpenTelemetryTarget, PublishEvent, PublishTarget, SlackTarget, StatsdTarget};
pub use scenario::{
    Capture, Connect, ElementIndex, EmitAnswer, EmitStep, EngineKind, Expectation, Extract,
    FlowStep, FormField, HttpRequest, IfTrueCondition, Loop, LoopCount, LoopSource, MaybeTemplate,
    RegexGroup, RequestBody, ScenarioSpec, Think, WsMessage,
};

/// A whole file (or several merged).
#[derive(Debug, Clone)]
pub struct Script {
    /// `config`
    pub config: Config,
    /// `scenarios`; at least one.
    pub scenarios: Vec<ScenarioSpec>,
    /// `before`
    pub before: Option<ScenarioSpec>,
    /// `after`
    pub after: Option<ScenarioSpec>,
}

/// `config`
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The base of request URLs.
    pub target: String,
    /// When virtual users arrive.
    pub phases: Vec<PhaseConfig>,
    /// Variables. If a variable has a list, each user gets one of its items.
    pub variables: Vec<(String, Value)>,
    /// The dates among them: where each is, and its text.
    pub dates: Vec<(String, String)>,
    /// Files of rows.
    pub payloads: Vec<PayloadConfig>,
    /// The file with JavaScript functions.
    pub processor: Option<(String, Mark)>,
    /// How long an answer's head may take.
    pub timeout: Duration,
    /// Whether `config.timeout` is set. If so, it also limits the wait for WebSocket messages.
    pub timeout_written: bool,
    /// The number of sockets that all users share; without it each user has one.
    pub pool: Option<usize>,
    /// Also measure name look-up, connecting and the whole exchange.
    pub extended_metrics: bool,
    /// Headers of each request, in lower case.
    pub default_headers: Vec<(String, TemplateValue)>,
    /// Cookies that each user has from the start.
    pub default_cookies: Option<Vec<(String, TemplateValue)>>,
    /// A capture that finds nothing fails the user.
    pub strict_capture: bool,
    /// Jitter of think times.
    pub think_jitter: Option<String>,
    /// `traceparent` headers.
    pub tracing: Option<Tracing>,
    /// Certificates are not verified.
    pub insecure: bool,
    /// The own certificate, and who is trusted.
    pub tls: TlsConfig,
    /// `plugins.expect`
    pub expect: Option<ExpectPlugin>,
    /// `ensure`
    pub ensure: Option<Ensure>,
    /// `plugins.metrics-by-endpoint`; on by default.
    pub by_endpoint: MetricsByEndpoint,
    /// The limit of a satisfying response in milliseconds; `None` without the plugin.
    pub apdex: Option<f64>,
    /// Plugins whose metrics are not shown on the console.
    pub suppressed: Vec<String>,
    /// `plugins.publish-metrics`
    pub publish: Vec<PublishTarget>,
    /// `plugins.slack`
    pub slack: Option<SlackTarget>,
    /// `ws`
    pub ws: WsConfig,
    /// `socketio`, and that of all scenarios over it.
    pub socket_io: Option<TemplateValue>,
}

impl Config {
    /// How long to wait for a WebSocket message.
    #[must_use]
    pub fn ws_timeout(&self) -> Duration {
        let default = Duration::from_secs(10);
        if self.timeout_written {
            return self.timeout;
        }
        self.ws.timeout.unwrap_or(default)
    }
}

/// `tls`, as PEM texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TlsConfig {
    /// The certificates of authorities that are trusted in place of the system's.
    pub authorities: Option<String>,
    /// The client's certificate and its key.
    pub identity: Option<(String, String)>,
    /// The key's password.
    pub passphrase: Option<String>,
}

/// `http.distributedTracing`
#[derive(Debug, Clone)]
pub struct Tracing {
    /// The flag of the header.
    pub sampled: bool,
    /// The prefix of trace ids.
    pub prefix: String,
}

/// `plugins.expect`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectPlugin {
    /// What is printed.
    pub format: ExpectFormat,
    /// A failed expectation fails the user.
    pub failures_are_errors: bool,
    /// Errors show the request's name, not its URL.
    pub only_names: bool,
    /// Requests without expectations expect 200.
    pub default_200: bool,
}

/// What the expect plugin prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectFormat {
    /// Everything.
    Pretty,
    /// One line of JSON per request.
    Json,
    /// Failures only.
    PrettyError,
    /// Nothing.
    Silent,
}

/// `ensure`
#[derive(Debug, Clone, Default)]
pub struct Ensure {
    /// The checks.
    pub checks: Vec<EnsureCheck>,
}

/// A condition on the results of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnsureCheck {
    /// The condition.
    pub expression: String,
    /// How it is shown.
    pub shown: String,
    /// Whether the run fails if it does not hold.
    pub strict: bool,
}

/// `plugins.metrics-by-endpoint`
#[derive(Debug, Clone)]
pub struct MetricsByEndpoint {
    /// Use names instead of paths.
    pub only_names: bool,
    /// Remove the query.
    pub strip_query: bool,
    /// Count only requests with a name.
    pub ignore_unnamed: bool,
    /// The prefix of the metrics' names.
    pub namespace: String,
    /// Use the URL as written, with its templates.
    pub group_dynamic: bool,
}

/// `ws`
#[derive(Debug, Clone, Default)]
pub struct WsConfig {
    /// Protocols offered.
    pub subprotocols: Vec<String>,
    /// Headers of the handshake.
    pub headers: Vec<(String, String)>,
    /// How long to wait for a message.
    pub timeout: Option<Duration>,
    /// The proxy's URL.
    pub proxy: Option<String>,
}

/// `phases[]`
#[derive(Debug, Clone, PartialEq)]
pub struct PhaseConfig {
    /// Its name.
    pub name: Option<String>,
    /// Its length.
    pub length: Duration,
    /// Its length as written.
    pub written: String,
    /// When users arrive.
    pub arrivals: PhaseArrivals,
    /// The highest number of simultaneous users.
    pub most: Option<u64>,
}

/// When users arrive in a phase.
#[derive(Debug, Clone, PartialEq)]
pub enum PhaseArrivals {
    /// No users arrive.
    Pause,
    /// This many users, evenly spread.
    Count(u64),
    /// At a rate per second.
    Rate {
        /// Per second.
        rate: f64,
        /// At random times instead of evenly spaced.
        poisson: bool,
    },
    /// From one rate to another.
    Ramp {
        /// Per second at the beginning.
        from: f64,
        /// Per second at the end.
        to: f64,
    },
}

/// `payload[]`
#[derive(Debug, Clone)]
pub struct PayloadConfig {
    /// The file, as written.
    pub path: String,
    /// Where it is in the file.
    pub mark: Mark,
    /// Names of columns.
    pub fields: Vec<String>,
    /// In which order rows are taken.
    pub order: RowOrder,
    /// The row to begin with, from 1, for orders that count.
    pub from: u64,
    /// What happens when unique rows run out.
    pub on_exhausted: ExhaustionPolicy,
    /// How the file is read.
    pub csv: CsvOptions,
    /// Put all rows into one variable with this name.
    pub load_all: Option<String>,
    /// Whether `order` was written.
    pub order_written: bool,
}

/// In which order rows are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowOrder {
    /// A random row each time.
    Random,
    /// One after the other, repeatedly.
    Sequence,
    /// One after the other, each once.
    Unique,
}

/// What happens when unique rows run out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExhaustionPolicy {
    /// The run ends normally.
    Stop,
    /// Rows start over.
    Wrap,
    /// The user fails.
    Fail,
}

/// How a file of rows is parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsvOptions {
    /// The delimiter of values.
    pub delimiter: String,
    /// Numbers are converted.
    pub cast: bool,
    /// Empty lines are skipped.
    pub skip_empty: bool,
    /// The first line is a header.
    pub skip_header: bool,
    /// The quote character.
    pub quote: char,
    /// Blanks around values are removed.
    pub trim: bool,
    /// Lines that begin with this are skipped.
    pub comment: Option<String>,
    /// Rows may differ in their number of values.
    pub relax_columns: bool,
    /// Quotes may stand anywhere in a value.
    pub relax_quotes: bool,
}
