//! Making a connection: look-up, TCP.

use std::net::{IpAddr, SocketAddr};
use std::rc::Rc;

use crate::client::Alarm;
use crate::failure::{Cause, Failure, SocketFailure, os_text};
use crate::network::Network;
use crate::response::Response;
use crate::stream::{Socket, Stream, Traffic};
use crate::url::Url;

/// Makes connections for one client.
#[derive(Debug)]
pub(crate) struct Connector {
    pub(crate) network: Network,
    pub(crate) traffic: Rc<Traffic>,
    pub(crate) local: Option<IpAddr>,
}

impl Connector {
    /// Connects to the server of `url`.
    pub(crate) async fn connect(
        &self,
        url: &Url,
        port: u16,
        response: &mut Response,
    ) -> Result<Stream, Failure> {
        let address = self.address(url, port)?;
        let socket = self.dial(address, response).await?;
        Ok(Stream::Plain(socket))
    }

    fn address(&self, url: &Url, port: u16) -> Result<SocketAddr, Failure> {
        match url.host_name().parse::<IpAddr>() {
            Ok(ip) => Ok(SocketAddr::new(ip, port)),
            Err(_) => Err(Cause::NoSuchHost {
                host: url.host_name().to_owned(),
            }
            .into()),
        }
    }

    /// Makes a TCP connection, within the dial time-out.
    async fn dial(&self, remote: SocketAddr, response: &mut Response) -> Result<Socket, Failure> {
        let handle = self.network.handle();
        let started = handle.now();
        response.timing.connect_started(started);
        response.remote = Some(remote);
        let failed = |error: &std::io::Error| dial_failure(error, remote);
        let tcp = handle
            .connect(remote, self.local)
            .map_err(|error| failed(&error))?;
        let socket = Socket::new(tcp, self.traffic.clone());
        let limit = started + self.network.0.settings.dial_timeout;
        let connected = Alarm::new(handle)
            .within(limit, std::future::poll_fn(|cx| socket.poll_connected(cx)))
            .await;
        match connected {
            None => Err(Cause::DialTimeout { remote }.into()),
            Some(Err(error)) => Err(failed(&error)),
            Some(Ok(())) => {
                response.timing.connected(handle.now());
                Ok(socket)
            }
        }
    }
}

fn dial_failure(error: &std::io::Error, remote: SocketAddr) -> Failure {
    use std::io::ErrorKind;
    Failure::new(match error.kind() {
        ErrorKind::ConnectionRefused => Cause::Refused { remote },
        ErrorKind::TimedOut => Cause::DialTimeout { remote },
        ErrorKind::ConnectionReset => Cause::Socket {
            operation: crate::failure::Operation::Read,
            kind: SocketFailure::Reset,
            remote,
        },
        _ => Cause::Dial {
            remote,
            errno: error.raw_os_error().unwrap_or(0),
            text: os_text(error),
        },
    })
}
