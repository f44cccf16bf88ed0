//! Every key of an Artillery file, where it stands, and what becomes of it here.
//!
//! `docs/compatibility/artillery.toml` says the same to people; a test holds the two
//! together.

/// Where keys stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// The file.
    Top,
    /// `config`
    Config,
    /// `config.http`
    Http,
    /// `config.defaults`, `config.http.defaults`
    Defaults,
    /// `config.tls`
    Tls,
    /// `config.phases[]`
    Phase,
    /// `config.payload[]`
    Payload,
    /// `config.plugins`
    Plugins,
    /// `config.plugins.expect`
    ExpectPlugin,
    /// `config.ensure`, `config.plugins.ensure`
    Ensure,
    /// `config.plugins.metrics-by-endpoint`
    ByEndpoint,
    /// `config.apdex`, `config.plugins.apdex`
    Apdex,
    /// `config.ws`
    Ws,
    /// `scenarios[]`, `before`, `after`
    Scenario,
    /// `flow[]`
    Step,
    /// `get`, `post`, ...
    Request,
    /// `capture[]`
    Capture,
    /// `match[]`
    Match,
    /// `expect[]`
    Expect,
    /// `formData.*`
    FormField,
    /// `connect`
    Connect,
    /// `send`, `wait`
    Message,
}

/// What becomes of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// It does what it does in Artillery.
    Supported,
    /// It is taken and has no effect, as said.
    Ignored(&'static str),
    /// It is not supported, as said.
    Missing(&'static str),
}

/// A key.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Where it stands.
    pub place: Place,
    /// Its name.
    pub name: &'static str,
    /// What becomes of it.
    pub support: Support,
}

impl Place {
    /// All of them.
    pub const ALL: [Self; 22] = [
        Self::Top,
        Self::Config,
        Self::Http,
        Self::Defaults,
        Self::Tls,
        Self::Phase,
        Self::Payload,
        Self::Plugins,
        Self::ExpectPlugin,
        Self::Ensure,
        Self::ByEndpoint,
        Self::Apdex,
        Self::Ws,
        Self::Scenario,
        Self::Step,
        Self::Request,
        Self::Capture,
        Self::Match,
        Self::Expect,
        Self::FormField,
        Self::Connect,
        Self::Message,
    ];

    /// How people call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Top => "file",
            Self::Config => "config",
            Self::Http => "config.http",
            Self::Defaults => "config.http.defaults",
            Self::Tls => "config.tls",
            Self::Phase => "phase",
            Self::Payload => "payload",
            Self::Plugins => "config.plugins",
            Self::ExpectPlugin => "plugins.expect",
            Self::Ensure => "ensure",
            Self::ByEndpoint => "plugins.metrics-by-endpoint",
            Self::Apdex => "apdex",
            Self::Ws => "config.ws",
            Self::Scenario => "scenario",
            Self::Step => "step",
            Self::Request => "request",
            Self::Capture => "capture",
            Self::Match => "match",
            Self::Expect => "expect",
            Self::FormField => "formData",
            Self::Connect => "connect",
            Self::Message => "send",
        }
    }
}

/// The key, where it is known.
#[must_use]
pub fn find(place: Place, name: &str) -> Option<&'static Key> {
    KEYS.iter()
        .find(|key| key.place == place && key.name == name)
}

/// Where else a key of this name belongs; the place people most often mean first.
#[must_use]
pub fn elsewhere(place: Place, name: &str) -> Option<Place> {
    const MEANT: [Place; 12] = [
        Place::Request,
        Place::Config,
        Place::Http,
        Place::Phase,
        Place::Scenario,
        Place::Step,
        Place::Payload,
        Place::Plugins,
        Place::Top,
        Place::Capture,
        Place::Ensure,
        Place::Defaults,
    ];
    MEANT
        .into_iter()
        .find(|meant| *meant != place && find(*meant, name).is_some())
}

const OWN: &str = "for Artillery's own services";
const CLOUD: &str = "nothing is sent to outside services; use loadline's outputs";

macro_rules! keys {
    ($($place:ident { $($name:literal $support:expr;)* })*) => {
        /// All keys.
        pub const KEYS: &[Key] = &[
            $($(Key { place: Place::$place, name: $name, support: $support },)*)*
        ];
    };
}

use Support::{Ignored, Missing, Supported};

