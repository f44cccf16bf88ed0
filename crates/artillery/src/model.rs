//! An Artillery file that has been read: values that cannot be wrong.

use std::time::Duration;

use serde_json::Value;

use crate::filtrex::Expression;
use crate::jsonpath::JsonPath;
use crate::template::Template;
use crate::text::Path;
use crate::yaml::Mark;

/// A whole file (or several merged).
#[derive(Debug, Clone)]
pub struct Script {
    /// `config`
    pub config: Config,
    /// `scenarios`; at least one.
    pub scenarios: Vec<Scenario>,
    /// `before`
    pub before: Option<Scenario>,
    /// `after`
    pub after: Option<Scenario>,
}

/// `config`
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// What paths are appended to.
    pub target: String,
    /// When virtual users arrive.
    pub phases: Vec<Phase>,
    /// Variables; of a list each user gets one item.
    pub variables: Vec<(String, Value)>,
    /// Files of rows.
    pub payloads: Vec<PayloadSpec>,
    /// The file with JavaScript functions.
    pub processor: Option<(String, Mark)>,
    /// How long an answer's head may take.
    pub timeout: Duration,
    /// Sockets that all users share; one each without it.
    pub pool: Option<usize>,
    /// Measures name look-up, connecting and the whole exchange too.
    pub extended_metrics: bool,
    /// Headers of each request, lower case.
    pub default_headers: Vec<(String, Template)>,
    /// Cookies each user has from the start.
    pub default_cookies: Option<Vec<(String, Template)>>,
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
    pub checks: Vec<Check>,
}

/// One thing that must hold at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
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
pub struct Phase {
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
pub struct PayloadSpec {
    /// The file, as written.
    pub path: String,
    /// Where it is written.
    pub mark: Mark,
    /// Names of columns.
    pub fields: Vec<String>,
    /// In which order rows are taken.
    pub order: Order,
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
pub enum Order {
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

/// `scenarios[]`
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Its name.
    pub name: Option<String>,
    /// Where it stands.
    pub mark: Mark,
    /// How often it is picked.
    pub weight: Template,
    /// How its flow is run.
    pub engine: Engine,
    /// Functions before the flow.
    pub before_scenario: Vec<String>,
    /// Functions after it.
    pub after_scenario: Vec<String>,
    /// Functions before each request.
    pub before_request: Vec<Template>,
    /// Functions after each response.
    pub after_response: Vec<Template>,
    /// Functions after an error.
    pub on_error: Vec<String>,
    /// What its users do.
    pub flow: Vec<Step>,
}

/// How a flow is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// HTTP requests.
    Http,
    /// One WebSocket connection.
    Ws,
}

/// `flow[]`
#[derive(Debug, Clone)]
pub enum Step {
    /// An HTTP request.
    Request(Box<Request>),
    /// A pause.
    Think(Think),
    /// A line on the console.
    Log(Template),
    /// A function of the processor.
    Function(String),
    /// Steps again and again.
    Loop(Box<Loop>),
    /// Steps at once.
    Parallel {
        /// The steps.
        steps: Vec<Step>,
        /// So many at once.
        limit: usize,
    },
    /// Only the first step of a WebSocket flow means anything.
    Connect(Connect),
    /// A WebSocket message to send, or to wait for.
    Message(Box<Message>),
}

/// `think`
#[derive(Debug, Clone)]
pub struct Think {
    /// How long.
    pub time: Template,
    /// Varies it.
    pub jitter: Option<String>,
}

/// `loop`
#[derive(Debug, Clone)]
pub struct Loop {
    /// What is repeated.
    pub steps: Vec<Step>,
    /// How often; `None` for ever.
    pub count: Option<Count>,
    /// What is gone through.
    pub over: Option<Over>,
    /// The function that says whether to go on.
    pub while_true: Option<String>,
    /// The variable with the number.
    pub value_name: String,
    /// The variable with the element.
    pub element_name: String,
}

/// How often a loop turns.
#[derive(Debug, Clone)]
pub enum Count {
    /// From, to (exclusive; -1 for ever).
    Fixed(f64, f64),
    /// A text to be rendered first.
    Templated(Template),
}

/// What a loop goes through.
#[derive(Debug, Clone)]
pub enum Over {
    /// These.
    Items(Vec<Value>),
    /// The list a variable holds.
    Variable(Path),
}

/// An HTTP request.
#[derive(Debug, Clone)]
pub struct Request {
    /// Where it stands.
    pub mark: Mark,
    /// GET, POST, ...
    pub method: String,
    /// Its name.
    pub name: Option<Template>,
    /// Where it goes; `None` fails the user.
    pub url: Option<Template>,
    /// The URL as written, base prepended, without templates filled in.
    pub url_written: String,
    /// Its headers, lower case.
    pub headers: Vec<(String, Template)>,
    /// What replaces the URL's query.
    pub query: Option<Template>,
    /// Cookies set before it is sent.
    pub cookies: Vec<(String, Template)>,
    /// Name and password.
    pub auth: Option<(Option<Template>, Option<Template>)>,
    /// Redirects are followed.
    pub follow: bool,
    /// Compressed answers are asked for and decoded.
    pub gzip: bool,
    /// Its body.
    pub body: Body,
    /// What is taken out of the answer.
    pub captures: Vec<Capture>,
    /// What the answer must hold.
    pub matches: Vec<Capture>,
    /// Expectations, for the plugin.
    pub expect: Vec<Expectation>,
    /// A condition.
    pub if_true: Option<IfTrue>,
    /// Percent.
    pub probability: Option<f64>,
    /// Functions before it.
    pub before_request: Vec<Template>,
    /// Functions after its response.
    pub after_response: Vec<Template>,
    /// What metrics by endpoint call it; `None` when it is not counted.
    pub endpoint: Option<String>,
    /// As written, for processors.
    pub spec: Value,
}

/// A request's body.
#[derive(Debug, Clone)]
pub enum Body {
    /// None.
    None,
    /// A value as JSON.
    Json(Template),
    /// A text.
    Text(Template),
    /// `application/x-www-form-urlencoded`
    Form(Vec<(String, Template)>),
    /// `multipart/form-data`
    Multipart(Vec<(String, FormField)>),
}

/// A part of a multipart body.
#[derive(Debug, Clone)]
pub enum FormField {
    /// A value, perhaps with a media type.
    Value(Template, Option<Template>),
    /// A file, its path templated, perhaps with a media type.
    File(Template, Option<Template>),
}

/// `capture[]`, `match[]`
#[derive(Debug, Clone)]
pub struct Capture {
    /// Where it looks.
    pub from: Extract,
    /// The variable it sets.
    pub into: Option<Path>,
    /// What it must be.
    pub value: Option<Template>,
    /// Whether finding nothing fails the user.
    pub strict: Option<bool>,
    /// All of several values as a list (`multiple: false`).
    pub all: bool,
}

/// Where a capture looks.
#[derive(Debug, Clone)]
pub enum Extract {
    /// JSONPath.
    Json(Dynamic<JsonPath>),
    /// A regular expression with the group wanted.
    Regexp(Dynamic<regress::Regex>, Option<Group>, String),
    /// A header, by its name in lower case as written.
    Header(Template),
    /// A CSS selector, the attribute, which of several.
    Selector(Template, String, Index),
}

/// Something that is read once, or each time when it has templates in it.
#[derive(Debug, Clone)]
pub enum Dynamic<T> {
    /// Read.
    Ready(T),
    /// To be rendered and read.
    Templated(Template),
}

/// A group of a regular expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Group {
    /// By number.
    Number(usize),
    /// By name.
    Name(String),
}

