//! Resolves names as the machine is configured: `/etc/hosts`, then the servers in
//! `/etc/resolv.conf`, on a tokio runtime that the caller provides.

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
        let (config, options) = if names_servers(Path::new(SERVERS)) {
            hickory_resolver::system_conf::read_system_conf().map_err(unusable)?
        } else {
            // As in Go: perhaps a name server runs on this machine.
            let here = NameServerConfig::udp_and_tcp(Ipv4Addr::LOCALHOST.into());
            let config = ResolverConfig::from_name_servers(vec![here]);
            (config, ResolverOpts::default())
        };
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

/// Whether a file names a name server; one that cannot be read is left to who reads it in earnest.
fn names_servers(path: &Path) -> bool {
    match std::fs::read(path) {
        Ok(text) => String::from_utf8_lossy(&text)
            .lines()
            .any(|line| line.split_whitespace().next() == Some("nameserver")),
        Err(error) => error.kind() != io::ErrorKind::NotFound,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// An image without settings for names, as `scratch` is, and one with an empty file run all the same.
    #[test]
    fn settings_that_name_no_server_are_as_if_there_were_none() {
        let path = std::env::temp_dir().join(format!("loadline-resolv-{}", std::process::id()));
        assert!(!names_servers(&path));
        for (text, expected) in [
            ("", false),
            ("# nameserver 10.0.0.1\nsearch a.test\n", false),
            ("search a.test\n nameserver 10.0.0.1\n", true),
        ] {
            assert!(std::fs::write(&path, text).is_ok());
            assert_eq!(names_servers(&path), expected, "{text}");
        }
        assert!(std::fs::remove_file(&path).is_ok());
    }
}
