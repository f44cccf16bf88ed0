//! Traces and metrics that the target sends itself, over OTLP: gRPC and HTTP on one port.
//!
//! The server has a thread of its own. What arrives is read at once and kept as sums; spans are
//! kept until their request is whole, bounded in number. Of each traced request the sums say where
//! its time went; their ratios hold whatever share of the requests is traced.

mod breakdown;
mod forward;
mod metrics;
mod probes;
mod received;
mod server;
mod span;
mod traces;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use loadline_reactor::MonotonicClock;
use loadline_record::signals::{MissingSignal, SourceError, SourceNote};
use loadline_units::Clock;

use crate::address::OtlpReceiver;
use crate::reading::Reading;
use crate::setup::ObserverSetup;
use crate::source::Source;
use forward::{ForwardStatus, Forwarder};
pub(crate) use received::Received;
use server::{Inbox, ReceiverThread};

/// A receiver, listening.
pub(crate) struct OtlpSource {
    /// Stops when it is dropped.
    _server: ReceiverThread,
    received: Arc<Mutex<Received>>,
    forward: Option<ForwardStatus>,
    clock: MonotonicClock,
}

impl OtlpSource {
    /// Listens; what arrives is also sent on, if that is asked for.
    pub(crate) fn new(receiver: &OtlpReceiver, setup: &ObserverSetup) -> Result<Self, SourceError> {
        let received = Arc::new(Mutex::new(Received::new(setup.clock, setup.wall_clock)));
        let to = receiver.forward.as_deref();
        let forward = to.map(|to| Forwarder::start(to, setup)).transpose()?;
        let (forwarder, forward) = forward.unzip();
        let inbox = Inbox::new(received.clone(), forwarder, receiver.token.as_deref());
        let server = ReceiverThread::start(receiver.address, inbox)?;
        Ok(Self {
            _server: server,
            received,
            forward,
            clock: setup.clock,
        })
    }

    fn received(&self) -> std::sync::MutexGuard<'_, Received> {
        // Sums stay usable after a panic.
        self.received.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Source for OtlpSource {
    fn read(&mut self, reading: &mut Reading) -> Result<(), SourceError> {
        let at_ms = self.clock.now().as_nanos() / 1_000_000;
        if let Some(forward) = &mut self.forward {
            forward.give(at_ms, reading);
        }
        self.received().give(reading)
    }

    fn lacks(&self) -> Vec<MissingSignal> {
        self.received().lacks()
    }

    fn notes(&self) -> Vec<SourceNote> {
        self.received().notes()
    }

    /// It is about a sender whose ports are not told.
    fn places(&self) -> BTreeSet<String> {
        BTreeSet::new()
    }
}

#[cfg(test)]
mod tests;
