//! Where signals come from, as a person names it: `http://127.0.0.1:8080/metrics`,
//! `prometheus://host:9090?match=job="shop"`, `pid:1234`, `port:8080`, `postgres://user@host/db`,
//! `mysql://user@host/db`, `redis://host`, `otlp:4318`, `log:app.log`, `command:kubectl logs -f app`,
//! `remote://TOKEN@host:7070`, `remote+https://TOKEN@host:7070`,
//! `loki://host:3100?query={app="shop"}`, `tempo://host:3200?query={resource.service.name="shop"}`.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;

use loadline_net::Url;
use loadline_record::Redactor;
use loadline_record::signals::SourceKind;
use mysql_async::Opts;
use percent_encoding::percent_decode_str;
use redis::Client;
use tokio_postgres::Config;

/// A source as it was named.
#[derive(Clone)]
pub struct SourceAddress {
    shown: String,
    pub(crate) place: Place,
}

/// How OTLP is received.
#[derive(Debug, Clone)]
pub(crate) struct OtlpReceiver {
    /// Where.
    pub(crate) address: SocketAddr,
    /// Others may reach it, unencrypted: asked for.
    pub(crate) is_insecure: bool,
    /// What senders have to know.
    pub(crate) token: Option<String>,
    /// Where what arrives is sent on to.
    pub(crate) forward: Option<Box<Url>>,
}

/// Where a source is.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    /// A page in Prometheus' text format.
    Page(Box<Url>),
    /// A process of this machine and all below it.
    Process(u32),
    /// The process of this machine that listens on a port.
    Port(u16),
    /// A Prometheus: where it answers questions, and labels of what is asked for.
    Prometheus { url: Box<Url>, matchers: String },
    /// Another host's `loadline observe --listen`.
    Remote { url: Box<Url>, token: String },
    /// A `PostgreSQL` server, and how it has to prove itself.
    Postgres(Box<Config>, Trust),
    /// A `MySQL` or `MariaDB` server.
    Mysql(Box<Opts>),
    /// A Redis server.
    Redis(Box<Client>),
    /// How OTLP is received.
    Otlp(OtlpReceiver),
    /// A log's file.
    Log(PathBuf),
    /// A command that prints a log.
    Command(String),
    /// A Loki: where it answers questions for lines, which lines, and for whom.
    Loki {
        url: Box<Url>,
        query: String,
        tenant: Option<String>,
    },
    /// A Tempo: where it is, which traces, and for whom.
    Tempo {
        url: Box<Url>,
        query: String,
        tenant: Option<String>,
    },
}

/// Which certificates a server may show, as libpq's `sslmode` and `sslrootcert` say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Any: `prefer`, which is what libpq does without being told, and `require`.
    Any,
    /// Those that the machine trusts, or the authorities of a file: `verify-full`, `verify-ca`.
    Roots(Option<PathBuf>),
}

impl Trust {
    /// Takes what the client's library does not know out of a URL; `None` when it contradicts itself.
    fn from_url(url: &str) -> Option<(String, Self)> {
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let (mut is_verified, mut file, mut rest) = (false, None, Vec::new());
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("sslmode", "verify-full" | "verify-ca")) => {
                    is_verified = true;
                    rest.push("sslmode=require");
                }
                Some(("sslrootcert", path)) => {
                    let path = percent_decode_str(path).decode_utf8().ok()?;
                    file = Some(PathBuf::from(path.into_owned()));
                }
                _ => rest.push(pair),
            }
        }
        let query = if rest.is_empty() { "" } else { "?" };
        let plain = format!("{base}{query}{}", rest.join("&"));
        match (is_verified, file) {
            (true, file) => Some((plain, Self::Roots(file))),
            (false, None) => Some((plain, Self::Any)),
            // A file of authorities without being asked to verify: libpq verifies then.
            (false, Some(file)) => Some((plain, Self::Roots(Some(file)))),
        }
    }
}

/// Why something names no source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceAddressError {
    /// It begins like no source.
    #[error("`{shown}` names no source")]
    Unknown {
        /// What was given, without secrets.
        shown: String,
    },
    /// What follows the beginning is wrong.
    #[error("`{shown}` is not a valid source")]
    Invalid {
        /// What was given, without secrets.
        shown: String,
    },
}

impl SourceAddress {
    /// The page's URL, if it is one.
    #[must_use]
    pub fn page(&self) -> Option<&Url> {
        match &self.place {
            Place::Page(url) => Some(url),
            _ => None,
        }
    }

