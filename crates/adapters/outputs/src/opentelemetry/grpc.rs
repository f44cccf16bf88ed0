//! Exports over gRPC: a message with a length prefix, and a status in the trailers.
//!
//! With TLS, `net` makes the connection and negotiates HTTP/2. Without TLS both sides speak
//! HTTP/2 from the start, which is done here.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};
use h2::client::SendRequest;
use http::{Method, Version};
use loadline_net::{NetworkSettings, Url};
use loadline_reactor::{MonotonicClock, Reactor, ReactorHandle};
use loadline_units::Clock;

use crate::post::Answer;

/// The port of a URL without one.
const DEFAULT_PORT: u16 = 80;

/// An uncompressed message with its length prefix.
pub(super) fn framed(message: &[u8]) -> Bytes {
    let mut frame = BytesMut::with_capacity(message.len() + 5);
    frame.put_u8(0);
    frame.put_u32(u32::try_from(message.len()).unwrap_or(u32::MAX));
    frame.put_slice(message);
    frame.freeze()
}

/// Interprets an answer that came over plain HTTP/2: a successful export is answered with a
/// message, a failed one without.
pub(super) fn over_http(answer: Answer) -> Answer {
    let is_message = answer.is_taken() && answer.body.len() >= 5;
    if is_message {
        return Answer {
            status: 200,
            body: answer.body[5..].to_vec(),
        };
    }
    Answer {
        status: if answer.is_taken() {
            503
        } else {
            answer.status
        },
        body: b"the export was answered without a message".to_vec(),
    }
}

/// Exports over connections without TLS.
pub(super) struct GrpcPoster {
    settings: Arc<NetworkSettings>,
    patience: Duration,
    open: Option<OpenConnection>,
}

struct OpenConnection {
    clock: MonotonicClock,
    reactor: Reactor,
    connection: Rc<RefCell<Option<SendRequest<Bytes>>>>,
}

impl GrpcPoster {
    pub(super) fn new(settings: Arc<NetworkSettings>, patience: Duration) -> Self {
        Self {
            settings,
            patience,
            open: None,
        }
    }

    /// Makes one call.
    ///
    /// # Errors
    /// The reason why there was no answer.
    pub(super) fn post(
        &mut self,
        url: &Url,
        fields: &[(String, String)],
        message: &[u8],
    ) -> Result<Answer, String> {
        let answer = self.call(url, fields, message);
        if answer.is_err() {
            // The next call makes a new connection.
            self.open = None;
        }
        answer
    }

    fn call(
        &mut self,
        url: &Url,
        fields: &[(String, String)],
        message: &[u8],
    ) -> Result<Answer, String> {
        let open = match &mut self.open {
            Some(open) => open,
            none => {
                let clock = MonotonicClock::start();
                none.insert(OpenConnection {
                    clock,
                    reactor: Reactor::new(clock).map_err(|error| error.to_string())?,
                    connection: Rc::default(),
                })
            }
        };
        let call = Call {
            handle: open.reactor.handle(),
            clock: open.clock,
            settings: self.settings.clone(),
            connection: open.connection.clone(),
            url: url.clone(),
            fields: fields.to_vec(),
            message: framed(message),
        };
        let outcome: Rc<RefCell<Option<Result<Answer, String>>>> = Rc::default();
        let told = outcome.clone();
        open.reactor.handle().spawn(async move {
            let answer = call.make().await;
            *told.borrow_mut() = Some(answer);
        });
        let give_up = open.clock.now() + self.patience;
        let mut ready = Vec::new();
        while outcome.borrow().is_none() {
            if open.clock.now() >= give_up {
                return Err("it took too long".to_owned());
            }
            open.reactor
                .turn(&mut ready, give_up)
                .map_err(|error| error.to_string())?;
            ready.clear();
        }
        let answer = outcome.borrow_mut().take();
        answer.unwrap_or_else(|| Err("no answer".to_owned()))
    }
}

/// One call.
struct Call {
    handle: ReactorHandle,
    clock: MonotonicClock,
    settings: Arc<NetworkSettings>,
    connection: Rc<RefCell<Option<SendRequest<Bytes>>>>,
    url: Url,
    fields: Vec<(String, String)>,
    message: Bytes,
}

