//! One request after another, each waited for: for threads that have nothing else to do
//! meanwhile, never for workers.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use loadline_reactor::{MonotonicClock, Reactor};
use loadline_units::Clock;

use crate::body::BodyMode;
use crate::client::{Client, ExchangeOptions};
use crate::failure::{Cause, Failure};
use crate::network::{Network, NetworkSettings};
use crate::request::Request;
use crate::response::Response;

/// How much longer than the deadline an exchange is waited for before its connection is given up.
const DEADLINE_GRACE: Duration = Duration::from_secs(1);

/// Sends requests over kept-alive connections of its own.
pub struct BlockingClient {
    settings: Arc<NetworkSettings>,
    open: Option<Opened>,
}

struct Opened {
    clock: MonotonicClock,
    reactor: Reactor,
    client: Client,
}

impl BlockingClient {
    /// Connects when the first request is sent.
    #[must_use]
    pub fn new(settings: Arc<NetworkSettings>) -> Self {
        Self {
            settings,
            open: None,
        }
    }

    fn opened(&mut self) -> Result<&mut Opened, Failure> {
        let opened = match self.open.take() {
            Some(opened) => opened,
            None => {
                let clock = MonotonicClock::start();
                let reactor = Reactor::new(clock).map_err(failed)?;
                let network = Network::new(reactor.handle(), self.settings.clone());
                Opened {
                    clock,
                    client: Client::new(&network, None),
                    reactor,
                }
            }
        };
        Ok(self.open.insert(opened))
    }

    /// Sends `request` and waits up to `patience` for the whole answer.
    ///
    /// # Errors
    /// The reason why there was no answer.
    pub fn exchange(
        &mut self,
        request: Request,
        body: BodyMode,
        patience: Duration,
    ) -> Result<Response, Failure> {
        let open = self.opened()?;
        let outcome: Rc<RefCell<Option<Result<Response, Failure>>>> = Rc::default();
        let told = outcome.clone();
        let client = open.client.clone();
        let started = open.clock.now();
        let deadline = started + patience;
        open.reactor.handle().spawn(async move {
            let mut response = Response::new();
            let options = ExchangeOptions {
                started,
                deadline,
                body,
            };
            let exchanged = client.exchange(&request, &options, &mut response).await;
            *told.borrow_mut() = Some(exchanged.map(|()| response));
        });
        let give_up = deadline + DEADLINE_GRACE;
        let mut ready = Vec::new();
        while outcome.borrow().is_none() {
            if open.clock.now() > give_up {
                self.open = None;
                return Err(Failure::new(Cause::Timeout));
            }
            open.reactor.turn(&mut ready, give_up).map_err(failed)?;
            ready.clear();
        }
        let answer = outcome.borrow_mut().take();
        answer.unwrap_or_else(|| Err(Failure::new(Cause::Timeout)))
    }
}

/// The reactor itself failed.
fn failed(error: std::io::Error) -> Failure {
    Failure::new(Cause::Other(error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use super::*;
    use crate::url::Url;

    /// Answers each connection with `answer`, in a thread of its own.
    fn serve(answer: &'static [u8]) -> Url {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut head = [0; 1024];
                let _ = stream.read(&mut head);
                let _ = stream.write_all(answer);
            }
        });
        Url::parse(&format!("http://{address}/metrics")).unwrap()
    }

    fn get(url: Url, limit: u64) -> Result<Response, Failure> {
        let mut client = BlockingClient::new(Arc::default());
        let body = BodyMode::Keep { limit };
        client.exchange(Request::new("GET", url), body, Duration::from_secs(5))
    }

    #[test]
    fn an_answer_is_waited_for() {
        let url = serve(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nup 1");
        let response = get(url, 1024).unwrap();
        assert_eq!(
            (response.head.status(), &response.body[..]),
            (200, &b"up 1"[..])
        );
    }

    #[test]
    fn an_answer_above_the_limit_or_cut_short_is_an_error() {
        let url = serve(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nup 1");
        assert!(get(url, 3).is_err());
        let url = serve(b"HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\nup 1");
        assert!(get(url, 1024).is_err());
    }
}
