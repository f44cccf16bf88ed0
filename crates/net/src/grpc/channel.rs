//! A way to one server, and the connection there is.

use std::cell::RefCell;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use loadline_units::Time;

use crate::client::{Alarm, Client};
use crate::failure::{Cause, Failure};
use crate::http2::{Http2, Windows};
use crate::shortage::Shortage;
use crate::tls::Tls;

/// Where a channel leads and what is borne on it.
#[derive(Debug, Clone)]
pub struct GrpcOptions {
    /// `host:port`
    pub address: String,
    /// Without TLS.
    pub plaintext: bool,
    /// Another TLS than the run's.
    pub tls: Option<Tls>,
    /// What the server is called, where not by its address.
    pub authority: Option<String>,
    /// `user-agent`
    pub user_agent: String,
    /// Bytes of a received message borne.
    pub max_receive: usize,
    /// Bytes of a sent message borne.
    pub max_send: usize,
}

impl GrpcOptions {
    /// Bytes of a received message borne unless told otherwise: 4 MiB.
    pub const MAX_RECEIVE: usize = 4 * 1024 * 1024;
    /// Bytes of a sent message borne unless told otherwise.
    pub const MAX_SEND: usize = i32::MAX as usize;

    /// What the server is called.
    pub(super) fn authority(&self) -> &str {
        self.authority.as_deref().unwrap_or(&self.address)
    }
}

/// One user's way to one server; clones are the same.
#[derive(Debug, Clone)]
pub struct GrpcChannel(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    client: Client,
    options: GrpcOptions,
    connection: RefCell<Option<Http2>>,
}

/// Why there is no connection.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct GrpcUnreached {
    /// Go's text.
    pub text: String,
    /// What the generator lacked, if it was that.
    pub shortage: Option<Shortage>,
}

impl GrpcUnreached {
    fn late(last: &str) -> Self {
        Self {
            text: format!("context deadline exceeded{last}"),
            shortage: None,
        }
    }
}

/// Why an attempt to connect failed.
enum Unreached {
    /// It would fail again.
    ForGood(String, Option<Shortage>),
    /// Another attempt may go well.
    ForNow(String),
}

impl From<Unreached> for GrpcUnreached {
    fn from(why: Unreached) -> Self {
        let (text, shortage) = match why {
            Unreached::ForGood(text, shortage) => (text, shortage),
            Unreached::ForNow(text) => (text, None),
        };
        Self {
            text: format!("connection error: desc = \"{text}\""),
            shortage,
        }
    }
}

impl GrpcChannel {
    /// Connects, trying again and again until `deadline` where that may help.
    ///
    /// # Errors
    /// Why there is no connection.
    pub async fn connect(
        client: &Client,
        options: GrpcOptions,
        deadline: Time,
    ) -> Result<Self, GrpcUnreached> {
        // Between attempts, as in Go: at first, at most, and the growth in percent.
        const FIRST: Duration = Duration::from_secs(1);
        const MOST: Duration = Duration::from_secs(120);
        const GROWTH: u32 = 160;
        let channel = Self(Rc::new(Inner {
            client: client.clone(),
            options,
            connection: RefCell::default(),
        }));
        let handle = client.connector().network.handle();
        let mut alarm = Alarm::new(handle);
        let mut last = String::new();
        let mut pause = FIRST;
        loop {
            if deadline <= handle.now() {
                return Err(GrpcUnreached::late(&last));
            }
            let outcome = {
                let attempt = pin!(channel.dial());
                alarm.within(deadline, attempt).await
            };
            match outcome {
                Some(Ok(_)) => return Ok(channel),
                Some(Err(unreached @ Unreached::ForGood(..))) => return Err(unreached.into()),
                Some(Err(unreached)) => last = format!(": {}", GrpcUnreached::from(unreached)),
                None => return Err(GrpcUnreached::late(&last)),
            }
            let next = handle.now() + pause;
            handle.sleep_until(next.min(deadline)).await;
            pause = (pause * GROWTH / 100).min(MOST);
        }
    }

    pub(super) fn client(&self) -> &Client {
        &self.0.client
    }

    pub(super) fn options(&self) -> &GrpcOptions {
        &self.0.options
    }