    /// The address that it would open to others unasked.
    #[must_use]
    pub fn opened(&self) -> Option<SocketAddr> {
        match &self.place {
            Place::Otlp(receiver) if !receiver.is_insecure => {
                Some(receiver.address).filter(|address| !address.ip().is_loopback())
            }
            _ => None,
        }
    }

    /// What kind of source it is.
    #[must_use]
    pub fn kind(&self) -> SourceKind {
        match self.place {
            Place::Page(_) => SourceKind::Page,
            Place::Process(_) | Place::Port(_) => SourceKind::Process,
            Place::Prometheus { .. } => SourceKind::Prometheus,
            Place::Remote { .. } => SourceKind::Remote,
            Place::Postgres(..) => SourceKind::Postgres,
            Place::Mysql(_) => SourceKind::Mysql,
            Place::Redis(_) => SourceKind::Redis,
            Place::Otlp(_) | Place::Tempo { .. } => SourceKind::Otlp,
            Place::Log(_) | Place::Command(_) | Place::Loki { .. } => SourceKind::Logs,
        }
    }
}

impl PartialEq for SourceAddress {
    /// Two that are shown alike are one: what differs then is a password.
    fn eq(&self, other: &Self) -> bool {
        self.shown == other.shown
    }
}

impl fmt::Debug for SourceAddress {
    /// As it is shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SourceAddress({})", self.shown)
    }
}

impl fmt::Display for SourceAddress {
    /// Without user and password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl FromStr for SourceAddress {
    type Err = SourceAddressError;

    fn from_str(text: &str) -> Result<Self, SourceAddressError> {
        let text = text.trim();
        let shown = Redactor::default().text(text);
        let invalid = || SourceAddressError::Invalid {
            shown: shown.clone(),
        };
        let place = match text.split_once(':') {
            Some(("http" | "https", _)) => {
                let url = Url::parse(text)
                    .ok()
                    .filter(|url| !url.host_name().is_empty());
                Place::Page(Box::new(url.ok_or_else(invalid)?))
            }
            Some(("pid", number)) => match number.parse() {
                Ok(0) | Err(_) => return Err(invalid()),
                Ok(number) => Place::Process(number),
            },
            Some(("port", number)) => match number.parse() {
                Ok(0) | Err(_) => return Err(invalid()),
                Ok(number) => Place::Port(number),
            },
            Some(("postgres" | "postgresql", _)) => {
                let (text, trust) = Trust::from_url(text).ok_or_else(invalid)?;
                let config = text.parse().map_err(|_| invalid())?;
                Place::Postgres(Box::new(config), trust)
            }
            Some(("mysql" | "mariadb", rest)) => {
                let opts = Opts::from_url(&format!("mysql:{rest}")).map_err(|_| invalid())?;
                Place::Mysql(Box::new(opts))
            }
            Some(("prometheus", rest)) => prometheus("http", rest).ok_or_else(invalid)?,
            Some(("prometheus+https", rest)) => prometheus("https", rest).ok_or_else(invalid)?,
            Some(("loki", rest)) => loki("http", rest).ok_or_else(invalid)?,
            Some(("loki+https", rest)) => loki("https", rest).ok_or_else(invalid)?,
            Some(("tempo", rest)) => tempo("http", rest).ok_or_else(invalid)?,
            Some(("tempo+https", rest)) => tempo("https", rest).ok_or_else(invalid)?,
            Some(("remote", rest)) => remote("http", rest).ok_or_else(invalid)?,
            Some(("remote+https", rest)) => remote("https", rest).ok_or_else(invalid)?,
            Some(("redis" | "rediss", _)) => {
                let client = Client::open(text).map_err(|_| invalid())?;
                Place::Redis(Box::new(client))
            }
            Some(("log", path)) if !path.is_empty() => Place::Log(PathBuf::from(path)),
            Some(("command", command)) if !command.trim().is_empty() => {
                Place::Command(command.to_owned())
            }
            Some(("log" | "command", _)) => return Err(invalid()),
            Some(("otlp", rest)) => otlp(rest).ok_or_else(invalid)?,
            _ => return Err(SourceAddressError::Unknown { shown }),
        };
        Ok(Self { shown, place })
    }
}

