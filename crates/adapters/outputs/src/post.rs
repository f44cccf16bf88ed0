//! Posts a body to a receiver over HTTP, on the output's own thread.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use loadline_net::{
    BodyMode, Client, ExchangeOptions, Network, NetworkSettings, Request, Response, Url,
};
use loadline_reactor::{MonotonicClock, Reactor};
use loadline_units::Clock;

/// How many bytes of an answer are read.
const MOST_ANSWER: u64 = 64 * 1024;

/// How to connect to a receiver.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReceiverOptions {
    /// Accept any certificate.
    pub skip_verification: bool,
    /// A file with the trusted root certificates; the system's by default.
    pub roots: Option<String>,
    /// Files with the client certificate and its key.
    pub identity: Option<(String, String)>,
    /// A proxy; that of the environment by default.
    pub proxy: Option<String>,
}

/// Makes network settings for a receiver.
pub type NetworkFor<'a> = &'a dyn Fn(&Url, &ReceiverOptions) -> Result<NetworkSettings, String>;

/// What a receiver answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// Whether the receiver accepted the body.
    pub(crate) fn is_taken(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Whether a retry could succeed.
    pub(crate) fn may_change(&self) -> bool {
        self.status >= 500 || matches!(self.status, 401 | 403 | 404 | 408 | 429)
    }

    /// A description for people.
    pub(crate) fn words(&self) -> String {
        let text = String::from_utf8_lossy(&self.body);
        let text = text.trim().lines().next().unwrap_or_default();
        format!("status {}: {text}", self.status)
            .trim_end_matches([':', ' '])
            .to_owned()
    }
}

/// Posts bodies to one receiver over kept-alive connections.
pub(crate) struct Poster {
    settings: Arc<NetworkSettings>,
    patience: Duration,
    open: Option<OpenConnection>,
}

struct OpenConnection {
    clock: MonotonicClock,
    reactor: Reactor,
    client: Client,
}

impl Poster {
    pub(crate) fn new(settings: Arc<NetworkSettings>, patience: Duration) -> Self {
        Self {
            settings,
            patience,
            open: None,
        }
    }

    fn open(&mut self) -> Result<&mut OpenConnection, String> {
        if self.open.is_none() {
            let clock = MonotonicClock::start();
            let reactor = Reactor::new(clock).map_err(|error| error.to_string())?;
            let network = Network::new(reactor.handle(), self.settings.clone());
            self.open = Some(OpenConnection {
                clock,
                client: Client::new(&network, None),
                reactor,
            });
        }
        self.open.as_mut().ok_or_else(|| "no connection".to_owned())
    }

    /// Posts one body.
    ///
    /// # Errors
    /// The reason why there was no answer.
    pub(crate) fn post(
        &mut self,
        url: &Url,
        fields: &[(String, String)],
        body: Bytes,
    ) -> Result<Answer, String> {
        let patience = self.patience;
        let open = self.open()?;
        let mut request = Request::new("POST", url.clone());
        for (name, value) in fields {
            request.set_field(name.clone(), value.clone());
        }
        request.set_body(Some(body));
        let outcome: Rc<RefCell<Option<Result<Answer, String>>>> = Rc::default();
        let told = outcome.clone();
        let client = open.client.clone();
        let started = open.clock.now();
        let deadline = started + patience;
        open.reactor.handle().spawn(async move {
            let mut response = Response::new();
            let options = ExchangeOptions {
                started,
                deadline,
                body: BodyMode::Keep { limit: MOST_ANSWER },
            };
            let exchanged = client.exchange(&request, &options, &mut response).await;
            *told.borrow_mut() = Some(match exchanged {
                Ok(()) => Ok(Answer {
                    status: response.head.status(),
                    body: std::mem::take(&mut response.body),
                }),
                Err(failure) => Err(failure.text()),
            });
        });
        let give_up = deadline + Duration::from_secs(1);
        let mut ready = Vec::new();
        while outcome.borrow().is_none() {
            if open.clock.now() > give_up {
                self.open = None;
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
