//! Posts a body to a receiver over HTTP, on the output's own thread.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use loadline_net::{BlockingClient, BodyMode, NetworkSettings, Request, Url};

/// How many bytes of an answer are read.
const RESPONSE_BYTES_MAX: u64 = 64 * 1024;

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
    client: BlockingClient,
    patience: Duration,
}

impl Poster {
    pub(crate) fn new(settings: Arc<NetworkSettings>, patience: Duration) -> Self {
        Self {
            client: BlockingClient::new(settings),
            patience,
        }
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
        let mut request = Request::new("POST", url.clone());
        for (name, value) in fields {
            request.set_field(name.clone(), value.clone());
        }
        request.set_body(Some(body));
        let kept = BodyMode::Keep {
            limit: RESPONSE_BYTES_MAX,
        };
        let response = self.client.exchange(request, kept, self.patience);
        let response = response.map_err(|failure| failure.text())?;
        Ok(Answer {
            status: response.head.status(),
            body: response.body,
        })
    }
}
