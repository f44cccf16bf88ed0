//! Scenarios: what users do, step by step.

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
    /// Where it stands.
    pub mark: Mark,
    /// How often it is picked.
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
    /// What its users do.
    pub flow: Vec<FlowStep>,
}

/// How a flow is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineKind {
    /// HTTP requests.
    Http,
    /// One WebSocket connection.
    Ws,
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
    /// Steps again and again.
    Loop(Box<Loop>),
    /// Steps at once.
    Parallel {
        /// The steps.
        steps: Vec<FlowStep>,
        /// So many at once.
        limit: usize,
    },
    /// Only the first step of a WebSocket flow means anything.
    Connect(Connect),
    /// A WebSocket message to send, or to wait for.
    Message(Box<WsMessage>),
}

/// `think`
#[derive(Debug, Clone)]
pub struct Think {
    /// How long.
    pub time: TemplateValue,
    /// Varies it.
    pub jitter: Option<String>,
}

/// `loop`
#[derive(Debug, Clone)]
pub struct Loop {
    /// What is repeated.
    pub steps: Vec<FlowStep>,
    /// How often; `None` for ever.
    pub count: Option<LoopCount>,
    /// What is gone through.
    pub over: Option<LoopSource>,
    /// The function that says whether to go on.
    pub while_true: Option<String>,
    /// The variable with the number.
    pub value_name: String,
    /// The variable with the element.
    pub element_name: String,
}

/// How often a loop turns.
#[derive(Debug, Clone)]
pub enum LoopCount {
    /// From, to (exclusive; -1 for ever).
    Fixed(f64, f64),
    /// A text to be rendered first.
    Templated(TemplateValue),
}

/// What a loop goes through.
#[derive(Debug, Clone)]
pub enum LoopSource {
    /// These.
    Items(Vec<Value>),
    /// The list a variable holds.
    Variable(Path),
}

/// An HTTP request.
#[derive(Debug, Clone)]
pub struct HttpRequest {
    /// Where it stands.
    pub mark: Mark,
    /// GET, POST, ...
    pub method: String,
    /// Its name.
    pub name: Option<TemplateValue>,
    /// Where it goes; `None` fails the user.
    pub url: Option<TemplateValue>,
    /// The URL as written, base prepended, without templates filled in.
    pub url_written: String,
    /// Its headers, lower case.
    pub headers: Vec<(String, TemplateValue)>,
    /// What replaces the URL's query.
    pub query: Option<TemplateValue>,
    /// Cookies set before it is sent.
    pub cookies: Vec<(String, TemplateValue)>,
    /// Name and password.
    pub auth: Option<(Option<TemplateValue>, Option<TemplateValue>)>,
    /// Redirects are followed.
    pub follow: bool,
    /// Compressed answers are asked for and decoded.
    pub gzip: bool,
    /// Its body.
    pub body: RequestBody,
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
    pub before_request: Vec<TemplateValue>,
    /// Functions after its response.
    pub after_response: Vec<TemplateValue>,
    /// What metrics by endpoint call it; `None` when it is not counted.
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
    /// A value, perhaps with a media type.
    Value(TemplateValue, Option<TemplateValue>),
    /// A file, its path templated, perhaps with a media type.
    File(TemplateValue, Option<TemplateValue>),
}

/// `capture[]`, `match[]`
#[derive(Debug, Clone)]
pub struct Capture {
    /// Where it looks.
    pub from: Extract,
    /// The variable it sets.
    pub into: Option<Path>,
    /// What it must be.
    pub value: Option<TemplateValue>,
    /// Whether finding nothing fails the user.
    pub strict: Option<bool>,
    /// All of several values as a list (`multiple: false`).
    pub all: bool,
}

/// Where a capture looks.
#[derive(Debug, Clone)]
pub enum Extract {
    /// JSONPath.
    Json(MaybeTemplate<JsonPath>),
    /// A regular expression with the group wanted.
    Regexp(MaybeTemplate<regress::Regex>, Option<RegexGroup>, String),
    /// A header, by its name in lower case as written.
    Header(TemplateValue),
    /// A CSS selector, the attribute, which of several.
    Selector(TemplateValue, String, ElementIndex),
}

/// Something that is read once, or each time when it has templates in it.
#[derive(Debug, Clone)]
pub enum MaybeTemplate<T> {
    /// Read.
    Ready(T),
    /// To be rendered and read.
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
    StatusCode(TemplateValue),
    /// None of these.
    NotStatusCode(TemplateValue),
    /// The media type.
    ContentType(TemplateValue),
    /// A path in the body.
    HasProperty(TemplateValue),
    /// No such path.
    NotHasProperty(TemplateValue),
    /// All are the same text.
    Equals(Vec<TemplateValue>),
    /// A header.
    HasHeader(TemplateValue),
    /// A header and its value.
    HeaderEquals(TemplateValue),
    /// The body matches.
    MatchesRegexp(TemplateValue),
    /// A cache hit, or none.
    CdnHit(bool),
}

/// `ifTrue`
#[derive(Debug, Clone)]
pub struct IfTrue {
    /// As written: perhaps the name of a function.
    pub written: String,
    /// Read as an expression; without it the condition holds.
    pub expression: Option<FiltrexExpression>,
}

/// `connect`
#[derive(Debug, Clone, Default)]
pub struct Connect {
    /// Where to; the file's target without it.
    pub target: Option<TemplateValue>,
    /// Headers of the handshake.
    pub headers: Option<Vec<(String, String)>>,
    /// Protocols offered.
    pub subprotocols: Option<Vec<String>>,
    /// The function that says where to.
    pub function: Option<String>,
}

/// `send`, `wait`
#[derive(Debug, Clone)]
pub struct WsMessage {
    /// What is sent.
    pub payload: Option<TemplateValue>,
    /// What is taken out of the next message.
    pub captures: Vec<Capture>,
    /// What it must hold.
    pub matches: Vec<Capture>,
    /// Whether a message is waited for.
    pub waits: bool,
}
