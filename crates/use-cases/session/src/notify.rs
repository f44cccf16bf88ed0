//! Notifies people of a run: posts short messages to a URL in the format of Slack's incoming
//! webhooks.
//!
//! A thread of its own sends the messages one after another. A failed delivery is reported at
//! the end and stops nothing. The URL is a secret, so no error contains it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use loadline_net::{
    BodyMode, Client, ExchangeOptions, Network, NetworkSettings, Request, Response, Url,
};
use loadline_reactor::{MonotonicClock, Reactor};
use loadline_units::Clock;

use crate::network::plain;

/// How long delivering one message may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Posts messages.
pub struct Notifier {
    messages: Sender<String>,
    /// Why messages were not delivered; ends when the last one was tried.
    failures: Receiver<String>,
}

impl Notifier {
    /// Posts to `url` from now on.
    ///
    /// # Errors
    /// What is wrong with the URL or the network, without the URL.
    pub fn start(url: &str, environment: &BTreeMap<String, String>) -> Result<Self, String> {
        let url = Url::parse(url).map_err(|_| "the URL is malformed".to_owned())?;
        let settings = plain(environment, false).map_err(|error| error.to_string())?;
        let settings = Arc::new(settings);
        let (messages, queue) = unbounded::<String>();
        let (failures_in, failures) = bounded(64);
        std::thread::Builder::new()
            .name("notify".to_owned())
            .spawn(move || {
                for text in queue {
                    if let Err(reason) = deliver(&url, &settings, &text) {
                        // The first failures are enough.
                        let _ = failures_in.try_send(reason);
                    }
                }
            })
            .map_err(|error| error.to_string())?;
        Ok(Self { messages, failures })
    }

    /// Posts `text`; returns at once.
    pub fn post(&self, text: &str) {
        let body = serde_json::json!({ "text": text });
        // A thread that ended delivers nothing; the end reports that.
        let _ = self.messages.send(body.to_string());
    }

    /// Waits for the last message; why one was not delivered, if one was not.
    #[must_use]
    pub fn finish(self) -> Option<String> {
        drop(self.messages);
        self.failures.recv_timeout(PATIENCE * 2).ok()
    }
}

/// Posts one message on a reactor of its own.
fn deliver(url: &Url, settings: &Arc<NetworkSettings>, body: &str) -> Result<(), String> {
    let clock = MonotonicClock::start();
    let mut reactor = Reactor::new(clock).map_err(|error| error.to_string())?;
    let client = Client::new(&Network::new(reactor.handle(), settings.clone()), None);
    let mut request = Request::new("POST", url.clone());
    request.set_field("Content-Type", "application/json");
    request.set_body(Some(Bytes::from(body.to_owned())));
    let outcome: Rc<RefCell<Option<Result<(), String>>>> = Rc::default();
    let told = outcome.clone();
    let started = clock.now();
    let deadline = started + PATIENCE;
    reactor.handle().spawn(async move {
        let mut response = Response::new();
        let options = ExchangeOptions {
            started,
            deadline,
            body: BodyMode::Discard,
        };
        let exchanged = client.exchange(&request, &options, &mut response).await;
        let delivered = match exchanged {
            Ok(()) if (200..300).contains(&response.head.status()) => Ok(()),
            Ok(()) => Err(format!("it was answered with {}", response.head.status())),
            Err(failure) => Err(failure.text()),
        };
        *told.borrow_mut() = Some(delivered);
    });
    let mut ready = Vec::new();
    while outcome.borrow().is_none() {
        if clock.now() > deadline + PATIENCE {
            return Err("it took too long".to_owned());
        }
        reactor
            .turn(&mut ready, deadline + PATIENCE)
            .map_err(|error| error.to_string())?;
        ready.clear();
    }
    let delivered = outcome.borrow_mut().take();
    delivered.unwrap_or(Ok(()))
}
