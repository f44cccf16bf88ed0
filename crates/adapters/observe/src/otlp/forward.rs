//! What arrives is also sent on, for those who have a collector of their own.
//!
//! A thread sends one message after the other, as it came, over HTTP. What waits is bounded; what
//! does not fit or is refused is lost there, counted, and told as a source that failed.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use crossbeam_channel::{Receiver, Sender, unbounded};
use loadline_net::{BlockingClient, BodyMode, Request, Url};
use loadline_record::signals::{SourceError, SourceKind, SourceStatus};

use crate::page::error_of;
use crate::reading::Reading;
use crate::setup::ObserverSetup;

/// How long one message may take.
const FORWARD_TIMEOUT: Duration = Duration::from_secs(5);
/// Bytes that wait at most.
const WAITING_BYTES_MAX: usize = 16 << 20;
/// An answer says how much was taken; it is not read.
const RESPONSE_BYTES_MAX: u64 = 1 << 20;

/// Sends on what it is given.
#[derive(Clone)]
pub(super) struct Forwarder {
    messages: Sender<Forwarded>,
    counts: Arc<ForwardCounts>,
}

/// One message.
struct Forwarded {
    path: &'static str,
    body: Bytes,
    is_packed: bool,
}

#[derive(Default)]
struct ForwardCounts {
    waiting: AtomicUsize,
    sent: AtomicU64,
    lost: AtomicU64,
    error: Mutex<Option<SourceError>>,
}

/// How sending on fares, told with each look.
pub(super) struct ForwardStatus {
    counts: Arc<ForwardCounts>,
    status: SourceStatus,
    /// As counted at the last look.
    sent: u64,
    lost: u64,
}

impl Forwarder {
    /// Starts the thread, which ends when the last forwarder is dropped.
    pub(super) fn start(
        to: &Url,
        setup: &ObserverSetup,
    ) -> Result<(Self, ForwardStatus), SourceError> {
        let settings = (setup.network)(to).map_err(SourceError::Other)?;
        let (messages, waiting) = unbounded();
        let counts = Arc::new(ForwardCounts::default());
        let (base, shared) = (to.clone(), counts.clone());
        let send = move || {
            let mut client = BlockingClient::new(Arc::new(settings));
            send_all(&mut client, &base, &waiting, &shared);
        };
        let thread = std::thread::Builder::new().name("otlp-forward".to_owned());
        thread
            .spawn(send)
            .map_err(|error| SourceError::Other(error.to_string()))?;
        let name = format!("otlp -> {}", to.masked());
        let status = ForwardStatus {
            counts: counts.clone(),
            status: SourceStatus::new(&name, SourceKind::Otlp),
            sent: 0,
            lost: 0,
        };
        Ok((Self { messages, counts }, status))
    }

    /// Takes a message to send on.
    pub(super) fn give(&self, path: &'static str, body: Bytes, is_packed: bool) {
        let size = body.len();
        let waiting = self.counts.waiting.fetch_add(size, Ordering::Relaxed);
        if waiting + size > WAITING_BYTES_MAX {
            self.counts.waiting.fetch_sub(size, Ordering::Relaxed);
            self.counts.lose(SourceError::TooLarge);
            return;
        }
        let message = Forwarded {
            path,
            body,
            is_packed,
        };
        if self.messages.send(message).is_err() {
            self.counts.lose(SourceError::Defect);
        }
    }
}

impl ForwardCounts {
    fn lose(&self, error: SourceError) {
        self.lost.fetch_add(1, Ordering::Relaxed);
        *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }
}

impl ForwardStatus {
    /// Tells how it fared since the last look.
    pub(super) fn give(&mut self, at_ms: u64, reading: &mut Reading) {
        let sent = self.counts.sent.load(Ordering::Relaxed);
        let lost = self.counts.lost.load(Ordering::Relaxed);
        if lost > self.lost {
            let error = self.counts.error.lock();
            let error = error.unwrap_or_else(PoisonError::into_inner).take();
            let code = error.unwrap_or(SourceError::Refused).code();
            self.status.failed(at_ms, &code);
            reading.set("otlp.forward.lost", &lost.to_string());
        } else if sent > self.sent {
            self.status.answered(at_ms);
        }
        (self.sent, self.lost) = (sent, lost);
        reading.sources.push(self.status.clone());
    }
}

fn send_all(
    client: &mut BlockingClient,
    base: &Url,
    messages: &Receiver<Forwarded>,
    counts: &ForwardCounts,
) {
    while let Ok(message) = messages.recv() {
        let size = message.body.len();
        match send(client, base, message) {
            Ok(()) => {
                counts.sent.fetch_add(1, Ordering::Relaxed);
            }
            Err(error) => counts.lose(error),
        }
        counts.waiting.fetch_sub(size, Ordering::Relaxed);
    }
}

fn send(client: &mut BlockingClient, base: &Url, message: Forwarded) -> Result<(), SourceError> {
    let base = base.to_string();
    let url = format!("{}{}", base.trim_end_matches('/'), message.path);
    let url = Url::parse(&url).map_err(|_| SourceError::Defect)?;
    let mut request = Request::new("POST", url);
    request.set_field("Content-Type", "application/x-protobuf");
    if message.is_packed {
        request.set_field("Content-Encoding", "gzip");
    }
    loadline_net::set_basic(&mut request);
    request.set_body(Some(message.body));
    let kept = BodyMode::Keep {
        limit: RESPONSE_BYTES_MAX,
    };
    let answer = client.exchange(request, kept, FORWARD_TIMEOUT);
    let answer = answer.map_err(|failure| error_of(&failure))?;
    match answer.head.status() {
        200..300 => Ok(()),
        status => Err(SourceError::Status(status)),
    }
}