/// `//host:9090/path?match=job="shop"`: where a Prometheus answers questions. Braces around the labels may be
/// written or left out.
fn prometheus(scheme: &str, rest: &str) -> Option<Place> {
    let (base, query) = rest.split_once('?').unwrap_or((rest, ""));
    let matchers = match query {
        "" => String::new(),
        query => percent_decode_str(query.strip_prefix("match=")?)
            .decode_utf8()
            .ok()?
            .into_owned(),
    };
    let matchers = matchers.trim();
    let inner = matchers.strip_prefix('{');
    let matchers = match inner {
        Some(inner) => inner.strip_suffix('}')?,
        None => matchers,
    };
    let url = format!("{scheme}:{}/api/v1/query", base.trim_end_matches('/'));
    let url = Url::parse(&url).ok()?;
    (!url.host_name().is_empty()).then(|| Place::Prometheus {
        url: Box::new(url),
        matchers: matchers.trim_matches([',', ' ']).to_owned(),
    })
}

/// `//host:3100/path?query={app="shop"}&tenant=NAME`: lines that a Loki has.
fn loki(scheme: &str, rest: &str) -> Option<Place> {
    let (base, query) = rest.split_once("?query=")?;
    let (query, tenant) = match query.rsplit_once("&tenant=") {
        Some((query, tenant)) => (query, Some(tenant.to_owned())),
        None => (query, None),
    };
    let query = percent_decode_str(query).decode_utf8().ok()?;
    let url = format!(
        "{scheme}:{}/loki/api/v1/query_range",
        base.trim_end_matches('/')
    );
    let url = Url::parse(&url).ok()?;
    let is_whole = !url.host_name().is_empty()
        && query.contains('{')
        && tenant.as_ref().is_none_or(|tenant| !tenant.is_empty());
    is_whole.then(|| Place::Loki {
        url: Box::new(url),
        query: query.trim().to_owned(),
        tenant,
    })
}

/// `//host:3200/path?query={resource.service.name="shop"}&tenant=NAME`: traces that a Tempo has; all without a query.
fn tempo(scheme: &str, rest: &str) -> Option<Place> {
    let (base, query) = rest.split_once("?query=").unwrap_or((rest, "{}"));
    let (query, tenant) = match query.rsplit_once("&tenant=") {
        Some((query, tenant)) => (query, Some(tenant.to_owned())),
        None => (query, None),
    };
    let query = percent_decode_str(query).decode_utf8().ok()?;
    let url = Url::parse(&format!("{scheme}:{}/", base.trim_end_matches('/'))).ok()?;
    let is_whole = !url.host_name().is_empty()
        && !base.contains('?')
        && query.contains('{')
        && tenant.as_ref().is_none_or(|tenant| !tenant.is_empty());
    is_whole.then(|| Place::Tempo {
        url: Box::new(url),
        query: query.trim().to_owned(),
        tenant,
    })
}

/// `4318`, `//0.0.0.0:4318`, then if wanted `?insecure`, `?token=TOKEN` and, as the last,
/// `?forward=http://collector:4318`.
fn otlp(rest: &str) -> Option<Place> {
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let address = match place.strip_prefix("//") {
        Some(address) => address.trim_end_matches('/').parse().ok()?,
        None => SocketAddr::from((Ipv4Addr::LOCALHOST, place.parse().ok()?)),
    };
    let mut receiver = OtlpReceiver {
        address,
        is_insecure: false,
        token: None,
        forward: None,
    };
    let mut query = query;
    while !query.is_empty() {
        // A URL may hold `&` itself.
        if let Some(to) = query.strip_prefix("forward=") {
            let to = Url::parse(to).ok()?;
            let is_web = matches!(to.scheme(), "http" | "https") && !to.host_name().is_empty();
            receiver.forward = Some(Box::new(is_web.then_some(to)?));
            break;
        }
        let (option, after) = query.split_once('&').unwrap_or((query, ""));
        match option.split_once('=') {
            None if option == "insecure" => receiver.is_insecure = true,
            Some(("token", token)) if is_token(token) => receiver.token = Some(token.to_owned()),
            _ => return None,
        }
        query = after;
    }
    (address.port() != 0).then_some(Place::Otlp(receiver))
}

/// Whether a header can bring it, and all of it is masked where the address is shown.
fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// `//TOKEN@host:7070`.
fn remote(scheme: &str, rest: &str) -> Option<Place> {
    let url = Url::parse(&format!("{scheme}:{}/", rest.trim_end_matches('/'))).ok()?;
    let user = url.user()?;
    let token = user
        .password
        .clone()
        .filter(|password| !password.is_empty());
    let token = token.unwrap_or_else(|| user.name.clone());
    let is_whole = !token.is_empty() && !url.host_name().is_empty() && url.port_text().is_some();
    is_whole.then(|| Place::Remote {
        url: Box::new(url.without_user()),
        token,
    })
}

#[cfg(test)]
mod tests;
