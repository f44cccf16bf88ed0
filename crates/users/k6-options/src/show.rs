//! Options as scripts see them, in k6's JSON form.

use loadline_testplan::draft::{SignedDuration, StageDraft};
use serde_json::{Map, Value, json};

use super::go::duration_text;
use super::scenario::{FieldRef, ScenarioConfig};
use super::set::Options;
use super::values::{
    CipherSuite, DnsOptions, DnsPolicy, DnsSelect, Hosts, ThresholdCondition, TlsVersionOption,
    TlsVersionsOption,
};
use super::version::K6Version;

impl Options {
    /// `exec.test.options`: every option, null when unset, without the shortcuts.
    #[must_use]
    pub fn to_test_options(&self) -> Value {
        let mut shown = self.to_inspection();
        for shortcut in ["vus", "duration", "iterations", "stages"] {
            shown.shift_remove(shortcut);
        }
        let local_ips = self.local_ips.as_ref().map(|pool| pool.written());
        shown.insert("consoleOutput".into(), json!(self.console_output));
        shown.insert("localIPs".into(), json!(local_ips));
        Value::Object(shown)
    }

    /// What `k6 inspect` prints: every option, null when unset.
    #[must_use]
    pub fn to_inspection(&self) -> Map<String, Value> {
        let mut shown = Map::new();
        let mut add = |name: &str, value: Value| {
            shown.insert(name.to_owned(), value);
        };
        let scenarios = self.scenarios.as_ref().map(|scenarios| {
            let shown = scenarios.iter().map(|(name, s)| (name.clone(), s.shown()));
            Value::Object(shown.collect())
        });
        add("paused", json!(self.paused));
        add("vus", json!(self.vus));
        add("duration", length(self.duration));
        add("iterations", json!(self.iterations));
        add("stages", self.stages.as_deref().map_or(Value::Null, stages));
        add("scenarios", json!(scenarios));
        add("executionSegment", text(self.execution_segment.as_ref()));
        add(
            "executionSegmentSequence",
            text(self.execution_segment_sequence.as_ref()),
        );
        add("noSetup", json!(self.no_setup));
        add("setupTimeout", length(self.setup_timeout));
        add("noTeardown", json!(self.no_teardown));
        add("teardownTimeout", length(self.teardown_timeout));
        if self.version >= K6Version::V2 {
            add("handleSummaryTimeout", length(self.handle_summary_timeout));
        }
        add("rps", json!(self.rps));
        add("dns", dns(&self.dns));
        add("maxRedirects", json!(self.max_redirects));
        add("userAgent", json!(self.user_agent));
        add("batch", json!(self.batch));
        add("batchPerHost", json!(self.batch_per_host));
        add("httpDebug", json!(self.http_debug));
        add(
            "insecureSkipTLSVerify",
            json!(self.insecure_skip_tls_verify),
        );
        self.add_compound(&mut add);
        add("noConnectionReuse", json!(self.no_connection_reuse));
        add("noVUConnectionReuse", json!(self.no_vu_connection_reuse));
        add("minIterationDuration", length(self.min_iteration_duration));
        if let Some(cloud) = &self.cloud {
            add("cloud", cloud.clone());
        }
        add("ext", json!(self.ext));
        add("summaryTrendStats", json!(self.summary_trend_stats));
        add("summaryTimeUnit", json!(self.summary_time_unit));
        // k6 shows a set of none as it shows none set.
        let tags = self.system_tags.map(|tags| tags.names());
        add("systemTags", json!(tags.filter(|tags| !tags.is_empty())));
        add("tags", json!(self.tags));
        add(
            "metricSamplesBufferSize",
            json!(self.metric_samples_buffer_size),
        );
        add("noCookiesReset", json!(self.no_cookies_reset));
        add("discardResponseBodies", json!(self.discard_response_bodies));
        if self.version >= K6Version::V2 {
            add("features", json!(self.features));
        }
        shown
    }

