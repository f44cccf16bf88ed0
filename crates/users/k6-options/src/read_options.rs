//! Reads options from JSON.

use std::collections::BTreeMap;

use loadline_testplan::draft::StageDraft;

use super::json::{OptionReadError, Reader, field_named};
use super::read_scenarios;
use super::set::Options;
use super::values::{
    BlockedHostnames, CipherSuite, DnsOptions, DnsPolicy, DnsSelect, Hosts, IpNet, Segment,
    SegmentSequence, SystemTags, ThresholdCondition, TlsAuth, TlsVersionOption, TlsVersionsOption,
};
use super::version::K6Version;
use loadline_units::nearest;

/// Every option JSON may have.
const NAMES: [&str; 42] = [
    "paused",
    "vus",
    "duration",
    "iterations",
    "stages",
    "scenarios",
    "executionSegment",
    "executionSegmentSequence",
    "noSetup",
    "setupTimeout",
    "noTeardown",
    "teardownTimeout",
    "handleSummaryTimeout",
    "rps",
    "dns",
    "maxRedirects",
    "userAgent",
    "batch",
    "batchPerHost",
    "httpDebug",
    "insecureSkipTLSVerify",
    "tlsCipherSuites",
    "tlsVersion",
    "tlsAuth",
    "throw",
    "thresholds",
    "blacklistIPs",
    "blockHostnames",
    "hosts",
    "noConnectionReuse",
    "noVUConnectionReuse",
    "minIterationDuration",
    "cloud",
    "ext",
    "summaryTrendStats",
    "summaryTimeUnit",
    "systemTags",
    "tags",
    "metricSamplesBufferSize",
    "noCookiesReset",
    "discardResponseBodies",
    "features",
];

/// Those that k6 1.8 does not know.
const SINCE_V2: [&str; 2] = ["handleSummaryTimeout", "features"];

/// The option a name in JSON means.
pub(super) fn named(written: &str, version: K6Version) -> Option<&'static str> {
    let name = field_named(written, &NAMES)?;
    (version >= K6Version::V2 || !SINCE_V2.contains(&name)).then_some(name)
}

/// Names in exported options and their scenarios that mean nothing, with the one that was
/// probably meant.
#[must_use]
pub fn unknown_options(
    exported: &serde_json::Value,
    version: K6Version,
) -> Vec<(String, Option<&'static str>)> {
    let written = exported.as_object().into_iter().flatten();
    let unknown = written.filter(|(name, _)| named(name, version).is_none());
    unknown
        .map(|(name, _)| (name.clone(), nearest(name, NAMES)))
        .chain(read_scenarios::unknown_fields(
            &exported["scenarios"],
            version,
        ))
        .collect()
}

/// Reads the option `name` from its value.
pub(super) fn read(
    options: &mut Options,
    name: &str,
    value: &Reader<'_>,
    version: K6Version,
) -> Result<(), OptionReadError> {
    match name {
        "paused" => options.paused = value.optional_bool()?,
        "vus" => options.vus = value.optional_int()?,
        "duration" => options.duration = value.optional_duration()?,
        "iterations" => options.iterations = value.optional_int()?,
        "stages" => options.stages = stages(value)?,
        "scenarios" => options.scenarios = read_scenarios::read(value, version)?,
        "noSetup" => options.no_setup = value.optional_bool()?,
        "setupTimeout" => options.setup_timeout = value.optional_duration()?,
        "noTeardown" => options.no_teardown = value.optional_bool()?,
        "teardownTimeout" => options.teardown_timeout = value.optional_duration()?,
        "handleSummaryTimeout" => options.handle_summary_timeout = value.optional_duration()?,
        "features" => options.features = value.texts()?,
        "rps" => options.rps = value.optional_int()?,
        "maxRedirects" => options.max_redirects = value.optional_int()?,
        "userAgent" => options.user_agent = value.optional_text()?,
        "batch" => options.batch = value.optional_int()?,
        "batchPerHost" => options.batch_per_host = value.optional_int()?,
        "httpDebug" => options.http_debug = value.optional_text()?,
        "insecureSkipTLSVerify" => options.insecure_skip_tls_verify = value.optional_bool()?,
        "throw" => options.throw = value.optional_bool()?,
        "noConnectionReuse" => options.no_connection_reuse = value.optional_bool()?,
        "noVUConnectionReuse" => options.no_vu_connection_reuse = value.optional_bool()?,
        "minIterationDuration" => options.min_iteration_duration = value.optional_duration()?,
        "summaryTimeUnit" => options.summary_time_unit = value.optional_text()?,
        "metricSamplesBufferSize" => options.metric_samples_buffer_size = value.optional_int()?,
        "noCookiesReset" => options.no_cookies_reset = value.optional_bool()?,
        "discardResponseBodies" => options.discard_response_bodies = value.optional_bool()?,
        _ => return read_compound(options, name, value),
    }
    Ok(())
}

