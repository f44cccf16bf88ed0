//! All options, each set or not, and merging one set over another.

use std::collections::BTreeMap;

use loadline_testplan::draft::{SignedDuration, StageDraft};
use serde_json::Value;

use super::scenario::ScenarioConfig;
use super::values::{
    BlockedHostnames, CipherSuite, DnsOptions, Hosts, IpNet, IpPool, Segment, SegmentSequence,
    SystemTags, ThresholdCondition, TlsAuth, TlsVersionsOption,
};
use super::version::K6Version;

/// k6's options from one source, or merged from several. `None` is unset.
/// Numbers may still be out of range.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options {
    /// Whether the test waits to be resumed.
    pub paused: Option<bool>,
    /// Virtual users of the shortcuts below.
    pub vus: Option<i64>,
    /// Shortcut: how long that many users loop.
    pub duration: Option<SignedDuration>,
    /// Shortcut: how many iterations the users share.
    pub iterations: Option<i64>,
    /// Shortcut: how the number of users changes.
    pub stages: Option<Vec<StageDraft>>,
    /// Scenarios by name.
    pub scenarios: Option<BTreeMap<String, ScenarioConfig>>,
    /// The part of the test to run.
    pub execution_segment: Option<Segment>,
    /// How the test is divided into parts.
    pub execution_segment_sequence: Option<SegmentSequence>,
    /// Whether `setup()` is left out.
    pub no_setup: Option<bool>,
    /// How long `setup()` may take.
    pub setup_timeout: Option<SignedDuration>,
    /// Whether `teardown()` is left out.
    pub no_teardown: Option<bool>,
    /// How long `teardown()` may take.
    pub teardown_timeout: Option<SignedDuration>,
    /// How long `handleSummary()` may take.
    pub handle_summary_timeout: Option<SignedDuration>,
    /// Requests per second at most; zero and less is no limit.
    pub rps: Option<i64>,
    /// How host names are looked up.
    pub dns: DnsOptions,
    /// Redirects that are followed at most.
    pub max_redirects: Option<i64>,
    /// The user agent requests name.
    pub user_agent: Option<String>,
    /// Requests of a batch under way at once.
    pub batch: Option<i64>,
    /// Requests of a batch under way at once to one host.
    pub batch_per_host: Option<i64>,
    /// Whether exchanges are printed: `full` with bodies, any other text without.
    pub http_debug: Option<String>,
    /// Whether certificates are taken unchecked.
    pub insecure_skip_tls_verify: Option<bool>,
    /// Cipher suites that may be used.
    pub tls_cipher_suites: Option<Vec<CipherSuite>>,
    /// Versions of TLS that may be used.
    pub tls_version: Option<TlsVersionsOption>,
    /// Certificates to show.
    pub tls_auth: Option<Vec<TlsAuth>>,
    /// Whether failed requests throw.
    pub throw: Option<bool>,
    /// Conditions by metric or sub-metric, as written.
    pub thresholds: Option<BTreeMap<String, Vec<ThresholdCondition>>>,
    /// Networks that must not be reached.
    pub blacklist_ips: Option<Vec<IpNet>>,
    /// Host names that must not be reached.
    pub block_hostnames: Option<BlockedHostnames>,
    /// Addresses for host names.
    pub hosts: Option<Hosts>,
    /// Whether every request opens a connection.
    pub no_connection_reuse: Option<bool>,
    /// Whether every iteration opens its connections.
    pub no_vu_connection_reuse: Option<bool>,
    /// The least time from one iteration's start to the next.
    pub min_iteration_duration: Option<SignedDuration>,
    /// Options of k6's cloud; kept and not used.
    pub cloud: Option<Value>,
    /// Options of extensions; kept and not used.
    pub ext: Option<Value>,
    /// What summaries show of trends, as written.
    pub summary_trend_stats: Option<Vec<String>>,
    /// The unit summaries show times in, as written.
    pub summary_time_unit: Option<String>,
    /// Which of k6's own tags samples get.
    pub system_tags: Option<SystemTags>,
    /// Tags of all samples.
    pub tags: Option<BTreeMap<String, String>>,
    /// How many batches of samples may wait.
    pub metric_samples_buffer_size: Option<i64>,
    /// Whether cookies outlive an iteration.
    pub no_cookies_reset: Option<bool>,
    /// Whether response bodies are thrown away.
    pub discard_response_bodies: Option<bool>,
    /// The file the console's lines go to (environment and flags only).
    pub console_output: Option<String>,
    /// Addresses to send from (environment and flags only).
    pub local_ips: Option<IpPool>,
    /// Names of features (configuration file only; a script's are told and not used).
    pub features: Option<Vec<String>>,
    /// Whose rules hold; known once all sources are merged.
    pub version: K6Version,
}

