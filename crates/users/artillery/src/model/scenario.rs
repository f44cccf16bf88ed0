//! Scenarios: the steps that users run.

use serde_json::Value;

use crate::filtrex::FiltrexExpression;
use crate::jsonpath::JsonPath;
use crate::template::TemplateValue;
use crate::text::Path;
use crate::yaml::Mark;

/// `scenarios[]`
#[derive(Debug, Clone)]
pub struct ScenarioSpec {
    /// Its name.
    pub name: Option<String>,
    /// Where it is in the file.
    pub mark: Mark,
    /// Its weight in the random choice of scenarios.
    pub weight: TemplateValue,
    /// How its flow is run.
    pub engine: EngineKind,
    /// Functions before the flow.
    pub before_scenario: Vec<String>,
    /// Functions after it.
    pub after_scenario: Vec<String>,
    /// Functions before each request.
    pub before_request: Vec<TemplateValue>,
    /// Functions after each response.
    pub after_response: Vec<TemplateValue>,
    /// Functions after an error.
    pub on_error: Vec<String>,
    /// The steps.
    pub flow: Vec<FlowStep>,
}

/// How a flow is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineKind {
    /// HTTP requests.
    Http,
    /// One WebSocket connection.
    Ws,
    /// Events over Socket.IO; other steps are HTTP's.
    SocketIo,
}

/// `flow[]`
#[derive(Debug, Clone)]
pub enum FlowStep {
    /// An HTTP request.
    Request(Box<HttpRequest>),
    /// A pause.
    Think(Think),
    /// A line on the console.
    Log(TemplateValue),
    /// A function of the processor.
    Function(String),
    /// Repeated steps.
    Loop(Box<Loop>),
    /// Steps that run in parallel.
    Parallel {
        /// The steps.
        steps: Vec<FlowStep>,
        /// How many at once.
        limit: usize,
    },
    /// Only effective as the first step of a WebSocket flow.
    Connect(Connect),
    /// Sends a WebSocket message or waits for one.
    Message(Box<WsMessage>),
    /// Sends an event over Socket.IO.
    Emit(Box<EmitStep>),
    /// A step that a WebSocket flow does not know; it fails the user.
    Foreign,
}

/// `think`
#[derive(Debug, Clone)]
pub struct Think {
    /// The time as written.
    pub time: TemplateValue,
    /// The jitter.
    pub jitter: Option<String>,
}

/// `loop`
#[derive(Debug, Clone)]
pub struct Loop {
    /// The repeated steps.
    pub steps: Vec<FlowStep>,
    /// How often; `None` for endless.
    pub count: Option<LoopCount>,
    /// The elements to loop over.
    pub over: Option<LoopSource>,
    /// The function that decides whether to continue.
    pub while_true: Option<String>,
    /// The variable for the number of the turn.
    pub value_name: String,
    /// The variable for the element.
    pub element_name: String,
}

/// How often a loop repeats.
#[derive(Debug, Clone)]
pub enum LoopCount {
    /// From, to (exclusive; -1 for endless).
    Fixed(f64, f64),
    /// A text that is rendered first.
    Templated(TemplateValue),
}

/// The elements of a loop.
#[derive(Debug, Clone)]
pub enum LoopSource {
    /// These values.
    Items(Vec<Value>),
    /// The list in a variable.
    Variable(Path),
}

/// An HTTP request.
#[derive(Debug, Clone)]
pub struct HttpRequest {
    /// Where it is in the file.
    pub mark: Mark,
    /// GET, POST, ...
    pub method: String,
    /// Its name.
    pub name: Option<TemplateValue>,
    /// Its URL; `None` fails the user.
    pub url: Option<TemplateValue>,
    /// The URL as written, with the base and without rendering its templates.
    pub url_written: String,
    /// Its headers, in lower case.
    pub headers: Vec<(String, TemplateValue)>,
    /// Replaces the query of the URL.
    pub query: Option<TemplateValue>,
    /// Cookies set before it is sent.
    pub cookies: Vec<(String, TemplateValue)>,
    /// Name and password.
    pub auth: Option<(Option<TemplateValue>, Option<TemplateValue>)>,
    /// Whether redirects are followed.
    pub follow: bool,
    /// Whether compressed answers are requested and decoded.
    pub gzip: bool,
    /// Its body.
    pub body: RequestBody,
    /// The captures from the answer.
    pub captures: Vec<Capture>,
    /// The matches that the answer must satisfy.
    pub matches: Vec<Capture>,
    /// The checks of the `expect` plugin.
    pub expect: Vec<Expectation>,
    /// The condition under which it is sent.
    pub if_true: Option<IfTrueCondition>,
    /// The probability in percent with which it is sent.
    pub probability: Option<f64>,
    /// Functions before it.
    pub before_request: Vec<TemplateValue>,
    /// Functions after its response.
    pub after_response: Vec<TemplateValue>,
    /// Its name in metrics by endpoint; `None` if it is not counted.
    pub endpoint: Option<String>,
    /// As written, for processors.
    pub spec: Value,
}

