//! Options with their defaults filled in, for sending requests and for the summary.

use super::set::Options;
use super::values::{
    BlockedHostnames, CipherSuite, DnsPolicy, DnsSelect, DnsTtl, Hosts, IpNet, IpPool,
    SummaryTrendStat, SystemTags, TlsAuth, TlsVersionsOption, check_trend_stats,
};

/// How host names are looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dns {
    /// How long an answer is used.
    pub ttl: DnsTtl,
    /// Which of several addresses is taken.
    pub select: DnsSelect,
    /// Which kinds of addresses are taken.
    pub policy: DnsPolicy,
}

/// What is printed of every exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HttpDebug {
    /// Nothing.
    Off,
    /// Request line, status line and headers.
    Headers,
    /// Bodies too.
    Full,
}

/// The unit a summary shows times in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SummaryTimeUnit {
    /// One that suits each value.
    Auto,
    /// s
    Seconds,
    /// ms
    Milliseconds,
    /// µs
    Microseconds,
}

/// How requests are sent.
#[derive(Debug, Clone, PartialEq)]
pub struct HttpSettings {
    /// The user agent; with an empty one none is sent by the script's client.
    pub user_agent: String,
    /// Redirects that are followed at most.
    pub max_redirects: u64,
    /// Requests of a batch under way at once; zero is no limit.
    pub batch: u64,
    /// Requests of a batch under way at once to one host; zero is no limit.
    pub batch_per_host: u64,
    /// What is printed of every exchange.
    pub debug: HttpDebug,
    /// Whether failed requests throw.
    pub throw: bool,
    /// Whether response bodies are thrown away.
    pub discard_response_bodies: bool,
    /// Whether every request opens a connection.
    pub no_connection_reuse: bool,
    /// Whether every iteration opens its connections.
    pub no_vu_connection_reuse: bool,
    /// Whether cookies outlive an iteration.
    pub no_cookies_reset: bool,
    /// Whether certificates are taken unchecked.
    pub insecure_skip_tls_verify: bool,
    /// Versions of TLS that may be used.
    pub tls_versions: TlsVersionsOption,
    /// Cipher suites that may be used; `None` is any.
    pub tls_cipher_suites: Option<Vec<CipherSuite>>,
    /// Certificates to show.
    pub tls_auth: Vec<TlsAuth>,
    /// How host names are looked up.
    pub dns: Dns,
    /// Addresses for host names.
    pub hosts: Option<Hosts>,
    /// Networks that must not be reached.
    pub blacklist_ips: Vec<IpNet>,
    /// Host names that must not be reached.
    pub block_hostnames: Option<BlockedHostnames>,
    /// Addresses to send from; user i sends from number i - 1.
    pub local_ips: Option<IpPool>,
}

/// What a summary shows of trends.
#[derive(Debug, Clone, PartialEq)]
pub struct SummarySettings {
    /// The statistics, in order.
    pub trend_stats: Vec<SummaryTrendStat>,
    /// The unit of times.
    pub time_unit: SummaryTimeUnit,
}

impl HttpSettings {
    /// From consolidated options. An invalid DNS cache time counts as unset;
    /// [`super::ConsolidatedOptions::derive`] has refused it.
    #[must_use]
    pub fn from_options(options: &Options) -> Self {
        let count = |written: Option<i64>, default: u64| match written {
            None => default,
            Some(written) => u64::try_from(written).unwrap_or(0),
        };
        let on = |written: Option<bool>| written.unwrap_or(false);
        Self {
            user_agent: options
                .user_agent
                .clone()
                .unwrap_or_else(|| options.version.user_agent().to_owned()),
            max_redirects: count(options.max_redirects, 10),
            batch: count(options.batch, 20),
            batch_per_host: count(options.batch_per_host, 6),
            debug: match options.http_debug.as_deref() {
                None | Some("") => HttpDebug::Off,
                Some("full") => HttpDebug::Full,
                Some(_) => HttpDebug::Headers,
            },
            throw: on(options.throw),
            discard_response_bodies: on(options.discard_response_bodies),
            no_connection_reuse: on(options.no_connection_reuse),
            no_vu_connection_reuse: on(options.no_vu_connection_reuse),
            no_cookies_reset: on(options.no_cookies_reset),
            insecure_skip_tls_verify: on(options.insecure_skip_tls_verify),
            tls_versions: options.tls_version.unwrap_or_default(),
            tls_cipher_suites: options.tls_cipher_suites.clone(),
            tls_auth: options.tls_auth.clone().unwrap_or_default(),
            dns: Dns {
                ttl: options
                    .dns
                    .checked_ttl()
                    .unwrap_or(DnsTtl::For(std::time::Duration::from_secs(300))),
                select: options.dns.select.unwrap_or(DnsSelect::Random),
                policy: options.dns.policy.unwrap_or(DnsPolicy::PreferIpv4),
            },
            hosts: options.hosts.clone(),
            blacklist_ips: options.blacklist_ips.clone().unwrap_or_default(),
            block_hostnames: options.block_hostnames.clone(),
            local_ips: options.local_ips.clone(),
        }
    }
}

impl SummarySettings {
    /// From consolidated options, whose statistics are checked.
    #[must_use]
    pub fn from_options(options: &Options) -> Self {
        let written = options.summary_trend_stats.as_deref();
        let stats = written.and_then(|names| check_trend_stats(names).ok());
        let default = || check_trend_stats(&SummaryTrendStat::DEFAULT).unwrap_or_default();
        Self {
            trend_stats: stats.unwrap_or_else(default),
            time_unit: match options.summary_time_unit.as_deref() {
                Some("s") => SummaryTimeUnit::Seconds,
                Some("ms") => SummaryTimeUnit::Milliseconds,
                Some("us") => SummaryTimeUnit::Microseconds,
                _ => SummaryTimeUnit::Auto,
            },
        }
    }
}

impl Options {
    /// Which of k6's own tags samples get.
    #[must_use]
    pub fn effective_system_tags(&self) -> SystemTags {
        self.system_tags.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::version::K6Version;

    #[test]
    fn defaults_are_k6s() {
        let settings = HttpSettings::from_options(&Options::default());
        assert_eq!(settings.max_redirects, 10);
        assert_eq!((settings.batch, settings.batch_per_host), (20, 6));
        assert_eq!(settings.user_agent, K6Version::default().user_agent());
        assert_eq!(settings.debug, HttpDebug::Off);
        assert_eq!(settings.dns.select, DnsSelect::Random);
        assert_eq!(settings.dns.policy, DnsPolicy::PreferIpv4);
        let summary = SummarySettings::from_options(&Options::default());
        let names: Vec<_> = summary
            .trend_stats
            .iter()
            .map(SummaryTrendStat::name)
            .collect();
        assert_eq!(names, SummaryTrendStat::DEFAULT);
        assert_eq!(summary.time_unit, SummaryTimeUnit::Auto);
    }

    #[test]
    fn what_is_written_wins() {
        let options = Options {
            max_redirects: Some(-1),
            http_debug: Some("full".into()),
            summary_time_unit: Some("us".into()),
            ..Options::default()
        };
        let settings = HttpSettings::from_options(&options);
        assert_eq!(settings.max_redirects, 0);
        assert_eq!(settings.debug, HttpDebug::Full);
        let summary = SummarySettings::from_options(&options);
        assert_eq!(summary.time_unit, SummaryTimeUnit::Microseconds);
    }
}
