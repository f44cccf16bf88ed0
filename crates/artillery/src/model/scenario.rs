//! Scenarios: what users do, step by step.

use serde_json::Value;

use crate::filtrex::Expression;
use crate::jsonpath::JsonPath;
use crate::template::Template;
use crate::text::Path;
use crate::yaml::Mark;

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