/// Which of several elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// This one, from 0.
    At(usize),
    /// The last one.
    Last,
    /// Any one.
    Random,
}

/// `expect[]`
#[derive(Debug, Clone)]
pub enum Expectation {
    /// Any of these.
    StatusCode(Template),
    /// None of these.
    NotStatusCode(Template),
    /// The media type.
    ContentType(Template),
    /// A path in the body.
    HasProperty(Template),
    /// No such path.
    NotHasProperty(Template),
    /// All are the same text.
    Equals(Vec<Template>),
    /// A header.
    HasHeader(Template),
    /// A header and its value.
    HeaderEquals(Template),
    /// The body matches.
    MatchesRegexp(Template),
    /// A cache hit, or none.
    CdnHit(bool),
}

/// `ifTrue`
#[derive(Debug, Clone)]
pub struct IfTrue {
    /// As written: perhaps the name of a function.
    pub written: String,
    /// Read as an expression; without it the condition holds.
    pub expression: Option<Expression>,
}

/// `connect`
#[derive(Debug, Clone, Default)]
pub struct Connect {
    /// Where to; the file's target without it.
    pub target: Option<Template>,
    /// Headers of the handshake.
    pub headers: Option<Vec<(String, String)>>,
    /// Protocols offered.
    pub subprotocols: Option<Vec<String>>,
    /// The function that says where to.
    pub function: Option<String>,
}

/// `send`, `wait`
#[derive(Debug, Clone)]
pub struct Message {
    /// What is sent.
    pub payload: Option<Template>,
    /// What is taken out of the next message.
    pub captures: Vec<Capture>,
    /// What it must hold.
    pub matches: Vec<Capture>,
    /// Whether a message is waited for.
    pub waits: bool,
}