/// Those options whose values have parts.
fn read_compound(
    options: &mut Options,
    name: &str,
    value: &Reader<'_>,
) -> Result<(), OptionReadError> {
    match name {
        "executionSegment" => {
            let text = value.text_of("*lib.ExecutionSegment")?;
            options.execution_segment = text.map(Segment::parse).transpose().map_err(other)?;
        }
        "executionSegmentSequence" => {
            let text = value.text_of("*lib.ExecutionSegmentSequence")?;
            let sequence = text.map(SegmentSequence::parse).transpose();
            options.execution_segment_sequence = sequence.map_err(other)?;
        }
        "dns" => options.dns = dns(value)?,
        "tlsCipherSuites" => {
            let names = value.with_own_reader().texts()?.unwrap_or_default();
            let suites = names.iter().map(|name| CipherSuite::parse(name));
            let suites: Vec<_> = suites.collect::<Result<_, _>>().map_err(other)?;
            options.tls_cipher_suites = (!value.is_null()).then_some(suites);
        }
        "tlsVersion" => options.tls_version = tls_version(value)?,
        "tlsAuth" => {
            let items = value.items("[]*lib.TLSAuth")?;
            let items = items.map(|items| {
                items
                    .iter()
                    .filter(|i| !i.is_null())
                    .map(tls_auth)
                    .collect()
            });
            options.tls_auth = items.transpose()?;
        }
        "thresholds" => options.thresholds = thresholds(value)?,
        "blacklistIPs" => options.blacklist_ips = networks(value)?,
        "blockHostnames" => {
            let names = value.with_own_reader().texts()?;
            let blocked = names.map(BlockedHostnames::new).transpose();
            options.block_hostnames = blocked.map_err(other)?;
        }
        "hosts" => {
            let hosts = value.with_own_reader().text_map()?;
            let hosts = hosts.as_ref().map(Hosts::new).transpose();
            options.hosts = hosts.map_err(other)?;
        }
        "cloud" => options.cloud = (!value.is_null()).then(|| value.node().to_value()),
        "ext" => {
            value.entries("map[string]json.RawMessage")?;
            options.ext = (!value.is_null()).then(|| value.node().to_value());
        }
        "summaryTrendStats" => options.summary_trend_stats = value.texts()?,
        "systemTags" => {
            let names = value.with_own_reader().texts()?;
            let tags = |names: Vec<String>| SystemTags::of_names(names.iter().map(String::as_str));
            options.system_tags = names.map(tags);
        }
        "tags" => options.tags = value.text_map()?,
        _ => unreachable!("every name `named` gives has its reader"),
    }
    Ok(())
}

fn other(text: String) -> OptionReadError {
    OptionReadError::Other(text)
}

fn stages(value: &Reader<'_>) -> Result<Option<Vec<StageDraft>>, OptionReadError> {
    let items = value.items("[]lib.Stage")?;
    let stage = |item: &Reader<'_>| {
        let item = item.with_own_reader();
        let mut stage = StageDraft::default();
        for (written, node) in item.entries("lib.StageFields")? {
            match field_named(written, &["duration", "target"]) {
                Some("duration") => {
                    stage.duration = item.field("duration", node).optional_duration()?;
                }
                Some(_) => stage.target = item.field("target", node).optional_int()?,
                None => {}
            }
        }
        Ok(stage)
    };
    items
        .map(|items| items.iter().map(stage).collect())
        .transpose()
}

fn dns(value: &Reader<'_>) -> Result<DnsOptions, OptionReadError> {
    const GO_TYPE: &str = r#"struct { TTL null.String "json:\"ttl\""; Select types.NullDNSSelect "json:\"select\""; Policy types.NullDNSPolicy "json:\"policy\"" }"#;
    let value = value.with_own_reader();
    let mut dns = DnsOptions::default();
    for (written, node) in value.entries(GO_TYPE)? {
        let Some(name) = field_named(written, &["ttl", "select", "policy"]) else {
            continue;
        };
        let part = value.field(name, node);
        if name == "ttl" {
            dns.ttl = part.optional_text()?;
        } else if !part.is_null() {
            let text = part.with_own_reader().text()?;
            match name {
                "select" => dns.select = Some(DnsSelect::parse(&text).map_err(other)?),
                _ => dns.policy = Some(DnsPolicy::parse(&text).map_err(other)?),
            }
        }
    }
    Ok(dns)
}

