//! A run's network settings: names, proxies and TLS from the machine, the environment and a
//! script's options.
//!
//! Elsewhere: what each setting does, in `net`; reading the environment, in `cli`.

use std::collections::BTreeMap;
use std::sync::Arc;

use loadline_k6_options::HttpSettings;
use loadline_k6_options::values::{DnsPolicy, DnsSelect, DnsTtl, TlsVersionOption};
use loadline_net::{
    AddressPolicy, AddressSelection, BlockedNames, CipherSuites, HostError, HostMap, Identity,
    LookupAnswer, Names, NamesOptions, NetworkSettings, Proxies, ProxyError, Resolve,
    ResolverError, Roots, SystemResolver, Tls, TlsError, TlsOptions, TlsVersions, Url,
    decrypted_key,
};
use tokio::runtime::{Builder, Runtime};

/// Why network settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// Name look-ups cannot be set up.
    #[error(transparent)]
    Resolver(#[from] ResolverError),
    /// The thread that looks names up cannot be started.
    #[error("cannot start the thread for name look-ups: {0}")]
    Thread(std::io::Error),
    /// A host, pattern or range is invalid.
    #[error(transparent)]
    Host(#[from] HostError),
    /// The target of a name in `hosts` is no address; k6 fails each connection to it.
    #[error("hosts: '{name}' leads to no address; write IP or IP:port")]
    HostTarget {
        /// The name.
        name: String,
    },
    /// A proxy variable is invalid.
    #[error(transparent)]
    Proxy(#[from] ProxyError),
    /// The TLS settings cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
}

/// Settings for plain requests: the machine's names, the environment's proxies, TLS that
/// trusts the machine's roots unless `skip_verification` says to take any certificate.
///
/// Reads the machine's settings files: call it once, before load begins.
///
/// # Errors
/// [`NetworkError`].
pub fn plain(
    environment: &BTreeMap<String, String>,
    skip_verification: bool,
) -> Result<NetworkSettings, NetworkError> {
    Ok(with_tls(without_tls(environment)?, skip_verification)?)
}

/// The same for requests to one address only: TLS, whose roots take milliseconds to read,
/// is set up when it is spoken on the way there.
///
/// # Errors
/// [`NetworkError`].
pub fn plain_to(
    url: &Url,
    environment: &BTreeMap<String, String>,
    skip_verification: bool,
) -> Result<NetworkSettings, NetworkError> {
    let settings = without_tls(environment)?;
    if url.is_secure() || settings.proxies.speak_tls() {
        Ok(with_tls(settings, skip_verification)?)
    } else {
        Ok(settings)
    }
}

/// Settings for an Artillery file.
///
/// # Errors
/// [`NetworkError`].
pub(crate) fn of_artillery(
    environment: &BTreeMap<String, String>,
    config: &loadline_artillery::model::Config,
) -> Result<NetworkSettings, NetworkError> {
    let tls = &config.tls;
    let identity = match &tls.identity {
        None => None,
        Some((certificate, key)) => {
            let decrypted = tls.passphrase.as_deref();
            let decrypted = decrypted
                .map(|passphrase| decrypted_key(key, passphrase))
                .transpose()?;
            let key = decrypted.as_ref().unwrap_or(key);
            let identity = Identity::from_pem(certificate.as_bytes(), key.as_bytes(), Vec::new())?;
            Some(identity)
        }
    };
    let options = TlsOptions {
        skip_verification: config.insecure,
        identities: identity.into_iter().collect(),
        ..TlsOptions::default()
    };
    let roots = match &tls.authorities {
        Some(pem) if !config.insecure => Roots::from_pem(pem.as_bytes())?,
        _ => roots(config.insecure),
    };
    Ok(NetworkSettings {
        tls: Some(Tls::new(&options, &roots)?),
        ..without_tls(environment)?
    })
}

pub(crate) fn without_tls(
    environment: &BTreeMap<String, String>,
) -> Result<NetworkSettings, NetworkError> {
    Ok(NetworkSettings {
        names: names(NamesOptions::default())?,
        proxies: proxies(environment)?,
        ..NetworkSettings::default()
    })
}

pub(crate) fn with_tls(
    settings: NetworkSettings,
    skip_verification: bool,
) -> Result<NetworkSettings, TlsError> {
    let options = TlsOptions {
        skip_verification,
        ..TlsOptions::default()
    };
    let tls = Some(Tls::new(&options, &roots(skip_verification))?);
    Ok(NetworkSettings { tls, ..settings })
}

/// Settings for a k6 script with these options.
///
/// # Errors
/// [`NetworkError`].
pub(crate) fn of_script(
    http: &HttpSettings,
    environment: &BTreeMap<String, String>,
) -> Result<NetworkSettings, NetworkError> {
    let most = |count: u64, if_none: usize| match usize::try_from(count) {
        Ok(0) | Err(_) => if_none,
        Ok(count) => count,
    };
    let tls = tls_options(http)?;
    Ok(NetworkSettings {
        reuse_connections: !http.no_connection_reuse,
        max_idle_per_host: most(http.batch_per_host, usize::MAX),
        max_idle: most(http.batch, usize::MAX),
        names: names(names_options(http))?,
        hosts: hosts(http)?,
        blocked_names: match &http.block_hostnames {
            None => BlockedNames::default(),
            Some(blocked) => BlockedNames::new(blocked.written().iter().map(String::as_str))?,
        },
        blacklist: http
            .blacklist_ips
            .iter()
            .map(|range| range.to_string().parse())
            .collect::<Result<_, _>>()?,
        proxies: proxies(environment)?,
        tls: Some(Tls::new(&tls, &roots(tls.skip_verification))?),
        ..NetworkSettings::default()
    })
}

fn hosts(http: &HttpSettings) -> Result<HostMap, NetworkError> {
    let Some(written) = &http.hosts else {
        return Ok(HostMap::default());
    };
    let targets = written
        .shown()
        .map(|(name, target)| match target.parse() {
            Ok(target) => Ok((name, target)),
            Err(_) => Err(NetworkError::HostTarget {
                name: name.to_owned(),
            }),
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok(HostMap::new(targets)?)
}

fn names_options(http: &HttpSettings) -> NamesOptions {
    NamesOptions {
        ttl: match http.dns.ttl {
            DnsTtl::Off => std::time::Duration::ZERO,
            DnsTtl::For(time) => time,
            DnsTtl::Forever => std::time::Duration::MAX,
        },
        select: match http.dns.select {
            DnsSelect::First => AddressSelection::First,
            DnsSelect::RoundRobin => AddressSelection::RoundRobin,
            DnsSelect::Random => AddressSelection::Random,
        },
        family: match http.dns.policy {
            DnsPolicy::PreferIpv4 => AddressPolicy::PreferIpv4,
            DnsPolicy::PreferIpv6 => AddressPolicy::PreferIpv6,
            DnsPolicy::OnlyIpv4 => AddressPolicy::OnlyIpv4,
            DnsPolicy::OnlyIpv6 => AddressPolicy::OnlyIpv6,
            DnsPolicy::Any => AddressPolicy::Any,
        },
    }
}

fn tls_options(http: &HttpSettings) -> Result<TlsOptions, TlsError> {
    let version = |asked: Option<TlsVersionOption>| asked.map_or("", TlsVersionOption::name);
    let identities = http.tls_auth.iter().map(|auth| {
        let decrypted = match &auth.password {
            Some(password) => Some(decrypted_key(&auth.key, password)?),
            None => None,
        };
        let key = decrypted.as_ref().unwrap_or(&auth.key);
        Identity::from_pem(auth.cert.as_bytes(), key.as_bytes(), auth.domains.clone())
    });
    Ok(TlsOptions {
        skip_verification: http.insecure_skip_tls_verify,
        versions: TlsVersions::between(
            version(http.tls_versions.min),
            version(http.tls_versions.max),
        )?,
        cipher_suites: match &http.tls_cipher_suites {
            None => CipherSuites::default(),
            Some(suites) => CipherSuites::named(suites.iter().map(|suite| suite.name()))?,
        },
        identities: identities.collect::<Result<_, _>>()?,
        ..TlsOptions::default()
    })
}

/// The machine's roots. Without any, `https` fails at each request by what the server's
/// certificate lacks, as in k6, so that files that cannot be read need no word of their own.
fn roots(skip_verification: bool) -> Roots {
    if skip_verification {
        return Roots::none();
    }
    Roots::system().0
}

/// The proxy variables, in upper or lower case, read as Go reads them.
fn proxies(environment: &BTreeMap<String, String>) -> Result<Proxies, ProxyError> {
    let variable = |name: &str| {
        let spellings = [name.to_owned(), name.to_lowercase()];
        let values = spellings.iter().filter_map(|name| environment.get(name));
        let value = values.map(String::as_str).find(|value| !value.is_empty());
        value.unwrap_or_default()
    };
    Proxies::from_variables(
        variable("HTTP_PROXY"),
        variable("HTTPS_PROXY"),
        variable("NO_PROXY"),
    )
}

fn names(options: NamesOptions) -> Result<Arc<Names>, NetworkError> {
    let source = LookUps::start()?;
    let seed = getrandom::u64().expect("the system's random numbers cannot be read");
    Ok(Arc::new(Names::new(source, options, seed)))
}

/// The machine's resolver with the one thread it runs on.
struct LookUps {
    resolver: SystemResolver,
    runtime: Option<Runtime>,
}

impl LookUps {
    fn start() -> Result<Self, NetworkError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("names")
            .enable_io()
            .enable_time()
            .build()
            .map_err(NetworkError::Thread)?;
        Ok(Self {
            resolver: SystemResolver::new(runtime.handle().clone())?,
            runtime: Some(runtime),
        })
    }
}

impl Resolve for LookUps {
    fn lookup(&self, host: &str, answer: LookupAnswer) {
        self.resolver.lookup(host, answer);
    }
}

impl Drop for LookUps {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // A look-up that is no longer needed must not delay the end of the run.
            runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadline_k6_options::Options;
    use loadline_k6_options::values::Hosts;

    #[test]
    fn proxies_are_read_in_either_case_the_upper_first() {
        let env = |pairs: &[(&str, &str)]| {
            let pairs = pairs
                .iter()
                .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
            proxies(&pairs.collect()).unwrap()
        };
        assert_eq!(env(&[]), Proxies::default());
        assert_eq!(
            env(&[("http_proxy", "low:1"), ("HTTP_PROXY", "up:2")]),
            Proxies::from_variables("up:2", "", "").unwrap()
        );
        assert_eq!(
            env(&[
                ("http_proxy", "low:1"),
                ("HTTP_PROXY", ""),
                ("no_proxy", "a")
            ]),
            Proxies::from_variables("low:1", "", "a").unwrap()
        );
    }

    #[test]
    fn a_host_that_leads_nowhere_is_named() {
        let written = [("shop.test".to_owned(), "nowhere".to_owned())].into();
        let http = HttpSettings::from_options(&Options {
            hosts: Some(Hosts::new(&written).unwrap()),
            ..Options::default()
        });
        assert_eq!(
            hosts(&http).unwrap_err().to_string(),
            "hosts: 'shop.test' leads to no address; write IP or IP:port"
        );
    }

    #[test]
    fn a_limit_of_zero_is_none() {
        let http = HttpSettings::from_options(&Options {
            batch: Some(0),
            batch_per_host: Some(3),
            ..Options::default()
        });
        let settings = of_script(&http, &BTreeMap::new()).unwrap();
        assert_eq!(settings.max_idle, usize::MAX);
        assert_eq!(settings.max_idle_per_host, 3);
    }
}
