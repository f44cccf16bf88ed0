//! Where signals come from, as a person names it: `http://127.0.0.1:8080/metrics`, `pid:1234`,
//! `port:8080`, `postgres://user@host/db`, `redis://host`, `otlp:4318`,
//! `log:app.log`, `command:kubectl logs -f app`.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;

use loadline_net::Url;
use loadline_record::Redactor;
use loadline_record::signals::SourceKind;
use redis::Client;
use tokio_postgres::Config;

/// A source as it was named.
#[derive(Clone)]
pub struct SourceAddress {
    shown: String,
    pub(crate) place: Place,
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
    /// A `PostgreSQL` server.
    Postgres(Box<Config>),
    /// A Redis server.
    Redis(Box<Client>),
    /// The address on which to receive OTLP.
    Otlp(SocketAddr),
    /// A log's file.
    Log(PathBuf),
    /// A command that prints a log.
    Command(String),
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
    /// What kind of source it is.
    #[must_use]
    pub fn kind(&self) -> SourceKind {
        match self.place {
            Place::Page(_) => SourceKind::Page,
            Place::Process(_) | Place::Port(_) => SourceKind::Process,
            Place::Postgres(_) => SourceKind::Postgres,
            Place::Redis(_) => SourceKind::Redis,
            Place::Otlp(_) => SourceKind::Otlp,
            Place::Log(_) | Place::Command(_) => SourceKind::Logs,
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
                let config = text.parse().map_err(|_| invalid())?;
                Place::Postgres(Box::new(config))
            }
            Some(("redis" | "rediss", _)) => {
                let client = Client::open(text).map_err(|_| invalid())?;
                Place::Redis(Box::new(client))
            }
            Some(("log", path)) if !path.is_empty() => Place::Log(PathBuf::from(path)),
            Some(("command", command)) if !command.trim().is_empty() => {
                Place::Command(command.to_owned())
            }
            Some(("log" | "command", _)) => return Err(invalid()),
            Some(("otlp", place)) => {
                let address = match place.strip_prefix("//") {
                    Some(address) => address.trim_end_matches('/').parse().ok(),
                    None => {
                        let port: Option<u16> = place.parse().ok();
                        port.map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
                    }
                };
                let address = address.filter(|address| address.port() != 0);
                Place::Otlp(address.ok_or_else(invalid)?)
            }
            _ => return Err(SourceAddressError::Unknown { shown }),
        };
        Ok(Self { shown, place })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_named_by_how_they_begin() {
        let place = |text: &str| text.parse::<SourceAddress>().unwrap().place;
        assert!(matches!(place("pid:12"), Place::Process(12)));
        assert!(matches!(place("port:8080"), Place::Port(8080)));
        assert!(matches!(place("postgres://u@h/d"), Place::Postgres(_)));
        assert!(matches!(place("redis://h:6379/0"), Place::Redis(_)));
        assert!(matches!(place("http://h:1/metrics"), Place::Page(_)));
        for (text, address) in [
            ("otlp:4318", "127.0.0.1:4318"),
            ("otlp://0.0.0.0:4317", "0.0.0.0:4317"),
            ("otlp://[::1]:4317/", "[::1]:4317"),
        ] {
            let is_there = matches!(place(text), Place::Otlp(a) if a.to_string() == address);
            assert!(is_there, "{text}");
        }
        assert!(matches!(place("log:a b.log"), Place::Log(_)));
        assert!(matches!(place("command:tail -f x"), Place::Command(_)));
        for wrong in [
            "log:",
            "command: ",
            "otlp:",
            "otlp:0",
            "otlp://4318",
            "otlp://h:4318",
            "pid:",
            "pid:0",
            "port:70000",
            "port:x",
            "http://",
            "h:1",
        ] {
            assert!(wrong.parse::<SourceAddress>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_password_is_never_shown() {
        let address: SourceAddress = "http://ann:s3cret@h/metrics?token=abcd".parse().unwrap();
        assert_eq!(
            address.to_string(),
            "http://(redacted)@h/metrics?token=(redacted)"
        );
        let error = "ftp://ann:s3cret@h".parse::<SourceAddress>().unwrap_err();
        assert!(!error.to_string().contains("s3cret"), "{error}");
    }
}