/// Takes each named field of the upper set that is set.
macro_rules! lay_over {
    ($lower:ident, $upper:ident: $($field:ident)*) => {
        $(if $upper.$field.is_some() { $lower.$field = $upper.$field; })*
    };
}

impl Options {
    /// Whether it says what load there is (the number of users alone does not).
    #[must_use]
    pub fn shapes_load(&self) -> bool {
        self.duration.is_some()
            || self.iterations.is_some()
            || self.stages.is_some()
            || self.scenarios.is_some()
    }

    /// Merges `upper` over these. If it shapes load, it replaces all of the lower load;
    /// everything else is replaced option by option.
    #[must_use]
    pub fn under(mut self, upper: Self) -> Self {
        if upper.shapes_load() {
            self.duration = None;
            self.iterations = None;
            self.stages = None;
            self.scenarios = None;
        }
        let lower = &mut self;
        lay_over!(lower, upper: paused vus duration iterations scenarios execution_segment
            execution_segment_sequence no_setup setup_timeout no_teardown teardown_timeout
            handle_summary_timeout rps
            max_redirects user_agent batch batch_per_host http_debug insecure_skip_tls_verify
            tls_cipher_suites tls_version tls_auth throw thresholds blacklist_ips
            block_hostnames hosts no_connection_reuse no_vu_connection_reuse
            min_iteration_duration cloud ext summary_trend_stats summary_time_unit system_tags
            metric_samples_buffer_size no_cookies_reset discard_response_bodies console_output
            local_ips);
        if let Some(mut stages) = upper.stages {
            stages.retain(|stage| stage.duration.is_some());
            lower.stages = Some(stages);
        }
        if upper.tags.as_ref().is_some_and(|tags| !tags.is_empty()) {
            lower.tags = upper.tags;
        }
        let (dns, upper) = (&mut lower.dns, upper.dns);
        lay_over!(dns, upper: ttl select policy);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_load_above_leaves_nothing_of_the_load_below() {
        let lower = Options {
            vus: Some(5),
            stages: Some(vec![StageDraft::default()]),
            ..Options::default()
        };
        let upper = Options {
            iterations: Some(3),
            ..Options::default()
        };
        let both = lower.clone().under(upper);
        assert_eq!(
            (both.vus, both.iterations, both.stages),
            (Some(5), Some(3), None)
        );
        let users = Options {
            vus: Some(9),
            ..Options::default()
        };
        let both = lower.clone().under(users);
        assert_eq!((both.vus, both.stages), (Some(9), lower.stages));
    }

    #[test]
    fn stages_without_a_duration_are_dropped_when_laid_over() {
        let stages = vec![
            StageDraft::default(),
            StageDraft {
                duration: Some(SignedDuration(1)),
                target: None,
            },
        ];
        let upper = Options {
            stages: Some(stages.clone()),
            ..Options::default()
        };
        let both = Options::default().under(upper);
        assert_eq!(both.stages, Some(stages[1..].to_vec()));
    }

    #[test]
    fn dns_is_laid_over_part_by_part_and_empty_tags_are_none() {
        let lower = Options {
            dns: DnsOptions::parse("ttl=1s,select=first").unwrap(),
            tags: Some(BTreeMap::from([("a".into(), "b".into())])),
            ..Options::default()
        };
        let upper = Options {
            dns: DnsOptions::parse("ttl=2s").unwrap(),
            tags: Some(BTreeMap::new()),
            ..Options::default()
        };
        let both = lower.clone().under(upper);
        assert_eq!(both.dns, DnsOptions::parse("ttl=2s,select=first").unwrap());
        assert_eq!(both.tags, lower.tags);
    }
}