/// One version for both ends, or an object with both. A text that is no version gets the
/// complaint about the object, as in k6.
fn tls_version(value: &Reader<'_>) -> Result<Option<TlsVersionsOption>, OptionReadError> {
    if value.is_null() {
        return Ok(None);
    }
    let value = value.with_own_reader();
    let version = |reader: &Reader<'_>| -> Result<Option<TlsVersionOption>, OptionReadError> {
        let text = reader.with_own_reader().text()?;
        TlsVersionOption::parse(&text).map_err(other)
    };
    if let Ok(one) = version(&value) {
        return Ok(Some(TlsVersionsOption { min: one, max: one }));
    }
    let mut versions = TlsVersionsOption::default();
    for (written, node) in value.entries("lib.tlsVersionsFields")? {
        match field_named(written, &["min", "max"]) {
            Some("min") => versions.min = version(&value.field("min", node))?,
            Some(_) => versions.max = version(&value.field("max", node))?,
            None => return Err(OptionReadError::Unknown(written.clone())),
        }
    }
    Ok(Some(versions))
}

fn tls_auth(value: &Reader<'_>) -> Result<TlsAuth, OptionReadError> {
    let value = value.with_own_reader();
    let mut auth = TlsAuth {
        cert: String::new(),
        key: String::new(),
        password: None,
        domains: Vec::new(),
    };
    for (written, node) in value.entries("lib.TLSAuthFields")? {
        match field_named(written, &["cert", "key", "password", "domains"]) {
            Some("cert") => auth.cert = value.field("cert", node).text()?,
            Some("key") => auth.key = value.field("key", node).text()?,
            Some("password") => auth.password = value.field("password", node).optional_text()?,
            Some(_) => auth.domains = value.field("domains", node).texts()?.unwrap_or_default(),
            None => return Err(OptionReadError::Unknown(written.clone())),
        }
    }
    auth.check().map_err(other)?;
    Ok(auth)
}

type Conditions = BTreeMap<String, Vec<ThresholdCondition>>;

fn thresholds(value: &Reader<'_>) -> Result<Option<Conditions>, OptionReadError> {
    if value.is_null() {
        return Ok(None);
    }
    let mut thresholds = Conditions::new();
    for (metric, node) in value.entries("map[string]metrics.Thresholds")? {
        let list = value.item(node).with_own_reader();
        let items = list.items("[]metrics.thresholdConfig")?.unwrap_or_default();
        let conditions: Result<_, _> = items.iter().map(condition).collect();
        thresholds.insert(metric.clone(), conditions?);
    }
    Ok(Some(thresholds))
}

fn condition(value: &Reader<'_>) -> Result<ThresholdCondition, OptionReadError> {
    let value = value.with_own_reader();
    let mut condition = ThresholdCondition {
        text: String::new(),
        abort_on_fail: false,
        delay_abort: None,
    };
    if let Ok(text) = value.text() {
        condition.text = text;
        return Ok(condition);
    }
    let mut window = None;
    for (written, node) in value.entries("metrics.rawThresholdConfig")? {
        // Ours; k6 passes it over.
        if written == "window" {
            window = Some(value.field("window", node).text()?);
            continue;
        }
        match field_named(written, &["threshold", "abortOnFail", "delayAbortEval"]) {
            Some("threshold") => condition.text = value.field("threshold", node).text()?,
            Some("abortOnFail") => {
                condition.abort_on_fail = value.field("abortOnFail", node).truth()?;
            }
            Some(_) => {
                let delay = value.field("delayAbortEval", node);
                condition.delay_abort = delay.optional_duration()?;
            }
            None => {}
        }
    }
    if let Some(window) = window {
        condition.text.push_str(&format!(" every {window}"));
    }
    Ok(condition)
}

fn networks(value: &Reader<'_>) -> Result<Option<Vec<IpNet>>, OptionReadError> {
    let Some(items) = value.items("[]*lib.IPNet")? else {
        return Ok(None);
    };
    let mut networks = Vec::new();
    for item in items {
        if let Some(text) = item.text_of("*lib.IPNet")? {
            let net = IpNet::parse(text)
                .map_err(|cause| other(format!("failed to parse CIDR '{text}': {cause}")))?;
            networks.push(net);
        }
    }
    Ok(Some(networks))
}
