//! Fixed parts of the sentences about diagnostics.

/// What a value is or should be, or why something is impossible.
///
/// The text is for logs and tests; `cli` words it for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's text says what it is")]
pub enum Phrase {
    // What a value is or should be.
    #[error("nothing")]
    Nothing,
    #[error("a boolean")]
    Boolean,
    #[error("a number")]
    Number,
    #[error("a text")]
    Text,
    #[error("a list")]
    List,
    #[error("a map")]
    Map,
    #[error("true or false")]
    TrueOrFalse,
    #[error("a text or a map")]
    TextOrMap,
    #[error("a list or a map")]
    ListOrMap,
    #[error("a map or a list of maps")]
    MapOrMaps,
    #[error("a list of steps")]
    Steps,
    #[error("a map such as `get:` or `think:`")]
    Step,
    #[error("a map with `config` and `scenarios`")]
    MapOfFile,
    #[error("a map with `flow`")]
    MapOfScenario,
    #[error("a map with `url`")]
    MapOfRequest,
    #[error("a number or a range such as 1-10")]
    NumberOrRange,
    #[error("a list or the name of a variable")]
    ListOrVariable,
    #[error("a number of seconds or a text such as 10min")]
    SecondsOrMinutes,
    #[error("a number of seconds or a text such as 500ms")]
    SecondsOrMillis,
    // Why a value is not allowed.
    #[error("random, sequence or unique")]
    OrderNames,
    #[error("stop, wrap or fail")]
    ExhaustedNames,
    #[error("uniform or poisson")]
    ModeNames,
    #[error("pretty, json, prettyError or silent")]
    FormatNames,
    #[error("otlp-http, otlp-proto or otlp-grpc")]
    ExporterNames,
    #[error("a rate is between 0 and 10000000 per second")]
    RateRange,
    #[error("a whole number is needed")]
    WholeNumber,
    #[error("a phase is longer than 0 and no longer than 100 days")]
    PhaseRange,
    #[error("between 1 and 1000000 sockets")]
    PoolRange,
    #[error("expected seconds, or a text such as 90s, 10min, 1h")]
    PhaseLength,
    #[error("expected seconds, or a text such as 500ms")]
    ThinkLength,
    #[error("a time-out is not negative")]
    NegativeTimeout,
    #[error("a URL such as http://proxy:3128 is needed")]
    ProxyUrl,
    #[error("this is not a CSS selector")]
    NoSelector,
    // Why something cannot be run.
    #[error("not supported")]
    NotSupported,
    #[error("browsers are not driven; use http")]
    Browsers,
    #[error("only the engines http, ws and socketio are built in")]
    Engines,
    #[error("this option of csv-parse is not supported")]
    CsvOption,
    #[error("it is a step of `engine: socketio`")]
    SocketIo,
    #[error("PKCS#12 is not read; give `certificate` and `key` as PEM texts")]
    Pfx,
    #[error("the PEM text itself is needed")]
    PemText,
    #[error("XPath needs a module that Artillery does not bring either")]
    XPath,
    #[error("JMESPath is not supported")]
    JmesPath,
    #[error("Artillery 2 has none")]
    NoTransform,
    // Why a key has no effect.
    #[error("Artillery ignores it too")]
    IgnoredByArtillery,
    #[error("for Artillery's own services")]
    ArtilleryServices,
    #[error("its service is not sent to; statsd, prometheus and open-telemetry are")]
    OutsideServices,
    #[error("only the system's authorities are trusted there")]
    SystemRoots,
    #[error("requests are not traced; metrics are published")]
    NoTraces,
    #[error("plugins by others are not loaded")]
    PluginsOfOthers,
    #[error("other engines than http, ws and socketio are refused where they are used")]
    OtherEngines,
    #[error("nothing is bundled")]
    NoBundling,
    #[error("periods are 10 s, as in Artillery")]
    FixedPeriods,
    #[error("Artillery reads it nowhere; use http.pool")]
    UsePool,
    #[error("cookies are kept by RFC 6265")]
    Cookies,
    #[error("loadline watches the target itself")]
    WatchesItself,
    #[error("the length is always sent")]
    LengthIsSent,
    #[error("Artillery reads only config.timeout and config.http.timeout")]
    OnlyTimeouts,
    #[error("plugins of others cannot be loaded")]
    OtherPlugins,
}

/// Why a value is not allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// One of our own reasons.
    #[error("{0}")]
    Phrase(Phrase),
    /// A form of a path or expression that is not supported.
    #[error("`{0}` is not supported")]
    Unsupported(String),
    /// The message of the parser that rejected it.
    #[error("{0}")]
    Parser(String),
}

impl From<Phrase> for Reason {
    fn from(phrase: Phrase) -> Self {
        Self::Phrase(phrase)
    }
}
