//! An Artillery file that has been read: values that cannot be wrong.

mod scenario;

use std::time::Duration;

use serde_json::Value;

use crate::template::TemplateValue;
use crate::yaml::Mark;

pub use scenario::{
    Capture, Connect, ElementIndex, EngineKind, Expectation, Extract, FlowStep, FormField,
    HttpRequest, IfTrue, Loop, LoopCount, LoopSource, MaybeTemplate, RegexGroup, RequestBody,
    ScenarioSpec, Think, WsMessage,
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
    /// What paths are appended to.
    pub target: String,
    /// When virtual users arrive.
    pub phases: Vec<PhaseConfig>,
    /// Variables; of a list each user gets one item.
    pub variables: Vec<(String, Value)>,
    /// Files of rows.
    pub payloads: Vec<PayloadConfig>,
    /// The file with JavaScript functions.
    pub processor: Option<(String, Mark)>,
    /// How long an answer's head may take.
    pub timeout: Duration,
    /// `config.timeout` was written: it holds for WebSocket messages too.
    pub timeout_written: bool,
    /// Sockets that all users share; one each without it.
    pub pool: Option<usize>,
    /// Measures name look-up, connecting and the whole exchange too.
    pub extended_metrics: bool,
    /// Headers of each request, lower case.
    pub default_headers: Vec<(String, TemplateValue)>,
    /// Cookies each user has from the start.
    pub default_cookies: Option<Vec<(String, TemplateValue)>>,
    /// What is not found by a capture fails the user.
    pub strict_capture: bool,
    /// Varies think times.
    pub think_jitter: Option<String>,
    /// `traceparent` headers.
    pub tracing: Option<Tracing>,
    /// Certificates are not checked.
    pub insecure: bool,
    /// `plugins.expect`
    pub expect: Option<ExpectPlugin>,
    /// `ensure`
    pub ensure: Option<Ensure>,
    /// `plugins.metrics-by-endpoint`, on unless said otherwise.
    pub by_endpoint: ByEndpoint,
    /// Milliseconds that satisfy; `None` without the plugin.
    pub apdex: Option<f64>,
    /// Plugins whose metrics are not shown on the console.
    pub suppressed: Vec<String>,
    /// `ws`
    pub ws: WsConfig,
}

impl Config {
    /// How long an awaited WebSocket message may take.
    #[must_use]
    pub fn ws_timeout(&self) -> Duration {
        let default = Duration::from_secs(10);
        if self.timeout_written {
            return self.timeout;
        }
        self.ws.timeout.unwrap_or(default)
    }
}

/// `http.distributedTracing`
#[derive(Debug, Clone)]
pub struct Tracing {
    /// The flag of the header.
    pub sampled: bool,
    /// What trace ids begin with.
    pub prefix: String,
}

/// `plugins.expect`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectPlugin {
    /// What is printed.
    pub format: ExpectFormat,
    /// A failed expectation fails the user.
    pub failures_are_errors: bool,
    /// Errors name the request, not its URL.
    pub only_names: bool,
    /// Requests without expectations expect 200.
    pub default_200: bool,
}

/// What the expect plugin prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectFormat {
    /// Everything.
    Pretty,
    /// A line of JSON for each request.
    Json,
    /// What fails.
    PrettyError,
    /// Nothing.
    Silent,
}

/// `ensure`
#[derive(Debug, Clone, Default)]
pub struct Ensure {
    /// Expression, whether it must hold, how it is shown.
    pub checks: Vec<EnsureCheck>,
}

/// One thing that must hold at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnsureCheck {
    /// The condition.
    pub expression: String,
    /// How it is shown.
    pub shown: String,
    /// Whether the run fails without it.
    pub strict: bool,
}

/// `plugins.metrics-by-endpoint`
#[derive(Debug, Clone)]
pub struct ByEndpoint {
    /// Names instead of paths.
    pub only_names: bool,
    /// Without what follows `?`.
    pub strip_query: bool,
    /// Only requests with a name.
    pub ignore_unnamed: bool,
    /// What metrics' names begin with.
    pub namespace: String,
    /// The URL as written, templates included.
    pub group_dynamic: bool,
}

/// `ws`
#[derive(Debug, Clone, Default)]
pub struct WsConfig {
    /// Protocols offered.
    pub subprotocols: Vec<String>,
    /// Headers of the handshake.
    pub headers: Vec<(String, String)>,
    /// How long an awaited message may take.
    pub timeout: Option<Duration>,
}

/// `phases[]`
#[derive(Debug, Clone, PartialEq)]
pub struct PhaseConfig {
    /// Its name.
    pub name: Option<String>,
    /// How long it is.
    pub length: Duration,
    /// How its length was written.
    pub written: String,
    /// When users arrive.
    pub arrivals: PhaseArrivals,
    /// Users at once at most.
    pub most: Option<u64>,
}

/// When users arrive in a phase.
#[derive(Debug, Clone, PartialEq)]
pub enum PhaseArrivals {
    /// Nobody.
    Pause,
    /// So many, spread evenly.
    Count(u64),
    /// At a rate per second.
    Rate {
        /// Per second.
        rate: f64,
        /// At random times instead of evenly.
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
    /// Where it is written.
    pub mark: Mark,
    /// Names of columns.
    pub fields: Vec<String>,
    /// In which order rows are taken.
    pub order: RowOrder,
    /// What happens when unique rows run out.
    pub on_exhausted: OnExhausted,
    /// How the file is read.
    pub csv: CsvOptions,
    /// All rows under one name.
    pub load_all: Option<String>,
    /// Whether `order` was written.
    pub order_written: bool,
}

/// In which order rows are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowOrder {
    /// Any row each time.
    Random,
    /// One after the other, then again.
    Sequence,
    /// One after the other, each once.
    Unique,
}

/// What happens when unique rows run out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnExhausted {
    /// The run ends in good order.
    Stop,
    /// They begin again.
    Wrap,
    /// The user fails.
    Fail,
}

/// How rows are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsvOptions {
    /// What sets values apart.
    pub delimiter: String,
    /// Numbers become numbers.
    pub cast: bool,
    /// Empty lines are passed over.
    pub skip_empty: bool,
    /// The first line is no row.
    pub skip_header: bool,
    /// The quote character.
    pub quote: char,
    /// Blanks around values are dropped.
    pub trim: bool,
    /// Lines that begin so are passed over.
    pub comment: Option<String>,
    /// Rows may have fewer or more values than the first.
    pub relax_columns: bool,
}
