//! A request that is ready to go, and what came of it.

use std::rc::Rc;

use bytes::Bytes;
use loadline_metrics::TagSetId;
use loadline_net::{Request, Response, SendResult};

use super::hop::HopRecord;
use super::params::Params;
use super::target::Target;
use crate::host::Watcher;

/// A request that is ready to go.
pub(super) struct Job {
    pub(super) target: Rc<Target>,
    pub(super) request: Rc<Request>,
    pub(super) params: Params,
    /// The body as the script gave it, where it was compressed since.
    pub(super) plain_body: Option<Bytes>,
    /// The user's tags when it was made, where that is not when it ends.
    pub(super) base: Option<TagSetId>,
    /// The body of its answer is wanted for the run's sample.
    pub(super) is_sampled: bool,
    /// Its answer is to be kept for a later run.
    pub(super) is_saved: bool,
    /// The watcher of this request, and where it stands.
    pub(super) watch: Option<(Watcher, Rc<str>)>,
}

/// What came of a job.
pub(super) struct Done {
    pub(super) sent: SendResult,
    pub(super) response: Box<Response>,
}

/// Exchanges; one is the rule.
#[derive(Default)]
pub(super) struct Hops {
    first: Option<HopRecord>,
    all: Vec<HopRecord>,
}

impl Hops {
    pub(super) fn push(&mut self, hop: HopRecord) {
        if self.all.is_empty() && self.first.is_none() {
            self.first = Some(hop);
            return;
        }
        self.all.extend(self.first.take());
        self.all.push(hop);
    }

    pub(super) fn all(&self) -> &[HopRecord] {
        match &self.first {
            Some(first) => std::slice::from_ref(first),
            None => &self.all,
        }
    }
}
