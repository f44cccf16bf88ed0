//! Every key of an Artillery file: where it may stand, and whether it is supported.
//!
//! `docs/compatibility/artillery.toml` says the same to users; a test compares the two.

use crate::phrase::Phrase;

/// Where a key may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyScope {
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
    /// `config.socketio`, `scenarios[].socketio`
    SocketIo,
    /// `emit`
    Emit,
    /// `response`
    Response,
    /// `acknowledge`
    Acknowledge,
    /// `config.plugins.publish-metrics[]`
    Publish,
    /// `metrics` of a reporter of OpenTelemetry
    PublishMetrics,
    /// `event` of a reporter of statsd
    PublishEvent,
    /// `config.plugins.slack`
    Slack,
}

/// Whether a key is supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeySupport {
    /// It has the same effect as in Artillery.
    Supported,
    /// It is accepted and has no effect, for this reason.
    Ignored(Phrase),
    /// It is not supported, for this reason.
    Missing(Phrase),
}

/// A key.
#[derive(Debug, Clone, Copy)]
pub struct KeySpec {
    /// Where it may stand.
    pub place: KeyScope,
    /// Its name.
    pub name: &'static str,
    /// Whether it is supported.
    pub support: KeySupport,
}

impl KeyScope {
    /// All scopes.
    pub const ALL: [Self; 30] = [
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
        Self::SocketIo,
        Self::Emit,
        Self::Response,
        Self::Acknowledge,
        Self::Publish,
        Self::PublishMetrics,
        Self::PublishEvent,
        Self::Slack,
    ];

    /// The scope's name for people.
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
            Self::SocketIo => "config.socketio",
            Self::Emit => "emit",
            Self::Response => "response",
            Self::Acknowledge => "acknowledge",
            Self::Publish => "plugins.publish-metrics",
            Self::PublishMetrics => "plugins.publish-metrics.metrics",
            Self::PublishEvent => "plugins.publish-metrics.event",
            Self::Slack => "plugins.slack",
        }
    }
}

/// The key; `None` if it is unknown.
#[must_use]
pub fn find(place: KeyScope, name: &str) -> Option<&'static KeySpec> {
    KEYS.iter()
        .find(|key| key.place == place && key.name == name)
}

/// The key of a scope that a name was probably meant to be.
#[must_use]
pub fn nearest(place: KeyScope, name: &str) -> Option<&'static str> {
    let keys = KEYS.iter().filter(|key| key.place == place);
    loadline_units::nearest(name, keys.map(|key| key.name))
}

/// Another scope in which a key of this name may stand; the one that people most often mean comes
/// first.
#[must_use]
pub fn elsewhere(place: KeyScope, name: &str) -> Option<KeyScope> {
    const MEANT: [KeyScope; 12] = [
        KeyScope::Request,
        KeyScope::Config,
        KeyScope::Http,
        KeyScope::Phase,
        KeyScope::Scenario,
        KeyScope::Step,
        KeyScope::Payload,
        KeyScope::Plugins,
        KeyScope::Top,
        KeyScope::Capture,
        KeyScope::Ensure,
        KeyScope::Defaults,
    ];
    MEANT
        .into_iter()
        .find(|meant| *meant != place && find(*meant, name).is_some())
}

macro_rules! keys {
    ($($place:ident { $($name:literal $support:expr;)* })*) => {
        /// All keys.
        pub const KEYS: &[KeySpec] = &[
            $($(KeySpec { place: KeyScope::$place, name: $name, support: $support },)*)*
        ];
    };
}

use KeySupport::{Ignored, Missing, Supported};

