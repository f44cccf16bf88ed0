//! Resolves names as the machine is configured: `/etc/hosts`, then the servers in
//! `/etc/resolv.conf`, on a tokio runtime that the caller provides.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::str::FromStr as _;
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{
    LookupIpStrategy, NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts,
};
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::rr::Name;
use tokio::runtime::Handle;

use super::names::localhost;
use super::{LookupAnswer, LookupError, Resolve};

const HOSTS: &str = "/etc/hosts";
const SERVERS: &str = "/etc/resolv.conf";

/// Why the machine's settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ResolverError {
    /// An existing file cannot be read.
    #[error("cannot read {path}: {source}")]
    File {
        /// The file.
        path: &'static str,
        /// The reason.
        source: io::Error,
    },
    /// The settings are invalid.
    #[error("cannot use the name servers of {path}: {reason}")]
    Servers {
        /// The file.
        path: &'static str,
        /// The reason.
        reason: String,
    },
}

/// Resolves names as the machine is configured.
pub struct SystemResolver {
    runtime: Handle,
    resolver: TokioResolver,
    hosts: HostsFile,
}

impl SystemResolver {
    /// Reads the machine's settings. Look-ups run on `runtime`.
    ///
    /// Blocks for a moment; call it before the load begins.
    ///
    /// # Errors
    /// [`ResolverError`] if a settings file exists but cannot be used.
    pub fn new(runtime: Handle) -> Result<Self, ResolverError> {
        let hosts = match std::fs::read_to_string(HOSTS) {
            Ok(text) => HostsFile::parse(&text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => HostsFile::default(),
            Err(source) => {
                return Err(ResolverError::File {
                    path: HOSTS,
                    source,
                });
            }
        };
        let unusable = |error: NetError| ResolverError::Servers {
            path: SERVERS,
            reason: error.to_string(),
        };
        let servers = match std::fs::read(SERVERS) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(unusable(error.into())),
        };
        let (config, options) = settings(&servers).map_err(unusable)?;
        Self::asking(runtime, hosts, config, options).map_err(unusable)
    }

    /// Looks in `hosts` first, then asks the servers of `config`.
    pub(super) fn asking(
        runtime: Handle,
        hosts: HostsFile,
        config: ResolverConfig,
        mut options: ResolverOpts,
    ) -> Result<Self, NetError> {
        // `Names` caches answers by k6's rules, not by the records' TTL.
        options.cache_size = 0;
        options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
        options.use_hosts_file = ResolveHosts::Never;
        let _guard = runtime.enter();
        let mut builder =
            TokioResolver::builder_with_config(config, TokioRuntimeProvider::default());
        *builder.options_mut() = options;
        let resolver = builder.build()?;
        Ok(Self {
            runtime,
            resolver,
            hosts,
        })
    }
}

impl Resolve for SystemResolver {
    fn lookup(&self, host: &str, answer: LookupAnswer) {
        if let Some(addresses) = self.hosts.get(host).or_else(|| localhost(host)) {
            answer.give(Ok(addresses));
            return;
        }
        let resolver = self.resolver.clone();
        let host = host.to_owned();
        self.runtime.spawn(async move {
            answer.give(match resolver.lookup_ip(host.as_str()).await {
                Ok(found) => Ok(found.iter().collect()),
                Err(error) => Err(refusal(&error)),
            });
        });
    }
}

/// The settings of a `resolv.conf`. Lines that cannot be read count for nothing, as in glibc.
pub(super) fn settings(text: &[u8]) -> Result<(ResolverConfig, ResolverOpts), NetError> {
    let (read, _) = resolv_conf::Config::parse_with_errors(text);
    let servers = read.nameservers.iter().map(IpAddr::from);
    let mut servers: Vec<_> = servers.map(NameServerConfig::udp_and_tcp).collect();
    if servers.is_empty() {
        // As in Go: perhaps a name server runs on this machine.
        servers.push(NameServerConfig::udp_and_tcp(Ipv4Addr::LOCALHOST.into()));
    }
    let domain = read.get_system_domain();
    let domain = domain.and_then(|domain| Name::from_str(&domain).ok());
    let search = read.get_last_search_or_domain();
    let search = search
        .filter(|domain| *domain != "--") // systemd-resolved writes it for none
        .map(Name::from_str_relaxed)
        .collect::<Result<_, _>>()?;
    let mut options = ResolverOpts::default();
    options.ndots = read.ndots as usize;
    options.timeout = Duration::from_secs(read.timeout.into());
    options.attempts = read.attempts as usize;
    options.edns0 = read.edns0;
    Ok((ResolverConfig::from_parts(domain, search, servers), options))
}

fn refusal(error: &NetError) -> LookupError {
    if error.is_no_records_found() {
        LookupError::NoSuchHost
    } else if matches!(error, NetError::Timeout) {
        LookupError::Failed("i/o timeout".to_owned())
    } else {
        LookupError::Failed(error.to_string())
    }
}

/// `/etc/hosts`: names in lower case and their addresses, in the file's order.
#[derive(Debug, Default)]
pub(super) struct HostsFile(HashMap<String, Vec<IpAddr>>);

impl HostsFile {
    /// Parses the file as resolvers do: malformed lines are skipped.
    pub(super) fn parse(text: &str) -> Self {
        let mut hosts: HashMap<String, Vec<IpAddr>> = HashMap::new();
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default();
            let mut words = line.split_whitespace();
            let Some(Ok(address)) = words.next().map(str::parse) else {
                continue;
            };
            for name in words {
                let addresses = hosts.entry(plain(name)).or_default();
                if !addresses.contains(&address) {
                    addresses.push(address);
                }
            }
        }
        Self(hosts)
    }

    pub(super) fn get(&self, host: &str) -> Option<Vec<IpAddr>> {
        self.0.get(&plain(host)).cloned()
    }
}

/// A name in the form that is compared.
fn plain(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}
