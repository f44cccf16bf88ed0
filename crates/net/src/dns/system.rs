//! The machine's own way to look names up: `/etc/hosts`, then the servers of
//! `/etc/resolv.conf`, asked on a tokio runtime given by the caller.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{
    LookupIpStrategy, NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts,
};
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use tokio::runtime::Handle;

use super::names::localhost;
use super::{Answer, LookupError, Resolve};

const HOSTS: &str = "/etc/hosts";
const SERVERS: &str = "/etc/resolv.conf";

/// Why the machine's settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ResolverError {
    /// A file that is there cannot be read.
    #[error("cannot read {path}: {source}")]
    File {
        /// The file.
        path: &'static str,
        /// Why not.
        source: io::Error,
    },
    /// The settings make no sense.
    #[error("cannot use the name servers of {path}: {reason}")]
    Servers {
        /// The file.
        path: &'static str,
        /// Why not.
        reason: String,
    },
}

/// Looks names up as the machine is set up to.
pub struct SystemResolver {
    runtime: Handle,
    resolver: TokioResolver,
    hosts: HostsFile,
}

impl SystemResolver {
    /// Reads the machine's settings; look-ups run on `runtime`.
    ///
    /// Blocks for a moment: call it before load begins.
    ///
    /// # Errors
    /// [`ResolverError`] when a settings file is there but of no use.
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
        let (config, options) = if Path::new(SERVERS).exists() {
            hickory_resolver::system_conf::read_system_conf().map_err(unusable)?
        } else {
            // As Go does: perhaps a server listens here.
            let here = NameServerConfig::udp_and_tcp(Ipv4Addr::LOCALHOST.into());
            let config = ResolverConfig::from_name_servers(vec![here]);
            (config, ResolverOpts::default())
        };
        Self::asking(runtime, hosts, config, options).map_err(unusable)
    }

    /// Looks up in `hosts`, then asks the servers of `config`.
    pub(super) fn asking(
        runtime: Handle,
        hosts: HostsFile,
        config: ResolverConfig,
        mut options: ResolverOpts,
    ) -> Result<Self, NetError> {
        // Remembering is `Names`' business, with k6's rules instead of the records' own.
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
    fn lookup(&self, host: &str, answer: Answer) {
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
    /// Reads the file as resolvers do: lines that are no entries are passed over.
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

/// A name as it is compared.
fn plain(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}
