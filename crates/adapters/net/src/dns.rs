//! Resolves host names: asked on workers, answered elsewhere.
//!
//! A [`Resolve`] looks names up on the control plane. [`Names`] caches its answers for all
//! workers of a run, merges concurrent look-ups of a name, and picks an address by k6's policies.
//! A cached name costs one read lock and no switch of threads.
//!
//! Elsewhere: `hosts`, `blockHostnames` and `blacklistIPs`, in [`crate::hosts`].

mod names;
mod system;
#[cfg(test)]
mod tests;

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

pub use names::{AddressPolicy, AddressSelection, Names, NamesOptions};
pub use system::{ResolverError, SystemResolver};

/// Looks up names on threads of its own.
pub trait Resolve: Send + Sync {
    /// Starts to look up `host` and returns at once. `answer` may be given from any thread,
    /// before or after the return.
    fn lookup(&self, host: &str, answer: LookupAnswer);
}

/// Why a name has no address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LookupError {
    /// The name does not exist or has no address.
    #[error("no such host")]
    NoSuchHost,
    /// The look-up failed; the text says why.
    #[error("{0}")]
    Failed(String),
}

/// All addresses of a name, in the order of the answer.
pub(crate) type Addresses = Arc<[IpAddr]>;
pub(crate) type LookupResult = Result<Addresses, LookupError>;

/// Takes the answer of one look-up. Dropping it says that there will be none.
#[derive(Debug)]
pub struct LookupAnswer {
    question: Arc<PendingLookup>,
}

impl LookupAnswer {
    pub(crate) fn new(question: Arc<PendingLookup>) -> Self {
        Self { question }
    }

    /// Gives the answer and wakes the waiting tasks. An empty list means that there is no such
    /// host.
    pub fn give(self, outcome: Result<Vec<IpAddr>, LookupError>) {
        self.question.answer(match outcome {
            Ok(addresses) if addresses.is_empty() => Err(LookupError::NoSuchHost),
            Ok(addresses) => Ok(addresses.into()),
            Err(error) => Err(error),
        });
    }
}

impl Drop for LookupAnswer {
    fn drop(&mut self) {
        let dropped = "the resolver gave no answer".to_owned();
        self.question.answer(Err(LookupError::Failed(dropped)));
    }
}

/// A look-up in progress, and the tasks that wait for it.
#[derive(Debug, Default)]
pub(crate) struct PendingLookup(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    outcome: Option<LookupResult>,
    waiting: Vec<Waker>,
}

impl PendingLookup {
    /// The first answer counts.
    fn answer(&self, outcome: LookupResult) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.outcome.is_some() {
            return;
        }
        state.outcome = Some(outcome);
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        for waker in waiting {
            waker.wake();
        }
    }

    pub(crate) fn outcome(&self) -> Option<LookupResult> {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.outcome.clone()
    }

    pub(crate) fn poll(&self, cx: &mut Context<'_>) -> Poll<LookupResult> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(outcome) = &state.outcome {
            return Poll::Ready(outcome.clone());
        }
        if !state.waiting.iter().any(|w| w.will_wake(cx.waker())) {
            state.waiting.push(cx.waker().clone());
        }
        Poll::Pending
    }
}