    fn add_compound(&self, add: &mut impl FnMut(&str, Value)) {
        let suites = self.tls_cipher_suites.as_deref().map(|suites| {
            let names: Vec<_> = suites
                .iter()
                .map(|suite| CipherSuite::name(*suite))
                .collect();
            names
        });
        let suites = suites.filter(|suites| !suites.is_empty());
        add("tlsCipherSuites", json!(suites));
        add("tlsVersion", json!(self.tls_version.map(tls_versions)));
        let auth = self.tls_auth.as_ref().map(|all| {
            let shown = all.iter().map(|auth| {
                json!({
                    "cert": auth.cert,
                    "key": auth.key,
                    "password": auth.password,
                    "domains": auth.domains,
                })
            });
            shown.collect::<Vec<_>>()
        });
        add("tlsAuth", json!(auth));
        add("throw", json!(self.throw));
        let thresholds = self.thresholds.as_ref().map(|thresholds| {
            let shown = thresholds.iter().map(|(metric, conditions)| {
                let conditions = conditions.iter().map(condition).collect();
                (metric.clone(), Value::Array(conditions))
            });
            Value::Object(shown.collect())
        });
        add("thresholds", json!(thresholds));
        let networks = self.blacklist_ips.as_ref();
        let networks = networks.map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>());
        add("blacklistIPs", json!(networks));
        let blocked = self.block_hostnames.as_ref().map(|names| names.written());
        add("blockHostnames", json!(blocked));
        add("hosts", self.hosts.as_ref().map_or(Value::Null, hosts));
    }

    /// What k6 writes into the script's own `options` for every virtual user: each option
    /// that is set, in this order. The options of clouds, extensions and name lookups stay
    /// as the script wrote them.
    #[must_use]
    pub fn to_write_back(&self) -> Map<String, Value> {
        let shown = self.to_inspection().into_iter();
        shown
            .filter(|(name, value)| match name.as_str() {
                "cloud" | "ext" | "dns" => false,
                _ => match value {
                    Value::Null => false,
                    Value::Array(items) => !items.is_empty(),
                    Value::Object(entries) => name == "hosts" || !entries.is_empty(),
                    _ => true,
                },
            })
            .collect()
    }

    /// `options` of what `handleSummary` gets.
    #[must_use]
    pub fn to_summary_options(&self, no_color: bool) -> Value {
        json!({
            "summaryTrendStats": self.summary_trend_stats,
            "summaryTimeUnit": self.summary_time_unit.as_deref().unwrap_or_default(),
            "noColor": no_color,
        })
    }
}

impl ScenarioConfig {
    fn shown(&self) -> Value {
        let mut shown = Map::new();
        shown.insert("executor".into(), json!(self.executor.name()));
        shown.insert("startTime".into(), length(self.start_time));
        shown.insert("gracefulStop".into(), length(self.graceful_stop));
        shown.insert("env".into(), json!(self.env));
        shown.insert("exec".into(), json!(self.exec));
        shown.insert("tags".into(), json!(self.tags));
        if let Some(options) = &self.options {
            shown.insert("options".into(), options.clone());
        }
        for (name, field) in self.executor.fields() {
            let value = match field {
                FieldRef::Int(int) => json!(int),
                FieldRef::Length(span) => length(*span),
                FieldRef::Stages(list) => stages(list),
            };
            shown.insert(name.into(), value);
        }
        Value::Object(shown)
    }
}

fn length(span: Option<SignedDuration>) -> Value {
    json!(span.map(duration_text))
}

fn text(value: Option<&impl ToString>) -> Value {
    json!(value.map(ToString::to_string))
}

fn stages(stages: &[StageDraft]) -> Value {
    let shown = stages
        .iter()
        .map(|stage| json!({"duration": length(stage.duration), "target": stage.target}));
    shown.collect()
}

fn dns(dns: &DnsOptions) -> Value {
    json!({
        "ttl": dns.ttl,
        "select": dns.select.map(DnsSelect::name),
        "policy": dns.policy.map(DnsPolicy::name),
    })
}

fn tls_versions(versions: TlsVersionsOption) -> Value {
    let name = |version: Option<TlsVersionOption>| version.map_or("", TlsVersionOption::name);
    json!({"min": name(versions.min), "max": name(versions.max)})
}

/// A condition that stops nothing is shown as its text alone, as k6 does.
fn condition(condition: &ThresholdCondition) -> Value {
    if !condition.abort_on_fail {
        return json!(condition.text);
    }
    json!({
        "threshold": condition.text,
        "abortOnFail": true,
        "delayAbortEval": length(condition.delay_abort),
    })
}

fn hosts(hosts: &Hosts) -> Value {
    let shown = hosts
        .shown()
        .map(|(name, target)| (name.to_owned(), target.into()));
    Value::Object(shown.collect())
}