/// A request's body.
#[derive(Debug, Clone)]
pub enum RequestBody {
    /// None.
    None,
    /// A value as JSON.
    Json(TemplateValue),
    /// A text.
    Text(TemplateValue),
    /// `application/x-www-form-urlencoded`
    Form(Vec<(String, TemplateValue)>),
    /// `multipart/form-data`
    Multipart(Vec<(String, FormField)>),
}

/// A part of a multipart body.
#[derive(Debug, Clone)]
pub enum FormField {
    /// A value, with an optional media type.
    Value(TemplateValue, Option<TemplateValue>),
    /// A file with a templated path and an optional media type.
    File(TemplateValue, Option<TemplateValue>),
}

/// `capture[]`, `match[]`
#[derive(Debug, Clone)]
pub struct Capture {
    /// What it is taken from.
    pub from: Extract,
    /// The variable that it sets.
    pub into: Option<Path>,
    /// The value that it must have.
    pub value: Option<TemplateValue>,
    /// Whether the user fails if nothing is found.
    pub strict: Option<bool>,
    /// Return all values as a list (`multiple: false`).
    pub all: bool,
}

/// What a capture is taken from.
#[derive(Debug, Clone)]
pub enum Extract {
    /// JSONPath.
    Json(MaybeTemplate<JsonPath>),
    /// A regular expression, the wanted group, and the flags.
    Regexp(MaybeTemplate<regress::Regex>, Option<RegexGroup>, String),
    /// A header; its name is in lower case.
    Header(TemplateValue),
    /// A CSS selector, the attribute, and which of several elements.
    Selector(TemplateValue, String, ElementIndex),
}

/// Something that is parsed once, or on each use if it contains templates.
#[derive(Debug, Clone)]
pub enum MaybeTemplate<T> {
    /// Parsed.
    Ready(T),
    /// Rendered and parsed on each use.
    Templated(TemplateValue),
}

/// A group of a regular expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegexGroup {
    /// By number.
    Number(usize),
    /// By name.
    Name(String),
}

/// Which of several elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementIndex {
    /// The one at this index, from 0.
    At(usize),
    /// The last one.
    Last,
    /// A random one.
    Random,
}

/// `expect[]`
#[derive(Debug, Clone)]
pub enum Expectation {
    /// One of these codes.
    StatusCode(TemplateValue),
    /// None of these codes.
    NotStatusCode(TemplateValue),
    /// The media type.
    ContentType(TemplateValue),
    /// The path exists in the body.
    HasProperty(TemplateValue),
    /// The path does not exist in the body.
    NotHasProperty(TemplateValue),
    /// All texts are equal.
    Equals(Vec<TemplateValue>),
    /// The header exists.
    HasHeader(TemplateValue),
    /// The header has this value.
    HeaderEquals(TemplateValue),
    /// The body matches this expression.
    MatchesRegexp(TemplateValue),
    /// Whether the CDN's cache was hit.
    CdnHit(bool),
}

/// `ifTrue`
#[derive(Debug, Clone)]
pub struct IfTrueCondition {
    /// As written; it may be the name of a function.
    pub written: String,
    /// The parsed expression; if there is none, the condition holds.
    pub expression: Option<FiltrexExpression>,
}

/// `connect`
#[derive(Debug, Clone, Default)]
pub struct Connect {
    /// The URL; the file's target by default.
    pub target: Option<TemplateValue>,
    /// Headers of the handshake.
    pub headers: Option<Vec<(String, String)>>,
    /// The offered protocols.
    pub subprotocols: Option<Vec<String>>,
    /// The function that gives the URL.
    pub function: Option<String>,
    /// The proxy's URL.
    pub proxy: Option<String>,
}

/// `send`, `wait`
#[derive(Debug, Clone)]
pub struct WsMessage {
    /// The payload to send.
    pub payload: Option<TemplateValue>,
    /// The captures from the next message.
    pub captures: Vec<Capture>,
    /// The matches that it must satisfy.
    pub matches: Vec<Capture>,
    /// Whether to wait for a message.
    pub waits: bool,
}

/// `emit`
#[derive(Debug, Clone)]
pub struct EmitStep {
    /// The namespace; the target's own by default.
    pub namespace: Option<TemplateValue>,
    /// The event's name and its values.
    pub outgoing: Vec<TemplateValue>,
    /// The channel on which an event is awaited, and what it is to be.
    pub response: Option<(TemplateValue, EmitAnswer)>,
    /// What the answer to the event is to be.
    pub acknowledge: Option<EmitAnswer>,
}

/// `response`, `acknowledge`
#[derive(Debug, Clone, Default)]
pub struct EmitAnswer {
    /// What it is to be.
    pub data: Option<TemplateValue>,
    /// `concat`: texts are compared as one.
    pub joins: Option<TemplateValue>,
    /// What is captured from it.
    pub captures: Vec<Capture>,
    /// The matches that it must satisfy.
    pub matches: Vec<Capture>,
}
