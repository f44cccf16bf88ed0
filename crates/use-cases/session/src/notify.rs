//! Notifies people of a run: posts short messages to a URL in the format of Slack's incoming
//! webhooks.
//!
//! A thread of its own sends the messages one after another. A failed delivery is reported at
//! the end and stops nothing. The URL is a secret, so no error contains it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use loadline_net::{BlockingClient, BodyMode, Request, Url};

use crate::network::plain;

/// How long delivering one message may take.
const DELIVERY_TIMEOUT: Duration = Duration::from_secs(5);

/// Where messages can be posted: a URL of `http` or `https` with a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotifyUrl(Url);

impl NotifyUrl {
    /// `None` for any other text. The text may be a secret, so no reason repeats it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok()?;
        (url.is_http() && !url.host_name().is_empty()).then_some(Self(url))
    }
}

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
    /// What is wrong with the network, without the URL.
    pub fn start(
        NotifyUrl(url): NotifyUrl,
        environment: &BTreeMap<String, String>,
    ) -> Result<Self, String> {
        let settings = plain(environment, false).map_err(|error| error.to_string())?;
        let settings = Arc::new(settings);
        let (messages, queue) = unbounded::<String>();
        let (failures_in, failures) = bounded(64);
        std::thread::Builder::new()
            .name("notify".to_owned())
            .spawn(move || {
                let mut client = BlockingClient::new(settings);
                for text in queue {
                    if let Err(reason) = deliver(&mut client, &url, text) {
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

    /// Posts a message that is JSON already; returns at once.
    pub fn post_json(&self, body: String) {
        // A thread that ended delivers nothing; the end reports that.
        let _ = self.messages.send(body);
    }

    /// Waits for the last message; why one was not delivered, if one was not.
    #[must_use]
    pub fn finish(self) -> Option<String> {
        drop(self.messages);
        self.failures.recv_timeout(DELIVERY_TIMEOUT * 2).ok()
    }
}

/// Posts one message.
fn deliver(client: &mut BlockingClient, url: &Url, body: String) -> Result<(), String> {
    let mut request = Request::new("POST", url.clone());
    request.set_field("Content-Type", "application/json");
    request.set_body(Some(Bytes::from(body)));
    let response = client.exchange(request, BodyMode::Discard, DELIVERY_TIMEOUT);
    let response = response.map_err(|failure| failure.text())?;
    match response.head.status() {
        200..300 => Ok(()),
        status => Err(format!("it was answered with {status}")),
    }
}