keys! {
    Top {
        "config" Supported; "scenarios" Supported; "before" Supported; "after" Supported;
        "version" Ignored("Artillery ignores it too");
    }
    Config {
        "target" Supported; "phases" Supported; "environments" Supported; "variables" Supported;
        "payload" Supported; "processor" Supported; "timeout" Supported; "http" Supported;
        "defaults" Supported; "tls" Supported; "plugins" Supported; "ensure" Supported;
        "apdex" Supported; "mode" Supported; "ws" Supported; "fake-data" Supported;
        "engine" Supported; "engines" Ignored("other engines than http and ws are refused where they are used");
        "includeFiles" Ignored(OWN); "bundling" Ignored("nothing is bundled");
        "statsInterval" Ignored("periods are 10 s, as in Artillery"); "pluginsScope" Ignored("Artillery ignores it too");
        "socketio" Missing("Socket.IO is not supported");
    }
    Http {
        "timeout" Supported; "pool" Supported; "extendedMetrics" Supported; "defaults" Supported;
        "maxSockets" Ignored("Artillery reads it nowhere; use http.pool");
        "distributedTracing" Supported; "cookieJarOptions" Ignored("cookies are kept by RFC 6265");
    }
    Defaults {
        "headers" Supported; "cookie" Supported; "strictCapture" Supported; "think" Supported;
    }
    Tls {
        "rejectUnauthorized" Supported; "cert" Missing("client certificates are not supported yet");
        "key" Missing("client certificates are not supported yet"); "ca" Missing("own authorities are not supported yet");
        "pfx" Missing("client certificates are not supported yet"); "passphrase" Missing("client certificates are not supported yet");
    }
    Phase {
        "name" Supported; "duration" Supported; "arrivalRate" Supported; "arrivalCount" Supported;
        "rampTo" Supported; "maxVusers" Supported; "pause" Supported; "mode" Supported;
    }
    Payload {
        "path" Supported; "fields" Supported; "order" Supported; "skipHeader" Supported;
        "delimiter" Supported; "cast" Supported; "skipEmptyLines" Supported; "options" Supported;
        "loadAll" Supported; "name" Supported; "onExhausted" Supported;
    }
    Plugins {
        "expect" Supported; "ensure" Supported; "metrics-by-endpoint" Supported; "apdex" Supported;
        "fake-data" Supported; "publish-metrics" Ignored(CLOUD); "slack" Ignored(CLOUD);
        "memory-inspector" Ignored("loadline watches the target itself"); "hls" Missing("not supported");
        "fuzzer" Missing("not supported");
    }
    ExpectPlugin {
        "outputFormat" Supported; "formatter" Supported; "reportFailuresAsErrors" Supported;
        "useOnlyRequestNames" Supported; "expectDefault200" Supported;
    }
    Ensure {
        "thresholds" Supported; "conditions" Supported; "min" Supported; "max" Supported;
        "median" Supported; "p95" Supported; "p99" Supported; "maxErrorRate" Supported;
    }
    ByEndpoint {
        "useOnlyRequestNames" Supported; "stripQueryString" Supported; "ignoreUnnamedRequests" Supported;
        "metricsNamespace" Supported; "groupDynamicURLs" Supported; "suppressOutput" Supported;
    }
    Apdex { "threshold" Supported; }
    Ws {
        "subprotocols" Supported; "headers" Supported; "timeout" Supported;
        "proxy" Missing("WebSocket connections use no proxy of their own"); "rejectUnauthorized" Supported;
    }
    Scenario {
        "name" Supported; "weight" Supported; "engine" Supported; "flow" Supported;
        "beforeScenario" Supported; "afterScenario" Supported; "beforeRequest" Supported;
        "afterResponse" Supported; "onError" Supported;
    }
    Step {
        "get" Supported; "post" Supported; "put" Supported; "patch" Supported; "delete" Supported;
        "head" Supported; "options" Supported; "think" Supported; "jitter" Supported; "log" Supported;
        "function" Supported; "loop" Supported; "count" Supported; "over" Supported; "whileTrue" Supported;
        "loopValue" Supported; "loopElement" Supported; "parallel" Supported; "limit" Supported;
        "connect" Supported; "send" Supported; "wait" Supported;
        "emit" Missing("Socket.IO is not supported"); "response" Missing("Socket.IO is not supported");
        "acknowledge" Missing("Socket.IO is not supported"); "namespace" Missing("Socket.IO is not supported");
    }
    Request {
        "url" Supported; "uri" Supported; "name" Supported; "headers" Supported; "qs" Supported;
        "cookie" Supported; "auth" Supported; "followRedirect" Supported; "gzip" Supported;
        "json" Supported; "body" Supported; "form" Supported; "formData" Supported;
        "setContentLengthHeader" Ignored("the length is always sent"); "capture" Supported;
        "match" Supported; "expect" Supported; "ifTrue" Supported; "probability" Supported;
        "beforeRequest" Supported; "afterResponse" Supported;
        "timeout" Ignored("Artillery reads only config.timeout and config.http.timeout");
    }
    Capture {
        "json" Supported; "regexp" Supported; "header" Supported; "selector" Supported; "attr" Supported;
        "index" Supported; "group" Supported; "flags" Supported; "as" Supported; "strict" Supported;
        "multiple" Supported; "value" Supported; "xpath" Missing("XPath needs a module that Artillery does not bring either"); "transform" Missing("Artillery 2 has none");
    }
    Match {
        "json" Supported; "regexp" Supported; "header" Supported; "selector" Supported; "attr" Supported;
        "index" Supported; "group" Supported; "flags" Supported; "value" Supported; "strict" Supported;
        "xpath" Missing("XPath needs a module that Artillery does not bring either");
    }
    Expect {
        "statusCode" Supported; "notStatusCode" Supported; "contentType" Supported;
        "hasProperty" Supported; "notHasProperty" Supported; "equals" Supported; "hasHeader" Supported;
        "headerEquals" Supported; "matchesRegexp" Supported; "cdnHit" Supported;
        "jmespath" Missing("JMESPath is not supported"); "jpath" Missing("JMESPath is not supported");
    }
    FormField { "value" Supported; "contentType" Supported; "fromFile" Supported; }
    Connect {
        "target" Supported; "headers" Supported; "subprotocols" Supported; "function" Supported;
        "proxy" Missing("WebSocket connections use no proxy of their own"); "rejectUnauthorized" Supported;
    }
    Message { "payload" Supported; "capture" Supported; "match" Supported; }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_is_there_twice() {
        for (index, key) in KEYS.iter().enumerate() {
            let again = KEYS[index + 1..].iter();
            let twice = again.filter(|other| (other.place, other.name) == (key.place, key.name));
            assert_eq!(twice.count(), 0, "{}.{}", key.place.name(), key.name);
        }
    }

    #[test]
    fn a_key_in_the_wrong_place_is_known_by_the_place_it_belongs_to() {
        assert_eq!(elsewhere(Place::Phase, "capture"), Some(Place::Request));
        assert_eq!(elsewhere(Place::Request, "arrivalRate"), Some(Place::Phase));
        assert_eq!(elsewhere(Place::Request, "nonsense"), None);
    }
}