keys! {
    Top {
        "config" Supported; "scenarios" Supported; "before" Supported; "after" Supported;
        "version" Ignored(Phrase::IgnoredByArtillery); "$schema" Supported;
    }
    Config {
        "target" Supported; "phases" Supported; "environments" Supported; "variables" Supported;
        "payload" Supported; "processor" Supported; "timeout" Supported; "http" Supported;
        "defaults" Supported; "tls" Supported; "plugins" Supported; "ensure" Supported;
        "apdex" Supported; "mode" Supported; "ws" Supported; "fake-data" Supported;
        "engine" Supported; "engines" Ignored(Phrase::OtherEngines);
        "includeFiles" Ignored(Phrase::ArtilleryServices); "bundling" Ignored(Phrase::NoBundling);
        "statsInterval" Ignored(Phrase::FixedPeriods); "pluginsScope" Ignored(Phrase::IgnoredByArtillery);
        "socketio" Supported;
    }
    Http {
        "timeout" Supported; "pool" Supported; "extendedMetrics" Supported; "defaults" Supported;
        "maxSockets" Ignored(Phrase::UsePool);
        "distributedTracing" Supported; "cookieJarOptions" Ignored(Phrase::Cookies);
    }
    Defaults {
        "headers" Supported; "cookie" Supported; "strictCapture" Supported; "think" Supported;
    }
    Tls {
        "rejectUnauthorized" Supported; "certificate" Supported; "cert" Supported; "key" Supported;
        "certificateAuthority" Supported; "ca" Supported; "passphrase" Supported;
        "pfx" Missing(Phrase::Pfx);
    }
    Phase {
        "name" Supported; "duration" Supported; "arrivalRate" Supported; "arrivalCount" Supported;
        "rampTo" Supported; "maxVusers" Supported; "pause" Supported; "mode" Supported;
    }
    Payload {
        "path" Supported; "fields" Supported; "order" Supported; "skipHeader" Supported;
        "delimiter" Supported; "cast" Supported; "skipEmptyLines" Supported; "options" Supported;
        "loadAll" Supported; "name" Supported; "onExhausted" Supported;
        "from" Supported;
    }
    Plugins {
        "expect" Supported; "ensure" Supported; "metrics-by-endpoint" Supported; "apdex" Supported;
        "fake-data" Supported; "publish-metrics" Supported; "slack" Supported;
        "memory-inspector" Ignored(Phrase::WatchesItself); "hls" Ignored(Phrase::PluginsOfOthers);
        "fuzzer" Ignored(Phrase::PluginsOfOthers);
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
        "proxy" Supported; "rejectUnauthorized" Supported;
    }
    Scenario {
        "name" Supported; "weight" Supported; "engine" Supported; "flow" Supported; "socketio" Supported;
        "beforeScenario" Supported; "afterScenario" Supported; "beforeRequest" Supported;
        "afterResponse" Supported; "onError" Supported;
    }
    Step {
        "get" Supported; "post" Supported; "put" Supported; "patch" Supported; "delete" Supported;
        "head" Supported; "options" Supported; "think" Supported; "jitter" Supported; "log" Supported;
        "function" Supported; "loop" Supported; "count" Supported; "over" Supported; "whileTrue" Supported;
        "loopValue" Supported; "loopElement" Supported; "parallel" Supported; "limit" Supported;
        "connect" Supported; "send" Supported; "wait" Supported;
        "emit" Supported; "response" Supported;
        "acknowledge" Supported; "namespace" Supported;
    }
    Request {
        "url" Supported; "uri" Supported; "name" Supported; "headers" Supported; "qs" Supported;
        "cookie" Supported; "auth" Supported; "followRedirect" Supported; "gzip" Supported;
        "json" Supported; "body" Supported; "form" Supported; "formData" Supported;
        "setContentLengthHeader" Ignored(Phrase::LengthIsSent); "capture" Supported;
        "match" Supported; "expect" Supported; "ifTrue" Supported; "probability" Supported;
        "beforeRequest" Supported; "afterResponse" Supported;
        "timeout" Ignored(Phrase::OnlyTimeouts);
    }
    Capture {
        "json" Supported; "regexp" Supported; "header" Supported; "selector" Supported; "attr" Supported;
        "index" Supported; "group" Supported; "flags" Supported; "as" Supported; "strict" Supported;
        "multiple" Supported; "value" Supported; "xpath" Missing(Phrase::XPath); "transform" Ignored(Phrase::NoTransform);
    }
    Match {
        "json" Supported; "regexp" Supported; "header" Supported; "selector" Supported; "attr" Supported;
        "index" Supported; "group" Supported; "flags" Supported; "value" Supported; "strict" Supported;
        "xpath" Missing(Phrase::XPath);
    }
    Expect {
        "statusCode" Supported; "notStatusCode" Supported; "contentType" Supported;
        "hasProperty" Supported; "notHasProperty" Supported; "equals" Supported; "hasHeader" Supported;
        "headerEquals" Supported; "matchesRegexp" Supported; "cdnHit" Supported;
        "jmespath" Missing(Phrase::JmesPath); "jpath" Missing(Phrase::JmesPath);
    }
    FormField { "value" Supported; "contentType" Supported; "fromFile" Supported; }
    Connect {
        "target" Supported; "headers" Supported; "subprotocols" Supported; "function" Supported;
        "proxy" Supported; "rejectUnauthorized" Supported;
    }
    Message { "payload" Supported; "capture" Supported; "match" Supported; }
    SocketIo {
        "query" Supported; "path" Supported; "extraHeaders" Supported; "transports" Supported;
        "auth" Supported; "upgrade" Supported; "reconnection" Supported; "forceNew" Supported;
        "multiplex" Supported;
    }
    Emit { "channel" Supported; "data" Supported; "concat" Ignored(Phrase::IgnoredByArtillery); }
    Response {
        "channel" Supported; "on" Supported; "data" Supported; "args" Supported;
        "concat" Supported; "capture" Supported; "match" Supported;
    }
    Acknowledge { "data" Supported; "args" Supported; "capture" Supported; "match" Supported; }
    Publish {
        "type" Supported; "prefix" Supported; "tags" Supported; "host" Supported; "port" Supported;
        "event" Supported; "excluded" Supported; "includeOnly" Supported;
        "pushgateway" Supported; "ca" Ignored(Phrase::SystemRoots);
        "serviceName" Supported; "resourceAttributes" Supported; "metrics" Supported;
        "traces" Ignored(Phrase::NoTraces);
    }
    PublishMetrics {
        "exporter" Supported; "endpoint" Supported; "headers" Supported; "meterName" Supported;
        "includeOnly" Supported; "exclude" Supported; "attributes" Supported;
    }
    PublishEvent {
        "send" Supported; "title" Supported; "text" Supported; "priority" Supported;
        "alertType" Supported; "aggregationKey" Supported; "sourceTypeName" Supported;
        "tags" Supported;
    }
    Slack { "webhookUrl" Supported; "notifyOnFailureOnly" Supported; }
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
        assert_eq!(
            elsewhere(KeyScope::Phase, "capture"),
            Some(KeyScope::Request)
        );
        assert_eq!(
            elsewhere(KeyScope::Request, "arrivalRate"),
            Some(KeyScope::Phase)
        );
        assert_eq!(elsewhere(KeyScope::Request, "nonsense"), None);
    }
}