impl Call {
    async fn make(self) -> Result<Answer, String> {
        let kept = self.connection.borrow().clone();
        let sender = match kept {
            Some(sender) => sender,
            None => self.connect().await?,
        };
        let mut sender = sender.ready().await.map_err(words)?;
        let (answer, mut body) = sender.send_request(self.request()?, false).map_err(words)?;
        body.send_data(self.message.clone(), true).map_err(words)?;
        let (head, mut stream) = answer.await.map_err(words)?.into_parts();
        let mut bytes = Vec::new();
        while let Some(chunk) = stream.data().await {
            let chunk = chunk.map_err(words)?;
            // Releasing capacity of an ended stream has no effect.
            let _ = stream.flow_control().release_capacity(chunk.len());
            bytes.extend_from_slice(&chunk);
        }
        let trailers = stream.trailers().await.map_err(words)?;
        let trailers = trailers.unwrap_or(head.headers);
        let text = |name: &str| trailers.get(name).and_then(|value| value.to_str().ok());
        let code = text("grpc-status").and_then(|code| code.parse::<u8>().ok());
        match code {
            Some(0) => Ok(Answer {
                status: 200,
                body: bytes.get(5..).unwrap_or_default().to_vec(),
            }),
            code => Ok(Answer {
                status: http_status(code),
                body: format!(
                    "gRPC status {}: {}",
                    code.map_or_else(|| "missing".to_owned(), |code| code.to_string()),
                    text("grpc-message").unwrap_or_default()
                )
                .into_bytes(),
            }),
        }
    }

    async fn connect(&self) -> Result<SendRequest<Bytes>, String> {
        let host = self.url.host_name();
        let address = match host.parse() {
            Ok(address) => address,
            Err(_) => {
                let found = self.settings.names.address(host, &self.clock).await;
                found.map_err(|cause| format!("{cause:?}"))?
            }
        };
        let port = self.url.port().unwrap_or(DEFAULT_PORT);
        let socket = self
            .handle
            .connect((address, port).into(), None)
            .map_err(|error| error.to_string())?;
        std::future::poll_fn(|cx| socket.poll_connected(cx))
            .await
            .map_err(|error| format!("dial {address}:{port}: {error}"))?;
        let shaken = h2::client::handshake(socket).await;
        let (sender, connection) = shaken.map_err(words)?;
        let kept = self.connection.clone();
        self.handle.spawn(async move {
            // The call sees the connection's error on its own.
            let _ = connection.await;
            kept.borrow_mut().take();
        });
        *self.connection.borrow_mut() = Some(sender.clone());
        Ok(sender)
    }

    fn request(&self) -> Result<http::Request<()>, String> {
        let mut target = String::new();
        self.url.push_target(&mut target);
        let uri = format!("http://{}{target}", self.url.host());
        let mut request = http::Request::builder()
            .method(Method::POST)
            .version(Version::HTTP_2)
            .uri(uri);
        for (name, value) in &self.fields {
            request = request.header(name.to_ascii_lowercase(), value);
        }
        request.body(()).map_err(|error| error.to_string())
    }
}

/// The HTTP status that corresponds to a gRPC status, as far as needed to decide on a retry.
fn http_status(code: Option<u8>) -> u16 {
    match code {
        // Invalid argument, not found, out of range, unimplemented.
        Some(3 | 5 | 11 | 12) => 400,
        // Permission denied, unauthenticated.
        Some(7 | 16) => 403,
        Some(_) | None => 503,
    }
}

fn words(error: h2::Error) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_its_length_before_it() {
        assert_eq!(&framed(b"abc")[..], b"\0\0\0\0\x03abc");
    }

    #[test]
    fn only_an_answer_with_a_message_is_a_success() {
        let answer = |status, body: &[u8]| {
            over_http(Answer {
                status,
                body: body.to_vec(),
            })
        };
        assert!(answer(200, b"\0\0\0\0\0").is_taken());
        assert_eq!(answer(200, b"").status, 503);
        assert_eq!(answer(404, b"").status, 404);
    }
}