    /// Whether both are the same.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Who answers on the connection there is.
    #[must_use]
    pub fn remote(&self) -> Option<IpAddr> {
        let connection = self.0.connection.borrow();
        connection.as_ref().map(|http2| http2.remote().ip())
    }

    /// The connection, made anew where it was lost.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) async fn connection(&self) -> Result<Http2, GrpcUnreached> {
        let there = self.0.connection.borrow().clone();
        if let Some(there) = there.filter(Http2::is_open) {
            return Ok(there);
        }
        Box::pin(self.dial()).await.map_err(GrpcUnreached::from)
    }

    async fn dial(&self) -> Result<Http2, Unreached> {
        let options = &self.0.options;
        let connector = self.0.client.connector();
        let (host, port) = split(&options.address).map_err(|text| {
            Unreached::ForGood(format!("transport: error while dialing: {text}"), None)
        })?;
        let reached = connector.reach_bare(&host, port).await;
        let socket = reached.map_err(|failure| {
            let text = format!("transport: error while dialing: {}", failure.detail());
            match failure.cause() {
                // Go takes these for passing troubles.
                Cause::BlockedHost { .. }
                | Cause::BlacklistedIp { .. }
                | Cause::DialTimeout { .. } => Unreached::ForNow(text),
                _ => Unreached::ForGood(text, failure.shortage()),
            }
        })?;
        let handshake_failed = |failure: &Failure| {
            let text = match failure.cause() {
                Cause::NotTls { .. } => {
                    "tls: first record does not look like a TLS handshake".to_owned()
                }
                _ => failure.detail(),
            };
            Unreached::ForNow(format!(
                "transport: authentication handshake failed: {text}"
            ))
        };
        let stream = if options.plaintext {
            socket
        } else {
            let name =
                split(options.authority()).map_or(options.authority().to_owned(), |(h, _)| h);
            let secured = connector.secure_http2(socket, &name, options.tls.as_ref());
            secured
                .await
                .map_err(|failure| handshake_failed(&failure))?
        };
        let started = Http2::start(stream, connector.network.handle(), Windows::Narrow).await;
        let preface = |cause: Cause| {
            let text = match &cause {
                Cause::Http2(_, _) => "http2: failed reading the frame payload: http2: frame too large, note that the frame header looked like an HTTP/1.1 header".to_owned(),
                _ => Failure::new(cause).detail(),
            };
            Unreached::ForNow(format!("error reading server preface: {text}"))
        };
        let http2 = started.map_err(preface)?;
        http2.greeted().await.map_err(preface)?;
        *self.0.connection.borrow_mut() = Some(http2.clone());
        Ok(http2)
    }
}

/// Host and port of `host:port`, an IPv6 address in brackets.
///
/// # Errors
/// Go's text.
fn split(address: &str) -> Result<(String, u16), String> {
    let bare = address
        .strip_prefix("dns:///")
        .or_else(|| address.strip_prefix("passthrough:///"))
        .unwrap_or(address);
    if let Ok(address) = bare.parse::<SocketAddr>() {
        return Ok((address.ip().to_string(), address.port()));
    }
    let prefix = if bare.is_empty() {
        String::new()
    } else {
        format!("address {bare}: ")
    };
    let Some((host, port)) = bare.rsplit_once(':') else {
        return Err(format!("{prefix}missing port in address"));
    };
    if host.contains(':') {
        return Err(format!("{prefix}too many colons in address"));
    }
    match port.parse() {
        Ok(port) => Ok((host.to_owned(), port)),
        Err(_) => Err(format!("address {port}: invalid port")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_host_and_port() {
        let told = |text: &str| split(text);
        assert_eq!(told("h:1"), Ok(("h".to_owned(), 1)));
        assert_eq!(told("[::1]:2"), Ok(("::1".to_owned(), 2)));
        assert_eq!(told("dns:///h:3"), Ok(("h".to_owned(), 3)));
        assert_eq!(told(""), Err("missing port in address".to_owned()));
        assert_eq!(
            told("h"),
            Err("address h: missing port in address".to_owned())
        );
        assert_eq!(
            told("h:99999"),
            Err("address 99999: invalid port".to_owned())
        );
    }
}
