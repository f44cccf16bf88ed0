//! Names to addresses: asked on workers, answered elsewhere.
//!
//! A [`Resolve`] looks names up on the control plane; [`Names`] remembers its answers for
//! all workers of a run, lets concurrent look-ups of one name be one, and picks the address
//! to connect to by k6's policies. A remembered name costs a read lock, no thread hop.
//!
//! Elsewhere: `hosts`, `blockHostnames` and `blacklistIPs`, in [`crate::hosts`].

mod names;
mod system;
#[cfg(test)]
mod tests;

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

pub use names::{Family, Names, NamesOptions, Select};
pub use system::{ResolverError, SystemResolver};

/// Looks names up, on threads of its own.
pub trait Resolve: Send + Sync {
    /// Starts looking `host` up and returns at once; `answer` may be given before that or
    /// later, from any thread.
    fn lookup(&self, host: &str, answer: Answer);
}

/// Why a name has no address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LookupError {
    /// The name does not exist, or has no address.
    #[error("no such host")]
    NoSuchHost,
    /// The question could not be answered; the text says why.
    #[error("{0}")]
    Failed(String),
}

/// All addresses of a name, in the order they were answered.
pub(crate) type Addresses = Arc<[IpAddr]>;
pub(crate) type Outcome = Result<Addresses, LookupError>;

/// The place for one look-up's answer. Dropping it unanswered is an answer too: that
/// there will be none.
#[derive(Debug)]
pub struct Answer {
    question: Arc<Question>,
}

impl Answer {
    pub(crate) fn new(question: Arc<Question>) -> Self {
        Self { question }
    }

    /// Gives the answer and wakes who waits for it. No addresses means no such host.
    pub fn give(self, outcome: Result<Vec<IpAddr>, LookupError>) {
        self.question.answer(match outcome {
            Ok(addresses) if addresses.is_empty() => Err(LookupError::NoSuchHost),
            Ok(addresses) => Ok(addresses.into()),
            Err(error) => Err(error),
        });
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        let dropped = "the resolver gave no answer".to_owned();
        self.question.answer(Err(LookupError::Failed(dropped)));
    }
}

/// One look-up under way, and who waits for it.
#[derive(Debug, Default)]
pub(crate) struct Question(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    outcome: Option<Outcome>,
    waiting: Vec<Waker>,
}

impl Question {
    /// The first answer counts.
    fn answer(&self, outcome: Outcome) {
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

    pub(crate) fn outcome(&self) -> Option<Outcome> {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.outcome.clone()
    }

    pub(crate) fn poll(&self, cx: &mut Context<'_>) -> Poll<Outcome> {
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
